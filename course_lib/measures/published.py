"""Figures of GPUs that others published. None of them was measured by this course.

A `Device` says what it can compute and fetch at best, by its maker's data sheet. A `Rate` is what a
program was seen to reach at best, by its own paper.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Device:
    """What a GPU can do at best.

    tflops: 10^12 operations a second in matrix products of 16-bit numbers, without sparsity.
    bandwidth: 10^12 bytes a second between its large memory and the chip.
    memory: GB of large memory.   shared: KB of fast memory that one program may use.
    capability: the version of its instructions, 8.0 as 80.   source: where the figures stand.
    """

    name: str
    tflops: float
    bandwidth: float
    memory: int
    shared: int
    capability: int
    source: str

    @property
    def ridge(self) -> float:
        """Operations for each byte from which on computing, not memory, is what one waits for."""
        return self.tflops / self.bandwidth

    def attainable(self, intensity: float) -> float:
        """10^12 operations a second at best, if each byte that is moved serves `intensity` of them.

        Source: Williams, Waterman and Patterson, "Roofline" (2009).
        """
        return min(self.tflops, self.bandwidth * intensity)


DEVICES = {
    one.name: one
    for one in (
        Device("T4", 65, 0.32, 16, 64, 75, "NVIDIA T4 product brief (2018)"),
        Device("A100", 312, 2.039, 80, 163, 80, "NVIDIA A100 80GB SXM data sheet (2021)"),
        Device("H100", 989, 3.35, 80, 227, 90, "NVIDIA H100 SXM data sheet (2023)"),
        Device("H200", 989, 4.8, 141, 227, 90, "NVIDIA H200 SXM data sheet (2023)"),
        Device("B200", 2250, 7.7, 180, 227, 100, "NVIDIA Blackwell data sheet, HGX B200 (2025)"),
    )
}
"""`shared` is from NVIDIA's CUDA C++ programming guide, table of compute capabilities."""


@dataclass(frozen=True)
class Rate:
    """The most that a program was seen to reach, forward, with 16-bit numbers.

    tflops: 10^12 operations a second, by its own paper.   device: a name of DEVICES.
    """

    name: str
    year: int
    device: str
    tflops: int
    source: str


BEST_RATES = (
    Rate("FlashAttention-2", 2023, "A100", 230, "Dao, arXiv:2307.08691, section 4.1"),
    Rate("FlashAttention-3", 2024, "H100", 740, "Shah et al., arXiv:2407.08608, abstract"),
    Rate("FlashAttention-4", 2026, "B200", 1613, "Zadouri et al., arXiv:2603.05451, abstract"),
)

LENGTHS = (512, 1024, 2048, 4096, 8192, 16384)
FORWARD_RATES = {
    "standard": (74, 100, 119, 133, 139, None),
    "FA2": (309, 350, 362, 368, 370, 370),
    "Triton": (323, 372, 389, 389, 392, 395),
    "cuDNN": (497, 574, 617, 609, 600, 595),
    "FA3": (467, 565, 625, 638, 646, 648),
}
"""10^12 operations a second on the forward pass, at each of LENGTHS; None where memory ran out.

One H100 80GB SXM5, 16-bit numbers, heads of width 128, every query sees every key, 16384 words in
all at each length. "standard" is attention step by step in PyTorch.

Source: Shah et al., "FlashAttention-3: Fast and Accurate Attention with Asynchrony and
    Low-precision" (2024), figure 5.
"""
