"""One head of the copying model, made quieter."""

from functools import lru_cache

import torch

from course_lib.figures.heat_map import WEIGHTS
from course_lib.figures.theme import FAINT, GHOST, INK, KEY, OUTPUT, QUERY, SMALL, VALUE
from course_lib.kernels.heads import attention_inside, multi_head_attention
from course_lib.models.copying import copying_batch, encode, load_copying
from course_lib.models.threads import one_thread
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import FloatRange, IntRange, Options
from course_lib.words import say

TEXT = "giraffe " * 2

STRINGS = 10

LAYERS = {"the first layer": 0, "the second layer": 1}

CHANCE = 1 / 27


@lru_cache(maxsize=1)
def _model_and_strings():
    """The model; the text and some random strings, all as long; which letters can be known."""
    ids, periods = copying_batch(torch.Generator().manual_seed(7), STRINGS)
    return load_copying(), ids, torch.arange(1, ids.shape[1]) > periods[:, None]


def multi_head_of_course(x, w_q, w_k, w_v, w_o, heads, mask=None):
    """The course's `multi_head`."""
    return multi_head_attention(x, w_q, w_k, w_v, w_o, heads, mask=mask)


def quieter_head(*, layer, head, loudness, multi_head) -> dict:
    """Where the second layer looks on TEXT, what the model says, and how often it is right."""
    model, ids, known = _model_and_strings()
    loud = torch.ones(2, 4)
    loud[layer, head] = loudness
    text = torch.from_numpy(encode(TEXT))
    inside = attention_inside(lambda *args, mask: multi_head(*args, mask))
    options = {"attention": inside, "loudness": loud}
    with one_thread(), torch.no_grad():
        says = model(text, **options)[:-1].argmax(dim=-1)
        right = (model(ids[:, :-1], **options).argmax(dim=-1) == ids[:, 1:])[known]
        looks = model.maps(text, loudness=loud)[1].mean(dim=0).numpy()
    return {
        "looks": looks,
        "head": head,
        "layer": layer,
        "loud": loud.numpy(),
        "says": "".join("abcdefghijklmnopqrstuvwxyz "[i] for i in says),
        "share": float(right.double().mean()),
    }


def draw_quieter_head(figure, data) -> Drawing:
    """Left where the second layer looks, right the share of right letters, below what is said."""
    above, below = figure.subfigures(2, 1, height_ratios=(4.6, 1.0))
    grid = above.add_gridspec(2, 2, width_ratios=(2.3, 1), height_ratios=(3.6, 1))
    left, right = above.add_subplot(grid[:, 0]), above.add_subplot(grid[0, 1])
    dots, chosen = _draw_levels(above.add_subplot(grid[1, 1]))
    letters = [letter.replace(" ", "_") for letter in TEXT]
    table = left.imshow(data["looks"], cmap=WEIGHTS, vmin=0, vmax=1, interpolation="none")
    left.set_xticks(range(len(letters)), letters), left.set_yticks(range(len(letters)), letters)
    left.tick_params(length=0)
    left.spines[:].set_visible(False)
    left.set_title(say("where the second layer looks"))
    right.set(xlim=(-0.6, 0.6), ylim=(0, 1.08), xticks=[], yticks=(0, 0.5, 1))
    right.axhline(1, color=FAINT, linewidth=1, zorder=0)
    right.axhline(CHANCE, color=INK, linewidth=1, linestyle=(0, (4, 3)))
    right.text(0.58, CHANCE + 0.02, say("chance"), ha="right", fontsize=SMALL)
    right.axhline(data["share"], color=GHOST, linewidth=1.5)
    (bar,) = right.bar([-0.1], [0], width=0.5, color=OUTPUT).patches
    share = right.set_title("")
    said = _draw_text(below.subplots(), letters)

    def update(data) -> None:
        table.set_data(data["looks"])
        bar.set_height(data["share"])
        share.set_text(say("{share:.0%} right", share=data["share"]))
        for dot, loud in zip(dots, data["loud"].flat, strict=True):
            dot.set_markersize(1 + 11 * loud)
        chosen.set_data([data["head"]], [data["layer"]])
        for place, (text, letter) in enumerate(zip(said, data["says"], strict=True), 1):
            known, hit = place > len(TEXT) // 2, letter == TEXT[place]
            text.set_text(letter.replace(" ", "_"))
            text.set(color=(VALUE if hit else KEY) if known else GHOST,
                     weight="bold" if known and hit else "normal")  # fmt: skip

    return Drawing(update, moving=[table, bar, share, *dots, chosen, *said])


def _draw_text(axes, letters: list[str]) -> list:
    """The letters of the text, and below them room for what the model says."""
    axes.set(xlim=(-3.4, len(letters)), ylim=(1.75, -0.6))
    axes.axis("off")
    look = {"va": "center", "family": "monospace"}
    axes.text(-0.8, 0, say("text"), ha="right", va="center", fontsize=SMALL)
    axes.text(-0.8, 1.1, say("says"), ha="right", va="center", fontsize=SMALL)
    for place, letter in enumerate(letters):
        axes.text(place, 0, letter, ha="center", **look)
    return [axes.text(place, 1.1, "", ha="center", **look) for place in range(1, len(letters))]


def _draw_levels(axes):
    """A dot for each head, as large as it is loud, and a frame around the one that is turned."""
    axes.set(xlim=(-1.9, 3.6), ylim=(1.6, -0.6))
    axes.axis("off")
    for layer, name in enumerate((say("first"), say("second"))):
        axes.text(-0.65, layer, name, ha="right", va="center", fontsize=SMALL)
    dots = [axes.plot([head], [layer], "o", color=QUERY, markersize=12)[0]
            for layer in range(2) for head in range(4)]  # fmt: skip
    (chosen,) = axes.plot([], [], "s", markerfacecolor="none", markeredgecolor=INK, markersize=17)
    return dots, chosen


def _name_of(layer: int) -> str:
    return next(name for name, one in LAYERS.items() if one == layer)


def describe_quieter_head(params, data) -> str:
    """The picture in words."""
    half = len(TEXT) // 2
    return say(
        "Head {head} of {layer} is {loudness:.0%} loud. The model gets {share:.0%} of the "
        'letters right. The last {count} letters of "{text}" are "{truth}"; it says "{says}".',
        head=data["head"], layer=_name_of(data["layer"]), loudness=params["loudness"], text=TEXT,
        share=data["share"], says=data["says"][half:], truth=TEXT[half + 1 :], count=half - 1,
    )  # fmt: skip


explore_quieter_head = Explorer(
    quieter_head,
    draw_quieter_head,
    describe_quieter_head,
    sliders={
        "layer": Options(LAYERS, start=1, label="a head of"),
        "head": IntRange(0, 3, start=0, label="head"),
        "loudness": FloatRange(0.0, 1.0, start=1.0, step=0.05, label="how loud it is"),
    },
    functions={"multi_head": multi_head_of_course},
    numbers=lambda params, data: [
        (say("letters that are right"), f"{data['share']:.0%}"),
        *[
            (
                say("after {text}", text=TEXT[:place]),
                say("{said}, it is {letter}", said=data["says"][place - 1], letter=TEXT[place]),
            )
            for place in range(len(TEXT) // 2 + 1, len(TEXT))
        ],
    ],
    size=(7.0, 5.4),
    goal=Goal(
        "Make one head quieter until the model gets about half of the letters right: 40 to 60 %.",
        lambda params, data: 0.4 <= data["share"] <= 0.6,
        solution={"layer": 0, "head": 1, "loudness": 0.25},
    ),
)
