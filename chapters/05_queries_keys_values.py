# %% [markdown] minutes=1 sittings=2
# # 5 · Queries, keys and values: what a word asks for is not what it is
#
# So far each word was compared as it is. A model never does that: from each word it makes three
# vectors, one that asks, one that answers, one that is handed over. Here you write them, and at the
# end attention itself, from an empty cell.
#
# The part before "Depth" is two sittings of 45 to 90 minutes, with a marked pause between them.

# %%
import math

import numpy as np
import torch

from course_lib.chapters.queries_keys_values import *

# %% [markdown] minutes=3
# ## Three questions before you start
#
# Without aids, on paper.
#
# 1. You add 1000 to every score of a row. What changes in its weights? (Chapter 4.)
# 2. Scores are divided by the square root of the width: $d_k$ in chapter 3, from here on $d$. What
#    goes wrong without it? (Chapter 3.)
# 3. Write attention in three lines, from memory. (Chapter 1.)
#
# <details><summary>Answers</summary>
#
# 1. Nothing, on paper: softmax depends only on differences of scores.
# 2. A score adds up $d$ products, so its spread grows with the root of $d$, and one key gets almost
#    all of the weight.
# 3. The scores are `q @ k.T`, the weights are the softmax of each row of scores, and the output is
#    `weights @ v`.
# </details>

# %% [markdown] minutes=1
# ## From here on, arrays are torch tensors
#
# The import above took a while: torch, PyTorch, costs about two seconds and 210 MB of memory in each
# notebook. (How we know: the clock and the memory of a fresh Python before and after `import torch`,
# five times, version 2.13 without GPU on two busy cores, November 2026. Yours will say something
# else.) For it you get gradients, graphics processors, and in chapter 8 FlashAttention. Most names are
# numpy's; where numpy says `axis`, torch says `dim`.

# %%
row = [1.0, 2.0, 4.0]
print("ours: ", softmax(np.array(row)).round(3))
print("torch:", torch.softmax(torch.tensor(row), dim=-1).numpy().round(3))

# %% [markdown] minutes=2
# ## A search has three parts: what you ask, what is labelled, what you take home
#
# *You ask a library for "books about Steve Jobs". Which do you get?* Your question is compared with
# the label of each book. What you take home is neither question nor label: it is what the books say.
# Attention is this search, and each word plays all three parts:
#
# | part | in the library | of a word |
# |---|---|---|
# | **query** $q$ | your question | what do I look for? |
# | **key** $k$ | the label of a book | what can I be found by? |
# | **value** $v$ | the text of a book | what do I hand over? |
#
# Three steps as well: ask, match (each query with each key), collect (the values, in the shares of
# the match). Ask and match, with three books. Three numbers say how much a book is about technology,
# about a life and about cooking; you ask for the first two:

# %%
question = torch.tensor([1.0, 1.0, 0.0])
labels = torch.tensor([[1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
shares = torch.softmax(labels @ question, dim=-1)
for title, share in zip(["Steve Jobs", "Machine learning", "Soups"], shares, strict=True):
    print(f"{title:17} {share:.2f}")

# %% [markdown] minutes=2
# ## Paris cannot find France
#
# *Paris, Rome, Tokyo, Cairo; France, Italy, Japan, Egypt.* Give each of the eight a direction of its
# own (*one-hot*: a single 1 in eight numbers). Then Paris has no more to do with France than with
# Egypt:

# %%
names = ["Paris", "Rome", "Tokyo", "Cairo", "France", "Italy", "Japan", "Egypt"]
words = torch.eye(8)
for other in (4, 7, 0):
    print(f"Paris with {names[other]:6} {words[0] @ words[other]:.0f}")

# %% [markdown]
# Now let a word be changed before it is compared, and in two ways: its query is the word times a
# matrix $W_Q$, its key the word times another matrix, $W_K$, each of 8 rows and 4 columns. The score
# of Paris with France is the dot product of the query of Paris and the key of France.

# %%
bet("perfect_strangers")

# %% [markdown] minutes=4
# ### Exercise: `strangers_match`
#
# Fill the two matrices so that each capital scores highest with its own country, by .1 or more.
# Rows are in the order of `names`. A one-hot word times a matrix is one row of it: row 0 of `w_q` is the query of
# Paris, row 4 of `w_k` the key of France.


# %% exercise="strangers_match"


# %%
w_q, w_k = strangers_match()
scores = (words @ w_q) @ (words @ w_k).T
print("Paris with each of the eight:", scores[0].numpy())
settle("perfect_strangers", scores.numpy())

# %% [markdown] minutes=2
# ### Perfect strangers match
#
# How much of the attention of Paris does France get? Say that a capital scores 1 with its country and
# 0 with all others, and multiply the scores by a *sharpness*:

# %%
country = torch.zeros(8, 8)
country[[0, 1, 2, 3], [4, 5, 6, 7]] = 1
for sharpness in (0, 1, 2, 4, 8):
    weights = torch.softmax(sharpness * country, dim=-1)
    print(f"{sharpness}: Paris at France {weights[0, 4]:.3f}   France at Paris {weights[4, 0]:.3f}")

# %% [markdown]
# Two words need not be alike to match. And Paris looks at France, while France does not look back: it
# scores 0 with all, so each word gets an eighth. With one-hot words the table of scores is
# $W_Q W_K^T$: the matrices decide, and those are what training changes.

# %% [markdown] minutes=3
# ## One sentence, three matrices
#
# *Where do the three vectors come from?* From the words, by one matrix each. A sentence of three
# words, the cat is sleeping, 猫在睡觉. Each word has four traits, invented here: *thing, action,
# alive, grammar*. Words stand in rows, so a matrix stands on the right: $Q = XW_Q$.

# %%
spelled = ["cat 猫", "is 在", "sleeping 睡觉"]
x = torch.tensor([[1.0, 0, 1, 0], [0, 0, 0, 1], [0, 1, 1, 0]])
w_q = torch.tensor([[2.0, 0], [0, 2], [1, 0], [0, 1]])  # looks for: an action, a thing
w_k = torch.tensor([[0.0, 1], [1, 0], [0, 1], [0, 0]])  # offers: an action, a thing
w_v = torch.tensor([[4.0, 0, 0], [0, 4, 0], [1, 1, 0], [0, 0, 4]])  # thing, action, grammar

# %%
q, k, v = x @ w_q, x @ w_k, x @ w_v
for name, asks, offers, holds in zip(spelled, q, k, v, strict=True):
    print(f"{name:13}", "q", asks.numpy(), " k", offers.numpy(), " v", holds.numpy())

# %% [markdown]
# A cat is a thing and alive: 2 + 1 = 3 for *looks for an action*. Sleeping offers an action, 1.
#
# | | rows | columns | here |
# |---|---|---|---|
# | $Q$ | $t$ queries | $d$, the width of a query and of a key | (3, 2) |
# | $K$ | $s$ keys | $d$ | (3, 2) |
# | $V$ | $s$ values, one for each key | $e$, any width | (3, 3) |
# | scores, weights | $t$ | $s$ | (3, 3) |
# | output | $t$ | $e$, as wide as a value | (3, 3) |

# %% [markdown] minutes=2
# ### What are the numbers inside of Q?
#
# People say: *they are learned, they are not dot products.* Half of it is true. Which half?

# %%
print("row 'sleeping' of x with column 1 of w_q:", (x[2] @ w_q[:, 1]).item())
print("entry [2, 1] of q:                       ", q[2, 1].item())
big = torch.zeros(100, 768) @ torch.zeros(768, 768)
print("100 words in a model 768 wide:", tuple(big.shape))

# %% [markdown]
# *Learned* is $W_Q$: it is the same for every sentence. $Q$ is computed anew for each sentence, and
# every number in it **is** a dot product, of a word with a column of $W_Q$. A column is a question:
# how much of this is in you? (A $W_Q$ of 768 by 768 is one head of full width, or 12 heads of 64 side
# by side: chapter 7.)

# %% [markdown] minutes=3
# ## Scores: who asks whom?
#
# Every query meets every key. *Who asks in row 0, column 2?*

# %%
bet("who_asks")

# %%
scores = q @ k.T
print(scores.numpy())
cat_asks, sleeping_asks = (q[0] @ k[2]).item(), (q[2] @ k[0]).item()
print(f"cat asks sleeping: {cat_asks:.0f}   sleeping asks cat: {sleeping_asks:.0f}")
settle("who_asks", [scores[0, 2] == cat_asks, scores[0, 2] == sleeping_asks])

# %% [markdown]
# By hand: the query of *cat* is [3, 0], the key of *sleeping* is [1, 1], and 3 · 1 + 0 · 1 = 3. You
# can check a score only if you see all of its numbers. (A picture on the web has q = [.1, .2, ...],
# k = [.3, .4, ...] and a score of 2.5. What you see of it makes .1 · .3 + .2 · .4 = .11.)
#
# Next, the row of *cat* is divided by the root of the width, √2, and becomes shares:

# %%
row = scores[0] / math.sqrt(2)
weights = torch.softmax(row, dim=-1)
print("scaled", row.numpy().round(2), " weights", weights.numpy().round(3))
print("output", (weights[0] * v[0] + weights[1] * v[1] + weights[2] * v[2]).numpy().round(2))

# %% [markdown]
# .807 of what the cat takes home comes from *sleeping*. The middle number stands for *action*: 4.13 in
# the output, and only 1 in the cat's own value, [5, 1, 0].

# %% [markdown] minutes=3
# ### Exercise: `scaled_scores`
#
# The scores of every query with every key, divided by the root of the width. The width is that of a
# key, which is that of a query; how wide a value is does not matter. And from now on there may be
# axes in front: `(..., t, d)` is one sentence, or many, or many with several heads. So `.T`, which
# turns *all* axes around, will not do; `transpose(-2, -1)` exchanges the last two.


# %% exercise="scaled_scores"


# %% [markdown] minutes=3
# ### Exercise: `attend`
#
# The whole of it, from the paper that everybody cites (Vaswani et al., 2017, equation 1; it writes
# $d_k$ for our $d$):
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\!\left(\frac{QK^T}{\sqrt{d}}\right)V$$
#
# Four of these seven lines say the same. Bring them into order; three belong nowhere.


# %% exercise="attend" shuffled


# %%
theirs = torch.nn.functional.scaled_dot_product_attention(q, k, v)
print(attend(q, k, v).numpy().round(2))
print("as torch's own:", torch.allclose(attend(q, k, v), theirs, atol=1e-6))

# %% [markdown] minutes=2
# ### Every step has a name and a shape
#
# From $X$ to queries, keys and values, from those to scores: `trace` of the course's kernel keeps
# every step. (*masked* is for later; here nobody is forbidden.) What kind of number stands where?

# %%
steps = trace(x, x, x, w_q=w_q, w_k=w_k, w_v=w_v)
print(", ".join(f"{name} {tuple(table.shape)}" for name, table in steps.items()))

# %%
figure, asked = new_figure(7.0, 2.45), ["cat", "is", "sleeping"]
tables = [(name, steps[name].round(decimals=2)) for name in ("q", "k", "scores", "weights")]
draw_tables(figure, [tables], rows=asked, columns=asked, number="{:g}")
show_figure(
    figure,
    "Four tables. In q and k a row is a word. In scores and weights a row is a word that asks, a "
    "column one that is asked: cat gives .81 of its attention to sleeping.",
)

# %% [markdown]
# | table | its numbers are | may be |
# |---|---|---|
# | x | a word, as the model has it so far | any |
# | q, k, v | dot products of a word with a column of a matrix | any |
# | scores | dot products of a query with a key | any |
# | weights | shares; each row adds up to 1 | 0 to 1 |
# | output | averages of values | between the smallest and the largest value of a column |

# %% [markdown] minutes=2
# ## From average to lookup there is no jump
#
# *Is attention only a weighted average?* Four drawers hold 10, 20, 30 and 40. The query fits the
# key of the third.

# %%
bet("half_sharp")

# %%
drawers, fit = torch.tensor([10.0, 20, 30, 40]), torch.tensor([0.0, 0, 1, 0])
settle("half_sharp", (torch.softmax(fit, dim=-1) @ drawers).item())

# %% [markdown] minutes=2
# ### Slide: from the mean to the exact value
#
# The same four drawers, through your `attend`. At sharpness 0 nobody is preferred; the sharper, the
# closer to a lookup. On paper it never gets there: no weight is ever quite 0.

# %%
explore_soft_lookup(attend=attend)

# %% [markdown]
# <details><summary>And if the query stands halfway between the third and the fourth key: what does a
# very sharp lookup return?</summary>
#
# 35, or nearly: 34.95 at the end of the slider. Both keys fit alike, so they share the weight evenly,
# however sharp: a lookup that cannot decide returns the mean of 30 and 40.
# </details>

# %% [markdown] minutes=1
# With the weights fixed, attention is a weighted average: its output stays between the smallest and
# the largest value. What is new is who chooses the weights: query and keys, again for each input.
# That is why people call it *soft addressing*: an address that may point a little at everything.

# %%
rng = torch.Generator().manual_seed(0)
q_many, k_many, v_many = (torch.randn(n, 8, generator=rng) for n in (1000, 20, 20))
mixed = attend(q_many, k_many, v_many)
inside = (mixed >= v_many.min(dim=0).values) & (mixed <= v_many.max(dim=0).values)
print("1000 queries, all inside of the values:", inside.all().item())

# %% [markdown] minutes=3
# ### Exercise: `scores_for`
#
# *Apple takes 50 % from phone, 30 % from released and 20 % from itself.* Which scores make exactly
# these weights? Any that do are right.


# %% exercise="scores_for"


# %%
made = scores_for(torch.tensor([0.5, 0.3, 0.2]))
print(torch.softmax(made, dim=-1).numpy().round(2))

# %% [markdown] minutes=3
# ## Exit question: what is learned, and what is fixed?
#
# Answer on paper, in two sentences, before you unfold: *the dot product has no learned number in it.
# So what does attention learn?*
#
# <details><summary>Answer</summary>
#
# The three matrices. (Most layers have a fourth, behind the output: chapter 7.) The dot product, the
# root and the softmax hold nothing that training could change; $W_Q$ and $W_K$ decide what counts as a
# match, and $W_V$ what is handed over. Written out, the score of words $x$ and $y$ is $x\,W_Q W_K^T\,y^T$: a fixed sum with a learned table in the
# middle.
# </details>
#
# ---
#
# **Pause.** This is the end of the first sitting. The second begins with questions about it, so it
# goes better after a night's sleep. (*Run, Run All Above Selected Cell* brings you back here.)

# %% [markdown] minutes=3
# ## Second sitting. Three questions before you go on
#
# 1. Which of these change from sentence to sentence: $W_Q$, $Q$, the weights?
# 2. Two words have dot product 0. Can the one look at the other?
# 3. What stands in row 2, column 0 of the scores? (Words count from 0.)
#
# <details><summary>Answers</summary>
#
# 1. $Q$ and the weights. $W_Q$ is learned once.
# 2. Yes. What is compared are a query and a key, and the matrices make these.
# 3. The query of word 2 with the key of word 0: how much word 2 looks for what word 0 offers.
# </details>

# %% [markdown] minutes=3
# ## Apple has one vector before and two after
#
# *"Anna ate the ripe apple." "Apple released a phone."* One word, in Chinese too: 苹果. A list with one
# vector for each word cannot know which apple is meant. A small model can, if its words may look at
# each other. Ours has two layers: in each, a word collects from its whole sentence, and what it
# collects is added to its own vector. It learned in seconds, from invented sentences about fruit and
# about firms, to say which word was hidden.
#
# `model.vectors` gives each word's vector before the first layer and after each of the two. It
# attends with your `attend`, if that was right.

# %%
model = load_words()
fruit, firm = "anna ate the ripe apple today", "apple released the new phone today"
apple_fruit, apple_firm = model.vectors(fruit, attend)[:, 4], model.vectors(firm, attend)[:, 0]
print("before the first layer the same vector:", torch.equal(apple_fruit[0], apple_firm[0]))

# %%
bet("two_apples")

# %%
likeness = torch.nn.functional.cosine_similarity
print("after the first layer:", f"{likeness(apple_fruit[1], apple_firm[1], dim=0):.2f}")
settle("two_apples", likeness(apple_fruit[2], apple_firm[2], dim=0).item())

# %% [markdown] minutes=2
# Did each go to where it belongs? Compare both with the mean vector of the four other fruits, and
# with that of the four other firms:

# %%
fruits = model.vectors("pear plum peach banana")[0].mean(dim=0)
firms = model.vectors("samsung nokia intel huawei")[0].mean(dim=0)
for name, apple in (("before", apple_fruit[0]), ("fruit", apple_fruit[2]), ("firm", apple_firm[2])):
    print(f"{name:6}  to fruits {likeness(apple, fruits, dim=0):5.2f}", end="")
    print(f"   to firms {likeness(apple, firms, dim=0):5.2f}")

# %% [markdown] minutes=1
# Beside fruit words apple is no longer like the firms; beside firm words it is hardly like the fruits.
#
# ### The same matrices, other shares
#
# A matrix alone, $xW$, treats a word alike in every sentence. Attention computes its shares anew. Here
# is the row of *apple* in the first layer, in both sentences. (*anna* counts, because people stand
# only beside fruit in what the model has read.)


# %%
def look(q, k, v):
    """attend, and the weights are kept."""
    seen.append(attention_weights(q, k))
    return attend(q, k, v)


for sentence, place in ((fruit, 4), (firm, 0)):
    seen = []
    model.vectors(sentence, look)
    shares = zip(sentence.split(), seen[0][place], strict=True)
    print("   ".join(f"{word} {share:.2f}" for word, share in shares))

# %% [markdown] minutes=3
# ### Slide: who looks at whom
#
# The running sentence again, 小沈阳江西演唱会邀请了, *Xiao Shenyang's Jiangxi concert invited ...*,
# with invented queries, keys and values. On the right each value is multiplied by its weight. The
# short arrows that this makes stand head to tail: the output ends where the last one ends. Choose who
# asks.

# %%
explore_who_looks_at_whom(attend=attend)

# %% [markdown]
# <details><summary>At sharpness 0, where does the output end, whichever word asks?</summary>
#
# At (0.22, 0.14), the mean of the five values: each gets a weight of one fifth. Without a match there
# is nothing to choose by.
# </details>

# %% [markdown] minutes=1
# In the small model, and here, every word sees every other. In a model that writes, such as GPT, a
# word sees itself and what stands before it (chapter 6). So the first word has nobody but itself to
# ask, and its row is fixed:

# %%
earlier = torch.ones(3, 3).tril().bool()  # True on the diagonal and below
print(attention_weights(q, k, mask=earlier).numpy().round(2))

# %% [markdown] minutes=3
# ## Two texts: one asks, the other is asked
#
# *Hello world is to become 你好世界. Who asks whom?* So far queries, keys and values came from one
# sentence: **self-attention**. In translation the text that is being written asks, and the text that
# was read answers: **cross-attention**.
#
# | part | in translation | comes from |
# |---|---|---|
# | query | what does the next Chinese word need? | the target, being written |
# | key | which English word can help with it? | the source, read |
# | value | what that English word has to say | the source |

# %% [markdown] minutes=3
# ### Exercise: `cross_attention`
#
# `target` has t words, each m numbers wide, `source` has s words, each c wide (c as in *context*).
# Self-attention is the same with one text twice: `cross_attention(x, x, w_q, w_k, w_v)`.


# %% exercise="cross_attention"


# %%
english = torch.randn(2, 4, generator=rng)  # hello world
chinese = torch.randn(4, 4, generator=rng)  # 你 好 世 界
matrices = [torch.randn(4, width, generator=rng) for width in (3, 3, 7)]
print("4 pieces ask 2 words:", tuple(cross_attention(chinese, english, *matrices).shape))
print("2 words ask 4 pieces:", tuple(cross_attention(english, chinese, *matrices).shape))

# %% [markdown] minutes=2
# ### Bet: how much more to learn for a longer text?
#
# People say: *self-attention needs texts of one length.*

# %%
bet("five_hundred")

# %%
layer = torch.nn.MultiheadAttention(64, num_heads=1, batch_first=True)
counts = []
for n in (5, 500):
    text = torch.zeros(1, n, 64)
    output, _ = layer(text, text, text)
    counts.append(sum(one.numel() for one in layer.parameters()))
    print(f"{n} words: output {tuple(output.shape)}, {counts[-1]} numbers learned")
settle("five_hundred", counts[1] / counts[0])
print("3 matrices:", 3 * 64**2, " 4 matrices, and 64 numbers behind each:", 4 * 64**2 + 4 * 64)

# %% [markdown]
# PyTorch's layer has one matrix more than ours, $W_O$, which acts on the output (chapter 7), and behind
# each of the four a *bias*: a number for each column, which is added.

# %% [markdown] minutes=2
# ## Does the dog look back?
#
# *When the cat looks at the dog, does the dog look at the cat?*

# %%
bet("looks_back")

# %%
pairs = torch.Generator().manual_seed(0)
ones, others = torch.randn(2, 10_000, 64, generator=pairs)  # 10,000 pairs of words
asks, offers = torch.randn(2, 64, 8, generator=pairs)  # as W_Q and W_K
there = (ones @ asks * (others @ offers)).sum(dim=-1) > 0
back = (others @ asks * (ones @ offers)).sum(dim=-1) > 0
settle("looks_back", 100 * back[there].double().mean().item())

# %% [markdown] minutes=3
# ### Exercise: `one_way`
#
# The cat looks at the dog, and the dog looks away. As they are, their dot product is 4, both ways.
# Find matrices that make the score of the cat's query with the dog's key 1 or more, and that of the
# dog's query with the cat's key -1 or less.


# %% exercise="one_way"


# %% [markdown]
# People say that the matrices make the match *flexible and highly non-linear*. Flexible, yes: any word
# may look at any other. And non-linear? Let a mixture of words ask: two times a plus three times c.

# %%
a, b = torch.randn(2, 4, generator=rng)
left, right = torch.randn(2, 4, 3, generator=rng)


def score(x, y):
    """x looks at y, with random matrices."""
    return (x @ left) @ (y @ right)


c = torch.randn(4, generator=rng)
print(f"{score(2 * a + 3 * c, b):.1f} = {2 * score(a, b) + 3 * score(c, b):.1f}")

# %% [markdown]
# Double the word that asks, and the score doubles; add two words, and their scores add up. The score
# is linear in each of its two words (*bilinear*). What is not linear is the softmax that follows, and
# that layers stand on top of each other.

# %% [markdown] minutes=7
# ## From an empty cell
#
# Now without lines to sort, and without looking up. It is tried on inputs that you do not see: one
# query, one key, several sentences, several heads, as many keys as numbers in a key, scores above
# 100, float64. And it is compared with PyTorch's own.
#
# ### Exercise: `attention`


# %% exercise="attention"


# %% [markdown]
# And with yours in place, does the small model still tell the two apples apart?

# %%
one, other = model.vectors(fruit, attention)[2, 4], model.vectors(firm, attention)[2, 0]
print(f"likeness of the two apples: {likeness(one, other, dim=0):.2f}")

# %% [markdown] minutes=3
# ## Four weaknesses of a function that works
#
# *This function is from a tutorial. It gives right results in the tutorial's example. Would you use
# it?* `mask` says for each query and key whether the query may look at the key: True if it may.
# Chapter 6 is about masks; here it is enough that what is False should get weight 0.


# %%
def from_a_tutorial(q, k, v, mask=None):
    """Attention as it stands in many notebooks."""
    scores = torch.matmul(q, k.transpose(-2, -1))
    scores = scores / torch.sqrt(torch.tensor(q.shape[-1], dtype=torch.float32))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    return torch.matmul(scores.softmax(dim=-1), v)


# %% [markdown]
# Four runs, four symptoms. First float64, which has more digits than float32, and float16, also called
# *half precision*. Then a query that may look at nothing: its output should be 0. Last, three
# sentences with three heads, and a mask for each sentence:

# %%
precise = [one.double() for one in (q, k, v)]
exact = torch.nn.functional.scaled_dot_product_attention(*precise)
error = (from_a_tutorial(*precise) - exact).abs().max()
print("float64: right to 8 digits", (error < 1e-7).item(), " to 12 digits", (error < 1e-12).item())
try:
    from_a_tutorial(q.half(), k.half(), v.half(), torch.eye(3))
except RuntimeError as trouble:
    print("half precision:", type(trouble).__name__, "- it ends at", torch.finfo(torch.half).max)

# %%
nothing = torch.tensor([[True, True, True], [False, False, False], [True, False, False]])
print("may look at nothing:", from_a_tutorial(q, k, v, nothing)[1].numpy().round(2))

# %%
three = torch.randn(3, 3, 5, 4, generator=rng)  # sentences, heads, words, width
masks = torch.rand(3, 5, 5, generator=rng) < 0.7
together = from_a_tutorial(three, three, three, masks)
both = zip(three, masks, strict=True)
one_by_one = torch.stack([from_a_tutorial(x, x, x, mask) for x, mask in both])
print("three sentences at once as one by one:", torch.allclose(together, one_by_one))

# %% [markdown] minutes=6
# ### Exercise: `mended`
#
# Mend all four. The mask is boolean, (t, s), (b, t, s) or with as many axes as the scores. A mask
# for each sentence, (b, t, s), holds for all heads of that sentence. Two things that may help:
# `torch.finfo(scores.dtype).min` is the lowest number of a dtype, and `unsqueeze(-3)` puts a new
# axis before the last two.


# %% exercise="mended"


# %% [markdown] minutes=3
# ## What you can now say
#
# - From each word come three vectors: a query asks, a key is asked, a value is handed over.
# - $\mathrm{softmax}(QK^T/\sqrt{d})\,V$: scores, weights, output; a row is a query, a column a key.
# - What is learned are the matrices. They let strangers match, in one direction, and make two
#   vectors of one apple.
#
# | word | 中文 | means |
# |---|---|---|
# | query | 查询 | what a position looks for |
# | key | 键 | what a position can be found by |
# | value | 值 | what a position hands over |
# | score | 分数 | query · key, before the softmax |
# | weight | 权重 | a share, after the softmax; each row adds up to 1 |
# | scaled | 缩放 | divided by the root of the width |
# | self-attention | 自注意力 | query, key and value from one text |
# | cross-attention | 交叉注意力 | queries from one text, keys and values from another |
# | multi-head | 多头 | the same several times side by side (chapter 7) |

# %%
progress()

# %% [markdown]
# ### Where this occurs in a large language model
#
# | place | who asks whom |
# |---|---|
# | each layer of GPT or Llama | each word asks itself and the words before it |
# | each layer of BERT | each word asks all words of its sentence |
# | translation, speech recognition | the text being written asks what was read or heard |
# | pictures from text | each piece of the picture asks the words |
# | the cache of a chat | keys and values of all words so far, kept so that new queries can ask |
#
# ### Test yourself
#
# <details><summary>"The numbers in Q are learned." Is that right?</summary>
#
# No. $W_Q$ is learned; $Q$ is computed for each input, and each of its numbers is the dot product
# of a word with a column of $W_Q$.
# </details>
# <details><summary>How do you tell self-attention from cross-attention by looking at the code?
# </summary>
#
# By where K and V come from: from the same text as Q, or from another. The formula is the same. In
# cross-attention the table of scores need not be square.
# </details>
# <details><summary>"Attention is only a weighted average." What would you answer?</summary>
#
# In its last step it is: the output lies between the values. But the weights are computed from the
# input, so the same matrices route one sentence in one way and the next in another.
# </details>
# <details><summary>A dot product is symmetric. Why is the table of scores not?</summary>
#
# Because queries and keys are made by different matrices: $x W_Q W_K^T y^T$ changes when $x$ and
# $y$ change places.
# </details>
#
# **Next:** chapter 6 decides who may look at whom, and gives words a place in the sentence. Below,
# for those who want more: what the matrices do to space, how they start, how they learn, and why
# distance does not matter.

# %% [markdown] depth
# ## Depth: a matrix turns, stretches and turns again
#
# A query is the word times $W_Q \in \mathbb{R}^{m \times d}$ (a table of numbers with m rows and d
# columns). What does such a product do to space? Every matrix is three steps, $W = U \Sigma V^T$
# (*singular value decomposition*): turn, stretch along the axes, turn. **Which turn comes first?**
# Books that write $Wx$, with the word as a column, say: first $V^T$. Here words are rows, $xW$:

# %%
word, w = torch.randn(5, generator=rng), torch.randn(5, 3, generator=rng)
u, stretch, vt = torch.linalg.svd(w, full_matrices=False)
print("x U, stretch, V^T:", torch.allclose(word @ u * stretch @ vt, word @ w, atol=1e-5))
print("x has", len(word), "numbers; V^T takes", len(vt), "and U takes", len(u))

# %% [markdown]
# In a row, what stands next to the word acts first: $U$. The word's five numbers do not even fit
# into $V^T$. In two dimensions everything fits, and only the picture tells. The slider applies the
# factors one by one, in either order:

# %%
explore_query_map()

# %% [markdown]
# <details><summary>In the right order: which words have the longest query, and how long is it?
# </summary>
#
# Those at 110° and 290°: the first turn, by 70°, puts them on the axis that is stretched by 2. A word
# of length 1 gets a query of length 2 there, and of length .5 at right angles to it.
# </details>

# %% [markdown] depth
# ### Exercise: `same_scores`
#
# May one read meaning into the turns and stretches of $W_Q$ alone? Mix the queries by any matrix
# $a$ that has an inverse, $W_Q a$, and find the keys with which *all scores stay as they are*.


# %% exercise="same_scores"


# %% [markdown]
# So a model can stretch its queries as it likes, if its keys undo it. What the scores know is the
# product $W_Q W_K^T$ and nothing else.

# %% [markdown] depth
# ## Depth: narrow keys limit the scores, not the weights
#
# In a model with 12 heads of 64, queries and keys are much narrower than the words, 768. That is a
# compression, and it leaves a trace: a table $QK^T$ of any size has at most rank $d$, because $d$
# rows are enough to build all others.

# %%
bet("rank_after")

# %%
draws = torch.randn(2, 128, 64, generator=rng, dtype=torch.float64)
ranks = {}
for d in (4, 16, 64):
    table = draws[0, :, :d] @ draws[1, :, :d].T / math.sqrt(d)
    ranks[d] = [torch.linalg.matrix_rank(one).item() for one in (table, table.softmax(-1))]
    print(f"d = {d:2}: rank of the scores {ranks[d][0]:3}, of the weights {ranks[d][1]}")
settle("rank_after", ranks[4][1])

# %%
explore_score_rank()

# %% [markdown]
# <details><summary>And if the 24 words were 100 numbers wide, with queries and keys of 32: which rank
# would the scores have?</summary>
#
# It would be 24: a table with 24 rows has no more independent ones. The rank is at most the smallest of
# three: the words, their width, and d.
# </details>
#
# And a limit stays. Here 24 words carry keys of length 1, and each asks with its own key: how many
# find themselves?

# %%
for d in (1, 2, 4):
    keys = torch.nn.functional.normalize(torch.randn(24, d, generator=rng), dim=-1)
    found = (keys @ keys.T).argmax(dim=-1) == torch.arange(24)
    print(f"d = {d}: {found.sum()} of 24")

# %% [markdown]
# In one dimension such a key is 1 or -1. All that share a sign tie, and one of them can be found. Two
# dimensions are enough for 24, and for any number, if the scores may be sharpened. Whether narrowness
# *helps*, by keeping a model from learning noise (*regularisation*), only trying tells; too narrow
# hurts.

# %% [markdown] depth
# ## Depth: Xavier's rule is a compromise
#
# Before training, the numbers of the matrices are drawn at random. How large? Glorot and Bengio
# (2010) say: variance 2 / (rows + columns). The first name of Glorot is Xavier.

# %%
bet("scaled_spread")

# %%
text = torch.randn(1000, 768, generator=rng)
map_q, map_k = math.sqrt(2 / (768 + 64)) * torch.randn(2, 768, 64, generator=rng)
scaled = scaled_scores(text[:200] @ map_q, text[200:400] @ map_k)
print(
    f"w_q {map_q.var():.5f}, rule {2 / 832:.5f};  q {(text @ map_q).var():.2f}, rule {768 * 2 / 832:.2f}"
)
settle("scaled_spread", scaled.var().item())

# %% [markdown]
# People say that it *ensures* equal spread on the way forward and back. Here forward it grows to
# 1.85 and a gradient on its way back shrinks to .15; both are exact for square matrices only:

# %%
square = math.sqrt(2 / (768 + 768)) * torch.randn(768, 768, generator=rng)
back = torch.randn(1000, 64, generator=rng) @ map_q.T
print(f"back through w_q {back.var():.2f};  square: forward {(text @ square).var():.2f}", end=", ")
print(f"back {(torch.randn(1000, 768, generator=rng) @ square.T).var():.2f}")

# %% [markdown]
# One catch: PyTorch's own layer stacks $W_Q$, $W_K$ and $W_V$ into one matrix of $3m$ by $m$ and
# applies the rule to that, so each of them gets half of the variance, 2 / (4 m).

# %%
layer = torch.nn.MultiheadAttention(512, num_heads=8)
print("within 1 %:", (abs(layer.in_proj_weight.var() / (2 / (4 * 512)) - 1) < 0.01).item())

# %% [markdown] depth
# ## Depth: how the question learns
#
# *The loss says that the output should have been different. What should change in $W_Q$?* Backwards
# through the lines, each by its own rule:
#
# | forward | back |
# |---|---|
# | output = weights · v | gradient of the weights = upstream · vᵀ |
# | weights = softmax of each row | of a score = weight · (its gradient - the row's weighted mean) |
# | scores = q · kᵀ · scale | of q = gradient of the scores · k · scale |
# | q = x · w_q | of w_q = xᵀ · gradient of q |
#
# One reads that the derivative of $Q$ by $W_Q$ is $X^T$. It is a table with four indices; multiplying
# by $X^T$ is what remains of it, and it is only the last of these steps.
#
# ### Exercise: `gradient_of_w_q`


# %% exercise="gradient_of_w_q"


# %%
x_q, upstream = torch.randn(7, 5, generator=rng), torch.randn(7, 2, generator=rng)
leaf = torch.randn(5, 3, generator=rng).requires_grad_()
own_k, own_v = torch.randn(5, 3, generator=rng), torch.randn(5, 2, generator=rng)
theirs = torch.nn.functional.scaled_dot_product_attention(x_q @ leaf, x_q @ own_k, x_q @ own_v)
(theirs * upstream).sum().backward()
mine = gradient_of_w_q(x_q, leaf.detach(), own_k, own_v, upstream)
print("as torch's own:", torch.allclose(mine, leaf.grad, atol=1e-4))

# %% [markdown] depth
# ## Depth: a hundred steps, or one
#
# Before attention, *recurrent* networks (RNN) read texts word by word. Each step hands a list of
# numbers, the state, to the next. **How much of the first word is left after 100?** Measured is the
# gradient: how strongly the last output depends on a word so far back, in fresh networks 32 wide.

# %%
bet("far_back")

# %%
sizes = gradient_by_distance(seeds=range(5))
print("powers of ten at distance     0     10     20     50     99")
for kind, found in sizes.items():
    powers = np.log10(typical(found)[[0, 10, 20, 50, 99]])
    print(f"{kind:22}", " ".join(f"{power:6.1f}" for power in powers))
first, last = typical(sizes["RNN"])[[99, 0]]
settle("far_back", np.log10(last / first))

# %% [markdown] depth
# The path is as long as the distance in an RNN, and one step in every layer of attention (a
# *wormhole*, as some say). The LSTM, an RNN built to forget less, loses less, and a first matrix that
# keeps lengths (*orthogonal*) less again. Around it some things are said that are half true:
#
# - *An RNN sees only its neighbours.* No: the gradient is tiny, and not 0. The path is long.
# - *Attention knows no decay.* None with distance. But its weights are shared: among 100 words, each
#   gets about a hundredth. And some models build a decay in on purpose (chapter 6).
# - *An RNN takes longer for longer texts.* So does attention, and more so: $n^2$ scores. What an RNN
#   cannot do is read all words at once; each step waits for the one before.
# - *An RNN must press a text into one vector.* True of the first translators. Attention keeps the keys
#   and values of every word, and pays with memory.

# %% [markdown] depth
# ## Depth: train the small model yourself
#
# It takes seconds: 300 steps, where the model from above took 800. The words and sentences are in
# `course_lib/models/words.py`; another `seed` makes another model. Do its apples differ as well?

# %%
trained = train_words(with_progress(range(300), "training"), seed=1)
two = [trained.vectors(fruit, attend)[2, 4], trained.vectors(firm, attend)[2, 0]]
print("likeness below .8:", (likeness(*two, dim=0) < 0.8).item())

# %% [markdown] depth
# ## Depth: what is left without the dot product
#
# *"Whoever understands the dot product understands attention."* Take it away: give every pair the
# same score.

# %%
v_five = torch.randn(5, 2, generator=rng)
same = torch.softmax(torch.zeros(3, 5), dim=-1) @ v_five
print("every row is the mean of the values:", torch.allclose(same, v_five.mean(dim=0).expand(3, 2)))

# %% [markdown]
# An average is left. The dot product decides who counts; the softmax makes shares of it, and the
# values are what arrives. It takes all three.

# %% [markdown] depth
# ## Depth: what the scale keeps alive
#
# How strongly a weight $w$ follows its own score is $w(1 - w)$ (chapter 4). *Which column dies as $d$
# grows?* Left without the scale, right with it; 16 random keys, averaged over all weights:

# %%
for d in (4, 64, 1024):
    q_wide, k_wide = torch.randn(1000, d, generator=rng), torch.randn(16, d, generator=rng)
    plain, scaled = (q_wide @ k_wide.T).softmax(-1), (q_wide @ k_wide.T / d**0.5).softmax(-1)
    print(f"d = {d:4}: {(plain * (1 - plain)).mean():.3f}  {(scaled * (1 - scaled)).mean():.3f}")

# %% [markdown] depth
# ## Depth: the box, and what stands around it
#
# Drawings of "scaled dot-product attention" often show two steps too many: *concatenate* and
# $W_O$. They belong to multi-head attention, which holds several such boxes (chapter 7). Here is every
# step, with 2 heads of width 3; the box is *scores* to *output*.

# %%
five, heads = torch.randn(5, 6, generator=rng), torch.randn(3, 2, 6, 3, generator=rng)
w_o = torch.randn(6, 6, generator=rng)
all_steps = trace(five, five, five, w_q=heads[0], w_k=heads[1], w_v=heads[2], w_o=w_o)
print(", ".join(f"{name} {tuple(table.shape)}" for name, table in all_steps.items()))

# %% [markdown]
# Two remarks. *"Usually d, the width of a query, is the width of the model"*: of a single
# head, yes; with h heads it is often the width of the model divided by h (chapter 7 has others). *"First comes layer
# normalisation"*: since GPT-2. The Transformer of 2017 and BERT normalise after each *sublayer*: once
# after the attention of a block, and once more after what follows it (chapter 7).

# %% [markdown] depth
# ## Depth: three matrices are not all of it
#
# *"$W_Q$, $W_K$ and $W_V$ are all that attention has to learn."* If its heads together are as wide as
# the model, $m$, these are $3m^2$ numbers. PyTorch's layer of 512 from above has more:

# %%
count = sum(one.numel() for one in layer.parameters())
print(f"3 m²: {3 * 512**2:,}   the layer: {count:,}   4 m² + 4 m: {4 * 512**2 + 4 * 512:,}")

# %% [markdown]
# The fourth matrix is $W_O$, which joins the heads; the four times $m$ are the constants behind each
# matrix, the biases. Many newer models leave the biases out.

# %% [markdown] depth
# ## Depth: few need all others
#
# *Sparse* attention lets a query see a window of w keys only: of $n^2$ scores $n w$ are left, with
# n = 4096 and w = 256 one in sixteen. That is saved work only if whoever computes it leaves the rest
# out. A full product with a mask over it does all of the work and throws most of it away.
