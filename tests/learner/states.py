"""What the tests of state share."""


# What stands in the file while, and after, a write fails

OLD, NEW = {"state": "wrong", "hints": 2}, {"state": "right", "note": "x" * 1000}
