"""The recorded times of attention and of a recurrent layer, and that they can be measured anew."""

from course_lib.measures import recurrent_times
from course_lib.measures.recurrent_times import LENGTHS, RUNS, measure, recorded


def test_the_record_has_every_run_at_every_length():
    ratios = recorded()["ratios"]
    assert [int(n) for n in ratios] == list(LENGTHS)
    assert all(len(found) == RUNS for found in ratios.values())


def test_the_recorded_times_say_what_the_chapter_says():
    ratios = recorded()["ratios"]
    assert max(ratios["32"]) < 1 < min(ratios["4096"])


def test_a_ratio_above_one_means_that_attention_took_longer(monkeypatch):
    monkeypatch.setattr(recurrent_times, "LENGTHS", (7,))
    slow = iter([[3.0, 4.0], [2.0, 8.0]])  # attention first, then the RNN
    monkeypatch.setattr(recurrent_times, "repeat", lambda *given, **options: next(slow))
    assert measure() == {7: 1.5}


def test_both_layers_are_run_on_every_length(monkeypatch):
    monkeypatch.setattr(recurrent_times, "LENGTHS", (2, 5))
    assert list(measure()) == [2, 5]
    assert all(ratio > 0 for ratio in measure().values())
