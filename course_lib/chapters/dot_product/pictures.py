"""The pictures of chapter 1 that do not move, each with its words.

show_votes(["animal", "barks"], cat, dog, ["cat", "dog"])    # what each entry adds
show_protractor([4, 3], [3, 4])                # two arrows, and the angle between them
show_turned([4, 3], [3, 4])                    # the same two, turned until the first lies flat
show_scores_among(words, names)                # every word with every word
show_who_is_heard("giraffe pogir", shares)     # how the last letter shares out its attention
"""

import numpy as np
from matplotlib.patches import Arc, Rectangle

from course_lib.chapters.dot_product.turning import turned
from course_lib.figures.bars import draw_contributions
from course_lib.figures.heat_map import SIGNS, draw_scores
from course_lib.figures.letters import LEAST_SHOWN, draw_looking
from course_lib.figures.numerals import as_vote, plain
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, KEY, QUERY, SMALL, TEXT, new_figure
from course_lib.figures.vectors import draw_vector
from course_lib.words import say

GREY = "#666666"
SIDE = -0.6  # how low the reach is drawn: between the flat arrow and it a right angle has room
CLEAR = {"facecolor": "white", "alpha": 0.8, "linewidth": 0, "pad": 0.4}  # behind words
VOTES = (
    "The entries of {a} and of {b} in two columns. Beside them a bar for each product, right of "
    "zero for agreement and left of it for an objection: {parts}. Below a line, one outlined bar "
    "for all of them together: {total:+g}."
)
PROTRACTOR = (
    "Two arrows from one point on squared paper, {a} and {b}, with a protractor. One stands at "
    "{low:.2f} degrees, the other at {high:.2f}: between them are {between:.2f} degrees."
)
TURNED = (
    "Two pale arrows, {a} and {b}, and the same two turned down together by {degrees:.2f} "
    "degrees, with {between:.2f} degrees between them as before. The first lies flat now, along a "
    "ruler: it is {flat}. The tip of the second, {other}, lies {up:.3g} above it. A line falls "
    "from there, and goes on down to the ruler, which it meets at {beside:.3g}. The second arrow "
    "is {long:.3g} long."
)
AMONG = (
    "A table of {count} by {count} scores, a row for each word that asks. {who} scores {own:.2f} "
    "with itself and {most:.2f} with {other}."
)

HEARD_ALONE = (
    "The letters of {text}. From the last one, {last}, an arc goes back to {most}, {back} places "
    "before it, with {share:.2f} of the attention."
)
HEARD = (
    "The letters of {text}. From the last one, {last}, arcs go back to what it looks at; the "
    "thickest goes to {most}, {back} places before it, with {share:.2f} of the attention."
)


def show_votes(traits, a, b, names=("a", "b")) -> None:
    """Show what each entry adds to the dot product of a and b.

    traits: what the entries mean.   a, b: (d,)   names: of a and of b
    """
    votes = np.asarray(a) * np.asarray(b)
    figure = new_figure(7.0, 3.1)
    sums = [
        f"{one:g} · {_in_brackets(other)} = {f'{vote:+g}' if vote else '0'}"
        for one, other, vote in zip(a, b, votes, strict=True)
    ]
    axes = draw_contributions(figure.subplots(), traits, votes, sums)
    total = float(votes.sum())
    _name_sides(axes, votes)
    _draw_total(axes, len(traits), total)
    _write_entries(axes, (a, b), names)
    figure.headline(_balance(votes))
    parts = ", ".join(
        f"{trait} {vote:+g}" if vote else f"{trait} 0"
        for trait, vote in zip(traits, votes, strict=True)
    )
    show_figure(figure, say(VOTES, parts=parts, total=total, a=names[0], b=names[1]), colours=32)


def _name_sides(axes, votes) -> None:
    """Which way each vote goes, written into its bar where there is room."""
    for place, vote in enumerate(votes):
        name, room = (say("for"), 0.12) if vote > 0 else (say("against"), 0.25)
        if abs(vote) >= room * axes.get_xlim()[1]:
            axes.text(vote / 2, place, name, ha="center", va="center", fontsize=SMALL)


def _write_entries(axes, vectors, names) -> None:
    """The two vectors as columns left of the bars, each with its name above it."""
    look = {"ha": "right", "va": "center", "fontsize": SMALL}
    for vector, name, column in zip(vectors, names, (0.91, 0.77), strict=True):
        x = -column * axes.get_xlim()[1]
        axes.text(x, -0.72, name, **look)
        for place, entry in enumerate(vector):
            axes.text(x, place, plain(entry), **look)
    axes.set_ylim(axes.get_ylim()[0], -1.05)


def _draw_total(axes, rows: int, total: float) -> None:
    """One more bar below a line, outlined: what the others make together."""
    place = rows + 0.1
    axes.axhline(rows - 0.45, color=INK, linewidth=1)
    axes.barh(place, total, height=0.6, facecolor="white", edgecolor=INK, linewidth=1.6)
    side, gap = (-1, "right") if total < 0 else (1, "left")
    axes.text(total + side * 0.03 * axes.get_xlim()[1], place, as_vote(total), ha=gap, va="center",
              fontsize=SMALL, fontweight="bold")  # fmt: skip
    names = [label.get_text() for label in axes.get_yticklabels()]
    axes.set_yticks([*range(rows), place], [*names, say("together")])
    axes.set_ylim(place + 0.5, -0.5)


def _balance(votes) -> str:
    """The sum as it is added up, and what it says: +4 - 2 + 1 + 0 = 3."""
    first, *rest = votes
    steps = [as_vote(first), *(f"{'-' if one < 0 else '+'} {abs(one):g}" for one in rest)]
    total = float(sum(votes))
    told = {"sum": " ".join(steps).replace("-", "\N{MINUS SIGN}"), "total": plain(total)}
    if total > 0:
        return say("{sum} = {total}: on balance, alike", **told)
    if total < 0:
        return say("{sum} = {total}: on balance, unlike", **told)
    return say("{sum} = {total}: neither alike nor unlike", **told)


def _in_brackets(number) -> str:
    return f"({number:g})" if number < 0 else f"{number:g}"


def show_protractor(a, b) -> None:
    """Show two arrows of the upper right quarter, with the degrees read off for each.

    a, b: (2,), the flatter one first
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    low, high = _degrees(a), _degrees(b)
    figure = new_figure(6.2, 3.9)
    axes = figure.subplots()
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set(xlim=(-0.45, 7.1), ylim=(-0.6, 5.15))
    _draw_squares(axes)
    _draw_protractor(axes)
    axes.add_patch(Arc((0, 0), 3.6, 3.6, theta1=low, theta2=high, color=INK, linewidth=3))
    for arrow, colour, degrees in ((a, QUERY, low), (b, KEY, high)):
        draw_vector(axes, arrow, colour, width=0.7)
        text = say("{arrow} stands at {degrees:.2f}°", arrow=_entries(arrow), degrees=degrees)
        axes.text(arrow[0] + 0.2, arrow[1] + 0.15, text, color=colour, fontsize=SMALL, va="center",
                  fontweight="bold", bbox=CLEAR)  # fmt: skip
    title = say("{degrees:.2f} degrees lie between them", degrees=high - low)
    figure.headline(title)
    told = {"low": low, "high": high, "between": high - low, "a": _entries(a), "b": _entries(b)}
    show_figure(figure, say(PROTRACTOR, **told), colours=32)


def show_turned(a, b) -> None:
    """Show two arrows turned down together until the first one lies flat, along a ruler.

    a, b: (2,), the flatter one first
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    down = _degrees(a)
    flat, other = (np.round(turned(one, -down), 9) + 0.0 for one in (a, b))
    figure = new_figure(6.2, 4.4)
    axes = figure.subplots()
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set(xlim=(-0.3, 7.1), ylim=(-2.0, 4.4))
    for old, new, colour, off, rest in ((a, flat, QUERY, -0.09, 0.55), (b, other, KEY, 0.09, 0.15)):
        pale = (colour, 0.4)
        draw_vector(axes, old, pale, width=0.4, zorder=1)
        way = 2 * (np.hypot(*old) + off)  # the two arcs run side by side
        end = _degrees(new) + rest * (_degrees(old) - _degrees(new))  # free of the tips
        axes.add_patch(Arc((0, 0), way, way, theta1=end, theta2=_degrees(old) - 2, color=pale,
                           linestyle=(0, (1, 1.5)), linewidth=1.8, zorder=0))  # fmt: skip
        axes.text(old[0] + 0.2, old[1] + 0.12, _entries(old), color=colour, fontsize=SMALL)
    _draw_ruler(axes, other[0])
    draw_vector(axes, flat, QUERY, width=0.7)
    draw_vector(axes, other, KEY, width=0.7)
    _draw_side(axes, other)
    between = _degrees(other)
    _name_turned(axes, flat, other, between)
    told = {"along": other[0], "up": other[1]}
    title = say("Turned, until one lies flat: {along:.3g} along, {up:.3g} up", **told)
    figure.headline(title)
    told |= {"long": np.hypot(*other), "degrees": down}
    told |= {"beside": other[0], "between": between}
    named = zip(("a", "b", "flat", "other"), (a, b, flat, other), strict=True)
    told |= {name: _entries(one) for name, one in named}
    show_figure(figure, say(TURNED, **told), colours=32)


def _name_turned(axes, flat, other, between: float) -> None:
    """The angle between two arrows, one of them flat; what both are, and how high one ends."""
    axes.add_patch(Arc((0, 0), 3.6, 3.6, theta1=0, theta2=between, color=INK, linewidth=3))
    middle = np.radians(between / 2)
    axes.text(2.45 * np.cos(middle), 2.45 * np.sin(middle), f"{between:.2f}°", ha="center",
              va="center", fontsize=SMALL)  # fmt: skip
    look = {"fontsize": TEXT, "fontweight": "bold", "va": "center"}
    axes.text(flat[0] + 0.2, flat[1], _entries(flat), color=QUERY, **look)
    axes.text(other[0] + 0.25, other[1] + 0.15, _entries(other), color=KEY, **look)
    axes.text(other[0] - 0.1, 0.56 * other[1], f"{other[1]:.3g}", color=KEY, ha="right", **look)
    long = say("{length:.3g} long", length=np.hypot(*other))
    axes.text(*(0.55 * other + (-0.09, 0.31)), long, color=KEY, ha="center", **look)


def _degrees(arrow) -> float:
    """How steeply an arrow stands."""
    return float(np.degrees(np.arctan2(arrow[1], arrow[0])))


def _draw_side(axes, other) -> None:
    """The line that falls from the tip onto the reach, which is as dark as the angle."""
    along, up = other
    axes.plot([along, along], [0, up], color=KEY, linewidth=2, linestyle=(0, (4, 2)), zorder=1)
    axes.plot([along, along], [SIDE, 0], color=GREY, lw=1, linestyle=(0, (1, 2)), zorder=1)
    size, low = 0.2, SIDE + 0.07  # the right angle stands on the reach, below the arrowhead
    axes.plot([along - size] * 2 + [along], [low, *[low + size] * 2], color=GREY, lw=1, zorder=5)
    axes.plot([0, along], [SIDE, SIDE], color=INK, linewidth=7, solid_capstyle="butt")


def _draw_ruler(axes, at: float) -> None:
    """A ruler below the reach, with a mark where that ends, and what it is."""
    top, high, grey = SIDE - 0.09, 0.62, GREY
    axes.add_patch(Rectangle((-0.2, top - high), 5.6, high, facecolor="#f3f1ea", edgecolor=grey))
    for tenth in range(51):
        deep = 0.22 if tenth % 10 == 0 else 0.16 if tenth % 5 == 0 else 0.1
        axes.plot([tenth / 10] * 2, [top, top - deep], color=grey, linewidth=0.9)
    look = {"ha": "center", "va": "center", "fontsize": SMALL}
    for number in range(6):
        axes.text(number, top - 0.42, f"{number}", color=grey, **look)
    axes.plot([at, at], [top, top - high - 0.1], color=INK, linewidth=2)
    for x, told in ((at, f"{at:.3g}"), (at / 2 - 0.2, say("the reach"))):
        axes.text(x, top - high - 0.3, told, color=INK, fontweight="bold", **look)


def _entries(arrow) -> str:
    return f"[{arrow[0]:.3g}, {arrow[1]:.3g}]".replace("-", "\N{MINUS SIGN}")


def _draw_squares(axes) -> None:
    """Squared paper, numbered along two sides."""
    for step in range(6):
        axes.plot([0, 5], [step, step], color=FAINT, linewidth=0.8, zorder=0)
        axes.plot([step, step], [0, 5], color=FAINT, linewidth=0.8, zorder=0)
        look = {"ha": "center", "va": "center", "fontsize": SMALL, "color": "#666666"}
        axes.text(step, -0.35, str(step), **look)
        if step:
            axes.text(-0.28, step, str(step), **look)


def _draw_protractor(axes) -> None:
    """A quarter of a circle with a mark at every fifth degree, a number at every fifteenth."""
    radius, grey = 3.4, "#666666"
    axes.add_patch(Arc((0, 0), 2 * radius, 2 * radius, theta1=0, theta2=90, color=grey))
    for degrees in range(0, 91, 5):
        way = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
        inner = radius - (0.3 if degrees % 15 == 0 else 0.15)
        axes.plot(*np.outer([inner, radius], way).T, color=grey, linewidth=1)
        if degrees % 15 == 0 and degrees < 90:
            place = way * (inner - 0.36) + (0, 0 if degrees else 0.24)
            axes.text(*place, f"{degrees}°", ha="center", va="center", fontsize=SMALL,
                      color=grey)  # fmt: skip


def show_scores_among(words, names) -> None:
    """Show the dot product of every word with every word.

    words: (n, d)   names: of the words
    """
    words = np.asarray(words, dtype=float)
    scores = words @ words.T
    figure = new_figure(5.2, 3.6)
    axes = figure.subplots()
    draw_scores(axes, scores, rows=names, columns=names, number="{:.2f}", colours=SIGNS)
    other = int(scores[0].argmax())
    told = {"who": names[0], "other": names[other]}
    figure.headline(say("{who} scores higher with {other} than with itself", **told))
    numbers = {"count": len(names), "own": scores[0, 0], "most": scores[0, other]}
    show_figure(figure, say(AMONG, **numbers, **told), colours=32)


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
    words = HEARD_ALONE if (shares >= LEAST_SHOWN).sum() == 1 else HEARD
    show_figure(figure, say(words, text=text, back=last - most, **told), colours=24)
