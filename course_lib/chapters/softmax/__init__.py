"""What chapter 4 hands to a learner: its notebook imports all of it with one `*`."""

from course_lib.chapters.softmax.bets import BETS
from course_lib.chapters.softmax.exercises.entropy import ENTROPY
from course_lib.chapters.softmax.exercises.jacobian_times import JACOBIAN_TIMES
from course_lib.chapters.softmax.exercises.read_heat_map import READ_HEAT_MAP
from course_lib.chapters.softmax.exercises.sampled_output import SAMPLED_OUTPUT
from course_lib.chapters.softmax.exercises.shares import SHARES
from course_lib.chapters.softmax.exercises.softmax import SOFTMAX
from course_lib.chapters.softmax.exercises.softmax_where import SOFTMAX_WHERE
from course_lib.chapters.softmax.exercises.temperature_for import TEMPERATURE_FOR
from course_lib.chapters.softmax.explorers.add_and_multiply import explore_add_and_multiply
from course_lib.chapters.softmax.explorers.crowd import explore_crowd
from course_lib.chapters.softmax.explorers.heat_map import explore_heat_map
from course_lib.chapters.softmax.explorers.temperature import explore_temperature
from course_lib.figures.heat_map import draw_weights
from course_lib.figures.static import show_figure
from course_lib.figures.sums import draw_sums
from course_lib.figures.theme import INK, new_figure
from course_lib.kernels.softmax import effective_count, softmax_jacobian
from course_lib.kernels.vectors import normalize
from course_lib.notebook.handout import Handout

handout = Handout(
    "04_softmax",
    exercises=(
        SHARES,
        SOFTMAX,
        READ_HEAT_MAP,
        TEMPERATURE_FOR,
        ENTROPY,
        SAMPLED_OUTPUT,
        JACOBIAN_TIMES,
        SOFTMAX_WHERE,
    ),
    bets=BETS,
)

bet, exercise, hint = handout.bet, handout.exercise, handout.hint
progress, reveal, settle = handout.progress, handout.reveal, handout.settle

__all__ = [
    "INK",
    "bet",
    "draw_sums",
    "draw_weights",
    "effective_count",
    "exercise",
    "explore_add_and_multiply",
    "explore_crowd",
    "explore_heat_map",
    "explore_temperature",
    "hint",
    "new_figure",
    "normalize",
    "progress",
    "reveal",
    "settle",
    "show_figure",
    "softmax_jacobian",
]
