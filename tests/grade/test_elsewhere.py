"""A verdict on a function of another process is the verdict on the same function here."""

import os
import time

import pytest

from course_lib.grade.answering import Answering
from course_lib.grade.hearing import Hearing, Tried
from course_lib.grade.peer import Ended, Peer
from course_lib.judging.answer import verdict_on
from course_lib.judging.registry import chapters
from tests.sweeps import WALK

CHAPTERS = [one.name for one in chapters()]
QUICK = ("08_flash_attention",)


def candidates(exercise):
    """The course's answer, and right and wrong ones: of each kind one, in the walk all."""
    count = None if WALK else 1
    wrong = [one.wrong for one in exercise.mistakes] + [one.wrong for one in exercise.refused]
    return [exercise.answer, *exercise.alternatives[:count], *wrong[:count]]


def elsewhere(chapter, asked):
    """What a hearing finds of the candidates in a process of their own."""
    exercises = chapters(chapter)[0].exercises
    here, there = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        os.closerange(there[0], there[0] + 1)
        peer = Peer(here[0], there[1], lambda question, peer: answering.serve(question))
        answering = Answering(peer)
        peer.resolve = answering.function
        try:
            for name, function in asked:
                peer.ask({"do": "define", "name": name, **answering.described(function)})
        finally:
            os._exit(0)
    os.close(here[0])
    os.close(there[1])
    known: dict[tuple, Tried] = {}
    hearing = Hearing(exercises, [""], known, frozenset(), time.monotonic() + 500)
    peer = Peer(there[0], here[1], hearing.serve)
    peer.resolve = lambda about: hearing.function(peer, about)
    with pytest.raises(Ended):
        peer.serve()
    os.waitpid(child, 0)
    os.close(there[0])
    os.close(here[1])
    return list(known.values())


@pytest.mark.parametrize("chapter", CHAPTERS if WALK else QUICK)
def test_the_verdict_is_the_same_wherever_a_function_runs(chapter):
    exercises = chapters(chapter)[0].exercises
    asked = [(name, one) for name, of in exercises.items() for one in candidates(of)]
    found = elsewhere(chapter, asked)
    assert len(found) == len(asked)
    for (name, function), there in zip(asked, found, strict=True):
        here = verdict_on(exercises[name], function)
        assert there.state == here.state, (name, there)
        mistake = "" if here.mistake is None else here.mistake.text
        if "stops" not in here.symptom:  # what an error met stays in its process
            assert (there.mistake, there.symptom) == (mistake, here.symptom * (not right(here)))


def right(verdict):
    return verdict.state == "right"
