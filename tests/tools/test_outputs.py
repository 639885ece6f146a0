"""tools/outputs.py: what is stored of a run is the same everywhere, and readable by all."""

import base64
import io

import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image

from tools.outputs import (
    NEAR,
    WIDGET,
    OutputError,
    keep_pictures,
    keep_what_lasts,
    refuse,
    same_picture,
    same_pictures,
    with_the_same_words,
)

PIXELS = np.random.default_rng(0).integers(0, 200, size=(5, 7, 3), dtype=np.uint8)


def png(pixels, **options):
    target = io.BytesIO()
    Image.fromarray(pixels).save(target, "PNG", **options)
    return base64.b64encode(target.getvalue()).decode()


def notebook(*outputs, cell_id="cell"):
    return new_notebook(cells=[new_code_cell("x", id=cell_id, outputs=list(outputs))])


def picture(data, alt="a curve", plain="a curve"):
    metadata = {"image/png": {"alt": alt}} if alt is not None else {}
    return new_output(
        "display_data", data={"text/plain": plain, "image/png": data}, metadata=metadata
    )


def stream(text, name="stdout"):
    return new_output("stream", text=text, name=name)


def test_a_widget_leaves_its_picture_and_words():
    widget = picture(png(PIXELS))
    widget.data[WIDGET] = {"model_id": "a"}
    widget.data["application/json"] = {}
    widget.metadata["application/json"] = {}
    book = notebook(widget, new_output("display_data", data={WIDGET: {"model_id": "b"}}))
    book.cells[0].metadata["execution"] = {"started": "now"}
    book.metadata["widgets"] = {"state": 1}
    keep_what_lasts(book, solutions=False, metadata={"kept": 1})
    (output,) = book.cells[0].outputs
    assert set(output.data) == {"text/plain", "image/png"}
    assert set(output.metadata) == {"image/png"}
    assert book.metadata == {"kept": 1}
    assert book.cells[0].metadata == {}


def test_the_solutions_keep_text_only():
    book = notebook(picture(png(PIXELS)), stream("1\n"))
    keep_what_lasts(book, solutions=True, metadata={})
    shown, printed = book.cells[0].outputs
    assert (shown.data, shown.metadata) == ({"text/plain": "a curve"}, {})
    assert printed.text == "1\n"


@pytest.mark.parametrize(
    "text",
    [
        "np.float64(0.5)",
        "[np.int64(3)]",
        "np.True_",
        "tensor([1.])",
        "VBox(children=(Image(",
        "IntSlider(value=3)",
        "<object at 0x7f12ab>",
        "/tmp/x.py:3",
        "/var/folders/zz",
        "/home/ada/course",
        "/Users/ada",
        "/root/x",
        r"C:\Users\ada",
        "/lib/site-packages/numpy",
        "<ipython-input-3>",
        "CPU times: user 3 ms",
        "Wall time: 3 ms",
        "3 ms ± 1 μs per loop (mean ± std. dev.)",
        "RuntimeWarning: overflow",
    ],
)
def test_what_differs_elsewhere_is_refused_with_its_place(text):
    for output in (
        stream(f"so: {text}\n"),
        new_output("execute_result", data={"text/plain": text}, execution_count=1),
        new_output("display_data", data={"text/html": f"<b>{text}</b>", "text/plain": "b"}),
    ):
        with pytest.raises(OutputError, match="differs elsewhere") as told:
            refuse(notebook(output, cell_id="here"))
        assert told.value.cell_id == "here"


@pytest.mark.parametrize(
    "text",
    [
        "This bet has a defect, not you: louder could not be settled (ValueError).",
        "This picture has a defect of ours at these settings (TypeError).",
        "There is no dott in this chapter. There is: dot.",
    ],
)
def test_a_defect_of_the_course_is_no_output_to_store(text):
    with pytest.raises(OutputError, match="tells of a defect"):
        refuse(notebook(stream(text)))


def test_a_path_of_the_making_machine_is_refused_wherever_it_lies():
    said = notebook(stream("opened /srv/course/notebooks/a.csv"))
    refuse(said)
    with pytest.raises(OutputError, match="a path of this machine"):
        refuse(said, paths=("/srv/course",))


def test_whatever_goes_to_stderr_is_refused():
    with pytest.raises(OutputError, match="stderr: 'loading'"):
        refuse(notebook(stream("loading\n", name="stderr")))


def test_formatted_numbers_and_code_pass():
    texts = ["0.50 and 3", "np.array([1.0, 2.0])", "q.sum(-1)", "attention (at 3)", "a tensor (2)"]
    refuse(notebook(*(stream(text) for text in texts), picture(png(PIXELS))))


def test_a_picture_inside_html_is_not_read_as_text():
    html = '<img src="data:image/png;base64,AAAA/tmp/AAAA==">'
    refuse(notebook(new_output("display_data", data={"text/html": html, "text/plain": "a"})))


@pytest.mark.parametrize(("alt", "plain"), [(None, "a"), ("", ""), ("a", "b"), (" ", " ")])
def test_a_picture_without_alt_text_is_refused(alt, plain):
    with pytest.raises(OutputError, match="without alt text"):
        refuse(notebook(picture(png(PIXELS), alt=alt, plain=plain)))


def test_a_picture_that_looks_the_same_keeps_its_bytes():
    old, new = png(PIXELS), png(PIXELS + np.uint8(3), compress_level=1)
    assert old != new
    book = notebook(picture(new))
    keep_pictures(book, notebook(picture(old)))
    assert book.cells[0].outputs[0].data["image/png"] == old


def test_a_picture_that_looks_different_replaces_the_old_one():
    changed = PIXELS.copy()
    changed[2, 3] += 20  # one pixel of a digit
    for new in (png(changed), png(PIXELS[:, 1:])):
        book = notebook(picture(new))
        keep_pictures(book, notebook(picture(png(PIXELS))))
        assert book.cells[0].outputs[0].data["image/png"] == new


def test_pictures_are_compared_with_the_same_cells_only():
    book = notebook(picture(png(PIXELS + np.uint8(3))), cell_id="new")
    keep_pictures(book, notebook(picture(png(PIXELS)), cell_id="old"))
    assert book.cells[0].outputs[0].data["image/png"] == png(PIXELS + np.uint8(3))


def test_new_words_are_kept_beside_an_old_picture():
    book = notebook(picture(png(PIXELS), alt="new", plain="new"))
    keep_pictures(book, notebook(picture(png(PIXELS), alt="old", plain="old")))
    assert book.cells[0].outputs[0].data["text/plain"] == "new"


def test_a_picture_that_cannot_be_read_is_not_the_same():
    assert same_picture(picture(png(PIXELS)), picture(png(PIXELS)))
    assert not same_picture(picture("AAAA"), picture(png(PIXELS)))
    assert not same_picture(picture("?"), picture(png(PIXELS)))


def test_a_run_shows_as_many_pictures_as_are_stored_and_the_same():
    one, other = picture(png(PIXELS)), picture(png(PIXELS + np.uint8(60)))
    assert same_pictures([one, other], [one, other])
    assert not same_pictures([one, other], [other, one])
    assert not same_pictures([one, other], [one])
    assert not same_pictures([one], [])
    assert same_pictures([], [one]), "the solutions store none"
    assert same_pictures([one], [other], by_sight=False)
    assert not same_pictures([one], [one, other], by_sight=False)


CURVE = ["line of 3: 10 20 11 22 13 27 0 0 255", "a: b: 5 5", "hidden: "]


def drawn(*texts, pixels=PIXELS):
    made = picture(png(pixels))
    made.metadata["image/png"]["drawn"] = list(texts)
    return made


def moved(by):
    return CURVE[0].replace(" 22 ", f" {22 + by} ")


@pytest.mark.parametrize("by", [NEAR, -NEAR])
def test_a_picture_of_training_is_the_same_where_it_draws_nearly_the_same(by):
    other = drawn(moved(by), *CURVE[1:], pixels=PIXELS + np.uint8(60))
    assert same_pictures([drawn(*CURVE)], [other])
    book = notebook(other)
    keep_pictures(book, notebook(drawn(*CURVE)))
    assert book.cells[0].outputs == [drawn(*CURVE)]


@pytest.mark.parametrize(
    "texts",
    [
        (moved(NEAR + 1), *CURVE[1:]),
        (moved(-NEAR - 1), *CURVE[1:]),
        (CURVE[0].replace("line", "bar"), *CURVE[1:]),
        (CURVE[0], "a: c: 5 5", CURVE[2]),
        (CURVE[0] + " 1", *CURVE[1:]),
        (*CURVE[:2], "no numbers"),
        CURVE[:2],
        (*CURVE, "line of 0: "),
        (),
    ],
    ids=["up", "down", "another thing", "another word", "one number more", "damaged",
         "one thing less", "one thing more", "nothing"],
)  # fmt: skip
def test_a_picture_of_training_is_another_where_it_draws_something_else(texts):
    other = drawn(*texts, pixels=PIXELS + np.uint8(60))
    assert not same_pictures([drawn(*CURVE)], [other])
    book = notebook(other)
    keep_pictures(book, notebook(drawn(*CURVE)))
    assert book.cells[0].outputs == [other]


def test_a_picture_of_training_of_another_size_is_another():
    assert not same_picture(drawn(*CURVE), drawn(*CURVE, pixels=PIXELS[:, 1:]))


def test_words_and_numbers_come_beside_a_picture_that_had_none():
    book = notebook(drawn(*CURVE))
    keep_pictures(book, notebook(picture(png(PIXELS))))
    assert book.cells[0].outputs == [drawn(*CURVE)]


def test_the_solutions_pictures_are_the_learners_where_both_say_the_same():
    stored, said = [picture(png(PIXELS)), stream("a\n")], stream("another line\n")
    assert with_the_same_words(stored, [said, picture("AAAA")]) == stored
    own = picture("AAAA", alt="yours draws this", plain="yours draws this")
    assert with_the_same_words(stored, [own]) == []
    assert with_the_same_words([], [own]) == []
