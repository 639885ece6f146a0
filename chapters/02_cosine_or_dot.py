# %% [markdown] minutes=2
# # 2 · Cosine or dot: when does length matter?
#
# You ask a chatbot about your notes. Before it answers, it searches a million pages for the few that are about your
# question. A trained model has made a vector of each page and of the question, and the search asks which pages point
# the question's way. How *long* a vector is should not matter.
#
# When you set up such a search, the database asks for a *metric*, the rule by which it compares: cosine, inner
# product or distance. A wrong choice gives no error: you ask for plum jam, and the first hit is the
# travel diary.
#
# Then the model reads what was found. For each word its attention asks nearly the same: which words point my way? But
# there the length matters. Why two opposite rules?
#
# The part before "Depth" takes about an hour, or 40 minutes if you know half of it.

# %%
import numpy as np

from course_lib.chapters.cosine_or_dot import *  # norm: the length of a vector, or of each row

# %%
show_road_map(2)

# %% [markdown] minutes=1
# ## Three questions before you start
#
# Answer on paper.
#
# 1. q = [1, 0]. Which key has the larger dot product with q, [1, 0] or [3, 3]? Which one makes the
#    smaller angle?
# 2. A query has a row of scores. What does the softmax make of it?
# 3. `q` has shape (2, 5) and `k` has shape (3, 5). What is the shape of `q @ k.T`, and what stands in row
#    0, column 2?
#
# <details><summary>Answers</summary>
#
# 1. [3, 3] has the larger dot product, 3 against 1. [1, 0] makes the smaller angle, 0° against 45°.
# 2. It makes weights of them: positive numbers that add up to 1.
# 3. The shape is (2, 3). The number there is the dot product of the first query and the third key.
# </details>

# %% [markdown] minutes=2
# ## A search with 49 words
#
# Instead of a million pages, here are 49 words. A program has written 20,000 sentences with them. A word's
# vector counts its neighbours: how often each of the 49 words stands within two places of it, as *eats* and *the* do in
# *he eats the plum*. Here are three sentences, and the vector of *plum* from all of them, without the zeros:

# %%
text = sentences(20_000, np.random.default_rng(0))
words, frequencies, counts = neighbours(text)  # 49 words, how often each comes, a row each
plum_row = counts[words.index("plum")]
print([" ".join(one) for one in text if "plum" in one][3:6])
print({word: int(times) for word, times in zip(words, plum_row, strict=True) if times > 0})

# %% [markdown]
# *Which words are like plum?* Not its neighbours, but those that *have* the same neighbours. So we rank all
# 49 rows by their dot product with that of *plum*.
#
# **Guess first:** at which of the 49 places does *plum* itself come?

# %%
ranked = [words[number] for number in rank_by_dot(counts, [plum_row], 49)[0]]  # the best first
for word in (*ranked[:3], "plum"):
    print(f"place {1 + ranked.index(word)}: {word}, {norm(counts[words.index(word)]):.0f} long")

# %% [markdown]
# In chapter 1, the key that reached further along the query had the larger dot product. Here *plum* is the query.
# Nobody can draw 49 directions. But two arrows from one point always fit on one sheet of paper. Here is that sheet, with
# true lengths and the true angle:

# %%
show_reach("plum", ["is", "plum"], words, counts)

# %% [markdown]
# The arrow of *is* points 45 degrees away: both words often stand near *the*. But *is* occurs often, so its counts are
# large and its arrow is long: it reaches 3575, and *plum* only 434. *in* and *dog* are long, too. Length wins here, not
# likeness.

# %% [markdown] minutes=1
# ## Divide by both lengths, and direction is left
#
# *Which score would find plum?* Chapter 1 found that a dot product is length · length · cosine. Divide it by both
# lengths, and the **cosine** is left, also called *cosine similarity*:
#
# $$\cos(a, b) = \frac{a \cdot b}{|a|\,|b|}$$
#
# It is 1 where two vectors point the same way, 0 where they are perpendicular, and -1 where they are opposite. If you
# make one of them twice as long, the dot product doubles, and the cosine stays.

# %% [markdown] minutes=2
# ## A vector divided by its length is 1 long
#
# *Must we divide for every pair?* No: we can divide each vector once, before it meets any other. Then the dot product is
# the cosine. The length of [3, 4] is 5, the root of 9 + 16. Divided by 5, it is [.6, .8]: it points the same way and is
# 1 long, because .36 + .64 = 1. That is a *unit vector*, and the division is called *normalising*.
#
# In a search, vectors are the rows of a table. With `keepdims=True` their lengths stand in a column, each beside its
# row. What do you expect for the second row, [6, 8]?

# %%
table = np.array([[3.0, 4.0], [6.0, 8.0]])
their_lengths = np.sqrt((table**2).sum(axis=1, keepdims=True))  # of each row
print(their_lengths, table / their_lengths, sep="\n")

# %% [markdown]
# Both rows point the same way, so both become the same.

# %% [markdown] card="rows"

# %% [markdown] minutes=6
# ### Exercise: `unit_rows`
#
# The lengths are given. Divide each row so that two promises hold:
#
# - every row that is not zero comes out 1 long, however short it was: [.00003, -.00004] becomes [.6, -.8];
# - a row of zeros has no direction, so it stays zero: [[3, 4], [0, 0]] becomes [[.6, .8], [0, 0]].
#
# Numpy's answer to 0 divided by 0 is `nan`: *not a number*.


# %% exercise="unit_rows"


# %% [markdown] minutes=1
# ## Build the search that finds plum
#
# To rank, you need three lines of the card. For `a` = [[.9, .2, .5]]:
#
# | you write | you get | |
# |---|---|---|
# | `np.argsort(a, axis=1)` | [[1, 2, 0]] | the places of its numbers, from the smallest number to the largest |
# | `a[:, ::-1]` | [[.5, .2, .9]] | each row turned around |
# | `a[:, :2]` | [[.9, .2]] | the first two entries |

# %% [markdown] minutes=7
# ### Exercise: `search`
#
# Return a row for each question: the row numbers of the `how_many` stored vectors with the largest cosine, the
# best one first.
#
# Say `stored` is [[0, 2], [9, 9], [1, 0]], and the one question is [5, 0]. The cosines are 0, .71 and 1.
# Row 2 is best, then row 1: for the best two, the answer is [[2, 1]].
#
# You can divide the stored vectors by their lengths, and the questions, too. Which division could you leave out?


# %% exercise="search"


# %% [markdown]
# Now ask for *plum*, by dot product and by your `search`:

# %%
my_word = "plum"  # later any other of the 49: print(words) shows them
question = counts[[words.index(my_word)]]
by_dot, by_cosine = rank_by_dot(counts, question, 3), search(counts, question, 3)
show_rankings([my_word], words, counts, by_dot, by_cosine)

# %% [markdown]
# *plum* rises from place 30 to the first, two other fruits behind it. *is* falls to place 10: its length no longer matters.
#
# Put *tea* in its place and run the cell again. Which two of milk, pear, soup and water do you expect behind it?
#
# <details><summary>Why not milk?</summary>
#
# People *drink* tea, soup and water. Milk stands only where animals *eat* it.
# </details>

# %% [markdown] minutes=3
# ## Where is the opposite of hot?
#
# *Opposite arrows have the cosine -1. Do opposite words?*

# %%
bet("antonyms")

# %%
hot, cold = counts[words.index("hot")], counts[words.index("cold")]
settle("antonyms", cosine(hot, cold))
show_neighbours("hot", "cold", words, counts)

# %% [markdown]
# The linguist J. R. Firth wrote in 1957: "You shall know a word by the company it keeps." *hot* and *cold* keep the
# same company. So a cosine near 1 means *used alike*, not *the same*.

# %% [markdown] minutes=2
# ## What can one long key do to a room of queries?
#
# Your search divides all lengths away. Attention does not. *What can a long key do there?* Imagine a room of queries
# where one key shouts.

# %%
bet("loud_key")

# %%
rng = np.random.default_rng(0)
keys, queries = random_directions(1000, 64, rng), rng.normal(size=(5000, 64))
for length in (1, 10, 100, 1000):  # of key 0; all others are 1 long
    print(f"length {length:4}: {share_won_by_key_0(keys, queries, length):.1%} pick it")
settle("loud_key", 100 * share_won_by_key_0(keys, queries, 100))  # in percent

# %% [markdown] minutes=3
# ### Take hold: pull one key out
#
# Here is the room in a plane: five keys, and a ring of 60 queries. A filled dot is a query that picks the loud key. On
# the right, your `unit_rows` has brought all keys to length 1.
#
# Pull the tip of the loud key out. Where do dots fill, and where never?

# %%
explore_loud_key(unit_rows=unit_rows)

# %% [markdown] minutes=1
# ## Why does attention keep the lengths?
#
# In the search, *is* was long by accident: it occurs often. Now a page is found, and the model reads it. *Is a key long
# by accident there, too?* No: training sets the length of each key and of each query. To see what a length can say,
# take the lengths away first.

# %% [markdown] minutes=3
# ### Exercise: `cosine_weights`
#
# In chapter 1 the weights of attention were `softmax(q @ k.T)`, a row for each query. Now take cosines instead of
# dot products. For the query [2, 0] and the keys [3, 0] and [0, 5] the cosines are 1 and 0, and the answer is
# [[.73, .27]].
#
# In your search it was enough to divide the stored rows. Is it here?


# %% exercise="cosine_weights"


# %% [markdown] minutes=2
# ### Take hold: the length of a query, the length of a key
#
# Say `q` belongs to a word of your question, and the four keys to words of the page that was found. Their weights are
# dark by dot product, pale by your `cosine_weights`. At the start all arrows are 1 long, so both agree. Pull at the
# tip of C until it gets half of the weight, and answer the question that appears. Then:
#
# 1. Pull out `q`. Were you right?
# 2. Set C back to 1. Who gains most from a long `q` now?
# 3. Set `q` back to 1, too. Pull out D: why does it get less?

# %%
explore_two_lengths(cosine_weights=cosine_weights)

# %% [markdown]
# <details><summary>Who gains most from a long q when C is 1 long, and why does D lose?</summary>
#
# Now A has the largest score, and the longer `q` is, the more A gets. (B, close behind, gains a little at first.)
# D points away from `q`: its score is negative, and a longer D makes it lower still. The pale bars never move, because a
# cosine does not see lengths.
# </details>
#
# A longer *key* changes only its own score. What it gains, the softmax takes from the others. So to queries within 90
# degrees of it, a long key can say *I matter*.
#
# If a *query* is twice as long, all its scores double, and they lie twice as far apart. So the softmax chooses more
# sharply. A long query can say *I am sure*, and a short one *I do not know*.
#
# *Does a trained model say so?* The one that reads your notes is too large to open here. Chapter 5 has a small one: it
# knows 50 words, *plum* among them, and guesses a hidden one, as in `anna ate the ripe ___`. To guess, the blank asks
# the words around it, with a query. But the model sees only the sign `___` there, so the query of a blank is always the
# same. Is it longer or shorter than the queries of the 50 words?

# %%
show_query_lengths(norm(trained_queries()))  # that of a hidden word comes first

# %% [markdown]
# By far the shortest. *Would it choose if it were longer?* Let the blank ask all 50 words at once. If it looked at all of
# them alike, each would get a weight of .02. What does its best word get? And with the same query, lengthened to the mean
# of the others, about four times its own?

# %%
hidden, *others = trained_queries()
for name, length in (("as it is", norm(hidden)), ("lengthened", norm(others).mean())):
    print(f"{name}, {length:.1f} long: its best word gets {word_weights(hidden, length).max():.2f}")

# %% [markdown]
# Yes. Lengthened, it would prefer one word clearly, with .18. As short as training has made it, it looks at all words
# nearly alike. That is how it says *I do not know*. A cosine could not say so: to it, both queries are the same.

# %% [markdown] minutes=2
# ## Which metric for your own notes?
#
# *The database asks you: cosine, inner product or distance?* The inner product is the dot product under
# another name. *Distance* is how far it is from the tip of the question to the tip of a stored row.
#
# Here `a` is the question. `b` makes a smaller angle with it than `c`, but `b` is long. Which of the two does distance
# find?

# %%
arrows = np.array([[1.2, 0.0], [2.6, 1.5], [0.1, 0.6]])  # a, b and c
show_onto_circle(arrows, unit_rows(arrows))

# %% [markdown]
# Distance finds `c`: a long row lies far away, even if it points well. After your `unit_rows`, all tips are on the
# circle. There the nearer tip is always at the smaller angle.
#
# <details><summary>Why always?</summary>
#
# $|a - b|^2 = a \cdot a + b \cdot b - 2\,a \cdot b$. For all rows the first part is the same, and the
# second is 1: the smallest distance has the largest dot product, and so the largest cosine.
# </details>
#
# So where all stored rows are 1 long, all three metrics give the same order, however long the question is. Where their
# lengths differ, ask who has set them, and whether you want them to matter.

# %% [markdown] minutes=5
# ### Exercise: `which_metric`
#
# Here are five stores. Choose for each "cosine", "inner product" or "distance", or "any" where all three must
# agree.
#
# - `notes`: a page's vector is the sum of the vectors of its parts. You ask for *plum jam*.
# - `songs`: the question is the listener's vector. In training, songs that many people play came out long. You are
#   paid for each play.
# - `bakeries`: how far each lies east and north of the market place. You stand somewhere in town, hungry.
# - `whole`: a model gives vectors of length 1. You store them as they are, and ask for the heating bill.
# - `cut`: the same, but to save space you keep only the first entries, as if you cut [.8, .48, .36] to [.8, .48]. You
#   ask for the dentist's number.


# %% exercise="which_metric"


# %% [markdown]
# Here are the stores by your metrics. Filled is what was found: ✓ wanted, ✗ not. A row in the shaded area would have
# beaten it. Each metric has its own shape: see the lower right.

# %%
show_stores(which_metric)

# %% [markdown]
# No metric serves all five stores: even the cosine serves only 3.
#
# <details><summary>Why these five?</summary>
#
# - `notes` and `cut`, cosine: a length is a side effect, of adding parts or of cutting. (Vectors made to be cut are
#   called *Matryoshka*, after the dolls: Kusupati et al., 2022.)
# - `songs`, inner product: what many people play has become long, and you are paid for that.
# - `bakeries`, distance: nobody asks in which direction from the market place the bread lies.
# - `whole`, any: all lengths are 1, so all tips lie on one arc.
# </details>
#
# A model's description, its *model card*, often names the metric. Otherwise take the cosine: it guards
# against lengths that nobody wanted.

# %% [markdown] minutes=2
# ## What you can now say
#
# - Your search divides the lengths away, because in a store they are often a side effect.
# - Attention mostly keeps them: there training can make a length say something. A longer key wins more of the queries
#   within 90 degrees of it, and a longer query chooses more sharply.
# - So behind the two rules stands one question: who has set the lengths?

# %%
progress()

# %% [markdown]
# ### Where this occurs in a large language model
#
# In attention, and in the search before an answer (*RAG*, retrieval-augmented generation). Many models give vectors of
# length 1 for that search. Most databases divide by the lengths only if you choose the cosine.
#
# ### Test yourself
#
# <details><summary>Why does attention not use the cosine?</summary>
#
# Lengths can say something there: how sure a query is, and how loud a key is. A cosine divides that away. Some models
# do use the cosine, with one learned factor for all scores.
# </details>
# <details><summary>One passage comes first for a third of all questions. What do you look at?</summary>
#
# Look at the metric first. If it is the inner product, look at the length of the passage: it may be a loud key. If
# it is the cosine, or if all lengths are 1, the questions lean its way (Depth).
# </details>
#
# **Next:** [chapter 3](03_scaling.ipynb) makes vectors wider and watches what happens to their scores.

# %% [markdown] depth
# ## Depth: seventeen sections, if you want more
#
# Open this heading and choose. Each section stands by itself: it needs the part above, and no other
# section. (Only the six sentences to judge look back at three of them.) If you are building a search, begin
# with the three that are marked ◆.
#
# | section | what it is good for | minutes |
# |---|---|---|
# | arrows shrink onto a circle | a picture to take hold of: what `unit_rows` does to two arrows | 3 |
# | how loud must a key be to win? | an exercise: at which length two keys tie, and when no length is enough | 8 |
# | which factor makes up for the cosine? | an exercise: the factor at which the best of n keys gets half | 11 |
# | does training use the lengths? | what its long key is worth to a trained model, a head that hardly needs lengths, and what QK-norm does | 4 |
# | can a page win because it has many words? | two pages by their words: a travel diary and a recipe | 2 |
# | who holds out against one bad row? | ◆ a bet: the row of *plum* is 50 times too long; a row of your own that takes all 49 words | 5 |
# | a short key that wins nearly every query | why a key that nearly all attend to (chapter 4: an *attention sink*) can be short | 3 |
# | is the length of a word how often it occurs? | what chance explains, counted by hand (*PPMI*, a cousin of the *tf-idf* by which search engines weigh down common words); a bet; three kinds of word vectors | 8 |
# | one pair of words, many angles | which angle a cosine belongs to | 2 |
# | does LayerNorm make the dot product a cosine? | a bet; what stands before attention in real models, and what chapter 3 does not do | 12 |
# | distance passes over long vectors | ◆ a picture to take hold of, a bet and an exercise: the third way to compare; what each metric looks for, and what pgvector, Faiss and Milvus call it | 14 |
# | in high dimension the cosine says more, if strangers are centred | ◆ when a cosine of .2 means something | 5 |
# | what does a cosine cost? | an exercise, a bet, measured times, and an index that pays once | 13 |
# | two other scores, and what they cost | an exercise and a bet: the rivals of the dot product, and what processors are built for | 17 |
# | which way to move a key, and where scores saturate | an exercise: how a model learns by each score; the bridge to chapter 3 | 17 |
# | which reasons for the dot product survive? | an exercise: judge six sentences | 6 |
# | eleven years in one table | who did what, from 2013 to 2024 | 3 |

# %% [markdown] depth card="words"

# %% [markdown] depth card="numpy"

# %% [markdown] depth
# ### Depth: arrows shrink onto a circle
#
# The tips of all arrows of length 1 lie on one circle. Your `unit_rows` moves each tip along its
# own arrow until it meets that circle: the dots show the way, and the thick part is what is left.
# First pull the tip of `b` straight out, then turn it. Which of the two bars moves each time?

# %%
explore_onto_circle(unit_rows=unit_rows)

# %% [markdown] depth
# ### Depth: how loud must a key be to win?
#
# *And if the loud key of the room is only .2 long?* Push it in: nobody picks it, not even the queries that point straight
# along it. A key beside it is longer and reaches further along them. That is how *plum* lost to *is*. So let two
# keys meet.
#
# `near` points closer to the query than `loud` does. Keep the direction of `loud` and change its length:
# at which length does its dot product with `q` reach that of `near`?
#
# #### Exercise: `overtaking_length`
#
# If no length is enough, return `np.inf`, infinity. (`near` itself has a positive dot product with `q`.)
#
# Begin on paper: `near` scores .96, and `loud`, while it is 1 long, scores .6. At which length do they tie?
# Then let neither of them be 1 long, and think of a `loud` that can never win.


# %% exercise="overtaking_length"


# %%
asking, key_a, key_c = np.array([[1.0, 0.0], [0.96, 0.28], [0.6, 0.8]])  # q, and keys A and C
print(f"C ties with A at length {overtaking_length(asking, key_a, key_c):.2f}")
for turned in ([0.1, 1.0], [0.0, 1.0]):
    print(turned, f"ties at length {overtaking_length(asking, key_a, np.array(turned)):.2f}")

# %% [markdown]
# A key that stands nearly across the query needs almost ten times the length, and for one that stands
# exactly across, no length is enough. That is the 90 degrees at which the loud key had to stop.

# %% [markdown] depth
# ### Depth: which factor makes up for the cosine?
#
# *How much can one key get by cosine, at most?* In the best case it points exactly as the query does, and all others
# point the opposite way. Write down a number for 1000 keys.

# %%
for others in (1, 9, 99, 999):
    best_case = np.array([[1.0, 0.0]] + [[-1.0, 0.0]] * others)  # the best key comes first
    gets = cosine_weights(best_case[:1], best_case)[0, 0]  # the query is the best key itself
    print(f"{1 + others:4} keys: the best one gets {gets:.1%}")

# %% [markdown]
# Its score is 1 and all others have -1, so it leads by 2. In chapter 1, a score that is 1 larger gets 2.7 times the
# share. (The number is e = 2.718.) So the best key gets 2.718 · 2.718 = 7.4 times the share of each other key. Against
# 999 others that is 7.4 / (7.4 + 999) = .7 %.
#
# *How can it get more?* To pull the cosines apart, multiply all of them by one factor.

# %%
one_apart = np.array([1.0] + [-1.0] * 999)
for factor in (1, 2, 3.45, 5):
    print(f"factor {factor:4}: the best key gets {softmax(factor * one_apart)[0]:.1%}")

# %% [markdown]
# With 3.45, found by trying, the best key gets about half.
#
# #### Exercise: `factor_for_half`
#
# Here is the best case again: of `n_keys` keys one has cosine 1, and all the others have -1. Multiply
# all the cosines by one factor, then take the softmax. At which factor does the best key get exactly
# half of the attention?
#
# Begin on paper, with 2 keys: there you can see the factor without any formula. Then let the others be
# many. `np.log` undoes $e^x$.


# %% exercise="factor_for_half"


# %%
for n_keys in (10, 100, 1000):
    factor, apart = factor_for_half(n_keys), np.array([1.0] + [-1.0] * (n_keys - 1))
    print(f"{n_keys:4} keys, factor {factor:.2f}: the best gets {softmax(factor * apart)[0]:.1%}")

# %% [markdown]
# With ten times as many keys, the factor grows by little more than 1, so in
# this best case one number is enough even for a very long row.
#
# <details><summary>And with 2 keys?</summary>
#
# The factor is 0. It makes both keys equal, so each gets half.
# </details>
#
# *How large must the factor be for real keys?* With all others opposite, 1000 keys needed 3.45. But
# strangers are not opposite, they are more or less perpendicular (chapter 1). On paper: put the 999
# others at cosine 0. Which factor gives the best key half now?
#
# <details><summary>The factor among 999 strangers</summary>
#
# Each stranger has e to the power of 0, which is 1. So e to the power of the factor has to be 999, and
# the factor is ln 999 = 6.9. That is exactly twice as much as before, because from 1 to 0 it is half as
# far as from 1 to -1.
# </details>
#
# | | dot product | cosine | cosine · learned number |
# |---|---|---|---|
# | sharpness of a query | its length | the same for all, and too low | one number for all queries of a head |
# | loudness of a key | its length | none | none |
# | used in | GPT-2, LLaMA and many others | search | Swin Transformer V2 (2021), for pictures |

# %% [markdown] depth
# ### Depth: does training use the lengths?
#
# A small model of chapter 4 looks up names, and half of them are missing. For all of those, key 0 holds the answer:
# "nothing". So we expect a long key 0. But a long key wins only on its own side. Do the queries that need it lie there?

# %%
long_keys = trained_keys()
norms = norm(long_keys)
print(f"key 0: {norms[0]:.1f}, the other 63: {norms[1:].min():.1f} to {norms[1:].max():.1f}")
beside = missing_queries() @ long_keys[0] > 0
print(f"queries for missing names within 90 degrees of it: {beside.mean():.0%}")

# %% [markdown]
# Key 0 is the longest, and most of these queries lie on its side. *But does it matter that it is a little longer than
# the longest of the others?* Shorten it to their mean length, and count in how many of the 200 texts without the name
# it gets more than half:

# %%
for longer in (1, norms[1:].mean() / norms[0]):
    key_0 = longer * long_keys[:1]
    share = share_of_key_0(np.vstack([key_0, long_keys[1:]]))
    print(f"key 0 {norm(key_0)[0]:.1f} long: in {200 * share:.0f} texts")

# %% [markdown]
# So that model needs its long key. *Does every head need lengths?* Here is one head of chapter 0's
# model, at the end of *giraffe pogir*. It looks for the *a* that followed the first *r*. Even shares of the 13 letters
# would be 8 %. The shares are by dot product, by cosine, and by cosine times one factor:

# %%
query, its_keys = load_copying().meeting("giraffe pogir", 5)  # of the last r, and of all 13 letters
its_lengths, cosines = norm(its_keys), cosine(query, its_keys)
print(f"keys {its_lengths.min():.1f} to {its_lengths.max():.1f} long")
for row in (query @ its_keys.T, cosines, norm(query) * its_lengths.mean() * cosines):
    print(f"the a gets {softmax(row).flat[3]:.0%}")

# %% [markdown]
# One factor does as well here as the dot product, because these keys are nearly equally long. So the dot product
# *lets* single lengths speak, but this head hardly needs it.
#
# Other models use too much of that freedom.
# Where training broke down (Dehghani et al., 2023), the scores had grown and grown, which takes growing
# lengths: a cosine cannot pass 1. *QK-norm* (after Henry et al., 2020) stands between the two rules.
# Qwen3, for example, brings the queries and keys of a head to one length, and learns a factor for each
# entry. With one factor for all entries, that would be a cosine times a number. With one for each, some
# entries count more than others, so it is no longer quite a cosine.

# %% [markdown] depth
# ### Depth: can a page win because it has many words?
#
# *You ask for plum jam. Which of these two pages comes first by dot product, and which by cosine?* Here the vector of a
# page counts its own words, so only *plum* and *jam* enter the dot product.

# %%
pages = [
    "plum jam: cook ripe fruit with sugar",
    "diary: we took the train, and the man beside us had plum cake, plum soup and plum jam, and the man slept",
]
rows, questions = word_counts(pages, "plum jam")
print("dot products:", (rows @ questions.T)[:, 0], " lengths:", norm(rows).round(1))
print("your search finds:", pages[search(rows, questions, 1)[0, 0]])

# %% [markdown]
# By dot product the diary wins: it says *plum* three times and *jam* once. But its many other words make its vector
# long. The cosine divides by that length, so your search finds the recipe.

# %% [markdown] depth
# ### Depth: who holds out against one bad row?
#
# *What can a loud key do in your own search?* Above, it won about half of the random queries. Now the queries
# are the 49 words, and the row of *plum* is stored too long. How many of them does it win?

# %%
bet("bad_row")

# %%
plum = words.index("plum")
broken = counts.copy()
broken[plum] *= 50
found_first = rank_by_dot(broken, counts, 1)  # what each word finds first
settle("bad_row", (found_first == plum).sum())
show_finders("plum", words, counts, found_first, longer=50)
print("by your search only:", *np.array(words)[search(broken, counts, 1)[:, 0] == plum])

# %% [markdown]
# A dot is a word, filled if it finds *plum* first. Half is no limit here. A word can be absent from a place, but not
# less than absent: no count is negative, so no two rows point apart by more than 90 degrees. Your `search` is not
# fooled, because it divides the 50 away.
#
# Which thirteen words hold out? And what must be true of a word that would not find *plum* first at any length?

# %%
others = found_first[:, 0] != plum
print("hold out:", *[word for word, other in zip(words, others, strict=True) if other])
print("their cosines with plum:", np.sort(cosine(counts[plum], counts[others])).round(2))

# %% [markdown]
# The thirteen stand at a right angle to *plum*, or at a wide one. For the nine with cosine 0 no length is ever enough. For
# the other four, 50 times is not enough.
#
# Now be the rogue. You may add one row to the store, of any 49 numbers. Can you make one that comes first for
# *all* 49 words by dot product? And what does `search` make of it? Write down your row before you run this.

# %%
rogue = np.vstack([counts, np.full(49, 20_000.0)])
for name, ranked in (("dot product", rank_by_dot), ("search", search)):
    first = np.array(ranked(rogue, counts, 1))[:, 0]
    print(f"by {name}: {(first == 49).sum()} of 49 words find the rogue")

# %% [markdown]
# A row of 49 large numbers does it: it shares a neighbour with every word, so nobody stands at a right angle to it.
# By cosine nobody finds it, because each word has one that is more like it: itself.

# %% [markdown] depth
# ### Depth: a short key that wins nearly every query
#
# *A loud key stopped at half of the queries. How then can a key win nearly all of them, and be short?*
# Trained models have such keys, the *attention sinks* of chapter 4. The queries of the bet could point anywhere. Now let 5000 queries have something in common,
# and let it point the way of one key:

# %%
draw = np.random.default_rng(0)
directions = random_directions(1000, 64, draw)
leaning = draw.normal(size=(5000, 64)) + 4 * directions[0]
best_other = (leaning @ directions[1:].T).max(axis=1)
for longer in (1, 3, 100):
    print(f"length {longer:3}: {(longer * (leaning @ directions[0]) > best_other).mean():.1%}")

# %% [markdown]
# Among queries that lean one way, a key of length 1 already wins most, and a longer one wins nearly all
# of them. Our model with key 0 made its sink long. In the language models that Gu et al. (2024) measured, the sinks
# were often shorter than other keys, and the lean did the work.

# %% [markdown] depth
# ### Depth: is the length of a word how often it occurs?
#
# *In counts, length says how often a word occurs. Does it in every kind of word vector?* Our grammar
# can try it, with the words *cat* and *kitten*:

# %%
pets = [words.index("cat"), words.index("kitten")]
print("how often:", frequencies[pets], " lengths of the counts:", norm(counts[pets]).round())
print(f"cosine {cosine(*counts[pets]):.4f}")

# %% [markdown]
# Both stand in the same places, so they point nearly the same way. *cat* stands there nine times as often, and
# its row is nine times as long: for counts it is true. But part of each count is chance:
# *the* is beside everything, because it is everywhere. So ask of each count how many would have come by
# chance. *cat* has 9042 neighbours, and if they were drawn blindly from all the neighbours in the text,
# each word would get its share of them.

# %%
row_of_cat = counts[pets[0]]
shares = counts.sum(axis=0) / counts.sum()  # of all neighbours in the text
for word in ("the", "in", "milk", "purrs"):
    seen, chance = row_of_cat[words.index(word)], row_of_cat.sum() * shares[words.index(word)]
    print(
        f"{word:5} seen {seen:4.0f}, by chance {chance:4.0f}: {seen / chance:4.1f} times as often"
    )

# %% [markdown]
# *the* stands there often, and *purrs* stands there far more often than chance would have it. *PPMI*
# (positive pointwise mutual information) is the logarithm of the last number, and 0 where that would be
# negative or where the pair never occurs. Does it leave the pairs of words as they were?

# %%
tables = {"counts": counts, "PPMI": ppmi(counts)}
for one, other in (("hot", "cold"), ("cat", "dog"), ("cat", "apple")):
    pair = [words.index(one), words.index(other)]
    by_counts, by_ppmi = (cosine(*rows[pair]) for rows in tables.values())
    print(f"{one:4} {other:6} counts {by_counts:.2f}, PPMI {by_ppmi:.2f}")

# %% [markdown]
# By raw counts even *cat* and *apple* look alike, for the sake of *the* and *eats*. PPMI tells them
# apart, and *hot* stays close to *cold*. And the lengths?

# %%
bet("length_is_frequency")

# %%
tables["SVD"] = svd_vectors(tables["PPMI"], 8)
for name, rows in tables.items():
    correlation = np.corrcoef(np.log(frequencies), norm(rows))[0, 1]
    cat_long, kitten_long = norm(rows[pets])
    print(f"{name:6} cat {cat_long:7.2f}, kitten {kitten_long:6.2f}, all words {correlation:.2f}")
settle("length_is_frequency", norm(tables["PPMI"][pets[0]]) / norm(tables["PPMI"][pets[1]]))

# %% [markdown]
# (The third kind, *SVD* or singular value decomposition, squeezes the 49 numbers of a word into 8 that
# keep as much as 8 can.) The last column says over all the words how well the logarithm of the frequency
# predicts the length: 1 as on a line, 0 not at all. After PPMI little is left of it, and after SVD no
# more comes back. Here are the first two:

# %%
show_lengths(frequencies, tables, {"cat": pets[0], "kitten": pets[1]})

# %% [markdown] depth
# ### Depth: one pair of words, many angles
#
# *How large is the cosine of cat and dog?* That depends on the vectors. Here are invented ones:

# %%
names = ["cat", "dog", "apple"]
vectors = np.array([[0.8, 0.6, 0.2], [0.7, 0.5, 0.3], [0.0, -0.2, 0.6]])
for name, value in zip(names, pairwise_cosines(vectors[:1], vectors)[0], strict=True):
    print(f"cat with {name:5} {value:z.2f}")  # z: no -0.00

# %% [markdown]
# Cat and apple are perpendicular: the dot product is 0 exactly when the cosine is. A cosine says nothing
# without its two arrows. In the next picture cat stands 20 degrees above an axis and dog 30 below it:

# %%
show_two_words(20, -30)

# %% [markdown]
# cos 20° = .94 and cos 30° = .87 compare each word with the *axis*. Cat and dog are 20 + 30 = 50 degrees
# apart, and cos 50° = .64. (Above it was .99, because those are other vectors.)
#
# In vectors learned from billions of words cosines can be negative. Still opposites come out close there:
# *expensive* has *cheaper* among its nearest words, and *east* has *west* (Mrkšić et al., 2016).

# %% [markdown] depth
# ### Depth: does LayerNorm make the dot product a cosine?
#
# In most models, the vector of each *token* (a word, or a piece of one) is normalised before it becomes
# a query and a key. GPT-2 does it by *LayerNorm*: subtract the mean of the entries, divide by their
# standard deviation. LLaMA, Qwen3, Gemma 3 and DeepSeek-V2 leave the mean as it is and divide by the
# root of the mean square: *RMSNorm* (Zhang and Sennrich, 2019). That suggests a tempting thought: the
# vectors are normalised already, so the dot product is nearly a cosine. The first half is true of both:


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
# But queries and keys are not these tokens. A learned matrix makes 64 numbers of the 768. Take three
# kinds of matrix: *random* (all directions alike), *stretched* (the same with a few directions large
# and most small: number i is multiplied by 8 / i), and the random one times 5. In groups of 50, each
# query picks its best key.


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
to_q, to_k = rng.normal(size=(2, 768, 64)) / 768**0.5  # one random pair, three times
same = {}
for name, factor in factors.items():
    q, k = tokens @ (factor * to_q), tokens @ (factor * to_k)
    same[name] = same_choice(q, k)
    spread = norm(k).std() / norm(k).mean()
    told = f"key lengths {norm(k).mean():4.0f}, spread by {spread:.0%}"
    print(f"{name:9} {told}; same choice {same[name]:.0%}")
settle("layer_norm", 100 * same["stretched"])

# %% [markdown]
# With a random matrix, dot product and cosine pick the same key for four of five queries; with a
# stretched one, for little more than a quarter. (How small that share is depends on the stretch that we chose.) And
# a matrix five times as large leaves every cosine as it is and multiplies the scores by 25 (5 for the
# queries, 5 for the keys), which sharpens every softmax.
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
# Normalised alone, all keys of a head have one length, and none is loud. The factors, which we drew
# far apart on purpose, make those keys longer that lie along the large ones. And where all heads
# share one length, one head's key is loud wherever the token's other heads are quiet.
#
# There is one more division. A Transformer divides its scores by a number, $\sqrt{d_k}$, where $d_k$ is
# the width of a key (chapter 3). *Is that a kind of cosine?*

# %%
draw = np.random.default_rng(0)
q, k = draw.normal(size=(200, 64)), draw.normal(size=(50, 64)) * draw.uniform(0.2, 5, size=(50, 1))
by_dot = (q @ k.T).argmax(axis=1)
print(f"divided by 8:   {(by_dot == (q @ k.T / 8).argmax(axis=1)).mean():.0%} choose the same key")
print(f"as cosines:     {(by_dot == pairwise_cosines(q, k).argmax(axis=1)).mean():.0%}")
print(f"root of 768: {768**0.5:.1f}, of 768 / 12 = 64: {64**0.5:.0f}")

# %% [markdown]
# One constant for all scores never changes which key wins. And it is the width of *one head's* keys
# that counts: GPT-2 small is 768 wide, its 12 heads have 64 each, so it divides by 8. Dividing by
# 27.7, the root of 768, is a bug that runs without any error.
# %% [markdown] depth
# ### Depth: distance passes over long vectors
#
# The distance from tip to tip is called *Euclidean*. Between bakeries it was what you wanted. But say you want what
# points your way: *is distance blind to direction?* Take A = [1, 0], B = [2, 0],
# which points the same way, and C = [0, 1].

# %%
A, B, C = np.array([[1.0, 0.0], [2.0, 0.0], [0.0, 1.0]])
print(f"distances from A: B {norm(B - A):.2f}, C {norm(C - A):.2f}")
print(f"cosines with A:   B {cosine(A, B):.2f}, C {cosine(A, C):.2f}")

# %% [markdown]
# Here both measures say that B is the nearer one. When does distance no longer find the one that points your way? Drag the tip of B to
# the right. (The ring shows where B stands at length 1.)

# %%
explore_two_measures(unit_rows=unit_rows)

# %% [markdown]
# <details><summary>And with C at 60 degrees: from which length on is B misjudged?</summary>
#
# Beyond 2. C lies as far from A as A is long, 1, and at length 2 so does B.
# </details>
#
# #### Exercise: `misled_by_distance`
#
# Take any `a` in the plane, except zero. Find a `b` that points exactly as `a` does and is at most three
# times as long, and a `c` perpendicular to `a`, so that `c` is nevertheless nearer to `a` by distance.


# %% exercise="misled_by_distance"


# %%
bet("ten_nearest")

# %%
draw = np.random.default_rng(0)
stored, question = draw.normal(size=(1000, 64)), draw.normal(size=64)
by_angle = np.argsort(-cosine(question, stored))[:10]
by_distance = np.argsort(norm(stored - question))[:10]
for name, ten in (("all", stored), ("cosine", stored[by_angle]), ("distance", stored[by_distance])):
    print(f"{name:8} mean length {norm(ten).mean():.1f}")
settle("ten_nearest", len(set(by_angle) & set(by_distance)))

# %% [markdown]
# Distance prefers short vectors: a long one is far away even when it points well. At length 1 that is
# over, because then the squared distance is 2 - 2 · cosine, and both rank alike:

# %%
ring, asker = unit_rows(stored), unit_rows(question[None])[0]
print("distance² is 2 - 2 cos:", np.allclose(norm(ring - asker) ** 2, 2 - 2 * (ring @ asker)))

# %% [markdown]
# *What does each of the three metrics look for?* Here is one of the stores by all of them. The arrow is the question.
# A row in the shaded area would have come before the filled one. Above each column stands the shape of this area.

# %%
show_metrics("notes")

# %% [markdown]
# How do you ask for each of the three? With pgvector, an add-on to the Postgres database, you choose the metric by an
# operator. (`:question` is the question's vector.)
#
# ```sql
# SELECT page FROM notes ORDER BY v <=> :question LIMIT 3;  -- <=> cosine, <#> inner product, <-> distance
# ```
#
# Each operator gives a number that is *smaller* for the better page, so never write `DESC`.
#
# And does somebody bring your vectors to length 1, so that you need not choose?
#
# | place | what you can ask for | are vectors brought to length 1? |
# |---|---|---|
# | pgvector | `<=>` is 1 - cosine, `<#>` the inner product with its sign turned, `<->` the distance. Each time the smallest comes first. An index serves only the operator for which it was built (`vector_cosine_ops` for `<=>`) | not by itself |
# | Faiss | distance (what it gives back is squared), or the inner product if you choose it | only if you do it |
# | Milvus | distance, inner product and cosine | not by itself |
# | a recommender of films or songs | | often not: what many people like tends to get a long vector, and there length may count (Google, *Recommendation Systems*) |
# | sentence vectors (Sentence Transformers) | | some models end in a step that normalises; `encode` has an option for it that is off by default |
# | learning from pairs of pictures and texts (CLIP) | the cosine, times a learned number | yes |
#
# For the cosine in Faiss you bring the rows to length 1 and choose the inner product. With millions of rows an index is
# mostly approximate.

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
# Strangers crowd around 0, so what is not a stranger stands out. A cosine of .2, the thin line, is nothing
# special among vectors of 64 entries, and at 768 no stranger comes near it. That is why search by cosine
# works with vectors of many hundred entries. But these strangers have the mean 0. Let all of them share
# a part, here a 1 in every entry:

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
# *Does attention avoid the cosine because it is slower?* That depends on where you divide.
#
# #### Exercise: `cosine_matrix`
#
# Row i, column j holds the cosine of query i and key j. There are two ways. You can make the table of
# dot products and divide it by the lengths afterwards, or shrink the vectors first. Choose one, and no
# loop is needed. Before you choose: which way lets a search engine do part of the work at night, when
# its keys are stored and nobody has asked yet?


# %% exercise="cosine_matrix"


# %% [markdown]
# <details><summary>Which way lets part of the work be done at night?</summary>
#
# Shrinking first: the keys can be brought to length 1 as soon as they are stored. A table of dot
# products exists only after the question has come.
# </details>
#
# Now count. A dot product of width d takes d multiplications and about as many additions, so for every
# pair 2 d operations. Bringing a row to length 1 takes about 3 d: squares, their sum, divisions.

# %%
bet("surcharge")

# %%
for n in (1, 10, 100, 1000):
    plain, dear = (score_cost(kind, n, n, 64).flops for kind in ("dot", "cosine"))
    print(f"{n:4} queries with {n:4} keys: {100 * (dear / plain - 1):5.1f} percent more")
settle("surcharge", 100 * (dear / plain - 1))

# %% [markdown]
# For one pair by itself, 300 percent more: the cosine takes four times the operations. But rows are
# normalised once, (t + s) of them, for t · s pairs: the more there are, the smaller the share.
#
# Operations are not seconds. This was measured with 1000 queries and 1000 keys, all in one thread:


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
# measurement itself can be trusted. There are three things to see. Normalising costs more than its
# operations, because every number has to pass through memory, and still far less than the dot products.
# A second pass over the finished table, one division for each pair, costs about one half more at width
# 64. At width 768 the order turns (1.30 against 1.09), because the rows have twelve times as many numbers
# and the table is as large as before. And rows that are stored at length 1 cost nothing.
#
# The last one is what search engines do: what is stored comes to length 1 before it goes into the index. (In Faiss you do that yourself. Our `FlatIndex` does it if you ask.) From
# then on each search is one matrix product.

# %%
index = FlatIndex(len(words), normalized=True)
index.add(counts)  # the lengths are paid for here, once
questions = counts[[words.index("kitten"), words.index("plum")]]
_, places = index.search(questions, 4)  # it gives back scores and places
print("the same places as yours:", (places == search(counts, questions, 4)).all())

# %% [markdown]
# And on your machine? Write `True` in the next cell and run it; it takes about a minute.

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
# #### Exercise: `additive_scores`
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
# The bilinear score costs 6 percent more than the dot product at width 64, and 77 at 768, if $q W$ is
# computed once for each query and then meets all keys: the more keys, the less. Anew for every pair, it is
# another story:

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
draw = np.random.default_rng(0)
x, w_q, w_k = (draw.normal(size=shape) for shape in ((5, 16), (16, 4), (16, 4)))
same = np.allclose((x @ w_q) @ (x @ w_k).T, bilinear_scores(x, x, w_q @ w_k.T))
print("same scores:", same, "  parameters:", w_q.size + w_k.size, "instead of", 16 * 16)

# %% [markdown]
# How long they took, for 1000 queries and 1000 keys, has been recorded, for the cosine too. Which score is slow, and why?

# %%
bet("slowest")

# %%
record = recorded()
print(f"{'width':32} {'64':>7}  {'768':>7}")
ways = ("cosine, rows brought to length 1", "bilinear, q w once", "additive")
for way in (*ways, "additive, without its tanh", "bilinear, pair by pair"):
    found = [record["ratios"][width][way][0] for width in ("64", "768")]
    print(f"{way:32} {found[0]:7,.1f}x {found[1]:7,.1f}x")
settle("slowest", [record["ratios"]["64"][way][0] for way in ways])

# %% [markdown]
# *Is the additive score slow because it cannot be computed in parallel?* No: every pair can be computed
# at once, and no pair waits for another. What it lacks is the form of a matrix product, for which
# processors are built. A million pairs need a tanh for each of their f numbers, and all of these have to
# pass through memory. And the bilinear score is slow only pair by pair, in our plain loop with Python in
# between.
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
# These are computed from the data sheet, not measured. Between the smallest and the largest lies a
# factor of about nine thousand: a score has no time of its own, only with its width and its method.

# %% [markdown] depth
# ### Depth: which way to move a key, and where scores saturate
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
# #### Exercise: `cosine_gradient`
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
#
# *And where does learning come to a halt?* Where a score saturates: a change of the input hardly changes
# the output any more. The additive score, the dot product's old rival, is
# $v \cdot \tanh(q W_q + k W_k)$, and tanh squeezes every number into -1 to 1. Its
# gradient for a query is $W_q\,(v \cdot (1 - \tanh^2))$, entry by entry inside the brackets: where tanh
# is near 1 or -1, it fades. `slopes` checks the formula with small steps.

# %%
seeded = np.random.default_rng(0)
w_q, w_k, v = seeded.normal(size=(8, 5)), seeded.normal(size=(8, 5)), seeded.normal(size=5)
query, key = seeded.normal(size=(2, 8))
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
        query, ten = seeded.normal(size=d), seeded.normal(size=(10, d))
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
# *Why the dot product?* Many reasons come to mind. Some are mathematical (a length, an angle, simple
# gradients), some are about engineering (one matrix product, nothing to store), and one is practical (it
# works). Judge six sentences by what you have measured: in the part above, and in the sections on what a
# cosine costs, on two other scores (its second half says what runs in parallel) and on where scores
# saturate.
#
# #### Exercise: `surviving_reasons`
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
# | 2017 | Vaswani et al. | the Transformer: scaled dot products, several heads, self-attention without recurrence |
# | 2018 | BERT | a Transformer's encoder, trained on gaps in texts |
# | 2019 | GPT-2; T5 | a Transformer's decoder; encoder and decoder, without the division by the root of the width |
# | 2020 | GPT-3 | larger again |
# | 2023 | LLaMA | a family of models whose parameters were given to researchers |
# | 2024 | DeepSeek-V2 | dot products of keys that are unpacked from a short common vector (multi-head latent attention) |
#
# Nearly all large language models are built on dot products. Mamba and RWKV (both 2023) do without
# attention. And a Transformer is more than its attention: in GPT-2, two thirds of a block's
# parameters stand in the network behind it.
#
# **Next:** [chapter 3](03_scaling.ipynb)
