"""The sentences of what a notebook calls; `say` fills the fields in braces."""

# Names
WHICH = "Which one? There is: {known}."
UNKNOWN = "There is no {name} in this chapter. There is: {known}."

# Hints and answers
NO_HINT = "There are no hints for {name}."
LAST_HINT = "That was the last hint; reveal({name}) shows the course's answer."
NEXT_HINT = "hint({name}) shows the next one."
NO_SUCH_HINT = "{name} has {count} hints; hint({name}, 1) shows the first."
REVEALED = "The course's answer. Close it, wait a minute, and write yours from memory."
NO_SOURCE = "The source of {name} is not at hand here."

# Progress
PROGRESS = "Progress in {chapter}"
DEPTH = "Depth, which may be left out"
DEPTH_EXERCISES = "Depth, which may be left out: {right} of {count} exercises are right"
COLUMN_EXERCISE = "exercise"
COLUMN_STATE = "state"
COLUMN_HINTS = "hints"
COLUMN_MINUTES = "about, min"
COLUMN_STARS = "stars"
COLUMN_BET = "bet"
COLUMN_YOU = "you"
COLUMN_RUN = "the run"
COLUMN_VERDICT = "verdict"
STATE_RIGHT = "✓ right"
STATE_WRONG = "✗ wrong"
STATE_TODO = "○ open"
STATE_AND_TRY = "{state}, try {count}"
STATE_TRIED_ON = "✓ right before; ✗ the last try"
BET_WAS_RIGHT = "✓ right"
BET_WAS_CLOSE = "≈ close"
BET_WAS_WRONG = "✗ off"
BET_WAITS = "○ not run"
AFTER_THE_RUN = "{bet} (after the run)"
BET_MISSING = "○ no bet"
CALIBRATION_PART = "{right} of {count} when you said {confidence}"
CALIBRATION = "Your bets came true: {parts}."
NO_CALIBRATION = "No bet has been settled yet."

# A check that took the kernel with it
KERNEL_STOPPED = (
    "The last check of {name} did not come back: the kernel stopped, or was started again, while "
    "it ran. One operation that never ends does that, and so does a crash. Your notebook is as "
    "you saved it."
)
NOT_RUN_AGAIN = (
    "{name} stopped the kernel the last time, so this code was not run again. Change it; or run "
    "the cell once more, and it is tried as it is."
)
