# %% [markdown] minutes=2
# # 5 · Queries, keys and values: what a word asks for is not what it is
#
# So far each word was compared as it is. A model never does that. From each word it makes three
# vectors: one that asks, one that answers, and one that is handed over. In this chapter you make
# them, you take the matrices that make them into your hand, and at the end you write attention
# itself, from an empty cell.
#
# The part before "Depth" takes about an hour. Halfway there is a good place to stop for today.

# %%
from course_lib.chapters.queries_keys_values import *

show_road_map(5)

# %% [markdown]
# The line above brought everything that this chapter uses: its pictures and exercises, `math`, numpy
# as `np`, and something new, `torch`. From here on, arrays are **tensors** of PyTorch. They behave
# much like numpy's arrays, and most names are the same; where numpy says `axis`, torch says `dim`. In
# return you get gradients, graphics processors, and in chapter 8 FlashAttention. (The price is about
# two seconds and 210 MB of memory in each notebook: the clock and the memory of a fresh Python before
# and after `import torch`, five times, version 2.13 on two busy cores, November 2026.)

# %%
row = [1.0, 2.0, 4.0]
print("softmax of chapter 4:", softmax(np.array(row)).round(3))
print("softmax of torch:    ", torch.softmax(torch.tensor(row), dim=-1).numpy().round(3))

# %% [markdown] minutes=2
# ## Three questions before you start
#
# Answer without aids, on paper. What you call back from memory now will carry the rest.
#
# 1. You add 1000 to every score of a row. What changes in its weights? (Chapter 4.)
# 2. Scores are divided by the square root of the width: $d_k$ in chapter 3, from here on $d$. What
#    goes wrong without it? (Chapter 3.)
# 3. Write attention in three lines. (Chapter 1.)
#
# <details><summary>Answers</summary>
#
# 1. Nothing, on paper: softmax depends only on the differences of scores.
# 2. A score adds up $d$ products, so its spread grows with the root of $d$, and one key gets almost
#    all of the weight.
# 3. The scores are `q @ k.T`, the weights are the softmax of each row of scores, and the output is
#    `weights @ v`.
# </details>

# %% [markdown] card="shapes"

# %% [markdown] minutes=2
# ## A search has three parts: what you ask, what is labelled, what you take home
#
# *You ask a library for "books about Steve Jobs". Which do you get?* Your question is compared with
# the label of each book. What you take home is neither the question nor the label: it is what the
# books say. Attention is this search, and each word plays all three parts:
#
# | part | in the library | of a word |
# |---|---|---|
# | **query** $q$ | your question | what do I look for? |
# | **key** $k$ | the label of a book | what can I be found by? |
# | **value** $v$ | the text of a book | what do I hand over? |
#
# There are three steps as well: ask, match each query with each key, and collect the values in the
# shares of the match. Here are the first two, with three books. Three numbers say how much a book is
# about technology, about a life and about cooking, and you ask for the first two:

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
# own: a single 1 in eight numbers, which is called *one-hot*. Now every word is perpendicular to every
# other, and Paris has no more to do with France than with Egypt:

# %%
names = ["Paris", "Rome", "Tokyo", "Cairo", "France", "Italy", "Japan", "Egypt"]
words = torch.eye(8)
for other in (4, 7, 0):
    print(f"Paris with {names[other]:6} {words[0] @ words[other]:.0f}")

# %% [markdown]
# Now let each word be changed before it is compared, and in two ways. Its query is the word times a
# matrix $W_Q$; its key is the word times another matrix, $W_K$. Both have 8 rows and 4 columns. The
# score of Paris with France is the dot product of the query of Paris and the key of France.

# %%
bet("perfect_strangers")

# %% [markdown] minutes=6
# ### Exercise: `strangers_match`
#
# Settle the bet yourself: fill the two matrices so that each capital scores highest with its own
# country, by .1 or more. The rows are in the order of `names`. One fact makes it easy to think about:
# a one-hot word times a matrix is one row of that matrix. So row 0 of `w_q` *is* the query of Paris,
# and row 4 of `w_k` *is* the key of France.


# %% exercise="strangers_match"


# %%
w_q, w_k = strangers_match()
scores = (words @ w_q) @ (words @ w_k).T
print("Paris with each of the eight:", scores[0].numpy())
settle("perfect_strangers", scores.numpy())

# %% [markdown] minutes=2
# ### Perfect strangers match
#
# Two words need not be alike to match. But does France look back? Say that a capital scores 1 with its
# country, and that all other scores are 0. Multiply the scores by a *sharpness* and watch both:

# %%
country = torch.zeros(8, 8)
country[[0, 1, 2, 3], [4, 5, 6, 7]] = 1
for sharpness in (0, 1, 2, 4, 8):
    weights = torch.softmax(sharpness * country, dim=-1)
    print(f"{sharpness}: Paris at France {weights[0, 4]:.3f}   France at Paris {weights[4, 0]:.3f}")

# %% [markdown]
# Paris looks at France, and France does not look back: it scores 0 with all eight, so each of them
# gets an eighth. Who decides that? The table of all eight words is `torch.eye(8)`, which has 1 on the
# diagonal and 0 elsewhere, and a table times a matrix with it stays as it is. So here the queries are
# $W_Q$ itself, the keys are $W_K$ itself, and the table of scores is $W_Q W_K^T$. The words brought
# nothing; the two matrices decide, and they are what training changes.

# %% [markdown] minutes=4
# ## One sentence, three matrices
#
# *Where do the three vectors of a real word come from?* From the word, by one matrix each. Take a
# sentence of three words, the cat is sleeping, 猫在睡觉. Each word has four traits, invented here:
# *thing, action, alive, grammar*. The words stand in rows, so a matrix stands on the right of them:
# $Q = XW_Q$.

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
print("row 'sleeping' of x with column 1 of w_q:", (x[2] @ w_q[:, 1]).item())

# %% [markdown]
# Read one number slowly. A cat is a thing, which gives 2, and it is alive, which gives 1. So its query
# begins with 2 + 1 = 3: it looks for an action, strongly. The key of sleeping begins with 1: it offers
# an action.
#
# What are the numbers in $Q$, then? It is often said that they are learned. What is learned is $W_Q$,
# which is the same for every sentence. $Q$ is computed anew for each sentence, and every number in it
# is the dot product of a word with a column of $W_Q$, as the last line shows. You may read such a
# column as a question: how much of this is in you?
#
# | | rows | columns | here |
# |---|---|---|---|
# | $Q$ | $t$ queries | $d$, the width of a query and of a key | (3, 2) |
# | $K$ | $s$ keys | $d$ | (3, 2) |
# | $V$ | $s$ values, one for each key | $e$, any width | (3, 3) |
# | scores, weights | $t$ | $s$ | (3, 3) |
# | output | $t$ | $e$, as wide as a value | (3, 3) |

# %% [markdown] minutes=4
# ## Scores: who asks whom?
#
# Every query meets every key, and the scores fill a table of 3 rows and 3 columns. Words count from 0.
# *What does the number in row 0, column 2 say: how much cat looks for sleeping, how much sleeping looks
# for cat, or both?* Decide before you run.

# %%
scores = q @ k.T
print(scores.numpy())
print(f"cat asks sleeping: {q[0] @ k[2]:.0f}   sleeping asks cat: {q[2] @ k[0]:.0f}")

# %% [markdown]
# The 3 in row 0, column 2 is cat that asks and sleeping that answers: a row belongs to a query, a column
# to a key. The other way round stands in row 2, column 0, and it is another number, 4.
#
# By hand: the query of *cat* is [3, 0], the key of *sleeping* is [1, 1], and 3 · 1 + 0 · 1 = 3. You
# can check a score only if you see all of its numbers. (A picture on the web has q = [.1, .2, ...],
# k = [.3, .4, ...] and a score of 2.5. What you see of it makes .1 · .3 + .2 · .4 = .11.)
#
# Two steps are left for the row of *cat*: it is divided by the root of the width, √2, it becomes
# shares, and the values are added up in these shares.

# %%
row = scores[0] / math.sqrt(2)
weights = torch.softmax(row, dim=-1)
print("scaled", row.numpy().round(2), " weights", weights.numpy().round(3))
print("output", (weights[0] * v[0] + weights[1] * v[1] + weights[2] * v[2]).numpy().round(2))

# %% [markdown]
# .807 of what the cat takes home comes from *sleeping*. The middle number stands for *action*: it is
# 4.13 in the output, and it was only 1 in the cat's own value, [5, 1, 0]. The cat has learned from its
# sentence what it is doing.

# %% [markdown] minutes=4
# ### Exercise: `scaled_scores`
#
# Now for all words at once, and for all sentences at once. There may be axes in front: `(..., t, d)` is
# one sentence, or many, or many with several heads. So `.T`, which turns *all* axes around, will not
# do; `transpose(-2, -1)` exchanges the last two. And there are four sizes here, t, s, d and e. Which of
# them belongs under the root? (Chapter 3 has the reason: what does a score add up?)


# %% exercise="scaled_scores"


# %% [markdown] minutes=3
# ### Exercise: `attend`
#
# And now the whole of it, from the paper that everybody cites (Vaswani et al., 2017, equation 1; it
# writes $d_k$ for our $d$):
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\!\left(\frac{QK^T}{\sqrt{d}}\right)V$$
#
# Four of these seven lines say the same. Bring them into order. The three others are slips that run on
# this sentence without an error. Before you drop one, say what it would do.


# %% exercise="attend" shuffled


# %%
theirs = torch.nn.functional.scaled_dot_product_attention(q, k, v)
print(attend(q, k, v).numpy().round(2))
print("as torch's own:", torch.allclose(attend(q, k, v), theirs, atol=1e-6))

# %% [markdown] minutes=2
# ### Every step has a name and a shape
#
# *Where does a number stop being a dot product and become a share?* The course's kernel has a function
# `trace` that computes attention and keeps every step on the way. It takes three texts: one that asks,
# one that is asked, and one whose values are handed over. Here all three are the same sentence, so `x`
# stands there three times.

# %%
steps = trace(x, x, x, w_q=w_q, w_k=w_k, w_v=w_v)
show_steps(steps, ["cat", "is", "sleeping"])

# %% [markdown]
# Follow the framed row. It belongs to *cat*, and the frame goes with it: its query, its scores, its
# scores divided by the root, its weights, its output. Keys and values have no frame, because it asks
# all of them.
#
# | table | its numbers are | may be |
# |---|---|---|
# | q, k, v | dot products of a word with a column of a matrix | any |
# | scores | dot products of a query with a key | any |
# | weights | shares; each row adds up to 1 | 0 to 1 |
# | output | averages of values | between the smallest and the largest value of a column |

# %% [markdown] minutes=5
# ## Take hold of the matrices
#
# Now take all of it into your hand. It is the same sentence with two traits only, *thing* and
# *action*, so that every vector is an arrow that you can see. In the plane of the queries, the two thin
# dark arrows are the rows of $W_Q$: they say where a word asks that is nothing but a thing, and where
# one asks that is nothing but an action. The same holds for the keys and $W_K$.
#
# *At the start a thing looks for things and an action for actions, so every word finds itself. Which
# arrows must move, and where to, so that cat and sleeping look at each other?* Say it first, then take
# hold of the arrows. Your `attend` draws what follows. Then drag a word, too.

# %%
explore_flow(attend=attend)

# %% [markdown]
# <details><summary>What had to be exchanged? And could W_K have done it as well?</summary>
#
# The two arrows of $W_Q$ change places: what is a thing asks upwards, where actions answer, and what is
# an action asks to the right. Exchanging the arrows of $W_K$ instead does the same. A score sees only
# how a query and a key lie to each other, so it does not matter which of the two is turned.
# </details>
# <details><summary>And why do query, key, value and output all move when you drag a word?</summary>
#
# Because all are made from the word, by matrices that stay as they are. The matrices are learned once
# and serve every word of every sentence.
# </details>

# %% [markdown] minutes=1
# ## From average to lookup there is no jump
#
# *Is attention only a weighted average?* Four drawers hold 10, 20, 30 and 40. The query fits the key
# of the third.

# %%
bet("half_sharp")

# %%
drawers, fit = torch.tensor([10.0, 20, 30, 40]), torch.tensor([0.0, 0, 1, 0])
settle("half_sharp", (torch.softmax(fit, dim=-1) @ drawers).item())

# %% [markdown] minutes=3
# ### Slide: a lookup is a balance
#
# Here are the four drawers on a beam. Each weight is a square whose area is its share, and your
# `attend` puts the wedge where the beam balances: that is the output. At sharpness 0 nobody is
# preferred. How sharp must it be to take out 30 and nothing else? And can you drag the query so that no
# sharpness helps?

# %%
explore_soft_lookup(attend=attend)

# %% [markdown]
# <details><summary>And if the query stands halfway between the third and the fourth key: what does a
# very sharp lookup return?</summary>
#
# 35, or nearly: 34.95 at the end of the slider. Both keys fit alike, so they share the weight evenly,
# however sharp: a lookup that cannot decide returns the mean of 30 and 40.
# </details>
#
# So with the weights fixed, attention is a weighted average, and its output stays between the smallest
# and the largest value. What is new is who chooses the weights: a query and keys, again for each input.
# That is why it is called *soft addressing*: an address that may point a little at everything.

# %%
rng = torch.Generator().manual_seed(0)
q_many, k_many, v_many = (torch.randn(n, 8, generator=rng) for n in (1000, 20, 20))
mixed = attend(q_many, k_many, v_many)
inside = (mixed >= v_many.min(dim=0).values) & (mixed <= v_many.max(dim=0).values)
print("1000 queries, all inside of the values:", inside.all().item())

# %% [markdown]
# ---
#
# **Halfway.** This is a good place to stop for today; what comes next goes better after a night's
# sleep. (*Run, Run All Above Selected Cell* brings you back here.)

# %% [markdown] minutes=3
# ## Apple has one vector before and two after
#
# *"Anna ate the ripe apple." "Apple released a phone."* It is one word, in Chinese too: 苹果. A list with
# one vector for each word cannot know which apple is meant. A small model can, if its words may look at
# each other. Ours has two layers: in each, a word collects from its whole sentence, and what it
# collects is added to its own vector. It learned in seconds, from invented sentences about fruit and
# about firms, to say which word was hidden.
#
# `model.vectors` gives the vector of each word before the first layer and after each of the two. It
# attends with your `attend`, if that was right. (In the first sentence apple is word 4, in the second
# word 0, and `[:, 4]` takes this word from all three.)

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

# %% [markdown] minutes=4
# ### Where did each apple go? Write a sentence of your own
#
# Both are different now, but did each go to where it belongs? Below the sentence is a line. At its right
# end a word would be like the four other fruits, at its left end like the four other firms. (The number
# is the cosine with the mean fruit, less the cosine with the mean firm.) The arcs are the weights of
# *apple* in the first layer: the same matrices give other shares in every sentence.

# %%
show_apple("anna ate the ripe apple today", attend)

# %%
show_apple("apple released the new phone today", attend)

# %% [markdown]
# *Anna* counts because people stand only beside fruit in what the model has read. Now it is your turn.
# Change the sentence as you like and run the cell again. The model knows about fifty words; if you use
# another, it lists them. **Can you write a sentence in which apple stays between -.05 and .05, so that
# even the model cannot tell?**

# %%
show_apple("emil sold the sweet apple yesterday", attend)

# %% [markdown]
# <details><summary>A sentence that the model cannot decide</summary>
#
# "anna sold the new apple": a person stands in it, as with fruit, and a word for products, as with
# firms. Yours may be better. What pulls to which side, you read from the arcs.
# </details>

# %% [markdown] minutes=3
# ## Two texts: one asks, the other is asked
#
# *Hello world is to become 你好世界. Who asks whom?* So far queries, keys and values came from one
# sentence: that is **self-attention**. In translation the text that is being written asks, and the text
# that was read answers: that is **cross-attention**.
#
# | part | in translation | comes from |
# |---|---|---|
# | query | what does the next Chinese word need? | the target, being written |
# | key | which English word can help with it? | the source, read |
# | value | what that English word has to say | the source |
#
# Your `attend` can do it already. Four pieces ask two words; how many rows and columns has the table of
# scores, and how many rows the output? Say it, then run.

# %%
english = torch.randn(2, 4, generator=rng)  # hello world
chinese = torch.randn(4, 4, generator=rng)  # 你 好 世 界
matrices = [torch.randn(4, width, generator=rng) for width in (3, 3, 7)]
q_target = chinese @ matrices[0]
k_source, v_source = english @ matrices[1], english @ matrices[2]
print("scores", tuple(scaled_scores(q_target, k_source).shape))
print("output", tuple(attend(q_target, k_source, v_source).shape))

# %% [markdown]
# A row for each query and a column for each key: 4 by 2. The output has a row for each query, as wide as
# a value. Nothing in the formula asks that the two texts are equally long, and no matrix knows how long
# they are.

# %% [markdown] minutes=6
# ## From an empty cell
#
# You sorted its lines; now write them, without looking up. Who can do this owns attention for good. It is
# tried on inputs that you do not see: one query, one key, several sentences, several heads, as many keys
# as numbers in a key, scores above 100, float64. And it is compared with PyTorch's own.
#
# ### Exercise: `attention`


# %% exercise="attention"


# %% [markdown]
# And with yours in place, does the small model still tell the two apples apart?

# %%
one, other = model.vectors(fruit, attention)[2, 4], model.vectors(firm, attention)[2, 0]
print(f"likeness of the two apples: {likeness(one, other, dim=0):.2f}")

# %% [markdown] minutes=2
# ## What you can now say
#
# - From each word come three vectors: a query asks, a key is asked, a value is handed over.
# - $\mathrm{softmax}(QK^T/\sqrt{d})\,V$: scores, weights, output; a row is a query, a column a key.
# - What is learned are the matrices. They let strangers match, in one direction, and make two
#   vectors of one apple.
#
# <details><summary>The words of this chapter, with their Chinese names</summary>
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
# </details>

# %%
progress()

# %% [markdown]
# ### Where this occurs in a large language model
#
# | place | who asks whom |
# |---|---|
# | each layer of GPT or Llama | each word asks itself and the words before it (chapter 6) |
# | each layer of BERT | each word asks all words of its sentence |
# | translation, speech recognition | the text being written asks what was read or heard |
# | pictures from text | each piece of the picture asks the words |
# | the cache of a chat | keys and values of all words so far, kept so that new queries can ask |
#
# ### Test yourself
#
# <details><summary>The dot product has no learned number in it. So what does attention learn?</summary>
#
# The three matrices. (Most layers have a fourth, behind the output: chapter 7.) The dot product, the
# root and the softmax hold nothing that training could change; $W_Q$ and $W_K$ decide what counts as a
# match, and $W_V$ what is handed over. Written out, the score of words $x$ and $y$ is
# $x\,W_Q W_K^T\,y^T$: a fixed sum with a learned table in the middle.
# </details>
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
# **Next:** chapter 6 decides who may look at whom, and gives words a place in the sentence.

# %% [markdown] depth
# ## Depth: eleven things to choose from
#
# Each of these stands by itself. Take what you need now; the rest will wait.
#
# | section | what it is good for | minutes |
# |---|---|---|
# | Does the dog look back? | to see that a score has a direction, and that it is linear | 14 |
# | What is taken of each value | to see the output as a sum of arrows, in the running sentence | 4 |
# | Which scores make these weights? | to go from weights back to scores | 4 |
# | Two texts of any length | to write cross-attention, and to count what it learns | 8 |
# | Four weaknesses of a function that works | to review code that you find elsewhere; needs chapter 6 | 18 |
# | A matrix turns, stretches and turns again | to see what $W_Q$ does to space | 10 |
# | Narrow keys limit the scores, not the weights | to know what the width of a head costs | 6 |
# | Xavier's rule is a compromise | to know how the matrices begin | 5 |
# | How the question learns | to take the gradient of $W_Q$ by hand | 14 |
# | A hundred steps, or one | to know why attention followed recurrent networks | 5 |
# | Four checks for the exact reader | to read drawings and counts of parameters with care | 5 |

# %% [markdown] depth minutes=5
# ### Depth: does the dog look back?
#
# *When the cat looks at the dog, does the dog look at the cat?* With a dot product of the words
# themselves it would have to. Ten thousand pairs of random words say what happens with two matrices:

# %%
bet("looks_back")

# %%
pairs = torch.Generator().manual_seed(0)
ones, others = torch.randn(2, 10_000, 64, generator=pairs)  # 10,000 pairs of words
asks, offers = torch.randn(2, 64, 8, generator=pairs)  # as W_Q and W_K
there = (ones @ asks * (others @ offers)).sum(dim=-1) > 0
back = (others @ asks * (ones @ offers)).sum(dim=-1) > 0
settle("looks_back", 100 * back[there].double().mean().item())

# %% [markdown] depth minutes=9
# #### Exercise: `one_way`
#
# The cat looks at the dog, and the dog looks away. As they are, their dot product is 4, both ways.
# Find matrices that make the score of the cat's query with the dog's key 1 or more, and that of the
# dog's query with the cat's key -1 or less. A sketch helps more than a calculation: draw both words,
# leave the queries as they are, and turn the keys.


# %% exercise="one_way"


# %% [markdown]
# So any word may look at any other, in one direction. Is this matching also *non-linear*, as one
# reads? Let a mixture of words ask: two times a plus three times c.

# %%
a, b = torch.randn(2, 4, generator=rng)
left, right = torch.randn(2, 4, 3, generator=rng)


def score(x, y):
    """x looks at y, with random matrices."""
    return (x @ left) @ (y @ right)


c = torch.randn(4, generator=rng)
print(f"{score(2 * a + 3 * c, b):.1f} = {2 * score(a, b) + 3 * score(c, b):.1f}")

# %% [markdown]
# It is not. Double the word that asks, and the score doubles; add two words, and their scores add up.
# The score is linear in each of its two words (*bilinear*). What is not linear is the softmax that
# follows, and that layers stand on top of each other.

# %% [markdown] depth minutes=4
# ### Depth: what is taken of each value
#
# The running sentence again, 小沈阳江西演唱会邀请了, *Xiao Shenyang's Jiangxi concert invited ...*, with
# invented queries, keys and values. *Whom does "invited" ask for?* On the right each value is a thin ray,
# and the thick part of it is what its weight leaves. All thick parts together make the output. Press a
# word to let it ask.

# %%
explore_who_looks_at_whom(attend=attend)

# %% [markdown]
# <details><summary>At sharpness 0, where does the output end, whichever word asks?</summary>
#
# At (0.22, 0.14), the mean of the five values: each gets a weight of one fifth. Without a match there
# is nothing to choose by.
# </details>

# %% [markdown] depth minutes=4
# ### Depth: which scores make these weights?
#
# *Apple takes 50 % from phone, 30 % from released and 20 % from itself.* So far you went from scores to
# weights. Can you go back? Find scores that make exactly these weights. Any that do are right, and there
# are many: why?
#
# #### Exercise: `scores_for`


# %% exercise="scores_for"


# %%
made = scores_for(torch.tensor([0.5, 0.3, 0.2]))
print(torch.softmax(made, dim=-1).numpy().round(2))

# %% [markdown] depth minutes=5
# ### Depth: two texts of any length
#
# Now make queries, keys and values of two texts yourself. `target` has t words, each m numbers wide,
# `source` has s words, each c wide (c as in *context*). Self-attention is the same with one text twice:
# `cross_attention(x, x, w_q, w_k, w_v)`.
#
# #### Exercise: `cross_attention`


# %% exercise="cross_attention"


# %%
print("4 pieces ask 2 words:", tuple(cross_attention(chinese, english, *matrices).shape))
print("2 words ask 4 pieces:", tuple(cross_attention(english, chinese, *matrices).shape))

# %% [markdown] depth minutes=3
# *Does self-attention need texts of one length?* A text a hundred times as long meets the same layer:

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
# each of the four a *bias*: a number for each column, which is added. Many newer models leave the biases
# out.

# %% [markdown] depth minutes=2
# ### Depth: four weaknesses of a function that works
#
# *This function is from a tutorial. It gives right results in the tutorial's example. Would you use
# it?* `mask` says for each query and key whether the query may look at the key: True if it may.
# What is False should get weight 0. Chapter 6 is about masks; come back after it, if you have not met
# them yet.


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

# %% [markdown] depth minutes=16
# #### Exercise: `mended`
#
# Mend all four. The mask is boolean, (t, s), (b, t, s) or with as many axes as the scores. A mask
# for each sentence, (b, t, s), holds for all heads of that sentence. Two things that may help:
# `torch.finfo(scores.dtype).min` is the lowest number of a dtype, and `unsqueeze(-3)` puts a new
# axis before the last two.


# %% exercise="mended"


# %% [markdown] depth minutes=5
# ### Depth: a matrix turns, stretches and turns again
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
# into $V^T$. In two dimensions everything fits, and only the picture tells. It carries a grid and the
# circle of all words of length 1 along, one factor after the other, in either order. Take hold of the
# word $x$ on the circle:

# %%
explore_query_map()

# %% [markdown]
# <details><summary>In the right order: which words have the longest query, and how long is it?
# </summary>
#
# Those at 110° and 290°: the first turn, by 70°, puts them on the axis that is stretched by 2. A word
# of length 1 gets a query of length 2 there, and of length .5 at right angles to it.
# </details>

# %% [markdown] depth minutes=5
# #### Exercise: `same_scores`
#
# May one read meaning into the turns and stretches of $W_Q$ alone? Mix the queries by any matrix
# $a$ that has an inverse, $W_Q a$, and find the keys with which *all scores stay as they are*.


# %% exercise="same_scores"


# %% [markdown]
# So a model can stretch its queries as it likes, if its keys undo it. What the scores know is the
# product $W_Q W_K^T$ and nothing else.

# %% [markdown] depth minutes=6
# ### Depth: narrow keys limit the scores, not the weights
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

# %% [markdown]
# Look at both tables at d = 1: each row of the scores is a multiple of one row, which is why you see
# stripes. Then widen the queries.

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

# %% [markdown] depth minutes=5
# ### Depth: Xavier's rule is a compromise
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
# One reads that the rule *ensures* equal spread on the way forward and on the way back. Here it grows to
# 1.85 forward, and a gradient on its way back shrinks to .15. Both are exact for square matrices only:

# %%
square = math.sqrt(2 / (768 + 768)) * torch.randn(768, 768, generator=rng)
back = torch.randn(1000, 64, generator=rng) @ map_q.T
print(f"back through w_q {back.var():.2f};  square: forward {(text @ square).var():.2f}", end=", ")
print(f"back {(torch.randn(1000, 768, generator=rng) @ square.T).var():.2f}")

# %% [markdown]
# One catch: PyTorch's own layer stacks $W_Q$, $W_K$ and $W_V$ into one matrix of $3m$ by $m$ and
# applies the rule to that, so each of them gets half of the variance, 2 / (4 m).

# %%
wide_layer = torch.nn.MultiheadAttention(512, num_heads=8)
print("within 1 %:", (abs(wide_layer.in_proj_weight.var() / (2 / (4 * 512)) - 1) < 0.01).item())

# %% [markdown] depth minutes=14
# ### Depth: how the question learns
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
# #### Exercise: `gradient_of_w_q`


# %% exercise="gradient_of_w_q"


# %%
x_q, upstream = torch.randn(7, 5, generator=rng), torch.randn(7, 2, generator=rng)
leaf = torch.randn(5, 3, generator=rng).requires_grad_()
own_k, own_v = torch.randn(5, 3, generator=rng), torch.randn(5, 2, generator=rng)
theirs = torch.nn.functional.scaled_dot_product_attention(x_q @ leaf, x_q @ own_k, x_q @ own_v)
(theirs * upstream).sum().backward()
mine = gradient_of_w_q(x_q, leaf.detach(), own_k, own_v, upstream)
print("as torch's own:", torch.allclose(mine, leaf.grad, atol=1e-4))

# %% [markdown] depth minutes=5
# ### Depth: a hundred steps, or one
#
# Before attention, *recurrent* networks (RNN) read texts word by word. Each step hands a list of
# numbers, the state, to the next. **How much of the first word is left after 100?** We measure it by the
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

# %% [markdown] depth minutes=5
# ### Depth: four checks for the exact reader
#
# **Drawings** of "scaled dot-product attention" often show two steps too many: *concatenate* and
# $W_O$. They belong to multi-head attention, which holds several such boxes (chapter 7). Here is every
# step, with 2 heads of width 3; the box goes from *scores* to *output*.

# %%
five, heads = torch.randn(5, 6, generator=rng), torch.randn(3, 2, 6, 3, generator=rng)
w_o = torch.randn(6, 6, generator=rng)
all_steps = trace(five, five, five, w_q=heads[0], w_k=heads[1], w_v=heads[2], w_o=w_o)
print(", ".join(f"{name} {tuple(table.shape)}" for name, table in all_steps.items()))

# %% [markdown]
# *"Usually d, the width of a query, is the width of the model"*: of a single head, yes; with h heads it
# is often the width of the model divided by h (chapter 7 has others). *"First comes layer
# normalisation"*: since GPT-2. The Transformer of 2017 and BERT normalise after each *sublayer*: once
# after the attention of a block, and once more after what follows it (chapter 7).
#
# **Three matrices are not all of it.** If its heads together are as wide as the model, $m$, then $W_Q$,
# $W_K$ and $W_V$ are $3m^2$ numbers. PyTorch's layer of 512 has more: a fourth matrix, $W_O$,
# and a number for each column of the four (the biases).

# %%
full_layer = torch.nn.MultiheadAttention(512, num_heads=8)
count = sum(one.numel() for one in full_layer.parameters())
print(f"3 m²: {3 * 512**2:,}   the layer: {count:,}   4 m² + 4 m: {4 * 512**2 + 4 * 512:,}")

# %% [markdown]
# **"Whoever understands the dot product understands attention."** Take it away: give every pair the
# same score, and an average is left. It takes all three: the dot product decides who counts, the softmax
# makes shares of it, and the values are what arrives.

# %%
v_five = torch.randn(5, 2, generator=rng)
same = torch.softmax(torch.zeros(3, 5), dim=-1) @ v_five
print("every row is the mean of the values:", torch.allclose(same, v_five.mean(dim=0).expand(3, 2)))

# %% [markdown]
# **Few need all others.** *Sparse* attention lets a query see a window of w keys only: of $n^2$ scores
# $n w$ are left, with n = 4096 and w = 256 one in sixteen. That is saved work only if whoever computes it
# leaves the rest out. A full product with a mask over it does all of the work and throws most of it away.
#
# And for who likes to see a model learn: `train_words` makes the small model of the two apples anew in
# seconds. Its words and sentences are in `course_lib/models/words.py`, and another `seed` makes another
# model. Do its apples differ as well?

# %%
trained = train_words(with_progress(range(300), "training"), seed=1)
two = [trained.vectors(fruit, attend)[2, 4], trained.vectors(firm, attend)[2, 0]]
print("likeness below .8:", (likeness(*two, dim=0) < 0.8).item())
