"""Explorer `flow`: from words to queries, keys and values, to scores, weights and the output."""

import math

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.chapters.queries_keys_values.attend_on_arrays import outputs_and_weights
from course_lib.chapters.queries_keys_values.names import Room
from course_lib.chapters.queries_keys_values.planes import TRAITS, WORDS, Plane
from course_lib.figures.ghosts import GoalMark
from course_lib.figures.heat_map import draw_scores, draw_weights
from course_lib.figures.numerals import Share, Signed, share, signed
from course_lib.figures.theme import GHOST, INK, KEY, OUTPUT, QUERY, SMALL, TITLE, VALUE, WEIGHT
from course_lib.kernels.attention import attention
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Chosen, Handle
from course_lib.sliding.held import Numbers
from course_lib.sliding.sliders import Options
from course_lib.words import say

CHINESE = ("猫", "在", "睡觉")
CAT, IS, SLEEPING = range(3)

# Invented, as in the chapter's table: how much of a thing, and how much of an action.
# Cat and sleeping lie a little off the axes, so that the arrows of a matrix stand beside theirs.
STARTS = {"cat": (1.8, 0.4), "is": (0.5, 0.6), "sleeping": (0.4, 1.8)}
W_V = np.array([[-0.95, 0.5], [0.95, 0.5]])  # a thing to the left, an action to the right

FARTHEST = 1.8  # that a word can be dragged, along each axis
STEEPEST = 1.5  # that an arrow of a matrix can be
ENOUGH = 0.7  # what the two arrows reach by changing places: .74 and .75
ASIDE = 0.22  # of a cell: "sleeping" is wider than its column and keeps away from "is"
MOST = 0.5  # from here on a share is most of what there is
DASHED = (0, (3, 2))
GOAL_CELLS = ((CAT, SLEEPING), (SLEEPING, CAT))
ROOM = Room(half=2.9, lowest=-2.3, highest=2.5, edge=0.1)
VALUES_ROOM = Room(half=1.8, lowest=-1.0, highest=2.4, unit=0.7, edge=0.12)  # larger units
PLACES = {  # left, bottom, width, height, as shares of the picture
    "words": (0.0, 0.555, 0.32, 0.325),
    "queries": (0.34, 0.555, 0.32, 0.325),
    "keys": (0.68, 0.555, 0.32, 0.325),
    "scores": (0.137, 0.13, 0.205, 0.25),
    "weights": (0.457, 0.13, 0.205, 0.25),
    "values": (0.705, 0.01, 0.295, 0.36),
}
HEADINGS = {
    "words": "the words, x",
    "queries": "ask: q = x $W_Q$",
    "keys": "answer: k = x $W_K$",
    "scores": "scaled scores: q · k / √2",
    "weights": "weights",
    "values": "hand over: v = x $W_V$",
}
CAPTIONS = {
    "words": "you may pull these, too",
    "queries": "drag the black arrows",
    "keys": "drag the black arrows",
}
COLOURS = {"words": WEIGHT, "queries": QUERY, "keys": KEY, "values": VALUE}


def flow(*, cat, sleeping, w_q_thing, w_q_action, w_k_thing, w_k_action, asks, attend) -> dict:
    """Every step of attention, for three words of two traits each."""
    x = np.array([cat, STARTS["is"], sleeping])
    w_q, w_k = np.array([w_q_thing, w_q_action]), np.array([w_k_thing, w_k_action])
    q, k, v = x @ w_q, x @ w_k, x @ W_V
    outputs, weights = outputs_and_weights(attend, q, k, v)
    scores = q @ k.T / math.sqrt(q.shape[1])
    return {
        "asks": asks, "words": x, "w_q": w_q, "w_k": w_k, "w_v": W_V, "queries": q, "keys": k,
        "values": v, "scores": scores, "weights": weights, "output": outputs[asks],
    }  # fmt: skip


def _tables(axes, data):
    """Scores and weights as cells, row by row."""
    scored, weighed = axes
    names = [say(word) for word in WORDS]
    scores = draw_scores(scored, data["scores"], rows=names, limit=4, number=Signed())
    weights = draw_weights(weighed, data["weights"], number=Share())
    for one in axes:
        one.set_xticks((0, 1, 2 + ASIDE), labels=names)
        one.set_aspect("auto")  # wide cells: room between the words below
        one.set_xlabel(say("answers"), color=KEY, labelpad=4)
    scored.set_ylabel(say("asks"), color=QUERY, labelpad=1)
    return scores, weights


def _goal(weighed) -> GoalMark:
    """The two cells that should hold most of their rows: dashed until they do."""
    cells = [
        weighed.add_patch(Rectangle(
            (column - 0.42, row - 0.42), 0.84, 0.84, fill=False, edgecolor=GHOST, linewidth=1.6,
            linestyle=DASHED, zorder=6,
        ))
        for row, column in GOAL_CELLS
    ]  # fmt: skip

    says = weighed.text(
        1,
        3.75,
        say("goal: both .70 or more"),
        color=INK,
        ha="center",
        fontsize=SMALL,
        fontweight="bold",
    )

    def show(reached: bool) -> None:
        for cell in cells:
            cell.set(linestyle="solid" if reached else DASHED, linewidth=3 if reached else 1.6)

    return GoalMark([*cells, says], show)


def draw_flow(figure, data) -> Drawing:
    """Above words, queries and keys; below scores, weights, and values with the output."""
    axes = dict(zip(PLACES, figure.subplots(2, 3).flat, strict=True))
    for name, place in PLACES.items():
        axes[name].set_position(place)
        axes[name].set_label(name)
    planes = [
        Plane(axes["words"], "words", data, ROOM, colour=WEIGHT, held=(CAT, SLEEPING)),
        Plane(axes["queries"], "queries", data, ROOM, colour=QUERY, matrix="w_q", pale=True),
        Plane(axes["keys"], "keys", data, ROOM, colour=KEY, matrix="w_k"),
        Plane(axes["values"], "values", data, VALUES_ROOM, colour=VALUE, more=[("output", OUTPUT)]),
    ]
    scores, weights = _tables((axes["scores"], axes["weights"]), data)
    goal = _goal(axes["weights"])
    _say_what_each_is(figure, axes)
    for x, text in ((0.399, "softmax\n→"), (0.687, "· v\n→")):
        figure.text(x, 0.255, say(text), ha="center", va="center", fontsize=SMALL)
    title = figure.text(0.012, 0.958, "", fontsize=TITLE, fontweight="bold")

    def update(data) -> None:
        for plane in planes:
            plane.move(data)
        scores.update(data["scores"]), weights.update(data["weights"])
        scores.highlight(row=data["asks"]), weights.highlight(row=data["asks"])
        title.set_text(_finding(data))

    parts = [artist for plane in planes for artist in plane.artists]
    tables = [*scores.artists, *weights.artists]
    return Drawing(update, moving=[*parts, *tables, title], goal=goal)


def _say_what_each_is(figure, axes) -> None:
    """A heading over each part, and below the planes what they show."""
    for name, heading in HEADINGS.items():
        left, _, width, _ = PLACES[name]
        high = 0.9 if name in CAPTIONS else 0.415
        colour = COLOURS.get(name, INK)
        figure.text(left + width / 2, high, say(heading), color=colour, ha="center")
        if name == "values":
            figure.text(
                left + width / 2, 0.383, say("$W_V$ stays as it is"), size=SMALL, ha="center"
            )
        if name in CAPTIONS:
            figure.text(left + width / 2, 0.515, say(CAPTIONS[name]), size=SMALL, ha="center")


def _finding(data) -> str:
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
    return say(says, word=word, share=most, other=names[best])


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


def _held(start: tuple[float, float], label: str, far: float = STEEPEST) -> Numbers:
    return Numbers(-far, far, start=start, labels=TRAITS, label=label, step=0.1)


def _tip(plane: str, table: str, row: int, name: str, label: str, colour: str) -> Handle:
    """What drags one arrow of a plane, whose two numbers are the parameter `name`."""
    return Handle(
        at=lambda data: (plane, *data[table][row]),
        to=lambda xy, params: {name: tuple(xy)},
        moves=(name,),
        label=label,
        colour=colour,
    )


def _exchanged(params, data) -> bool:
    weights = data["weights"]
    return all(weights[cell] >= ENOUGH for cell in GOAL_CELLS)


explore_flow = Explorer(
    flow,
    draw_flow,
    describe_flow,
    sliders={
        "asks": Options(
            {f"{WORDS[i]} {CHINESE[i]}": i for i in range(3)}, start=CAT, label="the word that asks"
        ),
        "cat": _held(STARTS["cat"], "the word cat", FARTHEST),
        "sleeping": _held(STARTS["sleeping"], "the word sleeping", FARTHEST),
        "w_q_thing": _held((1.0, 0.0), "W_Q, row of thing"),
        "w_q_action": _held((0.0, 1.0), "W_Q, row of action"),
        "w_k_thing": _held((1.2, 0.0), "W_K, row of thing"),
        "w_k_action": _held((0.0, 1.2), "W_K, row of action"),
    },
    handles={
        "asks": Chosen(at=lambda data: [("scores", -0.5, i) for i in range(3)], moves="asks"),
        "cat": _tip("words", "words", CAT, "cat", "the word cat", WEIGHT),
        "sleeping": _tip("words", "words", SLEEPING, "sleeping", "the word sleeping", WEIGHT),
        "w_q_thing": _tip("queries", "w_q", 0, "w_q_thing", "W_Q, row of thing", INK),
        "w_q_action": _tip("queries", "w_q", 1, "w_q_action", "W_Q, row of action", INK),
        "w_k_thing": _tip("keys", "w_k", 0, "w_k_thing", "W_K, row of thing", INK),
        "w_k_action": _tip("keys", "w_k", 1, "w_k_action", "W_K, row of action", INK),
    },
    functions={"attend": attention},
    numbers=numbers_flow,
    goal=Goal(
        "Drag the black arrows, in the blue or the orange plane, until cat gives sleeping .70 or "
        "more and sleeping gives cat .70 or more: the dashed cells.",
        _exchanged,
        solution={"w_q_thing": (0.0, 1.0), "w_q_action": (1.0, 0.0)},
    ),
    question="Which arrows had to move? And could W_K have done it as well?",
    size=(7.0, 5.7),
    colours=24,
)
