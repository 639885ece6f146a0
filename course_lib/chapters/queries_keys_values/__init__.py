"""What chapter 5 hands to a learner: its notebook imports all of it with one `*`."""

import math

import numpy as np
import torch

from course_lib.chapters.queries_keys_values.apple import apple_in, how_alike, show_apple
from course_lib.chapters.queries_keys_values.apple_line import show_line
from course_lib.chapters.queries_keys_values.banks import show_banks
from course_lib.chapters.queries_keys_values.bets import BETS
from course_lib.chapters.queries_keys_values.exercises.attend import ATTEND
from course_lib.chapters.queries_keys_values.exercises.attention import ATTENTION
from course_lib.chapters.queries_keys_values.exercises.cross_attention import CROSS_ATTENTION
from course_lib.chapters.queries_keys_values.exercises.gradient_of_w_q import GRADIENT_OF_W_Q
from course_lib.chapters.queries_keys_values.exercises.mended import MENDED
from course_lib.chapters.queries_keys_values.exercises.one_way import ONE_WAY
from course_lib.chapters.queries_keys_values.exercises.query_of_is import QUERY_OF_IS
from course_lib.chapters.queries_keys_values.exercises.row_of_is import ROW_OF_IS
from course_lib.chapters.queries_keys_values.exercises.same_scores import SAME_SCORES
from course_lib.chapters.queries_keys_values.exercises.scaled_scores import SCALED_SCORES
from course_lib.chapters.queries_keys_values.exercises.scores_for import SCORES_FOR
from course_lib.chapters.queries_keys_values.exercises.strangers_match import STRANGERS_MATCH
from course_lib.chapters.queries_keys_values.exercises.two_questions import TWO_QUESTIONS
from course_lib.chapters.queries_keys_values.explorers.capitals import explore_capitals
from course_lib.chapters.queries_keys_values.explorers.flow import explore_flow
from course_lib.chapters.queries_keys_values.explorers.query_map import explore_query_map
from course_lib.chapters.queries_keys_values.explorers.soft_lookup import explore_soft_lookup
from course_lib.chapters.queries_keys_values.explorers.who_looks_at_whom import (
    explore_who_looks_at_whom,
)
from course_lib.chapters.queries_keys_values.found import show_capitals
from course_lib.chapters.queries_keys_values.key_check import check_key
from course_lib.chapters.queries_keys_values.named_table import print_table
from course_lib.chapters.queries_keys_values.one_query import show_query
from course_lib.chapters.queries_keys_values.steps import show_steps
from course_lib.chapters.queries_keys_values.three_vectors import show_vectors
from course_lib.figures.road_map import show_road_map
from course_lib.kernels.attention import trace
from course_lib.models.vanishing_gradient import gradient_by_distance, typical
from course_lib.models.words import train_words
from course_lib.notebook.handout import Handout
from course_lib.progress_bar import with_progress

handout = Handout(
    "05_queries_keys_values",
    exercises=(
        STRANGERS_MATCH,
        ATTEND,
        TWO_QUESTIONS,
        ROW_OF_IS,
        SCALED_SCORES,
        ONE_WAY,
        SCORES_FOR,
        ATTENTION,
        CROSS_ATTENTION,
        QUERY_OF_IS,
        MENDED,
        SAME_SCORES,
        GRADIENT_OF_W_Q,
    ),
    bets=BETS,
)

bet, exercise, hint = handout.bet, handout.exercise, handout.hint
progress, reveal, settle = handout.progress, handout.reveal, handout.settle

__all__ = [
    "apple_in",
    "bet",
    "check_key",
    "exercise",
    "explore_capitals",
    "explore_flow",
    "explore_query_map",
    "explore_soft_lookup",
    "explore_who_looks_at_whom",
    "gradient_by_distance",
    "hint",
    "how_alike",
    "math",
    "np",
    "print_table",
    "progress",
    "reveal",
    "settle",
    "show_apple",
    "show_banks",
    "show_capitals",
    "show_line",
    "show_query",
    "show_road_map",
    "show_steps",
    "show_vectors",
    "torch",
    "trace",
    "train_words",
    "typical",
    "with_progress",
]
