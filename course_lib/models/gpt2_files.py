"""The files of a GPT-2 checkpoint: fetched where asked for; config and tokenizer read and checked.

    print(what_it_would_download("openai-community/gpt2"))      # touches no network
    folder = download_gpt2("openai-community/gpt2")             # does; needs huggingface_hub
    config = read_config(folder)
    tokenizer = read_tokenizer(folder, config.symbols)

A folder holds config.json, tokenizer.json (needs the package tokenizers) and model.safetensors,
which gpt2_tensors.py reads.

Whatever is missing or unfit is a FileNotFoundError or a CheckpointError of one sentence.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from course_lib.models.gpt2_lookup import (
    CheckpointError,
    found_file,
    read_object,
    short,
    shown,
)

if TYPE_CHECKING:
    import tokenizers

FILES = ("config.json", "tokenizer.json", "model.safetensors")
# Megabytes of the three files. They can be checked without a network: 4 bytes for each of
# 124,439,808 or 81,912,576 weights, and 4 MB in each layer for a causal mask that is stored, too.
MEGABYTES = {"openai-community/gpt2": 549, "distilbert/distilgpt2": 354}
MOST = 2**63  # sizes are smaller: shapes are kept in 64 bits
TANH_GELU = ("gelu_new", "gelu_pytorch_tanh")  # two names of one formula
PACKAGES = "pip install tokenizers huggingface_hub"


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
    found = read_object(found_file(folder, "config.json"))
    if found.get("model_type") != "gpt2":
        raise CheckpointError(
            f"config.json is of a model of type {shown(found.get('model_type'))}; expected 'gpt2'"
        )
    names = ("vocab_size", "n_positions", "n_embd", "n_head", "n_layer")
    for name in names:
        size = found.get(name)
        if isinstance(size, bool) or not isinstance(size, int) or not 0 < size < MOST:
            raise CheckpointError(
                f"{name} is {shown(size)} in config.json; expected a whole number from 1 to "
                "2^63 - 1"
            )
    _refuse_other_formulas(found)
    sizes = [found[name] for name in names]
    if sizes[2] % sizes[3]:
        raise CheckpointError(
            f"config.json speaks of {sizes[3]} heads, which do not divide the width {sizes[2]}"
        )
    eps = found.get("layer_norm_epsilon", 1e-5)
    if (
        isinstance(eps, bool)
        or not isinstance(eps, int | float)
        or not 0 < eps <= sys.float_info.max
    ):
        raise CheckpointError(
            f"layer_norm_epsilon is {shown(eps)} in config.json; expected a number above 0"
        )
    symbols, places, m, heads, blocks = sizes
    tied = found.get("tie_word_embeddings", True)
    return Config(symbols, places, m, heads, blocks, float(eps), tied)


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
                f"{name} is {shown(value)} in config.json; this course computes only "
                f"{' or '.join(map(repr, computed))}"
            )


def read_tokenizer(folder: Path, symbols: int) -> "tokenizers.Tokenizer":
    """The tokenizer.

    Raises: FileNotFoundError; CheckpointError without the package, for a damaged file, and for
        more tokens than the model has symbols.
    """
    path = found_file(folder, "tokenizer.json")
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise CheckpointError(f"tokens need a package that is missing: {PACKAGES}") from error
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the package raises nothing more special
        raise CheckpointError(f"tokenizer.json is no tokenizer: {short(error)}") from error
    if tokenizer.get_vocab_size() > symbols:
        raise CheckpointError(
            f"tokenizer.json knows {tokenizer.get_vocab_size()} tokens but the model {symbols}: "
            "they are not from one checkpoint"
        )
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _unreachable(name: str, file: str, error: Exception) -> str:
    return (
        f"{file} of {name} could not be fetched ({type(error).__name__}): is there a network that "
        "reaches huggingface.co, and room on the disk?"
    )
