"""The first call of a kernel imports nothing that takes seconds.

A time limit may strike while a learner's first attention runs. What Python is importing then stays
half imported for the rest of the notebook.
"""

import json
import subprocess
import sys
from itertools import product

import pytest
import torch

from course_lib.kernels.score_arguments import broadcast

SLOW = ("sympy", "torch._dynamo", "torch.fx.experimental.symbolic_shapes")
CALLS = """
import json, sys
import torch

from course_lib.kernels.attention import attention, attention_weights, trace
from course_lib.kernels.attention_backward import attention_backward
from course_lib.kernels.flash import flash_attention, merge, online_softmax
from course_lib.kernels.heads import grouped_attention, multi_head_attention
from course_lib.kernels.linear_attention import linear_attention, linear_attention_by_table
from course_lib.kernels.local_attention import local_attention
from course_lib.kernels.masks import causal, document, may_attend, padding, to_additive
from course_lib.kernels.multi_head import MultiHeadAttention
from course_lib.kernels.positions import alibi, rotary, sinusoidal

generator = torch.Generator().manual_seed(0)
q, k, v = (torch.randn(2, 3, 5, 4, generator=generator, requires_grad=True) for _ in range(3))
mask, bias = may_attend(causal & padding([5, 4]), 5)[:, None], alibi(3, 5)
layer = MultiHeadAttention(4, 2, generator, rotary="halves")


def calls():
    yield "attention", lambda: attention(q, k, v, mask=mask, bias=bias, softcap=5.0)
    yield "attention_weights", lambda: attention_weights(q, k, mask=mask)
    yield "trace", lambda: trace(q, k, v, mask=mask)
    yield "gradient", lambda: attention(q, k, v).sum().backward()
    yield "attention_backward", lambda: attention_backward(torch.ones_like(v), q, k, v)
    yield "masks", lambda: to_additive(may_attend(document([0, 0, 1]), 3))
    yield "positions", lambda: rotary(q) + sinusoidal(5, 4)
    yield "flash", lambda: flash_attention(q, k, v, causal=True, block_q=2, block_k=3)
    yield "flash, backwards", lambda: flash_attention(q, k, v).sum().backward()
    yield "online_softmax", lambda: online_softmax(q @ k.mT, v, 2)
    yield "merge", lambda: merge(v, v[..., 0], v, v[..., 0])
    yield "grouped", lambda: grouped_attention(q, k[:, :1], v[:, :1])
    yield "heads", lambda: multi_head_attention(q[0], *(torch.eye(4) for _ in range(4)), heads=2)
    yield "layer", lambda: layer(q[0], mask=causal)
    yield "cache", lambda: decoded(layer.new_cache(7, 3))
    yield "linear", lambda: linear_attention(q, k, v, causal=True)
    yield "by table", lambda: linear_attention_by_table(q, k, v)
    yield "local", lambda: local_attention(q, k, v, w=2, block=3)


@torch.no_grad()
def decoded(cache):
    layer(q[0], mask=causal, cache=cache, counts=[5, 1, 2])
    layer(q[0, :, :1], mask=causal, cache=cache)


found = {}
for name, call in calls():
    call()
    for slow in json.loads(sys.argv[1]):
        if slow in sys.modules:
            found.setdefault(slow, name)
print(json.dumps(found))
"""


def test_no_call_imports_what_takes_seconds():
    command = [sys.executable, "-c", CALLS, json.dumps(SLOW)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {}, "imported at the first call of"


def test_shapes_broadcast_as_torch_says():
    shapes = [shape for axes in range(4) for shape in product((0, 1, 2, 3), repeat=axes)]
    for one, other in product(shapes, repeat=2):
        try:
            wanted = tuple(torch.broadcast_shapes(one, other))
        except RuntimeError:
            with pytest.raises(ValueError, match="do not broadcast"):
                broadcast(one, other)
        else:
            assert broadcast(one, other) == wanted
