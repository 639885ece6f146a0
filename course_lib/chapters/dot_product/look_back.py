"""The picture with which the chapter begins: whom *it* looks back at, by the course's three lines.

show_look_back()
"""

from course_lib.chapters.dot_product.exercises.attention import attention
from course_lib.chapters.dot_product.explorers.own_attention import (
    NAMES,
    WANTED,
    explore_own_attention,
    own_attention,
)
from course_lib.figures.sentence import draw_sentence
from course_lib.figures.static import show_figure
from course_lib.figures.theme import new_figure
from course_lib.words import say

LOOK_BACK = (
    "A row of words in boxes: {names}, and it. From it an arc goes back to each word that gets a "
    "share worth drawing, as thick as that share: {shares}."
)


def show_look_back() -> None:
    """Show the shares of the words where the explorer `own_attention` reaches its goal."""
    weights = own_attention(**explore_own_attention.goal.solution, attention=attention)["weights"]
    names = [say(name) for name in NAMES]
    figure = new_figure(7.0, 1.65)
    axes = figure.subplots()
    draw_sentence(axes, names, say("it")).update(weights)
    axes.set_title(say('"it" means the {word}', word=names[WANTED]), loc="left")
    shares = ", ".join(f"{name} {weight:.2f}" for name, weight in zip(names, weights, strict=True))
    show_figure(figure, say(LOOK_BACK, names=", ".join(names), shares=shares), colours=32)
