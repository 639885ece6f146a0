"""The bets of chapter 0."""

from course_lib.betting.bet import Bet, Number

ONE_OF_EIGHT = Bet(
    "one_of_eight",
    question="From the second round of a string on, the model says 99 of 100 letters right. You "
    "switch off one of its eight heads, the one that it needs most. How many of 100 are still "
    "right?",
    answer=Number(0, 100, unit="letters", near=15, format="{:.0f}"),
    why="One of the eight has no stand-in. The work of the others can be done without them.",
    model_answer="A head is not an eighth of the work. Several heads may do the same, and then "
    "none of them is missed. And one may do something that all others build on. Which one that is, "
    "and what it does, you see next.",
)

YOUR_RULE = Bet(
    "your_rule",
    question="The rule by one letter reads the same kind of strings, of which the model gets 99 of "
    "100 letters right. How many does the rule get?",
    answer=Number(0, 100, unit="letters", near=10, format="{:.0f}"),
    why="In a random string the same letter often stands twice in the part that repeats, and then "
    "the rule takes the wrong one.",
    model_answer="There are 27 signs, and the part that repeats is 5 to 24 long: two of its signs "
    "are often the same. The rule cannot tell them apart, and the model can. It must know more.",
)

BETS = (ONE_OF_EIGHT, YOUR_RULE)
