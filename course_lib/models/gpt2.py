"""GPT-2, as others trained it, computed by our transformer and your own multi-head attention.

    gpt2 = load_gpt2("a/folder")            # or load_gpt2(download_gpt2("openai-community/gpt2"))
    gpt2.pieces("cats like")                # the tokens that it reads
    gpt2.through(multi_head).next_tokens("cats like")    # [(token, probability), ...]
    gpt2.maps("cats like")                  # (blocks, heads, t, t)

A token is a piece of text, a word or part of one; GPT-2 knows 50,257 of them. The architecture is
that of transformer.py with mlp and bias; here the numbers of the files find their places.

Source: Radford et al., "Language Models are Unsupervised Multitask Learners" (2019), section 2.3.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from course_lib.kernels.arguments import check_whole
from course_lib.kernels.attention import attention as course_attention
from course_lib.models.gpt2_files import Config, read_config, read_tokenizer
from course_lib.models.gpt2_lookup import CheckpointError, said
from course_lib.models.gpt2_tensors import check_dtype, count_tensors, read_tensors
from course_lib.models.own_multi_head import with_multi_head
from course_lib.models.transformer import Transformer

if TYPE_CHECKING:
    import tokenizers

NORMS = ("ln_1", "ln_2")
MATRICES = {  # rows and columns, in widths of the model
    "attn.c_attn": (1, 3), "attn.c_proj": (1, 1), "mlp.c_fc": (1, 4), "mlp.c_proj": (4, 1),
}  # fmt: skip


class GPT2:
    """A checkpoint that is ready to run: text in, next tokens, states and maps out.

    model: a `Transformer`.   tokenizer: a `tokenizers.Tokenizer`.

    attention, where it is an argument: (q, k, v, mask=...) -> output, for all heads of a layer, as
    in `Transformer.states`. All methods raise ValueError for a text without a token, and for one
    with more of them than the model has places.
    """

    def __init__(self, model: Transformer, tokenizer: "tokenizers.Tokenizer"):
        self.model, self.tokenizer = model, tokenizer

    def ids(self, text: str) -> Tensor:
        """The numbers of the tokens. Shapes: -> (t,)"""
        if not isinstance(text, str):
            raise TypeError(f"text is of type {type(text).__name__}; expected a string")
        found = self.tokenizer.encode(text, add_special_tokens=False).ids
        if not found:
            raise ValueError("text has no token: write at least one word")
        return torch.tensor(found)

    def pieces(self, text: str) -> list[str]:
        """The tokens as text; "\ufffd" stands for one that is a part of a character."""
        return [self._piece(i) for i in self.ids(text).tolist()]

    @torch.no_grad()
    def next_tokens(
        self, text: str, count: int = 5, *, attention: Callable = course_attention
    ) -> list[tuple[str, float]]:
        """The likeliest tokens after the text, each with its probability."""
        check_whole(count=count)
        shares = self.model(self.ids(text), attention=attention)[-1].softmax(dim=-1)
        best = shares.topk(min(count, len(shares)))
        return [
            (self._piece(i), share)
            for i, share in zip(best.indices.tolist(), best.values.tolist(), strict=True)
        ]

    @torch.no_grad()
    def states(self, text: str, *, attention: Callable = course_attention) -> Tensor:
        """Each token's vector before the first layer and after each.

        Shapes: -> (1 + blocks, t, m)
        """
        return torch.stack(self.model.states(self.ids(text), attention=attention))

    def maps(self, text: str, *, attention: Callable = course_attention) -> Tensor:
        """How each head shares its attention. Shapes: -> (blocks, h, t, t)"""
        return self.model.maps(self.ids(text), attention=attention)

    @torch.no_grad()
    def continued(self, text: str, count: int, *, attention: Callable = course_attention) -> str:
        """The text and `count` more tokens, each the likeliest."""
        check_whole(count=count)
        ids = self.ids(text)
        for _ in range(count):  # without caches, which a function of the learner's may not take
            new = self.model(ids, attention=attention)[-1:].argmax(dim=-1)
            ids = torch.cat((ids, new))
        return self.tokenizer.decode(ids.tolist(), skip_special_tokens=False)

    def through(self, multi_head: Callable) -> "GPT2":
        """The same, computed by a function (x, w_q, w_k, w_v, w_o, heads, mask=...) -> output.

        It takes no other attention and shows no maps. Raises: as `with_multi_head`.
        """
        return GPT2(with_multi_head(self.model, multi_head), self.tokenizer)

    def _piece(self, number: int) -> str:
        return self.tokenizer.decode([number], skip_special_tokens=False)


def load_gpt2(folder: str | Path, *, dtype: torch.dtype = torch.float32) -> GPT2:
    """The checkpoint in a folder.

    dtype: what the weights become, whatever they are in the file; floats of 16, 32 or 64 bits.
    Raises: FileNotFoundError or CheckpointError, in one sentence, for all that can be wrong with
        the files; TypeError for another dtype.
    """
    check_dtype(dtype)
    folder = _folder(folder)
    config = read_config(folder)
    tokenizer = read_tokenizer(folder, config.symbols)
    if config.blocks > (count := count_tensors(folder)):  # before a name is made for each layer
        raise CheckpointError(
            f"n_layer is {config.blocks} in config.json, but the files hold {count} tensors: fewer "
            "than one for each layer"
        )
    tensors = read_tensors(folder, _shapes(config), dtype)
    with torch.device("meta"):  # sizes without memory: the weights come from the files
        model = Transformer(
            config.symbols, config.places, None, blocks=config.blocks, m=config.m,
            heads=config.heads, mlp=True, bias=True,
        )  # fmt: skip
    model.load_state_dict(_state(tensors, config), assign=True)
    for part in model.modules():
        if isinstance(part, nn.LayerNorm):
            part.eps = config.eps
    return GPT2(model.requires_grad_(False), tokenizer)


def _folder(given: str | Path) -> Path:
    folder = Path(given)
    try:
        if folder.is_dir():
            return folder
        kind = "is a file" if folder.exists() else "does not exist"
    except (OSError, ValueError):  # such as a name that is too long
        kind = "is no name of a folder"
    raise FileNotFoundError(f"{said(folder)} {kind}; expected a folder with a checkpoint of GPT-2")


def _shapes(config: Config) -> dict[str, tuple]:
    """The tensors of the files; their matrices stand as ours, (in, out)."""
    m = config.m
    shapes: dict[str, tuple] = {"wte.weight": (config.symbols, m), "wpe.weight": (config.places, m)}
    if not config.tied:
        shapes["lm_head.weight"] = (config.symbols, m)
    norms = ["ln_f"]
    for i in range(config.blocks):
        norms += [f"h.{i}.{name}" for name in NORMS]
        for name, (rows, columns) in MATRICES.items():
            shapes[f"h.{i}.{name}.weight"] = (rows * m, columns * m)
            shapes[f"h.{i}.{name}.bias"] = (columns * m,)
    return shapes | {f"{name}.{kind}": (m,) for name in norms for kind in ("weight", "bias")}


def _state(tensors: dict[str, Tensor], config: Config) -> dict[str, Tensor]:
    """The same under our names; queries, keys and values stand side by side in c_attn."""
    symbol = tensors["wte.weight"]
    state = {
        "symbol": symbol,
        "place": tensors["wpe.weight"],
        "w": (symbol if config.tied else tensors["lm_head.weight"]).T,  # shares its memory
        "b": symbol.new_zeros(config.symbols),
        "norm.weight": tensors["ln_f.weight"],
        "norm.bias": tensors["ln_f.bias"],
    }
    for i in range(config.blocks):
        for kind, letter in (("weight", "w"), ("bias", "b")):
            theirs = {name: tensors[f"h.{i}.{name}.{kind}"] for name in (*NORMS, *MATRICES)}
            q, k, v = theirs["attn.c_attn"].chunk(3, dim=-1)
            ours = {
                f"norm.{kind}": theirs["ln_1"],
                f"heads.{letter}_q": q, f"heads.{letter}_k": k, f"heads.{letter}_v": v,
                f"heads.{letter}_o": theirs["attn.c_proj"],
                f"mlp_norm.{kind}": theirs["ln_2"],
                f"mlp.{letter}_in": theirs["mlp.c_fc"], f"mlp.{letter}_out": theirs["mlp.c_proj"],
            }  # fmt: skip
            state |= {f"blocks.{i}.{name}": tensor for name, tensor in ours.items()}
    return state
