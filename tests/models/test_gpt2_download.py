"""What is fetched from outside, and what goes wrong on the way."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from course_lib.models import gpt2_files
from course_lib.models.gpt2_files import (
    FILES,
    MEGABYTES,
    CheckpointError,
    download_gpt2,
    what_it_would_download,
)
from tests.models.gpt2_folders import rewrite

LIBRARY = Path(gpt2_files.__file__).parents[1]


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
