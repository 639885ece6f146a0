"""What Triton's compiler makes of a kernel, without a GPU: registers, spills, shared memory.

    python -m course_lib.measures.compiler_report forward,128x64x8x3,128,float16,90 ...
    python -m course_lib.measures.compiler_report --publish

The first prints a line of JSON, a list with a report for each request: kernel, block_q x block_k x
warps x stages, width, dtype, compute capability; and "ruled" with window and softcap. The second
makes the reports of all shipped sizes, and of a series for chapter 8, and writes them with versions
into compiler_reports.json, since registers depend on the compiler's version; it takes minutes.

A multiprocessor has 65536 registers of 32 bits and at most 255 for a thread (a warp is 32 threads).
What does not fit is spilled: written to memory and read again. Its shared memory, where tiles wait,
is what LIMITS says for one program.
"""

import argparse
import ast
import hashlib
import json
import re
import subprocess
import tempfile
from importlib.resources import files
from pathlib import Path

import torch

from course_lib.kernels.interpreter import is_interpreted
from course_lib.kernels.tile_sizes import OLDER, Tiles, padded, tiles_for
from course_lib.measures.compiling_process import in_a_compiling_process
from course_lib.measures.machine_code import loop_of

RECORD = "compiler_reports.json"
LIMITS = {75: 64 * 1024, 80: 163 * 1024, 90: 227 * 1024}  # bytes: T4, A100, H100
TYPES = {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32"}
ROWS = {"q", "k", "v", "out", "grad_out", "grad_q", "grad_k", "grad_v"}
SERIES = tuple(  # for the chapter: warps, then the block of keys, then stages
    ("forward", Tiles(block_q, block_k, warps, stages))
    for block_q, block_k, warps, stages in (
        (128, 64, 4, 2), (128, 64, 8, 2), (128, 128, 4, 2), (128, 128, 8, 2), (128, 128, 8, 3),
        (64, 64, 4, 2), (256, 64, 8, 2), (256, 128, 8, 2),
    )
)  # fmt: skip


def compiler_report(
    kernel: str, tiles: Tiles, *, d: int, dtype: str, arch: int, ruled: bool = False
) -> dict:
    """Compile one of the kernels of triton_tiles.py and read what came out.

    arch: the compute capability of the device, 80 for 8.0. ruled: with a window and a softcap.
    Gives registers and spilled_bytes (of a thread), shared_bytes and fits (of a program),
    tensor_cores (the instruction that multiplies tiles, "" if none does), atomics, and loop: what
    one turn of the loop over whole tiles does (machine_code.py).

    Raises: RuntimeError in a process in which Triton interprets.
    """
    import triton
    from triton.backends.compiler import GPUTarget

    if is_interpreted():
        raise RuntimeError("Triton interprets in this process: use compiler_reports")
    options = {"num_warps": tiles.warps, "num_stages": tiles.stages}
    compiled = triton.compile(
        _source(kernel, tiles, d, TYPES[dtype], ruled),
        target=GPUTarget("cuda", arch, 32),
        options=options,
    )
    usage, code = _dumps(compiled.asm["cubin"])
    registers, spilled = re.findall(r"REG:(\d+) STACK:(\d+)", usage)[0]
    multiply = re.search(r"\b(HGMMA|HMMA|IMMA)\b", code)
    return {
        "kernel": kernel, "dtype": dtype, "d": d, "arch": arch, **tiles._asdict(),
        "registers": int(registers), "spilled_bytes": int(spilled),
        "shared_bytes": compiled.metadata.shared,
        "fits": compiled.metadata.shared <= LIMITS[arch],
        "tensor_cores": multiply[1] if multiply else "",
        "atomics": bool(re.search(r"\b(ATOM|ATOMG|RED)\b", code)),
        "loop": loop_of(code),
    }  # fmt: skip


def compiler_reports(requests: list[tuple], seconds: float) -> list[dict]:
    """Reports made in another process: works in a notebook in which Triton interprets.

    requests: (kernel, tiles, d, dtype, arch), as for compiler_report, and "ruled" where it is.

    Raises: TimeoutError after `seconds`; RuntimeError if the compiler fails.
    """
    words = [
        ",".join((kernel, "x".join(map(str, tiles)), *map(str, others)))
        for kernel, tiles, *others in requests
    ]
    return in_a_compiling_process(__name__, *words, seconds=seconds)


def recorded() -> dict:
    """The published reports: "versions", "shipped", "ruled" (the same with window and
    softcap), "series" (d = 128), "older" (one of a T4).
    """
    return json.loads((files(__package__) / RECORD).read_text())


def code_hash() -> str:
    """Of the kernels' code without comments and docstrings: a report is about just this code."""
    code = ""
    for name in ("triton_rows.py", "triton_tiles.py"):
        tree = ast.parse((files("course_lib.kernels") / name).read_text())
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.Module | ast.ClassDef):
                node.body = node.body[1:] if ast.get_docstring(node) else node.body
        code += ast.unparse(tree)
    return hashlib.sha256(code.encode()).hexdigest()[:16]


def _source(kernel: str, tiles: Tiles, d: int, element: str, ruled: bool):
    """The kernel with the types of its arguments; rows begin at multiples of 16, as is usual."""
    from triton.compiler import ASTSource

    from course_lib.kernels import triton_tiles
    from course_lib.kernels.triton_rows import Rows

    function = getattr(triton_tiles, "forward" if kernel == "few" else kernel)
    fixed: dict[str, int | None] = {"D": d, "WIDTH": padded(d)}
    fixed |= {"BLOCK_Q": tiles.block_q, "BLOCK_K": tiles.block_k}
    fixed |= {} if ruled else {"low": None, "softcap": None}
    types = {"lse": "*fp32", "delta": "*fp32", "lengths": "*i32", "scale": "fp32"}
    types["softcap"] = "fp32"
    signature: dict[str, object] = {}
    constants: dict[tuple[int, ...], int | None] = {}
    aligned: dict[tuple[int, int], list] = {}
    for place, name in enumerate(function.arg_names):
        if name in ROWS:
            signature[name] = Rows._make((f"*{element}", "i32", "i32", "i32"))
            stride_aligned = [0] + [part for part in (1, 2, 3) if d % 16 == 0]
            aligned |= {(place, part): [["tt.divisibility", 16]] for part in stride_aligned}
        elif name in fixed:
            signature[name], constants[place,] = "constexpr", fixed[name]
        else:
            signature[name] = types.get(name, "i32")
    return ASTSource(function, signature, constexprs=constants, attrs=aligned)


def _dumps(cubin: bytes) -> tuple[str, str]:
    """How much the program uses, and its instructions."""
    import triton

    tool = Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / "cuobjdump"
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "kernel.cubin"
        path.write_bytes(cubin)
        usage, code = (
            subprocess.run([tool, what, path], capture_output=True, text=True, check=True).stdout
            for what in ("-res-usage", "-sass")
        )
    return usage, code


def _versions() -> dict[str, str]:
    import triton
    from triton.backends.nvidia.compiler import get_ptxas_version

    ptxas = re.search(r"V([\d.]+)", get_ptxas_version(90))
    return {"triton": triton.__version__, "ptxas": ptxas[1] if ptxas else "unknown"}


def main() -> None:
    """Print the reports that are asked for, or make all of them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("requests", nargs="*", help="such as forward,128x64x8x3,128,float16,90")
    parser.add_argument("--publish", action="store_true", help="renew what chapter 8 prints")
    options = parser.parse_args()
    if options.publish:
        _publish()
    else:
        print(json.dumps([_answer(*request.split(",")) for request in options.requests]))


def _answer(kernel: str, tiles: str, d: str, dtype: str, arch: str, ruled: str = "") -> dict:
    sizes = Tiles(*map(int, tiles.split("x")))
    return compiler_report(kernel, sizes, d=int(d), dtype=dtype, arch=int(arch), ruled=bool(ruled))


def _publish() -> None:
    shipped, ruled = (
        [
            compiler_report(
                kernel,
                tiles_for(kernel, getattr(torch, dtype), d, arch),
                d=d,
                dtype=dtype,
                arch=arch,
                ruled=rules,
            )
            for kernel in ("forward", "few", "backward_q", "backward_kv")
            for dtype in TYPES
            for d in (64, 128, 256)
            for arch in (80, 90)
        ]
        for rules in (False, True)
    )
    series = [compiler_report(*one, d=128, dtype="float16", arch=90) for one in SERIES]
    older = [compiler_report("forward", OLDER, d=64, dtype="float16", arch=75)]
    record: dict[str, object] = {"code": code_hash(), "versions": _versions()}
    record |= {"shipped": shipped, "ruled": ruled, "series": series, "older": older}
    (Path(__file__).parent / RECORD).write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
