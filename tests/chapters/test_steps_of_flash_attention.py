"""A learner's lines beside the kernel's: each step is known by its form, whatever its names are."""

import textwrap

import pytest

from course_lib.chapters.flash_attention.two_loops import WORDS, lines_by_step

FORMED = ("scores", "new", "shrink", "powers", "total", "mixed", "largest")
AROUND = """
def loop(q, k, v, block_q, block_k):
    for qi in q.split(block_q):
        for kj, vj in zip(k.split(block_k), v.split(block_k)):
"""

IN_C_STYLE = """
    kj = k[j:j + block_k]
    vj = v[j:j + block_k]
    s = qi @ kj.T / math.sqrt(q.shape[1])
    mn = torch.max(m, s.max(1, keepdim=True)[0])
    a = torch.exp(m - mn)
    p = torch.exp(s - mn)
    l = l * a + p.sum(1, keepdim=True)
    acc = acc * a + p @ vj
    m = mn
"""

IN_MANY_LINES = """
    s = torch.matmul(qi, kj.T)
    s *= scale
    top, _ = s.max(dim=1)
    old = m
    m = torch.maximum(m, top)
    gap = s - m[:, None]
    w = gap.exp()
    f = (old - m).exp()
    l *= f
    l += w.sum(1)
    acc *= f[:, None]
    acc += w @ vj
"""

AT_ONCE = """
    s = qi @ kj.T
    mn = torch.maximum(s.amax(1, keepdim=True), m)
    p = torch.exp(s - mn)
    acc, l, m = acc * torch.exp(m - mn) + p @ vj, l * torch.exp(m - mn) + p.sum(1), mn
"""

NAMES_THAT_MISLEAD = """
    powers = qi @ kj.T
    largest = torch.maximum(m, powers.amax(1, keepdim=True))
    total = torch.exp(powers - largest)
    new = new + total.sum(1)
    m = largest
"""

SOFTMAX_OF_EACH_TILE = """
    s = qi @ kj.T
    p = torch.exp(s - s.amax(1, keepdim=True))
    l = l + p.sum(1)
    acc = acc + p @ vj
"""

NEVER_KEPT = """
    s = qi @ kj.T
    mn = torch.maximum(floor, s.amax(1, keepdim=True))
    p = torch.exp(s - mn)
    l = l + p.sum(1)
"""

SOMETHING_ELSE = """
    n += 1
    a, b = q @ k.T, k[1:]
    x = a.max(), max(n, 2), torch.exp(b), [c @ c for c in v]
    y[0] = torch.exp()
    z = w = (lambda m: m)(a)
    m = torch.maximum(a)
"""

SOMETIMES = """
    s = qi @ kj.T
    if first:
        s = s * 0
    mn = torch.maximum(m, s.amax(1, keepdim=True))
    p = torch.exp(s - mn)
    l = l * torch.exp(m - mn) + p.sum(1)
    m = mn
"""

SHRUNK_LATE = """
    s = qi @ kj.T
    mn = torch.maximum(m, s.amax(1, keepdim=True))
    a = torch.exp(m - mn)
    p = torch.exp(s - mn)
    l = (l + p.sum(1)) * a
    acc = (acc + p @ vj) * a
    m = mn
"""


def lines_of(body):
    found = lines_by_step(AROUND + textwrap.indent(body, 8 * " "))
    return {step: found.get(step, "") for step in WORDS}


def test_lines_with_the_names_of_c_are_known_by_their_form():
    written = IN_C_STYLE.split("\n    ")[1:]
    k_tile, v_tile, scores, new, shrink, powers, total, mixed, largest = map(str.strip, written)
    found = lines_of(IN_C_STYLE)
    assert [found[step] for step in FORMED] == [
        scores, new, shrink, powers, total, mixed, largest
    ]  # fmt: skip
    assert (found["k_tile"], found["v_tile"]) == (k_tile, v_tile)


def test_a_step_in_several_lines_has_all_of_them():
    found = lines_of(IN_MANY_LINES)
    assert [found[step] for step in FORMED] == [
        "s = torch.matmul(qi, kj.T); s *= scale",
        "top, _ = s.max(dim=1); m = torch.maximum(m, top)",
        "f = (old - m).exp()",
        "gap = s - m[:, None]; w = gap.exp()",
        "l *= f; l += w.sum(1)",
        "acc *= f[:, None]; acc += w @ vj",
        "",
    ]


def test_a_line_that_does_several_steps_stands_beside_each():
    found = lines_of(AT_ONCE)
    assert found["total"] == found["mixed"] == found["largest"]
    assert found["total"].startswith("acc, l, m = (acc * torch.exp(m - mn) + p @ vj,")
    assert found["shrink"] == ""
    assert found["powers"] == "p = torch.exp(s - mn)"


def test_what_a_line_does_counts_more_than_its_name():
    found = lines_of(NAMES_THAT_MISLEAD)
    assert found["scores"] == "powers = qi @ kj.T"
    assert found["powers"] == "total = torch.exp(powers - largest)"
    assert found["new"].startswith("largest = ")
    assert found["largest"] == "m = largest"
    assert found["total"] == ""


@pytest.mark.parametrize("odd", [SOFTMAX_OF_EACH_TILE, NEVER_KEPT, SOMETHING_ELSE])
def test_of_a_line_that_is_not_surely_a_step_nothing_is_said(odd):
    assert [step for step, line in lines_of(odd).items() if line] == ["for"]


def test_scores_that_change_under_a_condition_are_not_said_to_be_scores():
    found = lines_of(SOMETIMES)
    assert [found[step] for step in FORMED] == [""] * len(FORMED)


def test_sums_that_shrink_too_late_are_not_those_of_the_kernel():
    found = lines_of(SHRUNK_LATE)
    assert found["total"] == found["mixed"] == ""
    assert found["scores"] == "s = qi @ kj.T"
