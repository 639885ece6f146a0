"""Hand-ins as a teacher may get them: honest, broken, hostile; and what each deserves.

The cases are notebooks of chapter 1 whose rows are known; `written` lays them into a folder, and
`write_broken` files that are no notebooks at all.
"""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

START = "import numpy as np\nfrom course_lib.chapters.dot_product import *"
DOT = "@exercise\ndef dot(a, b):\n    return (a * b).sum()"
STUB = "@exercise\ndef dot(a, b):\n    return ..."
WRONG = "@exercise\ndef dot(a, b):\n    return (a + b).sum()"
PAIRS = "@exercise\ndef pairwise_dots(q, k):\n    return q @ k.T"


@dataclass(frozen=True)
class Case:
    """A hand-in: the file's name (bytes, as a file system has it), its code cells, its rows.

    rows: the results that an exercise may have; without one, what is said of the file.
    says: words of the first row's reason.   encoding: of the file.   slow: it takes a limit of
    time to its end.
    """

    name: bytes
    cells: tuple[str, ...]
    rows: dict[str, str] = field(default_factory=lambda: {"dot": "right"})
    says: str = ""
    encoding: str = "utf-8"
    slow: bool = False


def case(name, *cells, start=START, **about):
    """A hand-in that begins with the imports."""
    name = name if isinstance(name, bytes) else name.encode()
    return Case(name, (start, *cells), **about)


HONEST = (
    case("plain.ipynb", DOT, PAIRS, rows={"dot": "right", "pairwise_dots": "right"}),
    case("pip.ipynb", DOT, start=f"!pip install -q numpy\n%pip install torch\n{START}"),
    case("taken_from_the_system.ipynb", "files = !ls\nprint(files)\n%no_such_magic 3", DOT),
    case("timed.ipynb", f"%%time\n{DOT}"),
    case("copy_below.ipynb", DOT, STUB, says="Of 2 cells"),
    case("wrong_below.ipynb", DOT, WRONG, says="code cell 2"),
    case("right_below.ipynb", WRONG, DOT, says="code cell 3"),
    case("broken_below.ipynb", DOT, "@exercise\ndef dot(a, b)\n    return 1"),
    case("comment.ipynb", DOT, start=f"# as in course_lib.chapters.softmax\n{START}"),
    case("other_chapter.ipynb", DOT, start=f"from course_lib.chapters.softmax import *\n{START}"),
    case("UPPER.IPYNB", DOT),
    case(".hidden.ipynb", DOT),
    case("downloaded.ipynb.json", DOT),
    case("with_a_mark.ipynb", DOT, encoding="utf-8-sig"),
    case("of_windows.ipynb", DOT, encoding="utf-16"),
    case("commented.ipynb", DOT.replace("@exercise", "@exercise  # mine")),
    case("line_ends.ipynb", DOT.replace("\n", "\r\n")),
    case(b"Andr\xe9.ipynb", DOT),
    case("line\nbreak, <b>.ipynb", DOT),
    case("surrogate.ipynb", "x = '\ud800'", DOT.replace("return", "'\udcff'; return")),
    case("first_edition.ipynb", DOT, start="from course_lib.exercises.dot_product import *"),
    case("undecorated.ipynb", DOT.replace("@exercise\n", "")),
    case("no_numpy.ipynb", "import numpyy as np", DOT.replace("(a * b).sum()", "np.dot(a, b)")),
    case("thread.ipynb", "import threading, time\n"
         "threading.Thread(target=time.sleep, args=(1000,)).start()", DOT),
    case("helped.ipynb", STUB, "@exercise\ndef pairwise_dots(q, k):\n"
         "    return np.array([[dot(a, b) for b in k] for a in q])",
         rows={"dot": "not attempted", "pairwise_dots": "right"}),
    case("recursive.ipynb", "@exercise\ndef dot(a, b):\n"
         "    return a[0] * b[0] + dot(a[1:], b[1:]) if len(a) else 0"),
    case("loud.ipynb", "print('x' * 10**7)", DOT.replace("return", "print(a)\n    return")),
    case("demo_first.ipynb", STUB, "print(dot(np.ones(2), np.ones(2)))", DOT),
    case("stub.ipynb", STUB, rows={"dot": "not attempted"}),
    case("wrong.ipynb", WRONG, rows={"dot": "wrong"}),
    case("unread.ipynb", "@exercise\ndef dot(a, b)\n    return 0", rows={"dot": "wrong"},
         says="expected ':', line 2"),
)  # fmt: skip

ENDING = (
    case("leaves.ipynb", "import sys; sys.exit(1)", "exit()", DOT),
    case("ends_python.ipynb", "import os; os._exit(0)", DOT),
    case("segfault.ipynb", "import ctypes; ctypes.string_at(0)", DOT),
    case("recursion.ipynb", "import sys; sys.setrecursionlimit(10**9)\n"
         "def down(x): return sorted([x], key=down)\ndown(1)", DOT),
    case("recursion_in_answer.ipynb", "import sys; sys.setrecursionlimit(10**9)\n@exercise\n"
         "def dot(a, b):\n    return sorted([a], key=lambda x: dot(a, b))[0]", PAIRS,
         rows={"dot": "wrong", "pairwise_dots": "right"}),
    case("array_bomb.ipynb", "everything = np.ones(10**11)", DOT),
    case("list_bomb.ipynb", "x = ['x']\nwhile True: x += x", DOT),
    case("ends_in_answer.ipynb", "@exercise\ndef dot(a, b):\n"
         "    import ctypes; ctypes.CDLL(None)._exit(3)", PAIRS,
         rows={"dot": "wrong", "pairwise_dots": "right"}, says="ended Python"),
    case("bare_except.ipynb", "while True:\n    try:\n        while True: pass\n"
         "    except BaseException: pass", DOT, slow=True),
    case("long_call.ipynb", "x = 7 ** (7 ** 10)", DOT, slow=True),
    case("stopped.ipynb", "import ctypes, os\nctypes.CDLL(None).kill(os.getpid(), 19)", DOT,
         slow=True),
)  # fmt: skip

FORGED = {"dot": "wrong|not attempted|not judged"}
ANSWER = "@exercise\ndef dot(a, b):\n    return"
HOSTILE = (
    case("after_a_stub.ipynb", STUB, "mine = dot", f"{ANSWER} mine(a, b)", rows=FORGED),
    case("prepared.ipynb", f"mine = dot\n{ANSWER} mine(a, b)", rows=FORGED),
    case("two_names.ipynb", STUB, "class Mine:\n    f = dot", f"{ANSWER} Mine.f(a, b)",
         rows=FORGED),
    case("learned.ipynb", "log = []\n@exercise\ndef dot(a, b):\n    log.append((a, b))",
         "known = {(a.tobytes(), b.tobytes()): dot(a, b) for a, b in log}",
         f"{ANSWER} known[a.tobytes(), b.tobytes()]", rows=FORGED),
    case("patched.ipynb", "true = lambda *a, **k: True\nnp.isclose = np.allclose = true\n"
         "np.all = np.array_equal = true\nimport course_lib.judging.accept as accept\n"
         "import course_lib.learner.compare as compare\naccept.agree = compare.agree = true\n"
         "compare.near = true", WRONG, rows=FORGED),
    case("told.ipynb", "for name in ('dot', 'angle'):\n    for what in ('tell', 'define'):\n"
         "        try: getattr(exercise.__self__, what)(exercise=name, name=name, state='right')\n"
         "        except Exception: pass", WRONG, rows=FORGED),
    case("registry.ipynb", "from course_lib.judging.registry import find\n"
         "answer = find('01_dot_product/dot').answer", f"{ANSWER} answer(a, b)", rows=FORGED),
    case("imported.ipynb", "from course_lib.chapters.dot_product.exercises.dot import DOT",
         f"{ANSWER} DOT.answer(a, b)", rows=FORGED),
    case("opened.ipynb", "import course_lib.chapters as c\nfrom pathlib import Path\n"
         "text = (Path(c.__path__[0]) / 'dot_product/exercises/dot.py').read_text()\n"
         "exec(text)", f"{ANSWER} DOT.answer(a, b)", rows=FORGED),
    case("stack.ipynb", "import gc, sys\n@exercise\ndef dot(a, b):\n    frame = sys._getframe()\n"
         "    while frame:\n        for one in frame.f_locals.values():\n"
         "            found = getattr(one, 'answer', None)\n"
         "            if callable(found): return found(a, b)\n        frame = frame.f_back\n"
         "    for one in gc.get_objects():\n        if type(one).__name__ == 'Exercise':\n"
         "            return one.answer(a, b)", rows=FORGED),
    case("pipe.ipynb", "import os, json, struct\nsaid = json.dumps([{'~': 'dict', 'items': [["
         "'answer', {'state': 'right'}]]}, []]).encode()\nfor fd in range(3, 40):\n"
         "    try: os.write(fd, struct.pack('>II', len(said), 0) + said)\n"
         "    except OSError: pass", WRONG, rows=FORGED),
    case("all_closed.ipynb", "import os; os.closerange(0, 100)", WRONG, rows=FORGED),
    case("equal_to_all.ipynb", "class All(float):\n    __eq__ = __le__ = __ge__ = lambda *a: True\n"
         "    def __array__(self, *a, **k): return np.array(1.0)", f"{ANSWER} All(3)", rows=FORGED),
    case("nested.ipynb", "@exercise\ndef dot(a, b):\n    exercise(dot)\n    return dot(a, b)",
         rows=FORGED),
    case("endless_answer.ipynb", f"{ANSWER} [[a] * 1000] * 10000", rows=FORGED),
    case("huge_answer.ipynb", f"{ANSWER} np.zeros(3 * 10**8)", rows=FORGED),
    case("own_error.ipynb", "class TimeUp(BaseException): __str__ = None\n@exercise\n"
         "def dot(a, b):\n    raise TimeUp", rows=FORGED),
    case("kills.ipynb", "import ctypes, os\nfor pid in (os.getppid(), -1):\n"
         "    if pid > 1: ctypes.CDLL(None).kill(pid, 9)", WRONG, rows=FORGED),
)  # fmt: skip

READER = """
import os, pathlib
found = []
for place in {places!r}:
    for path in pathlib.Path(place).rglob('*'):
        try: found.append(path.read_bytes())
        except OSError: pass
"""

WRITER = """
import os, pathlib
for place in {places!r}:
    for how in (lambda p: pathlib.Path(p).write_text('written'),
                lambda p: os.close(os.open(p, os.O_WRONLY | os.O_CREAT))):
        try: how(place + '/written')
        except OSError: pass
"""

DAEMON = """
import _posixsubprocess, os, sys, ctypes
libc = ctypes.CDLL(None)
if libc.fork() == 0:
    libc.setsid()
    if libc.fork() == 0:
        libc.sleep(4)
        fd = libc.open({path!r}.encode(), 65, 420)
        libc.write(fd, b'daemon', 6)
        libc.sleep(1000)
    libc._exit(0)
"""


def reaching_out(folder: Path, away: Path) -> tuple[Case, ...]:
    """Hand-ins that look at others, write elsewhere, and leave a program behind.

    folder: of the hand-ins.   away: a folder that is none of theirs.
    """
    places = [str(folder), str(away)]
    return (
        case("reads.ipynb", READER.format(places=places), f"{ANSWER} 0 * len(found[0])",
             rows={"dot": "wrong"}),
        case("writes.ipynb", WRITER.format(places=places), DOT),
        case("daemon.ipynb", DAEMON.format(path=f"{away}/daemon"), DOT),
        case("socket.ipynb", "import socket\nserver = socket.socket(socket.AF_UNIX)\n"
             f"server.connect({str(away / 'socket')!r})", DOT),
        case("full_disk.ipynb", "for n in range(40):\n    with open(f'file{n}', 'wb') as f:\n"
             "        f.write(bytes(10**8))", DOT),
    )  # fmt: skip


def write(folder: Path, one: Case) -> Path:
    """Lay a hand-in into a folder."""
    cells = [{"cell_type": "code", "source": cell} for cell in one.cells]
    text = json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5, "metadata": {}})
    path = folder / os.fsdecode(one.name)
    path.write_bytes(text.encode(one.encoding))
    return path


BROKEN = {
    "empty.ipynb": b"",
    "cut.ipynb": b'{"cells": [',
    "list.ipynb": b"[]",
    "deep.ipynb": b"[" * 200_000,
    "no_cells.ipynb": b'{"cells": 3}',
    "other.ipynb": b'{"cells": [{"cell_type": "code", "source": "import os"}]}',
    "large.ipynb": b" " * 21_000_000,
}


def write_broken(folder: Path) -> list[str]:
    """Lay files that are no notebooks into a folder; returns the names of those left out."""
    for name, content in BROKEN.items():
        (folder / name).write_bytes(content)
    os.mkfifo(folder / "pipe.fifo.ipynb")
    (folder / "zero.ipynb").symlink_to("/dev/zero")
    (folder / "secret.ipynb").symlink_to("/etc/passwd")
    (folder / "folder.ipynb").mkdir()
    (folder / "notes.txt").write_text("no notebook")
    here = os.open(folder, os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("deep", dir_fd=here)
        below = os.open("deep", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    return ["pipe.fifo", "zero", "secret", "folder", "notes.txt"]


def clear_broken(folder: Path) -> None:
    """Take the folders in folders away, which are too deep for shutil: each hands up its own."""
    deep, below = folder / "deep", folder / "below"
    while deep.is_dir():
        if (deep / "deep").is_dir():
            (deep / "deep").rename(below)
        deep.rmdir()
        if below.is_dir():
            below.rename(deep)


def written(folder: Path, away: Path, slow: bool = True) -> tuple[Case, ...]:
    """Lay all of them into a folder; returns the notebooks whose rows are known."""
    cases = (*HONEST, *ENDING, *HOSTILE, *reaching_out(folder, away))
    cases = tuple(one for one in cases if slow or not one.slow)
    for one in cases:
        write(folder, one)
    return cases
