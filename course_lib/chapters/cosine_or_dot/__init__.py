"""What chapter 2 hands to a learner: its notebook imports all of it with one `*`."""

from course_lib.chapters.cosine_or_dot.bets import BETS
from course_lib.chapters.cosine_or_dot.circle import show_onto_circle
from course_lib.chapters.cosine_or_dot.exercises.additive_scores import ADDITIVE_SCORES
from course_lib.chapters.cosine_or_dot.exercises.cosine_gradient import COSINE_GRADIENT
from course_lib.chapters.cosine_or_dot.exercises.cosine_matrix import COSINE_MATRIX
from course_lib.chapters.cosine_or_dot.exercises.cosine_weights import COSINE_WEIGHTS
from course_lib.chapters.cosine_or_dot.exercises.factor_for_half import FACTOR_FOR_HALF
from course_lib.chapters.cosine_or_dot.exercises.misled_by_distance import MISLED_BY_DISTANCE
from course_lib.chapters.cosine_or_dot.exercises.overtaking_length import OVERTAKING_LENGTH
from course_lib.chapters.cosine_or_dot.exercises.search import SEARCH
from course_lib.chapters.cosine_or_dot.exercises.surviving_reasons import SURVIVING_REASONS
from course_lib.chapters.cosine_or_dot.exercises.unit_rows import UNIT_ROWS
from course_lib.chapters.cosine_or_dot.exercises.which_metric import WHICH_METRIC
from course_lib.chapters.cosine_or_dot.explorers.loud_key import explore_loud_key
from course_lib.chapters.cosine_or_dot.explorers.onto_circle import explore_onto_circle
from course_lib.chapters.cosine_or_dot.explorers.two_lengths import explore_two_lengths
from course_lib.chapters.cosine_or_dot.explorers.two_measures import explore_two_measures
from course_lib.chapters.cosine_or_dot.finders import show_finders
from course_lib.chapters.cosine_or_dot.learned_lengths import (
    missing_queries,
    share_of_key_0,
    trained_keys,
    trained_queries,
    word_weights,
)
from course_lib.chapters.cosine_or_dot.pictures import (
    show_lengths,
    show_neighbours,
    show_strangers,
    show_two_words,
)
from course_lib.chapters.cosine_or_dot.rankings import show_rankings
from course_lib.chapters.cosine_or_dot.reach_of_words import show_reach
from course_lib.chapters.cosine_or_dot.room import share_won_by_key_0
from course_lib.chapters.cosine_or_dot.short_query import show_query_lengths
from course_lib.chapters.cosine_or_dot.what_stores_find import show_metrics, show_stores
from course_lib.figures.road_map import show_road_map
from course_lib.kernels.scores import bilinear_scores
from course_lib.kernels.softmax import softmax
from course_lib.kernels.vectors import cosine, norm, pairwise_cosines
from course_lib.measures.directions import random_directions
from course_lib.measures.score_cost import KINDS, score_cost
from course_lib.measures.score_timing import measure, recorded
from course_lib.models.copying_numpy import load_copying
from course_lib.models.corpus import neighbours, ppmi, sentences, svd_vectors
from course_lib.models.flat_index import FlatIndex, rank_by_dot
from course_lib.models.page_counts import word_counts
from course_lib.notebook.handout import Handout

handout = Handout(
    "02_cosine_or_dot",
    exercises=(
        UNIT_ROWS,
        SEARCH,
        COSINE_WEIGHTS,
        WHICH_METRIC,
        OVERTAKING_LENGTH,
        FACTOR_FOR_HALF,
        MISLED_BY_DISTANCE,
        COSINE_MATRIX,
        ADDITIVE_SCORES,
        COSINE_GRADIENT,
        SURVIVING_REASONS,
    ),
    bets=BETS,
)

bet, exercise, hint = handout.bet, handout.exercise, handout.hint
progress, reveal, settle = handout.progress, handout.reveal, handout.settle

__all__ = [
    "KINDS",
    "FlatIndex",
    "bet",
    "bilinear_scores",
    "cosine",
    "exercise",
    "explore_loud_key",
    "explore_onto_circle",
    "explore_two_lengths",
    "explore_two_measures",
    "hint",
    "load_copying",
    "measure",
    "missing_queries",
    "neighbours",
    "norm",
    "pairwise_cosines",
    "ppmi",
    "progress",
    "random_directions",
    "rank_by_dot",
    "recorded",
    "reveal",
    "score_cost",
    "sentences",
    "settle",
    "share_of_key_0",
    "share_won_by_key_0",
    "show_finders",
    "show_lengths",
    "show_metrics",
    "show_neighbours",
    "show_onto_circle",
    "show_query_lengths",
    "show_rankings",
    "show_reach",
    "show_road_map",
    "show_stores",
    "show_strangers",
    "show_two_words",
    "softmax",
    "svd_vectors",
    "trained_keys",
    "trained_queries",
    "word_counts",
    "word_weights",
]
