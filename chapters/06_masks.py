# %% [markdown] minutes=1
# # 6 · Masks and positions: who may look at whom, and from where
#
# Attention as you know it has two gaps. Every word looks at every word, even at one that is still
# to be written. And it does not know which word came first. A mask closes the first gap, positions
# the second. On the way you meet the bug that predicts dice.
#
# The part before "Depth" takes 45 to 90 minutes.

# %%
import numpy as np
import torch

from course_lib.exercises.masks import bet, exercise, hint, progress, reveal, settle
from course_lib.explorers.masks import explore_hidden_keys, explore_likeness, explore_mask
from course_lib.figures.curves import draw_curves
from course_lib.figures.heat_map import draw_weights
from course_lib.figures.stills import show_figure
from course_lib.figures.theme import new_figure
from course_lib.kernels.attention import attention, attention_weights
from course_lib.kernels.masks import Mask, causal, may_attend, padding
from course_lib.kernels.positions import frequencies
from course_lib.models.dice import STEPS, train
from course_lib.progress_bar import with_progress

# %% [markdown] minutes=3
# ## Three questions before you start
#
# Without aids, on paper.
#
# 1. `q` has shape (3, 4), `k` (7, 4) and `v` (7, 2). Which shapes have the weights and the output?
#    (Chapter 5.)
# 2. A row of scores is 2, 2, -inf. What are its weights? (Chapter 4.)
# 3. One key is a vector of zeros. What is its dot product with a query? (Chapter 1.)
#
# <details><summary>Answers</summary>
#
# 1. The weights (3, 7): a row for each query, a column for each key. The output (3, 2).
# 2. One half, one half and exactly 0: $e^{-\infty} = 0$.
# 3. 0, whatever the query. Remember that score; it is less harmless than it looks.
# </details>

# %% [markdown] minutes=3 covers="C139 C145 C151 K159"
# ## Who writes must not read ahead
#
# *How does a model learn to write?* It reads a text, and after each word it says which word comes
# next. All places are trained at once. So no place may look at later ones: there stands the answer.
# Each word looks at itself and at earlier words. This is the *causal* mask. Models of the GPT family
# use self-attention with this mask, and no other attention.
#
# The four pieces are those of chapter 1: *xiao*, *shen*, *yang* and *invited*. Row i belongs to the
# query i, column j to the key j, and 1 means that i may look at j.

# %%
words = torch.tensor([[0.2, 0.8, 0.3], [0.3, 0.7, 0.4], [0.1, 0.9, 0.2], [0.8, 0.2, 0.7]])
scores = words @ words.T
allowed = torch.ones(4, 4).tril().bool()
print(allowed.int().numpy())

# %% [markdown]
# Take the row of *yang*, i = 2. What is forbidden gets the score $-\infty$ (minus infinity). Then
# the softmax gives it exactly 0, and shares out 1 among the rest. (Scores as in chapter 1, not
# divided by the root of the width.)

# %%
row = scores[2].masked_fill(~allowed[2], -torch.inf)
print("scores: ", row.numpy().round(2))
print("weights:", row.softmax(dim=-1).numpy().round(2))

# %% [markdown] minutes=4 covers="K143"
# ### Exercise: `causal_weights`
#
# The same for all rows: from a square table of scores to the weights under the causal mask.


# %%
@exercise
def causal_weights(scores):
    """Weights with which no query looks at a later key.

    scores: (t, t)   returns: (t, t)
    """
    # SOLUTION
    may_look = torch.ones_like(scores).tril() == 1
    return scores.masked_fill(~may_look, -torch.inf).softmax(dim=-1)
    # END SOLUTION


# %%
names = ["xiao", "shen", "yang", "invited"]
figure = new_figure(5.2, 3.6)
draw_weights(axes := figure.subplots(), causal_weights(scores), rows=names, columns=names)
axes.set_title("The first word has only itself")
show_figure(
    figure,
    "Weights below and on the diagonal only. Row xiao: 1.00. Row shen: .50 and .50. Row yang: .33 "
    ".31 .35. Row invited: .20 .23 .18 .39. Each row adds up to 1.",
)

# %% [markdown] minutes=2 covers="C146 K145"
# ## Change a word, and see which outputs move
#
# *How would you test that nothing leaks?* Change one word, here word 2, and look at the outputs.

# %%
changed = words.clone()
changed[2] = torch.tensor([5.0, 5.0, 5.0])
before = causal_weights(words @ words.T) @ words
after = causal_weights(changed @ changed.T) @ changed
print("moved:", [bool(moved) for moved in (before != after).any(dim=1)])

# %% [markdown]
# Outputs 0 and 1 stay. Output 2 moves: a place sees its own word. That is no leak, because the
# labels are shifted: output i has seen words 0 to i, and is asked for word i + 1.

# %% [markdown] minutes=5
# ## Dice test a mask
#
# *How do you notice a mask that is wrong by one place?* Give the model something that nobody can
# predict. Dice with eight sides, thrown twelve times; one layer of attention; at each place it is
# to name the next throw. First with the honest mask, j <= i:

# %%
honest = train(causal, steps=with_progress(STEPS, "training with j <= i"))
print(f"loss {honest.loss:.2f}, right in {honest.accuracy:.2f} of the throws")
print(f"by chance: loss ln 8 = {np.log(8):.2f}, right in 1/8 = {1 / 8:.3f}")

# %% [markdown]
# It has learned nothing, because there is nothing to learn. Now somebody writes `<= i + 1`.

# %%
bet("dice")

# %%
one_too_far = Mask("one too far", lambda b, i, j: j <= i + 1)
leaky = train(one_too_far, steps=with_progress(STEPS, "training with j <= i + 1"))
print(f"loss {leaky.loss:.2f}, right in {leaky.accuracy:.2f} of the throws")
settle("dice", leaky.accuracy)

# %%
figure = new_figure(7.0, 2.8)
curves = {"j <= i": honest.losses, "j <= i + 1": leaky.losses}
axes = draw_curves(figure.subplots(), curves, level=("ln 8", np.log(8)))
axes.set(xlabel="training step", ylabel="loss", title="Nobody predicts dice: one curve cheats")
show_figure(
    figure,
    "With j <= i the loss falls to ln 8 and stays there. With j <= i + 1 it is 0 after "
    "about ten steps.",
)

# %% [markdown]
# **A loss too good to be true is a mask bug.** One place of the future is enough, because it is the
# one that is asked for. When such a model writes, it has no future to look at, and it fails. Was
# that draw lucky? Two others:

# %%
for seed in (1, 2):
    for mask in (causal, one_too_far):
        print(f"seed {seed}, {mask}: loss {train(mask, seed=seed).loss:.2f}")

# %% [markdown] minutes=4 covers="C148 K149"
# ## Filling takes its share
#
# (About half of the way: a good place for a break.)
#
# *Texts differ in length. What happens to the gap at the end?* To compute several texts at once,
# the short ones are filled up, here with vectors of zeros.

# %%
bet("zero_padding")

# %%
x = words[:3]
filled = torch.cat((x, torch.zeros(2, 3)))
alone, together = attention(x, x, x), attention(filled, filled, filled)[:3]
settle("zero_padding", not torch.allclose(alone, together))
print("weights of xiao:", attention_weights(filled, filled)[0].numpy().round(2))

# %% [markdown]
# The two fillings take .15 each. To the softmax a score of 0 is a score like any other.

# %% [markdown] minutes=3
# ### Exercise: `padding_mask`
#
# For each text, which keys are words? `lengths` says how many words each text has; they stand at
# the front of `s` places. True means: may be attended to. The axis in the middle belongs to the
# queries. It has size 1, so one row counts for all of them.


# %%
@exercise
def padding_mask(lengths, s):
    """True where the key is a word, False where it is filling.

    lengths: (b,)   s: a number   returns: (b, 1, s), boolean
    """
    # SOLUTION
    return torch.arange(s) < lengths[:, None, None]
    # END SOLUTION


# %% covers="K150"
mask = padding_mask(torch.tensor([3]), 5)[0]
masked = attention(filled, filled, filled, mask=mask)
print("words as if alone:", torch.allclose(masked[:3], alone))
print("output at a filling:", masked[3].numpy().round(2))

# %% [markdown]
# The words are as if alone. The filling still asks, so it has an output, too: nobody uses it, and
# it must be left out of the loss. Hide keys, not queries.

# %% [markdown] minutes=4 covers="C150 K151 C149"
# ## Masks combine, and the table stays a table
#
# *Causal and filled at once?* In this course a mask is a named rule on the places i and j, and
# rules combine: `&` means both, `|` at least one, `~` the opposite.

# %%
rule = causal & padding([3, 5])
print(rule, tuple(may_attend(rule, 5).shape))
print(may_attend(rule, 5)[0].int().numpy())

# %% [markdown]
# Whatever the rule, the matrix products stay as they are. Only scores change, before the softmax.
# So masks are not only for models that write: filling, windows and several texts in one row occur
# in every kind of model.
#
# ### Slide: switch masks on
#
# You start with three words and filling on the right. A row that may look at nothing is *empty*.
# Which rules, together, leave somebody with nothing to look at?

# %%
explore_mask(padding_mask=padding_mask)

# %% [markdown]
# <details><summary>And with all four rules on, filling on the left: how many rows are empty?</summary>
#
# Still two. Each word sees at least itself: it is not later than itself, not far from itself, in
# its own text, and no filling. Only a filling can end up with nothing.
# </details>

# %% [markdown] minutes=3 covers="C153 K154"
# ## Who likes whom?

# %%
bet("order")

# %%
cats, like, dogs = torch.tensor([[2.0, -1, -1, -2], [0, 1, 1, 0], [2, 2, -1, -2]])
one, two = torch.stack((cats, like, dogs)), torch.stack((dogs, like, cats))
first, second = attention(one, one, one), attention(two, two, two)
settle("order", not torch.allclose(first[1], second[1]))

# %%
print("cats like dogs:", first[1].numpy().round(2))
print("dogs like cats:", second[1].numpy().round(2))
print("shuffled words, shuffled outputs:", torch.allclose(first, second.flip(0)))

# %% [markdown]
# People say that attention is *blind to order*. More exactly: **shuffle the words, and the outputs
# are shuffled in the same way.** That is *permutation equivariance*. A causal mask breaks it,
# because then the first word sees less than the last:

# %%
mask = may_attend(causal, 3)
first, second = (attention(x, x, x, mask=mask) for x in (one, two))
print("causal, the same at *like*:", torch.allclose(first[1], second[1]))

# %% [markdown] minutes=3 covers="K158"
# ## Turn each word by its place
#
# *How can a score know how far apart two words are?* Turn the query and the key, each by an angle
# that grows with its place. A dot product depends on the angle between two arrows. So what is left
# is the difference of their places.
#
# That is *rotary position embedding*, RoPE, and most large models use it. A wide vector is cut into
# pairs of entries, each pair an arrow in its own plane. A pair (x, y) turned by the angle $\alpha$
# becomes $(x \cos\alpha - y \sin\alpha,\; x \sin\alpha + y \cos\alpha)$.

# %% [markdown] minutes=4
# ### Exercise: `rotate`
#
# Each row of `x` is cut into pairs of neighbours: entries 0 and 1, entries 2 and 3, and so on.
# `first` and `second` hold them already; `in_pairs` puts two such tables together again.


# %%
@exercise
def rotate(x, angles):
    """Each pair of neighbours, turned by its angle.

    x: (t, d)   angles: (t, d/2), in radians   returns: (t, d)
    """
    first, second = x[:, 0::2], x[:, 1::2]

    def in_pairs(one, other):
        return torch.stack((one, other), dim=-1).flatten(1)

    # SOLUTION
    turned_first = first * angles.cos() - second * angles.sin()
    turned_second = first * angles.sin() + second * angles.cos()
    return in_pairs(turned_first, turned_second)
    # STUB
    # turned_first = ...
    # turned_second = ...
    # return ...  # your code here
    # END SOLUTION


# %% [markdown] covers="C155"
# Pair 0 turns by 1 radian (57°) a place, each further pair more slowly: `frequencies(d)` says how
# far. A query five places behind its key, at three places of the text:

# %%
draw = torch.Generator().manual_seed(0)
q, k = torch.randn(2, 1, 64, generator=draw, dtype=torch.float64)
for place in (0, 7, 1000):
    query = rotate(q, (place + 5) * frequencies(64)[None])
    key = rotate(k, place * frequencies(64)[None])
    print(f"key at {place:4}, query at {place + 5:4}: score {(query @ key.T).item():.4f}")

# %% [markdown] minutes=3
# ### Slide: what is near, what is far
#
# Above, an older way: a pattern of waves is *added* to each word (in the depth part you write it).
# The curve says how alike the pattern of the dashed place is to that of every other. Below, RoPE: a
# query at the dashed place, the same key at every place. A head can learn a query that is turned a
# little further back; the second slider does it by hand. The start stays behind in grey.

# %%
explore_likeness(rotate=rotate)

# %% [markdown]
# <details><summary>A head is to look at the previous word, wherever it stands. Which setting of the
# second slider does it need, and what about the first?</summary>
#
# 1 place back. The first does not matter: the whole curve moves along with the query.
# </details>

# %% [markdown] minutes=2
# ## What you can now say
#
# - A mask sets scores to minus infinity before the softmax. The causal one hides what comes later,
#   and a loss too good to be true means that it does not.
# - Filling must be hidden as a key; a query that may look at nothing makes an empty row.
# - Without mask and positions attention does not know the order; turning queries and keys by their
#   place makes a score depend on their distance.

# %%
progress()

# %% [markdown]
# ### Where this occurs in a large language model
#
# | place | which mask, which positions |
# |---|---|
# | training on text | causal; several texts in one row: causal & document |
# | writing | one query, all keys so far; no mask is needed |
# | answering many people at once | filling, mostly on the left, hidden as keys |
# | long texts | in some layers a window; RoPE with slower waves |
# | reading only (search, classification) | filling is hidden, and the future is open |
#
# ### Test yourself
#
# <details><summary>A colleague is glad: the loss of her new model fell from 2.9 to 0.1 in an
# hour, on the same data. What do you ask first?</summary>
#
# Whether a place can see its own label: a mask wrong by one, a mask that was forgotten, or labels
# that are not shifted. Change one word and see which outputs move.
# </details>
# <details><summary>Why -inf on the scores, and not 0 on the weights?</summary>
#
# After the softmax the hidden words have had their share, so the rows no longer add up to 1. (If
# you divide each row by its sum, the two are the same.)
# </details>
# <details><summary>Why must the filling be hidden, though it is made of zeros?</summary>
#
# A score of 0 is not a weight of 0. Each filling takes $e^0 = 1$ in the sum of the softmax.
# </details>
# <details><summary>"I love you" and "you love I": what is the same for attention without positions,
# and what is not?</summary>
#
# The output at each word is the same in both. The order of the outputs is not: they are shuffled as
# the words are. With a causal mask, or with positions, the outputs themselves differ.
# </details>
#
# **Next:** chapter 7 lets several heads look at once, each with its own question. Below, for those
# who want more: whose loss curve is this, infinity in four precisions, rows with nothing in them,
# the opposite convention, writing with a cache, and how far waves reach.
