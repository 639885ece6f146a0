"""Values between two processes that do not trust each other: JSON, and the bytes of arrays.

    plain, buffers = packed(value, refer)      what goes over the pipe
    value = unpacked(plain, buffers, resolve)  the same value on the other side

Nothing is pickled: what comes is numbers, words, arrays, tensors, and containers of these. A
function travels as a reference, by which the other side may have it called; any other object as
a stand-in of its kind, with its type's name and its text, which is what a verdict says of it.
"""

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from course_lib.learner.arrays import as_array, is_tensor, kind_of

DEEPEST = 30  # containers in containers
MARK = "~"
DTYPE = re.compile(r"[<>|=][biufc]\d{1,2}")
TENSORS = (
    "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64",
    "complex64", "complex128",
)  # fmt: skip
Refer = Callable[[Any], dict]
Resolve = Callable[[dict], Any]


class Garbled(Exception):
    """What came over the pipe is none of what can be said here."""


def packed(value: Any, refer: Refer, buffers: list[bytes] | None = None) -> tuple[Any, list[bytes]]:
    """A value as JSON can hold it, and the bytes of its arrays.

    refer: makes a reference of a function.
    """
    buffers = [] if buffers is None else buffers
    return _packed(value, refer, buffers, 0), buffers


def _packed(value, refer, buffers, depth):
    if value is None or isinstance(value, bool | str):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, np.ndarray | np.generic):
        return _packed_array(value, refer, buffers, depth)
    if isinstance(value, int | float | complex):
        return _packed_number(value)
    if is_tensor(value):
        return _packed_tensor(value, buffers)
    if depth < DEEPEST and isinstance(value, tuple | list | set | frozenset | dict):
        inner = value.items() if isinstance(value, dict) else value
        items = [_packed(one, refer, buffers, depth + 1) for one in inner]
        return {MARK: _container(value), "items": items}
    if value is Ellipsis or value is NotImplemented:
        return {MARK: "ellipsis" if value is Ellipsis else "notimplemented"}
    if isinstance(value, np.random.Generator) or _is_torch_generator(value):
        return _packed_source(value, refer, buffers)
    kind = kind_of(value)
    if kind == "numbers":
        return _packed_array(as_array(value), refer, buffers, depth)
    if kind == "function":
        return refer(value)
    return {MARK: "other", "kind": kind, "name": type(value).__name__[:80], "text": _text(value)}


def _container(value) -> str:
    kinds = {"tuple": tuple, "list": list, "dict": dict, "set": set | frozenset}
    return next(name for name, kind in kinds.items() if isinstance(value, kind))


def _packed_number(value):
    if isinstance(value, complex):
        return {MARK: "complex", "parts": [value.real, value.imag]}
    if isinstance(value, float):
        return float(value)
    value = int(value)
    return value if abs(value) < 1 << 4000 else {MARK: "digits", "text": hex(value)}


def _packed_array(value, refer, buffers, depth):
    array = np.asarray(value)
    about = {MARK: "array", "scalar": isinstance(value, np.generic), "shape": list(array.shape)}
    if array.dtype.kind in "biufc":
        buffers.append(np.ascontiguousarray(array).tobytes())
        return about | {"dtype": array.dtype.str, "buffer": len(buffers) - 1}
    if depth >= DEEPEST or array.dtype.kind not in "OSU":
        return {MARK: "other", "kind": "other", "name": "ndarray", "text": _text(value)}
    items = [_packed(one, refer, buffers, depth + 1) for one in array.ravel().tolist()]
    return about | {"items": items}


def _packed_tensor(value, buffers):
    name = str(value.dtype).removeprefix("torch.")
    try:
        plain = value.detach().cpu().resolve_conj().resolve_neg().to_dense()
        content = _bytes_of(plain) if name in TENSORS else None
    except (RuntimeError, NotImplementedError):
        content = None
    if content is None:
        return {MARK: "other", "kind": "other", "name": "Tensor", "text": _text(value)}
    buffers.append(content)
    return {
        MARK: "tensor", "dtype": name, "shape": list(value.shape), "buffer": len(buffers) - 1,
        "slopes": bool(value.requires_grad),
    }  # fmt: skip


def _bytes_of(tensor) -> bytes:
    torch = sys.modules["torch"]
    if not tensor.numel():
        return b""
    flat = torch.empty(tensor.numel(), dtype=tensor.dtype)  # a step of its own may be any number
    return flat.copy_(tensor.reshape(-1)).view(torch.uint8).numpy().tobytes()


def _is_torch_generator(value) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Generator)


def state_of(value: Any) -> Any:
    """Where a source of random numbers stands, as plain values."""
    if isinstance(value, np.random.Generator):
        return value.bit_generator.state
    return value.get_state()


def set_state(value: Any, state: Any) -> None:
    """Bring a source of random numbers to where another one stands."""
    if isinstance(value, np.random.Generator):
        value.bit_generator.state = state
    else:
        value.set_state(state)


def _packed_source(value, refer, buffers):
    numpy = isinstance(value, np.random.Generator)
    name = type(value.bit_generator).__name__ if numpy else "torch"
    return {
        MARK: "source", "name": name, "state": _packed(state_of(value), refer, buffers, 0),
    }  # fmt: skip


def _text(value) -> str:
    try:
        return repr(value)[:400]
    except Exception:  # a learner's class may fail to show itself
        return f"<{type(value).__name__} object at 0x0>"


def unpacked(plain: Any, buffers: list[bytes], resolve: Resolve) -> Any:
    """The value that was packed. resolve: makes a function of a reference.

    Raises: Garbled, for anything else than `packed` makes.
    """
    try:
        return _unpacked(plain, buffers, resolve)
    except Garbled:
        raise
    except (KeyError, ValueError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise Garbled(f"{type(error).__name__}: {error}") from None


def _unpacked(plain, buffers, resolve):
    if plain is None or isinstance(plain, bool | int | float | str):
        return plain
    if not isinstance(plain, dict):
        raise Garbled(f"a {type(plain).__name__} without a mark")
    kind = plain[MARK]
    if kind in ("tuple", "list", "set", "dict"):
        items = (_unpacked(one, buffers, resolve) for one in plain["items"])
        return {"tuple": tuple, "list": list, "set": set, "dict": dict}[kind](items)
    if kind == "array":
        return _unpacked_array(plain, buffers, resolve)
    if kind == "tensor":
        return _unpacked_tensor(plain, buffers)
    if kind == "source":
        return _unpacked_source(plain["name"], _unpacked(plain["state"], buffers, resolve))
    if kind == "function":
        return resolve(plain)
    return _unpacked_word(kind, plain)


def _unpacked_word(kind, plain):
    if kind == "complex":
        return complex(*map(float, plain["parts"]))
    if kind == "digits":
        return int(plain["text"], 16)
    if kind in ("ellipsis", "notimplemented"):
        return Ellipsis if kind == "ellipsis" else NotImplemented
    if kind == "other":
        return _stand_in(plain["kind"], str(plain["name"]), str(plain["text"])[:400])
    raise Garbled(f"a value of the kind {str(kind)[:40]}")


def _unpacked_array(plain, buffers, resolve):
    shape = tuple(map(int, plain["shape"]))
    if "items" in plain:
        array = np.empty(len(plain["items"]), dtype=object)
        for place, one in enumerate(plain["items"]):
            array[place] = _unpacked(one, buffers, resolve)
        return array.reshape(shape)
    if not DTYPE.fullmatch(plain["dtype"]):
        raise Garbled("an array of an unknown type")
    content, dtype = bytearray(buffers[plain["buffer"]]), np.dtype(plain["dtype"])
    array = (np.frombuffer(content, dtype) if content else np.empty(0, dtype)).reshape(shape)
    return array[()] if plain["scalar"] else array


def _unpacked_tensor(plain, buffers):
    import torch

    if plain["dtype"] not in TENSORS:
        raise Garbled("a tensor of an unknown type")
    dtype, shape = getattr(torch, plain["dtype"]), tuple(map(int, plain["shape"]))
    content = bytearray(buffers[plain["buffer"]])
    try:
        made = torch.frombuffer(content, dtype=dtype) if content else torch.empty(0, dtype=dtype)
        return made.reshape(shape).requires_grad_(plain.get("slopes") is True)
    except RuntimeError as error:
        raise Garbled(str(error)) from None


def _unpacked_source(name, state):
    if name == "torch":
        import torch

        source: Any = torch.Generator()
    elif name in ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"):
        source = np.random.Generator(getattr(np.random, name)(0))
    else:
        raise Garbled("an unknown source of random numbers")
    try:
        set_state(source, state)
    except RuntimeError as error:
        raise Garbled(str(error)) from None
    return source


def _stand_in(kind: str, name: str, text: str) -> Any:
    """Something of the same kind (arrays.kind_of), of a type of that name, shown alike."""
    if kind == "text":
        return text.encode("utf-8", "backslashreplace")
    if kind == "generator":
        return _nothing_more()
    if kind == "coroutine":
        return _never_awaited()
    if kind == "iterator":
        return iter(())
    named = "".join(one for one in name if one.isidentifier() or one.isdigit())
    return type(named or "object", (), {"__repr__": lambda self: text})()


def _nothing_more() -> Iterator:
    yield from ()


async def _never_awaited() -> None:
    return None
