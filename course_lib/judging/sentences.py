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

# Shapes that do not fit, in the names of the learner's own line
STOPS_AT = "{name} stops at `{source}`: {what}"
TWO_PARTS = "{shapes}; {rule}"
HAS_SHAPE = "`{source}` has shape {shape}"
IS_ONE_NUMBER = "`{source}` is a single number"
AND = "{first} and {second}"
OR = "{first} or {second}"
EXPRESSION = "`{expression}`"
IN_GENERAL = "there {shapes}."
PRODUCT_RULE = (
    "for `{op}` the last size of the first ({left}) must equal the last but one of the second "
    "({right})."
)
PRODUCT_WITH_VECTOR_RULE = (
    "for `{op}` the last size of the first ({left}) must equal the size of the second ({right})."
)
PRODUCT_OF_VECTOR_RULE = (
    "for `{op}` the size of the first ({left}) must equal the last but one of the second ({right})."
)
VECTORS_RULE = "for `{op}` two rows of numbers must have the same size, not {left} and {right}."
INNER_RULE = "for `{op}` the last sizes of both must be equal, not {left} and {right}."
BATCH_RULE = (
    "`{op}` multiplies the last two axes; the sizes before them must be equal or 1, not {left} "
    "and {right}."
)
NEEDS_AXES = "`{op}` takes two tensors of {axes} axes each; `@` takes others, too."
PRODUCT_OF_NUMBER = "`{op}` multiplies arrays; `*` multiplies by a single number."
ENTRYWISE_RULE = (
    "`{op}` works entry by entry, so their sizes must be equal or 1, counted from the last axis; "
    "{at} they are {left} and {right}."
)
AT_LAST_AXIS = "at the last axis"
AT_AXIS = "at axis -{axis}"
LAYER_RULE = "`{layer}` takes rows of {size} numbers, and that is not the last size."
IN_PLACE_RULE = (
    "`{op}` writes into the left one, which keeps its shape; the result would have shape {made}."
)
RESHAPE_RULE = "these are {count} numbers, and the new shape {shape} has {places} places."
RESHAPE_REST_RULE = (
    "these are {count} numbers, and {count} cannot be divided by the {places} of {shape} "
    "(-1 stands for the rest)."
)
VIEW_RULE = (
    "its axes were exchanged, so its numbers do not lie in that order in memory, and `view` moves "
    "none; `reshape` copies where it must."
)
AXES = "its axes are 0 to {last} (from the end, -1 to -{count}); there is no axis {axis}."
TWO_AXES = "its axes are 0 and 1 (from the end, -1 and -2); there is no axis {axis}."
ONE_AXIS = "its only axis is 0 (from the end, -1); there is no axis {axis}."
NO_AXES = "a single number has no axes, so no axis {axis}."
ORDER_RULE = (
    "all {count} axes are to be named in their new order; here it is {given}. "
    "`.swapaxes(-1, -2)` exchanges the last two."
)
SWAP_RULE = (
    "torch's `transpose` exchanges two axes, so it takes two numbers, not {given}; `permute` takes "
    "the whole new order."
)
INDEX_RULE = (
    "along axis {axis} its places are 0 to {last} (from the end, -1 to -{size}); "
    "there is no place {index}."
)
INDEX_OF_NOTHING = "axis {axis} is empty, so there is no place {index}."
INDICES_RULE = "it takes at most {count} indices between the brackets; here are more."
MASK_INDEX_RULE = "a mask between the brackets needs the shape of the axes that it picks from."
UNPACK_SHAPE_RULE = "its shape has {sizes} sizes, and {names} names stand on the left."
UNPACK_RULE = "these are {parts} parts, and {names} names stand on the left."
ASSIGN_RULE = "what is written into `{target}` needs its shape."
ASSIGN_ONE_RULE = "`{target}` is one place, which holds one number and no array."
STACK_RULE = "`{name}` lays arrays of one and the same shape on top of each other."
CONCATENATE_RULE = (
    "`{name}` puts them one behind the other along axis {axis}, so all other sizes must be equal."
)
EINSUM_AXES = "`{letters}` are {count} letters; each axis has one, and `{source}` has {axes} axes."
EINSUM_SIZES = "the letter `{letter}` would be {left} in the one and {right} in the other."
TRUTH_RULE = (
    "a whole array is neither true nor false: `if`, `and`, `or` and `not` need a single answer. "
    "Entry by entry say `&`, `|`, `~` and `np.where`."
)
COMPARES_RULE = (
    "`{called}` asks which of them is larger, and whole arrays have no single answer; numpy and "
    "torch have functions of their own for arrays."
)
ONE_NUMBER_RULE = (
    "`{called}` takes a single number; the functions of numpy and torch take whole arrays."
)
DTYPES = (
    "`{left}` holds {first} and `{right}` {second}; torch multiplies tensors of one and the same "
    "type."
)

# What would fit by the sizes
TURNED_TOO_MUCH = "`{source}` is turned: as `{base}` it has shape {shape}, which fits."
TO_BE_TURNED = "`{source}` is the wrong way round: `{better}` has shape {shape}, which fits."
TURNS_NOTHING = (
    "`{source}` leaves every axis where it is: numpy's `transpose` takes the axes in their new "
    "order, and 0, 1 is the old one. `{better}` has shape {shape}, which fits."
)
TURNS_OTHER_AXES = (
    "`{source}` does not exchange the last two axes; `{better}` does, and its shape {shape} fits."
)
EXCHANGED = "The other way round it fits: `{expression}` gives {shape}."
FITS_AS = "By the sizes `{expression}` fits; it gives {shape}."
NEEDS_AXIS = (
    "`{source}` lacks an axis: as `{indexed}`, with shape {shape}, it fits. Where a sum, mean, max "
    "or norm made it, `keepdims=True` keeps that axis."
)
NEEDS_SEVERAL_AXES = "`{source}` lacks axes: as `{indexed}`, with shape {shape}, it fits."
ONE_FOR_EACH_PAIR = (
    "For one number of each pair the first needs an axis: `{expression}` has shape {shape}."
)
MEANS_PRODUCT = (
    "`*` multiplies entry by entry; `{expression}` is the product of matrices, and fits: its shape "
    "is {shape}."
)
JOINS_ALONG = "Along axis {axis} `{name}` fits."
SEVERAL_FIT = "By their sizes these fit: {expressions}. Which is meant, the formula says."
