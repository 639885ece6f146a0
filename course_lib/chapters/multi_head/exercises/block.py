"""Exercise `block`: one block of a transformer, pre-LN."""

import torch

from course_lib.judging.exercise import Exercise, Mistake, inputs
from course_lib.judging.tensors import drawn
from course_lib.kernels.heads import multi_head_attention


def block(x, norm_1, heads, norm_2, mlp, dropout):
    """One block of a transformer, pre-LN.

    x: (b, n, m)   the others: functions that keep the shape   returns: (b, n, m)
    """
    # SOLUTION
    gathered = heads(norm_1(x))
    x = x + dropout(gathered)
    made = mlp(norm_2(x))
    x = x + dropout(made)
    return x
    # STUB
    # return ...  # instead of this line, five of these eight:
    #
    # # x = norm_1(x + dropout(gathered))
    # # x = x + dropout(made)
    # # gathered = heads(norm_1(x))
    # # return x
    # # made = mlp(norm_2(gathered))
    # # x = dropout(x + made)
    # # made = mlp(norm_2(x))
    # # x = x + dropout(gathered)
    # END SOLUTION


def _of_halves(first, second):
    """A block from what is done with the heads and what is done with the mlp."""

    def wrong(x, norm_1, heads, norm_2, mlp, dropout):
        return second(first(x, norm_1, heads, dropout), norm_2, mlp, dropout)

    return wrong


def _pre(x, norm, part, dropout):
    return x + dropout(part(norm(x)))


def _post(x, norm, part, dropout):
    return norm(x + dropout(part(x)))


def _late_norm(x, norm, part, dropout):
    return x + dropout(norm(part(x)))


def _around(x, norm, part, dropout):
    y = norm(x)
    return y + dropout(part(y))


def _alone(x, norm, part, dropout):
    return dropout(part(norm(x)))


def _bare(x, norm, part, dropout):
    return x + dropout(part(x))


def _dropped_sum(x, norm, part, dropout):
    return dropout(x + part(norm(x)))


def _undropped(x, norm, part, dropout):
    return x + part(norm(x))


def _block_case(b, n, m, dtype=torch.float32):
    """Stand-ins for the five boxes, none of which commutes with another."""

    def case(rng):
        w_1, w_2 = (drawn(rng, m, m, dtype=dtype) for _ in range(2))
        keep = torch.tensor(rng.random((b, n, m)) < 0.7)
        scale = drawn(rng, 2, m, dtype=dtype).abs() + 0.5

        def norm_1(x):
            return torch.nn.functional.layer_norm(x, x.shape[-1:]) * scale[0]

        def norm_2(x):
            return torch.nn.functional.layer_norm(x, x.shape[-1:]) * scale[1] + 0.3

        def heads(x):
            return multi_head_attention(x, w_1, w_1.mT, w_2, w_1, 1)

        def mlp(x):
            return torch.relu(x @ w_2 + 0.1) @ w_1

        def dropout(x):
            return torch.where(keep, x / 0.7, 0)

        return inputs(drawn(rng, b, n, m, dtype=dtype), norm_1, heads, norm_2, mlp, dropout)

    return case


BLOCK = Exercise(
    answer=block,
    cases=(
        _block_case(1, 2, 3),
        _block_case(2, 3, 5),
        _block_case(3, 5, 4, torch.float64),
        _block_case(2, 3, 5),
        _block_case(1, 2, 3),
    ),
    mistakes=(
        Mistake(
            "The norms stand behind the sums. That is post-LN, the order of 2017; asked for is "
            "pre-LN, where the norm stands before the heads and before the mlp.",
            _of_halves(_post, _post),
            also=(
                lambda x, norm_1, heads, norm_2, mlp, dropout: norm_2(
                    (y := norm_1(x + dropout(heads(x)))) + dropout(mlp(y))
                ),
            ),
        ),
        Mistake(
            "You added to the normalised x. The sum takes x as it came in: what runs around the "
            "boxes is not touched.",
            _of_halves(_around, _around),
        ),
        Mistake(
            "Nothing is added: x is replaced. Without x + ... the block forgets what came in.",
            _of_halves(_alone, _alone),
        ),
        Mistake("The norms are missing.", _of_halves(_bare, _bare)),
        Mistake(
            "The norm comes after the heads and after the mlp. It stands before them.",
            _of_halves(_late_norm, _late_norm),
        ),
        Mistake(
            "Dropout took the sum, too. It takes what is added, and leaves alone what runs around.",
            _of_halves(_dropped_sum, _dropped_sum),
        ),
        Mistake(
            "Dropout is missing.",
            _of_halves(_undropped, _undropped),
            also=(
                lambda x, norm_1, heads, norm_2, mlp, dropout: (
                    (y := x + heads(norm_1(x))) + mlp(norm_2(y))
                ),
            ),
        ),
        Mistake(
            "The mlp came before the heads.",
            lambda x, norm_1, heads, norm_2, mlp, dropout: block(
                x, norm_2, mlp, norm_1, heads, dropout
            ),
        ),
        Mistake(
            "Both halves read the same x. The second one reads what the first has made.",
            lambda x, norm_1, heads, norm_2, mlp, dropout: (
                x + dropout(heads(norm_1(x))) + dropout(mlp(norm_2(x)))
            ),
        ),
        Mistake(
            "The second sum takes the x from before the heads. What the heads have added is lost.",
            lambda x, norm_1, heads, norm_2, mlp, dropout: (
                x + dropout(mlp(norm_2(x + dropout(heads(norm_1(x))))))
            ),
        ),
        Mistake(
            "The mlp read what the heads gathered, without x. It reads norm_2 of the sum.",
            lambda x, norm_1, heads, norm_2, mlp, dropout: (
                x + dropout(heads(norm_1(x))) + dropout(mlp(norm_2(heads(norm_1(x)))))
            ),
            also=(
                lambda x, norm_1, heads, norm_2, mlp, dropout: (
                    x + dropout(gathered := heads(norm_1(x))) + dropout(mlp(norm_2(gathered)))
                ),
            ),
        ),
        Mistake(
            "The first sum was normalised once more. Nothing but sums stands on the main line.",
            lambda x, norm_1, heads, norm_2, mlp, dropout: _pre(
                norm_1(_pre(x, norm_1, heads, dropout)), norm_2, mlp, dropout
            ),
        ),
        Mistake(
            "In the second half dropout took the sum. It takes what is added.",
            lambda x, norm_1, heads, norm_2, mlp, dropout: _dropped_sum(
                _pre(x, norm_1, heads, dropout), norm_2, mlp, dropout
            ),
        ),
        Mistake(
            "Dropout is missing behind the mlp.",
            lambda x, norm_1, heads, norm_2, mlp, dropout: _undropped(
                _pre(x, norm_1, heads, dropout), norm_2, mlp, dropout
            ),
        ),
        Mistake(
            "Dropout is missing behind the heads.",
            _of_halves(_undropped, _pre),
        ),
        Mistake(
            "In the first half dropout took the sum. It takes what is added.",
            _of_halves(_dropped_sum, _pre),
        ),
        Mistake("The norm before the mlp is missing: norm_2.", _of_halves(_pre, _bare)),
        Mistake("The norm before the heads is missing: norm_1.", _of_halves(_bare, _pre)),
        Mistake(
            "norm_1 was used twice. The mlp has a norm of its own, norm_2.",
            lambda x, norm_1, heads, norm_2, mlp, dropout: block(
                x, norm_1, heads, norm_1, mlp, dropout
            ),
        ),
        Mistake(
            "The second sum is missing: what the mlp has made replaces x.",
            _of_halves(_pre, _alone),
        ),
        Mistake(
            "The first sum is missing: what the heads gathered replaces x.",
            _of_halves(_alone, _pre),
        ),
        Mistake(
            "You returned what the mlp has made. It is added to x, and x is returned.",
            lambda x, norm_1, heads, norm_2, mlp, dropout: mlp(
                norm_2(_pre(x, norm_1, heads, dropout))
            ),
        ),
        Mistake(
            "The two norms are exchanged: norm_1 belongs to the heads, norm_2 to the mlp.",
            lambda x, norm_1, heads, norm_2, mlp, dropout: block(
                x, norm_2, heads, norm_1, mlp, dropout
            ),
        ),
        Mistake(
            "This is the first half. The mlp is missing.",
            lambda x, norm_1, heads, norm_2, mlp, dropout: _pre(x, norm_1, heads, dropout),
        ),
    ),
    alternatives=(
        lambda x, norm_1, heads, norm_2, mlp, dropout: _pre(
            _pre(x, norm_1, heads, dropout), norm_2, mlp, dropout
        ),
        lambda x, norm_1, heads, norm_2, mlp, dropout: block(
            x, norm_1, heads, norm_2, mlp, dropout
        ).numpy(),
        lambda x, norm_1, heads, norm_2, mlp, dropout: sum(
            (
                dropout(heads(norm_1(x))),
                dropout(mlp(norm_2(x + dropout(heads(norm_1(x)))))),
                x,
            )
        ),
    ),
    hints=(
        "Follow the main line from x to the output. What is added to it, twice? What happens to x "
        "on the way into the heads?",
        "Each half is x + dropout(box(norm(x))). The second half begins with the result of the "
        "first.",
        "gathered = heads(...); x = x + dropout(...); and the same with norm_2 and mlp.",
    ),
    minutes=4,
    stars=2,
    depth=True,
)
