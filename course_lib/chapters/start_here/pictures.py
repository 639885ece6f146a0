"""The pictures of chapter 0 that do not move, each with its words.

show_two_heads(model, "giraffe pogir")     # one looks one letter back, one at what followed
show_two_back(model, "giraffe pogir")      # the head of the exercise `by_two`
show_passing_on("giraffe pogir")           # the whispering game, and the round table
"""

from course_lib.figures.letters import draw_looking, draw_passing_on
from course_lib.figures.static import show_figure
from course_lib.figures.theme import new_figure
from course_lib.models.copying_numpy import Copying
from course_lib.words import say

TWO_HEADS = (
    "Two rows with the letters of {text}. Above, head 2: from each letter an arc to its left "
    "neighbour. Below, head 5, for the last two letters: from {one} an arc back to {first}, and "
    "from {other} to {second}, each the letter that followed the same letter before."
)
TWO_BACK = "From each letter of {text} an arc to the letter two places before it."
PASSING_ON = (
    "Above, the letters of {text} as a chain: {steps} arrows, each to the next letter. Below, the "
    "same letters with an arc from the last letter to each letter before it, the first too."
)


def show_two_heads(model: Copying, text: str) -> None:
    """Show where heads 2 and 5 look in a text."""
    maps, last = model.maps(text), len(text) - 1
    figure = new_figure(7.0, 3.1)
    heads = {
        say("Head 2 looks one letter back"): (maps[0, 1], range(1, last + 1)),
        say("Head 5 looks at what followed last time"): (maps[1, 0], (last - 1, last)),
    }
    draw_looking(figure, text, heads)
    first, second = (text[int(maps[1, 0, place].argmax())] for place in (last - 1, last))
    told = {"one": text[-2], "other": text[-1], "first": first, "second": second}
    show_figure(figure, say(TWO_HEADS, text=text, **told), colours=64)


def show_two_back(model: Copying, text: str) -> None:
    """Show where head 3 looks in a text."""
    figure = new_figure(7.0, 1.5)
    looks = (model.maps(text)[0, 2], range(2, len(text)))
    draw_looking(figure, text, {say("Head 3 looks two letters back"): looks})
    show_figure(figure, say(TWO_BACK, text=text), colours=64)


def show_passing_on(text: str) -> None:
    """Show a text passed on from letter to letter, and one where the last letter sees all."""
    figure = new_figure(7.0, 3.3)
    draw_passing_on(figure, text)
    show_figure(figure, say(PASSING_ON, text=text, steps=len(text) - 1), colours=64)
