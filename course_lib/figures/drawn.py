"""What a figure shows, in few words: for pictures whose pixels are not the same everywhere.

Training, and other long sums, end a last bit apart on another processor, and that bit moves a curve
by a part of a pixel. Such a picture is stored with these words beside it, and two of them are the
same where the words are and no number is far from its partner (tools/outputs.py compares).
"""

import numpy as np
from matplotlib.axis import Axis
from matplotlib.collections import Collection
from matplotlib.colors import to_rgba_array
from matplotlib.figure import Figure, FigureBase
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.spines import Spine
from matplotlib.text import Text

from course_lib.figures.theme import DPI, style

POINTS = 24  # kept of a long line or a large map, evenly spaced, its ends too
NOWHERE = -999  # for a point that is not drawn


def drawn(figure: Figure) -> list[str]:
    """One text for each thing that a drawn figure shows: "what: numbers".

    The numbers are whole: where it lies, in pixels of the stored picture (100 an inch, from the
    lower left corner), and its colours, from 0 to 255.   figure: its canvas has drawn it.
    """
    with style():  # ticks are found anew, as many as the drawing has
        return [_told(artist, figure) for artist in _artists(figure)]


def _told(artist, figure) -> str:
    what, places, colours = _shown(artist)
    pixels = DPI * figure.dpi_scale_trans.inverted().transform(np.reshape(places, (-1, 2)))
    return f"{what}: {' '.join(map(str, [*_whole(pixels), *_whole(255 * colours)]))}"


def _artists(parent):
    """Yield the visible artists below `parent` that show something, in drawing order."""
    for artist in parent.get_children():
        frame = artist is getattr(parent, "patch", None) or isinstance(artist, Spine)
        if frame or not artist.get_visible():
            continue
        if isinstance(artist, Line2D | Patch | Collection | AxesImage | Text):
            if not isinstance(artist, Text) or artist.get_text():
                yield artist
        elif not isinstance(artist, Axis):
            yield from _artists(artist)
        elif isinstance(parent, FigureBase) or parent.axison:
            yield from _labels(artist)


def _labels(axis):
    """Yield the name of an axis and those of its tick labels that lie inside the frame."""
    low, high = sorted(axis.get_view_interval())
    for place, label in zip(axis.get_majorticklocs(), axis.get_majorticklabels(), strict=False):
        if low <= place <= high and label.get_visible() and label.get_text():
            yield label
    if axis.label.get_text():
        yield axis.label


def _shown(artist) -> tuple[str, np.ndarray, np.ndarray]:
    """What an artist is, its places on the screen (n, 2), its colours from 0 to 1, flat."""
    to_screen = artist.get_transform().transform
    if isinstance(artist, Text):
        return artist.get_text(), to_screen([artist.get_position()]), np.empty(0)
    if isinstance(artist, Line2D):
        points = artist.get_xydata()
        colour = to_rgba_array(artist.get_color())[:, :3]
        return f"line of {len(points)}", to_screen(_spaced(points)), colour
    if isinstance(artist, AxesImage):
        shades = artist.to_rgba(artist.get_array())[..., :3]
        corners = np.reshape(artist.get_extent(), (2, 2)).T
        places = artist.axes.transData.transform(corners)
        size = " x ".join(map(str, shades.shape[:2]))
        return f"image of {size}", places, _spaced(shades.reshape(-1, 3))
    if isinstance(artist, Patch):
        places = to_screen(_spaced(artist.get_path().vertices))
        return type(artist).__name__, places, to_rgba_array(artist.get_facecolor())[:, :3]
    places = artist.get_offset_transform().transform(artist.get_offsets())
    if not len(places) or not np.any(places):  # its paths lie where they are drawn
        parts = [path.vertices for path in artist.get_paths()] or [np.empty((0, 2))]
        places = to_screen(np.concatenate(parts))
    colours = artist.get_facecolor() if len(artist.get_facecolor()) else artist.get_edgecolor()
    return f"{type(artist).__name__} of {len(places)}", _spaced(places), _spaced(colours[:, :3])


def _spaced(rows):
    """At most POINTS of the rows: the first, the last, and some in even steps between them."""
    if len(rows) <= POINTS:
        return np.asarray(rows, dtype=float)
    return np.asarray(rows, dtype=float)[np.linspace(0, len(rows) - 1, POINTS).round().astype(int)]


def _whole(numbers) -> list[int]:
    """Rounded numbers, in a row."""
    flat = np.ravel(np.ma.filled(numbers, np.nan)).astype(float)
    whole = np.nan_to_num(flat, nan=NOWHERE, posinf=NOWHERE, neginf=NOWHERE).round()
    return whole.clip(NOWHERE, -10 * NOWHERE).astype(int).tolist()
