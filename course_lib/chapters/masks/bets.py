"""The bets of chapter 6."""

from bisect import bisect

from course_lib.betting.bet import Bet, Choice, Number

HEAP_SHARES = (0.15, 0.35, 0.60, 0.78)

DICE = Bet(
    "dice",
    question="In training the mask of this model gave every answer away, and its loss was 0.00. "
    "Now the users let it write, and each place sees only the throws so far. Guessing blindly "
    "costs ln 8 = 2.08. What is the loss of this model now?",
    answer=Choice(
        ("near 0", "about 2.08", "about 5", "above 10"),
        which=lambda loss: bisect((1, 3.5, 10), loss),
    ),
    why="In training it was always right to be sure. Now the throw that it must name is hidden. So "
    "it looks at an earlier one, is as sure of that side, and is wrong in seven throws of eight.",
    model_answer="It is right in 0.12 of the throws, no more often than by chance. A model that "
    "guesses is right as often, but it gives each side a chance of 1/8, so no throw costs it more "
    "than 2.08. This one bets everything on one side. Where another side comes, it gave that "
    "side a chance of next to nothing, and -ln of such a chance is large. "
    "So a leak makes a model sure and wrong, which is worse than not knowing.",
)

HEAP = Bet(
    "heap",
    question="This model knows the throw of its own place, and how often each side fell before it, "
    "but not in which order. A blind guess is right in 0.125 of the throws. Who knows the order "
    "can reach 0.78, and nobody more. Which share of the throws does this model get right?",
    answer=Choice(
        tuple(f"about {share:.2f}" for share in HEAP_SHARES),
        which=lambda share: min(range(4), key=lambda i: abs(HEAP_SHARES[i] - share)),
    ),
    why="While two sides take turns, the bag shows which two. The query is one of them, so the "
    "other is the better guess.",
    model_answer="While two sides take turns, the bag is enough, so the model is right far "
    "more often than one time in eight. But after a fresh throw three sides or more lie in the "
    "bag, and none of them says that it came last. No training can tell it, because the bag does "
    "not hold the order. In 100,000 series of twelve throws, even the best guess for each bag is "
    "right in 0.61. "
    "(With the order it is 0.78: three throws in four are copies, and one in eight of the others "
    "is guessed by luck.)",
)

SLIPS = Bet(
    "slips",
    question="Your test, leaks, is run on A, B and C. Which of them does it find?",
    answer=Choice(
        ("A alone", "B alone", "C alone", "B and C", "all three"),
        which=lambda caught: {"A": 0, "B": 1, "C": 2, "BC": 3, "ABC": 4}["".join(caught)],
    ),
    why="B and C let a later word change an earlier output. A hides too much, and that is no leak.",
    model_answer="In B and C an earlier output depends on a later word, and that is what leaks "
    "looks for. A hides a word from itself: the outputs are wrong, but none of them has seen "
    "the future. So a mask that passes leaks may still hide too much.",
    depth=True,
)

HALF_LEAK = Bet(
    "half_leak",
    question="Fair dice again. This mask leaks at every second place only: 5 of the 11 places that "
    "are asked see one throw too many, 6 see none. Which share of the throws does the model get "
    "right? Within 0.08 counts as right.",
    answer=Number(0, 1, near=0.08, format="{:.2f}"),
    why="Five places of eleven know the answer, and the other six guess with one in eight.",
    model_answer="5/11 known and 6/11 guessed at 1/8 make 0.52. The loss stops on the way, too, "
    "between that of an honest model, 2.08, and 6/11 of it, 1.13. So a leak need not bring the "
    "loss to 0: on fresh throws whatever is clearly below the honest loss is a leak.",
    depth=True,
)

ZERO_PADDING = Bet(
    "zero_padding",
    question="Three words, filled up with vectors of zeros, and no mask. Their value is 0 and "
    "their score is 0. Do the outputs of the three real words change?",
    answer=Choice(("they stay", "they change"), which=lambda change: 1 if change else 0),
    why="A score of 0 is not a weight of 0: e^0 is 1, so each filling takes its share.",
    model_answer="The softmax makes weights of all scores, and a score of 0 is as good as any. "
    "What the filling takes away is missing for the words, so their outputs shrink towards 0. The "
    "more filling, the more they shrink. Only -inf on the filling's keys helps.",
    depth=True,
)

MINUS_BILLION = Bet(
    "minus_billion",
    question="Scores 1, 2, 3, 4 in float32, and only the first key is allowed. One program hides "
    "the others with -inf, one with -1e9. By how much do their weights differ at most? "
    "Within 0.0001 counts as right.",
    answer=Number(0, 1, near=0.0001, format="{:.2f}"),
    why="While one key is left, e to the minus a billion is 0 in any precision.",
    model_answer="With at least one key allowed the two agree to the last digit: the softmax "
    "subtracts the largest score, and e^(-1e9) is far below the smallest number that float32 or "
    "float64 can hold. The difference begins where no key is allowed, and in float16, which "
    "cannot hold -1e9 at all.",
    depth=True,
)

NO_POSITIONS = Bet(
    "no_positions",
    question="A start word, then six times the same word. Causal mask, no positions. Are the "
    "outputs at the six equal words all alike?",
    answer=Choice(("all alike", "they differ"), which=lambda spread: 1 if spread > 1e-6 else 0),
    why="The later the word, the more equal words share its attention, so the start word gets "
    "less and less.",
    model_answer="With a causal mask word t sees the start word and t copies of itself. The start "
    "word's weight falls as 1 / (1 + c t), with a c that depends on the scores, so it tells t. "
    "That is one way in which models with a causal mask can do without positions (Haviv et al., "
    "2022; Kazemnejad et al., 2023). Without the mask, or without the start word, the six are "
    "equal.",
    depth=True,
)

EXTRAPOLATION = Bet(
    "extrapolation",
    question="A read-out learns to name the place from the 128 columns of its waves, on the places "
    "0 to 127, to within 0.2. Which place does it name when it is shown the waves of place 255? "
    "Within 25 counts as right.",
    answer=Number(0, 400, near=25, format="{:.0f}"),
    why="Beyond the places of its training the slow waves take values that it has never seen, and "
    "the fast ones repeat.",
    model_answer="The code itself goes on for ever, and the likeness of two places depends on "
    "their distance alone. But a read-out that fits 0 to 127 has learned nothing about what comes "
    "later. Models behave alike: trained short, they fail on longer texts (Press et al., 2021). "
    "The paper of 2017 says no more than that the waves may allow it.",
    depth=True,
)

HALF_SPEED = Bet(
    "half_speed",
    question="The same read-out, trained on the places 0 to 127. Now every wave is made half as "
    "fast, and it is shown the waves of place 254. Which place does it name? Within 5 counts "
    "as right.",
    answer=Number(0, 400, near=5, format="{:.0f}"),
    why="At half speed the waves of place 254 are those of place 127, which it has seen.",
    model_answer="A wave of half the speed is at place 254 where it was at place 127 before. So "
    "the read-out names half of every place, and nothing that it is shown is new to it. That is "
    "position interpolation (Chen et al., 2023). The price: neighbours turn half as far apart.",
    depth=True,
)

BETS = (
    DICE,
    HEAP,
    SLIPS,
    HALF_LEAK,
    ZERO_PADDING,
    MINUS_BILLION,
    NO_POSITIONS,
    EXTRAPOLATION,
    HALF_SPEED,
)
