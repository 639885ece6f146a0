"""What chapter 3 hands to a learner: its notebook imports all of it with one `*`."""

from course_lib.chapters.scaling.bets import BETS
from course_lib.chapters.scaling.exercises.attention import ATTENTION
from course_lib.chapters.scaling.exercises.choose_divisors import CHOOSE_DIVISORS
from course_lib.chapters.scaling.exercises.flat_exponent import FLAT_EXPONENT
from course_lib.chapters.scaling.exercises.grown_together import GROWN_TOGETHER
from course_lib.chapters.scaling.exercises.head_weights import HEAD_WEIGHTS
from course_lib.chapters.scaling.exercises.lead_for_weight import LEAD_FOR_WEIGHT
from course_lib.chapters.scaling.exercises.query_factors import QUERY_FACTORS
from course_lib.chapters.scaling.exercises.scale import SCALE
from course_lib.chapters.scaling.exercises.score_deviation import SCORE_DEVIATION
from course_lib.chapters.scaling.exercises.score_variance import SCORE_VARIANCE
from course_lib.chapters.scaling.explorers.assumptions import explore_assumptions
from course_lib.chapters.scaling.explorers.exponent import explore_exponent
from course_lib.chapters.scaling.explorers.push import explore_push
from course_lib.chapters.scaling.explorers.width import explore_width, strangers
from course_lib.chapters.scaling.leads import show_leads
from course_lib.chapters.scaling.pictures import show_runs, show_spreads, show_widths
from course_lib.chapters.scaling.push import show_strangers_leads
from course_lib.chapters.scaling.situations import (
    looks_of_both,
    print_proposals,
    print_when_right,
    train_both,
    try_divisors,
    try_in_copying,
    try_without_pushes,
)
from course_lib.chapters.scaling.starts import print_starts
from course_lib.chapters.scaling.tosses import show_adding_up, show_spiral
from course_lib.figures.road_map import show_road_map
from course_lib.kernels.scaling import jacobian_norms
from course_lib.kernels.softmax import effective_count, softmax
from course_lib.measures.random_scores import random_pairs
from course_lib.models.recall import train
from course_lib.notebook.handout import Handout
from course_lib.progress_bar import with_progress

handout = Handout(
    "03_scaling",
    exercises=(
        SCORE_VARIANCE,
        SCALE,
        ATTENTION,
        LEAD_FOR_WEIGHT,
        FLAT_EXPONENT,
        SCORE_DEVIATION,
        CHOOSE_DIVISORS,
        GROWN_TOGETHER,
        QUERY_FACTORS,
        HEAD_WEIGHTS,
    ),
    bets=BETS,
)

bet, exercise, hint = handout.bet, handout.exercise, handout.hint
progress, reveal, settle = handout.progress, handout.reveal, handout.settle

__all__ = [
    "bet",
    "effective_count",
    "exercise",
    "explore_assumptions",
    "explore_exponent",
    "explore_push",
    "explore_width",
    "hint",
    "jacobian_norms",
    "looks_of_both",
    "print_proposals",
    "print_starts",
    "print_when_right",
    "progress",
    "random_pairs",
    "reveal",
    "settle",
    "show_adding_up",
    "show_leads",
    "show_road_map",
    "show_runs",
    "show_spiral",
    "show_spreads",
    "show_strangers_leads",
    "show_widths",
    "softmax",
    "strangers",
    "train",
    "train_both",
    "try_divisors",
    "try_in_copying",
    "try_without_pushes",
    "with_progress",
]
