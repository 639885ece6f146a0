"""Exercise `which_metric`: the rule by which each of four stores should compare."""

from course_lib.chapters.cosine_or_dot.stores import STORES, metric_named
from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.judging.verdict import Sentence, sentence


def which_metric():
    """For each store "cosine", "inner product" or "distance"."""
    # SOLUTION
    notes = "cosine"
    songs = "inner product"
    bakeries = "distance"
    cut = "cosine"
    # STUB
    # notes = ...
    # songs = ...
    # bakeries = ...
    # cut = ...
    # END SOLUTION
    return notes, songs, bakeries, cut


CONSEQUENCES = {
    ("notes", "inner product"): "notes, by inner product: asked for plum jam, it finds the travel "
    "diary. Fifty parts make that page long, and nobody meant its length to count.",
    ("notes", "distance"): "notes, by distance: asked for plum jam, it finds a bill. That is about "
    "something else, but as short as the question. The jam recipes point the right way, and twelve "
    "parts put their tip far away.",
    ("songs", "cosine"): "songs, by cosine: the listener gets a demo that nobody plays. Its "
    "direction is perfect. But here training has put into the length how many people like a song, "
    "and the cosine divides that away.",
    ("songs", "distance"): "songs, by distance: the listener gets a song that half fits. A long "
    "vector is far away, so what many people like comes last. For which rule was the model "
    "trained?",
    ("bakeries", "cosine"): "bakeries, by cosine: it finds the one five roads on. From the market "
    "place it lies in your direction exactly, and a cosine does not see how far out it is.",
    ("bakeries", "inner product"): "bakeries, by inner product: it finds the one at the airport. "
    "The further out of town, the larger the product. You want to walk as little as you can.",
    ("cut", "inner product"): "cut, by inner product: asked for the dentist's number, it finds the "
    "travel diary. What was cut off took more of one row's length than of the other's, and that is "
    "an accident.",
    ("cut", "distance"): "cut, by distance: asked for the dentist's number, it finds the travel "
    "diary. The right row points the right way, but the cut made it short. Before the cut all were "
    "1 long, and what counted was the direction.",
}

MORE = "{said} Of the four stores {right} find what was wanted."

FOUR_NAMES = (
    'Return four names, each "cosine", "inner product" or "distance", in the order in which the '
    "stores stand."
)

ALL_COSINE = (
    "You chose the cosine everywhere. It is the right guard against accidents. But in two of the "
    "four stores a length is no accident: somebody wants it to count."
)


def _fits(got, want, case) -> bool | str | Sentence:
    """Says what the first store finds by a wrong metric, and how many have the right one."""
    came = got["output"]
    if not isinstance(came, list | tuple) or len(came) != len(STORES):
        return FOUR_NAMES
    metrics = [metric_named(one) for one in came]
    if not all(metrics):
        return FOUR_NAMES
    pairs = zip(STORES.items(), metrics, strict=True)
    wrong = [(name, metric) for (name, store), metric in pairs if metric != store.metric]
    if not wrong:
        return True
    said = CONSEQUENCES[wrong[0]]
    if len(wrong) == 1:
        return said
    if set(metrics) == {"cosine"}:
        return ALL_COSINE
    return sentence(MORE, said=Sentence(said), right=len(STORES) - len(wrong))


def _instead(store: str, metric: str):
    """The right choices with that of one store replaced."""

    def wrong():
        chosen = dict(zip(STORES, which_metric(), strict=True))
        return tuple({**chosen, store: metric}.values())

    return wrong


WHICH_METRIC = Exercise(
    answer=which_metric,
    cases=(lambda rng: inputs(),),
    accept=_fits,
    open_answer=True,
    mistakes=(
        *(Mistake(said, _instead(*choice)) for choice, said in CONSEQUENCES.items()),
        Mistake(ALL_COSINE, lambda: ("cosine",) * 4),
    ),
    alternatives=(
        lambda: list(which_metric()),
        lambda: ("Cosine", "dot product", "distance ", "cosine"),
    ),
    refused=(
        Refused(lambda: ("cosine",) * 3, "Return four names"),
        Refused(lambda: ("cosine", "manhattan", "distance", "cosine"), "Return four names"),
        Refused(lambda: ("inner product",) * 4, "Of the four stores 1 find what was wanted"),
        Refused(lambda: ("cosine", "distance", "cosine", "cosine"), "a song that half fits"),
    ),
    hints=(
        "Ask the same of each store: who has set the lengths, and do you want them to count?",
        "Two stores have their lengths from an accident: one from adding up, one from cutting off. "
        "In one, training has set them. And in the last, how far away a tip is, is all you want.",
        "Where a length is an accident, take the rule that does not see it. Where training has set "
        "it, take the rule of the training. Which rule is left for the map?",
    ),
    reward=(
        "Four stores, three rules. You did not ask which metric is the best one, but who has set "
        "the lengths."
    ),
    minutes=3,
    stars=1,
)
