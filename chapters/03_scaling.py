# %% [markdown] minutes=2
# # 3 · Scaling: what width does to attention
#
# The words of chapter 1 had four numbers each. In real models, queries and keys have 64 or more. Change
# nothing but this width, and the shares of attention change beyond recognition. One small division prevents that.
# You will train the same model with it and without.
#
# At the end you write, with this division, the formula of "Attention Is All You Need" (2017), the paper that chat
# models are built on.
# The part before "Depth" takes 40 minutes to an hour.

# %%
import numpy as np

from course_lib.chapters.scaling import *

# %%
show_road_map(3)

# %% [markdown] minutes=1
# ## Three questions before you start
#
# From memory, on paper:
#
# 1. All numbers of a query are multiplied by 3. Does another key win, and what happens to the weights?
# 2. Attention is three lines. Which?
# 3. What is the dot product of [1, 2, 3] and [2, 0, -1]?
#
# <details><summary>Answers</summary>
#
# 1. All its scores are multiplied by 3, so the same key wins, and by more: the weights get sharper
#    (chapter 2).
# 2. Scores: `q @ k.T`. Weights: the softmax of each row (yours in chapter 4). Output: `weights @ v` (chapter 1).
# 3. 1 · 2 + 2 · 0 + 3 · (-1) = -1: products, added up (chapter 1).
# </details>

# %% [markdown] minutes=4
# ## Nothing changed but the width
#
# A query meets ten keys. All their numbers are random, so they are strangers: no key was made for this query. A fair
# share for each key is .10. Before training, the key that a query should find is a stranger like all the others.
#
# About two of three of these random numbers lie between -1 and 1. How many numbers a query or a key has is called its
# *width*, written $d_k$ with a k for key.
#
# Below, `scores_at(4)` is a table of scores at width 4: a row of ten scores for each of 1000 queries. In a row, the
# highest score gets the largest weight, the *top weight*. Its mean over all rows:

# %%
scores_at = strangers()  # a function: from a width to a table of scores
print(f"{softmax(scores_at(4)).max(axis=1).mean():.2f}")  # axis=1: the largest of each row

# %%
bet("width")

# %%
for d_k in (4, 64, 1024):
    top = softmax(scores_at(d_k)).max(axis=1)
    over = (top > 0.99).mean()  # in which share of the rows it is over .99
    print(f"width {d_k:4}: top weight {top.mean():.2f}, over .99 in {over:3.0%} of rows")
settle("width", top.mean())

# %% [markdown]
# Here are the ten weights of one query. Each vector keeps its numbers and gets more behind them. Does the same
# key stay in front?

# %%
show_widths(scores_at)

# %% [markdown]
# No, each time another key wins: among strangers, chance decides. And the wider the vectors, the more the winner gets.
# So training begins with a query that is almost certain of a key that chance picked, mostly a wrong one.
#
# A softmax that is so sure of one key, here with a top weight over .99, is called *saturated*. At 64, a usual width,
# one row in three is.

# %% [markdown] minutes=10
# ## What grows with the width?
#
# Softmax sees only the scores. Here are 10,000 of them at each width. A hill is high where many lie.
#
# The **spread** tells how far numbers lie from their mean: 4 and -4, with the mean 0, spread by 4. The line under each
# hill reaches one spread to both sides of 0, and about two of three scores lie within it, at width 4 nearly three of
# four. (In numpy: `.std()`, *standard deviation*.)
#
# The numbers in our vectors have mean 0 and spread 1, and know nothing of each other. The paper assumes no more. (Ours
# also have a *normal distribution*.)
#
# What happens to the spread when the width becomes four times as large?

# %%
show_spreads(scores_at)

# %% [markdown]
# It doubles each time: 4 at width 16, 8 at width 64, 16 at width 256. The rule is easier to see in the square of the
# spread, the *variance* (in numpy `.var()`): the mean of the squared distances from the mean. For 4 and -4 it is 16. For
# 0, 0, 6 and -6 it is (36 + 36)/4 = 18, so they spread by $\sqrt{18}$, about 4.2. (The mean distance
# is 3: squares count far ones more.)

# %% [markdown]
# ### Exercise: `score_variance`
#
# Measure it. Draw `pairs` queries and `pairs` keys of width `d_k`. The first query meets only the first key, the second
# only the second, and so on: no two scores share a vector, so each is a new draw. Return the variance of these
# `pairs` scores.


# %% exercise="score_variance"


# %% [markdown]
# How does it depend on the width?

# %%
rng = np.random.default_rng(0)
for d_k in (4, 16, 64, 256):
    print(f"width {d_k:3}: variance {score_variance(d_k, 10_000, rng):5.1f}")

# %% [markdown]
# Apart from chance, the variance is the width itself. Why do scores spread more with every further product?

# %% [markdown]
# ### A score is a sum of coin tosses
#
# Take the simplest numbers, +1 and -1. A product of two of them is +1 or -1 again, like a coin toss. So a
# score is a sum of $d_k$ tosses. Such sums are below 0 as often and by as much as above. So they are 0 on average, and
# their variance is the mean of their squares.
#
# Two tosses x and y have four outcomes, one as likely as another. In each column stand the blocks of
# $(x + y)^2 = x^2 + y^2 + 2xy$. What becomes of the block $2xy$ on average?

# %%
show_adding_up()

# %% [markdown]
# The block $2xy$ is added as often as it is taken away, so on average only the two squares remain: 1 + 1 = 2.
#
# Now let x be the sum so far, and y the next toss. Say that x is 3, with the square 9. Then $2xy$ is 6 or -6:
#
# - The next toss makes 4 or 2 of it, with the squares 9 + 1 + 6 = 16 or 9 + 1 - 6 = 4.
# - Their mean is 10: the 9 that was there, and 1 more.
#
# Again no $2xy$ remains, because y is +1 as often as -1, whatever x is. So each toss adds 1 to the variance, and $d_k$
# tosses have the variance $d_k$.

# %% [markdown]
# The products in a score are no coins: one may be .01, another 5. But each is negative as often and by as much as
# positive, so again no $2xy$ remains, and its square is 1 on average. For one number q of the query and one number k of
# the key:
#
# - $(qk)^2 = q^2k^2$. With mean 0 and spread 1, $q^2$ is 1 on average: that is the variance.
# - Say that $q^2$ is 3. The $k^2$ that it meets does not know that and is 1 on average, so $q^2k^2$ is 3 · 1 on average.
#   For every $q^2$ it is $q^2$ · 1, and the mean of that is 1.
#
# So each product adds 1 to the variance, as a toss does.

# %% [markdown] minutes=5
# ## How far ahead is too far?
#
# A large spread lets one score run far ahead of another. Call their difference the *lead* of the first. What does a
# lead do to the weights of two keys?

# %%
for lead in (1, 2, 4.6, 10):
    first, second = softmax(np.array([lead, 0.0]))
    print(f"a lead of {lead:4}: weights {first:.5f} and {second:.5f}")

# %% [markdown]
# At a lead of 4.6 the first reaches .99: there saturation begins. Scores that spread by 8, as at width 64,
# are easily that far apart.

# %% [markdown]
# ### Can a push still move the weight?
#
# Of two keys, the wrong one is in front. Push its score down a little, by .1, and its weight falls. Does it fall more
# in case A, where the wrong key is 1 ahead, or in case B, where it is 10 ahead? About how many times as much? Guess first.
#
# Now drag the ring with the black dot, the wrong key, from A to B. Where does the hollow dot, the right key, go? On the
# way you pass the hatched goal, a fifth of what a push does at A. (Left of 0 you hold the right key.)

# %%
explore_push()

# %% [markdown]
# It goes to C, 10 behind: what one key gains, the other loses.
#
# At A the weight falls about 4,200 times as much as at B. Why is the curve so flat at its ends? At a lead of 4.6 the
# weight is .99, and none rises above 1. So beyond 4.6 it changes by less than .01 in all.

# %% [markdown]
# What does training notice of this? It has one number for how wrong the model is, the *loss*. A push reaches it step
# by step:
#
# **score → weight → mix of the values → loss**
#
# So a push that hardly moves the weight hardly moves the loss.
#
# <details><summary>If you know logistic regression: is a sure wrong answer not pushed hardest?</summary>
#
# It is where the loss is minus the log of this very weight: at C a push by .1 lifts the weight from .000045 to .000050,
# and this loss falls from 10.0 to 9.9. Here the weight first mixes the values. Say that each gives its own answer a
# score of 5 and the other 0. The mix then stays at nearly 5 for the wrong answer and 0 for the right one, and the loss
# falls by .00005, 2,100 times less.
# </details>

# %% [markdown]
# The change of the loss, divided by the push, is the *gradient* of the score. The weight's part in it is
# .020/.1 = .2 at A, and .0000048/.1 = .000048 at B and C. Training pushes each score the way the loss falls, and further
# if its gradient is larger. So it moves mainly keys that are nearly level, and hardly the right key at C, which needs it
# most.

# %% [markdown] minutes=4
# ## What should the scores be divided by?
#
# To keep wide vectors from saturating the softmax, divide the scores first. You make two demands:
#
# 1. The divided scores of strangers spread by about 1, at every width. Then the best of ten keys gets about .3:
#    ahead, but not certain. (The 1 is a choice: what matters is *at every width*.)
# 2. A model that has learned which key is right must be able to become surer. So scores 3 times as large must still be
#    3 times as large after the division: the divisor is made from the width alone, before any score is known.
#
# Three divisors are proposed: the width, because it is the variance; the number 8; and the spread that these very
# scores have. Write down which spread each leaves at width 256. Which demand does each break?

# %%
print_proposals(scores_at)

# %% [markdown]
# The width leaves 16/256 = .06, and the 8 leaves 16/8 = 2, so both break the first demand. The scores' own spread
# breaks the second: in the last column, scores 3 times as large still come out with spread 1.
#
# ### Exercise: `scale`
#
# Which number, made from the width, meets both demands? Return the divided scores.


# %% exercise="scale"


# %%
print_proposals(scores_at, scale)

# %% [markdown]
# Strangers' scores have the variance $d_k$, so they spread by $\sqrt{d_k}$, at any width. Divided by that, they spread
# by 1, and the same key wins as before.

# %% [markdown] minutes=3
# ### Take hold: the width, with and without your division
#
# The black dot shows which share of the queries is saturated without your `scale`, the hollow dot with it. Above are
# the mean weights of the ten keys, sorted.
#
# Pull the black dot from one end to the other. At which width are about half of the queries saturated,
# if nothing is divided? And with your division?

# %%
explore_width(scale=scale)

# %% [markdown]
# <details><summary>The width at which half are saturated</summary>
#
# At about 140. (The goal allows 43 to 57 %: the widths from 92 to 205. Each adds a random number to every vector, so the
# share may also fall a little from one to the next.) With the division no query is saturated at any width.
# </details>

# %% [markdown] minutes=5
# ## Can a model learn without it?
#
# Two models, each a single attention, learn to look up. One divides its scores by the root, and the other does not.
#
# *ann: 17, bob: 52, eve: 3, ...* A model reads sixteen names, each with a number, and then
# *bob?* The answer is 52. So *bob?* is the query, the names are the keys, and the numbers are the values. The pairs are
# new each time, so no pair can be learned by heart.
#
# In each *step* of training a model answers 64 such questions, and then the numbers that make its queries, keys and
# values are changed a little.

# %%
bet("undivided")

# %% [markdown]
# Both are trained at three widths, from three random starts each. (*Guessing*: one of the sixteen numbers by chance.)

# %%
runs = train_both((16, 64, 256))  # afterwards, try 512 in place of 256

# %%
show_runs(runs)
print_when_right(64)  # trained on to step 220, beyond the picture
around_100 = np.mean([curve[90:110] for curve in runs[64, "not divided"]])
print(f"width 64, not divided, around step 100: {around_100:.2f} right")
settle("undivided", around_100)

# %% [markdown]
# Divided, the width matters little. Not divided, it costs time: at width 64 two or three times as many steps. At width
# 256 none of the three gets half way: in most questions they are still sure of a wrong name. (All begin below
# *guessing*: a new model may answer a number that it has not read. At 512 they get further than at 256. We do not know
# why.)
#
# Why so late? One row in three of our strangers was saturated. But how often does the *right* key start on the flat end
# of the curve, 4.6 or more behind the best of the others, with a weight below .01? New models have the same kind of
# queries and keys, and sixteen keys a row, not ten. This counts both:

# %%
print_starts(64)

# %% [markdown]
# Not divided, 30 of 100 rows are saturated, yet 86 of 100 right keys start on the flat end, where a push does little. Saturation takes one key far ahead of *all* others. Where two wrong keys have .5 each, none is, but a right key 4.6 behind
# them gets almost nothing.
#
# Probably the model first learns from the other 14. The same numbers make all queries and keys, so that moves the 86,
# too: after 200 steps hardly any is left there.

# %% [markdown] minutes=5
# ## The formula that became famous
#
# $$\mathrm{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V$$
#
# So the paper writes it (Vaswani et al., 2017). Q, K and V are your `q`, `k`, `v`.
#
# The paper suspects (section 3.2.1) that for large $d_k$ the scores grow large, and push the softmax to where its
# gradients are extremely small. You have measured both.
#
# ### Exercise: `attention`
#
# Write the formula, with the three lines of chapter 1 and your `scale`. Queries and keys have the same width, and the
# values may have another: which of the two widths does `scale` get?


# %% exercise="attention"


# %% [markdown] minutes=3
# ### Does a trained model need the root?
#
# The model of chapter 0, which copies, was trained with the root. Its heads are eight small attentions of width 16, so
# your lines divide by 4. We change it twice:
#
# - *root undone*: queries × 4, then ÷ 4
# - *divided twice*: queries ÷ 4, then ÷ 4: by 16, the width
#
# The model also continues *giraffe pogir*, printed with a dot where it repeats. *affe p* should come next, behind the |.

# %%
bet("without_root")

# %%
lines = {
    "your lines": attention,
    "root undone": lambda q, k, v: attention(4 * q, k, v),  # lambda: a function without a name
    "divided twice": lambda q, k, v: attention(q / 4, k, v),
}
right = try_in_copying(lines)
settle("without_root", right["root undone"])

# %% [markdown]
# This trained model no longer needs the root. What hurts is dividing twice: then the right letter no longer stands out.
#
# The root keeps a new model from being sure too soon. A model that has learned may be sure. Why do most models
# still have the root? It costs nothing, and one rule, known before training, serves every width.

# %% [markdown] minutes=2
# ## What you can now say
#
# - A score adds up $d_k$ products. Among strangers each adds 1 to the variance, so the scores spread by $\sqrt{d_k}$.
# - Without the division, wide vectors saturate the softmax, and training hardly moves a score there. Divided by
#   the root, the scores of strangers spread by 1 at every width.
# - The root is made for strangers, at the start of training. Once it had learned, our model could do without.

# %%
progress()

# %% [markdown]
# ### Where this occurs in a large language model
#
# Most attention heads divide their scores by $\sqrt{d_k}$: by 8 or 11.3, say, the roots of 64 and 128.
#
# ### Test yourself
#
# <details><summary>Why does attention divide by the square root of d_k? Three links of one
# chain.</summary>
#
# The score is a sum of d_k products, so its spread grows like the root of d_k. Scores far apart
# saturate the softmax. Then a right key that starts far behind has almost no weight, and its score gets almost no
# gradient.
# </details>
# <details><summary>A model has width 768 and 12 heads of 64 numbers each. By what are the scores
# divided?</summary>
#
# By 8, the root of 64: each score is summed over the 64 numbers of its head.
# </details>
#
# **Next:** [chapter 4](04_softmax.ipynb) takes the softmax apart.

# %% [markdown] depth
# ## Depth: for those who want more
#
# Nothing later needs these sections, and each stands by itself. Open one where the line below makes you
# curious.
#
# | section | what it is good for | minutes |
# |---|---|---|
# | check the proof by simulation | the proof in three steps, why a small cosine is no objection, a spiral of right angles, and how far a simulation may be off | 5 |
# | from a weight back to the lead | the number e, and an exercise with the logarithm; how often strangers are so far apart | 8 |
# | the root, or the width itself? | a picture to take hold of, an exercise, and two runs; and words that are repeated | 18 |
# | how large is a sum of 512 products? | two bets; do the scores of strangers reach hundreds? | 6 |
# | four scores of a thousand | a bet; is it size that saturates? And how to find a wrong weight | 4 |
# | entries that spread by sigma | an exercise; how large scores really are at the start of a model | 9 |
# | when the root is not enough | an exercise: what to divide by where vectors are loud, half empty, or twins | 8 |
# | the promise, and what breaks it | a picture to take hold of, and an exercise: when vectors know each other | 15 |
# | why the right key falls back | what slows the undivided model down, and how training can make it worse: a run that leaves out pushes | 5 |
# | which rows can still be moved? | a bet; where the gradient goes that the softmax does not pass on; logistic regression, and Adam | 10 |
# | T5 does not divide | an exercise; other sizes of a step, and another way to the same spread | 6 |
# | heads have their own width | an exercise: which width counts where there are several heads | 6 |
# | what the division does not promise | long texts, deep networks, large scores | 7 |

# %% [markdown] depth card="words"

# %% [markdown] depth
# ### Depth: check the proof by simulation
#
# The core has counted coin tosses. Here is the same in three steps for any *independent* numbers with mean 0
# and spread 1: none of them tells anything about another. $E$ means: on average. For
# independent numbers the average of a product is the product of the averages.
#
# 1. One product: $E[q_i k_i] = E[q_i]\,E[k_i] = 0 \cdot 0 = 0$.
# 2. Its square: $E[q_i^2 k_i^2] = E[q_i^2]\,E[k_i^2] = 1 \cdot 1 = 1$.
# 3. The sum so far x, and the next product y: $(x + y)^2 = x^2 + y^2 + 2xy$, and $xy$ is 0 on average.
#    So each product adds 1, and $d_k$ of them add $d_k$. The mean is 0, so this mean of the squares is
#    the variance: $\mathrm{Var}(q \cdot k) = d_k$. (Step 3 says that where x and y are independent,
#    $\mathrm{Var}(x + y) = \mathrm{Var}(x) + \mathrm{Var}(y)$.)
#
# Is the square of a product really 1 on average? Measured, at width 64:

# %%
queries, keys = np.random.default_rng(9).normal(size=(2, 10_000, 64))
print(f"the mean square of a product is {((queries * keys) ** 2).mean():.1f}")

# %% [markdown]
# But strangers stand at almost 90 degrees (chapter 1, Depth), so their cosine is small. A score is length times length
# times cosine. How can it spread by 8, as it does at width 64?

# %%
long_q, long_k = np.linalg.norm(queries, axis=1), np.linalg.norm(keys, axis=1)
cosines = (queries * keys).sum(axis=1) / (long_q * long_k)
print(f"a query is {long_q.mean():.0f} long, and the cosines spread by {cosines.std():.3f}")

# %% [markdown]
# The cosine is small indeed, about 1/8. But the vectors are long: 64 squares of about 1 each add up to 64, and the
# length is the root of that, 8. And 8 · 8 · 1/8 = 8. At any width, strangers are $\sqrt{d_k}$ long and their cosines
# spread by $1/\sqrt{d_k}$, so length times length times cosine spreads by $\sqrt{d_k}$.

# %% [markdown]
# Back to step 3. The two squares without $2xy$ are Pythagoras: x and y stand at a right angle, and the long side is the new spread.
# Step after step, that makes a spiral. Each line from its middle is a spread:

# %%
show_spiral()

# %% [markdown]
# Small errors add up like this, too. A surveyor carries a height across 64 stations, each off by about 1 mm, up or down
# by chance. Then the last height is off by about 8 mm (8 · 8 = 64), not by 64.
#
# The proof takes some things for granted. Do the vectors that you drew in the core keep to them? A simulation is never
# exact. Here is the band in which 19 of 20 runs lie:

# %%
for d_k in (4, 16, 64, 256):
    got = score_variance(d_k, 2000, np.random.default_rng(d_k))
    off = 2 * np.sqrt((2 + 6 / d_k) / 2000)  # how 2000 pairs scatter: statistics, take it on trust
    print(f"width {d_k:3}: {got:5.1f}, usual {d_k * (1 - off):5.1f} to {d_k * (1 + off):5.1f}")

# %% [markdown] depth
# ### Depth: from a weight back to the lead
#
# The core went from a lead to a weight. Here is how many times as much weight the first key gets as the second:

# %%
for lead in (1, 2, 9.9, 10):
    first, second = softmax(np.array([lead, 0.0]))
    print(f"a lead of {lead:3}: {first / second:,.1f} times")

# %% [markdown]
# Whenever the lead grows by 1, this ratio is multiplied by the same number, 2.718..., called e. A push of .1 changes
# the ratio by about a tenth, wherever it happens. At a lead of 10 that hardly counts: 20,000 times in place of 22,000
# is still almost everything. Now go the other way, from a weight to the lead.
#
# #### Exercise: `lead_for_weight`
#
# There are two keys, and the first should get this weight. How far ahead must its score be? For .99 you have
# seen 4.6. (`np.log` counts steps of e: `np.log(22026)` is about 10.)


# %% exercise="lead_for_weight"


# %%
for weight in (0.5, 0.9, 0.99, 0.999):
    print(f"a weight of {weight}: a lead of {lead_for_weight(weight):.1f}")

# %% [markdown]
# How often are strangers that far apart? On paper: if each of two scores spreads by 8, how far does their lead
# spread? By 0, because they cancel, by 11.3 or by 16?
#
# <details><summary>How far the lead spreads</summary>
#
# By 11.3. The squares add: 64 + 64 = 128, and the root of that is 11.3. A minus in place of the plus turns
# $2xy$ round, and its average is still 0. (The two share their query, so they are not independent. But it is enough
# that xy is 0 on average.)
# </details>
#
# The hills in the picture are the leads of strangers, of any two of them. Dark is what lies on the flat ends of
# the curve.

# %%
show_strangers_leads()

# %% [markdown]
# At width 4 nine in ten lie where the curve is steep, at width 64 two in three lie on its flat ends. In the core
# only one row in three was saturated, because there the best key had to be far ahead of all nine others. (And at
# width 1, hardly any: a score is then a single product, and spreads by 1 without any division.)

# %% [markdown] depth
# ### Depth: the root, or the width itself?
#
# On paper first: in the core's coin tosses, let the second toss copy the first. Which block no longer cancels, and what
# is the mean of the squares? What is it for d tosses that all copy the first?
#
# <details><summary>Tosses that copy</summary>
#
# The block 2xy never hangs below. The sums are 2 and -2, so the mean of the squares is 4. The sum of d tosses is
# d or -d, and the mean of the squares is d², no longer d.
# </details>
#
# The root is $d^{1/2}$, and d is $d^1$. Which exponent a keeps scores the same size at every width, when
# they are divided by $d^a$? Let k be a stranger to q first. Then let k be q itself, a *twin*: every
# product is a square, none is negative, and nothing cancels.
#
# Each line below tells how many times as large the scores are as at width 16. (Their size is here the mean without
# the minus signs.) On both axes a step multiplies, so a power of d is a straight line. Take the dot at the end of a line and lay the line flat.

# %%
explore_exponent()

# %% [markdown]
# <details><summary>With a = 1, strangers' scores shrink as the width grows. By which factor from 16 to
# 1024, and what would attention do?</summary>
#
# It is 64 times as wide, so the scores are $64^{1/2 - 1} = 1/8$ as large. All of them come close to 0,
# and every key gets about the same weight: attention becomes a plain average.
# </details>
#
# Strangers' products cancel, so their scores grow like $d^{1/2}$. Divided by $d^a$ they grow like
# $d^{1/2 - a}$: not at all for a = 1/2, and only there. Twins' scores grow like d itself.
#
# #### Exercise: `flat_exponent`
#
# Somebody hands you the sizes of scores at several widths, and no theory. With which power of the width
# do they grow?


# %% exercise="flat_exponent"


# %%
growing, widths = np.random.default_rng(6), np.array([16, 64, 256, 1024])
spreads = np.array([scores_at(d).std() for d in widths])
twins = np.array([np.square(growing.normal(size=(1000, d))).sum(axis=1).mean() for d in widths])
for name, sizes in (("strangers", spreads), ("twins", twins)):
    print(f"{name}: exponent {flat_exponent(widths, sizes):.1f}")

# %%
for a in (0.25, 0.5, 0.75, 1):
    print(f"a = {a:4}: variances", *[f"{v:7.3f}" for v in (spreads / widths**a) ** 2])

# %% [markdown]
# What does it do to attention if strangers' scores are divided by d? Here are the ten strangers of the core:

# %%
for d_k in (4, 64, 1024):
    print(f"width {d_k:4}: top weight {softmax(scores_at(d_k) / d_k).max(axis=1).mean():.2f}")

# %% [markdown]
# At width 1024 every key gets .10, the fair share. But a model does not know yet who is a stranger. A key
# that scores higher than usual should be felt, and should not decide alone. Divided by the root, a score that
# is one spread higher gets 2.7 times the weight. Divided by d, attention starts close to a plain average, and
# at each width differently.
#
# At width 256 the scores then start 16 times too small. Here is how such a model learns the look-up task of
# the core:

# %%
starts = {"divided by √d": 16, "divided by d": 256}
for name in with_progress(starts, "training 2 models of width 256"):
    curve = train(256, 1 / starts[name], range(80), np.random.default_rng(0))
    print(f"{name:13}: steps 41-60 {curve[40:60].mean():.1f}, 61-80 {curve[60:].mean():.1f}")

# %% [markdown]
# It is later by some twenty steps and gets there: this small model soon makes its scores larger. So the
# root is a good start, and no law.
#
# And sometimes d itself is right. Take the four pieces of a name in chapter 1's Depth, and repeat their numbers many times: nothing
# new is said, and yet the vectors become wider.

# %%
words = np.array([[0.2, 0.8, 0.3], [0.3, 0.7, 0.4], [0.1, 0.9, 0.2], [0.8, 0.2, 0.7]])
for times in (1, 16, 64):
    wide = np.tile(words, times)
    scores, d_k = wide @ wide[3], wide.shape[1]
    root, full = softmax(scores / d_k**0.5), softmax(scores / d_k)
    print(f"width {d_k:3}: divided by the root", root.round(2), "  by d", full.round(2))

# %% [markdown]
# Divided by the root, the weights get sharper with the width. Divided by d, they stay the same. Why? Because the
# numbers repeat, or because none of them is negative? Try each cause alone, divided by the root: the same words
# less .5, so that signs are mixed, repeated; and ten keys of fresh numbers, evenly from 0 to 1.

# %%
evenly = np.random.default_rng(10)
for times in (1, 16, 64):
    mixed = np.tile(words - 0.5, times)
    d_k = mixed.shape[1]
    q, k = evenly.random((1000, 1, d_k)), evenly.random((1000, 10, d_k))
    repeated, fresh = mixed @ mixed[3], (q * k).sum(axis=-1)
    tops = [softmax(one / d_k**0.5).max(axis=-1).mean() for one in (repeated, fresh)]
    print(f"width {d_k:3}: top weight repeated {tops[0]:.2f}, fresh {tops[1]:.2f}")

# %% [markdown]
# It is the repetition. A product that comes again is like a toss that copies: the leads grow like d. Fresh
# numbers have large scores, too, about d/4, but all keys share that, and about it their scores spread like the
# root.

# %% [markdown] depth
# ### Depth: how large is a sum of 512 products?
#
# With d = 512, can a dot product of strangers be hundreds or even thousands? You know the spread:

# %%
print(f"{np.sqrt(512):.1f}")

# %%
bet("largest")

# %%
million = np.random.default_rng(0)
sizes = np.abs(million.normal(size=(1000, 512)) @ million.normal(size=(512, 1000)))
print(f"half below {np.median(sizes):.0f}; beyond 75: {(sizes > 75).mean():.1%}")
settle("largest", sizes.max())

# %% [markdown]
# So no score of a million is far beyond 100. At width 768 the spread is 27.7. Are scores beyond 100 rare
# there?

# %%
bet("beyond")

# %%
wider = np.random.default_rng(1)
scores = wider.normal(size=(1000, 768)) @ wider.normal(size=(768, 1000))
print(f"spread {scores.std():.1f}, so 100 is {100 / np.sqrt(768):.1f} times that")
settle("beyond", int((np.abs(scores) > 100).sum()))

# %% [markdown] depth
# ### Depth: four scores of a thousand
#
# Does a softmax saturate because its scores are large?

# %%
bet("thousand")

# %%
print(softmax([1000, 1000, 1000, 1000]))
settle("thousand", softmax([1000, 1000, 1000, 1000]))

# %%
for scores in ([1000, 1001, 1002], [0, 1, 2], [0, 50, 100]):
    print(scores, "become", softmax(scores).round(2))

# %% [markdown]
# Only differences count, and that finds a slip that adding up does not. Numbers in an explanation are often
# made up, to look right. In such a table seven scores from -50 to 50 were divided by the root of 768, and
# the weights are .01 .02 .05 .10 .15 .25 .42. They add up to 1. But the ratio of two weights must be e = 2.718... to
# the power of the difference of their scores. Compare the last (score 50) with the middle one (score 0):

# %%
print(f"last over middle: in the table {0.42 / 0.10:.1f}, must be {np.exp(50 / np.sqrt(768)):.1f}")
print(softmax(np.array([-50, -30, -10, 0, 10, 30, 50]) / np.sqrt(768)).round(2))

# %% [markdown] depth
# ### Depth: entries that spread by sigma
#
# How large are scores if the numbers of the vectors spread by more than 1, or by less? Let that spread
# be $\sigma$ (sigma). One product then has the variance $\sigma^2 \cdot \sigma^2 = \sigma^4$ (the
# variance is the square of the spread), and a score has $d_k \sigma^4$. Before and after the division by
# $\sqrt{d_k}$:

# %%
for sigma in (0.5, 2, 3):
    draw = np.random.default_rng(3)
    thousands = (random_pairs(1000, 64, draw, sigma=sigma) for _ in range(20))
    scores = np.concatenate([(q * k).sum(axis=1) for q, k in thousands])
    before, after = scores.var(), scale(scores, 64).var()
    print(f"sigma {sigma:3}: variance {before:6.1f}, divided {after:7.4f}, sigma^4 {sigma**4:7.4f}")

# %% [markdown]
# After the division the variance is $\sigma^4$, whatever the width. Is that a reasonable range? With
# 100 keys, see how many share the attention at such a variance:

# %%
for variance in (0.01, 1, 16, 81):
    scores = np.sqrt(variance) * np.random.default_rng(4).normal(size=(2000, 100))
    count = effective_count(softmax(scores)).mean()
    print(f"variance {variance:5}: as if spread over {count:4.1f} of 100 keys")

# %% [markdown]
# #### Exercise: `score_deviation`
#
# How far do scores spread before the division? What does $\sigma$ = 3 make of width 512? (Sigma is a
# spread, and so is the answer.)


# %% exercise="score_deviation"


# %%
for sigma in (1, 3):
    print(f"width 512, sigma {sigma}: spread {score_deviation(512, sigma):.1f}")

# %% [markdown]
# So for strangers of usual widths, hundreds come from sigma, not from the width. And what is sigma in a
# model before training? Words of width m = 768, with entries of variance 1, meet a random matrix. Each entry
# of q adds up m products, so its variance, $\sigma^2$, is m times that of the matrix. (GPT-2 draws with
# spread .02; the rule of the third row, Xavier's, is in chapter 5.)

# %%
draw = np.random.default_rng(5)
sizes = {"variance 1/m": 768**-0.5, "GPT-2: .02": 0.02, "Xavier": (2 / (768 + 64)) ** 0.5}
for name, size in sizes.items():
    x = draw.normal(size=(1000, 768))
    q, k = (x @ (size * draw.normal(size=(768, 64))) for _ in range(2))
    spread = scale(q @ k.T, 64).std()
    print(f"{name:13} spread of the scores {spread:.1f}, sigma^2 {768 * size**2:.1f}")

# %% [markdown]
# And the mean must be 0: independence alone does not make $\sigma^4$. With mean $\mu$ (mu) each product has
# variance $\sigma^4 + 2\mu^2\sigma^2$.

# %%
q, k = random_pairs(2000, 64, np.random.default_rng(3), mean=0.5)
print(f"one product: {(q * k).var():.1f}, formula {1 + 2 * 0.5**2:.1f}")

# %% [markdown] depth
# ### Depth: when the root is not enough
#
# The root counts on two things: the numbers of the vectors have spread 1, and their
# products partly cancel. Before training that is about true of many models. Later you have to look.
#
# #### Exercise: `choose_divisors`
#
# Three people bring queries and keys of width `d`. Give each of them a divisor. The first two want scores that
# spread by 1. The third wants scores with the mean 1.
#
# 1. `loud`: every number of every query and of every key is three times as large as a stranger's.
# 2. `half_empty`: strangers, but every second number of the keys is 0. (`d` is even.)
# 3. `twins`: each query is compared with itself. Its numbers are those of a stranger.
#
# Begin with d = 16, where strangers divide by 4.


# %% exercise="choose_divisors"


# %%
try_divisors(choose_divisors)

# %% [markdown]
# You gave all three what they wished for. But for attention the third wish is a bad one.
#
# A query should resemble the key that it looks for, as a twin does. Put one twin among nine strangers, at width 64.
# Divided by the root, the twin's score is about 8, and it gets .99 of the weight. Divided by d, its score is about 1,
# and it gets .23. So keep the root: it lets the twin win. (The strangers' scores shrink as well, but softmax goes
# by the lead.)

# %% [markdown] depth
# ### Depth: the promise, and what breaks it
#
# The division promises mean 0 and spread 1. What does it take to break that? The dashed curve is the
# promise. The filled shape is where the divided scores lie, and the dot above it is their mean. Let the
# entries of k lean towards those of q (a *correlation*), or move their mean or their spread. The goal: bring the dot
# to the hatched band, and leave mean and spread of the entries as they are.

# %%
explore_assumptions(scale=scale)

# %% [markdown]
# <details><summary>Width 256 instead of 64, and correlation .5: where is the mean of the scaled
# scores?</summary>
#
# At 8. The mean before the division is correlation times width, 128; the root of 256 is 16. A fourfold
# width doubles it, so a pair that belongs together stands out more the wider it is.
# </details>
#
# That is no defect. A key that belongs to a query *should* stand out among strangers. Here is one twin
# among nine strangers, at width 64:

# %%
rng = np.random.default_rng(7)
q, k = rng.normal(size=(1000, 1, 64)), rng.normal(size=(1000, 10, 64))
k[:, 0] = q[:, 0]
scores = (q * k).sum(axis=-1)
for how, divided in (("by the root", scale(scores, 64)), ("by d", scores / 64)):
    print(f"divided {how}, the twin gets {softmax(divided)[:, 0].mean():.2f}")

# %% [markdown]
# Entries that know each other *inside* one vector break it too. Let all 64 entries share a part, so
# that any two of them have the correlation .3 or .9:


# %%
def sharing(share):
    """The scores of 1000 pairs whose entries have that share in common."""
    common, own = rng.normal(size=(2, 1000, 1)), rng.normal(size=(2, 1000, 64))
    q, k = np.sqrt(share) * common + np.sqrt(1 - share) * own
    return scale((q * k).sum(axis=1), 64)


# %%
for share in (0, 0.3, 0.9):
    scores = np.concatenate([sharing(share) for _ in range(20)])
    print(f"correlation {share:3}: variance {scores.var():4.1f}, formula {1 + 63 * share**2:4.1f}")

# %% [markdown]
# Entries of different kinds do *not* break it. Half of them coins, half drawn evenly between
# $-\sqrt 3$ and $\sqrt 3$, which have variance 1 too; no normal distribution anywhere:


# %%
def mixed():
    coins, even = rng.choice([-1, 1], size=(1000, 32)), rng.uniform(-1, 1, size=(1000, 32))
    return np.hstack([coins, np.sqrt(3) * even])


scores = np.concatenate([(mixed() * mixed()).sum(axis=1) for _ in range(20)])
print(f"variance {scale(scores, 64).var():.1f}")

# %% [markdown]
# #### Exercise: `grown_together`
#
# When would 1/d be the right divisor? Return q and k whose score grows *in step with the width*: as
# many times larger as the vectors are wider. The entries of each keep mean 0 and variance 1 (about).


# %% exercise="grown_together"


# %%
for d_k in (64, 1024, 16_384):
    q, k = (np.asarray(one) for one in grown_together(d_k, np.random.default_rng(0)))
    score = q @ k
    print(f"width {d_k:5}: divided by the root {score / d_k**0.5:6.1f}, by d {score / d_k:4.1f}")

# %% [markdown]
# Some recipes for training networks of very different widths (muP: Yang et al., 2022) do divide by
# d: they expect queries and keys to grow alike.

# %% [markdown] depth
# ### Depth: why the right key falls back
#
# What slows the undivided model of the core down? The next cell asks new models of width 64 many questions, before any
# training. Each time it measures the lead of the right key over the best wrong one. Below the curve that you know, two
# hills show these leads. Their dark part is the right keys that start far behind, where the curve is flat, as at C.

# %%
show_leads(looks_of_both(64))

# %% [markdown]
# *Divided*, hardly any right key starts far behind. *Not divided*, 86 of 100 do. (Of sixteen keys the right
# one is seldom the best.) A push does almost nothing for them, and after 50 steps of training 84 are still there.
#
# The few that stand nearer can be pushed. All questions share the same matrices, so a push for one moves the others,
# too, and in the end the model learns them all. (Trained without those few, a model learns much later.)
#
# So it seems that the time is lost mainly at the start. In the section "T5 does not divide" a model that starts with
# smaller scores learns as fast without any division.

# %% [markdown]
# In 50 steps of training without the division, the right keys even fall back: their middle lead (the median) sinks,
# from each of three starts. How can training make it worse? Train once more, and leave out every push of a right key's
# score. Guess first: does the middle lead stay, or does it still sink?

# %%
try_without_pushes(64)

# %% [markdown]
# It sinks all the same. So the pushes of wrong keys do this. A push can move those that are
# nearly level: in two of three questions the two best wrong keys start less than 4.6 apart.
#
# But the matrices serve all names. A push that is meant for one score changes many others, too, some up and some
# down. These changes spread by 6, and they hardly depend on how high a score was. So the squares
# add up, as with the tosses: 8² + 6² = 10².
#
# The further the scores spread, the further out is the best of the fifteen wrong keys. The lead is over that one.
# So the right key falls back, and nobody pushed it.

# %% [markdown] depth
# ### Depth: which rows can still be moved?
#
# Training nudges scores and asks how the weights answer. `jacobian_norms` measures that answer: how
# much the weights of a row move, all in all, when its scores are nudged. (How to compute it is
# chapter 4's.) It is near 0 for a saturated row. 400 rows of 100 keys:


# %%
def tables(d_k):
    """40 times ten queries and 100 keys, always the same ones."""
    for_queries, for_keys = (np.random.default_rng(n) for n in (10, 100))
    for _ in range(40):
        yield for_queries.normal(size=(10, d_k)), for_keys.normal(size=(100, d_k))


# %%
def answers(d_k, divisor):
    """How strongly each row's weights answer to its scores."""
    weights = [softmax(q @ k.T / divisor) for q, k in tables(d_k)]
    return jacobian_norms(np.concatenate(weights))


for d_k in (64, 256, 1024):
    raw, scaled = answers(d_k, 1), answers(d_k, np.sqrt(d_k))
    print(f"width {d_k:4}: median {np.median(raw):.1g}, divided {np.median(scaled):.2f}")

# %% [markdown]
# At width 64 the typical undivided row still answers, even a little more than the divided one. (This is the
# answer of the whole row. Its right key may have almost no weight and answer to nothing.) At 256 and 1024 the
# typical row hardly answers at all. And what about the mean of all rows?

# %%
bet("gradient")

# %%
narrow, broad = answers(64, 1).mean(), answers(1024, 1).mean()
print(f"mean: {narrow:.2f} at width 64, {broad:.2f} at width 1024")
settle("gradient", narrow / broad)

# %% [markdown]
# So at width 1024 *the gradient is near 0* is true of the typical row and not of the mean.
#
# And is it ever *too large*? Not in the softmax: whatever the weights, a nudge of the scores is
# passed on with at most half of its length:

# %%
rows = np.random.default_rng(8)
scores = rows.normal(size=(5000, 3)) * rows.choice([1, 3, 9], size=(5000, 1))
weights = np.concatenate([softmax(scores), [[0.5, 0.5, 0]]])
jacobians = weights[:, :, None] * np.eye(3) - weights[:, :, None] * weights[:, None, :]
print(f"largest factor of any row: {np.linalg.norm(jacobians, ord=2, axis=(1, 2)).max():.3f}")

# %% [markdown]
# But from the scores the gradient goes on to the query: times k, divided by the divisor. If nothing is
# divided, this step makes it $\sqrt{d_k}$ times as large. Send a random gradient into all 400 rows at
# width 1024. What reaches the queries, typically and all in all?


# %%
def reaching_the_queries(d_k, divisor):
    """The length of the gradient at each query, when a random one comes in at the weights."""
    draw, lengths = np.random.default_rng(1), []
    for q, k in tables(d_k):
        weights = softmax(q @ k.T / divisor)
        towards = draw.normal(size=weights.shape)
        nudges = weights * (towards - (weights * towards).sum(axis=1, keepdims=True))
        lengths.append(np.linalg.norm(nudges @ k / divisor, axis=1))
    return np.concatenate(lengths)


# %%
for name, divisor in (("not divided", 1), ("divided", 32)):
    lengths = reaching_the_queries(1024, divisor)
    print(f"{name:11}: median {np.median(lengths):.1g}, all {np.linalg.norm(lengths):.0f}")

# %% [markdown]
# At width 1024 the division raises the typical row and lowers the few large ones. It does both.
#
# <details><summary>You know logistic regression, where a sure wrong answer gets the hardest push?</summary>
#
# Its curve is the one of the core, the *logistic curve*, and its inverse, your lead, is called the *logit*.
# But there the loss is the logarithm of that very weight, and the logarithm undoes the flatness. Here the
# weight only mixes values. A score's push is multiplied by the weight of its key, and by how far the value of its
# key lies from the mix, as the loss sees it. A right key far behind has almost no weight. The value of a wrong key
# far in front is almost the mix itself. So both get almost no push.
# </details>
# <details><summary>The models of the core are trained with Adam. Does its rescaling not help the right key at C?</summary>
#
# Hardly. Adam takes larger steps where gradients are small, but it rescales the numbers of the model, such as those of
# $W_q$, and not the scores. Each of these numbers serves all questions, and its gradient is their sum. In this sum
# the questions whose keys are nearly level weigh thousands of times as much as one at C.
# </details>

# %% [markdown] depth
# ### Depth: T5 does not divide
#
# The core trained a model with and without the division (`course_lib/models/recall.py`, in numpy, with its
# gradients by hand). Was the undivided model slow because the common *step size*, how far a step of training
# moves the model's numbers, did not suit it? We chose .003, with the optimiser Adam. With .001, .003, .01 and .03
# the divided model gave .71, 1.00, 1.00 and .97 right answers in the steps 101 to 150 (mean of three starts), the
# undivided one .03, .60, .83 and .44.
#
# So keep the step size, divide by nothing, and make the scores small in another way: by the queries.
#
# #### Exercise: `query_factors`
#
# In the core, queries times 4 undid the root of width 16, and queries divided by 4 divided twice.
# Which two numbers do that at any width?


# %% exercise="query_factors"


# %% [markdown]
# Now a model has short queries from the start: the weights that make them, $W_q$, begin $\sqrt{d_k}$ times
# smaller. T5 (Raffel et al., 2019) draws them with spread
# $(m\,d_k)^{-1/2}$, with m for the width of a word (here 512), and never divides:

# %%
small = np.random.default_rng(9)
x = small.normal(size=(500, 512))
q = x @ small.normal(size=(512, 64)) / np.sqrt(512 * 64)
k = x @ small.normal(size=(512, 64)) / np.sqrt(512)
print(f"variance of q {q.var():.3f} = 1/{1 / q.var():.0f}, of the scores {(q @ k.T).var():.1f}")

# %%
middle = []
for start in with_progress(range(3), "training 3 models with small queries"):
    curve = train(64, 1, range(200), np.random.default_rng(start), query_size=1 / 8)
    middle.append(curve[50:100].mean())
divided = [curve[50:100].mean() for curve in runs[64, "divided"]]
print(f"not divided, small start: steps 51-100 {min(middle):.2f} to {max(middle):.2f}")
print(f"divided, in the core:     steps 51-100 {min(divided):.2f} to {max(divided):.2f}")

# %% [markdown]
# As good as the division, here, and with the step size of the core. So it was not the step size alone that slowed
# the undivided model of the core down: the spread of its scores *at the start* did. Where the root comes from does
# not matter. (Elsewhere the step size may have to fit: a step changes undivided scores $\sqrt{d_k}$ times as
# much.) Most models divide; it costs nothing, and is no law.

# %% [markdown] depth
# ### Depth: heads have their own width
#
# A model of width 768 may cut each vector into 12 *heads* of 64 numbers, and let each compare for
# itself (chapter 7). q and k then have the shape (heads, words, width of a head), and
# `k.swapaxes(-1, -2)` turns each head's keys into columns.
#
# #### Exercise: `head_weights`


# %% exercise="head_weights"


# %%
q, k = np.random.default_rng(11).normal(size=(2, 12, 50, 64))
right, wrong = head_weights(q, k), softmax(q @ k.swapaxes(-1, -2) / np.sqrt(768))
for name, weights in (("root of 64", right), ("root of 768", wrong)):
    print(f"{name:11}: as if spread over {np.mean(effective_count(weights)):.0f} of 50 keys")

# %% [markdown] depth
# ### Depth: what the division does not promise
#
# **That the largest score stays small.** Of n normal numbers the largest grows, slowly, somewhat
# below $\sqrt{2 \ln n}$. And training can raise the variance again; that is why some models normalise
# q and k or cap the scores.

# %%
for n in (10, 100, 1000, 10_000):
    largest = np.random.default_rng(12).normal(size=(500, n)).max(axis=1).mean()
    print(f"n = {n:5}: largest {largest:.1f}, sqrt(2 ln n) {np.sqrt(2 * np.log(n)):.1f}")

# %% [markdown]
# **That gradients flow, however long the text.** Let training want a short output o (its loss is
# $|o|^2$), and measure the gradient that reaches one query among s keys:


# %%
def gradient_of_query(s, rng):
    """The length of d|o|^2 / dq for a random query with s keys and values of width 64."""
    q, k, v = rng.normal(size=64), rng.normal(size=(s, 64)), rng.normal(size=(s, 64))
    weights = softmax(k @ q / 8)
    towards = v @ (2 * weights @ v)
    return np.linalg.norm(weights * (towards - weights @ towards) @ k / 8)


# %%
for s in (8, 64, 512, 2048):
    lengths = [gradient_of_query(s, np.random.default_rng(seed)) for seed in range(60)]
    print(f"{s:4} keys: median {np.median(lengths):.1g}")

# %% [markdown]
# **That depth is harmless.** Stack attention on attention, with divided scores and normalised rows,
# and all words become the same word. A *residual* (add the input to the output) prevents it.


# %%
def difference_left(layers, skip, rng):
    """The share of the words that is not common to all, after so many layers of attention."""
    x = rng.normal(size=(32, 64))
    for _ in range(layers):
        q, k, v = (x @ rng.normal(size=(64, 64)) / 8 for _ in range(3))
        x = softmax(scale(q @ k.T, 64)) @ v + skip * x
        x = (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, keepdims=True)
    return np.linalg.norm(x - x.mean(axis=0)) / np.linalg.norm(x)


# %%
for layers in (0, 1, 2, 4):
    left = [difference_left(layers, skip, np.random.default_rng(0)) for skip in (0, 1)]
    print(f"{layers} layers: {left[0]:.2g} without, {left[1]:.2f} with a residual")

# %% [markdown]
# <details><summary>Does the division make the gradients of any network stable, however deep it is and
# however long the text?</summary>
#
# No. It keeps the spread of the scores from growing with the width, at the start. A deep network needs
# other help (the *residual* of chapter 7), and the share of one key among s still shrinks with s.
# </details>
