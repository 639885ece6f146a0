"""What the page says that no notebook says; `say` fills the fields in braces."""

# A chapter
OPEN = "Write the code yourself:"
IN_COLAB = "open this chapter in Colab"
IN_LAB = "or start it in JupyterLab"
FROM_PAGE = (
    "On this page everything has been run already: move the sliders, place your bets, then open "
    "what the run says."
)

TO_THE_TOP = "back to the top"
SITE = "all pages"
ON_THIS_PAGE = "on this page"

# An exercise
TASK = "Exercise {name}"
YOUR_TURN = "To be written by you, and judged:"
QUIZ = "Quiz: what is wrong here? ({count})"
HANDED_IN = "This code was handed in. What is wrong?"
CHECK_SAYS = "What the check says"
QUIZ_RIGHT = "That is it."
QUIZ_WRONG = "Not this. Look again, or open what the check says."

# A bet
SETTLE = "What the run says"
PLACED = "Placed: {bet} ({confidence}). Open what the run says, below."
CHOSEN = "You bet {bet}. Place it, or change it, before you open what the run says."
NO_BET_TO_SETTLE = (
    "The run has been opened without a bet. What you choose now is kept as after the run."
)
FIRST_LATER = "After the run you said {later}; it does not count."

# All bets
YOUR_BETS = "Your bets"
ALL_CHAPTERS = "In all chapters, your bets came true: {parts}."
IN_DEPTH = "{name} (depth)"
KEPT = "Your bets are kept in this browser alone; nobody else sees them."
FORGET = "Forget all my bets"
FORGET_SURE = "Forget the bets of all chapters? They cannot be brought back."
FORGOTTEN = "All bets are forgotten."
NEEDS_SCRIPT = "With JavaScript switched on, the page keeps your bets and counts them here."

# The model of chapter 0
MODEL = "Type your own, here on the page"
MODEL_TEXT = "letters that begin again"
MODEL_ON = "heads that are switched on"
MODEL_BLOCK = "block {number}"
MODEL_SHOWN = "the head whose looks are shown"
MODEL_SAYS = "The model goes on: {said}"
MODEL_WITH_ALL = "With all heads on it would say: {said}"
MODEL_ARCS = (
    'Head {head} looks from the last letter, "{last}", most at the "{looked}", {back} places '
    "before it ({weight} of its attention)."
)
MODEL_NOT_YET = "Where a head looks. It is drawn when the model has come."
MODEL_SELF = 'Head {head} looks from the last letter, "{last}", most at itself ({weight}).'
MODEL_ABOUT = (
    "All of its {count} numbers are on this page. What you type goes nowhere. It knows the letters "
    "a to z and the space, and reads the last {length} of them."
)
