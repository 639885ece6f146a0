"""A mask painted by hand, and what a model trained under it knows of the next throw."""

from functools import lru_cache

import numpy as np
import torch
from matplotlib.colors import ListedColormap

from course_lib.figures.ghosts import goal_words
from course_lib.figures.hatched import draw_cell_frames, draw_hatched, only_open, staircase
from course_lib.figures.heat_map import WEIGHTS
from course_lib.figures.theme import FAINT, GHOST, INK, KEY, QUERY, SMALL, TEXT
from course_lib.models.dice import SIDES
from course_lib.models.short_dice import THROWS, known_places
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Painted
from course_lib.sliding.held import Cells
from course_lib.words import say

ASKED = THROWS - 1  # the last throw has no next one
CHANCE = float(np.log(SIDES))
KNOWN_BELOW = 0.5
USED_FROM = 0.5  # of the weights: below it, a cell that the honest mask hides is open for nothing
WANTED = [2, 4]  # the throws of the goal
CAUSAL = tuple(tuple(j <= i for j in range(THROWS)) for i in range(ASKED))

Mask = tuple[tuple[bool, ...], ...]


@lru_cache(maxsize=256)
def _trained(mask: Mask) -> tuple[np.ndarray, np.ndarray]:
    """Losses and weights of a fresh model; rounded, for what is drawn is compared bit by bit.

    The weights are those of the throws, and 0 where a place only guesses: there they are accidents.
    """
    known = known_places(torch.tensor([*mask, (True,) * THROWS]))
    losses, weights = known.losses.numpy().round(2), known.weights[:, 1:].numpy().round(1)
    weights[losses >= KNOWN_BELOW] = 0.0
    losses.flags.writeable = weights.flags.writeable = False  # cached: nobody may change them
    return losses + 0.0, weights + 0.0


def painted_mask(*, mask) -> dict:
    """The loss of each guess, and where a place finds its throw, under a painted mask."""
    losses, weights = _trained(mask)
    return {
        "allowed": np.array(mask),
        "losses": losses,
        "weights": weights,
        "useless": np.array(mask) & ~np.array(CAUSAL) & (weights < USED_FROM),
        "known": [place + 1 for place in range(ASKED) if losses[place] < KNOWN_BELOW],
    }


def draw_painted_mask(figure, data) -> Drawing:
    """Left the mask, dark where a throw is found; right, beside each row, the loss of its guess."""
    cells, bars = figure.subplots(1, 2, width_ratios=(1.5, 1.1), sharey=True)
    title = figure.headline()
    image, useless = _draw_cells(cells)
    lengths, labels = _draw_bars(bars)

    def update(data) -> None:
        image.set_data(only_open(data["weights"], data["allowed"]))
        useless.set_data(only_open(data["useless"], data["useless"]))
        for place, loss in enumerate(data["losses"]):
            lengths[place].set_width(loss)
            labels[place].set(text=f"{loss:.2f}", x=max(loss, CHANCE) + 0.08)
        title.set_text(_finding(data))

    goals = [(2.9, throw - 1 + 0.12, say("goal: 0")) for throw in WANTED]
    mark = goal_words(bars, goals, INK)
    return Drawing(update, moving=[image, useless, *lengths, *labels, title], goal=mark)


def _draw_cells(axes):
    """The table of places and throws, its names, and the edge of the causal mask as a ghost."""
    draw_hatched(axes, rows=ASKED, columns=THROWS)
    blank = np.zeros((ASKED, THROWS))
    flat = {"vmin": 0, "vmax": 1, "aspect": "auto", "interpolation": "none"}
    image = axes.imshow(blank, cmap=WEIGHTS, **flat)
    useless = axes.imshow(only_open(blank, blank), cmap=ListedColormap([FAINT]), **flat)
    draw_cell_frames(axes, rows=ASKED, columns=THROWS)
    axes.plot(*staircase(ASKED, 0.5), color=GHOST, linestyle=(0, (3, 2)), zorder=4)
    honest = say("dashed: honest mask")
    axes.text(THROWS - 0.5, ASKED - 0.42, honest, ha="right", va="top", fontsize=SMALL)
    axes.set(xlim=(-0.55, THROWS - 0.45), ylim=(ASKED + 0.2, -0.55))
    throws = [say("throw\n{n}", n=0), *range(1, THROWS)]
    axes.set_xticks(range(THROWS), throws, color=KEY)
    axes.set_yticks(range(ASKED), [say("place {i}", i=i) for i in range(ASKED)], color=QUERY)
    axes.tick_params(length=0, top=False, labeltop=True, bottom=False, labelbottom=False)
    axes.spines[:].set_visible(False)
    axes.set_title(
        say("hatched: closed; white: open; dark: gives it away; grey: later, no use"),
        fontsize=TEXT, fontweight="normal", loc="left",
    )  # fmt: skip
    return image, useless


def _draw_bars(axes):
    """A bar for each place, the throw that it must name, and the line of chance."""
    axes.set(xlim=(0, 3.75), xticks=())
    axes.tick_params(length=0, labelleft=False)
    axes.spines[["bottom", "left"]].set_visible(False)
    axes.set_title(say("loss of each guess"), fontsize=TEXT, fontweight="normal")
    dashed = {"color": INK, "linewidth": 1.2, "linestyle": (0, (4, 2)), "zorder": 0}
    axes.plot([CHANCE, CHANCE], [-0.55, ASKED - 0.3], **dashed)
    chance = say("a guess {loss:.2f}", loss=CHANCE)
    axes.text(CHANCE + 0.06, ASKED - 0.45, chance, va="top", fontsize=SMALL)
    for place in range(ASKED):
        name = say("throw {n}?", n=place + 1)
        axes.text(0, place - 0.3, name, va="center", fontsize=SMALL)
    lengths = axes.barh(np.arange(ASKED) + 0.12, np.zeros(ASKED), height=0.34, color=INK).patches
    labels = [axes.text(0, i + 0.12, "", va="center", fontsize=SMALL) for i in range(ASKED)]
    return lengths, labels


def _finding(data) -> str:
    return say(
        "{known} of {asked} throws are known: mean loss {loss:.2f}",
        known=len(data["known"]), asked=ASKED, loss=data["losses"].mean() + 0.0,
    )  # fmt: skip


def _throws(numbers) -> str:
    return ", ".join(str(number) for number in numbers) or say("none")


def describe_painted_mask(params, data) -> str:
    """The picture in words; of each grey cell, too, why it does not help."""
    seen = "; ".join(
        say("place {i} sees {throws}", i=i, throws=_throws(np.flatnonzero(row)))
        for i, row in enumerate(data["allowed"])
    )
    grey = "".join(
        say("Throw {j} tells nothing of throw {n}, so place {i} gains nothing. ", i=i, j=j, n=i + 1)
        for i, j in np.argwhere(data["useless"])
        if j != i + 1
    )
    return grey + say(
        "Throws that a place may look at: {seen}. After training, the model knows these throws: "
        "{known}. The losses are {losses}; chance is {chance:.2f}.",
        seen=seen, known=_throws(data["known"]), chance=CHANCE,
        losses=", ".join(f"{loss:.2f}" for loss in data["losses"]),
    )  # fmt: skip


def numbers_painted_mask(params, data) -> list[tuple[str, str]]:
    """For each place its loss, and the throw at which it looks most where it does not guess."""
    return [
        (
            say("place {i}, must name throw {n}", i=i, n=i + 1),
            say("loss {loss:.2f}, looks most at throw {n}", loss=loss, n=row.argmax())
            if row.any()
            else say("loss {loss:.2f}, only guesses", loss=loss),
        )
        for i, (loss, row) in enumerate(zip(data["losses"], data["weights"], strict=True))
    ]


def _opened(*cells: tuple[int, int]) -> Mask:
    """The causal mask with some more cells open."""
    return tuple(
        tuple(CAUSAL[i][j] or (i, j) in cells for j in range(THROWS)) for i in range(ASKED)
    )


def _cells_of_the_table(data) -> list[tuple[int, int, int]]:
    return [(0, j, i) for i in range(ASKED) for j in range(THROWS)]


explore_painted_mask = Explorer(
    painted_mask,
    draw_painted_mask,
    describe_painted_mask,
    sliders={
        "mask": Cells(
            start=CAUSAL,
            label="mask",
            labels=(
                [f"place {i}" for i in range(ASKED)],
                [f"throw {j}" for j in range(THROWS)],
            ),
        ),
    },
    handles={"mask": Painted(at=_cells_of_the_table, moves="mask", label="cell of the mask")},
    numbers=numbers_painted_mask,
    size=(7.0, 4.0),
    colours=8,
    goal=Goal(
        "Let the model know throw 2 and throw 4, and no other. Open no more than two cells.",
        lambda params, data: (
            data["known"] == WANTED and data["allowed"].sum() <= np.sum(CAUSAL) + 2
        ),
        solution={"mask": _opened((1, 2), (3, 4))},
    ),
    question="Three cells show throw 3 to an earlier place. Why does one alone make a loss fall?",
    answer="Place 2 alone has to name throw 3. Places 0 and 1 name throws 1 and 2, and of those "
    "throw 3 tells nothing: each throw is fresh.",
)
