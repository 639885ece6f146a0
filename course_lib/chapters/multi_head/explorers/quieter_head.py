"""The heads of the copying model, made quieter one by one."""

from functools import lru_cache

import torch

from course_lib.chapters.multi_head.exercises.dimmed import dimmed
from course_lib.chapters.multi_head.reader_maps import ReaderMaps
from course_lib.figures.ghosts import goal_band
from course_lib.figures.theme import FAINT, INK, QUERY, SMALL, TEXT, WEIGHT
from course_lib.kernels.heads import (
    attention_inside,
    merge_heads,
    multi_head_attention,
    split_heads,
)
from course_lib.models.copying import BLOCKS, HEADS, copying_batch, encode, load_copying
from course_lib.models.threads import one_thread
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Chosen, Handle
from course_lib.sliding.held import Numbers
from course_lib.sliding.sliders import Options
from course_lib.words import say

WORD = "promised "  # its letters go wrong about as soon as those of the random strings
ROUND = len(WORD)
WRITTEN = WORD * 2
ASKS = "i"  # where the words tell who looks
STRINGS = 10
HALF = (0.35, 0.65)  # the goal
LAYERS = ("first layer", "second layer")
WRITER = 1  # of the first layer
NAMES = [f"{layer}, head {head}" for layer in LAYERS for head in range(HEADS)]
LARGE = 3  # the reader that is drawn large at the start
LOUD = (1.0,) * (BLOCKS * HEADS)


@lru_cache(maxsize=1)
def _model_and_strings():
    """The model; random strings, all as long; which of their letters can be known."""
    ids, periods = copying_batch(torch.Generator().manual_seed(7), STRINGS)
    return load_copying(), ids, torch.arange(1, ids.shape[1]) > periods[:, None]


def multi_head_of_course(x, w_q, w_k, w_v, w_o, heads, mask=None):
    """The course's `multi_head`."""
    return multi_head_attention(x, w_q, w_k, w_v, w_o, heads, mask=mask)


def _heard(multi_head, dimmed, loud):
    """What goes on between projection and W_O, block by block: attention, then its dimmer.

    `dimmed` adds up what each head brings to all columns: as W_O stands the identity there.
    """
    inside, rows = attention_inside(lambda *args, mask: multi_head(*args, mask)), iter(loud)

    def attention(q, k, v, *, mask=None):
        heard = inside(q, k, v, mask=mask)
        heads = heard.shape[-3]
        alone = torch.eye(heads, dtype=heard.dtype)[:, :, None, None] * heard.unsqueeze(-4)
        parts = merge_heads(alone)  # (..., h, t, h d): of each head its own columns
        output = dimmed(parts.reshape(-1, *parts.shape[-3:]), next(rows))
        output = torch.as_tensor(output, dtype=heard.dtype).reshape(merge_heads(heard).shape)
        return split_heads(output, heads)

    return attention


def quieter_head(*, levels, reader, multi_head, dimmed) -> dict:
    """Where each reader looks on WRITTEN, what the model says, and how often it is right."""
    model, ids, known = _model_and_strings()
    loud = torch.tensor(levels, dtype=torch.float32).reshape(BLOCKS, HEADS)
    text = torch.from_numpy(encode(WRITTEN))
    with one_thread(), torch.no_grad():
        says, goes_on = (
            model(one, attention=_heard(multi_head, dimmed, loud)).argmax(dim=-1)
            for one in (text[:-1], ids[:, :-1])
        )
        right = (goes_on == ids[:, 1:])[known]
        looks = model.maps(text, loudness=loud)[1].numpy()
    return {
        "looks": looks,
        "levels": tuple(levels),
        "reader": reader,
        "says": "".join("abcdefghijklmnopqrstuvwxyz "[i] for i in says),
        "share": float(right.double().mean()),
    }


def draw_quieter_head(figure, data) -> Drawing:
    """Above the share of right letters; left levels, right a reader's map, all small."""
    title = figure.headline(_finding(data))
    above, below = figure.subfigures(2, 1, height_ratios=(1.0, 4.6))
    share = above.subplots()
    bar = _draw_share(share)
    left, right = below.subfigures(1, 2, width_ratios=(1, 1.5))
    tracks, ends, factors = [], [], []
    for axes, name in zip(left.subplots(2, 1), LAYERS, strict=True):
        for track, end, factor in _draw_levels(axes, name):
            tracks.append(track), ends.append(end), factors.append(factor)
    grid = right.add_gridspec(2, HEADS, height_ratios=(3.1, 1))
    small = [right.add_subplot(grid[1, head], label=_small(head)) for head in range(HEADS)]
    word = WORD.replace(" ", "_")
    large = right.add_subplot(grid[0, :])
    tables = ReaderMaps(large, small, data["looks"], word, data["reader"])

    def update(data) -> None:
        title.set_text(_finding(data))
        bar.set_width(data["share"])
        off = [head for head, level in enumerate(data["levels"][HEADS:]) if level == 0]
        tables.update(data["looks"], data["says"][ROUND:].replace(" ", "_"), data["reader"], off)
        for track, end, factor, level in zip(tracks, ends, factors, data["levels"], strict=True):
            if track.get_ydata()[1] != level:  # what did not change is not written again
                track.set_ydata([0, level]), end.set_ydata([level])
                factor.set_y(level), factor.set_text(f"{level:g}")

    moving = [title, bar, *tracks, *ends, *factors, *tables.artists]
    return Drawing(update, moving=moving, goal=goal_band(share, *HALF, INK))


def _small(reader: int) -> str:
    """The label of the axes of a small map."""
    return f"small {reader}"


def _finding(data) -> str:
    quiet = sum(level < 1 for level in data["levels"])
    if quiet == 0:
        template = "All heads are loud: {share:.0%} right in ten random strings"
    elif quiet == 1:
        one = "One head is quieter: {share:.0%} right in ten random strings"
        off = "One head is off: {share:.0%} right in ten random strings"
        template = one if all(data["levels"]) else off
    elif sum(level == 0 for level in data["levels"]) == quiet:
        template = "{quiet} heads are off: {share:.0%} right in ten random strings"
    else:
        template = "{quiet} heads are quieter: {share:.0%} right in ten random strings"
    return say(template, quiet=quiet, share=data["share"])


def _draw_share(axes):
    """A thin bar between none and all."""
    axes.set(xlim=(0, 1), ylim=(-0.5, 1.5), yticks=[], xticks=(0, 0.5, 1))
    axes.set_xticklabels(("0 %", "50 %", "100 %"))
    axes.spines[:].set_visible(False)
    axes.barh(0, 1, height=0.5, color="none", edgecolor=FAINT)
    (bar,) = axes.barh(0, 0, height=0.36, color=INK).patches
    return bar


def _draw_levels(axes, name: str) -> list:
    """A track for each head of a layer, filled as high as the head is loud.

    Returns for each head its track, the knob at its end, and the factor beside the knob.
    """
    axes.set(xlim=(-1.0, HEADS - 0.45), ylim=(-0.2, 1.2), yticks=[], label=name)
    for level, word in ((1, say("loud")), (0.06, say("off"))):
        axes.text(-0.36, level, word, ha="right", va="center", fontsize=SMALL)
    axes.set_xticks(range(HEADS), _named(name))
    axes.text(-0.36, -0.26, say("head"), ha="right", va="top", fontsize=SMALL)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    title = say(name) if name == LAYERS[0] else say("second layer: readers")
    axes.set_title(title, fontweight="normal", fontsize=TEXT, loc="left", pad=7)
    look, knob = {"solid_capstyle": "butt"}, {"markerfacecolor": "white", "markersize": 11}
    drawn = []
    for head in range(HEADS):
        axes.plot([head, head], [0, 1], color=FAINT, linewidth=15, **look)
        (track,) = axes.plot([head, head], [0, 1], color=WEIGHT, linewidth=7, **look)
        (end,) = axes.plot([head], [1], "o", color=INK, **knob)
        drawn += [(track, end, axes.text(head + 0.2, 1, "1", va="center", fontsize=SMALL))]
    return drawn


def _named(name: str) -> list[str]:
    """The numbers of a layer's heads; in the first, it is said which one is the writer."""
    heads = [str(head) for head in range(HEADS)]
    if name != LAYERS[0]:
        return heads
    below = [say("writer") if head == WRITER else "" for head in range(HEADS)]
    return [f"{head}\n{word}" for head, word in zip(heads, below, strict=True)]  # two lines each


def describe_quieter_head(params, data) -> str:
    """The picture in words."""
    quiet = [
        say("{name}: {level:.0%}", name=name, level=level)
        for name, level in zip(NAMES, data["levels"], strict=True)
        if level < 1
    ]
    return say(
        "{heads}. In ten random strings {share:.0%} are right. The last {count} letters of "
        '"{text}" are "{truth}"; it says "{says}". Reader {reader} is large. '
        "From the second {letter}, the four readers look most at {at}. What followed the first "
        "{letter} is {right}.",
        heads=", ".join(quiet) or say("All heads are as loud as learned"), text=WRITTEN,
        share=data["share"], says=data["says"][ROUND:], truth=WRITTEN[ROUND + 1 :],
        reader=data["reader"], count=ROUND - 1, letter=ASKS, right=WORD[WORD.index(ASKS) + 1],
        at=", ".join(_letter(one[WRITTEN.rindex(ASKS)].argmax()) for one in data["looks"]),
    )  # fmt: skip


def _letter(place: int) -> str:
    return WRITTEN[place].replace(" ", "_")


def _levels(xy, params, which) -> dict:
    levels = params["levels"]
    return {"levels": (*levels[:which], xy[1], *levels[which + 1 :])}


explore_quieter_head = Explorer(
    quieter_head,
    draw_quieter_head,
    describe_quieter_head,
    sliders={
        "levels": Numbers(0.0, 1.0, start=LOUD, labels=NAMES, label="how loud", step=0.05),
        "reader": Options(
            {f"reader {head}": head for head in range(HEADS)}, start=LARGE, label="drawn large"
        ),
    },
    handles={
        "level": Handle(
            at=lambda data: [
                (LAYERS[i // HEADS], i % HEADS, level) for i, level in enumerate(data["levels"])
            ],
            to=_levels,
            moves=("levels",),
            colour=INK,
        ),
        "reader": Chosen(
            at=lambda data: [(_small(head), 0.8, ROUND - 3) for head in range(HEADS)],
            moves="reader",
            label="drawn large",
            colour=QUERY,
        ),
    },
    functions={"multi_head": multi_head_of_course, "dimmed": dimmed},
    numbers=lambda params, data: [
        (say("letters that are right"), f"{data['share']:.0%}"),
        *[
            (
                say("after {text}", text=WRITTEN[:place]),
                say("{said}, it is {letter}", said=data["says"][place - 1], letter=WRITTEN[place]),
            )
            for place in range(ROUND + 1, len(WRITTEN))
        ],
    ],
    size=(7.0, 5.6),
    colours=24,  # fewer turn a grey cell blue
    goal=Goal(
        "Make one head quieter, and leave the others loud, until the model gets about half of the "
        "letters right: 35 to 65 %.",
        lambda params, data: (
            HALF[0] <= data["share"] <= HALF[1] and sum(one < 1 for one in params["levels"]) == 1
        ),
        solution={"levels": (1.0, 0.25, *LOUD[2:])},
    ),
)
