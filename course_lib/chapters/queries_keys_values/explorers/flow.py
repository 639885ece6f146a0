"""Explorer `flow`: from words to queries, keys and values, to scores, weights and the output."""

import math

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.chapters.queries_keys_values.attend_on_arrays import outputs_and_weights
from course_lib.chapters.queries_keys_values.names import names_at
from course_lib.figures.ghosts import GoalMark
from course_lib.figures.heat_map import draw_scores, draw_weights
from course_lib.figures.numerals import Share, Signed, share, signed
from course_lib.figures.theme import GHOST, INK, KEY, OUTPUT, QUERY, SMALL, TITLE, VALUE
from course_lib.figures.vectors import draw_ghost, draw_plane, draw_vector
from course_lib.kernels.attention import attention
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Chosen, Handle
from course_lib.sliding.held import Numbers
from course_lib.sliding.sliders import Options
from course_lib.words import say

WORDS = ("cat", "is", "sleeping")
CHINESE = ("猫", "在", "睡觉")
CAT, IS, SLEEPING = range(3)
TRAITS = ("thing", "action")

# Invented, as in the chapter's table: how much of a thing, and how much of an action.
STARTS = {"cat": (1.7, 0.3), "is": (-0.6, 0.5), "sleeping": (0.4, 1.6)}
W_V = np.array([[0.1, -0.95], [0.95, 0.1]])  # turns clockwise by about a right angle

FARTHEST = 1.8  # that a word can be dragged, along each axis
STEEPEST = 1.5  # that an arrow of a matrix can be
ENOUGH = 0.7  # what the two arrows reach by changing places: .73 and .76
DASHED = (0, (3, 2))
GOAL_CELLS = ((CAT, SLEEPING), (SLEEPING, CAT))
WIDE, LOW, HIGH = 2.9, -1.6, 2.2  # of a plane: half of its width, lowest and highest name
NAMES_WIDE = 2.7  # names keep off the edges
PALE = 0.6  # the queries of words that do not ask now
PLACES = {  # left, bottom, width, height, as shares of the picture
    "words": (0.0, 0.485, 0.32, 0.385),
    "queries": (0.34, 0.485, 0.32, 0.385),
    "keys": (0.68, 0.485, 0.32, 0.385),
    "scores": (0.107, 0.07, 0.212, 0.345),
    "weights": (0.43, 0.07, 0.212, 0.345),
    "values": (0.705, 0.07, 0.29, 0.345),
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
    "words": "drag cat or sleeping",
    "queries": "thin: the rows of $W_Q$",
    "keys": "thin: the rows of $W_K$",
}
COLOURS = {"words": INK, "queries": QUERY, "keys": KEY, "values": VALUE}


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


class _Arrow:
    """An arrow with a name."""

    def __init__(self, plane, tip, color, label, *, width=0.8, weight="bold"):
        self._vector = draw_vector(plane, tip, color, width=width)
        self._name = plane.text(
            0, 0, label, color=color, fontsize=SMALL, fontweight=weight, ha="center", va="center",
            zorder=5,
        )  # fmt: skip
        self.artists = [self._vector.artists[0], self._name]

    @property
    def name(self) -> str:
        """What is written at it."""
        return self._name.get_text()

    def move(self, tip, name_at, faint: bool = False) -> None:
        """Let it end at `tip`, with its name at another place."""
        self._vector.move(tip)
        self._name.set_position(name_at)
        for artist in self.artists:
            if artist.get_alpha() != (PALE if faint else 1.0):
                artist.set_alpha(PALE if faint else 1.0)


class _Plane:
    """The arrows of one plane, one a word, and thin ones for the rows of its matrix."""

    def __init__(self, plane, name, data, matrix=""):
        self.name, self.matrix = name, matrix
        draw_plane(plane, WIDE)
        plane.set(xlim=(-WIDE, WIDE), ylim=(-2.2, HIGH + 0.3), label=name)
        plane.spines[:].set_visible(False)
        for tip in (*data[name], *data.get(matrix, ())):
            draw_ghost(plane, tip, "")
        self.rows = [
            _Arrow(plane, tip, INK, say(trait), width=0.45, weight="normal")
            for tip, trait in zip(data.get(matrix, ()), TRAITS, strict=False)
        ]
        self.words = [
            _Arrow(plane, tip, COLOURS[name], say(word))
            for tip, word in zip(data[name], WORDS, strict=True)
        ]
        self.artists = [one for arrow in (*self.rows, *self.words) for one in arrow.artists]

    def move(self, data) -> None:
        """Draw the arrows of other data; of the queries, only that of who asks is in full."""
        arrows = [*self.words, *self.rows]
        tips = np.array([*data[self.name], *data.get(self.matrix, ())])
        places = names_at(tips, [arrow.name for arrow in arrows], (NAMES_WIDE, LOW, HIGH))
        for i, (arrow, tip, place) in enumerate(zip(arrows, tips, places, strict=True)):
            others = self.name == "queries" and i < len(self.words) and i != data["asks"]
            arrow.move(tip, place, faint=others)


def _tables(axes, data):
    """Scores and weights as cells, row by row."""
    scored, weighed = axes
    names = [say(word) for word in WORDS]
    scores = draw_scores(scored, data["scores"], rows=names, limit=4, number=Signed())
    weights = draw_weights(weighed, data["weights"], number=Share())
    for one in axes:
        one.set_xticks(range(3), labels=names)
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

    def show(reached: bool) -> None:
        for cell in cells:
            cell.set(linestyle="solid" if reached else DASHED, linewidth=3 if reached else 1.6)

    return GoalMark(cells, show)


def draw_flow(figure, data) -> Drawing:
    """Above words, queries and keys; below scores, weights, and values with the output."""
    axes = dict(zip(PLACES, figure.subplots(2, 3).flat, strict=True))
    for name, place in PLACES.items():
        axes[name].set_position(place)
        axes[name].set_label(name)
    planes = [
        _Plane(axes["words"], "words", data),
        _Plane(axes["queries"], "queries", data, "w_q"),
        _Plane(axes["keys"], "keys", data, "w_k"),
        _Plane(axes["values"], "values", data, "w_v"),
    ]
    scores, weights = _tables((axes["scores"], axes["weights"]), data)
    goal = _goal(axes["weights"])
    draw_ghost(axes["values"], data["output"], "")
    output = draw_vector(axes["values"], data["output"], OUTPUT, width=1.6, zorder=4)
    taken = figure.text(0.985, 0.035, "", color=OUTPUT, ha="right", fontweight="bold")
    _say_what_each_is(figure, axes)
    for x, text in ((0.374, "softmax\n→"), (0.671, "· v\n→")):
        figure.text(x, 0.22, say(text), ha="center", va="center", fontsize=SMALL)
    title = figure.text(0.012, 0.945, "", fontsize=TITLE, fontweight="bold")

    def update(data) -> None:
        for plane in planes:
            plane.move(data)
        output.move(data["output"])
        scores.update(data["scores"]), weights.update(data["weights"])
        scores.highlight(row=data["asks"]), weights.highlight(row=data["asks"])
        taken.set_text(say("output of {word}", word=WORDS[data["asks"]]))
        title.set_text(_finding(data))

    parts = [artist for plane in planes for artist in plane.artists]
    tables = [*scores.artists, *weights.artists]
    return Drawing(update, moving=[*parts, *output.artists, *tables, taken, title], goal=goal)


def _say_what_each_is(figure, axes) -> None:
    """A heading over each part, and below the planes what they show."""
    for name, heading in HEADINGS.items():
        left, _, width, _ = PLACES[name]
        high = 0.88 if name in ("words", "queries", "keys") else 0.435
        colour = COLOURS.get(name, INK)
        figure.text(left + width / 2, high, say(heading), color=colour, ha="center")
        if name in CAPTIONS:
            axes[name].text(0, -2.02, say(CAPTIONS[name]), size=SMALL, ha="center", va="center")


def _finding(data) -> str:
    row = data["weights"][data["asks"]]
    best = int(np.argmax(row.round(6)))
    return say(
        "{word} gives most of its attention to {other}: {share}",
        word=WORDS[data["asks"]], other=WORDS[best], share=share(row[best]),
    )  # fmt: skip


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
        "cat": _tip("words", "words", CAT, "cat", "the word cat", INK),
        "sleeping": _tip("words", "words", SLEEPING, "sleeping", "the word sleeping", INK),
        "w_q_thing": _tip("queries", "w_q", 0, "w_q_thing", "W_Q, row of thing", QUERY),
        "w_q_action": _tip("queries", "w_q", 1, "w_q_action", "W_Q, row of action", QUERY),
        "w_k_thing": _tip("keys", "w_k", 0, "w_k_thing", "W_K, row of thing", KEY),
        "w_k_action": _tip("keys", "w_k", 1, "w_k_action", "W_K, row of action", KEY),
    },
    functions={"attend": attention},
    numbers=numbers_flow,
    goal=Goal(
        "Now each word looks mostly at itself. Drag the two arrows of W_Q until cat gives sleeping "
        ".70 or more, and sleeping gives cat .70 or more (the dashed cells), both at once.",
        _exchanged,
        solution={"w_q_thing": (0.0, 1.0), "w_q_action": (1.0, 0.0)},
    ),
    question="What did you have to exchange? And could W_K have done it as well?",
    size=(7.0, 4.7),
    colours=32,
)
