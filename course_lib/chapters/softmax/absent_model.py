"""The small model that is asked for a name that is gone: in one text, and in two hundred."""

import functools

import numpy as np

from course_lib.kernels.softmax import softmax
from course_lib.models.recall import (
    FACTOR,
    NAMES,
    PAIRS,
    WIDTH,
    Questions,
    answer,
    fresh_parameters,
    random_questions,
    trained,
)

SEED, STEPS = 0, 300
TEXTS = 200
EXAMPLE = 31  # texts are drawn; the last one is typical: half of all have a higher chance
LIMIT = 0.95  # of a chance, from which on somebody might trust an answer
PEOPLE = (
    "Ann", "Bob", "Eve", "Lee", "Mia", "Max", "Ben", "Zoe",
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
    text = [random_questions(1, rng) for _ in range(EXAMPLE)][-1]
    place = int((text.names[0] == text.asked[0]).argmax())
    stranger = next(one for one in range(NAMES) if one not in text.names[0])
    names = np.repeat(text.names, 2, axis=0)
    names[1, place] = stranger
    contents = text.contents.repeat(2, axis=0)
    contents[1, place] = next(one for one in range(NAMES) if one not in text.contents[0])
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


@functools.cache
def in_other_texts() -> dict:
    """What the model says in TEXTS other texts, with the name and without it, as counts of texts.

    right: with the name, the answer is right; firm: and its chance is above LIMIT
    strangers: without it, a stranger's number gets the most; passed: and a chance above LIMIT
    middle: the median of the chances without the name
    """
    rng = np.random.default_rng(SEED)
    asked = random_questions(TEXTS, rng)
    there = softmax(answer(asked_twice()["model"], asked, FACTOR)["logits"])
    right = there.argmax(axis=1) == asked.answers
    found = np.argmax(asked.names == asked.asked[:, None], axis=1)
    for table in (asked.names, asked.contents):
        for row, place in zip(table, found, strict=True):
            row[place] = rng.choice(np.setdiff1d(np.arange(NAMES), row))
    chances = softmax(answer(asked_twice()["model"], asked, FACTOR)["logits"])
    named = (asked.contents == chances.argmax(axis=1)[:, None]).any(axis=1)
    highest = chances.max(axis=1)
    counted = {
        "right": right,
        "firm": right & (there.max(axis=1) > LIMIT),
        "strangers": named,
        "passed": named & (highest > LIMIT),
    }
    counts = {name: int(one.sum()) for name, one in counted.items()}
    return {"texts": TEXTS, "middle": float(np.median(highest))} | counts
