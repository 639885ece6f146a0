"""Exercise `temperature_for`: the temperature at which a key gets a given share."""

import math

import numpy as np

from course_lib.judging.accept import close
from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs


def temperature_for(lead, share):
    """The T at which softmax([lead, 0] / T) gives the first key this share.

    lead: above 0   share: between 0.5 and 1   returns: one number
    """
    # SOLUTION
    return lead / np.log(share / (1 - share))
    # END SOLUTION


def _solved(got, want, case) -> bool | str:
    """Right up to rounding; says so where it is close, as a coarse search is."""
    if close()(got, want, case):
        return True
    if np.ndim(got["output"]) == 0 and np.isclose(got["output"], want["output"], rtol=0.01):
        return "Close, and digits are missing: solve for T, or search in finer steps."
    return False


def _by_halving(lead, share):
    low, high = 1e-3, 1e3
    while high - low > 1e-10 * high:
        middle = (low + high) / 2
        if 1 / (1 + math.exp(-min(lead / middle, 700))) > share:
            low = middle
        else:
            high = middle
    return low


TEMPERATURE_FOR = Exercise(
    answer=temperature_for,
    cases=(
        lambda rng: inputs(0.7, 0.95),
        lambda rng: inputs(5.0, 0.75),
        lambda rng: inputs(2.0, 0.6),
        lambda rng: inputs(rng.uniform(1, 9), rng.uniform(0.55, 0.95)),
        lambda rng: inputs(3, 0.999),  # a whole number
        lambda rng: inputs(0.05, 0.52),
    ),
    accept=_solved,
    properties=(
        Property(
            "At this temperature the two weights are share and 1 - share.",
            lambda got, case: bool(
                got["output"] > 0
                and np.isclose(1 / (1 + np.exp(-case.args[0] / got["output"])), case.args[1])
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "You returned the lead that the share needs at temperature 1. The temperature is the "
            "lead that you have over the lead that you need.",
            lambda lead, share: np.log(share / (1 - share)),
        ),
        Mistake(
            "It is upside down: this is the factor to multiply with. A temperature divides.",
            lambda lead, share: np.log(share / (1 - share)) / lead,
        ),
        Mistake(
            "You multiplied the lead that you have with the lead that you need. Divide: lead / T "
            "should be ln(share / (1 - share)).",
            lambda lead, share: lead * np.log(share / (1 - share)),
        ),
        Mistake(
            "The temperature comes out negative: the fraction is upside down. It is the larger "
            "share over the smaller one.",
            lambda lead, share: lead / np.log((1 - share) / share),
        ),
        Mistake(
            "You used the logarithm of the share alone. A lead is about a ratio: share over "
            "(1 - share).",
            lambda lead, share: lead / np.log(share),
        ),
        Mistake(
            "You used the logarithm of the share alone, with its sign turned. A lead is about a "
            "ratio: share over (1 - share).",
            lambda lead, share: lead / np.log(1 / share),
        ),
        Mistake(
            "You used the logarithm of the other key's share alone. A lead is about a ratio: share "
            "over (1 - share).",
            lambda lead, share: lead / np.log(1 - share),
        ),
        Mistake(
            "np.exp goes from a lead to a ratio. You have the ratio and need its lead: np.log.",
            lambda lead, share: lead / np.exp(share / (1 - share)),
        ),
        Mistake(
            "This is the share that the lead gets at temperature 1. The share is given; the "
            "temperature is asked for.",
            lambda lead, share: 1 / (1 + np.exp(-lead)),
        ),
        Mistake(
            "The logarithm is missing: the ratio of the two weights is e to the power lead / T.",
            lambda lead, share: lead / (share / (1 - share)),
        ),
        Mistake(
            "You divided the lead by the share. A lead becomes a ratio of weights by e to its "
            "power: e^(lead / T) = share / (1 - share).",
            lambda lead, share: lead / share,
        ),
        Mistake(
            "share / 1 - share is 0: division comes before subtraction. Put brackets around "
            "(1 - share).",
            lambda lead, share: lead / np.log(share / 1 - share),
        ),
        Mistake(
            "This is a logarithm to the base 10 or 2. Softmax takes powers of e, so it is np.log.",
            lambda lead, share: lead / np.log2(share / (1 - share)),
        ),
        Mistake(
            "This is a logarithm to the base 10 or 2. Softmax takes powers of e; use np.log.",
            lambda lead, share: lead / np.log10(share / (1 - share)),
        ),
        Mistake(
            "You subtracted the lead that you need from the lead that you have. Softmax divides by "
            "T: lead / T should be ln(share / (1 - share)).",
            lambda lead, share: lead - np.log(share / (1 - share)),
        ),
        Mistake(
            "You subtracted the lead that you have from the lead that you need. Softmax divides by "
            "T: lead / T should be ln(share / (1 - share)).",
            lambda lead, share: np.log(share / (1 - share)) - lead,
        ),
        Mistake(
            "You used the logarithm of the other key's share alone, with its sign turned. A lead "
            "is about a ratio: share over (1 - share).",
            lambda lead, share: -lead / np.log(1 - share),
        ),
        Mistake(
            "The lead of .7 from the example stands in place of `lead`.",
            lambda lead, share: 0.7 / np.log(share / (1 - share)),
        ),
        Mistake(
            "The temperature comes out negative: it is the smaller share over the larger one, and "
            "the whole is upside down, too.",
            lambda lead, share: np.log((1 - share) / share) / lead,
        ),
        Mistake(
            "You divided one logarithm by the other. The logarithm of a ratio is their difference.",
            lambda lead, share: lead / (np.log(share) / np.log(1 - share)),
        ),
        Mistake(
            "You took the logarithm of lead over share. The ratio is share over (1 - share), and "
            "the lead is divided by its logarithm.",
            lambda lead, share: np.log(lead / share),
        ),
        Mistake(
            "You divided the lead by the other key's share. A lead becomes a ratio of weights by e "
            "to its power: e^(lead / T) = share / (1 - share).",
            lambda lead, share: lead / (1 - share),
        ),
        Mistake(
            "This is the ratio of the two shares, without the lead. Its logarithm is the lead that "
            "is needed, and the lead that you have is divided by that.",
            lambda lead, share: share / (1 - share),
        ),
        Mistake(
            "The lead stands inside of the logarithm. It is divided by the logarithm of the ratio.",
            lambda lead, share: np.log(lead * share / (1 - share)),
        ),
        Mistake(
            "You multiplied the lead by the ratio. Take the logarithm of the ratio, and divide by "
            "it.",
            lambda lead, share: lead * share / (1 - share),
        ),
        Mistake(
            "// drops what is behind the point. Divide with /.",
            lambda lead, share: lead // np.log(share / (1 - share)),
        ),
        Mistake(
            "The two shares are multiplied below the logarithm. A lead is about their ratio: share "
            "over (1 - share).",
            lambda lead, share: lead / np.log(share * (1 - share)),
        ),
        Mistake(
            "You multiplied the lead and the share.",
            lambda lead, share: lead * share,
        ),
    ),
    alternatives=(
        lambda lead, share: lead / (math.log(share) - math.log(1 - share)),
        lambda lead, share: -lead / np.log(1 / share - 1),
        lambda lead, share: lead / (2 * np.arctanh(2 * share - 1)),
        _by_halving,
    ),
    refused=(
        Refused(
            lambda lead, share: round(lead / math.log(share / (1 - share)), 3),
            "digits are missing",
        ),
    ),
    hints=(
        "How many times larger is the first weight than the second: in terms of the share, and in "
        "terms of the lead and T?",
        "Both are the same ratio: e^(lead / T) = share / (1 - share). np.log undoes e to a power.",
        "return lead / np.log(...)",
    ),
    minutes=5,
    stars=2,
    depth=True,
)
