# %% [markdown] minutes=1
# # 2 · Cosine or dot: what may a key's length do?
#
# A dot product counts direction and length together. Is the length a nuisance that should be divided
# away, or does it carry a message? In this chapter you shrink arrows onto a circle, let one key shout
# at a room of queries, see what a model would lose without length, and build a small search engine.
# The part before "Depth" takes 60 to 90 minutes.

# %%
import numpy as np

from course_lib.chapters.cosine_or_dot import *

# %%
show_road_map(2)

# %% [markdown] card="words"

# %% [markdown] minutes=3
# ## Three questions before you start
#
# Without aids, on paper.
#
# 1. q = [1, 0]. Which key has the larger dot product with q, [1, 0] or [3, 3]? Which one makes the
#    smaller angle?
# 2. Attention is three lines. What does each of them compute? Which of the three did the arcs of
#    chapter 0 show?
# 3. `q` has shape (2, 5) and `k` has shape (3, 5). What is the shape of `q @ k.T`, and what stands in row
#    0, column 2?
#
# <details><summary>Answers</summary>
#
# 1. [3, 3] has the larger dot product, 3 against 1. [1, 0] makes the smaller angle, 0° against 45°.
# 2. Scores: every query with every key, `q @ k.T`. Weights: the softmax of each row of scores.
#    Output: the average of the values in these weights, `weights @ v`. The arcs were weights:
#    the larger the weight, the thicker the arc.
# 3. (2, 3). The dot product of the first query and the third key.
# </details>

# %% [markdown] minutes=3
# ## Divide by both lengths, and direction is left
#
# *[1, 2] and [2, 4]: how alike are they?* The dot product is length · length · cosine. The
# **cosine** is what remains when you divide by both lengths:
#
# $$\cos(a, b) = \frac{a \cdot b}{|a|\,|b|}$$
#
# It runs from -1 (opposite) over 0 (perpendicular) to 1 (the same direction), for any two vectors
# that are not zero. (Why it never leaves this range: a depth section of chapter 1.)

# %%
a, b = np.array([1, 2]), np.array([2, 4])
for stretch in (1, 2, 10):
    print(f"b · {stretch:2}: dot {a @ (stretch * b):3}, cosine {cosine(a, stretch * b):.1f}")

# %% [markdown]
# The dot product follows the length of b, and the cosine does not see it. For the cosine, b is a once
# more: the same direction, drawn longer.

# %% [markdown] minutes=3
# ## How does numpy divide each row by a number of its own?
#
# You will want to do this with whole tables of vectors. A table can be divided by a *column*: each row
# is divided by its own number. So three steps are needed, and each has a trap. Here they are on a small
# table, with sums instead of lengths:

# %% [markdown] card="numpy"

# %%
small = np.array([[1.0, 3.0], [2.0, 6.0], [0.0, 0.0]])
sums = small.sum(axis=1, keepdims=True)  # one for each row, and they stand in a column
print("shape of the sums:", sums.shape, " without keepdims:", small.sum(axis=1).shape)
print(small / np.where(sums == 0, 1, sums))

# %% [markdown]
# `axis=1` adds up along a row. `keepdims=True` lets the three sums stand below each other, shape
# (3, 1), so that row 0 is divided by the first of them. Without it they would lie, shape (3,), and numpy
# would try to divide *columns* by them. And `np.where(sums == 0, 1, sums)` reads: where a sum is 0, take
# 1, else the sum. So the row of zeros is divided by 1 and stays as it is; 0 divided by 0 would be no
# number.

# %% [markdown] minutes=8
# ### Exercise: `unit_rows`
#
# There are two ways to a cosine. Divide the dot product by both lengths at the end, or bring the
# vectors to length 1 at the start. The second does the work once for each vector instead of once for
# each pair, so everything below uses it. Each row of `x` is a vector: divide it by its length, and let a
# row of zeros stay zero. The cell above has all that you need but one thing: a length is no sum of
# entries.


# %% exercise="unit_rows"


# %%
a, b = np.array([3.0, 4.0]), np.array([4.0, 3.0])
u, v = unit_rows(np.stack([a, b]))
print(f"dot {a @ b:.0f}, cosine {cosine(a, b):.2f}")
print(f"at length 1: {u.round(2)} and {v.round(2)}, dot {u @ v:.2f}")

# %% [markdown]
# Between vectors of length 1 the dot product *is* the cosine: in length · length · cosine both lengths
# are 1.

# %% [markdown] minutes=4
# ### Take hold: arrows shrink onto the circle
#
# All arrows of length 1 end on one circle. Your `unit_rows` brings the tips of B and C there, along the
# dotted lines. Drag the tips. Which of the two dot products follows your hand, and which one cares for
# the angle alone?

# %%
explore_onto_circle(unit_rows=unit_rows)

# %% [markdown] minutes=3
# ### Exercise: `cosine_matrix`
#
# The cosine of every query with every key, without a loop.


# %% exercise="cosine_matrix"


# %% [markdown]
# Three words, with invented numbers:

# %%
names = ["cat", "dog", "apple"]
vectors = np.array([[0.8, 0.6, 0.2], [0.7, 0.5, 0.3], [0.0, -0.2, 0.6]])
print("lengths ", norm(vectors).round(2))
for name, value in zip(names, cosine_matrix(vectors[:1], vectors)[0], strict=True):
    print(f"cat with {name:5} {value:z.2f}")  # z: no -0.00
print(f"cat · dog = {vectors[0] @ vectors[1]:.2f}")

# %% [markdown]
# The cat and the dog have cosine .99: almost one direction. Cat and apple have cosine 0: the dot
# product is 0 exactly when the cosine is.

# %% [markdown] minutes=4
# ## What can one long key do to a room of queries?
#
# Every query meets every key, and picks the one with the largest dot product. Now let one key be far
# longer than the rest.

# %%
bet("loud_key")

# %%
rng = np.random.default_rng(0)
keys = random_directions(1000, 64, rng)
queries = rng.normal(size=(5000, 64))
best_of_others = (queries @ keys[1:].T).max(axis=1)
scores_of_loud = queries @ (100 * keys[0])
settle("loud_key", 100 * (scores_of_loud > best_of_others).mean())

# %% [markdown]
# Was that the key, or this draw? Here are four other draws, and for each the share of the
# queries that pick the key at different lengths:

# %%
lengths = np.array([1, 2, 3, 5, 10, 30, 100, 1000])
print("length", *lengths, sep="\t")
for seed in range(1, 5):
    draw = np.random.default_rng(seed)
    k, q = random_directions(1000, 64, draw), draw.normal(size=(5000, 64))
    own, best = q @ k[0], (q @ k[1:].T).max(axis=1)
    won = [f"{(length * own > best).mean():.0%}" for length in lengths]
    print("draw", *won, sep="\t")

# %% [markdown]
# It ends at about one half in every draw. These queries point in all directions, so the other half
# of them points away from the loud key, and there a longer key only loses more. The picture shows it in
# a plane, where one can see all directions at once.

# %% [markdown] minutes=4
# ### Take hold: draw one key out
#
# Five keys stand in the middle, and around them a ring of 60 queries that look in all directions. A
# filled dot is a query that picks the loud key. Take the tip of that key and draw it out. The plane at
# the right has the same keys after your `unit_rows`.

# %%
explore_loud_key(unit_rows=unit_rows)

# %% [markdown]
# <details><summary>And with two loud keys of length 1000 that point in opposite directions: which
# share of the queries do they take together?</summary>
#
# Nearly all of them. Each takes the half that it points to, and what one finds hugely negative the
# other finds hugely positive.
# </details>
#
# And if the queries have something in common, and it points the loud key's way?

# %%
leaning = queries + 4 * keys[0]
best_other = (leaning @ keys[1:].T).max(axis=1)
for length in (1, 3, 100):
    share = (leaning @ (length * keys[0]) > best_other).mean()
    print(f"length {length:3}: {share:.1%}")

# %% [markdown]
# So among queries that point everywhere no key is loud for everybody; among queries that lean one way
# it can be. Trained models have such keys, *attention sinks* (chapter 4). There the lean does most of
# it: in the models that were measured, those keys were often short (Gu et al., 2024).

# %% [markdown] minutes=5
# ## How loud is loud enough?
#
# ### Exercise: `overtaking_length`
#
# `near` points closer to the query than `loud` does. Keep the direction of `loud`: at which length does
# its dot product with the query reach that of `near`? If no length is enough, return `np.inf`, infinity.
# (`near` itself has a positive dot product with q.)


# %% exercise="overtaking_length"


# %%
q, near = np.array([1.0, 0.0]), np.array([1.0, 0.0])
for degrees in (10, 45, 80, 90):
    loud = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))]).round(9)
    print(f"{degrees} degrees away: length {overtaking_length(q, near, loud):.2f}")

# %% [markdown]
# At 80 degrees nearly six times the length is needed, and at 90 no length helps: that is the edge of
# the half that a loud key can win.

# %% [markdown] minutes=3
# ## What does a longer query do?
#
# *So should attention divide the lengths away?* First look at what they do there. One thing about the
# softmax is needed for that: it looks at the *differences* of its scores, and at nothing else. Two
# scores that differ by 1 give the same two weights wherever they stand:

# %%
print(softmax(np.array([1.0, 2.0])).round(2), softmax(np.array([11.0, 12.0])).round(2))

# %% [markdown]
# Dividing each score by their sum would have given .33 and .67, then .48 and .52. The softmax gives .27
# and .73 both times. Now take a query of length 1, and the same query drawn out to length 10:

# %%
bet("longer_query")

# %%
q, k = np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [0.8, 0.6], [0.1, 0.995]])
before, after = softmax(q @ k.T)[0], softmax(10 * q @ k.T)[0]
print("length  1: scores", (q @ k.T)[0], "weights", before.round(3))
print("length 10: scores", (10 * q @ k.T)[0], "weights", after.round(3))
print("cosines for both:", cosine_matrix(q, k)[0].round(2), cosine_matrix(10 * q, k)[0].round(2))
settle("longer_query", (before, after))

# %% [markdown] minutes=4
# ### Take hold: the length of a query, the length of a key
#
# The length of the *query* multiplies its whole row of scores, so it stretches all their differences:
# it is a knob for sharpness. The length of a *key* changes the score of that key alone. Draw out one tip
# by itself, then the other.

# %%
explore_two_lengths(cosine_matrix=cosine_matrix)

# %% [markdown]
# <details><summary>And if the query is 4 long and C is 2.5 long: who gets the attention?</summary>
#
# C gets most of it. The scores are 3.8, 3.2 and 6. A sharper query stretches all differences, and so it
# lets the loud key win more clearly, too.
# </details>
#
# With one key nothing is left to choose: softmax of one score is 1, however long the query.

# %%
print("one key:", softmax(np.array([1.0])), softmax(np.array([10.0])))

# %% [markdown] minutes=3
# ## Why attention keeps the lengths
#
# The cosine cures the loud key. It has a price: a query can no longer say *I am sure*, and a key can
# no longer say *I matter to many*. And scores from -1 to 1 lie close together. Let one key agree
# perfectly, cosine 1, and all the others be exactly opposite, cosine -1:

# %%
for s in (10, 100, 1000):
    print(f"{s:4} keys: {softmax(np.array([1.0] + [-1.0] * (s - 1)))[0]:.4f}")

# %% [markdown]
# The best case that cosines can offer, and of 1000 keys the right one gets less than one percent.
# So whoever attends by cosine multiplies it by a number, and lets the model learn that number. (A
# *Transformer* is the kind of network behind today's language models; attention is its core.)
#
# | | dot product | cosine | cosine · learned number |
# |---|---|---|---|
# | sharpness of a query | its length | fixed, and too low | one number for all |
# | loudness of a key | its length | none | none |
# | range of the scores | unbounded | -1 to 1 | bounded |
# | used in | nearly all Transformers, divided by a constant (chapter 3) | search, comparing | some Transformers |
#
# The last column is in use: Swin Transformer V2 (2021) attends by cosine with a learned number. Close
# to it is *QK-norm*, in Qwen3, OLMo 2 and Gemma 3: queries and keys are normalised before they meet,
# and then each entry is multiplied by a learned factor. Some loudness is left (a depth section
# measures it).

# %% [markdown] minutes=4
# ## Where is the opposite of hot?
#
# *If the cosine is similarity, is it -1 for opposites?* For this you need vectors that nobody invented.
# The course has a small grammar that makes sentences. Count which words stand within two places of each
# other, and each word has a row of counts: that row is its vector.

# %%
text = sentences(20_000, np.random.default_rng(0))
for sentence in text[:5]:
    print(" ".join(sentence))
words, frequencies, counts = neighbours(text)
print(len(words), "words, so each has", counts.shape[1], "counts")

# %%
bet("antonyms")

# %% [markdown]
# Before any formula, look at the two rows, side by side:

# %%
show_neighbours("hot", "cold", words, counts)

# %% [markdown]
# The longest pair of bars says nothing: *is* stands beside everything. So the counts are weighted.
# *PPMI* (positive pointwise mutual information) asks of each count how many times larger it is than
# chance would make it, and takes the logarithm of that. What chance explains becomes 0, and so does
# everything below it.

# %%
tables = {"counts": counts, "PPMI": ppmi(counts)}
for one, other in (("hot", "cold"), ("good", "bad"), ("cat", "dog"), ("cat", "apple")):
    pair = [words.index(one), words.index(other)]
    by_counts, by_ppmi = (cosine(*table[pair]) for table in tables.values())
    print(f"{one:4} {other:6} counts {by_counts:.2f}, PPMI {by_ppmi:.2f}")
hot, cold = tables["PPMI"][[words.index("hot"), words.index("cold")]]
settle("antonyms", cosine(hot, cold))

# %% [markdown]
# Raw counts find even *cat* and *apple* alike, for the sake of *is* and *the*. PPMI tells them apart, and
# still it finds *hot* close to *cold*. Is any pair of words opposite?

# %%
among_words = pairwise_cosines(tables["PPMI"], tables["PPMI"])
print(f"the smallest cosine of all pairs: {abs(among_words.min()):.2f}")

# %% [markdown]
# None is. A word can be absent from a place, and it cannot be less than absent, so no entry is negative
# and no cosine either. The scale that one often reads, *cat and kitten 1, cat and apple 0, hot and cold
# -1*, is half right: what shares its neighbours is near 1, what shares none is at 0, and opposites share
# nearly all of theirs. Our grammar lets only *hot* stand beside *summer* and only *cold* beside *winter*.
# Real text does the same: in vectors learned from billions of words, *expensive* has *cheaper* among its
# nearest, and *east* has *west* (Mrkšić et al., 2016).

# %% [markdown] minutes=5
# ## Search: pay for the lengths once
#
# *Where is the cosine at home?* In search: which of many stored passages is about the same thing as a
# question? There a long passage should not win for being long.
#
# ### Exercise: `search`
#
# For each question, return the row numbers of the `count` stored vectors with the largest cosine, the
# best first. `np.argsort(row)` lists the places of a row's numbers, the smallest number first.


# %% exercise="search"


# %% [markdown]
# That is a search engine; engineers call it a *flat index*. One thing can be saved: the stored
# vectors are the same for every question, so bring them to length 1 when they arrive. From then on
# a search is one matrix product, as fast as without cosines. The course has one to compare with. Not
# normalised, it finds the long vectors:

# %%
stored = rng.normal(size=(500, 64)) * rng.uniform(0.2, 5, size=(500, 1))
questions = rng.normal(size=(20, 64))
for normalized in (True, False):
    index = FlatIndex(64, normalized=normalized)
    index.add(stored)
    _, places = index.search(questions, 3)  # it gives back scores and places
    same = (places == search(stored, questions, 3)).mean()
    print(f"normalized {normalized!s:5}: {same:.0%} of the places agree with search")

# %% [markdown] minutes=2
# ## What you can now say
#
# - The cosine divides both lengths away; between vectors of length 1 it is the dot product.
# - In a dot product, the length of a query sets how sharply it chooses, and the length of a key how
#   loudly it asks for attention, from every query within 90 degrees.
# - Search wants the cosine and pays for the lengths once; attention wants the lengths, and where it
#   uses the cosine it gives the sharpness back as a learned number.

# %%
progress()

# %% [markdown]
# ### Where this occurs in a large language model
#
# | place | are vectors brought to length 1? |
# |---|---|
# | attention | mostly not; some models normalise q and k, and then learn a factor for each entry |
# | a vector database (Faiss, Milvus) | only if you ask: Faiss compares vectors as they are by *inner product* (the dot product's other name); Milvus also offers the cosine |
# | learning from pairs of pictures and texts (CLIP; SimCLR for pictures alone) | yes, and the cosines are multiplied by a number, learned or set |
# | sentence vectors (Sentence Transformers) | it depends on the model: some end in a step that normalises, and `encode` has an option for it that is off by default |
# | raw word vectors | no; you do it before you compare |
#
# ### Test yourself
#
# <details><summary>Why does attention not use the cosine?</summary>
#
# Because lengths carry information there: the sharpness of a query and the importance of a key. And
# plain cosines are so close together that a softmax over many keys is nearly flat. (The cost is not
# the reason: it is small, as a depth section measures.) Some models do use it, with a learned factor.
# </details>
# <details><summary>One passage comes first for nearly half of all questions. What do you suspect?</summary>
#
# Its vector is very long, and the index ranks by inner product without normalising.
# </details>
# <details><summary>A key has 50 times the length of the others. Can it win for every query?</summary>
#
# Only if all queries lean its way. For one more than 90 degrees away its score is hugely negative.
# </details>
# <details><summary>Two words have cosine .95. Do they mean the same?</summary>
#
# Not necessarily: they have the same neighbours. Hot and cold have too.
# </details>
#
# **Next:** [chapter 3](03_scaling.ipynb) makes vectors wider and watches what happens to their scores.
# Nothing later needs the depth part that follows.

# %% [markdown] depth
# ## Depth: fourteen sections for who wants more
#
# Open this heading and choose. Each section stands by itself.
#
# | section | what it is good for | minutes |
# |---|---|---|
# | is the length of a word how often it occurs? | a bet; three kinds of word vectors compared | 6 |
# | one pair of words, three cosines | for who has met other numbers for *cat* and *dog* | 3 |
# | round last | why a calculation on paper comes out at .9990 | 2 |
# | does LayerNorm make the dot product a cosine? | a bet; what stands before attention in real models | 10 |
# | dividing by a constant is not normalising | what the next chapter does not do | 3 |
# | distance misjudges long vectors | a picture to take hold of, a bet and an exercise: the third way to compare | 12 |
# | in high dimension the cosine says more, if strangers are centred | when a cosine of .2 means something | 5 |
# | what does a cosine cost? | a bet, and measured times | 7 |
# | two other scores, and what they cost | an exercise: the rivals of the dot product | 12 |
# | which score is slow, and why? | a bet; what processors are built for | 6 |
# | which way to move a key | an exercise: how a model learns by dot product and by cosine | 12 |
# | what saturates, and where | the bridge to chapter 3 | 6 |
# | which reasons for the dot product survive? | an exercise: judge six sentences | 6 |
# | eleven years in one table | who did what, from 2013 to 2024 | 5 |

# %% [markdown] depth
# ### Depth: is the length of a word how often it occurs?
#
# One often reads that *the length of a word vector is how often the word occurs, and the direction is
# what it means*. Our grammar can try it: *kitten* stands where *cat* stands, about nine times less
# often. A third kind of vectors joins the two of the core: the *SVD* (singular value decomposition)
# squeezes the 49 numbers of a word into 8 that keep as much as 8 can.

# %%
bet("length_is_frequency")

# %%
tables["SVD"] = svd_vectors(tables["PPMI"], 8)
cat, kitten = words.index("cat"), words.index("kitten")
print("how often:", frequencies[cat], "and", frequencies[kitten])
for name, table in tables.items():
    print(f"{name:6} lengths {norm(table[cat]):7.2f} and {norm(table[kitten]):6.2f}")
settle("length_is_frequency", norm(tables["PPMI"][cat]) / norm(tables["PPMI"][kitten]))

# %% [markdown]
# And over all the words? How well does the logarithm of the frequency predict the length (1: as
# on a line, 0: not at all)?

# %%
for name, table in tables.items():
    correlation = np.corrcoef(np.log(frequencies), norm(table))[0, 1]
    print(f"{name:6} correlation {correlation:.2f}")

# %%
show_lengths(frequencies, tables, {"cat": cat, "kitten": kitten})

# %% [markdown]
# The eight numbers of the SVD may be negative, so there a cosine below 0 can occur. How far below, among
# all pairs?

# %%
by_svd = pairwise_cosines(tables["SVD"], tables["SVD"])
i, j = sorted(np.unravel_index(by_svd.argmin(), by_svd.shape))
print(f"the smallest cosine of all pairs: {by_svd[i, j]:.2f}, {words[i]} and {words[j]}")

# %% [markdown] depth
# ### Depth: one pair of words, three cosines
#
# You may meet *cat and dog* with cosine .7 in one place, .99 in another, and as two arrows at 20°
# above and 30° below an axis in a third, labelled .94 and .87. Can all of them be true?

# %%
for degrees in (20, 30, 50, 45.57, 134.43):
    print(f"{degrees:6} degrees: cosine {np.cos(np.radians(degrees)):5.2f}")

# %%
show_two_words(20, -30)

# %% [markdown]
# Then .94 and .87 are the cosines with the *axis*. Between the two words there are 20 + 30 = 50
# degrees, and the cosine is .64. All such numbers are invented for the page, and so was our .99: an
# angle means nothing until you know which vectors it belongs to.
# (A cosine of .7 is an angle of 45.57°, a cosine of -.7 one of 134.43°.)

# %% [markdown] depth
# ### Depth: round last
#
# *[1, 2] and [2, 4] once more, with lengths rounded to two digits.*

# %%
for a, b in (([1, 2], [2, 4]), ([0.8, 0.6, 0.2], [0.7, 0.5, 0.3])):
    early = np.dot(a, b) / (norm(a).round(2) * norm(b).round(2))
    print(
        f"lengths {norm(a):.2f} and {norm(b):.2f}: cosine {cosine(a, b):.4f}, rounded too early {early:.4f}"
    )

# %% [markdown]
# The first pair is parallel, so the cosine is 1. A calculation on paper that writes 2.24 · 4.47 = 10
# has rounded in between: it is 10.01. Keep all digits until the end.

# %% [markdown] depth
# ### Depth: does LayerNorm make the dot product a cosine?
#
# In most models, the vector of each *token* (a word, or a piece of one) is normalised before it becomes
# a query and a key. GPT-2 does it by *LayerNorm*: subtract the mean of the entries, divide by their
# standard deviation. LLaMA, Qwen3, Gemma 3 and DeepSeek-V2 leave the mean as it is and divide by the
# root of the mean square: *RMSNorm* (Zhang and Sennrich, 2019). So people say: *the vectors are
# normalised already, the dot product is nearly a cosine.* The first half is true of both:


# %%
def layer_norm(x):
    """Each row with mean 0 and standard deviation 1, before the learned factors."""
    return (x - x.mean(axis=-1, keepdims=True)) / x.std(axis=-1, keepdims=True)


def rms_norm(x):
    """Each row with mean square 1, before the learned factors."""
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True))


# %%
rng = np.random.default_rng(0)
raw = rng.normal(size=(1000, 768)) * rng.uniform(0.1, 10, size=(1000, 1))
tokens = layer_norm(raw)
for name, rows in (("before", raw), ("LayerNorm", tokens), ("RMSNorm", rms_norm(raw))):
    print(f"{name:9} lengths {norm(rows).min():6.2f} to {norm(rows).max():6.2f}")
print(f"root of 768: {768**0.5:.2f}")

# %% [markdown]
# But queries and keys are not these tokens. A learned matrix makes 64 numbers of the 768. Take
# three kinds of matrix: *random* (all directions alike), *stretched* (a few directions large, most
# small), and a random one times 5. In groups of 50, each query picks its best key.


# %%
def same_choice(q, k):
    """For which share of the queries dot product and cosine pick the same one of 50 keys."""
    q, k = q.reshape(-1, 50, 64), k.reshape(-1, 50, 64)
    by_dot = (q @ k.swapaxes(1, 2)).argmax(axis=2)
    return (by_dot == pairwise_cosines(q, k).argmax(axis=2)).mean()


# %%
bet("layer_norm")

# %%
factors = {"random": 1.0, "stretched": 8 / np.arange(1, 65), "times 5": 5.0}
keys_of, same = {}, {}
for name, factor in factors.items():
    q, k = (tokens @ (factor * rng.normal(size=(768, 64)) / 768**0.5) for _ in range(2))
    keys_of[name], same[name] = k, same_choice(q, k)
    spread = norm(k).std() / norm(k).mean()
    print(
        f"{name:9} key lengths {norm(k).mean():4.0f}, spread by {spread:.0%}; same choice {same[name]:.0%}"
    )
settle("layer_norm", 100 * same["stretched"])

# %%
show_key_lengths(keys_of)

# %% [markdown]
# With a random matrix, dot product and cosine pick the same key for four of five queries; with a
# stretched one, for about a quarter. And a matrix five times as large leaves every cosine as it is and
# multiplies the scores by 25 (5 for the queries, 5 for the keys), which sharpens every softmax.
#
# And QK-norm, which normalises the keys themselves? Qwen3 and Gemma 3 take RMSNorm of each head's
# numbers (here 64) by themselves, OLMo 2 of those of all heads together (here 12). Then each entry gets
# its learned factor. How long are the keys of one head?

# %%
draw = np.random.default_rng(0)
heads = draw.normal(size=(1000, 12, 64)) * np.exp(draw.normal(size=(1000, 12, 1)))
each, learned = rms_norm(heads)[:, 0], np.exp(draw.normal(size=64))
together = rms_norm(heads.reshape(1000, 768))[:, :64]
for name, rows in (("each head", each), ("then factors", each * learned), ("all heads", together)):
    print(f"{name:12} lengths {norm(rows).min():4.1f} to {norm(rows).max():4.1f}")

# %% [markdown]
# Normalised alone, all keys of a head have one length, and none is loud. The factors make keys longer
# that lie along their large entries. And where all heads share one length, one head's key is loud
# wherever the token's other heads are quiet.

# %% [markdown] depth
# ### Depth: dividing by a constant is not normalising
#
# A Transformer divides its scores by a number, $\sqrt{d_k}$, where $d_k$ is the width of a key
# (chapter 3). *Is that a kind of cosine?*

# %%
q, k = rng.normal(size=(200, 64)), rng.normal(size=(50, 64)) * rng.uniform(0.2, 5, size=(50, 1))
by_dot = (q @ k.T).argmax(axis=1)
print(f"divided by 8:   {(by_dot == (q @ k.T / 8).argmax(axis=1)).mean():.0%} choose the same key")
print(f"as cosines:     {(by_dot == cosine_matrix(q, k).argmax(axis=1)).mean():.0%}")
print(f"root of 768: {768**0.5:.1f}, of 768 / 12 = 64: {64**0.5:.0f}")

# %% [markdown]
# One constant for all scores never changes which key wins. And it is the width of *one head's* keys
# that counts: GPT-2 small is 768 wide, its 12 heads have 64 each, so it divides by 8. Dividing by
# 27.7, the root of 768, is a bug that runs without any error.

# %% [markdown] depth
# ### Depth: distance misjudges long vectors
#
# A second way to compare: how far apart are the tips of two arrows? People say that this *Euclidean
# distance cannot tell directions apart*, with A = [1, 0], B = [2, 0] and C = [0, 1].

# %%
A, B, C = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0]])
print(f"distances from A: B {norm(B - A):.2f}, C {norm(C - A):.2f}")
print(f"cosines with A:   B {cosine(A, B):.2f}, C {cosine(A, C):.2f}")

# %% [markdown]
# In this example both measures say that B is the nearer one. When does distance get it wrong?

# %%
explore_two_measures(unit_rows=unit_rows)

# %% [markdown]
# <details><summary>And with C at 60 degrees: from which length on is B misjudged?</summary>
#
# Beyond 2. C lies as far from A as A is long, 1, and at length 2 so does B.
# </details>
#
# ### Exercise: `misled_by_distance`
#
# For any `a` in the plane: a `b` that points exactly as `a` does and is at most three times as long,
# and a `c` perpendicular to `a`, so that `c` is nevertheless nearer to `a` by distance.


# %% exercise="misled_by_distance"


# %%
bet("units_agree")

# %%
stored = unit_rows(rng.normal(size=(1000, 64)))
question = unit_rows(rng.normal(size=(1, 64)))[0]
cosines, distances = stored @ question, norm(stored - question)
print("distance² is 2 - 2 cos:", np.allclose(distances**2, 2 - 2 * cosines))
settle("units_agree", bool((np.argsort(-cosines) == np.argsort(distances)).all()))

# %% [markdown] depth
# ### Depth: in high dimension the cosine says more, if strangers are centred
#
# *In 768 dimensions nearly everything is perpendicular to everything. Is the cosine then useless?*
# Chapter 1 counted it: between strangers, cosines are spread by one over the square root of d.

# %%
draw, cosines = np.random.default_rng(1), {}
for d in (2, 64, 768):
    hundreds = [cosine(*draw.normal(size=(2, 100, d))) for _ in range(200)]
    cosines[f"d = {d}"] = np.concatenate(hundreds)

# %%
show_strangers(cosines)

# %% [markdown]
# Strangers crowd around 0, so what is not a stranger stands out. That is why search by cosine works
# with vectors of many hundred entries. But these strangers have the mean 0. Let all of them share a
# part, here a 1 in every entry:

# %%
x, y = np.random.default_rng(2).normal(size=(2, 2000, 768))
pairs = {"mean 0": (x, y), "mean 1": (x + 1, y + 1)}
pairs["mean 1, subtracted"] = [one - one.mean(axis=0) for one in pairs["mean 1"]]
for name, pair in pairs.items():
    found = cosine(*pair)
    print(f"{name:18} cosines around {abs(found.mean()):.2f}, spread {found.std():.3f}")

# %% [markdown]
# Then strangers crowd around .5, and a cosine of .5 says nothing. Vectors from inside of language
# models are like that: in GPT-2's last layer any two words have a cosine of nearly 1 (Ethayarajh,
# 2019). So compare a cosine with those of strangers, or subtract the mean first.
#
# As a rule: to *compare* things of their own, texts or pictures, use the cosine; where a model is to
# *learn* how loud and how sharp to be, the dot product.

# %% [markdown] depth
# ### Depth: what does a cosine cost?
#
# People say: *attention avoids the cosine because it is two to three times slower*, or *1.5 times*.
# Count: a dot product of width d takes d multiplications and about as many additions, so for every
# pair 2 d operations. Bringing a row to length 1 takes about 3 d: squares, their sum, divisions.

# %%
bet("surcharge")

# %%
for n in (1, 10, 100, 1000):
    plain, dear = (score_cost(kind, n, n, 64).flops for kind in ("dot", "cosine"))
    print(f"{n:4} queries with {n:4} keys: {100 * (dear / plain - 1):5.1f} percent more")
settle("surcharge", 100 * (dear / plain - 1))

# %% [markdown]
# For one pair by itself the cosine takes four times the operations: "two to three times" counts in
# that way. But rows are normalised once, (t + s) of them, for t · s pairs: the more there
# are, the smaller the share. "n² pairs, so the gap is large" has it the wrong way round.
#
# Operations are not seconds. This was measured, with all in one thread:


# %%
record = recorded()
print(f"numpy {record['versions']['numpy']}, {record['machine']}, {record['date'][:10]}")
for width in ("64", "768"):
    print(f"width {width}")
    for way, (middle, low, high) in list(record["ratios"][width].items())[:4]:
        print(f"  {way:33} {middle:.2f} ({low:.2f} to {high:.2f})")

# %% [markdown]
# Each number is the time over that of the plain dot product: the median of the rounds, and in
# brackets the middle half of them. *dot again* is the same code twice: it shows how far the
# measurement itself can be trusted. Three things to see. Normalising costs more than its operations,
# because every number has to pass through memory, and still far less than the dot products. A second
# pass over the finished table, one division for each pair, costs about one half more at width 64: the
# "1.5 times" from above. And rows that are stored at length 1 cost nothing: that is the flat index of
# the core.
#
# Your machine? Write `True` and run; it takes about a minute.

# %%
on_my_machine = False
if on_my_machine:
    for way, (middle, low, high) in measure(d=64, rounds=7).items():
        print(f"{way:34} {middle:8.2f}   middle half {low:.2f} to {high:.2f}")

# %% [markdown] depth
# ### Depth: two other scores, and what they cost
#
# Before the dot product won, two other scores were in use. The **bilinear** one puts a learned
# matrix between query and key: $q W k^T$. The **additive** one is a small network that reads both:
# $v \cdot \tanh(q W_q + k W_k)$, where tanh squeezes every number into -1 to 1.
#
# ### Exercise: `additive_scores`
#
# Every query with every key, without a loop. `w_q` and `w_k` bring a query and a key to f hidden
# numbers each; add them, bend them with `np.tanh`, and let `v` make one score of the f numbers. (`v`
# is the paper's name for this vector. It is no value.)


# %% exercise="additive_scores"


# %%
print("1000 queries, 1000 keys\n           parameters  operations        tanh")
for d in (64, 768):
    print(f"width {d}")
    dots = score_cost("dot", 1000, 1000, d).flops
    for kind in KINDS:
        cost = score_cost(kind, 1000, 1000, d)
        print(f"  {kind:9}{cost.parameters:10,} {cost.flops / dots:10.3f}x {cost.tanh:12,}")

# %% [markdown]
# The bilinear score costs hardly more than the dot product, if $q W$ is computed once for each query
# and then meets all keys. Anew for every pair, it is another story:

# %%
for d in (64, 768):
    dots = score_cost("dot", 1000, 1000, d).flops
    print(
        f"width {d}: {score_cost('bilinear', 1000, 1000, d, pairwise=True).flops / dots:.0f} times"
    )

# %% [markdown]
# And you know the bilinear score already, in disguise. Attention (chapter 5) makes its queries and
# keys with learned matrices, $x_i W_q$ and $x_j W_k$, and takes their dot product. That is $x_i (W_q
# W_k^T) x_j^T$: a bilinear score whose matrix is made of two narrow ones.

# %%
x, w_q, w_k = rng.normal(size=(5, 16)), rng.normal(size=(16, 4)), rng.normal(size=(16, 4))
same = np.allclose((x @ w_q) @ (x @ w_k).T, bilinear_scores(x, x, w_q @ w_k.T))
print("same scores:", same, "  parameters:", w_q.size + w_k.size, "instead of", 16 * 16)

# %% [markdown] depth
# ### Depth: which score is slow, and why?

# %%
bet("slowest")

# %%
print(f"{'width':32} {'64':>7}  {'768':>7}")
ways = ("cosine, rows brought to length 1", "bilinear, q w once", "additive")
for way in (*ways, "additive, without its tanh", "bilinear, pair by pair"):
    found = [record["ratios"][width][way][0] for width in ("64", "768")]
    print(f"{way:32} {found[0]:7,.1f}x {found[1]:7,.1f}x")
settle("slowest", [record["ratios"]["64"][way][0] for way in ways])

# %% [markdown]
# People say that the additive score *cannot be computed in parallel*. Your `additive_scores` computes
# every pair at once, and no pair waits for another. What it lacks is the form of a matrix product,
# for which processors are built. A million pairs need a tanh for each of their f numbers, and all of
# these have to pass through memory. And *bilinear, 100 times slower* is what one gets pair by pair;
# our plain loop over the pairs, with Python in between, is slower still.
#
# On a graphics processor the factors are others. What it could do at best follows from its data
# sheet, here NVIDIA's A100 with 32-bit numbers: 19.5 · 10¹² operations a second, and 1.555 · 10¹²
# bytes a second to and from memory.

# %%
for d in (64, 768):
    for kind, pairwise in (("dot", False), ("bilinear", False), ("bilinear", True)):
        seconds = score_cost(kind, 1000, 1000, d, pairwise=pairwise).flops / 19.5e12
        print(
            f"width {d:3}, {kind} {'pair by pair' if pairwise else 'at once':12} {1000 * seconds:8.4f} ms"
        )
hidden = 4 * score_cost("additive", 1000, 1000, 768).tanh
print(
    f"width 768, additive: {hidden / 1e9:.2f} GB, written and read once {2000 * hidden / 1.555e12:.2f} ms"
)

# %% [markdown]
# A table that gives *0.5, 15 and 50 ms* for dot, additive and bilinear, without width and method,
# says little: half a millisecond is far more than those dot products need, and 50 ms for the bilinear
# score is less than it needs pair by pair at width 768, and over a hundred times what it needs at 64.
# (Computed from the data sheet, not measured.)

# %% [markdown] depth
# ### Depth: which way to move a key
#
# A model learns by *gradients*: which small change of a vector raises a score the most? For the dot
# product $q \cdot k = \sum_i q_i k_i$ the answer can be read off: entry $k_i$ is multiplied by $q_i$,
# so the gradient with respect to k is q, and with respect to q it is k. Check it, one entry at a
# time:


# %%
def slopes(score, at, step=1e-6):
    """How much score(at) changes with each entry of `at`, by trying a small step both ways."""
    return np.array([(score(at + e) - score(at - e)) / (2 * step) for e in step * np.eye(len(at))])


q, k = np.array([2.0, -1.0, 0.5]), np.array([1.0, 3.0, -2.0])
print("gradient for k:", slopes(lambda key: q @ key, k).round(6), " q:", q)
print("gradient for q:", slopes(lambda query: query @ k, q).round(6), " k:", k)

# %% [markdown]
# ### Exercise: `cosine_gradient`
#
# And for the cosine? Write $u_q$ and $u_k$ for q and k at length 1. Lengthening k does not change the
# cosine, so what lies along $u_k$ must not be in the gradient: take it away from $u_q$. And the
# longer k is, the less a small step turns it.


# %% exercise="cosine_gradient"


# %% [markdown]
# One small step along each gradient, from the same key:

# %%
for name, step in (("dot", q), ("cosine", cosine_gradient(q, k))):
    moved = k + 0.01 * step
    print(
        f"{name:6} length {norm(k):.4f} -> {norm(moved):.4f}, cosine {cosine(q, k):.4f} -> {cosine(q, moved):.4f}"
    )

# %% [markdown]
# The dot product lets a key change its length (here it gets shorter, because it points away from the
# query); the cosine can only turn it.

# %% [markdown] depth
# ### Depth: what saturates, and where
#
# People say: *the additive score saturates, the dot product is numerically stable.* The gradient of
# the additive score for a query is $W_q\,(v \cdot (1 - \tanh^2))$, entry by entry inside the brackets:
# where tanh is near 1 or -1, it fades.

# %%
draw = np.random.default_rng(0)
w_q, w_k, v = draw.normal(size=(8, 5)), draw.normal(size=(8, 5)), draw.normal(size=5)
query, key = draw.normal(size=(2, 8))
for longer in (0.1, 1, 10):
    hidden = np.tanh(longer * query @ w_q + key @ w_k)
    formula = w_q @ (v * (1 - hidden**2))
    tried = slopes(lambda one: np.tanh(one @ w_q + key @ w_k) @ v, longer * query)
    right = np.allclose(formula, tried, atol=1e-6)
    print(f"query · {longer:<3}: score {hidden @ v:5.2f}, gradient {norm(formula):.3f}, {right}")

# %%
print(f"no score can pass the sum of the sizes in v: {np.abs(v).sum():.2f}")

# %% [markdown]
# That bound has a good side: the additive score stays in range however long the vectors are. The dot
# product itself never saturates, but its gradient is the other vector, as long as that is, and
# *behind* it stands a softmax. Ten random keys, ever wider; what is left for the nine that do not
# win?

# %%
for d in (4, 64, 768):
    lengths, left = [], []
    for _ in range(500):
        query, ten = draw.normal(size=d), draw.normal(size=(10, d))
        lengths.append(norm(ten).mean())
        left.append(np.sort(softmax(ten @ query))[:-1].sum())
    print(f"d = {d:3}: gradient of a score as long as a key, {np.mean(lengths):4.1f};", end=" ")
    print(f"left for the nine {np.median(left):.1g}")

# %% [markdown]
# At width 768 nearly nothing is left: the winner has all, small changes of the scores change no
# weight, and so hardly any gradient comes through. That is chapter 3, and the reason why Transformers
# divide their scores. Without that division additive attention does better at large widths: so says
# the paper that introduced the Transformer (Vaswani et al., 2017, section 3.2.1), and refers to Britz
# et al. (2017), who compared the two in translation.

# %% [markdown] depth
# ### Depth: which reasons for the dot product survive?
#
# *Why the dot product?* Lists of its beauties are easy to find: mathematical (a length, an angle,
# simple gradients), of engineering (one matrix product, nothing to store), practical (it works).
# Judge six sentences by what you have measured.
#
# ### Exercise: `surviving_reasons`
#
# Set each of the six to True or False.


# %% exercise="surviving_reasons"


# %% [markdown]
# <details><summary>So is the dot product the best choice?</summary>
#
# It is the best trade on the machines we have: nothing to learn, one matrix product, and lengths that
# mean something. It is not the most expressive score, and without a scale it is not even the best
# behaved. The learned matrices before it (chapter 5) give it what it lacks.
# </details>

# %% [markdown] depth
# ### Depth: eleven years in one table
#
# | when | who | what |
# |---|---|---|
# | 2013 | Graves | handwriting from text, with a soft window that moves over the text |
# | 2014 | Bahdanau, Cho, Bengio (arXiv in September, ICLR 2015) | additive attention, the first in machine translation by a neural network |
# | 2015 | Luong, Pham, Manning | compared dot, bilinear ("general") and a concatenating score; general was among the best |
# | 2016, 2017 | Cheng et al.; Parikh et al.; Lin et al. | attention of a text to itself (self-attention, intra-attention) |
# | 2017 | Vaswani et al. | the Transformer: scaled dot products, several heads, no recurrence; self-attention it took over, and it says so |
# | 2018 | BERT | a Transformer's encoder, trained on gaps in texts |
# | 2019 | GPT-2; T5 | a Transformer's decoder; encoder and decoder, without the division by the root of the width |
# | 2019 | Clark et al., "What Does BERT Look At?" | what BERT's heads attend to: observations and counts, not a theory |
# | 2020 | GPT-3 | larger again |
# | 2023 | LLaMA | a family of models whose weights were given to researchers |
# | 2024 | DeepSeek-V2 | dot products of keys that are unpacked from a short common vector (multi-head latent attention) |
#
# Two of these you can check. Luong's *general* score with ones on the diagonal of W and zeros
# elsewhere is the dot product. And DeepSeek-V2 keeps a short vector for each token and unpacks most of
# its key from it: still a dot product, whether the key is unpacked or the query packed.

# %%
qs, short, unpack = (rng.normal(size=shape) for shape in ((5, 8), (7, 3), (3, 8)))
ks = short @ unpack
print("general, W the identity:", np.allclose(bilinear_scores(qs, ks, np.eye(8)), qs @ ks.T))
packed = np.allclose(qs @ ks.T, (qs @ unpack.T) @ short.T)
print("from short keys:", packed, f"  stored: {short.size} numbers, not {ks.size}")

# %% [markdown]
# Two sentences to be careful with. *All modern language models are built on dot-product attention*:
# nearly all; Mamba and RWKV (both 2023) do without it, and some models mix both kinds of layers. *The
# Transformer relies on attention alone*: it has neither recurrence nor convolution, but count the
# numbers in a block. In GPT-2, with m for the width of a word, attention has four matrices of m by m
# and the network behind it two of m by 4 m; in LLaMA it has three, of m by 8/3 m, which is as much:

# %%
m = 768
attention_numbers, network_numbers = 4 * m * m, 2 * m * (4 * m)
print(
    f"in the network: {network_numbers / (attention_numbers + network_numbers):.3f} of the block's weights"
)
