"""The bets of chapter 0."""

from course_lib.betting.bet import Bet, Number

ONE_OF_EIGHT = Bet(
    "one_of_eight",
    question="In fresh strings, random ones that repeat themselves, the model says 99 of 100 "
    "letters right. You switch off one of its eight heads, the one that it needs most. How many of "
    "100 are still right?",
    answer=Number(0, 100, unit="letters", near=15, format="{:.0f}"),
    why="One head of block 1 tells each letter what stood before it. Without that, the heads of "
    "block 2 have nothing to work with.",
    model_answer="The heads of block 2 look for a place where the letter before is the letter that "
    "we have now. Which letter stood before, they hear from a single head of block 1.",
)

YOUR_RULE = Bet(
    "your_rule",
    question="Your rule is asked about the same kind of strings, of which the model gets 99 of 100 "
    "letters right. How many does the rule get?",
    answer=Number(0, 100, unit="letters", near=10, format="{:.0f}"),
    why="In a random string the same letter often stands twice in the part that repeats, and then "
    "the rule takes the wrong one.",
    model_answer="The rule goes by one letter. Head 3 looks two letters back, so the model can go "
    "by two, and the same two letters rarely stand twice in the part that repeats.",
)

BETS = (ONE_OF_EIGHT, YOUR_RULE)
