"""Every observation has its sentence; several answers are judged one by one; effects are shown."""

import functools
import itertools

import numpy as np
import pytest
import torch

from course_lib.judging import registry
from course_lib.judging.answer import verdict_on
from course_lib.judging.exercise import Exercise, Mistake, inputs
from course_lib.judging.observations import sentence_for
from course_lib.judging.trial import trial_of
from course_lib.words import say
from tests.judging import samples

EVERY = {f"samples/{one.name}": one for one in samples.ALL}
EVERY |= {name: registry.find(name) for name in registry.names()}
OPEN = [name for name, one in EVERY.items() if one.open_answer and not name.startswith("samples/")]
A_QUIZ = "02_cosine_or_dot/surviving_reasons"
NO_EFFECT_BUT_ITSELF = (  # words; the very numbers; what is read off a picture
    A_QUIZ,
    "02_cosine_or_dot/which_metric",
    "03_scaling/score_variance",
    "04_softmax/read_by_eye",
    "05_queries_keys_values/row_of_is",
)
BREAKS_A_LOOP = "08_flash_attention/hidden_score"  # a right answer makes a wrong loop give a NaN
HEAT = registry.find("04_softmax/read_heat_map")


@functools.cache
def verdicts_on_mistakes(name):
    """The verdict on each known mistake of an exercise, for all tests that look at them."""
    return [verdict_on(EVERY[name], one.wrong) for one in EVERY[name].mistakes]


@pytest.mark.parametrize("name", EVERY)
def test_every_observation_but_the_output_has_a_sentence_of_its_own(name):
    exercise = EVERY[name]
    if exercise.open_answer:
        return  # its acceptance says the sentence: see the next test
    seen = {
        one
        for place in range(len(exercise.cases))
        for one in trial_of(exercise, exercise.answer, place).outcome.observed
    }
    for one in seen - {"output"} - set(exercise.parts):
        template = sentence_for(exercise, one)
        assert template, f"{one} has no sentence"
        assert say(template, name="f", of="x", want="1", got="2")


@pytest.mark.parametrize("name", OPEN)
def test_an_open_answer_that_is_wrong_is_told_a_sentence_of_its_acceptance(name):
    for verdict in verdicts_on_mistakes(name):
        assert "does not do what was asked for" not in verdict.symptom


@pytest.mark.parametrize("name", [one for one in OPEN if one not in NO_EFFECT_BUT_ITSELF])
def test_an_open_answer_shows_what_it_causes_in_place_of_itself(name):
    exercise = EVERY[name]
    shown = 0
    for verdict in verdicts_on_mistakes(name):
        labels = [one.label for one in verdict.evidence]
        shown += "Yours" not in labels or len(labels) > 2
    assert shown >= len(exercise.mistakes) / 3
    for place in range(len(exercise.cases)):
        trial = trial_of(exercise, exercise.answer, place)
        caused = exercise.effect(trial.seen, trial.inputs)
        assert caused
        finite = [
            bool(one.value)
            if isinstance(one.value, str)
            else np.isfinite(np.asarray(one.value, dtype=float)).all()
            for one in caused
        ]
        assert finite == ([False, True] if name == BREAKS_A_LOOP else [True] * len(caused))


def test_one_way_shows_both_scores_beside_what_was_asked_for():
    exercise = registry.find("05_queries_keys_values/one_way")
    text = verdict_on(exercise, lambda cat, dog: (torch.eye(2), torch.eye(2))).text
    assert "The cat's score for the dog: 4   (asked for: 1 or more)" in text
    assert "The dog's score for the cat: 4   (asked for: -1 or less)" in text
    assert "Yours" not in text


def test_strangers_match_shows_the_scores_of_the_four_capitals():
    exercise = registry.find("05_queries_keys_values/strangers_match")
    text = verdict_on(exercise, exercise.mistakes[0].wrong).text
    assert "Paris 1, Rome 0, Tokyo 0, Cairo 0, France 1, Italy 0, Japan 0, Egypt 0" in text
    assert "Paris 0, Rome 0, Tokyo 0, Cairo 1, France 0, Italy 0, Japan 0, Egypt 1" in text


def test_what_is_held_or_touched_is_said_without_true_and_false():
    found = 0
    for name in ("weighted_mean", "attention_by_tiles", "without_table", "masked_tile"):
        for verdict in verdicts_on_mistakes(f"08_flash_attention/{name}"):
            found += "But" in verdict.symptom
            assert "Expected: False" not in verdict.text
            assert "gives another held" not in verdict.text
    assert found >= 3


def heat(**parts):
    """The right answers, with some of them replaced by the answers of another way."""

    def answer(weights):
        right = dict(zip(HEAT.parts, HEAT.answer(weights), strict=True))
        return tuple((right | {name: of(weights) for name, of in parts.items()}).values())

    return answer


def down(place):
    def answer(weights):
        way = upright(weights)
        return (way[:, 1].argmax(), way.sum(axis=1).argmax(), way.max(axis=0).argmin())[place - 1]

    return answer


def upright(weights):
    return weights if np.allclose(weights.sum(axis=1), 1) else weights.T


def test_the_parts_that_are_right_are_named():
    text = verdict_on(HEAT, heat(heard=lambda w: 0.123)).text
    assert "Right already: queries_in_rows, looks_at, undecided. Not yet: heard." in text


def test_two_mistakes_in_two_parts_are_both_named():
    verdict = verdict_on(
        HEAT,
        heat(looks_at=lambda w: upright(w)[1].max(), undecided=lambda w: upright(w).max(1).min()),
    )
    assert "looks_at: " in verdict.diagnosis
    assert "looks_at should say which key" in verdict.diagnosis
    assert "undecided should say which query" in verdict.diagnosis


@pytest.mark.parametrize("places", list(itertools.combinations((1, 2, 3), 2)))
def test_a_misconception_that_hits_several_parts_is_named_from_them(places):
    parts = {HEAT.parts[place]: down(place) for place in places}
    diagnosis = verdict_on(HEAT, heat(**parts)).diagnosis
    assert diagnosis.startswith(f"{', '.join(parts)}: ")
    assert "You read the table by columns" in diagnosis


def test_a_part_that_is_wrong_in_no_known_way_gets_no_diagnosis():
    wrong = heat(heard=lambda w: -1, looks_at=lambda w: -2)
    assert verdict_on(HEAT, wrong).diagnosis == ""
    one_known = verdict_on(
        HEAT, heat(heard=lambda w: -1, looks_at=lambda w: upright(w)[1].max())
    ).diagnosis
    assert one_known.startswith("looks_at:")
    assert "heard" not in one_known


def both(x):
    return x + 1, x + 2


BOTH = Exercise(
    answer=both,
    cases=(lambda rng: inputs(np.arange(3.0)), lambda rng: inputs(rng.normal(size=4))),
    mistakes=(
        Mistake("You added nothing.", lambda x: (x, x + 2)),
        Mistake("You took them away.", lambda x: (x - 1, x - 2)),
    ),
    parts=("one", "two"),
)


def test_the_results_of_a_tuple_are_parts_under_their_names():
    verdict = verdict_on(BOTH, lambda x: (x, x - 9))
    assert verdict.symptom == "both gives another one than it should."
    assert "Not right yet: one, two." in verdict.text
    assert verdict.diagnosis == "one: You added nothing."
    assert "Right already: one. Not yet: two." in verdict_on(BOTH, lambda x: (x + 1, x)).text


def test_a_mistake_that_begins_with_its_part_says_the_part_once():
    divisors = registry.find("03_scaling/choose_divisors")
    diagnosis = verdict_on(divisors, lambda d: (3 * d**0.5, d**0.5 / 2, d)).diagnosis
    assert diagnosis.startswith("loud: you counted the 3 once.")
    assert diagnosis.count("loud") == diagnosis.count("half_empty") == 1


def test_a_mistake_of_several_parts_is_not_named_from_one_alone():
    assert verdict_on(BOTH, lambda x: (x - 1, x + 2)).diagnosis == ""


def test_a_quiz_says_how_many_are_right_and_not_which():
    exercise = registry.find(A_QUIZ)
    right = exercise.answer()
    for place in range(len(right)):
        turned = tuple(one != (place == number) for number, one in enumerate(right))
        symptom = verdict_on(exercise, lambda turned=turned: turned).symptom
        assert symptom.startswith("5 of your six agree")
        assert "_" not in symptom  # no name of one of them


def test_nan_in_a_gradient_says_that_it_is_in_the_gradient():
    exercise = registry.find("06_masks/safe_weights")
    symptoms = [verdict_on(exercise, one.wrong).symptom for one in exercise.mistakes]
    assert any("gradient of scores" in one and "NaN" in one for one in symptoms)


def test_a_parameter_that_is_missing_is_named():
    class Linear(samples.Linear):
        def __init__(self, wide, narrow):
            torch.nn.Module.__init__(self)
            self.weight = torch.nn.Parameter(torch.zeros(narrow, wide))
            self.bias = torch.zeros(narrow)

    symptom = verdict_on(samples.LINEAR, Linear).text
    assert "shape of" not in symptom
