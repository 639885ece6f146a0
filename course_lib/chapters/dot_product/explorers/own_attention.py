"""Explorer `own_attention`: a word looks at the others, by the learner's own three lines.

"The dog left the apple on the table because it was ...": whom does *it* mean? The next word would
tell, and moves the query: tired means the dog, sweet the apple. The first entry of a word says how
alive it is, the second how good to eat; both are invented. The word with the largest share casts
its shadow on the line of *it*: shadow times length is the score.
"""

import numpy as np
from matplotlib.patches import Circle, Polygon

from course_lib.chapters.dot_product.exercises.attention import attention as in_three_lines
from course_lib.chapters.dot_product.explorers.name_of_start import NameOfStart
from course_lib.chapters.dot_product.explorers.names_aside import NamesAside, around
from course_lib.chapters.dot_product.explorers.score_aside import ScoreAside, as_product, strip
from course_lib.figures.ghosts import GoalMark
from course_lib.figures.numerals import share
from course_lib.figures.sentence import draw_sentence
from course_lib.figures.theme import FAINT, KEY, OUTPUT, QUERY, SMALL
from course_lib.figures.vectors import draw_ghost, draw_vector
from course_lib.kernels import vectors
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import FloatRange
from course_lib.words import say

NAMES = ("dog", "left", "apple", "table", "because")
WORDS = np.array([[2.0, -0.4], [-0.35, 0.1], [-0.7, 1.8], [-1.7, -1.1], [0.05, -0.35]])
ENDINGS = {"tired": NAMES.index("dog"), "sweet": NAMES.index("apple")}  # whom each one means
CORNERS = [NAMES.index(name) for name in ("dog", "apple", "table")]
NEAR, PALE = 0.4, "#f3f1ea"
SHORT, BESIDE = 0.6, 0.55  # an arrow that is; how much closer above it its name may stand
FAR_ALONG = 0.8  # of its reach: there that is named
UNIT = 1 / 75  # of the plane: what a pixel is of it
TICKED = "{} \u2713"
TOP, NAMED = 3.22, 3.13  # of the plane, and of its axis's name: above any query and its name
REACHED = (OUTPUT, 0.3)
BY_AND_BY = np.arange(0, 2 * np.pi, np.pi / 8)


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
    """The words and the query in their plane; below, the sentence with arcs, shares and scores."""
    plane, strip = figure.subplots(2, 1, height_ratios=(3.5, 1.2))
    title = figure.headline()
    query, ring, output, tip, rings = _draw_plane(plane, data)
    score, names = ScoreAside(plane), _Names(plane, data)
    plane.set(xlim=(-3.05, 5.7), ylim=(-1.65, TOP))  # arrowheads are of a size for less
    words = [say(name) for name in NAMES]
    later = [say("was"), " / ".join(say(ending) for ending in ENDINGS)]  # what the hand stands for
    told = {"named": True, "first": say("step 1: your hand")}
    sentence = draw_sentence(strip, words, say("it"), later, **told)

    def update(data) -> None:
        query.move(data["q"]), output.move(data["output"])
        ring.set_data(data["q"][:1], data["q"][1:])
        tip.set_data(data["output"][:1], data["output"][1:])
        best = int(np.argmax(data["weights"]))
        score.update(NAMES[best], WORDS[best], data["q"]), names.update(data)
        for one, reached in zip(rings, _reached(data).values(), strict=True):
            one.set_facecolor(REACHED if reached else "none")
        sentence.update(data["weights"], data["scores"])
        title.set_text(_finding(data))

    parts = [*score.artists, *output.artists, *query.artists, ring, tip, *rings, *names.artists]
    goal = GoalMark(rings[1:], lambda done: rings[1].set_facecolor(REACHED if done else "none"))
    return Drawing(update, moving=[*parts, *sentence.artists, title], goal=goal)


def _reached(data) -> dict[str, bool]:
    """Of each ending, whether the output lies in the ring around its word."""
    away = {ending: data["output"] - WORDS[word] for ending, word in ENDINGS.items()}
    return {ending: bool(np.hypot(*both) < NEAR) for ending, both in away.items()}


def _draw_plane(axes, data) -> tuple:
    """The words and what stays among them; returns what moves."""
    axes.set_aspect("equal")
    axes.set(xlim=(-2.75, 3.05), ylim=(-1.65, TOP))
    axes.set_axis_off()
    axes.plot([-2.6, 3.0], [0, 0], color=FAINT, linewidth=1, zorder=0)
    axes.plot([0, 0], [-1.5, 2.65], color=FAINT, linewidth=1, zorder=0)
    look = {"fontsize": SMALL, "color": "#666666", "va": "center"}
    axes.text(3.1, 0, say("alive"), ha="left", **look)
    axes.text(0, NAMED, say("good to eat"), ha="center", **look)
    dashed = {"edgecolor": OUTPUT, "linewidth": 1.6, "linestyle": (0, (3, 2)), "zorder": 2}
    rings = [
        axes.add_patch(Circle(WORDS[word], NEAR, facecolor="none", **dashed))
        for word in ENDINGS.values()
    ]
    for word in WORDS:
        _edged(draw_vector(axes, word, KEY, width=0.9, zorder=4.2))  # seen on the query
    draw_ghost(axes, data["q"], "")
    output = draw_vector(axes, data["output"], OUTPUT, "", width=3.0, zorder=3.5)  # on its word
    query = _edged(draw_vector(axes, data["q"], QUERY, width=2.0, zorder=4))  # on a broad output
    (ring,) = axes.plot([], [], "o", markersize=14, markerfacecolor="none", zorder=4,
                        markeredgecolor=QUERY, markeredgewidth=1.4)  # fmt: skip
    (tip,) = axes.plot([], [], "o", markersize=7, color=OUTPUT, markeredgecolor="white", zorder=4.5)
    return query, ring, output, tip, rings


def _edged(vector):
    """With a thin white edge, which parts arrows that lie on each other."""
    vector.artists[0].set(edgecolor="white", linewidth=0.8)
    return vector


class _Names:
    """Of the query, the output, the rings, the words, the start: each where nothing crosses it."""

    def __init__(self, axes, data):
        self._all = NamesAside(axes, UNIT)
        bold = {"fontsize": SMALL, "fontweight": "bold", "zorder": 5}
        far = 1.5 * UNIT * np.array([[24, 0], [0, 18]])  # off the ring around the tip
        self.artists = [axes.text(0, 0, say("it"), color=QUERY, **bold)]
        near = np.array([*-far[::-1], *far, *0.8 * (far + far[::-1])])
        self._all.add(self.artists[0], [*near, *1.6 * near])
        for name in NAMES:
            text = axes.text(0, 0, say(name), color=KEY, **bold)
            off = NEAR * (NAMES.index(name) in ENDINGS.values())  # beyond its ring
            self._all.add(text, _ahead(around(say(name), UNIT, off=off), WORDS[NAMES.index(name)]))
            self.artists.append(text)
        clear = {"facecolor": "white", "alpha": 0.8, "linewidth": 0, "pad": 0.4}
        output = self._output = axes.text(0, 0, say("output"), color=OUTPUT, bbox=clear, **bold)
        self._all.add(output, around(say("output"), UNIT), beside=True)
        look = {"color": OUTPUT, "fontsize": SMALL, "zorder": 5}
        self._named = [say("was {ending}", ending=say(ending)) for ending in ENDINGS]
        self._endings = [axes.text(0, 0, TICKED.format(one), **look) for one in self._named]
        for text, word in zip(self._endings, ENDINGS.values(), strict=True):
            places = around(text.get_text(), UNIT, off=NEAR)
            places = [one for one in places if one[0] * WORDS[word, 0] > 0]  # on the outer side
            self._all.add(text, places)
        corners = Polygon(WORDS[CORNERS], facecolor=PALE, zorder=0, visible=False)
        self._triangle = axes.add_patch(corners)  # of the answer, where the goal is
        self._began = NameOfStart(axes, data["q"])  # last: no other name gives way to it
        self._all.add(self._began.text, around(say("start"), UNIT))
        self._reach = axes.text(0, 0, say("reach"), color=KEY, fontsize=SMALL, zorder=5)
        self._all.add(self._reach, around(say("reach"), UNIT))
        self.artists += [self._triangle, output, *self._endings, self._began.text, self._reach]

    def update(self, data) -> None:
        """Look for places among other arrows."""
        q, word = data["q"], WORDS[int(np.argmax(data["weights"]))]
        foot = (word @ q / (q @ q)) * q if q.any() else q
        lines = [((0.0, 0.0), end) for end in (q, foot, data["output"], *WORDS)]
        bar = strip(word, q) if q.any() else np.zeros((2, 2))
        lines += [tuple(bar)] if q.any() else []
        lines += _ring(q, 0.2)
        for ending in ENDINGS.values():
            lines += _ring(WORDS[ending], NEAR)
        lines += [((-0.65, NAMED), (0.65, NAMED))]  # the names of the axes
        lines += [((3.1, y), (3.75, y)) for y in (-0.12, 0.0, 0.12)]
        self._began.update(q)
        tips = [q, *WORDS, data["output"], *(WORDS[one] for one in ENDINGS.values())]
        reach = 1.5 * bar[0] + FAR_ALONG * (bar[1] - bar[0])  # beyond it, away from the query
        lines += [((0.0, 0.0), self._began.tip)]
        self._all.place([*tips, self._began.tip, reach], lines, [(word, foot)])
        self._reach.set_text(say("reach") if q.any() else "")
        reached = _reached(data)  # of this setting alone: pictures are drawn ahead, in any order
        self._triangle.set_visible(reached["sweet"])
        self._output.get_bbox_patch().set_visible(not reached["sweet"])  # a hole in it
        for text, named, ending in zip(self._endings, self._named, ENDINGS, strict=True):
            text.set_text(TICKED.format(named) if reached[ending] else named)


def _ahead(places, word) -> list:
    """Of a short arrow, the places that it points to: on its other side are others."""
    if np.hypot(*word) > SHORT:
        return places
    closer = [(BESIDE * x, y) for x, y in places]
    return [place for place in [*places, *closer] if np.dot(place, word) > 0]


def _ring(middle, radius: float) -> list:
    """The lines of a ring, from point to point."""
    points = middle + radius * np.column_stack([np.cos(BY_AND_BY), np.sin(BY_AND_BY)])
    return list(zip(points, np.roll(points, 1, axis=0), strict=True))


def _finding(data) -> str:
    total = float(data["weights"].sum())
    if abs(total - 1) > 0.005:  # a learner's own, without the softmax say
        return say("the weights make {total:.2f} together, not 1", total=total)
    most = int(np.argmax(data["weights"]))
    told = {"word": say(NAMES[most]), "share": share(data["weights"][most])}
    if data["weights"][most] < 0.6:
        return say('"it" is undecided: {word} gets {share}', **told)
    if np.hypot(*(data["output"] - WORDS[most])) >= NEAR:  # the goal's ring, around any word
        return say('"it" leans to the {word}: weight {share}', **told)
    return say('"it" means the {word}: weight {share}', **told)


def describe_own_attention(params, data) -> str:
    """The picture in one sentence."""
    shares = ", ".join(
        f"{say(name)} {weight:.2f}" for name, weight in zip(NAMES, data["weights"], strict=True)
    )
    best = int(np.argmax(data["weights"]))
    why = as_product(NAMES[best], WORDS[best], data["q"]).replace("\n", " ")
    why = say("The largest weight belongs to {product}", product=why) if data["q"].any() else why
    return say(
        'The query "it" is [{alive:.1f}, {food:.1f}]. Its weights are: {shares}. {why}. '
        "The output is [{x:.2f}, {y:.2f}]. Grey after it: was, tired or sweet; "
        "your hand asks those.",
        **params, shares=shares, x=data["output"][0] + 0.0, y=data["output"][1] + 0.0, why=why,
    )  # fmt: skip


def numbers_own_attention(params, data) -> list[tuple[str, str]]:
    """Length, score and weight of each word."""
    every = zip(NAMES, np.hypot(*WORDS.T), data["scores"], data["weights"], strict=True)
    return [
        (say("{word}: length, score, weight", word=say(name)), f"{n:.1f}, {score:.2f}, {w:.3f}")
        for name, n, score, w in every
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
    size=(7.0, 5.4),
    colours=24,
    goal=Goal(
        "Let “it” hear “was sweet”: drag the blue tip until the purple arrow, the output, ends in "
        "the dashed circle of that name.",
        lambda params, data: _reached(data)["sweet"],
        solution={"alive": 0.4, "food": 2.1},
    ),
    question="Two of the five words can never get the largest weight, wherever you drag the query. "
    "Which, and why?",
    answer="left and because. They end inside the triangle whose corners are the tips of dog, "
    "apple and table (pale in the picture while the goal is reached). Hold a ruler square to the "
    "query, far out where it points, and push it back towards the triangle. What it meets first "
    "reaches furthest, and it always meets a corner first.",
)
