# %% [markdown] minutes=1
# # 2 · Cosine or dot: what may a key's length do?
#
# A dot product counts direction and length together. Is the length a nuisance that should be
# divided away, or does it carry a message? Here you divide it away, watch one loud key take half of
# a room, see what a model would lose without length, and build a small search engine. The part
# before "Depth" takes 45 to 90 minutes.

# %%
import numpy as np

from course_lib.exercises.cosine_or_dot import bet, exercise, hint, progress, reveal, settle
from course_lib.explorers.cosine_or_dot import explore_loud_key, explore_two_lengths
from course_lib.kernels.directions import random_directions
from course_lib.kernels.flat_index import FlatIndex
from course_lib.kernels.softmax import softmax
from course_lib.kernels.vectors import cosine, norm, pairwise_cosines
from course_lib.models.corpus import neighbours, ppmi, sentences, svd_vectors

# %% [markdown] minutes=3
# ## Three questions before you start
#
# Without aids, on paper.
#
# 1. q = [1, 0]. Which key has the larger dot product with q, [1, 0] or [3, 3]? Which one makes the
#    smaller angle?
# 2. Attention is three lines. What does each of them compute?
# 3. `q` has shape (2, 5) and `k` has shape (3, 5). Which shape has `q @ k.T`, and what stands in row
#    0, column 2?
#
# <details><summary>Answers</summary>
#
# 1. [3, 3] has the larger dot product, 3 against 1. [1, 0] makes the smaller angle, 0° against 45°.
# 2. Scores: every query with every key, `q @ k.T`. Weights: the softmax of each row of scores.
#    Output: the average of the values in these weights, `weights @ v`.
# 3. (2, 3). The dot product of the first query and the third key.
# </details>

# %% [markdown] minutes=3 covers="C054 C055 C056 K029"
# ## Divide by both lengths, and direction is left
#
# *[1, 2] and [2, 4]: how alike are they?* The dot product is length · length · cosine. The
# **cosine** is what remains when you divide by both lengths:
#
# $$\cos(a, b) = \frac{a \cdot b}{|a|\,|b|}$$
#
# It runs from -1 (opposite) over 0 (perpendicular) to 1 (the same direction), for any two vectors
# that are not zero. That it never leaves this range was shown in chapter 1.

# %%
a, b = np.array([1, 2]), np.array([2, 4])
for stretch in (1, 2, 10):
    print(f"b · {stretch:2}: dot {a @ (stretch * b):3}, cosine {cosine(a, stretch * b):.1f}")

# %% [markdown]
# The dot product follows the length of b, the cosine does not see it: b is a, stretched, and that
# is all that the cosine says.

# %% [markdown] minutes=4
# ### Exercise: `unit_rows`
#
# There are two ways to a cosine: divide the dot product at the end, or bring the vectors to length
# 1 at the start. The second is the better one, as you will see. Each row of `x` is a vector; divide
# it by its length. A row of zeros has no direction, and it should stay zero.


# %%
@exercise
def unit_rows(x):
    """Each row at length 1; a row of zeros stays as it is.

    x: (n, d)   returns: (n, d)
    """
    # SOLUTION
    lengths = np.sqrt((x**2).sum(axis=1, keepdims=True))
    return x / np.where(lengths == 0, 1, lengths)
    # END SOLUTION


# %% covers="C053 C063 C064 K041"
a, b = np.array([3.0, 4.0]), np.array([4.0, 3.0])
u, v = unit_rows(np.stack([a, b]))
print(f"dot {a @ b:.0f}, cosine {cosine(a, b):.2f}")
print(f"at length 1: {u.round(2)} and {v.round(2)}, dot {u @ v:.2f}")

# %% [markdown]
# Between vectors of length 1, the dot product *is* the cosine: both lengths in length · length ·
# cosine are 1. Here the angle is 16°, and you have met it in chapter 1.

# %% [markdown] minutes=3
# ### Exercise: `cosine_matrix`
#
# The cosine of every query with every key, without a loop.


# %%
@exercise
def cosine_matrix(q, k):
    """The cosine of every query with every key.

    q: (t, d)   k: (s, d), no row is zero   returns: (t, s)
    """
    # SOLUTION
    return unit_rows(q) @ unit_rows(k).T
    # END SOLUTION


# %% [markdown] covers="C057 C058 K031 K032"
# Three words, with invented numbers:

# %%
cast = ["cat", "dog", "apple"]
vectors = np.array([[0.8, 0.6, 0.2], [0.7, 0.5, 0.3], [0.0, -0.2, 0.6]])
print("lengths ", norm(vectors).round(2))
for name, value in zip(cast, cosine_matrix(vectors[:1], vectors)[0], strict=True):
    print(f"cat with {name:5} {value:.2f}")
print(f"cat · dog = {vectors[0] @ vectors[1]:.2f}")

# %% [markdown]
# The cat and the dog have cosine .99: almost one direction. Cat and apple have cosine 0: the dot
# product is 0 exactly when the cosine is.

# %% [markdown] minutes=3
# ## One loud key takes half of the room
#
# *Every key may speak to every query. What if one of them shouts?*

# %%
bet("loud_key")

# %%
rng = np.random.default_rng(0)
keys = random_directions(1000, 64, rng)
queries = rng.normal(size=(20_000, 64))
others = (queries @ keys[1:].T).max(axis=1)
loud = queries @ (100 * keys[0])
settle("loud_key", 100 * (loud > others).mean())

# %% [markdown]
# Was that the key, or this draw? Other draws, other lengths:

# %%
for length in (1, 2, 3, 5, 10, 30, 100, 1000):
    shares = []
    for seed in range(3):
        draw = np.random.default_rng(seed)
        k, q = random_directions(1000, 64, draw), draw.normal(size=(5000, 64))
        shares.append((length * (q @ k[0]) > (q @ k[1:].T).max(axis=1)).mean())
    print(f"length {length:4}: picked by", *[f"{share:4.0%}" for share in shares])

# %% [markdown] minutes=3
# ### Slide: turn one key up
#
# Each dot is a query: how well it agrees with the direction of the loud key (to the right) and with
# the best of the 999 others (upwards). The loud key wins where length · cosine is the larger, that
# is, right of the line. The dashed line and the square are the same key after your `unit_rows`.

# %%
explore_loud_key(unit_rows=unit_rows)

# %% [markdown]
# <details><summary>And with two loud keys of length 1000 that point in opposite directions: which
# share of the queries do they take together?</summary>
#
# Nearly all of them. Each takes the half that it points to, and what one finds hugely negative the
# other finds hugely positive.
# </details>

# %% [markdown] minutes=5
# ### Exercise: `overtaking_length`
#
# `near` points closer to the query than `loud`. Keep the direction of `loud`: at which length
# does its dot product with the query reach that of `near`? If no length is enough, return `np.inf`,
# infinity. (`near` itself has a positive dot product with q.)


# %%
@exercise
def overtaking_length(q, near, loud):
    """The length of loud at which its score draws level with that of near.

    q: (d,)   near: (d,)   loud: (d,), only its direction counts   returns: one number
    """
    # SOLUTION
    for_each_unit = q @ loud / np.sqrt(loud @ loud)
    return q @ near / for_each_unit if for_each_unit > 0 else np.inf
    # END SOLUTION


# %%
q, near = np.array([1.0, 0.0]), np.array([1.0, 0.0])
for degrees in (10, 45, 80, 90):
    loud = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))]).round(9)
    print(f"{degrees} degrees away: length {overtaking_length(q, near, loud):.2f}")

# %% [markdown] minutes=2
# ## Length speaks twice: a sharp query, a loud key
#
# *So should attention divide the lengths away?* First see what they do there. A query of length 1
# and a query of length 10, in the same direction:

# %%
bet("longer_query")

# %% covers="C071 K060"
q, k = np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [0.8, 0.6], [0.1, 0.995]])
before, after = softmax(q @ k.T)[0], softmax(10 * q @ k.T)[0]
print("length  1: scores", (q @ k.T)[0], "weights", before.round(3))
print("length 10: scores", (10 * q @ k.T)[0], "weights", after.round(3))
print("cosines for both:", cosine_matrix(q, k)[0].round(2), cosine_matrix(10 * q, k)[0].round(2))
settle("longer_query", (before, after))

# %% [markdown] minutes=4 covers="K061"
# ### Slide: the length of a query, the length of a key
#
# The length of the *query* multiplies its whole row: it is a knob for sharpness, and the weights
# still add up to 1. The length of a *key* changes the score of that key only. Try each by itself.

# %%
explore_two_lengths(cosine_matrix=cosine_matrix)

# %% [markdown]
# <details><summary>And if the query is 10 long and C is 16.5 long: who gets the attention?</summary>
#
# C, nearly all of it. The scores are 10, 8 and 16.5; a sharper query makes the loud key win more
# clearly, because it stretches all gaps.
# </details>
#
# With one key nothing is left to choose: softmax of one score is 1, however long the query.

# %%
print("one key:", softmax(np.array([1.0])), softmax(np.array([10.0])))

# %% [markdown] minutes=3 covers="C068 C073 K045"
# ## Why attention keeps the lengths
#
# The cosine cures the loud key. It takes two things with it: a query can no longer say *I am sure*,
# and a key can no longer say *I matter to many*. And cosines alone are quiet. Let one key agree
# perfectly, cosine 1, and all the others be exactly opposite, cosine -1:

# %%
for n in (10, 100, 1000):
    print(f"{n:4} keys: {softmax(np.r_[1.0, -np.ones(n - 1)])[0]:.4f}")

# %% [markdown]
# The best case that cosines can offer, and of 1000 keys the right one gets less than one percent.
# So whoever attends by cosine multiplies it by a number, and lets the model learn that number.
#
# | | dot product | cosine | cosine · learned number |
# |---|---|---|---|
# | sharpness of a query | its length | fixed, and too low | one number for all |
# | loudness of a key | its length | none | none |
# | range of the scores | unbounded | -1 to 1 | bounded |
# | used in | nearly all Transformers, divided by a constant (chapter 3) | search, comparing | some Transformers |
#
# The last column is more than a footnote: Swin Transformer V2 (2022) attends by cosine with a learned
# number, and Qwen3, OLMo 2 and Gemma 3 normalise queries and keys inside each head before their dot
# product (*QK-norm*), with learned factors for the entries.

# %% [markdown] minutes=4 covers="C059 K034"
# ## Opposites are neighbours
#
# *If the cosine is similarity, where is the opposite of hot?* We need vectors that were not
# invented. This course has a small grammar that makes sentences; count which words stand within two
# places of each other, and each word has a row of counts: a vector.

# %%
text = sentences(20_000, np.random.default_rng(0))
for sentence in text[:5]:
    print(" ".join(sentence))
words, frequencies, counts = neighbours(text)
print(len(words), "words, so each has", counts.shape[1], "counts")

# %% [markdown]
# *the* and *is* stand beside everything, so raw counts make all words look alike. *PPMI* divides
# each count by what chance would give and takes the logarithm (negative ones become 0). And the
# *SVD*, a way to turn a table so that its first columns hold the most, leaves 8 numbers a word.

# %%
bet("antonyms")

# %%
tables = {"counts": counts, "PPMI": ppmi(counts), "SVD": svd_vectors(ppmi(counts), 8)}
for one, other in (("hot", "cold"), ("good", "bad"), ("cat", "dog"), ("cat", "apple")):
    pair = [words.index(one), words.index(other)]
    cosines = {name: cosine(*table[pair]) for name, table in tables.items()}
    print(f"{one:4} {other:6}", *[f"{name} {value:5.2f}  " for name, value in cosines.items()])
hot, cold = tables["PPMI"][[words.index("hot"), words.index("cold")]]
settle("antonyms", cosine(hot, cold))

# %% [markdown]
# Opposites come out close. So the scale that one often reads, *cat and kitten 1, cat and apple 0, hot and
# cold -1*, is half right: what shares its neighbours is near 1, what shares none is near 0, and the
# lower half stays almost empty. (Our grammar gives hot and cold the same neighbours, and *summer*
# only to hot, *winter* only to cold. Real text does the same: in vectors learned from
# billions of words, *expensive* has *cheaper* among its nearest, and *east* has *west*; Mrkšić et al.,
# 2016.)

# %%
table = pairwise_cosines(tables["SVD"], tables["SVD"])
i, j = np.unravel_index(table.argmin(), table.shape)
print(f"the smallest cosine of all pairs: {table[i, j]:.2f}, {words[i]} and {words[j]}")

# %% [markdown] minutes=5 covers="C066 C067 K046"
# ## Search: pay for the lengths once
#
# *Where is the cosine at home?* In search: which of many stored passages is about the same thing as a
# question? There a long passage should not win for being long.
#
# ### Exercise: `search`
#
# For each question the places of the `count` stored vectors with the largest cosine, the best first.
# `np.argsort(row)` lists the places of a row's numbers, the smallest number first.


# %%
@exercise
def search(stored, questions, count):
    """Where the most similar stored vectors are, by cosine, best first.

    stored: (n, d)   questions: (t, d)   count: one number   returns: (t, count), whole numbers
    """
    # SOLUTION
    scores = cosine_matrix(questions, stored)
    return np.argsort(-scores, axis=1)[:, :count]
    # STUB
    # scores = ...
    # return ...  # your code here
    # END SOLUTION


# %% [markdown]
# That is a search engine; engineers call it a *flat index*. One thing can be saved: the stored
# vectors are the same for every question, so bring them to length 1 when they arrive. From then on
# a search is one matrix product, as fast as without cosines. The course has one to compare with:

# %%
stored = rng.normal(size=(500, 64)) * rng.uniform(0.2, 5, size=(500, 1))
questions = rng.normal(size=(20, 64))
for normalized in (True, False):
    index = FlatIndex(64, normalized=normalized)
    index.add(stored)
    same = (index.search(questions, 3)[1] == search(stored, questions, 3)).mean()
    print(f"normalized {normalized!s:5}: {same:.0%} of the places as by cosine")

# %% [markdown] minutes=2 covers="C065 K042 K043 K044"
# ## What you can now say
#
# - The cosine divides both lengths away; between vectors of length 1 it is the dot product.
# - In a dot product, the length of a query sets how sharply it chooses, and the length of a key how
#   loudly it asks for attention, from everybody within 90 degrees.
# - Search wants the cosine and pays for the lengths once; attention wants the lengths, and where it
#   uses the cosine it gives the sharpness back as a learned number.

# %%
progress()

# %% [markdown]
# ### Where this occurs in a large language model
#
# | place | are vectors brought to length 1? |
# |---|---|
# | attention | mostly not; some models normalise q and k and learn the sharpness |
# | a vector database (Faiss, Milvus) | only if you ask: the inner product index of Faiss takes vectors as they are, and Milvus has a cosine metric beside the inner product |
# | learning from pairs of pictures and texts (CLIP; SimCLR for pictures alone) | yes, and the cosines are multiplied by a number, learned or set |
# | sentence vectors (Sentence Transformers) | it depends on the model: some end in a step that normalises, and `encode` has an option for it that is off by default |
# | raw word vectors | no; you do it before you compare |
#
# ### Test yourself
#
# <details><summary>Why does attention not use the cosine?</summary>
#
# Because lengths carry information there: the sharpness of a query and the importance of a key. The
# price of normalising is small and is not the reason. And plain cosines are so close together that
# a softmax over many keys is nearly flat. Some models do use it, with a learned factor.
# </details>
# <details><summary>A passage is found for almost every question. What do you suspect?</summary>
#
# Its vector is very long, and the index ranks by inner product without normalising.
# </details>
# <details><summary>A key has 50 times the length of the others. Can it win for every query?</summary>
#
# No. For queries more than 90 degrees away its score is hugely negative.
# </details>
# <details><summary>Two words have cosine .95. Do they mean the same?</summary>
#
# Not necessarily: they have the same neighbours. Hot and cold have too.
# </details>
#
# **Next:** chapter 3 makes vectors wider and watches what happens to their scores. Below, for those who want
# more: whether length is frequency, whether LayerNorm makes the dot product a cosine, distances,
# gradients, the other two scores and what each of them costs. Nothing later needs them.
