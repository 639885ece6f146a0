"""What a small model does when asked for a name that is not there, without a sink and with one."""

from collections.abc import Callable

import numpy as np

from course_lib.chapters.softmax.absent_model import ASKED, asked_twice, in_other_texts
from course_lib.chapters.softmax.hues import FITS, strangers
from course_lib.chapters.softmax.two_questions import (
    BOTH,
    LETTER,
    ONE,
    chance_in_words,
    draw_chances,
    one_strip,
    say_question,
    two_strips,
)
from course_lib.figures.hatched import draw_hatched
from course_lib.figures.numerals import share, signed
from course_lib.figures.shares import Strip
from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, SMALL
from course_lib.kernels.bounded import softmax_with_sink
from course_lib.kernels.softmax import softmax as shared_out
from course_lib.models.recall import hand_over
from course_lib.words import say

SHOWN = 3  # keys, the largest weights first
TINY, NARROW = 0.005, 0.16  # what is not spent is drawn from here on; a piece has a name
BELOW = 0.06  # by which a name stands lower where a line lies between it and the strip
HARDLY = 0.5  # of the 1: a model that hands over less says nothing


def answer_for_the_absent() -> tuple[str, float]:
    """What the model names when Kim is gone, and with what chance.

    returns: "nothing", "hers", "a stranger's" or "nobody's"; a number from 0 to 1
    """
    data = asked_twice()
    chance = float(_chances(1, data["weights"][1]).max())
    if data["weights"][1].sum() < HARDLY:
        return "nothing", chance
    said, hers = data["answers"][1], data["contents"][0, data["place"]]
    if said in data["contents"][1]:
        return "a stranger's", chance
    return "hers" if said == hers else "nobody's", chance


def ask_for_kim(*, there: bool) -> None:
    """Ask for Kim: where the model looks, what it mixes, and what it says.

    there: whether her pair is in the text, or another in its place.
    """
    figure, axes = one_strip(named=there)
    question = _asked(0 if there else 1, None, softmax_with_sink)
    _draw_question(axes, 0.0, question, None)
    title = (say("Kim is there, and her key gets nearly all of the 1") if there
             else say("Kim is gone, and the 16 keys still share a 1"))  # fmt: skip
    figure.headline(title)
    show_figure(figure, " ".join([say(ONE), _in_words(question, None)]), colours=8)
    if not there:
        told_of_others = (
            "In {texts} other texts without the name: a stranger's number in {strangers}."
        )
        print(say(told_of_others, **in_other_texts()))


def ask_for_a_missing_name(
    sink: float,
    softmax: Callable[[np.ndarray, float], np.ndarray] = softmax_with_sink,
) -> None:
    """Ask for Kim beside a sink, where she is there and where she is not.

    sink: a number that competes with the scores.
    softmax: of one row (n,) of scores and the sink -> (n,)
    """
    upper = 2.85
    figure, axes = two_strips(upper)
    told = []
    for row, low in enumerate((upper, 0.0)):
        question = _asked(row, sink, softmax)
        _draw_question(axes, low, question, sink)
        told.append(_in_words(question, sink))
    figure.headline(say("The same two questions, beside a sink of {sink:g}", sink=sink))
    show_figure(figure, " ".join([say(BOTH), *told]), colours=6)


def count_sure_answers() -> None:
    """Print how many answers a limit of .95 would let pass, with the name and without it."""
    counts = in_other_texts()
    told = say(
        "with the name:    {firm} of {right} right numbers\n"
        "without the name: {passed} of {strangers} strangers' numbers (half are above {middle})",
        **counts | {"middle": share(counts["middle"])},
    )
    print(told)


def _asked(row: int, sink: float | None, softmax: Callable) -> dict:
    """One of the two questions: who gets how much, the largest first, and what is said.

    Shapes: people, scores, weights (n,)
    """
    data = asked_twice()
    weights = data["weights"][row]
    order = np.argsort(-weights)
    if sink is not None:
        weights = np.asarray(softmax(data["scores"][row], sink), dtype=float)
    chances = _chances(row, weights)
    people = data["people"][row]
    numbers = [_whose(one, people, data["contents"][row]) for one in range(len(chances))]
    when = say("{name} is gone", name=ASKED) if row else say("{name} is there", name=ASKED)
    return {
        "when": when,
        "people": [people[j] for j in order],
        "scores": data["scores"][row][order],
        "weights": weights[order],
        "numbers": numbers,
        "chances": chances,
        "said": numbers[chances.argmax()],
        "chance": chance_in_words(chances.max()),
    }


def _whose(number: int, people: list[str], contents: np.ndarray) -> str:
    """A number, and who has it in a text."""
    owners = [name for name, one in zip(people, contents, strict=True) if one == number]
    if owners:
        return say("{number}, {name}'s", number=number, name=owners[0])
    return say("{number}, nobody's", number=number)


def _draw_question(axes, low: float, question: dict, sink: float | None) -> None:
    """A strip with a piece for each key, what no key got, and the answer beside it."""
    weights, spent = question["weights"], float(question["weights"].sum())
    names = [
        name if place < SHOWN and weight > NARROW else ""
        for place, (name, weight) in enumerate(zip(question["people"], weights, strict=True))
    ]
    named = sum(map(bool, names))
    if spent < 1 - TINY:
        draw_hatched(axes, rows=1, columns=1 - spent, left=spent, top=low).set_hatch("//")
        _say_spent(axes, low, spent, float(weights[named:].sum()))
    elif weights[named:].sum() > TINY:
        _say_rest(axes, low - BELOW, weights, named)
    shades = strangers(len(names))
    if ASKED in question["people"]:
        place = question["people"].index(ASKED)
        shades = [*strangers(place), FITS, *strangers(len(names) - place - 1)]
    few = 0.0 if sink is None else 2.0  # beside a sink: a third digit, so that all add up to 1
    strip = Strip(axes, names, weights, colours=shades, bottom=low, ghost=False, few=few,
                  letter=LETTER)  # fmt: skip
    if sink is None:  # there the rest has a line, and its name stands clear of it
        for label in strip.labels:
            label.set_y(label.get_position()[1] - BELOW * (label.get_position()[1] < low))
    there = ASKED in question["people"]  # then the two largest leads do without a ratio
    above = ("" if there else _leads(question)) if sink is None else _scored(question)
    axes.text(1.0, low + 1.08, above, va="bottom", ha="right", fontsize=SMALL)
    first = {"name": question["people"][0], "share": share(weights[0])}
    held = say("{share}\n{name}'s", **first) if sink is None else ""
    when = "" if sink is None else question["when"]  # the headline tells it where there is one
    say_question(axes, low, when, held=held)
    count = 1 if there or sink is not None else 2
    draw_chances(axes, low, question["numbers"], question["chances"], count=count)
    if sink is None:
        lead = _lead_of_the_answer(question, ratio=not there)
        axes.text(1.815, low + 1.08, lead, va="bottom", ha="right", fontsize=SMALL)


def _say_rest(axes, low: float, weights: np.ndarray, named: int) -> None:
    """Below a strip, with a line as long as they are, what its pieces without a name get.

    weights: the largest first.   named: how many have a name.
    """
    start, rest = float(weights[:named].sum()), float(weights[named:].sum())
    axes.plot([start + 0.004, 0.998], [low + BELOW - 0.06] * 2, color=INK, linewidth=1)
    told = say("{more} others {rest}", more=len(weights) - named, rest=share(rest))
    look = {"fontsize": SMALL, "color": INK, "va": "top"}
    axes.text(start + 0.035, low - 0.12, told, **look)  # clear of a name below the piece before


def _say_spent(axes, low: float, spent: float, others: float) -> None:
    """What is spent on nothing, and what the keys get that are not named: on the strip or below."""
    nothing, keys = say("spent on nothing {rest}", rest=share(1 - spent, 3)), share(spent, 3)
    if spent < HARDLY:
        ground = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
        axes.text((1 + spent) / 2, low + 0.5, nothing, fontsize=SMALL, va="center", ha="center",
                  zorder=4, bbox=ground)  # fmt: skip
        together = say("all keys together {keys}", keys=keys)
        axes.text(0, low - 0.12, together, fontsize=SMALL, va="top")
    else:
        rest = say("the others {others}, {nothing}", others=share(others, 3), nothing=nothing)
        axes.text(1, low - 0.12, rest, fontsize=SMALL, va="top", ha="right")


def _scored(question: dict) -> str:
    """The best score, and whose it is."""
    name, score = question["people"][0], signed(question["scores"][0])
    return say("best score: {name} {score}", name=name, score=score)


def _leads(question: dict) -> str:
    """By how much the best score leads the next, and the ratio that softmax makes of it."""
    lead = float(question["scores"][0] - question["scores"][1])
    return say("① {name}'s lead {lead}: {times} to 1", name=question["people"][0],
               lead=signed(lead, 2), times=_times(lead))  # fmt: skip


def _lead_of_the_answer(question: dict, *, ratio: bool) -> str:
    """By how much the likeliest number leads the next before the second softmax, and whose it is.

    ratio: tell, too, what softmax makes of it.
    """
    second, first = np.argsort(question["chances"])[-2:]
    lead = np.log(question["chances"][first] / question["chances"][second])
    if not ratio:
        return say("lead over the next: {lead}", lead=signed(lead, 2))
    _, whose = question["numbers"][second].split(", ")
    return say("③ lead over {whose}: {lead}, so {times} to 1", whose=whose, lead=signed(lead, 2),
               times=_times(lead))  # fmt: skip


def _times(lead: float) -> str:
    """What softmax makes of a lead as it is written, in two digits: 3.2, 30, 3,900."""
    return f"{float(f'{np.exp(round(lead, 2)):.2g}'):,g}"


def _in_words(question: dict, sink: float | None) -> str:
    there = ASKED in question["people"]
    looks = ", ".join(
        f"{name} {share(weight)}"
        for name, weight in zip(question["people"][:SHOWN], question["weights"], strict=False)
    )
    lead = say(", {lead}", lead=_lead_of_the_answer(question, ratio=not there))
    told = say(
        "{when}: {looks}; {above}the model says {said}, with a chance of {chance}{lead}.",
        looks=looks,
        lead=lead if sink is None else "",
        above="" if sink is not None or there else say("{leads}; ", leads=_leads(question)),
        **question,
    )
    if sink is None:
        return told
    rest = share(1 - question["weights"].sum())
    return say("{told} {scored}; {rest} is spent on nothing.",
               told=told, scored=_scored(question), rest=rest)  # fmt: skip


def _chances(row: int, weights: np.ndarray) -> np.ndarray:
    """The chance of each content (z,), for the weights (n,) of one of the two questions."""
    data = asked_twice()
    both = data["weights"].copy()
    both[row] = weights
    return shared_out(hand_over(data["model"], data["asked"], both)["logits"][row])
