"""A picture that is drawn anew while something goes on."""

from types import SimpleNamespace

from course_lib.figures import live
from course_lib.figures.live import LiveFigure


def curve(figure, data):
    figure.subplots().plot(data)


def test_outside_a_notebook_nothing_is_drawn(monkeypatch):
    monkeypatch.setattr(live, "running_shell", lambda: None)
    drawn = []
    LiveFigure("a curve", lambda figure, data: drawn.append(data)).update([1, 2])
    assert drawn == []


def test_it_is_shown_once_and_then_replaced(monkeypatch):
    shown, shell = [], SimpleNamespace(execution_count=7)
    monkeypatch.setattr(live, "running_shell", lambda: shell)
    monkeypatch.setattr(live, "show", lambda alt, **parts: shown.append((alt, parts)))
    figure = LiveFigure("a curve", curve, size=(3.0, 2.0))
    figure.update([1, 2])
    alt, parts = shown[0]
    first = parts["widget"].value
    assert alt == "a curve"
    assert parts["png"].startswith(b"\x89PNG")
    figure.update([2, 1, 5])
    assert len(shown) == 1
    assert parts["widget"].value != first
    assert bytes(parts["widget"].value).startswith(b"\x89PNG")


def test_a_cell_that_runs_again_shows_it_anew(monkeypatch):
    shown, shell = [], SimpleNamespace(execution_count=7)
    monkeypatch.setattr(live, "running_shell", lambda: shell)
    monkeypatch.setattr(live, "show", lambda alt, **parts: shown.append(parts["widget"]))
    figure = LiveFigure("a curve", curve, size=(3.0, 2.0))
    figure.update([1, 2])
    shell.execution_count = 9
    figure.update([2, 1])
    figure.update([2, 1, 5])
    assert len(shown) == 2
    assert shown[1] is figure.widget
    assert shown[0].value != shown[1].value
