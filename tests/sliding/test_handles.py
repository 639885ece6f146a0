import numpy as np
import pytest

from course_lib.sliding.answers import Answers
from course_lib.sliding.explorer import Drawing, Explorer
from course_lib.sliding.handles import Chosen, Handle, Painted, value_told
from course_lib.sliding.held import Cells, Numbers
from course_lib.sliding.sliders import FloatRange, IntRange, Options

NAMES = ("one", "two", "three")
MASK = ((True, False), (False, True))


def compute(*, x, y, scores, word, mask):
    return {"tip": (x, y), "scores": np.array(scores), "word": word, "mask": np.array(mask)}


def draw(figure, data):
    plane, other = figure.subplots(1, 2)
    plane.set(xlim=(-1, 11), ylim=(-1, 11), label="plane")
    other.set(xlim=(-1, 11), ylim=(-1, 11))
    (dot,) = plane.plot([], [], "o")

    def update(data):
        dot.set_data([data["tip"][0]], [data["tip"][1]])

    return Drawing(update, moving=[dot])


def replaced(numbers, which, value):
    return [value if i == which else old for i, old in enumerate(numbers)]


SLIDERS = {
    "x": FloatRange(0, 10, start=4, step=0.5, label="x"),
    "y": IntRange(0, 10, start=3, label="y"),
    "scores": Numbers(-2, 4, start=(2.0, 1.0, -1.0), labels=NAMES, label="scores", step=0.5),
    "word": Options(dict(zip(NAMES, "abc", strict=True)), start="a", label="word"),
    "mask": Cells(start=MASK, label="mask", labels=(("q0", "q1"), ("k0", "k1"))),
}
HANDLES = {
    "tip": Handle(
        at=lambda data: ("plane", *data["tip"]),
        to=lambda xy, params: {"x": xy[0], "y": xy[1]},
        moves=("x", "y"),
        label="the tip",
    ),
    "scores": Handle(
        at=lambda data: [(1, i, s) for i, s in enumerate(data["scores"])],
        to=lambda xy, params, which: {"scores": replaced(params["scores"], which, xy[1])},
        moves=("scores",),
    ),
    "word": Chosen(at=lambda data: [(1, i, 8) for i in range(3)], moves="word"),
    "mask": Painted(
        at=lambda data: [(1, 5 + column, 5 - row) for row in range(2) for column in range(2)],
        moves="mask",
    ),
}


@pytest.fixture
def answers():
    explorer = Explorer(
        compute, draw, lambda params, data: "words.", sliders=SLIDERS, handles=HANDLES
    )
    return Answers(explorer.session())


def ask(answers, frame, **question):
    return answers.to({"id": 1, "params": frame["params"], "pane": 0, "which": 0, **question})


def test_a_handle_stands_where_matplotlib_draws_its_place(answers):
    places = answers.start()["frame"]["panes"][0]["places"]
    assert [len(places[name]) for name in HANDLES] == [1, 3, 3, 4]
    picture = answers.session.picture("one")
    assert picture.coordinates("plane", *places["tip"][0][:2]) == pytest.approx((4, 3), abs=0.02)
    left, top, *_ = places["word"][0]
    assert places["word"][1][0] > left
    assert places["scores"][0][1] > top, "points are counted from the top"


def test_dragging_a_handle_to_where_it_stands_changes_nothing(answers):
    frame = answers.start()["frame"]
    for name in ("tip", "scores"):
        for which, (*at, _, _) in enumerate(frame["panes"][0]["places"][name]):
            moved = ask(answers, frame, handle=name, which=which, at=at)
            assert moved["params"] == frame["params"]


@pytest.mark.parametrize(("at", "x", "y"), [((-99, 999), 0, 0), ((9999, -99), 10, 10)])
def test_a_far_place_gives_the_nearest_allowed_values(answers, at, x, y):
    params = ask(answers, answers.start()["frame"], handle="tip", at=at)["params"]
    assert (params["x"], params["y"]) == (x, y)


def test_one_handle_of_many_moves_its_number_alone(answers):
    frame = answers.start()["frame"]
    left, *_ = frame["panes"][0]["places"]["scores"][1]
    moved = ask(answers, frame, handle="scores", which=1, at=[left, -50])
    assert moved["params"]["scores"] == [2.0, 4.0, -1.0]
    assert moved["params"] | {"scores": 0} == frame["params"] | {"scores": 0}


@pytest.mark.parametrize(
    ("key", "x", "y"),
    [("ArrowRight", 4.5, 3), ("ArrowLeft", 3.5, 3), ("ArrowUp", 4, 4), ("ArrowDown", 4, 2)],
)
def test_an_arrow_key_moves_a_handle_to_the_next_place_that_way(answers, key, x, y):
    params = ask(answers, answers.start()["frame"], handle="tip", key=key)["params"]
    assert (params["x"], params["y"]) == (x, y)


def test_an_arrow_key_moves_one_number_by_a_stop_and_stops_at_the_end(answers):
    frame = answers.start()["frame"]
    for _ in range(6):
        frame = ask(answers, frame, handle="scores", which=0, key="ArrowUp")
    assert frame["params"]["scores"] == [4.0, 1.0, -1.0]


def test_a_handle_says_its_value_in_words(answers):
    places = answers.start()["frame"]["panes"][0]["places"]
    assert places["tip"][0][2:] == [8, "x 4, y 3"], "the ninth stop of x"
    assert [value[2:] for value in places["scores"]] == [[8, "2"], [6, "1"], [2, "-1"]]
    assert [value[2] for value in places["word"]] == [True, False, False]
    assert [value[2] for value in places["mask"]] == [True, False, False, True]


def test_painted_cells_come_as_a_mask(answers):
    frame = answers.start()["frame"]
    assert frame["params"]["mask"] == [True, False, False, True]
    frame["params"]["mask"] = [True, True, False, True]
    ask(answers, frame)
    assert answers._frame.params["mask"] == ((True, True), (False, True))


def test_a_handle_keeps_its_colour_name_and_kind(answers):
    told = {one["name"]: one for one in answers.start()["handles"]}
    assert told["tip"]["label"] == "the tip"
    assert told["scores"]["label"] == "scores"
    assert told["mask"]["labels"] == ["q0, k0", "q0, k1", "q1, k0", "q1, k1"]
    assert [told[name]["kind"] for name in HANDLES] == ["drag", "drag", "choose", "paint"]


def test_a_place_that_the_data_do_not_have_is_left_out():
    handles = HANDLES | {"tip": Handle(lambda data: data["nowhere"], HANDLES["tip"].to, ("x",))}
    explorer = Explorer(
        compute, draw, lambda params, data: "words.", sliders=SLIDERS, handles=handles
    )
    start = Answers(explorer.session()).start()
    assert "tip" not in start["frame"]["panes"][0]["places"]
    assert "scores" in start["frame"]["panes"][0]["places"]


@pytest.mark.parametrize(
    ("handles", "says"),
    [
        ({**HANDLES, "z": Handle(HANDLES["tip"].at, HANDLES["tip"].to, ("z",))}, "no parameter"),
        ({**HANDLES, "p": Painted(HANDLES["mask"].at, moves="x")}, "no Cells"),
        ({"tip": HANDLES["tip"]}, "no handle moves it"),
    ],
)
def test_handles_that_do_not_fit_the_sliders_are_refused(handles, says):
    with pytest.raises(ValueError, match=says):
        Explorer(compute, draw, lambda *_: "", sliders=SLIDERS, handles=handles)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Numbers(0, 1, start=(0, 1), labels=("a",), label="n"), "2 numbers start"),
        (lambda: Numbers(0, 1, start=(0, 2), labels=("a", "b"), label="n"), "start is 2"),
        (lambda: Cells(start=MASK, label="m", labels=(("a",), ("b", "c"))), "rows of 2"),
        (lambda: SLIDERS["mask"].refuse(((True,),)), "not 2 rows of 2"),
        (lambda: SLIDERS["mask"].taken([True]), "1 cells, but there are 4"),
        (lambda: SLIDERS["scores"].refuse((1.0, 2.0)), "2 numbers, but there are 3"),
        (lambda: SLIDERS["scores"].refuse((1.0, 2.0, 9.0)), "9.0 is not between"),
    ],
)
def test_what_is_held_is_refused_where_it_does_not_fit(make, says):
    with pytest.raises(ValueError, match=says):
        make()


def test_a_handle_that_moves_two_numbers_of_one_parameter_tells_both():
    pair = {"tip": Numbers(-2, 2, start=(1.0, 0.5), labels=("x", "y"), label="tip", step=0.5)}
    handle = Handle(
        at=lambda data: (0, *data["tip"]), to=lambda xy, params: {"tip": xy}, moves=("tip",)
    )
    assert value_told(handle, pair, {"tip": (1.0, -0.5)}, 0) == (6, "1, -0.5")
