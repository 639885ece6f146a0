"""The picture with which the chapter begins: whom *it* looks back at, by the course's three lines.

show_look_back()
"""

import numpy as np

from course_lib.chapters.dot_product.exercises.attention import attention
from course_lib.chapters.dot_product.explorers.own_attention import (
    NAMES,
    explore_own_attention,
    own_attention,
)
from course_lib.figures.sentence import draw_sentence
from course_lib.figures.static import show_figure
from course_lib.figures.theme import new_figure
from course_lib.words import say

LOOK_BACK = (
    "Two rows of words in boxes: {names}, it, was; the first ends with tired, the second with "
    "sweet. From it an arc goes back to each word whose weight is not 0.00, as thick as that "
    "weight. With tired: {tired}. With sweet: {sweet}."
)
TIRED = {"alive": 1.7, "food": -0.2}  # what *it* asks then; the goal of the explorer is *sweet*


def show_look_back() -> None:
    """Show the shares with both endings: by the goal of the explorer the word is *sweet*."""
    names = [say(name) for name in NAMES]
    endings = {say("tired"): TIRED, say("sweet"): explore_own_attention.goal.solution}
    figure = new_figure(7.0, 3.3)
    told = []
    for axes, (ending, query) in zip(figure.subplots(2, 1), endings.items(), strict=True):
        weights = own_attention(**query, attention=attention)["weights"]
        draw_sentence(axes, names, say("it"), [say("was"), ending]).update(weights)
        word = names[int(np.argmax(weights))]
        title = say('"{ending}" decides: "it" means the {word}', ending=ending, word=word)
        axes.set_title(title, loc="left")
        told.append(", ".join(f"{n} {w:.2f}" for n, w in zip(names, weights, strict=True)))
    words = say(LOOK_BACK, names=", ".join(names), tired=told[0], sweet=told[1])
    show_figure(figure, words, colours=16)
