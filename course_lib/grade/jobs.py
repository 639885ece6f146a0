"""Several processes that judge, and the rows of each notebook as soon as it is judged."""

import json
import os
import queue
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from course_lib.grade.confinement import Limits
from course_lib.grade.finding import name_of
from course_lib.grade.judged import NOT_JUDGED, Row

PATIENCE = 60  # seconds beyond a notebook's own limit, for the judge to start and to compare


class Judges:
    """So many processes that judge, each one notebook at a time.

    folder: where the notebooks lie, for their names.
    closed: files and folders that no cell may open.
    """

    def __init__(self, folder: Path, limits: Limits, jobs: int, closed: Sequence[str]):
        self.folder, self.limits, self.jobs, self.closed = folder, limits, jobs, closed
        self._running: set[subprocess.Popen] = set()
        self._stopped = threading.Event()

    def rows(self, notebooks: Sequence[Path]) -> Iterator[list[Row]]:
        """The rows of each notebook, in the order in which they come."""
        left: queue.SimpleQueue = queue.SimpleQueue()
        done: queue.SimpleQueue = queue.SimpleQueue()
        for path in notebooks:
            left.put(path)
        for _ in range(min(self.jobs, len(notebooks))):
            threading.Thread(target=self._work, args=(left, done), daemon=True).start()
        try:
            for _ in notebooks:
                yield done.get()
        finally:
            self.stop()

    def stop(self) -> None:
        """End the processes; what is being judged is given up."""
        self._stopped.set()
        for process in tuple(self._running):
            _end(process)

    def _work(self, left, done) -> None:
        judge = None
        while not self._stopped.is_set():
            try:
                path = left.get_nowait()
            except queue.Empty:
                break
            judge = judge if judge is not None and judge.poll() is None else self._start()
            name = name_of(path, self.folder)
            rows = self._asked(judge, path, name)
            if rows is None:
                _end(judge)
                why = "The judge was given up: it ended, or it took too long."
                rows = [Row(name, "", "", NOT_JUDGED, reason=why)]
            done.put(rows)
        if judge is not None:
            _end(judge)
            self._running.discard(judge)

    def _start(self) -> subprocess.Popen:
        root = str(Path(__file__).resolve().parents[2])
        paths = [root, *filter(None, [os.environ.get("PYTHONPATH", "")])]
        process = subprocess.Popen(
            [sys.executable, "-m", "course_lib.grade.judge"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": "1"},
        )  # fmt: skip
        self._running.add(process)
        return process

    def _asked(self, judge: subprocess.Popen, path: Path, name: str) -> list[Row] | None:
        job = {
            "path": os.path.abspath(path), "name": name, "limits": asdict(self.limits),
            "closed": list(self.closed),
        }  # fmt: skip
        assert judge.stdin is not None
        assert judge.stdout is not None
        try:
            judge.stdin.write((json.dumps(job) + "\n").encode("ascii"))
            judge.stdin.flush()
            ready = select.select([judge.stdout], [], [], self.limits.seconds + PATIENCE)[0]
            answer = judge.stdout.readline() if ready else b""
            return [Row(**one) for one in json.loads(answer)]
        except (OSError, ValueError, TypeError):
            return None


def _end(process: subprocess.Popen) -> None:
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        process.wait(10)
