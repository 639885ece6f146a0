# %% [markdown] minutes=1
# # 1 · The dot product: one number for agreement
#
# A language model reads a sentence. For each word it asks which of the other words matter to it. That
# is *attention*, and in [chapter 0](00_start_here.ipynb) you saw heads do it, letter by letter. The
# answer begins with a small sum for each pair of words, the dot product. In this chapter you write that
# sum, see what it measures, and ask it about every pair at once. At the end you write attention itself,
# in three lines, and a picture that your lines draw. The part before "Depth" takes 60 to 90 minutes.
#
# <details><summary>How a chapter works, if you did not begin with chapter 0</summary>
#
# A section goes like this: you **bet** on an answer, **run** the cell (Shift+Enter), take hold of a
# picture and see what else can happen, and **do** the exercise. Where your answer is unfinished or
# wrong, the cells below use the course's. Each exercise has three folded hints. After those,
# `reveal("dot")` in a new cell prints an answer to the exercise `dot`.
#
# Two things are good to know. A slip that Python cannot read at all (a `SyntaxError`) stops *Run all*
# at that cell: mend it and run on. And after you reopen the notebook or restart the kernel, pictures
# and bets sleep until their cells run again: *Run, Run All Above Selected Cell*.
# </details>

# %%
import numpy as np

from course_lib.chapters.dot_product import *

# %%
show_road_map(1)

# %% [markdown] minutes=3
# ## Three questions before you start
#
# Without aids, on paper. They show whether this chapter will be comfortable.
#
# 1. From chapter 0: how many steps is the first of 13 letters away from the last, in an RNN, and with
#    attention? (Not been there? Leave this one out.)
# 2. How long is the arrow from (0, 0) to (3, 4)? And what is the cosine of 0°, of 90°, of 180°?
# 3. A has 2 rows and 3 columns, B has 3 rows and 5 columns. What is the shape of the product A B?
#
# <details><summary>Answers</summary>
#
# 1. 12 in an RNN, which passes its memory on from letter to letter. One with attention: the last
#    letter looks straight at the first.
# 2. 5: by Pythagoras, the square root of 3² + 4² = 25. The cosines are 1, 0 and -1.
# 3. 2 rows and 5 columns. Each row of A meets each column of B, and the 3 entries that meet are
#    multiplied and added up into one number.
#
# If one of them was new, go on all the same: 2 and 3 are computed again below.
# </details>

# %% [markdown] card="words"

# %% [markdown] minutes=2
# ## Multiply entry by entry, then add
#
# *What is the dot product of [1, 2, 3] and [4, 5, 6]?* Such a list of numbers is a *vector*, and its
# numbers are *entries*. Entries in the same place meet: 1 with 4, 2 with 5, 3 with 6. You multiply each
# pair, and then you add up the three products.

# %%
a = np.array([1, 2, 3])
b = np.array([4, 5, 6])
print("products:", a * b)
total = 0
for i in range(len(a)):
    total = total + a[i] * b[i]
print("sum:", total)

# %% [markdown]
# How many entries a vector has is its *width* $d$. In a formula, $a_i$ is entry i and $\sum$ means
# "add up": $\;a \cdot b = \sum_{i=1}^{d} a_i b_i$. (Formulas count the entries from 1, Python counts
# them from 0. The sum is the same.) The loop says it in three lines; arrays can say it in one.

# %% [markdown] card="numpy"

# %% [markdown] minutes=3
# ### Exercise: `dot`
#
# Everything in this course is built on this one sum, so you write it once yourself. Replace the `...`
# and run the cell. `(d,)` means: an array of d numbers. The check tells you what it sees.


# %% exercise="dot"


# %% [markdown]
# numpy has a sign for the same sum: `a @ b`.

# %%
a, b = np.array([1, 2, 3]), np.array([4, 5, 6])
print(f"dot(a, b) is {dot(a, b):.0f}, a @ b is", a @ b)
print(f"[1, 2] with [3, 4]: {dot(np.array([1, 2]), np.array([3, 4])):.0f}")

# %% [markdown] minutes=2
# ## Each entry votes
#
# *A cat and a dog: what speaks for them being alike?* Give each word four traits. An entry is positive
# if the word has the trait, negative if it has not, 0 if nobody can tell, and its size says how much.
# Then each product is a vote.

# %%
traits = ["animal", "barks", "sweet", "grows"]
cat, dog = np.array([2, -1, 0, -1]), np.array([2, 2, -1, -1])
show_votes(traits, cat, dog)

# %% [markdown]
# Look at the last bar. Neither of them grows on a tree: two negative entries, and their product is a
# vote in favour. To agree means to have *the same sign*, and large entries speak loudest. (*Sweet* is
# silent, because the cat has a 0 there.)

# %% [markdown] minutes=4
# ## The same number is made of two lengths and an angle
#
# *Nothing in that sum looks like geometry. Where should an angle come from?* Draw a vector of two
# entries as an arrow: [4, 3] goes 4 to the right and 3 up. Its length, written $|a|$ and `norm(a)` in
# code, is 5, and so is that of [3, 4]. How many degrees lie between the two? No dot product is needed
# to find out. A protractor reads off how far each arrow stands up, and we subtract.

# %%
a, b = np.array([4, 3]), np.array([3, 4])
show_protractor(a, b)

# %% [markdown]
# So the angle is measured: 16.3 degrees. The same in code, for any two arrows of two entries:


# %%
def protractor(arrow):
    """How many degrees an arrow stands above the line to the right."""
    return np.degrees(np.arctan2(arrow[1], arrow[0]))


print(f"{protractor(b) - protractor(a):.1f} degrees")

# %% [markdown]
# Now multiply three numbers: the two lengths, and the cosine of the measured angle. Beside them stands
# the sum of the products, which knows nothing of a protractor.


# %%
def by_angle(x, y):
    """Length times length times the cosine of the angle that was measured."""
    between = np.radians(protractor(y) - protractor(x))
    return norm(x) * norm(y) * np.cos(between)


print(f"by the angle: {by_angle(a, b):.2f}, by the sum: {dot(a, b):.2f}")

# %% [markdown]
# The same number. One pair may be luck, so here are 1000 pairs, drawn at random:

# %%
pairs = np.random.default_rng(2).normal(size=(1000, 2, 2))
gaps = [abs(dot(x, y) - by_angle(x, y)) for x, y in pairs]
print("largest difference below a billionth:", max(gaps) < 1e-9)

# %% [markdown]
# With $\theta$ for the angle between them, $\;a \cdot b = |a|\,|b|\,\cos\theta$, with *both* lengths.
# (Why it must be so, in any width, is shown in the depth part.) Read from right to left, it finds an
# angle without a protractor, also where nobody can draw: divide the dot product by both lengths, and
# the cosine is left. `arccos` tells which angle has this cosine.

# %%
cos = dot(a, b) / (norm(a) * norm(b))
print(f"dot {dot(a, b):.0f}, cosine {cos:.2f}, angle {np.degrees(np.arccos(cos)):.1f} degrees")

# %% [markdown] minutes=4
# ### Slide: turn it, stretch it
#
# The orange arrow `b` casts a shadow on the line of `a`. The length of that shadow is the *reach* of
# `b` along `a`, $|b|\cos\theta$, with a minus sign where the shadow points against `a`. So the dot
# product is the length of `a` times the reach of `b`, and that is an area: the rectangle under the
# arrows. Where it counts below zero it is drawn empty.
#
# Take the tip of `b` and drag it around once. Stop at 0°, at 45°, at 90° and at 180°: where is the area
# largest, how much of it is left half way to the right angle, where is nothing left, where is it least?
# Then try the goal.

# %%
explore_two_vectors(dot=dot)

# %% [markdown]
# <details><summary>And if b were three times as long as at first: where is the dot product back
# at 5.20?</summary>
#
# At about 73°. Three times the length allows a third of the cosine: cos 30° = .866, a third of it
# is .289, and the angle with that cosine is 73.2°.
# </details>

# %% [markdown] minutes=2
# ## Does a larger dot product mean a closer direction?
#
# From here on one vector asks, the *query*, and others are asked, the *keys*.

# %%
bet("louder")

# %%
q = np.array([1, 0])
key_a, key_b = np.array([1, 0]), np.array([10, 10])
for name, key in (("A", key_a), ("B", key_b)):
    print(f"{name}: dot {dot(q, key):2.0f}, length {norm(key):4.1f}, cosine {cosine(q, key):.2f}")
settle("louder", (dot(q, key_a), dot(q, key_b)))

# %% [markdown] minutes=4
# ### Exercise: `near_and_loud`
#
# Can you make such a pair yourself? The best way to know what a measure confuses is to trick it. For
# q = [1, 0], find two keys: `near` makes the smaller angle with q, and still `loud` has the larger dot
# product. No key may be longer than 5, so the pair from above will not do.


# %% exercise="near_and_loud"


# %%
query = np.array([1.0, 0.0])
near, loud = near_and_loud(query)
for name, key in (("near", near), ("loud", loud)):
    print(f"{name}: dot {dot(query, key):.2f}, cosine {cosine(query, key):.2f}")

# %% [markdown] minutes=2
# ## One word asks the others
#
# *A dog asks four words: kitten, puppy, pear, tree. Who answers loudest, who objects most?* Guess
# before you run the cell. The traits are those from above: animal, barks, sweet, grows.

# %%
asked = ["kitten", "puppy", "pear", "tree"]
keys = np.array([[1, 0, 1, -1], [1, 2, 1, -1], [-1, 0, 2, 1], [-2, -1, 0, 3]])
for name, key in zip(asked, keys, strict=True):
    print(f"dog with {name:7} {dot(dog, key):3.0f}")

# %% [markdown]
# Such numbers are called *scores*. The puppy agrees with the dog most, in being an animal and in
# barking. The tree is everything that a dog is not.

# %% [markdown] minutes=3
# ## One matrix product asks about every pair
#
# (About half of the way: a good place for a break.)
#
# *Three words ask four others: 12 scores. Do we need a double loop?* A *matrix* is a table of numbers.
# Multiplying two of them takes each row of the left with each column of the right, and each such
# meeting is a dot product. So the queries stand in rows on the left. The keys stand in rows, too, and
# on the right they must stand in columns. `.T`, the *transpose*, turns them.

# %%
queries = np.array([cat, dog, [-1, 0, 2, 1]])  # the third one is the apple
scores = queries @ keys.T
print(queries.shape, "with", keys.T.shape, "gives", scores.shape)
print(scores)

# %% [markdown] card="shapes"

# %% [markdown] minutes=3
# ### Slide: one entry, slowly
#
# Here is that product, one score at a time: a row of `q` meets a column of `k.T`, four products are
# made and added up. Drag the black frame over the table of scores.

# %%
explore_rows_and_columns()

# %% [markdown]
# <details><summary>The apple scores 6 with the pear and 5 with the tree. Which one number of the
# tree would you change to make the tree win?</summary>
#
# *grows* from 3 to 5: it meets the apple's 1 and adds 2. Or *sweet* from 0 to 1: it meets the
# apple's 2 and also adds 2. Or *animal* from -2 to -4: it meets the apple's -1. Not *barks*: the
# apple has 0 there, and nothing that meets a 0 is heard.
# </details>

# %% [markdown] minutes=2
# ### Bet: q @ k, without the .T

# %%
bet("no_transpose")

# %%
rng = np.random.default_rng(0)
q3, k3 = rng.normal(size=(3, 3)), rng.normal(size=(3, 3))
try:
    outcome = "same" if np.allclose(q3 @ k3, q3 @ k3.T) else "different"
except ValueError:
    outcome = "error"
settle("no_transpose", outcome)

# %% [markdown] minutes=5
# ### Exercise: `pairwise_dots`
#
# Every query with every key: `q` holds t queries in its rows, `k` holds s keys, and each of them has d
# numbers. Row i, column j of the result is the dot product of query i and key j. This is the first of
# the three lines of attention. The check tries sizes that all differ, and one where they do not.


# %% exercise="pairwise_dots"


# %% [markdown] minutes=3
# ## How many meanings fit into 512 numbers?
#
# Suppose that each meaning gets a direction of its own, perpendicular to all the others: dot product
# 0, so that none is taken for another. In the plane there is room for two such directions, in space for
# three, and among vectors of width 512 (people say "in 512 *dimensions*") for 512. An angle in 512
# dimensions is nothing that one could draw. It is what the formula above makes of the dot product and
# two lengths, and it behaves like any other angle.
#
# But what if almost perpendicular is enough? Draw ten times as many directions at random.

# %%
bet("strangers")


# %%
def worst_pair(seed):
    """How many degrees off perpendicular the worst pair of 5120 random directions is."""
    directions = random_directions(5120, 512, np.random.default_rng(seed))
    return 90 - np.degrees(np.arccos(largest_cosine(directions)))


worst = worst_pair(0)
print(f"the worst of 13 million pairs is {worst:.1f} degrees off perpendicular")
settle("strangers", worst)

# %% [markdown]
# Was that draw lucky? Four other draws:

# %%
for seed in range(1, 5):
    print(f"{worst_pair(seed):.1f}", end=" ")

# %% [markdown]
# So there is room for far more meanings than numbers, if each may be a little bit off. (The depth part
# lets you change the number of dimensions, and says how fast the room grows.)

# %% [markdown] minutes=4
# ## Attention is three lines
#
# One sentence comes back in many chapters, the *running sentence*: 小沈阳江西演唱会邀请了, "Xiao
# Shenyang's Jiangxi concert invited ...". We take four pieces of it: the three characters of the
# singer's name, and 邀请, *invited*. In a model each piece is a vector of hundreds of numbers, learned
# from text. Ours have three numbers, and they are invented, so only the arithmetic is real today.
#
# *How does "invited" look at the four?* The first of three lines you know, the scores:

# %%
names = ["xiao 小", "shen 沈", "yang 阳", "invited 邀请"]
words = np.array([[0.2, 0.8, 0.3], [0.3, 0.7, 0.4], [0.1, 0.9, 0.2], [0.8, 0.2, 0.7]])
invited = words[3]
scores_of_invited = words @ invited
print("scores: ", scores_of_invited.round(2))

# %% [markdown]
# The second line is **softmax**. It turns a row of scores into *weights* that are positive and add up
# to 1, and the larger score keeps the larger share. (Chapter 4 takes it apart; here it is given.)

# %%
weights = softmax(scores_of_invited)
for name, weight in zip(names, weights, strict=True):
    print(f"{name:12} {weight:.3f}")

# %% [markdown]
# The scores were .53 .66 .40 1.17. *invited* itself gets no more than .386, and the three others are
# almost level: the ranking is clear, the attention is not sharp. Chapter 3 is about that.
#
# The third line mixes the **values**: what each word has to say. Here the words' own numbers serve as
# values, so the mixture is .204 of *xiao*, .232 of *shen*, .179 of *yang* and .386 of *invited*:

# %%
mixed = weights[0] * words[0] + weights[1] * words[1] + weights[2] * words[2] + weights[3] * invited
print("written out:", mixed.round(2))
print("at once:    ", (weights @ words).round(2))

# %% [markdown] minutes=6
# ### Exercise: `attention`
#
# Now for every query at once: scores, weights, weighted sum, a line each. The first and the last are
# made of dot products, the one in the middle is not. `softmax` works row by row. There are t queries, s
# keys and as many values, and e is the width of a value. (A real model also divides the scores by a
# number before the softmax: chapter 3.)


# %% exercise="attention"


# %% [markdown]
# Here each word is query, key and value at once. Row by row you see what the word was, and what it
# becomes when it has listened to all of them. The last row is the one that you know.

# %%
after = attention(words, words, words)
for name, before, now in zip(names, words, after, strict=True):
    print(f"{name:12}", before, "becomes", now.round(2))

# %% [markdown] minutes=4
# ### Slide: whom does "it" mean?
#
# Read this sentence: *The dog left the apple on the table because it was ...* Was it tired? Then *it* is
# the dog. Was it sweet? Then it is the apple. Was it wobbly? Then it is the table. A reader finds out by
# looking back, and the next word decides where to. This picture is that look back, and **your three
# lines draw it**.
#
# Each word has two numbers: how alive it is, to the right, and how good to eat, upwards. The query *it*
# is yours. Drag its tip where *tired* would pull it, then *sweet*, then *wobbly*, and watch the arcs.

# %%
explore_own_attention(pairwise_dots=pairwise_dots, attention=attention)

# %% [markdown]
# <details><summary>Two of the five words can never get the largest share, wherever you drag the query.
# Which, and why?</summary>
#
# *left* and *because*. The score is how far a word reaches along the query. Whatever way the query
# points, one of the three corners reaches furthest that way, as nothing inside a triangle reaches
# further than all of its corners. The output, too, never leaves the triangle: it is an average of the
# words, and an average cannot leave what it averages.
# </details>
#
# In this picture you were the one who turned the query. In a model nobody does: it makes its queries
# and keys from the words, with numbers that it has learned. How, is chapter 5. Everything else in this
# picture is what each head of chapter 0 does, with a scaling of the scores and a mask.

# %% [markdown] minutes=2
# ## What you can now say
#
# - The dot product multiplies entry by entry and adds: it is length · length · cosine.
# - It measures agreement of direction *times* length, so a longer key can win from further away.
# - One matrix product, queries in rows and keys in columns, asks about every pair at once; softmax
#   and one more product turn that into attention.
#
# The dot product is the bridge: multiply and add, which a computer does fast, answers a question about
# meaning, *how much do these agree?*

# %%
progress()

# %% [markdown]
# ### Where this occurs in a large language model
#
# | place | what meets what |
# |---|---|
# | attention scores | each query with each key: `q @ k.T`, in papers $QK^T$ |
# | attention output | each row of weights with each column of the values |
# | a linear layer $Wx$ | each *row* of $W$ with $x$: as many dot products as rows |
# | the next word | what the model has read so far with the vector of each word that it knows |
# | search in a vector database | one question with each stored passage |
#
# ### Test yourself
#
# <details><summary>Somebody says: "its dot product with the query is larger, so it points closer
# to the query." When is that right?</summary>
#
# When all keys have the same length. Otherwise the longer key can win from further away.
# </details>
# <details><summary>Why is k transposed in q k^T, and why may forgetting it go unnoticed?</summary>
#
# A matrix product takes rows with columns, and the keys stand in rows. Without the transpose the
# shapes clash, except when there are as many keys as entries: then wrong numbers come out.
# </details>
# <details><summary>The weights .2 and .8 gave the output (3, 7). Which two values were mixed?</summary>
#
# Many pairs fit: twice (3, 7), or (-1, 3) and (4, 8). An average does not tell what went into it.
# </details>
# <details><summary>What does the dot product do in attention?</summary>
#
# It gives each query a score for each key: high where they point the same way and are long. Softmax
# makes shares of the scores, and the values are averaged in these shares.
# </details>
#
# **Next:** [chapter 2](02_cosine_or_dot.ipynb) asks what happens when one key shouts, and whether the
# cosine is the cure. Nothing later needs the depth part that follows.

# %% [markdown] depth
# ## Depth: twelve sections for who wants more
#
# Open this heading and choose. Each section stands by itself.
#
# | section | what it is good for | minutes |
# |---|---|---|
# | why multiply-and-add knows the angle | the proof of the formula that you measured | 4 |
# | would the cosine have ranked them otherwise? | a bet: does length or direction decide among the four pieces? | 5 |
# | when is a cosine remarkable? | a picture to move: how fast the room for directions grows | 5 |
# | what turning away costs | a bet, and the eight angles worth knowing | 4 |
# | what the diagonal says, and what symmetry hides | how to read a table of words with themselves | 3 |
# | which wrong transposes numpy catches | for who computes many sentences at once | 4 |
# | how much work one line does | a bet; why a GPU likes matrix products | 5 |
# | an angle that arccos cannot see | two exercises on rounding: angles of a billionth | 15 |
# | whose length multiplies the reach? | an exercise: the projection, and a saying that is wrong | 6 |
# | perpendicular is not unrelated | an exercise: break another saying | 7 |
# | three ways to score, and only one that adds up | two rivals of the dot product, and an exercise | 15 |
# | the same sum in other places | linear layers, classifiers, search | 3 |

# %% [markdown] depth
# ### Depth: why multiply-and-add knows the angle
#
# Two arrows $a$ and $b$ span a triangle with the third side $a - b$. Multiply out its squared
# length, entry by entry:
#
# $$|a-b|^2 = \sum_i (a_i - b_i)^2 = |a|^2 + |b|^2 - 2 \sum_i a_i b_i$$
#
# The law of cosines says the same of any triangle, with $|a||b|\cos\theta$ in the last place. So
# the two are equal. In more than three dimensions the triangle still lies in a plane, the one that
# $a$ and $b$ span, and the law holds there. That the cosine never leaves -1 to 1 is the
# Cauchy-Schwarz inequality.

# %%
x5, y5 = rng.normal(size=5), rng.normal(size=5)
left, right = norm(x5 - y5) ** 2, norm(x5) ** 2 + norm(y5) ** 2 - 2 * dot(x5, y5)
print(f"{left:.6f} = {right:.6f}")

# %%
xs, ys = rng.normal(size=(2, 100_000, 5))
largest = np.abs((xs * ys).sum(axis=1) / (norm(xs) * norm(ys))).max()
print(f"largest |cosine| of 100,000 pairs: {largest:.4f}")

# %% [markdown] depth
# ### Depth: would the cosine have ranked them otherwise?
#
# Here are the four pieces of the running sentence, each asking each. Rows are the words that ask,
# columns the words that are asked.

# %%
spelled = ["xiao", "shen", "yang", "invited"]
show_scores_among(words, spelled)

# %% [markdown]
# The last row holds the scores of *invited* that you know. Look at the first: *xiao* scores .80 with
# *yang* and .77 with itself, because *yang* is the longer vector. *invited* ranks shen before xiao
# before yang. Does that come from their directions, or from their lengths?

# %%
bet("same_ranking")

# %%
by_dot = np.argsort([dot(invited, word) for word in words[:3]])
cosines = [cosine(invited, word) for word in words[:3]]
by_cosine = np.argsort(cosines)
print("cosines of xiao, shen, yang:", np.round(cosines, 2))
settle("same_ranking", bool((by_dot == by_cosine).all()))

# %% [markdown]
# Three keys of almost one length. Now give 2, 10, 100 or 1000 random keys unequal lengths
# (*log-normal*: above 0, most of them between .6 and 1.6), and count how often dot product and cosine choose
# another winner.

# %%
for s in (2, 10, 100, 1000):
    others = 0
    for _ in range(1000):
        query, drawn = rng.normal(size=64), rng.normal(size=(s, 64))
        cosines = drawn @ query / (norm(drawn) * norm(query))
        dots = cosines * np.exp(0.5 * rng.normal(size=s))
        others += cosines.argmax() != dots.argmax()
    print(f"{s:4} keys: another winner in {others / 1000:.0%} of the draws")

# %% [markdown] depth
# ### Depth: when is a cosine remarkable?
#
# *How many dimensions does it take until ten times as many directions are all almost perpendicular?*
# You start with 30 directions in three dimensions, which meet at every angle. That start stays behind
# as an outline.

# %%
explore_random_directions()

# %% [markdown]
# <details><summary>And 10,000 directions in 1000 dimensions: within how many degrees of perpendicular
# would they all stay?</summary>
#
# Within about 10 (one draw gave 10.4). From 256 to 1000 dimensions is four times as many, and that
# halves the typical cosine, which goes with $1/\sqrt d$.
# </details>
#
# How large is a typical cosine of two random directions? Its typical size (the *standard deviation*)
# is $1/\sqrt d$. Where does the root come from? A unit vector of width d has squared entries that
# share out 1, so a typical entry is $1/\sqrt d$, and the cosine with any fixed direction is such an
# entry, seen from that direction. So the same cosine of .2 means little in the plane and a lot in 768
# dimensions, the width of GPT-2 small (Radford et al., 2019). Larger models are several thousand wide,
# and one attention head of theirs usually 64 to 128.

# %%
draw = np.random.default_rng(1)
for d in (2, 64, 768, 4096):
    fifties = [cosine(*draw.normal(size=(2, 50, d))) for _ in range(100)]
    cosines = np.concatenate(fifties)
    share = (np.abs(cosines) > 0.1).mean()
    print(f"d = {d:4}  spread {cosines.std():.3f}  1/sqrt(d) {d**-0.5:.3f}  beyond .1: {share:.0%}")

# %% [markdown] depth
# ### Depth: what turning away costs
#
# Two arrows keep their lengths, and one turns away.

# %%
bet("half_way")

# %%
turn = np.radians(np.arange(181))
dots = np.array([dot(np.array([3, 0]), 2 * np.array([np.cos(one), np.sin(one)])) for one in turn])
settle("half_way", int(np.abs(dots - dots[0] / 2).argmin()))

# %% [markdown]
# The eight angles worth knowing, and the sign: positive below 90 degrees, zero there, negative
# above.

# %%
for degrees in (0, 30, 45, 60, 90, 120, 135, 180):
    print(f"{degrees:4} degrees  cosine {np.cos(np.radians(degrees)):5.2f}")

# %% [markdown] depth
# ### Depth: what the diagonal says, and what symmetry hides
#
# *Does the larger number on the diagonal mean the better match?*

# %%
q = np.array([[1, 0, 1], [0, 1, 0]])
print(q @ q.T)

# %% [markdown]
# Both rows match themselves perfectly, with cosine 1. **Why does one score 2 and the other 1?**
#
# <details><summary>Answer</summary>
#
# A vector with itself gives its squared length: 1 + 0 + 1 = 2 and 0 + 1 + 0 = 1. The 2 says that
# the first vector is longer, not that it is more alike to itself.
# </details>
#
# A table of words with themselves is the same by rows and by columns. With queries and keys that
# differ, *i looks at j* and *j looks at i* are two numbers; chapter 5 lives on that.

# %%
q, k = rng.normal(size=(3, 5)), rng.normal(size=(3, 5))
for name, table in (("q with q", q @ q.T), ("q with k", q @ k.T)):
    print(f"{name}: symmetric {np.allclose(table, table.T)}")

# %% [markdown] depth
# ### Depth: which wrong transposes numpy catches
#
# Without the transpose, rows of q meet columns of k, and with different sizes numpy objects:

# %%
try:
    np.ones((2, 3)) @ np.ones((2, 3))
except ValueError as error:
    print(type(error).__name__, "- columns of the left: 3, rows of the right: 2")

# %% [markdown]
# Models compare many sentences at once, so q and k get a leading axis: (sentences, words, width).
# `.T` reverses *all* axes. What should change places are the last two.

# %%
many = np.zeros((32, 100, 768))
print(".T", many.T.shape, "  swapaxes", many.swapaxes(-1, -2).shape)

# %% [markdown]
# With different sizes the product then fails. With equal ones it runs, and is wrong:

# %%
cube = np.random.default_rng(0).normal(size=(4, 4, 4))
by_t, by_swap = cube @ cube.T, cube @ cube.swapaxes(-1, -2)
print("same shape:", by_t.shape == by_swap.shape, "  same numbers:", np.allclose(by_t, by_swap))

# %% [markdown] depth
# ### Depth: how much work one line does
#
# 32 queries, 100 keys, width 768.

# %%
bet("how_many")

# %%
table = pairwise_dots(np.ones((32, 768)), np.ones((100, 768)))
settle("how_many", table.size)
print("products:", table.size * 768)

# %% [markdown]
# No score waits for another, so a graphics processor (GPU) computes thousands of them side by side;
# the matrix product is the form in which it takes the whole job. Inside one score the 768 products
# are added up, some at a time, one group after another. There are other ways to write the same:
# `einsum` names the axes, and a letter that is missing behind the arrow is summed.

# %%
q, k = rng.normal(size=(32, 768)), rng.normal(size=(100, 768))
print("same numbers:", np.allclose(np.einsum("td,sd->ts", q, k), pairwise_dots(q, k)))

# %% [markdown]
# Is the matrix product faster than a double loop of `dot`?

# %%
from timeit import repeat

print("same numbers:", np.allclose([[dot(x, y) for y in k] for x in q], pairwise_dots(q, k)))
loop = min(repeat(lambda: [[dot(x, y) for y in k] for x in q], number=1, repeat=3))
product = min(repeat(lambda: pairwise_dots(q, k), number=1, repeat=20))
ratio = loop / product
print("the matrix product is faster:", ratio > 1)

# %% [markdown]
# How many times faster? Print `ratio`: it is your machine's, and larger on one that has nothing else
# to do.

# %% [markdown] depth
# ### Depth: an angle that arccos cannot see
#
# Three steps lead from entries to the angle: the dot product, the two lengths, arccos of the
# quotient. On paper that is the end of it.

# %%
bet("above_one")


# %%
def rowwise(x, y):
    """The dot product of each row of x with the same row of y, added from left to right."""
    return (x * y).cumsum(axis=1)[:, -1]


long = rng.normal(size=(10_000, 50))
other = long * rng.uniform(0.1, 10, size=(10_000, 1))
cosines = rowwise(long, other) / np.sqrt(rowwise(long, long) * rowwise(other, other))
settle("above_one", int((cosines > 1).sum()))

# %% [markdown]
# #### Exercise: `angle`


# %% exercise="angle"


# %%
tilted = np.array([np.cos(1e-9), np.sin(1e-9)])
cosine_of_it = np.clip(dot(np.array([1.0, 0.0]), tilted), -1, 1)
print(f"true angle 1e-09, arccos of the cosine {np.arccos(cosine_of_it):.0e}")

# %% [markdown]
# The clip cures the NaN and not the blindness: near 0 the cosine is so flat that an angle of 1e-9
# rounds to cosine 1, and the angle is gone.
#
# #### Exercise: `small_angle`
#
# Bring both to length 1, u and v, and draw the rhombus that they span. Its two diagonals are $u +
# v$ and $u - v$. They are perpendicular, and half of the angle stands between u and $u + v$. The
# second keeps what the cosine loses.


# %% exercise="small_angle"


# %%
print(f"true angle 1e-09, computed {small_angle(np.array([1.0, 0.0]), tilted):.0e}")

# %% [markdown]
# One pair has no angle at all: a zero vector points nowhere. Its dot product with anything is 0,
# and that does not make it perpendicular; the sign rule of angles holds for vectors that have a
# length.

# %%
zero = np.zeros(2)
print(f"dot {dot(zero, tilted):.0f}")
try:
    cosine(zero, tilted)
except ValueError as error:
    print("cosine:", error)

# %% [markdown] depth
# ### Depth: whose length multiplies the reach?
#
# People say: *the dot product is the projection times the length of the projected vector.* Write
# the projection, then see.
#
# #### Exercise: `projection_length`


# %% exercise="projection_length"


# %%
ground, arrow = np.array([4, 0]), np.array([3, 3])
reach = projection_length(arrow, ground)
print(f"dot {dot(ground, arrow):.3f}   reach {reach:.3f}")
print(f"times |ground| {reach * norm(ground):.3f}   times |arrow| {reach * norm(arrow):.3f}")

# %% [markdown]
# It is the length of the one projected *onto*. The projected vector's length is already in the
# reach, together with the cosine.

# %% [markdown] depth
# ### Depth: perpendicular is not unrelated
#
# People say: *dot product 0 means completely unrelated; negative means opposite in meaning.* Break
# the first half yourself.
#
# #### Exercise: `perpendicular_to`
#
# Let `x[i]` decide `y[i]` completely, and let the dot product of x and y be 0 all the same.


# %% exercise="perpendicular_to"


# %%
x = np.linspace(-1, 1, 11)
print(f"x · y = {abs(dot(x, perpendicular_to(x))):.2f}")
print("y:", perpendicular_to(x).round(2))

# %% [markdown]
# A dot product of 0 says one thing: y contains no multiple of x. Where x has the mean 0, as here,
# that means no straight-line trend; every other dependence is still possible. And what do the signs
# mean for words?
#
# <details><summary>Are "hot" and "cold" opposite vectors?</summary>
#
# Hardly ever. They stand in the same sentences (the soup was hot, the soup was cold), so learned
# vectors put them close together. "Similar, unrelated, opposite" are names for directions; what a
# direction means is up to the data. Chapter 2 counts such vectors out of sentences, and looks.
# </details>

# %% [markdown] depth
# ### Depth: three ways to score, and only one that adds up
#
# *Why multiply and add? Other sums also say how well two vectors agree.* Here are two that need no
# training either. One is the *squared distance* between the tips, with a minus before it, so that
# near keys score high. The other is the *overlap*: of each two entries that meet, take the smaller
# one, and add these up.

# %%
ways = {
    "dot product": lambda q, k: (q * k).sum(axis=-1),
    "distance": lambda q, k: 0 - ((q - k) ** 2).sum(axis=-1),
    "overlap": lambda q, k: np.minimum(q, k).sum(axis=-1),
}
for way, score in ways.items():
    print(f"{way:12}", score(invited, words).round(2))

# %% [markdown]
# *invited* asks xiao, shen, yang and itself. All three ways rank the words alike: *invited*, shen,
# xiao, yang. So does it matter which way you take? Let *xiao* ask, and let it ask louder.

# %%
bet("four_times")

# %%
xiao, changed = words[0], []
print("query times  1        2        4")
for way, score in ways.items():
    winners = [spelled[score(factor * xiao, words).argmax()] for factor in (1, 2, 4)]
    print(f"{way:12} " + "".join(f"{winner:9}" for winner in winners))
    changed.append(winners[0] != winners[-1])
settle("four_times", changed)

# %% [markdown]
# And the score of one key, *shen*, for the query as it is, doubled, and four times as large:

# %%
for way, score in ways.items():
    one, two, four = (score(factor * xiao, words[1]) for factor in (1, 2, 4))
    print(f"{way:12} {one:6.2f} {two:6.2f} {four:6.2f}")

# %% [markdown]
# Only the dot product grows in step: twice the query, twice each score, and the order stays. (That
# *yang* beats *xiao* itself you know from the table of scores.) By distance, the long query lies far
# out, and nearest to it is the word that reaches furthest along it: *yang*, too. By overlap, four
# times *xiao* is too much: no key has an entry larger than the query's, so each key scores its own
# sum, and the query has no say left.
#
# Now let two words ask together, their vectors added. The key is *xiao*.

# %%
for way, score in ways.items():
    one, other, both = (score(q, xiao) for q in (words[1], invited, words[1] + invited))
    print(f"{way:12} {one:5.2f} and {other:5.2f} make {one + other:5.2f}, together {both:5.2f}")

# %% [markdown]
# A score is *linear* in the query if it does both: twice the query, twice the score; two queries
# added, their scores added. The dot product is, and as $q \cdot k = k \cdot q$, in the key as well.
# So a vector that is mixed from parts scores what its parts score, mixed in the same way. Chapter 5
# uses that.
#
# And one matrix product for all pairs: is that, too, the dot product's alone? Multiply out the
# square, as in "why multiply-and-add knows the angle" above:
#
# $$-|q-k|^2 = 2\,q \cdot k - |q|^2 - |k|^2$$
#
# #### Exercise: `distance_scores`
#
# The table of all pairs by distance, like that of `pairwise_dots`. Loops are right; with the formula
# it takes one matrix product.


# %% exercise="distance_scores"


# %% [markdown]
# Read the formula along one row of the table. $|q|^2$ is the same for each key, so it changes no
# order. What is left is twice the dot product minus $|k|^2$: a dot product with a tax on long keys.
# Does the tax decide? 1000 queries choose among 50 keys, first of many lengths, then all of length 3.

# %%
draw = np.random.default_rng(0)
asking, stored_keys = draw.normal(size=(1000, 8)), draw.normal(size=(50, 8))
same_length = 3 * stored_keys / norm(stored_keys)[:, None]
for title, rows in (("many lengths", stored_keys), ("one length", same_length)):
    by_dot = pairwise_dots(asking, rows).argmax(axis=1)
    by_distance = distance_scores(asking, rows).argmax(axis=1)
    by_overlap = ways["overlap"](asking[:, None], rows).argmax(axis=1)
    alike = (by_distance == by_dot).sum(), (by_overlap == by_dot).sum()
    print(f"{title:12}  as the dot product: distance {alike[0]:4}, overlap {alike[1]:4}")

# %% [markdown]
# Keys of one length pay the same tax, and then distance and dot product choose the same key. The
# overlap chooses its own, and it cannot be multiplied out: it decides for each entry of each pair
# which one is smaller. So the cheap table is not the dot product's alone, the distance has it too.
# Of the three, the dot product alone is linear.
#
# <details><summary>Append one entry to the query and one to each key, so that a single dot product
# ranks keys of any length as the distance does. Which entries?</summary>
#
# To $q$ append $-\frac12$, to each $k$ its $|k|^2$. The dot product is then
# $q \cdot k - \frac12 |k|^2$: half of what is left without $|q|^2$, and half keeps the order.
# </details>

# %% [markdown] depth
# ### Depth: the same sum in other places
#
# *A linear layer computes $Wx$. Is that a dot product?* It is one for each row of $W$.

# %%
W, x = rng.normal(size=(3, 5)), rng.normal(size=5)
print("rows of W with x:", np.allclose(W @ x, [dot(row, x) for row in W]))

# %% [markdown]
# A classifier scores each class in the same way, and a search engine each stored passage:

# %%
passages = ["cats purr", "dogs bark", "apples are sweet"]
stored = np.array([[0.9, 0.1, 0.0], [0.2, 0.9, 0.0], [0.0, 0.1, 1.0]])
question = np.array([0.8, 0.3, 0.1])
print("found:", passages[int((stored @ question).argmax())])
