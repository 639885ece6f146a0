"""The table that chapter 5 prints, with names."""

import numpy as np
import torch

from course_lib.chapters.queries_keys_values.named_table import named_table, print_table


def test_each_number_stands_below_its_name():
    lines = named_table([[1, 22.5], [-0.25, 0]], ["a row", "b"], ["thing", "action"]).split("\n")
    assert lines == ["       thing  action", "a row   1.00   22.50", "b      -0.25    0.00"]


def test_a_long_number_widens_its_column():
    head, row = named_table(np.array([[1e6]]), ["a"], ["x"], digits=0).split("\n")
    assert len(head) == len(row)
    assert row.endswith("  1000000")


def test_rows_may_be_tensors_and_no_zero_has_a_sign(capsys):
    print_table([torch.tensor([-0.0, 3.0])], ["a"], ["x", "y"], digits=0)
    assert capsys.readouterr().out == "   x  y\na  0  3\n"
