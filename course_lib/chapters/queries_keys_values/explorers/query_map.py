"""Explorer `query_map`: W_Q as turn, stretch, turn; and what happens in the other order."""

import numpy as np

from course_lib.figures.theme import FAINT, GHOST, INK, QUERY, SMALL
from course_lib.figures.vectors import draw_ghost, draw_plane, draw_vector
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import IntRange, Options
from course_lib.words import say


def _turn(degrees: float) -> np.ndarray:
    """The matrix that turns a row, x @ _turn(degrees), counterclockwise."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, s], [-s, c]])


U, STRETCH, VT = _turn(70), np.diag([2.0, 0.5]), _turn(-25)  # of W_Q = U stretch Vᵀ

AROUND = np.array([[1.0, 0.0] @ _turn(degrees) for degrees in range(0, 361, 5)])

LINES = [  # of the grid that is carried along: each a row of points
    line @ swap
    for swap in (np.eye(2), np.array([[0.0, 1.0], [1.0, 0.0]]))
    for line in (np.array([[-1.0, at], [1.0, at]]) for at in (-1, -0.5, 0, 0.5, 1))
]

ORDERS = {"rows": (U, STRETCH, VT), "columns": (VT, STRETCH, U)}

ORDER_NAMES = {"rows": ("U", "stretch", "Vᵀ"), "columns": ("Vᵀ", "stretch", "U")}


def query_map(*, order, factors, angle) -> dict:
    """The unit circle of words, and one word on it, after the first factors of W_Q."""
    matrix = np.eye(2)
    for factor in ORDERS[order][:factors]:
        matrix = matrix @ factor
    word = AROUND[0] @ _turn(angle)
    return {
        "names": ORDER_NAMES[order][:factors],
        "circle": AROUND @ matrix,
        "grid": np.array(LINES) @ matrix,
        "start": word,
        "word": word @ matrix,
        "query": word @ U @ STRETCH @ VT,
    }


def _gap(data) -> float:
    """How far the word is from its query."""
    return float(np.linalg.norm(data["word"] - data["query"]))


def _plane(figure):
    """What stays: the circle of the words in grey, and the ellipse of their queries in dashes."""
    plane = figure.subplots()
    draw_plane(plane, 2.5)
    plane.set(xlim=(-3.6, 3.6), ylim=(-2.05, 2.05), label="plane")
    plane.spines[:].set_visible(False)
    ellipse = AROUND @ U @ STRETCH @ VT
    plane.plot(*AROUND.T, color=GHOST, linewidth=1.2)
    plane.plot(*ellipse.T, color=QUERY, linewidth=1.4, linestyle=(0, (4, 2)))
    plane.text(-0.35, -1.18, say("words"), color=INK, fontsize=SMALL, ha="center")
    right = ellipse[np.argmax(ellipse[:, 0])]
    plane.text(
        right[0] + 0.12, right[1], say("goal: their queries,\nx $W_Q$"), color=QUERY,
        fontsize=SMALL, va="center",
    )  # fmt: skip
    return plane


def _names_of(data) -> list[np.ndarray]:
    """Where the names of the word so far and of its query stand: a little behind their tips."""
    places = []
    for tip in (data["word"], data["query"]):
        along = tip / np.linalg.norm(tip)
        places.append(tip + along * (0.18 + 0.22 * abs(along[0])))
    return places


def draw_query_map(figure, data) -> Drawing:
    """The circle of words with a grid that is carried along, and one word with its query."""
    plane = _plane(figure)
    lines = [plane.plot([], [], color=FAINT, linewidth=1, zorder=0.5)[0] for _ in LINES]
    (circle,) = plane.plot([], [], color=QUERY, linewidth=2.4)
    start = draw_ghost(plane, data["start"], "x", side=1)
    aim = draw_vector(plane, data["query"], QUERY, width=0.4)
    aim.artists[0].set_alpha(0.5)
    word = draw_vector(plane, data["word"], QUERY, width=1.2)
    names = [
        plane.text(
            0,
            0,
            text,
            color=QUERY,
            fontsize=SMALL,
            ha="center",
            va="center",
            alpha=alpha,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.4, "alpha": 0.8},
        )
        for text, alpha in ((say("so far"), 1.0), (say("its query"), 0.75))
    ]
    title = figure.headline()

    def update(data) -> None:
        circle.set_data(*data["circle"].T)
        for line, points in zip(lines, data["grid"], strict=True):
            line.set_data(*points.T)
        start.move(data["start"])
        aim.move(data["query"])
        word.move(data["word"])
        for name, place in zip(names, _names_of(data), strict=True):
            name.set_position(place)
        names[1].set_visible(_gap(data) > 0.9)
        done = " · ".join(("x", *data["names"]))
        title.set_text(say("{done}: {gap:.2f} away from the query", done=done, gap=_gap(data)))

    arrows = [*start.artists, *aim.artists, *word.artists]
    return Drawing(update, moving=[*lines, circle, *arrows, *names, title])


def describe_query_map(params, data) -> str:
    """The picture in one sentence."""
    done = " ".join(("x", *data["names"]))
    return say(
        "{done}: the word at {angle} degrees is now at ({x:.2f}, {y:.2f}). Its query x W_Q is "
        "({qx:.2f}, {qy:.2f}). The order is {order}.",
        done=done, angle=params["angle"], x=data["word"][0], y=data["word"][1],
        qx=data["query"][0], qy=data["query"][1],
        order=" · ".join(ORDER_NAMES[params["order"]]),
    )  # fmt: skip


explore_query_map = Explorer(
    query_map,
    draw_query_map,
    describe_query_map,
    sliders={
        "factors": IntRange(0, 3, start=1, label="how many factors are applied"),
        "order": Options(
            {" · ".join(names): order for order, names in reversed(ORDER_NAMES.items())},
            start="columns",
            label="first, second, third factor",
        ),
        "angle": IntRange(0, 355, start=45, step=5, label="direction of the word x, in degrees"),
    },
    handles={
        "word": Handle(
            at=lambda data: ("plane", *data["start"]),
            to=lambda xy, params: {"angle": np.degrees(np.arctan2(xy[1], xy[0])) % 360},
            moves=("angle",),
            label="the word x",
        ),
    },
    numbers=lambda params, data: [
        (say("now"), "({:.2f}, {:.2f})".format(*data["word"])),
        (say("query x W_Q"), "({:.2f}, {:.2f})".format(*data["query"])),
        (say("between them"), f"{_gap(data):.2f}"),
    ],
    goal=Goal(
        "Bring the whole circle onto the dashed ellipse, and with it the word onto its query.",
        lambda params, data: params["factors"] == 3 and params["order"] == "rows",
        solution={"factors": 3, "order": "rows"},
    ),
    size=(7.0, 4.2),
    colours=8,
)
