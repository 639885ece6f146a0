# %% [markdown] minutes=2
# # 5 · Queries, keys and values: what a word asks for is not what it is
#
# *"I sat on the bank and watched the river."* To know what *bank* means here, you look at *river*. You
# do not look for a second bank. A translator that did might seat you in a building full of money. But so far our
# words could only find words that resemble them.
#
# Here you put attention together as a model runs it. At the end a small trained model tells the apple from Apple, in
# sentences that you write. Up to "Depth" it takes about an hour, or forty minutes if you know half of it.

# %%
from course_lib.chapters.queries_keys_values import *

show_road_map(5)

# %% [markdown] card="torch"

# %% [markdown]
# From here on we use PyTorch. Its arrays are called **tensors**, and behave much like numpy's.

# %% [markdown] minutes=1
# ## Three questions before you start
#
# Answer on paper.
#
# 1. You add 1000 to every score of a row. What changes in its weights? (Chapter 4.)
# 2. Scores are divided by the root of the width, here called $d$. What goes wrong without it? (Chapter 3.)
# 3. Write attention in three lines. (Chapter 1.)
#
# <details><summary>Answers</summary>
#
# 1. Nothing, on paper: softmax depends only on the differences between scores.
# 2. A score adds up $d$ products, so its spread grows with the root of $d$, and one key gets almost
#    all of the weight.
# 3. The scores are `q @ k.T`, the weights are the softmax of each row of scores, and the output is
#    `weights @ v`.
# </details>

# %% [markdown] minutes=2
# ## A search has three parts: what you ask, what is labelled, what you take home
#
# First we let *bank* search for words that resemble it. Each word has five numbers, which say whether it is a person,
# an action, a thing, water or money. *River* is a thing and water.

# %%
words = torch.tensor([[1.0, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 1, 0]])
scores = words[2] @ words.T / math.sqrt(5)  # bank with each of them, over the root of the width
print_table([torch.softmax(scores, dim=-1)], ["bank gives"], ["I", "sat", "bank", "river"])

# %% [markdown]
# *Bank* gives *river* .30, and itself as much: both are things. A chair would get as much as the river. So likeness
# cannot tell which of them *bank* needs.
#
# *You ask a library for a book about machine learning. How does it find one?* It compares
# your question with the label on each book. But what you take home is what the book says. In attention every
# book fits a little, so you take home a blend of all. For this, a model turns every word into three vectors:
#
# | part | in the library | in our sentence |
# |---|---|---|
# | **query** $q$ | your question | *bank* asks: who tells me which bank I am? |
# | **key** $k$ | the label on a book | *river* answers: I tell a bank what it is |
# | **value** $v$ | what the book says | *river* hands over: water |

# %% [markdown] minutes=2
# ## Can Paris find France?
#
# *Bank must find a word that tells it something new. How could it?* We try it first with words that share
# nothing at all: four capitals and their countries, all *one-hot*. Such a word is all 0, but for a single 1 at a place
# of its own.

# %%
bet("perfect_strangers")

# %% [markdown]
# Paris asks: its query is its row, times `w_q`. France answers: its key is its row, times `w_k`. *What does a one-hot
# word do to a matrix?* Here are three of the words, and a small `w_q` with invented numbers.

# %%
names = ["Paris", "Rome", "Tokyo", "Cairo", "France", "Italy", "Japan", "Egypt"]
words = torch.eye(8)
show_query("Paris", [1, 0, 0], [[5, 2], [1, 7], [3, 3]], names[:3])

# %% [markdown] minutes=5
# ### Exercise: `strangers_match`
#
# So Paris picks one row of the matrix. Now each matrix has eight rows, in the order of
# `names`, and four columns. Row 0 of `w_q` *is* the query of Paris, and row 4 of `w_k` *is* the key of France. Their dot
# product is the score.
#
# **Fill both matrices, so that each capital scores
# highest with its own country, by .1 or more.**


# %% exercise="strangers_match"


# %% [markdown] minutes=2
# ### Perfect strangers match
#
# *Paris looks at France. Does France look back?*

# %%
w_ask, w_answer = strangers_match()  # your w_q and w_k
scores = (words @ w_ask) @ (words @ w_answer).T
settle("perfect_strangers", scores.numpy())
show_capitals(w_ask, w_answer)

# %% [markdown]
# When Paris asks France, row 0 of `w_q` meets row 4 of `w_k`. When France asks Paris, row 4 of `w_q` meets row 0 of
# `w_k`. So a score has a direction.
#
# **Two matrices decide who finds whom, and matrices are what training can change.** So *bank* need not look like
# *river*: a row in `w_q` and a row in `w_k` are enough.

# %% [markdown] minutes=4
# ## One sentence, three matrices
#
# A one-hot word has a row of its own. *What are the vectors of a word that shares traits with others?* Our
# sentence: *cat is sleeping*. The cat must find *sleeping*, as *bank* must find *river*: the one finds
# out what it is doing, the other which bank it is.
#
# We invent four traits: *thing, action, alive, grammar*. *Sleeping* has two of them: it is an action, and only what is
# alive can sleep.

# %%
sentence, traits = ["cat", "is", "sleeping"], ["thing", "action", "alive", "grammar"]
x = torch.tensor([[1.0, 0, 1, 0], [0, 0, 0, 1], [0, 1, 1, 0]])
print_table(x, sentence, traits, digits=0)

# %% [markdown]
# Each matrix has a row for each trait that a word may have. The columns bear such names, too: they say what this word
# looks for (`w_q`), offers (`w_k`) and hands over (`w_v`). Below, each row of `w_q` stands beside its question. Row *thing*
# has a 2 in column *action*: a thing looks strongly for an action. *Paris picked one row of a matrix. Which rows does the cat pick?*

# %%
# columns: thing, action
thing = [0.0, 2]  # what does it do?
action = [2.0, 0]  # who does it?
alive = [0.0, 1]  # probably a thing: what may it be doing?
grammar = [1.0, 0]  # who is?
w_q = torch.tensor([thing, action, alive, grammar])
w_k = torch.tensor([[1.0, 0], [0, 1], [1, 0], [0, 0]])  # alive: probably a thing
w_v = torch.tensor([[4.0, 0, 0], [0, 4, 0], [1, 1, 0], [0, 0, 4]])  # alive: a little of both
v_columns = ["thing", "action", "grammar"]  # what w_v hands over: alive needs no column
show_vectors("cat", x[0], w_q, w_k, w_v)

# %% [markdown]
# The cat has two 1s, so it picks two rows of each matrix and adds them up. In `w_q` this makes [0, 2] + [0, 1] = [0, 3]:
# it looks for an action. Its key [2, 0] offers a thing. Its value [5, 1, 0] hands over 5 of thing and 1 of action.
#
# **Now you: *sleeping* is an action and alive. What is its key? Say it, then write it as one product.**

# %%
key_of_sleeping = torch.zeros(2)  # in place of the zeros; a word is a row, and stands left of @
check_key("sleeping", key_of_sleeping, x[2], w_q, w_k, w_v)

# %% [markdown]
# The same product gives the keys of all words at once: $K = XW_K$, where $X$ is the table of the words. Queries
# $Q = XW_Q$ and values $V = XW_V$ are made in the same way.

# %%
q, k, v = x @ w_q, x @ w_k, x @ w_v
columns = ["q: thing", "q: action", "k: thing", "k: action", "v: thing", "v: action", "grammar"]
print_table(torch.hstack([q, k, v]), sentence, columns, digits=0)

# %% [markdown]
# We invented the three matrices; a model learns them. Queries, keys and values are computed anew for each sentence.

# %% [markdown] minutes=2
# ## Scores: who asks whom?
#
# Every query meets every key, and the scores `q @ k.T` fill a table.
# Here a sentence asks itself, which is called **self-attention**.
#
# The cat has the query [0, 3], and *sleeping* has the key [1, 1]. **Work out their score, then run the cell.**

# %%
scores = q @ k.T
print_table(scores, ["cat asks", "is asks", "sleeping asks"], sentence, digits=0)

# %% [markdown]
# The cat asks *sleeping*: 0 · 1 + 3 · 1 = 3. *Sleeping* asks itself: 2 · 1 + 1 · 1 = 3, too. It looks mostly for a
# thing, and its own key offers one, through *alive*.
#
# Three steps remain for the cat's row. We divide it by √2, because a query and a key have two numbers each. We turn it
# into weights. Then we average the values with these weights. **Say it first: *is* has a score of 0 in
# this row. Is its weight 0, about .1, or a third?**

# %%
row = scores[0] / math.sqrt(2)
weights = torch.exp(row) / torch.exp(row).sum()  # the softmax, written out
print_table([row, weights], ["scaled", "weights"], sentence, digits=3)
home = weights[0] * v[0] + weights[1] * v[1] + weights[2] * v[2]
print_table([home], ["output "], v_columns)

# %% [markdown]
# A score of 0 is not a weight of 0: *is* gets .097. *Sleeping* gets .807, and hands over much *action*. So
# the output holds 4.13 of *action*, where the cat's own value held 1. The cat has found out what it is doing.
# So could *bank*, with *river*: this is what the translator needs.

# %% [markdown] minutes=7
# ### Exercise: `attend`
#
# Now for all words at once, with the formula that everybody cites (Vaswani et al., 2017, equation 1, where $d$
# is written $d_k$):
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\!\left(\frac{QK^T}{\sqrt{d}}\right)V$$
#
# **Decide first:** which of the sizes below is $d$? And along which axis should the weights of one query add up to 1?
#
# | table | its shape | axis 0, here also −2 | axis 1, here also −1 (the last) |
# |---|---|---|---|
# | `k` | (3, 2) | 3 words | 2 numbers of each key |
# | the scores | (3, 3) | 3 queries | 3 scores of each query |
#
# The first line computes the scores, and is given. Below it stand two ways to divide and two ways to make weights.
# **Choose one of each, and bring them into order. Then write the last line yourself:** what does it return?


# %% exercise="attend" shuffled


# %%
theirs = torch.nn.functional.scaled_dot_product_attention(q, k, v)
print("as torch's own:", torch.allclose(attend(q, k, v), theirs))

# %% [markdown]
# We compared your `attend`, or the course's until yours is right. Its four lines do what
# `scaled_dot_product_attention` does: the function that large models call.
#
# If you take two sittings, stop here.

# %% [markdown] minutes=4
# ## Take hold of the matrices
#
# *Can you teach a cat to look for what it does?* Here a word has two traits only, so every vector is an arrow, and *is* has a
# little of both. We start with worse matrices: the cat, mostly a thing, looks for a thing, so it listens to itself.
# In the picture:
#
# 1. The **black arrows** are the rows of $W_Q$ and of $W_K$. *Thing's row* points to what a thing looks for, or
#    offers. **Drag them by their rings.** Leave the grey squares alone: they move the words.
# 2. The goal is a weight of **.70 or more in both dashed cells.**
# 3. The purple arrow is what the word that asks takes home, at first the cat. Nobody compares a value with a
#    key, so values have a space of their own: $W_V$, which stays fixed, turns a thing to ↖ and an action to ↗.

# %%
explore_flow(attend=attend)

# %% [markdown]
# <details><summary>Which arrows had to move? And could W_K have done it as well?</summary>
#
# The two arrows of $W_Q$ can change places. Then the query of a thing points up, to the keys of actions, and that
# of an action to the right. Or exchange the arrows of $W_K$: a score is a dot product, and
# does not know which of its two vectors has moved.
# </details>

# %% [markdown] minutes=1
# ## One bank finds a river, another a loan
#
# *"I sat on the bank and watched the river." "I sat in the bank and signed the loan."* A translator must choose
# here: the edge of a river, or a building?
#
# Of each sentence we keep four words. *I* is a person, *sat* is an action, and *bank* is a thing. *River* is a thing and
# water, and *loan* is a thing and money. We leave out *on* and *in*, which would tell it at once.

# %% [markdown] minutes=5
# ### Exercise: `two_questions`
#
# Two words ask. *Sat* asks: who? The three numbers for this are filled in. *Bank* asks: who tells me which bank I am?
# **Fill in the numbers for *bank*: five entries are enough.** Beside the river it should take home water, and beside
# the loan money: .9 or more of the one, and .1 or less of all else.
#
# The rows of each matrix are *person, action, thing, water, money*. *River* is a thing and water, so its
# key is row 2 and row 3 of `w_k`, added up. The key of *loan* is row 2 and row 4. **Decide first: which of these rows
# should answer *bank*?**


# %% exercise="two_questions"


# %%
bank_q, bank_k, bank_v = two_questions()  # your w_q, w_k and w_v
show_banks(bank_q, bank_k, bank_v, attend)

# %% [markdown]
# A translator into French would now write *rive* for the first bank, and *banque* for the second.
#
# *Water* and *money* have to answer. If only *thing* answered, *bank* would find itself again, as at the start.
# **Queries and keys decide who is found, and values decide what is told.**

# %% [markdown] minutes=3
# ## Apple has one vector before, and one for each sentence after
#
# *"Anna ate the ripe apple." "Apple released the phone."* A list that holds one vector
# for each word cannot know which apple is meant. *Can a model with trained matrices tell?*
#
# Ours is small: fifty words, and one layer of attention. The numbers of its words and matrices were random at first.
# Training changed them while the model guessed covered words, here the dots, in sentences such as
# "anna ate the ripe ... today".
#
# *How does one see what its apple means?* The mean of the other fruits' vectors is the average fruit, and there is an
# average company, too. Both are made 1 long, so that neither counts for more. A pear's dot product with the average fruit
# is 1.34, with the average company 0.25. The first minus the second is its place on a line, a little above 1. A company
# stands at about −1. *Guess on paper: where does apple stand?*

# %%
show_line()

# %% [markdown]
# *Apple* resembles both, so it begins near the middle. Then it listens to all words of its
# sentence, and each moves it along this line. How far it does so is its **push**.

# %%
bet("same_weight")

# %% [markdown]
# One word first: *new* tells −2.5, and its weight is .21. So its push is .21 × −2.5 = −0.53.
#
# The picture has such a line for each word. The push is drawn as a bar, which begins where the bar above it ended.
# *Where does apple end?*

# %%
firm = "apple released the new phone today"
show_apple(firm, attend)
settle("same_weight", apple_in(firm, attend)["pushes"])

# %% [markdown]
# What a word **tells** is the place of its value on the line, by the same two dot products. A value may stand farther out
# than the words in the first picture: *new* tells −2.5. **So the weight says how much apple listens, and the value says
# what it is told.**
#
# New here: what is taken home is *added* to what the word was. So 0.18 and all pushes make −0.62.
#
# Why does *apple* listen so much to *the*? Training had no reason to forbid it: *the* tells nearly nothing, so listening
# to it costs little. So look at weight × tells, not at the weights alone.
#
# <details><summary>What do released, today and apple itself tell? And why is a product not always its push?</summary>
#
# *Released* tells only −0.4, although it stood beside companies alone. That is chance: in some other trainings it or
# *phone* pushes hardest. *Today* tells 0.7, because it stood beside fruit more often. *Apple* itself stands at 0.18, on the
# side of the fruits, but it tells −0.8, towards the companies: what a word hands over is not what it is.
#
# What you see is rounded, so a product may miss its push a little. And a matrix $W_O$ first turns each value into the
# numbers of a word (chapter 7).
# </details>
#
# The other apple begins as the same vector. *Where does Anna's sentence take it?*

# %%
fruit = "anna ate the ripe apple today"
show_apple(fruit, attend)

# %% [markdown] minutes=3
# ### Where does your apple go? Write a sentence of your own
#
# One vector before, and two after two sentences: −0.62 and 1.37.
#
# Run the cell as it is: it lists the words that the model knows. Then:
#
# 1. **Change one word of "apple released the new phone today", so that its apple ends at 0.25 or above.** Begin with the
#    word that pushes hardest. Several words do it, and one is a surprise.
# 2. **Write a sentence with an eating word and a product in it, whose apple is neither fruit nor company**: it ends
#    between −0.1 and 0.1.

# %%
show_apple("... apple ...", attend)

# %% [markdown]
# <details><summary>Words that do it</summary>
#
# A *ripe* phone does it (0.30), a *sweet* one (0.37), or a *washed* one (0.53), and so does a new *tree* (0.78). The
# surprise is "apple released a new phone today": 0.93. And "apple washed the new phone today" is neither: 0.09.
#
# Why *a*? The model has read it only in *grew on a tree*, so it tells of fruit. Why so much, and why *apple* listens
# to it most, we do not know.
#
# Who sells what in "apple sold the apple"? Both apples get the same vector, because this model does not see the
# order of the words.
# </details>

# %% [markdown] minutes=1
# ## What you can now say
#
# - From each word come three vectors: a query asks, a key answers, and a value is handed over.
# - $\mathrm{softmax}(QK^T/\sqrt{d})\,V$: scores, weights, output; a row is a query, a column a key.
# - The matrices are what is learned. They let *bank* find *river*, and give each sentence an apple of its own.

# %%
progress()

# %% [markdown] minutes=1
# ### Where this occurs in a large language model
#
# | place | who asks whom |
# |---|---|
# | each layer of GPT or Llama | each token (word or part) asks itself and those before it (chapter 6) |
# | each layer of BERT | each token asks all of its text, as it does in your `attend` |
#
# ### Test yourself
#
# <details><summary>The dot product has no learned number in it. So what does attention learn?</summary>
#
# The three matrices. $W_Q$ and $W_K$ decide what counts as a match, and $W_V$ what is handed over.
# </details>
#
# **Next:** chapter 6 decides who may look at whom, and gives each word a place.

# %% [markdown] depth
# ## Depth: nineteen things to choose from
#
# Each of these stands by itself. For one evening, take the three in bold.
#
# <details><summary>The words of this chapter, with their Chinese names</summary>
#
# | word | 中文 | means |
# |---|---|---|
# | query | 查询 | what a word looks for |
# | key | 键 | what a word can be found by |
# | value | 值 | what a word hands over |
# | score | 分数 | query · key |
# | scaled score | 缩放后的分数 | the score divided by the root of the width; it goes into the softmax |
# | weight | 权重 | a share, after the softmax; each row adds up to 1 |
# | self-attention | 自注意力 | query, key and value from one text |
# | cross-attention | 交叉注意力 | queries from one text, keys and values from another |
# </details>
#
# | section | what it is good for | minutes |
# |---|---|---|
# | The river and the loan in one sentence | to see two words answer alike, and what it costs to prefer one | 3 |
# | **One row by hand** | to carry one word through the formula | 6 |
# | From average to lookup there is no jump | to see a lookup as a balance, and attention as a soft one | 7 |
# | Name the axes | to write products without a transpose that can go wrong | 5 |
# | Does the dog look back? | to see that a score has a direction, and that it is linear | 18 |
# | What is taken of each value | to see the output as a sum of arrows | 4 |
# | Which scores make these weights? | to go from weights back to scores | 4 |
# | **From an empty cell** | to write attention for any number of sentences and heads | 6 |
# | **Two texts: one asks, the other is asked** | to write cross-attention as a layer runs it, and to see its table | 11 |
# | Two texts of any length | to let a Chinese text ask an English one, and to count what a layer learns | 6 |
# | Ask for a word that offers nothing | to see that a query can also turn words away | 4 |
# | Four weaknesses of a function that works | to review code that you find elsewhere; needs chapter 6 | 18 |
# | A matrix turns, stretches and turns again | to see what $W_Q$ does to space | 10 |
# | Narrow keys limit the scores, not the weights | to know what the width of a head costs | 4 |
# | Xavier's rule is a compromise | to know how the matrices begin | 5 |
# | How the question learns | to take the gradient of $W_Q$ by hand | 14 |
# | A hundred steps, or one | to know why attention could do without recurrence | 5 |
# | Every step with two heads, and fewer scores | to read drawings of a layer, and to see what a window saves | 2 |
# | Train the model of the two apples | to see what training adds, and whether another model parts them too | 5 |

# %% [markdown] depth minutes=3
# ### Depth: the river and the loan in one sentence
#
# *"I sat on the bank of the river and thought of the loan."* Both words that *bank* looks for are there.
# **What does it take home now? Say it first.**

# %%
five_words = torch.eye(5)  # I, sat, bank, river, loan
five_words[3:, 2] = 1  # river and loan are things, too
asking, handing = five_words @ bank_q, five_words @ bank_v
keys = five_words @ bank_k * torch.tensor([[1.0], [1], [1], [1], [1]])  # a factor for each word
for name, scene in {"river and loan": [0, 1, 2, 3, 4], "loan alone    ": [0, 1, 2, 4]}.items():
    _, water, money = attend(asking[scene], keys[scene], handing[scene])[2]  # row 2 is bank
    print(name, f"water {water:.2f}   money {money:.2f}")

# %% [markdown]
# If your river and your loan have the same key, they answer alike, and *bank* takes home as much water as money.
# It cannot decide. You can, by the words *of the river*. These matrices know only which words are there.
#
# **Change one of the five factors so that the river wins where both are there. Does it cost the loan
# anything?**
#
# <details><summary>Does it?</summary>
#
# With .5 for the loan, the river wins. But now the loan alone may bring home less money: .66 with the
# course's matrices. Your second line has your number. With 2 for the river, the river wins, and the loan alone loses nothing. The price comes in *"I sat
# in the bank by the river and signed the loan"*: the river wins again, and money was meant.
# </details>

# %% [markdown] depth minutes=6
# ### Depth: one row by hand
#
# *Could you do what `attend` does, for one word, on paper?* Take the row of *is*, with a pocket calculator or
# a line of code for each step. Its scores are 2, 0 and 1. What are its three weights, and what is the first
# number of its output?
#
# #### Exercise: `row_of_is`


# %% exercise="row_of_is"


# %% [markdown]
# Here is the whole way for all three words. The frame is around the row of the cat. Your four
# numbers stand in the row of *is*: three weights, and the first number of its output.

# %%
every_step = trace(x, x, x, w_q=w_q, w_k=w_k, w_v=w_v)  # x asks, x answers, x hands over
show_steps(every_step, sentence)

# %% [markdown]
# The **scores**, here already divided by √2, may be any number. The softmax turns them into **weights**, shares
# that add up to 1 in each row. The output is an average of values, so it stays between the smallest and the
# largest of each column of v.

# %% [markdown] depth minutes=2
# ### Depth: from average to lookup there is no jump
#
# *Is attention only a weighted average?* Go back to the library. A label says how much a book is about technology,
# a life and cooking, and what a book says is one number: its pages about computers.

# %%
question = torch.tensor([1.0, 1.0, 0.0])
labels = torch.tensor([[1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
pages = torch.tensor([30.0, 90.0, 0.0])  # about computers
fitting = torch.softmax(labels @ question, dim=-1)  # here without the root
print("Steve Jobs, Machine learning, Soups:", fitting.numpy().round(2))
print("collected:", (fitting @ pages).numpy().round(), "pages about computers")

# %% [markdown] depth
# *Steve Jobs* fits both of your wishes and gets two thirds of the weight. You collect
# .67 · 30 + .24 · 90 + .09 · 0 ≈ 42 pages. An exact lookup would bring home 30.
#
# Now the query fits one of four drawers.

# %%
bet("half_sharp")

# %%
drawers, fit = torch.tensor([10.0, 20, 30, 40]), torch.tensor([0.0, 0, 1, 0])
settle("half_sharp", (torch.softmax(fit, dim=-1) @ drawers).item())

# %% [markdown] depth minutes=4
# Here are the four drawers on a beam. Each weight is a square whose area is its share, and your
# `attend` puts the wedge where the beam balances: that is the output. How sharp must it be to take out 30 and nothing else? And can you drag the query to a place
# where no sharpness helps?

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
# With the weights fixed, attention is an average. What is new is who chooses the weights: a query and keys,
# again for each input. This is called *soft addressing*: an address that may point a little at
# everything.

# %% [markdown] depth minutes=5
# ### Depth: name the axes, and no transpose can go wrong
#
# *Which of `k.T`, `k.mT`, `k.transpose(0, 1)` and `k.transpose(-2, -1)` was it again?* `k.T` reverses all axes, so
# it is right for one sentence only. For two sentences of three words, `k` is (2, 3, 2) and so is `k.T`. Then `q @ k.T` is an
# error or, where the sizes happen to fit, wrong. `k.transpose(-2, -1)` is (2, 2, 3), one table for each sentence.
#
# `torch.einsum` needs none of them: it takes a letter for each axis. What stands
# behind the arrow stays, and a letter that is missing there is summed up. Three dots stand for all axes
# in front:

# %%
boxes = torch.ones(5, 3, 4)  # five tables of 3 rows and 4 columns
print("sum of each row:", tuple(torch.einsum("...rc->...r", boxes).shape))

# %% [markdown]
# #### Exercise: `scaled_scores`
#
# Write the scaled scores once more, without any transpose: name the axes of `q`, of `k` and of the
# scores. The docstring has the letters. Which one disappears, and what has it to do with the root?


# %% exercise="scaled_scores"


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

# %% [markdown] depth minutes=4
# *And your capitals?* The slider, *sharpness*, multiplies your scores, rescaled so that the weakest country leads by exactly 1. Paris and France are framed.

# %%
explore_capitals(w_ask, w_answer)

# %% [markdown]
# <details><summary>What would let France look back as well?</summary>
#
# The line `w_ask[4] = w_answer[0] = -torch.ones(4)` above the picture's. It gives France a query and Paris a
# key, both pointing away from all four directions of the model answer, so no other pair gains by it.
# </details>
# <details><summary>Cat and sleeping find each other, in the explorer of the core. Could one matrix, used for both,
# do that?</summary>
#
# No. *Cat* would have one vector $c$ as its query
# and its key, and *sleeping* one vector $s$. Each has to prefer the other to itself: $c \cdot s > c \cdot c$ and
# $c \cdot s > s \cdot s$. Add the two, and bring all to one side:
# $0 > c \cdot c - 2\, c \cdot s + s \cdot s = (c - s) \cdot (c - s)$. But a squared length is never below 0.
# So two words that find each other need two matrices. In that explorer the squares
# move words. They cannot reach the goal alone, because at its start each key points as the query does.
# </details>

# %% [markdown] depth minutes=9
# #### Exercise: `one_way`
#
# The cat looks at the dog, and the dog looks away. As they are, their dot product is 4, both ways.
# Find matrices that make the score of the cat's query with the dog's key 1 or more, and that of the
# dog's query with the cat's key -1 or less. A sketch helps: draw both words,
# leave the queries as they are, and turn the keys.


# %% exercise="one_way"


# %% [markdown]
# So any word may look at any other, in one direction only. *Is a score also linear: do two words that ask
# together get the sum of their scores?* Let a mixture ask, two times a plus three times c.

# %%
rng = torch.Generator().manual_seed(1)  # so that this section stands by itself
a, b = torch.randn(2, 4, generator=rng)
left, right = torch.randn(2, 4, 3, generator=rng)


def score(x, y):
    """x looks at y, with random matrices."""
    return (x @ left) @ (y @ right)


c = torch.randn(4, generator=rng)
print(f"{score(2 * a + 3 * c, b):.1f} = {2 * score(a, b) + 3 * score(c, b):.1f}")

# %% [markdown]
# They do. Double the word that asks, and the score doubles; add two words, and their scores add up.
# The score is linear in each of its two words (*bilinear*). What is not linear is the softmax that
# follows, and that layers stand on top of each other.

# %% [markdown] depth minutes=4
# ### Depth: what is taken of each value
#
# Another sentence, 小沈阳江西演唱会邀请了, *Xiao Shenyang's Jiangxi concert invited ...*, with
# invented queries, keys and values. *Whom does "invited" ask for?* On the right each value is a thin ray,
# and the thick part of it is what its weight leaves. Laid head to tail, along the dotted line, the thick
# parts lead to the output. Press a word to let it ask. Can you bring one weight into the hatched band, above
# .95?

# %%
explore_who_looks_at_whom(attend=attend)

# %% [markdown]
# <details><summary>At sharpness 0, where does the output end, whichever word asks?</summary>
#
# At (0.22, 0.14), the mean of the five values: each gets a weight of one fifth.
# </details>

# %% [markdown] depth minutes=4
# ### Depth: which scores make these weights?
#
# *Apple takes 50 % from phone, 30 % from released and 20 % from itself.* Can you go from weights back to
# scores? Any that make exactly these weights are right, and there are many: why?
#
# #### Exercise: `scores_for`


# %% exercise="scores_for"


# %%
made = scores_for(torch.tensor([0.5, 0.3, 0.2]))
print(torch.softmax(made, dim=-1).numpy().round(2))

# %% [markdown] depth minutes=6
# ### Depth: from an empty cell
#
# Come back to this one in a week. *Can you still write attention without looking anything up?* Your function
# is tried on inputs that you do not see: one query, one key, several sentences, as many keys as numbers in
# a key, scores above 100.
#
# #### Exercise: `attention`


# %% exercise="attention"


# %% [markdown] depth minutes=2
# ### Depth: two texts: one asks, the other is asked
#
# *Which Chinese word belongs to which English word?* In translation the *target*, the text being written,
# asks, and the *source*, the text that was read, answers and hands over. That is cross-attention.
#
# The source is our sentence in Chinese, 猫 *māo* (cat), 在 *zài* (is … -ing), 睡觉 *shuìjiào* (sleeping). The target has
# four words: *the cat is sleeping*. **How many rows and how many columns will the table of weights have?**

# %% [markdown] depth minutes=9
# #### Exercise: `cross_attention`
#
# Your `attend` begins with queries, keys and values. A layer of a real model begins one step earlier, with
# words and matrices. Write that layer: decide which text meets which matrix, and call your `attend` for the
# last step. A target word has $m$ numbers, and a source word has $c$.


# %% exercise="cross_attention"


# %% [markdown]
# Now let English ask. Each English word is one-hot, so the rows of its `w_q` are the four queries. The course's
# `trace` keeps every step of attention: the first text asks, the second answers, the third hands over.
#
# **Before you run it, look at `w_q_english`.** Each row of the output has three numbers: thing, action,
# grammar. Which will be the largest in the row of *cat*? And which rows will be equal?

# %%
english = torch.eye(4)
w_q_english = torch.tensor([[0.0, 0], [4, 0], [0, 0], [0, 4]])  # a thing, an action
print(cross_attention(english, x, w_q_english, w_k, w_v).numpy().round(2))
crossed = trace(english, x, x, w_q=w_q_english, w_k=w_k, w_v=w_v)
chinese = ["māo (cat)", "zài (is)", "shuìjiào (sleeping)"]
print_table(crossed["weights"], ["the", "cat", "is", "sleeping"], chinese)

# %% [markdown]
# The table is 4 by 3: a row for each query, a column for each key. So the two texts need not be equally
# long. *Cat* took home 4.76 of thing, and *sleeping* 4.52 of action. *The* and *is* have the query [0, 0],
# so both took the plain average.
#
# *The* finds no partner, and rightly: Chinese has no article. *Is* should find 在 (zài), and does not: the key of
# 在 is [0, 0]. How do you ask for a word that offers nothing? That is the section after the next.

# %% [markdown] depth minutes=3
# ### Depth: two texts of any length
#
# *Hello world is to become 你好世界. Which piece takes from which word?* 你 and 好 together mean *hello*, 世
# and 界 together *world*. We invent two numbers for each word. In the English vectors the greeting comes
# first and the earth second; in the Chinese ones it is the other way round. Compared as they are, 你 would
# find *world*. So $W_Q$ exchanges the two, and multiplies them by 4 so that the choice is clear. The
# values are [1, 0] for *hello* and [0, 1] for *world*: a row of the output shows its shares.

# %%
hello_world = torch.tensor([[1.0, 0.0], [0.0, 1.0]])  # greeting, earth
pieces = torch.tensor([[0.0, 1.0], [0.2, 1.0], [1.0, 0.0], [1.0, 0.2]])  # earth, greeting
matrices = [4 * torch.tensor([[0.0, 1.0], [1.0, 0.0]]), torch.eye(2), torch.eye(2)]  # q, k, v
taken = cross_attention(pieces, hello_world, *matrices)
for piece, row in zip("你好世界", taken, strict=True):
    print(piece, "takes of hello and of world:", row.numpy().round(2))
print("2 words ask 4 pieces:", tuple(cross_attention(hello_world, pieces, *matrices).shape))

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
# each of the four a *bias*: a number for each column, which is added.

# %% [markdown] depth minutes=4
# ### Depth: ask for a word that offers nothing
#
# *How do you ask for a word whose key is zero?* 在 (zài), the partner of *is*, is neither a thing nor an
# action, so its key is [0, 0]. **Find a query with which zài gets .8 or more of the attention.** The keys of all three stand in the
# docstring.
#
# #### Exercise: `query_of_is`


# %% exercise="query_of_is"


# %%
w_q_of_is = torch.tensor([list(query_of_is())])
found_by_is = trace(torch.eye(1), x, x, w_q=w_q_of_is, w_k=w_k, w_v=w_v)["weights"]
print("is takes of māo, zài, shuìjiào:", found_by_is[0].numpy().round(2))

# %% [markdown]
# A key of zeros scores 0 whatever is asked. So *is* cannot raise the score of zài. It can only push the
# scores of the others below 0.

# %% [markdown] depth minutes=2
# ### Depth: four weaknesses of a function that works
#
# *This function is from a tutorial. It gives right results in its example. Would you use
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
# First float64, which has more digits than float32, and float16, also called
# *half precision*. Then a query that may look at nothing: its output should be 0. Last, three
# sentences with three heads, and a mask for each sentence:

# %%
precise = [one.double() for one in (q, k, v)]
exact = torch.nn.functional.scaled_dot_product_attention(*precise)
error = (from_a_tutorial(*precise) - exact).abs().max()
print("float64: error below 1e-7:", (error < 1e-7).item(), " below 1e-12:", (error < 1e-12).item())
try:
    from_a_tutorial(q.half(), k.half(), v.half(), torch.eye(3))
except RuntimeError as trouble:
    print("half precision:", type(trouble).__name__, "- it ends at", torch.finfo(torch.half).max)

# %%
nothing = torch.tensor([[True, True, True], [False, False, False], [True, False, False]])
print("may look at nothing:", from_a_tutorial(q, k, v, nothing)[1].numpy().round(2))

# %%
rng = torch.Generator().manual_seed(2)
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
# (*singular value decomposition*): turn, stretch along the axes, turn. (A turn may also mirror.) **Which turn comes
# first?** Books that write $Wx$, with the word as a column, say: first $V^T$. Here words are rows, $xW$. The picture carries a
# grid and the circle of all words of length 1 along, one factor after the other, in either order. Take hold of the
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
#
# Where words are wider than queries, shapes tell, too:

# %%
rng = torch.Generator().manual_seed(3)
word, w = torch.randn(5, generator=rng), torch.randn(5, 3, generator=rng)
u, stretch, vt = torch.linalg.svd(w, full_matrices=False)
print("x U, stretch, V^T:", torch.allclose(word @ u * stretch @ vt, word @ w, atol=1e-5))
print("x has", len(word), "numbers; V^T takes", len(vt), "and U takes", len(u))

# %% [markdown]
# In a row, what stands next to the word acts first: $U$. The word's five numbers do not even fit into $V^T$.

# %% [markdown] depth minutes=5
# #### Exercise: `same_scores`
#
# May one read meaning into the turns and stretches of $W_Q$ alone? Mix the queries by any matrix
# $a$ that has an inverse, $W_Q a$, and find the keys with which *all scores stay as they are*.


# %% exercise="same_scores"


# %% [markdown]
# So a model can stretch its queries as it likes, if its keys undo it. The scores know only the
# product $W_Q W_K^T$.

# %% [markdown] depth minutes=4
# ### Depth: narrow keys limit the scores, not the weights
#
# In a model with 12 heads of 64, queries and keys are much narrower than the words, 768. That is a
# compression, and it leaves a trace: a table $QK^T$ of any size has at most rank $d$, because $d$
# rows are enough to build all others.

# %%
bet("rank_after")

# %%
rng = torch.Generator().manual_seed(4)
pair = torch.randn(2, 128, 64, generator=rng, dtype=torch.float64)
ranks = {}
for d in (4, 16, 64):
    table = pair[0, :, :d] @ pair[1, :, :d].T / math.sqrt(d)
    ranks[d] = [torch.linalg.matrix_rank(one).item() for one in (table, table.softmax(-1))]
    print(f"d = {d:2}: rank of the scores {ranks[d][0]:3}, of the weights {ranks[d][1]}")
settle("rank_after", ranks[4][1])

# %% [markdown]
# <details><summary>And 24 words, 100 numbers wide, with queries and keys of 32: which rank would their
# scores have?</summary>
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
# Before training, the numbers of the matrices are drawn at random. How large? Xavier Glorot
# and Bengio (2010) say: variance 2 / (rows + columns).

# %%
bet("scaled_spread")

# %%
rng = torch.Generator().manual_seed(6)  # so that this section stands by itself
text = torch.randn(1000, 768, generator=rng)
map_q, map_k = math.sqrt(2 / (768 + 64)) * torch.randn(2, 768, 64, generator=rng)
scaled = (text[:200] @ map_q) @ (text[200:400] @ map_k).T / math.sqrt(64)
print(
    f"w_q {map_q.var():.5f}, rule {2 / 832:.5f};  q {(text @ map_q).var():.2f}, rule {768 * 2 / 832:.2f}"
)
settle("scaled_spread", scaled.var().item())

# %% [markdown]
# The run says 3.4, and so does the rule, 1.85 · 1.85. It is often said to *ensure* equal spread, forward and back. Here the spread grows to
# 1.85 forward, and that of a gradient shrinks to .15 on the way back. The rule is exact in both
# directions only for square matrices. One catch: PyTorch's own layer stacks $W_Q$, $W_K$ and $W_V$ into one
# matrix of $3m$ by $m$ and applies the rule to that, so each of them gets half of the variance, 2 / (4 m).

# %%
square = math.sqrt(2 / (768 + 768)) * torch.randn(768, 768, generator=rng)
back = torch.randn(1000, 64, generator=rng) @ map_q.T
print(f"back through w_q {back.var():.2f};  square: forward {(text @ square).var():.2f}", end=", ")
print(f"back {(torch.randn(1000, 768, generator=rng) @ square.T).var():.2f}")
wide_layer = torch.nn.MultiheadAttention(512, num_heads=8)
print(
    "within 1 % of 2 / (4 m):",
    (abs(wide_layer.in_proj_weight.var() / (2 / (4 * 512)) - 1) < 0.01).item(),
)

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
# The derivative of $Q$ by $W_Q$ is sometimes written as $X^T$. It is really a table with four indices.
# What remains of it is a product with $X^T$, and only as the last of these steps.
#
# #### Exercise: `gradient_of_w_q`


# %% exercise="gradient_of_w_q"


# %%
rng = torch.Generator().manual_seed(5)  # so that this section stands by itself
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
# *Recurrent* networks (RNN) read texts word by word. Each step hands a list of numbers, the state, to the next.
# Attention began inside them: a translation, while it was written, asked all states of the text that was read
# (Bahdanau et al., 2015), which was the first cross-attention. In 2017 the recurrence went, and attention stayed.
# **Without attention, how much of the first word is left after 100?** We measure it by the gradient: how
# strongly the last output depends on a word so far back, in fresh networks 32 wide.

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
# The path is as long as the distance in an RNN, and one step in every layer of attention. The LSTM, an RNN
# built to forget less, loses less, and a first matrix that keeps lengths (*orthogonal*) less again. In
# attention the power is about −1.9 at every distance but 0, which is the last word. That one makes the
# query, so it moves every weight; each of the others has about a hundredth of the weight.
#
# Attention is not cheaper: it needs $n^2$ scores and keeps the keys and values of every word. What it
# gains is a short path, and that it reads all words at once, where an RNN waits at each step for the last.

# %% [markdown] depth minutes=2
# ### Depth: every step with two heads, and fewer scores
#
# *Which steps belong to attention, and which to the layer around it?* Figure 2 of the paper (Vaswani et
# al., 2017) has two drawings. The left one, scaled dot-product attention, goes from *scores* to *output*.
# The right one, multi-head attention, holds several of them side by side, joins their outputs and
# multiplies by $W_O$ (chapter 7). Here is every step with its shape, with 2 heads of width 3.

# %%
rng = torch.Generator().manual_seed(7)  # so that this section stands by itself
five, heads = torch.randn(5, 6, generator=rng), torch.randn(3, 2, 6, 3, generator=rng)
w_o = torch.randn(6, 6, generator=rng)
all_steps = trace(five, five, five, w_q=heads[0], w_k=heads[1], w_v=heads[2], w_o=w_o)
print(", ".join(f"{name} {tuple(table.shape)}" for name, table in all_steps.items()))

# %% [markdown]
# **Few need all others.** *Sparse* attention lets a query see a window of w keys only: of $n^2$ scores
# $n w$ are left, with n = 4096 and w = 256 one in sixteen. That saves work only if whoever computes it leaves
# the rest out. A mask over the full product does not.

# %% [markdown] depth minutes=5
# ### Depth: train the model of the two apples
#
# To add what is taken home to what was there is called a *residual connection* (chapter 7).
#
# *Was it training that parted the two apples?* Both begin as one vector, with cosine 1. We measure their cosine again
# after attention, in two models: one that is not trained yet, and the trained one. **Will the two apples part in
# both? And which apple will be nearer to a pear?**

# %%
pear = "the pear grew on a tree"
cosines = [
    how_alike("apple", fruit, "apple", firm, attend),
    how_alike("apple", fruit, "pear", pear, attend),
    how_alike("apple", firm, "pear", pear, attend),
]
compared = ["the two apples", "the fruit and a pear", "the company and a pear"]
print_table(cosines, compared, ["untrained", "trained"])

# %% [markdown]
# In both models the cosine of the apples falls from 1 to about .6, because they stand among different words. But
# training decides where they go. In the trained model the fruit has come near to the pear: .49. The company has
# not: .05. In seven other trainings, too, the fruit came nearer.
#
# In training *new* stood only beside products, so what it tells leads
# to the companies. And in training the guessed word was covered. In the pictures of the core *apple* can be seen, so it pushes itself, too.
#
# *Do the apples of another model differ as well?* `train_words` makes the small model anew, in seconds. 300 steps
# part the apples already. Its words and sentences are in
# `course_lib/models/words.py`.

# %%
trained = train_words(with_progress(range(300), "training"), seed=1)
two = [trained.vectors(fruit, attend)[1, 4], trained.vectors(firm, attend)[1, 0]]
print(f"cosine of the two apples: {torch.cosine_similarity(*two, dim=0).item():.1f}")
