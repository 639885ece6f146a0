import re
from xml.etree import ElementTree

import numpy as np

from course_lib.figures import svg
from course_lib.figures.theme import new_figure, style

SIZE = (3.0, 2.0)


def written(make, mark="one"):
    """The fragment of what `make(axes)` returns."""
    figure = new_figure(*SIZE, dpi=svg.UNIT)
    axes = figure.subplots()
    axes.set(xlim=(0, 1), ylim=(0, 1))
    with style(), svg.writing(mark):
        return svg.fragment(make(axes), SIZE)


def names(fragment):
    return set(re.findall(r'id="([^"]*)"', fragment))


def line(axes):
    return axes.plot([0, 2], [0, 2], "o-")[0]


def test_fragments_make_one_well_formed_drawing():
    fragments = [
        written(line),
        written(lambda axes: axes.text(0.1, 0.5, "a < b & ü")),
        written(lambda axes: axes.imshow(np.eye(3), aspect="auto")),
        written(lambda axes: axes.bar([0.5], [0.5], hatch="//")[0]),
    ]
    drawing = ElementTree.fromstring(svg.layer(fragments, SIZE).replace("xlink:", ""))
    assert drawing.attrib["viewBox"] == "0 0 216 144"
    assert drawing.attrib["aria-hidden"] == "true"
    assert "a < b & ü" in "".join(drawing.itertext())


def test_nothing_in_a_fragment_reaches_the_rest_of_the_page():
    fragment = written(line)
    assert "<style" not in fragment
    assert "<metadata" not in fragment
    assert "\n" not in fragment


def test_text_stays_text_and_names_fonts_for_machines_without_ours():
    fragment = written(lambda axes: axes.text(0.1, 0.5, "live"))
    assert ">live</text>" in fragment
    assert "Verdana, sans-serif" in fragment


def test_what_leaves_its_axes_is_cut_off():
    fragment = written(line)
    (clip,) = re.findall(r'clip-path="url\(#([^)]*)\)"', fragment)[:1]
    assert clip in names(fragment)


def test_two_pictures_share_no_names_of_clips_or_markers():
    clips = [names(written(line, mark)) for mark in (svg.new_mark(), svg.new_mark())]
    assert all(clips)
    assert not {c for c in clips[0] & clips[1] if not c.startswith("line2d")}
