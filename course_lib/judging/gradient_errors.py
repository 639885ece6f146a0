"""What autograd's errors mean, in the course's words; its own speak of leaves and versions."""

from course_lib.judging import sentences as s

MEANINGS = (  # words of torch's message, and the sentence
    ("leaf Variable that requires grad", s.IN_PLACE_ON_INPUT),
    ("modified by an inplace operation", s.IN_PLACE_ON_NEEDED),
    ("is a view and is being modified inplace", s.IN_PLACE_ON_NEEDED),
    ("on Tensor that requires grad", s.LEAVES_TORCH),
    ("on tensor that requires grad", s.LEAVES_TORCH),
    ("does not require grad", s.NO_WAY_BACK),
    ("appears to not have been used in the graph", s.NO_WAY_BACK),
    ("backward through the graph a second time", s.BACK_TWICE),
    ("grad can be implicitly created only for scalar", s.GRADIENT_OF_MANY),
)


def meaning_of(error: BaseException) -> str:
    """The template of the sentence for an error of autograd's; "" where it is none."""
    if not isinstance(error, RuntimeError | TypeError):
        return ""
    text = str(error)
    return next((template for words, template in MEANINGS if words in text), "")
