"""What the tests of gpt2 share."""

import json

import pytest
import torch
from safetensors.torch import load_file, save_file

from course_lib.models.gpt2 import load_gpt2
from course_lib.models.gpt2_files import (
    CheckpointError,
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


def rewrite(folder, **changes):
    """Change entries of config.json; None takes one out."""
    path = folder / "config.json"
    config = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({name: x for name, x in config.items() if x is not None}))


def retensor(folder, change):
    """Save what `change` makes of the tensors."""
    path = folder / "model.safetensors"
    save_file(change(load_file(path)), path)


def split_file(folder):
    """model.safetensors in three parts, with their index."""
    tensors = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    names = sorted(tensors)
    where = {name: f"model-{i % 3 + 1:05d}-of-00003.safetensors" for i, name in enumerate(names)}
    for part in set(where.values()):
        save_file({n: tensors[n] for n in names if where[n] == part}, folder / part)
    (folder / INDEX).write_text(json.dumps({"metadata": {}, "weight_map": where}))


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
