"""What a small model does when asked for a name that is not there, without a sink and with one."""

import functools
from collections.abc import Callable

import numpy as np

from course_lib.figures.numerals import share, signed
from course_lib.kernels.bounded import softmax_with_sink
from course_lib.models.recall import (
    PAIRS,
    WIDTH,
    Questions,
    answer,
    fresh_parameters,
    hand_over,
    random_questions,
    trained,
)
from course_lib.words import say

SEED, STEPS, TEXT = 0, 300, 0
FACTOR = WIDTH**-0.5
SHOWN = 3  # keys, the largest weights first
HARDLY = 0.5  # of the 1: a model that hands over less says nothing
PEOPLE = (
    "Ann", "Bob", "Eve", "Lee", "Max", "Mia", "Ben", "Zoe",
    "Tom", "Ida", "Jim", "Ada", "Sam", "Una", "Leo", "Ray",
)  # fmt: skip
ASKED, INSTEAD = "Kim", "Pia"  # who is asked for, and who stands in her place the second time


@functools.cache
def asked_twice() -> dict:
    """Train a model that always finds the name, and ask it for one that is there, then is not.

    Shapes: people {there, missing} lists of n names; scores, weights, contents (2, n), the text
    in which the name is there first; answers (2,): the contents that the model names; place:
    whose pair was exchanged; model, asked: the parameters and both questions.
    """
    rng = np.random.default_rng(SEED)
    parameters, _ = trained(fresh_parameters(WIDTH, rng), FACTOR, range(STEPS), rng)
    text = random_questions(1, rng)
    place = int((text.names[0] == text.asked[0]).argmax())
    stranger = next(one for one in range(100) if one not in text.names[0])
    names = np.repeat(text.names, 2, axis=0)
    names[1, place] = stranger
    contents = text.contents.repeat(2, axis=0)
    contents[1, place] = next(one for one in range(100) if one not in text.contents[0])
    asked = Questions(names, contents, text.asked.repeat(2), text.answers)
    seen = answer(parameters, asked, FACTOR)
    people = [list(PEOPLE[:PAIRS]) for _ in range(2)]
    people[0][place], people[1][place] = ASKED, INSTEAD
    return {
        "people": people,
        "place": place,
        "model": parameters,
        "asked": asked,
        "contents": asked.contents,
        "scores": seen["scores"],
        "weights": seen["weights"],
        "answers": seen["logits"].argmax(axis=1),
    }


def answer_for_the_absent() -> str:
    """What the model names when Kim is gone: "nothing", "hers", "a stranger's" or "nobody's"."""
    data = asked_twice()
    if data["weights"][1].sum() < HARDLY:
        return "nothing"
    said, hers = data["answers"][1], data["contents"][0, data["place"]]
    if said in data["contents"][1]:
        return "a stranger's"
    return "hers" if said == hers else "nobody's"


def ask_for_a_missing_name(
    sink: float | None = None,
    softmax: Callable[[np.ndarray, float], np.ndarray] = softmax_with_sink,
) -> None:
    """Ask for Kim where she is there and where she is not: where the model looks, what it says.

    sink: a number that competes with the scores; then the scores are told, and what the
        weights add up to.
    softmax: of one row (n,) of scores and the sink -> (n,)
    """
    data = asked_twice()
    whens = (say("{name} is there", name=ASKED), say("{name} is gone", name=ASKED))
    for row, (when, people) in enumerate(zip(whens, data["people"], strict=True)):
        scores, weights, contents = (data[one][row] for one in ("scores", "weights", "contents"))
        largest, said = np.argsort(-weights)[:SHOWN], data["answers"][row]
        if sink is not None:
            left = np.asarray(softmax(scores, sink))
            said = _named(row, left)
        told = {"when": when, "said": said, "whose": people[int((contents == said).argmax())]}
        if sink is None:
            looks = ", ".join(f"{share(weights[j])} {people[j]}" for j in largest)
            print(say("{when:13} looks at {looks:28} answer: {said}, {whose}'s",
                      looks=looks, **told))  # fmt: skip
            continue
        best = ", ".join(f"{signed(scores[j])} {people[j]}" for j in largest)
        print(say("{when:13} scores {best:27} weights in all: {total}  answer: {said}, {whose}'s",
                  best=best, total=share(left.sum()), **told))  # fmt: skip


def _named(row: int, weights: np.ndarray) -> int:
    """The content that the model names for the weights (n,) of one of the two questions."""
    data = asked_twice()
    both = data["weights"].copy()
    both[row] = weights
    return int(hand_over(data["model"], data["asked"], both)["logits"][row].argmax())
