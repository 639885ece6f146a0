"""The tensors of a GPT-2 checkpoint, read from files of safetensors and checked.

    count_tensors(folder)                       # looks at names alone
    read_tensors(folder, {"wte.weight": (config.symbols, config.m)}, torch.float32)

The tensors stand in model.safetensors, or in parts that model.safetensors.index.json names. Names
and shapes are compared before a number is read. Nothing is unpickled: a file of that kind can run
any code, one of safetensors holds numbers alone.

Whatever is missing or unfit is a FileNotFoundError or a CheckpointError of one sentence.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import torch
from safetensors import safe_open
from torch import Tensor

from course_lib.models.gpt2_lookup import (
    CheckpointError,
    and_more,
    found_file,
    is_file,
    read_object,
    said,
    short,
    shown,
)

WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
DTYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
BUFFERS = r"h\.[0-9]+\.attn\.(masked_)?bias"  # the causal mask of old files
HEAD = "lm_head.weight"  # what makes the scores; tied, it is wte.weight


def check_dtype(dtype: torch.dtype) -> None:
    """Refuse, as a TypeError, what is no dtype that the tensors can be converted to."""
    if not isinstance(dtype, torch.dtype) or dtype not in DTYPES:
        raise TypeError(f"dtype is {shown(dtype)}; expected {', '.join(map(str, DTYPES))}")


def count_tensors(folder: Path) -> int:
    """How many tensors the files hold. Raises: as `read_tensors`."""
    return sum(len(_opened(path, lambda file: list(file.keys()))) for path in _weight_files(folder))


def read_tensors(folder: Path, wanted: Mapping[str, tuple], dtype: torch.dtype) -> dict:
    """The tensors of `wanted` by name, converted to dtype.

    wanted: from the name, without the prefix "transformer.", to the shape.
    Raises: FileNotFoundError; CheckpointError for a missing tensor, one that is too many, another
        shape, numbers that are no floats or not finite in dtype, and files of another kind or
        damaged; TypeError for a dtype that is none of DTYPES.
    """
    check_dtype(dtype)
    found = {}
    for path in _weight_files(folder):
        for name, tensor in _read(path, wanted).items():
            if name in found:
                raise CheckpointError(f"{path.name} holds {name}, which came before: which counts?")
            found[name] = tensor
    if missing := [name for name in wanted if name not in found]:
        raise CheckpointError(
            f"the checkpoint lacks {missing[0]}{and_more(missing)}, which its config.json asks for"
        )
    checked = {name: _checked(name, found[name], dtype) for name in wanted}
    head, vectors = (found.get(name) for name in (HEAD, "wte.weight"))
    if HEAD not in wanted and head is not None and not _same(head, vectors):
        raise CheckpointError(
            f"{HEAD} is not wte.weight, though config.json says that they are one: if it should "
            "count, set tie_word_embeddings to false there"
        )
    return checked


def _read(path: Path, wanted: Mapping) -> dict[str, Tensor]:
    """The wanted tensors of one file and the head, as they are."""

    def read(file) -> dict[str, Tensor]:
        stored = list(file.keys())
        names = {name.removeprefix("transformer."): name for name in stored}
        if len(names) < len(stored):
            raise CheckpointError(f"{path.name} holds tensors twice, also as 'transformer.'...")
        strange = [name for name in names if name not in {*wanted, HEAD} and not _buffer(name)]
        if strange:
            raise CheckpointError(
                f"{path.name} holds {said(strange[0])}{and_more(strange)}, of which its "
                "config.json says nothing"
            )
        kept = {name: stored for name, stored in names.items() if not _buffer(name)}
        for name, there in kept.items():
            asked = wanted.get(name, wanted.get("wte.weight"))
            shape = tuple(file.get_slice(there).get_shape())
            if asked is not None and shape != tuple(asked):
                raise CheckpointError(
                    f"{name} has shape {shown(shape)}; config.json asks for {shown(tuple(asked))}"
                )
        return {name: file.get_tensor(there) for name, there in kept.items()}

    return _opened(path, read)


def _opened(path: Path, read):
    """What `read` makes of a file of safetensors."""
    try:
        with safe_open(path, framework="pt") as file:
            return read(file)
    except CheckpointError:
        raise
    except Exception as error:  # the package raises what it likes for a dtype that torch lacks
        cause = "it is a pointer of Git LFS: run git lfs pull" if _pointer(path) else short(error)
        raise CheckpointError(
            f"{said(path.name)} is no file of safetensors, or damaged: {cause}"
        ) from error


def _pointer(path: Path) -> bool:
    with suppress(OSError):
        small = path.stat().st_size < 1024
        return small and path.read_bytes().startswith(b"version https://git")
    return False


def _buffer(name: str) -> bool:
    return re.fullmatch(BUFFERS, name) is not None


def _same(head: Tensor, vectors: Tensor | None) -> bool:
    if vectors is None or head.dtype not in DTYPES:
        return False
    return torch.equal(head.to(vectors.dtype), vectors)


def _checked(name: str, tensor: Tensor, dtype: torch.dtype) -> Tensor:
    """The tensor in dtype, which has to hold all of its numbers."""
    if tensor.dtype not in DTYPES:
        raise CheckpointError(f"{name} holds {tensor.dtype}; expected floats of 16, 32 or 64 bits")
    if not tensor.isfinite().all():
        raise CheckpointError(f"{name} holds NaN or infinity: the file is damaged")
    converted = tensor.to(dtype)
    if not converted.isfinite().all():
        largest = float(tensor.abs().max())
        raise CheckpointError(
            f"{name} holds {largest:g}, and {dtype} ends at {torch.finfo(dtype).max:g}: load it as "
            f"{tensor.dtype}"
        )
    return converted


def _weight_files(folder: Path) -> list[Path]:
    """The file with the tensors, or the files that together hold them."""
    if is_file(folder / WEIGHTS):
        return [folder / WEIGHTS]
    if not is_file(folder / INDEX):
        if pickled := sorted(path.name for end in PICKLED for path in folder.glob(end)):
            raise CheckpointError(
                f"{said(folder)} has {said(pickled[0])}, a pickle, which can run any code when it "
                f"is read; this course reads {WEIGHTS} alone"
            )
        return [found_file(folder, WEIGHTS)]
    parts = read_object(folder / INDEX).get("weight_map")
    if not isinstance(parts, dict) or not parts or not all(map(_plain, parts.values())):
        raise CheckpointError(
            f"{INDEX} names no files of this folder: expected 'weight_map', from tensor to file"
        )
    return [found_file(folder, name) for name in sorted(set(parts.values()))]


def _plain(name) -> bool:
    """Whether it names a file in the folder itself."""
    return (
        isinstance(name, str)
        and name.endswith(".safetensors")
        and name.isprintable()
        and Path(name).name == name
    )
