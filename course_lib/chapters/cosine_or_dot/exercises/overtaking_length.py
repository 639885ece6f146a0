"""Exercise `overtaking_length`: how long a key must be to tie with another."""

import numpy as np

from course_lib.chapters.cosine_or_dot.exercises.unit_rows import unit_rows
from course_lib.judging.accept import close
from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.kernels import vectors


def overtaking_length(q, near, loud):
    """The length of loud at which its score ties with that of near.

    q: (d,)   near: (d,)   loud: (d,), only its direction counts
    returns: one number, not rounded
    """
    # SOLUTION
    for_each_unit = q @ loud / np.sqrt(loud @ loud)
    return q @ near / for_each_unit if for_each_unit > 0 else np.inf
    # END SOLUTION


NEVER = (
    "loud points across q or away from it. Then a longer loud only loses more: no length is "
    "enough, and the answer is np.inf."
)


STILL_SOME = (
    "loud points towards q, if only by little. Then a great length is enough: none is enough only "
    "where the dot product is 0 or below."
)

NOT_EXACT = (
    "That is close, and not exact. Was it rounded, or searched for in steps? It can be written "
    "down as one division."
)


def _overtakes(got, want, case) -> bool | str:
    """Accepts six digits; says it where no length is enough, or where the digits are too few."""
    came, wanted = got["output"], float(want["output"])
    if np.ndim(came) == 0 and np.isinf(wanted) and not np.isposinf(came):
        return NEVER
    if np.ndim(came) == 0 and np.isposinf(came) and np.isfinite(wanted) and case.args[0].all():
        return STILL_SOME  # where q has a 0, it may be infinite because something is divided by q
    if close(1e-6)(got, want, case):
        return True
    return NOT_EXACT if close(5e-3)(got, want, case) else False


def _if_any(formula):
    """A formula that is wrong, in an answer that knows when no length is enough."""

    def answer(q, near, loud):
        return formula(q, near, loud) if q @ loud > 0 else np.inf

    return answer


def _or_else(instead):
    """Right where some length is enough; where none is, it returns `instead`."""

    def answer(q, near, loud):
        return q @ near / (q @ loud) * vectors.norm(loud) if q @ loud > 0 else instead

    return answer


def _by_small_steps(q, near, loud):
    unit_loud = loud / vectors.norm(loud)
    reached = (step for step in np.arange(0, 50, 0.001) if step * (q @ unit_loud) >= q @ near)
    return next(reached, 2e7)


def _by_halving(q, near, loud):
    earns, low, high = q @ loud / vectors.norm(loud), 0.0, 1e9
    if earns * high < q @ near:
        return np.inf
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if earns * middle < q @ near else (low, middle)
    return high


OVERTAKING_LENGTH = Exercise(
    answer=overtaking_length,
    accept=_overtakes,
    cases=(
        lambda rng: inputs(np.array([2.0, 0.0]), np.array([3.0, 0.0]), np.array([3.0, 4.0])),
        lambda rng: inputs(np.array([3.0, 1.0]), np.array([1.0, 1.0]), np.array([0.5, 1.0])),
        lambda rng: inputs(np.array([1.0, 0.0]), np.array([2.0, 1.0]), np.array([-1.0, 1.0])),
        lambda rng: inputs(np.array([1.0, 2.0]), np.array([2.0, 1.0]), np.array([-2.0, 1.0])),
        lambda rng: inputs(
            np.array([1.0, 2.0, -1.0]), np.array([0.5, 1.5, -1.0]), np.array([2.0, 1.0, 2.0])
        ),
        lambda rng: inputs(np.array([2, 1, 3]), np.array([1, 1, 2]), np.array([3, 4, -1])),
        lambda rng: inputs(np.array([2, 1, 3]), np.array([4, -1, 2]), np.array([-3, 2, 1])),
        lambda rng: inputs(np.array([1.0, 0.5]), np.array([2.0, 1.0]), np.array([1e-7, 1e-8])),
        lambda rng: inputs(np.array([1.0, 1e-9]), np.array([2.0, 0.5]), np.array([1e-7, 1.0])),
        lambda rng: inputs(*np.abs(rng.normal(size=(3, 5)))),
    ),
    mistakes=(
        Mistake(
            NEVER,
            lambda q, near, loud: (
                q @ near / (q @ loud) * vectors.norm(loud) if q @ loud else np.inf
            ),
            also=(
                *(_or_else(instead) for instead in (-1.0, np.nan, 0.0, -np.inf, 1e9)),
                lambda q, near, loud: q @ near / abs(q @ loud) * vectors.norm(loud),
            ),
        ),
        Mistake(
            STILL_SOME,
            lambda q, near, loud: (
                overtaking_length(q, near, loud) if vectors.cosine(q, loud) > 1e-6 else np.inf
            ),
            also=(
                lambda q, near, loud: np.inf,
                lambda q, near, loud: (
                    overtaking_length(q, near, loud) if q @ loud > q @ near else np.inf
                ),
                lambda q, near, loud: np.inf if q @ loud > 0 else overtaking_length(q, near, -loud),
            ),
        ),
        Mistake(
            NOT_EXACT,
            lambda q, near, loud: np.round(overtaking_length(q, near, loud), 3),
        ),
        Mistake(
            "It stands upside down: the score of near is what is to be reached, and the score of "
            "loud at length 1 is what each unit earns.",
            _if_any(lambda q, near, loud: q @ loud / vectors.norm(loud) / (q @ near)),
        ),
        Mistake(
            "As long as near is not long enough: loud points further away, and each unit of its "
            "length earns less.",
            _if_any(lambda q, near, loud: vectors.norm(near)),
        ),
        Mistake(
            "That is loud itself, stretched. Asked for is how long it is then, one number.",
            _if_any(lambda q, near, loud: q @ near / (q @ loud) * loud),
        ),
        Mistake(
            "That is the score that is to be reached. Asked for is the length at which loud "
            "reaches it.",
            _if_any(lambda q, near, loud: q @ near),
        ),
        Mistake(
            "You divided by the length of loud where it multiplies.",
            _if_any(lambda q, near, loud: q @ near / (q @ loud) / vectors.norm(loud)),
        ),
        Mistake(
            "That is how many times longer loud must become. Multiply by the length that it has.",
            _if_any(lambda q, near, loud: q @ near / (q @ loud)),
        ),
        Mistake(
            "You took the length of near for 1. Its score counts its length too.",
            _if_any(lambda q, near, loud: vectors.cosine(q, near) / vectors.cosine(q, loud)),
        ),
        Mistake(
            "You multiplied the length of near by the cosine of loud; divide. The further loud "
            "turns away, the longer it must be.",
            _if_any(
                lambda q, near, loud: (
                    vectors.norm(near) * vectors.cosine(q, loud) / vectors.cosine(q, near)
                )
            ),
        ),
        Mistake(
            "You divided the score of near by the cosine of loud and forgot that the query's "
            "length is in that score as well. It multiplies both and drops out.",
            _if_any(lambda q, near, loud: q @ near / vectors.cosine(q, loud)),
        ),
        Mistake(
            "You measured the angle between loud and near. What counts is how far each of them "
            "reaches along q.",
            _if_any(lambda q, near, loud: vectors.norm(near) / vectors.cosine(near, loud)),
        ),
        Mistake(
            "You took the cosine of near as 1. It may point beside q too, and then it reaches "
            "less far along q than it is long.",
            _if_any(lambda q, near, loud: vectors.norm(near) / vectors.cosine(q, loud)),
        ),
        Mistake(
            "You subtracted where it takes a division: how many units, each of which earns a "
            "share, make up the score of near?",
            _if_any(lambda q, near, loud: q @ near - q @ loud / vectors.norm(loud)),
        ),
        Mistake(
            "You compared loud with near. What counts is how far loud reaches along q.",
            _if_any(lambda q, near, loud: q @ near / (near @ loud) * vectors.norm(loud)),
        ),
        Mistake(
            "That is how far near reaches along q. loud reaches less for each unit of its length: "
            "divide by its cosine.",
            _if_any(lambda q, near, loud: q @ near / vectors.norm(q)),
        ),
        Mistake(
            "You divided by the length of loud. Divide by what a unit of it earns, "
            "q @ loud / |loud|.",
            _if_any(lambda q, near, loud: q @ near / vectors.norm(loud)),
        ),
        Mistake(
            "1 / cosine is right where near is 1 long and points exactly as q does. In general, "
            "near has a length and a cosine of its own.",
            _if_any(lambda q, near, loud: 1 / vectors.cosine(q, loud)),
        ),
        Mistake(
            "That is the length that loud has now. At which length does it tie?",
            lambda q, near, loud: vectors.norm(loud),
            also=(_if_any(lambda q, near, loud: vectors.norm(loud)),),
        ),
        Mistake(
            "loud @ loud is the squared length of loud. The root is missing.",
            _if_any(lambda q, near, loud: q @ near / (q @ loud) * (loud @ loud)),
        ),
        Mistake(
            "It stands upside down, and the length of loud is missing, too. How much has to be "
            "reached, and how much does each unit earn?",
            _if_any(lambda q, near, loud: q @ loud / (q @ near)),
            also=(_if_any(lambda q, near, loud: q @ loud / (q @ near) * vectors.norm(loud)),),
        ),
        Mistake(
            "You multiplied the score of near by what each unit of loud earns. How many such units "
            "make up that score?",
            _if_any(lambda q, near, loud: q @ near * (q @ loud) / vectors.norm(loud)),
        ),
        Mistake(
            "The cosines are right, and the length beside them is that of loud. The score to be "
            "reached has the length of near in it.",
            _if_any(
                lambda q, near, loud: (
                    vectors.cosine(q, near) / vectors.cosine(q, loud) * vectors.norm(loud)
                )
            ),
        ),
        Mistake(
            "That is the cosine of loud with the score of near in place of its own. Only |loud| "
            "belongs below the line, with q @ loud.",
            _if_any(lambda q, near, loud: q @ near / (vectors.norm(q) * vectors.norm(loud))),
        ),
        Mistake(
            "Missing length: you divided what loud still lacks. Asked for is the whole length, and "
            "that counts from 0.",
            _if_any(lambda q, near, loud: (q @ near - q @ loud) / (q @ loud / vectors.norm(loud))),
        ),
        Mistake(
            "near @ near is the squared length of near. Its score is its dot product with q.",
            _if_any(lambda q, near, loud: near @ near / (q @ loud) * vectors.norm(loud)),
        ),
        Mistake(
            "From left to right, a / q @ b divides the number by each entry of q first. Put "
            "q @ loud into brackets.",
            _if_any(lambda q, near, loud: q @ near / q @ loud * vectors.norm(loud)),
            also=(_if_any(lambda q, near, loud: q @ near / q @ loud),),
        ),
        Mistake(
            "// drops what is behind the point.",
            _if_any(lambda q, near, loud: q @ near // (q @ loud / vectors.norm(loud))),
        ),
        Mistake(
            "You rounded up to a whole number. They tie at the length at which the two are equal.",
            lambda q, near, loud: np.ceil(overtaking_length(q, near, loud)),
        ),
    ),
    alternatives=(
        lambda q, near, loud: (
            vectors.norm(near) * vectors.cosine(q, near) / vectors.cosine(q, loud)
            if vectors.cosine(q, loud) > 1e-12
            else float("inf")
        ),
        _or_else(np.inf),
        _by_halving,
        lambda q, near, loud: (
            np.float32(q @ near / (q @ unit_rows(loud[None])[0])) if q @ loud > 0 else np.inf
        ),
    ),
    refused=(
        Refused(_or_else(None), "returns nothing here"),
        Refused(_by_small_steps, "close, and not exact"),
    ),
    hints=(
        "How much score does loud earn for each unit of its length? How much does near have?",
        "At length 1, loud scores q @ loud / |loud|. It needs the score of near, q @ near. And if "
        "it earns nothing, or less than nothing?",
        "earns = q @ loud / ...; return q @ near / earns if earns > 0 else ...",
    ),
    minutes=6,
    stars=2,
    depth=True,
)
