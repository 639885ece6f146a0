"""The bets of chapter 8."""

import math

import numpy as np

from course_lib.betting.bet import Bet, Choice, Number

RIGHT_RUNS = Bet(
    "right_runs",
    question="The scores 1, 3, 2, 5, 4 and 0, in blocks of 1, of 2, of 3, or left in one block "
    "of 6. Somebody forgets to rescale the sums. In how many of the four runs is the mean right "
    "all the same?",
    answer=Number(0, 4, format="{:.0f}"),
    why="With one block there is nothing to rescale, so the bug cannot be seen; with several "
    "blocks it can, as soon as a later block has the larger score.",
    model_answer="Rescaling does something only when a new maximum arrives after the first block. "
    "In one block of 6 that never happens. So a test whose text fits into one block says nothing: "
    "a test of tiles needs several tiles, and the largest score must not stand in the first. The "
    "wrong means look harmless: they still lie between the values.",
    depth=True,
)

SMALL_TILES = Bet(
    "small_tiles",
    question="A text of 4096 words, one head, 128 wide, blocks of 8 queries. Count all numbers "
    "that come to the SMs or leave them. In both ways, all keys and values come "
    "once for each block. Only plain attention also writes two tables and reads them back. What is "
    "the traffic of the tiles, divided by that of plain attention?",
    answer=Number(0, 1, near=0.05, format="{:.2f}"),
    why="No table is moved, but 512 blocks fetch all keys and values, and that is far more.",
    model_answer="4096 / 8 = 512 blocks, and for each all keys and values are fetched: 2 · 4096 · "
    "128 numbers. That makes 537 million. The two tables of 4096 · 4096 numbers, each written "
    "and read again, are only 67 million. So leaving them out spares little here. With 128 queries "
    "in a block, keys and values pass only 32 times, and a third of the plain way's traffic is "
    "left.",
    depth=True,
)

WHAT_IT_BUYS = Bet(
    "what_it_buys",
    question="In the first picture, cellar ↔ shelf took 19.7 ms at 16,000 words without "
    "tiles, and 0.157 ms in tiles: 126 times less. Now attention was measured on an H100, with "
    "8192 words. How many times as fast as plain attention is FlashAttention-3?",
    answer=Number(1, 200, unit="times", factor=1.4),
    why="So say the paper's figures. Tiles take away the waiting for the cellar. The computing is "
    "left, as much of it as before.",
    model_answer="(1) At best: in the first picture, computing took 4.24 ms in both ways. As far "
    "as the cellar goes, tiles can bring 19.7 ms down to 4.24 ms: a ratio of 4.65, at nearly "
    "every length. (2) Measured: neither way reached its best. Version 3 did 646 of the chip's 989 "
    "trillion operations a second. Plain attention, which waits, could do 989 / 4.65 = 213, and "
    "did 139. By chance both are 65 percent, so the ratio stays 4.65.",
)

FIRST_ORDER = Bet(
    "first_order",
    question="The first FlashAttention had its loops the other way round: outside the keys, inside "
    "the queries with their unfinished outputs. 4096 words, width 128, and a chip with room for "
    "128 rows of each kind. Does it move more or fewer numbers than plain attention?",
    answer=Choice(
        ("fewer", "about the same (within 5 percent)", "more"),
        which=lambda ratio: 0 if ratio < 0.95 else 1 if ratio <= 1.05 else 2,
    ),
    why="Three things pass by in each round, queries, outputs in and outputs out, and 32 rounds "
    "are few enough.",
    model_answer="Plain: 2 n d + (n / block) 2 n d + 4 n² numbers. Keys outside: 2 n d + "
    "(n / block) 3 n d. A round moves half as much again, but no table is moved, and tables are "
    "more. The wider the heads, the fewer rows fit on the chip, and the more rounds there are: "
    "with half the room it is twice as much.",
    depth=True,
)

TEN_TIMES = Bet(
    "ten_times",
    question="A text grows from 1000 to 10,000 words. One layer of a model of width 4096, "
    "attention and after it the feed-forward part (two matrices, which widen each word four times "
    "and narrow it again): how many times as many operations does it need?",
    answer=Number(1, 1000, unit="times", factor=1.3),
    why="At 1000 words nearly all operations are linear layers, and those grow with n.",
    model_answer="The scores and the weighted sums grow a hundredfold: 4 n² m operations. The "
    "linear layers grow tenfold: 24 n m². At n = 1000 the first are 4 percent of the layer, so the "
    "layer as a whole grows a little more than tenfold. The hundredfold comes in when n is far "
    "beyond 6 m.",
    depth=True,
)

BACKWARD = Bet(
    "backward",
    question="Forward, a tile takes two matrix products: scores and weighted values. The way back "
    "makes the scores once more. How many times as many operations as forward does it take?",
    answer=Number(0, 20, unit="times", near=0.25),
    why="Five products against two: the scores again, then the gradients of weights, values, "
    "queries and keys.",
    model_answer="Five against two is 2.5. Without making the scores once more it would be 2, but "
    "then the table of weights would have to be stored. Operations are cheaper than traffic.",
    depth=True,
)

DENSE_MASK = Bet(
    "dense_mask",
    question="1024 words, and a mask lets each see the last 64: about 94 percent of the pairs are "
    "hidden. The mask is given to plain attention. Which share of its operations is spared?",
    answer=Number(0, 100, unit="%", near=1, format="{:.0f}"),
    why="Every score is computed first and hidden afterwards.",
    model_answer="A mask changes scores into minus infinity, and to do that the scores must be "
    "there. The matrix products have the same size as before. It takes a kernel that leaves "
    "closed tiles out, as local_attention does, as FlexAttention does, and as FlashAttention does "
    "with tiles above the diagonal.",
    depth=True,
)

OVERFLOW = Bet(
    "overflow",
    question="A query and a key of width 128, all entries 30, in float16. Their dot product should "
    "be 115,200. What comes out?",
    answer=Choice(
        ("115,200", "65,504, the largest float16", "infinity"),
        which=lambda score: 2 if math.isinf(score) else 1 if score == 65504 else 0,
    ),
    why="The sum may be kept in float32 inside, but the result is stored as a float16, and that "
    "ends at 65,504.",
    model_answer="float16 has five bits for the size of a number, so it ends at 65,504. bfloat16 "
    "has eight, as float32 has, and reaches further, with two to three digits. So mixed precision "
    "makes nothing more stable. It is a way to compute faster, and asks for care.",
    depth=True,
)

CROSSOVER = Bet(
    "crossover",
    question="An RNN layer of width 256 multiplies each word and each state with a matrix. Up "
    "to which length has the core of attention (scores, weighted values; no projections) fewer "
    "operations?",
    answer=Choice(
        (
            "never: n squared is always more",
            "up to about 64",
            "up to about 256",
            "up to about 4096",
        ),
        which=lambda n: int(np.searchsorted([1, 180, 1450], n)),
    ),
    why="With width m attention takes n² m operations for an RNN's n m²: they are level at n = m.",
    model_answer="O(n) hides a factor m squared, O(n squared) hides a factor m. For n below m the "
    "quadratic one is the smaller. And operations are not time, as the record below shows.",
    depth=True,
)

MEMORY_HOLDS = Bet(
    "memory_holds",
    question="A memory of 16 rows and 16 columns, the delta rule, and keys 16 wide. How many keys "
    "with their values can be written, one after the other, so that each is read back exactly?",
    answer=Choice(
        ("4", "16", "256", "as many as you like"),
        which=lambda n: int(np.searchsorted([4, 16, 256], n)),
    ),
    why="As many keys can be perpendicular to each other as they have entries.",
    model_answer="16 keys that are perpendicular to each other each have a direction of their own, "
    "and reading one of them finds nothing of the others. The 17th cannot be perpendicular to all. "
    "What it writes changes what the others find.",
    depth=True,
)

CHOSEN_SHARE = Bet(
    "chosen_share",
    question="1024 random keys, and scores of spread 1. Each query keeps the 64 keys with its "
    "highest scores, 6 percent of them. How much of its weight did these 64 have?",
    answer=Number(0, 100, unit="%", near=5, format="{:.0f}"),
    why="Each of them has several times the mean weight, but there are 960 others.",
    model_answer="About 30 percent. With scores of spread 1 the largest powers are some ten times "
    "the mean, and most of the weight lies with the many keys in the middle. Choosing keys pays "
    "where attention is sharp.",
    depth=True,
)

CHANGED_LOOPS = Bet(
    "changed_loops",
    question="The kernel's loop gets a causal mask, below `scores`. Whose change leaves it right "
    "for every text? (In D, the first block always sets a new largest: minus infinity is more than "
    "8 below.)",
    answer=Choice(
        (
            "A: mixed without shrink",
            "B: largest = new above shrink",
            "C: the mask below new",
            "D: tl.where below new",
        ),
        which=lambda place: place,
    ),
    why="Any number near the largest score will do, if both sums and the powers count from the "
    "same one. But C's may be a hidden score, far above every score that counts.",
    model_answer="In A, mixed still counts from the old maximum, and total from the new one. In B, "
    "shrink is exp(new - new) = 1, and neither sum is ever rescaled. In C, the maximum may be "
    "a hidden score. If that is 110 above the others, each power that counts is 0 in "
    "float32, and 0 / 0 is no number. In D, a power may be larger than 1, but never larger than "
    "e to the 8, about 3000. Both sums count from the same number, so it cancels in the end. And "
    "they are rescaled less often.",
)

ONE_QUERY = Bet(
    "one_query",
    question="An H100 writes one word. The query of one head meets 8192 keys and values of width "
    "128, in numbers of 2 bytes, which have to be fetched from the memory. Which part of the "
    "chip's operations can be used meanwhile, at best?",
    answer=Choice(
        ("nearly all", "about a third", "about 3 percent", "about a third of a percent"),
        which=lambda share: 3 - int(np.searchsorted([0.01, 0.1, 0.6], share)),
    ),
    why="Each number that is fetched serves one multiplication and one addition, and while 2 bytes "
    "come the chip could do some 600 operations.",
    model_answer="A query costs 4 n d operations and 4 n d bytes: one operation for each byte. By "
    "the data sheet the chip does 989 operations in the time in which 3.35 bytes are fetched, "
    "which is 295 for each byte. So at best one part in 295 is used.",
    depth=True,
)

PACKED = Bet(
    "packed",
    question="Four requests come together, of 1000, 500, 500 and 500 words. Filled up to the "
    "longest, they make 4 · 1000 · 1000 scores in each head. How many percent of these scores are "
    "between words of the same request?",
    answer=Number(0, 100, unit="%", near=2, format="{:.0f}"),
    why="A request of half the length has a quarter of the pairs.",
    model_answer="62 percent of the rows hold a word. But scores are pairs: 1000² + 3 · 500² = "
    "1.75 million of 4 million, which is 44 percent. The rest is multiplied and then hidden.",
    depth=True,
)

EIGHT_BITS = Bet(
    "eight_bits",
    question="Random keys, 64 wide, are rounded to eight bits, each tile of 64 with a scale of its "
    "own. The output is off by 3 percent. Now one of the 64 numbers of every key is larger by 100, "
    "the same in all keys. How far off is the output?",
    answer=Choice(
        ("about 3 percent, as before", "about 10 percent", "about 30 percent", "all of it"),
        which=lambda off: int(np.searchsorted([0.06, 0.2, 0.6], off)),
    ),
    why="Numbers of three bits are 8 apart near 100, and what told the keys apart in this place is "
    "rounded away. A score is off by several units.",
    model_answer="A scale moves all numbers of a tile alike, and rounding is relative: 100 is as "
    "badly rounded as 1. What made the keys different was a number of size 1 on top of the 100, "
    "and that is smaller than a step. A common part has to be taken away before rounding.",
    depth=True,
)

BETS = (
    WHAT_IT_BUYS,
    CHANGED_LOOPS,
    RIGHT_RUNS,
    ONE_QUERY,
    PACKED,
    SMALL_TILES,
    BACKWARD,
    FIRST_ORDER,
    TEN_TIMES,
    OVERFLOW,
    EIGHT_BITS,
    DENSE_MASK,
    MEMORY_HOLDS,
    CHOSEN_SHARE,
    CROSSOVER,
)
