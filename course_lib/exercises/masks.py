"""The exercises and bets of chapter 6, masks and positions."""

import math

import numpy as np
import torch

from course_lib.exercises.engine.arrays import as_array
from course_lib.exercises.engine.bet import Bet, Choice, Number
from course_lib.exercises.engine.chapter import Chapter
from course_lib.exercises.engine.exercise import Exercise, Mistake, Property, inputs
from course_lib.exercises.engine.observe import call_and_gradients
from course_lib.kernels.attention import attention
from course_lib.kernels.masks import causal, may_attend, padding
from course_lib.kernels.positions import BASE


def _drawn(rng, *shape, dtype=torch.float32):
    """Numbers with one digit behind the point, so that a failing case can be read."""
    return torch.tensor(rng.normal(size=shape).round(1), dtype=dtype)


# A writer may not read ahead


def causal_weights(scores):
    t = len(scores)
    allowed = torch.ones(t, t, dtype=torch.bool).tril()
    return scores.masked_fill(~allowed, -torch.inf).softmax(dim=-1)


def _allowed(scores):
    return torch.ones(scores.shape, dtype=torch.bool).tril()


def _hide(scores, hidden):
    return scores.masked_fill(hidden, -torch.inf).softmax(dim=-1)


def _renormalised(scores):
    kept = scores.softmax(dim=-1).tril()
    return kept / kept.sum(dim=-1, keepdim=True)


def _row_by_row(scores):
    t = len(scores)
    rows = []
    for i in range(t):
        seen = scores[i, : i + 1].softmax(dim=0).tolist()
        rows.append(seen + [0.0] * (t - i - 1))
    return rows


CAUSAL_WEIGHTS = Exercise(
    reference=causal_weights,
    cases=(
        lambda rng: inputs(torch.tensor([[1.0, 3.0, 0.0], [0.0, 1.0, 2.0], [2.0, 0.0, 1.0]])),
        lambda rng: inputs(_drawn(rng, 2, 2)),
        lambda rng: inputs(_drawn(rng, 5, 5)),
        lambda rng: inputs(2 * _drawn(rng, 7, 7, dtype=torch.float64)),
    ),
    properties=(
        Property(
            "Each row adds up to 1.",
            lambda got, case: bool(np.allclose(as_array(got["output"]).sum(axis=-1), 1, atol=1e-4)),
        ),
        Property(
            "Above the diagonal every weight is 0: nobody looks at what comes later.",
            lambda got, case: bool((np.abs(np.triu(as_array(got["output"]), 1)) < 1e-6).all()),
        ),
    ),
    mistakes=(
        Mistake(
            "The mask is inverted: you hid what is allowed and left what is forbidden. The last "
            "row then has nothing left.",
            lambda scores: _hide(scores, _allowed(scores)),
        ),
        Mistake(
            "The word itself is hidden, too. A query may look at its own place, j = i; without it "
            "the first row has nothing left and becomes NaN.",
            lambda scores: _hide(scores, ~_allowed(scores).tril(-1)),
        ),
        Mistake(
            "The mask lies on its side: each word sees itself and what comes later. Rows are "
            "queries; in row i the columns up to i are open.",
            lambda scores: _hide(scores, ~_allowed(scores).T),
        ),
        Mistake(
            "You hid one column too few: the word right after is still open, j = i + 1.",
            lambda scores: _hide(scores, torch.ones(scores.shape).triu(2).bool()),
        ),
        Mistake(
            "You masked after the softmax. The hidden words had their share by then, so the rows "
            "no longer add up to 1. Mask before, or divide each row by its sum afterwards.",
            lambda scores: scores.softmax(dim=-1).tril(),
        ),
        Mistake(
            "You set the forbidden scores to 0. A score of 0 is no ban: e^0 is 1, and the word "
            "gets its share. It takes -inf.",
            lambda scores: scores.tril().softmax(dim=-1),
        ),
        Mistake(
            "The softmax ran down the columns. A row belongs to a query and shares out 1.",
            lambda scores: scores.masked_fill(~_allowed(scores), -torch.inf).softmax(dim=0),
        ),
        Mistake(
            "Nothing is hidden: this is the softmax without a mask.",
            lambda scores: scores.softmax(dim=-1),
        ),
        Mistake(
            "You added the pattern of ones to the scores. What is added is 0 where a word is "
            "allowed and -inf where it is not.",
            lambda scores: (scores + _allowed(scores)).softmax(dim=-1),
        ),
        Mistake(
            "You multiplied a pattern of 0 and 1 by -inf. 0 times infinity is NaN (not a number), "
            "so the allowed places break too. Put -inf in with masked_fill.",
            lambda scores: (scores + torch.ones(scores.shape).triu(1) * -torch.inf).softmax(dim=-1),
        ),
        Mistake(
            "You put -inf into the weights, after the softmax. Its place is in the scores, before.",
            lambda scores: scores.softmax(dim=-1).masked_fill(~_allowed(scores), -torch.inf),
        ),
        Mistake(
            "You divided the scores first. Here they are taken as they are.",
            lambda scores: _hide(scores / len(scores) ** 0.5, ~_allowed(scores)),
        ),
        Mistake(
            "These are the masked scores. One step is left: the softmax of each row.",
            lambda scores: scores.masked_fill(~_allowed(scores), -torch.inf),
        ),
    ),
    alternatives=(
        _renormalised,
        _row_by_row,
        lambda scores: _hide(scores, ~_allowed(scores)).float(),
        lambda scores: scores.masked_fill(~_allowed(scores), -1e9).softmax(dim=-1),
        lambda scores: (
            (scores + torch.full(scores.shape, -torch.inf).triu(1)).softmax(dim=-1).numpy()
        ),
        lambda scores: scores.exp().tril() / scores.exp().tril().sum(dim=1, keepdim=True),
    ),
    hints=(
        "In row i, which columns stand for words that come later? What must their scores be for "
        "the softmax to give them exactly 0?",
        "torch.ones(t, t).triu(1) is 1 above the diagonal. .bool() makes it True there, and "
        "scores.masked_fill(that, number) puts a number wherever it is True.",
        "hidden = torch.ones(t, t).triu(1).bool(); "
        "return scores.masked_fill(hidden, ...).softmax(dim=-1)",
    ),
    minutes=4,
    stars=2,
)

AFTER_SOFTMAX = Bet(
    "after_softmax",
    question="Four words, all scores alike. Somebody takes the softmax first, and only then sets "
    "the weights of later words to 0. What does the first row add up to?",
    answer=Number(0, 1, near=0.01),
    why="The softmax had given each of the four words a quarter, and three quarters were thrown "
    "away.",
    model_answer="The first word may look at itself alone. Its row was .25 .25 .25 .25 before the "
    "mask and is .25 0 0 0 after it, so the first word hears everything at a quarter of its "
    "volume, the second at a half, the last in full. Dividing each row by its sum mends it: then "
    "the result is that of a mask before the softmax.",
    depth=True,
)

DICE = Bet(
    "dice",
    question="Fair dice with eight sides: chance is right in one throw of eight, .125. Somebody's "
    "mask says j <= i + 1, so each place sees one throw too many. Which share of fresh throws "
    "does this model predict after training?",
    answer=Number(0, 1, near=0.05, format="{:.2f}"),
    why="The one place too many holds the answer itself, so nothing has to be predicted.",
    model_answer="At place i the model is asked what place i + 1 shows, and j <= i + 1 lets it "
    "look there. Training finds that within a dozen steps. One leaked place is as bad as "
    "all of them, because it is the one that is asked for. A loss far below what is possible is no "
    "success; it is a mask bug.",
)

# Padding


def padding_mask(lengths, s):
    return torch.arange(s) < lengths[:, None, None]


PADDING_MASK = Exercise(
    reference=padding_mask,
    cases=(
        lambda rng: inputs(torch.tensor([3, 2]), 3),
        lambda rng: inputs(torch.tensor([2, 5, 3]), 5),
        lambda rng: inputs(torch.tensor([1, 4, 2, 3]), 4),  # as many sequences as places
        lambda rng: inputs(torch.tensor([0, 7]), 7),
        lambda rng: inputs(torch.tensor([2, 3, 1]), 5),  # nobody fills all places
    ),
    properties=(
        Property(
            "Each sequence has as many True as it has words.",
            lambda got, case: bool(
                (as_array(got["output"]).sum(axis=(1, 2)) == case.args[0].numpy()).all()
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "True and False are exchanged: True means that a query may attend to this key, so the "
            "words are True and the filling is False.",
            lambda lengths, s: torch.arange(s) >= lengths[:, None, None],
        ),
        Mistake(
            "One place too many: places are counted from 0, so with length 3 the words stand at "
            "0, 1 and 2. Use < where you have <=.",
            lambda lengths, s: torch.arange(s) <= lengths[:, None, None],
        ),
        Mistake(
            "You masked queries instead of keys: the axes are (batch, query, key), and what is to "
            "be hidden are keys, in the last axis.",
            lambda lengths, s: (torch.arange(s) < lengths[:, None])[:, :, None],
        ),
        Mistake(
            "The axis of the queries is missing. Without it the batch meets the queries, and with "
            "as many sequences as queries nothing notices.",
            lambda lengths, s: torch.arange(s) < lengths[:, None],
        ),
        Mistake(
            "You closed the rows of the filling as well. Then they have no key left and become "
            "NaN. Hide keys only; what such a row gives is ignored anyway.",
            lambda lengths, s: (
                (torch.arange(s) < lengths[:, None, None])
                & (torch.arange(s)[:, None] < lengths[:, None, None])
            ),
        ),
        Mistake(
            "The right pattern, once for each query. One row is enough: of size 1, that axis "
            "counts for every query.",
            lambda lengths, s: (torch.arange(s) < lengths[:, None, None]).expand(-1, s, -1),
        ),
        Mistake(
            "The filling stands behind the words here, not before them.",
            lambda lengths, s: torch.arange(s) >= s - lengths[:, None, None],
        ),
        Mistake(
            "Your table is as wide as the longest text. It needs s places, even if no text fills "
            "them all.",
            lambda lengths, s: torch.arange(int(lengths.max())) < lengths[:, None, None],
        ),
        Mistake(
            "The last word of each text is hidden, too: with length 3 the words stand at 0, 1 and "
            "2, and all three are True.",
            lambda lengths, s: torch.arange(s) < lengths[:, None, None] - 1,
        ),
        Mistake(
            "You returned 0 and -inf, which is what one adds to scores. Here True and False are "
            "asked for.",
            lambda lengths, s: torch.zeros(len(lengths), 1, s).masked_fill(
                torch.arange(s) >= lengths[:, None, None], -torch.inf
            ),
        ),
    ),
    alternatives=(
        lambda lengths, s: [[[j < n for j in range(s)]] for n in lengths.tolist()],
        lambda lengths, s: (torch.arange(s)[None, :] < lengths[:, None]).unsqueeze(1),
        lambda lengths, s: np.arange(s) < lengths.numpy()[:, None, None],
        lambda lengths, s: torch.stack(
            [torch.tensor([True] * n + [False] * (s - n)) for n in lengths.tolist()]
        )[:, None],
        lambda lengths, s: may_attend(padding(lengths), 1, s),
    ),
    hints=(
        'A sequence has 3 words in 5 places, 0 to 4. For which places j is "j is a word" true?',
        "torch.arange(s) is 0, 1, ..., s - 1. lengths[:, None, None] has shape (b, 1, 1), so "
        "comparing the two gives (b, 1, s).",
        "return torch.arange(s) < lengths[:, None, ...]",
    ),
    minutes=3,
    stars=1,
)

ZERO_PADDING = Bet(
    "zero_padding",
    question="Three words, filled up with vectors of zeros, and no mask. Their value is 0 and "
    "their score is 0. Do the outputs of the three real words change?",
    answer=Choice(("they stay", "they change"), which=lambda change: 1 if change else 0),
    why="A score of 0 is not a weight of 0: e^0 is 1, so each filling takes its share.",
    model_answer="The softmax makes weights of all scores, and a score of 0 is as good as any. "
    "What the filling takes away is missing for the words, so their outputs shrink towards 0. The "
    "more filling, the more they shrink. It takes -inf on the keys of the filling.",
)

# Order and positions

ORDER = Bet(
    "order",
    question='"cats like dogs" and "dogs like cats", attention without mask and without '
    'positions. Does the output at "like" differ between the two?',
    answer=Choice(("it differs", "it is the same"), which=lambda differs: 0 if differs else 1),
    why="The output is a weighted sum over the words, and a sum does not know in which order it "
    "was added up.",
    model_answer='Query, key and value of a word depend on the word alone, so "like" gives cats '
    "and dogs the same weights in both sentences and adds up the same three values. Shuffle the "
    "words and the outputs are shuffled in the same way, nothing else: that is called "
    "permutation equivariance. Who likes whom is lost unless positions or a mask bring it in.",
)


def rotate(x, angles):
    first, second = x[:, 0::2], x[:, 1::2]
    turned_first = first * angles.cos() - second * angles.sin()
    turned_second = first * angles.sin() + second * angles.cos()
    return torch.stack((turned_first, turned_second), dim=-1).flatten(1)


def _rotate_pairs(x, angles, cosine=torch.cos, sine=torch.sin, sign=1, minus=1):
    first, second = x[:, 0::2], x[:, 1::2]
    turned = (
        first * cosine(angles) - sign * second * sine(angles),
        first * sine(angles) + minus * second * cosine(angles),
    )
    return torch.stack(turned, dim=-1).flatten(1)


def _rotate_halves(x, angles):
    half = x.shape[1] // 2
    first, second = x[:, :half], x[:, half:]
    c, s = angles.cos(), angles.sin()
    return torch.cat((first * c - second * s, first * s + second * c), dim=1)


def _rotate_and_part(x, angles):
    first, second = x[:, 0::2], x[:, 1::2]
    c, s = angles.cos(), angles.sin()
    return torch.cat((first * c - second * s, first * s + second * c), dim=1)


def _rotate_in_place(x, angles):
    out = x.clone()
    out[:, 0::2] = out[:, 0::2] * angles.cos() - out[:, 1::2] * angles.sin()
    out[:, 1::2] = out[:, 0::2] * angles.sin() + out[:, 1::2] * angles.cos()
    return out


def _rotate_by_complex(x, angles):
    pairs = torch.view_as_complex(x.reshape(len(x), -1, 2))
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(1)


def _rotate_by_matrices(x, angles):
    rows = []
    for vector, turns in zip(x.tolist(), angles.tolist(), strict=True):
        row = []
        for i, a in enumerate(turns):
            one, two = vector[2 * i], vector[2 * i + 1]
            row += [one * math.cos(a) - two * math.sin(a), one * math.sin(a) + two * math.cos(a)]
        rows.append(row)
    return rows


ROTATE = Exercise(
    reference=rotate,
    cases=(
        lambda rng: inputs(torch.tensor([[2.0, 1.0]]), torch.tensor([[0.5]])),
        lambda rng: inputs(_drawn(rng, 3, 2), torch.tensor([[0.0], [1.0], [2.0]])),
        lambda rng: inputs(_drawn(rng, 2, 6), _drawn(rng, 2, 3)),
        lambda rng: inputs(
            _drawn(rng, 5, 6, dtype=torch.float64), 3 * _drawn(rng, 5, 3, dtype=torch.float64)
        ),
    ),
    properties=(
        Property(
            "Turning keeps the length of every row.",
            lambda got, case: bool(
                np.allclose(
                    np.linalg.norm(as_array(got["output"]), axis=-1),
                    case.args[0].norm(dim=-1),
                    rtol=1e-4,
                )
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "You turned the other way round. By a quarter turn (1, 0) should become (0, 1), so "
            "the minus belongs to the first entry.",
            lambda x, angles: _rotate_pairs(x, -angles),
        ),
        Mistake(
            "Both signs are plus, and that is no rotation: lengths change. The first entry is "
            "first · cos minus second · sin.",
            lambda x, angles: _rotate_pairs(x, angles, sign=-1),
        ),
        Mistake(
            "Sine and cosine are exchanged. An angle of 0 should leave everything as it is, and "
            "cos 0 is 1.",
            lambda x, angles: _rotate_pairs(x, angles, cosine=torch.sin, sine=torch.cos),
        ),
        Mistake(
            "You paired the first half with the second half. Some models do; here neighbours are "
            "paired: entry 0 with 1, entry 2 with 3.",
            _rotate_halves,
        ),
        Mistake(
            "The pairs are turned and then stand apart: first entries on the left, second ones on "
            "the right. Put them back as neighbours: torch.stack with dim=-1, then flatten(1).",
            _rotate_and_part,
        ),
        Mistake(
            "The second line used the first entry after it was turned. Both need the old one: "
            "keep it under a name of its own.",
            _rotate_in_place,
        ),
        Mistake(
            "Both signs are minus, and that is no rotation. The second entry is first · sin plus "
            "second · cos.",
            lambda x, angles: _rotate_pairs(x, angles, minus=-1),
        ),
        Mistake(
            "The two turned entries have changed places: the one with the minus comes first.",
            lambda x, angles: _rotate_pairs(x, angles).unflatten(1, (-1, 2)).flip(-1).flatten(1),
        ),
        Mistake(
            "You read the angles as degrees; they are radians already.",
            lambda x, angles: _rotate_pairs(x, torch.deg2rad(angles)),
        ),
        Mistake(
            "You multiplied by the cosine alone. A turn mixes the two entries of a pair.",
            lambda x, angles: x * angles.cos().repeat_interleave(2, dim=1),
        ),
    ),
    alternatives=(
        _rotate_by_complex,
        _rotate_by_matrices,
        lambda x, angles: _rotate_pairs(x, angles).numpy(),
        lambda x, angles: (
            x * angles.cos().repeat_interleave(2, 1)
            + torch.stack((-x[:, 1::2], x[:, 0::2]), -1).flatten(1)
            * angles.sin().repeat_interleave(2, 1)
        ),
    ),
    hints=(
        "By a quarter turn, where does (1, 0) go, and where (0, 1)? What do cos and sin say at 90 "
        "degrees?",
        "The turned pair is (first · cos - second · sin, first · sin + second · cos). "
        "angles.cos() has the shape of first.",
        "turned_first = first * angles.cos() - ...; "
        "turned_second = first * ... + second * angles.cos()",
    ),
    minutes=4,
    stars=2,
)

# Depth: reading a loss curve


def mask_bug(losses, honest):
    end = losses[-20:].mean()
    if end < honest - 0.1:
        return "leak"
    if end > honest + 0.1:
        return "blind"
    return "fine"


def _curve(start, end, steps_down=8, noise=0.05):
    """A factory of losses that fall from start to end in 120 steps, soon or slowly."""

    def case(rng, honest):
        steps = torch.arange(120)
        smooth = end + (start - end) * torch.exp(-steps / steps_down)
        spread = noise * torch.tensor(rng.normal(size=120))
        return inputs((smooth + spread * (end > 0.02)).float(), honest)

    return case


def _verdict(end, honest, leak="leak", blind="blind"):
    if end < honest - 0.1:
        return leak
    return blind if end > honest + 0.1 else "fine"


FAIR, REPEATED = 2.079, 1.537

MASK_BUG = Exercise(
    reference=mask_bug,
    cases=(
        lambda rng: _curve(2.4, 2.08)(rng, FAIR),
        lambda rng: _curve(2.4, 0.0)(rng, FAIR),
        lambda rng: _curve(2.4, 1.4)(rng, FAIR),
        lambda rng: _curve(2.4, 1.55)(rng, REPEATED),
        lambda rng: _curve(2.4, 1.82)(rng, REPEATED),
        lambda rng: _curve(2.4, 1.0)(rng, REPEATED),
        lambda rng: _curve(1.9, 1.55)(rng, REPEATED),
        lambda rng: _curve(2.9, 2.08, steps_down=25)(rng, FAIR),
    ),
    mistakes=(
        Mistake(
            "The names are exchanged: below the honest loss the model has seen the answer (leak), "
            "above it the model was kept from what it may see (blind).",
            lambda losses, honest: _verdict(losses[-20:].mean(), honest, "blind", "leak"),
        ),
        Mistake(
            "You looked at the first losses. Before training all models are alike; take the end "
            "of the curve.",
            lambda losses, honest: _verdict(losses[:20].mean(), honest),
        ),
        Mistake(
            "You averaged the whole curve. Its beginning, before the model had learned anything, "
            "pulls that mean up.",
            lambda losses, honest: _verdict(losses.mean(), honest),
        ),
        Mistake(
            "You waited for a loss near 0. A leak at some of the places stops in between: "
            "whatever is clearly below the honest loss is a leak.",
            lambda losses, honest: (
                "leak"
                if losses[-20:].mean() < 0.1
                else ("blind" if losses[-20:].mean() > honest + 0.1 else "fine")
            ),
        ),
        Mistake(
            "You compared with ln 8, the honest loss of fair dice. Other dice have another one: "
            "use the argument honest.",
            lambda losses, honest: _verdict(losses[-20:].mean(), FAIR),
        ),
        Mistake(
            "You took the smallest loss of all. A single batch can be lucky; take the mean of "
            "the last twenty or so.",
            lambda losses, honest: _verdict(losses.min(), honest),
        ),
        Mistake(
            "There is no room for chance: no curve ends exactly at the honest loss, so nothing is "
            "ever fine. Leave a margin of .1 on both sides.",
            lambda losses, honest: "leak" if losses[-20:].mean() < honest else "blind",
        ),
        Mistake(
            "A loss below the honest one is no good news here: nobody can predict better than "
            "that without the answer.",
            lambda losses, honest: "blind" if losses[-20:].mean() > honest + 0.1 else "fine",
        ),
    ),
    alternatives=(
        lambda losses, honest: _verdict(sum(losses.tolist()[-30:]) / 30, honest),
        lambda losses, honest: _verdict(losses[-40:].median(), honest),
        lambda losses, honest: _verdict(float(np.mean(losses.numpy()[-10:])) * 0.99, honest),
    ),
    hints=(
        "Which part of the curve tells what the model has learned? Why is one number of it not "
        "enough?",
        "Take the mean of the last twenty losses and compare it with honest - .1 and honest + .1.",
        'end = losses[-20:].mean(); return "leak" if end < ... else "blind" if end > ... else ...',
    ),
    minutes=4,
    stars=1,
    depth=True,
)

HALF_LEAK = Bet(
    "half_leak",
    question="Fair dice again. This mask leaks at every second place only: 5 of the 11 places that "
    "are asked see one throw too many, 6 see none. Which share of the throws does the model get "
    "right?",
    answer=Number(0, 1, near=0.08, format="{:.2f}"),
    why="Five places of eleven know the answer, and the other six guess with one in eight.",
    model_answer="5/11 known and 6/11 guessed at 1/8 make .52. The loss stops on the way, too, "
    "between that of an honest model, 2.08, and 6/11 of it, 1.13. So a leak need not bring the "
    "loss to 0: whatever is clearly below the honest loss is a leak.",
    depth=True,
)

# Depth: rows with nothing in them


def safe_weights(scores, mask):
    weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
    return torch.where(mask, weights, 0.0)


def _added(scores, mask):
    return (scores + torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)).softmax(dim=-1)


def _left_padded(words, s):
    """The causal mask of one sequence with `words` words at the end of s places."""
    return may_attend(causal & padding([words], side="left", size=s), s)[0]


def _kept_and_shared(scores, mask):
    kept = scores.softmax(dim=-1) * mask
    return kept / kept.sum(dim=-1, keepdim=True).clamp(min=1e-20)


SAFE_WEIGHTS = Exercise(
    reference=safe_weights,
    cases=(
        lambda rng: inputs(torch.tensor([[1.0, 2.0], [3.0, 1.0]]), _left_padded(1, 2)),
        lambda rng: inputs(_drawn(rng, 3, 3), may_attend(causal, 3)),
        lambda rng: inputs(_drawn(rng, 5, 5), _left_padded(3, 5)),
        lambda rng: inputs(_drawn(rng, 2, 3), torch.zeros(2, 3, dtype=torch.bool)),
    ),
    observe=call_and_gradients,
    properties=(
        Property(
            "A row adds up to 1, or to 0 where nothing is allowed.",
            lambda got, case: bool(
                np.allclose(
                    as_array(got["output"]).sum(axis=-1),
                    case.args[1].any(dim=-1).float(),
                    atol=1e-4,
                )
            ),
        ),
        Property(
            "Every gradient is a finite number.",
            lambda got, case: bool(np.isfinite(as_array(got["gradient of scores"])).all()),
        ),
    ),
    mistakes=(
        Mistake(
            "Rows in which nothing is allowed are NaN: their softmax divides 0 by 0. Give these "
            "rows zeros.",
            lambda scores, mask: scores.masked_fill(~mask, -torch.inf).softmax(dim=-1),
        ),
        Mistake(
            "A large negative number in place of -inf: a row in which nothing is allowed now "
            "shares itself out evenly among forbidden keys. Its weights should be 0.",
            lambda scores, mask: scores.masked_fill(~mask, -1e9).softmax(dim=-1),
        ),
        Mistake(
            "The numbers are right, the gradients are NaN. You added -inf and repaired the NaN "
            "afterwards; the way back still goes through it. masked_fill blocks that way, because "
            "what was filled in does not depend on the scores.",
            lambda scores, mask: _added(scores, mask).nan_to_num(),
        ),
        Mistake(
            "You masked after the softmax, so the forbidden keys had taken their share.",
            lambda scores, mask: torch.where(mask, scores.softmax(dim=-1), 0.0),
        ),
        Mistake(
            "Where nothing is allowed you left the row without its mask: it attends to forbidden "
            "keys.",
            lambda scores, mask: scores.masked_fill(
                ~mask & mask.any(dim=-1, keepdim=True), -torch.inf
            ).softmax(dim=-1),
        ),
        Mistake(
            "The mask is inverted: True means that the query may attend.",
            lambda scores, mask: scores.masked_fill(mask, -torch.inf).softmax(dim=-1).nan_to_num(),
        ),
    ),
    alternatives=(
        lambda scores, mask: (
            scores.masked_fill(~mask, -torch.inf).softmax(dim=-1).nan_to_num(nan=0.0)
        ),
        lambda scores, mask: scores.masked_fill(~mask, -1e9).softmax(dim=-1) * mask,
        _kept_and_shared,
        lambda scores, mask: torch.where(
            mask.any(dim=-1, keepdim=True), _hide(scores, ~mask), torch.zeros(())
        ),
        lambda scores, mask: (
            scores.masked_fill(~mask & mask.any(-1, keepdim=True), -torch.inf).softmax(-1) * mask
        ),
    ),
    hints=(
        "What are the weights of a row in which every score is -inf? What should they be?",
        "Mask with masked_fill, take the softmax, then put 0 wherever the mask says False: "
        "torch.where(mask, weights, 0.0).",
        "weights = scores.masked_fill(~mask, ...).softmax(dim=-1); return torch.where(mask, ...)",
    ),
    minutes=6,
    stars=3,
    depth=True,
)

MINUS_BILLION = Bet(
    "minus_billion",
    question="Scores 1, 2, 3, 4 in float32, and only the first key is allowed. One program hides "
    "the others with -inf, one with -1e9. By how much do their weights differ at most?",
    answer=Number(0, 1, near=0.0001, format="{:.2f}"),
    why="While one key is left, e to the minus a billion is 0 in any precision.",
    model_answer="With at least one key allowed the two agree to the last digit: the softmax "
    "subtracts the largest score, and e^(-1e9) is far below the smallest number that float32 or "
    "float64 can hold. The difference begins where no key is allowed, and in float16, which "
    "cannot hold -1e9 at all.",
    depth=True,
)

# Depth: the opposite convention


def for_multihead(mask, heads):
    return ~mask.repeat_interleave(heads, dim=0)


FOR_MULTIHEAD = Exercise(
    reference=for_multihead,
    cases=(
        lambda rng: inputs(may_attend(causal, 2)[None], 1),
        lambda rng: inputs(may_attend(causal & padding([2, 1]), 2), 2),
        lambda rng: inputs(may_attend(causal & padding([3, 1, 2]), 3), 2),
        lambda rng: inputs(may_attend(causal & padding([1, 3]), 2, 3, align="bottom-right"), 3),
    ),
    mistakes=(
        Mistake(
            "True still means that a query may attend. In nn.MultiheadAttention True means "
            "hidden: turn every entry round with ~.",
            lambda mask, heads: mask.repeat_interleave(heads, dim=0),
        ),
        Mistake(
            "The copies stand in the order 0, 1, 0, 1. The heads of one sequence belong side by "
            "side, 0, 0, 1, 1: repeat_interleave, not repeat.",
            lambda mask, heads: ~mask.repeat(heads, 1, 1),
        ),
        Mistake(
            "The axis of sequences is not repeated yet: each of the heads needs its copy.",
            lambda mask, heads: ~mask,
        ),
        Mistake(
            "You turned the mask on its side. What changes is the meaning of True, not the axes.",
            lambda mask, heads: mask.repeat_interleave(heads, dim=0).transpose(1, 2),
        ),
        Mistake(
            "You gave the heads an axis of their own. Sequences and heads share the first one: "
            "(b * heads, t, s).",
            lambda mask, heads: ~mask[:, None].expand(-1, heads, -1, -1),
        ),
    ),
    alternatives=(
        lambda mask, heads: mask[:, None].expand(-1, heads, -1, -1).flatten(0, 1).logical_not(),
        lambda mask, heads: np.repeat(~mask.numpy(), heads, axis=0),
        lambda mask, heads: torch.stack([one for one in mask for _ in range(heads)]) == 0,
        lambda mask, heads: [(~one).tolist() for one in mask for _ in range(heads)],
    ),
    hints=(
        "Two differences: what True means, and how many tables there are. In which order do the "
        "heads of two sequences stand?",
        "mask.repeat_interleave(heads, dim=0) repeats each sequence's table in place. ~ turns "
        "True and False round.",
        "return ~mask.repeat_interleave(..., dim=0)",
    ),
    minutes=4,
    stars=2,
    depth=True,
)

# Depth: does a layer know the order?


def is_equivariant(layer, x, order):
    return torch.allclose(layer(x[order]), layer(x)[order], atol=1e-6)


def _plain(x):
    return attention(x, x, x)


def _causal_layer(x):
    return attention(x, x, x, mask=may_attend(causal, len(x)))


def _word_by_word(x):
    return x.tanh() * 2


def _with_place(x):
    return attention(x, x, x) + torch.arange(len(x))[:, None]


def _mean_of_all(x):
    return x.mean(dim=0).expand_as(x)


def _first_word_only(x):
    return x[:1].expand_as(x)


def _both_neighbours(x):
    return x.roll(1, dims=0) + x.roll(-1, dims=0)  # turning the row round changes nothing


def _next_word(x):
    return x.roll(-1, dims=0)  # the same rows whatever the order, at other places


def _with_a_little_place(x):
    return attention(x, x, x) + 0.01 * torch.arange(len(x))[:, None]


def _layer_case(layer, t, *order):
    def case(rng):
        def fresh(x):
            return layer(x)

        fresh.__name__ = layer.__name__.strip("_")
        return inputs(fresh, _drawn(rng, t, 3), torch.tensor(order))

    return case


IS_EQUIVARIANT = Exercise(
    reference=is_equivariant,
    cases=(
        _layer_case(_word_by_word, 2, 1, 0),
        _layer_case(_word_by_word, 3, 2, 0, 1),
        _layer_case(_plain, 5, 4, 1, 0, 2, 3),
        _layer_case(_causal_layer, 5, 1, 2, 3, 0, 4),
        _layer_case(_with_place, 4, 3, 2, 0, 1),
        _layer_case(_mean_of_all, 7, 6, 4, 0, 5, 1, 2, 3),
        _layer_case(_first_word_only, 3, 1, 2, 0),
        _layer_case(_both_neighbours, 5, 1, 3, 0, 4, 2),
        _layer_case(_next_word, 5, 3, 0, 4, 2, 1),
        _layer_case(_causal_layer, 5, 0, 3, 1, 4, 2),  # the first row keeps its place
        _layer_case(_with_a_little_place, 4, 2, 0, 3, 1),
        _layer_case(_plain, 11, 10, 3, 1, 0, 2, 9, 8, 5, 4, 7, 6),
    ),
    mistakes=(
        Mistake(
            "You asked whether the output stays the same. Shuffled input may give shuffled "
            "output: compare with layer(x)[order].",
            lambda layer, x, order: torch.allclose(layer(x[order]), layer(x), atol=1e-6),
        ),
        Mistake(
            "You asked for exactly equal numbers. Sums are added up in another order, so the last "
            "digit may differ: use torch.allclose.",
            lambda layer, x, order: torch.equal(layer(x[order]), layer(x)[order]),
        ),
        Mistake(
            "The order is undone instead of repeated: the output needs the same shuffle as the "
            "input.",
            lambda layer, x, order: torch.allclose(
                layer(x[order]), layer(x)[order.argsort()], atol=1e-6
            ),
        ),
        Mistake(
            "You compared sums. A shuffle within the output is not seen by its sum.",
            lambda layer, x, order: torch.allclose(
                layer(x[order]).sum(0), layer(x).sum(0), atol=1e-5
            ),
        ),
        Mistake(
            "You sorted the outputs before comparing, so it no longer counts where they stand.",
            lambda layer, x, order: torch.allclose(
                layer(x[order]).sort(dim=0).values, layer(x).sort(dim=0).values, atol=1e-6
            ),
        ),
        Mistake(
            "You turned the words round. The new order is given: use order.",
            lambda layer, x, order: torch.allclose(layer(x.flip(0)), layer(x).flip(0), atol=1e-6),
        ),
        Mistake(
            "You compared the first row alone. All rows count.",
            lambda layer, x, order: torch.allclose(
                layer(x[order])[0], layer(x)[order][0], atol=1e-6
            ),
        ),
        Mistake(
            "The margin is too wide: it lets small differences pass that are no rounding. Take "
            "1e-3 or less.",
            lambda layer, x, order: torch.allclose(layer(x[order]), layer(x)[order], atol=0.1),
        ),
        Mistake(
            "The answer is True for every layer. Is something compared with itself?",
            lambda layer, x, order: torch.allclose(layer(x[order]), layer(x[order])),
        ),
        Mistake(
            "The answer is turned round: True where the layer does not care for the order.",
            lambda layer, x, order: not is_equivariant(layer, x, order),
        ),
    ),
    alternatives=(
        lambda layer, x, order: bool((layer(x[order]) - layer(x)[order]).abs().max() < 1e-5),
        lambda layer, x, order: np.allclose(
            layer(x[order]).numpy(), layer(x).numpy()[order.numpy()], atol=1e-6
        ),
        lambda layer, x, order: torch.allclose(
            layer(x[order])[order.argsort()], layer(x), atol=1e-5
        ),
        lambda layer, x, order: all(
            torch.allclose(layer(x[order])[i], layer(x)[order[i]], atol=1e-5) for i in range(len(x))
        ),
    ),
    hints=(
        "Shuffle before the layer, or after it. When do the two ways end at the same place?",
        "x[order] is x with its rows in another order. layer(x)[order] does the same to the "
        "output. torch.allclose compares up to rounding.",
        "return torch.allclose(layer(x[order]), ..., atol=1e-6)",
    ),
    minutes=4,
    stars=2,
    depth=True,
)

NO_POSITIONS = Bet(
    "no_positions",
    question="A start word, then six times the same word. Causal mask, no positions. Are the "
    "outputs at the six equal words all alike?",
    answer=Choice(("all alike", "they differ"), which=lambda spread: 1 if spread > 1e-6 else 0),
    why="The later the word, the more equal words share its attention, so the start word gets "
    "less and less.",
    model_answer="With a causal mask word t sees the start word and t copies of itself. The start "
    "word's weight falls as 1 / (1 + c t), with a c that depends on the scores, so it tells t. "
    "That is why models with a causal mask can do without positions (Haviv et al., 2022; "
    "Kazemnejad et al., 2023). Without the mask, or without the start word, the six are equal.",
    depth=True,
)

# Depth: waves


def sinusoidal(n, m):
    angles = torch.arange(n)[:, None] * BASE ** -(torch.arange(0, m, 2) / m)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)


def _waves(n, m, exponent=None, base=BASE, one=torch.sin, two=torch.cos, start=0):
    exponent = torch.arange(0, m, 2) / m if exponent is None else exponent
    angles = (torch.arange(n) + start)[:, None] * base**-exponent
    return torch.stack((one(angles), two(angles)), dim=-1).flatten(1)


def _waves_in_halves(n, m):
    table = _waves(n, m)
    return torch.cat((table[:, 0::2], table[:, 1::2]), dim=1)


def _waves_of_own_speed(n, m):
    angles = torch.arange(n)[:, None] * BASE ** -(torch.arange(m) / m)
    return torch.where(torch.arange(m) % 2 == 0, angles.sin(), angles.cos())


def _waves_by_loop(n, m):
    return [
        [(math.sin, math.cos)[c % 2](p / 10000 ** ((c - c % 2) / m)) for c in range(m)]
        for p in range(n)
    ]


def _waves_filled_in(n, m):
    table = torch.zeros(n, m, dtype=torch.float64)
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, m, 2) / m)
    table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
    return table


SINUSOIDAL = Exercise(
    reference=sinusoidal,
    cases=(
        lambda rng: inputs(2, 4),
        lambda rng: inputs(3, 2),
        lambda rng: inputs(7, 6),
        lambda rng: inputs(50, 10),
    ),
    properties=(
        Property(
            "Position 0 is 0, 1, 0, 1, ...: sin 0 and cos 0.",
            lambda got, case: bool(
                np.allclose(as_array(got["output"])[0], [0, 1] * (case.args[1] // 2))
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "All sines stand on the left and all cosines on the right. They alternate: sin in the "
            "even columns, cos in the odd ones.",
            _waves_in_halves,
        ),
        Mistake(
            "The exponent is i / m; it takes 2i / m. Your waves slow down half as fast as they "
            "should.",
            lambda n, m: _waves(n, m, exponent=torch.arange(m // 2) / m),
        ),
        Mistake(
            "Sine and cosine of a pair run at different speeds here: each column got its own. The "
            "two columns of a pair share one, with 2i from the even column.",
            _waves_of_own_speed,
        ),
        Mistake(
            "The exponent is 4i / m; it takes 2i / m. torch.arange(0, m, 2) is 2i already.",
            lambda n, m: _waves(n, m, exponent=2 * torch.arange(0, m, 2) / m),
        ),
        Mistake(
            "Sine and cosine have changed places: the even columns, from column 0 on, are sines.",
            lambda n, m: _waves(n, m, one=torch.cos, two=torch.sin),
        ),
        Mistake(
            "You multiplied by 10000^(2i/m) where it divides: the waves grow faster instead of "
            "slower.",
            lambda n, m: _waves(n, m, exponent=-torch.arange(0, m, 2) / m),
        ),
        Mistake(
            "Positions are counted from 0 here, and yours begin with 1.",
            lambda n, m: _waves(n, m, start=1),
        ),
        Mistake(
            "You used 1000 where the formula has 10000.",
            lambda n, m: _waves(n, m, base=1000.0),
        ),
    ),
    alternatives=(
        _waves_by_loop,
        _waves_filled_in,
        lambda n, m: _waves_filled_in(n, m).numpy().astype(np.float32),
        lambda n, m: _waves(
            n, m, exponent=torch.tensor([2 * i / m for i in range(m // 2)], dtype=torch.float64)
        ),
    ),
    hints=(
        "How many different waves does a width of m hold, if each has a sine and a cosine?",
        "torch.arange(0, m, 2) gives 0, 2, 4, ..., which is 2i. torch.arange(n)[:, None] puts the "
        "positions into rows. Then torch.stack((sines, cosines), dim=-1).flatten(1) alternates.",
        "angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, m, 2) / m); "
        "return torch.stack((..., ...), dim=-1).flatten(1)",
    ),
    minutes=5,
    stars=2,
    depth=True,
)

EXTRAPOLATION = Bet(
    "extrapolation",
    question="A read-out learns to name the place from the 128 columns of its waves, on the places "
    "0 to 127, to within .2. Which place does it name when it is shown the waves of place 255?",
    answer=Number(0, 400, near=25, format="{:.0f}"),
    why="Beyond the places of its training the slow waves take values that it has never seen, and "
    "the fast ones repeat.",
    model_answer="The code itself goes on for ever, and the likeness of two places depends on "
    "their distance alone. But a read-out that fits 0 to 127 has learned nothing about what comes "
    "later. Models behave alike: trained short, they fail on longer texts (Press et al., 2021). "
    "The paper of 2017 says no more than that the waves may allow it.",
    depth=True,
)

# Depth: decoding with a cache


def decode(q, k, v):
    outputs = []
    for i in range(len(q)):
        outputs.append(attention(q[i : i + 1], k[: i + 1], v[: i + 1]))
    return torch.cat(outputs)


def _decoded(q, k, v, keys):
    """One step for each query; keys(i) says which keys and values it is given."""
    return torch.cat([attention(q[i : i + 1], k[keys(i)], v[keys(i)]) for i in range(len(q))])


def _decoded_top_left(q, k, v):
    return torch.cat(
        [
            attention(
                q[i : i + 1], k[: i + 1], v[: i + 1],
                mask=may_attend(causal, 1, i + 1, align="top-left"),
            )
            for i in range(len(q))
        ]
    )  # fmt: skip


def _decoded_with_a_growing_cache(q, k, v):
    keys, values, outputs = k[:0], v[:0], []
    for i in range(len(q)):
        keys, values = torch.cat((keys, k[i : i + 1])), torch.cat((values, v[i : i + 1]))
        outputs.append(attention(q[i : i + 1], keys, values)[0])
    return torch.stack(outputs)


DECODE = Exercise(
    reference=decode,
    cases=(
        lambda rng: inputs(_drawn(rng, 2, 2), _drawn(rng, 2, 2), _drawn(rng, 2, 3)),
        lambda rng: inputs(_drawn(rng, 3, 2), _drawn(rng, 3, 2), _drawn(rng, 3, 2)),
        lambda rng: inputs(
            _drawn(rng, 7, 3, dtype=torch.float64),
            _drawn(rng, 7, 3, dtype=torch.float64),
            _drawn(rng, 7, 5, dtype=torch.float64),
        ),
    ),
    mistakes=(
        Mistake(
            "Every step saw all keys, later ones too, which are not written yet. At step i the "
            "cache holds i + 1 of them.",
            lambda q, k, v: attention(q, k, v),
        ),
        Mistake(
            "The cache holds the last key only, so each word hears itself alone. Keep the earlier "
            "ones.",
            lambda q, k, v: _decoded(q, k, v, lambda i: slice(i, i + 1)),
        ),
        Mistake(
            "A causal mask for one query, laid at the top left, takes it for word 0 and hides all "
            "but the first key. The query is the last word: its cache needs no mask.",
            _decoded_top_left,
        ),
        Mistake(
            "The word's own key is missing: at step i the slice is k[:i + 1], with word i itself.",
            lambda q, k, v: _decoded(q, k, v, lambda i: slice(0, max(i, 1))),
        ),
        Mistake(
            "The slice k[:i] ends before word i. At step i word i is in the cache, too: k[:i + 1].",
            lambda q, k, v: _decoded(q, k, v, lambda i: slice(0, i)),
        ),
        Mistake(
            "One place too far: k[:i + 2] holds word i + 1, which is not written yet.",
            lambda q, k, v: _decoded(q, k, v, lambda i: slice(0, i + 2)),
        ),
        Mistake(
            "The scores are not divided by the root of the width. attention(q, k, v) does that.",
            lambda q, k, v: attention(q, k, v, mask=may_attend(causal, len(q)), scale=1.0),
        ),
        Mistake(
            "You returned the last step. All steps are asked for, a row each.",
            lambda q, k, v: attention(q[-1:], k, v),
        ),
        Mistake(
            "In every step the first query asked. At step i it is query i.",
            lambda q, k, v: torch.cat(
                [attention(q[:1], k[: i + 1], v[: i + 1]) for i in range(len(q))]
            ),
        ),
    ),
    alternatives=(
        _decoded_with_a_growing_cache,
        lambda q, k, v: attention(q, k, v, mask=may_attend(causal, len(q))),
        lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True),
        lambda q, k, v: [
            attention(q[i : i + 1], k[: i + 1], v[: i + 1])[0].tolist() for i in range(len(q))
        ],
    ),
    hints=(
        "At step i the model has written words 0 to i. Which keys and values are in the cache, "
        "and which query asks?",
        "q[i : i + 1] is one query, k[: i + 1] are the keys so far. attention gives one row; "
        "torch.cat joins the rows.",
        "for i in range(len(q)): outputs.append(attention(q[i : i + 1], k[...], v[...])); "
        "return torch.cat(outputs)",
    ),
    minutes=5,
    stars=2,
    depth=True,
)

chapter = Chapter(
    "06_masks",
    exercises=(
        CAUSAL_WEIGHTS,
        PADDING_MASK,
        ROTATE,
        MASK_BUG,
        SAFE_WEIGHTS,
        FOR_MULTIHEAD,
        DECODE,
        IS_EQUIVARIANT,
        SINUSOIDAL,
    ),
    bets=(
        DICE,
        ZERO_PADDING,
        ORDER,
        AFTER_SOFTMAX,
        HALF_LEAK,
        MINUS_BILLION,
        NO_POSITIONS,
        EXTRAPOLATION,
    ),
)
exercise, bet, settle = chapter.exercise, chapter.bet, chapter.settle
hint, reveal, progress = chapter.hint, chapter.reveal, chapter.progress
