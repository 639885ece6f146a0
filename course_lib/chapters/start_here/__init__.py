"""What chapter 0 hands to a learner: its notebook imports all of it with one `*`."""

from course_lib.chapters.start_here.bets import BETS
from course_lib.chapters.start_here.endings import toss_a_coin
from course_lib.chapters.start_here.exercises.by_longest import BY_LONGEST
from course_lib.chapters.start_here.exercises.by_two import BY_TWO
from course_lib.chapters.start_here.exercises.next_letter import NEXT_LETTER
from course_lib.chapters.start_here.exercises.trap import TRAP
from course_lib.chapters.start_here.explorers.heads import explore_heads_of
from course_lib.chapters.start_here.outwitting import (
    continued_by,
    go_on,
    outwit,
    show_what_counts,
    walk_into,
)
from course_lib.chapters.start_here.pictures import (
    show_forward_pass,
    show_note_found,
    show_note_left,
    show_pair,
    show_passing_on,
    show_periods,
)
from course_lib.chapters.start_here.rows_of_notes import show_places_found, show_two_back
from course_lib.figures.road_map import show_road_map
from course_lib.models.copying_numpy import load_copying, rule_right, share_right, without
from course_lib.models.recurrent_numpy import load_recurrent
from course_lib.notebook.handout import Handout

handout = Handout("00_start_here", exercises=(NEXT_LETTER, TRAP, BY_TWO, BY_LONGEST), bets=BETS)

bet, exercise, hint = handout.bet, handout.exercise, handout.hint
placed, progress, reveal = handout.placed, handout.progress, handout.reveal
settle = handout.settle

__all__ = [
    "bet",
    "continued_by",
    "exercise",
    "explore_heads_of",
    "go_on",
    "hint",
    "load_copying",
    "load_recurrent",
    "outwit",
    "placed",
    "progress",
    "reveal",
    "rule_right",
    "settle",
    "share_right",
    "show_forward_pass",
    "show_note_found",
    "show_note_left",
    "show_pair",
    "show_passing_on",
    "show_periods",
    "show_places_found",
    "show_road_map",
    "show_two_back",
    "show_what_counts",
    "toss_a_coin",
    "walk_into",
    "without",
]
