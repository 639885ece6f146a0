"""Exercise `rope_scores`: scores that know how far apart query and key stand."""

import math

import torch

from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.judging.tensors import drawn
from course_lib.kernels.positions import frequencies, rotary, rotate
from course_lib.learner.arrays import as_array


def rope_scores(q, k):
    """Scores that know how far apart query and key stand.

    q: (n, d)   k: (n, d), row i of both stands at place i   returns: (n, n)
    """
    # SOLUTION
    n, d = q.shape
    angles = torch.arange(n)[:, None] * frequencies(d)
    return rotate(q, angles) @ rotate(k, angles).T / d**0.5
    # END SOLUTION


def _places(x, start=0):
    """A column, (n, 1)."""
    return (torch.arange(len(x)) + start)[:, None]


def _angles(x, start=0):
    return _places(x, start) * frequencies(x.shape[1])


def _scores(q, k, turn_q=1.0, turn_k=1.0, by=None, angles=None):
    """Right as it stands; each option makes one slip."""
    angles = _angles(q) if angles is None else angles
    q, k = q.double(), k.double()
    return rotate(q, turn_q * angles) @ rotate(k, turn_k * angles).T / (by or q.shape[1] ** 0.5)


# The five that follow are shown on the page, so they are written as learners write them.


def _queries_alone(q, k):
    n, d = q.shape
    angles = torch.arange(n)[:, None] * frequencies(d)
    return rotate(q, angles) @ k.T / d**0.5


def _opposite(q, k):
    n, d = q.shape
    angles = torch.arange(n)[:, None] * frequencies(d)
    return rotate(q, angles) @ rotate(k, -angles).T / d**0.5


def _flat_angles(q, k):
    n, d = q.shape
    angles = torch.arange(n) * frequencies(d)
    return rotate(q, angles) @ rotate(k, angles).T / d**0.5


def _without_the_root(q, k):
    n, d = q.shape
    angles = torch.arange(n)[:, None] * frequencies(d)
    return rotate(q, angles) @ rotate(k, angles).T


def _turned_scores(q, k):
    n, d = q.shape
    angles = torch.arange(n)[:, None] * frequencies(d)
    return rotate(q @ k.T, angles) / d**0.5


def _pair_by_pair(q, k):
    t, d = q.shape
    out = torch.zeros(t, t, dtype=torch.float64)
    for i in range(t):
        for j in range(t):
            turn = (i - j) * frequencies(d)
            out[i, j] = rotate(q[i : i + 1], turn[None])[0] @ k[j] / math.sqrt(d)
    return out


def _by_complex_numbers(q, k):
    turns = torch.polar(torch.ones_like(_angles(q)), _angles(q))
    q, k = (torch.view_as_complex(x.double().unflatten(1, (-1, 2))) * turns for x in (q, k))
    return (q @ k.mH).real / (2 * q.shape[1]) ** 0.5


ROPE_SCORES = Exercise(
    answer=rope_scores,
    cases=(
        lambda rng: inputs(
            torch.tensor([[1.0, 0.0], [1.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, 2.0]])
        ),
        lambda rng: inputs(drawn(rng, 3, 6), drawn(rng, 3, 6)),
        lambda rng: inputs(drawn(rng, 4, 4), drawn(rng, 4, 4)),
        lambda rng: inputs(
            drawn(rng, 7, 2, dtype=torch.float64), drawn(rng, 7, 2, dtype=torch.float64)
        ),
        lambda rng: inputs(drawn(rng, 5, 8), drawn(rng, 5, 8)),
        lambda rng: inputs(drawn(rng, 3, 6), drawn(rng, 3, 6)),
    ),
    properties=(
        Property(
            "On the diagonal, as at (1, 1), query and key stand at one place: the score is their "
            "dot product, as it was before any turn, divided by the root of the width.",
            lambda got, case: bool(
                torch.allclose(
                    torch.as_tensor(as_array(got["output"])).double().diagonal(),
                    (case.args[0].double() * case.args[1]).sum(1) / case.args[0].shape[1] ** 0.5,
                    atol=1e-4,
                )
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "You turned the queries and left the keys as they are. Then the angle between the two "
            "depends on where the query stands, not on the distance. Turn both.",
            _queries_alone,
            also=(lambda q, k: _scores(q, k, turn_k=0.0, angles=_angles(q, start=1)),),
        ),
        Mistake(
            "You turned the keys and left the queries as they are. Then the angle between the two "
            "depends on where the key stands, not on the distance. Turn both.",
            lambda q, k: _scores(q, k, turn_q=0.0),
            also=(lambda q, k: _scores(q, k, turn_q=0.0, angles=_angles(q, start=1)),),
        ),
        Mistake(
            "Query and key turn in opposite directions, so their angles add up: the score depends "
            "on the sum of the places. Turn both the same way, and the difference is left.",
            _opposite,
            also=(lambda q, k: _scores(q, k, turn_k=-1.0, angles=_angles(q, start=1)),),
        ),
        Mistake(
            "Both are turned backwards, so every distance has the wrong sign: what stands two "
            "places before looks as if it stood two places after.",
            lambda q, k: _scores(q, k, turn_q=-1.0, turn_k=-1.0),
        ),
        Mistake(
            "These are the scores without any turn. Did all rows get the same angles? Then query "
            "and key turn together, and nothing changes. The angle is the place times the speed.",
            lambda q, k: _scores(q, k, turn_q=0.0, turn_k=0.0),
            also=(
                lambda q, k: _scores(q, k, angles=frequencies(q.shape[1]).expand(len(q), -1)),
                lambda q, k: _scores(q, k, angles=frequencies(q.shape[1])),
                lambda q, k: q @ k.T / q.shape[1] ** 0.5,
            ),
        ),
        Mistake(
            "torch.arange(n) and frequencies(d) are two flat rows, and a product of two rows is "
            "taken entry by entry. As a column, torch.arange(n)[:, None], the places meet each "
            "speed: (n, 1) times (d/2,) is (n, d/2).",
            _flat_angles,
        ),
        Mistake(
            "The table of angles lies on its side: a row for each place, a column for each pair.",
            lambda q, k: _scores(q, k, angles=_angles(q).T),
        ),
        Mistake(
            "You multiplied each score by the cosine of the distance. A turn adds to the angle "
            "between query and key, and that is another one for each two words: turn them first.",
            lambda q, k: (
                (q @ k.T).double()
                * (torch.arange(len(q))[:, None] - torch.arange(len(q))).double().cos()
                / q.shape[1] ** 0.5
            ),
        ),
        Mistake(
            "All pairs turn at one speed. The angle is the place times the speed of the pair, "
            "frequencies(d). (Did you add instead of multiply?)",
            lambda q, k: _scores(q, k, angles=_places(q).expand(-1, q.shape[1] // 2)),
            also=(
                lambda q, k: _scores(q, k, angles=_places(q)),
                lambda q, k: _scores(q, k, angles=_places(q) + frequencies(q.shape[1])),
            ),
        ),
        Mistake(
            "You turned the scores, when query and key had already met. A score is one number, and "
            "no arrow. Turn the rows of q and of k, and take their dot products after that.",
            _turned_scores,
            also=(
                lambda q, k: rotate(q @ k.T, _angles(q)),
                lambda q, k: rotate(q @ k.T, _angles(q @ k.T)) / q.shape[1] ** 0.5,
                lambda q, k: rotate(q @ k.T, _angles(q @ k.T)),
            ),
        ),
        Mistake(
            "The turns are right, and counting places from 1 would change nothing. But the scores "
            "are not divided: as in chapter 3, divide them by the root of the width.",
            _without_the_root,
        ),
        Mistake(
            "You divided by d. It is the root of d (chapter 3).",
            lambda q, k: _scores(q, k, by=float(q.shape[1])),
        ),
        Mistake(
            "You divided by the root of the number of pairs, d / 2. The width is d.",
            lambda q, k: _scores(q, k, by=(q.shape[1] / 2) ** 0.5),
        ),
        Mistake(
            "You divided by the root of the number of places. The width is q.shape[1].",
            lambda q, k: _scores(q, k, by=len(q) ** 0.5),
        ),
        Mistake(
            "The table lies on its side: rows are queries, columns are keys, q @ k.T.",
            lambda q, k: _scores(q, k).T,
        ),
        Mistake(
            "The turned keys were not turned over: .T makes columns of their rows, and a score is "
            "the dot product of a row of q with a row of k.",
            lambda q, k: rotate(q, _angles(q)) @ rotate(k, _angles(k)) / q.shape[1] ** 0.5,
        ),
        Mistake(
            "These are the weights. Asked for are the scores, before the softmax.",
            lambda q, k: _scores(q, k).softmax(dim=-1),
        ),
        Mistake(
            "frequencies was given the number of rows. It wants the width, d = q.shape[1], and "
            "gives a speed for each pair of columns.",
            lambda q, k: _scores(q, k, angles=_places(q) * frequencies(len(q))),
        ),
        Mistake(
            "You turned by the speeds of another width. They are those of the columns: "
            "frequencies(d) with d = q.shape[1].",
            lambda q, k: _scores(
                q, k, angles=_places(q) * frequencies(2 * q.shape[1])[: q.shape[1] // 2]
            ),
            also=(
                lambda q, k: _scores(q, k, angles=_places(q) * frequencies(q.shape[1] // 2)),
                lambda q, k: _scores(q, k, angles=_places(q) * frequencies(8)),
                lambda q, k: _scores(q, k, angles=_places(q) * frequencies(4)),
            ),
        ),
        Mistake(
            "The later keys are hidden as well. A mask is another step; here all scores are asked "
            "for.",
            lambda q, k: _scores(q, k).masked_fill(
                torch.ones(len(q), len(q)).triu(1).bool(), -torch.inf
            ),
        ),
    ),
    refused=(Refused(lambda q, k: rotate(q, _angles(q)), "rope_scores"),),
    alternatives=(
        lambda q, k: rotary(q) @ rotary(k).T / q.shape[1] ** 0.5,
        _pair_by_pair,
        _by_complex_numbers,
        lambda q, k: _scores(q, k, angles=_angles(q, start=1)),
        lambda q, k: _scores(q, k, angles=_angles(q, start=500)).tolist(),
        lambda q, k: _scores(q / q.shape[1] ** 0.25, k / k.shape[1] ** 0.25, by=1.0).float(),
        lambda q, k: _scores(q, k).numpy(),
    ),
    hints=(
        "Pair p of row i turns by i times the speed of pair p. Must q be turned, or k, or both?",
        "torch.arange(n)[:, None] is (n, 1), the speeds are (d/2,): what shape has their product?",
        "angles = torch.arange(len(q))[:, None] * ...; "
        "return rotate(q, angles) @ rotate(..., angles).T / ...",
    ),
    minutes=4,
    stars=2,
    reward=(
        "Do they know the distance alone? Put seven words in front of the contract, in a cell of "
        "your own: longer = torch.cat((torch.randn(7, 4), contract)). Which part of "
        "rope_scores(longer, longer) do you compare with rope_scores(contract, contract)? (From "
        "7 on: [7:, 7:], and torch.allclose with atol=1e-4 says True.) Every layer of Llama 3 "
        "turns its queries and keys in this way, with slower dials than yours."
    ),
)
