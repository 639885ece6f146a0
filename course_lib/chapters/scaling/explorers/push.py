"""Explorer `push`: how far a push of its score moves the weight of one of two keys, by its lead."""

from functools import lru_cache

import numpy as np

from course_lib.chapters.scaling.push import draw_curve, gain_at, weight_at
from course_lib.figures.ghosts import GoalMark, goal_band
from course_lib.figures.numerals import share
from course_lib.figures.theme import FAINT, GHOST, INK, SMALL, TITLE, WEIGHT
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import FloatRange
from course_lib.words import say

PUSH, END, EDGE = 0.1, 12.0, 12.5  # the push; the last lead to both sides; the end of the axis
NAMED = {"A": 1.0, "B": 10.0, "C": -10.0}  # the leads that the text speaks of
BESIDE = {"A": (0.6, -0.15), "B": (0, -0.2), "C": (0, 0.2)}  # where their letters stand
TOP = 0.0305  # of the axis of what a push does
STEEP, LIFT = 0.8, 0.003  # nearer to 0 a number stands so much higher, clear of the trail
CLOSE = 0.0072  # no number stands lower: this one stands close above the goal
LOW_FROM, ASIDE = 6.0, 10.1  # from this lead on bars are low; no number stands further out
LOW, HIGH = 0.16, 0.24  # the goal: about a fifth of what the push does at A
PIXELS = (24.0, 150.0)  # of one lead, and of the weight 1
HELD = {  # by whether the right key is held: what is written then, and where
    True: (-8.0, 0.44, "you hold the right key\nand push it up"),
    False: (8.0, 0.56, "you hold the wrong key\nand push it down"),
}
LEVEL = (0.43, 0.57)  # of the line at a lead of 0: the names of the keys stand above and below it
TRAIL = "#777777"
RING = 16  # around the key that is held
ASKED, AT = "BC", 0.014  # where a question mark stands until the dot has been there, how high
CLEAR = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}  # behind a word on thin lines


def moved_at(lead: float) -> float:
    """How far a push moves the weight: down where the key is ahead, up where it is behind."""
    return float(abs(gain_at(lead, -PUSH if lead >= 0 else PUSH)))


def push(*, lead) -> dict:
    """The weight of a key with this lead over the only other one, and what a push does to it."""
    moved = moved_at(lead)
    return {"lead": lead, "weight": float(weight_at(lead)), "moved": moved,
            "next to A": moved / moved_at(NAMED["A"])}  # fmt: skip


def _small(number: float) -> str:
    """A change of a weight, with the two digits that count: .020, .0021, .0000048."""
    if number >= 0.01:
        return share(number, 3)
    return share(number, 1 - int(np.floor(np.log10(number))))


def _told(lead: float) -> str:
    """A lead in words."""
    if lead == 0:
        return say("level with the right key")
    return say("{lead:g} behind", lead=-lead) if lead < 0 else say("{lead:g} ahead", lead=lead)


def _finding(data) -> str:
    facts = {"where": _told(data["lead"]), "moved": _small(data["moved"])}
    if data["lead"] == 0:
        return say("Both keys level: a push by .1 takes {moved} off one weight", **facts)
    if data["lead"] < 0:
        return say("Right key {where}: a push by .1 adds {moved} to its weight", **facts)
    return say("Wrong key {where}: a push by .1 takes {moved} off its weight", **facts)


def _next_to_a(data) -> str:
    if data["lead"] == NAMED["A"]:
        return say("this is A")
    ratio = data["next to A"]
    if ratio > 0.95:
        return say("more than at A") if ratio > 1.05 else say("as much as at A")
    times = 1 / ratio
    many = f"{times:.1f}" if times < 9.5 else f"{float(f'{times:.2g}'):,.0f}"
    return say("{times} times less than at A", times=many)


def _draw_moved(axes, data):
    """Below the curve: a bar for what the push does, and a line over all leads that were passed."""
    axes.set(xlim=(-EDGE, EDGE), ylim=(0, TOP), yticks=(0, 0.01, 0.02))
    axes.set_yticklabels(["0", ".01", ".02"])
    axes.axvline(0, color=FAINT, linewidth=1, zorder=0)
    (trail,) = axes.plot([], [], color=TRAIL, linewidth=2, zorder=2)
    (bar,) = axes.plot([], [], color=INK, linewidth=5, solid_capstyle="butt", zorder=3)
    (tip,) = axes.plot([], [], "o", color=INK, markersize=6, zorder=3, clip_on=False)
    look = {"fontsize": SMALL, "va": "center", "fontweight": "bold", "bbox": CLEAR, "zorder": 4}
    number = axes.text(0, 0, "", **look)
    asked = {NAMED[letter]: axes.text(NAMED[letter], AT, say("{letter}: ?", letter=letter),
                                      ha="center", **look) for letter in ASKED}  # fmt: skip
    compared = axes.text(0.985, 0.88, "", transform=axes.transAxes, ha="right", va="center",
                         fontsize=TITLE, fontweight="bold")  # fmt: skip
    ends = [data["lead"], data["lead"]]  # of the way that the dot has gone

    def update(data) -> None:
        lead, moved = data["lead"], data["moved"]
        ends[:] = min(ends[0], lead), max(ends[1], lead)
        gone = _way()[(_way() >= ends[0]) & (_way() <= ends[1])]
        trail.set_data(gone, np.abs(gain_at(gone, np.where(gone < 0, PUSH, -PUSH))))
        bar.set_data([lead, lead], [0, moved])
        tip.set_data([lead], [moved])  # seen where the bar is too low
        if abs(lead) < LOW_FROM:
            outwards = 1 if lead >= 0 else -1
            number.set(x=lead + 0.5 * outwards, y=max(moved + LIFT * (abs(lead) < STEEP), CLOSE))
            number.set_ha("left" if outwards > 0 else "right")
        else:  # the trail lies on the axis: there is room above the bar
            number.set(x=np.clip(lead, -ASIDE, ASIDE), y=CLOSE, ha="center")
        number.set_text(_small(moved))
        compared.set_text(_next_to_a(data))
        for place, word in asked.items():
            known = place > 0 or max(-ends[0], ends[1]) >= -place  # the right key has been at C
            word.set_visible(known and not ends[0] <= place <= ends[1])

    update(data)
    return [trail, bar, tip, number, compared, *asked.values()], [bar], update


def _goal(axes) -> GoalMark:
    """A band across the bars; once it is reached, the whole curve that the bars make, too."""
    (whole,) = axes.plot(_way(), [moved_at(lead) for lead in _way()], color=GHOST, linewidth=2,
                         zorder=1, visible=False)  # fmt: skip
    at_a = moved_at(NAMED["A"])
    band = goal_band(axes, LOW * at_a, HIGH * at_a, INK, across="y", ends=(0, 0.995))

    def show(reached: bool) -> None:
        band.show(reached)
        whole.set_visible(reached or whole.get_visible())  # it stays

    return GoalMark([*band.artists, whole], show)


def draw_push(figure, data) -> Drawing:
    """The weight over the lead, a dot for each key; below how far a push moves the weight there.

    The wrong key is filled and the right one hollow; a negative lead is that of the right key.
    """
    axes = figure.subplot_mosaic([["curve"], ["moved"]], height_ratios=(1.25, 1), sharex=True)
    above, below = axes["curve"], axes["moved"]
    draw_curve(above, (-EDGE, EDGE), 5, level=LEVEL)
    above.set(ylim=(-0.26, 1.26), ylabel=say("weight"), xlabel="")
    above.set_label("curve")  # the handle stands in these axes
    held = above.text(0, 0, "", ha="center", va="center", fontsize=SMALL)
    of_c = _draw_letters(above)["C"]
    dots = [above.plot([], [], "o", color=INK, markersize=10, markerfacecolor=face,
                       markeredgewidth=2, markerfacecoloralt="white", zorder=order)[0]
            for face, order in ((INK, 6), ("white", 5))]  # fmt: skip
    (ring,) = above.plot([], [], "o", color=INK, markersize=RING, markerfacecolor="none", zorder=5)
    bold = {"va": "center", "fontsize": SMALL, "fontweight": "bold", "bbox": CLEAR, "zorder": 4}
    names = [above.text(0, 0, "", ha=side, **bold) for side in ("right", "left")]
    artists, ghosts, update_moved = _draw_moved(below, data)
    below.set_ylabel(say("push of .1 moves\nthe weight by"))
    below.set_xlabel(say("lead of a key over the other one"))
    title = figure.headline()

    def update(data) -> None:
        lead = abs(data["lead"])  # of the wrong key over the right one
        for dot, name, side in zip(dots, names, (1, -1), strict=True):
            dot.set_data([side * lead], [weight := float(weight_at(side * lead))])
            name.set(x=side * (lead - 0.4), y=weight + 0.17 * side)  # above the curve, or below it
            name.set_text(say("wrong key") if side > 0 else say("right key"))
        dots[0].set_fillstyle("full" if lead else "right")  # level, half of each dot is seen
        for one in of_c:  # named once the right key has come there
            one.set_visible(one.get_visible() or lead >= -NAMED["C"])
        ring.set_data([data["lead"]], [data["weight"]])  # the key that is held
        x, y, words = HELD[data["lead"] < 0]
        held.set(x=x, y=y, text=say(words))
        update_moved(data)
        title.set_text(_finding(data))

    moving = [title, *dots, ring, held, *names, *of_c, *artists]
    return Drawing(update, moving=moving, ghosts=ghosts, goal=_goal(below))


def _draw_letters(axes) -> dict:
    """A mark on the curve and a letter for each lead that has a name; those of C are hidden."""
    drawn = {}
    for letter, lead in NAMED.items():
        weight, (aside, up) = weight_at(lead), BESIDE[letter]
        (mark,) = axes.plot([lead], [weight], "|", color=WEIGHT, markersize=15, markeredgewidth=2,
                            visible=letter != "C")  # fmt: skip
        word = axes.text(lead + aside, weight + up, letter, ha="center", va="center",
                         fontweight="bold", visible=letter != "C")  # fmt: skip
        drawn[letter] = [mark, word]
    return drawn


@lru_cache(maxsize=1)
def _way() -> np.ndarray:
    """The leads at which the dot can stop."""
    return np.round(np.arange(-END, END + 0.05, 0.1), 1)


def _nearest(x: float, y: float) -> float:
    """The lead whose dot stands nearest to a place."""
    way = np.stack([_way(), weight_at(_way())], axis=1)
    far = np.square((way - (x, y)) * PIXELS).sum(axis=1)
    return float(_way()[far.argmin()])


def describe_push(params, data) -> str:
    """The picture in words."""
    return say(
        "{key} is {where} and has the weight {weight:.5f}. {push} by .1, its score moves the "
        "weight by {moved} ({compared}).",
        key=say("The right key") if data["lead"] < 0 else say("The wrong key"),
        where=_told(data["lead"]), weight=data["weight"], moved=_small(data["moved"]),
        push=say("Pushed up") if data["lead"] < 0 else say("Pushed down"),
        compared=_next_to_a(data),
    )  # fmt: skip


explore_push = Explorer(
    push,
    draw_push,
    describe_push,
    sliders={"lead": FloatRange(-END, END, start=1.0, step=0.1, label="lead of the key")},
    handles={
        "lead": Handle(
            at=lambda data: ("curve", data["lead"], data["weight"]),
            to=lambda xy, params: {"lead": _nearest(*xy)},
            moves=("lead",),
            label="the key",
            colour=INK,
        )
    },
    numbers=lambda params, data: [
        (say("weight of the key; of the other one"),
         f"{data['weight']:.5f}; {1 - data['weight']:.5f}"),
        (say("a push of .1 moves it by"), f"{data['moved']:.2g}"),
        (say("next to A"), _next_to_a(data)),
    ],
    size=(7.0, 4.7),
    colours=12,
    goal=Goal(
        "Find a lead at which the push moves the weight about a fifth as far as at A.",
        lambda params, data: LOW <= data["next to A"] <= HIGH,
        solution={"lead": 3.1},
    ),
    question="Where does a push move a weight most?",
    answer="Most at a lead of 0, where both keys have half of the weight. Both sides are alike, "
    "because what the key in front loses is what the key behind it gains.",
)  # fmt: skip
