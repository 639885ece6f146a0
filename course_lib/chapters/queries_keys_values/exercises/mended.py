"""Exercise `mended`: a function from a tutorial, without its four weaknesses."""

import itertools
import math

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.queries_keys_values.three_lines import weights
from course_lib.chapters.queries_keys_values.two_matrices import numbers
from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.judging.tensors import drawn
from course_lib.kernels.attention import attention


def mended(q, k, v, mask=None):
    """Attention in every precision, with masks for sentences, and 0 where nothing is allowed.

    q: (..., t, d)   k: (..., s, d)   v: (..., s, e)   mask: boolean, True = may look
    returns: (..., t, e)
    """
    # SOLUTION
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is None:
        return scores.softmax(dim=-1) @ v
    if mask.ndim < scores.ndim:
        mask = mask.unsqueeze(-3)  # the same for all heads
    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return scores.softmax(dim=-1).masked_fill(~mask, 0) @ v
    # STUB
    # return ...  # instead of this line, the function from above, mended
    # END SOLUTION


def _mended_but(root=True, heads=True, half=True, empty=True, fill=None, always=False):
    """The mended function with one of its four weaknesses put back."""

    def answer(q, k, v, mask=None):
        width = q.shape[-1]
        scale = math.sqrt(width) if root else torch.sqrt(torch.tensor(width, dtype=torch.float32))
        scores = q @ k.transpose(-2, -1) / scale
        if mask is not None:
            if always or (heads and mask.ndim < scores.ndim):
                mask = mask.unsqueeze(-3)
            low = torch.finfo(scores.dtype).min if half else -1e9
            scores = scores.masked_fill(~mask, low if fill is None else fill)
        shares = torch.softmax(scores, dim=-1)
        if mask is not None and empty:
            shares = shares.masked_fill(~mask, 0)
        return shares @ v

    return answer


def _masked_after(shaped):
    """The mended function with another way to give the mask its axes."""

    def answer(q, k, v, mask=None):
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~shaped(mask, scores), -math.inf)
        return scores.softmax(dim=-1).nan_to_num() @ v

    return answer


def _several_left():
    """Every two weaknesses or more that may be left at once, as a mistake for each."""
    parts = {
        "root": "float64 inputs get eight right digits",
        "heads": "the mask of a sentence meets the axis of the heads",
        "half": "the ban is a number that half precision does not have",
        "empty": "a query that may look at nothing still looks at everything",
    }
    count = {2: "Two", 3: "Three", 4: "All four"}
    for kept in itertools.product((True, False), repeat=4):
        left = [says for says, done in zip(parts.values(), kept, strict=True) if not done]
        if len(left) > 1:
            says = f"{count[len(left)]} weaknesses are left: {'; '.join(left)}."
            yield Mistake(says, _mended_but(**dict(zip(parts, kept, strict=True))))
        if left and kept[2:] == (True, True):
            says = "-inf makes NaN of a row in which nothing is allowed, and there is more: "
            also = {"root": kept[0], "heads": kept[1]}
            yield Mistake(
                f"{says}{'; '.join(left)}.", _mended_but(**also, empty=False, fill=-math.inf)
            )


SEVERAL_LEFT = tuple(_several_left())


def _masked_by_product(q, k, v, mask, late):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is None:
        return scores.softmax(dim=-1) @ v
    mask = mask.unsqueeze(-3) if mask.ndim < scores.ndim else mask
    return (scores.softmax(dim=-1) * mask if late else (scores * mask).softmax(dim=-1)) @ v


def _by_nan(q, k, v, mask=None):
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        while mask.ndim < scores.ndim:
            mask = mask.unsqueeze(mask.ndim - 2)
        scores = torch.where(mask, scores, -torch.inf)
    return torch.softmax(scores, -1).nan_to_num(0) @ v


def _by_torch(q, k, v, mask=None):
    if mask is not None and mask.ndim == 3 and q.ndim == 4:
        mask = mask[:, None]
    return scaled_dot_product_attention(q, k, v, attn_mask=mask)


def _by_kernel(q, k, v, mask=None):
    if mask is not None and mask.ndim < q.ndim:
        mask = mask.unsqueeze(-3)
    return attention(q, k, v, mask=mask)


def _heads(rng, b, h):
    return [drawn(rng, b, h, n, 2) for n in (5, 7, 7)]


def _allowed(rng, *shape):
    """A mask in which every query may look at one key at least."""
    mask = torch.tensor(rng.random(shape) < 0.5)
    mask[..., 0] = True
    return mask


def _with_an_empty_row(mask):
    mask[..., 1, :] = False
    return mask


def _output_and_digits(candidate, case) -> dict:
    """The output and, in float64, whether its digits are float64's."""
    output = candidate(*case.args, **case.kwargs)
    seen = {"output": output}
    if case.args[0].dtype == torch.float64 and numbers(output) is not None:
        right, got = mended(*case.args, **case.kwargs).numpy(), numbers(output)
        if got.shape == right.shape:
            seen["precision"] = np.asarray(bool(np.abs(got - right).max() < 1e-12))
    return seen


MENDED = Exercise(
    answer=mended,
    cases=(
        lambda rng: inputs(drawn(rng, 2, 3), drawn(rng, 5, 3), drawn(rng, 5, 7)),
        lambda rng: inputs(*(drawn(rng, s, 5, dtype=torch.float64) for s in (2, 3, 3))),
        lambda rng: inputs(
            drawn(rng, 3, 2),
            drawn(rng, 2, 2),
            drawn(rng, 2, 2),
            _with_an_empty_row(_allowed(rng, 3, 2)),
        ),
        lambda rng: inputs(
            *(drawn(rng, n, 2, dtype=torch.float16) for n in (2, 3, 3)), _allowed(rng, 2, 3)
        ),
        lambda rng: inputs(*_heads(rng, 2, 3), _allowed(rng, 2, 5, 7)),
        lambda rng: inputs(*_heads(rng, 3, 3), _allowed(rng, 3, 5, 7)),
        lambda rng: inputs(
            *(drawn(rng, 2, n, 3) for n in (5, 7, 7)), _with_an_empty_row(_allowed(rng, 2, 5, 7))
        ),
        lambda rng: inputs(*_heads(rng, 2, 3), _allowed(rng, 5, 7)),
        lambda rng: inputs(*_heads(rng, 2, 3), _allowed(rng, 2, 3, 5, 7)),
    ),
    observe=_output_and_digits,
    observations={
        "precision": "{name} gives float64 inputs an output with fewer right digits than float64 "
        "has; the first eight or so are right."
    },
    mistakes=(
        Mistake(
            "Somewhere numbers are rounded to float32, so float64 inputs get eight right digits "
            "instead of sixteen. The root of the tutorial is enough for that: a Python number, "
            "math.sqrt(q.shape[-1]), takes the precision of the scores.",
            _mended_but(root=False),
        ),
        Mistake(
            "A mask for each sentence, (b, t, s), still meets scores with heads, (b, h, t, s). "
            "Axes are matched from the right, so b lands on h: an error, or where b equals h, the "
            "wrong sentence's mask. Give it an axis for the heads: mask.unsqueeze(-3).",
            _mended_but(heads=False),
        ),
        Mistake(
            "The ban is a number that half precision does not have, such as -1e9: it ends at "
            "65504. torch.finfo(scores.dtype).min is the lowest number of any precision.",
            _mended_but(half=False),
            also=(_mended_but(fill=torch.finfo(torch.float32).min),),
        ),
        Mistake(
            "A query that may look at nothing still looks at everything, evenly: equal scores make "
            "equal weights, however low they are. After the softmax, set the weights of what is "
            "forbidden to 0.",
            _mended_but(empty=False),
        ),
        Mistake(
            "-inf works in every precision, and where a whole row is -inf the softmax is 0 / 0: "
            "NaN, not a number. Take the lowest finite number, and after the softmax set what is "
            "forbidden to 0.",
            _mended_but(fill=-math.inf, empty=False),
        ),
        *SEVERAL_LEFT,
        Mistake(
            "The mask was not used. What is False should get weight 0.",
            lambda q, k, v, mask=None: mended(q, k, v),
        ),
        Mistake(
            "The scale is missing: the scores are divided by the square root of the width.",
            lambda q, k, v, mask=None: mended(q * math.sqrt(q.shape[-1]), k, v, mask),
        ),
        Mistake(
            "Every mask of three axes got a new one, also where there are no heads. Ask how many "
            "axes the scores have: if mask.ndim < scores.ndim.",
            _masked_after(lambda mask, scores: mask[:, None] if mask.ndim == 3 else mask),
        ),
        Mistake(
            "You multiplied the scores by the mask. A score of 0 is no ban: exp(0) is 1, more than "
            "many allowed scores get.",
            lambda q, k, v, mask=None: _masked_by_product(q, k, v, mask, late=False),
        ),
        Mistake(
            "You took the forbidden weights away after the softmax and left it at that. What is "
            "left of a row no longer adds up to 1; ban first, by very low scores.",
            lambda q, k, v, mask=None: _masked_by_product(q, k, v, mask, late=True),
        ),
        Mistake(
            "You returned the weights as well. Asked for is the output alone.",
            lambda q, k, v, mask=None: (mended(q, k, v, mask), weights(q, k)),
        ),
        Mistake(
            "The mask is the wrong way round: True means that this query may look at this key.",
            lambda q, k, v, mask=None: mended(q, k, v, None if mask is None else ~mask),
        ),
        Mistake(
            "Every mask got the new axis, also one that has as many axes as the scores. Give it "
            "only where an axis is missing: if mask.ndim < scores.ndim.",
            _mended_but(always=True),
        ),
    ),
    refused=(  # several weaknesses at once
        Refused(_mended_but(root=False, heads=False, half=False, empty=False), "mended"),
        Refused(_mended_but(root=False, heads=False, half=False), "mended"),
    ),
    alternatives=(
        _mended_but(fill=-1e4),
        _mended_but(),
        _by_torch,
        _by_kernel,
        _by_nan,
        lambda q, k, v, mask=None: mended(q, k, v, mask).numpy(),
    ),
    hints=(
        "Run the four examples above once more. Which line of the function does each of them "
        "point at?",
        "The root: a Python number. The mask: one more axis before the last two where it has fewer "
        "axes than the scores. -1e9: the lowest number of the scores' own dtype. The empty row: "
        "weights of 0 after the softmax.",
        "math.sqrt(...); mask.unsqueeze(...); torch.finfo(scores.dtype).min; "
        "weights.masked_fill(~mask, ...)",
    ),
    minutes=16,
    stars=3,
    depth=True,
)
