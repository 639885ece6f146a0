"""The explorers of chapter 5, queries, keys and values."""

from functools import lru_cache

import numpy as np
import torch

from course_lib.explorers.engine.explorer import Drawing, Explorer, Goal
from course_lib.explorers.engine.sliders import FloatRange, IntRange, Options
from course_lib.figures.theme import FAINT, GHOST, INK, OUTPUT, QUERY, SMALL, VALUE
from course_lib.figures.vectors import draw_ghost, draw_plane, draw_vector
from course_lib.kernels.attention import attention
from course_lib.kernels.softmax import softmax
from course_lib.models.threads import one_thread
from course_lib.words import say


def _rows(attend, q, k, v) -> np.ndarray:
    """What `attend` gives for arrays, as an array; refused where it has another shape."""
    tensors = (torch.tensor(array, dtype=torch.float32) for array in (q, k, v))
    with one_thread():
        output = torch.as_tensor(attend(*tensors)).detach().double().numpy()
    wanted = (len(q), v.shape[1])
    if output.shape != wanted:
        raise ValueError(f"attend gave shape {output.shape}, where {wanted} is needed")
    return output


def _outputs_and_weights(attend, q, k, v) -> tuple[np.ndarray, np.ndarray]:
    """The output, and the weights: they are the output where each value is a unit vector."""
    both = _rows(attend, q, k, np.hstack([v, np.eye(len(k))]))
    return both[:, : v.shape[1]], both[:, v.shape[1] :]


# Soft lookup: from the mean of all values to the value of the best key

DRAWERS = np.array([10.0, 20.0, 30.0, 40.0])
SHARPEST = 12.0
SHARPNESSES = np.linspace(0, SHARPEST, 49)


def soft_lookup(*, sharpness, lean, attend) -> dict:
    """Four keys at right angles; the query leans from the third to the fourth."""
    keys = np.eye(len(DRAWERS))
    fit = (1 - lean) * keys[2] + lean * keys[3]
    # attend divides by the root of the width; this takes it back, so that sharpness is the score.
    asked = np.append(SHARPNESSES, sharpness)[:, None] * fit * np.sqrt(len(DRAWERS))
    outputs, weights = _outputs_and_weights(attend, asked, keys, DRAWERS[:, None])
    return {
        "sharpness": sharpness,
        "fit": fit,
        "weights": weights[-1],
        "output": float(outputs[-1, 0]),
        "curve": outputs[:-1, 0],
    }


def draw_soft_lookup(figure, data) -> Drawing:
    """Left the weight of each drawer; right the output at every sharpness."""
    left, right = figure.subplots(1, 2, width_ratios=(1.0, 1.25))
    places = np.arange(len(DRAWERS))
    left.set(xlim=(-0.6, 3.6), ylim=(0, 1.12), yticks=(0, 0.5, 1))
    left.set_xticks(places, labels=[f"{value:.0f}" for value in DRAWERS])
    left.set_xlabel(say("value in the drawer"))
    left.set_title(say("weights"))
    bars = left.bar(places, data["weights"], width=0.7, color=VALUE)
    numbers = [left.text(place, 0, "", ha="center", fontsize=SMALL) for place in places]
    right.set(xlim=(-0.3, SHARPEST + 0.3), ylim=(8, 42), yticks=DRAWERS)
    right.set_xlabel(say("sharpness"))
    for value in DRAWERS:
        right.axhline(value, color=FAINT, linewidth=1, zorder=0)
    right.plot(SHARPNESSES, data["curve"], color=GHOST, linewidth=1)
    (curve,) = right.plot([], [], color=OUTPUT)
    (here,) = right.plot([], [], "o", color=OUTPUT, markersize=9)
    title = right.set_title("")

    def update(data) -> None:
        for bar, number, weight in zip(bars, numbers, data["weights"], strict=True):
            bar.set_height(weight)
            number.set_text(f"{weight:.2f}")
            number.set_y(np.clip(weight, 0, 1) + 0.02)
        curve.set_data(SHARPNESSES, data["curve"])
        here.set_data([data["sharpness"]], [data["output"]])
        title.set_text(say("output {output:.2f}", output=data["output"]))

    return Drawing(update, moving=[*bars, *numbers, curve, here, title])


def describe_soft_lookup(params, data) -> str:
    """The picture in one sentence."""
    weights = ", ".join(f"{weight:.2f}" for weight in data["weights"])
    return say(
        "The query fits the key of 30 by {third:.2f} and that of 40 by {fourth:.2f}. At sharpness "
        "{sharpness:.1f} the drawers 10, 20, 30 and 40 have the weights {weights}, and the output "
        "is {output:.2f}.",
        third=data["fit"][2], fourth=data["fit"][3], weights=weights,
        sharpness=params["sharpness"], output=data["output"],
    )  # fmt: skip


explore_soft_lookup = Explorer(
    soft_lookup,
    draw_soft_lookup,
    describe_soft_lookup,
    sliders={
        "sharpness": FloatRange(
            0, SHARPEST, start=1.0, step=0.1, label="sharpness: what the fit is multiplied by"
        ),
        "lean": FloatRange(
            0, 1, start=0.0, step=0.05, label="query: from the third key (0) to the fourth (1)"
        ),
    },
    functions={"attend": attention},
    numbers=lambda params, data: [
        *(
            (say("weight of {value:.0f}", value=value), f"{weight:.4f}")
            for value, weight in zip(DRAWERS, data["weights"], strict=True)
        ),
        (say("output"), f"{data['output']:.3f}"),
    ],
    goal=Goal(
        "Make a lookup of it: bring the output to within 0.01 of 30.",
        lambda params, data: abs(data["output"] - 30) < 0.01,
        solution={"sharpness": 8.0},
    ),
)

# Who looks at whom: the weights of one word, and the weighted values head to tail

WORDS = ("Xiao Shenyang", "Jiangxi", "concert", "invited", "done")
CHINESE = ("小沈阳", "江西", "演唱会", "邀请", "了")
# Invented. Columns of both: person, place, event, action. A query says what the word looks for.
LOOKS_FOR = np.array([
    [0.5, 0.0, 1.0, 2.0],
    [0.0, 0.5, 2.0, 0.0],
    [2.0, 1.5, 0.0, 0.0],
    [2.0, 0.0, 2.5, 0.0],
    [0.0, 0.0, 0.0, 2.5],
])  # fmt: skip
OFFERS = np.array([
    [2.0, 0.0, 0.0, 0.0],
    [0.0, 2.0, 0.0, 0.0],
    [0.0, 0.5, 2.0, 0.0],
    [0.0, 0.0, 0.5, 2.0],
    [0.0, 0.0, 0.0, 1.0],
])  # fmt: skip
HANDS_OVER = np.array([[-3.2, 0.8], [2.4, -2.4], [3.3, 1.2], [0.4, 3.1], [-1.8, -2.0]])
NAMED_AT = np.array([[-2.7, 1.45], [2.5, -2.85], [3.4, 1.75], [0.5, 3.5], [-1.9, -2.45]])
INVITED = 3


def who_looks_at_whom(*, query, sharpness, attend) -> dict:
    """The weights of one word, and the sums of its weighted values so far, one word at a time."""
    outputs, weights = _outputs_and_weights(attend, sharpness * LOOKS_FOR, OFFERS, HANDS_OVER)
    steps = np.cumsum(weights[query, :, None] * HANDS_OVER, axis=0)
    return {
        "query": query,
        "weights": weights[query],
        "output": outputs[query],
        "joints": np.vstack([np.zeros((1, 2)), steps]),
    }


def draw_who_looks_at_whom(figure, data) -> Drawing:
    """Left the weights of the chosen word; right its values, shortened and put head to tail."""
    left, plane = figure.subplots(1, 2, width_ratios=(1.0, 1.7))
    places = np.arange(len(WORDS))
    left.set(xlim=(0, 1.3), ylim=(len(WORDS) - 0.4, -0.6), xticks=(0, 0.5, 1))
    left.set_yticks(places, labels=WORDS)
    left.tick_params(axis="y", length=0)
    left.set_xlabel(say("weight"))
    bars = left.barh(places, data["weights"], height=0.6, color=VALUE)
    numbers = [left.text(0, place, "", va="center", fontsize=SMALL) for place in places]
    who = left.set_title("", loc="right")
    draw_plane(plane, 4.4)
    plane.set(ylim=(-4.1, 4.0), anchor="N")
    plane.set_title(say("output: values, head to tail"))
    for word, value, place in zip(WORDS, HANDS_OVER, NAMED_AT, strict=True):
        draw_ghost(plane, value, "")
        plane.text(*place, word, fontsize=SMALL, ha="center", va="center")
    links = [draw_vector(plane, (0, 0), VALUE, width=0.9) for _ in WORDS]
    output = draw_vector(plane, data["output"], OUTPUT, width=1.6)
    for place, side, color, text in (
        (-4.25, "left", VALUE, "thin: weight · value"),
        (4.25, "right", OUTPUT, "thick: output"),
    ):
        plane.text(
            place, -3.7, say(text), color=color, fontsize=SMALL, ha=side, va="center",
            fontweight="bold",
        )  # fmt: skip

    def update(data) -> None:
        for bar, number, weight in zip(bars, numbers, data["weights"], strict=True):
            bar.set_width(weight)
            number.set_text(f"{weight:.2f}")
            number.set_x(np.clip(weight, 0, 1) + 0.02)
        for link, tail, tip in zip(links, data["joints"][:-1], data["joints"][1:], strict=True):
            link.move(tip, tail)
        output.move(data["output"])
        who.set_text(say("{word} looks at", word=WORDS[data["query"]]))

    parts = [artist for link in (*links, output) for artist in link.artists]
    return Drawing(update, moving=[*bars, *numbers, who, *parts])


def describe_who_looks_at_whom(params, data) -> str:
    """The picture in one sentence."""
    order = np.argsort(-data["weights"].round(2), kind="stable")  # by what is printed, then place
    shares = ", ".join(f"{WORDS[i]} {data['weights'][i]:.2f}" for i in order)
    return say(
        "{word} at sharpness {sharpness:.1f} takes: {shares}. Its output is ({x:.2f}, {y:.2f}), "
        "where the shortened values end.",
        word=WORDS[params["query"]], sharpness=params["sharpness"], shares=shares,
        x=data["output"][0], y=data["output"][1],
    )  # fmt: skip


explore_who_looks_at_whom = Explorer(
    who_looks_at_whom,
    draw_who_looks_at_whom,
    describe_who_looks_at_whom,
    sliders={
        "query": Options(
            {f"{WORDS[i]} {CHINESE[i]}": i for i in range(len(WORDS))},
            start=0,
            label="the word that asks",
        ),
        "sharpness": FloatRange(
            0, 8, start=1.0, step=0.1, label="sharpness: what each query is multiplied by"
        ),
    },
    functions={"attend": attention},
    numbers=lambda params, data: [
        *(
            (
                say("weight · value of {word}", word=word),
                f"{weight:.2f} · ({value[0]:.1f}, {value[1]:.1f})",
            )
            for word, weight, value in zip(WORDS, data["weights"], HANDS_OVER, strict=True)
        ),
        (say("output"), f"({data['output'][0]:.2f}, {data['output'][1]:.2f})"),
    ],
    goal=Goal(
        "Let invited ask: two words attract it. Bring the weight of one of them above .95.",
        lambda params, data: params["query"] == INVITED and data["weights"].max() > 0.95,
        solution={"query": INVITED, "sharpness": 6.5},
    ),
    size=(7.0, 3.9),
)

# The map W_Q: turn, stretch, turn; and what happens in the other order


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

# Rank: what narrow queries and keys leave of a table of scores

ASKING, MODEL_WIDTH, WIDEST_HEAD = 24, 16, 32
FLOOR = 1e-9  # of the largest singular value: below it, a direction counts as absent


@lru_cache
def _words_and_matrices() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    words = rng.normal(size=(ASKING, MODEL_WIDTH))
    w_q, w_k = rng.normal(size=(2, MODEL_WIDTH, WIDEST_HEAD)) / np.sqrt(MODEL_WIDTH)
    return words, w_q, w_k


@lru_cache
def _directions(d: int) -> tuple[np.ndarray, np.ndarray]:
    """The singular values of scores and weights, the largest as 1."""
    words, w_q, w_k = _words_and_matrices()
    scores = (words @ w_q[:, :d]) @ (words @ w_k[:, :d]).T / np.sqrt(d)
    values = [np.linalg.svd(table, compute_uv=False) for table in (scores, softmax(scores))]
    shares = [np.maximum(one / one[0], FLOOR) for one in values]
    for one in shares:
        one.flags.writeable = False  # cached: nobody may change it
    return tuple(shares)


def score_rank(*, d) -> dict:
    """24 words of width 16, queries and keys of width d: how many directions the tables have."""
    scores, weights = _directions(d)
    ranks = (int((one > FLOOR).sum()) for one in (scores, weights))
    names = ("d", "scores", "weights", "rank", "rank_of_weights")
    return dict(zip(names, (d, scores, weights, *ranks), strict=True))


def draw_score_rank(figure, data) -> Drawing:
    """The singular values of both tables, largest first, on a logarithmic scale."""
    axes = figure.subplots()
    places = np.arange(1, ASKING + 1)
    axes.set(xlim=(0.3, ASKING + 0.7), yscale="log", ylim=(FLOOR / 3, 3))
    axes.set_yticks([1, 1e-3, 1e-6, FLOOR], labels=["1", ".001", ".000001", say("none")])
    axes.minorticks_off()
    axes.set_xticks([1, 4, 8, 12, 16, 20, 24])
    axes.set_xlabel(say("direction of the table, the strongest first"))
    axes.set_ylabel(say("strength"))
    axes.axvline(MODEL_WIDTH + 0.5, color=FAINT, linewidth=1.5)
    axes.text(MODEL_WIDTH + 0.6, 3e-8, say("the words are\n16 wide"), fontsize=SMALL, va="center")
    (weights,) = axes.plot([], [], "D", color=VALUE, markersize=5, label=say("weights (diamonds)"))
    (scores,) = axes.plot([], [], "o", color=QUERY, markersize=6, label=say("scores (dots)"))
    axes.legend(loc="lower left", bbox_to_anchor=(0.0, 0.1))
    title = axes.set_title("")

    def update(data) -> None:
        scores.set_data(places, data["scores"])
        weights.set_data(places, data["weights"])
        title.set_text(
            say(
                "d = {d}: the scores have rank {rank}, the weights {other}",
                d=data["d"],
                rank=data["rank"],
                other=data["rank_of_weights"],
            )
        )

    return Drawing(update, moving=[weights, scores, title])


def describe_score_rank(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "24 words of width 16, queries and keys of width {d}: the scores have rank {rank}, and "
        "after softmax the weights have rank {other}, counting what has more than a billionth of "
        "the strength of the first.",
        d=params["d"], rank=data["rank"], other=data["rank_of_weights"],
    )  # fmt: skip


explore_score_rank = Explorer(
    score_rank,
    draw_score_rank,
    describe_score_rank,
    sliders={"d": IntRange(1, WIDEST_HEAD, start=4, label="width of queries and keys, d")},
    numbers=lambda params, data: [
        (say("words"), f"{ASKING}"),
        (say("width of the words"), f"{MODEL_WIDTH}"),
        (say("d"), f"{params['d']}"),
        (say("rank of the scores"), f"{data['rank']}"),
        (say("rank of the weights"), f"{data['rank_of_weights']}"),
    ],
    goal=Goal(
        "Find the narrowest queries and keys with which the scores have the highest rank that "
        "these words can give them.",
        lambda params, data: params["d"] == MODEL_WIDTH == data["rank"],
        solution={"d": MODEL_WIDTH},
    ),
)
