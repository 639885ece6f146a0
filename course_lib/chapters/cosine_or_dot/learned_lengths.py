"""The long key and the short query of two models that later chapters train.

keys = trained_keys()              # of chapter 4's second model, key 0 first: trained in seconds
queries = trained_queries()        # of chapter 5's words, first that of a hidden word
word_weights(queries[0], 7.4)      # its weights on the 50 words if it were 7.4 long
word_keys()                        # the keys of these 50 words
missing_queries()                  # of the names that are asked for and not in the text
share_of_key_0(keys)               # how often key 0 gets most, where the name is not in the text
"""

from importlib.resources import as_file, files

import numpy as np
from safetensors.numpy import load_file

from course_lib.kernels.softmax import softmax
from course_lib.models.copying_numpy import normed
from course_lib.models.recall import FACTOR, START, Questions, trained_or_none

WORDS = "words.safetensors"  # read without torch, which chapter 5 is the first to need
MOST = 0.5


def trained_keys() -> np.ndarray:
    """The keys of all names, that of "nothing" first, in the model that learned to say "nothing".

    Shapes: -> (z, d)
    """
    parameters, _ = trained_or_none()
    return parameters["x"] @ parameters["W_k"]


def share_of_key_0(keys: np.ndarray) -> float:
    """In which share of the texts without the name key 0 gets more than half of the attention.

    Shapes: keys (z, d)
    """
    parameters, asked = trained_or_none()
    queries = parameters["x"] @ parameters["W_q"]
    scores = FACTOR * (queries @ keys.T)[asked.asked[:, None], asked.names]
    return float((softmax(scores)[_missing(asked), START] > MOST).mean())


def missing_queries() -> np.ndarray:
    """The queries of that model in the texts without the name that is asked for.

    Shapes: -> (texts, d)
    """
    parameters, asked = trained_or_none()
    return (parameters["x"] @ parameters["W_q"])[asked.asked[_missing(asked)]]


def _missing(asked: Questions) -> np.ndarray:
    """In which texts the name that is asked for does not stand."""
    return ~(asked.names == asked.asked[:, None]).any(axis=1)


def trained_queries() -> np.ndarray:
    """The queries of the words of chapter 5's model, that of a hidden word first.

    Shapes: -> (words, m)
    """
    return _projected("w_q")


def word_keys() -> np.ndarray:
    """The keys of the words of that model, without that of a hidden word.

    Shapes: -> (words - 1, m)
    """
    return _projected("w_k")[1:]


def word_weights(query: np.ndarray, length: float) -> np.ndarray:
    """The weights that a query, made so long, gives the words of that model, as it makes them.

    Chapter 3 says why the scores are divided.

    Shapes: query (m) -> (words - 1)
    """
    scores = word_keys() @ query * (length / np.linalg.norm(query))
    return softmax(scores / np.sqrt(len(query)))


def _projected(name: str) -> np.ndarray:
    """What a matrix of chapter 5's model makes of its words."""
    with as_file(files("course_lib.models") / "weights" / WORDS) as path:
        weights = load_file(path)
    every = np.ones(weights["embedding"].shape[1])
    return normed(weights["embedding"], every, 0 * every) @ weights[name]
