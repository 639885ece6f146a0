"""A running class: a hub, a proxy, servers in their bubbles, and learners who come and go."""

import asyncio
import json

import pytest

from deploy.apart import why_no_bubble
from tests.deploy.class_learner import Learner, Refused
from tests.deploy.class_server import ClassServer, missing

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "a class can be started here")
CHAPTER = "01_dot_product"


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """A class with one place and small limits; 李雷's server is up."""
    place = tmp_path_factory.mktemp("class")
    with ClassServer(place, learners=1, seconds=2, memory=700, warm="no") as running:
        asyncio.run(arrive(running))
        yield running


async def arrive(running):
    async with Learner(running.address, "李雷") as learner:
        await learner.log_in()
        await learner.follow(running.link(CHAPTER))


def as_learner(running, deed, name="李雷", **how):
    async def with_learner():
        async with Learner(running.address, name, **how) as learner:
            await learner.log_in()
            return await deed(learner)

    return asyncio.run(with_learner())


def in_kernel(running, *cells):
    """The outputs of cells that 李雷 runs in the kernel of the chapter."""

    async def run(learner):
        kernel = await learner.open(f"{CHAPTER}.ipynb")
        outputs = [await kernel.run(cell) for cell in cells]
        await kernel.close()
        return outputs

    return as_learner(running, run)


def shown(outputs):
    """The text of a cell's outputs."""
    parts = [one.get("text") or "\n".join(one.get("traceback", ())) for one in outputs]
    return "".join(parts)


def test_a_link_opens_a_chapter_in_a_folder_of_ones_own(here):
    names = {path.name for path in (here.home("李雷") / "course").glob("*.ipynb")}
    assert f"{CHAPTER}.ipynb" in names
    assert len(names) == 9
    state, home = in_kernel(
        here, "import os; print(os.environ['COURSE_STATE'])", "print(os.environ['HOME'])"
    )
    assert shown(state).strip() == str(here.home("李雷") / "state")
    assert shown(home).strip() == str(here.home("李雷"))


def test_who_comes_twice_finds_the_same_kernel(here):
    assert in_kernel(here, "kept = 'from the first page'") == [[]]
    (seen,) = in_kernel(here, "print(kept)")
    assert shown(seen).strip() == "from the first page"


@pytest.mark.parametrize("name", ["../hub", "a b", ".hidden", "x" * 41, "a/b", "name;ls"])
def test_a_name_that_cannot_be_a_folder_is_refused_on_the_page(here, name):
    with pytest.raises(Refused, match="Invalid username or password"):
        as_learner(here, None, name=name)
    assert sorted(path.name for path in (here.folder / "learners").iterdir()) == ["李雷"]


def test_a_name_that_somebody_has_is_refused(here):
    with pytest.raises(Refused, match="Invalid username or password"):
        as_learner(here, None, password="another long word")


def test_a_server_more_than_there_is_room_for_gets_a_sentence(here):
    async def follow(learner):
        await learner.follow(here.link(CHAPTER))

    with pytest.raises(Refused, match=r"limit exceeded\. Try again in a few minutes"):
        as_learner(here, follow, name="han")
    assert in_kernel(here, "1 + 1")[0][0]["data"]["text/plain"] == "2"


def test_past_a_limit_there_is_a_sentence_and_nothing_is_lost(here):
    outputs = in_kernel(
        here,
        "mine = 42; import numpy as np",
        "np.ones(10**9)",
        "while True:\n    try:\n        sum(range(10**5))\n    except Exception:\n        pass",
        "raise RuntimeError('words of its own')",
        "print(mine)",
    )
    _, memory, time, other, kept = map(shown, outputs)
    assert memory.startswith("This cell asked for more memory than a kernel of the class has (700 ")
    assert time.startswith("This cell used 2 s of the processor")
    assert "words of its own" in other
    assert "RuntimeError" in other
    assert kept.strip() == "42"


@pytest.mark.skipif(bool(why_no_bubble()), reason=why_no_bubble() or "bubblewrap works here")
def test_a_learner_sees_no_other_and_changes_nothing_shared(here):
    (here.folder / "learners" / "other").mkdir(exist_ok=True)
    try:
        cells = (
            f"import os; print(os.listdir({str(here.folder / 'learners')!r}))",
            f"print(os.path.exists({str(here.folder / 'hub.sqlite')!r}))",
            "import course_lib; open(course_lib.__file__, 'a')",
            "import sys, numpy; open(numpy.__file__, 'a')",
        )
        listed, secrets, course, library = map(shown, in_kernel(here, *cells))
    finally:
        (here.folder / "learners" / "other").rmdir()
    assert listed.strip() == "['李雷']"
    assert secrets.strip() == "False"
    assert "Read-only file system" in course
    assert "Read-only file system" in library


def test_a_link_lays_a_new_edition_beside_what_was_edited(here):
    """The last test of this file: it changes the edition."""
    copy = here.home("李雷") / "course" / f"{CHAPTER}.ipynb"
    mine = json.loads(copy.read_text(encoding="utf-8"))
    mine["cells"][0]["source"] = ["my own words"]
    copy.write_text(json.dumps(mine), encoding="utf-8")
    edition = here.folder / "course" / f"{CHAPTER}.ipynb"
    newer = json.loads(edition.read_text(encoding="utf-8"))
    newer["cells"][1]["source"] = ["a newer sentence"]
    edition.write_text(json.dumps(newer), encoding="utf-8")
    from deploy.edition import _git

    _git(edition.parent, "commit", "--quiet", "--all", "--message", "newer")

    async def follow(learner):
        return await learner.follow(here.link(CHAPTER))

    assert as_learner(here, follow).endswith(f"{CHAPTER}.ipynb")
    assert json.loads(copy.read_text(encoding="utf-8")) == mine
    beside = json.loads(copy.with_name(f"{CHAPTER}.new.ipynb").read_text(encoding="utf-8"))
    assert beside["cells"][1]["source"] == ["a newer sentence"]
    assert f"{CHAPTER}.new.ipynb" in (copy.parent / "new in this folder.txt").read_text()
