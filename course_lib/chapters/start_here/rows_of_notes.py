"""Both notes of every letter of a text, row by row under the letters: any text can be asked for.

show_two_back(model, "hat cap ha")         # a second note, from the head of the exercise `by_two`
show_places_found(model, "hat cap ha")     # where head 5 looks with that note, and without
"""

import numpy as np
from matplotlib.patches import FancyBboxPatch, Rectangle

from course_lib.chapters.start_here import sentences as s
from course_lib.chapters.start_here.endings import can_go_on, fitting_letters, quoted
from course_lib.chapters.start_here.notes import (
    fitting,
    letters_at,
    letters_before,
    notes_at,
    tied,
    title_of_run,
    why_two_notes_fail,
)
from course_lib.figures.letters import SIDE, draw_arc, draw_letters, visible
from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, KEY, QUERY, SMALL, TEXT, VALUE, new_figure
from course_lib.models.copying_numpy import Copying, without
from course_lib.models.copying_text import decode, fitted
from course_lib.words import say

PALE, GREY = "#b9bfc9", "#666666"  # arcs that are not the point; notes that are not
MOST = 24  # letters with room for one another: of a longer text, the end is read and shown
ROOMY = 16  # letters, each large enough for a bold m of the usual size
FEW = 9  # letters: boxes grow no wider than among so many
FIRST_ROW, ROW = 0.84, 0.66  # below the middle of the letters: the first notes, and the next
NAMED = 1.86  # inches on the left for the names of the rows


def show_two_back(model: Copying, text: str) -> None:
    """Show where head 3 looks, and the two notes that every letter carries then."""
    text, cut = _read(text)
    maps, last = model.maps(text), len(text) - 1
    found = int(maps[1, 0, -1].argmax())
    figure = new_figure(7.0, 2.45)
    axes = figure.subplots()
    noted = tuple(place for place in fitting(text) if place != last)
    draw_letters(axes, text, asks=(last,), noted=noted, sky=1.05)
    for place in range(2, len(text)):
        draw_look(axes, place, int(maps[0, 2, place].argmax()), dark=place in noted)
    figure.headline(say(s.LEAVES_A_SECOND_NOTE))
    for row, name in enumerate((s.ROW_OF_HEAD_2, s.ROW_OF_HEAD_3)):
        _name_row(axes, row, say(name), KEY)
        for place in range(len(text)):
            bold = place in noted or (place == last and row == 0)
            write_note(axes, text, place, row, colour=KEY if bold else GREY, bold=bold)
    _make_room(axes, len(text), rows=2, cut=cut)
    words = [say(s.TWO_BACK, text=text)]
    for place in noted or (found,):
        told = {"found": visible(text[place]), "notes": ", ".join(notes_at(text, place))}
        words.append(say(s.CARRIES, **told))
    if own := notes_at(text, last)[:1]:
        words.append(say(s.ITS_OWN_NOTE, last=visible(text[last]), note=own[0]))
    words += [say(s.END_READ, n=MOST)] * cut
    show_figure(figure, " ".join(words), colours=64)


def show_places_found(model: Copying, text: str) -> None:
    """Show where head 5 looks from the last letter, with head 3 and without it.

    Where two notes do not decide, a printed line says so.
    """
    text, cut = _read(text)
    last = len(text) - 1
    looks = [model.maps(text, loudness)[1, :, last] for loudness in (without(), without(3))]
    ends = [int(one[0].argmax()) for one in looks]
    said = [model.continued(text, 1, loudness) for loudness in (without(), without(3))]
    figure = new_figure(7.0, 5.1)
    figure.headline(_who_decides(text, said))
    both = figure.subplots(2, 1)
    for axes, many in zip(both, (2, 1), strict=True):
        run = 2 - many
        fits = fitting(text, many)
        draw_letters(axes, text, asks=(last,), noted=fits, sky=1.7)
        look = {} if many == 2 else {"colour": GREY, "dashes": (0, (3, 1.5))}
        draw_arc(axes, last, ends[run], peak=0.85, **look)
        _name_arc(axes, (last + ends[run]) / 2, look.get("colour", INK))
        draw_said(axes, text, said[run])
        others = sum(text[int(one.argmax())] == said[run] for one in looks[run][1:])
        outvoted = many == 1 and said[1] == said[0] and others > 1
        told = {"still": said[1] == said[0], "fits": ends[run] in fits, "outvoted": outvoted}
        told["missed"] = letters_at(text, fits) if fits and ends[run] not in fits else ""
        title = title_of_run(text[ends[run]], said[run], with_head_3=many == 2, **told)
        axes.set_title(title, loc="left", fontsize=TEXT, fontweight="normal")
        _draw_answers(axes, text, many)
        _make_room(axes, len(text), rows=3, cut=cut)
    words = [_places_in_words(text, ends, said)] + [say(s.END_READ, n=MOST)] * cut
    words += [say(s.OWN_NOTE, own=one) for one in letters_before(text, last)[:1]]
    show_figure(figure, " ".join(words), colours=64)
    _tell_of_notes(text, ends, said)
    _tell_of_arcs(text, looks, said)


def _tell_of_notes(text: str, ends: list[int], said: list[str]) -> None:
    """Print where two notes do not decide, and where head 3 makes no difference or a bad one.

    ends, said: where head 5 looks most and what the model says, with head 3 and without it.
    """
    if both := tied(text):
        told = {"two": text[-2:], "letters": quoted(both, say(s.AND))}
        print(why_two_notes_fail(text) or say(s.EACH_FITS, **told))
    elif why := why_two_notes_fail(text):
        print(why)
    elif said[0] == said[1]:
        missed = fitting(text, 2) and ends[0] not in fitting(text, 2)
        print(say(s.ERRS_WITH_IT if missed else s.SAME_WITHOUT))
    if can_go_on(text) and [one in fitting_letters(text)[1] for one in said] == [False, True]:
        print(say(s.RIGHT_WITHOUT_ALONE))


def _tell_of_arcs(text: str, looks: list[np.ndarray], said: list[str]) -> None:
    """Print why an arc may end at another letter than is said, and why the last letter answers.

    looks: from the last letter, with head 3 and without it. Shapes: (h, t) each
    """
    found = [[visible(text[int(one.argmax())]) for one in heads] for heads in looks]
    told = zip(found, said, (s.LOOK_ABOVE, s.LOOK_BELOW), strict=True)
    lines = [
        say(template, **dict(zip(("six", "seven", "eight"), others, strict=True)))
        for (head_5, *others), one, template in told
        if head_5 != visible(one)
    ]
    if lines:
        print(say(s.OTHERS_ASK), *lines)
    if len(text) - 1 in fitting(text):
        print(say(s.ASKS_ITSELF, last=visible(text[-1])))


def _who_decides(text: str, said: list[str]) -> str:
    """Whether head 3 makes the difference; at a tie, that two notes do not.

    said: what the model says with head 3, and without it.
    """
    if both := tied(text):
        *others, last = map(visible, both)
        letters = f"{', '.join(others)} {say(s.AND)} {last}"
        return say(s.BOTH_NOTES, letters=letters)
    template = s.DECIDES if said[0] != said[1] else s.DOES_NOT_DECIDE
    return say(template, said=visible(said[0]), then=visible(said[1]))


def _places_in_words(text: str, ends: list[int], said: list[str]) -> str:
    """What the last letter asks, who answers, where head 5 looks and what the model says."""
    found, other = ends
    told = {"found": visible(text[found]), "other": visible(text[other])}
    told |= {"said": visible(said[0]), "then": visible(said[1])}
    told |= {"both": letters_at(text, fitting(text, 2)), "one": letters_at(text, fitting(text))}
    told["asked"] = " ".join(_questions(text))
    wrong = [one for one in dict.fromkeys(said) if is_right(text, one) is False]
    marked = [say(s.IS_WRONG, said=visible(one)) for one in wrong]
    return " ".join([say(s.PLACES_FOUND, text=text, **told), *marked])


def draw_look(axes, place: int, at: int, *, dark: bool) -> None:
    """A pale arc, or a dark one in front."""
    look = {"zorder": 2} if dark else {"colour": PALE, "width": 1.8}
    peak = None if place - at <= 2 else 0.5  # a long one stays within the picture
    draw_arc(axes, place, at, peak=peak, **look)


def is_right(text: str, letter: str) -> bool | None:
    """Whether this letter comes next; None where nobody can be sure, and it is none that fits."""
    if not can_go_on(text):
        return None
    ending, letters = fitting_letters(text)
    return letter in letters or (None if len(ending.strip()) < 2 else False)


def draw_said(axes, text: str, letter: str) -> None:
    """The letter with which the model goes on, in a dashed box: green, dark, or dark with a ✗."""
    place, right = len(text), is_right(text, letter)
    colour = VALUE if right else INK
    corner = (place - SIDE / 2, -SIDE / 2)
    box = Rectangle(corner, SIDE, SIDE, fill=False, edgecolor=colour, linestyle="--", linewidth=2)
    axes.add_patch(box)
    look = {"ha": "center", "va": "center", "fontsize": TEXT + 1, "fontweight": "bold"}
    axes.text(place, -0.03, visible(letter), color=colour, **look)
    if right is False:
        axes.text(place, -FIRST_ROW, "✗", color=INK, **look)


def _read(text: str) -> tuple[str, bool]:
    """The end of a text, as far as its letters have room, and whether that leaves any out."""
    known = decode(fitted(text, 1))
    return known[-MOST:], len(known) > MOST


def _questions(text: str) -> list[str]:
    """What the last letter asks all places: who stands before them, and two before them."""
    return notes_at(text + " ", len(text), s.BEFORE_YOU, s.TWO_BEFORE_YOU)


def _draw_answers(axes, text: str, many: int) -> None:
    """A row for each question with everybody's note, filled where it answers; then how many do.

    many: with 1, the second notes are missing, as nobody has left them.
    """
    count = [0] * len(text)
    for row, question in enumerate(_questions(text)):
        _name_row(axes, row, question, QUERY if row < many else GREY)
        if row >= many:
            axes.text(-SIDE / 2, _height(row), say(s.NO_SECOND_NOTES), color=GREY, va="center",
                      fontsize=SMALL)  # fmt: skip
            continue
        wanted = text[-1 - row]
        for place in range(len(text)):
            answers = place > row and text[place - 1 - row] == wanted
            count[place] += answers
            if answers:
                axes.add_patch(box_of_note(place, row, facecolor=KEY, edgecolor=KEY))
            write_note(axes, text, place, row, colour="white" if answers else GREY, bold=answers)
    _name_row(axes, 2, say(s.ANSWERS_OF_TWO), KEY)
    look = {"ha": "center", "va": "center", "fontsize": TEXT, "color": KEY, "fontweight": "bold"}
    for place, answers in enumerate(count):
        axes.text(place, _height(2) - 0.02, str(answers) if answers else "", **look)
    if many == 2 and len(text) > 1:  # the last letter's own note, of which it makes a question
        look = {"fill": False, "edgecolor": QUERY, "linewidth": 1.8}
        axes.add_patch(box_of_note(len(text) - 1, 0, **look))


def _name_arc(axes, middle: float, colour: str) -> None:
    """Whose look an arc is, above it."""
    axes.text(middle, SIDE / 2 + 1.08, say(s.HEAD_5), color=colour, fontsize=SMALL, ha="center",
              va="center")  # fmt: skip


def box_of_note(place: int, row: int, **look) -> FancyBboxPatch:
    """A box round a note."""
    corner = (place - 0.36, _height(row) - 0.25)
    return FancyBboxPatch(corner, 0.72, 0.5, boxstyle="round,pad=0,rounding_size=0.1", **look)


def write_note(axes, text: str, place: int, row: int, *, colour: str, bold: bool) -> None:
    """One note: a letter, or a stroke where nobody stands before."""
    before = letters_before(text, place)
    note = before[row] if row < len(before) else "-"
    axes.text(place, _height(row) - 0.02, note, ha="center", va="center", color=colour,
              fontsize=SMALL + bold, fontweight="bold" if bold else "normal")  # fmt: skip


def _height(row: int) -> float:
    """How low a row of notes stands."""
    return -FIRST_ROW - ROW * row


def _name_row(axes, row: int, name: str, colour: str) -> None:
    """What a row says, on its left."""
    axes.text(-0.75, _height(row), name, ha="right", va="center", color=colour, fontsize=SMALL,
              fontweight="bold" if colour == QUERY else "normal")  # fmt: skip


def _make_room(axes, letters: int, rows: int, *, cut: bool) -> None:
    """Names on the left, as wide as they are in inches; a box for what is said on the right.

    cut: the text has more letters on the left, and a name tells so.
    """
    if cut:
        axes.text(-0.75, 0, say(s.END_ONLY, n=MOST), ha="right", va="center", color=INK,
                  fontsize=SMALL)  # fmt: skip
    inches = axes.figure.get_size_inches()[0] - 0.2
    few = max(letters, FEW)
    unit = (inches - NAMED) / (few + 1.5)
    axes.set_xlim(-0.75 - NAMED / unit, few + 0.75)
    axes.set_ylim(bottom=_height(rows - 1) - 0.4)
    if letters > ROOMY:  # wide letters in narrow boxes
        for one in axes.texts:
            if len(one.get_text()) == 1:
                one.set_fontsize(SMALL)
