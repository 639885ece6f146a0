"""Exercise `search`: where the most similar stored vectors are, by cosine, best first."""

import numpy as np

from course_lib.chapters.cosine_or_dot.exercises.cosine_matrix import cosine_matrix
from course_lib.chapters.cosine_or_dot.exercises.unit_rows import unit_rows
from course_lib.chapters.cosine_or_dot.other_searches import (
    nearest_directions,
    search_by_partition,
    search_with_loops,
)
from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs


def search(stored, questions, how_many):
    """Where the most similar stored vectors are, by cosine, best first.

    stored: (n, d)   questions: (t, d)   how_many: one number
    returns: (t, how_many), whole numbers
    """
    # SOLUTION
    scores = unit_rows(questions) @ unit_rows(stored).T
    return np.argsort(scores, axis=1)[:, ::-1][:, :how_many]
    # STUB
    # scores = ...  # a row for each question
    # return ...  # your code here
    # END SOLUTION


def _best_first(stored, questions):
    """All places, a row for each question."""
    return np.argsort(-cosine_matrix(questions, stored), axis=1)


def _best_last(stored, questions):
    """The same, the other way round."""
    return np.argsort(cosine_matrix(questions, stored), axis=1)


def _cosines(stored, questions):
    return cosine_matrix(questions, stored)


def _scores(stored, questions):
    """Cosines, times the length of each question."""
    return questions @ unit_rows(stored).T


def _cut(places, cut):
    """An answer that ranks by `places` and cuts the rows in a way of its own."""
    return lambda stored, questions, how_many: cut(places(stored, questions), how_many)


def _on_its_side(stored, questions):
    """The table of cosines with a row for each stored vector."""
    return unit_rows(stored) @ unit_rows(questions).T


def _cut_in_four_ways(cut):
    """Answers from a table that lies on its side: smallest or largest first, and by what scores."""

    def answer(sign, score):
        return lambda stored, questions, how_many: cut(
            np.argsort(sign * score(stored, questions), axis=1), how_many
        )

    scores = (_on_its_side, lambda stored, questions: unit_rows(stored) @ questions.T)
    return tuple(answer(sign, score) for sign in (1, -1) for score in scores)


def _fan(rng, n):
    """Rows in clearly different directions, shuffled; so many that no partial sort orders them."""
    angles = rng.permutation(np.linspace(0.2, 2.9, n))[:, None]
    return np.hstack([np.cos(angles), np.sin(angles)]) * rng.uniform(0.2, 5, size=(n, 1))


SEARCH = Exercise(
    answer=search,
    cases=(
        lambda rng: inputs(
            np.array([[9.0, -8.0], [0.2, 1.0], [4.0, 4.0], [-3.0, 1.0], [1.0, 0.1]]),
            np.array([[2.0, 0.0], [1.0, 3.0]]),
            3,
        ),
        lambda rng: inputs(
            rng.normal(size=(11, 5)) * rng.uniform(0.2, 5, size=(11, 1)), rng.normal(size=(3, 5)), 4
        ),
        lambda rng: inputs(
            rng.normal(size=(7, 3)) * rng.uniform(0.2, 5, size=(7, 1)), rng.normal(size=(7, 3)), 1
        ),
        lambda rng: inputs(_fan(rng, 1009), np.array([[1.0, 0.0], [-3.0, 0.2]]), 300),
        lambda rng: inputs(
            np.array(
                [[1, 2, 0], [9, 0, 1], [0, 0, 3], [2, 2, -7], [-4, 1, 5], [0, -6, 1], [5, 5, 4]]
            ),
            np.array([[1, 0, 0], [1, 2, 4]]),
            3,
        ),
        lambda rng: inputs(
            rng.normal(size=(11, 5)) * rng.uniform(0.2, 5, size=(11, 1)), rng.normal(size=(3, 5)), 4
        ),
    ),
    properties=(
        Property(
            "One row for each question, `how_many` places in it.",
            lambda got, case: np.shape(got["output"]) == (len(case.args[1]), case.args[2]),
        ),
    ),
    mistakes=(
        Mistake(
            "The stored rows keep their lengths here, so long ones win from further away: bring "
            "them to length 1. (The length of a question does not change the order in its row.)",
            _cut(lambda stored, asked: -asked @ stored.T, lambda rows, n: np.argsort(rows)[:, :n]),
        ),
        Mistake(
            "You kept the worst ones, since argsort puts the smallest number first. Turn each row "
            "around before you cut it.",
            _cut(_best_last, lambda rows, n: rows[:, :n]),
        ),
        Mistake(
            "The minus stands before the places. It belongs before the scores, inside the brackets "
            "of argsort.",
            _cut(_best_last, lambda rows, n: -rows[:, :n]),
            also=(_cut(_scores, lambda rows, n: -np.argsort(rows)[:, :n]),),
        ),
        Mistake(
            "You found the right ones and listed the best last. The best should stand first.",
            _cut(_best_last, lambda rows, n: rows[:, -n:]),
        ),
        Mistake(
            "You returned the scores. Asked for is where the vectors stand in `stored`: np.argsort "
            "gives places.",
            _cut(_cosines, lambda rows, n: -np.sort(-rows)[:, :n]),
            also=(
                _cut(_cosines, lambda rows, n: np.sort(rows)[:, :n]),
                _cut(_scores, lambda rows, n: -np.sort(-rows)[:, :n]),
                _cut(_scores, lambda rows, n: np.sort(rows)[:, :n]),
            ),
        ),
        Mistake(
            "You sorted down the columns, so each stored vector ranks the questions. A row should "
            "belong to a question.",
            _cut(_cosines, lambda rows, n: np.argsort(-rows, axis=0)[:, :n]),
        ),
        Mistake(
            "You ranked by distance: of two stored vectors in one direction the one of the "
            "question's length wins. Rank by cosine.",
            lambda stored, questions, how_many: np.argsort(
                ((questions[:, None] - stored) ** 2).sum(axis=-1), axis=1
            )[:, :how_many],
        ),
        Mistake(
            "You found the right ones and listed them in the order in which they are stored. The "
            "best should stand first.",
            lambda stored, questions, how_many: np.sort(search(stored, questions, how_many)),
        ),
        Mistake(
            "You cut the table before you sorted it, so only the first `how_many` stored vectors "
            "were searched. Sort first, then keep the first `how_many` places of each row.",
            _cut(_cosines, lambda rows, n: np.argsort(-rows[:, :n])),
        ),
        Mistake(
            "Your table of scores has a row for each stored vector, and [:how_many] keeps whole "
            "rows. Let questions come first in the product. Then [:, :how_many] keeps the first "
            "places of each.",
            _cut(_on_its_side, lambda rows, n: np.argsort(-rows)[:n]),
            also=_cut_in_four_ways(lambda places, how_many: places[:how_many]),
        ),
        Mistake(
            "[:how_many] keeps the first questions. [:, :how_many] keeps the first places of each.",
            _cut(_best_first, lambda rows, n: rows[:n]),
            also=(
                _cut(_best_last, lambda rows, n: rows[:n]),
                lambda stored, questions, how_many: np.argsort(-questions @ stored.T)[:how_many],
            ),
        ),
        Mistake(
            "You returned all the places. Keep the first `how_many` of each row.",
            lambda stored, questions, how_many: _best_first(stored, questions),
            also=(lambda stored, questions, how_many: _best_last(stored, questions),),
        ),
        Mistake(
            "The places count from 1. In Python the first row is number 0.",
            lambda stored, questions, how_many: search(stored, questions, how_many) + 1,
        ),
        Mistake(
            "[::-1] turned the order of the questions around. [:, ::-1] turns each row.",
            _cut(_best_last, lambda rows, n: rows[::-1][:, :n]),
            also=(_cut(_best_last, lambda rows, n: rows[::-1][:n]),),
        ),
        Mistake(
            "You ranked by the size of the cosine. A vector that points the opposite way has a "
            "cosine near -1, and it is the worst of all.",
            _cut(_cosines, lambda rows, n: np.argsort(-np.abs(rows))[:, :n]),
        ),
        Mistake(
            "You left the best one out. That is right where each asks for its own neighbours; here "
            "the questions are not stored.",
            lambda stored, questions, how_many: search(stored, questions, how_many + 1)[:, 1:],
        ),
        Mistake(
            "That is the best place only. `how_many` places are asked for, the best first.",
            lambda stored, questions, how_many: cosine_matrix(questions, stored).argmax(axis=1),
        ),
        Mistake(
            "One place is missing in each row: the slice stops before it has `how_many` of them.",
            _cut(_best_last, lambda rows, n: rows[:, :-n:-1]),
        ),
        Mistake(
            "You returned the stored vectors themselves. Asked for are their row numbers.",
            lambda stored, questions, how_many: stored[search(stored, questions, how_many)],
        ),
        Mistake(
            "You wrote a number of your own where `how_many` belongs.",
            lambda stored, questions, how_many: search(stored, questions, 2),
        ),
        Mistake(
            "The right ones are found, and not all in the right order: argpartition puts the best "
            "in front without sorting them.",
            _cut(_cosines, lambda rows, n: np.argpartition(-rows, n)[:, :n]),
            also=(_cut(_cosines, lambda rows, n: np.argpartition(-rows, n - 1)[:, :n]),),
        ),
        Mistake(
            "Your table of scores has a row for each stored vector. stored and questions have "
            "changed places: questions come first, so that each of them has a row.",
            lambda stored, questions, how_many: search(questions, stored, how_many),
            also=_cut_in_four_ways(lambda places, how_many: places[:, :how_many]),
        ),
        Mistake(
            "You kept the worst ones. The cut took the wrong end of each row, or came before the "
            "turn.",
            _cut(_best_first, lambda rows, n: rows[:, -n:]),
        ),
        Mistake(
            "[:, :-how_many] keeps all but the last ones, and with the smallest first the last are "
            "the best. [:, ::-1] turns each row. Then [:, :how_many] keeps the first ones.",
            _cut(_best_last, lambda rows, n: rows[:, :-n]),
        ),
        Mistake(
            "[:, how_many::-1] begins at place how_many and goes back to the front, where the "
            "worst are. Turn each row first, [:, ::-1]. Then [:, :how_many] keeps the first ones.",
            _cut(_best_last, lambda rows, n: rows[:, n::-1]),
        ),
        Mistake(
            "[:, how_many] picks one place of each row. [:, :how_many] keeps the first ones.",
            _cut(_best_last, lambda rows, n: rows[:, ::-1][:, n]),
        ),
        Mistake(
            "A column belongs to a question. Each question should have a row.",
            lambda stored, questions, how_many: search(stored, questions, how_many).T,
            also=(_cut(_best_last, lambda rows, n: rows[:, :n].T),),
        ),
        Mistake(
            "You averaged over the questions first. Each question has a ranking of its own.",
            _cut(_cosines, lambda rows, n: np.argsort(-rows.mean(axis=0))[:n]),
        ),
        Mistake(
            "These are ranks: at each stored vector, which place it takes. Asked for is the other "
            "way: at each place, which vector. One argsort is enough.",
            _cut(_best_first, lambda rows, n: np.argsort(rows)[:, :n]),
        ),
    ),
    alternatives=(
        search_with_loops,
        search_by_partition,
        nearest_directions,
        _cut(_cosines, lambda rows, n: np.argsort(-rows, axis=1)[:, :n]),
        _cut(_scores, lambda rows, n: np.argsort(-rows, axis=1)[:, :n]),
    ),
    refused=(
        Refused(
            lambda stored, questions, how_many: search(stored, questions, how_many).T, "transpose"
        ),
    ),
    hints=(
        "First a table of scores, a row for each question; then the places in each row. Say that "
        "one question scores 3, 8 and 5. What do they become if the question is twice as long? "
        "And if only the third stored row is?",
        "questions @ ... .T has a row for each question. If a question is twice as long, its whole "
        "row doubles, and the order stays. If a stored row is twice as long, only its own scores "
        "double, and it moves up past others. And where does argsort put the largest?",
        "unit_rows brings the stored rows to length 1. argsort begins with the smallest score: "
        "turn each row of places around, [:, ::-1], and keep its first ones, [:, :how_many].",
    ),
    reward=(
        "That is a search engine. How long a question is never mattered: that multiplies all "
        "scores of its row alike."
    ),
    minutes=5,
    stars=2,
)
