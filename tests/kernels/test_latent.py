"""Latent attention: against ordinary attention on the keys that it stands for."""

import pytest
import torch

from course_lib.kernels.latent import kept_per_token, latent_attention
from course_lib.kernels.masks import causal, may_attend
from course_lib.kernels.positions import rotary

B, H, T, S, D, E, R, W = 2, 3, 5, 7, 11, 13, 4, 6


def drawn(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def parts():
    return drawn(B, H, T, D), drawn(B, S, R, seed=1), drawn(H, R, D, seed=2), drawn(H, R, E, seed=3)


def slow(q, latents, w_uk, w_uv, mask=None, q_turned=None, k_turned=None):
    """A loop over sentences, heads and queries; keys and values of each head are made."""
    output = torch.empty(*q.shape[:-1], w_uv.shape[-1], dtype=q.dtype)
    for b in range(len(q)):
        for h in range(q.shape[1]):
            k, v = latents[b] @ w_uk[h], latents[b] @ w_uv[h]
            for t in range(q.shape[2]):
                scores, width = k @ q[b, h, t], q.shape[-1]
                if q_turned is not None:
                    scores, width = scores + k_turned[b] @ q_turned[b, h, t], width + W
                if mask is not None:
                    scores = scores.masked_fill(~mask[t], -torch.inf)
                output[b, h, t] = (scores / width**0.5).softmax(0) @ v
    return output


@pytest.mark.parametrize("absorbed", [False, True])
def test_both_ways_are_attention_on_the_keys_that_the_latents_stand_for(absorbed):
    mask = may_attend(causal, S)[-T:]
    turned = {"q_turned": drawn(B, H, T, W, seed=4), "k_turned": drawn(B, S, W, seed=5)}
    for options in ({}, {"mask": mask}, turned, {"mask": mask, **turned}):
        ours = latent_attention(*parts(), absorbed=absorbed, **options)
        torch.testing.assert_close(ours, slow(*parts(), **options))


def test_a_turned_query_of_zeros_changes_the_division_alone():
    q, *rest = parts()
    nothing = {"q_turned": torch.zeros(B, H, T, W).double(), "k_turned": drawn(B, S, W)}
    plain = latent_attention(q * (D / (D + W)) ** 0.5, *rest)
    torch.testing.assert_close(latent_attention(q, *rest, **nothing), plain)


def test_rope_on_the_made_keys_cannot_be_absorbed():
    d, r = 4, 3
    w_uk, places = drawn(r, d), torch.arange(3.0)
    between = [
        rotary(torch.eye(d).double(), positions=places[i].expand(d)).mT for i in range(len(places))
    ]
    joined = [w_uk @ turn for turn in between]
    assert not torch.allclose(joined[0], joined[1])
    assert not torch.allclose(joined[1], joined[2])


def test_what_is_kept_does_not_depend_on_the_number_of_heads():
    assert kept_per_token(layers=61, latent=512, turned=64) == 61 * 576


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"w_uk": drawn(H, D, R)}, "w_uk has shape"),
        ({"w_uv": drawn(H, E, R)}, "w_uv has shape"),
        ({"q_turned": drawn(B, H, T, W)}, "belong together"),
        ({"q_turned": drawn(B, H, T, W), "k_turned": drawn(B, S, W + 1)}, "one width"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(change, said):
    q, latents, w_uk, w_uv = parts()
    with pytest.raises(ValueError, match=said):
        latent_attention(q, latents, **{"w_uk": w_uk, "w_uv": w_uv, **change})
