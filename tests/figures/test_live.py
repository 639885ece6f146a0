"""A picture that is drawn anew while something goes on."""

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
    shown = []
    monkeypatch.setattr(live, "running_shell", object)
    monkeypatch.setattr(live, "show", lambda alt, **parts: shown.append((alt, parts)))
    figure = LiveFigure("a curve", curve, size=(3.0, 2.0))
    figure.update([1, 2])
    (alt, parts), first = shown[0], shown[0][1]["png"]
    assert alt == "a curve"
    assert parts["widget"].value == first
    figure.update([2, 1, 5])
    assert len(shown) == 1
    assert parts["widget"].value != first
    assert bytes(parts["widget"].value).startswith(b"\x89PNG")
