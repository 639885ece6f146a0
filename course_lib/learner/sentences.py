"""Sentences about a learner's code and state; `say` fills the fields in braces."""

# What is bound to the learner's name
FAILED_LATER = "Your {name} failed here ({error}); this cell goes on with the course's {name}."
FAILED_ON_SHAPE = (
    "Your {name} failed here, called with shape {given} ({error}); is that what it takes? "
    "This cell goes on with the course's {name}."
)
NO_RESULT_LATER = (
    "Your {name} returned nothing usable here; this cell goes on with the course's {name}."
)

# State on disk
DAMAGED = "The saved state of {name} was damaged; it was set aside as {file}."
DAMAGED_AND_STAYS = (
    "The saved state of {name} is damaged and could not be set aside ({error}); it counts as none."
)
UNWRITABLE = "Your progress cannot be saved on this computer ({error}); all else works."

# Why the learner's data cannot be drawn
NO_VALUE = "it gives no value where one is needed"
NO_NUMBER = "it gives something that is not a number"
SHAPE_NEEDED = "it gives shape {got} where shape {want} is needed"
NOT_FINITE = "it gives values that are not finite numbers (NaN or infinity)"
