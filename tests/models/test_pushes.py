"""What parts of the sum push for adds up to the model's own scores."""

import torch

from course_lib.kernels.heads import merge_heads
from course_lib.models.copying import encode, load_copying
from course_lib.models.pushes import gathered, pushes

IDS = torch.from_numpy(encode("cats ca"))


def test_what_heads_gathered_is_what_the_block_adds():
    model = load_copying()
    for block in (0, 1):
        before, after = model.states(IDS)[block : block + 2]
        heard = gathered(model, IDS, block)
        assert heard.shape == (1, 4, 7, 16)
        torch.testing.assert_close(
            merge_heads(heard)[0] @ model.blocks[block].heads.w_o, after - before
        )


def test_the_whole_sum_pushes_for_its_own_scores():
    model = load_copying()
    x = model.states(IDS)[-1][-1]
    biases = model.norm.bias @ model.w + model.b
    scores = model(IDS)[-1] - biases
    torch.testing.assert_close(pushes(model, x, x), scores - scores.mean(), atol=1e-4, rtol=1e-4)


def test_parts_push_for_as_much_as_their_sum():
    model = load_copying()
    x = model.states(IDS)[-1][-1]
    parts = torch.randn(5, 64, generator=torch.Generator().manual_seed(0))
    both = pushes(model, parts, x).sum(dim=0)
    torch.testing.assert_close(both, pushes(model, parts.sum(dim=0), x), atol=1e-4, rtol=1e-4)


def test_every_reader_pushes_for_the_letter_that_followed():
    model = load_copying()
    heads = model.blocks[1].heads
    heard = gathered(model, IDS, 1)[0, :, -1]  # (4, 16)
    added = torch.einsum("hd,hdm->hm", heard, heads.w_o.unflatten(0, (4, 16)))
    said = pushes(model, added, model.states(IDS)[-1][-1]).argmax(dim=-1)
    assert said.tolist() == [int(encode("t")[0])] * 4
