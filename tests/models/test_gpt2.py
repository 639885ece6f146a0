"""GPT-2's files, read and computed: against the model of the package transformers, offline."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch.nn.functional import scaled_dot_product_attention

from course_lib.kernels.attention import attention
from course_lib.kernels.heads import multi_head_attention
from course_lib.models import gpt2, gpt2_files, gpt2_lookup, gpt2_tensors
from course_lib.models.gpt2 import load_gpt2
from course_lib.models.gpt2_files import (
    FILES,
    MEGABYTES,
    CheckpointError,
    download_gpt2,
    what_it_would_download,
)
from course_lib.models.gpt2_tensors import INDEX

transformers = pytest.importorskip(
    "transformers", reason="it writes the checkpoint: pip install it"
)
tokenizers = pytest.importorskip("tokenizers", reason="it writes the tokenizer: pip install it")

PLACES, M, H, BLOCKS = 23, 35, 5, 3
EPS = 1e-3  # unlike the default, so that it counts
TEXT = "cats like dogs in the library"
SENTENCES = [TEXT, "the cats invited the dogs and apples", "library apples like cats", "苹果 apple"]
LIBRARY = Path(gpt2_files.__file__).parents[1]


def write_tokenizer(folder):
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=290,
        show_progress=False,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(SENTENCES, trainer)
    tokenizer.save(str(folder / "tokenizer.json"))
    return tokenizer.get_vocab_size()


def write_checkpoint(folder, **options):
    """A random GPT-2 in the files that transformers writes, and its model in float64."""
    options = {
        "vocab_size": write_tokenizer(folder) + 2, "n_positions": PLACES, "n_embd": M, "n_head": H,
        "n_layer": BLOCKS, "layer_norm_epsilon": EPS, "bos_token_id": 0, "eos_token_id": 0,
    } | options  # fmt: skip
    config = transformers.GPT2Config(**options, attn_implementation="eager")
    torch.manual_seed(0)
    model = transformers.GPT2LMHeadModel(config).eval().requires_grad_(False)
    generator = torch.Generator().manual_seed(1)
    for w in model.parameters():  # nothing that is 0 or 1 at the start stays so
        w += 0.3 * torch.randn(w.shape, generator=generator)
    model.save_pretrained(folder)
    return model.double()


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A folder with a checkpoint, and the model that wrote it."""
    folder = tmp_path_factory.mktemp("gpt2")
    return folder, write_checkpoint(folder)


@pytest.fixture(scope="module")
def untied(tmp_path_factory):
    folder = tmp_path_factory.mktemp("untied")
    return folder, write_checkpoint(folder, tie_word_embeddings=False)


@pytest.fixture
def folder(written, tmp_path):
    """A copy of the checkpoint that a test may damage."""
    return shutil.copytree(written[0], tmp_path / "copy")


def rewrite(folder, **changes):
    """Change entries of config.json; None takes one out."""
    path = folder / "config.json"
    config = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({name: x for name, x in config.items() if x is not None}))


def retensor(folder, change):
    """Save what `change` makes of the tensors."""
    path = folder / "model.safetensors"
    save_file(change(load_file(path)), path)


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


def split_file(folder):
    """model.safetensors in three parts, with their index."""
    tensors = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    names = sorted(tensors)
    where = {name: f"model-{i % 3 + 1:05d}-of-00003.safetensors" for i, name in enumerate(names)}
    for part in set(where.values()):
        save_file({n: tensors[n] for n in names if where[n] == part}, folder / part)
    (folder / INDEX).write_text(json.dumps({"metadata": {}, "weight_map": where}))


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


# Bad folders


def refused(folder, *said, kind=CheckpointError):
    """The one sentence with which the folder is refused."""
    with pytest.raises(kind) as caught:
        load_gpt2(folder)
    sentence = str(caught.value)
    assert type(caught.value) is kind
    assert "\n" not in sentence
    assert len(sentence) < 400, sentence
    for part in said:
        assert part in sentence
    return sentence


def test_a_folder_that_is_none_is_refused(folder):
    refused(folder / "nowhere", "does not exist", kind=FileNotFoundError)
    refused(folder / "config.json", "is a file", kind=FileNotFoundError)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(folder, name):
    (folder / name).unlink()
    refused(folder, f"has no {name}", "it has:", kind=FileNotFoundError)


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt"])
def test_a_pickle_is_refused_and_never_read(folder, name):
    (folder / "model.safetensors").rename(folder / name)
    refused(folder, name, "pickle", "run any code")


def test_no_module_of_the_course_can_unpickle():
    for module in (gpt2, gpt2_files, gpt2_lookup, gpt2_tensors):
        source = Path(module.__file__).read_text(encoding="utf-8")
        assert "torch.load" not in source
        assert "import pickle" not in source


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "damaged"),
        (b"\x80\x04\x95pickled", "damaged"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n", "git lfs pull"),
        (b"half", "damaged"),
    ],
)
def test_a_damaged_file_of_weights_is_refused(folder, content, said):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100] if content == b"half" else content)
    refused(folder, "model.safetensors", said)


def without(*ends):
    return lambda tensors: {n: w for n, w in tensors.items() if not n.endswith(ends)}


def test_missing_tensors_are_named(folder):
    retensor(folder, without("h.1.attn.c_proj.bias", "ln_f.weight"))
    refused(folder, "lacks", "and 1 more")


def test_untied_weights_that_are_missing_are_named(folder):
    rewrite(folder, tie_word_embeddings=False)
    refused(folder, "lacks lm_head.weight")


@pytest.mark.parametrize("name", ["h.2.attn.c_attn.weight", "wpe.weight", "h.0.ln_1.bias"])
def test_a_tensor_of_another_shape_is_named(folder, name):
    retensor(folder, lambda t: t | {f"transformer.{name}": t[f"transformer.{name}"][:-1].clone()})
    refused(folder, f"{name} has shape", "asks for")


def test_a_transposed_matrix_is_another_shape(folder):
    name = "transformer.h.0.mlp.c_fc.weight"
    retensor(folder, lambda t: t | {name: t[name].T.contiguous()})
    refused(folder, f"({4 * M}, {M})", f"({M}, {4 * M})")


def test_more_layers_than_the_config_knows_are_refused(folder):
    rewrite(folder, n_layer=BLOCKS - 1)
    refused(folder, f"h.{BLOCKS - 1}.", "more")


def test_fewer_layers_than_the_config_knows_are_refused(folder):
    rewrite(folder, n_layer=BLOCKS + 1)
    refused(folder, f"lacks h.{BLOCKS}.")


def test_tensors_that_are_there_twice_are_refused(folder):
    retensor(folder, lambda t: t | {"ln_f.bias": t["transformer.ln_f.bias"].clone()})
    refused(folder, "twice")


@pytest.mark.parametrize(
    ("value", "said"), [(torch.nan, "NaN or infinity"), (torch.inf, "NaN or infinity")]
)
def test_numbers_that_are_none_are_refused(folder, value, said):
    name = "transformer.wpe.weight"
    retensor(folder, lambda t: t | {name: t[name].index_fill(0, torch.tensor([2]), value)})
    refused(folder, "wpe.weight", said)


def test_whole_numbers_are_no_weights(folder):
    name = "transformer.wpe.weight"
    retensor(folder, lambda t: t | {name: t[name].to(torch.int8)})
    refused(folder, "wpe.weight", "int8", "floats")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"model_type": "bert"}, "'bert'"),
        ({"model_type": None}, "type None"),
        ({"activation_function": "gelu"}, "activation_function is 'gelu'"),
        ({"activation_function": "relu"}, "activation_function is 'relu'"),
        ({"n_inner": 7}, "n_inner is 7"),
        ({"scale_attn_weights": False}, "scale_attn_weights is False"),
        ({"scale_attn_by_inverse_layer_idx": True}, "scale_attn_by_inverse_layer_idx is True"),
        ({"add_cross_attention": True}, "add_cross_attention is True"),
        ({"quantization_config": {"bits": 4}}, "quantization_config"),
        ({"tie_word_embeddings": "yes"}, "tie_word_embeddings is 'yes'"),
        ({"layer_norm_epsilon": 0}, "layer_norm_epsilon is 0"),
        ({"layer_norm_epsilon": "small"}, "layer_norm_epsilon is 'small'"),
        ({"n_head": 4}, "4 heads"),
        ({"n_head": 0}, "n_head is 0"),
        ({"n_layer": "three"}, "n_layer is 'three'"),
        ({"n_embd": None}, "n_embd is None"),
        ({"vocab_size": 100}, "knows"),
    ],
    ids=str,
)
def test_a_config_that_is_not_computed_here_is_refused(folder, change, said):
    rewrite(folder, **change)
    refused(folder, said)


@pytest.mark.parametrize(
    "change",
    [
        {"activation_function": "gelu_pytorch_tanh"},
        {"n_inner": 4 * M},
        {"scale_attn_weights": None, "tie_word_embeddings": None, "n_inner": None},
    ],
    ids=str,
)
def test_other_words_for_the_same_are_read(folder, change):
    before = load_gpt2(folder).states(TEXT)
    rewrite(folder, **change)
    assert torch.equal(load_gpt2(folder).states(TEXT), before)


def test_without_an_eps_it_is_the_usual_one(folder):
    rewrite(folder, layer_norm_epsilon=None)
    model = load_gpt2(folder).model
    assert model.norm.eps == model.blocks[1].norm.eps == model.blocks[1].mlp_norm.eps == 1e-5


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json"])
@pytest.mark.parametrize("content", ["{", "[]", "\x00"])
def test_a_damaged_json_file_is_named(folder, name, content):
    (folder / name).write_text(content)
    refused(folder, name)


@pytest.mark.parametrize(
    "parts", [None, {}, {"ln_f.bias": "../other.safetensors"}, {"ln_f.bias": "part.bin"}, [1]]
)
def test_an_index_that_names_no_files_of_the_folder_is_refused(folder, parts):
    split_file(folder)
    (folder / INDEX).write_text(json.dumps({"weight_map": parts}))
    refused(folder, INDEX)


def test_a_part_that_is_missing_is_named(folder):
    split_file(folder)
    (folder / "model-00002-of-00003.safetensors").unlink()
    refused(folder, "model-00002-of-00003.safetensors", kind=FileNotFoundError)


def test_a_tensor_in_two_parts_is_refused(folder):
    split_file(folder)
    path = folder / "model-00002-of-00003.safetensors"
    first = load_file(folder / "model-00001-of-00003.safetensors")
    save_file(load_file(path) | dict(list(first.items())[:1]), path)
    refused(folder, "which counts")


def test_a_missing_package_for_tokens_is_named(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    refused(folder, "pip install tokenizers huggingface_hub")


# Files that nobody would write, but somebody can


@pytest.mark.parametrize("count", [41, 10**6, 10**18])
def test_a_number_of_layers_is_bounded_by_the_file_before_anything_is_made(
    folder, monkeypatch, count
):
    # Names and shapes for a million layers took 27 s and 3 GB.
    monkeypatch.setattr(gpt2, "_shapes", lambda config: pytest.fail("made for each layer"))
    rewrite(folder, n_layer=count)
    refused(folder, f"n_layer is {count}", "the files hold 40 tensors")


def test_layers_are_counted_in_all_parts(folder):
    split_file(folder)
    rewrite(folder, n_layer=40)
    refused(folder, f"lacks h.{BLOCKS}.")
    rewrite(folder, n_layer=41)
    refused(folder, "the files hold 40 tensors")


SIZES = ("vocab_size", "n_positions", "n_embd", "n_head", "n_layer")


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize(
    "size",
    [-1, 0, 3.0, True, None, "3", [3], {}, 2**63, 10**400, 10**4200, "x" * 9999],
    ids=lambda size: ascii(size)[:20],
)
def test_a_size_that_is_none_is_refused(folder, name, size):
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {name: size}))
    refused(folder, f"{name} is ", "expected a whole number from 1 to 2^63 - 1")


@pytest.mark.parametrize("name", ["vocab_size", "n_positions", "n_embd"])
@pytest.mark.parametrize("size", [10**9, 10**18, 2**62 - 2**62 % H])
def test_a_size_beyond_the_file_is_refused_by_the_file(folder, name, size):
    rewrite(folder, **{name: size})
    refused(folder, "has shape", "asks for")


@pytest.mark.parametrize(
    "eps", [-1e-5, True, [1], 10**400, float("nan"), float("inf")], ids=lambda eps: ascii(eps)[:20]
)
def test_an_eps_that_is_none_is_refused(folder, eps):
    rewrite(folder, layer_norm_epsilon=eps)
    refused(folder, "layer_norm_epsilon is ", "expected a number above 0")


@pytest.mark.parametrize("depth", [900, 100_000])
@pytest.mark.parametrize("name", ["config.json", INDEX, "tokenizer.json", "model.safetensors"])
def test_brackets_in_brackets_without_end_are_refused(folder, name, depth):
    if name == INDEX:
        split_file(folder)
    content = b'{"weight_map": ' + b"[" * depth + b"]" * depth + b"}"
    if name == "model.safetensors":
        content = len(content).to_bytes(8, "little") + content
    (folder / name).write_bytes(content)
    refused(folder)


@pytest.mark.parametrize("name", ["model_type", "n_layer", "activation_function", "n_inner"])
def test_a_value_with_many_brackets_is_shown_in_short(folder, name):
    path = folder / "config.json"
    kept = {key: value for key, value in json.loads(path.read_text()).items() if key != name}
    path.write_text(json.dumps(kept)[:-1] + f', "{name}": {"[" * 900}{"]" * 900}}}')
    refused(folder, "[[[", "...")


@pytest.mark.parametrize(
    "content", [b"\xff\xfe{}", b"\xef\xbb\xbf{}", b"\x80", b'{"n_layer":' + b"9" * 5000 + b"}"]
)
@pytest.mark.parametrize("name", ["config.json", INDEX])
def test_what_is_no_text_or_no_number_is_no_json(folder, name, content):
    if name == INDEX:
        split_file(folder)
    (folder / name).write_bytes(content)
    refused(folder, f"{name} is no JSON")


def test_what_is_said_twice_is_refused(folder):
    path = folder / "config.json"
    path.write_text(path.read_text().rstrip()[:-1] + ', "n_layer": 3}')
    refused(folder, "config.json says n_layer twice: which counts?")


def test_a_file_of_json_that_is_too_large_is_not_read(folder):
    with (folder / "config.json").open("ab") as file:
        file.truncate(gpt2_lookup.LARGEST + 1)
    refused(folder, "config.json has 100000001 bytes; expected 100000000 at most")


def test_a_folder_that_may_not_be_looked_into_is_named(folder, monkeypatch):
    def closed(path):
        raise PermissionError(13, "Permission denied")

    (folder / "config.json").unlink()
    monkeypatch.setattr(type(folder), "iterdir", closed)
    refused(folder, "cannot be looked into: PermissionError")


@pytest.mark.parametrize("name", FILES)
def test_a_folder_in_place_of_a_file_is_named(folder, name):
    (folder / name).unlink()
    (folder / name).mkdir()
    refused(folder, f"has no {name}; {name} is a folder there", kind=FileNotFoundError)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("target", ["nothing", "itself", "folder"])
def test_a_link_that_leads_to_no_file_is_named(folder, name, target):
    path = folder / name
    path.unlink()
    try:
        path.symlink_to({"nothing": folder / "gone", "itself": path, "folder": folder}[target])
    except OSError as error:  # Windows, for who may not
        pytest.skip(str(error))
    refused(folder, f"has no {name}; {name} is a", kind=FileNotFoundError)


def test_a_link_to_a_file_is_read(folder, written):
    before = load_gpt2(folder).states(TEXT)
    for name in FILES:
        (folder / name).unlink()
        try:
            (folder / name).symlink_to(written[0] / name)
        except OSError as error:
            pytest.skip(str(error))
    assert torch.equal(load_gpt2(folder).states(TEXT), before)


def test_a_file_that_may_not_be_read_is_named(folder, monkeypatch):
    def closed(*args, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", closed)
    refused(folder, "config.json cannot be read: PermissionError")


@pytest.mark.parametrize(
    "name",
    ["x" * 5000, "苹" * 200, "x\0", "x\n", "\ud800", "x" * 200, "a/b", "", 5, []],
    ids=lambda name: ascii(name)[:20],
)
def test_a_name_of_a_part_that_no_file_can_have_is_refused(folder, name):
    split_file(folder)
    part = f"{name}.safetensors" if isinstance(name, str) else name
    (folder / INDEX).write_text(json.dumps({"weight_map": {"ln_f.bias": part}}))
    possible = name in ("x" * 200, "")
    refused(folder, kind=FileNotFoundError if possible else CheckpointError)


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b", "\ud800"], ids=["long", "null", "surrogate"])
def test_a_folder_that_can_have_no_such_name_is_refused(name):
    refused(name, "expected a folder with a checkpoint", kind=FileNotFoundError)


@pytest.mark.parametrize(
    "name",
    ["x" * 9999, "a\nb", "\0", "h.999999999.ln_1.bias", "\u202e"],
    ids=lambda name: ascii(name)[:20],
)
def test_a_strange_name_of_a_tensor_fits_into_the_sentence(folder, name):
    retensor(folder, lambda tensors: tensors | {name: torch.ones(0)})
    assert refused(folder, "holds", "config.json says nothing").isprintable()


@pytest.mark.parametrize("name", ["float8_e4m3fn", "uint16", "bool", "complex64", "int64"])
def test_a_head_of_other_numbers_is_refused(folder, name):
    if not hasattr(torch, name):
        pytest.skip(f"this torch has no {name}")
    head = load_file(folder / "model.safetensors")["transformer.wte.weight"].to(
        getattr(torch, name)
    )
    retensor(folder, lambda tensors: tensors | {"lm_head.weight": head})
    refused(folder, "lm_head.weight is not wte.weight")


def test_numbers_that_this_torch_does_not_know_are_refused(folder, monkeypatch):
    retensor(folder, lambda tensors: tensors | {"lm_head.weight": torch.ones(292, M).byte()})
    changed_header(folder, "lm_head.weight", dtype="F8_E4M3")
    assert load_file(folder / "model.safetensors")["transformer.wte.weight"].shape == (292, M)
    monkeypatch.delattr(torch, "float8_e4m3fn")
    refused(folder, "is no file of safetensors, or damaged", "float8_e4m3fn")


def changed_header(folder, name, **entries):
    """Say something else of a tensor than its numbers are."""
    path = folder / "model.safetensors"
    whole = path.read_bytes()
    end = 8 + int.from_bytes(whole[:8], "little")
    header = json.loads(whole[8:end])
    header[name] |= entries
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + whole[end:])


@pytest.mark.parametrize(
    "entries",
    [
        {"dtype": "F4"}, {"dtype": "F6_E2M3"}, {"dtype": "I64"}, {"dtype": "F128"}, {"dtype": 5},
        {"shape": [-1]}, {"shape": [2**63]}, {"shape": [2**62, 4]}, {"shape": None},
        {"data_offsets": [0, 140]}, {"data_offsets": [140, 0]}, {"data_offsets": [2**63, 2**64]},
        {"shape": [M, 1]}, {"shape": [1] * 9999},
    ],
    ids=lambda entries: ascii(entries)[:30],
)  # fmt: skip
def test_a_header_that_does_not_fit_is_refused(folder, entries):
    changed_header(folder, "transformer.ln_f.bias", **entries)
    refused(folder)


@pytest.mark.parametrize(
    ("stored", "value", "dtype"),
    [
        (torch.float32, 1e5, torch.float16),
        (torch.float32, -65520.0, torch.float16),
        (torch.bfloat16, 1e38, torch.float16),
        (torch.float32, 3.4e38, torch.bfloat16),
        (torch.float64, 1e300, torch.float32),
    ],
    ids=str,
)
def test_a_number_that_the_dtype_cannot_hold_is_refused(folder, stored, value, dtype):
    def change(tensors):
        tensors = {name: w.to(stored) for name, w in tensors.items()}
        tensors["transformer.h.1.mlp.c_fc.weight"][3, 5] = value
        return tensors

    retensor(folder, change)
    refused_in(folder, dtype, "h.1.mlp.c_fc.weight holds ", f"{dtype} ends at", f"as {stored}")
    weights = load_gpt2(folder, dtype=stored).model.blocks[1].mlp.w_in
    assert weights[3, 5] == torch.tensor(value, dtype=stored)


def refused_in(folder, dtype, *said):
    with pytest.raises(CheckpointError) as caught:
        load_gpt2(folder, dtype=dtype)
    for part in said:
        assert part in str(caught.value)


def test_the_largest_number_of_a_dtype_is_read(folder):
    largest = torch.finfo(torch.float16).max
    name = "transformer.ln_f.bias"
    retensor(folder, lambda t: t | {name: t[name].index_fill(0, torch.tensor([2]), largest)})
    assert load_gpt2(folder, dtype=torch.float16).model.norm.bias[2] == largest


@pytest.mark.parametrize(
    "dtype", [torch.int32, torch.bool, torch.complex64, torch.float8_e4m3fn, "float32", None, float]
)
def test_a_dtype_that_is_none_is_refused_before_a_file_is_opened(tmp_path, dtype):
    with pytest.raises(TypeError, match=r"dtype is .*; expected torch.float16, torch.bfloat16"):
        load_gpt2(tmp_path / "nowhere", dtype=dtype)


# The hub


def hub_gives(monkeypatch, give):
    """Let the hub's package do `give(name, file)`; the files asked for are listed."""
    import huggingface_hub

    asked = []

    def download(name, file):
        asked.append(file)
        return give(name, file)

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", download)
    return asked


def raising(error):
    def give(name, file):
        raise error

    return give


def test_a_download_gives_the_folder_of_the_three_files(written, monkeypatch):
    asked = hub_gives(monkeypatch, lambda name, file: str(written[0] / file))
    assert download_gpt2("owner/name") == written[0]
    assert asked == list(FILES)


def test_another_kind_of_model_is_refused_before_its_weights_are_fetched(folder, monkeypatch):
    rewrite(folder, model_type="llama")
    asked = hub_gives(monkeypatch, lambda name, file: str(folder / file))
    with pytest.raises(CheckpointError, match="llama"):
        download_gpt2("owner/name")
    assert asked == ["config.json"]


def hub_errors():
    from unittest.mock import Mock

    from huggingface_hub import errors

    response = Mock()
    not_there = getattr(errors, "RemoteEntryNotFoundError", errors.EntryNotFoundError)  # since 1.0
    return [
        (errors.RepositoryNotFoundError("x\ny", response=response), "no repository 'owner/name'"),
        (errors.GatedRepoError("x", response=response), "open to all"),
        (errors.HFValidationError("x"), "expected a name such as"),
        (not_there("x", response=response), "has no config.json"),
        (errors.LocalEntryNotFoundError("x"), "is there a network"),
        (errors.OfflineModeIsEnabled("x"), "is there a network"),
        (ConnectionError("x\ny"), "is there a network"),
        (TimeoutError(), "is there a network"),
    ]


@pytest.mark.parametrize("number", range(8))
def test_what_goes_wrong_on_the_way_is_one_sentence(monkeypatch, number):
    error, said = hub_errors()[number]
    hub_gives(monkeypatch, raising(error))
    with pytest.raises(CheckpointError, match=said) as caught:
        download_gpt2("owner/name")
    assert "\n" not in str(caught.value)


def test_without_a_network_the_sentence_comes_from_the_real_package(tmp_path):
    script = (
        "import socket\n"
        "def closed(*a, **k): raise OSError('no network here')\n"
        "socket.socket.connect = closed; socket.getaddrinfo = closed\n"
        "from course_lib.models.gpt2_files import CheckpointError, download_gpt2\n"
        "try: download_gpt2('openai-community/gpt2')\n"
        "except CheckpointError as error: print(error)\n"
    )
    home = {"HOME": str(tmp_path), "HF_HOME": str(tmp_path)}
    offline = os.environ | home | {"HF_HUB_OFFLINE": "1"}  # else it tries again for half a minute
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=offline,
        cwd=LIBRARY.parent,
    )  # fmt: skip
    assert "could not be fetched" in done.stdout, done.stdout + done.stderr
    assert "is there a network" in done.stdout


def test_an_interrupt_of_a_download_stays_one(monkeypatch):
    hub_gives(monkeypatch, raising(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        download_gpt2("owner/name")


def test_the_missing_package_of_the_hub_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(CheckpointError, match="pip install tokenizers huggingface_hub"):
        download_gpt2("openai-community/gpt2")


def test_what_would_be_downloaded_is_said_without_a_network():
    said = what_it_would_download("openai-community/gpt2")
    for part in ("huggingface.co/openai-community/gpt2", "549 MB", *FILES, "pip install"):
        assert part in said
    assert "does not know" in what_it_would_download("somebody/gpt2-other")


@pytest.mark.parametrize(
    ("name", "blocks"), [("openai-community/gpt2", 12), ("distilbert/distilgpt2", 6)]
)
def test_the_megabytes_are_those_of_the_architecture(name, blocks):
    symbols, places, m, tokenizer = 50257, 1024, 768, 1.4e6
    block = 12 * m * m + 13 * m  # matrices; biases and norms
    weights = (symbols + places) * m + blocks * block + 2 * m
    masks = blocks * places * places
    assert MEGABYTES[name] == round((4 * (weights + masks) + tokenizer) / 1e6)


def test_importing_everything_touches_neither_network_nor_the_packages_for_it():
    modules = sorted(
        ".".join(path.relative_to(LIBRARY.parent).with_suffix("").parts)
        for path in (LIBRARY / "models").glob("[!_]*.py")
    )
    assert "course_lib.models.gpt2" in modules
    script = (
        "import importlib, socket, sys\n"
        "def closed(*a, **k): raise OSError('the network was asked')\n"
        "socket.socket.connect = closed; socket.getaddrinfo = closed\n"
        f"for name in {modules}: importlib.import_module(name)\n"
        "print([n for n in ('huggingface_hub', 'tokenizers', 'transformers') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=LIBRARY.parent
    )
    assert done.stdout == "[]\n", done.stdout + done.stderr


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
