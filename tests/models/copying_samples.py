"""What the tests of copying share."""

import torch

THE_ONE = 2  # the previous-token head of the shipped weights


def torch_loudness(loudness):
    return torch.tensor(loudness, dtype=torch.float32)
