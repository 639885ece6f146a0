"""Sentences about shapes that do not fit, and what would fit; the fields are filled by `say`."""

# Shapes that do not fit, in the names of the learner's own line
TWO_PARTS = "{shapes}; {rule}"
HAS_SHAPE = "`{source}` has shape {shape}"
IS_ONE_NUMBER = "`{source}` is a single number"
AND = "{first} and {second}"
COMMA = "{first}, {second}"
OR = "{first} or {second}"
EXPRESSION = "`{expression}`"
IN_GENERAL = "there {shapes}."
IN_GENERAL_SAID = "{error}. There {shapes}."
PRODUCT_RULE = (
    "for `{op}` a row of the first ({left} numbers) must be as long as a column of the second "
    "({right})."
)
PRODUCT_WITH_VECTOR_RULE = (
    "for `{op}` a row of the first ({left} numbers) must be as long as the second ({right})."
)
PRODUCT_OF_VECTOR_RULE = (
    "for `{op}` the first ({left} numbers) must be as long as a column of the second ({right})."
)
VECTORS_RULE = "for `{op}` two rows of numbers must have the same size, not {left} and {right}."
INNER_RULE = "for `{op}` the last sizes of both must be equal, not {left} and {right}."
BATCH_RULE = (
    "`{op}` multiplies the last two axes; the sizes before them must be equal or 1, not {left} "
    "and {right}."
)
NEEDS_AXES = "`{op}` takes two tensors of {axes} axes each; `@` takes others, too."
DOT_OF_TORCH = "torch's `dot` takes two tensors of one axis each; `@` takes others, too."
PRODUCT_OF_NUMBER = "`{op}` multiplies arrays; `*` multiplies by a single number."
ENTRYWISE_RULE = (
    "`{op}` works entry by entry, so their sizes must be equal, or one of them 1; {at} they are "
    "{left} and {right}."
)
AT_LAST_AXIS = "in the last place"
AT_RESULTS_AXIS = "at axis {axis} of the result"
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
INDEX_KIND = "`{index}` is no whole number ({kind}), and the places are counted in whole numbers."
PART_RULE = (
    "`{source}` has {size} parts, so its places are 0 to {last} (from the end, -1 to -{size}); "
    "there is no place {index}."
)
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
TEXT_INDEX_RULE = (
    "behind a text, here `{source}`, one whole number goes between the square brackets. In "
    "`{index}` stands a comma, so that is two."
)
TEXT_AND_NUMBER_RULE = "`{text}` is a text and `{number}` a number, and those two cannot be added."
TRUTH_RULE = (
    "a whole array is neither true nor false: `if`, `and`, `or` and `not` need a single answer. "
    "Entry by entry say `&`, `|`, `~` and `np.where`."
)
GIVEN_RULE = (
    "a whole array is neither true nor false, and `if` needs a single answer. Whether it was given "
    "at all, `{source} is not None` asks."
)
COMPARES_RULE = (
    "`{called}` asks which of them is larger, and whole arrays have no single answer. Entry by "
    "entry say `np.maximum` or `torch.maximum` (or `minimum`); of one array, `.max()` and `.min()`."
)
ONE_NUMBER_RULE = (
    "`{called}` takes a single number; the functions of numpy and torch take whole arrays."
)
NOT_GIVEN = (
    "`{source}` is None here, as none was given. Ask first: `if {source} is not None:`, with the "
    "line that uses it below."
)
NO_WHOLE_NUMBER = (
    "`{source}` is {value}, with a decimal point, and sizes and places are whole numbers. `/` "
    "always makes a decimal point; `//` does not."
)
TAKES_VECTORS = "`{called}` takes vectors, not tables."
CALLED_ABOVE = "the cause stands above it, in `{call}`. There {what}"
TAKES = "`{called}` takes {listed}."
HALF_RULE = "half precision (float16) has no number beyond 65504."
DTYPES = (
    "`{left}` holds {first} and `{right}` {second}; torch multiplies tensors of one and the same "
    "type."
)

# What would fit by the sizes
TURNED_TOO_MUCH = "`{source}` is turned: as `{base}` it has shape {shape}, which fits."
TO_BE_TURNED = "`{source}` is the wrong way round: `{better}` has shape {shape}, which fits."
TURNS_NOTHING = (
    "`{source}` leaves every axis where it is: it takes the axes in their new order, and 0, 1 is "
    "the old one. `{better}` has shape {shape}, which fits."
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
    "For one number of each pair one of them needs an axis: `{expression}` has shape {shape}, and "
    "`{other}` has shape {turned}."
)
MEANS_PRODUCT = (
    "`*` multiplies entry by entry; `{expression}` is the product of matrices, and fits: its shape "
    "is {shape}."
)
TABLES_BY_AT = (  # which side is turned for it, the learner finds
    "For tables there is `@`: each row of what stands on its left meets each column of what stands "
    "on its right."
)
JOINS_ALONG = "Along axis {axis} `{name}` fits."
SEVERAL_FIT = "By their sizes these fit: {expressions}. Which is meant, the formula says."
