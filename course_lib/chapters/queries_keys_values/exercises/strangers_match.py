"""Exercise `strangers_match`: matrices with which every capital finds its own country."""

import numpy as np
import torch

from course_lib.chapters.queries_keys_values.two_matrices import two_matrices
from course_lib.judging.exercise import Caused, Exercise, Mistake, Refused, inputs
from course_lib.judging.verdict import Sentence, sentence


def strangers_match():
    """Matrices with which every capital finds its own country.

    returns: w_q (8, 4), w_k (8, 4), each [word, column]
    """
    w_q, w_k = torch.zeros(8, 4), torch.zeros(8, 4)
    # SOLUTION
    for i in range(4):
        w_q[i, i] = 1  # capital i asks with direction i
        w_k[i + 4, i] = 1  # country i answers to direction i
    return w_q, w_k
    # STUB
    # w_q[0, 0] = 1  # Paris asks with column 0
    # # w_k[?, ?] = 1  # who answers Paris, and in which column?
    # return ..., ...  # w_q, w_k
    # END SOLUTION


WORDS = ("Paris", "Rome", "Tokyo", "Cairo", "France", "Italy", "Japan", "Egypt")
EYE, NOTHING = torch.eye(4), torch.zeros(4, 4)


def _eyes(q_top, q_bottom, k_top, k_bottom):
    return _stacked(q_top * EYE, q_bottom * EYE), _stacked(k_top * EYE, k_bottom * EYE)


def _stacked(top, bottom):
    return torch.cat([top, bottom])


def _rotation(d):
    square = np.random.default_rng(0).normal(size=(d, d))
    return torch.linalg.qr(torch.from_numpy(square).float())[0]


def _full_rows():
    w_q, w_k = torch.zeros(8, 4), torch.zeros(8, 4)
    for i in range(4):
        w_q[i, ...] = 1
        w_k[i + 4, i] = 1
    return w_q, w_k


def _first_column():
    return torch.eye(4)[:1].expand(8, 4)


def _answers_to_itself():
    w_q, w_k = torch.zeros(8, 4), torch.zeros(8, 4)
    for i in range(4):
        w_q[i, i] = w_k[i, i] = w_k[i + 4, i] = 1
    return w_q, w_k


SHAPE_8_4 = (
    "Each matrix needs 8 rows, a row for each word, and 4 columns: shape (8, 4). "
    "Yours have another shape."
)

FULL_ROW = (
    "A row of yours holds the same number four times, so it has no column of its own. "
    "In an index `...` stands for all columns: w_q[0, ...] = 1 fills the whole row. Name one "
    "column, as in w_q[0, 0] = 1."
)

ALL_LEVEL = (
    "Every score of Paris is the same, so it finds no word. Its country should answer in the "
    "column in which Paris asks: where row 0 of w_q holds a number, row 4 of w_k needs one, too."
)

ALL_ANSWER = (
    "Every score of Paris is the same: all eight words answer it alike, so it finds none. In the "
    "column in which Paris asks, w_k needs a number in row 4, and 0 elsewhere. In an index `:` "
    "stands for all rows: w_k[:, 0] = 1 lets every word answer."
)

AT_ITSELF = (
    "A capital scores itself as high as its country, or higher, so it answers its own question. "
    "Leave the rows of the capitals in w_k at 0, say, and let those of the countries answer."
)

EXCHANGED = (
    "It works the other way round: each country finds its capital. The asking capitals belong into "
    "w_q, the answering countries into w_k."
)

NOT_ITS_COUNTRY = (
    "A capital's largest score does not stand at its own country. Let the row of a capital in w_q "
    "and the row of its country in w_k point the same way, and those of other countries elsewhere."
)

ANOTHER_COUNTRY = (
    "A capital's largest score stands at another country than its own. Rows are in the order of "
    "`names`: row 4 of w_k belongs to France, row 5 to Italy, row 6 to Japan, row 7 to Egypt."
)

COUNTRIES_ALIKE = (
    "For each capital all four countries score the same, so none of them is found. Give each "
    "country a column of its own, and its capital the same."
)

NOT_ALL = (
    "Some capitals find their country, and others do not yet. Each of the four needs its row in "
    "w_q and the row of its country in w_k."
)

TOO_SMALL = "Each capital prefers its country by less than .1. Make the entries larger."


def _each_finds_its_country(got, want, case) -> bool | str:
    both = two_matrices(got["output"], "w_q", "w_k")
    if isinstance(both, str):
        return both
    w_q, w_k = both
    if w_q.shape != (8, 4) or w_k.shape != (8, 4):
        return SHAPE_8_4
    why = _why_not(w_q, w_k)
    return (FULL_ROW if _has_full_row(w_q[:4], w_k[4:]) else why) if why else True


def _has_full_row(*matrices) -> bool:
    """Whether a row of capitals that ask or countries that answer is one number throughout."""
    rows = np.concatenate(matrices)
    return bool(((np.ptp(rows, axis=1) < 1e-9) & rows.any(axis=1)).any())


def _why_not(w_q, w_k) -> str:
    """What keeps the capitals from their countries; "" where each finds its own."""
    scores = w_q @ w_k.T  # the words are one-hot, so a word times a matrix is a row of it
    capitals = np.arange(4)
    if np.ptp(scores[0]) < 1e-9:
        back = scores[4:, :4]
        found = (back.argmax(axis=1) == capitals).all() and np.ptp(back, axis=1).min() > 1e-9
        return EXCHANGED if found else ALL_ANSWER if scores[0].any() else ALL_LEVEL
    at_country = scores[capitals, capitals + 4]
    others = scores[:4].copy()
    others[capitals, capitals + 4] = -np.inf
    if (others.max(axis=1) >= at_country - 1e-9).any():
        own, rest = scores[capitals, capitals], others.copy()
        rest[capitals, capitals] = -np.inf
        alike = (own >= at_country - 1e-9) & (own > rest.max(axis=1) + 1e-9)
        return AT_ITSELF if alike.any() else _why_not_its_country(scores[:4])
    if (at_country - others.max(axis=1)).min() < 0.1:
        return TOO_SMALL
    return ""


def _why_not_its_country(scores) -> str:
    """The sentence for the scores of the capitals, some of which do not find their country."""
    countries, own = scores[:, 4:], scores[np.arange(4), np.arange(4) + 4]
    if np.ptp(countries, axis=1).max() < 1e-9:
        return COUNTRIES_ALIKE
    others = scores.copy()
    others[np.arange(4), np.arange(4) + 4] = -np.inf
    found = own > others.max(axis=1) + 1e-9
    if found.any():
        return NOT_ALL
    best = scores.argmax(axis=1)
    clear = np.sort(scores, axis=1)[:, -1] > np.sort(scores, axis=1)[:, -2] + 1e-9
    if (clear & (best >= 4)).all():
        return ANOTHER_COUNTRY
    return NOT_ITS_COUNTRY


def _scores_of_capitals(got, case):
    """The scores of each capital, a name before each number."""
    w_q, w_k = two_matrices(got["output"], "w_q", "w_k")
    if w_q.shape != (8, 4) or w_k.shape != (8, 4):
        raise ValueError("other shapes make other scores")
    return tuple(
        Caused(
            f"{capital} scores",
            ", ".join(f"{word} {score:.3g}" for word, score in zip(WORDS, row, strict=True)),
            f"{country} the largest, by .1 or more",
        )
        for capital, country, row in zip(WORDS[:4], WORDS[4:], w_q[:4] @ w_k.T, strict=True)
    )


def _how_few(got, case) -> Sentence:
    """How many of the numbers do the work, and whether one matrix served as both."""
    made = two_matrices(got["output"], "w_q", "w_k")
    if np.array_equal(*made):
        return sentence(
            "One matrix served you as both, so each of your scores is the same both ways: France "
            "scores as much with Paris as Paris with France."
        )
    return sentence(
        "{count} of your 64 numbers are not 0, and the words themselves are as unlike as before.",
        count=sum(np.count_nonzero(one) for one in made),
    )


STRANGERS_MATCH = Exercise(
    answer=strangers_match,
    cases=(lambda rng: inputs(),),
    accept=_each_finds_its_country,
    open_answer=True,
    effect=_scores_of_capitals,
    mistakes=(
        Mistake(
            AT_ITSELF,
            _answers_to_itself,
            also=(lambda: (torch.eye(8)[:, :4], torch.eye(8)[:, :4]),),
        ),
        Mistake(EXCHANGED, lambda: _eyes(0, 1, 1, 0)),
        Mistake(
            ALL_LEVEL,
            lambda: (torch.zeros(8, 4), torch.zeros(8, 4)),
        ),
        Mistake(
            ALL_ANSWER,
            lambda: (_stacked(EYE, EYE), _stacked(EYE[:1].expand(4, 4), EYE[:1].expand(4, 4))),
            also=(lambda: (_first_column(), _first_column()),),
        ),
        Mistake(
            FULL_ROW,
            _full_rows,
            also=(
                lambda: (torch.ones(8, 4), torch.ones(8, 4)),
                lambda: (_stacked(EYE, NOTHING), _stacked(NOTHING, NOTHING + 1)),
                lambda: (_stacked(NOTHING + 1, NOTHING), _stacked(NOTHING, EYE)),
            ),
        ),
        Mistake(
            NOT_ITS_COUNTRY,
            lambda: _eyes(1, 0, 0, -1),
        ),
        Mistake(
            ANOTHER_COUNTRY,
            lambda: (_stacked(EYE, NOTHING), _stacked(NOTHING, EYE.flip(0))),
            also=(lambda: (_stacked(EYE, NOTHING), _stacked(NOTHING, EYE.roll(1, 0))),),
        ),
        Mistake(
            COUNTRIES_ALIKE,
            lambda: (
                _stacked(EYE[:1].expand(4, 4), NOTHING),
                _stacked(NOTHING, EYE[:1].expand(4, 4)),
            ),
        ),
        Mistake(
            NOT_ALL,
            lambda: (_stacked(EYE * EYE[0], NOTHING), _stacked(NOTHING, EYE * EYE[0])),
        ),
        Mistake(
            SHAPE_8_4,
            lambda: (torch.eye(8), torch.eye(8)),
            also=(lambda: tuple(one.T for one in _eyes(1, 0, 0, 1)),),
        ),
        Mistake(TOO_SMALL, lambda: _eyes(0.2, 0, 0, 0.2)),
    ),
    refused=(
        Refused(lambda: (_stacked(EYE, NOTHING), ...), "still returns `...`"),
        Refused(lambda: _stacked(EYE, NOTHING), "Return two matrices"),
        Refused(lambda: (_stacked(EYE, NOTHING) * torch.inf, _stacked(NOTHING, EYE)), "not finite"),
    ),
    alternatives=(
        lambda: _eyes(1, 0, 0, 1),
        lambda: [[[float(x) for x in row] for row in one] for one in _eyes(3, 0, 0, 1)],
        lambda: tuple(one.numpy() for one in _eyes(2, 0, -1, 2)),
        lambda: _eyes(-1, 1, 1, -1),
        lambda: tuple(one @ _rotation(4) for one in _eyes(1, 0, 0, 1)),
        lambda: (torch.eye(8)[:, :4], torch.eye(8)[:, 4:]),
        lambda: _eyes(1, 1, 0, 1),
        lambda: _eyes(1, 2, 1, 2),  # one matrix as both: a country then prefers itself
        lambda: _eyes(1, 0, -1, 1),
        lambda: tuple(one.half() for one in _eyes(1, 0, 0, 1)),
        lambda: torch.stack(_eyes(1, 0, 0, 1)),
        lambda: (_stacked(EYE, NOTHING).requires_grad_(), _stacked(NOTHING, EYE)),
        lambda: (_stacked(EYE.flip(0), NOTHING), _stacked(NOTHING, EYE.flip(0))),
    ),
    hints=(
        "Paris with France should score 1, and Paris with Paris 0. In column 0 of w_k, which row "
        "holds a 1, and which must not?",
        "Four columns are four directions. Give each capital one of them in w_q, and the same "
        "direction to its country in w_k. What should the key of a capital be?",
        "Eight lines are enough. Two of them are w_q[0, 0] = 1, for Paris, and w_k[4, 0] = 1, for "
        "France. In one line each: w_q = torch.cat([torch.eye(4), torch.zeros(4, 4)]); w_k = "
        "torch.cat([..., ...])",
    ),
    reward=_how_few,
    minutes=4,
    stars=1,
)
