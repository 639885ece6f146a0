"""The mathematics of attention: arrays in, arrays out. Needs numpy or torch, nothing else.

    >>> import torch
    >>> from course_lib.kernels.attention import attention
    >>> from course_lib.kernels.heads import split_heads
    >>> from course_lib.kernels.masks import causal, may_attend
    >>> x = torch.randn(2, 5, 12)                     # two sentences of five words
    >>> q = k = v = split_heads(x, 3)                 # (b, h, n, d): three heads of width 4
    >>> attention(q, k, v, mask=may_attend(causal, 5)).shape
    torch.Size([2, 3, 5, 4])

Nothing is imported here; a file is a concept. In the order of the course, with numpy:

    vectors               dot product, norm, cosine, angle, projection; all queries with all keys
    scores                dot, cosine, bilinear and additive scores
    softmax               softmax, its logarithm and its Jacobian; entropy
    scaling               the division by sqrt(d), and how far scores spread without it
    bounded               QK-norm, softcap; a sink beside the scores, a gate behind the output

with torch:

    attention             attention, its weights, and `trace`, which keeps all nine steps
    attention_backward    its gradient by hand
    masks                 causal, windows, prefix, padding, documents, and how they combine
    positions             sinusoidal, rotary, ALiBi
    longer_positions      rotary for longer texts than were trained: interpolation, YaRN
    heads                 split, merge, share keys (GQA); `multi_head_attention`
    multi_head            the same as a layer that owns its weights, with rotary and a cache
    latent                keys and values made of one narrow vector for each word (MLA)
    kv_cache              what decoding need not compute again
    linear_attention      another similarity, summed over the keys first
    delta_rule            a memory of one size that is written over, and forgets
    chosen_keys           attention to the few keys that an indexer has chosen
    local_attention       windows whose other scores are never computed
    paged                 keys and values in pages, which a table of each text lists
    packed                texts one behind the other, without filling between them
    flash                 FlashAttention, tile by tile; the online softmax
    flash_triton          the same on a GPU, and in Triton's interpreter
    ring                  the same over several processes, none of which holds the whole text

and beside them what these need and nobody cites:

    arguments, score_arguments, whole_numbers      what a call may be given, and what is said else
    precision, differentiable_once                 own dtype under autocast; no second derivatives
    ragged_masks                                   sentences of different lengths in one cache
    flash_arguments, flash_rule                    one form of arguments and masks for both flashes
    triton_bare                                    its loop alone in Triton, to be read
    triton_tiles, triton_rows, tile_sizes          the kernels in Triton, and their sizes
    interpreter                                    Triton without a GPU
    ring_parts, ring_group                         who holds which words; the processes of a ring

Axes are named alike in all of them: b sentences, h heads, g heads of keys and values, t queries,
s keys, d width of a query and a key, e of a value, m of a word.
"""
