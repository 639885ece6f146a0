"""A product whose two sides do not fit: which two numbers of its error differ, in plain words."""

import re

from course_lib.notebook import sentences as s
from course_lib.words import say

MESSAGES = (  # numpy's and torch's; left: how long a row of the left side is, right: what it meets
    r"mat1 and mat2 shapes cannot be multiplied \(\d+x(?P<left>\d+) and (?P<right>\d+)x\d+\)",
    r"size mismatch, got input \(\d+\), mat \(\d+x(?P<left>\d+)\), vec \((?P<right>\d+)\)",
    r"inconsistent tensor size, expected tensor \[(?P<left>\d+)\] and src \[(?P<right>\d+)\]",
    r"^matmul: .*\(size (?P<right>\d+) is different from (?P<left>\d+)\)",
    r"not aligned: (?P<left>\d+) \(dim \d+\) != (?P<right>\d+) \(dim \d+\)",
)


def of_a_product(message: str) -> str:
    """What does not fit in a product, of numpy or torch; "" for the message of another error.

    Example:
        >>> of_a_product("size mismatch, got input (4), mat (4x2), vec (4)")[:41]
        'The two sides of this product do not fit.'
    """
    for pattern in MESSAGES:
        if found := re.search(pattern, message):
            return say(s.PRODUCT_DOES_NOT_FIT, **found.groupdict())
    return ""
