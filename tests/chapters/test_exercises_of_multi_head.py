"""What the data of chapter 7's exercises cannot say."""

from itertools import combinations, product

import numpy as np
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.multi_head import handout
from course_lib.chapters.multi_head.exercises.four_to_spare import LEAST, _right_without
from course_lib.chapters.multi_head.exercises.induction_score import induction_score
from course_lib.judging import judge
from course_lib.kernels.heads import multi_head_attention
from course_lib.models.copying import induction_scores, load_copying
from course_lib.models.transformer import Block


def test_the_modules_of_a_real_block_in_order_are_right():
    def through_a_block(x, norm_1, heads, norm_2, mlp, dropout):
        part = Block(x.shape[-1], 1, torch.Generator().manual_seed(0), mlp=True)
        part.norm, part.mlp_norm, part.mlp = (Given(one) for one in (norm_1, norm_2, mlp))
        part.heads = Given(lambda y, **options: dropout(heads(y)))
        part.mlp = Given(lambda y: dropout(mlp(y)))
        return part(x, attention=None)

    assert judge("07_multi_head/block", through_a_block).state == "right"


class Given(nn.Module):
    """A module that does what a function does."""

    def __init__(self, function):
        super().__init__()
        self.forward = function


def test_the_score_of_the_exercise_is_that_of_the_model():
    model, period = load_copying(), 24
    order = torch.rand(16, 27, generator=torch.Generator().manual_seed(0)).argsort(dim=1)
    maps = model.maps(order[:, :period].repeat(1, 2))
    ours = [[torch.stack([induction_score(one, period) for one in head]).mean()
             for head in layer.transpose(0, 1)] for layer in maps]  # fmt: skip
    np.testing.assert_allclose(ours, induction_scores(model), atol=0.03)


def test_half_of_the_bets_ask_for_a_number():
    numbers = [bet for bet in handout.bets.values() if hasattr(bet.answer, "is_right")]
    assert len(numbers) >= len(handout.bets) / 2


def test_heads_one_by_one_agree_with_the_kernel_on_leading_axes():
    draw = torch.Generator().manual_seed(0)
    x, *w, w_o = (torch.randn(s, generator=draw) for s in ((2, 5, 6), *[(6, 6)] * 4))
    parts = zip(*((x @ one).chunk(3, dim=-1) for one in w), strict=True)
    joined = torch.cat([scaled_dot_product_attention(*part) for part in parts], dim=-1)
    torch.testing.assert_close(joined @ w_o, multi_head_attention(x, *w, w_o, 3))


def test_beside_any_right_four_a_reader_is_worth_more_than_the_second_note():
    fifth = [(0, 2), *product([1], range(4))]
    for four in combinations(product(range(2), range(4)), 4):
        if _right_without(four) < LEAST:
            continue
        on = [head for head in fifth if head not in four]
        assert len(on) == 3, "as the bet says: head 2 and two readers"
        shares = [_right_without(tuple(sorted({*four, head}))) for head in on]
        assert handout.bets["fifth"].answer.which(shares) == 0
        assert shares[0] > 1.05 * max(shares[1:])
    assert _right_without(((0, 2),)) < min(_right_without(((1, head),)) for head in range(4))


def test_six_of_the_seventy_fours_can_be_spared_and_none_is_near_the_border():
    shares = {four: _right_without(four) for four in combinations(product(range(2), range(4)), 4)}
    spared = [four for four, share in shares.items() if share >= LEAST]
    assert (len(shares), len(spared)) == (70, 6)
    assert all({(0, 0), (0, 3)} < set(four) for four in spared)
    assert min(abs(share - LEAST) for share in shares.values()) > 0.02
