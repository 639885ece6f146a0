import json
import sys

import pytest

from course_lib.sliding.answers import BASES, Answers
from course_lib.sliding.explorer import Drawing
from course_lib.sliding.front_end import FRONT
from course_lib.sliding.sliders import FloatRange, IntRange
from tests.sliding.examples import Adapter, draw, explorer


def of(functions=None, **changes):
    return Answers(explorer(**changes).session(**functions or {}))


def ask(answers, **changes):
    """The frame at the start but for `changes`, as the front end has the values."""
    params = {name: spec.sent(spec.start) for name, spec in answers.explorer.sliders.items()}
    return answers.to({"id": "a", "since": answers._number, "params": params | changes})


def test_the_start_is_all_that_a_page_needs():
    start = of().start()
    assert json.loads(json.dumps(start)) == start
    assert [c["kind"] for c in start["controls"]] == ["range", "range", "options", "toggle"]
    assert start["frame"]["params"] == {"count": 2, "scale": 1, "sign": 0, "doubled": False}
    assert start["frame"]["panes"][0]["below"].startswith("data:image/png;base64,")
    assert start["frame"]["panes"][0]["alt"] == "2 times the sum is 12.00."
    assert start["goal"] == "Make the total 54."


def test_a_step_tells_only_what_changed():
    answers = of()
    whole = answers.start()["frame"]["panes"][0]
    (pane,) = ask(answers, count=5)["panes"]
    ((place, title),) = pane["changed"].items()
    assert "total 30.00" in title, "the line does not change, and is not told"
    assert "total 12.00" in whole["parts"][place]
    assert "below" not in pane
    assert "parts" not in pane
    assert len(whole["parts"]) > 2


def test_what_changed_is_told_since_the_frame_that_the_asker_has():
    answers = of()
    first = answers.start()["frame"]
    ask(answers, count=5)  # on its way when the next question was asked
    back = answers.to({"id": "b", "since": first["number"], "params": first["params"]})
    assert back["since"] == first["number"]
    assert back["panes"][0]["changed"] == {}


def test_who_missed_many_frames_is_told_all_of_the_next():
    answers = of()
    first = answers.start()["frame"]
    for count in range(1, BASES + 1):
        ask(answers, count=count)
    missed = answers.to({"id": "b", "since": first["number"], "params": first["params"]})
    assert missed["since"] is None
    assert "below" in missed["panes"][0]
    assert "parts" in missed["panes"][0]


def test_changes_laid_over_the_last_frame_make_the_frame_that_a_fresh_asker_is_told():
    answers, fresh = of(), of()
    parts = answers.start()["frame"]["panes"][0]["parts"]
    for change in ({"count": 5}, {"count": 5, "scale": 2}, {"sign": 1}, {}):
        for i, part in ask(answers, **change)["panes"][0]["changed"].items():
            parts[i] = part
        fresh._told = {}
        told = ask(fresh, **change)["panes"][0]["parts"]
        assert [len(part) for part in parts] == [len(part) for part in told]


def test_a_picture_without_moving_artists_sends_pixels():
    def all_of_it(figure, data):
        return Drawing(draw(figure, data).update)

    answers = of(draw=all_of_it)
    first = answers.start()["frame"]["panes"][0]
    second = ask(answers, count=5)["panes"][0]
    assert first["parts"] == [] == second.get("parts", [])
    assert first["below"] != second["below"]


def test_a_number_out_of_range_is_brought_back():
    assert ask(of(), count=99)["params"]["count"] == 9
    assert ask(of(), count=4.6)["params"]["count"] == 5


def test_options_and_toggles_count_too():
    assert ask(of(), sign=1, doubled=True)["words"] == "2 times the sum is -24.00."


def test_a_frame_says_whether_the_goal_is_reached():
    assert not ask(of(), count=8)["reached"]
    assert ask(of(), count=9)["reached"]


def test_the_numbers_are_texts():
    assert ask(of(), count=3)["numbers"] == [["total", "18.0"]]
    assert ask(of(numbers=None))["numbers"] == []


def test_a_table_that_fails_is_a_sentence_and_not_a_traceback():
    assert "defect of ours" in ask(of(numbers=lambda *_: 1 / 0))["numbers"][0][0]


def test_a_wrong_function_adds_the_second_picture():
    frame = ask(of({"total": Adapter(lambda v: v.sum() + 1, "course")}))
    assert [pane["kind"] for pane in frame["panes"]] == ["yours", "right"]
    assert frame["panes"][0]["alt"].startswith("Yours:")
    assert frame["panes"][1]["alt"].startswith("Right:")


def test_the_mode_changes_where_earlier_frames_would_be_drawn_otherwise():
    answers = of({"total": lambda values: abs(values.sum())})
    before = ask(answers)["mode"]
    assert ask(answers, count=3)["mode"] == before
    assert ask(answers, sign=1)["mode"] != before


def test_a_defect_leaves_the_last_picture_and_says_so(monkeypatch):
    answers = of()
    monkeypatch.setattr(answers.explorer, "compute", lambda **_: 1 / 0)
    frame = ask(answers, count=5)
    assert frame["panes"] == []
    assert "defect of ours" in frame["words"]


@pytest.mark.parametrize("question", [{}, {"params": {}}, {"params": {"count": "many"}}])
def test_a_question_that_cannot_be_read_is_answered_with_a_sentence(question):
    assert "defect of ours" in of().to(question)["words"]


def test_nothing_gets_out_not_even_an_exit_that_a_result_raises_later():
    class Exits:
        def __float__(self):
            sys.exit(3)

    answers = of({"total": lambda values: Exits()})
    frame = ask(answers, count=5)
    assert frame["words"]


def test_kernel_and_page_remember_equally_many_frames():
    assert f"const BASES = {BASES};" in (FRONT / "asking.js").read_text(encoding="utf-8")


def test_texts_of_the_page_have_their_fields_open():
    assert of().start()["texts"]["outside"].count("{") == 5


def test_a_log_slider_tells_its_stops():
    spec = IntRange(1, 1024, start=4, label="width", log=True)
    told = of(sliders={**explorer().sliders, "count": spec}).start()["controls"][0]
    assert told["stops"][0] == 1
    assert told["stops"][-1] == 1024
    assert told["log"]


def test_steps_of_a_float_slider_are_round_numbers():
    assert FloatRange(0.5, 4, start=1, label="s").notches()[:3] == [0.5, 0.55, 0.6]
