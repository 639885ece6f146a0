"""The small transformer: against a plain one in PyTorch, and its own laws."""

import re

import pytest
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from course_lib.kernels.attention import attention, attention_weights
from course_lib.models.transformer import Transformer

Z, LENGTH, B, T, M, H, BLOCKS = 11, 13, 3, 7, 10, 5, 2


def model_with(seed=0, **options):
    options = {"blocks": BLOCKS, "m": M, "heads": H} | options
    model = Transformer(Z, LENGTH, torch.Generator().manual_seed(seed), **options).double()
    with torch.no_grad():  # nothing that is 0 or 1 at the start stays so: it would hide a mistake
        for i, w in enumerate(model.parameters()):
            w += 0.1 * torch.randn(w.shape, generator=torch.Generator().manual_seed(i)).double()
    return model.requires_grad_(False)


def symbols(*shape, seed=1):
    return torch.randint(Z, shape, generator=torch.Generator().manual_seed(seed))


def layer_of_pytorch(block):
    """nn.TransformerEncoderLayer with norm_first, the weights of a block with mlp and bias."""
    layer = nn.TransformerEncoderLayer(
        M, H, 4 * M, 0.0, activation=nn.GELU("tanh"), norm_first=True, batch_first=True
    ).double()
    layer.self_attn.load_state_dict(block.heads.to_multihead())
    layer.norm1.load_state_dict(block.norm.state_dict())
    layer.norm2.load_state_dict(block.mlp_norm.state_dict())
    for linear, name in ((layer.linear1, "in"), (layer.linear2, "out")):
        linear.load_state_dict(
            {"weight": getattr(block.mlp, f"w_{name}").T, "bias": getattr(block.mlp, f"b_{name}")}
        )
    return layer.requires_grad_(False)


def test_states_and_scores_agree_with_pytorchs_layers():
    model, ids = model_with(mlp=True, bias=True), symbols(B, T)
    mask = nn.Transformer.generate_square_subsequent_mask(T, dtype=torch.float64)
    x = nn.functional.embedding(ids, model.symbol) + model.place[:T]
    want = [x]
    for block in model.blocks:
        want.append(layer_of_pytorch(block)(want[-1], src_mask=mask))
    for got, state in zip(model.states(ids), want, strict=True):
        torch.testing.assert_close(got, state, rtol=0, atol=1e-13)
    scores = nn.functional.linear(model.norm(want[-1]), model.w.T, model.b)
    torch.testing.assert_close(model(ids), scores, rtol=0, atol=1e-13)


def test_without_mlp_a_block_adds_what_attention_gathered_and_nothing_else():
    model, ids = model_with(), symbols(B, T)
    silent = model.states(ids, attention=lambda q, k, v, *, mask: torch.zeros_like(v))
    assert all(torch.equal(state, silent[0]) for state in silent)
    assert not torch.allclose(model.states(ids)[-1], silent[0])


@pytest.mark.parametrize(
    "options", [{}, {"mlp": True, "bias": True, "n_kv_heads": 1, "rotary": "halves"}], ids=str
)
def test_a_later_symbol_changes_nothing_before_it(options):
    model, ids = model_with(**options), symbols(B, T)
    other = ids.clone()
    other[:, 4] = (ids[:, 4] + 1) % Z
    before, after = model(ids), model(other)
    torch.testing.assert_close(before[:, :4], after[:, :4], rtol=0, atol=0)
    assert (before[:, 4:] != after[:, 4:]).any(-1).all()


def test_the_attention_that_is_passed_in_does_the_work():
    model, ids = model_with(n_kv_heads=1), symbols(B, T)

    def pytorchs(q, k, v, *, mask):
        return scaled_dot_product_attention(q, k, v, attn_mask=mask)

    torch.testing.assert_close(model(ids, attention=pytorchs), model(ids), rtol=0, atol=1e-13)


def test_loudness_multiplies_the_output_of_one_head():
    model, ids = model_with(), symbols(B, T)
    assert torch.equal(model(ids, loudness=torch.ones(BLOCKS, H)), model(ids))
    loudness = torch.ones(BLOCKS, H)
    loudness[1, 3] = 0.25
    dimmed, d = model_with(), M // H
    dimmed.blocks[1].heads.w_o[3 * d : 4 * d] *= 0.25  # the rows of w_o that head 3 meets
    got = model(ids, loudness=loudness)
    torch.testing.assert_close(got, dimmed(ids), rtol=0, atol=1e-13)
    assert not torch.allclose(got, model(ids))


def test_maps_are_the_weights_that_are_used():
    model, ids = model_with(), symbols(B, T)
    maps = model.maps(ids)
    assert maps.shape == (BLOCKS, B, H, T, T)
    torch.testing.assert_close(maps.sum(-1), torch.ones(BLOCKS, B, H, T).double())
    assert not maps.triu(1).any()
    left = iter(maps)
    got = model(ids, attention=lambda q, k, v, *, mask: next(left) @ v)
    torch.testing.assert_close(got, model(ids), rtol=0, atol=1e-13)


@pytest.mark.parametrize("n_kv_heads", [1, H])
def test_maps_are_those_of_the_attention_that_is_passed_in(n_kv_heads):
    model, ids = model_with(n_kv_heads=n_kv_heads), symbols(B, T)
    want = []

    def sharper(q, k, v, *, mask):
        want.append(attention_weights(q, k, mask=mask, scale=3.0))
        return want[-1] @ v

    model.states(ids, attention=sharper)
    wanted = torch.stack(want)
    maps = model.maps(ids, attention=lambda *rows, mask: attention(*rows, mask=mask, scale=3.0))
    torch.testing.assert_close(maps, wanted, rtol=0, atol=1e-14)


@pytest.mark.parametrize("rotary", [None, "neighbours"])
def test_symbol_by_symbol_with_caches_gives_the_same_scores(rotary):
    model, ids = model_with(mlp=True, n_kv_heads=1, rotary=rotary), symbols(B, T)
    caches = model.new_caches(B)
    parts = [model(part, caches=caches) for part in ids.split((3, 1, 1, 2), dim=-1)]
    torch.testing.assert_close(torch.cat(parts, dim=-2), model(ids), rtol=0, atol=1e-13)


@pytest.mark.parametrize(
    "options", [{}, {"rotary": "halves", "n_kv_heads": 1, "mlp": True}], ids=str
)
def test_sequences_of_different_lengths_score_as_each_alone(options):
    model, ids = model_with(**options), symbols(B, LENGTH)
    caches, done, found = model.new_caches(B), [0] * B, [[] for _ in range(B)]
    each = ((5, 0, 1, 6, 1), (2, 4, 1, 3, 3), (1, 4, 1, 4, 3))
    for t, counts in zip((5, 4, 1, 6, 3), zip(*each, strict=True), strict=True):
        new = torch.zeros(B, t, dtype=torch.int64)
        for row, one, begin, count in zip(new, ids, done, counts, strict=True):
            row[:count] = one[begin : begin + count]
        scores = model(new, caches=caches, counts=counts)
        for i, count in enumerate(counts):
            found[i].append(scores[i, :count])
            done[i] += count
    assert done == [LENGTH] * B
    torch.testing.assert_close(
        torch.stack([torch.cat(parts) for parts in found]), model(ids), rtol=0, atol=1e-13
    )


def test_a_sequence_that_is_longer_than_the_model_knows_is_refused():
    model, ids = model_with(), symbols(B, 4)
    caches = [block.heads.new_cache(40, B) for block in model.blocks]
    for cache in caches:
        cache.keep([LENGTH - 2, 3, 0])
    with pytest.raises(ValueError, match=f"knows {LENGTH} places; these are {LENGTH + 2}"):
        model(ids, caches=caches)
    with pytest.raises(ValueError, match=f"knows {LENGTH} places; these are {LENGTH + 1}"):
        model(ids, caches=caches, counts=[3, 4, 1])
    model(ids, caches=caches, counts=[2, 4, 0])
    assert [cache.lengths.tolist() for cache in caches] == [[LENGTH, 7, 0]] * BLOCKS


def test_a_pass_that_fails_leaves_each_length_of_all_caches():
    model, ids = model_with(), symbols(B, T)
    caches = model.new_caches(B)
    model(ids, caches=caches, counts=[4, 1, 5])
    calls = []

    def breaks_in_the_second_block(q, k, v, *, mask):
        calls.append(0)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return attention(q, k, v, mask=mask)

    with pytest.raises(KeyboardInterrupt):
        model(ids, caches=caches, counts=[1, 2, 0], attention=breaks_in_the_second_block)
    assert [cache.lengths.tolist() for cache in caches] == [[4, 1, 5]] * BLOCKS


def test_continued_appends_the_likeliest_symbol_each_time():
    model, ids = model_with(), symbols(B, T)
    want = ids
    for _ in range(LENGTH - T):  # without caches
        want = torch.cat((want, model(want)[:, -1:].argmax(-1)), dim=-1)
    assert torch.equal(model.continued(ids, LENGTH - T), want)
    assert torch.equal(model.continued(ids[0], 2), want[0, : T + 2])


def test_a_pass_that_fails_leaves_all_caches_as_they_were():
    model, ids = model_with(), symbols(B, T)
    caches = model.new_caches(B)
    model(ids[:, :4], caches=caches)
    calls = []

    def breaks_in_the_second_block(q, k, v, *, mask):
        calls.append(0)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return attention(q, k, v, mask=mask)

    with pytest.raises(KeyboardInterrupt):
        model(ids[:, 4:] * 0, caches=caches, attention=breaks_in_the_second_block)
    rest = model(ids[:, 4:], caches=caches)
    torch.testing.assert_close(rest, model(ids)[:, 4:], rtol=0, atol=1e-13)


def test_the_copying_model_has_as_many_weights_as_the_course_says():
    model = Transformer(27, 48, torch.Generator().manual_seed(0))
    assert sum(w.numel() for w in model.parameters()) == 39_707


def test_the_first_weights_have_the_sizes_that_the_course_says():
    model = Transformer(50, 40, torch.Generator().manual_seed(0), m=36, mlp=True)
    mlp = model.blocks[1].mlp
    sizes = {
        model.symbol: 0.5,
        model.place: 0.5,
        model.w: 1 / 6,
        mlp.w_in: 1 / 6,
        mlp.w_out: 1 / 12,
    }
    for w, size in sizes.items():
        assert w.std().item() == pytest.approx(size, rel=0.05)
    assert [*model.w.shape, *mlp.w_in.shape] == [36, 50, 36, 144]


def test_the_first_weights_depend_on_the_generator_alone():
    before = torch.get_rng_state()
    first, same, other = (model_with(seed, mlp=True).state_dict() for seed in (0, 0, 1))
    assert all(torch.equal(first[name], same[name]) for name in first)
    assert not torch.equal(first["blocks.1.mlp.w_in"], other["blocks.1.mlp.w_in"])
    assert torch.equal(before, torch.get_rng_state())


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda m: m([1, 2]), TypeError, "ids is list; expected a tensor of whole numbers"),
        (lambda m: m(torch.ones(2)), TypeError, "ids is torch.float32; expected a tensor of whole"),
        (lambda m: m(symbols(0)), ValueError, "ids has shape (0,); expected (..., t), not empty"),
        (lambda m: m(torch.tensor([3, 11])), ValueError, "from 3 to 11; the model knows 0 to 10"),
        (lambda m: m(torch.tensor([-1])), ValueError, "ids go from -1 to -1"),
        (lambda m: m(symbols(14)), ValueError, "the model knows 13 places; these are 14"),
        (lambda m: m.continued(symbols(12), 3), ValueError, "the model knows 13 places; these"),
        (
            lambda m: m(symbols(T), loudness=torch.ones(H)),
            ValueError,
            "loudness has shape (5,); expected (2, 5)",
        ),
        (
            lambda m: m(symbols(T), caches=m.new_caches()[:1]),
            ValueError,
            "1 caches for 2 blocks: use new_caches(...)",
        ),
        (
            lambda m: m(symbols(T), counts=3),
            ValueError,
            "counts says which symbols enter caches, and there are none",
        ),
        (
            lambda m: m(symbols(T), caches=m.new_caches(), counts=T + 1),
            ValueError,
            f"counts is {T + 1}; expected 0 to {T}",
        ),
    ],
)
def test_what_cannot_be_computed_is_refused_in_words(call, error, says):
    with pytest.raises(error, match=re.escape(says)):
        call(model_with())


def test_caches_of_different_moments_are_refused():
    model = model_with()
    caches = model.new_caches()
    caches[1].keep(2)
    with pytest.raises(ValueError, match="the caches hold different numbers of places"):
        model(symbols(T), caches=caches)
    caches = model.new_caches(B)
    caches[0].keep([2, 1, 0]), caches[1].keep([2, 0, 0])  # the longest are of one length
    with pytest.raises(ValueError, match="the caches hold different numbers of places"):
        model(symbols(B, T), caches=caches)
