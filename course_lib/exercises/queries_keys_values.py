"""The exercises and bets of chapter 5, queries, keys and values.

From this chapter on the references are torch. A right answer counts whatever holds its numbers:
numpy arrays and nested lists pass, and the cells below get a tensor of them.
"""

import math

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.exercises.engine.accept import agree
from course_lib.exercises.engine.arrays import NotNumbers, as_array
from course_lib.exercises.engine.bet import Bet, Choice, Number
from course_lib.exercises.engine.chapter import Chapter
from course_lib.exercises.engine.exercise import Exercise, Mistake, Property, inputs


def _drawn(rng, *shape, dtype=torch.float32):
    """Numbers with one digit behind the point, so that a failing case can be read."""
    return torch.tensor(rng.normal(size=shape).round(1), dtype=dtype)


def _floats(*rows):
    return torch.tensor(rows, dtype=torch.float32)


def _numbers(value):
    """What the learner returned, as numpy numbers in float64; None where it has none."""
    try:
        return as_array(value).astype(float)
    except (NotNumbers, TypeError):
        return None


def _pair(output, first: str, second: str):
    """Two matrices from what the learner returned, or the sentence that says what is missing."""
    both = [_numbers(one) for one in output] if isinstance(output, list | tuple) else []
    if not both and _numbers(output) is not None and len(np.atleast_1d(_numbers(output))) == 2:
        both = list(_numbers(output))
    if len(both) != 2:
        return f"Return two matrices: return {first}, {second}."
    for name, matrix in zip((first, second), both, strict=True):
        if matrix is None:
            return f"{name} holds something that is no number."
        if not np.isfinite(matrix).all():
            return f"{name} holds a number that is not finite."
    return both


# Sitting A: strangers that match

PLACES = ("Paris", "Rome", "Tokyo", "Cairo", "France", "Italy", "Japan", "Egypt")


def strangers_match():
    w_q, w_k = torch.zeros(8, 4), torch.zeros(8, 4)
    for i in range(4):
        w_q[i, i] = 1  # capital i asks with direction i
        w_k[i + 4, i] = 1  # country i answers to direction i
    return w_q, w_k


def _eyes(q_top, q_bottom, k_top, k_bottom):
    eye = torch.eye(4)
    return torch.cat([q_top * eye, q_bottom * eye]), torch.cat([k_top * eye, k_bottom * eye])


def _answers_to_itself():
    w_q, w_k = torch.zeros(8, 4), torch.zeros(8, 4)
    for i in range(4):
        w_q[i, i] = w_k[i, i] = w_k[i + 4, i] = 1
    return w_q, w_k


SHAPE_8_4 = (
    "Each matrix needs 8 rows, a row for each word, and 4 columns: shape (8, 4). "
    "Yours have another shape."
)
ALL_LEVEL = "Every score of Paris is the same, so its attention stays spread over all eight."
AT_ITSELF = (
    "A capital scores itself as high as its country, or higher. Its key should not answer to its "
    "own query: leave the rows of the capitals in w_k at 0, say."
)
EXCHANGED = (
    "It works the other way round: each country finds its capital. The asking capitals belong into "
    "w_q, the answering countries into w_k."
)
NOT_ITS_COUNTRY = (
    "A capital's largest score does not stand at its own country. Let the row of a capital in w_q "
    "and the row of its country in w_k point the same way, and those of other countries elsewhere."
)
TOO_SMALL = "Each capital prefers its country by less than .1. Make the entries larger."


def _each_finds_its_country(got, want, case) -> bool | str:
    both = _pair(got["output"], "w_q", "w_k")
    if isinstance(both, str):
        return both
    w_q, w_k = both
    if w_q.shape != (8, 4) or w_k.shape != (8, 4):
        return SHAPE_8_4
    scores = w_q @ w_k.T  # the words are one-hot, so a word times a matrix is a row of it
    capitals = np.arange(4)
    if np.ptp(scores[0]) < 1e-9:
        back = scores[4:, :4]
        found = (back.argmax(axis=1) == capitals).all() and np.ptp(back, axis=1).min() > 1e-9
        return EXCHANGED if found else ALL_LEVEL
    at_country = scores[capitals, capitals + 4]
    others = scores[:4].copy()
    others[capitals, capitals + 4] = -np.inf
    if (others.max(axis=1) >= at_country - 1e-9).any():
        own, rest = scores[capitals, capitals], others.copy()
        rest[capitals, capitals] = -np.inf
        alike = (own >= at_country - 1e-9) & (own > rest.max(axis=1) + 1e-9)
        return AT_ITSELF if alike.any() else NOT_ITS_COUNTRY
    if (at_country - others.max(axis=1)).min() < 0.1:
        return TOO_SMALL
    return True


STRANGERS_MATCH = Exercise(
    reference=strangers_match,
    cases=(lambda rng: inputs(),),
    accept=_each_finds_its_country,
    open_answer=True,
    mistakes=(
        Mistake(AT_ITSELF, _answers_to_itself),
        Mistake(EXCHANGED, lambda: _eyes(0, 1, 1, 0)),
        Mistake(ALL_LEVEL, lambda: (torch.zeros(8, 4), torch.zeros(8, 4))),
        Mistake(
            NOT_ITS_COUNTRY,
            lambda: (_eyes(1, 0, 0, 1)[0], _eyes(1, 0, 0, 1)[1].flip(0)),
        ),
        Mistake(SHAPE_8_4, lambda: (torch.eye(8), torch.eye(8))),
        Mistake(TOO_SMALL, lambda: _eyes(0.2, 0, 0, 0.2)),
    ),
    alternatives=(
        lambda: _eyes(1, 0, 0, 1),
        lambda: [[[float(x) for x in row] for row in one] for one in _eyes(3, 0, 0, 1)],
        lambda: tuple(one.numpy() for one in _eyes(2, 0, -1, 2)),
        lambda: _eyes(-1, 1, 1, -1),
        lambda: tuple(one @ _rotation(4) for one in _eyes(1, 0, 0, 1)),
    ),
    hints=(
        "Each word is one-hot. Which row of w_q is the query of Paris, and which row of w_k is the "
        "key of France?",
        "Four columns are four directions. Give each capital one of them in w_q, and the same "
        "direction to its country in w_k. What should the key of a capital be?",
        "w_q = torch.cat([torch.eye(4), torch.zeros(4, 4)]); w_k = torch.cat([..., ...])",
    ),
    minutes=4,
    stars=2,
)


def _rotation(d):
    return torch.linalg.qr(torch.from_numpy(np.random.default_rng(0).normal(size=(d, d))).float())[
        0
    ]


PERFECT_STRANGERS = Bet(
    "perfect_strangers",
    question="Eight words, each perpendicular to the seven others. You may choose a matrix for "
    "queries and one for keys, four columns each. Can every capital get its highest score with its "
    "own country?",
    answer=Choice(
        (
            "no: words that are perpendicular have score 0",
            "not quite: with itself it scores as high",
            "yes, higher than with any other word and with itself",
        ),
        which=lambda scores: _outcome_of(scores),
    ),
    why="The two matrices decide what a word asks for and what it answers to; its own direction "
    "decides neither.",
    model_answer="A dot product of the words themselves would be 0 for every two of them, and a "
    "word would agree only with itself. But the score compares the query of Paris with the key of "
    "France, and both are rows of matrices that may hold anything. That two words are alike is "
    "neither needed nor enough for one to look at the other.",
)


def _outcome_of(scores) -> int:
    own = scores.diagonal()[:4]
    country = scores[:4, 4:].diagonal()
    if not (scores[:4, 4:].argmax(-1) == np.arange(4)).all() or (country <= 0).any():
        return 0
    return 2 if (country > own).all() else 1


# Sitting A: scores, weights, output


def scaled_scores(q, k):
    width = q.shape[-1]
    return q @ k.transpose(-2, -1) / math.sqrt(width)


def _scores_with_loops(q, k):
    if q.ndim > 2:
        return [_scores_with_loops(one, other) for one, other in zip(q, k, strict=True)]
    return [[float((a * b).sum()) / len(a) ** 0.5 for b in k] for a in q]


def _one_shape(got, t, s) -> bool:
    return np.shape(got)[-2:] == (t, s)


SCALED_SCORES = Exercise(
    reference=scaled_scores,
    cases=(
        lambda rng: inputs(_floats([2, 0, 1, 1]), _floats([1, 1, 2, 0], [0, 1, 0, 3])),
        lambda rng: inputs(_drawn(rng, 3, 3), _drawn(rng, 3, 3)),
        lambda rng: inputs(_drawn(rng, 5, 7), _drawn(rng, 2, 7)),
        lambda rng: inputs(_drawn(rng, 2, 3, 5), _drawn(rng, 2, 7, 5)),
        lambda rng: inputs(_drawn(rng, 3, 3, 3), _drawn(rng, 3, 3, 3)),
        lambda rng: inputs(_drawn(rng, 2, 3, 5, 7), _drawn(rng, 2, 3, 11, 7)),
    ),
    properties=(
        Property(
            "One row for each query, one column for each key.",
            lambda got, case: _one_shape(
                got["output"], case.args[0].shape[-2], case.args[1].shape[-2]
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "The scale is missing: divide by the square root of the width (chapter 3).",
            lambda q, k: q @ k.transpose(-2, -1),
        ),
        Mistake(
            "You divided by the width itself. It takes the square root of it.",
            lambda q, k: q @ k.transpose(-2, -1) / q.shape[-1],
        ),
        Mistake(
            "You divided by the root of the number of keys. What counts is the width, the last "
            "axis: how many products each score adds up.",
            lambda q, k: q @ k.transpose(-2, -1) / math.sqrt(k.shape[-2]),
        ),
        Mistake(
            "You divided by the root of the number of queries. What counts is the width, the last "
            "axis: how many products each score adds up.",
            lambda q, k: q @ k.transpose(-2, -1) / math.sqrt(q.shape[-2]),
        ),
        Mistake(
            "You multiplied by the root of the width. Divide, so that the scores shrink.",
            lambda q, k: q @ k.transpose(-2, -1) * math.sqrt(q.shape[-1]),
        ),
        Mistake(
            "k is not transposed: rows of q met columns of k. With as many keys as numbers in a "
            "key nothing stops you, and the scores are wrong.",
            lambda q, k: q @ k / math.sqrt(q.shape[-1]),
        ),
        Mistake(
            ".T turns all axes around, the one of the sentences too. Only the last two should "
            "change places: k.transpose(-2, -1), or k.mT.",
            lambda q, k: q @ k.permute(*reversed(range(k.ndim))) / math.sqrt(q.shape[-1]),
        ),
        Mistake(
            "q and k are exchanged: your rows belong to keys. A row should belong to a query.",
            lambda q, k: k @ q.transpose(-2, -1) / math.sqrt(q.shape[-1]),
        ),
        Mistake(
            "You took the softmax already. Scores come before it; the weights are the next line.",
            lambda q, k: torch.softmax(scaled_scores(q, k), dim=-1),
        ),
        Mistake(
            "You divided by the lengths of q and k: these are cosines. The scale is the same "
            "number for all scores, the root of the width.",
            lambda q, k: (
                torch.nn.functional.normalize(q, dim=-1)
                @ torch.nn.functional.normalize(k, dim=-1).mT
            ),
        ),
    ),
    alternatives=(
        _scores_with_loops,
        lambda q, k: torch.einsum("...td,...sd->...ts", q, k) * q.shape[-1] ** -0.5,
        lambda q, k: (q / math.sqrt(q.shape[-1])) @ k.mT,
        lambda q, k: q.numpy() @ np.swapaxes(k.numpy(), -1, -2) / np.sqrt(k.shape[-1]),
        lambda q, k: (k @ q.mT).mT / torch.sqrt(torch.tensor(k.size(-1))),
    ),
    hints=(
        "Which two axes of k have to change places, and which have to stay where they are?",
        "k.transpose(-2, -1) exchanges the last two axes, whatever stands before them. Then one "
        "division: chapter 3 said by what.",
        "return q @ k.transpose(..., ...) / math.sqrt(...)",
    ),
    minutes=3,
    stars=1,
)


def attend(q, k, v):
    scores = scaled_scores(q, k)
    weights = torch.softmax(scores, dim=-1)
    output = weights @ v
    return output


def _attend_with_loops(q, k, v):
    if q.ndim > 2:
        return [_attend_with_loops(*one) for one in zip(q, k, v, strict=True)]
    output = []
    for query in q:
        raised = [math.exp(float(query @ key) / math.sqrt(len(query))) for key in k]
        shares = [one / sum(raised) for one in raised]
        output.append([sum(w * float(x) for w, x in zip(shares, col, strict=True)) for col in v.T])
    return output


def _inside(got, case) -> bool:
    """Every entry between the smallest and the largest value of its column."""
    output, v = np.asarray(got["output"]), case.args[2].numpy()
    low, high = v.min(axis=-2, keepdims=True), v.max(axis=-2, keepdims=True)
    return bool((output >= low - 1e-4).all() and (output <= high + 1e-4).all())


ROWS_OF_OUTPUT = Property(
    "One row for each query, as wide as a value.",
    lambda got, case: _one_shape(got["output"], case.args[0].shape[-2], case.args[2].shape[-1]),
)
AN_AVERAGE = Property(
    "Each entry lies between the smallest and the largest value of its column: an average cannot "
    "leave what it averages.",
    _inside,
)
SMALL_CASES = (
    lambda rng: inputs(
        _floats([2, 0], [0, 2]), _floats([1, 0], [0, 1], [1, 1]), _floats([10], [20], [60])
    ),
    lambda rng: inputs(_drawn(rng, 3, 3), _drawn(rng, 3, 3), _drawn(rng, 3, 3)),
    lambda rng: inputs(_drawn(rng, 2, 5), _drawn(rng, 3, 5), _drawn(rng, 3, 7)),
)
BATCHES = (
    lambda rng: inputs(_drawn(rng, 2, 3, 5), _drawn(rng, 2, 7, 5), _drawn(rng, 2, 7, 11)),
    lambda rng: inputs(*(_drawn(rng, 3, 3, 3) for _ in range(3))),
)


def _weights(q, k):
    return torch.softmax(scaled_scores(q, k), dim=-1)


def _mixed(weights, v):
    return weights @ v


NO_SCALE = Mistake(
    "The scale is missing: the scores are divided by the square root of the width before the "
    "softmax (chapter 3).",
    lambda q, k, v: torch.softmax(q @ k.mT, dim=-1) @ v,
)
SCALE_LATE = Mistake(
    "You scaled the weights, after the softmax. They no longer add up to 1; scale the scores.",
    lambda q, k, v: torch.softmax(q @ k.mT, dim=-1) / math.sqrt(q.shape[-1]) @ v,
)
WRONG_AXIS = Mistake(
    "The softmax ran along the wrong axis, so each key shares itself out. Each row belongs to a "
    "query and should add up to 1: dim=-1.",
    lambda q, k, v: torch.softmax(scaled_scores(q, k), dim=-2) @ v,
)
FIRST_AXIS = Mistake(
    "dim=0 is the first axis. That is wrong for one sentence, and for several it runs across the "
    "sentences. The keys stand in the last one: dim=-1.",
    lambda q, k, v: torch.softmax(scaled_scores(q, k), dim=0) @ v,
)
V_TOO_EARLY = Mistake(
    "v came before the softmax. First the scores become weights; only then the weights meet the "
    "values.",
    lambda q, k, v: torch.softmax(scaled_scores(q, k) @ v, dim=-1),
)
NO_SOFTMAX = Mistake(
    "The softmax is missing: raw scores may be negative and do not add up to 1.",
    lambda q, k, v: scaled_scores(q, k) @ v,
)
AVERAGED_KEYS = Mistake(
    "You averaged the keys. Keys decide the weights; what is averaged are the values.",
    lambda q, k, v: _weights(q, k) @ k,
)
RETURNED_WEIGHTS = Mistake(
    "You returned the weights. One product is left, with v.",
    lambda q, k, v: _weights(q, k),
)
K_AS_IT_IS = Mistake(
    "k is not transposed: rows of q met columns of k. Where there are as many keys as numbers in a "
    "key nothing stops you, and the result is wrong.",
    lambda q, k, v: torch.softmax(q @ k / math.sqrt(q.shape[-1]), dim=-1) @ v,
)
T_ON_A_BATCH = Mistake(
    ".T turns all axes around, the one of the sentences too. Only the last two of k should change "
    "places: k.transpose(-2, -1), or k.mT.",
    lambda q, k, v: (
        torch.softmax(q @ k.permute(*reversed(range(k.ndim))) / math.sqrt(q.shape[-1]), dim=-1) @ v
    ),
)
Q_AND_K_EXCHANGED = Mistake(
    "q and k are exchanged: your rows belong to keys. Each query asks, each key is asked.",
    lambda q, k, v: _weights(k, q) @ v,
)
BY_THE_WIDTH = Mistake(
    "You divided by the width itself. It takes the square root of it.",
    lambda q, k, v: torch.softmax(q @ k.mT / q.shape[-1], dim=-1) @ v,
)
BY_THE_KEYS = Mistake(
    "You divided by the root of the number of keys. What counts is the width of a query, its last "
    "axis.",
    lambda q, k, v: torch.softmax(q @ k.mT / math.sqrt(k.shape[-2]), dim=-1) @ v,
)

TIMES_THE_ROOT = Mistake(
    "You multiplied by the root of the width. Divide, so that the scores shrink.",
    lambda q, k, v: torch.softmax(q @ k.mT * math.sqrt(q.shape[-1]), dim=-1) @ v,
)

WITH_WEIGHTS = Mistake(
    "You returned the output and the weights. Asked for is the output alone.",
    lambda q, k, v: (_weights(q, k) @ v, _weights(q, k)),
)

BY_THE_VALUES = Mistake(
    "You divided by the root of the width of a value. The scores add up products of queries and "
    "keys; it is their width that counts.",
    lambda q, k, v: torch.softmax(q @ k.mT / math.sqrt(v.shape[-1]), dim=-1) @ v,
)
IN_THE_THREE_LINES = (  # whatever becomes of the scale
    WRONG_AXIS,
    FIRST_AXIS,
    V_TOO_EARLY,
    NO_SOFTMAX,
    AVERAGED_KEYS,
    RETURNED_WEIGHTS,
    WITH_WEIGHTS,
    K_AS_IT_IS,
    T_ON_A_BATCH,
    Q_AND_K_EXCHANGED,
)

ATTEND = Exercise(
    reference=attend,
    cases=(*SMALL_CASES, *BATCHES),
    properties=(ROWS_OF_OUTPUT, AN_AVERAGE),
    mistakes=(
        NO_SCALE,
        SCALE_LATE,
        *IN_THE_THREE_LINES,
        TIMES_THE_ROOT,
        BY_THE_WIDTH,
        BY_THE_KEYS,
        BY_THE_VALUES,
    ),
    alternatives=(
        _attend_with_loops,
        lambda q, k, v: scaled_dot_product_attention(q, k, v),
        lambda q, k, v: _mixed(_weights(q, k), v).numpy().tolist(),
        lambda q, k, v: torch.einsum("...ts,...se->...te", _weights(q, k), v),
        lambda q, k, v: (v.mT @ _weights(q, k).mT).mT,
    ),
    hints=(
        "Three steps: how well does each query agree with each key, which shares does that make, "
        "what do the values add up to in these shares? Then return it.",
        "The softmax has to run over the keys, and the keys stand in the last axis. And what is "
        "averaged, keys or values?",
        "scores = scaled_scores(...); weights = torch.softmax(scores, ...); output = ...",
    ),
    minutes=3,
    stars=1,
)

# Sitting A: soft lookup


def scores_for(weights):
    return torch.log(weights)


def _gives_these_weights(got, want, case) -> bool | str:
    scores, weights = _numbers(got["output"]), case.args[0].double().numpy()
    if scores is None or scores.shape != weights.shape:
        return WRONG_COUNT
    if not np.isfinite(scores).all():
        return "A score is not finite. All of these weights are above 0, so finite scores will do."
    raised = np.exp(scores - scores.max())
    if np.abs(raised / raised.sum() - weights).max() < 1e-5:
        return True
    for sentence, other in (
        (THE_WEIGHTS_THEMSELVES, weights),
        (UPSIDE_DOWN, -np.log(weights)),
        (OTHER_BASE, np.log2(weights)),
        (OTHER_BASE, np.log10(weights)),
        (AGAINST_THE_REST, np.log(weights / (1 - weights))),
        (EXP_AGAIN, np.exp(weights)),
        (SOFTMAX_AGAIN, np.exp(weights) / np.exp(weights).sum()),
    ):
        if np.ptp((scores - scores.max()) - (other - other.max())) < 1e-5:
            return sentence
    return "The softmax of your scores does not give these weights."


WRONG_COUNT = "Return as many scores as there are weights, one number each."
THE_WEIGHTS_THEMSELVES = (
    "These are the weights themselves. Their softmax is flatter than they are: softmax takes exp "
    "of each, and that has to be undone."
)
UPSIDE_DOWN = "The largest weight gets the smallest score: the sign is turned around."
OTHER_BASE = (
    "That is a logarithm to another base. Softmax raises e to the power of a score, so it takes "
    "the natural logarithm, torch.log."
)
AGAINST_THE_REST = (
    "log(w / (1 - w)) undoes the sigmoid, which knows two outcomes. Softmax divides by one sum "
    "that is the same for all, so log(w) is enough."
)
EXP_AGAIN = "Softmax takes exp already. What undoes it?"
SOFTMAX_AGAIN = (
    "You took the softmax of the weights. It is taken later, of your scores, and should then give "
    "the weights: go the other way, from weights to scores."
)

SCORES_FOR = Exercise(
    reference=scores_for,
    cases=(
        lambda rng: inputs(torch.tensor([0.5, 0.3, 0.2])),
        lambda rng: inputs(torch.tensor([0.01, 0.9, 0.05, 0.04])),
        lambda rng: inputs(torch.softmax(_drawn(rng, 7), dim=0)),
    ),
    accept=_gives_these_weights,
    open_answer=True,
    mistakes=(
        Mistake(THE_WEIGHTS_THEMSELVES, lambda weights: weights.clone()),
        Mistake(UPSIDE_DOWN, lambda weights: -torch.log(weights)),
        Mistake(OTHER_BASE, lambda weights: torch.log2(weights)),
        Mistake(AGAINST_THE_REST, lambda weights: torch.logit(weights)),
        Mistake(EXP_AGAIN, lambda weights: torch.exp(weights)),
        Mistake(SOFTMAX_AGAIN, lambda weights: torch.softmax(weights, dim=-1)),
        Mistake(WRONG_COUNT, lambda weights: torch.log(weights[:-1])),
    ),
    alternatives=(
        lambda weights: torch.log(weights) + 100,
        lambda weights: [math.log(float(w) / float(weights[0])) for w in weights],
        lambda weights: np.log(weights.numpy()),
        lambda weights: torch.log(weights / weights.max()),
    ),
    hints=(
        "Softmax takes exp of each score and divides by the sum. Suppose the sum were 1: which "
        "score has exp equal to .5?",
        "The logarithm undoes exp. And adding one number to all scores changes nothing.",
        "return torch....(weights)",
    ),
    minutes=3,
    stars=1,
)

WHO_ASKS = Bet(
    "who_asks",
    question="Three words, cat (0), is (1), sleeping (2), and their table of scores, queries times "
    "keys transposed. What does the entry in row 0, column 2 say?",
    answer=Choice(
        ("how much cat looks for sleeping", "how much sleeping looks for cat", "both, it is one"),
        which=lambda fits: 2 if all(fits) else 0 if fits[0] else 1,
    ),
    why="A row belongs to the query: entry (0, 2) is query 0 with key 2.",
    model_answer="scores[0, 2] = q[0] · k[2]: the first word asks, the third is asked. The other "
    "way round stands at [2, 0], q[2] · k[0], which is another number.",
)

HALF_SHARP = Bet(
    "half_sharp",
    question="Four drawers hold 10, 20, 30 and 40. The query fits the key of the third: its score "
    "is 1 there and 0 at the others. Exact lookup would return 30, no lookup at all the average, "
    "25. What does attention return?",
    answer=Number(10, 40, near=0.5, format="{:.1f}"),
    why="A lead of 1 makes its weight only e = 2.7 times the others': .475 against .175 each.",
    model_answer="The weights are .175, .175, .475 and .175, and the average in these shares is "
    "26.5. The larger the lead, the closer to a lookup: try 3 and 10 with the slider below.",
)

# Sitting B: context, and two sequences

TWO_APPLES = Bet(
    "two_apples",
    question="Apple, the fruit, and Apple, the firm, begin as one vector: cosine 1. They stand in "
    "two different sentences. What is the cosine of the two after two layers of attention?",
    answer=Number(-1, 1, near=0.15, format="{:.2f}"),
    why="Each apple keeps its own vector and adds what its neighbours hand over, and the "
    "neighbours differ.",
    model_answer="Far below 1, and far above 0: what attention brings is added to the word's own "
    "vector, so the common start does not vanish, and the two sentences bring different things. "
    "Six models trained from other seeds gave .37 to .58 for the same two sentences.",
)


def cross_attention(target, source, w_q, w_k, w_v):
    q = target @ w_q
    k = source @ w_k
    v = source @ w_v
    return attend(q, k, v)


def _cross_by_word(target, source, w_q, w_k, w_v):
    return [attend((one @ w_q)[None], source @ w_k, source @ w_v)[0].tolist() for one in target]


def _four_fit(rng, t, s, m=5, d=5, e=5):
    """Target and source of one width, so that mixing them up goes through."""
    return inputs(
        _drawn(rng, t, m), _drawn(rng, s, m), *(_drawn(rng, m, wide) for wide in (d, d, e))
    )


CROSS_ATTENTION = Exercise(
    reference=cross_attention,
    cases=(
        lambda rng: inputs(
            _floats([1, 0]),
            _floats([2, 0], [0, 2]),
            _floats([1, 0], [1, 2]),
            _floats([1, 1], [0, 1]),
            _floats([3, 0], [1, 5]),
        ),
        lambda rng: _four_fit(rng, 2, 3),
        lambda rng: _four_fit(rng, 3, 3),
        lambda rng: _four_fit(rng, 5, 2, 3, 7, 11),
        lambda rng: inputs(
            _drawn(rng, 3, 2),
            _drawn(rng, 7, 5),
            *(_drawn(rng, *shape) for shape in ((2, 3), (5, 3), (5, 11))),
        ),
    ),
    properties=(
        Property(
            "One row for each word of target, as wide as a value.",
            lambda got, case: (
                np.shape(got["output"]) == (len(case.args[0]), case.args[4].shape[-1])
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "Queries came from source, keys and values from target: exchanged. The one that is "
            "being written asks; the one that was read is asked.",
            lambda target, source, w_q, w_k, w_v: cross_attention(source, target, w_q, w_k, w_v),
        ),
        Mistake(
            "Everything came from target: that is self-attention, and the source is never read.",
            lambda target, source, w_q, w_k, w_v: cross_attention(target, target, w_q, w_k, w_v),
        ),
        Mistake(
            "Everything came from source: target asks nothing.",
            lambda target, source, w_q, w_k, w_v: cross_attention(source, source, w_q, w_k, w_v),
        ),
        Mistake(
            "The values came from target. What is fetched is what the source holds; with texts of "
            "one length nothing would have stopped you.",
            lambda target, source, w_q, w_k, w_v: attend(target @ w_q, source @ w_k, target @ w_v),
        ),
        Mistake(
            "The keys came from target. Keys and values belong to the same words, those of the "
            "source: what is found by a key is its own value.",
            lambda target, source, w_q, w_k, w_v: attend(target @ w_q, target @ w_k, source @ w_v),
        ),
        Mistake(
            "The scale is missing. `attend` divides by the root of the width for you.",
            lambda target, source, w_q, w_k, w_v: (
                torch.softmax(target @ w_q @ (source @ w_k).T, dim=-1) @ source @ w_v
            ),
        ),
        Mistake(
            "The values are the source as it is; w_v was not used.",
            lambda target, source, w_q, w_k, w_v: attend(target @ w_q, source @ w_k, source),
        ),
        Mistake(
            "The keys served as values. Values have a matrix of their own, w_v.",
            lambda target, source, w_q, w_k, w_v: attend(target @ w_q, source @ w_k, source @ w_k),
        ),
        Mistake(
            "w_q and w_k are exchanged: queries are target @ w_q, keys are source @ w_k.",
            lambda target, source, w_q, w_k, w_v: attend(target @ w_k, source @ w_q, source @ w_v),
        ),
    ),
    alternatives=(
        _cross_by_word,
        lambda target, source, w_q, w_k, w_v: scaled_dot_product_attention(
            target @ w_q, source @ w_k, source @ w_v
        ),
        lambda target, source, w_q, w_k, w_v: (
            torch.softmax(target @ (w_q @ w_k.T) @ source.T / math.sqrt(w_q.shape[1]), -1)
            @ source
            @ w_v
        ),
        lambda target, source, w_q, w_k, w_v: cross_attention(
            target, source, w_q, w_k, w_v
        ).numpy(),
    ),
    hints=(
        "Who asks, and who is asked? Who holds what is fetched?",
        "Queries come from the target. Keys and values come from the source.",
        "q = target @ w_q; k = ... @ w_k; v = ... @ w_v; return attend(q, k, v)",
    ),
    minutes=3,
    stars=1,
)

FIVE_HUNDRED = Bet(
    "five_hundred",
    question="One layer of self-attention reads a sentence of 5 words, then one of 500 words. For "
    "the second it needs how many times as many learned numbers, all matrices together?",
    answer=Number(0, 1000, unit="times as many", near=0, format="{:.0f}"),
    why="The matrices act on one word at a time; the number of words stands in none of their "
    "shapes.",
    model_answer="Once as many: the same. W_Q, W_K and W_V have as many rows as a word has numbers "
    "and do not know how many words there are, nor does the fourth matrix of PyTorch's layer. What "
    "grows are the scores, from 25 to 250,000.",
)

# Sitting B: who looks at whom


def one_way(cat, dog):
    w_q = torch.eye(2)
    w_k = torch.tensor([[0.0, -1.0], [1.0, 0.0]])  # a quarter turn
    return w_q, w_k


SHAPE_2_2 = "Each matrix needs 2 rows and 2 columns. Yours have another shape."
SAME_BOTH_WAYS = (
    "Both scores are the same number. That is always so where w_q @ w_k.T is its own transpose, as "
    "with w_q equal to w_k. Give the key another turn than the query."
)
TURNED_AROUND = "It is the dog that looks at the cat. Exchange w_q and w_k."
NOT_YET_ONE_WAY = (
    "The two scores differ, and are not yet 1 or more for the cat's question and -1 or less for "
    "the dog's."
)


def _looks_one_way(got, want, case) -> bool | str:
    both = _pair(got["output"], "w_q", "w_k")
    if isinstance(both, str):
        return both
    w_q, w_k = both
    if w_q.shape != (2, 2) or w_k.shape != (2, 2):
        return SHAPE_2_2
    cat, dog = (one.double().numpy() for one in case.args)
    there, back = cat @ w_q @ (dog @ w_k), dog @ w_q @ (cat @ w_k)
    if there >= 1 - 1e-6 and back <= -1 + 1e-6:
        return True
    if abs(there - back) < 1e-6:
        return SAME_BOTH_WAYS
    return TURNED_AROUND if back >= 1 - 1e-6 and there <= -1 + 1e-6 else NOT_YET_ONE_WAY


ONE_WAY = Exercise(
    reference=one_way,
    cases=(lambda rng: inputs(_floats(2, 1), _floats(1, 2)),),
    accept=_looks_one_way,
    open_answer=True,
    mistakes=(
        Mistake(SAME_BOTH_WAYS, lambda cat, dog: (torch.eye(2), torch.eye(2))),
        Mistake(TURNED_AROUND, lambda cat, dog: one_way(cat, dog)[::-1]),
        Mistake(
            NOT_YET_ONE_WAY,
            lambda cat, dog: (torch.eye(2), torch.tensor([[0.0, 0.0], [1.0, 0.0]])),
        ),
        Mistake(SHAPE_2_2, lambda cat, dog: (torch.ones(2), torch.ones(2))),
    ),
    alternatives=(
        lambda cat, dog: ([[0, 1], [-1, 0]], [[1, 0], [0, 1]]),
        lambda cat, dog: (np.array([[1, 0], [-1, 0]]), np.array([[1, 0], [1, 0]])),
        lambda cat, dog: (torch.eye(2) * 2, torch.tensor([[0.5, -1.0], [1.0, -0.5]])),
    ),
    hints=(
        "The score is cat @ w_q @ w_k.T @ dog. Which single matrix stands between the two words, "
        "and what should change when the words change places?",
        "Let w_q be torch.eye(2), so the query is the word itself. Now choose keys: the key of the "
        "dog along the cat, the key of the cat against the dog. A quarter turn does both.",
        "w_q = torch.eye(2); w_k[0, 1] = ...; w_k[1, 0] = ...; the two others are 0",
    ),
    minutes=3,
    stars=2,
)

LOOKS_BACK = Bet(
    "looks_back",
    question="One layer, its w_q and w_k drawn at random, and 10,000 pairs of random words. Take "
    "the pairs in which the first word looks at the second: that score is above 0. In how many "
    "percent of them does the second word look back?",
    answer=Number(0, 100, unit="percent", near=5, format="{:.0f}"),
    why="The way back takes another query and another key, so it is as open as the toss of a coin.",
    model_answer="x looks at y with (x W_Q) · (y W_K), y at x with (y W_Q) · (x W_K). Other draws "
    "of the two matrices gave 49 to 53. It would be 100 only if W_Q W_K^T were its own transpose, "
    "as it is with w_q equal to w_k. A dot product of the words themselves is symmetric; attention "
    "need not be.",
)

# Sitting B: a function with four weaknesses


def mended(q, k, v, mask=None):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is None:
        return scores.softmax(dim=-1) @ v
    if mask.ndim < scores.ndim:
        mask = mask.unsqueeze(-3)  # the same for all heads
    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return scores.softmax(dim=-1).masked_fill(~mask, 0) @ v


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
        weights = torch.softmax(scores, dim=-1)
        if mask is not None and empty:
            weights = weights.masked_fill(~mask, 0)
        return weights @ v

    return answer


def _masked_by_product(q, k, v, mask, late):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is None:
        return scores.softmax(dim=-1) @ v
    mask = mask.unsqueeze(-3) if mask.ndim < scores.ndim else mask
    return (scores.softmax(dim=-1) * mask if late else (scores * mask).softmax(dim=-1)) @ v


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
    if case.args[0].dtype == torch.float64 and _numbers(output) is not None:
        right, got = mended(*case.args, **case.kwargs).numpy(), _numbers(output)
        if got.shape == right.shape:
            seen["precision"] = np.asarray(bool(np.abs(got - right).max() < 1e-12))
    return seen


MENDED = Exercise(
    reference=mended,
    cases=(
        lambda rng: inputs(_drawn(rng, 2, 3), _drawn(rng, 5, 3), _drawn(rng, 5, 7)),
        lambda rng: inputs(*(_drawn(rng, s, 5, dtype=torch.float64) for s in (2, 3, 3))),
        lambda rng: inputs(
            _drawn(rng, 3, 2),
            _drawn(rng, 2, 2),
            _drawn(rng, 2, 2),
            _with_an_empty_row(_allowed(rng, 3, 2)),
        ),
        lambda rng: inputs(
            *(_drawn(rng, n, 2, dtype=torch.float16) for n in (2, 3, 3)), _allowed(rng, 2, 3)
        ),
        lambda rng: inputs(*_heads(rng, 2, 3), _allowed(rng, 2, 5, 7)),
        lambda rng: inputs(*_heads(rng, 3, 3), _allowed(rng, 3, 5, 7)),
        lambda rng: inputs(
            *(_drawn(rng, 2, n, 3) for n in (5, 7, 7)), _with_an_empty_row(_allowed(rng, 2, 5, 7))
        ),
        lambda rng: inputs(*_heads(rng, 2, 3), _allowed(rng, 5, 7)),
        lambda rng: inputs(*_heads(rng, 2, 3), _allowed(rng, 2, 3, 5, 7)),
    ),
    observe=_output_and_digits,
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
            lambda q, k, v, mask=None: (mended(q, k, v, mask), _weights(q, k)),
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
    alternatives=(
        _mended_but(fill=-1e4),
        lambda q, k, v, mask=None: scaled_dot_product_attention(
            q,
            k,
            v,
            None
            if mask is None
            else mask
            if mask.ndim == q.ndim or mask.ndim == 2
            else mask[:, None],
        ),
        lambda q, k, v, mask=None: _by_nan(q, k, v, mask),
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
    minutes=6,
    stars=3,
)


def _heads(rng, b, h):
    return [_drawn(rng, b, h, n, 2) for n in (5, 7, 7)]


def _by_nan(q, k, v, mask):
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        while mask.ndim < scores.ndim:
            mask = mask.unsqueeze(mask.ndim - 2)
        scores = torch.where(mask, scores, -torch.inf)
    return torch.softmax(scores, -1).nan_to_num(0) @ v


# Sitting B: attention from an empty cell


def attention(q, k, v):
    agreement = q @ k.mT * q.shape[-1] ** -0.5
    shares = agreement.softmax(dim=-1)
    return shares @ v


def _as_torch_has_it(got, want, case) -> bool:
    """The numbers of torch's own function."""
    return agree(got["output"], scaled_dot_product_attention(*case.args), 1e-6)


ATTENTION = Exercise(
    reference=attention,
    cases=(
        *SMALL_CASES,
        *BATCHES,
        lambda rng: inputs(*(_drawn(rng, 2, 3, n, 5) for n in (7, 11, 11))),
        lambda rng: inputs(*(_drawn(rng, n, 1) for n in (1, 2, 2))),
        lambda rng: inputs(_drawn(rng, 3, 2), _drawn(rng, 1, 2), _drawn(rng, 1, 5)),
        lambda rng: inputs(*(_drawn(rng, n, 64, dtype=torch.float64) for n in (5, 7, 7))),
        lambda rng: inputs(*(_drawn(rng, 5, 7).mT for _ in range(3))),
    ),
    accept=_as_torch_has_it,
    properties=(ROWS_OF_OUTPUT, AN_AVERAGE),
    mistakes=(
        NO_SCALE,
        SCALE_LATE,
        TIMES_THE_ROOT,
        BY_THE_WIDTH,
        BY_THE_KEYS,
        BY_THE_VALUES,
        *IN_THE_THREE_LINES,
    ),
    alternatives=(
        attend,
        _attend_with_loops,
        lambda q, k, v: scaled_dot_product_attention(q, k, v),
        lambda q, k, v: torch.einsum(
            "...ts,...se->...te",
            torch.softmax(torch.einsum("...td,...sd->...ts", q, k) / q.size(-1) ** 0.5, -1),
            v,
        ),
        lambda q, k, v: _in_numpy(q.numpy(), k.numpy(), v.numpy()),
    ),
    hints=(
        "Three lines. What does each query compare, what are its shares, what does it take home?",
        "Scores: queries with keys, the last two axes of k exchanged, divided by the root of the "
        "width. Weights: a softmax along the keys. Output: the weights with v.",
        "scores = q @ ... / math.sqrt(...); weights = torch.softmax(..., dim=...); return ... @ v",
    ),
    minutes=7,
    stars=2,
)


def _in_numpy(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True) @ v


# Depth: the same scores from other matrices, and the gradient of W_Q


def same_scores(w_q, w_k, a):
    return w_q @ a, w_k @ torch.linalg.inv(a).T


def _product_is_kept(got, want, case) -> bool | str:
    both = _pair(got["output"], "new_q", "new_k")
    if isinstance(both, str):
        return both
    w_q, w_k, a = (one.double().numpy() for one in case.args)
    new_q, new_k = both
    if new_q.shape != w_q.shape or new_k.shape != w_k.shape:
        return "The new matrices should have the shapes of the old ones."
    if np.abs(new_q - w_q @ a).max() > 1e-4 * np.abs(w_q @ a).max():
        return QUERIES_NOT_MIXED
    product = w_q @ w_k.T
    if np.abs(new_q @ new_k.T - product).max() < 1e-4 * np.abs(product).max():
        return True
    for sentence, other in (
        (NOT_TURNED, w_k @ np.linalg.inv(a)),
        (BOTH_MIXED, w_k @ a),
        (LEFT_AS_IT_WAS, w_k),
    ):
        if np.abs(new_k - other).max() < 1e-4 * np.abs(other).max():
            return sentence
    return "new_q @ new_k.T is not w_q @ w_k.T yet, so the scores change."


QUERIES_NOT_MIXED = "The new queries should be mixed by a: new_q = w_q @ a."
NOT_TURNED = (
    "You undid a on the right side and forgot that w_k is transposed in the scores: "
    "a @ inv(a).T is not the identity. The inverse needs a transpose as well."
)
BOTH_MIXED = "You mixed both by a. Then a @ a.T stands in between; the keys have to undo a."
LEFT_AS_IT_WAS = "The keys are as they were, so a stands in between and the scores change."

SAME_SCORES = Exercise(
    reference=same_scores,
    cases=(
        lambda rng: inputs(
            _floats([1, 0], [2, 1], [0, 3]),
            _floats([1, 1], [0, 2], [1, 0]),
            _floats([1, 2], [0, 1]),
        ),
        lambda rng: inputs(_drawn(rng, 7, 3), _drawn(rng, 7, 3), _drawn(rng, 3, 3)),
    ),
    accept=_product_is_kept,
    open_answer=True,
    mistakes=(
        Mistake(NOT_TURNED, lambda w_q, w_k, a: (w_q @ a, w_k @ torch.linalg.inv(a))),
        Mistake(BOTH_MIXED, lambda w_q, w_k, a: (w_q @ a, w_k @ a)),
        Mistake(LEFT_AS_IT_WAS, lambda w_q, w_k, a: (w_q @ a, w_k)),
        Mistake(QUERIES_NOT_MIXED, lambda w_q, w_k, a: (w_q.clone(), w_k.clone())),
    ),
    alternatives=(
        lambda w_q, w_k, a: (w_q @ a, torch.linalg.solve(a, w_k.T).T),
        lambda w_q, w_k, a: [(w_q @ a).tolist(), (w_k @ torch.linalg.inv(a.T)).tolist()],
        lambda w_q, w_k, a: (w_q.numpy() @ a.numpy(), w_k.numpy() @ np.linalg.inv(a.numpy()).T),
    ),
    hints=(
        "The scores know only the product w_q @ w_k.T. If w_q becomes w_q @ a, what must stand "
        "between a and w_k.T so that the product stays?",
        "w_q @ a @ b @ w_k.T with a @ b the identity. Which new_k has new_k.T = b @ w_k.T?",
        "return w_q @ a, w_k @ torch.linalg.inv(a)...",
    ),
    minutes=5,
    stars=2,
    depth=True,
)


def gradient_of_w_q(x, w_q, w_k, w_v, upstream):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scale = q.shape[-1] ** -0.5
    weights = torch.softmax(q @ k.mT * scale, dim=-1)
    d_weights = upstream @ v.mT
    d_scores = weights * (d_weights - (weights * d_weights).sum(dim=-1, keepdim=True))
    d_q = d_scores @ k * scale
    return x.mT @ d_q


def _by_steps(x, w_q, w_k, w_v, upstream):
    """What the stub gives: k, scale, weights, and the gradient of the weights."""
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scale = q.shape[-1] ** -0.5
    weights = torch.softmax(q @ k.mT * scale, dim=-1)
    return q, k, scale, weights, upstream @ v.mT


def _d_scores(weights, d_weights, axis=-1):
    return weights * (d_weights - (weights * d_weights).sum(dim=axis, keepdim=True))


def _wrong_gradient(last):
    """A gradient from the steps and the gradient of the scores; `last` says how it ends."""

    def answer(x, w_q, w_k, w_v, upstream):
        q, k, scale, weights, d_weights = _by_steps(x, w_q, w_k, w_v, upstream)
        return last(x, q, k, scale, weights, d_weights)

    return answer


def _gradient_by_autograd(x, w_q, w_k, w_v, upstream):
    leaf = w_q.clone().requires_grad_(True)
    (scaled_dot_product_attention(x @ leaf, x @ w_k, x @ w_v) * upstream).sum().backward()
    return leaf.grad


def _gradient_by_jacobian(x, w_q, w_k, w_v, upstream):
    _, k, scale, weights, d_weights = _by_steps(x, w_q, w_k, w_v, upstream)
    total = torch.zeros_like(w_q)
    for i in range(len(x)):
        jacobian = torch.diag(weights[i]) - torch.outer(weights[i], weights[i])
        total += torch.outer(x[i], (jacobian @ d_weights[i]) @ k * scale)
    return total


def _gradient_by_differences(x, w_q, w_k, w_v, upstream):
    x, w_k, w_v, upstream, plain = (one.double() for one in (x, w_k, w_v, upstream, w_q))
    result = torch.zeros_like(plain)
    for place in np.ndindex(*plain.shape):
        loss = []
        for step in (1e-5, -1e-5):
            moved = plain.clone()
            moved[place] += step
            loss.append((attend(x @ moved, x @ w_k, x @ w_v) * upstream).sum())
        result[place] = (loss[0] - loss[1]) / 2e-5
    return result.float()


GRADIENT_OF_W_Q = Exercise(
    reference=gradient_of_w_q,
    cases=(
        lambda rng: inputs(
            _floats([1, 0], [0, 2], [1, 1]),
            _floats([1, 0, 1], [0, 1, 0]),
            _floats([0, 1, 1], [1, 0, 1]),
            _floats([1], [2]),
            _floats([1], [0], [-1]),
        ),
        lambda rng: inputs(*(_drawn(rng, 3, 3) for _ in range(5))),
        lambda rng: inputs(
            _drawn(rng, 5, 3),
            *(_drawn(rng, 3, 2) for _ in range(2)),
            _drawn(rng, 3, 7),
            _drawn(rng, 5, 7),
        ),
    ),
    accept=lambda got, want, case: agree(got["output"], want["output"], 1e-5),
    properties=(
        Property(
            "It has the shape of w_q.",
            lambda got, case: np.shape(got["output"]) == tuple(case.args[1].shape),
        ),
    ),
    mistakes=(
        Mistake(
            "The scale is missing on the way back: what divided the scores divides their gradient.",
            _wrong_gradient(lambda x, q, k, scale, w, d: x.mT @ (_d_scores(w, d) @ k)),
        ),
        Mistake(
            "You left out that a row of weights adds up to 1: raising one lowers the others. "
            "Subtract the weighted mean of d_weights in each row first.",
            _wrong_gradient(lambda x, q, k, scale, w, d: x.mT @ ((w * d) @ k * scale)),
        ),
        Mistake(
            "w * (1 - w) is the derivative of a weight by its own score only. Every weight of the "
            "row depends on every score of the row.",
            _wrong_gradient(lambda x, q, k, scale, w, d: x.mT @ ((w * (1 - w) * d) @ k * scale)),
        ),
        Mistake(
            "You subtracted the plain mean of d_weights. It is the weighted one, with the weights "
            "of the row: the sum of weights * d_weights.",
            _wrong_gradient(
                lambda x, q, k, scale, w, d: (
                    x.mT @ (w * (d - d.mean(dim=-1, keepdim=True)) @ k * scale)
                )
            ),
        ),
        Mistake(
            "The softmax was skipped on the way back: d_weights was used as d_scores.",
            _wrong_gradient(lambda x, q, k, scale, w, d: x.mT @ (d @ k * scale)),
        ),
        Mistake(
            "The weighted mean ran over the wrong axis. A softmax row belongs to a query: dim=-1.",
            _wrong_gradient(
                lambda x, q, k, scale, w, d: x.mT @ (_d_scores(w, d, axis=-2) @ k * scale)
            ),
        ),
        Mistake(
            "That is the gradient of w_k: there the gradient of the scores is transposed and meets "
            "the queries. A query meets keys.",
            _wrong_gradient(lambda x, q, k, scale, w, d: x.mT @ (_d_scores(w, d).mT @ q * scale)),
        ),
        Mistake(
            "This is the gradient of the queries. One step is left, to the matrix that made them: "
            "x.mT @ d_q.",
            _wrong_gradient(lambda x, q, k, scale, w, d: _d_scores(w, d) @ k * scale),
        ),
        Mistake(
            "x is not transposed. With as many words as numbers in a word nothing stops you.",
            _wrong_gradient(lambda x, q, k, scale, w, d: x @ (_d_scores(w, d) @ k * scale)),
        ),
    ),
    alternatives=(
        _gradient_by_autograd,
        _gradient_by_jacobian,
        _gradient_by_differences,
        lambda *given: gradient_of_w_q(*given).numpy(),
    ),
    hints=(
        "Go backwards, one line at a time: weights, scores, q, w_q. Which shape has the gradient "
        "of each?",
        "Softmax, row by row: d_scores = weights * (d_weights - mean), where mean is the sum of "
        "weights * d_weights over the row. Scores are q @ k.mT * scale, so d_q is d_scores @ k "
        "* scale.",
        "d_scores = weights * (d_weights - ...); d_q = ... @ k * ...; return x.mT @ ...",
    ),
    minutes=12,
    stars=3,
    depth=True,
)

RANK_AFTER = Bet(
    "rank_after",
    question="128 words, keys and queries only 4 numbers wide. The table of scores, 128 by 128, "
    "has rank 4: all of its rows can be built from 4 of them. Which rank has the table of weights, "
    "after the softmax (in float64)?",
    answer=Number(0, 128, near=8, format="{:.0f}"),
    why="exp, taken number by number, is not linear: exponentials of rows that 4 rows can build "
    "cannot be built from 4 rows.",
    model_answer="128, all of it. Softmax takes exp number by number, and no few rows can follow. "
    "So narrow keys limit which tables of scores there can be, and still every word can have a row "
    "of weights that no others make up.",
    depth=True,
)

SCALED_SPREAD = Bet(
    "scaled_spread",
    question="Words with variance 1 in 768 numbers; w_q and w_k, 768 by 64, start as Xavier's rule "
    "says, variance 2 / (768 + 64). The scores are divided by the root of 64, as they should be. "
    "What is their variance?",
    answer=Number(0, 20, near=0.5, format="{:.1f}"),
    why="Each number of a query has variance 768 · 2 / 832 = 1.85, not 1; of a key too.",
    model_answer="Xavier's rule is a compromise between the way forward, which would need 1/768, "
    "and the way back, which would need 1/64. Both hold only for square matrices. The variance of "
    "a scaled score is that of a query's number times that of a key's: 1.85 squared, 3.4.",
    depth=True,
)

FAR_BACK = Bet(
    "far_back",
    question="A recurrent network, fresh from PyTorch's rule, reads 100 words one after the other. "
    "How strongly does its last output depend on the first word, compared with the last one? Say "
    "by how many powers of ten it is weaker (3 means a thousandth).",
    answer=Number(0, 100, unit="powers of ten", near=6, format="{:.0f}"),
    why="The effect passes through 99 steps, and each of them multiplies it by about .47.",
    model_answer="Over 30: a third of a power of ten is lost at each step, and 99 steps follow one "
    "another. Trained networks do better than fresh ones, but they have to learn through this. In "
    "attention the first word is one step away, like every other.",
    depth=True,
)

chapter = Chapter(
    "05_queries_keys_values",
    exercises=(
        STRANGERS_MATCH,
        SCALED_SCORES,
        ATTEND,
        SCORES_FOR,
        CROSS_ATTENTION,
        ONE_WAY,
        ATTENTION,
        MENDED,
        SAME_SCORES,
        GRADIENT_OF_W_Q,
    ),
    bets=(
        PERFECT_STRANGERS,
        WHO_ASKS,
        HALF_SHARP,
        TWO_APPLES,
        FIVE_HUNDRED,
        LOOKS_BACK,
        RANK_AFTER,
        SCALED_SPREAD,
        FAR_BACK,
    ),
)
exercise, bet, settle = chapter.exercise, chapter.bet, chapter.settle
hint, reveal, progress = chapter.hint, chapter.reveal, chapter.progress
