"""What chapter 7 hands to a learner: its notebook imports all of it with one `*`."""

from course_lib.chapters.multi_head.bets import BETS
from course_lib.chapters.multi_head.exercises.block import BLOCK
from course_lib.chapters.multi_head.exercises.cache_size import CACHE_SIZE
from course_lib.chapters.multi_head.exercises.count_parameters import COUNT_PARAMETERS
from course_lib.chapters.multi_head.exercises.dimmed import DIMMED, dimmed
from course_lib.chapters.multi_head.exercises.four_to_spare import FOUR_TO_SPARE
from course_lib.chapters.multi_head.exercises.induction_score import INDUCTION_SCORE
from course_lib.chapters.multi_head.exercises.merge_heads import MERGE_HEADS, merge_heads
from course_lib.chapters.multi_head.exercises.multi_head import MULTI_HEAD
from course_lib.chapters.multi_head.exercises.repeat_heads import REPEAT_HEADS
from course_lib.chapters.multi_head.exercises.split_heads import SPLIT_HEADS
from course_lib.chapters.multi_head.exercises.what_each_adds import WHAT_EACH_ADDS, what_each_adds
from course_lib.chapters.multi_head.explorers.cache import explore_cache
from course_lib.chapters.multi_head.explorers.fixed_width import explore_fixed_width
from course_lib.chapters.multi_head.explorers.head_maps import explore_head_maps
from course_lib.chapters.multi_head.explorers.quieter_head import explore_quieter_head
from course_lib.chapters.multi_head.halves import halves_of_head_2
from course_lib.chapters.multi_head.reader_scores import (
    lead_and_weight,
    often_missed,
    reader_scores,
)
from course_lib.chapters.multi_head.silencing import silent
from course_lib.chapters.multi_head.stills import (
    show_birth,
    show_births,
    show_eight_maps,
    show_mixed_rows,
    show_note_and_reader,
    show_second_note,
    show_split_and_merged,
    show_transformer,
    watch_a_birth,
    writers_by_seed,
)
from course_lib.figures.road_map import show_road_map
from course_lib.kernels.latent import kept_per_token
from course_lib.kernels.masks import causal, may_attend
from course_lib.kernels.positions import rotary
from course_lib.models.copying import (
    continued_text,
    copying_accuracy,
    encode,
    load_copying,
    new_copying,
)
from course_lib.models.own_multi_head import with_multi_head
from course_lib.models.pushes import gathered, pushes
from course_lib.notebook.handout import Handout

handout = Handout(
    "07_multi_head",
    exercises=(
        SPLIT_HEADS,
        MULTI_HEAD,
        FOUR_TO_SPARE,
        INDUCTION_SCORE,
        COUNT_PARAMETERS,
        CACHE_SIZE,
        REPEAT_HEADS,
        BLOCK,
        WHAT_EACH_ADDS,
        MERGE_HEADS,
        DIMMED,
    ),
    bets=BETS,
)

bet, exercise, hint = handout.bet, handout.exercise, handout.hint
progress, reveal, settle = handout.progress, handout.reveal, handout.settle

__all__ = [
    "bet",
    "causal",
    "continued_text",
    "copying_accuracy",
    "dimmed",
    "encode",
    "exercise",
    "explore_cache",
    "explore_fixed_width",
    "explore_head_maps",
    "explore_quieter_head",
    "gathered",
    "halves_of_head_2",
    "hint",
    "kept_per_token",
    "lead_and_weight",
    "load_copying",
    "may_attend",
    "merge_heads",
    "new_copying",
    "often_missed",
    "progress",
    "pushes",
    "reader_scores",
    "reveal",
    "rotary",
    "settle",
    "show_birth",
    "show_births",
    "show_eight_maps",
    "show_mixed_rows",
    "show_note_and_reader",
    "show_road_map",
    "show_second_note",
    "show_split_and_merged",
    "show_transformer",
    "silent",
    "watch_a_birth",
    "what_each_adds",
    "with_multi_head",
    "writers_by_seed",
]
