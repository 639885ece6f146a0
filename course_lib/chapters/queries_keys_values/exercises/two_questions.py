"""Exercise `two_questions`: three matrices with which two words take home different things."""

import math

import numpy as np
import torch

from course_lib.chapters.queries_keys_values.bank_slips import (
    ALIKE,
    BANK_TOO_SOFT,
    CROSSED,
    EXCHANGED,
    FINDS_ITSELF,
    FULL,
    HOW_SURE,
    HOW_SURE_AND_ITSELF,
    LOOKS_AWAY,
    LOUDER,
    NOBODY_ASKS,
    NOTHING_HANDED,
    ONE_HANDS_NOTHING,
    ONE_ONLY,
    OTHER_THING,
    OTHERS_ANSWER,
    SAT_TOO_SOFT,
    SHAPES,
    TOO_SOFT,
    TWO_THINGS,
    UNEVEN,
    slip_of_values,
)
from course_lib.chapters.queries_keys_values.two_matrices import matrices
from course_lib.figures.numerals import share
from course_lib.judging.exercise import Caused, Exercise, Mistake, Refused, inputs
from course_lib.judging.verdict import Sentence, sentence

WORDS = np.eye(5) + np.outer([0, 0, 0, 1, 1], np.eye(5)[2])  # river and loan are things, too
SCENES = ((0, 1, 2, 3), (0, 1, 2, 4))  # rows of I, sat, bank and the fourth word
ASKERS = (1, 2)  # places of sat and bank, in the rows and in both sentences
FINDS = (0, 3)  # places in a sentence of what each of them should find
WANTED = ((0, 1), (0, 2))  # for each sentence: what sat and bank should take home
HOME = ("person", "water", "money")
THINGS = {0: 0, 3: 1, 4: 2}  # word: what it should hand over, of person, water, money
MUCH, LITTLE = 0.9, 0.1


def two_questions():
    """Matrices with which sat finds out who, and bank which bank it is.

    rows: person, action, thing, water, money
    returns: w_q (5, 2), w_k (5, 2), w_v (5, 3): person, water, money
    """
    w_q, w_k, w_v = torch.zeros(5, 2), torch.zeros(5, 2), torch.zeros(5, 3)
    # SOLUTION
    w_q[1, 0] = w_q[2, 1] = 5  # an action asks with the first column, a thing with the second
    w_k[0, 0] = w_k[3, 1] = w_k[4, 1] = 1  # a person answers actions; water and money, things
    w_v[0, 0] = w_v[3, 1] = w_v[4, 2] = 1  # a person, water, money
    return w_q, w_k, w_v
    # STUB
    # w_q[1, 0] = 5  # an action asks in column 0: who? The 5 makes its weights sharp
    # w_k[0, 0] = 1  # there a person answers
    # w_v[0, 0] = 1  # and hands over: person
    # # w_q[2, ?] = ?  # and a thing: which bank? In column 0, too, or in one of its own?
    # return ..., ..., ...  # w_q, w_k, w_v
    # END SOLUTION


def _filled(asks, answers, hands):
    """w_q, w_k and w_v from the rows that are not 0, by their numbers."""
    made = torch.zeros(5, 2), torch.zeros(5, 2), torch.zeros(5, 3)
    for matrix, rows in zip(made, (asks, answers, hands), strict=True):
        for row, value in rows.items():
            matrix[row] = torch.tensor(value).float()
    return made


ASK = {1: [5, 0], 2: [0, 5]}
ANSWER = {0: [1, 0], 3: [0, 1], 4: [0, 1]}
HAND = {0: [1, 0, 0], 3: [0, 1, 0], 4: [0, 0, 1]}


def _looks(w_q, w_k, w_v) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of sat and bank in both sentences: scores, weights (2, 2, 4) and the output (2, 2, 3)."""
    q, k, v = (WORDS @ one for one in (w_q, w_k, w_v))
    rows = [list(words) for words in SCENES]
    asks = q[list(ASKERS)]
    scores = np.stack([asks @ k[words].T for words in rows]) / math.sqrt(q.shape[1])
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = raised / raised.sum(axis=-1, keepdims=True)
    home = [row @ v[words] for row, words in zip(weights, rows, strict=True)]
    return scores, weights, np.stack(home)


def _each_takes_home_its_thing(got, want, case) -> bool | str:
    made = matrices(got["output"], "w_q", "w_k", "w_v")
    if isinstance(made, str):
        return made
    w_q, w_k, w_v = made
    fits = w_q.shape == w_k.shape and w_q.ndim == 2 and len(w_q) == 5 and w_q.size
    if not fits or w_v.shape != (5, 3):
        return SHAPES
    scores, weights, home = _looks(w_q, w_k, w_v)
    own = np.take_along_axis(home, np.array(WANTED)[..., None], axis=-1)
    told = (own[..., 0] >= MUCH - 1e-6) & ((home <= LITTLE + 1e-6).sum(axis=-1) == 2)
    if told.all():
        return True
    found, why = _why_not_found(w_q, w_k, scores)
    soft = ~told & (weights.max(axis=-1) < MUCH)  # (sentence, asker)
    return _why_not_told(soft.any(axis=0), w_v) if found else why


def _why_not_found(w_q, w_k, scores) -> tuple[bool, str]:
    """Whether sat and bank prefer their words in both sentences; else also what is wrong."""
    silent = ~w_q[list(ASKERS)].any(axis=1)
    if silent.any():
        turned = w_q[[0, 3, 4]].any(axis=1).all() and w_k[list(ASKERS)].any(axis=1).all()
        return False, EXCHANGED if silent.all() and turned else NOBODY_ASKS
    if w_k.any() and not np.ptp(w_k, axis=0).any():
        return False, FULL
    place = np.array(FINDS)[None, :, None]
    own = np.take_along_axis(scores, place.repeat(2, axis=0), axis=-1)[..., 0]
    others = scores.copy()
    np.put_along_axis(others, place.repeat(2, axis=0), -np.inf, axis=-1)
    found = own > others.max(axis=-1) + 1e-9  # (sentence, asker)
    if found.all():
        return True, ""
    if scores.any() and np.allclose(scores[:, 0], scores[:, 1]):
        return False, ALIKE
    if (scores.argmax(axis=-1) == FINDS[::-1]).all():
        return False, CROSSED
    bank = scores[:, 1]
    itself = (bank[:, 2] >= bank.max(axis=-1) - 1e-9) & (np.ptp(bank, axis=-1) > 1e-9)
    if found[:, 0].all() and itself.any():
        return False, FINDS_ITSELF
    if found[:, 0].all() and found[:, 1].any():
        return False, ONE_ONLY
    lowest = own <= scores.min(axis=-1) + 1e-9
    return False, LOOKS_AWAY if lowest.all() and np.ptp(scores, axis=-1).all() else OTHERS_ANSWER


def _why_not_told(soft, w_v) -> str:
    """What is wrong with what is taken home, where each finds its word; soft: sat, bank."""
    if not w_v.any():
        return NOTHING_HANDED
    hands = WORDS @ w_v
    if slip := slip_of_values(hands, THINGS):
        return slip
    if not soft.any():
        return UNEVEN
    wide = {row: hands[row, thing] for row, thing in THINGS.items()}
    alone = np.count_nonzero(hands) == len(wide)  # each hands over its thing and nothing else
    if alone and min(wide.values()) > 1:
        return LOUDER
    return TOO_SOFT if soft.all() else SAT_TOO_SOFT if soft[0] else BANK_TOO_SOFT


def _what_they_take_home(got, case):
    """Person, water and money: of sat and bank beside the river, and beside the loan."""
    home = _looks(*matrices(got["output"], "w_q", "w_k", "w_v"))[2]
    rest = f"{MUCH:g} or more, and {LITTLE:g} or less of the two others"
    who = [f"{who} beside {fourth}" for fourth in ("river", "loan") for who in ("Sat", "Bank")]
    return tuple(
        Caused(f"{one} takes home {', '.join(HOME)}", row, f"{HOME[thing]} {rest}")
        for one, row, thing in zip(who, home.reshape(4, 3).round(2), sum(WANTED, ()), strict=True)
    )


def _how_sure(got, case) -> Sentence:
    """The least weight that the answer to a question gets, as the picture rounds it; none is 1.

    Also, whether bank answers itself, which a right answer may allow.
    """
    scores, weights, _ = _looks(*matrices(got["output"], "w_q", "w_k", "w_v"))
    least = min(weights[:, [0, 1], FINDS].min().round(2), 0.99)
    return sentence(
        HOW_SURE_AND_ITSELF if scores[0, 1, 2] > 0 else HOW_SURE,
        least=share(least),
    )


def _full_columns():
    made = _filled(ASK, {}, HAND)
    made[1][...] = 1
    return made


def _without_the_loan():  # written as a learner would: the page shows it in a question
    w_q, w_k, w_v = torch.zeros(5, 2), torch.zeros(5, 2), torch.zeros(5, 3)
    w_q[1, 0] = w_q[2, 1] = 5
    w_k[0, 0] = w_k[3, 1] = 1
    w_v[0, 0] = w_v[3, 1] = w_v[4, 2] = 1
    return w_q, w_k, w_v


TWO_QUESTIONS = Exercise(
    answer=two_questions,
    cases=(lambda rng: inputs(),),
    accept=_each_takes_home_its_thing,
    open_answer=True,
    effect=_what_they_take_home,
    mistakes=(
        Mistake(
            TOO_SOFT,
            lambda: _filled({1: [1, 0], 2: [0, 1]}, ANSWER, HAND),
            also=(lambda: _filled({1: [4, 0], 2: [0, 4]}, ANSWER, HAND),),
        ),
        Mistake(BANK_TOO_SOFT, lambda: _filled({1: [5, 0], 2: [0, 1]}, ANSWER, HAND)),
        Mistake(SAT_TOO_SOFT, lambda: _filled({1: [1, 0], 2: [0, 5]}, ANSWER, HAND)),
        Mistake(
            ALIKE,
            lambda: _filled({1: [5, 5], 2: [5, 5]}, ANSWER, HAND),
            also=(lambda: _filled({1: [5, 0], 2: [5, 0]}, ANSWER, HAND),),
        ),
        Mistake(OTHER_THING, lambda: _filled(ASK, ANSWER, {**HAND, 3: [0, 0, 1], 4: [0, 1, 0]})),
        Mistake(
            TWO_THINGS,
            lambda: _filled(ASK, ANSWER, {0: [1, 0, 0], 3: [0, 1, 1], 4: [0, 1, 1]}),
            also=(lambda: _filled(ASK, ANSWER, {0: [1, 0, 0], 2: [0, 1, 1]}),),
        ),
        Mistake(
            ONE_HANDS_NOTHING,
            lambda: _filled(ASK, ANSWER, {0: [1, 0, 0], 3: [0, 1, 0]}),
            also=(lambda: _filled(ASK, ANSWER, {1: [1, 0, 0], 2: [0, 1, 1]}),),
        ),
        Mistake(NOTHING_HANDED, lambda: _filled(ASK, ANSWER, {})),
        Mistake(
            UNEVEN,
            lambda: _filled(ASK, ANSWER, {0: [1, 0, 0], 3: [0, 1, 0.5], 4: [0, 0.5, 1]}),
            also=(
                lambda: _filled(ASK, ANSWER, {**HAND, 0: [0.5, 0, 0]}),
                lambda: _filled(ASK, ANSWER, {**HAND, 2: [0, 0.5, 0.5]}),
            ),
        ),
        Mistake(
            LOUDER,
            lambda: _filled(
                {1: [1, 0], 2: [0, 1]},
                ANSWER,
                {row: [3 * one for one in told] for row, told in HAND.items()},
            ),
        ),
        Mistake(
            ONE_ONLY,
            _without_the_loan,
            also=(lambda: _filled(ASK, {0: [1, 0], 3: [0, 1], 4: [0, -1]}, HAND),),
        ),
        Mistake(
            FINDS_ITSELF,
            lambda: _filled(ASK, {0: [1, 0], 2: [0, 1]}, HAND),
            also=(lambda: _filled(ASK, {0: [1, 0], 2: [0, 1], 3: [0, 1]}, HAND),),
        ),
        Mistake(NOBODY_ASKS, lambda: _filled({2: [0, 5]}, ANSWER, HAND)),
        Mistake(EXCHANGED, lambda: _filled(ANSWER, ASK, HAND)),
        Mistake(CROSSED, lambda: _filled({1: [0, 5], 2: [5, 0]}, ANSWER, HAND)),
        Mistake(
            OTHERS_ANSWER,
            lambda: _filled(ASK, {**ANSWER, 2: [1, 1]}, HAND),
            also=(lambda: _filled(ASK, {}, HAND),),
        ),
        Mistake(LOOKS_AWAY, lambda: _filled({1: [-5, 0], 2: [0, -5]}, ANSWER, HAND)),
        Mistake(FULL, _full_columns),
        Mistake(
            SHAPES,
            lambda: tuple(one.T for one in _filled(ASK, ANSWER, HAND)),
            also=(lambda: (*_filled(ASK, ANSWER, HAND)[:2], torch.eye(5)[:, :2]),),
        ),
    ),
    refused=(
        Refused(lambda: (*_filled(ASK, ANSWER, HAND)[:2], ...), "still returns `...`"),
        Refused(lambda: _filled(ASK, ANSWER, HAND)[:2], "Return three matrices"),
        Refused(lambda: _filled({**ASK, 1: [math.inf, 0]}, ANSWER, HAND), "not finite"),
    ),
    alternatives=(
        lambda: _filled({1: [1, 0], 2: [0, 1]}, {0: [6, 0], 3: [0, 5], 4: [0, 7]}, HAND),
        lambda: _filled(  # one direction is enough, where the signs differ
            {1: [6, 0], 2: [-6, 0]}, {0: [1, 0], 3: [-1, 0], 4: [-1, 0]}, HAND
        ),
        lambda: _filled(  # things answer, and things of water or money twice as much
            ASK, {0: [1, 0], 2: [0, 1], 3: [0, 1], 4: [0, 1]}, HAND
        ),
        lambda: _filled(ASK, {0: [1, 0], 2: [0, -1], 3: [0, 2], 4: [0, 2]}, HAND),
        lambda: _filled(  # softer, with larger values
            {1: [4, 0], 2: [0, 4]}, ANSWER, {0: [1.2, 0, 0], 3: [0, 1.2, 0], 4: [0, 0, 1.2]}
        ),
        lambda: tuple(one.numpy() for one in _filled(ASK, ANSWER, HAND)),
        lambda: [one.tolist() for one in _filled(ASK, ANSWER, HAND)],
        lambda: _filled({**ASK, 0: [3, 3], 3: [0, 2]}, ANSWER, {**HAND, 1: [0.1, 0, 0]}),
        lambda: (8 * torch.eye(5)[:, [1, 2, 2]], *[torch.eye(5)[:, [0, 3, 4]]] * 2),
    ),
    hints=(
        "Which two words should answer bank? What have these two that bank has not?",
        "An action asks in column 0, so let a thing ask in column 1. Which two traits answer "
        "there? And what does each of these two hand over?",
        "w_q[2, 1] = ...; w_k[3, 1] = w_k[4, 1] = 1; w_v[3, 1] = ... With "
        "queries of 1 the right word gets .40 of the weight, with queries of 4 it gets .85.",
    ),
    reward=_how_sure,
    minutes=4,
    stars=2,
)
