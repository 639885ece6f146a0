"""The files of a GPT-2 checkpoint: fetched where asked for, read, and checked.

    print(what_it_would_download("openai-community/gpt2"))      # touches no network
    folder = download_gpt2("openai-community/gpt2")             # does; needs huggingface_hub
    config = read_config(folder)
    tensors = read_tensors(folder, {"wte.weight": (config.symbols, config.m)}, torch.float32)

A folder holds config.json, tokenizer.json (needs the package tokenizers) and model.safetensors,
the last also in parts that model.safetensors.index.json names. Nothing is unpickled: a file of
that kind can run any code, one of safetensors holds numbers alone.

Whatever is missing or unfit is a FileNotFoundError or a CheckpointError of one sentence.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

FILES = ("config.json", "tokenizer.json", "model.safetensors")
INDEX = "model.safetensors.index.json"
# Megabytes of the three files. They can be checked without a network: 4 bytes for each of
# 124,439,808 or 81,912,576 weights, and 4 MB in each layer for a causal mask that is stored, too.
MEGABYTES = {"openai-community/gpt2": 549, "distilbert/distilgpt2": 354}
DTYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
TANH_GELU = ("gelu_new", "gelu_pytorch_tanh")  # two names of one formula
PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
BUFFERS = r"h\.\d+\.attn\.(masked_)?bias"  # the causal mask of old files
HEAD = "lm_head.weight"  # what makes the scores; tied, it is wte.weight
PACKAGES = "pip install tokenizers huggingface_hub"


class CheckpointError(ValueError):
    """A checkpoint that cannot be fetched, or is none that this course computes."""


@dataclass(frozen=True)
class Config:
    """What config.json says of the model.

    symbols, places, m, heads, blocks: its sizes.   eps: of the norms.
    tied: whether the scores are dot products with the vectors of the symbols.
    """

    symbols: int
    places: int
    m: int
    heads: int
    blocks: int
    eps: float
    tied: bool


def what_it_would_download(name: str) -> str:
    """What `download_gpt2` would fetch, from where, how much, and what it needs; in words."""
    size = f"about {MEGABYTES[name]} MB" if name in MEGABYTES else "of a size that it does not know"
    return (
        f"download_gpt2({name!r}) would fetch {', '.join(FILES)} of huggingface.co/{name}, {size}, "
        f"and keep them in Hugging Face's cache on this computer. It needs: {PACKAGES}"
    )


def download_gpt2(name: str) -> Path:
    """The folder with the files of a repository on the Hugging Face hub, fetched where needed.

    name: such as "openai-community/gpt2".
    Raises: CheckpointError without the package, a network, such a repository or its files, and
        for a config that this course does not compute, before the weights are fetched.
    """
    try:
        import huggingface_hub as hub
        from huggingface_hub import utils as errors  # where every version has them
    except ImportError as error:
        raise CheckpointError(f"a download needs a package that is missing: {PACKAGES}") from error
    for file in FILES:
        try:
            path = Path(hub.hf_hub_download(name, file))
        except (errors.HFValidationError, errors.RepositoryNotFoundError) as error:
            raise CheckpointError(
                f"the hub has no repository {name!r} that is open to all; expected a name such as "
                f"{next(iter(MEGABYTES))!r}"
            ) from error
        except errors.EntryNotFoundError as error:
            if not isinstance(error, FileNotFoundError):  # that one is about this computer
                raise CheckpointError(f"{name} has no {file} on the hub") from error
            raise CheckpointError(_unreachable(name, file, error)) from error
        except Exception as error:  # of whichever HTTP library the hub's package uses
            raise CheckpointError(_unreachable(name, file, error)) from error
        if file == "config.json":
            read_config(path.parent)
    return path.parent


def read_config(folder: Path) -> Config:
    """The sizes of the model, if it is one that this course computes.

    Raises: FileNotFoundError; CheckpointError for another kind of model, or of GPT-2.
    """
    found = _json(_file(folder, "config.json"))
    if found.get("model_type") != "gpt2":
        raise CheckpointError(
            f"config.json is of a model of type {found.get('model_type')!r}; expected 'gpt2'"
        )
    names = ("vocab_size", "n_positions", "n_embd", "n_head", "n_layer")
    for name in names:
        size = found.get(name)
        if isinstance(size, bool) or not isinstance(size, int) or size < 1:
            raise CheckpointError(f"{name} is {size!r} in config.json; expected a whole number")
    _refuse_other_formulas(found)
    sizes = [found[name] for name in names]
    if sizes[2] % sizes[3]:
        raise CheckpointError(
            f"config.json speaks of {sizes[3]} heads, which do not divide the width {sizes[2]}"
        )
    eps = found.get("layer_norm_epsilon", 1e-5)
    if isinstance(eps, bool) or not isinstance(eps, int | float) or not 0 < eps < math.inf:
        raise CheckpointError(
            f"layer_norm_epsilon is {eps!r} in config.json; expected a number above 0"
        )
    return Config(*sizes, eps, tied=found.get("tie_word_embeddings", True))


def _refuse_other_formulas(found: Mapping) -> None:
    """Refuse what would be computed otherwise than this course does.

    reorder_and_upcast_attn may be what it will: it concerns rounding in 16 bits alone.
    """
    for name, usual, computed in (
        ("activation_function", "gelu_new", TANH_GELU),
        ("n_inner", None, (None, 4 * found["n_embd"])),
        ("scale_attn_weights", True, (True,)),
        ("scale_attn_by_inverse_layer_idx", False, (False,)),
        ("add_cross_attention", False, (False,)),
        ("tie_word_embeddings", True, (True, False)),
        ("quantization_config", None, (None,)),
    ):
        if (value := found.get(name, usual)) not in computed:
            raise CheckpointError(
                f"{name} is {value!r} in config.json; this course computes only "
                f"{' or '.join(map(repr, computed))}"
            )


def read_tokenizer(folder: Path, symbols: int):
    """The tokenizer, a `tokenizers.Tokenizer`.

    Raises: FileNotFoundError; CheckpointError without the package, for a damaged file, and for
        more tokens than the model has symbols.
    """
    path = _file(folder, "tokenizer.json")
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise CheckpointError(f"tokens need a package that is missing: {PACKAGES}") from error
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the package raises nothing more special
        raise CheckpointError(f"tokenizer.json is no tokenizer: {_short(error)}") from error
    if tokenizer.get_vocab_size() > symbols:
        raise CheckpointError(
            f"tokenizer.json knows {tokenizer.get_vocab_size()} tokens but the model {symbols}: "
            "they are not from one checkpoint"
        )
    tokenizer.no_truncation(), tokenizer.no_padding()
    return tokenizer


def read_tensors(folder: Path, wanted: Mapping[str, tuple], dtype: torch.dtype) -> dict:
    """The tensors of `wanted` by name, converted to dtype.

    wanted: from the name, without the prefix "transformer.", to the shape.
    Raises: FileNotFoundError; CheckpointError for a missing tensor, one that is too many, another
        shape, numbers that are not finite or no floats, and files of another kind or damaged.
    """
    found = {}
    for path in _weight_files(folder):
        for name, tensor in _read(path, wanted).items():
            if name in found:
                raise CheckpointError(f"{path.name} holds {name}, which came before: which counts?")
            found[name] = tensor
    if missing := [name for name in wanted if name not in found]:
        raise CheckpointError(
            f"the checkpoint lacks {missing[0]}{_and_more(missing)}, which its config.json asks for"
        )
    head, vectors = (found.get(name) for name in (HEAD, "wte.weight"))
    if HEAD not in wanted and head is not None and not torch.equal(head.to(vectors), vectors):
        raise CheckpointError(
            f"{HEAD} is not wte.weight, though config.json says that they are one: if it should "
            "count, set tie_word_embeddings to false there"
        )
    return {name: _checked(name, found[name], wanted[name], dtype) for name in wanted}


def _read(path: Path, wanted: Mapping) -> dict[str, Tensor]:
    """The wanted tensors of one file and the head, as they are."""
    try:
        with safe_open(path, framework="pt") as file:
            names = {name.removeprefix("transformer."): name for name in file.keys()}  # noqa: SIM118
            if len(names) < len(file.keys()):
                raise CheckpointError(f"{path.name} holds tensors twice, also as 'transformer.'...")
            known = {*wanted, HEAD}
            strange = [n for n in names if n not in known and not re.fullmatch(BUFFERS, n)]
            if strange:
                raise CheckpointError(
                    f"{path.name} holds {strange[0]}{_and_more(strange)}, of which its config.json "
                    "says nothing"
                )
            return {name: file.get_tensor(names[name]) for name in names if name in known}
    except (SafetensorError, OSError) as error:
        pointer = path.stat().st_size < 1024 and path.read_bytes().startswith(
            b"version https://git"
        )
        cause = "it is a pointer of Git LFS: run git lfs pull" if pointer else _short(error)
        raise CheckpointError(
            f"{path.name} is no file of safetensors, or damaged: {cause}"
        ) from error


def _checked(name: str, tensor: Tensor, shape: tuple, dtype: torch.dtype) -> Tensor:
    if tuple(tensor.shape) != tuple(shape):
        raise CheckpointError(
            f"{name} has shape {tuple(tensor.shape)}; config.json asks for {tuple(shape)}"
        )
    if tensor.dtype not in DTYPES:
        raise CheckpointError(f"{name} holds {tensor.dtype}; expected floats of 16, 32 or 64 bits")
    if not tensor.isfinite().all():
        raise CheckpointError(f"{name} holds NaN or infinity: the file is damaged")
    return tensor.to(dtype)


def _weight_files(folder: Path) -> list[Path]:
    """The file with the tensors, or the files that together hold them."""
    if (folder / "model.safetensors").is_file():
        return [folder / "model.safetensors"]
    if not (folder / INDEX).is_file():
        if pickled := sorted(path.name for end in PICKLED for path in folder.glob(end)):
            raise CheckpointError(
                f"{folder} has {pickled[0]}, a pickle, which can run any code when it is read; "
                "this course reads model.safetensors alone"
            )
        return [_file(folder, "model.safetensors")]
    parts = _json(folder / INDEX).get("weight_map")
    if not isinstance(parts, dict) or not parts or not all(map(_plain, parts.values())):
        raise CheckpointError(
            f"{INDEX} names no files of this folder: expected 'weight_map', from tensor to file"
        )
    return [_file(folder, name) for name in sorted(set(parts.values()))]


def _plain(name) -> bool:
    return isinstance(name, str) and name.endswith(".safetensors") and Path(name).name == name


def _file(folder: Path, name: str) -> Path:
    if not (folder / name).is_file():
        there = sorted(path.name for path in folder.iterdir())[:8]
        raise FileNotFoundError(f"{folder} has no {name}; it has: {', '.join(there) or 'nothing'}")
    return folder / name


def _json(path: Path) -> dict:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise CheckpointError(f"{path.name} is no JSON: {_short(error)}") from error
    if not isinstance(found, dict):
        raise CheckpointError(f"{path.name} holds a {type(found).__name__}; expected an object")
    return found


def _unreachable(name: str, file: str, error: Exception) -> str:
    return (
        f"{file} of {name} could not be fetched ({type(error).__name__}): is there a network that "
        "reaches huggingface.co, and room on the disk?"
    )


def _and_more(names: list) -> str:
    return f" and {len(names) - 1} more" if len(names) > 1 else ""


def _short(error: Exception) -> str:
    return f"{type(error).__name__}, {' '.join(str(error).split())[:160]}"
