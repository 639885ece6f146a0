"""tools/running.py: the arithmetic of an old processor. (test_build.py runs notebooks.)

That kernels really compute so, and give the stored numbers, is seen in tests/house and by nbval.
"""

import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tools.running import OLD_X86, old_processor

SUMS = """\
import math, numpy, torch, zlib
rng = numpy.random.default_rng(0)
a, b = rng.normal(size=(2, 257, 257))
x, y = torch.tensor(a).float(), torch.tensor(b).float()
results = a @ b, x.softmax(dim=1), numpy.exp(a), [math.exp(one) for one in a[0]], x @ y
print(*[zlib.crc32(numpy.asarray(one).tobytes()) for one in results])"""


def last_bits():
    """What a new process computes: a number for BLAS, torch, numpy, the C library, torch's BLAS."""
    command = [sys.executable, "-c", SUMS]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == "", "no library complains"
    return done.stdout.split()


def test_the_last_bits_are_others_where_this_processor_is_newer(monkeypatch):
    newer = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    if platform.system() != "Linux" or not {"AVX2", "X86_V3"} & set(newer):
        pytest.skip("no newer x86 under Linux: not all libraries have something to leave out")
    for name in old_processor():
        monkeypatch.delenv(name, raising=False)
    here = last_bits()
    for name, value in old_processor().items():
        monkeypatch.setenv(name, value)
    old = last_bits()
    same = [one == other for one, other in zip(here, old, strict=True)]
    assert not any(same[:4])
    if "GenuineIntel" in Path("/proc/cpuinfo").read_text():  # MKL promises it for no other
        assert not same[4]


def test_on_another_kind_of_processor_no_x86_is_asked_for(monkeypatch):
    monkeypatch.setattr("platform.machine", lambda: "arm64")
    assert not OLD_X86.keys() & old_processor().keys()
    assert old_processor()["ATEN_CPU_CAPABILITY"] == "default"


def test_what_numpy_leaves_out_already_it_leaves_out_still(monkeypatch):
    monkeypatch.setenv("NPY_DISABLE_CPU_FEATURES", "AVX512_SPR,AVX512_ICL")
    left_out = old_processor()["NPY_DISABLE_CPU_FEATURES"].split()
    assert left_out[:2] == ["AVX512_SPR", "AVX512_ICL"]
