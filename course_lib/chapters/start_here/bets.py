"""The bets of chapter 0."""

from course_lib.betting.bet import Bet, Number

ONE_OF_EIGHT = Bet(
    "one_of_eight",
    question="Of 100 letters that can be known, the model gets 99 right. You switch off one of its "
    "eight heads, the one that it needs most. How many of 100 are still right? Within 15 letters "
    "counts as right.",
    answer=Number(0, 100, unit="letters", near=15, format="{:.0f}"),
    why="No other head does the work of this one. Without any one of the last six in the list, 99 "
    "are still right.",
    model_answer="A head is not an eighth of the work. Several heads may do the same, and then "
    "the model can do without any one of them. And one may do something that all others build on. "
    "Which one that is, and what it does, you see next.",
)

YOUR_RULE = Bet(
    "your_rule",
    question="Your rule goes by the latest time that the last letter came before. That is not "
    "always the right one. In random strings of 5 to 24 letters a round, how many of 100 letters "
    "does it get right? Within 10 letters counts as right.",
    answer=Number(0, 100, unit="letters", near=10, format="{:.0f}"),
    why="Where the last letter has come once more since the right place, the rule takes that later "
    "one.",
    model_answer="What decides is whether this one letter has come again within the last round. "
    "The longer the round, the more often it has. The rule cannot tell the two places apart, and "
    "the model can. It must know more.",
)

LONG_PERIOD = Bet(
    "long_period",
    question="Now each round has 24 letters, the most that both models were trained on. The "
    "attention model gets 99 of 100 letters right. How many does the RNN get? Within 10 letters "
    "counts as right.",
    answer=Number(0, 100, unit="letters", near=10, format="{:.0f}"),
    why="Each letter that comes in rewrites the RNN's memory. When the first letters are needed "
    "again, 23 others have gone over them.",
    model_answer="The RNN is not helpless: a guess gets 4. But most of what it read a round "
    "ago is too blurred to be read. Its memory holds 96 numbers, four for each letter, so there is "
    "room enough. What is hard is to learn how to rewrite a memory again and again and blur "
    "nothing in it. Attention rewrites nothing: it looks at the place itself, which is one step "
    "away at any distance.",
)

BETS = (ONE_OF_EIGHT, YOUR_RULE, LONG_PERIOD)
