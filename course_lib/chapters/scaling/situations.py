"""What chapter 3 measures: who learns late and is stuck, what harms, what is left of three scores.

train_both((16, 64, 256))         # how models learn at each width, divided and not
once_trained(256)["divided"]      # where these models look in the end
print_proposals(scores_at)        # what three divisors leave of strangers' scores
print_proposals(scores_at, scale) # what the learner's own division leaves of them
try_divisors(choose_divisors)     # prints what is left of each, at two widths
looks_of_both(64)["divided", 50]  # how far the right key is ahead, in each question
print_when_right(64)              # from which step on nine in ten answers are right
try_without_pushes(64)            # the same leads as medians, and with no push of a right key
try_in_copying({"mine": lines})   # what chapter 0's model copies right with them
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from course_lib.kernels.softmax import softmax
from course_lib.learner.bound import bound_of
from course_lib.models.copying_numpy import load_copying, share_right
from course_lib.models.recall import answer, fresh_parameters, random_questions, train, trained
from course_lib.progress_bar import with_progress
from course_lib.words import say

PAIRS, SEED = 4000, 3
WIDTHS = (16, 256)
FAR, STARTS, QUESTIONS = 4.6, 3, 1000
TRAINED = 150  # steps
WINDOW, LONGER, NEARLY_ALL = 10, 220, 0.9  # steps, steps of training; a share of answers
SURE, SATURATED = 0.9, 0.99  # weights
PROPOSED, LARGER = (16, 256), 3  # widths; a factor
PROPOSALS: dict[str, Callable] = {
    "the width": lambda scores, d: d,
    "8, at every width": lambda scores, d: 8,
    "their own spread": lambda scores, d: scores.std(),
}
STEPS = (0, 50)  # of training, before the questions are asked
TEXT, AGAIN, TEXTS = "giraffe po", "gir", 20
LEFT = "{name:10} {what} {narrow:.1f} at width {d:2}, {wide:.1f} at width {more}"
LEFT_BY = LEFT + ": divided by {by:.2f} and {by_more:.2f}"


def situations(d: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """The scores of PAIRS pairs of width d, for each of the three.

    d: even
    Shapes: each of them (PAIRS,)
    """
    q, k = rng.normal(size=(2, PAIRS, d))
    emptied = k * (np.arange(d) % 2)
    return {
        "loud": (3 * q * 3 * k).sum(axis=1),
        "half_empty": (q * emptied).sum(axis=1),
        "twins": (q * q).sum(axis=1),
    }


def try_divisors(choose_divisors: Callable) -> None:
    """Print, for each of the three, what should be 1 after its scores were divided, at two widths.

    For twins that is the mean of the scores, for the others their spread. The course's own
    divisors stay unsaid, so that they do not give the exercise away.

    choose_divisors: from a width to three divisors, in the order of `situations`
    """
    bound = bound_of(choose_divisors)
    template = LEFT_BY if bound is None or bound.judged_right else LEFT
    narrow, wide = (situations(d, np.random.default_rng(SEED)) for d in WIDTHS)
    divisors = zip(*(choose_divisors(d) for d in WIDTHS), strict=True)
    for name, (by, by_more) in zip(narrow, divisors, strict=True):
        what, measure = ("mean  ", np.mean) if name == "twins" else ("spread", np.std)
        left = (float(measure(narrow[name] / by)), float(measure(wide[name] / by_more)))
        print(
            say(
                template, name=name, what=say(what), d=WIDTHS[0], more=WIDTHS[1],
                narrow=left[0], wide=left[1], by=float(by), by_more=float(by_more),
            )
        )  # fmt: skip


@dataclass(frozen=True)
class Looks:
    """What models look at: each right key's lead over the best wrong one, and shares of questions.

    leads: (n,)   behind: by FAR or more   ahead: before all others
    sharp: with a top weight over SATURATED
    wrong: the scores of the wrong keys before training, and at the end: (2, n, keys less one)
    """

    leads: np.ndarray
    wrong: np.ndarray
    behind: float
    ahead: float
    sharp: float


@dataclass(frozen=True)
class Found:
    """Where trained models look: in one question, and in how many a wrong key gets over SURE.

    weights: (n,), those of the question's keys   right: which of them is the right one
    misled: a share of all questions
    """

    weights: np.ndarray
    right: int
    misled: float


def print_proposals(scores_at: Callable[[int], np.ndarray], scale: Callable | None = None) -> None:
    """Print how far scores spread once they are divided by each of three proposed divisors.

    At PROPOSED widths, and at the last of them once more for scores that a model made LARGER.
    The first row says what the chapter's two demands ask for there, taken together.

    scores_at: from a width to the scores of all queries (n, s), as `strangers()` gives it
    scale: divides scores, by their width; then its row stands alone
    """
    tables = [(d, scores_at(d)) for d in PROPOSED]
    heads = [say("width {d_k}", d_k=d) for d in PROPOSED]
    d, scores = tables[-1]
    tables.append((d, LARGER * scores))
    heads.append(say("{heads}, scores times {times}", heads=heads[-1], times=LARGER))
    rows: dict[str, Callable] = {
        name: lambda scores, d, by=divisor: scores / by(scores, d)
        for name, divisor in PROPOSALS.items()
    }
    if scale is None:
        print(say("the spread that is left after dividing by ..."))
    else:
        rows = {"scale": scale}
    print(" " * 19 + "   ".join(heads))
    wanted = (f"{one:{len(head)}.2f}" for one, head in zip((1, 1, LARGER), heads, strict=True))
    print(f"{say('should be'):19}" + "   ".join(wanted))
    for name, divided in rows.items():
        left = [f"{np.std(divided(scores, d)):{len(head)}.2f}"
                for (d, scores), head in zip(tables, heads, strict=True)]  # fmt: skip
        print(f"{say(name):19}" + "   ".join(left))


def train_both(widths: Sequence[int]) -> dict[tuple[int, str], list[np.ndarray]]:
    """Train STARTS models of each width with the division by the root, and as many without.

    returns: from (width, "divided" or "not divided") to the models' shares of right answers, a
    curve (TRAINED,) for each start
    """
    runs: dict[tuple[int, str], list[np.ndarray]]
    runs = {(d_k, how): [] for d_k in widths for how in ("divided", "not divided")}
    label = say("training {n} models, {steps} steps each", n=STARTS * len(runs), steps=TRAINED)
    for d_k, how in with_progress(runs, label):
        for start in range(STARTS):
            runs[d_k, how].append(_learned(d_k, factors(d_k)[how], start, TRAINED)[0].copy())
    return runs


def once_trained(d_k: int) -> dict[str, Found]:
    """Where the models of `train_both` look in the end: the first in its first question, and all.

    d_k: the width   returns: from "divided" and "not divided"
    """
    found = {}
    for how, factor in factors(d_k).items():
        looks = [_learned(d_k, factor, start, TRAINED)[1] for start in range(STARTS)]
        misled = float(np.mean([one.misled for one in looks]))
        found[how] = Found(looks[0].weights, looks[0].right, misled)
    return found


@functools.cache
def _learned(d_k: int, factor: float, start: int, steps: int) -> tuple[np.ndarray, Found]:
    """The accuracies of one model while it learns, and where it looks then."""
    rng = np.random.default_rng(start)
    parameters, curve = trained(fresh_parameters(d_k, rng), factor, range(steps), rng)
    asked = random_questions(QUESTIONS, rng)
    weights = answer(parameters, asked, factor)["weights"]
    right = asked.names == asked.asked[:, None]
    misled = (np.where(right, 0, weights).max(axis=1) > SURE).mean()
    return curve, Found(weights[0], int(right[0].argmax()), float(misled))


def factors(d_k: int) -> dict[str, float]:
    """What scores of a width are multiplied with, by how they are called."""
    return {"divided": d_k**-0.5, "not divided": 1.0}


def looks_of_both(d_k: int) -> dict[tuple[str, int], Looks]:
    """What models of one width look at, divided and not, before training and after some steps."""
    return {(how, n): looks_at(d_k, one, n) for how, one in factors(d_k).items() for n in STEPS}


def print_when_right(d_k: int) -> None:
    """Train LONGER, and print from where on NEARLY_ALL of the last WINDOW steps' answers are right.

    A number for each start.   d_k: the width
    """
    for how, factor in factors(d_k).items():
        curves = [
            train(d_k, factor, range(LONGER), np.random.default_rng(n)) for n in range(STARTS)
        ]
        means = [np.convolve(c, np.full(WINDOW, 1 / WINDOW), "valid") for c in curves]
        steps = " ".join(f"{WINDOW + np.argmax(one >= NEARLY_ALL):3}" for one in means)
        print(say("width {d_k}, {how:11}: nine in ten right from step {steps}",
                  d_k=d_k, how=say(how), steps=steps))  # fmt: skip


def try_without_pushes(d_k: int) -> None:
    """Print what training does to undivided scores, and what it does with no right key pushed.

    The median leads, one for each start; and how far the scores of wrong keys spread and change.

    d_k: the width
    """
    start, end = STEPS
    looks = {
        say("step {n}", n=start): looks_at(d_k, 1, start),
        say("step {n}", n=end): (usual := looks_at(d_k, 1, end)),
        say("step {n}, no right key pushed", n=end): looks_at(d_k, 1, end, push_right=False),
    }
    for name, one in looks.items():
        medians = np.median(one.leads.reshape(STARTS, -1), axis=1)
        leads = " ".join(f"{lead:.0f}" for lead in medians)
        print(say("{name:29} middle leads {leads}", name=name, leads=leads))
    best = np.median(usual.wrong.max(axis=2), axis=1)
    before, after = usual.wrong.reshape(2, -1)
    change = after - before
    print(say("scores of wrong keys: spread {first:.0f} at step {start}, {last:.0f} at step {end}; "
              "the changes spread by {moved:.0f}", start=start, end=end, first=float(before.std()),
              last=float(after.std()), moved=float(change.std())))  # fmt: skip
    low, _, high = (f"{change[part].mean():+.1f}" for part in np.array_split(before.argsort(), 3))
    print(say("on average the lowest third changes by {low}, the highest by {high}",
              low=low, high=high))  # fmt: skip
    print(say("best wrong key: middle score {first:.0f} at step {start}, {last:.0f} at step {end}",
              first=float(best[0]), start=start, last=float(best[1]), end=end))  # fmt: skip


def looks_at(d_k: int, factor: float, steps: int, push_right: bool = True) -> Looks:
    """Ask STARTS models that begin from different random numbers QUESTIONS questions each.

    d_k: the width   factor: what the scores are multiplied with   steps: of training, before that
    push_right: whether training pushes the scores of right keys, too
    """
    each = [_looks_of(d_k, factor, steps, start, push_right) for start in range(STARTS)]
    names = ("behind", "ahead", "sharp")
    shares = (float(np.mean([getattr(one, name) for one in each])) for name in names)
    leads = np.concatenate([one.leads for one in each])
    wrong = np.concatenate([one.wrong for one in each], axis=1)
    return Looks(leads, wrong, *shares)


@functools.cache
def _looks_of(d_k: int, factor: float, steps: int, start: int, push_right: bool) -> Looks:
    rng = np.random.default_rng(start)
    fresh = fresh_parameters(d_k, rng)
    parameters, _ = trained(fresh, factor, range(steps), rng, push_right=push_right)
    asked = random_questions(QUESTIONS, rng)
    first, scores = (answer(one, asked, factor)["scores"] for one in (fresh, parameters))
    right = asked.names == asked.asked[:, None]  # each name occurs once
    leads = scores[right] - np.where(right, -np.inf, scores).max(axis=1)
    wrong = np.stack([one[~right].reshape(len(right), -1) for one in (first, scores)])
    sharp = softmax(scores).max(axis=1) > SATURATED
    return Looks(leads, wrong, *(float(one.mean()) for one in (leads <= -FAR, leads > 0, sharp)))


def try_in_copying(lines: Mapping[str, Callable]) -> dict[str, float]:
    """Let all heads of chapter 0's model run other lines; print and return how much is right.

    lines: from a name to (q (1, d), k (s, d), v (s, d)) -> (1, d). They divide themselves.
    """
    model, right = load_copying(), {}
    for name, line in lines.items():
        eight = model.with_heads(range(1, 9), line, divided=False)
        right[name] = share_right(eight, TEXTS)
        print(
            say(
                "{name:13} {text}·{again}|{more}, share right {right:.2f}", name=name, text=TEXT,
                again=AGAIN, more=eight.continued(TEXT + AGAIN, 6), right=right[name],
            )
        )  # fmt: skip
    return right
