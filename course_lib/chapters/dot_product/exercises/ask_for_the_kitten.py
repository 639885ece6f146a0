"""Exercise `ask_for_the_kitten`: a query of two wishes, with which one key of four is heard."""

import numpy as np

from course_lib.judging.exercise import Caused, Exercise, Mistake, Refused, inputs
from course_lib.judging.verdict import Sentence, sentence
from course_lib.kernels.softmax import softmax

WORDS = ("kitten", "puppy", "pear", "tree")
KEYS = np.array(
    [[2, -1, -1, -2], [2, 3, -1, -1], [-2, -1, 2, -1], [-2, -1, -1, 4]]
)  # the chapter's
KITTEN, PUPPY, ENOUGH, LARGEST = WORDS.index("kitten"), WORDS.index("puppy"), 0.9, 1
ASKED = (  # what a number above zero asks for, and one below, trait by trait
    ("an animal", "something that is no animal"),
    ("barking", "something that does not bark"),
    ("a fruit", "something that is no fruit"),
    ("something big", "something small"),
)


def ask_for_the_kitten(keys):
    """A query with which the kitten gets a weight above 0.9.

    keys: (4, 4), a row each for kitten, puppy, pear and tree; the columns are animal, barks, fruit
    and big; you need not use them.   returns: (4,), a number from -1 to 1 for each column
    """
    # SOLUTION
    return np.array([1, -1, 0, 0])
    # STUB
    # return ...  # your code here
    # END SOLUTION


WRONG_COUNT = (
    "A query is one list of four numbers, such as [1, 0, 0, 0]: animal, barks, fruit, big."
)

NOT_FINITE = "A number of your query is not finite. Each is to lie between -1 and 1."

TOO_LOUD = (
    "A number of your query lies outside of -1 to 1. You need no louder question, but one that "
    "asks for two things."
)

RIGHT_BUT_LOUD = (
    "A number of your query lies outside of -1 to 1. The direction is right: make it quieter. "
    "Divide all four numbers by the same one, until each lies between -1 and 1."
)

ALL_LEVEL = "You asked for nothing: all four scores are the same, so each word gets a quarter."

OTHER_WINS = (
    "The {word} has {share:.3f}: you asked for {what}. In which traits does the kitten differ from "
    "the {word}?"
)

SHARED = (
    "The kitten and the {word} have the same score, so neither gets more than half. In which "
    "traits do they differ? Ask for one of these as well, or against it, with a minus."
)

SHARED_BY_THREE = (
    "The kitten, the {word} and the {other} have the same score, so none gets more than a third. "
    "In which traits does the kitten differ from them? Ask for these as well, or against them, "
    "with a minus."
)

CLOSE_BEHIND = (
    "The kitten leads with {share:.3f}, but the {word} has {second:.3f}. In which other trait "
    "do they differ? Ask for it as well, or against it, with a minus."
)

TWO_CLOSE_BEHIND = (
    "The kitten leads with {share:.3f}, but the {word} and the {other} have {second:.3f} each. In "
    "which traits does the kitten differ from them? Ask for these as well, or against them, with a "
    "minus."
)

TOO_QUIET = (
    "The kitten leads, but it gets only {share:.3f}. The direction is right. Make all your numbers "
    "larger: twice the query, twice the lead in score."
)

BEST_SHARE = float(softmax(KEYS @ (1, -1, -1, -1))[KITTEN])  # each number helps as much as it can

FOUND = (
    "Your query gets the kitten a weight of {share:.3f}. (The best one gets {best:.3f}: can you "
    "find it? None gets 1: softmax leaves each word a weight above 0.) In a model nobody writes "
    "the queries. Training finds them, little by little."
)

BEST = (
    "Your query gets the kitten a weight of {share:.3f}, and no other query gets it more. (None "
    "gets 1: softmax leaves each word a weight above 0. The puppy, which scores {behind:.3g} less, "
    "keeps {rest:.3f}.) In a model nobody writes the queries. Training finds them, little by "
    "little."
)


def _helped_most(q: np.ndarray, winner: int) -> str:
    """What the query asks for that helps the winner most against the kitten."""
    trait = int(np.argmax(q * (KEYS[winner] - KEYS[KITTEN])))
    return ASKED[trait][int(q[trait] < 0)]


def _query(got) -> np.ndarray | None:
    try:
        query = np.asarray(got["output"], dtype=float)
    except (TypeError, ValueError):
        return None
    return query if query.shape == (len(KEYS[0]),) else None


def _finds_the_kitten(got, want, case) -> bool | str | Sentence:
    """Accepts any query that the kitten answers, or says who answers it and why."""
    query = _query(got)
    if query is None:
        return WRONG_COUNT
    if not np.isfinite(query).all():
        return NOT_FINITE
    if np.abs(query).max() > LARGEST + 1e-9:
        return RIGHT_BUT_LOUD if _right_at_its_loudest(query) else TOO_LOUD
    if softmax(KEYS @ query)[KITTEN] > ENOUGH:
        return True
    return _what_is_missing(query)


def _right_at_its_loudest(query: np.ndarray) -> bool:
    """Whether the kitten gets enough where the largest number is made 1 or -1."""
    loudest = query / np.abs(query).max() * LARGEST
    return bool(softmax(KEYS @ loudest)[KITTEN] > ENOUGH)


def _what_is_missing(query: np.ndarray) -> str | Sentence:
    """Who takes what the kitten should get."""
    scores = KEYS @ query
    weights = softmax(scores)
    if np.ptp(scores) < 1e-9:
        return ALL_LEVEL
    others = np.where(np.arange(len(scores)) == KITTEN, -np.inf, scores)
    best = int(np.argmax(others))
    word, ahead = WORDS[best], scores[KITTEN] - scores[best]
    _, *level = np.flatnonzero(np.abs(others - scores[best]) < 1e-9)
    if abs(ahead) < 1e-9:
        if level:
            return sentence(SHARED_BY_THREE, word=word, other=WORDS[level[0]])
        return sentence(SHARED, word=word)
    if ahead < 0:
        what = _helped_most(query, best)
        return sentence(OTHER_WINS, word=word, share=weights[best], what=what)
    if _right_at_its_loudest(query):
        return sentence(TOO_QUIET, share=weights[KITTEN])
    told = {"share": weights[KITTEN], "word": word, "second": weights[best]}
    if level:
        return sentence(TWO_CLOSE_BEHIND, other=WORDS[level[0]], **told)
    return sentence(CLOSE_BEHIND, **told)


def _told(got, case) -> Sentence:
    """How much the query gets for the kitten, and whether another one gets more."""
    scores = KEYS @ _query(got)
    share, rest = softmax(scores)[[KITTEN, PUPPY]]
    if share > BEST_SHARE - 5e-4:
        return sentence(BEST, share=share, rest=rest, behind=scores[KITTEN] - scores[PUPPY])
    return sentence(FOUND, share=share, best=BEST_SHARE)


def _weights_that_follow(got, case):
    """What the four words get with this query."""
    query = _query(got)
    if query is None:
        raise ValueError("another count of numbers makes no weights")
    asked = "the first one, of the kitten, above 0.9"
    return (
        Caused("Weights of kitten, puppy, pear and tree", softmax(KEYS @ query).round(3), asked),
    )


ASK_FOR_THE_KITTEN = Exercise(
    answer=ask_for_the_kitten,
    cases=(lambda rng: inputs(KEYS.copy()),),
    accept=_finds_the_kitten,
    open_answer=True,
    effect=_weights_that_follow,
    reward=_told,
    mistakes=(  # what hangs on the query is told by the acceptance, in `refused`
        Mistake(TOO_LOUD, lambda keys: np.array([0, 0, 0, -4]), also=(lambda keys: [2, 0, 0, 0],)),
        Mistake(RIGHT_BUT_LOUD, lambda keys: keys[0], also=(lambda keys: [2, -2, 0, 0],)),
        Mistake(ALL_LEVEL, lambda keys: np.zeros(4)),
        Mistake(
            WRONG_COUNT,
            lambda keys: 3,
            also=(lambda keys: softmax(keys @ keys[0])[None], lambda keys: keys[:, :1]),
        ),
    ),
    refused=(
        Refused(lambda keys: [1, -1, 0, -np.inf], "not finite"),
        Refused(lambda keys: [1, np.nan, 0, 0], "not finite"),
        Refused(lambda keys: ["kitten", -1, 0, 0], "no array of numbers"),
        Refused(lambda keys: [1, 0, 0, 0], "The kitten and the puppy have the same score"),
        Refused(lambda keys: [1, 0, -1, 0], "The kitten and the puppy have the same score"),
        Refused(lambda keys: [0, -1, 0, 0], "The kitten, the pear and the tree have the same"),
        Refused(lambda keys: [0, -0.5, 0, 0], "The kitten, the pear and the tree have the same"),
        Refused(lambda keys: [0, 0, 0, -1], "the puppy and the pear have 0.212 each"),
        Refused(lambda keys: [1, 0, 0, -1], "leads with 0.727, but the puppy has 0.268"),
        Refused(lambda keys: [1, 1, 0, 0], "The puppy has 0.981: you asked for barking"),
        Refused(lambda keys: [0, 0, 0, 1], "The tree has 0.984: you asked for something big"),
        Refused(lambda keys: [0.5, -0.5, 0, 0], "The kitten leads, but it gets only 0.711"),
        Refused(lambda keys: [1, 1, 1, 1], "you asked for barking"),
        Refused(lambda keys: [0, 0, 1, 0], "The pear has 0.870: you asked for a fruit"),
        Refused(lambda keys: [0, 0, -1, 0], "The kitten, the puppy and the tree"),
        Refused(lambda keys: [1, -1, 0, 1], "you asked for something big"),
    ),
    alternatives=(
        lambda keys: keys[0] / 2,
        lambda keys: [1, -1, 0, -1],
        lambda keys: [0, -1, -1, -1],
        lambda keys: np.array([0.9, -0.9, 0, 0], np.float32),
    ),
    hints=(
        "Ask for an animal first, [1, 0, 0, 0], and work out the four scores on paper. Who has as "
        "much as the kitten?",
        "Kitten and puppy differ most in barks: -1 and 3. A negative number asks against a trait: "
        "times -1, the kitten's -1 becomes 1, and the puppy's 3 becomes -3.",
        "return [..., ..., 0, 0]: for an animal, and against barking. Which of the two "
        "numbers is negative?",
    ),
    minutes=3,
    stars=1,
)
