"""GPT-2's files, read and computed: against the model of the package transformers, offline."""

import pytest
import torch
from safetensors.torch import load_file
from torch.nn.functional import scaled_dot_product_attention

from course_lib.kernels.attention import attention
from course_lib.kernels.heads import multi_head_attention
from course_lib.models.gpt2 import load_gpt2
from tests.models.gpt2_folders import (
    BLOCKS,
    PLACES,
    TEXT,
    H,
    M,
    refused,
    retensor,
    split_file,
    tokenizers,
    write_checkpoint,
)


@pytest.fixture(scope="module")
def untied(tmp_path_factory):
    folder = tmp_path_factory.mktemp("untied")
    return folder, write_checkpoint(folder, tie_word_embeddings=False)


def theirs(model, ids):
    with torch.no_grad():
        return model(ids[None], output_hidden_states=True, output_attentions=True)


def worst(got, want):
    assert got.shape == want.shape
    return float((got.double() - want.double()).abs().max())


def compared(folder, model, dtype):
    """The largest errors of scores, states and maps."""
    gpt2 = load_gpt2(folder, dtype=dtype)
    ids = gpt2.ids(TEXT)
    want = theirs(model, ids)
    states = gpt2.states(TEXT)
    last = gpt2.model.norm(states[-1])  # theirs stands behind the last norm
    hidden = torch.cat((states[:-1], last[None]))
    assert states.dtype == dtype
    return (
        worst(gpt2.model(ids), want.logits[0]),
        worst(hidden, torch.cat(want.hidden_states)),
        worst(gpt2.maps(TEXT), torch.cat(want.attentions)),
    )


# The same numbers


@pytest.mark.parametrize(
    ("dtype", "most"), [(torch.float64, 1e-13), (torch.float32, 1e-4)], ids=str
)
@pytest.mark.parametrize("kind", ["written", "untied"])
def test_scores_states_and_maps_are_those_of_transformers(request, kind, dtype, most):
    folder, model = request.getfixturevalue(kind)
    scores, states, maps = compared(folder, model, dtype)
    print(f"{kind} {dtype}: scores {scores:.1e}, states {states:.1e}, maps {maps:.1e}")
    assert scores < most
    assert states < most
    assert maps < most / 10


def test_in_float32_we_are_as_exact_as_transformers(written):
    folder, model = written
    gpt2 = load_gpt2(folder)
    ids = gpt2.ids(TEXT)
    exact = theirs(model, ids).logits[0]
    their_error = worst(theirs(model.float(), ids).logits[0], exact)
    model.double()
    assert worst(gpt2.model(ids), exact) <= 2 * their_error + 1e-6


def test_untied_weights_are_not_the_vectors_of_the_symbols(untied, written):
    model = load_gpt2(untied[0]).model
    assert not torch.equal(model.w, model.symbol.T)
    tied = load_gpt2(written[0]).model
    assert tied.w.data_ptr() == tied.symbol.data_ptr(), "no second copy"


def test_scaled_and_upcast_scores_are_the_same_in_our_precision(tmp_path):
    model = write_checkpoint(tmp_path, reorder_and_upcast_attn=True).float()
    gpt2 = load_gpt2(tmp_path)
    ids = gpt2.ids(TEXT)
    assert worst(gpt2.model(ids), theirs(model, ids).logits[0]) < 2e-4


def test_next_tokens_are_the_likeliest_with_their_probabilities(written):
    folder, model = written
    gpt2 = load_gpt2(folder, dtype=torch.float64)
    shares = theirs(model, gpt2.ids(TEXT)).logits[0, -1].softmax(-1)
    want = shares.sort(descending=True)
    got = gpt2.next_tokens(TEXT, 7)
    assert [piece for piece, _ in got] == [
        gpt2.tokenizer.decode([i]) for i in want.indices[:7].tolist()
    ]
    assert [share for _, share in got] == pytest.approx(want.values[:7].tolist())
    everything = gpt2.next_tokens(TEXT, 100_000)
    assert len(everything) == len(shares)
    assert sum(share for _, share in everything) == pytest.approx(1)


def test_it_continues_as_transformers_does(written):
    folder, model = written
    gpt2 = load_gpt2(folder, dtype=torch.float64)
    ids = gpt2.ids(TEXT)
    want = model.generate(ids[None], max_new_tokens=6, do_sample=False, eos_token_id=None)[0]
    assert gpt2.continued(TEXT, 6) == gpt2.tokenizer.decode(want.tolist())


def test_pieces_make_up_the_text(written):
    gpt2 = load_gpt2(written[0])
    assert "".join(gpt2.pieces(TEXT)) == TEXT
    assert len(gpt2.pieces(TEXT)) < len(TEXT), "some are longer than a letter"
    assert len(gpt2.pieces("Straße")) == len(gpt2.ids("Straße"))  # ß is two bytes


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_16_bits_become_32(folder, dtype):
    retensor(folder, lambda tensors: {name: w.to(dtype) for name, w in tensors.items()})
    model = load_gpt2(folder).model
    assert {w.dtype for w in model.parameters()} == {torch.float32}
    stored = load_file(folder / "model.safetensors")["transformer.h.1.attn.c_proj.weight"]
    assert torch.equal(model.blocks[1].heads.w_o, stored.float())


def test_names_without_prefix_and_stored_masks_are_read(folder):
    before = load_gpt2(folder).states(TEXT)
    masks = {f"h.{i}.attn.bias": torch.ones(1, 1, PLACES, PLACES).tril() for i in range(BLOCKS)}
    masks["h.0.attn.masked_bias"] = torch.tensor(-1e4)
    retensor(
        folder,
        lambda tensors: {n.removeprefix("transformer."): w for n, w in tensors.items()} | masks,
    )
    assert torch.equal(load_gpt2(folder).states(TEXT), before)


def test_a_stored_copy_of_tied_weights_may_stand_in_the_file(folder):
    before = load_gpt2(folder).next_tokens(TEXT)
    retensor(folder, lambda t: t | {"lm_head.weight": t["transformer.wte.weight"].clone()})
    assert load_gpt2(folder).next_tokens(TEXT) == before


def test_another_head_than_the_config_speaks_of_is_refused(folder):
    # transformers takes the head of the file then, and warns.
    retensor(folder, lambda t: t | {"lm_head.weight": 2 * t["transformer.wte.weight"]})
    refused(folder, "lm_head.weight is not wte.weight", "tie_word_embeddings")


def test_a_tokenizer_that_adds_or_cuts_is_told_not_to(folder):
    before = load_gpt2(folder).ids(TEXT)
    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="c $A", special_tokens=[("c", tokenizer.token_to_id("c"))]
    )
    tokenizer.enable_truncation(3), tokenizer.enable_padding(length=9)
    tokenizer.save(str(folder / "tokenizer.json"))
    assert torch.equal(load_gpt2(folder).ids(TEXT), before)


def test_weights_in_several_files_are_read(folder):
    before = load_gpt2(folder).states(TEXT)
    split_file(folder)
    assert torch.equal(load_gpt2(folder).states(TEXT), before)


# The learner's attention


def test_the_attention_that_is_passed_in_does_the_work(written):
    gpt2, calls = load_gpt2(written[0], dtype=torch.float64), []

    def pytorchs(q, k, v, *, mask=None):
        calls.append(tuple(q.shape))
        return scaled_dot_product_attention(q, k, v, attn_mask=mask)

    t = len(gpt2.ids(TEXT))
    assert worst(gpt2.states(TEXT, attention=pytorchs), gpt2.states(TEXT)) < 1e-12
    assert calls == [(H, t, M // H)] * BLOCKS
    assert worst(gpt2.maps(TEXT, attention=pytorchs), gpt2.maps(TEXT)) < 1e-12
    assert gpt2.continued(TEXT, 3, attention=pytorchs) == gpt2.continued(TEXT, 3)
    best, want = gpt2.next_tokens(TEXT, attention=pytorchs), gpt2.next_tokens(TEXT)
    assert [share for _, share in best] == pytest.approx([share for _, share in want])


def unscaled(q, k, v, mask=None):
    return attention(q, k, v, mask=mask, scale=1.0)


def test_a_wrong_attention_is_seen_in_scores_and_maps(written):
    gpt2 = load_gpt2(written[0])
    right, wrong = gpt2.next_tokens(TEXT), gpt2.next_tokens(TEXT, attention=unscaled)
    assert right[0][1] != pytest.approx(wrong[0][1], rel=1e-3)
    assert worst(gpt2.maps(TEXT, attention=unscaled), gpt2.maps(TEXT)) > 0.05


# Texts


@pytest.mark.parametrize(
    ("text", "said"), [("", "no token"), ("cats " * PLACES, f"knows {PLACES} places")]
)
def test_a_text_that_does_not_fit_is_refused(written, text, said):
    gpt2 = load_gpt2(written[0])
    for ask in (gpt2.next_tokens, gpt2.states, gpt2.maps):
        with pytest.raises(ValueError, match=said):
            ask(text)


def test_what_is_no_text_or_no_count_is_refused(written):
    gpt2 = load_gpt2(written[0])
    with pytest.raises(TypeError, match="expected a string"):
        gpt2.next_tokens(["cats"])
    with pytest.raises(ValueError, match="count is 0"):
        gpt2.next_tokens(TEXT, 0)


# Through the learner's multi-head function


def test_every_layer_goes_through_the_function(written):
    gpt2, calls = load_gpt2(written[0], dtype=torch.float64), []

    def mine(x, w_q, w_k, w_v, w_o, heads, mask=None):
        calls.append(heads)
        return multi_head_attention(x, w_q, w_k, w_v, w_o, heads, mask=mask)

    own = gpt2.through(mine)
    assert worst(own.states(TEXT), gpt2.states(TEXT)) < 1e-12
    assert calls == [H] * BLOCKS
    assert own.continued(TEXT, 3) == gpt2.continued(TEXT, 3)
    assert own.pieces(TEXT) == gpt2.pieces(TEXT)
