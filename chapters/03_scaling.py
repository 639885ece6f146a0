# %% [markdown] minutes=1
# # 3 · Scaling: what width does to attention
#
# In chapter 1, *invited* looked at four words, and each got a share: .20, .23, .18 and .39. Those
# words had three numbers each. In this chapter nothing changes but the width of the vectors, and
# attention goes blind to all keys but one. You see where that comes from, decide what to divide by, train
# a model with and without it, and learn when the division is right and when it is not. The part before
# "Depth" takes 50 to 75 minutes.

# %%
import numpy as np

from course_lib.chapters.scaling import *

# %%
show_road_map(3)

# %% [markdown] card="words"

# %% [markdown] minutes=3
# ## Three questions before you start
#
# Without aids, on paper.
#
# 1. A query is made three times as long. Does another key win, and what happens to the weights?
# 2. Attention is three lines. Which?
# 3. Two random directions in 512 dimensions: about which angle do they make?
#
# <details><summary>Answers</summary>
#
# 1. All its scores are multiplied by 3, so the same key wins, and by more: the weights get sharper
#    (chapter 2).
# 2. Scores: `q @ k.T`. Weights: the softmax of each row. Output: `weights @ v` (chapter 1).
# 3. About 90 degrees. Of 13 million pairs the worst was within 17 degrees of that (chapter 1).
# </details>

# %% [markdown] minutes=4
# ## Nothing changed but the width
#
# Draw a query and ten keys at random. Every number comes from the normal distribution with mean 0 and
# standard deviation 1, so two of three lie between -1 and 1. They are strangers: nobody knows anybody. A
# fair share of attention would be .10 for each key.
#
# The width $d$ of a query and of a key is called $d_k$, too (k for key). `scores_at(d_k)` gives 1000
# rows of ten scores at any width from 1 to 1024: always the same queries and keys, with as many of
# their numbers as the width says. At width 4 the top key gets, on average:

# %%
scores_at = strangers()
print(scores_at(4).shape)
print(f"{softmax(scores_at(4)).max(axis=1).mean():.2f}")

# %%
bet("width")

# %%
for d_k in (1, 4, 16, 64, 256, 1024):
    top = softmax(scores_at(d_k)).max(axis=1)
    sure = (top > 0.99).mean()
    print(f"width {d_k:4}: top weight {top.mean():.2f}, over .99 in {sure:3.0%} of rows")
settle("width", top.mean())

# %% [markdown]
# This is *saturation*: the softmax is so sure of one key that it hardly reacts to anything any more. With
# weights of 1 and 0 there is nothing left to average. And these widths are no exotic ones: queries and
# keys in real models mostly have 64 or 128 numbers.

# %% [markdown] minutes=5
# ## A score is a sum of coin tosses
#
# *Why do scores grow, if each product is as often negative as positive?* Take the simplest numbers
# of all, +1 and -1. A product of two of them is again +1 or -1: a coin toss. So a score of width d is
# d tosses, heads minus tails. Here are all outcomes of two tosses, and of three:

# %%
two = np.array([x + y for x in (1, -1) for y in (1, -1)])
three = np.array([s + z for s in two for z in (1, -1)])
for sums in (two, three):
    print(sums, f"mean {sums.mean():.0f}, mean of the squares {(sums**2).mean():.0f}")

# %% [markdown]
# The mean is 0 each time, and the mean of the squares is d. For numbers with mean 0, the mean of the
# squares is the *variance*. Its root is the *standard deviation*: how far off 0 is usual. Here
# that is $\sqrt d$. Why do the squares add up? The picture has all four outcomes of two tosses.

# %%
show_adding_up()

# %% [markdown]
# At the left, $(x + y)^2 = x^2 + y^2 + 2xy$ is laid out in blocks. Each outcome has its $x^2$ and its
# $y^2$. The block $2xy$ is added as often as it is taken away, so on average it leaves nothing, and the
# two squares remain. Now let x be the sum so far and y the next toss: again $2xy$ leaves nothing, and the
# mean of the squares grows by 1. So it goes on with each toss. At the right the same is a
# spiral: where $2xy$ is 0 on average, a new toss stands at a right angle to all before it, and Pythagoras
# gives the long side. After 16 tosses one is 4 steps away, as a rule.
#
# The same holds without coins. $E$ means: on average. The entries are *independent*: none tells
# anything about another. Then the average of a product is the product of the averages, and three steps
# lead from one product to a score:
#
# 1. One product: $E[q_i k_i] = E[q_i]\,E[k_i] = 0 \cdot 0 = 0$.
# 2. Its square: $E[q_i^2 k_i^2] = E[q_i^2]\,E[k_i^2] = 1 \cdot 1 = 1$. The variance of a product
#    is 1.
# 3. The sum so far x, and the next product y: $(x + y)^2 = x^2 + y^2 + 2xy$. Here $xy$ is 0 on average,
#    because y is, and nothing in x tells anything about it. So each product adds 1, all $d_k$ of them
#    together add $d_k$: $\mathrm{Var}(q \cdot k) = d_k$.
#
# It takes independent entries with mean 0 and variance 1. It does not take a normal distribution;
# the coins have none.

# %% [markdown] minutes=5
# ### Exercise: `score_variance`
#
# A proof can have a hole, so simulate it. Draw `pairs` queries and `pairs` keys of width `d_k`. Each query
# meets one key, its own, so there are `pairs` scores; return their variance. A simulation is never
# exact, so the check accepts a band around $d_k$. The cell after yours prints a narrower one: 19 of
# 20 runs lie in it.


# %% exercise="score_variance"


# %%
for d_k in (4, 16, 64, 256):
    got = score_variance(d_k, 2000, np.random.default_rng(d_k))
    off = 2 * np.sqrt((2 + 6 / d_k) / 2000)  # how 2000 pairs scatter: statistics, take it on trust
    print(f"width {d_k:3}: {got:5.1f}, usual {d_k * (1 - off):5.1f} to {d_k * (1 + off):5.1f}")

# %% [markdown] minutes=3
# ## How far ahead is too far?
#
# At width 64 the usual score is 8 away from 0, and the best of ten is often several ahead of the next.
# Call that its *lead*. What does the softmax make of a lead? Take two keys, and see how many times the
# weight of the second the first one gets:

# %%
for lead in (1, 2, 3, 10):
    first, second = softmax(np.array([lead, 0.0]))
    print(f"a lead of {lead:2}: weights {first:.5f} and {second:.5f}, {first / second:,.2f} times")

# %% [markdown]
# Each step of the lead multiplies by the same number, 2.718..., called e. (Chapter 4 says why.) A lead
# of 10 is ten such steps, and 22,026 times. And training can hardly change that any more. It asks each
# score: *if you move a little, what changes?* (The answer is called the *gradient*.) Move the first score
# by .1:

# %%
for lead in (1, 10):
    before, after = softmax([lead, 0])[0], softmax([lead + 0.1, 0])[0]
    print(f"a lead of {lead:2}: weight {before:.5f}, {after - before:.6f} more when moved")

# %% [markdown] minutes=5
# ## What should the scores be divided by?
#
# The way out is to divide the scores before the softmax. By what? The answer should be a number that is
# known before any score is, the same one for all scores. And with it the scores should spread equally
# far at every width. Three are often proposed: the width $d_k$, its root, and half of the width,
# "to be careful".
#
# ### Exercise: `scale`
#
# Decide, from what you know about the spread of scores at width $d_k$, and write it down. If you are not
# sure between two of them, do the sum for width 16 and for width 64.


# %% exercise="scale"


# %%
for d_k in (1, 4, 16, 64, 256, 1024):
    scores = scale(scores_at(d_k), d_k)
    top = softmax(scores).max(axis=1).mean()
    print(f"width {d_k:4}: variance {scores.var():.1f}, top weight {top:.2f}")

# %% [markdown]
# At every width the variance is 1, and the top key of ten strangers gets about .3. That is what the
# root does: not a fair .10 each, since some score is always the best, but the same at every width.

# %% [markdown] minutes=5
# ### Take hold: the width, with and without your division
#
# Ten scores of one query, twice: above as they are, below after your `scale`. Each mark is a score, and
# the disc around it has the size of its weight. (All ten weights add up to 1, so the discs of a row
# always have the same area together.) The bar below a row shows how far scores usually are from 0. Take
# its end and pull. The strip at the bottom counts, among 1000 queries, those who are blind to all keys
# but one.

# %%
explore_width(scale=scale)

# %% [markdown]
# <details><summary>Go to width 1. The two rows are the same. Why is nobody blind there, though nothing is
# divided?</summary>
#
# At width 1 a score is a single product with deviation 1, and the root of 1 is 1: dividing changes
# nothing. The spread comes from adding up many products.
# </details>
#
# (The lead of a single query does not grow evenly. Each added product may favour another key, so it
# stumbles on its way up, as a sum of tosses does.)

# %% [markdown] minutes=6
# ## Can a model learn without it?
#
# Here is the smallest task that needs attention: sixteen pairs of a name and a content, and the question
# *what does this name hold?* The pairs are new each time, so the model has to learn to look up. Its
# queries and keys are 64 wide. It is trained from three different starts in each of three ways: divided
# by the root, not divided at all, and divided by the width itself.

# %%
bet("slower")

# %%
divisors = {"divided by √d": 8, "not divided": 1, "divided by d": 64}
runs = {name: [] for name in divisors}
kinds_and_starts = [(name, start) for name in divisors for start in range(3)]
for name, start in with_progress(kinds_and_starts, "training 9 models, 200 steps each"):
    runs[name].append(train(64, 1 / divisors[name], range(200), np.random.default_rng(start)))

# %%
show_runs(runs)

# %%
for name, curves in runs.items():
    middle, end = ([curve[a : a + 50].mean() for curve in curves] for a in (50, 150))
    print(f"{name:13}: steps 51-100 {min(middle):.2f} to {max(middle):.2f},", end=" ")
    print(f"last 50 {min(end):.2f} to {max(end):.2f}")
settle("slower", np.mean([curve[150:].mean() for curve in runs["not divided"]]))

# %% [markdown]
# One line of code, and a model learns in a fraction of the time. Dividing by d works here, too, a little
# later: too even is a gentler mistake than too sure.

# %% [markdown] minutes=3
# ## Does the division repair a wrong order?
#
# A loud key may win although another fits better (chapter 2).

# %%
bet("same_winner")

# %%
raw = scores_at(64)
before, after = softmax(raw).argmax(axis=1), softmax(scale(raw, 64)).argmax(axis=1)
settle("same_winner", int((before != after).sum()))

# %% [markdown]
# $\sqrt{d_k}$ is one number for all scores, not the length of a vector. Only the cosine takes the loud
# key's loudness away.

# %% [markdown] minutes=3
# ### Exercise: `attention`
#
# Attention as it stands in the paper that made it famous (Vaswani et al., 2017):
# $\;\mathrm{softmax}(QK^T / \sqrt{d_k})\,V$, where Q, K and V are your `q`, `k` and `v`. Its four lines
# are out of order: put them right. `q.shape[1]` is the width of a query.


# %% exercise="attention" shuffled


# %%
rng = np.random.default_rng(0)
q, k, v = rng.normal(size=(1, 256)), rng.normal(size=(3, 256)), np.eye(3)
# Value 0 is (1, 0, 0), and so on: the output then shows the three weights.
print("not divided:", (softmax(q @ k.T) @ v).round(2))
print("divided:    ", attention(q, k, v).round(2))

# %% [markdown] minutes=4
# ## Why the root, and not the width itself?
#
# The root is $d^{1/2}$, and d is $d^1$. Which exponent a keeps scores the same size at every width, when
# they are divided by $d^a$? Let k be a stranger to q first. Then let k be q itself, a *twin*: every
# product is a square, none is negative, and nothing cancels.
#
# ### Take hold: which exponent lays the line flat?
#
# Each line tells how many times as large the scores are as at width 16. Both axes count in
# multiplications, so a power of d is a straight line. Take the end of a line.

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
# $d^{1/2 - a}$: not at all for a = 1/2, and only there. Twins' scores grow like d itself. Here are ten
# strangers divided by d; .10 is a plain average:

# %%
for d_k in (4, 64, 1024):
    print(f"width {d_k:4}: top weight {softmax(scores_at(d_k) / d_k).max(axis=1).mean():.2f}")

# %% [markdown] minutes=3
# ## When the root is not enough
#
# The root is right for strangers. Trained queries and keys are not strangers: that is what training
# is for. Take the four words of chapter 1 and repeat their numbers many times. Nothing new is said,
# and yet the vectors become wider:

# %%
words = np.array([[0.2, 0.8, 0.3], [0.3, 0.7, 0.4], [0.1, 0.9, 0.2], [0.8, 0.2, 0.7]])
for times in (1, 16, 64):
    wide = np.tile(words, times)
    scores, d_k = wide @ wide[3], wide.shape[1]
    root, full = softmax(scores / d_k**0.5), softmax(scores / d_k)
    print(f"width {d_k:3}: divided by the root", root.round(2), "  by d", full.round(2))

# %% [markdown]
# These scores grow like d, so the root is too little, and d itself is right. What the division
# promises is modest: at the *start* of training, when queries and keys are still random, the spread of
# the scores does not grow with the width. It is 1 where the entries of q and k start with variance 1;
# as models really start, it is about .3 in GPT-2 and 1.8 by another rule (a depth section computes
# both). After that the model may go where it learns to go.

# %% [markdown] minutes=2
# ## What you can now say
#
# - A score adds up $d_k$ products. For independent entries with mean 0 and variance 1 its variance
#   is $d_k$, and $\sqrt{d_k}$ is how far scores spread.
# - Without the division, wide vectors push the softmax into saturation: one key gets all, a moved
#   score changes nothing, and training takes far longer. Dividing by $\sqrt{d_k}$ makes that spread 1
#   at every width.
# - It is right for strangers at the start. It is too little for vectors that have grown alike, and
#   no promise for later.

# %%
progress()

# %% [markdown]
# ### Where this occurs in a large language model
#
# | place | what happens |
# |---|---|
# | most attention heads | scores are divided by $\sqrt{d_k}$, mostly with $d_k$ = 64 or 128: by 8 or 11.3 |
# | T5 (Raffel et al., 2019) | no division; the queries start smaller instead |
# | models with *QK-norm* | queries and keys are normalised, then each entry gets a learned factor (chapter 2) |
# | models with a *soft cap* | large scores are bent down before the softmax |
#
# ### Test yourself
#
# <details><summary>Why does attention divide by the square root of d_k? Three links of one
# chain.</summary>
#
# The score is a sum of d_k products, so its deviation grows like the root of d_k. Scores far apart
# saturate the softmax. A saturated softmax hardly reacts to changes, so most rows get almost no
# gradient.
# </details>
# <details><summary>A model has width 768 and 12 heads of 64 numbers each. By what are the scores
# divided?</summary>
#
# By 8, the root of 64: each score is summed over the 64 numbers of its head.
# </details>
# <details><summary>Is a model without the division lost?</summary>
#
# No. In the training above it was far behind and still learning: most queries are deaf at first, a few
# near a tie are not, and these pull the others along. In a deep model, where other things go wrong
# meanwhile, that delay can cost all.
# </details>
#
# **Next:** [chapter 4](04_softmax.ipynb) takes the softmax apart. Nothing later needs the depth part that
# follows.

# %% [markdown] depth
# ## Depth: eleven sections for who wants more
#
# Open this heading and choose. Each section stands by itself.
#
# | section | what it is good for | minutes |
# |---|---|---|
# | seven scores, and a table with a slip | a bet; how to find a wrong weight in a printed table | 5 |
# | how large is a sum of 512 products? | a bet; for who has read *hundreds or even thousands* | 4 |
# | how often is a score of 100? | a bet; rare for one score, sure in a large table | 4 |
# | four scores of a thousand | a bet; is it size that saturates? | 3 |
# | entries that spread by sigma | an exercise; how large scores really are at the start of a model | 9 |
# | the promise, and what breaks it | a picture to take hold of, and an exercise: when vectors know each other | 15 |
# | read the exponent off | an exercise: find a power in measurements | 7 |
# | who still hears the gradient? | a bet; where the gradient goes that the softmax does not pass on | 9 |
# | T5 does not divide | another way to the same spread | 4 |
# | heads have their own width | an exercise: which width counts where there are several heads | 6 |
# | what the division does not promise | long texts, deep networks, large scores | 7 |

# %% [markdown] depth
# ### Depth: seven scores, and a table with a slip
#
# Seven scores of width 768, from a lecture: -50 to 50. Not divided, the last takes everything:

# %%
seven = np.array([-50, -30, -10, 0, 10, 30, 50])
print(f"second largest weight {softmax(seven)[-2]:.1e}")
print("divided by 27.7:", (seven / np.sqrt(768)).round(2))

# %%
bet("seven")

# %%
gentle = softmax(seven / np.sqrt(768))
print(gentle.round(3))
settle("seven", gentle[-1])

# %% [markdown]
# The lecture prints .01 .02 .05 .10 .15 .25 .42. These add up to 1, and are wrong. The ratio of two
# weights must be e to the power of the difference of their scores:

# %%
print(f"sum {sum([0.01, 0.02, 0.05, 0.10, 0.15, 0.25, 0.42]):.2f}")
print(f"last over middle: printed {0.42 / 0.10:.1f}, must be {np.exp(50 / np.sqrt(768)):.1f}")

# %% [markdown] depth
# ### Depth: how large is a sum of 512 products?
#
# People put it like this: *with d = 512, a dot product can be hundreds or even thousands.* You know
# the deviation:

# %%
print(f"{np.sqrt(512):.1f}")

# %%
bet("largest")

# %%
million = np.random.default_rng(0)
sizes = np.abs(million.normal(size=(1000, 512)) @ million.normal(size=(512, 1000)))
print(f"half below {np.median(sizes):.0f}; beyond 75: {(sizes > 75).mean():.1%}")
settle("largest", sizes.max())

# %% [markdown] depth
# ### Depth: how often is a score of 100?
#
# At width 768 the deviation is 27.7. *Values like ±100*, people say.

# %%
bet("beyond")

# %%
rng = np.random.default_rng(1)
scores = rng.normal(size=(1000, 768)) @ rng.normal(size=(768, 1000))
print(f"deviation {scores.std():.1f}, so 100 is {100 / np.sqrt(768):.1f} deviations")
settle("beyond", int((np.abs(scores) > 100).sum()))

# %%
from math import erfc

expected = 1_000_000 * erfc(100 / np.sqrt(2 * 768))  # the share of a normal curve beyond ±100
print(f"a normal curve leaves {expected:.0f} of a million out there")

# %% [markdown] depth
# ### Depth: four scores of a thousand
#
# People say: *softmax(±100) saturates, because the values are large.*

# %%
bet("thousand")

# %%
print(softmax([1000, 1000, 1000, 1000]))
settle("thousand", softmax([1000, 1000, 1000, 1000]))

# %%
for scores in ([1000, 1001, 1002], [0, 1, 2], [0, 50, 100]):
    print(scores, "become", softmax(scores).round(2))

# %% [markdown] depth
# ### Depth: entries that spread by sigma
#
# Let the entries have mean 0 and deviation $\sigma$ (sigma) instead of 1. One product then has the
# variance $\sigma^2 \cdot \sigma^2 = \sigma^4$, and a score $d_k \sigma^4$. Before and after the
# division by $\sqrt{d_k}$:

# %%
for sigma in (0.5, 2, 3):
    draw = np.random.default_rng(3)
    thousands = (random_pairs(1000, 64, draw, sigma=sigma) for _ in range(20))
    scores = np.concatenate([(q * k).sum(axis=1) for q, k in thousands])
    before, after = scores.var(), scale(scores, 64).var()
    print(f"sigma {sigma:3}: variance {before:6.1f}, divided {after:7.4f}, sigma^4 {sigma**4:7.4f}")

# %% [markdown]
# After the division the variance is $\sigma^4$, whatever the width. People add: *so the scores stay in
# a reasonable range*. Do they? With 100 keys, how many share the attention at such a variance?

# %%
for variance in (0.01, 1, 16, 81):
    scores = np.sqrt(variance) * np.random.default_rng(4).normal(size=(2000, 100))
    count = effective_count(softmax(scores)).mean()
    print(f"variance {variance:5}: as if spread over {count:4.1f} of 100 keys")

# %% [markdown]
# ### Exercise: `score_deviation`
#
# How far do scores spread before the division? What does $\sigma$ = 3 make of width 512?


# %% exercise="score_deviation"


# %%
for sigma in (1, 3):
    print(f"width 512, sigma {sigma}: deviation {score_deviation(512, sigma):.1f}")

# %% [markdown]
# So *hundreds* come from sigma, not from the width. And what is sigma in a model before training? Words
# of width m = 768, with entries of variance 1, meet a random matrix. Each entry of q adds up m products,
# so its variance, $\sigma^2$, is m times that of the matrix. (GPT-2 draws with deviation .02; the rule of
# the third row, Xavier's, is in chapter 5.)

# %%
draw = np.random.default_rng(5)
starts = {"variance 1/m": 768**-0.5, "GPT-2: .02": 0.02, "Xavier": (2 / (768 + 64)) ** 0.5}
for name, size in starts.items():
    x = draw.normal(size=(1000, 768))
    q, k = (x @ (size * draw.normal(size=(768, 64))) for _ in range(2))
    spread = scale(q @ k.T, 64).std()
    print(f"{name:13} spread of the scores {spread:.1f}, sigma^2 {768 * size**2:.1f}")

# %% [markdown]
# And the mean must be 0: independence alone does not make $\sigma^4$. With mean $\mu$ (mu) each product has variance $\sigma^4 + 2\mu^2\sigma^2$.

# %%
q, k = random_pairs(2000, 64, np.random.default_rng(3), mean=0.5)
print(f"one product: {(q * k).var():.1f}, formula {1 + 2 * 0.5**2:.1f}")

# %% [markdown] depth
# ### Depth: the promise, and what breaks it
#
# The thin grey line is the promise: mean 0, deviation 1. The filled bell is what the scores do, the
# blue one what theory says of them. Let the entries of k lean towards those of q (a *correlation*),
# move their mean, or their spread.

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
# That is no defect. A key that belongs to a query *should* stand out among strangers; one twin among
# nine strangers, width 64, divided:

# %%
q, k = rng.normal(size=(1000, 1, 64)), rng.normal(size=(1000, 10, 64))
k[:, 0] = q[:, 0]
weights = softmax(scale((q * k).sum(axis=-1), 64))
print(f"the twin gets {weights[:, 0].mean():.3f}")

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
# ### Exercise: `grown_together`
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
# ### Depth: read the exponent off
#
# You have measured sizes at several widths and want to know with which power they grow.
#
# ### Exercise: `flat_exponent`


# %% exercise="flat_exponent"


# %%
widths = np.array([16, 64, 256, 1024])
spreads = np.array([scores_at(d).std() for d in widths])
twins = np.array([np.square(rng.normal(size=(1000, d))).sum(axis=1).mean() for d in widths])
for name, sizes in (("strangers", spreads), ("twins", twins)):
    print(f"{name}: exponent {flat_exponent(widths, sizes):.1f}")

# %%
for a in (0.25, 0.5, 0.75, 1):
    print(f"a = {a:4}: variances", *[f"{v:7.3f}" for v in (spreads / widths**a) ** 2])

# %% [markdown] depth
# ### Depth: who still hears the gradient?
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

# %%
bet("gradient")

# %%
narrow, broad = answers(64, 1).mean(), answers(1024, 1).mean()
print(f"mean: {narrow:.2f} at width 64, {broad:.2f} at width 1024")
settle("gradient", narrow / broad)

# %% [markdown]
# So *the gradient is near 0* is true of the typical row and not of the mean.
#
# And is it ever *too large*? Not in the softmax: whatever the weights, a nudge of the scores is
# passed on with at most half of its length:

# %%
scores = rng.normal(size=(5000, 3)) * rng.choice([1, 3, 9], size=(5000, 1))
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
# The division raises the typical row and lowers the few large ones. It does both.

# %% [markdown] depth
# ### Depth: T5 does not divide
#
# The core trained a model with and without the division (`course_lib/models/recall.py`, in numpy, with
# its gradients by hand). *Is the division the key to trainability?* Here is another way: let the weights that make the queries,
# $W_q$, start $\sqrt{d_k}$ times smaller. T5 (Raffel et al., 2019) draws them with deviation
# $(m\,d_k)^{-1/2}$, with m for the width of a word (here 512), and never divides:

# %%
x = rng.normal(size=(500, 512))
q = x @ rng.normal(size=(512, 64)) / np.sqrt(512 * 64)
k = x @ rng.normal(size=(512, 64)) / np.sqrt(512)
print(f"variance of q {q.var():.3f} = 1/{1 / q.var():.0f}, of the scores {(q @ k.T).var():.1f}")

# %%
middle = []
for start in with_progress(range(3), "training 3 models with small queries"):
    curve = train(64, 1, range(200), np.random.default_rng(start), query_size=1 / 8)
    middle.append(curve[50:100].mean())
print(f"not divided, small start: steps 51-100 {min(middle):.2f} to {max(middle):.2f}")

# %% [markdown]
# As good as the division, here. So the spread of the scores *at the start* counts, wherever the root
# comes from. (The size of the training steps must fit, too: a step changes undivided scores
# $\sqrt{d_k}$ times as much.) Most models divide; it costs nothing, and is no law.

# %% [markdown] depth
# ### Depth: heads have their own width
#
# A model of width 768 may cut each vector into 12 *heads* of 64 numbers, and let each compare for
# itself (chapter 7). q and k then have the shape (heads, words, width of a head), and
# `k.swapaxes(-1, -2)` turns each head's keys into columns.
#
# ### Exercise: `head_weights`


# %% exercise="head_weights"


# %%
q, k = rng.normal(size=(12, 50, 64)), rng.normal(size=(12, 50, 64))
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
    largest = rng.normal(size=(500, n)).max(axis=1).mean()
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
# and all words become the same word. A *residual* (add the input to the output) holds it up.


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
