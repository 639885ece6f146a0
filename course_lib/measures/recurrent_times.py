"""Attention's time as a multiple of a recurrent layer's: on this machine, and as once recorded.

    measure()                                                  # here: a second or two
    recorded()["ratios"]["512"]                                # as five processes found it
    python -m course_lib.measures.recurrent_times               # one process, one thread: a line
    python -m course_lib.measures.recurrent_times --publish     # five of them, into the record

Both layers read one text of n words of width m: attention with four projections, and PyTorch's
RNN, whose steps wait for each other. Ratios, since milliseconds belong to one machine.
"""

import argparse
import datetime
import json
import subprocess
import sys
from functools import partial
from importlib.resources import files
from pathlib import Path
from timeit import repeat

import torch
from torch.nn.functional import scaled_dot_product_attention as sdpa

LENGTHS, M = (32, 512, 4096), 256
RUNS = 5
RECORD = "recurrent_times.json"


def measure() -> dict[int, float]:
    """For each length, attention's time divided by the RNN's; of each the best of three runs."""
    rnn, w = torch.nn.RNN(M, M, batch_first=True), torch.randn(4, M, M) / M**0.5
    ways = (lambda x: sdpa(x @ w[0], x @ w[1], x @ w[2]) @ w[3], rnn)
    ratios = {}
    with torch.no_grad():
        for n in LENGTHS:
            x = torch.randn(1, n, M)
            times = [min(repeat(partial(way, x), number=1, repeat=3)) for way in ways]
            ratios[n] = times[0] / times[1]
    return ratios


def recorded() -> dict:
    """The recorded times: "date", "machine", and "ratios" of every run, by length."""
    return json.loads(files(__package__).joinpath(RECORD).read_text(encoding="utf-8"))


def _publish() -> None:
    command = [sys.executable, "-m", "course_lib.measures.recurrent_times"]
    runs = [
        json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        for _ in range(RUNS)
    ]
    record = {
        "date": datetime.date.today().isoformat(),
        "machine": f"one thread of a busy x86 CPU, torch {torch.__version__.split('+')[0]}",
        "width": M,
        "ratios": {str(n): [round(run[str(n)], 2) for run in runs] for n in LENGTHS},
    }
    (Path(__file__).parent / RECORD).write_text(json.dumps(record, indent=1) + "\n")


def main() -> None:
    """Print this process's ratios, or renew the record."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--publish", action="store_true", help="renew what chapter 8 prints")
    if parser.parse_args().publish:
        _publish()
    else:
        torch.set_num_threads(1)
        print(json.dumps(measure()))


if __name__ == "__main__":
    main()
