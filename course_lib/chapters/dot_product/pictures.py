"""The pictures of chapter 1 that do not move, each with its words.

show_votes(["animal", "barks"], cat, dog)      # what each entry adds to a dot product
show_protractor([4, 3], [3, 4])                # two arrows, and how many degrees each stands up
show_scores_among(words, names)                # every word with every word
show_who_is_heard("giraffe pogir", shares)     # how the last letter shares out its attention
"""

import numpy as np
from matplotlib.patches import Arc

from course_lib.figures.bars import draw_contributions
from course_lib.figures.heat_map import draw_scores
from course_lib.figures.letters import draw_looking
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, KEY, QUERY, SMALL, new_figure
from course_lib.figures.vectors import draw_vector
from course_lib.words import say

VOTES = (
    "A bar for each entry, right of zero for agreement and left of it for an objection: {parts}."
)
PROTRACTOR = (
    "Two arrows from one point, with a protractor. One stands at {low:.1f} degrees, the other at "
    "{high:.1f}: between them are {between:.1f} degrees."
)
AMONG = (
    "A table of {count} by {count} scores, a row for each word that asks. {who} scores {own:.2f} "
    "with itself and {most:.2f} with {other}."
)

HEARD = (
    "The letters of {text}. From the last one, {last}, arcs go back to what it looks at; the "
    "thickest goes to {most}, {back} places before it, with {share:.2f} of the attention."
)


def show_votes(traits, a, b) -> None:
    """Show what each entry adds to the dot product of a and b.

    traits: what the entries mean.   a, b: (d,)
    """
    votes = np.asarray(a) * np.asarray(b)
    figure = new_figure(7.0, 2.5)
    axes = draw_contributions(figure.subplots(), traits, votes)
    told = {"total": int(votes.sum()), "yes": int((votes > 0).sum()), "no": int((votes < 0).sum())}
    axes.set_title(say("{yes} votes for, {no} against: together {total}", **told), loc="left")
    parts = ", ".join(
        f"{trait} {vote:+g}" if vote else f"{trait} 0"
        for trait, vote in zip(traits, votes, strict=True)
    )
    show_figure(figure, say(VOTES, parts=parts), colours=32)


def show_protractor(a, b) -> None:
    """Show two arrows of the upper right quarter, with the degrees read off for each.

    a, b: (2,), the flatter one first
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    low, high = (float(np.degrees(np.arctan2(y, x))) for x, y in (a, b))
    figure = new_figure(7.0, 3.4)
    axes = figure.subplots()
    axes.set_aspect("equal")
    axes.set(xlim=(-0.6, 9.4), ylim=(-0.35, 4.7))
    axes.set_axis_off()
    _draw_protractor(axes)
    axes.add_patch(Arc((0, 0), 4.4, 4.4, theta1=low, theta2=high, color=INK, linewidth=3))
    for arrow, colour, degrees in ((a, QUERY, low), (b, KEY, high)):
        draw_vector(axes, arrow, colour, width=0.45)
        text = say("[{x:g}, {y:g}]: {degrees:.1f}° up", x=arrow[0], y=arrow[1], degrees=degrees)
        axes.text(arrow[0] + 0.3, arrow[1], text, color=colour, fontsize=SMALL, fontweight="bold")
    axes.set_title(say("{degrees:.1f} degrees lie between them", degrees=high - low), loc="left")
    show_figure(figure, say(PROTRACTOR, low=low, high=high, between=high - low), colours=64)


def _draw_protractor(axes) -> None:
    """A quarter of a circle with a mark at every fifth degree."""
    radius, grey = 3.4, "#666666"
    axes.plot([-0.2, 5.2], [0, 0], color=FAINT, linewidth=1, zorder=0)
    axes.add_patch(Arc((0, 0), 2 * radius, 2 * radius, theta1=0, theta2=90, color=grey))
    for degrees in range(0, 91, 5):
        way = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
        inner = radius - (0.3 if degrees % 30 == 0 else 0.15)
        axes.plot(*np.outer([inner, radius], way).T, color=grey, linewidth=1)
        if degrees % 30 == 0:
            axes.text(*(way * (inner - 0.3)), str(degrees), ha="center", va="center",
                      fontsize=SMALL, color=grey)  # fmt: skip


def show_scores_among(words, names) -> None:
    """Show the dot product of every word with every word.

    words: (n, d)   names: of the words
    """
    words = np.asarray(words, dtype=float)
    scores = words @ words.T
    figure = new_figure(5.2, 3.6)
    axes = figure.subplots()
    draw_scores(axes, scores, rows=names, columns=names, number="{:.2f}")
    other = int(scores[0].argmax())
    told = {"who": names[0], "other": names[other]}
    axes.set_title(say("{who} scores higher with {other} than with itself", **told))
    numbers = {"count": len(names), "own": scores[0, 0], "most": scores[0, other]}
    show_figure(figure, say(AMONG, **numbers, **told), colours=64)


def show_who_is_heard(text: str, shares) -> None:
    """Show how the last letter of a text shares out its attention.

    shares: (t,), one for each letter; of a longer text only the end was read
    """
    shares = np.asarray(shares, dtype=float)
    text, last = text[-len(shares) :], len(shares) - 1
    weights, most = np.zeros((len(text), len(text))), int(np.argmax(shares))
    weights[last] = shares
    told = {"last": text[last], "most": text[most], "share": shares[most]}
    figure = new_figure(7.0, 2.0)
    title = say("The last {last} gives {share:.2f} of its attention to this {most}", **told)
    draw_looking(figure, text, {title: (weights, (last,))})
    show_figure(figure, say(HEARD, text=text, back=last - most, **told), colours=64)
