"""Attention on a GPU: our Triton kernels against PyTorch's, in TFLOP/s, for chapter 8.

    python -m benchmarks.attention [--lengths 1024 4096 16384] [--publish]

For each length, width of a head (64, 128), causal or not, forwards and back: every contender is
checked against float64 first, then all are timed in turn (course_lib/measures/attention_timing.py).
Each case runs in a process with a time limit; the contender at which a process hangs is noted and
the case run again without it. Prints our rate, its ratio to the others and to the rate of a large
matrix product in the same session, and saves it all, with device, driver, versions and date, in
benchmarks/results/. --publish also renews the copy that chapter 8 plots.

Without a GPU one sentence is printed, and nothing is measured.
"""

import argparse
import datetime
import itertools
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

import torch

from benchmarks.parts import record
from course_lib.kernels.interpreter import VARIABLE, has_triton
from course_lib.measures import attention_timing
from course_lib.measures.attention_timing import CONTENDERS, RECORD, Case, matmul_rate

ROOT = Path(__file__).resolve().parent.parent
NO_GPU = "There is no GPU here: attention was not measured, and no result was written."
RIVALS = ("flash", "cudnn", "efficient", "math", "flex")
MATH_UP_TO = 2048  # it stores the table of scores


def contenders(case: Case, asked: list[str]) -> list[str]:
    """Who takes part: the table of scores only where it is small."""
    return [name for name in asked if name != "math" or case.n <= MATH_UP_TO]


def run_case(case: Case, names: list[str], rounds: int, seconds: float) -> dict:
    """What the race of a case finds, and "error" for each contender that hangs or kills it."""
    lost, names = {}, list(names)
    while names:
        given = json.dumps({**case._asdict(), "names": names, "rounds": rounds})
        command = [sys.executable, "-m", attention_timing.__name__, given]
        environment = {key: value for key, value in os.environ.items() if key != VARIABLE}
        try:
            done = subprocess.run(
                command, cwd=ROOT, env=environment, capture_output=True, timeout=seconds
            )
            told, why = done.stdout.decode(), f"ended with {done.returncode}"
            if done.returncode == 0:
                return json.loads(told.strip().splitlines()[-1]) | lost
        except subprocess.TimeoutExpired as error:
            told, why = (error.stdout or b"").decode(), f"no answer after {seconds:g} s"
        begun = [x.removeprefix("begin ") for x in told.splitlines() if x.startswith("begin ")]
        guilty = begun[-1].removesuffix(" again") if begun else names[0]
        lost[guilty] = {"error": why}
        names.remove(guilty)
    return lost


def summary(case: Case, found: dict, product: float) -> str:
    """One case in words and numbers."""
    rates = {name: one["tflops"] for name, one in found.items() if "tflops" in one}
    what = f"{'backward' if case.backward else 'forward ':8} d={case.d:<3} n={case.n:<5} "
    what += "causal" if case.causal else "full  "
    parts = [f"{name} {rate:.4g}" for name, rate in rates.items()]
    parts += [f"{name}: {one['error']}" for name, one in found.items() if "error" in one]
    if "ours" in rates:
        ours = rates["ours"]
        parts += [f"ours/{name} {ours / rates[name]:.2f}" for name in RIVALS if name in rates]
        parts.append(f"{100 * ours / product:.0f}% of the product's rate")
    return f"{what}  {', '.join(parts)}"


def device_report(device: str) -> dict:
    """The device, its driver and the versions of what runs on it."""
    found = {"device": platform.machine(), "torch": torch.__version__}
    found["python"] = platform.python_version()
    if has_triton():
        import triton

        found["triton"] = triton.__version__
    if device == "cuda":
        found["device"] = torch.cuda.get_device_name()
        found["cuda"], found["cudnn"] = torch.version.cuda, torch.backends.cudnn.version()
        ask = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
        done = subprocess.run(ask, capture_output=True, text=True, check=False)
        found["driver"] = done.stdout.strip().split("\n")[0] or "unknown"
    return found


def save(cases: list, product: float, options, now: datetime.datetime) -> Path:
    """Write the result with date and versions; returns its path."""
    result = {
        "date": now.isoformat(timespec="seconds"),
        **device_report(options.device),
        "dtype": options.dtype,
        "product_tflops": product,
        "cases": [{**case._asdict(), "found": found} for case, found in cases],
    }
    path = record.save("attention", result, Path(options.results))
    if options.publish:
        shutil.copyfile(path, ROOT / "course_lib" / "measures" / RECORD)
    return path


def ask(words: list[str] | None = None) -> argparse.Namespace:
    """The options; the defaults are the protocol, the others are for tests of this file."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--lengths", type=int, nargs="+", default=[512, 1024, 2048, 4096, 8192, 16384]
    )
    parser.add_argument("--widths", type=int, nargs="+", default=[64, 128])
    parser.add_argument("--contenders", nargs="+", choices=CONTENDERS, default=["ours", *RIVALS])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=180, help="limit for a case")
    parser.add_argument("--publish", action="store_true", help="renew what chapter 8 plots")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--dtype", default="bfloat16")
    parser.add_argument("--tokens", type=int, default=16384)
    parser.add_argument("--model-width", type=int, default=2048)
    parser.add_argument("--results", default=ROOT / "benchmarks" / "results")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> int:
    """Measure, print, save; returns 0."""
    options = ask(words)
    if options.device == "cuda" and not torch.cuda.is_available():
        print(NO_GPU)
        return 0
    shared = {"dtype": options.dtype, "device": options.device}
    product = matmul_rate(**shared, size=8192 if options.device == "cuda" else 128)
    print(f"a product of random matrices: {product:.4g} TFLOP/s; the others in TFLOP/s too")
    shared |= {"tokens": options.tokens, "width": options.model_width}
    cases = []
    for back, d, causal, n in itertools.product(
        (False, True), options.widths, (False, True), options.lengths
    ):
        case = Case(n, d, causal, back, **shared)
        names = contenders(case, options.contenders)
        found = run_case(case, names, options.rounds, options.seconds)
        cases.append((case, found))
        print(summary(case, found, product), flush=True)
    again = [
        abs(statistics.median(one["ms"]) / statistics.median(found[f"{name} again"]["ms"]) - 1)
        for _, found in cases
        for name, one in found.items()
        if f"{name} again" in found
    ]
    if again:
        print(f"the same thing measured twice differs by {100 * statistics.median(again):.1f}%")
    print(f"saved as {save(cases, product, options, datetime.datetime.now(datetime.UTC)).name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
