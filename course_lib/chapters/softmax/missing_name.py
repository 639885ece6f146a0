"""What a small model without a sink answers when it is asked for a name that is not there."""

import functools

import numpy as np

from course_lib.figures.numerals import share
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

    Shapes: people {there, missing} lists of n names; weights, contents (2, n), the text in which
    the name is there first; answers (2,): the contents that the model names; place: whose pair
    was exchanged.
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
        "people": people, "place": place, "contents": asked.contents, "weights": seen["weights"],
        "answers": seen["logits"].argmax(axis=1),
    }  # fmt: skip


def ask_for_a_missing_name() -> None:
    """Ask for Kim where she is there and where she is not: where the model looks, what it says."""
    data = asked_twice()
    rows = zip(
        (say("{name} is there", name=ASKED), say("{name} is gone", name=ASKED)),
        data["people"], data["weights"], data["contents"], data["answers"], strict=True,
    )  # fmt: skip
    for when, people, weights, contents, said in rows:
        largest = np.argsort(-weights)[:SHOWN]
        looks = ", ".join(f"{share(weights[j])} {people[j]}" for j in largest)
        whose = people[int((contents == said).argmax())]
        print(say("{when:13} looks at {looks:28} answer: {said}, {whose}'s",
                  when=when, looks=looks, said=said, whose=whose))  # fmt: skip
