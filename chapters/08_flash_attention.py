# %% [markdown] minutes=2
# # 8 · FlashAttention: the same numbers, by another road
#
# You can write attention. Now give it a whole novel: in a single layer, the tables of its 32 heads would fill
# more than two dozen GPUs of 80 GB. FlashAttention makes one small tile of such a table, uses it and forgets
# it. The result is exact, up to rounding.
#
# Today you write its loop, a dozen lines. Then you read a *kernel*, a function that runs on a GPU, beside it.
#
# No GPU is needed. The part before "Depth" takes 40 minutes to an hour. Words and letters of earlier chapters stand in
# [one list](https://github.com/attention-dot-by-dot/course/blob/main/docs/cards.md#words).

# %%
import math

import torch

from course_lib.chapters.flash_attention import *

show_road_map(8)

# %% [markdown] minutes=1
# ## Three questions before you start
#
# On paper:
#
# 1. Eight heads, 1000 words: how many scores? (Chapter 7.)
# 2. Why may one subtract the largest score before the softmax? (Chapter 4.)
# 3. Eight words and a causal mask: how many pairs are allowed? (Chapter 6.)
#
# <details><summary>Answers</summary>
#
# 1. 8 · 1000 · 1000: a table for each head.
# 2. Every power is divided by the same number, and so is their sum. It cancels, and no power can
#    be too large.
# 3. 36: one for the first word, two for the second, ... eight for the last.
# </details>

# %% [markdown] minutes=1
# ## The table is too large, and too far away
#
# *A novel has 131,072 words. How much memory do its scores and weights take?* In *one* head, these are two tables of
# 131,072 · 131,072 numbers of 2 bytes: 69 GB. In all 32 heads they are 2,200 GB, and our GPU, an H100, has 80. One
# head after the other would fit. But each table is written to the memory and read back: 4,400 GB that travel.
#
# Travel where? A GPU computes in a chip beside its memory, and the chip holds little. Think of a library whose books
# are in the cellar (*HBM*, the main memory). A shelf upstairs (*L2 cache*) has room for some, and your desk for a few. If
# you go down for every line, you spend the day on the stairs. So fetch a stack, and do all you can with it.

# %% [markdown] minutes=5
# ### Slide: a GPU to scale
#
# *Does a GPU spend its time computing, or on the stairs?* Here is an H100 at work on plain attention: one layer of
# 32 heads, 128 wide, all at once. Its chip has 132 *SMs* (streaming multiprocessors), which work side by
# side, each at its own desk.

# %%
explore_gpu()

# %% [markdown]
# Over the arrow stands *our count* of what crosses: each table twice, written and read back; q, k, v and out once.
# We count as if nothing written stayed on the shelf: too severe for short texts.
#
# The bars are times at best, with all SMs at work, by NVIDIA's data sheet (2023; the shelf's was measured).
# "Computing" is the two products of tables, `q @ k.T` and `weights @ v`. All three go on at once, and the longest is
# the time. By our count the GPU waits for the cellar at every length: tables and operations both grow with n², so the
# ratio stays between 4 and 7.

# %% [markdown]
# Now take *tiles*, small rectangles of the table: tick "in tiles". An SM keeps 128 queries on its desk, and all keys and
# values of their head pass by, some at a time. Where they meet, there is a tile of scores, which is used at once and
# never written to the cellar. Compare the bars with their dashed outlines: "cellar ↔ shelf" now grows with n. ("At
# most", since SMs can share what they fetch.)

# %% [markdown] minutes=2
# ## A softmax in pieces
#
# *A tile holds only a piece of each row, but a softmax divides by the sum over a whole row. How can you
# begin with a piece?* Take six scores and six values:

# %%
scores = torch.tensor([1.0, 3, 2, 5, 4, 0])
values = torch.tensor([10.0, 20, 30, 40, 50, 60])
print(f"weighted mean: {scores.softmax(dim=0) @ values:.3f}")

# %% [markdown]
# Now they come in blocks of two, and each block is gone before the next one comes. Keep three numbers:
#
# - `largest` is the largest score so far;
# - `total` is the sum of $e^{x - \mathrm{largest}}$ over the scores $x$ so far;
# - `mixed` is the same sum, with each power multiplied by its value.
#
# At the end, `mixed / total` is the mean. The first block has the scores 1 and 3, so `largest` is 3, and
# `total` is $e^{1-3} + e^{3-3}$.
#
# The second block, 2 and 5, makes `largest` 5. From now on everything is counted from 5 (each power is $e^{x-5}$),
# but both sums were counted from 3. It is like exchanging money: $e^{x-3} \cdot e^{3-5} = e^{x-5}$, for every $x$ in
# the sum. So one factor,
# $e^{3-5}$, brings a whole sum into the new unit. Here are the first four scores:

# %%
total = math.exp(1 - 3) + math.exp(3 - 3)
mixed = math.exp(1 - 3) * 10 + math.exp(3 - 3) * 20
shrink = math.exp(3 - 5)
total_now = shrink * total + math.exp(2 - 5) + math.exp(5 - 5)
mixed_now = shrink * mixed + math.exp(2 - 5) * 30 + math.exp(5 - 5) * 40
print(f"in pieces: mixed {mixed_now:.3f} / total {total_now:.3f} = {mixed_now / total_now:.3f}")
for unit in (5, 4):  # 4 is no maximum: does that matter?
    powers = torch.exp(scores[:4] - unit)
    upper, lower = powers @ values[:4], powers.sum()
    print(f"the four at once, from {unit}: {upper:.3f} / {lower:.3f} = {upper / lower:.3f}")

# %% [markdown]
# So any number near the largest score would do as the unit. With one far below it, powers become infinite (chapter 4).
# With one far above it, all of them become 0, and 0 / 0 is no number (NaN).

# %% [markdown] minutes=3
# ### Slide: the sums shrink
#
# *When do the old sums have to shrink, and when do they stay?* Below are the two sums, before and after the block in the
# frame.
#
# Drag a score of block 2, and watch the pale, old part of both sums. Tick "forget to rescale": what goes
# wrong? Untick it, choose another order, and read all three: which one should come first?

# %%
explore_running_sums()

# %% [markdown] minutes=7
# ### Exercise: `weighted_mean`
#
# The third block is yours, and with it any number of blocks. Each comes once, so you cannot look for the maximum of
# all scores first. In the beginning `largest` is minus infinity: any score is larger, and the first factor is
# $e^{-\infty} = 0$. (`torch.exp` and Python's `max` serve throughout, since `largest` is a tensor.)


# %% exercise="weighted_mean"


# %% [markdown] minutes=1
# ## Rows and columns in tiles
#
# *That was one query. How do you do a whole table?* In two loops. The outer loop fetches a block of queries, and
# they stay. The inner loop lets all blocks of keys and values pass by. Each block of keys makes a tile of scores, and
# each row of it does what `weighted_mean` did.

# %% [markdown] minutes=3
# ### Slide: one step, one tile
#
# *What stays on the desk, and when does an output leave it?* Here is the loop on 12 words of width 4,
# counted between shelf and desk.
#
# The dark tile is on the desk, with `largest`, `total` and `mixed` of its queries.
# Drag it right, then down, and watch the strip `out`. For the goal, drag the rings at the ends of the first
# blocks of q and k: which size matters?

# %%
explore_tiles()

# %% [markdown]
# <details><summary>When does an output leave, and which size matters?</summary>
#
# An output leaves at the end of its row of tiles. Its query has met all keys by then.
#
# The number of queries in a block matters. The larger the blocks are, the fewer there are, and the less often keys
# and values are fetched. How many keys come at a time changes nothing in this count. Why not one block for all? It has
# to fit on the desk: in the first picture, 128 queries with their keys, values and tile fill more than half of it.
# </details>
# <details><summary>Is the way from shelf to desks now the real wait?</summary>
#
# Perhaps. Take 16,000 words. One head's keys and values, 8.2 MB, stay on the shelf, and each of its 16,000 / 128 = 125
# blocks of queries fetches them. In 32 heads: 125 · 32 · 8.2 MB = 33 GB. The shelf gives about 6.65 TB a second
# (measured by OpenXLA, 2025: `gpu_dot_fusion_cost_model.cc`). So this takes 5 ms, and computing 4.24: a wait, unless SMs
# share fetches. Without tiles, all 66.1 GB of the stairs pass here, too: at least twice as much.
#
# (If you know computer architecture: tiles are *blocking*, and the bars are a *roofline*.)
# </details>

# %% [markdown] minutes=9
# ### Exercise: `attention_by_tiles`
#
# Now the whole output is yours, still without a mask. Each query of a block has sums of its own: `largest` and `total`
# are columns, and `mixed` has a row for each query. `empty_sums(rows)` makes all three, empty, for so many queries: the
# last block may have fewer than `block_q`. Plan first: where do you call it?
#
# Divide the scores by $\sqrt d$. Make no table of scores larger than a tile, and do not call PyTorch's own
# attention.


# %% exercise="attention_by_tiles"


# %% [markdown]
# *The same numbers, and no table?* Here are 2048 words, in tiles of 256 · 256:

# %%
show_against_plain(attention_by_tiles)

# %% [markdown] minutes=5
# ### Exercise: `hide_later`
#
# *No query may look at a later key (chapter 6). But a tile does not say where in the table it lies. Which of its scores
# have to be hidden?* Row 0 of the tile is word number `first_q` of the text, and column 0 is word number `first_k`.


# %% exercise="hide_later"


# %% [markdown]
# Here are 12 words, in tiles of 3 by 2:

# %%
show_in_place(hide_later)

# %% [markdown]
# With the right mask, a kernel leaves out the 8 hidden tiles.

# %% [markdown] minutes=1
# ## Faster, and the novel fits
#
# *What does all this buy?* Versions 2 and 3 of FlashAttention were measured on an H100 (Shah et al., 2024; forward,
# 16 bit, width 128, no mask).

# %%
bet("what_it_buys")

# %%
show_speeds()
plain, version_2, version_3 = speeds().values()  # trillions of operations a second
settle("what_it_buys", version_3 / plain)

# %% [markdown]
# And the novel?

# %%
novel, wide = 131_072, 32 * 128  # words; 32 heads, each 128 wide
print(f"scores and weights: {32 * 2 * novel**2 * 2 / 1e9:,.0f} GB")  # numbers of 2 bytes
print(f"q, k, v and out: {4 * novel * wide * 2 / 1e9:.1f} GB")
for way, rate in {"plain, head by head": plain, "in tiles": version_3}.items():
    print(f"{way}, {rate} trillion a second: {core_flops(novel, wide) / rate / 1e12:.1f} seconds")

# %% [markdown] minutes=1
# ## You can read a kernel
#
# *What does your loop look like on a GPU?* In PyTorch each operation of your loop (`@`, `exp`) is a kernel of its own,
# which fetches from the cellar and writes to it. FlashAttention is one kernel for the whole loop: a tile never leaves
# its SM, where it lies on the desk (*shared memory*) or in the hand (*registers*).
#
# Many copies of the kernel, called *programs* (4000 in the first picture), take turns on the SMs. Each does one turn of
# your outer loop: it fetches its block of queries, `q_tile`, which begins at query `first`. After the inner loop it stores
# `mixed / total`.
#
# Below is the inner loop in Triton, a language for kernels. At the left stands your line for the same step, in your names.
# `load` fetches a tile, `tl.dot(a, b)` is `a @ b`, `tl.max(scores, 1)` the maximum of each
# row. These maxima are a flat list; `[:, None]` stands it upright where it meets a table.
#
# <details><summary>What do n, D, BLOCK_K and scale mean?</summary>
#
# `n` is the number of words, `D` the width, BLOCK_K the number of keys in a block, and `scale` is $1/\sqrt d$.
# All tiles here are float32. With 16 bits, as in the first picture, the last product is
# `tl.dot(powers.to(v_tile.dtype), v_tile)`.
# </details>

# %%
show_two_loops(attention_by_tiles)

# %% [markdown] minutes=2
# ### Bet: four colleagues and a mask
#
# *Could you judge a change to a kernel?* For a causal mask, your function comes right below `scores` in the
# loop at the right:
#
# ```python
# scores = hide_later(scores, first, start)
# ```
#
# Four colleagues each change or move one line:
#
# ```python
# mixed = mixed + tl.dot(powers, v_tile)             # A
# largest = new                                      # B, above shrink
# scores = hide_later(scores, first, start)          # C, above powers
# new = tl.where(new - largest <= 8, largest, new)   # D, below new
# ```
#
# (`tl.where(c, a, b)` is a where c holds, else b. So D keeps `largest`, unless `new` is more than 8 higher.)

# %%
bet("changed_loops")

# %%
tests = passed_tests()
settle("changed_loops", right_loop(tests))
show_tests(tests)

# %% [markdown] minutes=2
# ## What you can now say
#
# - A softmax can be made piece by piece: keep the maximum and two sums, and rescale both sums when the
#   maximum grows.
# - FlashAttention is exact, up to rounding. It neither stores the tables nor moves them. What remains
#   is to fetch keys and values once for each block of queries.

# %%
progress()

# %% [markdown]
# ### Where this occurs in a large language model
#
# |place|what is used|
# |---|---|
# |training, and reading a long prompt|FlashAttention, forward and back (`attn_implementation="flash_attention_2"`)|
# |writing word by word|tiles hardly help: there is only one query at a time|
#
# ### Test yourself
#
# <details><summary>A colleague tests her tiled softmax with texts of 50 words and blocks of 64. All
# tests pass. What do you say?</summary>
#
# Each text fits into one block, so nothing was ever rescaled. Take texts of several blocks, with the
# largest score in the last.
# </details>
# <details><summary>"FlashAttention is fast because it computes less." What is right?</summary>
#
# It computes as much as plain attention, apart from tiles that a mask hides. It is fast because it moves less
# between cellar and shelf.
# </details>
#
# **This was the last chapter.** In chapter 0 you switched one head off, and a model forgot. Since then you have
# written how it looks back: scores, scale, softmax, queries, keys and values, mask, heads, and today tile by
# tile. You began with two lists of numbers, multiplied and added up. Everything since then was
# made of that.

# %% [markdown] depth
# ## Depth: beyond the kernel
#
# Each section stands by itself. Three routes lead through them: S for who serves models, T for who trains them, K for
# who writes kernels. An appendix, "other models", stands at the end. If you take only one, take "your loop in a model".
#
# |section|what it is good for|route|minutes|
# |---|---|---|---|
# |somebody forgets to rescale|a bet: how well a bug can hide|K|2|
# |which test catches C?|an exercise: a test that is built|K|6|
# |your loop in a model|its memory; a wrong loop, seen in what a model writes|K|4|
# |around the loop|programs, and the other lines of the kernel|K|4|
# |a kernel for real models|the course's own, and when PyTorch takes its own|K|4|
# |one query cannot fill a chip|a bet: why writing is slower than reading|S|5|
# |two halves make a whole|an exercise: one row, shared by many workers or GPUs|S, T|11|
# |your merge, on four machines|how a text is read that fits on no machine|T|7|
# |a cache in pages|an exercise: how texts share a server's memory|S|9|
# |requests without filling|a bet: what filling up costs|S|4|
# |small tiles|a bet: whether tiles are always worth it|K|4|
# |count the walks|an exercise: what is moved, and where tiles begin to pay|K|7|
# |the same numbers?|whose rounding errors are smaller||2|
# |the way back makes the weights again|an exercise: training without the table|T|12|
# |tiles that nobody needs|an exercise: the work that a causal mask spares|T|10|
# |which loop stands outside|why FlashAttention-2 turned the loops|K|5|
# |when is n large?|a bet, an exercise: what ten times the words cost|T|14|
# |a roof over every device|whether a program computes or waits|K|16|
# |the compiler says what fits|why tiles have the size that they have|K|3|
# |a kernel of your own|you write a kernel and run it, on the CPU|K|15|
# |what fits into half precision|a bet on float16|T|4|
# |what fits into eight bits|a bet on float8, and a remedy from chapter 4|S|7|
# |what to read, and where to go|papers, and what to do next||3|

# %% [markdown] depth
# ### Depth: somebody forgets to rescale
#
# *How soon would you notice?*

# %%
bet("right_runs")

# %%
runs = {block: without_rescaling(scores, values, block) for block in (1, 2, 3, 6)}
true_mean = scores.softmax(dim=0) @ values
settle("right_runs", sum(torch.isclose(mean, true_mean).item() for mean in runs.values()))
for block, mean in runs.items():
    print(f"blocks of {block}: {mean:.2f}, and {true_mean:.2f} is right")

# %% [markdown] depth
# ### Depth: which test catches C?
#
# *Colleague C passes every test with random numbers, and fails where one hidden score is huge. How huge has it to
# be? Build such a test.*
#
# #### Exercise: `hidden_score`
#
# Take the six scores of the core, in blocks of two: 1, 3, 2, 5, 4, 0. A query may see the first three, and
# the mask hides the others. Put one number in place of the 5, so that C's loop goes wrong and the right one
# does not. The check also tries other rows, so `seen` holds the three scores that the query sees.


# %% exercise="hidden_score"


# %%
seen = torch.tensor([1.0, 3, 2])
for loop, (upper, lower) in both_sums(seen, hidden_score(seen)).items():
    print(f"{loop:10}  mixed {upper:6.3f}, total {lower:5.3f}, mean {upper / lower:.3f}")

# %% [markdown]
# C is mostly right, since any number above all scores may serve as the maximum. But here the hidden number
# is so far above them that every power that the query may use is 0, and 0 / 0 is `nan`, no number at all.

# %% [markdown] depth
# ### Depth: your loop in a model
#
# *Is the table gone with the novel, too?* Its last 128 queries meet all its keys, in three ways. A profiler notes the
# largest request for memory. Yours will be one tile: 128 · 512 numbers of 4 bytes. PyTorch's tiles are smaller.

# %%
q, k, v = (torch.randn(words, 64) for words in (128, 131072, 131072))
for name, way in three_ways(q, k, v, attention_by_tiles).items():
    right = torch.allclose(way(), attention(q, k, v), atol=1e-6)
    print(f"{name:18}  right: {right}, largest request: {largest_allocation(way):10,} bytes")

# %% [markdown]
# *And would you notice a wrong loop in a model?* The model of chapter 0 goes on with *giraffe pogir*: with its own
# attention, then with your loop in all eight heads, then with that of colleague B. Each query comes alone,
# with the keys that it may see, so no mask is needed.

# %%
yours = in_all_heads(lambda q, k, v: attention_by_tiles(q, k, v, 1, 4))
colleague = in_all_heads(lambda q, k, v: changed_loop("B", q, k, v, 4))
for model in (load_copying(), yours, colleague):
    print("giraffe pogir|" + model.continued("giraffe pogir", 6))

# %% [markdown] depth
# Yours copies. With B's loop, which never rescales, no error is raised, but the model has forgotten how to copy.

# %% [markdown] depth
# ### Depth: around the loop
#
# *The loop in Triton has ten lines. What does the rest of the kernel do?* A copy of a kernel is a *program* (in CUDA, a
# *thread block*). Each has a number, and takes one block of queries:

# %%
show_programs()

# %% [markdown]
# Triton's own `tl.load` and `tl.store` want the place of each number. Two functions of the course, `places` and `load`,
# work it out for a tile: entry j of row i stands D · i + j places after the first.
#
# ```python
# @triton.jit
# def places(x, first, D: tl.constexpr, ROWS: tl.constexpr):
#     return x + (first + tl.arange(0, ROWS)[:, None]) * D + tl.arange(0, D)[None, :]
#
# @triton.jit
# def load(x, first, D: tl.constexpr, ROWS: tl.constexpr):
#     return tl.load(places(x, first, D, ROWS))
# ```
#
# Before the loop, the program's number says which queries are its own, and the sums are empty. After it,
# the outputs are stored in their rows. (`tl.constexpr` marks what is fixed before compiling.)
#
# ```python
# @triton.jit
# def bare(
#     q, k, v, out, n, scale, D: tl.constexpr, BLOCK_Q: tl.constexpr, BLOCK_K: tl.constexpr
# ):
#     first = tl.program_id(0) * BLOCK_Q
#     q_tile = load(q, first, D, BLOCK_Q)
#     largest = tl.full([BLOCK_Q], float("-inf"), tl.float32)
#     total = tl.zeros([BLOCK_Q], tl.float32)
#     mixed = tl.zeros([BLOCK_Q, D], tl.float32)
#     ...  # the loop of the core
#     tl.store(places(out, first, D, BLOCK_Q), mixed / total[:, None])
# ```
#
# A line of Python starts the copies. The number in square brackets says how many programs run, here one
# for each 16 queries:
#
# ```python
# bare[(n // 16,)](q, k, v, out, n, d**-0.5, D=d, BLOCK_Q=16, BLOCK_K=16)
# ```
#
# This bare kernel does one head. A second number, `tl.program_id(1)`, would choose the head. For the causal mask of the
# core's last bet, `hide_later` is these two lines in Triton:
#
# ```python
# later = start + tl.arange(0, BLOCK_K)[None, :] > first + tl.arange(0, BLOCK_Q)[:, None]
# scores = tl.where(later, float("-inf"), scores)
# ```
#
# Does it run? Triton can also interpret a kernel on the CPU, slowly, program by program:

# %%
if use_interpreter():  # wherever Triton is
    from course_lib.kernels.triton_bare import bare_attention

    few = torch.randn(3, 96, 64, generator=torch.Generator().manual_seed(1))
    print("the same numbers:", torch.allclose(bare_attention(*few), attention(*few), atol=1e-5))

# %% [markdown] depth
# ### Depth: a kernel for real models
#
# *What does the bare loop lack?* A mask, heads that share their keys (chapter 7), and a soft limit for
# scores. Below is the course's own kernel, which has all three and has not run on a GPU yet. Most tiles
# need no mask: in them every query sees every key, and *stage* 0 has these. Stage 1 has the tiles on the
# diagonal and the last keys. Tiles in which nobody may see anything are in no stage, and this is all that
# a causal mask spares. Read only the lines below a comment; the others you know.

# %%
show_model_loop()

# %%
if use_interpreter():
    from course_lib.kernels.flash_triton import flash_attention_triton

    few = torch.randn(3, 90, 64, generator=torch.Generator().manual_seed(1))  # no block divides 90
    found = flash_attention_triton(*few, causal=True)
    right = flash_attention(*few, causal=True)
    print("the same numbers, with a mask:", torch.allclose(found, right, atol=1e-5))

# %% [markdown]
# <details><summary>One more trap: what if a row sees nothing at all in its first block?</summary>
#
# A hidden score adds a power of minus infinity to both sums, and that is 0. But in such a row
# `largest` is still minus infinity, and so is `new`. Minus infinity minus
# minus infinity is no number, and it spoils both sums. With a causal mask key 0 comes first, and every query sees it. A
# window has such rows. So the course's kernel begins with −10³⁰ instead of minus infinity.
# </details>
#
# PyTorch's own such kernel is called FLASH. Where one of its conditions fails, PyTorch takes another
# kernel, without a word. Does your own model's call work in tiles? Forbid every other way. If it does not,
# you get an error, and a warning names the reason:
#
# ```python
# from torch.nn.attention import SDPBackend, sdpa_kernel
#
# with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
#     model(words)
# ```
#
# On the CPU, q, k and v need four axes (batch, head, word, width): with two, PyTorch makes the whole table, and
# nothing warns. A GPU also needs numbers of 16 bits, no
# `attn_mask` (`is_causal=True` is fine), and *compute capability* 8.0 or more (an A100). And if you ask `nn.MultiheadAttention` for the weights,
# which it gives by default, the whole table is made again.

# %% [markdown] depth
# ### Depth: one query cannot fill a chip
#
# *A model reads your prompt of a thousand words in a blink, and then it writes its answer word by
# word. Why is writing so much slower than reading?* While it reads, a thousand queries share the same
# keys. (Servers call this *prefill*.) While it writes, each new word brings one query, which has to
# meet all keys and values so far (*decode*). They are fetched from the memory, used once, and dropped.

# %%
bet("one_query")

# %%
card, n_keys = DEVICES["H100"], 8192
print(f"{card.name}: {card.ridge:.0f} operations in the time of one byte")
parts_used = {}
for queries in (1, 4, 128, 1024):
    operations, moved_bytes = 4 * queries * n_keys * 128, 2 * 2 * (n_keys + queries) * 128
    at_best = card.attainable(operations / moved_bytes) / card.tflops
    parts_used[queries] = at_best
    print(f"{queries:4} queries: {operations / moved_bytes:5.1f} a byte, {at_best:.1%} of the chip")
settle("one_query", parts_used[1])

# %% [markdown]
# One query does one operation for each byte that is fetched for it. The chip could do 295 in that time, so it waits.
# Other people's texts do not help, because each text has keys of its own.
#
# Three things help. Several queries can share one fetch: heads that share their keys (chapter 7; in Llama-3-8B four
# of them do), or a few words that a small model has guessed and that are checked together (*speculative decoding*).
# Fewer bytes can be fetched for each word (chapter 7's latent attention, or numbers of eight bits). And all SMs of
# the chip can fetch at once, as the next section shows.

# %% [markdown] depth
# ### Depth: two halves make a whole
#
# *A model writes one word. It has 32 heads, and with a program for each head 100 of the 132 SMs of an H100 have nothing
# to do. Can several SMs share the keys of one head?* Say one of them has the first half of the keys, and another has
# the second. Their two outputs alone are not enough: whose counts how much? So each says one number more, for each
# query: the *log-sum-exp*, $\mathrm{lse} = \log \sum e^{x}$ over the keys of that half. It is the logarithm of the sum
# by which the softmax divides. $e^{\mathrm{lse}}$ is the sum itself, and the larger it is, the more that half counts.
#
# #### Exercise: `merge`
#
# Outputs are tables, a row for each query. `torch.logaddexp(a, b)` is $\log(e^a + e^b)$ without overflow.


# %% exercise="merge"


# %%
halves = [(scores[:3], values[:3]), (scores[3:], values[3:])]
parts = [((x.softmax(0) @ v).reshape(1, 1), x.logsumexp(0).reshape(1)) for x, v in halves]
out, lse = merge(*parts[0], *parts[1])
print(f"halves {parts[0][0].item():.3f} and {parts[1][0].item():.3f}, together {out.item():.3f}")

# %% [markdown]
# And eight parts? What comes out of `merge` is again such a part, so the next one can be joined to it. `reduce` does this to a list from left to right:

# %%
from functools import reduce

asking_now = torch.randn(1, 64, generator=torch.Generator().manual_seed(0))
all_keys, all_values = torch.randn(2, 8192, 64, generator=torch.Generator().manual_seed(1))
pieces = zip(all_keys.split(1024), all_values.split(1024), strict=True)
answers = [flash_attention(asking_now, *piece, return_lse=True) for piece in pieces]
out, lse = reduce(lambda one, two: merge(*one, *two), answers)
right = attention(asking_now, all_keys, all_values)
print(f"{len(answers)} workers, the same output:", torch.allclose(out, right, atol=1e-6))
print(f"programs for 32 heads: {32 * len(answers)}; each hands over {out.numel()} + 1 numbers")

# %% [markdown]
# Where few texts are written at a time, servers do this; it is called *Flash-Decoding* (Dao, Haziza,
# Massa and Sizov, 2023).

# %% [markdown] depth
# ### Depth: your merge, on four machines
#
# *A text is too long for one machine. Each of four holds a quarter of it: the queries, keys and values
# of its words. How can a query meet all keys, if no machine ever holds them all?* The queries stay. The
# keys and values travel: after each step, each machine hands those that it has to the next one, in a
# ring. So every query meets every key in the end, and in each step your `merge` joins what came out to
# what was there. This is *ring attention* (Liu, Zaharia and Abbeel, 2023).
#
# The next cell starts four processes here. Then it draws what each of them had in each step. On a grey plate lie keys
# and values that came from another machine. The four places of `out` say whose keys are in it.

# %%
on_four_machines(merge)

# %% [markdown]
# Follow k 0 and v 0: step by step it visits all four. With 24 words, 8 wide, and 4 bytes a
# number, a quarter of the keys and of the values is 384 bytes, and each machine hands on three quarters.
# Not one score was sent, and not one lse.
#
# With a causal mask there is a catch: queries at the beginning of the text see few keys, and all wait for the machine
# with the most work. The remedy is to deal the text like cards: eight stretches for four machines, each gets one from
# the beginning and one from the end. The course's `ring_attention` does so, with gradients, too.

# %% [markdown] depth
# ### Depth: a cache in pages
#
# *A server answers a hundred people at once, and nobody knows how long an answer will be. How much memory should it
# keep for the keys and values of each?* If it reserves room for the longest answer, most of the room stays empty. An
# operating system has the same trouble with programs, and its remedy is old. The memory is cut into *pages*. A text
# gets a page when its last one is full, whichever is free, and gives all of them back at its end.
#
# Then a text no longer lies in one piece. A *table* says where it is: its pages, in the order of its
# words. This is how vLLM keeps its cache (Kwon et al., 2023), by default in pages of 16 words. The
# memory is one long table, and page p has the rows from p times 16 on.
#
# #### Exercise: `rows_in_pages`
#
# A kernel that reads such a cache has to know where each word lies. In which rows of the memory are the words of a
# text, in their order? The last page need not be full, and a table may hold a page that is not in use yet. (Python
# has two signs for this: `20 // 16` is 1, how often 16 fits into 20, and `20 % 16` is 4, what is left.)


# %% exercise="rows_in_pages"


# %%
from course_lib.kernels.paged import PageTables, paged_attention

pages = PageTables(count=100, page=16)
for name, words in (("ann", 40), ("bo", 70), ("ann", 20), ("cy", 35)):
    pages.grow(name, words)
pages.give_back("bo")  # he has his answer
pages.grow("ann", 110)
print("ann's 170 words lie in the pages", pages.tables["ann"])
print("rows, if each reserves 2048:", 2 * 2048, "in pages:", 16 * (100 - len(pages.free)))

# %% [markdown]
# Ann's text is scattered, and some of its pages were Bo's before. Does attention notice? One query meets her keys,
# once fetched with your rows into one piece, and once page by page, with the running sums of this chapter:

# %%
draw = torch.Generator().manual_seed(0)
held_k, held_v = torch.randn(2, 100, 1, 16, 8, generator=draw)  # page, head, row, width
asking_now, table_of_ann = torch.randn(1, 1, 8, generator=draw), pages.tables["ann"]
rows = rows_in_pages(table_of_ann, 16, 170)
in_one_piece = attention(asking_now[0], *(one.flatten(0, 2)[rows] for one in (held_k, held_v)))
by_page = paged_attention(asking_now, held_k, held_v, torch.tensor([table_of_ann]), [170])[0]
print("the same:", torch.allclose(by_page, in_one_piece, atol=1e-6))

# %% [markdown]
# What is wasted now is at most the rest of one page for each text. And two texts that begin alike can
# have the same pages at the head of their tables.

# %% [markdown] depth
# ### Depth: requests without filling
#
# *A batch is a table with a row for each text. What stands in the rows of the short ones?* Filling does: words that
# mean nothing and that a mask hides (chapter 6). Plain attention makes their scores all the same.

# %%
bet("packed")

# %%
requests = [1000, 500, 500, 500]
within = sum(n * n for n in requests)
filled_up, one_row = len(requests) * max(requests) ** 2, sum(requests) ** 2
settle("packed", 100 * within / filled_up)
for name, scores_made in (("filled up", filled_up), ("one row and a mask", one_row),
                          ("packed", within)):  # fmt: skip
    print(f"{name:18} {scores_made / 1e6:.2f} million scores in each head")

# %% [markdown]
# One can put all words into one row, one text after another, and hide the other texts by a mask.
# Then nothing is filled up, but with plain attention more scores are made than before. *Packing* leaves
# them out. The kernel gets the row and a list of boundaries, which says where each text begins:
# `cu_seqlens` in FlashAttention, `cu_seq_q` in PyTorch's own `varlen_attn` (2025).

# %%
from course_lib.kernels.masks import document, may_attend
from course_lib.kernels.packed import boundaries, packed_attention

short = [5, 2, 4]
begins = boundaries(short)
q_row, k_row, v_row = torch.randn(3, 1, 11, 8, generator=torch.Generator().manual_seed(0))
whose = [text for text, n in enumerate(short) for _ in range(n)]  # 0 0 0 0 0 1 1 2 2 2 2
right = attention(q_row, k_row, v_row, mask=may_attend(document(whose), 11))
packed = packed_attention(q_row, k_row, v_row, begins)
print(begins.tolist(), "the same as with a mask:", torch.allclose(packed, right, atol=1e-6))

# %% [markdown] depth
# ### Depth: small tiles
#
# *Are tiles always worth it, however small they are?* Now count, for both ways, all numbers that come to the SMs or leave
# them, wherever they come from. Plain attention, too, fetches keys and values once for each block of queries, since its
# products are made block by block. Besides, it moves its tables.

# %%
bet("small_tiles")

# %%
traffic = {}
for block in (8, 32, 128):
    tiles = elements_moved("queries outside", 4096, 128, block_q=block)  # in the outer loop
    with_tables = elements_moved("plain", 4096, 128, block_q=block)
    traffic[block] = tiles, with_tables
settle("small_tiles", traffic[8][0] / traffic[8][1])

# %% [markdown]
# And in larger blocks? A fetched key serves all queries of its block, so k and v are fetched less often:

# %%
show_small_tiles(traffic)

# %% [markdown]
# So you need both: no table, and large blocks.

# %% [markdown] depth
# ### Depth: count the walks
#
# *From which block on do tiles move half of what plain attention moves?* Count as in "small tiles": all numbers that come
# to the SMs or leave them, with keys and values once for each block of queries, in both ways. For 4096 words and width
# 128 the answer lies between 32 and 128 queries. A formula says it for every length and every width.
#
# #### Exercise: `flash_traffic`
#
# The log of the course's loop says how much is moved. Say it as a formula. n queries, keys and values of width d; a
# block of queries stays on the chip while all keys and values pass by; the output leaves once.


# %% exercise="flash_traffic"


# %%
log = []  # this cell takes some seconds: the course's loop runs, and writes down each walk
flash_attention(*torch.zeros(3, 4096, 64), block_q=8, block_k=4096, log=log)
moved = sum(move.elements for move in log if move.name in ("q", "k", "v", "out"))
print("as the log says:", flash_traffic(4096, 64, 8) == moved)

# %%
tables = 4 * 4096**2  # numbers; the plain way moves them besides
for wide in (64, 128):
    walks = {rows: flash_traffic(4096, wide, rows) for rows in range(4, 513)}
    half = [rows for rows in walks if walks[rows] <= tables]
    quarter = [rows for rows in walks if walks[rows] <= tables / 3]
    print(f"width {wide:3}: half of plain from {half[0]} on, a quarter from {quarter[0]} on")

# %% [markdown] depth
# A wide head makes the keys and values that pass by wider, and the table of scores stays as it is. So
# twice the width needs twice the block.
#
# The FlashAttention paper counts the plain way more kindly, as if its products fetched q, k and v once. On an A100 it
# measured 4.4 GB for 40.3, forward and back (figure 2).

# %% [markdown] depth
# ### Depth: the same numbers?
#
# *Tiles add the same numbers in another order, so that the rounding differs. Whose errors are smaller?*
# The judge is float64.

# %%
q, k, v = torch.randn(3, 1000, 64, generator=torch.Generator().manual_seed(0))
right = attention(q.double(), k.double(), v.double())
tiled = flash_attention(q, k, v, block_q=64, block_k=64)
errors = [one - right for one in (tiled, attention(q, k, v))]
largest = [one.abs().max() for one in errors]
print("largest error at most twice that of the plain way:", bool(largest[0] <= 2 * largest[1]))
sizes = [one.square().mean() for one in errors]
print("mean square of all errors smaller:", bool(sizes[0] < sizes[1]))

# %% [markdown] depth
# ### Depth: the way back makes the weights again
#
# *To learn, one needs gradients, and for those the weights. Must the table be stored after all?* No:
# with the lse of each row (*log-sum-exp*, the logarithm of the sum by which its softmax divides), one number for each
# query, any tile of weights can be made again, as $e^{x - \mathrm{lse}}$. That costs operations.

# %%
bet("backward")

# %% [markdown]
# The next cell counts the operations of `flash_attention`, the course's own loop over tiles in PyTorch:

# %%
from torch.utils.flop_counter import FlopCounterMode

given = [one.requires_grad_(True) for one in torch.randn(3, 256, 64)]
with FlopCounterMode(display=False) as forward:
    loss = flash_attention(*given, block_q=64, block_k=64).sum()
with FlopCounterMode(display=False) as back:
    loss.backward()
settle("backward", back.get_total_flops() / forward.get_total_flops())

# %% [markdown]
# `flash_attention` makes all gradients in one pass. The kernel for a GPU, further down, makes two passes, one for the
# queries and one for keys and values, so that no program waits for the sums of another. So scores and gradients of
# weights are made in both: seven products, not five.
#
# One thing more is needed. The gradient of a softmax subtracts one number in each row, the same for all its scores
# (chapter 4): the sum over all keys of weight times gradient of the weight. A tile does not see all keys. But this
# sum is $\sum_j w_j \, (g \cdot v_j) = g \cdot \sum_j w_j v_j = g \cdot o$, with $g$ the gradient of the output and
# $o$ the output: one dot product for each query, made before the loop.
#
# #### Exercise: `score_gradient`
#
# The gradients of one tile of scores, t queries by s keys. `lse`, `grad_out` and `out` belong to the
# rows of the tile, `v` to its columns; the rows go on in other tiles.


# %% exercise="score_gradient"


# %%
table, kept = torch.randn(2, 5, 7, generator=torch.Generator().manual_seed(1))
kept, table = kept.T.contiguous(), table.requires_grad_(True)
out = table.softmax(dim=1) @ kept
out.sum().backward()
tile = slice(2, 5)
known = table.detach(), table.detach().logsumexp(dim=1), torch.ones(5, 5), out.detach()
found = score_gradient(known[0][:, tile], *known[1:], kept[tile])
print("as autograd says:", torch.allclose(found, table.grad[:, tile], atol=1e-6))

# %% [markdown]
# Three remedies, where the table is too large to keep:
#
# | remedy | what it spares | what it costs | the table of one layer |
# |---|---|---|---|
# | gradient checkpointing | what layers keep for the way back | each layer forward once more | is still there while the layer runs |
# | FlashAttention | the table itself | the scores once more, on the way back | never exists |
# | a window, sparse attention | pairs | another model: it cannot see them | smaller |

# %% [markdown] depth
# ### Depth: tiles that nobody needs
#
# *A causal mask hides almost half of all pairs. Does that spare any work?* In a full table, none. In
# tiles, those that are hidden from end to end are left out: 8 of 24 in the picture of `hide_later`.
#
# *How can a loop tell these tiles by `first_q` and `first_k`?* Put a number in place of 99, so that 16 tiles are made
# and the output stays the same:


# %%
def hidden(first_q, first_k):  # from end to end: then the loop leaves the tile out
    return first_k > first_q + 99  # your number instead of 99


few = torch.randn(3, 12, 4, generator=torch.Generator().manual_seed(0))  # q, k, v of 12 words
in_tiles, made = masked_by_tiles(hide_later, *few, block_q=3, block_k=2, hidden=hidden)
at_once = attention(*few, mask=torch.ones(12, 12, dtype=torch.bool).tril())  # True: may attend
print(f"{made} tiles made, the output of chapter 6: {torch.allclose(in_tiles, at_once, atol=1e-5)}")

# %% [markdown]
# <details><summary>Which number, and why?</summary>
#
# It is 2: the last query of a tile is `first_q + 2`, or `first_q + block_q - 1` in general. Where even the first key
# stands after it, all is hidden.
# </details>
#
# #### Exercise: `key_blocks`
#
# A kernel's program has one block of queries, and its loop has to know where it may stop. So for each block
# of queries, how many blocks of keys does any of its queries see? Keys count from the first one on.
#
# 12 words, with 3 queries and 4 keys in a block, give `[1, 2, 3, 3]`. The first block has the queries 0 to 2; they
# see the keys 0 to 2, which lie in one block of keys.


# %% exercise="key_blocks"


# %%
log = []
flash_attention(*torch.zeros(3, 4096, 64), causal=True, block_q=128, block_k=64, log=log)
visited = sum(move.name == "v" for move in log)
print("as the kernel does:", visited == sum(key_blocks(4096, 128, 64)))
print(f"{visited} of {32 * 64} tiles, {visited / (32 * 64):.0%}")

# %% [markdown] depth
# ### Depth: which loop stands outside
#
# *The first FlashAttention had keys outside and queries inside. Why was that turned?*

# %%
bet("first_order")

# %%
from course_lib.measures.attention_cost import largest_block
from course_lib.measures.loop_order import ORDERS

found = {}
for room in (128, 64):  # KB for four tiles of 16-bit numbers
    rows = largest_block(room * 1024, 128)
    for order in ORDERS:
        found[order, rows] = elements_moved(order, 4096, 128, block_q=rows, block_k=rows)
        print(f"room for {rows:3} rows: {order:15} {2 * found[order, rows] / 1e6:4.0f} MB")
settle("first_order", found["keys outside", 128] / found["plain", 128])

# %% [markdown]
# Queries stand outside in your loop and in FlashAttention-2 (2023), keys in the first FlashAttention
# (2022). There an unfinished output goes in and out in every round, half as much again. Turning the loops spares
# that, and more: each block of queries is a program of its own, and the SMs have work even where heads are few.
#
# With room for M numbers on the chip, four tiles of M / 4 each, it is about $12\, n^2 d^2 / M$ with keys
# outside and $8\, n^2 d^2 / M$ with queries outside.

# %% [markdown] depth
# ### Depth: when is n large?
#
# *FlashAttention is said to have broken the quadratic curse. Did it?* Memory is linear now. But every query still
# meets every key. Three steps, and what a counter of operations says of them, for n = 1000 and d = 64:

# %%
from torch.utils.flop_counter import FlopCounterMode

q, k, v = torch.randn(3, 1000, 64)
table = torch.randn(1000, 1000)
steps = [("q kᵀ", torch.mm, (q, k.T)), ("weights v", torch.mm, (table, v))]
for name, step, given in [*steps, ("softmax", torch.softmax, (table, 1))]:
    with FlopCounterMode(display=False) as counter:
        step(*given)
    print(f"{name:10} {counter.get_total_flops():11,} operations in products")
assert core_flops(1000, 64) == 2 * 2 * 1000 * 1000 * 64

# %% [markdown]
# $2 n^2 d$ for the scores, as many for the weighted values, and a few for each score in the softmax, which the
# counter does not see. All heads together are as wide as the model, m, so this *core* has $4 n^2 m$ operations in
# each layer. But a layer has linear parts, too: four projections with $8 n m^2$ operations, and the feed-forward
# part, two matrices that widen each word four times and narrow it again, with $16 n m^2$.

# %%
bet("ten_times")

# %%
before, after = block_flops(1000, 4096), block_flops(10_000, 4096)
settle("ten_times", after.total / before.total)
print(f"scores and weighted values: {after.core / before.core:.0f} times")
print(f"their share of the layer: {before.share:.0%}, then {after.share:.0%}")

# %% [markdown] depth
# #### Exercise: `break_even`
#
# Leave the feed-forward part out. In a model of width m, for which n do core and projections have the
# same number of operations?


# %% exercise="break_even"


# %%
print("GPT-2 small:", break_even(768), "words;", "a model of width 4096:", break_even(4096))

# %% [markdown]
# #### Slide: the share of attention

# %%
explore_share(break_even=break_even)

# %% [markdown]
# So "ten times longer, a hundred times the work" is true of the core, and of a whole model only when
# texts are very long. A model that writes word by word, with kept keys, compares each new word with all
# so far: 1 + 2 + ... + n = n (n + 1) / 2, so 55 for 10 words and 5050 for 100.
#
# A model like Llama-3-8B (32 layers, width 4096, keys and values 1024 wide, feed-forward 14336, by its
# paper), reading a text with a causal mask: attention's core against all its linear layers.

# %%
linear = 2 * (2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14336)  # for each word and layer
for n in (8192, 32768, 131072, 1_000_000):
    ratio = core_flops(n, 4096) / 2 / (n * linear)
    print(f"{n:9,} words: core / linear layers = {ratio:5.2f}")
print(f"a million words: {32 * core_flops(1_000_000, 4096) / 2:.1e} operations in the core")

# %% [markdown] depth
# ### Depth: a roof over every device
#
# *Is a program slow because it computes, or because it waits?* Count operations for each byte that it moves. Little
# work a byte: the memory (*HBM*, on gaming cards *GDDR*) is what one waits for, and the rate grows along a slope. Much work a byte: the chip is busy,
# and the rate ends at a flat roof. Where the slope meets it is the *ridge*.
#
# How many operations (one multiplication or one addition each) could a chip do in the time that it takes
# to fetch one number of 2 bytes? At best, by the maker's data sheets.

# %%
for device in DEVICES.values():
    print(f"{device.name:5} {2 * device.ridge:4.0f} operations   ({device.source})")

# %% [markdown] depth
# #### Slide: under the roof
#
# Take the foot of the dashed line and drag it to the right: the block of queries grows, for both ways. It "fits" here
# if the SM's store (*SRAM*; CUDA calls it *shared memory*) has room. Both axes are logarithmic: each mark is ten times
# the one before.

# %%
explore_roof()

# %% [markdown]
# Somebody says "half a millisecond on an A100 for the scores of 1000 queries and 1000 keys", without width
# or kind of number. What the data sheet allows for width 64 and 2 bytes:

# %%
a100, table = DEVICES["A100"], 2 * (2 * 1000 * 64 + 1000 * 1000)  # bytes: q and k in, scores out
computing = 2 * 1000 * 1000 * 64 / (a100.tflops * 1e12)
print(
    f"computing {computing * 1e6:.1f} and moving {table / (a100.bandwidth * 1e12) * 1e6:.1f} "
    "millionths of a second"
)

# %% [markdown]
# A GPU has thousands of multipliers, many of them in *tensor cores*, units that multiply small
# matrices. The tiles of a product are made side by side, and only one step waits for another. Are
# *additive* scores (chapter 2) "hard to make side by side"? No. But they need a sum, a tanh and a product
# for each pair and each hidden unit, and no matrix product does that. With 64 hidden units:

# %%
from course_lib.measures.score_cost import score_cost

dot_cost, additive = (score_cost(kind, 1000, 1000, 64) for kind in ("dot", "additive"))
print(f"operations: {additive.flops / dot_cost.flops:.1f} times, and {additive.tanh:,} tanh")
print(f"table of the sums: {1000 * 1000 * 64:,} numbers, of the scores: {1000 * 1000:,}")

# %% [markdown]
# What others measured on one H100 (Shah et al., 2024, figure 5; 16-bit numbers, heads of width 128,
# forward, without a mask), in TFLOP/s, 10¹² operations a second. The course's own kernel has no line among them: it
# was tested in Triton's interpreter and compiled, but has not run on a GPU yet. If this machine has
# one, the next cell checks the kernel on it, measures it, and adds its line below.

# %%
from course_lib.measures.gpu_rates import own_rates
from course_lib.measures.published import FORWARD_RATES, LENGTHS

mine = own_rates()
ours = {mine["device"]: mine["rates"]} if mine else {}
print("" if mine else "No GPU here: below stands what was published.")
print(f"{'words':9}", *(f"{n:6}" for n in LENGTHS))
for name, rates in (FORWARD_RATES | ours).items():
    print(f"{name:9}", *(f"{rate or '-':>6}" for rate in rates))

# %% [markdown]
# "Standard" is attention step by step in PyTorch; for 16384 words it ran out of memory. "Two to four times
# as fast" is a fair sentence if it says as what, where, and for how long a text.
#
# *Why can 646 pass the roof of the slide?* For 8192 words, in TFLOP/s:
#
# | way | bound by our count | bound with the cache | measured |
# |---|---|---|---|
# | plain | 142 | 211 | 139 |
# | tiles, FlashAttention-2 | 422 | 989 | 370 |
# | tiles, FlashAttention-3 | 422 | 989 | 646 |
#
# Our count knows no cache. The chip has one (*L2*, 50 MB), which is the shelf of the first slide. It holds the k and v
# of one head, 4.2 MB, and then each of them is fetched from the memory once, in both ways. A table of 134 MB does not
# fit into it, so plain attention still waits for the memory. Tiles have no table. With the cache, the memory does not
# hold them back: 989 is what the chip can compute. FlashAttention-2 stops at 370, because it was written for an older
# chip, and its softmax and its products wait for each other.
#
# What each version reached at best, beside what its chip can do:

# %%
from course_lib.measures.published import BEST_RATES

for one in BEST_RATES:
    share = one.tflops / DEVICES[one.device].tflops
    roof = f"{share:.0%} of the {DEVICES[one.device].tflops} in the data sheet of the {one.device}"
    print(f"{one.year} {one.name}: up to {one.tflops:4} TFLOP/s, {roof}")

# %% [markdown]
# Each of them was written for another chip, and each reaches about three quarters of it. FlashAttention-3 lets softmax
# and matrix products interleave, on units of the H100 that run on their own (its abstract). The B200 does
# 2.3 times as many operations in products as an H100, with as many units for exponentials in each SM
# as before, so that now the softmax holds up the products. FlashAttention-4 makes a part of the
# exponentials by multiplications, and rescales the running sums only where the maximum has grown a lot.

# %% [markdown] depth
# *And what does it buy, alone and in a whole training?*
#
# | what | against what | times as fast |
# |---|---|---|
# | FlashAttention-2 alone, on an H100 (Shah et al., 2024) | step by step in PyTorch | 4.2 at 512 words, 2.7 at 8192 |
# | training BERT-large with the first, on 8 A100s (Dao et al., 2022) | the record in MLPerf 1.1 | 1.15 |
# | training GPT-2 with it (the same paper) | HuggingFace's code | 3.0 to 3.5 |
# | the same | NVIDIA's Megatron-LM | 1.7 |
#
# Less is gained where attention is a small part of the work, or the rival is good already.

# %% [markdown] depth
# ### Depth: the compiler says what fits
#
# *Why not tiles as large as possible?* A tile lives in *registers*, the fastest places of the
# chip, and a program has so many: 255 for each of its threads. What does not fit is *spilled*: written to memory, and fetched again, in the
# innermost loop. A *warp* is 32 threads that step together; more warps, more registers. What Triton's
# compiler said of the course's kernel, for an H100, float16, width 128:

# %%
from course_lib.measures.compiler_report import recorded

report = recorded()
for one in report["series"]:
    size = f"{one['block_q']:3} x {one['block_k']:3}, {one['warps']} warps, {one['stages']} stages"
    spills = f"{one['registers']} registers, {one['spilled_bytes']:3} bytes spilled"
    print(f"{size}: {spills}, {one['shared_bytes'] // 1024} KB on chip")

# %% [markdown]
# Tiles of 128 by 64 spill with four warps, and not with eight. 256 rows spill with either number of keys, though
# such tiles fit into the chip's store.


# %% [markdown] depth
# ### Depth: a kernel of your own
#
# *What is a kernel, seen from inside?* A function that runs many times side by side, each time with
# another number, `tl.program_id`. It gets addresses, not arrays: `q + i * D + d` is where entry d of
# row i lies. `tl.load` fetches a whole tile of addresses. And nobody stops it at the end of an array:
# what lies beyond is somebody else's. So each load and each store has a *mask*.
#
# Triton can interpret kernels on a CPU, slowly, program by program. That is what you use here. (The
# course has it on Linux; elsewhere this exercise stays open.)
#
# #### Exercise: `masked_tile`
#
# Program (x, y) makes one tile of scores, ROWS times COLS. `i`, `j` and `d` are given. t and s need
# not be multiples of the tile. The keys are loaded lying down, with `d[:, None]`, so that
# `tl.dot(q_tile, k_tile)` fits. (Rows of 8 numbers are for the interpreter: a GPU's `tl.dot` wants 16.)

# %%
from course_lib.kernels.interpreter import has_triton
from course_lib.learner.triton_language import interpret, language

tl = language()


# %% exercise="masked_tile"


# %%
q, k, found = torch.randn(5, 8), torch.randn(7, 8), torch.zeros(5, 7)
if has_triton():
    interpret(masked_tile, (3, 2), q, k, found, 5, 7, D=8, ROWS=2, COLS=4)
    print("six programs, one table:", torch.allclose(found, q @ k.T, atol=1e-5))

# %% [markdown]
# With that, all of the course's kernel is open to you: `print(source_of("triton_tiles", "forward"))`
# shows it whole, and `backward_q` and `backward_kv` are the way back.

# %% [markdown] depth
# ### Depth: what fits into half precision
#
# *Mixed precision stands in many lists of tricks for stability. Does it belong there?*

# %%
bet("overflow")

# %%
thirty = torch.full((128,), 30.0)
settle("overflow", (thirty.half() @ thirty.half()).item())
for kind in (torch.bfloat16, torch.float32):
    print(f"{str(kind)[6:]:8} {(thirty.to(kind) @ thirty.to(kind)).item():.0f}")

# %% [markdown]
# float16 runs out of range, bfloat16 out of digits. Mixed precision makes products fast and tables
# small. That it works is owed to what is *not* half: scores, maximum and sums stay in float32.

# %% [markdown] depth
# ### Depth: what fits into eight bits
#
# *Half the bytes again, and twice the operations a second on an H100: can attention do with numbers of
# eight bits?* The kind that is used most, `float8_e4m3fn`, has one bit for the sign, four for the size
# and three for the digits. It ends at 448, so numbers are first divided by a *scale* that brings the
# largest of them there. How many rows should share one scale?


# %%
def in_eight_bits(x, rows):
    """x in float8 and back, with one scale for so many rows."""
    parts = [(part, part.abs().max() / 448) for part in x.split(rows)]
    return torch.cat(
        [(one / scale).to(torch.float8_e4m3fn).float() * scale for one, scale in parts]
    )


def off_by(found, right):
    """How far off a table is, as a share of its size, against float64."""
    return ((found - right).norm() / right.norm()).item()


# %%
q8, k8, v8 = torch.randn(3, 512, 64, generator=torch.Generator().manual_seed(0))
for outlier in (1, 10_000, 1_000_000):
    loud = v8.clone()
    loud[7, 3] = outlier  # one number of one value; how far off are the other 63 columns?
    others = [column for column in range(64) if column != 3]
    right = attention(q8.double(), k8.double(), loud.double())[:, others]
    found = [attention(q8, k8, in_eight_bits(loud, rows))[:, others] for rows in (512, 64, 16)]
    print(f"outlier {outlier:9,}:", *(f"{off_by(one, right):4.0%}" for one in found))

# %% [markdown]
# The columns: one scale for all 512 rows, for each 64, for each 16. Up to ten thousand the outlier does
# no harm, since four bits hold the size of a number. At a million all that shares its scale becomes 0. So
# with a scale for each tile it spoils its own tile and no other. But real keys have another kind of
# outlier. It stands in the same place of all keys.

# %%
bet("eight_bits")

# %%
shifted = k8.clone()
shifted[:, 3] += 100
right = attention(q8.double(), shifted.double(), v8.double())
plain_keys = off_by(attention(q8, in_eight_bits(k8, 64), v8), attention(q8, k8, v8))
loud_keys = off_by(attention(q8, in_eight_bits(shifted, 64), v8), right)
centred = in_eight_bits(shifted - shifted.mean(dim=0), 64)
settle("eight_bits", loud_keys)
print(f"without {plain_keys:.0%}, with {loud_keys:.0%}, "
      f"the mean key taken away first {off_by(attention(q8, centred, v8), right):.0%}")  # fmt: skip

# %% [markdown]
# The remedy is from chapter 4. If the same vector is taken away from all keys, all scores of a query
# become smaller by the same number, and a softmax does not notice. SageAttention (2024,
# arXiv:2410.02367) does this before it rounds. FlashAttention-3 turns queries and keys by one common
# rotation, which leaves each product as it is and spreads an outlier over all entries; with that and a
# scale for each block, its paper reports errors 2.6 times smaller than those of plain eight bits.

# %% [markdown] depth
# ### Depth: what to read, and where to go
#
# | paper | what it is for |
# |---|---|
# | Bahdanau, Cho, Bengio (2014), arXiv:1409.0473 | attention before Transformers, with additive scores |
# | Luong, Pham, Manning (2015), arXiv:1508.04025 | dot product and bilinear scores |
# | Vaswani et al., "Attention Is All You Need" (2017), arXiv:1706.03762 | scaled dot products, heads, the Transformer |
# | Rush (2018), nlp.seas.harvard.edu/annotated-transformer | the same paper as code |
# | Clark et al. (2019), arXiv:1906.04341 | what heads look at |
# | Milakov, Gimelshein (2018), arXiv:1805.02867 | `largest` and `total` of your `weighted_mean` |
# | Rabe, Staats (2021), arXiv:2112.05682 | its `mixed`: values summed first, divided once |
# | Dao, Fu, Ermon, Rudra, Ré, "FlashAttention" (2022), arXiv:2205.14135 | this chapter |
# | Dao, "FlashAttention-2" (2023), arXiv:2307.08691; Shah et al. (2024), arXiv:2407.08608 | the loops turned; Hopper chips, such as the H100 |
# | Zadouri et al., "FlashAttention-4" (2026), arXiv:2603.05451 | Blackwell chips, such as the B200 |
#
# Where to go from here:
#
# - **Write**: load a small open model, and replace its attention by yours. Its text must stay the same.
# - **Measure**: run `python -m benchmarks.attention` on a GPU that you can borrow, and change one thing.

# %% [markdown] depth
# ## Depth: appendix, other models
#
# These five sections leave the attention of this chapter: what they describe computes something else, in
# fewer operations.
#
# | section | what it is good for | minutes |
# |---|---|---|
# | other roads: leave pairs out | windows and sparse attention | 7 |
# | other roads: move the brackets | linear attention, and Performer's noise | 12 |
# | other roads: a memory that is written over | the delta rule, and why hybrids exist | 9 |
# | other roads: choose the keys | sparse attention by an indexer | 6 |
# | when is a recurrent network cheaper? | operations against time | 7 |

# %% [markdown] depth
# ### Depth: other roads: leave pairs out
#
# *If n squared is too much, look at fewer pairs. Is a mask enough?*

# %%
bet("dense_mask")

# %%
from torch.utils.flop_counter import FlopCounterMode

from course_lib.kernels.masks import causal, may_attend, sliding_window

mask = may_attend(causal & sliding_window(64), 1024)
q, k, v = torch.randn(3, 1024, 64, generator=torch.Generator().manual_seed(0))
flops = []
for some in (None, mask):
    with FlopCounterMode(display=False) as counter:
        attention(q, k, v, mask=some)
    flops.append(counter.get_total_flops())
settle("dense_mask", 100 * (1 - flops[1] / flops[0]))

# %%
from course_lib.kernels.local_attention import local_attention, scores_computed

local = local_attention(q, k, v, w=64)
print("the same as with the mask:", torch.allclose(local, attention(q, k, v, mask=mask), atol=1e-6))
for n in (1024, 4096, 65536):
    count = scores_computed(n, w=256)
    print(f"{n:5} words, window 256: {count / n**2:5.1%} of the scores, {count / n:.0f} a word")

# %% [markdown]
# A kernel that leaves blocks out is linear in n. It is exact for its own rule, and another model: beyond the window
# nothing is seen. So one mixes. Longformer (2020): a window, and a few words that see all and are seen by all. BigBird
# (2020): a window, such words, and random pairs. Many models since have a window in most layers and everything in some.

# %% [markdown] depth
# ### Depth: other roads: move the brackets
#
# *The softmax stands between $q k^T$ and $v$. What if it did not?* Say the weight of a pair is a product of features,
# $\varphi(q) \cdot \varphi(k)$, all positive. Then $(\varphi(Q)\, \varphi(K)^T)\, V = \varphi(Q)\, (\varphi(K)^T V)$:
# first a small table of features and values, which has the same size however long the text is.
#
# #### Exercise: `without_table`
#
# `fq` and `fk` are features of queries and keys. A row of weights is divided by its sum, as always. No
# table of queries times keys may be made.


# %% exercise="without_table"


# %%
from course_lib.kernels.linear_attention import elu_plus_one, linear_attention, random_features

fq, fk = elu_plus_one(q), elu_plus_one(k)
table = fq @ fk.T
both = table / table.sum(dim=1, keepdim=True) @ v, without_table(fq, fk, v)
print("brackets left, brackets right:", torch.allclose(*both, atol=1e-5))
right = attention(q, k, v)
print(f"against softmax attention: off by {(both[1] - right).norm() / right.norm():.0%}")

# %% [markdown]
# So it is exact for its own weights, and these are not softmax's: *another model*, no approximation.
# "O(n) with some loss of precision", as one reads, is meant for *random features* (Performer, 2020),
# which imitate softmax: exponentials of products with f random directions. On average over all
# directions their products are exact. How far off is the output with f directions?


# %%
def off(f, scale=1.0, seed=0):
    """How far random features are off, as a share of the output."""
    q, k, v = torch.randn(3, 256, 64, generator=torch.Generator().manual_seed(seed)).double()
    feature, q, k = random_features(64, f, seed + 100), scale * q, scale * k
    right = attention(q, k, v)
    return ((linear_attention(q, k, v, feature=feature) - right).norm() / right.norm()).item()


# %%
for scale, what in ((0.25, "small scores"), (1.0, "scores of spread 1")):
    for f in (16, 256, 4096):
        errors = [off(f, scale, seed) for seed in range(3)]
        print(f"{what:18} {f:4} features: off by {min(errors):4.0%} to {max(errors):4.0%}")

# %% [markdown]
# For small scores it works, and sixteen times the features make about a quarter of the error. For scores as they are,
# a few large exponentials decide the sum, and the random directions rarely hit them.
#
# | road | operations | memory | what it computes |
# |---|---|---|---|
# | plain attention | $n^2 d$ | $n^2$ | softmax attention |
# | FlashAttention | $n^2 d$ | $n$ | the same, exactly |
# | window or sparse (Longformer, BigBird) | $n w d$ | $n$ | softmax over fewer pairs |
# | linear (Katharopoulos et al.) | $n d^2$ | $n$ | other weights, exactly |
# | random features (Performer) | $n f d$ | $n$ | softmax, with noise |

# %% [markdown] depth
# ### Depth: other roads: a memory that is written over
#
# *What becomes of an old note when the same key is written again?* Linear attention can be read as a memory of one
# size, a table $Z$ of d rows and e columns. Each word adds $k\, v^T$ to it, and a query reads $q\, Z$. What was added
# stays for good. The *delta rule* (Schlag et al., 2021) first reads what the key already finds, and then writes only
# what is missing. *Decay* lets a part of everything fade. Here one key is written twice, with 10 and then with 30:

# %%
from course_lib.kernels.delta_rule import delta_rule

key, twice, write = torch.ones(2, 1), torch.tensor([[10.0], [30.0]]), torch.ones(2)
half = torch.tensor([1.0, 0.5])  # at the second word, half of the memory is kept
for name, how in {
    "added": {"erase": False},
    "added, with decay": {"erase": False, "keep": half},
    "delta rule": {},
}.items():
    print(f"{name:18} {delta_rule(key, key, twice, write, **how)[-1].item():.0f}")

# %% [markdown] depth
# How much does such a memory hold? The keys and the values are 16 wide, so that the table has 256
# numbers. The first 16 keys are perpendicular to each other, the later ones point anywhere.

# %%
bet("memory_holds")

# %%
draw = torch.Generator().manual_seed(0)
keys = torch.cat([torch.linalg.qr(torch.randn(16, 16, generator=draw)).Q,
                  torch.randn(48, 16, generator=draw)])  # fmt: skip
keys, notes = keys / keys.norm(dim=1, keepdim=True), torch.randn(64, 16, generator=draw)


# %%
def recalled(n):
    """What the first n keys find after all n were written."""
    write = torch.cat([torch.ones(n), torch.zeros(n)])  # first write all, then only read
    again = [torch.cat([one[:n], one[:n]]) for one in (keys, keys, notes)]
    return delta_rule(*again, write)[n:]


exact = [n for n in range(1, 65) if torch.allclose(recalled(n), notes[:n], atol=1e-3)]
settle("memory_holds", max(exact))

# %%
for n in (8, 16, 24, 64):
    soft = attention(keys[:n], keys[:n], notes[:n], scale=40.0)
    errors = [(one - notes[:n]).norm() / notes[:n].norm() for one in (recalled(n), soft)]
    print(f"{n:2} keys: delta rule off by {errors[0]:4.0%}, softmax by {errors[1]:.0%}")

# %% [markdown] depth
# Softmax keeps every key and every value, so that its memory grows with the text, and it finds each of
# them again. The table keeps its size, and what no longer fits is written over.
#
# So why not have both? Qwen3-Next (2025) has 48 layers. If all of them were softmax layers, each
# would keep 2 heads of keys and values, 256 wide, for every word. A layer with the delta rule keeps 32
# tables of 128 by 128, and next to nothing else. (All sizes are from its configuration.)

# %%
each_word, tables = 2 * 2 * 256, 32 * 128 * 128  # numbers of one layer
print(f"the tables of a layer are as large as the cache of {tables // each_word} words")
for n in (512, 8192, 262_144):
    all_soft, hybrid = 48 * each_word * n, 12 * each_word * n + 36 * tables
    print(f"{n:7,} words: 48 softmax layers {all_soft / 1e9:6.3f}, hybrid {hybrid / 1e9:5.3f} "
          "billion numbers")  # fmt: skip

# %% [markdown]
# So a *hybrid* has both: 36 of its layers have tables, for what happens nearby and for the drift of the text, and
# each fourth layer has softmax, which can fetch any word exactly. Kimi Linear (2025, arXiv:2510.26692) has the same
# three to one. The matter is not settled. MiniMax built M1 (2025) as such a hybrid, and went back to softmax in all
# layers of M2.

# %% [markdown] depth
# ### Depth: other roads: choose the keys
#
# *Must each query meet all keys, if most of them get next to nothing?* One can choose first. A cheap
# score, the *indexer*, meets all keys in few numbers; then attention meets only the best of them.
# DeepSeek-V3.2-Exp (2025) keeps 2048 keys for each query, and its indexer is learned. Here 1024 keys
# are random, 64 wide, and each query keeps the 64 that score highest.

# %%
bet("chosen_share")

# %%
from course_lib.kernels.attention import attention_weights
from course_lib.kernels.chosen_keys import attention_to_chosen, chosen

asking, asked, held = torch.randn(3, 1024, 64, generator=torch.Generator().manual_seed(0))
best = chosen(asking @ asked.T, 64)  # True for the 64 keys of each query
shares = (attention_weights(asking, asked) * best).sum(dim=1)
settle("chosen_share", 100 * shares.mean().item())

# %%
for spread in (1, 3):
    weights = attention_weights(spread * asking, asked)
    for width in (64, 16):
        index = asking[:, :width] @ asked[:, :width].T
        share = (weights * chosen(index, 64)).sum(dim=1).mean()
        print(f"spread {spread}, chosen by {width} numbers: {share:.0%} of the weight")
masked = attention(asking, asked, held, mask=best)
sparse = attention_to_chosen(asking, asked, held, asking @ asked.T, 64)
print("as with a mask:", torch.allclose(sparse, masked, atol=1e-5))

# %% [markdown] depth
# Where the weights are spread out, much is lost with the keys that are left out. Where a few scores
# are large, as in trained heads that know what they look for, few keys have nearly everything. And a
# cheap score that was not learned chooses badly: here it sees 16 of the 64 numbers, and half or less of
# the weight is left. Its own table still grows with n squared; it is only cheaper, number by number.

# %% [markdown] depth
# ### Depth: when is a recurrent network cheaper?
#
# *An RNN (recurrent network) needs O(n) operations, attention O(n squared). When does attention win all the same?*

# %%
bet("crossover")


# %%
def rnn_flops(n, m):
    """Each word and each state, m numbers wide, meets a matrix of m times m."""
    return 4 * n * m * m


settle("crossover", max(n for n in range(1, 5000) if core_flops(n, 256) <= rnn_flops(n, 256)))
for n in (32, 256, 512, 4096):
    core, all_of_it = core_flops(n, 256), core_flops(n, 256) + 8 * n * 256 * 256
    times = [part / rnn_flops(n, 256) for part in (core, all_of_it)]
    print(f"n = {n:4}: core {times[0]:5.2f}, with projections {times[1]:5.2f} times the RNN's")

# %% [markdown]
# And time? The same texts were put through both layers:

# %%
from course_lib.measures import recurrent_times

record = recurrent_times.recorded()
print(f"five runs on {record['machine']}, {record['date']}: attention took")
for n, spread in record["ratios"].items():
    print(f"{min(spread):5.2f} to {max(spread):5.2f} times the RNN's time for {n} words")

# %% [markdown]
# It has 2.1, 4.0 and 18 times the RNN's operations. A few large products are faster than many small
# steps that wait for each other.
#
# | | RNN | attention |
# |---|---|---|
# | operations of a layer | $n m^2$ | $n^2 m$, and $n m^2$ for projections |
# | steps that wait for each other, training | n | a fixed number |
# | the same, writing word by word | n | n: each word waits for the last |
# | way from word to word | up to n steps | one step |
# | memory while writing | one state of fixed size | all keys and values |
# | how memory is read | in order | in order too, in large products |
# | can it run side by side over time? | not with tanh between steps; over a batch yes; without tanh by a *scan* | yes, in training |
#
# That last row is the main reason why attention replaced RNNs.
