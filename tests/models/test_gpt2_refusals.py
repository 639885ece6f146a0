"""GPT-2's files that are not what they should be: each gets its sentence."""

import json
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from course_lib.models import gpt2, gpt2_files, gpt2_lookup, gpt2_tensors
from course_lib.models.gpt2 import load_gpt2
from course_lib.models.gpt2_files import (
    FILES,
)
from course_lib.models.gpt2_tensors import INDEX
from tests.models.gpt2_folders import BLOCKS, TEXT, M, refused, retensor, rewrite, split_file


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
