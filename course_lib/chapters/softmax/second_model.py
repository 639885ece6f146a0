"""What a model that learned to say "nothing" tells somebody who asks for a name that is gone."""

import functools

import numpy as np

from course_lib.chapters.softmax.absent_model import ASKED, asked_twice
from course_lib.chapters.softmax.hues import FITS, SINK, STRANGER
from course_lib.chapters.softmax.learned_sink import (
    FACTOR,
    second_model,
)
from course_lib.chapters.softmax.two_questions import (
    BOTH,
    LETTER,
    chance_in_words,
    draw_chances,
    say_question,
    two_strips,
)
from course_lib.figures.numerals import share
from course_lib.figures.shares import Strip
from course_lib.figures.static import show_figure
from course_lib.kernels.softmax import softmax
from course_lib.models.recall import NAMES, NONE, START, Questions, answer
from course_lib.words import say


@functools.cache
def asked_of_the_second() -> dict:
    """The two questions for Kim, put to the second model: key 0 is START in place of Ann.

    Shapes: weights (2, n): the text in which the name is there first; chances (2, z);
    place: whose pair was exchanged; hers: her number
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
    return {
        "weights": seen["weights"],
        "chances": softmax(seen["logits"]),
        "place": place,
        "hers": int(contents[0, place]),
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
        strip = Strip(axes, names, pieces, colours=(FITS, STRANGER, SINK), bottom=low, ghost=False,
                      letter=LETTER)  # fmt: skip
        if row:
            worth = say("{label}, with the value “nothing”", label=strip.labels[-1].get_text())
            strip.labels[-1].set_text(worth)
        when = say("{name} is gone", name=ASKED) if row else say("{name} is there", name=ASKED)
        chances = data["chances"][row]
        answers = [str(number) for number in range(len(chances))]
        answers[NONE] = say("“nothing”")
        answers[data["hers"]] = say("{said}, {name}'s", said=data["hers"], name=ASKED)
        say_question(axes, low, when)
        draw_chances(axes, low, answers, chances)
        words, chance = answers[chances.argmax()], chance_in_words(chances.max())
        told.append(
            say("{when}: {name} {hers}, key 0 {key_0}; the model says {words}, chance {chance}.",
                when=when, name=ASKED, hers=share(hers), key_0=share(key_0), words=words,
                chance=chance)
        )  # fmt: skip
    figure.headline(say("The second model, asked the same two questions"))
    show_figure(figure, " ".join([say(BOTH), *told]), colours=8)
