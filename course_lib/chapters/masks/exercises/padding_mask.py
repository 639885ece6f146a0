"""Exercise `padding_mask`: True where the key is a word, False where it is filling."""

import numpy as np
import torch

from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.kernels.masks import may_attend, padding
from course_lib.learner.arrays import as_array


def padding_mask(lengths, s):
    """True where the key is a word, False where it is filling.

    lengths: (b,)   s: a number   returns: (b, 1, s), boolean
    """
    # SOLUTION
    return torch.arange(s) < lengths[:, None, None]
    # END SOLUTION


def _row_by_row(lengths, s):
    out = torch.zeros(len(lengths), 1, s, dtype=torch.bool)
    for b, n in enumerate(lengths):
        out[b, 0, :n] = True
    return out


PADDING_MASK = Exercise(
    answer=padding_mask,
    cases=(
        lambda rng: inputs(torch.tensor([3, 2]), 3),
        lambda rng: inputs(torch.tensor([2, 5, 3]), 5),
        lambda rng: inputs(torch.tensor([1, 4, 2, 3]), 4),  # as many sequences as places
        lambda rng: inputs(torch.tensor([0, 7]), 7),
        lambda rng: inputs(torch.tensor([2, 3, 1]), 5),  # nobody fills all places
        lambda rng: inputs(torch.tensor([1, 3]), 3),  # the first shape again
    ),
    properties=(
        Property(
            "Each sequence has as many True as it has words.",
            lambda got, case: bool(
                (as_array(got["output"]).sum(axis=(1, 2)) == case.args[0].numpy()).all()
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "True and False are exchanged: True means that a query may attend to this key, so the "
            "words are True and the filling is False.",
            lambda lengths, s: torch.arange(s) >= lengths[:, None, None],
        ),
        Mistake(
            "One place too many: places are counted from 0, so with length 3 the words stand at "
            "0, 1 and 2. Use < where you have <=.",
            lambda lengths, s: torch.arange(s) <= lengths[:, None, None],
        ),
        Mistake(
            "You masked queries instead of keys: the axes are (batch, query, key), and what is to "
            "be hidden are keys, in the last axis.",
            lambda lengths, s: (torch.arange(s) < lengths[:, None])[:, :, None],
        ),
        Mistake(
            "The axis of the queries is missing. Without it the batch meets the queries, and with "
            "as many sequences as queries nothing notices.",
            lambda lengths, s: torch.arange(s) < lengths[:, None],
        ),
        Mistake(
            "You closed the rows of the filling as well. Then they have no key left and become "
            "NaN. Hide keys only; what such a row gives is ignored anyway.",
            lambda lengths, s: (
                (torch.arange(s) < lengths[:, None, None])
                & (torch.arange(s)[:, None] < lengths[:, None, None])
            ),
        ),
        Mistake(
            "The right pattern, once for each query. One row is enough: of size 1, that axis "
            "counts for every query.",
            lambda lengths, s: (torch.arange(s) < lengths[:, None, None]).expand(-1, s, -1),
        ),
        Mistake(
            "The filling stands behind the words here, not before them.",
            lambda lengths, s: torch.arange(s) >= s - lengths[:, None, None],
        ),
        Mistake(
            "Your table is as wide as the longest text. It needs s places, even if no text fills "
            "them all.",
            lambda lengths, s: torch.arange(int(lengths.max())) < lengths[:, None, None],
        ),
        Mistake(
            "The last word of each text is hidden, too: with length 3 the words stand at 0, 1 and "
            "2, and all three are True.",
            lambda lengths, s: torch.arange(s) < lengths[:, None, None] - 1,
        ),
        Mistake(
            "You hid later places as well. Here only the filling is hidden; the causal mask is "
            "another rule, and `&` joins the two where both are meant.",
            lambda lengths, s: (
                (torch.arange(s) < lengths[:, None, None]) & torch.ones(s, s).tril().bool()
            ),
        ),
        Mistake(
            "Every text got the length of the first. Each has its own: lengths[:, None, None].",
            lambda lengths, s: (torch.arange(s) < lengths[0]).expand(len(lengths), 1, s),
            also=(lambda lengths, s: (torch.arange(s) < lengths[0]).repeat(len(lengths), 1, 1),),
        ),
        Mistake(
            "This is the mask of the first text alone. There is one for each text: "
            "lengths[:, None, None].",
            lambda lengths, s: (torch.arange(s) < lengths[0])[None, None],
        ),
        Mistake(
            "Place j met the length of text j. Each text needs all places: give lengths the axes "
            "of queries and keys, lengths[:, None, None].",
            lambda lengths, s: torch.arange(s) < lengths,
        ),
        Mistake(
            "The axes of texts and queries have changed places: (b, 1, s), the texts first.",
            lambda lengths, s: (torch.arange(s) < lengths[:, None])[None],
        ),
        Mistake(
            "Everything is open: filling should be False.",
            lambda lengths, s: torch.ones(len(lengths), 1, s, dtype=torch.bool),
        ),
        Mistake(
            "Only the last word of each text is True. All of its words are: <, not ==.",
            lambda lengths, s: torch.arange(s) == lengths[:, None, None] - 1,
        ),
        Mistake(
            "True stands where the words have ended, one place too late and the wrong way round: "
            "places j < length are words.",
            lambda lengths, s: torch.arange(s) > lengths[:, None, None],
        ),
        Mistake(
            "You returned 0 and -inf, which is what one adds to scores. Here True and False are "
            "asked for.",
            lambda lengths, s: torch.zeros(len(lengths), 1, s).masked_fill(
                torch.arange(s) >= lengths[:, None, None], -torch.inf
            ),
        ),
    ),
    refused=(
        Refused(
            lambda lengths, s: (torch.arange(s) < lengths[:, None, None]).float(), "True or False"
        ),
        Refused(lambda lengths, s: torch.arange(s) // lengths[:, None, None], "padding_mask"),
    ),
    alternatives=(
        lambda lengths, s: [[[j < n for j in range(s)]] for n in lengths.tolist()],
        lambda lengths, s: (torch.arange(s)[None, :] < lengths[:, None]).unsqueeze(1),
        lambda lengths, s: np.arange(s) < lengths.numpy()[:, None, None],
        lambda lengths, s: torch.stack(
            [torch.tensor([True] * n + [False] * (s - n)) for n in lengths.tolist()]
        )[:, None],
        lambda lengths, s: may_attend(padding(lengths), 1, s),
        _row_by_row,
        lambda lengths, s: torch.tensor([[[j < int(n) for j in range(s)]] for n in lengths]),
        lambda lengths, s: ~(torch.arange(s) >= lengths.view(-1, 1, 1)),
        lambda lengths, s: (torch.arange(s).expand(len(lengths), s) < lengths[:, None])[:, None, :],
        lambda lengths, s: torch.arange(1, s + 1) <= lengths[:, None, None],
    ),
    hints=(
        'A sequence has 3 words in 5 places, 0 to 4. For which places j is "j is a word" true?',
        "torch.arange(s) is 0, 1, ..., s - 1. lengths[:, None, None] has shape (b, 1, 1), so "
        "comparing the two gives (b, 1, s).",
        "return torch.arange(s) < lengths[:, None, ...]",
    ),
    minutes=3,
    stars=1,
    reward="One row for each text is enough: the axis of size 1 lays it below every query.",
    depth=True,
)
