"""Explorer `own_attention`: a word looks at the others, by the learner's own three lines.

"The dog left the apple on the table because it was ...": whom does *it* mean? The next word would
tell, and moves the query: tired means the dog, sweet the apple, wobbly the table. The first entry
of a word says how alive it is, the second how good to eat; both are invented. The word with the
largest share casts its shadow on the line of *it*: shadow times length is the score.
"""

import numpy as np
from matplotlib.patches import Circle

from course_lib.chapters.dot_product.exercises.attention import attention as in_three_lines
from course_lib.figures.ghosts import GoalMark
from course_lib.figures.numerals import share, signed
from course_lib.figures.sentence import draw_sentence, draw_shares
from course_lib.figures.theme import FAINT, KEY, OUTPUT, QUERY, SMALL
from course_lib.figures.vectors import draw_ghost, draw_projection, draw_vector
from course_lib.kernels import vectors
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import FloatRange
from course_lib.words import say

NAMES = ("dog", "left", "apple", "table", "because")
WORDS = np.array([[2.0, -0.4], [-0.35, 0.1], [-0.7, 1.8], [-1.7, -1.1], [0.05, -0.35]])
BESIDE = ((0.1, -0.3), (-0.2, 0.22), (-1.0, 0.0), (-0.1, -0.3), (0.0, -0.27))  # names: from tips
WANTED = NAMES.index("apple")
NEAR = 0.4
GIVE_WAY = {  # the short words' names: other places, where arrows cross the first
    "left": ((-0.2, 0.22), (-0.5, -0.22), (0.3, 0.42)),
    "because": ((0.0, -0.27), (-0.3, -0.45), (0.85, -0.2), (-0.65, -0.97)),
}
HALVES = {"left": (0.25, 0.1), "because": (0.57, 0.1)}  # of these names, across and up


def own_attention(*, alive, food, attention) -> dict:
    """One query over five words that are keys and values at once.

    The weights come from `attention`, too: where word i has the value 1 at place i and 0 elsewhere,
    the output is the weights.
    """
    q = np.array([[alive, food]], dtype=float)
    each = np.eye(len(WORDS))
    weights = np.asarray(attention(q, WORDS.copy(), each), dtype=float)
    output = np.asarray(attention(q, WORDS.copy(), WORDS.copy()), dtype=float)
    for one, shape in ((weights, (1, len(WORDS))), (output, (1, 2))):
        if one.shape != shape:
            raise ValueError(f"attention gave shape {one.shape}; here it should be {shape}")
    return {
        "q": q[0],
        "scores": vectors.pairwise_dots(q, WORDS)[0],
        "weights": weights[0],
        "output": output[0],
    }


def draw_own_attention(figure, data) -> Drawing:
    """Left the plane, right scores and weights, below the sentence with arcs."""
    (plane, right), below = figure.subplots(2, 2, height_ratios=(3.3, 1.0), width_ratios=(1.6, 1.0))
    for half in below:  # one strip stands in place of the two
        half.set_visible(False)
    strip = figure.add_subplot(below[0].get_subplotspec().get_gridspec()[1, :])
    title = plane.set_title("", loc="left")
    query, grip, output, named, goal, short = _draw_plane(plane, data)
    shadow = _Shadow(plane, data)
    names = [say(name) for name in NAMES]
    shares = draw_shares(right, names, data["scores"], data["weights"])
    sentence = draw_sentence(strip, names, say("it"))

    def update(data) -> None:
        query.move(data["q"]), grip.move(data["q"]), output.move(data["output"])
        shadow.update(data)
        place, side = _beside(data["output"], data["q"])
        named.set(x=place[0], y=place[1], ha=side)
        _give_way(short, data, place, side)
        shares.update(data["scores"], data["weights"])
        sentence.update(data["weights"])
        title.set_text(_finding(data))

    moving = [
        *shadow.artists,
        *output.artists,
        named,
        *short.values(),
        *query.artists,
        *grip.artists,
        *shares.artists,
        *sentence.artists,
        title,
    ]
    return Drawing(update, moving=moving, goal=goal)


def _draw_plane(axes, data) -> tuple:
    """The words and what stays among them; returns what moves, the goal, the short words' names."""
    axes.set_aspect("equal")
    axes.set(xlim=(-2.75, 3.05), ylim=(-1.75, 2.75))
    axes.set_axis_off()
    axes.plot([-2.6, 3.0], [0, 0], color=FAINT, linewidth=1, zorder=0)
    axes.plot([0, 0], [-1.7, 2.6], color=FAINT, linewidth=1, zorder=0)
    _draw_numbers(axes)
    axes.text(3.0, 0.06, say("alive"), ha="right", va="bottom", fontsize=SMALL, color="#666666")
    axes.text(0.08, 2.65, say("good to eat"), va="top", fontsize=SMALL, color="#666666")
    goal = Circle(WORDS[WANTED], NEAR, facecolor="none", edgecolor=OUTPUT, linewidth=1.6, zorder=2,
                  linestyle=(0, (3, 2)))  # fmt: skip
    axes.add_patch(goal)
    look = {"ha": "right", "va": "center", "color": OUTPUT, "fontsize": SMALL}
    axes.text(-1.15, WORDS[WANTED][1] + 0.55, say("goal of the\noutput"), **look)
    bold, texts = {"ha": "center", "va": "center", "fontsize": SMALL, "fontweight": "bold"}, {}
    for name, word, beside in zip(NAMES, WORDS, BESIDE, strict=True):
        draw_vector(axes, word, KEY, width=0.7, zorder=2)
        texts[name] = axes.text(*(word + beside), say(name), color=KEY, **bold)
    draw_ghost(axes, data["q"], "")
    output = draw_vector(axes, data["output"], OUTPUT, "", width=1.5, zorder=3)
    query = draw_vector(axes, data["q"], QUERY, width=1.2, zorder=4)
    grip = _Grip(axes, data["q"])
    clear = {"facecolor": "white", "alpha": 0.8, "linewidth": 0, "pad": 0.4}
    named = axes.text(0, 0, say("output"), color=OUTPUT, fontsize=SMALL, fontweight="bold",
                      va="center", zorder=3.5, bbox=clear)  # fmt: skip
    fill = (OUTPUT, 0.3)
    mark = GoalMark([goal], lambda done: goal.set_facecolor(fill if done else "none"))
    return query, grip, output, named, mark, {name: texts[name] for name in GIVE_WAY}


def _give_way(short: dict, data, place, side: str) -> None:
    """Let the names of the short words stand where no arrow, shadow or other name is."""
    taken = _taken(data, place, side)
    for name, text in short.items():
        word = WORDS[NAMES.index(name)]
        gaps = [np.abs(taken - word - beside) - HALVES[name] for beside in GIVE_WAY[name]]
        room = [float(np.hypot(*np.maximum(gap, 0).T).min()) for gap in gaps]
        free = [number for number, one in enumerate(room) if one > 0.09]
        chosen = free[0] if free else int(np.argmax(room))
        text.set_position(word + GIVE_WAY[name][chosen])


def _taken(data, place, side: str) -> np.ndarray:
    """Points all along the arrows, the shadow and the name of the output. Shape: (n, 2)"""
    q, word = data["q"], WORDS[int(np.argmax(data["weights"]))]
    foot = (word @ q / (q @ q)) * q if q.any() else q
    ends = [((0.0, 0.0), end) for end in (q, foot, data["output"], *WORDS)]
    start = {"left": 0.0, "center": -0.5, "right": -1.0}[side]
    name = place + 0.95 * np.array([[start, 0.0], [start + 1, 0.0]])  # 0.95 wide, 0.2 high
    ends += [(word, foot), *(name + np.array([0.0, up]) for up in (-0.1, 0.1))]
    return np.vstack([np.linspace(*pair, 40) for pair in ends])


class _Shadow:
    """Of the word with the largest share, on the line of the query: its reach, and so its score."""

    def __init__(self, axes, data):
        (self._line,) = axes.plot([], [], color=QUERY, linewidth=0.8, alpha=0.5, zorder=1.1)
        self._fall = draw_projection(axes, (1.0, 0.0), (1.0, 0.0), KEY, zorder=2.2)
        self._fall.artists[1].set_linewidth(11)  # it shows on both sides of the query's arrow
        look = {"ha": "left", "va": "center", "fontsize": SMALL, "color": KEY}
        self._told = axes.text(-2.75, -2.05, "", **look)
        self.artists = [self._line, *self._fall.artists, self._told]
        self.update(data)

    def update(self, data) -> None:
        """Let fall another word, or on another line; on a query of length 0 nothing falls."""
        word, q = int(np.argmax(data["weights"])), data["q"]
        length = float(np.hypot(*q))
        self._fall.move(WORDS[word], q)
        far = max(length, abs(WORDS[word] @ q) / length) if length else 0.0
        self._line.set_data(*np.outer(q, [0, far / length if length else 0]))
        self._told.set_text(_as_product(word, q))


def _as_product(word: int, q) -> str:
    """The score of a word as its reach along the query times the query's length."""
    length = float(np.hypot(*q))
    if not length:
        return say('"it" is 0 long, so every score is 0')
    return say(
        '{word}: reach {reach} · length of "it" {length:.2f} = score {score}',
        word=say(NAMES[word]), length=length,
        reach=signed(WORDS[word] @ q / length, 3).removesuffix("0"),  # so that it multiplies
        score=signed(WORDS[word] @ q, 2),
    )  # fmt: skip


class _Grip:
    """A ring around the tip of the query, to take hold of, and its name beside it."""

    def __init__(self, axes, q):
        (self._ring,) = axes.plot([], [], "o", markersize=14, markerfacecolor="none", zorder=4,
                                  markeredgecolor=QUERY, markeredgewidth=1.4)  # fmt: skip
        self._name = axes.text(0, 0, say("it"), color=QUERY, fontweight="bold", ha="center",
                               va="center", zorder=5)  # fmt: skip
        self.artists = [self._ring, self._name]
        self.move(q)

    def move(self, q) -> None:
        """Stand at another tip. Shape: (2,)"""
        length = float(np.hypot(*q))
        x, y = q / length if length else (1.0, 0.0)
        self._ring.set_data(q[:1], q[1:])
        across = np.array([y, -x]) * (-1 if x > 0 > y else 1)  # clear of the name of the dog
        self._name.set_position(np.clip(q + 0.36 * across, (-2.6, -1.6), (2.9, 2.6)))


def _draw_numbers(axes) -> None:
    """One and two on both axes, each with its sign."""
    look = {"fontsize": SMALL, "color": "#666666", "va": "center"}
    for number in (-2, -1, 1, 2):
        text = f"{number}".replace("-", "\N{MINUS SIGN}")
        axes.plot([number, number], [-0.05, 0.05], color="#666666", linewidth=1, zorder=0)
        axes.text(number, 0.2, text, ha="center", **look)
        if number > -2:
            axes.plot([-0.05, 0.05], [number, number], color="#666666", linewidth=1, zorder=0)
            axes.text(-0.12, number, text, ha="right", **look)


def _beside(output, q) -> tuple[np.ndarray, str]:
    """Where the name of the output stands: on the side of its arrow on which the query is not."""
    x, y = output
    length = float(np.hypot(x, y))
    if np.hypot(*q) < 0.2:  # both arrows end where all begin
        return np.array([0.22, 0.3]), "left"
    if length < 0.5:  # among the short words: to the right of them all
        return np.array([0.75, -0.3 if q[1] > 0 else 0.5]), "left"
    if length < 1.3 and x > 0.3 and y > 0:  # between dog and apple: off its tip
        return output + np.array([0.14, 0.2]), "left"
    turn = (x * q[1] - y * q[0]) / length
    side = -np.sign(turn) if abs(turn) > 0.05 else 1.0 if x > 0.9 else -1.0
    away = side * np.array([-y, x]) / length
    if abs(away[0]) < 0.3:
        place = 0.6 * output + 0.3 * away
        if x > 0.9 and abs(place[1]) < 0.16:  # it would stand on the axis: beyond the dog
            return np.array([2.08, -0.18]), "left"
        return place, "center"
    return 0.6 * output + 0.16 * away, "left" if away[0] > 0 else "right"


def _finding(data) -> str:
    total = float(data["weights"].sum())
    if abs(total - 1) > 0.005:  # a learner's own, without the softmax say
        return say("the weights make {total:.2f} together, not 1", total=total)
    most = int(np.argmax(data["weights"]))
    told = {"word": say(NAMES[most]), "share": share(data["weights"][most])}
    if data["weights"][most] < 0.6:
        return say('"it" wavers: {word} gets {share}', **told)
    if np.hypot(*(data["output"] - WORDS[most])) >= NEAR:  # the goal's ring, around any word
        return say('"it" leans to the {word}: {share} of the weight', **told)
    return say('"it" means the {word}: {share} of the weight', **told)


def describe_own_attention(params, data) -> str:
    """The picture in one sentence."""
    shares = ", ".join(
        f"{say(name)} {weight:.2f}" for name, weight in zip(NAMES, data["weights"], strict=True)
    )
    why = _as_product(int(np.argmax(data["weights"])), data["q"])
    why = say("The largest share belongs to {product}", product=why) if data["q"].any() else why
    return say(
        'The query "it" is [{alive:.1f}, {food:.1f}]. Its weights are: {shares}. {why}. '
        "The output is [{x:.2f}, {y:.2f}].",
        **params, shares=shares, x=data["output"][0] + 0.0, y=data["output"][1] + 0.0, why=why,
    )  # fmt: skip


def numbers_own_attention(params, data) -> list[tuple[str, str]]:
    """Score and weight of each word."""
    both = zip(NAMES, data["scores"], data["weights"], strict=True)
    return [
        (say("{word}: score, weight", word=say(name)), f"{score:.2f}, {weight:.3f}")
        for name, score, weight in both
    ]


explore_own_attention = Explorer(
    own_attention,
    draw_own_attention,
    describe_own_attention,
    sliders={
        "alive": FloatRange(-2.5, 2.5, start=1.2, step=0.1, label="it: alive"),
        "food": FloatRange(-1.5, 2.5, start=1.2, step=0.1, label="it: good to eat"),
    },
    handles={
        "it": Handle(
            at=lambda data: (0, *data["q"]),
            to=lambda xy, params: {"alive": xy[0], "food": xy[1]},
            moves=("alive", "food"),
            label="tip of the query it",
            colour=QUERY,
        ),
    },
    functions={"attention": in_three_lines},
    numbers=numbers_own_attention,
    size=(7.0, 4.9),
    colours=32,
    goal=Goal(
        "Let it mean the apple: drag its blue tip until the purple arrow, the output, ends in the "
        "dashed circle.",
        lambda params, data: np.hypot(*(data["output"] - WORDS[WANTED])) < NEAR,
        solution={"alive": 0.4, "food": 2.1},
    ),
    question="Two of the five words can never win, wherever you drag the query. Which, and why?",
)
