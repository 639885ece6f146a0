"""Pictures that a chapter shows, caught on their way to the page."""

from course_lib.figures.readable import faults


def caught(monkeypatch, *modules) -> list:
    """What `show_figure` gets from now on in these modules: (figure, words), in order."""
    seen: list = []
    for module in modules:
        monkeypatch.setattr(
            module, "show_figure", lambda figure, words, **_: seen.append((figure, words))
        )
    return seen


def drawn(shown):
    """The picture that was shown last, drawn and readable, and its words."""
    figure, words = shown.pop()
    figure.canvas.draw()
    assert faults(figure) == []
    return figure, words
