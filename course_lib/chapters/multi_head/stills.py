"""The pictures of chapter 7 without sliders, each with the words for who cannot see it."""

import torch

from course_lib.chapters.multi_head.mixed_rows import draw_mixed_rows
from course_lib.chapters.multi_head.note_and_reader import draw_note_and_reader
from course_lib.chapters.multi_head.second_note import draw_second_note
from course_lib.chapters.multi_head.split_and_merged import draw_split_and_merged
from course_lib.figures.head_emergence import draw_birth, draw_births
from course_lib.figures.live import LiveFigure
from course_lib.figures.maps import draw_maps
from course_lib.figures.static import show_figure
from course_lib.figures.theme import SMALL, new_figure
from course_lib.figures.theme import TEXT as TITLE
from course_lib.figures.transformer import draw_transformer
from course_lib.models.copying import STEPS, copying_loss, encode, new_copying
from course_lib.models.head_emergence import Birth, recorded_birth, recorded_births
from course_lib.models.training import Training
from course_lib.models.transformer import Transformer
from course_lib.progress_bar import with_progress
from course_lib.words import say

TEXT, ASKS = "cats cats ", 6  # the second a
RISES = ((50, 150, "first rise"), (500, 650, "second rise"))  # of the recorded birth
SHIPPED = 0  # the seed of the model that comes with the course

EIGHT_MAPS = (
    "Eight tables of ten rows and ten columns, one for each head, for the text cats_cats_. In each "
    "the row of the second a is framed. In the first layer, head 1 looks at the place before, the "
    "c; head 2 at two places before, the space; heads 0 and 3 look most at the a itself. In the "
    "second layer all four heads look most at the first t; there, the rows of the first round are "
    "pale."
)
ONE_BIRTH = (
    "Three panels over the steps of a training. Above, the share of right letters rises in two "
    "steps, a large and a small one. In the middle, at the first step heads 1 and 2 of the first "
    "layer begin to look at the place before; at the second, head 1 rises to more than .9, and "
    "head 2, grey, falls, while its dashed line, on two places back, rises to .46. Below, all "
    "heads of the second layer rise at the first step."
)
FOUR_BIRTHS = (
    "Four panels, one for each seed. A line for each head of the first layer: the share of its "
    "weights at the place before. {found} Right letters, dotted, rise to nearly 1 in all."
)
WHOLE_TRANSFORMER = (
    "Left, from below: tokens and places; a block, N times: norm, multi-head attention, a sum with "
    "what came in, norm, MLP, a sum again; then norm, and the next token. Right: x goes "
    "through W_Q, W_K and W_V, each is split, attention in each of h heads, merge, W_O."
)
NOTE_AND_READER = (
    "The letters of cats ca, above them the second layer, below them the first. Below each letter "
    "a note has the letter before, with an arrow from there. The note of the first t says a, and "
    "is framed: W_K offers it. A thick arc goes from the second a to this t: W_Q asks, where is "
    "the note a? A thin arrow leads back: W_V brings the t, and it comes next."
)
SECOND_NOTE = (
    "The letters of cat map ca. Below three of them lie notes: first the letter before, then the "
    "letter two places back. The t has the notes a and c, the p the notes a and m, and the last a "
    "its own note c. The reader at the last a asks: where are the notes a and c? A thick arc goes "
    "to the t, where both fit; a thin dashed one to the p, where only the a fits."
)
SPLIT_AND_MERGED = (
    "A table Q of three words and four columns is cut in two: columns 0 and 1 go up to head 0, "
    "columns 2 and 3 down to head 1. There the strip of Q, with a strip of K, gives weights, and "
    "these times a strip of V an output. Head 0 looks at the word itself: word 3 gets 31 and 32. "
    "Head 1 looks one word back, and word 1 at itself: word 3 gets 23 and 24. Merged, its row is "
    "31, 32, 23, 24. Q and what is merged are (3, 4), the strips and the outputs (3, 2)."
)
MIXED_ROWS = (
    "The merged row 31, 32, 23, 24 stands upright, each number beside the row of W_O that it "
    "multiplies. The first two are head 0's, the last two head 1's. To the right of its rows "
    "stands what each head adds, and below them their sum, the output."
)


def show_eight_maps(model: Transformer) -> None:
    """What each head of the copying model looks at on TEXT, with the row of the second a framed."""
    figure = new_figure(7.0, 5.0)
    maps = model.maps(torch.from_numpy(encode(TEXT))).round(decimals=2)
    lines = [say("first layer"), say("second layer")]
    figure.headline(say("Where each head looks, when it reads cats_cats_"))
    axes = draw_maps(figure, maps, lines=lines, names=TEXT.replace(" ", "_"), place=ASKS,
                     first=(0, len(TEXT) // 2))  # fmt: skip
    axes[1, 1].annotate(
        say("above the line: the first round"),
        (-0.2, 1),
        xycoords="axes fraction",
        xytext=(0, 6 + 1.4 * TITLE),
        textcoords="offset points",
        fontsize=SMALL,
        in_layout=False,
    )  # beside the name of the layer
    show_figure(figure, say(EIGHT_MAPS), colours=18)  # with 16, some greys turn blue


def show_note_and_reader() -> None:
    """How a note of the first layer is found by the second, in the middle of cats cats."""
    figure = new_figure(7.0, 3.2)
    draw_note_and_reader(figure)
    show_figure(figure, say(NOTE_AND_READER), colours=4)


def show_second_note() -> None:
    """Two places carry the note that a reader looks for, and their second notes differ."""
    figure = new_figure(6.4, 2.5)
    draw_second_note(figure)
    show_figure(figure, say(SECOND_NOTE), colours=3)


def show_split_and_merged(q) -> None:
    """The way of three words through two heads: cut, attend, merge.

    Shapes: q (3, 4)
    """
    figure = new_figure(7.0, 3.9)
    figure.headline(say("Each head attends with its own columns"))
    draw_split_and_merged(figure, q)
    show_figure(figure, say(SPLIT_AND_MERGED), colours=5)


def show_mixed_rows() -> None:
    """How W_O makes a sum of what each head adds, for the last row of the picture of two heads."""
    figure = new_figure(6.4, 2.6)
    figure.headline(say("The output is a sum of what each head adds"))
    draw_mixed_rows(figure)
    show_figure(figure, say(MIXED_ROWS), colours=4)


def show_birth() -> None:
    """How the heads of the model came into being that comes with the course."""
    figure = new_figure(7.0, 4.0)
    draw_birth(figure, recorded_birth(), RISES)
    show_figure(figure, say(ONE_BIRTH), colours=8)


def watch_a_birth(seed: int = 0, steps: int = STEPS) -> Transformer:
    """Train a copying model from the start, with a picture that follows; a minute or more.

    Returns the model as it is at the end.
    """
    training, birth = Training(new_copying(seed), copying_loss, seed=seed), Birth(every=50)
    live = LiveFigure(say(ONE_BIRTH), draw_birth, size=(7.0, 7.0))  # room for the maps, too
    rounds = with_progress(range(steps), say("training"))
    training.run(birth.watched(rounds, training, live.update))
    return training.model_now()


def show_births() -> None:
    """The births of the heads of the first layer from several seeds, side by side."""
    figure, births = new_figure(7.0, 2.75), recorded_births()
    draw_births(figure, births, ours=SHIPPED)
    found = [_who_takes_it(seed, heads) for seed, heads in writers_by_seed().items()]
    show_figure(figure, say(FOUR_BIRTHS, found=" ".join(found)), colours=5)


def writers_by_seed() -> dict[int, list[int]]:
    """Of each recorded model the heads of the first layer that look mostly at the place before."""
    return {
        seed: [head for head, share in enumerate(birth.previous[-1][0]) if share > 0.5]
        for seed, birth in recorded_births().items()
    }


def _who_takes_it(seed: int, heads: list[int]) -> str:
    if len(heads) == 1:
        return say("With seed {seed}, head {head} takes it.", seed=seed, head=heads[0])
    return say("With seed {seed}, heads {heads} take it.", seed=seed,
               heads=say(" and ").join(map(str, heads)))  # fmt: skip


def show_transformer() -> None:
    """A whole transformer, and the inside of its attention."""
    figure = new_figure(6.2, 4.9)
    draw_transformer(figure)
    show_figure(figure, say(WHOLE_TRANSFORMER), colours=5)
