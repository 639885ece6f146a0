"""Exercise `which_metric`: the rule by which each of five stores should compare."""

from course_lib.chapters.cosine_or_dot.stores import STORES, all_hits, metric_named
from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.judging.verdict import Sentence, sentence
from course_lib.words import say


def which_metric():
    """For each store "cosine", "inner product", "distance" or "any"."""
    # SOLUTION
    notes = "cosine"
    songs = "inner product"
    bakeries = "distance"
    whole = "any"
    cut = "cosine"
    # STUB
    # notes = ...
    # songs = ...
    # bakeries = ...
    # whole = ...
    # cut = ...
    # END SOLUTION
    return notes, songs, bakeries, whole, cut


CONSEQUENCES = {
    ("notes", "inner product"): "notes, by inner product: asked for plum jam, it finds the travel "
    "diary. Its many parts make that vector long, and you asked for a subject.",
    ("notes", "distance"): "notes, by distance: asked for plum jam, it finds a bill. That is about "
    "something else, but as short as the question. The jam recipes point the right way, but "
    "several parts were added up, and that puts their tip far away.",
    ("notes", "any"): "notes, by any: by inner product, for one, it finds the travel diary when it "
    "is asked for plum jam. The lengths differ, so the three do not agree.",
    ("songs", "cosine"): "songs, by cosine: the listener gets a rare song. Its "
    "direction is better than that of the hit. But the length says how many people play a song, "
    "and the cosine divides that away.",
    ("songs", "distance"): "songs, by distance: the listener gets a poor fit. A long "
    "vector is far away, so what many people play comes last. You want the opposite.",
    ("songs", "any"): "songs, by any: by inner product the listener gets a hit that fits, by "
    "distance a poor fit. The lengths differ, so the three do not agree.",
    ("bakeries", "cosine"): "bakeries, by cosine: it finds the one at the station. From the market "
    "place it lies almost exactly in your direction, and a cosine does not see how far out it is.",
    ("bakeries", "inner product"): "bakeries, by inner product: it finds the one at the airport. "
    "The further out on your side of town, the larger the product. You want to walk as little as "
    "you can.",
    (
        "bakeries",
        "any",
    ): "bakeries, by any: the inner product, for one, finds the one at the airport. "
    "The lengths differ, so the three do not agree.",
    ("whole", "cosine"): "whole, by cosine: it finds the heating bill. But so do the other two, "
    'because all lengths are 1. Where there is nothing to choose, write "any".',
    (
        "whole",
        "inner product",
    ): "whole, by inner product: it finds the heating bill, with the least "
    'work. But the other two find it as well, because all lengths are 1: write "any".',
    (
        "whole",
        "distance",
    ): "whole, by distance: it finds the heating bill. But so do the other two: "
    'on the circle the nearest tip is the one at the smallest angle. Write "any".',
    (
        "cut",
        "any",
    ): "cut, by any: that was true before the cut. Now the lengths differ, and by inner "
    "product, for one, it finds the travel diary when it is asked for the dentist's number.",
    ("cut", "inner product"): "cut, by inner product: asked for the dentist's number, it finds the "
    "travel diary. What was cut off took more of one row's length than of the other's, and that "
    "says nothing about a page.",
    ("cut", "distance"): "cut, by distance: asked for the dentist's number, it finds the travel "
    "diary. The right row points the right way, but the cut made it short. Before the cut all were "
    "1 long, and what counted was the direction.",
}

MORE = "{said} Named right so far: {right} of five metrics."

FIVE_NAMES = (
    'Return five names, each "cosine", "inner product", "distance" or "any", in the order in which '
    "the stores stand."
)

ALL_FIND = (
    "Named right so far: {right} of five metrics. By your metrics, these are found: {finds}. Which "
    'of them do you not want? (Where all three metrics find the same, "any" is right.)'
)
FINDS = "{hits} in {store}"

ALL_COSINE = (
    "You chose the cosine everywhere. It is right where a length is a side effect. But in two of "
    "the five stores the lengths should matter, and in a third any metric finds the same."
)


def _fits(got, want, case) -> bool | str | Sentence:
    """Says how many are right; of the only one that is wrong, why, else what all stores find.

    So several wrong choices can be thought over at once, and none of them is pointed at.
    """
    came = got["output"]
    if not isinstance(came, list | tuple) or len(came) != len(STORES):
        return FIVE_NAMES
    metrics = [metric_named(one) for one in came]
    if not all(metrics):
        return FIVE_NAMES
    pairs = zip(STORES.items(), metrics, strict=True)
    wrong = [(name, metric) for (name, store), metric in pairs if metric != store.metric]
    if not wrong:
        return True
    if set(metrics) == {"cosine"}:
        return ALL_COSINE
    if len(wrong) == 1:  # word for word the mistake, so that it is said once
        return Sentence(_but_one(CONSEQUENCES[wrong[0]]))
    return sentence(ALL_FIND, right=len(STORES) - len(wrong), finds=_all_found(metrics))


def _all_found(metrics: list[str]) -> str:
    """What each store finds by its metric, in words."""
    pairs = zip(STORES.items(), metrics, strict=True)
    return ", ".join(
        say(FINDS, store=say(name), hits=say(" or ").join(map(say, all_hits(store, metric))))
        for (name, store), metric in pairs
    )


def _but_one(said: str) -> str:
    """What is said where only this one choice is wrong."""
    return MORE.format(said=said, right=len(STORES) - 1)


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
        *(Mistake(_but_one(said), _instead(*choice)) for choice, said in CONSEQUENCES.items()),
        Mistake(ALL_COSINE, lambda: ("cosine",) * 5),
    ),
    alternatives=(
        lambda: list(which_metric()),
        lambda: ("Cosine", "dot product", "distance ", "any of the three", "cosine"),
    ),
    refused=(
        Refused(lambda: ("cosine",) * 4, "Return five names"),
        Refused(lambda: ("cosine", "manhattan", "distance", "any", "cosine"), "Return five names"),
        Refused(lambda: ("inner product",) * 5, "Named right so far: 1 of five metrics"),
        Refused(lambda: ("cosine", "distance", "cosine", "any", "cosine"), "a poor fit in songs, "),
        Refused(lambda: ("any",) * 5, "jam or diary or a bill in notes, "),
    ),
    hints=(
        "Ask the same of each store: who has set the lengths, and do you want them to matter?",
        "In which store are all lengths still 1? In which two are they a side effect, in which one "
        "did training set them on purpose, and in which one a map?",
        "Where a length is a side effect, take the rule that does not see it. Where you want long "
        "rows to come first, take the rule that prefers them. Which rule is left for the map?",
    ),
    reward=(
        "Five stores, three rules. You did not ask which metric is the best one, but who has set "
        "the lengths."
    ),
    minutes=3,
    stars=1,
)
