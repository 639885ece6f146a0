"""Files of others may hold anything: sizes without end, links, names that no file can have."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from course_lib.models import gpt2, gpt2_lookup
from course_lib.models.gpt2 import load_gpt2
from course_lib.models.gpt2_files import (
    FILES,
    CheckpointError,
)
from course_lib.models.gpt2_tensors import INDEX
from tests.models.gpt2_folders import BLOCKS, TEXT, H, M, refused, retensor, rewrite, split_file

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
