import asyncio

import ipywidgets
import pytest

from course_lib.sliding.debounce import Debounced
from course_lib.sliding.explorer import Drawing, Goal
from course_lib.sliding.panel import Panel
from course_lib.sliding.sliders import FloatRange, IntRange
from tests.sliding.examples import Adapter, draw, explorer


@pytest.fixture
def panel():
    return Panel(explorer(), {})


def seen(panel):
    return panel.panes[0].image.value, panel.panes[0].above.value


def test_a_moved_slider_redraws_and_rewrites(panel):
    before = seen(panel)
    panel.controls["count"].inputs[0].value = 5
    assert seen(panel) != before
    assert "5 times the sum is 30.00." in panel.words.value
    assert panel.controls["count"].inputs[1].value == 5


def test_a_typed_number_moves_the_slider_and_redraws_once(panel, monkeypatch):
    drawn = []
    monkeypatch.setattr(panel, "redraw", lambda: drawn.append(1))
    panel.controls["scale"].inputs[1].value = 1.5
    assert panel.controls["scale"].inputs[0].value == 1.5
    assert panel.frame.params["scale"] == 1.5
    assert drawn == [1]


def test_a_moving_slider_sends_what_moves_and_no_pixels(panel):
    pane, pixels = panel.panes[0], panel.panes[0].image.value
    above = pane.above.value
    panel.controls["count"].inputs[0].value = 5
    assert pane.image.value is pixels
    assert pane.above.value != above


def test_a_picture_without_moving_artists_sends_pixels():
    def all_of_it(figure, data):
        return Drawing(draw(figure, data).update)

    panel = Panel(explorer(draw=all_of_it), {})
    pixels = panel.panes[0].image.value
    panel.controls["count"].inputs[0].value = 5
    assert panel.panes[0].image.value != pixels
    assert panel.panes[0].above.value == ""


def test_a_typed_number_out_of_range_is_brought_back(panel):
    panel.controls["count"].inputs[1].value = 99
    assert panel.frame.params["count"] == 9


def log_panel(spec):
    sliders = {**explorer().sliders, ("count" if spec.label == "width" else "scale"): spec}
    return Panel(explorer(sliders=sliders), {})


def test_a_log_slider_reaches_both_ends_and_takes_any_typed_number():
    panel = log_panel(IntRange(1, 1024, start=4, label="width", log=True))
    slider, typed = panel.controls["count"].inputs
    assert typed.value == 4
    slider.value = slider.max
    assert panel.frame.params["count"] == typed.value == 1024
    typed.value = 99
    assert panel.frame.params["count"] == typed.value == 99
    assert panel.controls["count"].spec.notches()[slider.value] == 100
    slider.value -= 1
    assert panel.frame.params["count"] == typed.value == 91


def test_each_arrow_key_of_a_log_slider_is_another_value():
    panel = log_panel(FloatRange(0.5, 20, start=1, label="scale", log=True))
    slider, typed = panel.controls["scale"].inputs
    seen = []
    for place in range(slider.max + 1):
        slider.value = place
        seen.append(panel.frame.params["scale"])
        assert typed.value == seen[-1]
    assert seen == sorted(set(seen))
    assert (seen[0], seen[-1]) == (0.5, 20)


def test_steps_of_a_float_slider_are_round_numbers():
    sliders = {**explorer().sliders, "scale": FloatRange(0.5, 4, start=1, label="scale")}
    assert Panel(explorer(sliders=sliders), {}).controls["scale"].inputs[0].step == 0.05


def test_options_and_toggles_redraw_too(panel):
    panel.controls["sign"].inputs[0].value = -1
    panel.controls["doubled"].inputs[0].value = True
    assert "2 times the sum is -24.00." in panel.words.value


def test_the_words_are_announced_politely(panel):
    assert panel.words.value.startswith('<div role="status" aria-live="polite"')


def test_the_goal_says_in_words_whether_it_is_reached(panel):
    assert "Not reached yet" in panel.words.value
    assert "And with ten?" not in panel.words.value
    panel.controls["count"].inputs[0].value = 9
    assert "Reached ✓" in panel.words.value
    assert "And with ten?" in panel.words.value
    panel.controls["count"].inputs[0].value = 8
    assert "Reached before; not at this setting" in panel.words.value


def test_the_numbers_are_folded_until_asked_for(panel):
    assert panel.table.value == ""
    panel.fold.value = True
    assert "<td>total</td><td>12.0</td>" in panel.table.value
    panel.controls["count"].inputs[0].value = 3
    assert "<td>18.0</td>" in panel.table.value


def test_an_explorer_without_numbers_offers_none():
    assert Panel(explorer(numbers=None), {}).fold.layout.display == "none"


def test_a_table_that_fails_is_a_sentence_and_not_a_traceback():
    panel = Panel(explorer(numbers=lambda params, data: 1 / 0), {})
    panel.fold.value = True
    assert "defect of ours" in panel.table.value


def test_a_wrong_function_adds_the_second_picture():
    panel = Panel(explorer(), {"total": Adapter(lambda v: v.sum() + 1, "course")})
    assert [pane.widget.layout.display for pane in panel.panes] == ["grid", "grid"]
    assert "Yours:" in panel.panes[0].image.tooltip
    assert "Right:" in panel.panes[1].image.tooltip


def test_a_picture_has_a_name_for_who_cannot_see_it(panel):
    image = panel.panes[0].image
    assert image.tooltip == "2 times the sum is 12.00."
    assert image.description == ""  # without it, ipywidgets 8 stops drawing the image
    assert panel.panes[1].widget.layout.display == "none"


def test_a_typed_field_has_the_sliders_name(panel):
    assert panel.controls["count"].inputs[1].tooltip == "count n"


def test_text_from_the_learner_cannot_become_markup():
    def angry(values):
        raise ValueError("<script>alert(1)</script>")

    panel = Panel(explorer(), {"total": angry})
    assert "<script>" not in panel.words.value
    assert "&lt;script&gt;" in panel.words.value


def test_a_defect_leaves_the_last_picture_and_says_so(panel, monkeypatch):
    before = seen(panel)
    monkeypatch.setattr(panel.explorer, "compute", lambda **_: 1 / 0)
    panel.controls["count"].inputs[0].value = 5
    assert seen(panel) == before
    assert "defect of ours" in panel.words.value


def test_what_is_shown_is_widget_picture_and_words_in_one(monkeypatch):
    shown = []
    monkeypatch.setattr(
        "course_lib.sliding.panel.show", lambda plain, **rest: shown.append((plain, rest))
    )
    explorer()()
    ((plain, rest),) = shown
    assert plain == "2 times the sum is 12.00. Goal: Make the total 54."
    assert rest["png"] == explorer().render()
    assert isinstance(rest["widget"], ipywidgets.VBox)


def test_a_rerun_of_its_cell_replaces_explorers_and_another_cell_keeps_them(monkeypatch):
    monkeypatch.setattr("course_lib.sliding.panel.show", lambda *a, **k: None)
    runs = [("here", "1"), ("here", "1"), ("there", "2"), ("here", "3")]
    panels = [Panel(one, {}) for one in [explorer(), explorer(), explorer(), explorer()]]
    alive = []
    for run, panel in zip(runs, panels, strict=True):
        monkeypatch.setattr("course_lib.sliding.panel._cell", lambda run=run: run)
        panel.show()
        alive.append([one.panes[0].image.comm is not None for one in panels])
    assert alive[:3] == [[True] * 4] * 3, "two in one run of a cell stand below each other"
    assert alive[3] == [False, False, True, True]
    assert panels[0].controls["count"].inputs[0].layout.comm is None


def test_a_broken_explorer_still_shows_its_sentence(monkeypatch, capsys):
    explorer(compute=lambda **_: 1 / 0, goal=Goal("Never.", lambda p, d: True))()
    assert "defect of ours" in capsys.readouterr().out


def test_the_words_wait_for_the_hand_to_rest():
    done = []

    async def drag():
        rest = Debounced(lambda: done.append(1), seconds=0.05)
        for _ in range(5):
            rest()
            await asyncio.sleep(0.01)
        assert done == []
        await asyncio.sleep(0.1)

    asyncio.run(drag())
    assert done == [1]


def test_without_a_loop_the_words_come_at_once():
    done = []
    Debounced(lambda: done.append(1))()
    assert done == [1]


def test_a_field_for_whole_numbers_shows_what_was_made_of_its_text(panel):
    slider, typed = panel.controls["count"].inputs
    for text in (4.6, 5.2):  # the second changes no value, and is put right all the same
        typed.value = text
        assert (slider.value, typed.value, panel.frame.params["count"]) == (5, 5, 5)
