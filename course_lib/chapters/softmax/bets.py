"""The bets of chapter 4."""

import numpy as np

from course_lib.betting.bet import Bet, Choice, Number

FAR_OUT = Bet(
    "far_out",
    question="Scores 1, 2, 3 give the weights .090, .245, .665. Now add 100,000,000 to each "
    "score, in float32, and take your softmax again. What weight does the largest score get?",
    answer=Number(0, 1, near=0.05, format="{:.3f}"),
    why="Around 100 million the numbers of float32 stand 8 apart, so all three scores are rounded "
    "to the same one.",
    model_answer="On paper the constant cancels. In float32 the differences of 1 are lost before "
    "softmax sees them, in the addition, and equal scores get equal weights: a third each. (A "
    "little earlier, between 17 and 67 million, it depends on the constant: rounding stretches the "
    "differences, ties two scores, or makes all three equal.) float64, whose numbers stand much "
    "closer, still gives .665.",
    depth=True,
)

EIGHT_TIMES = Bet(
    "eight_times",
    question='"cat" scores .8 with "sleeps" and .1 with "in", and there are no other keys. What '
    'share of its attention does "in" get?',
    answer=Number(0, 1, near=0.05, format="{:.2f}"),
    why="Softmax looks at the difference, .7, and e^.7 is 2: two parts to one.",
    model_answer="One score is eight times the other, so a ninth is a tempting answer. But softmax "
    "never looks at the ratio of two scores. Move both up by 10, to 10.8 and 10.1, and 'in' still "
    "gets a third.",
)


def _of_the_absent(whose: str, chance: float) -> int:
    """The option for an answer: whose number it is, and how sure the model is of it."""
    if whose == "a stranger's":
        return 0 if chance < 0.05 else 2 if chance < 0.25 else 4 if chance < 0.75 else 5
    return {"nothing": 0, "hers": 1, "nobody's": 3}[whose]


ABSENT = Bet(
    "absent",
    question="Now another pair takes the place of Kim's, and no key fits: the best key gets .52 of "
    "the attention, and the next .16. Which number gets the highest chance now?",
    answer=Choice(
        (
            "none stands out: each of the 64 gets about .02",
            "Kim's old number",
            "a stranger's number, at .05 to .25",
            "a number that nobody in the text has",
            "a stranger's number, at .25 to .75",
            "a stranger's number, at more than .75",
        ),  # in this order: a bet on one of the first four, which once were all, keeps its meaning
        which=lambda named: _of_the_absent(*named),
    ),
    why="No key fits her name, and softmax spends its 1 all the same. Half of it goes to Mia's "
    "key, and her number gets .61.",
    model_answer="If all keys misfitted equally, each would get a sixteenth, and no number would "
    "stand out. One misfits least, and a small lead is enough. None of the 64 answers means "
    "'nobody', so the model names a stranger's number, less surely than Kim's.",
)

CROWD = Bet(
    "crowd",
    question="One key scores 5 more than each of the others. Against a single rival its weight is "
    ".993. Now there are 1000 keys in all. What weight does it have?",
    answer=Number(0, 1, near=0.06, format="{:.3f}"),
    why="Its exponential is 148 times that of any other, and there are 999 others.",
    model_answer="The weight is e^5 / (e^5 + 999), 148 parts of 1147. The lead did not change; the "
    "crowd grew. Each key takes little, and all of them together take most of it.",
    depth=True,
)

TEN_TIMES = Bet(
    "ten_times",
    question="Scores 1, 2, 3 give the weights .090, .245, .665. Divide each score by .1, and they "
    "are 10, 20, 30. What weight does the largest get?",
    answer=Choice(
        ("still .665: all grew alike", "about .8", "nearly 1"),
        which=lambda weight: 0 if weight < 0.7 else 1 if weight < 0.95 else 2,
    ),
    why="A lead of 1 has become a lead of 10, and e^10 is 22,026.",
    model_answer="10, 20, 30 stand in the same ratio as 1, 2, 3, and shares by a ratio would stay. "
    "But softmax looks at the leads, and they are ten times as long.",
    depth=True,
)

TIE = Bet(
    "tie",
    question="Two keys share the lead: scores 8, 8 and -20. Now multiply all of them by 100. What "
    "weight does the first key get?",
    answer=Choice(
        ("nearly 1", "one half", "one third"),
        which=lambda weight: int(np.argmin(np.abs(np.array([1, 1 / 2, 1 / 3]) - weight))),
    ),
    why="Multiplying stretches differences, and the difference between equal scores is 0.",
    model_answer="Large differences make attention one-sided, not large scores. A tie stays a tie "
    "at any scale.",
    depth=True,
)

CAPPED = Bet(
    "capped",
    question="Two scores, 60 and 100: a lead of 40. A softcap of 50 replaces each score x by "
    "50 tanh(x / 50), so that none leaves -50 to 50. What lead is left?",
    answer=Number(0, 40, near=2, format="{:.1f}"),
    why="tanh bends and does not cut: 60 becomes 41.7, and 100 becomes 48.2.",
    model_answer="Both scores lie above the cap, and still they are told apart: the order stays. "
    "The lead shrinks to 6.5, which is still a factor of 680 between the two weights. Cut off at "
    "50, they would be equal, and the gradient would be 0.",
    depth=True,
)

DIAGONAL = Bet(
    "diagonal",
    question="20,000 heads that nobody trained: 16 words each, and queries and keys are drawn at "
    "random, independent of each other. In what share of the rows does a word give its largest "
    "weight to itself?",
    answer=Number(0, 100, unit="percent", near=3, format="{:.0f}"),
    why="Without a reason to prefer itself, a word wins one of sixteen times, by chance.",
    model_answer="One sixteenth is 6.25 percent. A bright diagonal is natural where queries and "
    "keys are the same vectors of equal length. With separate queries and keys a model has to "
    "learn it, and many heads learn something else.",
    depth=True,
)

HUNDREDFOLD = Bet(
    "hundredfold",
    question="You estimate an output of attention from 100 draws, and then from 10,000. How does "
    "the typical error change?",
    answer=Choice(
        ("it stays about the same", "it falls to about a tenth", "it falls to about a hundredth"),
        which=lambda ratio: 0 if ratio < 3 else 1 if ratio < 30 else 2,
    ),
    why="The error of an average falls with the square root of the number of draws.",
    model_answer="A hundred times the work buys one more digit. That is why attention computes the "
    "average exactly, with one matrix product, and does not draw.",
    depth=True,
)

DEAF = Bet(
    "deaf",
    question="Two keys. At a tie, raising one score by a little moves its weight by .25 times as "
    "much. Now this key leads by 10. By how many times as much does its weight move?",
    answer=Choice(
        ("about .25, as before", "about .025", "less than .001"),
        which=lambda slope: 0 if slope > 0.08 else 1 if slope > 0.001 else 2,
    ),
    why="The slope is w (1 - w), and 1 - w is already .000045.",
    model_answer="A weight near 1 has almost nothing to gain and the other almost nothing to lose. "
    "Where softmax is this sure, training can hardly change its mind through the scores.",
    depth=True,
)

CURE = Bet(
    "cure",
    question="Scores 0 and 20: the slopes are tiny. Somebody says: subtract the largest score "
    "first, then the gradient is no longer tiny. Is it?",
    answer=Choice(
        ("yes, the slopes grow", "no, they stay as they are"),
        which=lambda ratio: 1 if abs(ratio - 1) < 1e-6 else 0,
    ),
    why="The weights are the same, and the slopes are made of the weights alone.",
    model_answer="Subtracting the maximum cures overflow, the NaN. Saturation is another illness: "
    "the differences are too large, and only smaller differences cure it, such as a division by "
    "the square root of d_k.",
    depth=True,
)

BETS = (
    EIGHT_TIMES, ABSENT, FAR_OUT, CROWD, CAPPED, TEN_TIMES, TIE, DIAGONAL, HUNDREDFOLD, DEAF, CURE,
)  # fmt: skip
