"""The pictures of chapter 0 that do not move, each with its words.

show_two_heads(model, "giraffe pogir")     # one leaves a note, one finds the place by it
show_two_back(model, "hat cap ha")         # a second note, from the head of the exercise `by_two`
show_places_found(model, "hat cap ha")     # where head 5 looks with that note, and without
show_pair("cap sat ca")                    # two letters that stood together before
show_passing_on("giraffe pogir")           # the whispering game, and the round table
show_periods(periods, attention, rnn)      # how much is right, by the length of what repeats
show_forward_pass()                        # the code of one run through the model, folded
"""

from collections.abc import Sequence
from inspect import getsource
from textwrap import dedent

from matplotlib.patches import Rectangle

from course_lib.chapters.start_here import sentences as s
from course_lib.chapters.start_here.notes import (
    again,
    fitting,
    letters_at,
    letters_before,
    notes_at,
    numbered,
    title_of_run,
    with_article,
)
from course_lib.figures.letters import (
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
from course_lib.models.copying_numpy import Copying, without
from course_lib.models.copying_text import decode, fitted
from course_lib.showing import show
from course_lib.words import say

PALE = "#b9bfc9"  # arcs that are not the point
LEAST_APART = 0.27  # of the width of a text, from the middle of one note to that of the next
ROOM_FOR_ANOTHER = 0.5  # the same, where one of them ends at the picture's edge
CHANCE = 100 / 27  # letters of 100 that a guess gets right


def show_two_heads(model: Copying, text: str) -> None:
    """Show the note that head 2 leaves, and how head 5 finds the place by it."""
    text = decode(fitted(text, 1))
    maps, last = model.maps(text), len(text) - 1
    found, said = int(maps[1, 0, last].argmax()), model.continued(text, 1)
    lower = 2 if last - found < LEAST_APART * len(text) - 0.3 else 0  # else words would meet
    figure = new_figure(7.0, 4.4 + 0.3 * lower)
    above, below = figure.subplots(2, 1, height_ratios=(2.1, 4.05 + 0.45 * lower))
    draw_letters(above, text, noted=(found,), sky=1.0, lines=1)
    for place in range(1, last + 1):
        _draw_look(above, place, int(maps[0, 1, place].argmax()), dark=place == found)
    above.set_title(say(s.LEAVES_A_NOTE))
    draw_letters(below, text, asks=(last,), sky=2.0, lines=3 + lower)
    _draw_looks_of_those_before(below, text, maps[1, 0])
    draw_arc(below, last, found, peak=1.45, zorder=2)
    _draw_said(below, last + 1, said)
    fits = text[found] == said and found in fitting(text)
    title = s.FINDS_THE_NOTE if fits else s.ARC_ELSEWHERE
    below.set_title(say(title, at=visible(text[found]), said=visible(said)))
    for axes in (above, below):
        axes.set_xlim(-0.8 - 0.095 * len(text), last + 1.7)  # room for a name on the left
    draw_weights_below(below, maps[1, 0, last], say(s.WEIGHT))
    note = [(say(s.BEFORE_ME, letter=one), KEY) for one in letters_before(text, found)[:1]]
    handed = (say(s.HERE_IS, a_letter=with_article(text[found])), VALUE)
    draw_lines_below(above, found, numbered(s.STEPS, note))
    draw_lines_below(below, found, [("", KEY), *note, *numbered(s.STEPS[2:], [handed])])
    question = (say(s.BEFORE_YOU, letter=visible(text[last])), QUERY)
    draw_lines_below(below, last, [("", QUERY)] * (1 + lower) + numbered(s.STEPS[1:], [question]))
    told = {"found": visible(text[found]), "before": visible(text[max(0, found - 1)])}
    told |= {"last": visible(text[last]), "said": visible(said)}
    most = 100 * maps[1, 0, last, found]
    show_figure(figure, say(s.TWO_HEADS, text=text, most=most, **told), colours=64)


def show_two_back(model: Copying, text: str) -> None:
    """Show where head 3 looks, and the two notes of the place that head 5 finds."""
    text = decode(fitted(text, 0))
    maps = model.maps(text)
    looks, found = maps[0, 2], int(maps[1, 0, -1].argmax())
    last = len(text) - 1
    asks = last - found > ROOM_FOR_ANOTHER * len(text)  # else notes and questions would meet
    figure = new_figure(7.0, 2.65 if asks else 2.05)
    axes = figure.subplots()
    noted = (found, *fitting(text))
    draw_letters(axes, text, asks=(last,) * asks, noted=noted, sky=1.1, lines=4 if asks else 2)
    axes.set_xlim(-1.3, last + 2.0)  # room for names on the left, for the question on the right
    for place in range(2, len(text)):
        _draw_look(axes, place, int(looks[place].argmax()), dark=place == found)
    axes.set_title(say(s.LEAVES_A_SECOND_NOTE))
    notes = notes_at(text, found)
    draw_lines_below(axes, found, [(note, KEY) for note in notes])
    _name_lines(axes, notes)
    words = say(s.TWO_BACK, text=text, found=visible(text[found]), notes=", ".join(notes))
    for other in _rivals(text, found)[-1:]:
        notes = notes_at(text, other)
        draw_lines_below(axes, other, [(note, KEY) for note in notes])
        told = {"other": visible(text[other]), "notes": ", ".join(notes)}
        words += " " + say(s.NOTES_OF_THE_OTHER, **told)
    if asks:
        own = notes_at(text, last)[0]  # by it the last letter knows what to ask for
        asked = notes_at(text + " ", last + 1, s.BEFORE_YOU, s.TWO_BEFORE_YOU)
        draw_lines_below(axes, last, [(own, KEY), ("", KEY), *((one, QUERY) for one in asked)])
        _name_line(axes, axes.texts[-len(asked)].get_position()[1], say(s.HEAD_5_ASKS))
        told = {"last": visible(text[-1]), "note": own, "asked": " ".join(asked)}
        words += " " + say(s.ITS_OWN_NOTE, **told)
    show_figure(figure, words, colours=64)


def _rivals(text: str, found: int) -> list[int]:
    """Other places behind the last letter's earlier times, where there is room for their notes."""
    room, last = LEAST_APART * len(text), len(text) - 1
    answers = [place for place in range(1, last) if text[place - 1] == text[last]]
    return [one for one in answers if abs(one - found) >= room and last - one >= room]


def _name_lines(axes, notes: list[str]) -> None:
    """At the left edge, which head leaves the notes of each line, where there is room for it."""
    (low, high), names = axes.get_xlim(), (say(s.HEAD_2), say(s.HEAD_3))
    for name, note in zip(names, axes.texts[-len(notes) :], strict=False):
        sign, (middle, y) = WIDTH_OF_SIGN * (high - low), note.get_position()
        if middle - 0.5 * sign * len(note.get_text()) > low + sign * (len(name) + 1):
            _name_line(axes, y, name)


def _name_line(axes, y: float, name: str) -> None:
    """A name at the left edge, in grey."""
    left = axes.get_xlim()[0] + 0.1
    axes.text(left, y, name, color="#666666", va="center", fontsize=SMALL)


def show_places_found(model: Copying, text: str) -> None:
    """Show where head 5 looks from the last letter, with head 3 and without it."""
    text = decode(fitted(text, 1))
    last = len(text) - 1
    runs = [
        (int(model.maps(text, loudness)[1, 0, last].argmax()), model.continued(text, 1, loudness))
        for loudness in (without(), without(3))
    ]
    (found, said), (other, then) = runs
    close = last - found < LEAST_APART * len(text) - 0.3  # note and question would meet
    figure, lines = new_figure(7.0, 5.5 if close else 4.3), 4 if close else 2
    for axes, many, (place, letter) in zip(figure.subplots(2, 1), (2, 1), runs, strict=True):
        draw_letters(axes, text, asks=(last,), noted=fitting(text, many), sky=1.35, lines=lines)
        axes.set_xlim(-0.7, last + 2.2)
        look = {} if many == 2 else {"colour": "#666666", "dashes": (0, (3, 1.5))}
        draw_arc(axes, last, place, peak=0.85, **look)
        _draw_said(axes, last + 1, letter, VALUE if letter == said else "#666666")
        axes.set_title(title_of_run(text[place], letter, said, with_head_3=many == 2))
        _draw_notes(axes, text, (found, other), lines - 2, struck=many == 1)
    told = {"found": visible(text[found]), "other": visible(text[other]), "then": visible(then)}
    alike = s.EQUAL if notes_at(text, found)[:1] == notes_at(text, other)[:1] else s.UNLIKE
    ending = say(s.ONE_FITS if other == found else s.TWO_FIT, alike=say(alike), **told)
    told |= {"notes": ", ".join(notes_at(text, found)), "said": visible(said)}
    asked = " ".join(notes_at(text + " ", last + 1, s.BEFORE_YOU, s.TWO_BEFORE_YOU))
    told |= {"both": letters_at(text, fitting(text, 2)), "one": letters_at(text, fitting(text))}
    words = say(s.PLACES_FOUND, text=text, asked=asked, ending=ending, **told)
    show_figure(figure, words, colours=64)


def show_pair(text: str) -> None:
    """Show the places of a text, where its last two letters stood before, and what followed them.

    Raises: ValueError, if the two stood nowhere before.
    """
    before, last = text.rindex(text[-2:], 0, len(text) - 1), len(text) - 1
    figure = new_figure(7.0, 1.75)
    axes = figure.subplots()
    draw_letters(axes, text, sky=1.1, lines=1)
    parts = (
        ((before, before + 1), s.THE_PAIR, KEY, "center"),
        ((before + 2,), s.WHAT_FOLLOWED, VALUE, "left"),
        ((last - 1, last), s.THE_LAST_TWO, QUERY, "center"),
    )
    for places, words, colour, side in parts:
        start, end = places[0] - SIDE / 2, places[-1] + SIDE / 2
        frame = Rectangle((start, -SIDE / 2), end - start, SIDE, fill=False, edgecolor=colour)
        axes.add_patch(frame).set(linewidth=2.4, zorder=3)
        look = {"color": colour, "fontsize": SMALL, "fontweight": "bold", "va": "center"}
        axes.text(start if side == "left" else (start + end) / 2, 0.72, say(words), ha=side, **look)
    for place in range(len(text)):
        draw_lines_below(axes, place, [(str(place), "#666666")])
    told = {"two": visible(text[-2]) + visible(text[-1]), "what": visible(text[before + 2])}
    told |= {"first": before, "second": before + 1, "then": before + 2}
    show_figure(figure, say(s.PAIR, text=text, **told), colours=64)


def show_passing_on(text: str) -> None:
    """Show a memory passed on from letter to letter, and a text whose last letter sees all."""
    figure = new_figure(7.0, 4.5)
    draw_passing_on(figure, text)
    show_figure(figure, say(s.PASSING_ON, text=text, steps=len(text) - 1), colours=64)


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
    axes.set(xlim=(periods[0] - 1, far + 1.2), ylim=(0, 112), xticks=list(periods))
    axes.set(yticks=(0, 50, 100), ylabel=say(s.RIGHT_OF_100), xlabel=say(s.PERIOD))
    axes.axhline(CHANCE, color=GHOST, linewidth=1.5, linestyle=(0, (1, 1.5)))
    axes.plot(periods, attention, color=INK, marker="o")
    axes.plot(periods, rnn, color="#5a5a5a", marker="s", linestyle="--")
    names = {"color": INK, "fontweight": "bold", "ha": "left", "fontsize": TEXT}
    middle = len(periods) // 2
    axes.text(periods[middle], attention[middle] - 5, say(s.ATTENTION), va="top", **names)
    axes.text(periods[middle] + 0.4, rnn[middle] + 7, say(s.RNN), va="center", **names)
    for period, share in zip(periods[:-1], rnn[:-1], strict=True):
        axes.text(period - 0.2, share - 5, f"{share:.0f}", ha="right", va="top", fontsize=SMALL)
    axes.text(far + 0.45, rnn[-1], f"{rnn[-1]:.0f}", va="center", fontsize=SMALL)
    grey = {"fontsize": SMALL, "color": "#666666"}
    axes.text(periods[0] - 0.8, CHANCE + 2, say(s.A_GUESS, n=CHANCE), va="bottom", **grey)
    told = {"near": periods[0], "far": far, "first": rnn[0], "last": rnn[-1], "chance": CHANCE}
    words = say(s.PERIODS, low=min(attention), high=max(attention), **told)
    if bet is not None:
        _draw_bet(axes, far, bet, rnn[-1])
        words += " " + say(s.YOUR_BET_IS, bet=bet, far=far)
    axes.set_title(say(s.FORGETS), loc="left")
    show_figure(figure, words, colours=64, exact=False)


def show_forward_pass() -> None:
    """Show the code of one run through the model, folded."""
    code = "\n".join(dedent(getsource(one)) for one in (Copying.vectors, Copying.states))
    show(code, html=folded(say(s.OPEN_FOR_THE_CODE), code_block(code)))


def _draw_looks_of_those_before(axes, text: str, looks) -> None:
    """Pale arcs of the letters before the last that stood together before, as it did."""
    last = len(text) - 1
    for place in range(last + 1 - again(text), last):
        peak = max(0.3, 1.32 - 0.32 * (last - place))
        draw_arc(axes, place, int(looks[place].argmax()), colour=PALE, peak=peak)


def _draw_look(axes, place: int, at: int, *, dark: bool) -> None:
    """A pale arc, or a dark one in front."""
    options = {"zorder": 2} if dark else {"colour": PALE, "width": 1.8}
    draw_arc(axes, place, at, **options)


def _draw_said(axes, place: int, letter: str, colour: str = VALUE) -> None:
    """The letter with which the model goes on, in a dashed box."""
    corner = (place - SIDE / 2, -SIDE / 2)
    box = Rectangle(corner, SIDE, SIDE, fill=False, edgecolor=colour, linestyle="--", linewidth=2)
    axes.add_patch(box)
    look = {"ha": "center", "va": "center", "fontsize": TEXT + 1, "fontweight": "bold"}
    axes.text(place, -0.03, visible(letter), color=colour, **look)


def _draw_bet(axes, period: int, bet: float, share: float) -> None:
    """A cross, and its name beside it where no line runs."""
    axes.plot([period], [bet], "x", color=YOURS, markersize=12, markeredgewidth=3, zorder=4,
              clip_on=False)  # fmt: skip
    named = {"color": YOURS, "fontweight": "bold", "fontsize": TEXT}
    near = -13 < bet - share < 9
    height = share - 10 if near else min(max(bet, 10), 88)
    height = max(height, share + 13) if bet > share and not near else height
    axes.text(period - 0.5, height, say(s.YOUR_BET), ha="right", va="center", **named)


def _draw_notes(axes, text: str, places: tuple[int, ...], lower: int, *, struck: bool) -> None:
    """What the last letter asks, and the notes of these places, as far as no words meet.

    lower: how many lines the question stands below the notes.
    struck: the second notes are struck through, as nobody has left them.
    """
    last = len(text) - 1
    asked = notes_at(text + " ", last + 1, s.BEFORE_YOU, s.TWO_BEFORE_YOU)
    draw_lines_below(axes, last + 0.4, [(line, QUERY) for line in [""] * lower + asked])
    for number, place in enumerate(places):
        if number and min(abs(place - places[0]), last - place) < LEAST_APART * len(text):
            continue
        notes = notes_at(text, place)
        colours = (KEY, "#666666" if struck else KEY)
        draw_lines_below(axes, place, list(zip(notes, colours, strict=False)))
        if struck and len(notes) > 1:
            words = axes.texts[-1]
            half = 0.45 * WIDTH_OF_SIGN * len(notes[1]) * (len(text) + 1.9)
            x, y = words.get_position()
            axes.plot([x - half, x + half], [y, y], color="#666666", linewidth=2)
