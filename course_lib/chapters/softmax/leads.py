"""Lines from the narrow pieces of a strip to their names, which stand below it and aside."""

from course_lib.figures.shares import Strip
from course_lib.figures.theme import INK

NAMED = -0.48  # below the strip: the top of the names of its narrow pieces
UNSEEN = 0.005  # a piece below it is hardly seen, and no line leads to its name


class Leads:
    """A line for each piece of a strip; to be updated after the strip."""

    def __init__(self, axes, strip: Strip):
        self.strip = strip
        self.lines = [axes.plot([0, 0], [0, 0], color=INK, linewidth=0.8)[0] for _ in strip.pieces]

    def update(self) -> None:
        """Lower the names of narrow pieces, and draw a line to its name from each that is seen."""
        strip = self.strip
        for piece, label, line in zip(strip.pieces, strip.labels, self.lines, strict=True):
            outside = label.get_position()[1] < 0
            line.set_visible(outside and piece.get_width() >= UNSEEN)
            if outside:
                label.set_y(NAMED)
                half = 0.4 * strip.letter * len(label.get_text())
                start = piece.get_x() + piece.get_width() / 2
                end = label.get_position()[0]
                line.set_data([start, min(max(start, end - half), end + half)], [0, NAMED + 0.1])
