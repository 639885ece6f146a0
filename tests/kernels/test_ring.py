"""Attention over several processes: as one process computes it, and clear where it cannot be."""

import math
import re

import pytest
import torch
import torch.distributed as dist

from course_lib.kernels.ring_parts import lengths, part_of, places, stretches, together
from course_lib.measures.ring_cost import bytes_sent, idle_share, pairs_by_step
from tests.kernels import ring_team
from tests.kernels.ring_team import Team

pytestmark = pytest.mark.skipif(
    not (dist.is_available() and dist.is_gloo_available()),
    reason="this PyTorch has no gloo, by which processes talk on a CPU",
)
FLOOR = 4  # roundings of the largest number, where the plain formula happens to be exact


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    """Four processes; groups of two and of three of them."""
    four = Team(4, tmp_path_factory.mktemp("four"))
    yield four
    four.close()


@pytest.fixture
def gather(tmp_path):
    """Other teams, closed at the end."""
    made = []

    def of(size, **options):
        made.append(Team(size, tmp_path, **options))
        return made[-1]

    yield of
    for one in made:
        one.close()


def found(answers):
    """The answers, if none is a sentence."""
    for one in answers:
        assert not isinstance(one, str), one
    return answers


# As one process computes it


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("deal", ["zigzag", "stretches"])
@pytest.mark.parametrize("n", [1, 7, 24, 37])  # fewer words than stretches, uneven, even
def test_in_float64_all_is_as_in_one_process(team, size, causal, deal, n):
    given = (n, (4, 2), (8, 6), "float64", causal, deal, None)
    for told in found(team.ask(ring_team.errors, *given, size=size)):
        for error, _, largest in told:
            assert error <= 1e-12 * max(largest, 1)


@pytest.mark.parametrize("name", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize(
    ("n", "heads", "causal", "scale"),
    [(300, (2, 2), True, None), (131, (6, 2), True, 0.4), (64, (3, 1), False, None)],
)
def test_an_error_is_at_most_twice_the_plain_formulas(team, name, n, heads, causal, scale):
    """The rule of the FlashAttention repository."""
    eps = torch.finfo(getattr(torch, name)).eps
    given = (n, heads, (16, 16), name, causal, "zigzag", scale)
    answers = found(team.ask(ring_team.errors, *given))
    for output_or_gradient in zip(*answers, strict=True):  # over all processes
        error, its, largest = (max(one) for one in zip(*output_or_gradient, strict=True))
        assert error <= 2 * its + FLOOR * eps * max(largest, 1)


@pytest.mark.parametrize(("causal", "balanced"), [(False, False), (True, False), (True, True)])
def test_pytorchs_own_ring_gives_the_same(team, causal, balanced):
    answers = team.ask(ring_team.pytorchs, 32, causal, balanced)
    if isinstance(answers[0], str):
        pytest.skip(answers[0])
    assert max(found(answers)) < 1e-12


def test_a_second_derivative_is_refused(team):
    for told in team.ask(ring_team.second_gradient, size=2):
        assert "ring_attention has a first derivative only" in told


# What it costs


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize(
    ("n", "name", "deal"),
    [(24, "bfloat16", "zigzag"), (37, "float32", "zigzag"), (10, "float64", "stretches")],
)
def test_what_is_sent_is_what_the_formula_says(team, size, back, n, name, deal):
    answers = found(team.ask(ring_team.steps, n, (8, 6), name, True, deal, back, size=size))
    each = getattr(torch, name).itemsize
    row = {"g": 2 * 2, "d": 8, "e": 6, "each": each, "wide": max(4, each), "deal": deal}
    for rank, (log, sent) in enumerate(answers):
        ways = (False, True) if back else (False,)
        formula = sum(bytes_sent(n, size, rank, **row, backward=way) for way in ways)
        assert sent == sum(step[2] for step in log) == formula
        assert len(log) == size * len(ways)


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("deal", ["zigzag", "stretches"])
def test_the_pairs_of_each_step_are_those_counted(team, size, deal):
    answers = found(team.ask(ring_team.steps, 37, (8, 6), "float32", True, deal, False, size=size))
    steps = [[log[step][1] for log, _ in answers] for step in range(size)]
    assert steps == pairs_by_step(37, size, causal=True, deal=deal)
    assert sum(map(sum, steps)) == 37 * 38 // 2  # each allowed pair once


@pytest.mark.parametrize("size", [2, 3, 4, 8])
def test_dealt_in_zigzag_nobody_waits(size):
    n = 16 * size
    assert idle_share(n, size, causal=True) == 0
    assert idle_share(n + 3, size, causal=True) < 0.15
    waits = idle_share(n, size, causal=True, deal="stretches")
    assert waits == pytest.approx((size - 1) / (2 * size - 1), abs=0.03)
    assert idle_share(n, size, causal=False, deal="stretches") == 0


def test_no_process_holds_more_than_its_share(team):
    """Keys and values on their way, or their gradients, or one tile; no table of scores."""
    b, g, d = 2, 2, 8
    tile = b * g * 128 * 128 * 4
    for n in (256, 6144):
        packet = 2 * b * g * d * 4 * n // 4  # keys and values of a part, in float32
        assert max(found(team.ask(ring_team.largest, n))) <= max(packet, tile)
    assert packet > tile


# Who holds what


@pytest.mark.parametrize("deal", ["zigzag", "stretches"])
@pytest.mark.parametrize("size", [1, 2, 3, 5])
@pytest.mark.parametrize("n", [0, 1, 9, 40])
def test_every_word_is_dealt_once_and_comes_home(n, size, deal):
    whole = torch.arange(2.0 * n).reshape(1, n, 2)
    parts = [part_of(whole, size, rank, deal) for rank in range(size)]
    assert [one.shape[-2] for one in parts] == lengths(n, size, deal)
    assert torch.equal(together(parts, deal), whole)
    pieces = [one.stop - one.start for its in stretches(n, size, deal) for one in its]
    assert max(pieces) - min(pieces) <= 1


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: stretches(-1, 2), ValueError, "n is -1"),
        (lambda: stretches(4, 0), ValueError, "size is 0; expected 1 or more"),
        (lambda: stretches(4.0, 2), TypeError, "n is 4.0; expected a whole number"),
        (lambda: stretches(4, 2, "cards"), ValueError, "deal is 'cards'"),
        (lambda: places(4, 2, 2), ValueError, "rank is 2; expected 0 to 1"),
        (lambda: together([torch.zeros(3, 2), torch.zeros(1, 2)]), ValueError, "part 0 has 3"),
    ],
)
def test_what_cannot_be_dealt_is_said(call, error, sentence):
    with pytest.raises(error, match=sentence):
        call()


# What is wrong is said, in all processes, and nobody waits for ever


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({1: {"rows": 2}}, "ValueError: process 1: q has 5 rows; of 9 words dealt to 3"),
        ({0: {"n": 10}, 1: {"n": 10}, 2: {"n": 10}}, "ValueError: process 1: q has 3 rows"),
        ({2: {"deal": "cards"}}, "ValueError: process 2: deal is 'cards'"),
        ({1: {"causal": False}}, "ValueError: process 1 has causal = False, but process 0 True"),
        ({1: {"causal": "yes"}}, "TypeError: process 1: causal is 'yes'"),
        ({2: {"scale": 0.5}}, "ValueError: process 2 has scale = 0.5, but process 0 None"),
        ({1: {"heads": (4, 1)}}, r"ValueError: process 1 has k = \(2, 1, 'its words', 8\)"),
        ({1: {"dtype": "float64"}}, "process 1 has dtype = torch.float64, but process 0"),
        ({2: {"gradient": True}}, "process 2 has a gradient = True, but process 0 False"),
    ],
)
def test_all_hear_which_process_was_called_with_something_else(team, changes, sentence):
    said = team.ask(ring_team.called, changes, size=3)
    assert len(set(said)) == 1
    assert re.search(sentence, said[0]), said[0]
    assert team.ask(ring_team.called, {}, size=3) == ["nothing"] * 3  # and they go on


@pytest.mark.parametrize(("step", "back"), [(1, False), (0, True)])
def test_where_a_process_ends_the_others_say_so(gather, step, back):
    said = gather(3).ask(ring_team.dies, 1, step, back)
    assert said[1] == "ended"
    for rank in (0, 2):
        waited, sentence = said[rank]
        assert waited < 15
        assert re.match(f"Process {rank} of 3 could not go on after step .* has ended", sentence)


def test_where_one_is_late_the_others_say_so(gather):
    said = gather(2).ask(ring_team.late, 1, 4.0, 1.0)
    assert "RuntimeError: Process 0 of 2 waited 1 s for the others" in said[0]


def test_who_does_not_come_is_named(gather):
    two = gather(2, told_size=4, seconds=1)
    for said in (Team.answer(pipe) for _, pipe in two.members):
        assert "2 of 4 processes came within 1 s; missing: 2, 3" in said


def test_a_rank_that_came_already_is_refused(gather):
    said = [Team.answer(p) for _, p in gather(2, ranks=[0, 0], seconds=1).members]
    assert any("A process 0 is there already" in one for one in said)


def test_a_rank_that_is_not_there_is_refused(gather):
    said = [Team.answer(p) for _, p in gather(1, ranks=[2], told_size=2, seconds=1).members]
    assert "ValueError: rank is 2 of 2 processes; expected 0 to 1" in said[0]


def test_without_torch_distributed_a_sentence_says_what_to_call():
    assert not dist.is_initialized()
    assert "call join" in ring_team.alone(0, None)


def test_the_formula_for_even_parts_is_the_known_one():
    n, size, g, d, each = 4096, 8, 4, 64, 2
    sent = bytes_sent(n, size, 3, g=g, d=d, e=d, each=each)
    assert sent == (size - 1) * 2 * g * (n // size) * d * each
    assert math.isclose(sent / (2 * g * n * d * each), 7 / 8)
