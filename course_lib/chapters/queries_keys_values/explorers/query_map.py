"""The map W_Q: turn, stretch, turn; and what happens in the other order."""

import numpy as np

from course_lib.figures.theme import GHOST, INK, QUERY, SMALL
from course_lib.figures.vectors import draw_plane, draw_vector
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import IntRange, Options
from course_lib.words import say


def _turn(degrees: float) -> np.ndarray:
    """The matrix that turns a row, x @ _turn(degrees), counterclockwise."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, s], [-s, c]])


U, STRETCH, VT = _turn(70), np.diag([2.0, 0.5]), _turn(-25)  # of W_Q = U stretch Vᵀ

AROUND = np.array([[1.0, 0.0] @ _turn(degrees) for degrees in range(0, 361, 5)])

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
        "word": word @ matrix,
        "query": word @ U @ STRETCH @ VT,
    }


def _gap(data) -> float:
    """How far the word is from its query."""
    return float(np.linalg.norm(data["word"] - data["query"]))


def draw_query_map(figure, data) -> Drawing:
    """The ellipse of all queries in grey, and where the circle of words is now."""
    plane = figure.subplots()
    draw_plane(plane, 2.5)
    plane.set(xlim=(-3.9, 3.9), ylim=(-2.8, 2.2))
    plane.plot(*(AROUND @ U @ STRETCH @ VT).T, color=GHOST, linewidth=1.5, linestyle=(0, (4, 2)))
    for line, color, text in (
        (0, QUERY, "blue, solid: where the words are now"),
        (1, INK, "grey, dashed: their queries, x W_Q"),
    ):
        plane.text(-3.75, -2.15 - 0.4 * line, say(text), color=color, fontsize=SMALL, va="center")
    (circle,) = plane.plot([], [], color=QUERY)
    aim = draw_vector(plane, data["query"], GHOST, width=1.6)
    word = draw_vector(plane, data["word"], QUERY)
    title = plane.set_title("")

    def update(data) -> None:
        circle.set_data(*data["circle"].T)
        aim.move(data["query"])
        word.move(data["word"])
        done = " ".join(("x", *data["names"]))
        title.set_text(say("{done}: {gap:.2f} from its query", done=done, gap=_gap(data)))

    return Drawing(update, moving=[circle, *aim.artists, *word.artists, title])


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
    numbers=lambda params, data: [
        (say("now"), "({:.2f}, {:.2f})".format(*data["word"])),
        (say("query x W_Q"), "({:.2f}, {:.2f})".format(*data["query"])),
        (say("between them"), f"{_gap(data):.2f}"),
    ],
    goal=Goal(
        "Bring the word onto its query, x W_Q, and the whole circle onto the dashed ellipse.",
        lambda params, data: params["factors"] == 3 and params["order"] == "rows",
        solution={"factors": 3, "order": "rows"},
    ),
    size=(7.0, 4.4),
)
