"""What chapter 1 hands to a learner: its notebook imports all of it with one `*`."""

from course_lib.chapters.dot_product.bets import BETS
from course_lib.chapters.dot_product.exercises.angle import ANGLE
from course_lib.chapters.dot_product.exercises.ask_for_the_kitten import ASK_FOR_THE_KITTEN
from course_lib.chapters.dot_product.exercises.attention import ATTENTION
from course_lib.chapters.dot_product.exercises.distance_scores import DISTANCE_SCORES
from course_lib.chapters.dot_product.exercises.dot import DOT
from course_lib.chapters.dot_product.exercises.near_and_loud import NEAR_AND_LOUD
from course_lib.chapters.dot_product.exercises.pairwise_dots import PAIRWISE_DOTS
from course_lib.chapters.dot_product.exercises.perpendicular_to import PERPENDICULAR_TO
from course_lib.chapters.dot_product.exercises.projection_length import PROJECTION_LENGTH
from course_lib.chapters.dot_product.exercises.small_angle import SMALL_ANGLE
from course_lib.chapters.dot_product.explorers.own_attention import explore_own_attention
from course_lib.chapters.dot_product.explorers.random_directions import explore_random_directions
from course_lib.chapters.dot_product.explorers.rows_and_columns import explore_rows_and_columns
from course_lib.chapters.dot_product.explorers.two_vectors import explore_two_vectors
from course_lib.chapters.dot_product.look_back import show_look_back
from course_lib.chapters.dot_product.meeting import show_meeting
from course_lib.chapters.dot_product.mixing import show_mixing
from course_lib.chapters.dot_product.pictures import (
    show_protractor,
    show_scores_among,
    show_turned,
    show_votes,
    show_who_is_heard,
)
from course_lib.chapters.dot_product.turning import turned
from course_lib.chapters.dot_product.two_keys import show_two_keys
from course_lib.figures.road_map import show_road_map
from course_lib.kernels.softmax import softmax
from course_lib.kernels.vectors import cosine, norm
from course_lib.measures.directions import largest_cosine, random_directions
from course_lib.models.copying_numpy import load_copying
from course_lib.notebook.handout import Handout

handout = Handout(
    "01_dot_product",
    exercises=(
        DOT,
        NEAR_AND_LOUD,
        ASK_FOR_THE_KITTEN,
        ATTENTION,
        PAIRWISE_DOTS,
        ANGLE,
        SMALL_ANGLE,
        PROJECTION_LENGTH,
        PERPENDICULAR_TO,
        DISTANCE_SCORES,
    ),
    bets=BETS,
)

bet, exercise, hint = handout.bet, handout.exercise, handout.hint
progress, reveal, settle = handout.progress, handout.reveal, handout.settle

__all__ = [
    "bet",
    "cosine",
    "exercise",
    "explore_own_attention",
    "explore_random_directions",
    "explore_rows_and_columns",
    "explore_two_vectors",
    "hint",
    "largest_cosine",
    "load_copying",
    "norm",
    "progress",
    "random_directions",
    "reveal",
    "settle",
    "show_look_back",
    "show_meeting",
    "show_mixing",
    "show_protractor",
    "show_road_map",
    "show_scores_among",
    "show_turned",
    "show_two_keys",
    "show_votes",
    "show_who_is_heard",
    "softmax",
    "turned",
]
