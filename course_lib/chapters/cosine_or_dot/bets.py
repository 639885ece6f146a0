"""The bets of chapter 2."""

import numpy as np

from course_lib.betting.bet import Bet, Choice, Number

LOUD_KEY = Bet(
    "loud_key",
    question="The room has 5000 queries that look in all directions, and 1000 keys of one length; "
    "each has 64 entries. Each query picks the key with the largest dot product. Now one key "
    "shouts: it becomes 100 times as long. Which share of the queries picks it?",
    answer=Number(0, 100, unit="percent", near=5, format="{:.1f}"),
    why="Half of the queries point its way, and mostly it beats the best of the 999 others. (At "
    "length 10 it does not always.) With the other half its score is below 0, and a longer key "
    'makes it worse. In the ranking by dot product no count was below 0, so "is" was loud for '
    "everybody.",
    model_answer="Length multiplies the score, with its sign. Among queries that point in all "
    "directions, half of the signs are minus. Among counts, none is.",
)

ANTONYMS = Bet(
    "antonyms",
    question="In 20,000 short sentences we count which words stand within two places of each "
    "other. The row of a word's counts is its vector. What is the cosine of hot and cold?",
    answer=Number(-1, 1, near=0.15, format="{:.2f}"),
    why="hot and cold stand beside the same words, and a vector made of neighbours knows nothing "
    "else. (Below 0 it could not be, because counts are never negative.)",
    model_answer="Words of opposite meaning are about the same thing: the tea is hot, the tea is "
    "cold. To a method that looks at neighbours they are almost interchangeable, so they come out "
    "close.",
)

BAD_ROW = Bet(
    "bad_row",
    question="49 words are stored by their rows of counts, and by accident the row of plum is 50 "
    "times too long. Then each of the 49 words is asked for its closest word, by dot product; a "
    "word may find itself. How many of them find plum first?",
    answer=Number(0, 49, unit="words", near=3, format="{:.0f}"),
    why="No count is negative, so no word points away from plum, and half is no limit here. Those "
    "that do not find it stand at a right angle to plum, or at a wide one.",
    model_answer="The loud key of the room stopped at half because the queries pointed in all "
    "directions, half of them away from it. Words in counts crowd on one side. Each that shares a "
    "neighbour with plum has a positive score with it, and now 50 times as much.",
    depth=True,
)

LENGTH_IS_FREQUENCY = Bet(
    "length_is_frequency",
    question="In these sentences cat stands about nine times as often as kitten, in the same "
    "places. Its row of counts is therefore about nine times as long. How many times as long is "
    "its PPMI vector?",
    answer=Number(0, 20, unit="times", near=0.3, format="{:.2f}"),
    why="PPMI divides each count by what the word's own frequency would give by chance, so the "
    "frequency drops out.",
    model_answer="Length is frequency where vectors are raw counts. Weighting takes the frequency "
    "out, and in vectors that a network learns the relation is weak: there length also depends on "
    "how special a word's neighbours are (Schakel and Wilson, 2015).",
    depth=True,
)

LAYER_NORM = Bet(
    "layer_norm",
    question="Every token is brought to the same length by LayerNorm. A learned matrix makes "
    "queries of them and another makes keys. Both stretch the 64 directions unequally: the first "
    "by 8, the second by 4, number i by 8 / i. Each query picks its best of 50 keys. For which "
    "share do dot product and cosine pick the same one?",
    answer=Number(0, 100, unit="percent", near=10, format="{:.0f}"),
    why="LayerNorm sets the length of the token, not of the key that the matrix makes of it: "
    "tokens along a stretched direction become long keys.",
    model_answer="After LayerNorm all tokens have one length. A matrix that stretches all "
    "directions alike would nearly keep it, and then the dot product nearly ranks like the cosine. "
    "One that stretches a few directions far more than the others makes loud keys of some tokens. "
    "How much it stretches is learned: a freedom the model can use.",
    depth=True,
)

TEN_NEAREST = Bet(
    "ten_nearest",
    question="1000 stored vectors with 64 entries, drawn at random, and a question of the same "
    "kind. All keep the lengths that they came with. You take the ten that are nearest to the "
    "question by distance, and the ten with the largest cosine. How many are in both tens?",
    answer=Choice(
        ("all ten", "seven to nine", "three to six", "two or fewer"),
        which=lambda both: (both < 10) + (both < 7) + (both < 3),
    ),
    why="Distance takes the short ones first: a long vector is far away, even one that points "
    "well.",
    model_answer="|a - b|² = |a|² + |b|² - 2 a·b: the length of a stored b makes it far, whatever "
    "its direction, so distance prefers short vectors. With both lengths 1 it is 2 - 2 cos, and "
    "then distance, dot product and cosine rank alike.",
    depth=True,
)

SURCHARGE = Bet(
    "surcharge",
    question="1000 queries, 1000 keys, width 64. The dot products take 128 million multiplications "
    "and additions. How many percent more does it take to bring all queries and keys to length 1 "
    "first?",
    answer=Number(0, 300, unit="percent", factor=2, format="{:.1f}"),
    why="2000 rows have to be normalised, and a million pairs to be scored: the rows hardly count.",
    model_answer="Normalising costs about 3 d operations a row, and there are 2000 rows. Scoring "
    "costs 2 d a pair, and there are a million pairs. Four times the work is what you get if you "
    "measure both lengths anew for every pair, which nobody has to do. The more keys, the smaller "
    "the share.",
    depth=True,
)

SLOWEST = Bet(
    "slowest",
    question="Against the plain dot product, in the recorded measurement at width 64: which of "
    "these is the slowest?",
    answer=Choice(
        ("cosine, rows brought to length 1", "bilinear, with q W computed once", "additive"),
        which=lambda ratios: int(np.argmax(ratios)),
    ),
    why="Each pair needs a tanh for every hidden number, and there is no matrix product that does "
    "it.",
    model_answer="Cosine and bilinear score are a matrix product with some preparation of the "
    "rows. The additive score has to bend d numbers for each of a million pairs before it may add "
    "them up, and those numbers have to pass through memory.",
    depth=True,
)

BETS = (
    ANTONYMS,
    LOUD_KEY,
    BAD_ROW,
    LENGTH_IS_FREQUENCY,
    LAYER_NORM,
    TEN_NEAREST,
    SURCHARGE,
    SLOWEST,
)
