"""What chapter 8 hands to a learner: its notebook imports all of it with one `*`."""

from course_lib.chapters.flash_attention.bets import BETS
from course_lib.chapters.flash_attention.changed_loops import changed_loop, passed_tests, right_loop
from course_lib.chapters.flash_attention.exercises.attention_by_tiles import ATTENTION_BY_TILES
from course_lib.chapters.flash_attention.exercises.break_even import BREAK_EVEN
from course_lib.chapters.flash_attention.exercises.flash_traffic import FLASH_TRAFFIC
from course_lib.chapters.flash_attention.exercises.hidden_score import HIDDEN_SCORE, both_sums
from course_lib.chapters.flash_attention.exercises.hide_later import HIDE_LATER
from course_lib.chapters.flash_attention.exercises.key_blocks import KEY_BLOCKS
from course_lib.chapters.flash_attention.exercises.masked_tile import MASKED_TILE
from course_lib.chapters.flash_attention.exercises.merge import MERGE
from course_lib.chapters.flash_attention.exercises.rows_in_pages import ROWS_IN_PAGES
from course_lib.chapters.flash_attention.exercises.score_gradient import SCORE_GRADIENT
from course_lib.chapters.flash_attention.exercises.weighted_mean import WEIGHTED_MEAN
from course_lib.chapters.flash_attention.exercises.without_table import WITHOUT_TABLE
from course_lib.chapters.flash_attention.explorers.gpu import explore_gpu
from course_lib.chapters.flash_attention.explorers.roof import explore_roof
from course_lib.chapters.flash_attention.explorers.running_sums import explore_running_sums
from course_lib.chapters.flash_attention.explorers.share import explore_share
from course_lib.chapters.flash_attention.explorers.tiles import explore_tiles
from course_lib.chapters.flash_attention.four_machines import on_four_machines
from course_lib.chapters.flash_attention.in_all_heads import in_all_heads
from course_lib.chapters.flash_attention.in_place import masked_by_tiles, show_in_place
from course_lib.chapters.flash_attention.loops_over_blocks import without_rescaling
from course_lib.chapters.flash_attention.model_loop import show_model_loop
from course_lib.chapters.flash_attention.programs import show_programs
from course_lib.chapters.flash_attention.shown_tests import show_tests
from course_lib.chapters.flash_attention.stills import show_small_tiles, show_speeds, speeds
from course_lib.chapters.flash_attention.three_ways import show_against_plain, three_ways
from course_lib.chapters.flash_attention.two_loops import show_two_loops
from course_lib.figures.road_map import show_road_map
from course_lib.kernels.attention import attention
from course_lib.kernels.flash import flash_attention
from course_lib.kernels.interpreter import use_interpreter
from course_lib.measures.allocation import largest_allocation
from course_lib.measures.attention_cost import block_flops, core_flops
from course_lib.measures.loop_order import elements_moved
from course_lib.measures.published import DEVICES
from course_lib.measures.source import source_of
from course_lib.models.copying_numpy import load_copying
from course_lib.notebook.handout import Handout

handout = Handout(
    "08_flash_attention",
    exercises=(
        WEIGHTED_MEAN,
        ATTENTION_BY_TILES,
        HIDE_LATER,
        HIDDEN_SCORE,
        MERGE,
        ROWS_IN_PAGES,
        FLASH_TRAFFIC,
        SCORE_GRADIENT,
        KEY_BLOCKS,
        BREAK_EVEN,
        MASKED_TILE,
        WITHOUT_TABLE,
    ),
    bets=BETS,
)

bet, exercise, hint = handout.bet, handout.exercise, handout.hint
progress, reveal, settle = handout.progress, handout.reveal, handout.settle

__all__ = [
    "DEVICES",
    "attention",
    "bet",
    "block_flops",
    "both_sums",
    "changed_loop",
    "core_flops",
    "elements_moved",
    "exercise",
    "explore_gpu",
    "explore_roof",
    "explore_running_sums",
    "explore_share",
    "explore_tiles",
    "flash_attention",
    "hint",
    "in_all_heads",
    "largest_allocation",
    "load_copying",
    "masked_by_tiles",
    "on_four_machines",
    "passed_tests",
    "progress",
    "reveal",
    "right_loop",
    "settle",
    "show_against_plain",
    "show_in_place",
    "show_model_loop",
    "show_programs",
    "show_road_map",
    "show_small_tiles",
    "show_speeds",
    "show_tests",
    "show_two_loops",
    "source_of",
    "speeds",
    "three_ways",
    "use_interpreter",
    "without_rescaling",
]
