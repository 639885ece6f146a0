"""Where each reader looks in the second round of a word that stands twice.

maps = ReaderMaps(every_axes, weights, "giraffe_")   # weights (h, t, t), t twice as long
maps.update(weights)
"""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.figures.maps import LOOKS
from course_lib.figures.theme import FAINT, KEY, SMALL, TEXT
from course_lib.words import say


class ReaderMaps:
    """A table for each head: a row for each letter of the second round that has one after it.

    Columns are the places of the first round and the one after it: hardly any weight goes further,
    and so the cells are large. In each row a box marks what followed earlier, in a
    colour seen on white and on black.
    """

    def __init__(self, every, weights, word: str):
        self._round, wide = len(word), len(word) + 1
        rows = self._round - 1
        self.artists = []
        for head, axes in enumerate(every):
            axes.axis("off")
            axes.set_title(say("reader {head}", head=head), fontweight="normal", fontsize=TEXT,
                           loc="left", pad=2)  # fmt: skip
            self.artists.append(
                axes.imshow(np.zeros((rows, wide)), cmap=LOOKS, vmin=0, vmax=1, aspect="auto",
                            interpolation="none", extent=(-0.5, wide - 0.5, rows - 0.5, -0.5))
            )  # fmt: skip
            axes.set(xlim=(-1.2, wide - 0.4), ylim=(rows - 0.3, -1.7))
            axes.add_patch(Rectangle((-0.5, -0.5), wide, rows, fill=False, edgecolor=FAINT))
            for row in range(rows):
                box = Rectangle(
                    (row + 0.5, row - 0.5), 1, 1, fill=False, edgecolor=KEY, linewidth=1.8
                )
                axes.add_patch(box).set_zorder(3)
                axes.text(-0.7, row, word[row], ha="right", va="center_baseline", fontsize=SMALL)
            for column, letter in enumerate((word * 2)[:wide]):
                axes.text(column, -0.65, letter, ha="center", va="bottom", fontsize=SMALL)
        self.update(weights)

    def update(self, weights) -> None:
        """Show other weights."""
        for image, one in zip(self.artists, weights, strict=True):
            image.set_data(np.asarray(one)[self._round : -1, : self._round + 1])
