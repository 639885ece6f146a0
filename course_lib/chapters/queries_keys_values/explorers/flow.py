"""Explorer `flow`: from words to queries and keys, to weights, and to the output.

Three numbers lead the eye: what is dragged, what then changes, and what comes of it. What is not
needed at the start is pale until it moves, and what follows the goal until the goal is reached.
"""

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from course_lib.chapters.queries_keys_values.names import Room
from course_lib.chapters.queries_keys_values.planes import (
    PALE,
    TRAITS,
    WORDS,
    Plane,
    grips,
    side_of,
)
from course_lib.chapters.queries_keys_values.three_words import (
    CAT,
    ROWS,
    SLEEPING,
    STARTS,
    flow,
)  # fmt: skip
from course_lib.figures.ghosts import GoalMark
from course_lib.figures.heat_map import draw_weights
from course_lib.figures.numerals import Share, share, signed
from course_lib.figures.theme import GHOST, INK, KEY, OUTPUT, QUERY, SMALL, VALUE
from course_lib.kernels.attention import attention
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Chosen, Handle
from course_lib.sliding.held import Numbers
from course_lib.sliding.sliders import Options
from course_lib.words import say

FARTHEST = 1.8  # that a word can be dragged, along each axis; no word has less than 0 of a trait
STEEPEST = 1.3  # that an arrow of a matrix can be
ENOUGH = 0.7  # what the two arrows reach by changing places: .74 and .75
MOST = 0.5  # from here on a share is most of what there is
DASHED = (0, (3, 2))
FIRST, SECOND, THIRD = "① drag the black rings", "② {goal}", "③ what {word} takes home"
TO_REACH, REACHED = "goal: both dashed cells .70 or more", "reached: both are .70 or more"
GOAL_CELLS = ((CAT, SLEEPING), (SLEEPING, CAT))
ROOM = Room(half=2.9, lowest=-2.2, highest=2.6, edge=0.1)
VALUES_ROOM = Room(half=1.8, lowest=-0.02, highest=2.3, unit=0.54, edge=0.12, below=0.28)
PLACES = {  # left, bottom, width, height, as shares of the picture
    "words": (0.0, 0.512, 0.32, 0.327),
    "queries": (0.34, 0.512, 0.32, 0.327),
    "keys": (0.68, 0.512, 0.32, 0.327),
    "weights": (0.172, 0.075, 0.36, 0.285),
    "values": (0.62, 0.0, 0.38, 0.3475),
}
HEADINGS = {  # over each part, with what its axes mean, and how high
    "words": ("the words, x\n→ thing   ↑ action", 0.842),
    "queries": ("looks for: q = x $W_Q$\n→ thing   ↑ action", 0.842),
    "keys": ("offers: k = x $W_K$\n→ thing   ↑ action", 0.842),
    "weights": ("weights: softmax(q · k / √2)", 0.377),
    "values": ("hands over: v = x $W_V$\n↖ thing   ↗ action", 0.337),
}
STEPS_AT = 0.424  # how high the second and the third number stand
STEP = {"color": INK, "fontsize": SMALL, "fontweight": "bold"}
COLOURS = {"queries": QUERY, "keys": KEY, "values": VALUE}


def _table(axes, data):
    """The weights as cells, row by row: who asks on the left, who answers below."""
    names = [say(word) for word in WORDS]
    asking = [say("{word} asks", word=name) for name in names]
    weights = draw_weights(axes, data["weights"], rows=asking, columns=names, number=Share())
    axes.set_aspect("auto")  # wide cells: room for the words below
    axes.tick_params(axis="y", labelcolor=QUERY)
    axes.tick_params(axis="x", labelcolor=KEY)
    axes.text(-0.56, 2.79, say("who answers:"), color=KEY, fontsize=SMALL, ha="right", va="center")
    return weights


def _goal(weighed) -> GoalMark:
    """The two cells that should hold most of their rows: dashed until they do."""
    frames = [
        [
            weighed.add_patch(Rectangle(
                (column - 0.42, row - 0.42), 0.84, 0.84, fill=False, zorder=6, **look
            ))
            for look in (
                {"edgecolor": "white", "linewidth": 2.6},  # so that it is seen on dark cells, too
                {"edgecolor": INK, "linewidth": 1.6, "linestyle": DASHED},
            )
        ]
        for row, column in GOAL_CELLS
    ]  # fmt: skip
    says = weighed.figure.text(
        _middle("weights"), STEPS_AT, "", ha="center", va="bottom", **STEP
    )  # fmt: skip

    def show(reached: bool) -> None:
        for _, dashed in frames:
            dashed.set_linewidth(0 if reached else 1.6)  # white alone, on a dark cell
        says.set_text(say(SECOND, goal=say(REACHED if reached else TO_REACH)))

    show(False)
    return GoalMark([*(one for pair in frames for one in pair), says], show)


def _middle(name: str) -> float:
    left, _, width, _ = PLACES[name]
    return left + width / 2


def _headings(figure) -> None:
    """The words over each part, and the first number over the two planes with rings."""
    look = {"ha": "center", "va": "bottom", "linespacing": 1.3}
    for name, (heading, high) in HEADINGS.items():
        figure.text(_middle(name), high, say(heading), color=COLOURS.get(name, INK), **look)
    between = (_middle("queries") + _middle("keys")) / 2
    figure.text(between, 0.913, say(FIRST), **STEP, **look)
    for side in (-1, 1):  # a bracket: the number belongs to both planes
        x = [between + side * away for away in (0.155, 0.325, 0.325)]
        figure.add_artist(Line2D(x, [0.926, 0.926, 0.913], color=INK, linewidth=1))


def draw_flow(figure, data) -> Drawing:
    """Above words, queries and keys; below the weights, and values with the output."""
    axes = dict(zip(PLACES, figure.subplots(1, len(PLACES)), strict=True))
    for name, place in PLACES.items():
        axes[name].set_position(place)
        axes[name].set_label(name)
    planes = [
        Plane(axes["words"], "words", data, ROOM, colour=INK, held=(CAT, SLEEPING),
              quiet=True),
        Plane(axes["queries"], "queries", data, ROOM, colour=QUERY, matrix="w_q", pale=True),
        Plane(axes["keys"], "keys", data, ROOM, colour=KEY, matrix="w_k", quiet=True),
        Plane(axes["values"], "values", data, VALUES_ROOM, colour=VALUE, output=OUTPUT,
              quiet=True),
    ]  # fmt: skip
    weights = _table(axes["weights"], data)
    goal = _goal(axes["weights"])
    _headings(figure)
    leads = figure.text(0.578, 0.2175, say("· v\n→"), ha="center", va="center", fontsize=SMALL)
    made = figure.text(0.5, 0.474, "", ha="center", fontsize=SMALL)
    home = figure.text(
        _middle("values"), STEPS_AT, "", ha="center", va="bottom", **STEP
    )  # fmt: skip
    title, start = figure.headline(), data

    def update(data) -> None:
        reached = _both(data)
        moved = any((data[one] != start[one]).any() for one in ("words", "w_q", "w_k"))
        for plane in planes:
            plane.move(data, awake=reached or (moved and plane.name == "keys"))
        made.set_alpha(1.0 if moved else PALE)
        for later in (leads, home):
            later.set_alpha(1.0 if reached else PALE)
        weights.update(data["weights"])
        weights.highlight(row=data["asks"])
        made.set_text(_made(data))
        home.set_text(say(THIRD, word=say(WORDS[data["asks"]])))
        title.set_text(_finding(data, start["weights"]))

    parts = [artist for plane in planes for artist in plane.artists]
    return Drawing(update, moving=[*parts, *weights.artists, made, leads, home, title], goal=goal)


def _made(data) -> str:
    """How the word that asks is made of the arrows of each matrix."""
    thing, action = (signed(one) for one in data["words"][data["asks"]])
    return say(
        "dotted way of {word} ({thing}, {action}): {thing} · thing's row + {action} · action's row",
        word=WORDS[data["asks"]], thing=thing, action=action,
    )  # fmt: skip


def _finding(data, was) -> str:
    """What the word that asks gives most to, and how much it `was` in the first weights."""
    row = data["weights"][data["asks"]]
    names = [say("itself") if i == data["asks"] else WORDS[i] for i in range(3)]
    best = int(np.argmax(row.round(6)))
    first = [i for i in range(3) if share(row[i]) == share(row[best])]  # as they are shown
    word, most = WORDS[data["asks"]], share(row[best])
    if len(first) == 3:
        return say("{word} gives all three words the same: {share} each", word=word, share=most)
    if len(first) == 2:
        one, other = (names[i] for i in first)
        return say(
            "{word} gives {one} and {other} the same: {share} each",
            word=word, one=one, other=other, share=most,
        )  # fmt: skip
    says = (
        "{word} gives most of its attention to {other}: {share}"
        if row[best] > MOST
        else "{word} gives {other} more than any other word: {share}"
    )
    found = say(says, word=word, share=most, other=names[best])
    old = share(was[data["asks"], best])
    return found if old == most else say("{found} (it was {old})", found=found, old=old)


def describe_flow(params, data) -> str:
    """The picture in words."""
    i = data["asks"]
    return say(
        "{word} asks with q = ({qx}, {qy}). Its scaled scores for cat, is and sleeping are "
        "{scores}, its weights {weights}, and its output is ({ox}, {oy}). Arrows of W_Q: thing "
        "{thing}, action {action}. Sleeping gives cat {back}.",
        word=WORDS[i], qx=signed(data["queries"][i, 0]), qy=signed(data["queries"][i, 1]),
        scores=", ".join(signed(one) for one in data["scores"][i]),
        weights=", ".join(share(one) for one in data["weights"][i]),
        ox=signed(data["output"][0], 2), oy=signed(data["output"][1], 2),
        thing=_pair(data["w_q"][0]), action=_pair(data["w_q"][1]),
        back=share(data["weights"][SLEEPING, CAT]),
    )  # fmt: skip


def _pair(xy) -> str:
    return f"({signed(xy[0])}, {signed(xy[1])})"


def numbers_flow(params, data) -> list[tuple[str, str]]:
    """The numbers of the picture, a row each."""
    rows = [
        (say("{name} of {word}", name=letter, word=word), _pair(one))
        for letter, name in (("x", "words"), ("q", "queries"), ("k", "keys"), ("v", "values"))
        for word, one in zip(WORDS, data[name], strict=True)
    ]
    return [*rows, (say("output"), _pair(data["output"]))]


def _held(start, label: str, *, least: float = -STEEPEST, most: float = STEEPEST) -> Numbers:
    return Numbers(least, most, start=start, labels=TRAITS, label=label, step=0.1)


def _word(start, label: str) -> Numbers:
    return _held(start, label, least=0.0, most=FARTHEST)


def _tip(plane: str, table: str, rows: tuple[int, int], row: int, name: str, label: str) -> Handle:
    """What drags one of two arrows of a plane, whose two numbers are the parameter `name`."""
    side = side_of(table == "words")
    return Handle(
        at=lambda data: (plane, *grips(data[table][list(rows)], side)[rows.index(row)]),
        to=lambda xy, params: {name: tuple(xy)},
        moves=(name,),
        label=label,
        colour=GHOST if table == "words" else INK,
        square=table == "words",
    )


def _both(data) -> bool:
    """Whether both dashed cells hold enough."""
    return all(data["weights"][cell] >= ENOUGH for cell in GOAL_CELLS)


def _exchanged(params, data) -> bool:
    return _both(data)


explore_flow = Explorer(
    flow,
    draw_flow,
    describe_flow,
    sliders={
        "asks": Options(
            {word: i for i, word in enumerate(WORDS)}, start=CAT, label="the word that asks"
        ),
        "cat": _word(STARTS["cat"], "the word cat"),
        "sleeping": _word(STARTS["sleeping"], "the word sleeping"),
        "w_q_thing": _held(ROWS["w_q_thing"], "W_Q, row of thing"),
        "w_q_action": _held(ROWS["w_q_action"], "W_Q, row of action"),
        "w_k_thing": _held(ROWS["w_k_thing"], "W_K, row of thing"),
        "w_k_action": _held(ROWS["w_k_action"], "W_K, row of action"),
    },
    handles={
        "asks": Chosen(at=lambda data: [("weights", -0.5, i) for i in range(3)], moves="asks"),
        "cat": _tip("words", "words", (CAT, SLEEPING), CAT, "cat", "the word cat"),
        "sleeping": _tip(
            "words", "words", (CAT, SLEEPING), SLEEPING, "sleeping", "the word sleeping"
        ),
        **{
            f"{matrix}_{trait}": _tip(
                plane, matrix, (0, 1), row, f"{matrix}_{trait}", f"{says}, row of {trait}"
            )
            for plane, matrix, says in (("queries", "w_q", "W_Q"), ("keys", "w_k", "W_K"))
            for row, trait in enumerate(TRAITS)
        },
    },
    functions={"attend": attention},
    numbers=numbers_flow,
    goal=Goal(
        "Drag the black arrows by their rings, in the blue or the orange plane, until cat gives "
        "sleeping .70 or more and sleeping gives cat .70 or more: the dashed cells.",
        _exchanged,
        solution={"w_q_thing": (0.0, 1.0), "w_q_action": (1.0, 0.0)},
    ),
    question="Which arrows had to move? And could W_K have done it as well?",
    size=(7.0, 5.65),
    colours=12,
)
