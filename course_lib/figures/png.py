"""From a drawn canvas to PNG bytes: quick for what is shown, small for what is stored."""

import io

import numpy as np
from PIL import Image

from course_lib.figures.theme import INK, KEY, OUTPUT, QUERY, VALUE, WEIGHT, YOURS

COLOURS = 128
FASTEST = 1
MEANING = tuple(
    tuple(bytes.fromhex(colour[1:])) for colour in (INK, QUERY, KEY, VALUE, OUTPUT, WEIGHT, YOURS)
)
AWAY = 8  # of 255: a stored colour farther than this from its own is seen to be another
SEEN = 12  # pixels in a colour: fewer are a coincidence
FILLED, PART = 300, 1 / 250  # pixels in exactly one colour, and of the picture: a surface
SHIFTED = 10  # of 255, of its parts against each other: farther, a surface has another hue
GREY, TINTED = 6, 16  # of 255, between a pixel's largest and smallest part: at most, at least
TINTS = (1.0, 0.75, 0.5, 0.25)  # of a colour on white, for the edges of its letters
MOST = 256  # that a palette of a PNG holds


def pixels(canvas) -> np.ndarray:
    """The canvas's picture. Shapes: (height, width, 3), 8 bits; the canvas must be drawn."""
    return np.asarray(canvas.buffer_rgba())[..., :3]


def quick_png(picture: np.ndarray) -> bytes:
    """PNG bytes made in little time: for a picture that is shown and not stored.

    picture: (height, width, 3), 8 bits.
    """
    out = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(picture)).save(out, "PNG", compress_level=FASTEST)
    return out.getvalue()


def halved(picture: np.ndarray) -> np.ndarray:
    """The picture at half its size, each pixel the mean of four. Shapes: (h, w, 3) -> (h/2, w/2, 3)

    A last odd row or column is dropped.
    """
    height, width = picture.shape[0] // 2, picture.shape[1] // 2
    four = picture[: 2 * height, : 2 * width].reshape(height, 2, width, 2, 3)
    return four.mean(axis=(1, 3)).round().astype(np.uint8)


def small_png(picture: np.ndarray, colours: int = COLOURS) -> bytes:
    """PNG bytes for a picture that is stored: few colours, the same bytes every time.

    A drawing of lines and words keeps its look with 48 and takes an eighth less. The course's own
    colours keep theirs: where fewer would turn one of them into a neighbour, it gets places of its
    own beyond `colours`, and so does a grey that would get a tint.
    """
    image = Image.fromarray(picture).quantize(
        colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE
    )
    out = io.BytesIO()
    _with_their_own(image, picture).save(out, "PNG", optimize=True)
    return out.getvalue()


def _with_their_own(image: Image.Image, picture: np.ndarray) -> Image.Image:
    """The image, where each colour that has a meaning is shown as itself; else as it came."""
    palette = np.array(image.getpalette(), dtype=float).reshape(-1, 3)
    places = np.array(image)
    for colour in np.array(MEANING, dtype=float):
        exact = (picture == colour).all(axis=-1)
        shown = palette[places[exact]]
        if exact.sum() >= SEEN and np.abs(shown - colour).max() > AWAY:
            palette, places = _with_tints(palette, places, picture, colour)
    palette, places = _with_greys(palette, places, picture)
    palette, places = _with_fills(palette, places, picture)
    if len(palette) == len(image.getpalette()) // 3:
        return image
    mended = Image.fromarray(places)
    mended.putpalette(palette.astype(np.uint8).tobytes())
    return mended


def _with_tints(palette, places, picture, colour) -> tuple[np.ndarray, np.ndarray]:
    """A palette with a colour and its tints, and each pixel at the new one where it is nearer."""
    away = np.abs(palette[places] - picture).sum(axis=-1)
    for tint in TINTS[: MOST - len(palette)]:
        new = (255 + tint * (colour - 255)).round()
        nearer = np.abs(picture - new).sum(axis=-1)
        places = np.where(nearer < away, len(palette), places).astype(np.uint8)
        palette, away = np.vstack([palette, new]), np.minimum(away, nearer)
    return palette, places


def _with_greys(palette, places, picture) -> tuple[np.ndarray, np.ndarray]:
    """A palette in which greys are shown as greys: faint lines must not look like a pale colour."""
    tinted = np.ptp(palette, axis=1) >= TINTED
    lost = (np.ptp(picture, axis=-1) <= GREY) & tinted[places]
    while lost.sum() >= SEEN and len(palette) < MOST:
        values, counts = np.unique(picture[lost][:, 1], return_counts=True)
        new = np.full(3, float(values[counts.argmax()]))
        near = lost & (np.abs(picture - new).max(axis=-1) <= 2 * AWAY)
        palette, places = np.vstack([palette, new]), np.where(near, len(palette), places)
        lost &= ~near
    return palette, places.astype(np.uint8)


def _with_fills(palette, places, picture) -> tuple[np.ndarray, np.ndarray]:
    """A palette in which no filled surface has another hue: a grey cell must not look teal."""
    numbers = picture.astype(np.int64) @ (1 << 16, 1 << 8, 1)
    found, counts = np.unique(numbers, return_counts=True)
    for number in found[counts >= max(FILLED, PART * numbers.size)]:
        exact = numbers == number
        colour = picture[exact][0].astype(float)
        if np.ptp(palette[places[exact]] - colour, axis=-1).max() > SHIFTED and len(palette) < MOST:
            palette, places = np.vstack([palette, colour]), np.where(exact, len(palette), places)
    return palette, places.astype(np.uint8)
