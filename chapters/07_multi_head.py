# %% [markdown] minutes=2
# # 7 · Multi-head attention: several heads, one output
#
# In one attention, each word asks one question. But a word has several at once: what stands right before
# me, what stands two places back, what followed me the last time? So a model cuts its queries, keys and
# values into narrow pieces and attends with each piece. These are the heads.
#
# Here you write heads, and throw away four of our model's eight: it still does its task. A picture shows where each head
# looks. But how would you prove that one is needed?
#
# The part before "Depth" takes about an hour, or forty minutes if you know half of it already.
# Words of earlier chapters are in [one list](https://github.com/attention-dot-by-dot/course/blob/main/docs/cards.md#words).

# %%
import math

import torch

from course_lib.chapters.multi_head import *

show_road_map(7)

# %% [markdown] minutes=1
# ## Three questions before you start
#
# 1. A mask says that word 2 may not look at word 5. Which number is written where? (Chapter 6.)
# 2. Write the three lines of attention from memory. (Chapter 5.)
# 3. Queries are 16 numbers wide. By what are the scores divided, and why? (Chapter 3.)
#
# <details><summary>Answers</summary>
#
# 1. Minus infinity, into row 2, column 5 of the *scores*, before the softmax.
# 2. `scores = q @ k.T / sqrt(d)`, `weights = softmax of each row`, `output = weights @ v`.
# 3. By 4, the root of 16. Without the root the scores spread so widely that the softmax gives nearly
#    everything to one key.
# </details>

# %% [markdown] minutes=5
# ## A model with eight heads
#
# Here is the model of chapter 0 again, which continues a string that repeats itself. It has two layers
# of four heads, counted from 0.
#
# *What does each head look at?* The text below is `cats_cats_`: two rounds of the same five signs, with an
# underscore for the space. Rows look at columns; the darker a cell, the larger the weight. The row of the second *a* is
# framed. In the lower tables the first round is paler: nothing has been repeated there yet.
#
# Find two heads that you could describe in five words, and write them down.

# %%
model = load_copying()
show_eight_maps(model)

# %% [markdown]
# <details><summary>What we would write down</summary>
#
# In the first layer head 1 looks at *the place before*, head 2 looks *two* places back, and heads 0 and 3 give a little
# to everything, and usually most to the letter itself. In the second round, the heads of the second layer look most at
# *what followed earlier*: from the second *a*, at the first *t*. (In head 2, the second *c*
# looks most at itself.)
# </details>
#
# *How do they work together?* In the first layer head 1 is the *writer*. At each letter it looks at the place before,
# fetches the letter there, and adds it to its own letter like a note: *the letter before me is an a*.

# %%
show_note_and_reader()

# %% [markdown]
# The second layer gets letter and note together. Each of its heads is a *reader*. To go on after *cats ca*, it stands
# at the second *a* and looks for a note *a*: follow the thick arrow. It finds one at the first *t*. The thin arrow
# brings back the letter above the note, the *t*.
#
# *Is every head needed?*

# %%
bet("which_head")

# %% [markdown]
# `without((0, 1))` turns off head 1 of the first layer, layer 0 in code: *loudness* 0. It tries 256 random strings that repeat.


# %%
def without(*heads):
    """The share of right letters after the first round, when these heads (layer, head) are off."""
    return copying_accuracy(model, 256, loudness=silent(*heads))  # 0 for these, else 1


# %%
before, follows = without((0, 1)), without((1, 0))
print(f"all heads {without():.2f}, without (0, 1) {before:.2f}, without (1, 0) {follows:.2f}")
settle("which_head", [before, follows])

# %% [markdown]
# So, by switching it off, one proves that a head is needed, here the writer. Reader 0 can go. Does it do nothing, or do others do the same?

# %%
all_readers = [(1, 0), (1, 1), (1, 2), (1, 3)]
print("one reader off:", [round(without(one), 2) for one in all_readers])
print(f"no reader: {without(*all_readers):.2f}, reader 0 alone: {without(*all_readers[1:]):.2f}")

# %% [markdown]
# Without any reader the model guesses blindly. Reader 0 alone lifts the share to .69: it does
# something, but the other three stand in for it.

# %% [markdown] minutes=1
# ## Where a letter stands twice, one note is not enough
#
# *Head 2 of the first layer notes the letter two places back. Can it go, too?*

# %%
print(f"without head 2 of the first layer: {without((0, 2)):.2f}")

# %% [markdown]
# No: 10 more letters of 100 go wrong. In *cat map ca*, the *t* and the *p* both carry the writer's note *a*.
# Which of them comes next?

# %%
show_second_note()

# %% [markdown]
# The reader at the last *a* has a note of its own, *c*. So it asks for both notes, *a* and *c*. Only the *t* has both: it comes next.

# %% [markdown] minutes=2
# ## One softmax has only 1 to give
#
# *Why several heads, and not one wide attention?* Let one attention try to bring what heads 1 and 2 bring: the letters
# one and two places back. However wide it is, it has one softmax, with only 1 to give: one half for each place.
#
# Say that an *a* is the number 2, and a *c* is 8. Then the *t* of *cat* gets $.5\cdot 2+.5\cdot 8=5$. The *t* of *act*
# gets $.5\cdot 8+.5\cdot 2=5$, too: nobody can tell them apart. Two heads have two softmaxes. One brings 2, the other 8,
# each in full. Guess: would weights of .7 and .3 help?
#
# <details><summary>What .7 and .3 bring</summary>
#
# With .7 for the letter before, the two *t* get 3.8 and 6.2. But say that an *e* is 5, and a *p* is 1: the *t* of *pet*
# gets $.7\cdot 5+.3\cdot 1=3.8$, as that of *cat* does.
#
# With .51 and .49 no two pairs of whole numbers from 1 to 27 have the same sum: 2 and 8 give 4.94, 3 and 7 give 4.96.
# But a matrix reads these sums, and it can only multiply: the factor that makes 2 of 4.94 makes 2.01 of 4.96, and not 3.
# So the reason is: no matrix gets two letters back out of one sum, and two softmaxes bring each in full, apart.
# </details>

# %% [markdown] minutes=2
# ## A head is an attention with a narrow query
#
# *Two heads need two softmaxes. Must the model become twice as large?* No: its queries, keys and values are cut, and
# its matrices stay as they are. Here are three words and two heads, with made-up weights. The query of the third word,
# framed, is 5 6 50 60: head 0 asks with 5 6, and head 1 with 50 60.
#
# Each head has its own weights, and its own half of each value. The first digit of a value is its word, the second its
# column. (Keys are not drawn.) Head 1 looks one word back; the first word
# looks at itself. At the end the outputs stand side by side: they are *merged*.

# %%
q = torch.tensor([[[1.0, 2, 10, 20], [3, 4, 30, 40], [5, 6, 50, 60]]])  # one sentence
show_split_and_merged(q[0])

# %% [markdown]
# So the columns of $Q = XW_Q$ are cut into strips, one for each head, and those of $K$ and $V$, too.
# Strip $i$ of $Q$ is $Q_i$, made by strip $i$ of $W_Q$ alone.

# %% [markdown] minutes=6
# ### Exercise: `split_heads`
#
# Your function gets `x`, (b, n, h·d): b sentences of n words, and h times d columns, d for each head. It returns the
# strips, (b, h, n, d). Heads come before words, because `@` multiplies the last two axes. So the $Q$ of the picture,
# (1, 3, 4), becomes (1, 2, 3, 2).
#
# Two tools: `x.reshape(...)` cuts the rows into pieces, and never moves a number past another. `x.transpose(1, 2)`
# exchanges axes 1 and 2. The commonest wrong answer has the right shape and the wrong numbers. So write down first
# what head 0 of two must get of these three words:
#
# ```text
#  1  2  3  4  5  6  7  8
#  9 10 11 12 13 14 15 16
# 17 18 19 20 21 22 23 24
# ```


# %% exercise="split_heads"


# %% [markdown] minutes=8
# ### Exercise: `multi_head`
#
# After the merge, a last matrix, $W_O$, mixes what the heads brought. Without it, the first columns of the output could
# only ever come from head 0. With $h$ heads:
#
# $$\mathrm{head}_i = \mathrm{Attention}(Q_i, K_i, V_i), \qquad
# \mathrm{output} = [\mathrm{head}_0 \dots \mathrm{head}_{h-1}]\, W_O$$
#
# The split is made for you. The three lines of attention (*Answers* at the top), with `scores.softmax(dim=-1)`, need no
# loop. `merge_heads` is the way back, from (b, h, n, d) to (b, n, h·d): 31 32 and 23 24 become one row. The mask is
# (n, n), the same for all sentences and heads, or None.
#
# Two tools: `k.mT` exchanges the last two axes, and `scores.masked_fill(~mask, -torch.inf)` returns new scores, with
# minus infinity where the mask is False. The first trial is the picture above: its `x @ w_q` is $Q$, and its $W_O$
# adds the last number to the first: 31 32 23 24 becomes 55 32 23, as words are 3 wide here.


# %% exercise="multi_head"


# %% [markdown]
# Your function in our model:

# %%
yours = with_multi_head(model, multi_head)
print(f"right letters in 256 strings: {copying_accuracy(yours, 256):.2f}")

# %% [markdown] minutes=2
# ## What does a single head add?
#
# *$W_O$ mixes the heads' outputs into one. Which part of it is a single head's?* Take the framed row again,
# 31 32 23 24. In the picture each number multiplies the row of $W_O$ beside it, and these rows are added up.

# %%
show_mixed_rows()

# %% [markdown]
# Head 0's numbers meet the upper two rows alone, and head 1's the lower two. So each head has $d$ rows of its own,
# written $W_O^{(i)}$, and adds its part:
#
# $$[\mathrm{head}_0 \dots \mathrm{head}_{h-1}]\,W_O = \sum_i \mathrm{head}_i\, W_O^{(i)}$$
#
# So without head 1, 31 32 0 is left.
#
# Around your function the model adds this sum to what came in. At the *t* of *cat*, with made-up numbers:
#
# $$\underbrace{4\;0\;0}_{x,\text{ the }t}+\underbrace{0\;2\;0}_{\text{head 1: note }a}+
# \underbrace{0\;0\;1}_{\text{head 2: note }c}=\underbrace{4\;2\;1}_{x+\mathrm{output}}$$
#
# One vector carries the letter and both notes. A reader asks for both with 0 1 1:
#
# | place | vector | its score |
# |---|---|---|
# | *t* of *cat* | 4 2 1 | 2+1=3 |
# | *p* of *map*, no note *c* | 3 2 0 | 2+0=2 |
#
# $W_K$ picks out the notes, and $W_V$ the letter, the 4. (In the model they share all columns, in
# different directions.)

# %% [markdown] minutes=2
# ## A head is born
#
# *Who told head 1 to look at the place before?* Nobody did. The training has one aim, the next letter.
#
# Guess, for our model's training below: does one layer learn before the other, or both together? And is it good at step
# 300, with notes half written?

# %%
show_birth()

# %% [markdown]
# Together: at the first rise both move. Heads 1 and 2 of the first layer begin to look at the place before, and the
# second layer learns to read their notes. Half-written notes are enough for more than 8 of 10 letters. At the second
# rise, head 1 takes over this work, and head 2 leaves it to look two places back.
#
# Why only .46 there? Here are both halves of the texts:

# %%
print(halves_of_head_2(model))

# %% [markdown]
# <details><summary>Why does it cost nothing to turn head 2 off in the second half?</summary>
#
# A round has at most 24 letters. With 20, letter 30 is letter 10 again. From there the readers look at letter 11: it is in
# the first half, where head 2 leaves its notes.
# </details>

# %% [markdown] minutes=6
# ## Slide: make a head quieter
#
# *Is the writer needed in full?*

# %%
bet("half_writer")

# %%
half = torch.tensor([[1, 0.5, 1, 1], [1, 1, 1, 1]])  # the writer adds half of its part
settle("half_writer", 100 * copying_accuracy(model, 256, loudness=half))
# lead: a reader's score of the right place, less its next best; median: half of all leads are larger
for note, loudness in (("full", silent()), ("half", half)):
    print(f"with the {note} note, medians: {lead_and_weight(model, loudness)}")

# %% [markdown]
# Your `multi_head` runs the model. The large map is one reader, in the second round of *promised*, without
# the columns of little weight. A click makes a small map large.
#
# 1. Pull the knob above *writer* down, until 35 to 65 % are right. Do the dark cells stay in their boxes?
# 2. Turn the writer off. Where does reader 3 look now? Guess: with head 2 of the first layer off as well, are more
#    letters right, or fewer?
# 3. Turn both on, and all readers but 0 off. Guess: is its map paler where a letter is wrong?

# %%
explore_quieter_head(multi_head=multi_head)

# %% [markdown]
# <details><summary>How far, and do the dark cells stay in their boxes?</summary>
#
# To a quarter, or to .3. Some do. Other boxes are paler or empty, because the weight has gone elsewhere. And what the
# model says is all four readers' doing: at a quarter, in row *i*, reader 3 looks at the *e*, but readers 1 and 2 at the
# *r*, and the model says *r*.
# </details>
# <details><summary>With the writer off, does it help to turn off head 2 as well?</summary>
#
# Yes. To a reader, head 2's notes look like the writer's, only fainter: without the writer they lead it astray. Take
# the row *i*: its reader looks for a note *i*. Head 2 wrote one at the *e*, because an *i* stands two places before it.
# So the dark cell is one place to the right of the box, and the model says *e* instead of *s*.
#
# With head 2 off, too, there are no such notes. Some boxes get weight again, and some letters come right. Why a fifth? Because the readers
# still bring letters of the text: of its different letters, on average one in nine would be right by chance. What makes the rest, we do not know.
# </details>
# <details><summary>With reader 0 alone, is its map paler where a letter is wrong?</summary>
#
# No: its map stays as it was, with the dark cells in their boxes, and yet three of the eight letters are wrong. In row
# *p* it finds the *r*, and pushes for it. But the *p* itself and the first layer push for other letters, most for the *z*,
# and one reader alone does not outweigh them.
# </details>

# %% [markdown] minutes=5
# ### Exercise: `four_to_spare`
#
# Throw four of the eight heads away, so that at least 9 of 10 letters stay right. Guess first how many of the 70 ways
# will do: the cell has a line for it. `print(without((0, 0), (1, 2)))` tries it without two.


# %% exercise="four_to_spare"


# %% [markdown]
# *Can a fifth head go?*

# %%
bet("fifth")

# %%
four = four_to_spare()
two_on = [reader for reader in all_readers if reader not in four]
fifth = {head: without(*four, head) for head in [(0, 2), *two_on]}
print({head: round(share, 2) for head, share in fifth.items()})
settle("fifth", list(fifth.values()))

# %% [markdown]
# With all heads on, head 2 was needed (89 right without it, not 99), and no single reader was. With the writer off,
# head 2 did harm. Now it is needed less than either reader. **What a head is worth depends on which others are on.**
# No map told us. So before you call a head important, switch it off, and say which others were on.

# %% [markdown] minutes=2
# ## What you can now say
#
# - Heads are strips of columns, and each attends by itself, under the same mask.
# - Merged and multiplied by $W_O$, they are a sum of what each head adds.
# - Nobody assigns heads their work.
# - A map says where a head looks, and not what it is worth.
#
# <details><summary>What others call it</summary>
#
# A writer is a *previous-token head*, a reader an *induction head*. Merged is *concatenated*, and $x + \mathrm{output}$
# is a *residual connection*. To switch off is to *ablate*.
# </details>

# %%
progress()

# %% [markdown]
# ### Where this occurs in a large language model
#
# In the published sizes of GPT, Llama and BERT, a layer mostly has 12 to 128 heads. In newer models they share keys
# and values (see Depth).
#
# ### Test yourself
#
# <details><summary>The map of a head is dark and sharp, and without the head nothing changes. Name two
# reasons.</summary>
#
# Other heads do the same work and stand in for it. Or what it takes is not used: its values or its rows of
# $W_O$ add little, or no later layer reads it. The map shows none of this.
# </details>
#
# **Next:** every head fills a table of n × n scores. For 100,000 words that is ten billion numbers a head.
# Chapter 8 computes the same output without ever storing the table.

# %% [markdown] depth
# ## Depth: beyond the heads
#
# Each section needs the part above, and no other section. Take the one that you have a use for: the first
# seven are about what heads do, the next four about what they cost, and the rest about what is around them.
# If you take only one, take the last. For an interview: what sixty-four heads cost, heads that share their keys, and the whole transformer.
#
# | section | what it is good for | minutes |
# |---|---|---|
# | why the second a finds the t | what the matrices of a reader have learned, in scores | 3 |
# | two writers, and one is worth more | two bets; how two heads share a text | 10 |
# | how many readers can go? | a bet, and at which letters a last reader fails | 4 |
# | are heads an ensemble? | a bet, and what one head can do alone | 3 |
# | do these heads do the same? | measuring what two maps have in common | 5 |
# | what does each reader push for? | is a share a push? | 5 |
# | find heads by what they do | a test that works in large models, too | 8 |
# | what sixty-four heads cost | a bet; time, memory, and what a narrow head cannot say | 11 |
# | count the numbers | reading the sizes of a published model | 7 |
# | heads that share their keys | the cache, GQA, and how many chats fit on a card | 20 |
# | keep one narrow vector for each word | latent attention, as DeepSeek's models have it | 8 |
# | the whole transformer | residuals, norms; you put a block together | 15 |
# | take the sum apart | you write `what_each_adds`, with which whoever takes a model apart begins | 5 |
# | put the heads side by side | you write `merge_heads` | 4 |
# | turn a head down | you write `dimmed`, and pull the knobs with it | 5 |
# | PyTorch's line and PyTorch's layer | your function against both | 3 |
# | and if one adds the heads? | a bet, and why they stand side by side | 5 |
# | attention beside convolution | what each assumes of a text | 8 |
# | a real checkpoint through your own attention | GPT-2 computed by your function | 12 |
#
# Some sections need made-up numbers. Run this cell before any of them:

# %%
draw = torch.Generator().manual_seed(1)
three = torch.randn(1, 3, 5, 4, generator=draw).round()  # what 3 heads gathered for 5 words
mix = torch.randn(12, 7, generator=torch.Generator().manual_seed(6)).round()  # a W_O for them

# %% [markdown] depth
# ### Depth: why the second a finds the t
#
# *Why does the second a find the t, and not the first a?* The writer can look one place back, because each letter
# comes with a learned vector for its place. Then the second *a* asks for the note *a*, by $W_Q$. The first *t*
# offers this note, by $W_K$, and the first *a* offers another, *c*. Without the notes there is nothing to ask
# for. Here are scores of the second *a*, as the mean of the four readers:

# %%
on, off = reader_scores(model, "cats ca"), reader_scores(model, "cats ca", without=(0, 1))
print(f"with head 1's notes:    first t {on[6, 2]:4.1f}, first a {on[6, 1]:.1f}")
print(f"without head 1's notes: first t {off[6, 2]:4.1f}, first a {off[6, 1]:.1f}")

# %% [markdown]
# The notes lift the *t* far above the *a*. Without them the *a* would win.
#
# *Why is the note a not mistaken for the letter a?* The two vectors are nearly perpendicular. So a *t* with the note *a*
# is not an *a* with the note *t*.

# %% [markdown] depth
# ### Depth: two writers, and one is worth more
#
# *Does head 1 write in every model?* Three more models were trained, each from another start.

# %%
bet("births")

# %% [markdown]
# A line is what a head of the first layer gives to the place before.

# %%
show_births()
settle("births", list(writers_by_seed().values()))

# %% [markdown]
# In the model of seed 3, heads 1 and 3 share the writing. *Can it spare the four heads that ours can?* Guess the share
# that it gets right without them:

# %%
shared = load_copying(seed=3)


def shared_without(*heads):
    return copying_accuracy(shared, 256, loudness=silent(*heads))


shares = [round(shared_without(*heads), 2) for heads in ([], four)]
print("seed 3 with all heads on, and without these four:", shares)

# %% [markdown]
# A quarter of the letters go wrong, since head 3 is among the four. *What is each of its two writers worth?*

# %%
bet("two_writers")

# %%
off = {"head 1": [(0, 1)], "head 3": [(0, 3)], "both": [(0, 1), (0, 3)]}
worth = {name: shared_without(*heads) for name, heads in off.items()}
print("right without", ", ".join(f"{name}: {share:.2f}" for name, share in worth.items()))
settle("two_writers", list(worth.values()))

# %% [markdown]
# *Why is head 3 missed more, if their lines are equally high?* A line is a mean over 48 places, so look at the
# places themselves.
#
# `shared.maps(ids)[0, 3].diagonal(-1)` lists what head 3 of the first layer gives to the place before, on the
# text below: 47 numbers, as the first letter has none before it. Compare its first half, `[:23]`, with its
# second, `[23:]`, then do the same for head 1. And which half do the readers look at?

# %%
ids = torch.from_numpy(encode("giraffe " * 6))  # 48 letters
readers = shared.maps(ids)[1].mean(0)  # (48, 48): who looks, at whom; the mean of the four readers
early, late = ..., ...  # head 3: mean of diagonal [:23], of [23:]; then the same for head 1
# how much do the rows 24: give to the columns :24?  readers[..., ...].sum(-1).mean()

# %% [markdown]
# <details><summary>What we found</summary>
#
# Each is stronger in one half. On *giraffe*, six times, head 3 gives .86 to the place before in the first half
# (`[:23]`), and head 1 only .57. In the second half (`[23:]`) head 3 gives .46 and head 1 .75, so the two means
# are alike.
#
# But with six rounds there are several places to read from, and
# these readers prefer the early ones: the places of the second half give .97 of their weights to the first
# 24 places. There head 3's note is the stronger, .86 against .57, so it is missed more.
# </details>
# <details><summary>To watch a training of your own</summary>
#
# Write `mine = watch_a_birth(seed=5)` into a new cell. It takes a minute or more.
# </details>

# %% [markdown] depth
# ### Depth: how many readers can go?
#
# In the core, reader 0 alone got .69. *Is another one better alone?*

# %%
bet("readers")

# %%
left = [without(*[(1, other) for other in range(4) if other != head]) for head in range(4)]
print("one reader left:", [f"{head}: {share:.2f}" for head, share in enumerate(left)])
two = {(b, a): without((1, a), (1, b)) for a in range(4) for b in range(a)}  # which two are off
worst = min(two, key=two.get)
print(f"two left, the worst of the six pairs: {two[worst]:.2f}, without heads {worst}")
settle("readers", max(left))

# %% [markdown]
# A single reader still gets most of the letters, and any two get nearly all.
#
# *Is a last reader too faint?* Your four heads of the core are off again, and of the readers only one is on. Make it 1, 6
# and 12 times as loud. Of which letters does it then still miss most? (After "c", 79 % means that of 100 letters *c*
# it misses 79.) Guess: are they the same for all four?

# %%
for reader in all_readers:
    loud, shares = silent(*four, *all_readers), []  # the writer and head 2 are on
    for loud[reader] in (1, 6, 12):  # times as loud
        shares.append(round(copying_accuracy(model, 256, loudness=loud), 2))
    print(f"{reader} alone: {shares} right; at 12 it misses {often_missed(model, loud)}")

# %% [markdown]
# Six times as loud helps, and twelve times helps no further: too faint is not the whole reason. Each reader has bad
# letters of its own: reader 1 misses most of the *x*, reader 2 most of the *y*. It finds their places nearly as well
# as others, so mostly it is what it writes there that fails.
#
# (Others put a head's mean output in its place, instead of 0. The core's shares would change by .03 at most.)

# %% [markdown] depth
# ### Depth: are heads an ensemble?
#
# *Eight heads that vote, so that the errors of one are evened out by the others?* That would be an
# ensemble. Then one member alone should do nearly as well. Keep one head and switch off seven:

# %%
bet("alone")

# %%
everybody = [(layer, head) for layer in range(2) for head in range(4)]
shares = [without(*[other for other in everybody if other != one]) for one in everybody]
print(f"best of the first layer {max(shares[:4]):.2f}, of the second {max(shares[4:]):.2f}")
settle("alone", max(shares))

# %% [markdown] depth
# ### Depth: do these heads do the same?
#
# Two heads do the same if they look at the same places. Take the weights of two heads of the second
# layer as two long lists and ask for their *correlation*: 1 is the same up to size, 0 is nothing in
# common. (What every head has in common is taken off first: the mean of the places that it may see.)


# %%
open_places = may_attend(causal, 48)  # (48, 48): True where a place may look
fair = open_places / open_places.sum(dim=1, keepdim=True)  # what every head has in common


def likeness(model):
    """The mean correlation between the maps of the second layer's heads, on 64 random strings."""
    letters = torch.randint(27, (64, 12), generator=torch.Generator().manual_seed(0)).repeat(1, 4)
    maps = model.maps(letters)[1] - fair  # (64, 4, 48, 48): strings, heads, who looks, at whom
    lists = [maps[:, head][:, open_places].flatten() for head in range(4)]  # one long list a head
    table = torch.corrcoef(torch.stack(lists))  # (4, 4): each head with each
    return sum(table[a, b].item() for a in range(4) for b in range(a)) / 6


# %%
for seed in range(3):
    print(f"random heads, seed {seed}: {abs(likeness(new_copying(seed))):.2f}")
print(f"trained heads: {likeness(load_copying()):.1f}")

# %% [markdown]
# So they begin as strangers and end as doubles. In large models, too, many heads can be cut out with
# little loss (Michel et al., 2019; Voita et al., 2019). How many depends on model and task. And
# likeness alone does not show which head is needed.
#
# <details><summary>How would you find out whether two heads do the same work?</summary>
#
# Compare their maps, and switch off one, the other, and both. If only both hurts, they stand in for each other. Try
# it with further doubles off, too: of our readers any two can go.
# </details>

# %% [markdown] depth
# ### Depth: what does each reader push for?
#
# `gathered` takes out what the four heads of the second layer bring while the model reads *cats ca*.
# `what_each_adds` gives the part of each in the output, and `dimmed` adds these parts up, each times its factor. First
# a check: what the layer gives must be x + output, with all heads on and with head 2 off.

# %%
so_far = torch.from_numpy(encode("cats ca"))
heard = gathered(model, so_far, block=1)  # (1, 4, 7, 16); a layer is called a block in the code
added = what_each_adds(heard, model.blocks[1].heads.w_o)  # (1, 4, 7, 64)
for loudness in (silent(), silent((1, 2))):
    _, x, after = model.states(so_far, loudness=loudness)  # before and after the second layer
    ours = x + dimmed(added, loudness[1])[0]
    same = torch.allclose(ours, after, atol=1e-4)
    print("loudness", loudness[1].tolist(), "as in the model:", same)

# %% [markdown]
# At the last *a* the model gives each letter a number, and the largest wins. `pushes` says how far each head raises or
# lowers these numbers, compared with the mean of all 27 letters. (Before, the whole vector is divided by its size. That
# divisor is held fixed, so that the parts add up.) *Does any of them push harder for another letter than for t?*

# %%
pushed = pushes(model, added[0, :, -1], model.states(so_far)[-1][-1])  # (4, 27)
for head, push in enumerate(pushed):
    most = "abcdefghijklmnopqrstuvwxyz "[push.argmax()]
    print(f"head {head}: pushes most for {most}, {push.max():.1f}")
print(f"all four together: for t, {pushed.sum(dim=0)[19]:.1f}")

# %% [markdown]
# None does: all four push most for the *t*, and their pushes add up.
#
# *Does a larger share push harder?* Here is what each reader gives to the first *t*, at place 2, beside its push:

# %%
to_the_t = model.maps(so_far)[1, :, -1, 2]  # of the second layer, all heads, the last letter
for head, (share, push) in enumerate(zip(to_the_t, pushed[:, 19], strict=True)):
    print(f"reader {head}: share of the first t {share:.2f}, pushes t by {push:.1f}")

# %% [markdown]
# Reader 1 gives the smallest share and pushes hardest. A share says how much a reader takes from one place. How hard
# it pushes depends on all that it takes, and on what $W_V$ and $W_O$ make of that.

# %% [markdown] depth
# ### Depth: find heads by what they do
#
# *Which of a thousand heads is a reader, an induction head?* Nobody looks at a thousand maps. Give the model a
# row of letters that are all different, twice. The letter at place i stood at place i - period, too. An
# induction head looks one place further than that. The share of its weights that goes there is known as
# its *induction score*. It is a grade for a head, not one of the scores before the softmax.
#
# #### Exercise: `induction_score`


# %% exercise="induction_score"


# %%
letters = torch.randperm(26, generator=torch.Generator().manual_seed(0))[:20].repeat(2)
for name, layer in zip(("first ", "second"), model.maps(letters), strict=True):
    shares = [induction_score(head, 20) for head in layer]
    print(name, "layer:", [f"{share:.2f}" for share in shares])

# %% [markdown]
# This test finds such heads in large models as well (Olsson et al., 2022). They are probably one reason why a chat
# picks up a name that you made up. Here are others that people found in models of language (in BERT: Clark et al., 2019):
#
# | a head stands at | and looks at |
# |---|---|
# | *the*, a determiner | the noun that it belongs to |
# | the object of a verb | the verb |
# | *she*, a second mention | who is meant, mentioned before |

# %% [markdown] depth
# ### Depth: what sixty-four heads cost
#
# *Why not take many more heads, if each asks a question of its own?* It costs no more learned numbers. What
# about the scores?

# %%
bet("more_heads")

# %%
scores = {}
for h in (8, 64):
    layer = torch.nn.MultiheadAttention(512, h, bias=False)  # PyTorch's layer of this kind
    numbers = sum(one.numel() for one in layer.parameters())
    strips = split_heads(torch.ones(1, 1024, 512), h)  # 1024 words
    scores[h] = (strips @ strips.mT).numel()
    print(f"{h:2} heads, each {512 // h:2} wide: {numbers:,} numbers, {scores[h]:,} scores")
settle("more_heads", scores[64] / scores[8])

# %% [markdown]
# With $d = m / h$, as in the Transformer of 2017, more heads are narrower heads, and the matrices stay as they are. The tables of scores do
# not get narrower: each head has one of its own.
#
# #### Slide: what stays, what grows
#
# Here is one layer on words that are 512 numbers wide, with 16 heads at the start. At the left are the
# columns of $W_Q$. A square has room for 512 of them, and while the heads share the width, they all
# stand in the first square. The blue strip is the last head: take its left edge and drag it. If each head
# stays 64 wide, 64 heads need 4096 columns, and that is what the other seven squares are for. On the right
# is a wall with room for 64 tables of scores: take the corner of a table and pull.
#
# Three numbers are counted. *Learned numbers* are those of the four matrices. An *operation* is one
# multiplication or one addition. *Scores* take memory, if the tables of all heads are stored: four
# bytes each. A *MiB* is 1024 times 1024 bytes, about a million.

# %%
explore_fixed_width()

# %% [markdown]
# <details><summary>Tick "each head stays 64 wide", at 16 heads on 1024 words. What grows now, and by
# how much?</summary>
#
# The learned numbers double, and so do the operations: 16 heads of 64 are 1024 columns where there
# were 512. The scores stay: they count heads and words, not widths.
# </details>
#
# *And the time?* One layer, 1024 words, 512 wide, on one core, without the projections; measured once and recorded.
# *Naive* writes all scores into memory; *fused* does not (chapter 8). Each is a multiple of its own time with one head.

# %%
from course_lib.measures.head_cost import head_cost, recorded

times = recorded()["ratios"]
for h in (4, 16, 64):
    mib = head_cost(1024, 512, h).scores * 4 / 2**20
    naive, fused = times["naive"][str(h)], times["fused"][str(h)]
    print(f"{h:2} heads: {mib:3.0f} MiB of scores, naive {naive:4.1f}, fused {fused:3.1f} times")

# %% [markdown]
# And a narrow head can say less. Its table of scores is built from $d$ columns, so it has at most rank
# $d$ (chapter 5):

# %%
w_q, w_k = torch.randn(2, 512, 512, generator=torch.Generator().manual_seed(0)) / 512**0.5
x = torch.randn(1, 128, 512, generator=torch.Generator().manual_seed(1))
for h in (1, 8, 64):
    asks, offers = split_heads(x @ w_q, h).double(), split_heads(x @ w_k, h).double()
    rank = torch.linalg.matrix_rank((asks @ offers.mT)[0, 0])
    print(f"{h:2} heads, {512 // h:3} wide: 128 x 128 scores of rank {rank}")

# %% [markdown]
# That $h$ must divide $m$ is a habit of reshaping, no law. Many models have heads of width $m / h$, and
# others choose $d$ freely. (From the models' published settings.)
#
# | model | width m | heads h in a layer | width of a head d | h·d |
# |---|---|---|---|---|
# | the copying model | 64 | 4 | 16 | 64 |
# | GPT-2 (small) | 768 | 12 | 64 | 768 |
# | Llama-3-8B | 4096 | 32 | 128 | 4096 |
# | Gemma-7B | 3072 | 16 | 256 | 4096 |
# | Qwen3-0.6B | 1024 | 16 | 128 | 2048 |
# | gpt-oss-20b | 2880 | 64 | 64 | 4096 |
#
# So more heads are not always better: each gets narrower, its table of scores gets poorer, and the tables
# need memory. How much width a head needs is found by trying.

# %% [markdown] depth
# ### Depth: count the numbers

# %% [markdown] depth card="shapes"

# %% [markdown] depth
# *With one head as wide as the words, $W_Q$, $W_K$ and $W_V$ have 3 m² numbers. With heads of width
# m/h, too. And if one chooses freely?* In general a layer has `heads` heads of queries and `kv_heads`
# heads of keys and values, all of width `d`.
#
# #### Exercise: `count_parameters`


# %% exercise="count_parameters"


# %%
for name, sizes in {
    "one head as wide as the words": (768, 1, 1, 768),
    "GPT-2, 12 heads of 64        ": (768, 12, 12, 64),
    "12 heads as wide as the words": (768, 12, 12, 768),
    "Gemma-7B, 16 heads of 256    ": (3072, 16, 16, 256),
}.items():
    print(f"{name} {count_parameters(*sizes):12,}")

# %% [markdown] depth
# ### Depth: heads that share their keys
#
# *What does a model keep of a text, while it writes?* The keys and values of all words so far, so that
# it need not compute them again (chapter 6): the *KV cache*. It occurs where a model writes word by
# word, as GPT-2 and Llama do. BERT reads a text at once and has none.

# %%
bet("cache")

# %% [markdown]
# #### Exercise: `cache_size`
#
# Count in bytes. Each number takes two of them, which is called half precision. What is kept, and what is not?


# %% exercise="cache_size"


# %%
settle("cache", cache_size(8192, 32, 8, 128) / 2**30)
print("a token:", cache_size(1, 32, 8, 128) // 1024, "KiB; with 32 heads of keys:", end=" ")
print(cache_size(1, 32, 32, 128) // 1024, "KiB")

# %% [markdown]
# There is a way to keep less: several heads of queries share one head of keys and values. *Multi-head*
# attention (MHA) has a head of keys for each head of queries, as in Llama-2-7B. *Grouped-query* attention
# (GQA) has one for each group, as in Llama-3 and Mistral. *Multi-query* attention (MQA) has one for all.
#
# #### Exercise: `repeat_heads`
#
# For the computation each head of queries needs its keys. Neighbours share: with two heads of keys for
# four of queries, heads 0 and 1 ask the first, 2 and 3 the second.


# %% exercise="repeat_heads"


# %%
asks = torch.randn(1, 6, 5, 4, generator=draw, dtype=torch.float64)
k, v = torch.randn(2, 1, 2, 5, 4, generator=draw, dtype=torch.float64)
attend = torch.nn.functional.scaled_dot_product_attention
theirs = attend(asks, k, v, enable_gqa=True)
print("repeated:", torch.allclose(attend(asks, repeat_heads(k, 3), repeat_heads(v, 3)), theirs))
tiled = attend(asks, k.repeat(1, 3, 1, 1), v.repeat(1, 3, 1, 1))
print("as 0 1 0 1 0 1:", torch.allclose(tiled, theirs))

# %% [markdown]
# #### Slide: what a conversation keeps
#
# At the top are the heads of queries of one layer, and below them the heads of keys and values that they share. Press a
# number: so many heads of keys. The bar is the memory of graphics cards of 80 GB (a GB is a billion bytes): first the
# parameters of the model (its learned numbers), then the keys and values of all texts. The dashed outline is what they
# would take if nothing were shared.

# %%
explore_cache(cache_size=cache_size)

# %% [markdown]
# *"GQA saves an enormous amount of memory."* Of the cache, yes: a quarter is left in Llama-3-8B. The
# matrices $W_K$ and $W_V$ shrink as well, by .81 billion numbers of about 8. The rest of the parameters
# does not, and neither do the scores: each head of queries still meets every key.
#
# The cache changes no result: word by word with a cache gives the same as all words at once.

# %%
from course_lib.kernels.multi_head import MultiHeadAttention

layer = MultiHeadAttention(12, 6, torch.Generator().manual_seed(0), n_kv_heads=2).double()
x, cache = torch.randn(9, 12, generator=draw, dtype=torch.float64), layer.new_cache(9)
with torch.no_grad():
    steps = torch.cat([layer(x[i : i + 1], cache=cache) for i in range(9)])
    print("as all at once:", torch.allclose(steps, layer(x, mask=causal)))
saved = 2 * 4096 * (32 - 8) * 128  # columns of W_K and of W_V that are not there
print(f"32 layers of Llama-3-8B save {32 * saved / 1e9:.2f} billion numbers")

# %% [markdown]
# Three things are often said too quickly. *"Hardly any loss of quality"*: Ainslie et al. (2023) measured it on their
# models and tasks; it is an observation. *"Attention is fully parallel"*: when it reads and learns; what it writes, it
# writes word by word. *"FlashAttention made texts of a million words possible"* (chapter 8): it was needed, and so were
# small caches, positions that reach so far, many machines for one text, and training on long texts. The cache is the
# price for having no bottleneck: an RNN keeps one vector, attention keeps a key and a value of every word.

# %% [markdown] depth
# ### Depth: keep one narrow vector for each word
#
# *Must a cache hold keys and values at all?* DeepSeek's models keep something else: one narrow vector
# for each word and layer, the *latent* $c = xW_{down}$, 512 numbers wide in DeepSeek-V2 and V3. Keys and
# values of all heads are made of it when they are needed: $k_i = cW_{UK}^{(i)}$ and
# $v_i = cW_{UV}^{(i)}$. This is *multi-head latent attention*, MLA (DeepSeek-AI, 2024).

# %%
bet("latent")

# %%
unshared, grouped = 61 * 2 * 128 * 128, 61 * 2 * 8 * 128
kept = kept_per_token(layers=61, latent=512, turned=64)
for name, numbers in {"128 heads": unshared, "8 groups ": grouped, "latent   ": kept}.items():
    print(f"{name} {numbers:9,} numbers a token, {2 * numbers / 1024:6.1f} KiB")
settle("latent", unshared / kept)

# %% [markdown]
# *But then all keys must be made anew, for each word that is written?* No, and here is the trick. A
# score is $q \cdot (cW_{UK})$. The same number is $(qW_{UK}^T) \cdot c$: turn the query around, once, and
# it meets the latents themselves. The matrix is *absorbed* into the query. No key is ever made, and the
# values are left alone in the same way: first mix the latents, then multiply by $W_{UV}$.

# %%
asks = torch.randn(4, 1, 16, generator=draw, dtype=torch.float64)  # 4 heads, one query each
latents = torch.randn(1000, 8, generator=draw, dtype=torch.float64)  # 1000 words, 8 numbers each
w_uk, w_uv = torch.randn(2, 4, 8, 16, generator=draw, dtype=torch.float64)
made = (asks @ (latents @ w_uk).mT / 4).softmax(-1) @ (latents @ w_uv)  # 1000 keys and values
absorbed = ((asks @ w_uk.mT) @ latents.T / 4).softmax(-1) @ latents @ w_uv  # none
print("the same output:", torch.allclose(made, absorbed))
print(f"products for the scores: made {4 * 1000 * (8 * 16 + 16):,}", end=", ")
print(f"absorbed {4 * (16 * 8 + 1000 * 8):,}")

# %% [markdown]
# *And the positions?* RoPE (chapter 6) turns query and key, each by its place. The key would be turned
# after $W_{UK}$, so between the query and the latent there stands a turn that depends on the distance,
# and $W_{UK}$ after it. What should be absorbed is then another matrix for each distance:

# %%
w, places = w_uk[0], torch.arange(3.0)
for place in places:
    turn = rotary(torch.eye(16, dtype=torch.float64), positions=place.expand(16))
    between = turn @ w.T  # what stands between a query and a latent at this distance
    print(f"distance {place:.0f}: as at distance 0:", torch.allclose(between, w.T))

# %% [markdown]
# So positions are kept apart. Each query gets a second, narrow part that is turned, and so does each
# word, one for all heads: the other 64 numbers of the 576. Its scores are added to those of the latents,
# and the sum is divided by the root of both widths together.
#
# <details><summary>Absorbed, MLA looks like one head of keys for all heads of queries (MQA). What is
# different?</summary>
#
# The one head is wide, 512 + 64 numbers, and each head of queries turns its own query around with a
# matrix of its own, and its own output as well. So the heads may look at different things in what is
# kept. In MQA all of them share one narrow key as it is.
# </details>

# %% [markdown] depth
# ### Depth: the whole transformer
#
# *What is around the heads?* On the left is a transformer that writes, on the right the box that you
# have written. The mask and dropout, which the table below has too, are not drawn.

# %%
show_transformer()

# %% [markdown]
# | part | what it does | why |
# |---|---|---|
# | $+$, the *residual* | adds what a box has made to what went in | nothing gets lost on the way |
# | norm, *LayerNorm* or *RMSNorm* | LayerNorm brings each word's numbers to mean 0 and spread 1, RMSNorm leaves the mean and divides by the root of the mean square (chapter 2); then they are scaled as learned | the boxes get numbers of one size |
# | MLP, or FFN | each word by itself: widen, bring what is negative to about 0, narrow | works on what was gathered |
# | mask | who may look at whom: causal, filling, windows (chapter 6) | no reading ahead |
# | dropout | in training sets some numbers to 0 by chance | so that nothing hangs on one number |
#
# Each norm is one line. What differs is the mean:

# %%
from torch.nn.functional import layer_norm, rms_norm

word = torch.tensor([3.0, 5.0, 7.0, 9.0])
centred = word - word.mean()
for x, norm in (centred, layer_norm), (word, rms_norm):
    ours = x / x.square().mean().sqrt()
    same = torch.allclose(norm(word, [4]), ours, atol=1e-4)
    print(f"{norm.__name__:10}", [f"{one:.2f}" for one in ours], "as PyTorch's:", same)

# %% [markdown]
# RMSNorm keeps all numbers on their side of zero, here all positive, and saves the subtraction. The Transformer of 2017
# and GPT-2 have LayerNorm and an MLP that widens four times. Llama, Mistral and Qwen take RMSNorm (Zhang and Sennrich, 2019)
# and *SwiGLU* (Shazeer, 2020): it widens twice, and one of the two, bent, says how much of the other gets through.
#
# The order with the norm *before* the box is called pre-LN. The paper of 2017 had the norm behind the sum (post-LN). Do
# the sums matter? Twelve layers of random heads, with and without; how alike are 20 different words afterwards?

# %%
from torch.nn.functional import normalize

from course_lib.kernels.multi_head import MultiHeadAttention

layers = [MultiHeadAttention(64, 4, draw).requires_grad_(False) for _ in range(12)]
kept = lost = torch.randn(20, 64, generator=draw)
for heads in layers:
    kept, lost = kept + heads(layer_norm(kept, [64])), heads(layer_norm(lost, [64]))
for name, x in (("with sums", kept), ("without  ", lost)):
    cosines = normalize(x) @ normalize(x).T
    print(name, f"{cosines[~torch.eye(20, dtype=torch.bool)].mean():.2f}")

# %% [markdown]
# Without the sums each layer averages again, until all 20 words have become one (Dong et al., 2021).
# A model can then no longer say which word it is at. With the sums each word keeps a part of what it was.

# %% [markdown] depth
# #### Exercise: `block`
#
# Put a pre-LN block together. Each box is a function of x; dropout takes what is added. Five of these
# eight lines belong there.


# %% exercise="block" shuffled


# %% [markdown] depth
# #### Is your block a transformer's?
#
# The course has a small transformer with MLP, `course_lib/models/transformer.py`, on one page. Here
# your block takes the place of its first one:

# %%
from course_lib.models.transformer import Transformer

whole = Transformer(27, 48, torch.Generator().manual_seed(0), mlp=True).requires_grad_(False)
before, after, _ = whole.states(torch.from_numpy(encode("giraffe pogir")))
part = whole.blocks[0]
boxes = (part.norm, lambda x: part.heads(x, mask=causal), part.mlp_norm, part.mlp)
ours = block(before[None], *boxes, dropout=lambda x: x)
print("the same:", torch.allclose(ours[0], after, atol=1e-5))

# %% [markdown]
# <details><summary>Can attention compute any function from one sequence to another?</summary>
#
# With positions and enough layers, a transformer whose width stays fixed comes as near as you like to any continuous
# function on texts of a fixed length, if the numbers in them stay within bounds (Yun et al., 2019). That says nothing
# of learning it. With a fixed number of layers and finite precision there are limits: it does a fixed number of
# parallel steps, however long the text, and cannot follow every long chain of dependent steps (Hahn, 2019; Merrill and
# Sabharwal, 2022). A model that writes down its steps gets around some of that.
# </details>

# %% [markdown] depth
# ### Depth: take the sum apart
#
# In the picture of $W_O$ you saw what each of two heads adds to one word. *How do you take any output apart like this?*
#
# #### Exercise: `what_each_adds`
#
# Your function gets what the heads gathered, (b, h, n, d), and $W_O$, (h·d, m). It returns their parts, (b, h, n, m),
# which must add up to the output. A loop over the heads will do, with `torch.stack(parts, dim=1)` at its end.


# %% exercise="what_each_adds"


# %%
added_up = what_each_adds(three, mix).sum(dim=1)
print("sum of the parts, as merged times W_O:", torch.allclose(added_up, merge_heads(three) @ mix))

# %% [markdown] depth
# ### Depth: put the heads side by side
#
# In the core `merge_heads` was ready. *Does the way back need both steps of the way there?*
#
# #### Exercise: `merge_heads`
#
# In goes what the heads gathered, (b, h, n, d), out comes (b, n, h·d). So [[1, 2], [3, 4], [5, 6]] and
# [[10, 20], [30, 40], [50, 60]] become the $Q$ of the picture again.


# %% exercise="merge_heads"


# %% [markdown]
# To cut $W_O$, `reshape` alone is enough: its strips are whole *rows*, and those of $Q$ are *columns*.

# %% [markdown] depth
# ### Depth: turn a head down
#
# In the core a head was switched off for you. Now you can do it: a part times 0 is off, times 1 it is
# what was learned, and anything between makes it quieter. What do the heads then add together?
#
# #### Exercise: `dimmed`
#
# `parts * loudness` looks right, and is not. Broadcasting lines up the *last* axes. What would it dim? And
# which shapes let it run without an error?


# %% exercise="dimmed"


# %% [markdown]
# <details><summary>What <code>parts * loudness</code> would dim, once you are done</summary>
#
# Columns, in all heads alike. It runs only where there are as many columns as heads, or where one of the two
# is 1: with 64 columns and 4 heads PyTorch complains. With four heads, four columns and head 2 off, four rows
# of ones would add up to [4, 4, 0, 4] instead of [3, 3, 3, 3], and no error tells you.
# </details>
#
# Three heads have made-up numbers. With head 1 off, does your function leave what heads 0 and 2 add together?

# %%
parts = what_each_adds(three, mix)
print("heads 0 and 2:", parts[0, [0, 2], 1].sum(dim=0).tolist())
print("head 1 off:   ", dimmed(parts, torch.tensor([1.0, 0.0, 1.0]))[0, 1].tolist())

# %% [markdown]
# To pull the knobs with your own function, write
# `explore_quieter_head(multi_head=multi_head, dimmed=dimmed)` into a new cell.

# %% [markdown] depth
# ### Depth: PyTorch's line and PyTorch's layer
#
# `scaled_dot_product_attention` stands between split and merge, in place of your three lines. With
# `is_causal` it makes the causal mask by itself.

# %%
x, w = torch.randn(2, 5, 12, generator=draw), torch.randn(4, 12, 12, generator=draw)
split = (split_heads(x @ one, 3) for one in w[:3])
heard = torch.nn.functional.scaled_dot_product_attention(*split, is_causal=True)
ours = multi_head(x, *w, 3, mask=may_attend(causal, 5))
print("the same:", torch.allclose(merge_heads(heard) @ w[3], ours, atol=1e-3))

# %% [markdown]
# `torch.nn.MultiheadAttention(embed_dim, num_heads)` is the whole layer. You name $m$ and $h$, and $h$ must divide
# $m$. It keeps its matrices transposed and stacked, so two lines take them out. Under its mask True means *hidden*, hence the `~`.

# %%
layer = torch.nn.MultiheadAttention(12, 3, bias=False, batch_first=True)
w_q, w_k, w_v = (w.T for w in layer.in_proj_weight.detach().chunk(3))  # its own matrices,
w_o = layer.out_proj.weight.detach().T  # turned as ours are
x = torch.randn(2, 5, 12, generator=torch.Generator().manual_seed(0))
for name, mask in (("no mask:", None), ("causal: ", may_attend(causal, 5))):
    theirs, _ = layer(x, x, x, attn_mask=None if mask is None else ~mask)
    ours = multi_head(x, w_q, w_k, w_v, w_o, 3, mask)
    print(name, "as PyTorch's layer:", torch.allclose(ours, theirs, atol=1e-5))

# %% [markdown]
# <details><summary>Other people's code says <code>.transpose(1, 2).contiguous().view(...)</code>. What is the
# word in the middle for?</summary>
#
# `transpose` moves no number in memory. It only notes that the axes are walked through in another order. And `view`
# never moves a number either, so it refuses a new shape for which it would have to. `contiguous` copies the numbers
# into the order in which they are now read, and then `view` can go on. `reshape` does the same when it must.
# </details>

# %% [markdown] depth
# ### Depth: and if one adds the heads?
#
# Each head meets rows of its own in $W_O$, and what comes out is a sum. *And if all heads say the same?*

# %%
bet("average")

# %%
alike, rows = three[:, :1].expand(1, 4, 5, 4), mix[:4].repeat(4, 1)  # four times head 0
together = what_each_adds(alike, rows).sum(dim=1)
alone = what_each_adds(three[:, :1], mix[:4])[:, 0]
settle("average", (together.norm() / alone.norm()).item())  # norm: the length of the outputs

# %% [markdown]
# *Why not add the heads up, and use a small $W_O$ of d rows?* That is the same as side by side with
# one strip of $W_O$ for all. Here are four heads of width 4:

# %%
outputs = torch.randn(1, 4, 50, 4, generator=draw, dtype=torch.float64)
small, wide = (torch.randn(d, 16, generator=draw, dtype=torch.float64) for d in (4, 16))
summed = outputs.sum(dim=1) @ small
print("as one strip for all:", torch.allclose(summed, merge_heads(outputs) @ small.repeat(4, 1)))
for name, output in (("added", summed), ("side by side", merge_heads(outputs) @ wide)):
    print(f"{name}: the outputs fill {torch.linalg.matrix_rank(output[0])} of 16 dimensions")

# %% [markdown]
# Added heads all write into the same four directions, and which head said what is lost.

# %% [markdown] depth
# ### Depth: attention beside convolution
#
# A *convolution* slides a small filter over the text: each output is a learned mixture of a word and its next
# neighbours. *How many layers of it, with filters of three words, until the last of 100 words hears of the first?*

# %%
bet("far_apart")

# %%
signal = torch.zeros(1, 1, 100)
signal[0, 0, 0], layers = 1, 0
while signal[0, 0, 99] == 0:
    signal = torch.nn.functional.conv1d(signal, torch.ones(1, 1, 3), padding=1)
    signal, layers = (signal > 0).float(), layers + 1  # 1: has heard of the first word
settle("far_apart", layers)

# %% [markdown]
# Comparisons often say three things. Attention does *not share* its weights over places. It has *no strong bias* (no
# built-in assumption about texts). A convolution is *invariant* to shifts. Which of the three would you sign? Run it:

# %%
heads_of_8, filters = torch.nn.MultiheadAttention(64, 8), torch.nn.Conv1d(64, 64, 3)
for layer in (heads_of_8, filters):
    numbers = sum(one.numel() for one in layer.parameters())
    for n in (5, 500):
        x = torch.zeros(n, 64)
        layer(x, x, x) if layer is heads_of_8 else layer(x.T)
    print(f"{type(layer).__name__:18} {numbers:,} numbers for 5 words and for 500")

# %%
x = torch.randn(1, 64, 12, generator=draw)
ring = torch.nn.Conv1d(64, 64, 3, padding=1, padding_mode="circular").requires_grad_(False)
shifted = torch.allclose(ring(x.roll(2, -1)), ring(x).roll(2, -1), atol=1e-5)
order, words = torch.randperm(12, generator=draw), x[0].T
eyes = [torch.eye(64)] * 4
one, other = (multi_head(w[None], *eyes, 4)[0] for w in (words[order], words))
shuffled = torch.allclose(one, other[order], atol=1e-5)
print("convolution: shifted words, shifted outputs", shifted)
print("attention: shuffled words, shuffled outputs", shuffled)
print("convolution: outputs unchanged by a shift", torch.allclose(ring(x.roll(2, -1)), ring(x)))

# %% [markdown]
# None of the three holds as it is said. Attention shares its matrices over all places: it has as many
# numbers for 5 words as for 500. It does assume something, namely that all orders are alike, and that is
# strong. And the convolution's outputs move with a shift, so it is *equivariant* to shifts, not invariant.
#
# | | attention | convolution |
# |---|---|---|
# | sees | all words that the mask allows, in one layer | its neighbours; more with each layer |
# | mixture | computed anew for each input | learned, the same for every input |
# | order | does not know it: shuffled in, shuffled out | built in: the filter has a left and a right |
# | what it assumes | all orders are alike: a strong assumption | what matters is near: *locality* |
# | work for n words | grows with n² | grows with n |

# %% [markdown] depth
# ### Depth: a real checkpoint through your own attention
#
# *Does GPT-2 compute what you have written?* Its parameters can be downloaded: $W_Q$, $W_K$, $W_V$, $W_O$
# of 12 layers of 12 heads, and the boxes around them. `with_multi_head` lets each layer of a model call
# your function with its own matrices.
#
# GPT-2 adds a bias to each projection, and your function knows none. But a bias is one more row of the
# matrix, if x has one more column, of ones. And GPT-2 reads *tokens*, pieces of text: a word or a part
# of one. It knows 50,257. Here is the switch, and what a download would mean:

# %%
from course_lib.models.gpt2 import load_gpt2
from course_lib.models.gpt2_files import download_gpt2, what_it_would_download

CHECKPOINT = None  # off. On: download_gpt2("openai-community/gpt2"), or a folder of yours
print(what_it_would_download("openai-community/gpt2"))

# %% [markdown]
# While it is off, the copying model stands in; its tokens are letters. Your text may have up to 20 tokens:

# %%
sentence = "cat cat cat"  # yours
if CHECKPOINT is None:
    maps, tokens = model.maps(torch.from_numpy(encode(sentence))), list(sentence)
    print("the copying model goes on:", repr(continued_text(model, sentence, 4)))
else:
    gpt2 = load_gpt2(CHECKPOINT)
    maps, tokens = gpt2.maps(sentence), gpt2.pieces(sentence)
    for token, share in gpt2.through(multi_head).next_tokens(sentence):
        print(f"{share:.2f}  {token!r}")
print(len(tokens), "tokens:", tokens)

# %% [markdown]
# #### Slide: the map of one head
#
# Row i is where token i looks; it adds up to 1. In large models many rows give most to the first token:
# a weight must go somewhere (Xiao et al., 2023; the sink of chapter 4).

# %%
explore_head_maps(maps, tokens)

# %% [markdown]
# <details><summary>In GPT-2 a head gives .9 to the first token from nearly every place. What may you
# say?</summary>
#
# Not that the first token matters: its value may be nearly zero, so that the head adds nothing. Silence
# the head and look at the next tokens.
# </details>
