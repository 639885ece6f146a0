"""What chapter 0 hands to a learner: its notebook imports all of it with one `*`."""

from course_lib.chapters.start_here.bets import BETS
from course_lib.chapters.start_here.exercises.next_letter import NEXT_LETTER
from course_lib.chapters.start_here.explorers.heads import explore_heads_of
from course_lib.figures.heat_map import draw_scores
from course_lib.figures.letters import draw_looking, draw_passing_on
from course_lib.figures.road_map import draw_road_map
from course_lib.figures.static import show_figure
from course_lib.figures.theme import new_figure
from course_lib.models.copying_numpy import Copying, load_copying, rule_right, share_right, without
from course_lib.models.recurrent_numpy import load_recurrent
from course_lib.notebook.handout import Handout

handout = Handout("00_start_here", exercises=(NEXT_LETTER,), bets=BETS)

bet, exercise, hint = handout.bet, handout.exercise, handout.hint
progress, reveal, settle = handout.progress, handout.reveal, handout.settle

__all__ = [
    "Copying",
    "bet",
    "draw_looking",
    "draw_passing_on",
    "draw_road_map",
    "draw_scores",
    "exercise",
    "explore_heads_of",
    "hint",
    "load_copying",
    "load_recurrent",
    "new_figure",
    "progress",
    "reveal",
    "rule_right",
    "settle",
    "share_right",
    "show_figure",
    "without",
]
