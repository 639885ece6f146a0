"""The bets of chapter 5."""

import numpy as np

from course_lib.betting.bet import Bet, Choice, Number


def _outcome_of(scores) -> int:
    """Whether each capital finds its country. What the country asks for is then free: rows of w_q
    that no capital uses.
    """
    country = scores[:4, 4:].diagonal()
    others = np.where(np.eye(4, 8, k=4), -np.inf, scores[:4]).max(axis=1)
    return 2 if (country > others).all() else 0


def _of_the(pushes) -> int:
    """How far *the* pushes, beside *new*: as far, about half as far, or hardly."""
    the, new = np.abs(pushes[2:4])
    return 0 if the >= 0.75 * new else 1 if the >= 0.25 * new else 2


PERFECT_STRANGERS = Bet(
    "perfect_strangers",
    question="Four capitals and their countries are eight words, and any two of them are "
    "perpendicular. The capital asks, and is multiplied by one matrix. The country answers, and is "
    "multiplied by another. Can each capital then find its country, that is, score highest with "
    "it?",
    answer=Choice(
        (
            "it cannot: no matrix can give two words what neither of them has",
            "it can, and the country must then find it, too",
            "it can, and the country need not find it",
        ),
        which=_outcome_of,
    ),
    why="The two matrices decide what a word asks for and what it answers to. The word itself only "
    "picks its row in each of them, and France asks with another row than Paris.",
    model_answer="Compared as they are, any two of these words score 0, and a word agrees only "
    "with itself. But the score compares the query of Paris with the key of France. Both are rows "
    "of matrices, and a matrix may hold anything. When France asks, its query meets the key of "
    "Paris: row 4 of w_q and row 0 of w_k. So two words need not be alike for one to look at the "
    "other, and the other need not look back.",
)

HALF_SHARP = Bet(
    "half_sharp",
    question="Four drawers hold 10, 20, 30 and 40. The query fits the key of the third: its score "
    "is 1 there and 0 at the others. Exact lookup would return 30, no lookup at all the average, "
    "25. What does attention return?",
    answer=Number(10, 40, near=0.5, format="{:.1f}"),
    why="A lead of 1 makes its weight only e = 2.7 times the others': .475 against .175 each.",
    model_answer="The weights are .175, .175, .475 and .175, and the average in these shares is "
    "26.5. The larger the lead, the closer to a lookup: try 3 and 10 with the slider below.",
    depth=True,
)

SAME_WEIGHT = Bet(
    "same_weight",
    question="Apple released the new phone today. Apple gives “the” and “new” the same weight, "
    ".21. “New” pushes it by .53 to the companies. How far does “the” push it?",
    answer=Choice(
        ("as far: it has the same weight", "about half as far", "hardly at all"),
        which=_of_the,
    ),
    why="“The” stood in every sentence of the training, about fruits and about companies. So what "
    "it tells is nearly 0, and .21 times nearly 0 is nearly 0.",
    model_answer="A push is the weight times what the word hands over, seen along the line. The "
    "weights are alike, and new pushes by −.53, the by −.02: the values make the difference. This "
    "does not hang on one training: in seven others “the” got weights from .13 to .30, and pushed "
    "by .07 at most.",
)

FIVE_HUNDRED = Bet(
    "five_hundred",
    question="One layer of self-attention reads a sentence of 5 words, then one of 500 words. For "
    "the second it needs how many times as many learned numbers, all matrices together?",
    answer=Number(0, 1000, unit="times as many", near=0, format="{:.0f}"),
    why="The matrices act on one word at a time; the number of words stands in none of their "
    "shapes.",
    model_answer="Once as many: the same. W_Q, W_K and W_V have as many rows as a word has numbers "
    "and do not know how many words there are, nor does the fourth matrix of PyTorch's layer. What "
    "grows are the scores, from 25 to 250,000.",
    depth=True,
)

LOOKS_BACK = Bet(
    "looks_back",
    question="One layer, its w_q and w_k drawn at random, and 10,000 pairs of random words. Take "
    "the pairs in which the first word looks at the second: that score is above 0. In how many "
    "percent of them does the second word look back?",
    answer=Number(0, 100, unit="percent", near=5, format="{:.0f}"),
    why="The way back takes another query and another key, so it is as open as the toss of a coin.",
    model_answer="x looks at y with (x W_Q) · (y W_K), y at x with (y W_Q) · (x W_K). Other draws "
    "of the two matrices gave 49 to 53. It would be 100 only if W_Q W_K^T were its own transpose, "
    "as it is with w_q equal to w_k. A dot product of the words themselves is symmetric; attention "
    "need not be.",
    depth=True,
)

RANK_AFTER = Bet(
    "rank_after",
    question="128 words, keys and queries only 4 numbers wide. The table of scores, 128 by 128, "
    "has rank 4: all of its rows can be built from 4 of them. Which rank has the table of weights, "
    "after the softmax (in float64)?",
    answer=Number(0, 128, near=8, format="{:.0f}"),
    why="exp, taken number by number, is not linear: exponentials of rows that 4 rows can build "
    "cannot be built from 4 rows.",
    model_answer="128, all of it. Softmax takes exp number by number, and no few rows can follow. "
    "So narrow keys limit which tables of scores there can be, and still every word can have a row "
    "of weights that no others make up.",
    depth=True,
)

SCALED_SPREAD = Bet(
    "scaled_spread",
    question="Words with variance 1 in 768 numbers; w_q and w_k, 768 by 64, start as Xavier's rule "
    "says, variance 2 / (768 + 64). The scores are divided by the root of 64, as they should be. "
    "What is their variance?",
    answer=Number(0, 20, near=0.5, format="{:.1f}"),
    why="Each number of a query has variance 768 · 2 / 832 = 1.85, not 1; of a key too.",
    model_answer="Xavier's rule is a compromise between the way forward, which would need 1/768, "
    "and the way back, which would need 1/64. Both hold only for square matrices. The variance of "
    "a scaled score is that of a query's number times that of a key's: 1.85 squared, 3.4.",
    depth=True,
)

FAR_BACK = Bet(
    "far_back",
    question="A recurrent network, fresh from PyTorch's rule, reads 100 words one after the other. "
    "How strongly does its last output depend on the first word, compared with the last one? Say "
    "by how many powers of ten it is weaker (3 means a thousandth).",
    answer=Number(0, 100, unit="powers of ten", near=6, format="{:.0f}"),
    why="The effect passes through 99 steps, and each of them multiplies it by about .47.",
    model_answer="Over 30: a third of a power of ten is lost at each step, and 99 steps follow one "
    "another. Trained networks do better than fresh ones, but they have to learn through this. In "
    "attention the first word is one step away, like every other.",
    depth=True,
)

BETS = (
    PERFECT_STRANGERS,
    SAME_WEIGHT,
    HALF_SHARP,
    LOOKS_BACK,
    FIVE_HUNDRED,
    RANK_AFTER,
    SCALED_SPREAD,
    FAR_BACK,
)
