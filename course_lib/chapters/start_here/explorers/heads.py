"""Explorer `heads`: a model's heads, each as loud as you like, and what it then says."""

from functools import cache, lru_cache

from matplotlib.patches import Rectangle

from course_lib.figures.theme import FAINT, GHOST, INK, KEY, OUTPUT, QUERY, SMALL, TEXT
from course_lib.models.copying_numpy import load_copying, share_right, without
from course_lib.models.copying_text import BLOCKS, HEADS, decode, fitted
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import FloatRange, IntRange
from course_lib.words import say

MORE, SHOWN, STRINGS = 8, 16, 24  # letters that are added; that are shown before; fresh strings
CHANCE = 100 / 27  # letters of 100 that a guess gets right

model = cache(load_copying)


@lru_cache(maxsize=512)
def _right(head: int, loudness: float) -> float:
    """Of 100 letters of fresh strings, how many it says right."""
    return 100 * share_right(model(), STRINGS, loudness=without(head, loudness=loudness))


@lru_cache(maxsize=512)
def _said(text: str, head: int, loudness: float) -> str:
    """What the model adds to the text."""
    return model().continued(text, MORE, without(head, loudness=loudness))


def draw_heads(figure, data) -> Drawing:
    """Above, eight faders and how much is right; below, the text and what the model adds."""
    (faders, right), below = figure.subplots(2, 2, height_ratios=(1.9, 1), width_ratios=(1.35, 1))
    for half in below:  # one strip stands in place of the two
        half.set_visible(False)
    levels, frame = _draw_faders(faders)
    bar, count = _draw_right(right, data)
    strip = figure.add_subplot(below[0].get_subplotspec().get_gridspec()[1, :])
    letters, marks, words = _draw_strip(strip, data)

    def update(data) -> None:
        for number, level in enumerate(levels):
            level.set_height(data["loudness"] if number == data["head"] - 1 else 1.0)
        frame.set_xy(_corner(data["head"] - 1))
        bar.set_width(data["right"])
        count.set_text(say("{right:.0f} of 100 letters right", right=data["right"]))
        both = zip(data["said"], data["before"], strict=True)
        for letter, mark, (new, old) in zip(letters, marks, both, strict=True):
            letter.set_text(_shown(new)), letter.set_color(INK if new == old else OUTPUT)
            mark.set_text("" if new == old else "✗")
        words.set_text(_heading(data))

    return Drawing(update, moving=[*levels, frame, bar, count, *letters, *marks, words])


def _heading(data) -> str:
    wrong = sum(new != old for new, old in zip(data["said"], data["before"], strict=True))
    if not wrong:
        return say("It goes on as with all heads on")
    return say("{wrong} of the {count} letters that it adds have changed", wrong=wrong, count=MORE)


def _corner(number: int) -> tuple[float, float]:
    """Where the fader of a head stands: block 1 in the upper row."""
    block, place = divmod(number, HEADS)
    return 1.25 * place, -1.45 * block


def _draw_faders(axes) -> tuple:
    axes.set(xlim=(-1.35, 5), ylim=(-1.85, 1.35), xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    levels = []
    for number in range(BLOCKS * HEADS):
        x, y = _corner(number)
        axes.add_patch(Rectangle((x, y), 0.8, 1.0, facecolor="white", edgecolor="#666666"))
        levels.append(axes.add_patch(Rectangle((x, y), 0.8, 1.0, facecolor="#a9cdea")))
        axes.text(x + 0.4, y - 0.2, f"{number + 1}", ha="center", va="center", fontsize=SMALL)
    for block in range(BLOCKS):
        y = _corner(HEADS * block)[1] + 0.5
        axes.text(-0.25, y, say("block {n}", n=block + 1), ha="right", va="center", fontsize=SMALL)
    axes.set_title(say("eight heads"))
    frame = Rectangle((0, 0), 0.8, 1.0, fill=False, edgecolor=QUERY, linewidth=3, zorder=4)
    return levels, axes.add_patch(frame)


def _draw_right(axes, data) -> tuple:
    axes.set(xlim=(0, 100), ylim=(-0.9, 0.9), yticks=[], xticks=(0, 50, 100))
    axes.set_xlabel(say("of 100 letters, in {n} fresh strings", n=STRINGS))
    axes.spines["left"].set_visible(False)
    axes.axvline(CHANCE, color=GHOST, linewidth=1.5, linestyle=(0, (4, 2)))
    axes.text(CHANCE + 2, -0.75, say("by chance 4"), fontsize=SMALL, color="#666666", va="center")
    axes.add_patch(Rectangle((0, -0.4), data["right"], 0.8, fill=False, edgecolor=GHOST))
    bar = axes.add_patch(Rectangle((0, -0.4), 0, 0.8, facecolor=KEY))
    return bar, axes.set_title("")


def _draw_strip(axes, data) -> tuple:
    text = data["text"]
    total = len(text) + MORE
    axes.set(xlim=(-0.6, max(total, SHOWN + MORE) - 0.2), ylim=(-1.1, 1.3), xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    look = {"ha": "center", "va": "center", "fontsize": TEXT}
    for place in range(total):
        typed = place < len(text)
        colour = FAINT if typed else QUERY
        box = Rectangle((place - 0.45, -0.45), 0.9, 0.9, facecolor="white", edgecolor=colour)
        axes.add_patch(box)
        if typed:
            axes.text(place, -0.03, _shown(text[place]), color="#666666", **look)
    added = range(len(text), total)
    letters = [axes.text(place, -0.03, "", fontweight="bold", **look) for place in added]
    marks = [axes.text(place, -0.85, "", color=OUTPUT, **look) for place in added]
    return letters, marks, axes.set_title("", loc="left")


def _shown(letter: str) -> str:
    return "␣" if letter == " " else letter


def describe_heads(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "Head {head} has loudness {loudness:.2f}, the others are as learned: the model goes on "
        'with "{said}", and in fresh strings {right:.0f} of 100 letters are right.',
        **{name: data[name] for name in ("head", "loudness", "said", "right")},
    )


def heads_of(text: str) -> Explorer:
    """The explorer for a text of the learner's; it is read as `fitted` reads it."""
    typed = decode(fitted(text, MORE))

    def heads(*, head, loudness) -> dict:
        return {
            "text": typed[-SHOWN:], "head": head, "loudness": loudness,
            "before": _said(typed, 1, 1.0), "said": _said(typed, head, loudness),
            "right": _right(head, loudness),
        }  # fmt: skip

    return Explorer(
        heads,
        draw_heads,
        describe_heads,
        sliders={
            "head": IntRange(1, BLOCKS * HEADS, start=7, label="head"),
            "loudness": FloatRange(0.0, 1.0, start=1.0, step=0.05, label="its loudness"),
        },
        numbers=lambda params, data: [
            (say("text"), data["text"]), (say("all heads on"), data["before"]),
            (say("now"), data["said"]), (say("right of 100"), f"{data['right']:.0f}"),
        ],
        size=(7.0, 3.9),
        goal=Goal(
            "One head can break the copying by itself. Find it. Then make it as loud as it must be "
            "for about half of the letters (40 to 60 of 100).",
            lambda params, data: 40 <= data["right"] <= 60,
            solution={"head": 2, "loudness": 0.25},
        ),
    )  # fmt: skip


def explore_heads_of(text: str) -> None:
    """Show the explorer for a text."""
    heads_of(text)()


explore_heads = heads_of("giraffe pogir")
