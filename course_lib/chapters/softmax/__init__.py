"""What chapter 4 hands to a learner: its notebook imports all of it with one `*`."""

import numpy as np

from course_lib.chapters.softmax.bets import BETS
from course_lib.chapters.softmax.exercises.entropy import ENTROPY
from course_lib.chapters.softmax.exercises.jacobian_times import JACOBIAN_TIMES
from course_lib.chapters.softmax.exercises.read_by_eye import READ_BY_EYE
from course_lib.chapters.softmax.exercises.read_heat_map import READ_HEAT_MAP
from course_lib.chapters.softmax.exercises.sampled_output import SAMPLED_OUTPUT
from course_lib.chapters.softmax.exercises.shares import SHARES
from course_lib.chapters.softmax.exercises.softmax import SOFTMAX
from course_lib.chapters.softmax.exercises.softmax_where import SOFTMAX_WHERE
from course_lib.chapters.softmax.exercises.softmax_with_sink import SOFTMAX_WITH_SINK
from course_lib.chapters.softmax.exercises.temperature_for import TEMPERATURE_FOR
from course_lib.chapters.softmax.exercises.temperature_for_lead import TEMPERATURE_FOR_LEAD
from course_lib.chapters.softmax.explorers.crowd import explore_crowd
from course_lib.chapters.softmax.explorers.far_out import explore_far_out
from course_lib.chapters.softmax.explorers.heat_map import explore_heat_map
from course_lib.chapters.softmax.explorers.scores import explore_scores
from course_lib.chapters.softmax.explorers.sink import explore_sink
from course_lib.chapters.softmax.explorers.temperature import explore_temperature
from course_lib.chapters.softmax.explorers.ten_scores import explore_ten_scores
from course_lib.chapters.softmax.learned_sink import (
    ask_without_key_0,
    show_learned_sink,
    show_rows_a_and_b,
)
from course_lib.chapters.softmax.missing_name import (
    answer_for_the_absent,
    ask_for_a_missing_name,
    ask_for_kim,
    count_sure_answers,
)
from course_lib.chapters.softmax.second_model import ask_the_second_model
from course_lib.chapters.softmax.stills import (
    show_row_sums,
    show_two_rules,
    show_unlabelled,
)
from course_lib.figures.road_map import show_road_map
from course_lib.kernels.bounded import gated, qk_norm_scores, softcapped
from course_lib.kernels.softmax import effective_count, softmax_jacobian
from course_lib.kernels.vectors import normalize
from course_lib.notebook.handout import Handout

handout = Handout(
    "04_softmax",
    exercises=(
        SHARES,
        SOFTMAX,
        TEMPERATURE_FOR_LEAD,
        READ_BY_EYE,
        SOFTMAX_WITH_SINK,
        TEMPERATURE_FOR,
        READ_HEAT_MAP,
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
    "answer_for_the_absent",
    "ask_for_a_missing_name",
    "ask_for_kim",
    "ask_the_second_model",
    "ask_without_key_0",
    "bet",
    "count_sure_answers",
    "effective_count",
    "exercise",
    "explore_crowd",
    "explore_far_out",
    "explore_heat_map",
    "explore_scores",
    "explore_sink",
    "explore_temperature",
    "explore_ten_scores",
    "gated",
    "hint",
    "normalize",
    "np",
    "progress",
    "qk_norm_scores",
    "reveal",
    "settle",
    "show_learned_sink",
    "show_road_map",
    "show_row_sums",
    "show_rows_a_and_b",
    "show_two_rules",
    "show_unlabelled",
    "softcapped",
    "softmax_jacobian",
]
