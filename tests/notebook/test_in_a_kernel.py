"""The engine inside a real Jupyter kernel: output bundles, time limit, interrupt, Run all."""

import time

import pytest

from course_lib.showing import BESIDE, WIDGET
from tools.outputs import without_live

manager = pytest.importorskip("jupyter_client.manager")

SETUP = """
import numpy as np
from tests.notebook.test_handout import DOUBLE, WHO
from course_lib.notebook.handout import Handout
import dataclasses
chapter = Handout("01_test", exercises=(dataclasses.replace(DOUBLE, seconds=1.0),), bets=(WHO,))
exercise = chapter.exercise
"""


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("state")
    import os

    environment = {**os.environ, "COURSE_STATE": str(folder), "PYTHONPATH": os.getcwd()}
    started, client = manager.start_new_kernel(kernel_name="python3", env=environment)
    try:
        assert run(client, SETUP) == []
        yield started, client
    finally:
        client.stop_channels()
        started.shutdown_kernel(now=True)


def run(client, code, during=None):
    """What the cell put out, as the messages' contents."""
    outputs = []
    asked = client.execute(code)
    if during is not None:
        during()
    while True:
        message = client.get_iopub_msg(timeout=60)
        if message["parent_header"].get("msg_id") != asked:
            continue
        if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
            return outputs
        if message["msg_type"] in ("display_data", "stream", "error", "execute_result"):
            outputs.append(message["content"])


def printed(outputs):
    """What prints put out: nothing else was, and one print may come in several parts."""
    return "".join(one["text"] for one in outputs)


def test_a_verdict_is_one_bundle_of_words_and_html(kernel):
    (bundle,) = run(kernel[1], "@exercise\ndef double(x):\n    return x + 1")
    assert set(bundle["data"]) == {"text/plain", "text/html"}
    assert bundle["data"]["text/plain"].startswith("✗ wrong: double")
    assert "<details>" in bundle["data"]["text/html"]


def test_the_learners_own_line_is_found_in_the_cell(kernel):
    (bundle,) = run(kernel[1], "@exercise\ndef double(x):\n    return x + nothing_of_this_name")
    assert "Your line: return x + nothing_of_this_name" in bundle["data"]["text/plain"]


def test_an_endless_cell_ends_and_the_next_cell_runs_with_the_courses(kernel):
    start = time.monotonic()
    (bundle,) = run(kernel[1], "@exercise\ndef double(x):\n    while True: pass")
    assert time.monotonic() - start < 10
    assert "still running after 1 seconds" in bundle["data"]["text/plain"]
    outputs = run(kernel[1], "import time; time.sleep(1.2); print(double(21), double.source)")
    assert printed(outputs) == "42 course\n"


def test_an_interrupt_returns_normally(kernel):
    def interrupt():
        time.sleep(0.4)
        kernel[0].interrupt_kernel()

    code = "@exercise\ndef double(x):\n    while True: pass"
    (bundle,) = run(kernel[1], code, during=interrupt)
    assert bundle["data"]["text/plain"].startswith("○ interrupted: double")
    assert printed(run(kernel[1], "print(double(2))")) == "4\n"


def test_exit_prints_warnings_and_displays_stay_inside(kernel):
    code = (
        "@exercise\ndef double(x):\n"
        "    from IPython.display import display\n"
        "    display('shown'); print('printed'); np.log(0 * x); raise SystemExit"
    )
    (bundle,) = run(kernel[1], code)
    assert "exit" in bundle["data"]["text/plain"]


def test_an_endless_answer_outside_of_the_main_thread_is_stopped(kernel):
    code = (
        "import threading\nfrom course_lib.judging.answer import verdict_on\n"
        "def forever(x):\n    while True: pass\n"
        "found, given = [], chapter.exercises['double']\n"
        "one = threading.Thread(target=lambda: found.append(verdict_on(given, forever)))\n"
        "one.start(); one.join(8); print(found[0].cause)"
    )
    assert printed(run(kernel[1], code)) == "time\n"


def test_a_bet_is_html_with_words_and_beside_it_a_widget(kernel):
    still, style, live = run(kernel[1], "chapter.bet('who')")
    assert set(still["data"]) == {"text/plain", "text/html"}
    assert "VBox" not in still["data"]["text/plain"]
    assert BESIDE in style["data"]["text/html"]
    assert WIDGET in live["data"]
    assert without_live([still, style, live]) == [still]


def test_where_outputs_stand_apart_a_bet_is_one_bundle(kernel):
    code = "import sys; sys.modules['google.colab'] = sys; chapter.bet('who')"
    (bundle,) = run(kernel[1], code + "; del sys.modules['google.colab']")
    assert set(bundle["data"]) == {"text/plain", "text/html", WIDGET}


def test_a_cell_magic_or_a_redefinition_does_not_confuse_a_recursive_answer(kernel):
    for _ in range(2):
        (bundle,) = run(kernel[1], "@exercise\ndef double(x):\n    return double(x)")
        assert "without an end" in bundle["data"]["text/plain"]


def test_below_a_syntax_error_stands_what_it_may_be_and_once_only(kernel):
    run(kernel[1], "Handout('02_test')")  # a second chapter in the same kernel
    error, told = run(kernel[1], "@exercise\ndef double(x)\n    return 2 * x")
    assert error["ename"] == "SyntaxError"
    assert "It stopped at line 2: def double(x)" in told["data"]["text/plain"]
    assert "ends with a colon" in told["data"]["text/html"]
