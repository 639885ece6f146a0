"""Answers that try to break the check, and a word that their verdict must hold."""

import os
import sys
import time
from contextlib import suppress

import numpy as np
import torch


def raises(*args):
    return undefined_name  # noqa: F821


def nan(*args):
    return np.full((2, 3), np.nan)


def text(*args):
    return "0.5"


def wrong_shape(*args):
    return np.zeros((13, 17, 19))


def generator(*args):
    yield 1.0


def recursion(*args):
    return recursion(*args)


def recursion_without_a_limit(*args):
    sys.setrecursionlimit(10**9)
    return recursion_without_a_limit(*args)


def leaves_at_once(*args):
    os._exit(3)


def too_large(*args):
    return np.ones(2**31)


def too_large_a_tensor(*args):
    return torch.ones(2**31, dtype=torch.float64)


def grows_without_end(*args):
    kept = []
    while True:
        kept.append(np.zeros(2**26))


def never_ends_and_catches_all(*args):
    while True:
        try:
            time.sleep(0.001)
        except:  # noqa: E722
            continue


def leaves(*args):
    sys.exit(3)


def many_prints(*args):
    for number in range(50):
        print("line", number)
    return 1.5


def a_function(*args):
    return a_function


def a_dict(*args):
    return {"a": 1}


def a_set(*args):
    return {1.0}


def a_method(*args):
    return [1.0].copy


def ragged(*args):
    return [[1.0, 2.0], [3.0]]


async def coroutine(*args):
    return 1.0


def an_iterator(*args):
    return map(abs, [1.0])


def an_object(*args):
    return object()


def evil_object(*args):
    class Evil:
        def __eq__(self, other):
            raise RuntimeError("no comparison")

        def __repr__(self):
            raise RuntimeError("no repr")

        __hash__ = None

    return Evil()


def objects(*args):
    return np.array([object()])


def warns(*args):
    return np.log(np.zeros((2, 3))) - np.log(np.zeros((2, 3)))


def raises_without_message(*args):
    raise ValueError


def raises_oddly(*args):
    class Odd(BaseException):
        def __str__(self):
            raise RuntimeError("no text")

    raise Odd


def never_ends(*args):
    while True:
        with suppress(Exception):
            time.sleep(0.001)


ALL = {
    raises: "NameError",
    nan: "NaN",
    text: "text",
    wrong_shape: "shape",
    generator: "yield",
    recursion: "without an end",
    recursion_without_a_limit: "without an end",
    leaves: "exit",
    leaves_at_once: "exit",
    many_prints: "",
    a_function: "not called",
    a_dict: "dict",
    a_set: "set",
    a_method: "not called",
    ragged: "different lengths",
    coroutine: "async",
    an_iterator: "list(...)",
    an_object: "no array",
    evil_object: "no array",
    objects: "no array",
    warns: "NaN",
    raises_without_message: "ValueError",
    raises_oddly: "Odd",
}
