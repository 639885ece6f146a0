import json

import pytest

from course_lib.sliding.explorer import Goal
from course_lib.sliding.panel import Panel
from tests.sliding.examples import explorer


@pytest.fixture
def panel():
    return Panel(explorer(), {})


def sent(panel, monkeypatch):
    messages = []
    monkeypatch.setattr(panel.widget, "send", lambda message: messages.append(message))
    return messages


def test_the_widget_carries_the_whole_front_end(panel):
    assert "export function mount" in str(panel.widget._esm)
    assert ".explorer-grip" in str(panel.widget._css)
    assert panel.widget.start["frame"]["words"] == "2 times the sum is 12.00."


def test_a_question_is_answered_and_any_other_message_is_not(panel, monkeypatch):
    messages, params = sent(panel, monkeypatch), panel.widget.start["frame"]["params"]
    panel.widget._handle_custom_msg({"kind": "hello"}, [])
    assert messages == []
    panel.widget._handle_custom_msg({"kind": "ask", "id": "a", "params": params | {"count": 5}}, [])
    (message,) = messages
    assert (message["kind"], message["id"]) == ("frame", "a")
    assert message["words"] == "5 times the sum is 30.00."
    json.dumps(message)


def test_what_is_shown_is_widget_picture_and_words_in_one(monkeypatch):
    shown = []
    monkeypatch.setattr(
        "course_lib.sliding.panel.show", lambda plain, **rest: shown.append((plain, rest))
    )
    explorer()()
    ((plain, rest),) = shown
    assert plain == "2 times the sum is 12.00. Goal: Make the total 54."
    assert rest["png"] == explorer().render()
    assert rest["widget"].start["goal"] == "Make the total 54."


def test_a_rerun_of_its_cell_replaces_explorers_and_another_cell_keeps_them(monkeypatch):
    monkeypatch.setattr("course_lib.sliding.panel.show", lambda *a, **k: None)
    runs = [("here", "1"), ("here", "1"), ("there", "2"), ("here", "3")]
    panels = [Panel(one, {}) for one in [explorer(), explorer(), explorer(), explorer()]]
    alive = []
    for run, panel in zip(runs, panels, strict=True):
        monkeypatch.setattr("course_lib.sliding.panel._cell", lambda run=run: run)
        panel.show()
        alive.append([one.widget.comm is not None for one in panels])
    assert alive[:3] == [[True] * 4] * 3, "two in one run of a cell stand below each other"
    assert alive[3] == [False, False, True, True]
    assert panels[0].widget.layout.comm is None


def test_a_broken_explorer_still_shows_its_sentence(capsys):
    explorer(compute=lambda **_: 1 / 0, goal=Goal("Never.", lambda p, d: True))()
    assert "defect of ours" in capsys.readouterr().out
