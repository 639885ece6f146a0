"""The copying model in numpy: it says what torch says, and its heads can be replaced."""

import itertools
import subprocess
import sys

import numpy as np
import pytest
import torch

from course_lib.kernels.softmax import softmax
from course_lib.models import copying_numpy
from course_lib.models.copying import (
    continued_text,
    copying_accuracy,
)
from course_lib.models.copying_numpy import fresh_strings, rule_right, share_right, without
from course_lib.models.copying_text import (
    BLOCKS,
    HEADS,
    LENGTH,
    LONGEST,
    SHORTEST,
    encode,
)
from tests.models.copying_samples import THE_ONE, torch_loudness

SAMPLES = ("giraffe pogir", "qxzvkjbwmpqxz", "a", "attention att", "hello world hel")


@pytest.fixture(scope="module")
def in_numpy():
    return copying_numpy.load_copying()


# In numpy


def test_numpy_says_what_torch_says(shipped, in_numpy):
    ids, _ = fresh_strings(7, np.random.default_rng(3))
    for loudness in (np.ones((BLOCKS, HEADS)), without(2), without(7, loudness=0.3)):
        theirs = shipped(torch.from_numpy(ids), loudness=torch_loudness(loudness)).numpy()
        np.testing.assert_allclose(in_numpy.scores(ids, loudness), theirs, atol=1e-3)
    for t in (1, 13):  # one string, and short ones
        theirs = shipped(torch.from_numpy(ids[0, :t])).numpy()
        np.testing.assert_allclose(in_numpy.scores(ids[0, :t]), theirs, atol=1e-3)


def test_numpy_continues_as_torch_does(shipped, in_numpy):
    for text, off in itertools.product(SAMPLES, (None, without(5))):
        loudness = {} if off is None else {"loudness": off}
        theirs = {} if off is None else {"loudness": torch_loudness(off)}
        assert in_numpy.continued(text, 8, **loudness) == continued_text(shipped, text, 8, **theirs)


def test_maps_agree_and_look_at_nothing_later(shipped, in_numpy):
    ours = in_numpy.maps("giraffe pogir", without(3))
    ids = torch.from_numpy(encode("giraffe pogir"))
    theirs = shipped.maps(ids, loudness=torch_loudness(without(3))).numpy()
    np.testing.assert_allclose(ours, theirs, atol=1e-4)
    assert ours.shape == (BLOCKS, HEADS, 13, 13)
    np.testing.assert_allclose(ours.sum(axis=-1), 1, rtol=1e-5)
    assert not np.triu(ours, 1).any()


def test_numpy_counts_accuracy_as_torch_does(shipped, in_numpy):
    for loudness in (np.ones((BLOCKS, HEADS)), without(THE_ONE), without(THE_ONE, loudness=0.25)):
        theirs = copying_accuracy(shipped, 200, loudness=torch_loudness(loudness))
        assert share_right(in_numpy, 200, loudness=loudness) == pytest.approx(theirs, abs=0.05)


def test_strings_of_one_period_can_be_asked_for(in_numpy):
    ids, known = fresh_strings(5, np.random.default_rng(0), 7)
    assert (ids[:, 7:] == ids[:, :-7]).all()
    assert (known == (np.arange(1, LENGTH) > 7)).all()
    assert share_right(in_numpy, 20, period=24) > 0.97


def test_a_rule_is_asked_for_each_letter_that_can_be_known():
    def a_round_back(text):
        """Right always: it looks for the period."""
        for period in range(SHORTEST, LONGEST + 1):
            if text[period:] and text[period:] == text[:-period]:
                return text[len(text) - period]
        return "?"

    assert rule_right(a_round_back) > 0.95
    assert rule_right(lambda text: "?") == 0
    assert 0.01 < rule_right(lambda text: "e") < 0.08


@pytest.mark.parametrize("head", [0, 9, 1.5, "2"])
def test_a_head_that_there_is_not_is_refused(head):
    with pytest.raises(ValueError, match="numbered from 1 to 8"):
        without(head)


@pytest.mark.parametrize("head", range(1, BLOCKS * HEADS + 1))
def test_what_meets_in_a_head_makes_the_shares_of_its_last_letter(in_numpy, head):
    q, k = in_numpy.meeting("giraffe pogir", head)
    assert q.shape == (1, 16)
    assert k.shape == (13, 16)
    shares = in_numpy.maps("giraffe pogir")[divmod(head - 1, HEADS)][-1]
    np.testing.assert_allclose(softmax(q @ k.T)[0], shares, atol=1e-6)


def test_queries_are_handed_out_undivided_on_request(in_numpy):
    ids, heads = encode("giraffe pogir"), range(1, BLOCKS * HEADS + 1)
    every = in_numpy.with_heads(heads, lambda q, k, v: in_three_lines(q / 4, k, v), divided=False)
    np.testing.assert_allclose(every.scores(ids), in_numpy.scores(ids), atol=1e-3)


def test_nothing_meets_in_a_head_that_there_is_not(in_numpy):
    for head in (0, BLOCKS * HEADS + 1):
        with pytest.raises(ValueError, match="they are numbered from 1 to 8"):
            in_numpy.meeting("giraffe", head)


def in_three_lines(q, k, v):
    return softmax(q @ k.T) @ v


def test_three_lines_in_every_head_are_the_model(in_numpy):
    every = in_numpy.with_heads(range(1, BLOCKS * HEADS + 1), in_three_lines)
    ids, _ = fresh_strings(2, np.random.default_rng(3))
    np.testing.assert_allclose(every.scores(ids), in_numpy.scores(ids), atol=1e-3)
    assert every.continued("giraffe pogir", 6) == "affe p"


def test_a_replaced_head_does_what_its_function_says(in_numpy):
    def silent(q, k, v):
        return np.zeros((1, v.shape[1]))

    ids = encode("giraffe pogir")
    for head in (2, 5):
        replaced = in_numpy.with_heads([head], silent)
        np.testing.assert_allclose(replaced.scores(ids), in_numpy.scores(ids, without(head)))


def test_scores_turned_around_no_longer_copy(in_numpy):
    def turned(q, k, v):
        return in_three_lines(-q, k, v)

    assert in_numpy.with_heads(range(1, 9), turned).continued("giraffe pogir", 6) != "affe p"


def test_no_head_that_there_is_not_can_be_replaced(in_numpy):
    with pytest.raises(ValueError, match="head 9: they are numbered from 1 to 8"):
        in_numpy.with_heads([9], in_three_lines)


def test_switching_off_leaves_the_other_heads_alone():
    assert without(2).tolist() == [[1, 0, 1, 1], [1, 1, 1, 1]]
    assert without(8, loudness=0.5).tolist() == [[1, 1, 1, 1], [1, 1, 1, 0.5]]
    assert without(1, 5).tolist() == [[0, 1, 1, 1], [0, 1, 1, 1]]
    assert without().all()


def test_the_numpy_version_needs_no_torch():
    code = (
        "import sys; from course_lib.models.copying_numpy import load_copying; "
        "print(load_copying().continued('giraffe pogir', 6)); assert 'torch' not in sys.modules"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "affe p\n"
