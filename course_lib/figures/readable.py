"""What makes a figure hard to read, found by looking at its texts: for tests and for authors.

faults(figure)    # [] is good; else a sentence for each fault
"""

from matplotlib.text import Text

from course_lib.figures.fonts import empty_boxes
from course_lib.figures.theme import DPI

NARROW = 600  # pixels of a narrow notebook, to which a wider picture shrinks
LEAST = 10 * 96 / 72  # ten points, in the pixels of a page
SLACK = 2  # pixels that a letter's box may stick out without being seen


def faults(figure) -> list[str]:
    """Texts that are too small, cut off at the edge, empty boxes, or tick labels that collide."""
    figure.draw_without_rendering()  # layout and texts; no pixels are needed
    texts = _drawn(figure)
    return [
        *[f"{text!r} has characters that no font has" for text in empty_boxes(figure)],
        *_small(figure, texts),
        *_cut_off(figure, texts),
        *_collisions(figure),
    ]


def _drawn(figure) -> list[Text]:
    """The texts that are seen: of tick labels only those within the ends of their axis."""
    ticks = {
        id(text)
        for axes in figure.axes
        for axis in _axes_of(axes)
        for text in axis.findobj(Text)
        if text is not axis.label or not axes.axison
    }
    others = [text for text in figure.findobj(Text) if id(text) not in ticks]
    labels = [
        label
        for axes in figure.axes
        if axes.axison
        for axis in _axes_of(axes)
        for label in _tick_labels(axis)
    ]
    return [t for t in (*others, *labels) if t.get_visible() and t.get_text().strip()]


def _axes_of(axes) -> tuple:
    return axes.xaxis, axes.yaxis


def _tick_labels(axis) -> list[Text]:
    low, high = sorted(axis.get_view_interval())
    return [
        label
        for tick in axis.get_major_ticks()
        for label in (tick.label1, tick.label2)  # left or below, right or above
        if label.get_visible() and label.get_text() and low <= tick.get_loc() <= high
    ]


def _small(figure, texts) -> list[str]:
    on_page = figure.get_size_inches()[0] * DPI
    shrink = min(1.0, NARROW / on_page)
    found = []
    for text in texts:
        size = text.get_fontsize() * DPI / 72 * shrink
        if size < LEAST - 0.05:
            found.append(
                f"{text.get_text()!r} is {size:.1f} pixels in a window of {NARROW}; "
                f"{LEAST:.1f} can be read"
            )
    return found


def _cut_off(figure, texts) -> list[str]:
    width, height = figure.bbox.size
    found = []
    for text in texts:
        box = text.get_window_extent()
        inside = (
            box.x0 >= -SLACK
            and box.y0 >= -SLACK
            and box.x1 <= width + SLACK
            and box.y1 <= height + SLACK
        )
        if not inside:
            found.append(f"{text.get_text()!r} is cut off at the edge of the picture")
    return found


def _collisions(figure) -> list[str]:
    found = []
    for axes in figure.axes:
        for axis in _axes_of(axes) if axes.axison and axes.get_visible() else ():
            labels = _tick_labels(axis)
            boxes = [label.get_window_extent() for label in labels]
            for i in range(len(boxes) - 1):
                if boxes[i].overlaps(boxes[i + 1]):
                    first, second = labels[i].get_text(), labels[i + 1].get_text()
                    found.append(f"the tick labels {first!r} and {second!r} collide")
    return found
