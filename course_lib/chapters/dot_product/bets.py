"""The bets of chapter 1."""

from course_lib.betting.bet import Bet, Choice, Number


def _goes_on(ending: str) -> int:
    """What the model adds to giraffe pogir: affe, another stretch of the text, or none of it."""
    return 0 if ending.startswith("affe") else 1 if ending in "giraffe pogir" else 2


LOUDER = Bet(
    "louder",
    question="A query q is 1 long. Key A is 1 long, too, and points exactly along q. Key B is 5 "
    "long, and points 80 degrees away from q. Which key has the larger dot product with q?",
    answer=Choice(
        ("key A", "key B", "they tie"),
        which=lambda dots: 2 if dots[0] == dots[1] else int(dots[1] > dots[0]),
    ),
    why="B is 5 long, but at 80 degrees the cosine is 0.174: B reaches only 0.87 along q. A "
    "reaches 1, its whole length.",
    model_answer="B would win if it were longer than 1 / cos 80° = 5.76. Between two keys of the "
    "same length, the larger dot product always points closer: they differ in the angle alone. A "
    "section of Depth counts how often a key wins from further away by chance.",
)

NO_TRANSPOSE = Bet(
    "no_transpose",
    question="queries has 2 rows, keys has 4, and each row has 4 numbers. You forget the transpose "
    "and write queries @ keys. What happens?",
    answer=Choice(
        (
            "numpy raises an error",
            "the same table as with the transpose",
            "another table, without any error",
        ),
        which=lambda outcome: {"error": 0, "same": 1, "different": 2}[outcome],
    ),
    why="The shapes fit, (2, 4) and (4, 4), so numpy multiplies. But a key is a row of keys, and "
    "the queries met its columns.",
    model_answer="numpy refuses only where the width and the number of keys differ. Here both are "
    "4, so the product runs. That is why the checks of this course, and yours, should use sizes "
    "that all differ.",
    depth=True,
)

PUPPY_GROWS = Bet(
    "puppy_grows",
    question="The puppy's value for big goes from -1 to 3. Its key stays as it was. The output of "
    "the four queries is a table of 4 rows and 4 columns. How many of these 16 numbers change? "
    "Count even the tiniest change.",
    answer=Number(0, 16, unit="numbers", near=0, format="{:.0f}"),
    why="The weights come from queries and keys, and those are as before. So only what is mixed "
    "changes: the column big, once for each query.",
    model_answer="Each column of the output is mixed from the same column of the values, and "
    "every query gives the puppy some weight. So the column changes in all four rows: much for "
    "Rex and the dog, and hardly at all for the apple, whose weight for the puppy is less than a "
    "billionth.",
    depth=True,
)

NO_SOFTMAX = Bet(
    "no_softmax",
    question="Your lines run in all eight heads, and the model goes on after giraffe pogir with "
    "affe. Now the softmax is left out: the scores themselves mix the values. How does it go on?",
    answer=Choice(
        (
            "still with affe",
            "with another stretch of the text",
            "with letters that stand nowhere in the text in this order",
        ),
        which=_goes_on,
    ),
    why="Weights are above 0 and add up to 1. A score below 0 hands over the opposite of a value, "
    "and the sums are far larger than those that the model was trained with. No part of it has "
    "learned to read them.",
    model_answer="The best score is still the best, so a copy was a fair guess. But the sum that "
    "holds its value is unlike any that the model knows.",
)

TURNED_AROUND = Bet(
    "turned_around",
    question="All scores are multiplied by -1, in all eight heads. With your lines as they are, "
    "the model goes on after giraffe pogir with affe. What does it do now?",
    answer=Choice(
        (
            "it still goes on with affe",
            "it copies another stretch of the text",
            "it writes what stands nowhere in the text",
        ),
        which=_goes_on,
    ),
    why="The scores decide who is heard. With their signs turned, each head hears what fits least.",
    model_answer="A head hands on what it hears, and later heads build on that. Now all of them "
    "hear wrong letters. So not even a wrong stretch is copied: the six letters stand nowhere in "
    "the text in this order.",
    depth=True,
)

STRANGERS = Bet(
    "strangers",
    question="5120 random directions in 512 dimensions: ten times more than can be "
    "perpendicular to each other. Of their 13 million pairs, take the one furthest from 90 "
    "degrees. How far from 90 degrees is it?",
    answer=Number(0, 90, unit="degrees", near=4),
    why="Of 512 products about half speak for and half against, so they nearly cancel. A typical "
    "cosine is only 1/sqrt(512), which is 0.044, and even the worst of 13 million stays within "
    "about six times that. (Below you read where the root comes from.)",
    model_answer="In a plane there is room for two perpendicular directions, and a third must "
    "come close to one of them. In 512 dimensions thousands of directions stay almost "
    "perpendicular without anyone arranging them. That is how a space holds more meanings than "
    "it has dimensions, and why a cosine of 0.2 can be remarkable there.",
    depth=True,
)

ABOVE_ONE = Bet(
    "above_one",
    question="10,000 pairs of parallel vectors (up to rounding) with 50 entries. On paper each has "
    "cosine 1. "
    "For how many does the computed cosine come out above 1?",
    answer=Number(0, 10_000, unit="pairs", near=700, format="{:.0f}"),
    why="Products, sums, roots and the quotient each round the last digit, as often up as down.",
    model_answer="More than a third lands above 1, at most by some units in the sixteenth digit. "
    "It looks harmless, and arccos of 1.0000000000000002 is NaN, not a number; whatever you "
    "compute with it from there is NaN too.",
    depth=True,
)

SAME_RANKING = Bet(
    "same_ranking",
    question="By dot product, invited ranks shen before xiao before yang. The three have slightly "
    "unequal lengths. Does the cosine rank them in the same order?",
    answer=Choice(("the same order", "another order"), which=lambda same: 0 if same else 1),
    why="yang is 1.08 times as long as shen. To pass it, 1.78 times would be needed, since the "
    "cosine of shen is 1.78 times that of yang.",
    model_answer="To overtake, a key must be as many times longer as its cosine is smaller. "
    "Three keys of almost equal length give it no chance. Many keys of unequal lengths do: the "
    "next cell counts how often the winner changes.",
    depth=True,
)

FOUR_TIMES = Bet(
    "four_times",
    question="The query xiao asks all four words, by each of the three scores. Now every entry of "
    "the query is made four times as large. By which of the scores does another word win than "
    "before?",
    answer=Choice(
        (
            "by none of them",
            "by the distance alone",
            "by the overlap alone",
            "by distance and overlap",
            "by all three",
        ),
        which=lambda changed: [(0, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)].index(
            tuple(changed)
        ),
    ),
    why="Four times the query makes each dot product four times as large, which changes no order. "
    "The other two scores do not grow in step.",
    model_answer="The query still points the same way, but only the dot product treats it as the "
    "same question. For the distance, a long query lies far out, and another key is nearest to "
    "it. For the overlap, what is larger than the key's entry does not count, so a loud query "
    "finds every key fully covered.",
    depth=True,
)

BETS = (
    LOUDER,
    NO_SOFTMAX,
    SAME_RANKING,
    STRANGERS,
    PUPPY_GROWS,
    TURNED_AROUND,
    NO_TRANSPOSE,
    ABOVE_ONE,
    FOUR_TIMES,
)
