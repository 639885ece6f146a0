"""Exercise `ask_for_the_tree`: a query of one's own, with which one key out of four is heard."""

import numpy as np

from course_lib.judging.exercise import Caused, Exercise, Mistake, Refused, inputs
from course_lib.judging.verdict import Sentence, sentence
from course_lib.kernels.softmax import softmax

WORDS = ("kitten", "puppy", "pear", "tree")
KEYS = np.array(
    [[2, -1, -1, -2], [2, 3, -1, -1], [-2, -1, 2, -1], [-2, -1, -1, 3]]
)  # the chapter's
TREE, ENOUGH = WORDS.index("tree"), 0.9
ASKED = (  # what a number above zero asks for, and one below, trait by trait
    ("an animal", "something that is no animal"),
    ("barking", "something that does not bark"),
    ("a fruit", "something that is no fruit"),
    ("something big", "something small"),
)


def ask_for_the_tree(keys):
    """A query with which the tree gets more than 0.9 of the weight.

    keys: (4, 4), a row each for kitten, puppy, pear and tree; the columns are animal, barks, fruit
    and big.   returns: (4,), a number for each column
    """
    # SOLUTION
    return np.array([0, 0, 0, 1])
    # STUB
    # return ...  # your code here
    # END SOLUTION


WRONG_COUNT = (
    "A query is one list of four numbers, such as [1, 0, 0, 0]: animal, barks, fruit, big."
)

NOT_FINITE = "A number of your query is not finite. Numbers as small as 3 do what you want."

ALL_LEVEL = "You asked for nothing: all four scores are the same, so each word gets a quarter."

OTHER_WINS = "The {word} has {share:.2f}: you asked for {what}. Ask for what the tree alone has."

SHARED = (
    "The tree and the {word} have the same score, so neither gets more than half. Which trait does "
    "the tree alone have? Ask for that as well."
)

TOO_QUIET = (
    "The tree leads, but it gets only {share:.2f}. The direction is right. Make all your numbers "
    "larger: twice the query, twice the lead in score."
)


def _helped_most(q: np.ndarray, winner: int) -> str:
    """What the query asks for that helps the winner most against the tree."""
    trait = int(np.argmax(q * (KEYS[winner] - KEYS[TREE])))
    return ASKED[trait][int(q[trait] < 0)]


def _query(got) -> np.ndarray | None:
    try:
        query = np.asarray(got["output"], dtype=float)
    except (TypeError, ValueError):
        return None
    return query if query.shape == (len(KEYS[0]),) else None


def _finds_the_tree(got, want, case) -> bool | str | Sentence:
    """Accepts any query that the tree answers, or says who answers it and why."""
    query = _query(got)
    if query is None:
        return WRONG_COUNT
    if not np.isfinite(query).all():
        return NOT_FINITE
    scores = KEYS @ query
    weights = softmax(scores)
    if weights[TREE] > ENOUGH:
        return True
    if np.ptp(scores) < 1e-9:
        return ALL_LEVEL
    others = np.where(np.arange(len(scores)) == TREE, -np.inf, scores)
    best = int(np.argmax(others))
    if abs(scores[best] - scores[TREE]) < 1e-9:
        return sentence(SHARED, word=WORDS[best])
    if scores[best] < scores[TREE]:
        return sentence(TOO_QUIET, share=weights[TREE])
    told = {"word": WORDS[best], "share": weights[best]}
    return sentence(OTHER_WINS, **told, what=_helped_most(query, best))


def _weights_that_follow(got, case):
    """What the four words get with this query."""
    query = _query(got)
    if query is None:
        raise ValueError("another count of numbers makes no weights")
    asked = "the last one, of the tree, above 0.9"
    return (Caused("Weights of kitten, puppy, pear and tree", softmax(KEYS @ query), asked),)


ASK_FOR_THE_TREE = Exercise(
    answer=ask_for_the_tree,
    cases=(lambda rng: inputs(KEYS.copy()),),
    accept=_finds_the_tree,
    open_answer=True,
    effect=_weights_that_follow,
    mistakes=(
        Mistake(
            "The puppy has 0.95: you asked for barking. Ask for what the tree alone has.",
            lambda keys: np.array([0, 1, 0, 0]),
        ),
        Mistake(
            "The pear has 0.87: you asked for a fruit. Ask for what the tree alone has.",
            lambda keys: np.array([0, 0, 1, 0]),
        ),
        Mistake(
            "The kitten has 0.82: you asked for something small. Ask for what the tree alone has.",
            lambda keys: np.array([0, -0.1, 0, -2]),
        ),
        Mistake(
            "The tree and the pear have the same score, so neither gets more than half. Which "
            "trait does the tree alone have? Ask for that as well.",
            lambda keys: np.array([-1, 0, 0, 0]),
            also=(lambda keys: np.array([-1, -1, 0, 0]),),
        ),
        Mistake(
            "The tree leads, but it gets only 0.74. The direction is right. Make all your numbers "
            "larger: twice the query, twice the lead in score.",
            lambda keys: np.array([0, 0, 0, 0.5]),
        ),
        Mistake(ALL_LEVEL, lambda keys: np.zeros(4)),
        Mistake(
            WRONG_COUNT,
            lambda keys: 3,
            also=(lambda keys: softmax(keys @ keys[3])[None], lambda keys: keys[:, 3:]),
        ),
    ),
    refused=(
        Refused(lambda keys: [0, 0, 0, np.inf], "not finite"),
        Refused(lambda keys: [0, np.nan, 0, 1], "not finite"),
        Refused(lambda keys: ["tree", 0, 0, 1], "no array of numbers"),
        Refused(lambda keys: [1, 1, 1, 1], "you asked for an animal"),
        Refused(lambda keys: [0, 0, -1, 0], "neither gets more than half"),
    ),
    alternatives=(
        lambda keys: keys[3],
        lambda keys: [0, 0, 0, 2],
        lambda keys: np.array([-1, 0, -1, 0]),
        lambda keys: np.array([-0.5, 0, 0, 1], np.float32),
    ),
    hints=(
        "Read the row of the tree, and then its columns: in which one does the tree differ from "
        "all the others?",
        "In the column big, the tree alone is positive. A query that looks at this column only has "
        "zeros in the other three places.",
        "return np.array([0, 0, 0, ...]). The tree then scores 3 times your number, the others -1 "
        "or -2 times. Which number puts it far enough ahead?",
    ),
    minutes=3,
    stars=1,
)
