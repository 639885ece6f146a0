"""The pictures of chapter 8 without sliders, each with the words for who cannot see it."""

from course_lib.figures.curves import draw_lines
from course_lib.figures.static import show_figure
from course_lib.figures.theme import new_figure
from course_lib.measures.published import FORWARD_RATES, LENGTHS
from course_lib.words import say

PUBLISHED = (
    "Published rates, 512 to 16384 words: standard attention climbs from 74 to 139 TFLOP/s and has "
    "no more memory after 8192; FA2 ends at 370, FA3 at 648."
)


def show_published_rates(mine: dict | None = None) -> None:
    """What others measured on an H100; and what own_rates measured here, where there is a GPU."""
    lines = {name: FORWARD_RATES[name] for name in ("standard", "FA2", "FA3")}
    lines |= {mine["device"]: mine["rates"]} if mine else {}
    figure = new_figure(7.0, 3.0)
    axes = draw_lines(figure.subplots(), LENGTHS, lines, log="x", xlim=(470, 17800), ylim=(0, None))
    axes.set_xticks(LENGTHS, map(str, LENGTHS))
    axes.set(xlabel=say("words"), ylabel=say("TFLOP/s"))
    axes.set_title(say("Published for an H100: 2.7 to 6.3 times as fast"))
    show_figure(figure, say(PUBLISHED), colours=32)
