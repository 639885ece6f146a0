"""The judge's sentences. Fields in braces are filled by `say`; a translation keeps them."""

# Headers
RIGHT = "✓ right"
WRONG = "✗ wrong"
TODO = "○ not attempted"
INTERRUPTED = "○ interrupted"
BROKEN_CHECK = "○ not checked"
EFFORT = "about {minutes} minutes; after {minutes} minutes take a hint"
EFFORT_OF_ONE = "about 1 minute; after 2 minutes take a hint"

# States
YOURS_IS_USED = "The cells below use yours."
TOO_SLOW = (
    "It takes {times} times as long as the course's, so the cells below do not wait for it: they "
    "use the course's {name}."
)
COURSE_IS_USED = "The cells below use the course's {name}."
RETURNS_NOTHING_YET = (
    "{name} returns nothing yet: put your code in its place, and run the cell again."
)
NOT_IMPLEMENTED_YET = (
    "{name} says NotImplementedError: put your code in its place, and run the cell again."
)
NOT_HERE = "{name} cannot be tried here. {why}"
WAS_INTERRUPTED = "You interrupted the check of {name}; run the cell again when you like."
DEFECT = (
    "This check has a defect, not you: {name} could not be judged ({error}). "
    "The cells below use the course's {name}."
)
STUCK = "Stuck? hint({name})"

# Labels
INPUT = "Input"
EXPECTED = "Expected"
YOURS = "Yours"
YOUR_LINE = "Your line"
PRINTED = "What yours printed there"
MORE_LINES = "... and {count} more lines"
MAY_BE = "What it may be:"
HINT = "Hint {place} of {count}"

# Symptoms
OTHER_NUMBERS = "{name} gives another result than it should."
OTHER_NUMBERS_IN = "{name} gives another {part} than it should."
NOT_ACCEPTED = "What {name} returns does not do what was asked for."
NOTHING_SOMETIMES = (
    "{name} returns nothing here, though it does for other inputs: "
    "is a `return` missing on one way through it?"
)
NO_GRADIENT = "{name} gives no {part}: does the result still depend on it?"
MISSING_PART = "{name} gives no {part}, which the check looks at."
EXTRA_PART = "{name} has a {part}, which was not asked for."
AS_IT_STANDS = "{said}"
RAISES = "{name} stops with {error}."
RECURSES = (
    "{name} calls itself without an end (RecursionError): "
    "is there a case in which it stops calling?"
)
ASKS = "{name} asks for input(); what it needs comes in its arguments."
EXITS = "{name} calls exit, which would end the whole notebook; return a result instead."
TIME = "{name} was still running after {seconds} seconds and was stopped: does a loop never end?"
CHANGES_INPUT = (
    "{name} changes its input {inputs} in place; work on a copy, because whoever calls it "
    "still needs the input."
)
PRINTS_ONLY = (
    "{name} prints its result and returns nothing: write `return` where you wrote `print`."
)
NO_RETURN = (
    "{name} has code and returns None each time: write `return` before what it should give. "
    "(A call such as `list.sort` gives None, too.)"
)
BLANK_LEFT = (
    "{name} still has a `...` in it: put your code there, too. As it stands, it stops with {error}."
)
HALF_FILLED = "{name} still returns `...` in one place: put your code there, too."
TEXT = "{name} returns text where numbers are expected."
GENERATOR = "{name} returns a generator: did you write `yield` where you meant `return`?"
GENERATOR_EXPRESSION = (
    "{name} returns a generator, which has not run yet: round brackets around `... for ... in ...` "
    "make one; square brackets make a list."
)
COROUTINE = "{name} returns a coroutine: write `def`, not `async def`."
ITERATOR = "{name} returns a {kind}, which has not run yet: put `list(...)` around it."
FUNCTION = "{name} returns a function that was not called: are its brackets missing?"
CONTAINER = "{name} returns a {kind} where numbers are expected."
RAGGED = "{name} returns rows of different lengths; they do not make one array."
UNUSABLE = "{name} returns something that is no array of numbers: {kind}."
NOT_A_TENSOR = "{name} returns a {kind} where a torch tensor is expected."
CANNOT_GO_ON = "The check cannot go on with what {name} returns: {error}."
SEVERAL = "{name} returns {got} results; one is expected."
IN_A_TUPLE = "{name} returns a tuple that holds one result: is there a comma behind it?"
COUNT = "{name} should return {want} results; yours returns {got}."
SHAPE = "{name} gives {got}; expected is {want}."
SHAPE_IN = "{name} gives {got} as {part}; expected is {want}."
SINGLE_NUMBER = "a single number"
ARRAY_OF_SHAPE = "an array of shape {shape}"
NOT_A_NUMBER = "{name} gives NaN (not a number) or infinity where a number is expected."
TRUE_OR_FALSE = "{name} should give True or False in each place; yours gives numbers ({dtype})."
NOT_TRUE_OR_FALSE = "{name} should give numbers; yours gives True and False."
NOT_A_FUNCTION = "{name} should be a function (`def {name}`); yours is {kind}."
NOT_A_CLASS = "{name} should be a class (`class {name}`); yours is {kind}."
PARAMETERS = "{name} should take {want}; yours takes {got}."

SECOND_TIME = (
    "{name} gives another result for the same input the second time: it keeps something from one "
    "call to the next, or draws at random."
)
KEPT_RESULT = (
    "{name} gives for other numbers what it gave for the numbers before: it keeps a result of an "
    "earlier call instead of computing it anew."
)

# Notes
TRANSPOSED = "It is the transpose of the right result: rows and columns have changed places."
OTHER_ORDER = "The numbers are right; only the axes stand in another order."
EXTRA_AXIS = "The numbers are right; only an axis of length 1 is too many or missing."
ONE_IS_RIGHT = "Number {place} of them has the right numbers."
BROADCASTS = "The numbers agree once the smaller shape is repeated along the missing axes."
CUT = "They are whole numbers: the part behind the point was cut off."
FIRST_DIFFERENCE = "The first difference is at {place}: {want} is expected, yours has {got}."
BROKEN = "Broken: {property}"

# Diagnoses
HAPPENS_WHEN = "A known mistake does exactly this. {mistake}"
LOOK_AT = "One thing to look at: {mistake}"
