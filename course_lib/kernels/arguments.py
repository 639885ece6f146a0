"""What a call of attention may be given, and what is said where it cannot be."""

from collections.abc import Mapping, Sequence

from torch import Tensor

from course_lib.kernels.score_arguments import (
    FLOATS,
    broadcast,
    check_bias,
    check_mask,
    check_scale,
    check_softcap,
)


def check_attention(
    q: Tensor, k: Tensor, v: Tensor | None = None, *, mask: Tensor | None = None,
    scale: float | Tensor | None = None, bias: Tensor | None = None, softcap: float | None = None,
) -> None:  # fmt: skip
    """Refuse what `attention` cannot compute with, in words.

    Raises: TypeError for no tensor, a dtype that is not float or not the others', and a mask that
        is not boolean; ValueError for shapes that do not fit, a scale that is not finite and a
        softcap that is not above 0.
    """
    rows = {"q": q, "k": k} | ({} if v is None else {"v": v})
    check_rows(**rows)
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(
            f"k has vectors of width {k.shape[-1]} but q of width {q.shape[-1]}: both need the "
            f"same d{_turned(q, k)}"
        )
    if v is not None and v.shape[-2] != k.shape[-2]:
        raise ValueError(
            f"v has {v.shape[-2]} rows but k has {k.shape[-2]}: each key needs one value"
        )
    scores = (*_leading(**rows), q.shape[-2], k.shape[-2])
    check_mask(mask, scores, q.device)
    check_bias(bias, scores, q)
    check_scale(scale)
    check_softcap(softcap)


def check_projections(
    q: Tensor, k: Tensor, v: Tensor, w_q: Tensor | None, w_k: Tensor | None, w_v: Tensor | None
) -> tuple[Tensor, Tensor, Tensor] | None:
    """The three projections, None where there are none.

    Refuses some without the others, and widths that differ.
    """
    if w_q is None and w_k is None and w_v is None:
        return None
    if w_q is None or w_k is None or w_v is None:
        missing = "w_q" if w_q is None else "w_k" if w_k is None else "w_v"
        raise ValueError(f"{missing} is missing: give w_q, w_k and w_v, or none of them")
    weights = {"w_q": w_q, "w_k": w_k, "w_v": w_v}
    _alike(q=q, k=k, v=v, **weights)
    for (name, w), (source, x) in zip(
        weights.items(), {"q": q, "k": k, "v": v}.items(), strict=True
    ):
        _rows_of_vectors(source, x)
        if w.ndim not in (2, 3) or w.ndim != w_q.ndim:
            raise ValueError(
                f"{name} has shape {tuple(w.shape)}; expected (m, d), or (h, m, d) for h heads, "
                "and the same kind for all three"
            )
        if w.shape[-2] != x.shape[-1]:
            raise ValueError(
                f"{name} has {w.shape[-2]} rows but {source} has vectors of width {x.shape[-1]}: "
                f"rows of {source} meet columns of {name}, so both need the same m"
            )
    return w_q, w_k, w_v


def check_output_projection(joined: Tensor, w_o: Tensor) -> None:
    """Refuse a w_o that does not fit the outputs of the heads, side by side."""
    _alike(output=joined, w_o=w_o)
    if w_o.ndim != 2 or w_o.shape[0] != joined.shape[-1]:
        raise ValueError(
            f"w_o has shape {tuple(w_o.shape)} but the outputs side by side are "
            f"{joined.shape[-1]} wide: expected ({joined.shape[-1]}, m)"
        )


def check_like_output(
    grad_output: Tensor, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None
) -> None:
    """Refuse a gradient of another shape or dtype than the output's."""
    _alike(v=v, grad_output=grad_output)
    masks = {} if mask is None or mask.ndim < 3 else {"mask": mask}
    wanted = (*_leading(q=q, k=k, v=v, **masks), q.shape[-2], v.shape[-1])
    if tuple(grad_output.shape) != wanted:
        raise ValueError(
            f"grad_output has shape {tuple(grad_output.shape)} but the output has {wanted}: "
            "one derivative for each entry of the output"
        )


def _alike(**tensors: Tensor) -> None:
    """Refuse what is no tensor of floats, and a mixture of dtypes or devices."""
    (first, one), *_ = tensors.items()
    for name, tensor in tensors.items():
        if not isinstance(tensor, Tensor):
            kind = type(tensor).__name__
            raise TypeError(f"{name} is of type {kind}; expected a tensor: torch.as_tensor({name})")
        if tensor.dtype not in FLOATS:
            raise TypeError(f"{name} holds {tensor.dtype}; expected floats: {name}.float()")
        if tensor.dtype != one.dtype:
            raise TypeError(
                f"{name} holds {tensor.dtype} but {first} holds {one.dtype}: both need the same, "
                f"for example {name}.to({first}.dtype)"
            )
        if tensor.device != one.device:
            raise ValueError(f"{name} is on {tensor.device} but {first} on {one.device}")


def _rows_of_vectors(name: str, tensor: Tensor) -> None:
    shape = tuple(tensor.shape)
    if tensor.ndim < 2:
        came = f"one vector, of shape {shape}" if tensor.ndim else "a single number"
        cure = f"; one {name} alone is {name}[None]" if tensor.ndim else ""
        raise ValueError(f"{name} is {came}; expected rows of vectors, (..., n, d){cure}")
    if name != "v" and shape[-1] == 0:
        raise ValueError(f"{name} has shape {shape}; a vector needs at least one entry")


def _turned(q: Tensor, k: Tensor) -> str:
    turned = k.shape[-2] == q.shape[-1]
    return ". Is k transposed already? Here it holds one key in each row" if turned else ""


def _leading(**tensors: Tensor) -> tuple[int, ...]:
    """The common leading axes."""
    first, *rest = tensors
    common = tuple(tensors[first].shape[:-2])
    for name in rest:
        try:
            common = broadcast(common, tuple(tensors[name].shape[:-2]))
        except ValueError as error:
            raise ValueError(
                f"{first} has shape {tuple(tensors[first].shape)} but {name} has shape "
                f"{tuple(tensors[name].shape)}: the axes before the last two must match or be 1"
            ) from error
    return common


def check_whole(**sizes: int) -> None:
    """Refuse sizes that are no whole numbers from 1 on."""
    for name, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, int):
            raise TypeError(f"{name} is {size!r}; expected a whole number")
        if size < 1:
            raise ValueError(f"{name} is {size}; expected at least 1")


def check_heads(heads: int, n_kv_heads: int) -> None:
    """Refuse numbers of heads that are none, and heads that cannot share keys evenly."""
    check_whole(heads=heads, n_kv_heads=n_kv_heads)
    if heads % n_kv_heads:
        raise ValueError(
            f"{heads} heads cannot share {n_kv_heads} heads of keys and values evenly: "
            "n_kv_heads must divide heads"
        )


def check_divides(name: str, width: int, heads: int) -> None:
    """Refuse a width that heads do not divide evenly."""
    if width % heads:
        raise ValueError(
            f"{name} is {width} wide, which {heads} heads do not divide: each head needs as many "
            f"columns as the others ({width} = {heads} × {width // heads} + {width % heads})"
        )


def check_rows(**rows: Tensor) -> None:
    """Refuse what is not rows of vectors, all of one dtype and on one device."""
    _alike(**rows)
    for name, tensor in rows.items():
        _rows_of_vectors(name, tensor)


def check_multi_head(
    x: Tensor, context: Tensor, weights: Mapping[str, Tensor], biases: Sequence[Tensor] | None,
    heads: int, n_kv_heads: int,
) -> None:  # fmt: skip
    """Refuse projections that do not fit the inputs, the heads or each other.

    weights: w_q, w_k, w_v and w_o, in this order.
    """
    check_heads(heads, n_kv_heads)
    names = [f"b_{name[-1]}" for name in weights]
    if biases is not None and len(biases) != len(names):
        raise ValueError(f"biases holds {len(biases)}; expected four: {', '.join(names)}")
    by_name = {} if biases is None else dict(zip(names, biases, strict=True))
    _alike(x=x, context=context, **weights, **by_name)
    other = "x" if context is x else "context"
    sources = {"w_q": ("x", x, heads), "w_k": (other, context, n_kv_heads),
               "w_v": (other, context, n_kv_heads)}  # fmt: skip
    for name, (source, rows, count) in sources.items():
        _rows_of_vectors(source, rows)
        _matrix(name, weights[name])
        if weights[name].shape[0] != rows.shape[-1]:
            raise ValueError(
                f"{name} has {weights[name].shape[0]} rows but {source} has vectors of width "
                f"{rows.shape[-1]}: both need the same m"
            )
        check_divides(name, weights[name].shape[1], count)
    wide_q, wide_k = weights["w_q"].shape[1] // heads, weights["w_k"].shape[1] // n_kv_heads
    if wide_q != wide_k:
        raise ValueError(
            f"w_q makes queries of width {wide_q} in each of {heads} heads but w_k keys of width "
            f"{wide_k} in each of {n_kv_heads}: both need the same d"
        )
    _matrix("w_o", weights["w_o"])
    joined = x.new_empty(1, weights["w_v"].shape[1] // n_kv_heads * heads)
    check_output_projection(joined, weights["w_o"])
    for name, b in by_name.items():
        _one_for_each_column(name, b, f"w{name[1:]}", weights[f"w{name[1:]}"])


def _one_for_each_column(name: str, b: Tensor, matrix: str, w: Tensor) -> None:
    if b.shape != w.shape[1:]:
        raise ValueError(
            f"{name} has shape {tuple(b.shape)} but {matrix} has {w.shape[1]} columns: "
            f"expected ({w.shape[1]},)"
        )


def _matrix(name: str, w: Tensor) -> None:
    if w.ndim != 2:
        raise ValueError(
            f"{name} has shape {tuple(w.shape)}; expected a matrix, the columns of all heads side "
            "by side"
        )
