"""What a model that learned to say "nothing" tells somebody who asks for a name that is gone."""

import functools

import numpy as np

from course_lib.chapters.softmax.absent_model import ASKED, asked_twice
from course_lib.chapters.softmax.hues import FITS, KEY_0, STRANGER
from course_lib.chapters.softmax.learned_sink import (
    FACTOR,
    second_model,
    told_of_all_texts,
)
from course_lib.chapters.softmax.missing_name import chance_in_words, say_answer, two_strips
from course_lib.figures.numerals import share
from course_lib.figures.shares import Strip
from course_lib.figures.static import show_figure
from course_lib.kernels.softmax import softmax
from course_lib.models.recall import NAMES, NONE, START, Questions, answer
from course_lib.words import say


@functools.cache
def asked_of_the_second() -> dict:
    """The two questions for Kim, put to the second model: key 0 is START in place of Ann.

    Shapes: weights (2, n): the text in which the name is there first; said, chance (2,);
    place: whose pair was exchanged
    """
    first = asked_twice()
    names, contents = first["asked"].names.copy(), first["asked"].contents.copy()
    place = first["place"]
    stranger = next(one for one in range(NAMES) if one != START and one not in names)
    new = next(one for one in range(NAMES) if one != NONE and one not in contents)
    names[1, place], contents[1, place] = stranger, new
    names[:, 0], contents[:, 0] = START, NONE
    right = np.array([contents[0, place], NONE])
    asked = Questions(names, contents, first["asked"].asked, right)
    seen = answer(second_model(), asked, FACTOR)
    chances = softmax(seen["logits"])
    return {
        "weights": seen["weights"],
        "said": chances.argmax(axis=1),
        "chance": chances.max(axis=1),
        "place": place,
    }


def ask_the_second_model() -> None:
    """Ask the second model for Kim, with her pair and without it: what it says, and from where."""
    data = asked_of_the_second()
    upper = 2.6
    figure, axes = two_strips(upper)
    told = []
    for row, low in enumerate((upper, 0.0)):
        weights = data["weights"][row]
        hers, key_0 = weights[data["place"]] * (row == 0), weights[0]
        pieces = np.array([hers, 1 - hers - key_0, key_0])
        names = (ASKED if row == 0 else "", "" if row == 0 else say("strangers"), say("key 0"))
        strip = Strip(axes, names, pieces, colours=(FITS, STRANGER, KEY_0), bottom=low, ghost=False)
        if row:
            worth = say("{label}, with the value “nothing”", label=strip.labels[-1].get_text())
            strip.labels[-1].set_text(worth)
        when = say("{name} is gone", name=ASKED) if row else say("{name} is there", name=ASKED)
        said = int(data["said"][row])
        words = say("“nothing”") if said == NONE else say("{said}, {name}'s", said=said, name=ASKED)
        chance = chance_in_words(data["chance"][row])
        say_answer(axes, low, when, words, chance)
        told.append(
            say("{when}: {name} {hers}, key 0 {key_0}; the model says {words}, chance {chance}.",
                when=when, name=ASKED, hers=share(hers), key_0=share(key_0), words=words,
                chance=chance)
        )  # fmt: skip
    figure.headline(say("The second model, asked the same two questions"))
    show_figure(figure, " ".join([say("Two strips of length 1."), *told]), colours=16)
    print(told_of_all_texts())
