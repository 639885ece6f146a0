"""What chapter 6 hands to a learner: its notebook imports all of it with one `*`."""

import numpy as np
import torch

from course_lib.chapters.masks.bets import BETS
from course_lib.chapters.masks.exercises.causal_attention import CAUSAL_ATTENTION
from course_lib.chapters.masks.exercises.causal_weights import CAUSAL_WEIGHTS
from course_lib.chapters.masks.exercises.decode import DECODE
from course_lib.chapters.masks.exercises.for_multihead import FOR_MULTIHEAD
from course_lib.chapters.masks.exercises.is_equivariant import IS_EQUIVARIANT
from course_lib.chapters.masks.exercises.leaks import LEAKS
from course_lib.chapters.masks.exercises.mask_bug import MASK_BUG
from course_lib.chapters.masks.exercises.padding_mask import PADDING_MASK
from course_lib.chapters.masks.exercises.rope_scores import ROPE_SCORES
from course_lib.chapters.masks.exercises.rotate import ROTATE
from course_lib.chapters.masks.exercises.safe_weights import SAFE_WEIGHTS
from course_lib.chapters.masks.exercises.sinusoidal import SINUSOIDAL
from course_lib.chapters.masks.explorers.dials import explore_dials
from course_lib.chapters.masks.explorers.mask import explore_mask
from course_lib.chapters.masks.explorers.painted_mask import explore_painted_mask
from course_lib.chapters.masks.moved import show_moves
from course_lib.chapters.masks.one_back import show_one_back
from course_lib.chapters.masks.pictures import (
    show_unnamed_losses,
    show_waves,
    without_names,
)
from course_lib.chapters.masks.sure_and_wrong import show_sure_and_wrong
from course_lib.chapters.masks.tables_in_a_row import show_slips, show_where_they_look
from course_lib.chapters.masks.turned_arrows import show_order, show_turn
from course_lib.chapters.masks.who_pays import show_who_pays
from course_lib.figures.road_map import show_road_map
from course_lib.kernels.attention import attention, attention_weights
from course_lib.kernels.longer_positions import yarn, yarn_sharpness
from course_lib.kernels.masks import Mask, causal, may_attend, padding
from course_lib.kernels.positions import alibi, frequencies, rotate, slopes
from course_lib.models.dice import STEPS, honest_loss, train, tried_under
from course_lib.models.dice_in_pairs import share_right, train_on_pairs
from course_lib.models.payers import train_on_payers
from course_lib.notebook.handout import Handout
from course_lib.progress_bar import with_progress

handout = Handout(
    "06_masks",
    exercises=(
        CAUSAL_WEIGHTS,
        LEAKS,
        ROPE_SCORES,
        CAUSAL_ATTENTION,
        ROTATE,
        MASK_BUG,
        SAFE_WEIGHTS,
        FOR_MULTIHEAD,
        DECODE,
        PADDING_MASK,
        IS_EQUIVARIANT,
        SINUSOIDAL,
    ),
    bets=BETS,
)

bet, exercise, hint = handout.bet, handout.exercise, handout.hint
progress, reveal, settle = handout.progress, handout.reveal, handout.settle

__all__ = [
    "STEPS",
    "Mask",
    "alibi",
    "attention",
    "attention_weights",
    "bet",
    "causal",
    "exercise",
    "explore_dials",
    "explore_mask",
    "explore_painted_mask",
    "frequencies",
    "hint",
    "honest_loss",
    "may_attend",
    "np",
    "padding",
    "progress",
    "reveal",
    "rotate",
    "settle",
    "share_right",
    "show_moves",
    "show_one_back",
    "show_order",
    "show_road_map",
    "show_slips",
    "show_sure_and_wrong",
    "show_turn",
    "show_unnamed_losses",
    "show_waves",
    "show_where_they_look",
    "show_who_pays",
    "slopes",
    "torch",
    "train",
    "train_on_pairs",
    "train_on_payers",
    "tried_under",
    "with_progress",
    "without_names",
    "yarn",
    "yarn_sharpness",
]
