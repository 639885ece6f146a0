"""Every sentence that a learner reads is a template; `say` fills it at the last moment.

A second language is a catalogue from the English template to its translation, so no chapter,
exercise or explorer changes when one is added.
"""

from __future__ import annotations  # environment.py says why

import os

CATALOGUES: dict[str, dict[str, str]] = {}


def say(template: str, /, **values) -> str:
    """The sentence of `template` in the learner's language, its named fields filled.

    The language is the environment variable COURSE_LANG ("en" where it is unset); a sentence
    without a translation stays English.

    Raises: KeyError, if a field of the template has no value.
    Example:
        >>> say("Your {name} is right.", name="dot")
        'Your dot is right.'
    """
    catalogue = CATALOGUES.get(os.environ.get("COURSE_LANG", "en"), {})
    return catalogue.get(template, template).format(**values)
