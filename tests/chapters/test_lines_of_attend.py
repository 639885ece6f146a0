"""Chapter 5's sentence: its row by hand, and the shuffled lines of `attend` on it."""

import inspect
import itertools
import math
import re

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.queries_keys_values import handout
from course_lib.chapters.queries_keys_values.exercises import attend as attend_exercise
from course_lib.chapters.queries_keys_values.key_check import check_key
from course_lib.judging import judge

SENTENCE = (
    torch.tensor([[0.0, 3], [1, 0], [2, 1]]),
    torch.tensor([[2.0, 0], [0, 0], [1, 1]]),
    torch.tensor([[5.0, 1, 0], [0, 0, 4], [1, 5, 0]]),
)
RIGHT = (
    "table = q @ k.transpose(-2, -1)",
    "table = table / math.sqrt(k.shape[-1])",
    "table = torch.softmax(table, dim=-1)",
    "return table @ v",
)
SLIPS = {  # the line that it stands for: the slip
    0: "table = q @ k.T",
    1: "table = table / math.sqrt(k.shape[-2])",
    2: "table = torch.softmax(table, dim=0)",
    3: "return table @ k",
}
SHUFFLED = [*RIGHT[1:3], SLIPS[1], SLIPS[2]]


def verdict(answer):
    return judge("05_queries_keys_values/attend", answer)


def from_lines(lines):
    names = {"math": math, "torch": torch}
    exec("def attend(q, k, v):\n" + "\n".join(f"    {line}" for line in lines), names)
    return names["attend"]


def with_slip(place):
    return from_lines([*RIGHT[:place], SLIPS[place], *RIGHT[place + 1 :]])


def test_the_row_by_hand_is_that_of_the_chapters_sentence():
    output = scaled_dot_product_attention(*SENTENCE)
    scores = SENTENCE[0] @ SENTENCE[1].T / math.sqrt(2)
    *weights, first = handout.exercises["row_of_is"].answer()
    assert torch.allclose(torch.tensor(weights), scores.softmax(dim=-1)[1])
    assert first == pytest.approx(output[1, 0].item(), abs=1e-5)


def test_the_first_line_is_given_the_last_is_typed_and_two_of_four_between_them_are_slips():
    source = inspect.getsource(attend_exercise)
    stub = re.search(r"# STUB\n(.*?)# END SOLUTION", source, re.S).group(1)
    assert f"    # {RIGHT[0]}  #" in stub
    slips = [line for place, line in SLIPS.items() if place in (1, 2)]
    assert sorted(re.findall(r"# # (.*)", stub)) == sorted([*RIGHT[1:3], *slips])
    assert verdict(from_lines(RIGHT)).state == "right"


@pytest.mark.parametrize("place", SLIPS)
def test_each_slip_runs_on_the_chapters_sentence_and_is_refused_with_a_known_mistake(place):
    output = with_slip(place)(*SENTENCE)
    right = torch.allclose(output, scaled_dot_product_attention(*SENTENCE)) if place < 3 else False
    assert right == (place == 0)
    found = verdict(with_slip(place))
    assert found.state == "wrong"
    assert found.mistake


@pytest.mark.parametrize("chosen", list(itertools.permutations(SHUFFLED, 2)))
def test_any_two_of_the_shuffled_lines_in_any_order_run_and_are_told_what_is_wrong(chosen):
    answer = from_lines([RIGHT[0], *chosen, RIGHT[3]])
    assert answer(*SENTENCE).shape == (3, 3)
    found = verdict(answer)
    assert found.state == ("right" if chosen == RIGHT[1:3] else "wrong")
    assert bool(found.mistake) == (found.state == "wrong")


@pytest.mark.parametrize("chosen", list(itertools.permutations(SHUFFLED, 2)))
def test_who_returns_the_table_is_told_to_average_with_it(chosen):
    found = verdict(from_lines([RIGHT[0], *chosen, "return table"]))
    assert found.state == "wrong"
    assert found.mistake
    assert "You returned the" in found.text
    assert ("Two things" in found.text) == (chosen != RIGHT[1:3])


@pytest.mark.parametrize("chosen", [(), *((one,) for one in SHUFFLED)])
@pytest.mark.parametrize("last", ["return table @ v", "return table"])
def test_too_few_lines_are_told_what_is_missing(chosen, last):
    found = verdict(from_lines([RIGHT[0], *chosen, last]))
    assert found.state == "wrong"
    assert found.mistake


@pytest.mark.parametrize(
    "chosen", [*itertools.permutations(SHUFFLED, 3), *itertools.permutations(SHUFFLED, 4)]
)
def test_more_than_two_lines_are_told_so(chosen):
    found = verdict(from_lines([RIGHT[0], *chosen, RIGHT[3]]))
    assert found.state == "wrong"
    assert "More than two of the four lines run" in found.text


@pytest.mark.parametrize("chosen", list(itertools.permutations(SHUFFLED, 2)))
def test_who_averages_the_keys_is_told_to_average_the_values(chosen):
    found = verdict(from_lines([RIGHT[0], *chosen, SLIPS[3]]))
    assert found.state == "wrong"
    assert "You averaged the keys" in found.text
    assert ("Two things" in found.text) == (chosen != RIGHT[1:3])


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (lambda x, w_q, w_k, w_v: x[2] @ w_k, "[1, 1]: ✓ this is its key"),
        (lambda x, w_q, w_k, w_v: (x[2] @ w_k).numpy(), "[1, 1]: ✓ this is its key"),
        (lambda x, w_q, w_k, w_v: x[2] @ w_q, "[2, 1]: not yet: this is its query"),
        (lambda x, w_q, w_k, w_v: x[2] @ w_v, "[1, 5, 1]: not yet: this is its value"),
        (lambda x, w_q, w_k, w_v: torch.zeros(2), "[0, 0]: the zeros still stand there"),
        (lambda x, w_q, w_k, w_v: x @ w_k, "[2, 0], [0, 0], [1, 1]: not yet: there are several"),
        (lambda x, w_q, w_k, w_v: x[0] @ w_k, "[2, 0]: not yet: its row of x, times the matrix"),
    ],
)
def test_the_key_of_sleeping_is_told_from_its_query_and_its_value(made, says, capsys):
    x = torch.tensor([[1.0, 0, 1, 0], [0, 0, 0, 1], [0, 1, 1, 0]])
    w_q = torch.tensor([[0.0, 2], [2, 0], [0, 1], [1, 0]])
    w_k = torch.tensor([[1.0, 0], [0, 1], [1, 0], [0, 0]])
    w_v = torch.tensor([[4.0, 0, 0], [0, 4, 0], [1, 1, 1], [0, 0, 4]])
    check_key("sleeping", made(x, w_q, w_k, w_v), x[2], w_q, w_k, w_v)
    assert f"the key of sleeping: {says}" in capsys.readouterr().out
