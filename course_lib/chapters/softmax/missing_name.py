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
    random_questions,
    trained,
)
from course_lib.words import say

SEED, STEPS, TEXT = 0, 300, 0
FACTOR = WIDTH**-0.5
SHOWN = 3  # keys, the largest weights first
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
    whose pair was exchanged.
    """
    rng = np.random.default_rng(SEED)
    parameters, _ = trained(fresh_parameters(WIDTH, rng), FACTOR, range(STEPS), rng)
    text = random_questions(1, rng)
    place = int((text.names[0] == text.asked[0]).argmax())
    stranger = next(one for one in range(100) if one not in text.names[0])
    names = np.repeat(text.names, 2, axis=0)
    names[1, place] = stranger
    asked = Questions(names, text.contents.repeat(2, axis=0), text.asked.repeat(2), text.answers)
    seen = answer(parameters, asked, FACTOR)
    people = [list(PEOPLE[:PAIRS]) for _ in range(2)]
    people[0][place], people[1][place] = ASKED, INSTEAD
    return {
        "people": people,
        "place": place,
        "contents": asked.contents,
        "scores": seen["scores"],
        "weights": seen["weights"],
        "answers": seen["logits"].argmax(axis=1),
    }


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
        largest = np.argsort(-weights)[:SHOWN]
        if sink is not None:  # all answers shrink alike, so the highest stays the highest
            best = ", ".join(f"{signed(scores[j])} {people[j]}" for j in largest)
            total = share(np.sum(softmax(scores, sink)))
            print(say("{when:13} scores {best:27} weights in all: {total}",
                      when=when, best=best, total=total))  # fmt: skip
            continue
        looks = ", ".join(f"{share(weights[j])} {people[j]}" for j in largest)
        said = data["answers"][row]
        whose = people[int((contents == said).argmax())]
        print(say("{when:13} looks at {looks:28} answer: {said}, {whose}'s",
                  when=when, looks=looks, said=said, whose=whose))  # fmt: skip
