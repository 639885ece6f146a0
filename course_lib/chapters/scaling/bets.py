"""The bets of chapter 3."""

import numpy as np

from course_lib.betting.bet import Bet, Choice, Number

WIDTH = Bet(
    "width",
    question="A random query and ten random keys, strangers all. At width 4 the top key gets .49 "
    "on average (fair would be .10). Now each vector has 1024 numbers instead of 4, of the same "
    "kind. What does the top key get on average?",
    answer=Number(0, 1, near=0.05, format="{:.2f}"),
    why="Scores of wider vectors lie further apart, and softmax turns distance into certainty.",
    model_answer="No key fits better than before, and still one gets almost all. Each "
    "of the 1024 numbers adds a product to the score, and the sums spread. Where the best score is "
    "10 or 20 above the next, that next key gets almost nothing. In four of five rows the top "
    "weight is over .99.",
)

UNDIVIDED = Bet(
    "undivided",
    question="At width 64 one model divides its scores by 8, the root of 64, and the other takes "
    "them as they are. Around step 100 of training the divided one is right every time. How often "
    "is the other one right then? (Guessing one of the sixteen numbers: .06)",
    answer=Choice(
        ("below .1: it still guesses", "from .1 to .6: it has begun to learn",
         "above .6: it is nearly as good"),
        which=lambda accuracy: 0 if accuracy < 0.1 else 1 if accuracy < 0.6 else 2,
    ),
    why="It has begun, but late: most right keys start where a push does almost nothing.",
    model_answer="Some say that no model can be trained without the division, and others that it "
    "makes no difference. Here it costs time to go without, and from width 16 to 256 more and more "
    "of it.",
)  # fmt: skip

WITHOUT_ROOT = Bet(
    "without_root",
    question="The model of chapter 0 was trained with the root. Now all of its eight heads, each "
    "16 wide, leave it out, so every score is 4 times as large. It reads 20 fresh texts that "
    "repeat themselves. Of the letters that come again, which share does it get right?",
    answer=Choice(
        ("as before, over .95 right", "from .4 to .95 right", "below .4: it writes nonsense"),
        which=lambda right: 0 if right > 0.95 else 1 if right > 0.4 else 2,
    ),
    why="The right letter was in front already, and larger scores put it further in front.",
    model_answer="After so much about the danger, the model seems bound to break. But to be sure "
    "too soon is a danger for a model that still learns. This one looks at the right letter "
    "already, and may be sure of it.",
)

LARGEST = Bet(
    "largest",
    question="Width 512, so a spread of 22.6. 1000 random queries meet 1000 random keys: a "
    "million scores. How large is the largest of them, without its sign?",
    answer=Number(0, 5000, near=25, format="{:.0f}"),
    why="Even the most extreme of a million stays within about five times the spread.",
    model_answer="With 512 products of about 1, hundreds or even thousands seem near. But the "
    "products of strangers cancel. Half of the scores are below 15, one in a thousand is beyond "
    "75, and hundreds need vectors that know each other, or entries that spread further than 1.",
    depth=True,
)

BEYOND = Bet(
    "beyond",
    question="Width 768, spread 27.7. Of a million scores of strangers, how many are beyond 100 "
    "to either side?",
    answer=Number(0, 1_000_000, unit="scores", factor=2, format="{:.0f}"),
    why="100 is 3.6 times the spread; a normal curve leaves 3 in 10,000 out there.",
    model_answer="Rare for one score, sure in a large table: a page of 1000 words has a million "
    "scores in each head.",
    depth=True,
)

THOUSAND = Bet(
    "thousand",
    question="Four keys, and each has a score of 1000. What does the softmax give to each?",
    answer=Choice(
        (".25", "1 to one of them, 0 to the others", "no number: e^1000 is too large"),
        which=lambda weights: 2 if not np.isfinite(weights).all() else int(np.max(weights) > 0.9),
    ),
    why="Only differences count, and here there are none.",
    model_answer="It is tempting to say that softmax saturates when scores are large. It saturates "
    "when they lie far apart. Scores of random vectors do both together, which hides the "
    "difference. (That e^1000 does not spoil the result is the work of a good softmax: chapter 4.)",
    depth=True,
)

GRADIENT = Bet(
    "gradient",
    question="100 keys, not divided: how far do the weights of a row move when its scores do? From "
    "width 64 to width 1024 the median of all rows falls, hundreds of times or more. How much "
    "does their mean fall?",
    answer=Choice(
        ("hundreds of times, too", "a few times", "not at all"),
        which=lambda factor: 0 if factor > 100 else 1 if factor > 1.3 else 2,
    ),
    why="A few rows stand near a tie, and those are as easy to move as ever.",
    model_answer="Does the gradient vanish without the division? For most rows it does, and some "
    "rows keep almost all of it. So training does not stop: it moves a few rows a lot and the "
    "others hardly at all.",
    depth=True,
)

BETS = (WIDTH, UNDIVIDED, WITHOUT_ROOT, LARGEST, BEYOND, THOUSAND, GRADIENT)
