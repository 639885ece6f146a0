"""The exercises and bets of chapter 3, scaling by the square root of the width."""

import numpy as np

from course_lib.exercises.engine.bet import Bet, Choice, Number
from course_lib.exercises.engine.chapter import Chapter
from course_lib.exercises.engine.exercise import Exercise, Mistake, Property, inputs
from course_lib.exercises.engine.observe import Unusable, usable_array
from course_lib.kernels.softmax import softmax

# Nothing changed but the width

WIDTH = Bet(
    "width",
    question="A random query and ten random keys, strangers all. At width 4 the top key gets .49 "
    "on average (fair would be .10). Now each vector has 1024 numbers instead of 4, of the same "
    "kind. What does the top key get on average?",
    answer=Number(0, 1, near=0.05, format="{:.2f}"),
    why="Scores of wider vectors lie further apart, and softmax turns distance into certainty.",
    model_answer="Nobody has come to know anybody better, and still one key gets almost all. Each "
    "of the 1024 places adds a product to the score; the sums spread, and a best score 10 or 20 "
    "above the next leaves it nothing. In four of five rows the top weight is over .99.",
)

# The variance, by simulation


def score_variance(d_k, pairs, rng):
    q = rng.normal(size=(pairs, d_k))
    k = rng.normal(size=(pairs, d_k))
    return (q * k).sum(axis=1).var()


STANDARD_ERRORS = 6  # a right answer is refused by chance about once in 10^8


def band(d_k, pairs):
    """How far the simulated variance may be from d_k, as a part of it."""
    return STANDARD_ERRORS * np.sqrt((2 + 6 / d_k) / pairs)


def _simulated(candidate, case) -> dict:
    return {"output": usable_array(candidate(*case.args))}


SEVERAL = "The result is not one number. Each pair gives one score; return the variance of them."
SPREAD_NOT_VARIANCE = (
    "That is the standard deviation. The variance is its square: .var() instead of .std()."
)
ONE_PRODUCT = (
    "That is about 1 at every width. Either each product was counted alone (add the d_k products "
    "of a pair up first), or the scores are divided already (that comes next)."
)
TWINS = (
    "That is twice d_k: what comes out when each vector meets itself, or when q and k are added. "
    "Draw q and k apart, each with its own call of rng.normal, and multiply them."
)
ONE_SIDED = (
    "That is far below d_k. rng.random draws between 0 and 1, with mean .5 and variance 1/12; "
    "rng.normal has mean 0 and variance 1."
)
NOT_SIMULATED = (
    "That is d_k itself, to the last digit. It is the right expectation; a simulation draws pairs, "
    "computes their scores and takes the variance of these."
)
NO_SPREAD = (
    "That is 0: one number has no spread. .sum() without an axis adds up all pairs at once; "
    "axis=1 gives one score for each."
)
ACROSS = (
    "That is far above d_k. The products were added up across the pairs; a score adds up the d_k "
    "products of one pair. With shape (pairs, d_k) that is axis=1."
)
MEAN_PRODUCT = "That is one over d_k: the mean of the products of a pair. A score is their sum."
NOT_A_VARIANCE = (
    "A variance is finite and not below 0. Is this the mean of the scores? That lies around 0."
)
OFF = (
    "For this width your number is further from d_k than chance allows. Does each pair have its "
    "own query and its own key, does each of the pairs count once, and have the entries variance 1?"
)


def _in_the_band(got, want, case) -> bool | str:
    """Accepts what `pairs` pairs may give; else says which known number it looks like."""
    d_k, pairs, _ = case.args
    value = np.asarray(got["output"], dtype=float)
    if value.size != 1:
        return SEVERAL
    value = float(value.flat[0])
    if not np.isfinite(value) or value < 0:
        return NOT_A_VARIANCE
    if value == 0 or value == d_k:
        return NOT_SIMULATED if value else NO_SPREAD
    margin = band(d_k, pairs)
    if abs(value / d_k - 1) <= margin:
        return True
    for number, sentence in (
        (d_k**0.5, SPREAD_NOT_VARIANCE),
        (1, ONE_PRODUCT),
        (2 * d_k, TWINS),
        (d_k * 7 / 144, ONE_SIDED),
        (1 / d_k, MEAN_PRODUCT),
    ):
        if abs(value / number - 1) <= margin / 2:
            return sentence
    if value < STANDARD_ERRORS * np.sqrt(d_k / pairs):
        return NOT_A_VARIANCE
    return ACROSS if value > 8 * d_k else OFF


def _uniform(d_k, pairs, rng):
    return (rng.random((pairs, d_k)) * rng.random((pairs, d_k))).sum(axis=1).var()


def _with_itself(d_k, pairs, rng):
    q = rng.normal(size=(pairs, d_k))
    return (q * q).sum(axis=1).var()


def _across(d_k, pairs, rng):
    return (rng.normal(size=(pairs, d_k)) * rng.normal(size=(pairs, d_k))).sum(axis=0).var()


def _one_query(d_k, pairs, rng):
    return (rng.normal(size=(pairs, d_k)) @ rng.normal(size=d_k)).var()


def _variance_with_a_loop(d_k, pairs, rng):
    scores = [rng.normal(size=d_k) @ rng.normal(size=d_k) for _ in range(pairs)]
    return np.var(scores)


SCORE_VARIANCE = Exercise(
    reference=score_variance,
    cases=(
        lambda rng: inputs(36, 2000, np.random.default_rng(3)),  # 1, 36/9, 6 and 36/2 lie apart
        lambda rng: inputs(9, 3000, np.random.default_rng(4)),
        lambda rng: inputs(64, 2000, np.random.default_rng(5)),
        lambda rng: inputs(25, 3000, np.random.default_rng(6)),
    ),
    observe=_simulated,
    accept=_in_the_band,
    open_answer=True,
    mistakes=(
        Mistake(SPREAD_NOT_VARIANCE, lambda d, n, rng: score_variance(d, n, rng) ** 0.5),
        Mistake(ONE_PRODUCT, lambda d, n, rng: (rng.normal(size=(n, d)) ** 2).var() / 2),
        Mistake(TWINS, _with_itself),
        Mistake(ONE_SIDED, _uniform),
        Mistake(ACROSS, _across),
        Mistake(NO_SPREAD, lambda d, n, rng: rng.normal(size=(n, d)).sum().var()),
        Mistake(MEAN_PRODUCT, lambda d, n, rng: score_variance(d, n, rng) / d**2),
        Mistake(NOT_SIMULATED, lambda d, n, rng: d),
        Mistake(NOT_A_VARIANCE, lambda d, n, rng: -score_variance(d, n, rng)),
        Mistake(OFF, _one_query),
        Mistake(
            SEVERAL,
            lambda d, n, rng: (rng.normal(size=(n, d)) * rng.normal(size=(n, d))).sum(axis=1),
        ),
    ),
    alternatives=(
        _variance_with_a_loop,
        lambda d, n, rng: (np.einsum("nd,nd->n", *rng.normal(size=(2, n, d))) ** 2).mean(),
        lambda d, n, rng: (rng.normal(size=(n, d)) @ rng.normal(size=(n, d)).T).var(),
        lambda d, n, rng: rng.choice([-1, 1], size=(n, d, 2)).prod(axis=2).sum(axis=1).var(ddof=1),
        lambda d, n, rng: np.float32(score_variance(d, n, rng)),
    ),
    hints=(
        "One pair gives one score, so there are as many scores as pairs. Each pair has a key of "
        "its own: which shape has k?",
        "k is drawn like q, in a call of its own. Multiply entry by entry and add up along the "
        "rows: axis=1. An array has .var().",
        "k = rng.normal(size=...); return (q * k).sum(axis=...).var()",
    ),
    minutes=5,
    stars=2,
)

LARGEST = Bet(
    "largest",
    question="Width 512, so a deviation of 22.6. 1000 random queries meet 1000 random keys: a "
    "million scores. How large is the largest of them, without its sign?",
    answer=Number(0, 5000, near=25, format="{:.0f}"),
    why="Even the most extreme of a million stays within about five deviations.",
    model_answer="People say: with 512 numbers a dot product is hundreds or even thousands. For "
    "strangers it is not. Half of the scores are below 15, one in a thousand is beyond 75, and "
    "hundreds need vectors that know each other, or entries that spread further than 1.",
)

# Divide


def scale(scores, d_k):
    return scores / np.sqrt(d_k)


def _scale_with_lists(scores, d_k):
    if np.ndim(scores) == 0:
        return scores / d_k**0.5
    return [_scale_with_lists(one, d_k) for one in scores]


SCALE = Exercise(
    reference=scale,
    cases=(
        lambda rng: inputs(np.array([8.0, -4.0, 2.0]), 16),
        lambda rng: inputs(rng.normal(size=(3, 5)), 7),
        lambda rng: inputs(rng.normal(size=(2, 3, 11)) * 10, 100),
    ),
    properties=(
        Property(
            "Scaling keeps the shape of the scores.",
            lambda got, case: np.shape(got["output"]) == np.shape(case.args[0]),
        ),
    ),
    mistakes=(
        Mistake(
            "You divided by the width itself (or by its root twice). Scores spread like the root, "
            "so this makes wide vectors' scores too small.",
            lambda s, d: s / d,
        ),
        Mistake("The scores come back as they were.", lambda s, d: s * 1.0),
        Mistake(
            "You multiplied by the root, so the scores spread even more.", lambda s, d: s * d**0.5
        ),
        Mistake(
            "You divided by twice the width. (d_k ** 1/2 is read as (d_k ** 1) / 2; the root is "
            "d_k ** 0.5 or np.sqrt(d_k).)",
            lambda s, d: s / d**1 / 2,
        ),
        Mistake(
            "You divided by half of the width. The root of 16 is 4, and the root of 100 is 10.",
            lambda s, d: s / (d / 2),
        ),
        Mistake(
            "You divided by the root of how many scores stand in a row. What counts is the width "
            "d_k over which each score was summed.",
            lambda s, d: s / np.sqrt(s.shape[-1]),
        ),
        Mistake(
            "You took the softmax too. Here the scores are only divided; the weights come after.",
            lambda s, d: softmax(s / np.sqrt(d)),
        ),
        Mistake(
            "You divided by the deviation that these scores happen to have. The course divides by "
            "a number that is known before any score is.",
            lambda s, d: s / s.std(),
        ),
        Mistake(
            "The root is taken of the quotient: root first, then divide.",
            lambda s, d: np.sign(s) * np.sqrt(np.abs(s) / d),
        ),
        Mistake("You divided by the square of the width, not by its root.", lambda s, d: s / d**2),
        Mistake("// drops what is behind the point.", lambda s, d: s // np.sqrt(d)),
    ),
    alternatives=(
        lambda s, d: s * d**-0.5,
        lambda s, d: np.divide(s, d**0.5),
        lambda s, d: (s / np.sqrt(np.float32(d))).astype(np.float32),
        _scale_with_lists,
    ),
    hints=(
        "Scores of width 16 spread by 4. Which number makes that 1, and where does it come from?",
        "np.sqrt(16) is 4. An array divided by a number is divided entry by entry.",
        "return scores / ...",
    ),
    minutes=2,
    stars=1,
)

SAME_WINNER = Bet(
    "same_winner",
    question="All scores of width 64 are divided by 8 before the softmax. In how many of 1000 rows "
    "does another key become the top one?",
    answer=Number(0, 1000, unit="rows", near=0, format="{:.0f}"),
    why="Every score of a row is divided by the same positive number, so their order stays.",
    model_answer="The constant changes how far the scores are apart and not who leads. So scaling "
    "cannot mend a wrong order: a loud key that wins before the division wins after it.",
)

# Attention with its divisor


def attention(q, k, v):
    scores = q @ k.T
    scores = scale(scores, q.shape[1])
    weights = softmax(scores)
    return weights @ v


def _attention_with_loops(q, k, v):
    output = []
    for query in q:
        weights = softmax([query @ key / len(query) ** 0.5 for key in k])
        output.append(sum(w * value for w, value in zip(weights, v, strict=True)))
    return output


ATTENTION = Exercise(
    reference=attention,
    cases=(
        lambda rng: inputs(
            np.array([[2.0, 0.0, 0.0, 0.0]]),
            np.array([[2.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 1.0, 0.0]]),
            np.array([[10.0, 0.0], [0.0, 10.0], [0.0, 0.0]]),
        ),
        lambda rng: inputs(
            rng.normal(size=(2, 5)), rng.normal(size=(3, 5)), rng.normal(size=(3, 7))
        ),
        lambda rng: inputs(
            rng.normal(size=(11, 13)), rng.normal(size=(7, 13)), rng.normal(size=(7, 2))
        ),
    ),
    properties=(
        Property(
            "One row for each query, as wide as a value.",
            lambda got, case: np.shape(got["output"]) == (len(case.args[0]), case.args[2].shape[1]),
        ),
    ),
    mistakes=(
        Mistake(
            "The weights were made before the scores were divided, so the division came too late, "
            "or it is missing.",
            lambda q, k, v: softmax(q @ k.T) @ v,
        ),
        Mistake(
            "You divided the weights, or the output: then a row of weights no longer adds up to "
            "1. The scores are divided, before the softmax.",
            lambda q, k, v: softmax(q @ k.T) @ v / np.sqrt(q.shape[1]),
        ),
        Mistake(
            "You divided by the width itself, or by its root twice (once for q and once for k, "
            "perhaps).",
            lambda q, k, v: softmax(q @ k.T / q.shape[1]) @ v,
        ),
        Mistake(
            "You multiplied the scores by the root of the width.",
            lambda q, k, v: softmax(q @ k.T * np.sqrt(q.shape[1])) @ v,
        ),
        Mistake(
            "You divided by the root of the number of keys. What counts is the width of a query "
            "and of a key, q.shape[1].",
            lambda q, k, v: softmax(q @ k.T / np.sqrt(len(k))) @ v,
        ),
        Mistake(
            "You divided by the root of the number of queries. What counts is the width of a "
            "query and of a key, q.shape[1].",
            lambda q, k, v: softmax(q @ k.T / np.sqrt(len(q))) @ v,
        ),
        Mistake(
            "You divided by the root of the width of the values. The scores were summed over the "
            "width of the queries and keys, q.shape[1].",
            lambda q, k, v: softmax(q @ k.T / np.sqrt(v.shape[1])) @ v,
        ),
        Mistake(
            "The softmax ran down the columns. Each row belongs to a query and should add up to 1.",
            lambda q, k, v: softmax(scale(q @ k.T, q.shape[1]), axis=0) @ v,
        ),
        Mistake(
            "You returned the weights. The output is their weighted sum of the values.",
            lambda q, k, v: softmax(scale(q @ k.T, q.shape[1])),
        ),
        Mistake(
            "You averaged with the scores: the softmax is missing.",
            lambda q, k, v: scale(q @ k.T, q.shape[1]) @ v,
        ),
    ),
    alternatives=(
        _attention_with_loops,
        lambda q, k, v: softmax((q / np.sqrt(q.shape[1])) @ k.T) @ v,
        lambda q, k, v: softmax((q * q.shape[1] ** -0.25) @ (k * k.shape[1] ** -0.25).T) @ v,
        lambda q, k, v: np.einsum(
            "ts,se->te", softmax(np.einsum("td,sd->ts", q, k) / q[0].size ** 0.5), v
        ),
        lambda q, k, v: (
            softmax(q.astype(np.float32) @ (k.astype(np.float32) / np.float32(k.shape[1] ** 0.5)).T)
            @ v.astype(np.float32)
        ),
        lambda q, k, v: softmax(q @ k.T, temperature=q.shape[1] ** 0.5) @ v,
    ),
    hints=(
        "What must exist before it can be divided? What must be divided before the softmax sees "
        "it?",
        "Each line uses what an earlier line made: scores, then the scaled scores, then weights.",
        "scores = ...; scores = scale(...); weights = ...; return ...",
    ),
    minutes=3,
    stars=1,
)

# Depth: other numbers than 1


def score_deviation(d_k, sigma):
    return sigma**2 * np.sqrt(d_k)


SCORE_DEVIATION = Exercise(
    reference=score_deviation,
    cases=(
        lambda rng: inputs(16, 3.0),
        lambda rng: inputs(512, 3.0),
        lambda rng: inputs(7, 0.5),
        lambda rng: inputs(100, 2.0),
    ),
    mistakes=(
        Mistake(
            "sigma counts twice: both q and k are sigma times as large, so their product is sigma "
            "squared times as large.",
            lambda d, s: s * d**0.5,
        ),
        Mistake("sigma is missing.", lambda d, s: d**0.5),
        Mistake(
            "That is the variance. The standard deviation is its square root.",
            lambda d, s: s**4 * d,
        ),
        Mistake("The root of the width is missing: d_k itself was taken.", lambda d, s: s**2 * d),
        Mistake(
            "sigma to the power of 4 belongs to the variance; its root is sigma squared.",
            lambda d, s: s**4 * d**0.5,
        ),
        Mistake(
            "The root was taken of sigma too: sigma squared stands outside of it.",
            lambda d, s: (s**2 * d) ** 0.5 / s**0.5,
        ),
        Mistake(
            "This is what is left after the division by the root of d_k. Asked for is the score "
            "before it.",
            lambda d, s: s**2,
        ),
        Mistake(
            "This is the variance that is left after the division by the root of d_k. Asked for is "
            "the deviation before it.",
            lambda d, s: s**4,
        ),
        Mistake(
            "You divided by the root of the width. Each of the d_k products adds to the spread, so "
            "the root stands above.",
            lambda d, s: s**2 / d**0.5,
        ),
        Mistake(
            "d_k ** 1/2 is read as (d_k ** 1) / 2; the root is d_k ** 0.5 or np.sqrt(d_k).",
            lambda d, s: s**2 * d**1 / 2,
        ),
    ),
    alternatives=(
        lambda d, s: (d * s**4) ** 0.5,
        lambda d, s: float(np.sqrt(d) * s * s),
        lambda d, s: np.float32(s * s * np.sqrt(np.float32(d))),
        lambda d, s: np.sqrt(sum(s**4 for _ in range(d))),
    ),
    hints=(
        "Entries of deviation sigma are sigma times entries of deviation 1. What happens to one "
        "product, when both its factors are sigma times as large?",
        "A score is then sigma squared times a score of entries with deviation 1, and you know how "
        "far that spreads.",
        "return ... * np.sqrt(d_k)",
    ),
    minutes=4,
    stars=1,
    depth=True,
)

# Depth: when 1/d is right


def grown_together(d_k, rng):
    q = rng.normal(size=d_k)
    return q, q


DRAWS = 40
NARROW, BROAD = 64, 4096


def _many_pairs(candidate, case) -> dict:
    """One pair as it came; then for each width whether DRAWS pairs fit it, and their measures.

    The measures: the mean of score / d; mean and variance of all entries.
    """
    _, rng = case.args
    seen = {"output": None}
    for name, d_k in (("narrow", NARROW), ("broad", BROAD)):
        first = candidate(d_k, rng)
        _refuse_what_is_no_pair(first)
        drawn = [first, *(candidate(d_k, rng) for _ in range(DRAWS - 1))]
        pairs = [_as_pair(one, d_k) for one in drawn]
        seen["output"] = first if seen["output"] is None else seen["output"]
        seen[f"fits {name}"] = np.array(float(all(one is not None for one in pairs)))
        seen[name] = np.zeros(3)
        if seen[f"fits {name}"]:
            entries = np.array(pairs)
            shares = (entries[:, 0] * entries[:, 1]).sum(axis=1) / d_k
            seen[name] = np.array([shares.mean(), entries.mean(), entries.var()])
    return seen


def _refuse_what_is_no_pair(got) -> None:
    if np.isscalar(got) or isinstance(got, np.ndarray):
        return  # numbers, if not yet a pair: they are judged as such
    if not isinstance(got, list | tuple) or any(one is ... or one is None for one in got):
        raise Unusable(got)


def _as_pair(got, d_k):
    """The two vectors as one array, or None where they are none of this width."""
    try:
        pair = np.array([np.asarray(one, dtype=float) for one in got])
    except (TypeError, ValueError):
        return None
    return pair if pair.shape == (2, d_k) and np.isfinite(pair).all() else None


NO_PAIR = "Return two arrays of d_k finite numbers each: return q, k."
ONE_NUMBER = (
    "That is one number, the score perhaps. Return the two vectors themselves: return q, k."
)
NOT_STANDARD = (
    "The entries have not the mean 0 and the variance 1 (about): the size of the score is to come "
    "from q and k knowing each other, not from larger entries or a mean."
)
STRANGERS = (
    "At width 4096 the score is next to nothing against d_k: q and k are strangers, and their "
    "scores grow only like the root. Let k know something about q."
)
NOT_IN_STEP = (
    "From width 64 to 4096 the score does not grow in step with the width. Every entry of k should "
    "know the same about its partner in q, however many there are."
)


def _in_step(got, want, case) -> bool | str:
    if got["fits narrow"] != 1 or got["fits broad"] != 1:
        return ONE_NUMBER if np.ndim(got["output"]) == 0 else NO_PAIR
    for name in ("narrow", "broad"):
        _, mean, variance = got[name]
        if abs(mean) > 0.15 or not 0.75 < variance < 1.33:
            return NOT_STANDARD
    narrow, broad = float(got["narrow"][0]), float(got["broad"][0])
    if abs(broad) < 0.04:
        return NOT_IN_STEP if abs(narrow) > 0.15 else STRANGERS
    # At width 64 the average of 40 draws is uncertain by up to .03; 5 times that is granted.
    return True if abs(narrow - broad) < 0.15 and narrow * broad > 0 else NOT_IN_STEP


def _noisy_twin(d_k, rng):
    q = rng.normal(size=d_k)
    return q, 0.8 * q + 0.6 * rng.normal(size=d_k)


def _only_the_first_40(d_k, rng):
    q, k = rng.normal(size=(2, d_k))
    k[:40] = q[:40]
    return q, k


GROWN_TOGETHER = Exercise(
    reference=grown_together,
    cases=(lambda rng: inputs(NARROW, np.random.default_rng(1)),),
    observe=_many_pairs,
    accept=_in_step,
    open_answer=True,
    mistakes=(
        Mistake(STRANGERS, lambda d, rng: tuple(rng.normal(size=(2, d)))),
        Mistake(NOT_STANDARD, lambda d, rng: (np.ones(d), np.ones(d))),
        Mistake(NOT_IN_STEP, _only_the_first_40),
        Mistake(NO_PAIR, lambda d, rng: (rng.normal(size=3), rng.normal(size=3))),
        Mistake(ONE_NUMBER, lambda d, rng: rng.normal(size=d) @ rng.normal(size=d)),
    ),
    alternatives=(
        _noisy_twin,
        lambda d, rng: [rng.normal(size=d).tolist()] * 2,
        lambda d, rng: (lambda q: (q, -q))(rng.normal(size=d)),
        lambda d, rng: (lambda q: (q, np.sign(q)))(rng.normal(size=d)),
        lambda d, rng: (lambda q: (q, q))(rng.choice([-1.0, 1.0], size=d).astype(np.float32)),
    ),
    hints=(
        "The score adds d_k products. Strangers' products cancel. When do they all pull the same "
        "way?",
        "Draw q. Then make k out of q instead of drawing it too.",
        "q = rng.normal(size=d_k); return q, ...",
    ),
    minutes=5,
    stars=2,
    depth=True,
)

# Depth: the exponent


def flat_exponent(widths, sizes):
    return np.polyfit(np.log(widths), np.log(sizes), 1)[0]


def _power(exponent, factor, widths):
    return lambda rng: inputs(
        np.array(widths, dtype=float), factor * np.array(widths, dtype=float) ** exponent
    )


FLAT_EXPONENT = Exercise(
    reference=flat_exponent,
    cases=(
        _power(0.5, 1.0, [4, 16, 64]),
        _power(0.5, 9.0, [2, 8, 32, 128]),
        _power(1.0, 0.3, [3, 5, 7, 11, 13]),
        _power(0.25, 2.0, [16, 64, 256]),
    ),
    mistakes=(
        Mistake(
            "The sign is the other way round: sizes that grow like d^a are divided by d^a.",
            lambda d, s: -flat_exponent(d, s),
        ),
        Mistake(
            "One logarithm over the other forgets the constant in front: it holds only where the "
            "size at width 1 is 1. Take the slope: a difference of logarithms over a difference.",
            lambda d, s: (np.log(s) / np.log(d)).mean(),
        ),
        Mistake(
            "You fitted a straight line to the sizes themselves. A power is straight where both "
            "axes are logarithms.",
            lambda d, s: np.polyfit(d, s, 1)[0],
        ),
        Mistake(
            "Only one axis is in logarithms; take the logarithm of the widths too.",
            lambda d, s: np.polyfit(d, np.log(s), 1)[0],
        ),
        Mistake(
            "The two are swapped: widths over sizes. That is one over the exponent.",
            lambda d, s: 1 / flat_exponent(d, s),
        ),
        Mistake(
            "You returned how many times the size has grown. The question is with which power of "
            "the width.",
            lambda d, s: s[-1] / s[0],
        ),
        Mistake(
            "polyfit returns slope and intercept, in this order; the slope is the exponent.",
            lambda d, s: np.polyfit(np.log(d), np.log(s), 1),
        ),
        Mistake(
            "This is the intercept, the second that polyfit returns. The slope is the first, [0].",
            lambda d, s: np.polyfit(np.log(d), np.log(s), 1)[1],
        ),
    ),
    alternatives=(
        lambda d, s: np.log(s[-1] / s[0]) / np.log(d[-1] / d[0]),
        lambda d, s: np.diff(np.log2(s)).sum() / np.diff(np.log2(d)).sum(),
        lambda d, s: np.linalg.lstsq(np.c_[np.log(d), np.ones(len(d))], np.log(s), rcond=None)[0][
            0
        ],
        lambda d, s: float(np.cov(np.log(d), np.log(s))[0, 1] / np.log(d).var(ddof=1)),
    ),
    hints=(
        "If sizes are c times d^a, what are their logarithms?",
        "ln(size) = a ln(d) + a constant: a straight line, and a is its slope. np.polyfit(x, y, 1) "
        "returns slope and intercept.",
        "return np.polyfit(np.log(...), np.log(...), 1)[0]",
    ),
    minutes=6,
    stars=2,
    depth=True,
)

# Depth: heads


def head_weights(q, k):
    return softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))


def _heads_with_a_loop(q, k):
    return [softmax(a @ b.T / a.shape[1] ** 0.5) for a, b in zip(q, k, strict=True)]


def _divided(root_of):
    return lambda q, k: softmax(q @ k.swapaxes(-1, -2) / np.sqrt(root_of(q, k)))


HEAD_WEIGHTS = Exercise(
    reference=head_weights,
    cases=(
        lambda rng: inputs(rng.normal(size=(2, 3, 5)), rng.normal(size=(2, 7, 5))),
        lambda rng: inputs(rng.normal(size=(3, 2, 11)), rng.normal(size=(3, 5, 11))),
    ),
    properties=(
        Property(
            "A table for each head: one row for each query, one column for each key.",
            lambda got, case: (
                np.shape(got["output"]) == (*case.args[0].shape[:2], case.args[1].shape[1])
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "You divided by the root of the model's width, h times d. Each head's score is summed "
            "over the d numbers of that head only.",
            _divided(lambda q, k: q.shape[0] * q.shape[-1]),
        ),
        Mistake("The division is missing.", _divided(lambda q, k: 1)),
        Mistake(
            "q.shape[1] is now the number of queries: the heads have come in front. The width is "
            "the last axis, q.shape[-1].",
            _divided(lambda q, k: q.shape[1]),
        ),
        Mistake(
            "You divided by the root of the number of heads.", _divided(lambda q, k: q.shape[0])
        ),
        Mistake(
            "You divided by the root of the number of keys.", _divided(lambda q, k: k.shape[1])
        ),
        Mistake("You divided by d, not by its root.", _divided(lambda q, k: q.shape[-1] ** 2)),
        Mistake(
            "The softmax ran over the queries. Each row belongs to a query and adds up to 1.",
            lambda q, k: softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]), axis=1),
        ),
        Mistake(
            "These are the scores; the softmax is missing.",
            lambda q, k: q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]),
        ),
        Mistake(
            "The weights were divided, and a row of them no longer adds up to 1. Divide the "
            "scores, before the softmax.",
            lambda q, k: softmax(q @ k.swapaxes(-1, -2)) / np.sqrt(q.shape[-1]),
        ),
        Mistake("The scores were multiplied by the root.", _divided(lambda q, k: 1 / q.shape[-1])),
        Mistake(
            "You divided by 8, the root of 64, whatever the width of these heads is. Take it from "
            "q: its last axis.",
            _divided(lambda q, k: 64),
        ),
        Mistake(
            "You divided by the root of 768. These heads have a width of their own, the last axis "
            "of q.",
            _divided(lambda q, k: 768),
        ),
    ),
    alternatives=(
        _heads_with_a_loop,
        lambda q, k: softmax(np.einsum("htd,hsd->hts", q, k) * q.shape[2] ** -0.5),
        lambda q, k: softmax(
            (q.astype(np.float32) / np.float32(q.shape[2] ** 0.5))
            @ k.astype(np.float32).swapaxes(1, 2)
        ),
        lambda q, k: softmax(q @ k.transpose(0, 2, 1), temperature=k.shape[-1] ** 0.5),
    ),
    hints=(
        "Over how many numbers is one score of one head summed?",
        "k.swapaxes(-1, -2) turns each head's keys into columns; q.shape[-1] is the width of a "
        "head.",
        "return softmax(q @ k.swapaxes(-1, -2) / np.sqrt(...))",
    ),
    minutes=4,
    stars=2,
    depth=True,
)

# Depth: bets

SEVEN = Bet(
    "seven",
    question="Seven scores of width 768: -50, -30, -10, 0, 10, 30, 50. The softmax gives all to "
    "the last. Divided by the root of 768 they run from -1.80 to 1.80. Which weight does the last "
    "one get then?",
    answer=Number(0, 1, near=0.04, format="{:.3f}"),
    why="Against the middle score 0 it has e^1.804, six times the weight; the other six share the "
    "rest.",
    model_answer="A printed table says .42, with .10 for the middle one: four times, not six. Its "
    "seven numbers add up to 1, so that check does not find the slip. The ratio of two weights "
    "does: it must be e to the power of the difference of their scores.",
    depth=True,
)

BEYOND = Bet(
    "beyond",
    question="Width 768, deviation 27.7. Of a million scores of strangers, how many are beyond 100 "
    "to either side?",
    answer=Number(0, 1_000_000, unit="scores", factor=2, format="{:.0f}"),
    why="100 is 3.6 deviations; a normal curve leaves 3 in 10,000 out there.",
    model_answer="Rare for one score, sure in a large table: a page of 1000 words has a million "
    "scores in each head.",
    depth=True,
)

THOUSAND = Bet(
    "thousand",
    question="Four keys, and each has a score of 1000. What does the softmax give to each?",
    answer=Choice(
        (".25", "1 to one of them, 0 to the others", "no number: e^1000 is too large"),
        which=lambda weights: 2 if not np.isfinite(weights).all() else int(np.max(weights) > 0.9),
    ),
    why="Only differences count, and here there are none.",
    model_answer="People say that softmax saturates when scores are large. It saturates when they "
    "lie far apart. Scores of random vectors do both together, which hides the difference. (That "
    "e^1000 does not spoil the result is the work of a good softmax: chapter 4.)",
    depth=True,
)

GRADIENT = Bet(
    "gradient",
    question="100 keys, not divided: how far do the weights of a row move when its scores do? From "
    "width 64 to width 1024 the median of all rows falls, hundreds of times or more. How much "
    "does their mean fall?",
    answer=Choice(
        ("hundreds of times, too", "a few times", "not at all"),
        which=lambda factor: 0 if factor > 100 else 1 if factor > 1.3 else 2,
    ),
    why="A few rows stand near a tie, and those are as easy to move as ever.",
    model_answer="People say that without the division the gradient vanishes. For most rows it "
    "does, and some rows keep almost all of it. So training does not stop; it hears a few rows "
    "very loudly and the others not at all.",
    depth=True,
)

SLOWER = Bet(
    "slower",
    question="The same small model is trained with the scores divided by the root of d_k = 64, and "
    "not divided. After 200 steps the divided one is always right. What about the other?",
    answer=Choice(
        ("it has learned nothing", "it is far behind, and learning", "it is as good"),
        which=lambda accuracy: 0 if accuracy < 0.1 else 1 if accuracy < 0.99 else 2,
    ),
    why="Most rows hear nothing at first, a few rows do, and they pull the others along.",
    model_answer="'Cannot be trained without it' says too much, and 'makes no difference' too "
    "little. It costs time here; in a deep model, where other things go wrong meanwhile, time can "
    "be all.",
    depth=True,
)

chapter = Chapter(
    "03_scaling",
    exercises=(
        SCORE_VARIANCE,
        SCALE,
        ATTENTION,
        SCORE_DEVIATION,
        GROWN_TOGETHER,
        FLAT_EXPONENT,
        HEAD_WEIGHTS,
    ),
    bets=(WIDTH, LARGEST, SAME_WINNER, SEVEN, BEYOND, THOUSAND, GRADIENT, SLOWER),
)
exercise, bet, settle = chapter.exercise, chapter.bet, chapter.settle
hint, reveal, progress = chapter.hint, chapter.reveal, chapter.progress
