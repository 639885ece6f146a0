"""Chapter 4's checks on answers that learners really give, right and wrong."""

import math

import numpy as np
import pytest

from course_lib.chapters.softmax import handout
from course_lib.judging import judge
from course_lib.kernels import softmax as kernel


def verdict(name, answer):
    return judge(f"04_softmax/{name}", answer)


def state(name, answer):
    found = verdict(name, answer)
    assert found.cause == "", found.text
    return found.state


def by_row(scores):
    """A table row by row, each shifted by its largest."""
    out = np.empty(scores.shape)
    for place in np.ndindex(scores.shape[:-1]):
        shifted = np.exp(scores[place] - scores[place].max())
        out[place] = shifted / shifted.sum()
    return out


def with_transposes(scores):
    exponentials = np.exp(scores.T - scores.max(axis=-1).T)
    return (exponentials / exponentials.sum(axis=0)).T


@pytest.mark.parametrize(
    "answer",
    [
        by_row,
        with_transposes,
        lambda x: 1 / np.exp(x[..., None, :] - x[..., :, None]).sum(axis=-1),
        lambda x: by_row(x).astype(np.float32),
        lambda x: by_row(x).tolist(),
    ],
)
def test_other_roads_to_a_stable_softmax_are_right(answer):
    assert state("softmax", answer) == "right"


def plain(scores):
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (plain, "exp overflows for large scores"),
        (lambda x: np.nan_to_num(plain(x)), "nan_to_num hides the NaN"),
        (lambda x: plain(x - x.max()), "the largest score of the whole table"),
        (lambda x: np.exp(x - x.max()) / np.exp(x - x.max()).sum(), "the whole table"),
        (lambda x: np.log(by_row(x)), "One thing to look at: You returned the logarithm"),
        (lambda x: plain(x - x.mean(axis=-1, keepdims=True)), "You subtracted the mean"),
        (lambda x: plain(x - x.max(axis=-1)), "The largest of each row came out flat"),
        (lambda x: plain(-x), "turns the order around"),
        (lambda x: plain(x - x[..., :1]), "You subtracted the first score"),
        (lambda x: plain(x - x[..., -1:]), "You subtracted the last score"),
        (lambda x: np.array([plain(row - row.max()) for row in x]), "each number alone gets 1"),
        (
            lambda x: np.exp(x - np.logaddexp.reduce(x, axis=-1, keepdims=True)),
            "float32 keeps few digits",
        ),
    ],
)
def test_an_unstable_or_flat_softmax_is_told_what_is_wrong(answer, said):
    found = verdict("softmax", answer)
    assert found.state == "wrong"
    assert said in found.text


def test_axis_one_is_told_that_a_row_has_none():
    def along_axis_one(scores):
        exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
        return exponentials / exponentials.sum(axis=1, keepdims=True)

    assert "a single row has none of that number" in verdict("softmax", along_axis_one).text


def test_changing_the_scores_in_place_is_named():
    def in_place(scores):
        scores -= scores.max(axis=-1, keepdims=True)
        return plain(scores)

    assert "changes its input scores in place" in verdict("softmax", in_place).text


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda x: x / x.sum(), "A negative score then gets a negative share"),
        (lambda x: np.exp(x) / x.sum(), "You divided by the sum of the scores"),
        (lambda x: plain(x).round(2), "You rounded"),
        (lambda x: np.exp2(x) / np.exp2(x).sum(), "powers of 2"),
        (lambda x: 1 / (1 + np.exp(-x)), "This is the sigmoid"),
        (lambda x: np.exp(x), "Divide them by their sum"),
    ],
)
def test_what_is_no_share_is_told_why(answer, said):
    found = verdict("shares", answer)
    assert found.state == "wrong"
    assert said in found.text


def five(weights):
    return (
        weights[1].argmax(),
        1 - weights[0, 0],
        weights.sum(axis=0).argmax(),
        (weights.argmax(axis=1) == np.arange(len(weights))).sum(),
        weights.max(axis=1).argmin(),
    )


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda w: five(w.T), "You read the table by columns"),
        (lambda w: five(w)[:4], "There are five answers"),
        (lambda w: five(w)[:4], "gives no undecided"),
        (lambda w: (*five(w), 1), "has a sixth answer, which was not asked for"),
        (lambda w: (..., *five(w)[1:]), "still returns `...` in one place"),
        (lambda w: (w[1].max(), *five(w)[1:]), "gives another looks_at than it should"),
        (lambda w: (*five(w)[:3], w.argmax(axis=1), five(w)[4]), "as to_themselves"),
        (lambda w: 3, "There are five answers"),
    ],
)
def test_a_wrong_reading_says_which_of_the_five(answer, said):
    found = verdict("read_heat_map", answer)
    assert found.state == "wrong"
    assert said in found.text


def test_the_five_blanks_are_not_attempted_and_an_array_of_five_is_right():
    assert state("read_heat_map", lambda w: (...,) * 5) == "todo"
    assert state("read_heat_map", lambda w: np.array(five(w))) == "right"


def test_a_temperature_from_a_coarse_search_is_told_that_digits_are_missing():
    found = verdict("temperature_for", lambda a, s: round(a / math.log(s / (1 - s)), 3))
    assert found.state == "wrong"
    assert "digits are missing" in found.text


@pytest.mark.parametrize("tiny", [1e-300, 1e-12, 1e-8])
def test_a_tiny_number_inside_of_the_logarithm_is_a_right_way_out(tiny):
    assert state("entropy", lambda w: -(w * np.log(w + tiny)).sum()) == "right"


def test_a_larger_one_is_not():
    assert state("entropy", lambda w: -(w * np.log(w + 1e-3)).sum()) == "wrong"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda w, v, n, rng: w @ v, "It gives the same numbers each time"),
        (
            lambda w, v, n, rng: v[rng.choice(len(w), 100 * n, p=w)].mean(axis=0),
            "jumps less than so few draws can",
        ),
        (lambda w, v, n, rng: v[rng.choice(len(w), 1, p=w)].mean(axis=0), "one draw only"),
        (lambda w, v, n, rng: v[rng.integers(len(w), size=n)].mean(axis=0), "the same chance"),
        (lambda w, v, n, rng: v[rng.choice(len(w), n, p=w)].mean(axis=1), "as wide as one value"),
    ],
)
def test_what_is_no_fair_sample_is_told_why(answer, said):
    found = verdict("sampled_output", answer)
    assert found.state == "wrong"
    assert said in found.text
    assert "another average" not in found.text  # an average of draws is another one each time


@pytest.mark.parametrize(
    "answer",
    [
        lambda w, v, n, rng: np.mean([v[rng.choice(len(w), p=w)] for _ in range(n)], axis=0),
        lambda w, v, n, rng: np.bincount(rng.choice(len(w), n, p=w), minlength=len(w)) @ v / n,
    ],
)
def test_draws_one_by_one_or_counted_are_right(answer):
    assert state("sampled_output", answer) == "right"


def small_differences(weights, change):
    scores, step = np.log(weights), 1e-6 * change
    return (kernel.softmax(scores + step) - kernel.softmax(scores - step)) / 2e-6


def test_the_jacobian_by_differences_is_right_and_a_whole_step_is_not():
    assert state("jacobian_times", small_differences) == "right"
    found = verdict("jacobian_times", lambda w, c: kernel.softmax(np.log(w) + c) - w)
    assert "This is what the whole step does" in found.text


def row_by_row(scores, mask):
    out = np.zeros_like(scores)
    for weights, row, allowed in zip(out, scores, mask, strict=True):
        if allowed.any():
            weights[allowed] = kernel.softmax(row[allowed])
    return out


def in_place(scores, mask):
    scores[~mask] = -np.inf
    return kernel.softmax(scores)


def test_masking_row_by_row_is_right_and_in_place_is_not():
    assert state("softmax_where", row_by_row) == "right"
    assert "changes its input scores" in verdict("softmax_where", in_place).text


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda x, m: kernel.softmax(x) * m, "after the softmax"),
        (lambda x, m: kernel.softmax(np.where(m, x, -1e9)), "every forbidden key gets the same"),
        (lambda x, m: kernel.softmax(x * m), "You set the scores to 0"),
        (lambda x, m: kernel.softmax(np.where(m, x, -100)), "-100 is a score like any other"),
        (lambda x, m: plain(np.where(m, x, -np.inf)), "come out as NaN"),
    ],
)
def test_a_mask_that_leaks_is_told_how(answer, said):
    found = verdict("softmax_where", answer)
    assert found.state == "wrong"
    assert said in found.text


def test_the_core_is_what_is_not_marked_as_depth():
    core = [name for name, exercise in handout.exercises.items() if not exercise.depth]
    assert core == ["shares", "softmax", "read_heat_map"]
