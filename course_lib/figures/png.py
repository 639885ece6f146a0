"""From a drawn canvas to PNG bytes: small for what is stored, quick for what moves."""

import io

import numpy as np
from PIL import Image

COLOURS = 128


def pixels(canvas) -> np.ndarray:
    """The canvas's picture. Shapes: (height, width, 3), 8 bits; the canvas must be drawn."""
    return np.asarray(canvas.buffer_rgba())[..., :3]


def quick_png(picture: np.ndarray) -> bytes:
    """PNG bytes made in the least time: for a picture that the next slider step replaces."""
    out = io.BytesIO()
    Image.fromarray(picture).save(out, "PNG", compress_level=1)
    return out.getvalue()


def small_png(picture: np.ndarray) -> bytes:
    """PNG bytes for a picture that is stored: at most 128 colours, the same bytes every time."""
    image = Image.fromarray(picture).quantize(
        COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE
    )
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()
