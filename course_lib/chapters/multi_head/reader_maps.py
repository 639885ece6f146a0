"""Where the readers look in the second round of a word that stands twice: one large, all small.

maps = ReaderMaps(large, small, weights, "promised_", reader=1)  # weights (h, t, t)
maps.update(weights, "romised_", reader=2)            # what the model says at each row
maps.update(weights, "romised_", reader=2, off=[0])   # pale and named where it is off
"""

from collections.abc import Collection

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.figures.maps import LOOKS
from course_lib.figures.theme import FAINT, GHOST, INK, KEY, QUERY, SMALL, TEXT
from course_lib.words import say

NAME_AT = -1.45  # the row above a small table at which its name stands
PALE = 0.25  # what is left of the shades of a reader that is off


class ReaderMaps:
    """A row for each letter of the second round that has one after it.

    Columns are the places of the first round and the one after it: little weight goes further.
    In each row a box marks what followed earlier, in a colour seen on white and on black. Right of
    each row of the large table stands what the model says there, with a hook where it is right, and
    in a frame with a cross where it is wrong, and below how many are right. The small
    table of the large reader is framed.
    """

    def __init__(self, large, small, weights, word: str, reader: int = 0):
        self._word, self._wide = word, len(word) + 1
        self._title = large.set_title("", fontweight="normal", fontsize=TEXT, loc="left", pad=4)
        self._large = self._draw_table(large, box=2.4)
        rows, right = len(word) - 1, self._wide + 0.1
        large.set(xlim=(-1.9, self._wide + 1.5), ylim=(rows + 0.35, -2.2))
        _name_rounds(large, len(word))
        look = {"fontsize": SMALL, "va": "center_baseline"}
        for row in range(rows):
            large.text(-0.75, row, word[row], ha="right", **look)
        above = {"ha": "center", "va": "bottom", "fontsize": SMALL}
        for column, letter in enumerate((word * 2)[: self._wide]):
            large.text(column, -0.65, letter, **above)
        large.text(right + 0.45, -0.65, say("model"), **above)
        self._said = [
            large.text(right, row, "", ha="center", family="monospace", **look)
            for row in range(rows)
        ]
        self._marks = [large.text(right + 0.85, i, "", ha="center", **look) for i in range(rows)]
        self._right = large.text(right + 1.3, rows - 0.02, "", ha="right", **look)
        self._small, self._frames = [], []
        for head, axes in enumerate(small):
            self._small.append(self._draw_table(axes, box=0.9))
            axes.set(xlim=(-0.9, self._wide - 0.1), ylim=(rows - 0.1, NAME_AT - 1.1))
            axes.text(self._wide / 2 - 0.5, NAME_AT, say("reader {head}", head=head),
                      ha="center", va="center", fontsize=SMALL)  # fmt: skip
            frame = Rectangle((-0.5, -0.5), self._wide, rows, fill=False, edgecolor=QUERY,
                              linewidth=2.6, zorder=4)  # fmt: skip
            self._frames.append(axes.add_patch(frame))
        self._off = [_name_off(axes) for axes in (large, *small)]
        self.artists = [self._title, self._large, self._right, *self._said, *self._marks,
                        *self._small, *self._frames, *self._off]  # fmt: skip
        self.update(weights, word[1:], reader)

    def _draw_table(self, axes, box: float):
        """An empty table with its boxes, whose lines are so thick."""
        rows = len(self._word) - 1
        axes.axis("off")
        image = axes.imshow(
            np.zeros((rows, self._wide)), cmap=LOOKS, vmin=0, vmax=1, aspect="auto",
            interpolation="none", extent=(-0.5, self._wide - 0.5, rows - 0.5, -0.5),
        )  # fmt: skip
        axes.add_patch(Rectangle((-0.5, -0.5), self._wide, rows, fill=False, edgecolor=FAINT))
        for row in range(rows):
            corner = (row + 0.5, row - 0.5)
            one = Rectangle(corner, 1, 1, fill=False, edgecolor=KEY, linewidth=box, zorder=3)
            axes.add_patch(one)
        return image

    def update(self, weights, says: str, reader: int, off: Collection[int] = ()) -> None:
        """Show other weights, what the model says in each row, which reader is large, which off."""
        shown = [
            np.asarray(one)[len(self._word) : -1, : self._wide] * (PALE if head in off else 1)
            for head, one in enumerate(weights)
        ]
        title = "reader {head}, off" if reader in off else "reader {head}"
        title += " (box: what followed earlier)"
        self._title.set_text(say(title, head=reader))
        self._large.set_data(shown[reader])
        for head, (image, frame) in enumerate(zip(self._small, self._frames, strict=True)):
            image.set_data(shown[head]), frame.set_visible(head == reader)
        for text, head in zip(self._off, (reader, *range(len(weights))), strict=True):
            text.set_visible(head in off)
        right = sum(a == b for a, b in zip(says, self._word[1:], strict=True))
        self._right.set_text(say("this string: {right} of {all}", right=right, all=len(says)))
        for text, mark, letter, true in zip(
            self._said, self._marks, says, self._word[1:], strict=True
        ):
            text.set(text=letter, weight="bold" if letter == true else "normal")
            mark.set_text("✓" if letter == true else "✗")
            edge = "none" if letter == true else INK
            text.set_bbox({"facecolor": "white", "edgecolor": edge, "pad": 1.5})


def _name_off(axes):
    """The word on the table of a reader that is off, left of its boxes."""
    look = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
    return axes.text(-0.2, 6, say("off"), va="center", fontsize=SMALL, fontweight="bold",
                     zorder=5, bbox=look)  # fmt: skip


def _name_rounds(axes, count: int) -> None:
    """Which round the rows are, and which the columns: a line along each."""
    look = {"color": GHOST, "linewidth": 1}
    axes.plot([-0.4, count - 0.6], [-1.4, -1.4], **look)
    axes.plot([count - 0.4, count + 0.4], [-1.4, -1.4], **look)
    axes.text(count, -1.5, say("second"), ha="center", va="bottom", fontsize=SMALL)
    axes.plot([-1.35, -1.35], [-0.4, count - 1.6], **look)
    axes.text(count / 2 - 0.5, -1.5, say("first round"), ha="center", va="bottom", fontsize=SMALL)
    axes.text(-1.45, count / 2 - 1, say("second round"), ha="right", va="center", rotation=90,
              fontsize=SMALL)  # fmt: skip
