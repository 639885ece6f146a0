"""The pictures of chapter 0 that do not move, each with its words.

show_note_left(model, "giraffe pogir")     # head 2 leaves a note
show_note_found(model, "giraffe pogir")    # head 5 finds the place by it
show_pair("cap sat ca")                    # two letters that stood together before
show_passing_on("giraffe pogir")           # the whispering game, and the round table
show_periods(periods, attention, rnn)      # how much is right, by the length of what repeats
show_forward_pass()                        # the code of one run through the model, folded
"""

from collections.abc import Sequence
from inspect import getsource
from textwrap import dedent

from matplotlib.patches import FancyArrowPatch, Rectangle
from matplotlib.path import Path

from course_lib.chapters.start_here import sentences as s
from course_lib.chapters.start_here.notes import (
    fitting,
    letters_at,
    letters_before,
    numbered,
    with_article,
)
from course_lib.chapters.start_here.outwitting import copied_on
from course_lib.chapters.start_here.rows_of_notes import (
    FEW,
    FIRST_ROW,
    GREY,
    box_of_note,
    draw_look,
    draw_said,
    is_right,
    write_note,
)
from course_lib.figures.letters import (
    LINE,
    SIDE,
    WIDTH_OF_SIGN,
    draw_arc,
    draw_letters,
    draw_lines_below,
    draw_passing_on,
    draw_weights_below,
    visible,
)
from course_lib.figures.static import show_figure
from course_lib.figures.theme import GHOST, INK, KEY, QUERY, SMALL, TEXT, VALUE, YOURS, new_figure
from course_lib.markup import code_block, folded
from course_lib.models.copying_numpy import Copying
from course_lib.models.copying_text import decode, fitted
from course_lib.showing import show
from course_lib.words import say

APART, ASIDE = 0.2, 0.4  # boxes: between two names in a line, and by which one may be moved
LEAST_APART = 0.31  # of the width of a text, from the middle of one note to that of the next
LEFT_OF_POINT, RIGHT_OF_POINT, RIGHT_OF_NUMBER = 2.2, 0.6, 1.1  # letters in a round
NEAR = 9  # letters of 100
CHANCE = 100 / 27  # letters of 100 that a guess gets right


def show_note_left(model: Copying, text: str) -> None:
    """Show where head 2 looks, and the note that it leaves at the place that head 5 finds."""
    text = decode(fitted(text, 1))
    maps, last = model.maps(text), len(text) - 1
    found = int(maps[1, 0, last].argmax())
    figure = new_figure(7.0, 2.2)
    axes = figure.subplots()
    draw_letters(axes, text, noted=(found,), sky=1.0, lines=3)
    _make_room(axes, text)
    axes.text(axes.get_xlim()[0] + 0.1, -FIRST_ROW, say(s.NOTE), color=GREY, va="center",
              fontsize=SMALL)  # fmt: skip
    for place in range(len(text)):
        look = {"colour": "white" if place == found else GREY, "bold": place == found}
        write_note(axes, text, place, 0, **look)
    axes.add_patch(box_of_note(found, 0, facecolor=KEY, edgecolor=KEY))
    for place in range(1, last + 1):
        draw_look(axes, place, int(maps[0, 1, place].argmax()), dark=place == found)
    figure.headline(say(s.LEAVES_A_NOTE))
    note = [(say(s.BEFORE_ME, letter=one), KEY) for one in letters_before(text, found)[:1]]
    draw_lines_below(axes, found, [("", KEY), ("", KEY), *numbered(s.STEPS, note)])
    told = {"found": visible(text[found]), "before": visible(text[max(0, found - 1)])}
    show_figure(figure, say(s.NOTE_LEFT, text=text, **told), colours=64)


def show_note_found(model: Copying, text: str) -> None:
    """Show how the last letter asks through head 5, and finds a place by its note."""
    text = decode(fitted(text, 1))
    looks, last = model.maps(text)[1, 0], len(text) - 1
    found, said = int(looks[last].argmax()), model.continued(text, 1)
    lower = (
        2 if last - found < LEAST_APART * max(len(text), FEW) - 0.3 else 0
    )  # else words would meet
    figure = new_figure(7.0, 2.65 + 0.3 * lower)
    axes = figure.subplots()
    draw_letters(axes, text, asks=(last,), noted=(found,), sky=1.7, lines=3 + lower)
    draw_arc(axes, last, found, peak=1.15, zorder=2)
    draw_said(axes, text, said)
    fits = text[found] == said and found in fitting(text)
    title = s.FINDS_THE_NOTE if fits else s.ARC_ELSEWHERE
    figure.headline(say(title, at=visible(text[found]), said=visible(said)))
    _make_room(axes, text)
    draw_weights_below(axes, looks[last], say(s.WEIGHT))
    note = [(say(s.BEFORE_ME, letter=one), KEY) for one in letters_before(text, found)[:1]]
    handed = (say(s.HERE_IS, a_letter=with_article(text[found])), VALUE)
    noted = numbered(s.STEPS, note) + numbered(s.STEPS[2:], [handed])
    draw_lines_below(axes, found, [("", KEY), *noted])
    if fits and is_right(text, said) is not False:
        _draw_handed_over(axes, found, len(text), noted[-1][0])
    question = numbered(s.STEPS[1:], [(say(s.BEFORE_YOU, letter=visible(text[last])), QUERY)])
    asks = last + SIDE / 2 - _half(axes, question[0][0])  # clear of the line to what is said
    draw_lines_below(axes, asks, [("", QUERY)] * (1 + lower) + question)
    told = {"found": visible(text[found]), "before": visible(text[max(0, found - 1)])}
    told |= {"last": visible(text[last]), "said": visible(said)}
    most = 100 * looks[last, found]
    words = say(s.NOTE_FOUND, text=text, most=most, **told)
    if is_right(text, said) is False:
        words += " " + say(s.IS_WRONG, said=visible(said))
    show_figure(figure, words, colours=64)
    if other := _what_else_happens(text, found):
        print(other)


def _make_room(axes, text: str) -> None:
    """On the left for the name of a row, on the right for a letter that is said."""
    many = max(len(text), FEW)
    axes.set_xlim(-0.8 - 0.095 * many, many + 0.7)


def _half(axes, words: str) -> float:
    """Half the width of bold words below a letter."""
    low, high = axes.get_xlim()
    return (0.5 * WIDTH_OF_SIGN * len(words) + 0.008) * (high - low)


def _draw_handed_over(axes, found: int, said: int, words: str) -> None:
    """From the words in the third line below a letter, a line to the letter that is said."""
    half, y = _half(axes, words), -SIDE / 2 - 2.6 * LINE
    start = max(found, axes.get_xlim()[0] + half) + half
    if start < said - SIDE:
        way = Path([(start, y), (said, y), (said, -SIDE / 2 - 0.05)])
        look = {"color": VALUE, "linewidth": 1.8, "arrowstyle": "-|>", "mutation_scale": 11}
        axes.add_patch(FancyArrowPatch(path=way, **look))


def _what_else_happens(text: str, found: int) -> str:
    """Where not one place answers alone, and is found, as the chapter tells it: what, in words."""
    fits, last = fitting(text), visible(text[-1])
    if found not in fits:
        why = "" if copied_on(text, 1) else " " + say(s.DOES_NOT_REPEAT)
        return say(s.NOT_FOUND, last=last) + why
    several = len(fits) > 1
    return say(s.SEVERAL_ANSWER, last=last, letters=letters_at(text, fits)) if several else ""


def show_pair(text: str) -> None:
    """Show the places of a text, where its last two letters stood before, and what followed them.

    Raises: ValueError, if the two stood nowhere before.
    """
    before, last = text.rindex(text[-2:], 0, len(text) - 1), len(text) - 1
    parts = (
        (before, 2, s.THE_PAIR, KEY, "right"),
        (before + 2, 1, s.WHAT_FOLLOWED, VALUE, "left"),
        (last - 1, 2, s.THE_LAST_TWO, QUERY, "right"),
    )
    edges = [(at - SIDE / 2, at + many - 1 + SIDE / 2) for at, many, *_ in parts]
    named = [
        (edge[side == "right"], side, say(words))
        for edge, (*_, words, _, side) in zip(edges, parts, strict=True)
    ]
    names = _names_above(named, len(text))
    levels = max(level for _, level in names)
    figure = new_figure(7.0, 2.3 + 0.3 * levels)
    axes = figure.subplots()
    draw_letters(axes, text, sky=1.1 + LINE * levels, lines=2)
    for (*_, words, colour, _), (start, end), (at, level) in zip(parts, edges, names, strict=True):
        frame = Rectangle((start, -SIDE / 2), end - start, SIDE, fill=False, edgecolor=colour)
        axes.add_patch(frame).set(linewidth=2.4, zorder=3)
        look = {"color": colour, "fontsize": SMALL, "fontweight": "bold", "va": "center"}
        axes.text(at, 0.72 + LINE * level, say(words), ha="left", **look)
    for place in range(len(text)):
        name = [(say(s.THE_PLACE), KEY)] * (place == before)  # what the code calls it
        draw_lines_below(axes, place, [(str(place), KEY if name else "#666666"), *name])
    told = {"two": visible(text[-2]) + visible(text[-1]), "what": visible(text[before + 2])}
    figure.headline(say(s.CAME_BEFORE, **told))
    told |= {"first": before, "second": before + 1, "then": before + 2}
    show_figure(figure, say(s.PAIR, text=text, **told), colours=64)


def show_passing_on(text: str) -> None:
    """Show a memory passed on from letter to letter, and a text whose last letter sees all."""
    figure = new_figure(7.0, 4.7)
    draw_passing_on(figure, text)
    show_figure(figure, say(s.PASSING_ON, text=text, steps=len(text) - 1))


def show_periods(
    periods: Sequence[int],
    attention: Sequence[float],
    rnn: Sequence[float],
    bet: float | None = None,
) -> None:
    """Show how many letters of 100 are right, over the period, and a bet on the longest one.

    periods: ascending.   attention, rnn: as many.   bet: None where there is none.
    """
    figure, far = new_figure(7.0, 3.2), periods[-1]
    axes = figure.subplots()
    room = 1.8 if bet is None else 4.7  # on the right, for a number, and for a name
    axes.set(xlim=(periods[0] - LEFT_OF_POINT, far + room), ylim=(0, 112), xticks=list(periods))
    axes.set(yticks=(0, 50, 100), ylabel=say(s.RIGHT_OF_100), xlabel=say(s.PERIOD))
    edges = [periods[0] - LEFT_OF_POINT, far]
    axes.plot(edges, [CHANCE] * 2, color=GHOST, linewidth=1.5, linestyle=(0, (1, 1.5)))
    axes.plot(periods, attention, color=INK, marker="o")
    axes.plot(periods, rnn, color="#5a5a5a", marker="s", linestyle="--")
    names = {"color": INK, "fontweight": "bold", "ha": "left", "fontsize": TEXT}
    middle = len(periods) // 2
    axes.text(periods[middle], attention[middle] - 5, say(s.ATTENTION), va="top", **names)
    axes.text(periods[middle] + 0.4, rnn[middle] + 7, say(s.RNN), va="center", **names)
    for period, share in zip(periods[:-1], rnn[:-1], strict=True):
        axes.text(period - 0.2, share - 5, f"{share:.0f}", ha="right", va="top", fontsize=SMALL)
    axes.text(far + RIGHT_OF_POINT, rnn[-1], f"{rnn[-1]:.0f}", va="center", fontsize=SMALL)
    grey = {"fontsize": SMALL, "color": "#666666"}
    axes.text(edges[0] + 0.2, CHANCE + 2, say(s.A_GUESS, n=CHANCE), va="bottom", **grey)
    told = {"near": periods[0], "far": far, "first": rnn[0], "last": rnn[-1], "chance": CHANCE}
    words = say(s.PERIODS, low=min(attention), high=max(attention), **told)
    if bet is not None:
        _draw_bet(axes, far, bet, rnn[-1])
        words += " " + say(s.YOUR_BET_IS, bet=bet, far=far)
    figure.headline(say(s.FORGETS))
    show_figure(figure, words, colours=64, exact=False)


def show_forward_pass() -> None:
    """Show the code of one run through the model, folded."""
    code = "\n".join(dedent(getsource(one)) for one in (Copying.vectors, Copying.states))
    show(code, html=folded(say(s.OPEN_FOR_THE_CODE), code_block(code)))


def _names_above(named: Sequence[tuple[float, str, str]], letters: int) -> list[tuple[float, int]]:
    """Where each name begins, and in which line above the letters: higher, where it would meet one.

    named: (edge, "left" or "right", words): a name begins or ends at an edge of its frame, and
    stays within the picture.
    """
    found: list[tuple[float, int]] = []
    ends: list[float] = []  # of each line
    for edge, side, words in named:
        wide = WIDTH_OF_SIGN * (letters + 0.4) * len(words)
        start = max(edge - wide if side == "right" else edge, -SIDE / 2)
        start = min(start, letters - 1 + SIDE / 2 - wide)
        fits = (n for n, end in enumerate(ends) if end + APART < start + ASIDE)
        level = next(fits, len(ends))
        start = max(start, ends[level] + APART) if level < len(ends) else start
        ends[level:] = [start + wide, *ends[level + 1 :]]
        found.append((start, level))
    return found


def _draw_bet(axes, period: int, bet: float, share: float) -> None:
    """A cross, behind the lines, and its name on the right, behind a number that stands there."""
    axes.plot([period], [bet], "x", color=YOURS, markersize=13, markeredgewidth=3, zorder=1.5,
              clip_on=False)  # fmt: skip
    beside = RIGHT_OF_POINT + (RIGHT_OF_NUMBER if abs(bet - share) < NEAR else 0)
    axes.text(period + beside, bet, say(s.YOUR_BET), color=YOURS, fontweight="bold", va="center",
              fontsize=TEXT)  # fmt: skip
