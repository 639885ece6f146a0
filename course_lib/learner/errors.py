"""An error of the learner's code as one line."""

import re

WIDTH = 200


def shown_error(error: BaseException) -> str:
    """An error's type and its message, where it has one, without the full stop at its end."""
    name = type(error).__name__
    try:
        message = shortened(str(error))
    except Exception:  # a learner's exception may fail to show itself
        return name
    if message.endswith(".") and not message.endswith("..."):
        message = message[:-1]  # the sentence around it has its own
    return f"{name}: {message}" if message else name


def shortened(text: str) -> str:
    """One line of at most 200 characters, without addresses and further notes of a library."""
    text = re.sub(r" at 0x[0-9a-fA-F]+|, with gufunc signature \S+", "", " ".join(text.split()))
    text = re.sub(r"(invalid combination of arguments - got .*?), but expected .*", r"\1", text)
    return text if len(text) <= WIDTH else text[: WIDTH - 4] + " ..."
