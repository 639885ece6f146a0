"""Chapter 3's two trainings: what the pictures of their scores claim."""

import numpy as np
import pytest

from course_lib.chapters.scaling.leads import LEFT, RIGHT
from course_lib.chapters.scaling.push import gain_at
from course_lib.chapters.scaling.situations import (
    FAR,
    looks_at,
    looks_of_both,
    print_when_right,
    try_without_pushes,
)
from course_lib.chapters.scaling.starts import print_starts
from course_lib.kernels.softmax import softmax
from course_lib.models.copying_numpy import load_copying
from course_lib.models.recall import (
    Questions,
    answer,
    fresh_parameters,
    random_questions,
    train,
    trained,
)


def test_a_push_does_thousands_of_times_less_to_a_key_ten_ahead_than_to_one_ahead():
    assert gain_at(1, -0.1) / gain_at(10, -0.1) == pytest.approx(4000, rel=0.06)
    assert gain_at(1, -0.1) / gain_at(4.6, -0.1) == pytest.approx(20, rel=0.05)
    assert gain_at(-10, 0.1) == pytest.approx(-gain_at(10, -0.1))  # C gains what B loses


def test_the_hills_of_both_models_lie_on_the_axis_of_their_picture():
    looks = looks_of_both(64)
    assert list(looks) == [(how, n) for how in ("divided", "not divided") for n in (0, 50)]
    for how in ("divided", "not divided"):
        leads = looks[how, 0].leads
        assert LEFT < leads.min() < leads.max() < RIGHT


def test_undivided_the_right_key_lies_on_the_flat_left_end_and_stays_and_divided_it_leaves():
    undivided = [looks_at(64, 1, steps).leads for steps in (0, 50)]
    divided = [looks_at(64, 1 / 8, steps).leads for steps in (0, 50)]
    assert all((leads < -FAR).mean() > 0.75 for leads in undivided)
    assert (divided[0] < -FAR).mean() < 0.1
    assert np.median(divided[1]) > 1 > 0 > np.median(divided[0])


def test_the_right_key_starts_far_behind_undivided_only_and_after_fifty_steps_leads_divided_only():
    undivided, divided = ([looks_at(64, by, n) for n in (0, 50)] for by in (1, 1 / 8))
    assert undivided[0].behind > 0.8
    assert divided[0].behind < 0.1
    assert undivided[1].ahead < 0.2
    assert divided[1].ahead > 0.7


def test_undivided_the_hill_of_step_50_is_wider_and_more_of_it_lies_far_back():
    start, later = (looks_at(64, 1, steps).leads for steps in (0, 50))
    assert later.std() > 1.3 * start.std()
    assert np.quantile(later, 0.25) < np.quantile(start, 0.25) - 2
    assert np.median(later) < np.median(start) - 1


def test_undivided_most_of_the_push_is_on_wrong_keys_and_hardly_any_on_a_right_key_far_behind():
    rng = np.random.default_rng(0)
    fresh, asked = fresh_parameters(64, rng), random_questions(1000, rng)
    seen, rows = answer(fresh, asked, 1), np.arange(1000)
    toward = softmax(seen["logits"]) - np.eye(64)[asked.answers]
    from_weights = (fresh["v"] @ fresh["u"] @ toward.T)[asked.contents, rows[:, None]]
    mean = (seen["weights"] * from_weights).sum(axis=1, keepdims=True)
    push = np.abs(seen["weights"] * (from_weights - mean))
    right = asked.names == asked.asked[:, None]
    behind = looks_behind(seen["scores"], right)
    assert push[~right].sum() > 0.9 * push.sum()
    assert push[behind].sum() > 0.7 * push.sum()
    assert push[right][behind].mean() < 0.02 * push[right][~behind].mean()


def looks_behind(scores, right):
    return scores[right] < np.where(right, -np.inf, scores).max(axis=1) - 4.6


@pytest.fixture(scope="module")
def after_fifty_steps():
    rng = np.random.default_rng(0)
    fresh = fresh_parameters(64, rng)
    parameters, _ = trained(fresh, 1, range(50), rng)
    return fresh, parameters, random_questions(1000, rng)


def test_undivided_training_makes_all_scores_larger_before_they_are_right(after_fifty_steps):
    fresh, parameters, asked = after_fifty_steps

    def others(of):
        scores = answer(of, asked, 1)["q"] @ answer(of, asked, 1)["k"].T
        return scores[~np.eye(len(scores), dtype=bool)].std()

    assert others(parameters) > 1.1 * others(fresh)


def test_undivided_the_two_best_wrong_keys_are_nearly_level_in_two_of_three_questions():
    rng = np.random.default_rng(0)
    asked = random_questions(2000, np.random.default_rng(99))
    scores = answer(fresh_parameters(64, rng), asked, 1)["scores"]
    wrong = np.where(asked.names == asked.asked[:, None], -np.inf, scores)
    second, best = np.sort(wrong, axis=1)[:, -2:].T
    assert (best - second < 4.6).mean() == pytest.approx(2 / 3, abs=0.03)


def test_undivided_the_scores_of_wrong_keys_spread_by_ten_after_fifty_steps_and_not_by_eight():
    def spread(steps, start):
        rng = np.random.default_rng(start)
        parameters, _ = trained(fresh_parameters(64, rng), 1, range(steps), rng)
        asked = random_questions(2000, rng)
        return answer(parameters, asked, 1)["scores"][asked.names != asked.asked[:, None]].std()

    assert [round(np.mean([spread(n, start) for start in (0, 1)])) for n in (0, 50)] == [8, 10]


def test_undivided_fifty_steps_move_a_wrong_keys_score_by_six_whatever_it_was():
    moved, alike = [], []
    for start in range(3):
        rng = np.random.default_rng(start)
        fresh = fresh_parameters(64, rng)
        parameters, _ = trained(fresh, 1, range(50), rng)
        asked = random_questions(2000, rng)
        wrong = asked.names != asked.asked[:, None]
        before, after = (answer(one, asked, 1)["scores"][wrong] for one in (fresh, parameters))
        moved.append((after - before).std())
        alike.append(np.corrcoef(before, after - before)[0, 1])
        assert abs((after - before).mean()) < 0.5  # up as often as down
    assert moved == pytest.approx([6, 6, 6], abs=0.5)
    assert np.abs(alike).max() < 0.12


@pytest.mark.parametrize("start", range(3))
def test_undivided_the_pushes_of_wrong_keys_alone_move_the_hill_to_the_left_as_far(start):
    def seen_after(steps, push_right=True):
        rng = np.random.default_rng(start)
        fresh = fresh_parameters(64, rng)
        parameters, _ = trained(fresh, 1, range(steps), rng, push_right=push_right)
        asked = random_questions(2000, np.random.default_rng(99))
        scores, right = answer(parameters, asked, 1)["scores"], asked.names == asked.asked[:, None]
        best = np.where(right, -np.inf, scores).max(axis=1)
        return np.median(scores[right]), np.median(best), np.median(scores[right] - best)

    (own, best, lead), (_, _, usual) = seen_after(0), seen_after(50)
    own_later, best_later, lead_later = seen_after(50, push_right=False)
    assert abs(own_later - own) < 1  # up or down
    assert best_later > best + 2
    assert lead_later < usual < lead - 2


def test_the_best_of_fifteen_is_further_ahead_the_further_they_spread():
    best = np.random.default_rng(0).normal(size=(4000, 15)).max(axis=1)
    assert [round(np.median(by * best)) for by in (8, 10)] == [13, 17]


def test_at_width_64_nine_in_ten_are_right_two_or_three_times_later_undivided(capsys):
    print_when_right(64)
    lines = capsys.readouterr().out.splitlines()
    divided, undivided = (np.array(line.split()[-3:], dtype=int) for line in lines)
    assert all(2 < times < 3.5 for times in undivided / divided)
    assert undivided.max() < 220


def test_at_width_64_half_of_the_answers_are_right_two_or_three_times_later_undivided():
    def half_right(factor):
        curves = [train(64, factor, range(180), np.random.default_rng(n)) for n in range(3)]
        smooth = np.convolve(np.mean(curves, axis=0), np.ones(9) / 9, mode="valid")
        return np.argmax(smooth > 0.5) + 4  # the middle of nine

    assert 2 < half_right(1) / half_right(1 / 8) < 3


def test_at_step_50_a_model_that_is_sure_of_the_right_key_mostly_cannot_name_it(after_fifty_steps):
    _, parameters, asked = after_fifty_steps
    seen, rows = answer(parameters, asked, 1), np.arange(len(asked.asked))
    looked = asked.names[rows, seen["weights"].argmax(axis=1)] == asked.asked
    sure = looked & (seen["weights"].max(axis=1) > 0.99)
    named = seen["logits"].argmax(axis=1) == asked.answers
    assert sure.sum() > 20
    assert named[sure].mean() < 0.5


def test_trained_with_the_root_queries_and_keys_get_louder_and_those_of_one_name_like_twins():
    rng = np.random.default_rng(0)
    fresh = fresh_parameters(64, rng)
    parameters, _ = trained(fresh, 1 / 8, range(100), rng)
    asked = random_questions(8, rng)
    before, after = (answer(one, asked, 1 / 8) for one in (fresh, parameters))
    for one in "qk":
        assert after[one].std() > 1.2 * before[one].std()
    scores = after["q"] @ after["k"].T / 8
    strangers = scores[~np.eye(len(scores), dtype=bool)]
    assert np.diag(scores).mean() > 3 * strangers.std()


def test_the_copying_model_still_copies_where_the_root_is_left_out():
    model = load_copying()
    sharp = model.with_heads(range(1, 9), lambda q, k, v: softmax(4 * q @ k.T) @ v)
    assert sharp.continued("giraffe pogir", 6) == "affe p"


def test_without_any_push_of_a_right_key_its_lead_falls_from_the_start_as_far(capsys):
    try_without_pushes(64)
    *leads, changes, thirds, best = capsys.readouterr().out.splitlines()
    start, usual, without = (np.array(line.split()[-3:], dtype=int) for line in leads)
    assert (usual < start - 1).all()  # each of the three starts
    assert (without <= usual).all()
    assert [int(n.strip(",;")) for n in changes.split() if n[0].isdigit()] == [8, 0, 10, 50, 6]
    low, high = (float(n.strip(",")) for n in thirds.split() if n[0] in "+-")
    assert max(abs(low), abs(high)) < 0.1 * 6
    assert [int(n.strip(",")) for n in best.split() if n[0].isdigit()] == [13, 0, 17, 50]


def test_undivided_86_of_100_right_keys_start_far_behind_and_after_200_steps_hardly_any(capsys):
    print_starts(64)
    start, *table = capsys.readouterr().out.splitlines()
    assert len({row.index(" | ") for row in table}) == 1  # saturated, and the rest
    _, _, *rows = table
    assert start.endswith("mean 0.0, spread 1.0")
    divided, undivided = ([int(n) for n in row.split() if n.isdigit()] for row in rows)
    assert divided == [0, 2, 0, 0]
    assert undivided[:2] == [30, 86]
    assert 50 < undivided[2] < 70
    assert undivided[3] < 8


def test_saturated_rows_and_right_keys_far_behind_are_counted_in_the_same_new_models():
    sharp, behind = [], []
    for start in range(3):
        rng = np.random.default_rng(start)
        fresh = fresh_parameters(64, rng)
        asked = random_questions(1000, rng)
        seen = answer(fresh, asked, 1)
        right = asked.names == asked.asked[:, None]
        lead = seen["scores"][right] - np.where(right, -np.inf, seen["scores"]).max(axis=1)
        sharp.append((seen["weights"].max(axis=1) > 0.99).mean())
        behind.append((lead <= -FAR).mean())
        assert (seen["weights"][right][lead <= -FAR] < 0.01).all()
        numbers = np.stack([seen["q"], seen["k"]])
        assert abs(numbers.mean()) < 0.05
        assert numbers.std() == pytest.approx(1, abs=0.05)
    looks = looks_at(64, 1, 0)
    assert (looks.sharp, looks.behind) == pytest.approx((np.mean(sharp), np.mean(behind)))


def test_sixteen_strangers_are_saturated_as_often_as_ten_and_leave_their_right_key_behind():
    rng = np.random.default_rng(1)
    q, k = rng.normal(size=(3000, 1, 64)), rng.normal(size=(3000, 16, 64))
    scores = (q * k).sum(axis=-1)
    assert (softmax(scores).max(axis=1) > 0.99).mean() == pytest.approx(0.31, abs=0.03)
    assert (scores[:, 0] - scores[:, 1:].max(axis=1) <= -FAR).mean() == pytest.approx(
        0.85, abs=0.03
    )


def test_the_lists_whose_right_key_starts_near_the_front_learn_first_and_teach_the_others():
    asked = random_questions(1000, np.random.default_rng(99))
    fresh = fresh_parameters(64, np.random.default_rng(0))

    def far(questions):
        right = questions.names == questions.asked[:, None]
        return looks_behind(answer(fresh, questions, 1)["scores"], right)

    def only_far(batch, rng):
        many = random_questions(3 * batch, rng)
        some = np.flatnonzero(far(many))[:batch]
        return Questions(
            many.names[some], many.contents[some], many.asked[some], many.answers[some]
        )

    def right(questions, steps=100):
        rng = np.random.default_rng(0)
        parameters, _ = trained(fresh_parameters(64, rng), 1, range(steps), rng, questions)
        return answer(parameters, asked, 1)["logits"].argmax(axis=1) == asked.answers

    usual, behind = right(random_questions), far(asked)
    assert usual[~behind].mean() > 1.5 * usual[behind].mean()
    assert right(only_far)[behind].mean() < 0.5 * usual[behind].mean()
