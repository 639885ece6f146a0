"""The sentences of bets. Fields in braces are filled by `say`; a translation keeps them."""

PLACE_YOUR_BET = "Your bet"
CONFIDENCE = "How sure are you?"
PLACE = "Place the bet"
GUESS = "guess"
THINK = "think so"
SURE = "sure"
NUMBER_FIELD = "a number from {low} to {high}"
NUMBER_FIELD_IN_UNIT = "a number from {low} to {high} {unit}"
NOT_A_NUMBER_BET = "{typed} is no number; type one such as {example}."
TWO_READINGS = "{typed} may mean {first} or {second}; type it without the comma."
OUT_OF_RANGE = "{typed} is outside of {low} to {high}; type a number in between."
CHOSEN = "You bet {bet}. Place it, or change it, before you run on."
PLACED = "Placed: {bet} ({confidence}). The run below settles it."
ALREADY_SETTLED = (
    "You bet {bet} ({confidence}) before the run. A change now is kept as after the run, "
    "and does not count."
)
NO_BET_TO_SETTLE = (
    "There was no bet before the run. A bet now is kept as after the run. "
    "To begin again: bet({name}, afresh=True)"
)
FIRST_LATER = (
    "After the run you said {later}; it does not count. To begin again: bet({name}, afresh=True)"
)
CHANGED_LATER = (
    "You bet {bet} ({confidence}) before the run, and said {later} after it; the first counts."
)
NO_BET = "No bet placed; the run says {run}."
BET_LATER = "After the run you said {later}, which does not count; the run says {run}."
BET_RIGHT = "You bet {bet} ({confidence}); the run says {run}: right."
BET_NEAR = "You bet {bet} ({confidence}); the run says {run}: right, off by {difference}."
BET_CLOSE = (
    "You bet {bet} ({confidence}); the run says {run}: close, off by {difference}. "
    "Within {most} counts as close."
)
A_FACTOR = "a factor of {factor}"
BET_OFF = "You bet {bet} ({confidence}); the run says {run}: off by {difference}."
BET_WRONG = "You bet {bet} ({confidence}); the run says {run}."
MODEL_ANSWER = "Model answer"
BET_DEFECT = "This bet has a defect, not you: {name} could not be settled ({error})."
