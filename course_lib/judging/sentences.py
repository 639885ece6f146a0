"""The judge's sentences. Fields in braces are filled by `say`; a translation keeps them."""

# Headers
RIGHT = "✓ right"
WRONG = "✗ wrong"
HALF_WAY = "○ half done"
TODO = "○ not attempted"
INTERRUPTED = "○ interrupted"
NOT_RUN = "○ not run"
BROKEN_CHECK = "○ not checked"
EFFORT = "about {minutes} minutes; stuck for {stuck}? Take a hint"
EFFORT_OF_TWO = "about 2 minutes; no idea? Take a hint"
EFFORT_OF_ONE = "about 1 minute; no idea? Take a hint"

# States
YOURS_IS_USED = "The cells below use yours."
THAT_IS_IT = "All of it is right."
TOO_SLOW = (
    "It takes {times} times as long as the course's, so the cells below do not wait for it: they "
    "use the course's {name}."
)
COURSE_IS_USED = "The cells below use the course's {name}."
RETURNS_NOTHING_YET = "{name} returns nothing yet: replace the dots (...), and run the cell again."
NO_RETURN_YET = "{name} gives nothing yet: write `return`, and behind it what it should give."
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
ASKED_FOR = "{value}   (asked for: {asked})"
AXIS = "axis {place}"
SHAPE_EXPECTED = "Shape expected"
SHAPE_YOURS = "Shape of yours"
YOUR_LINE = "Your line"
ERROR = "The error"
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
GAP_LEFT = (
    "{name} returns a `...` here: one gap is filled, and another is left. In place of that `...`, "
    "write what is to be returned."
)
HALF_DONE = "What you have filled in is right. Now the `...` that {name} still returns here."
NO_GRADIENT = (
    "{name} gives no gradient of {of}: does the result still depend on it, by torch's operations?"
)
NO_PARAMETER = "{name} has no parameter {of}."
EXTRA_PARAMETER = "{name} has a parameter {of}, which was not asked for."
OTHER_AVERAGE = (
    "Averaged over many calls, {name} gives another result than it should, by more than chance."
)
OTHER_SPREAD = "From call to call, {name} varies more or less than it should."
OTHER_DRAWS = "{name} was called {got} times; {want} were meant."
OTHER_GRADIENT = "The gradient of {of} that {name} gives is another one than it should be."
OTHER_PARAMETER = "The parameter {of} of {name} has the shape {got}; expected is {want}."
MISSING_PART = "{name} gives no {part}, which the check looks at."
EXTRA_PART = "{name} has a {part}, which was not asked for."
AS_IT_STANDS = "{said}"
RAISES = "{name} stops with {error}."
NOT_CALLED = (
    "Round brackets call what stands before them, and only a function can be called. So {name} "
    "stops with {error}."
)
NUMBER_PICKED = (
    "Square brackets pick a part out of what stands before them. Here that is a number, and a "
    "number has no parts. So {name} stops with {error}."
)
NUMBER_GIVEN = "You gave {called} the number {number}; it needs a text, or a list: {error}."
FUNCTION_PICKED = (
    "Square brackets stand behind a function, where round ones belong. So {name} stops with "
    "{error}."
)
ARGUMENT_MISSING = (
    "{name} stops with {error}. Does the bracket of `{function}` close too early, or is one of its "
    "arguments forgotten?"
)
CARET = "{name} stops: in Python `^` is no power. Write `**`, as in `d ** 0.5`."
GIVES_TWO = (
    "{name} stops: along an axis `{function}` gives two tensors, the values and their places. "
    "Take the first: `.values`."
)
PLAIN_NUMBER = (
    "{name} stops: it gives `torch.{function}` a plain number, and torch's functions take tensors. "
    "For a plain number there is `math.{function}` (after `import math`)."
)
STOPS_AT = "{name} stops at `{source}`: {what}"
RECURSES = (
    "{name} calls itself again and again, without an end (RecursionError): "
    "which of its lines uses its own name?"
)
MEMORY = (
    "{name} asks for more memory than a check gives it (MemoryError): does it make something much "
    "larger than its input, or add to a list without an end?"
)
ASKS = "{name} asks for input(); what it needs comes in its arguments."
EXITS = "{name} calls exit, which would end the whole notebook; return a result instead."
TIME = "{name} was still running after {seconds} seconds and was stopped: does a loop never end?"
CHANGES_INPUT = (
    "{name} changes its input {inputs} in place; work on a copy, because whoever calls it "
    "still needs the input."
)
PRINTS_ONLY = (
    "{name} prints and returns nothing: write `return` before what it should give. (`print` only "
    "shows; it hands nothing over.)"
)
NO_RETURN = "{name} has code, but hands nothing out: write `return` before what it should give."
RETURNS_NONE = (
    "{name} returns None each time: what stands behind `return` gives nothing back. (A call that "
    "changes something in place, such as `a.sort()`, gives nothing.)"
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
UNDEFINED = (
    "{name} uses `{used}`, which is not defined here (NameError): it is none of its arguments "
    "({arguments}), and nothing in {name} makes it."
)
IN_NUMPY = "{undefined} numpy has it: `np.{used}`."
IN_TORCH = "{undefined} In torch it is a method of the scores: `scores.softmax(dim=-1)`."
MATH = "{undefined} numpy has what `math` has: `np.sqrt`, `np.exp`."
UNDEFINED_WORD = (
    "{name} uses `{used}`, which is not defined here (NameError): nothing in {name} makes it. If "
    'you meant text, it stands in quotes: "{used}".'
)
UNBOUND = "{name} uses `{used}` before it has stored anything under that name."
IN_PLACE_ON_INPUT = (
    "{name} changes a tensor in place whose gradient is wanted (`x -= ...`, `x[...] = ...`, or a "
    "method whose name ends in `_`), and torch refuses that; make a new tensor."
)
IN_PLACE_ON_NEEDED = (
    "{name} changes a tensor in place that its gradient still needs (`x -= ...`, `x[...] = ...`, "
    "or a method whose name ends in `_`); make a new tensor."
)
LEAVES_TORCH = (
    "{name} turns a tensor into numpy's numbers, and no gradient finds its way back from there; "
    "torch has functions of its own for most of numpy's."
)
NO_WAY_BACK = (
    "{name} asks for a gradient, but the result does not depend on a tensor whose gradient is kept."
)
BACK_TWICE = (
    "{name} asks for the gradient of one result twice; torch keeps what it needs for one time."
)
GRADIENT_OF_MANY = "{name} asks for the gradient of many numbers; it is the gradient of one: a sum."
CANNOT_GO_ON = "The check cannot go on with what {name} returns: {error}."
SEVERAL = "{name} returns {got} results; one is expected."
IN_A_TUPLE = "{name} returns a tuple that holds one result: is there a comma behind it?"
COUNT = "{name} should return {want} results; yours returns {got}."
SHAPE = "{name} gives {got}; expected is {want}."
SHAPE_IN = "{name} gives {got} as {part}; expected is {want}."
SINGLE_NUMBER = "a single number"
ARRAY_OF_SHAPE = "an array of shape {shape}"
NOT_A_NUMBER = "{name} gives {what} where a number is expected, in {count} of {size} places."
NAN = "NaN (not a number)"
INFINITY = "infinity"
MINUS_INFINITY = "minus infinity"
NAN_AND_INFINITY = "NaN (not a number) and infinity"
GRADIENT_NOT_FINITE_ALONE = (
    "The {part} has {what} in {count} of {size} places; what {name} returns has none."
)
GRADIENT_NOT_FINITE = "The {part} through {name} has {what} in {count} of {size} places."
HALF_OVERFLOWS = (
    "{name} gives {what} in {count} of {size} places: half precision (float16) ends at 65504, and "
    "what is larger becomes infinity."
)
HALF = (
    "{name} gives its numbers in half precision (float16), which keeps about 3 digits; expected "
    "is {want}."
)
BRAIN = "{name} gives its numbers in bfloat16, which keeps 2 to 3 digits; expected is {want}."
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
OTHER_ORDER = "With this input the numbers are right, and the axes stand in another order."
EXTRA_AXIS = "The numbers are right; only an axis of length 1 is too many or missing."
ONE_IS_RIGHT = "Number {place} of them has the right numbers."
BROADCASTS = "The numbers agree once the smaller shape is repeated along the missing axes."
CUT = "They are whole numbers: the part behind the point was cut off."
FIRST_DIFFERENCE = "The first difference is at {place}: {want} is expected, yours has {got}."
BROKEN = "This should hold, and does not: {property}"
BORROWED = (
    "{name} uses `{used}`, a name of the notebook and none of its arguments ({arguments}). "
    "Work with these, and make all else inside the function."
)
BORROWED_ALONE = (
    "{name} uses `{used}`, a name of the notebook, which another cell may have changed. It has no "
    "arguments, so let it make what it needs."
)
ONE_FOR_ALL = (
    "Yours is one number for all; {size} are expected, as before a sum or a mean over them."
)
ONE_NUMBER_EXPECTED = "One number is expected; yours gives {size}."
ROW_NUMBERS_KEPT = (
    "{size} numbers in one row are expected: {want}; yours gives {got}, with an axis of size 1 "
    "more, such as `keepdims=True` and `[:, None]` make."
)
AXIS_KEPT = (
    "Yours has an axis of size 1 more, such as `keepdims=True`, `[:, None]` and a slice make."
)
AXIS_NOT_KEPT = (
    "{want} has an axis of size 1 more than {got}: `[:, None]` adds one, and `keepdims=True` keeps "
    "one in a sum, mean or max."
)
AXIS_TOO_MANY = (
    "Yours has one axis more, axis {axis} of size {size}: is a sum, a mean or a pick along it "
    "missing?"
)
AXIS_GONE = (
    "Yours lacks axis {axis}, of size {size}, as after a sum, a mean or a pick along that axis."
)
PARTS_RIGHT = "Right already: {right}. Not yet: {wrong}."
NO_PART_RIGHT = "Not right yet: {wrong}."

# Diagnoses
OF_PARTS = "{parts}: {mistake}"
TOGETHER = "{first} {second}"
LOOK_AT = "One thing to look at: {mistake}"

# How all numbers are related to the right ones
ALL_ZERO = "All its numbers are 0."
OTHER_SIGN = "Each number is the right one with the other sign."
TIMES = "Each number is {factor} times what it should be, in every case that fails."
N_TIMES = "Each number is n times what it should be, where n is {what}."
N_PARTS = "Each number is 1/n of what it should be, where n is {what}."
ROOT_N_TIMES = "Each number is √n times what it should be, where n is {what}."
ROOT_N_PARTS = "Each number is 1/√n of what it should be, where n is {what}."
THE_NUMBER = "the number {name}"
LAST_SIZE = "the last size of {name}"
LAST_BUT_ONE_SIZE = "the last but one size of {name}"
LARGER_BY = "Each number is larger than it should be by {shift}, in every case that fails."
SMALLER_BY = "Each number is smaller than it should be by {shift}, in every case that fails."
WITHOUT_SIGN = "The numbers are right but for their sign: none is negative."
SQUARED = "Each number is the square of the right one."
ROOT_TAKEN = "Each number is the square root of the right one."
INVERTED = "Each number is 1 divided by the right one."
LOG_TAKEN = "Each number is the logarithm of the right one."
EXP_TAKEN = "Each number is e to the power of the right one."
MINUS_FROM_ONE = "Each number is 1 minus the right one."
ADDED_UP_ALONG = "Each number is the sum of the right ones up to its place."
REVERSED = "The numbers are right, and stand from the last to the first."
ROWS_REVERSED = "The rows are right, and stand from the last to the first."
ROUNDED_TO = "The numbers are rounded to {digits} digits behind the point; leave them as they are."
COLUMNS_ADD_UP = "Each column adds up to 1; here each row should."
RIGHT_IN_OTHER_ORDER = "Each row has the right numbers, and they stand in another order."
WRONG_IN_LAST_ROW = "All is right but the last row (or the last number, where there is one row)."
WRONG_IN_FIRST_ROW = "All is right but the first row (or the first number, where there is one row)."
RIGHT_IN_FIRST_ROW = "Only the first row is right (or the first number, where there is one row)."
WRONG_IN_LAST_COLUMN = "All is right but the last column."
WRONG_IN_FIRST_COLUMN = "All is right but the first column."
WRONG_ABOVE_DIAGONAL = "All is right up to the diagonal; what stands above it is wrong."
WRONG_WHERE_ZERO = "All is right but the places where 0 is expected."
WRONG_WHERE_NEGATIVE = "All is right but the places where a negative number is expected."
