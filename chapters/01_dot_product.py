# %% [markdown] minutes=2
# # 1 · The dot product: one number for agreement
#
# *The dog left the apple on the table because it was sweet.* What does *it* mean? You read to the end and look back:
# *apple* fits best. Had the last word been *tired*, you would have chosen the dog.
#
# A language model guesses one word after another. Will *so I ate it* follow, or *so I fed it*? That depends on what
# *it* means, so the model looks back, too. It gives each word a number: the better the word fits, the larger the number
# should be. This number is a small sum, the *dot product*.
#
# The part before "Depth" takes 40 minutes to an hour. Stored results give the bets away: clear them first (*Edit, Clear
# Outputs of All Cells*).
#
# <details><summary>How a chapter works, if you did not begin with chapter 0</summary>
#
# You **bet** on an answer, **run** the cell (Shift+Enter), take hold of a picture, and **do** the exercise.
# Where your answer is unfinished or wrong, the cells below use the course's. After three folded hints,
# `reveal("dot")` in a new cell prints an answer to `dot`.
#
# A `SyntaxError` stops *Run all*: correct it and run on. After you reopen the notebook, choose *Run, Run All Above
# Selected Cell*: pictures and bets sleep until then.
# </details>

# %%
import numpy as np

from course_lib.chapters.dot_product import *

# %%
show_look_back()

# %% [markdown]
# Below each word before *it* stands its *weight*: how much of its attention *it* gives to the word. With *sweet* the
# apple gets .93, or 93 percent. (*The*, *on* and arcs for .00 are left out.)
#
# Soon you write three lines of code, called *attention*, that draw such arcs and run in the model of
# [chapter 0](00_start_here.ipynb). Two of them are the dark boxes on the map below; the third, *weights*, calls a
# function of chapter 4. How a later word can decide, you play at the end.

# %%
show_road_map(1)

# %% [markdown] minutes=1
# ## Three questions before you start
#
# 1. Python: `def f(a): return 2 * a`. What is `f(3)`? And `[4, 5, 6][0]`?
# 2. Minus signs: how much is 2 · (-1) + (-1) · (-3) + 0 · 5?
# 3. Triangles: how long is the straight line from (0, 0) to (4, 3)?
#
# <details><summary>Answers</summary>
#
# 1. 6, and 4: places are counted from 0.
# 2. 1, which is -2 and 3 and 0 added up. Minus times minus is plus.
# 3. 5, by Pythagoras: the square root of 4² + 3² = 25.
# </details>

# %% [markdown] minutes=1
# ## Multiply entry by entry, then add
#
# *What is the dot product of [1, 2, 3] and [4, 5, 6]?* Such a list of numbers is a *vector*, and its
# numbers are its *entries*. Entries in the same place meet: 1 with 4, 2 with 5, 3 with 6. You multiply
# each pair, and add up the products. The sum is written $a \cdot b$.

# %%
a = np.array([1, 2, 3])
b = np.array([4, 5, 6])
print(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])  # 4 + 10 + 18

# %% [markdown] card="arrays"

# %% [markdown] minutes=3
# ### Exercise: `dot`
#
# Your `dot` makes all such sums from here on. It takes vectors of any *width*, which is how many entries they have: of
# [1, 2] and [3, 10] it makes 23. `(d,)` means an array of d numbers.
#
# <details><summary>The same as a formula</summary>
#
# $a \cdot b = \sum_{i=1}^{d} a_i b_i$. The sign $\sum$ means "add up", and d is the width. A formula counts from 1, so
# $a_1$ is what Python calls `a[0]`.
# </details>


# %% exercise="dot"


# %% [markdown] minutes=2
# ## Each entry votes
#
# *Is a cat like a dog?* Both are animals, but only one barks. Give each word a number for each of four *traits*:
# positive if the trait fits, negative if it does not, and 0 if nobody can tell. (The numbers are invented.)
#
# Each product is a vote, drawn as a bar: a grey one for being alike, a yellow one against it. Neither animal
# is a fruit, so both have -1 there. Which way will that bar vote? Guess, and run.

# %%
traits = ["animal", "barks", "fruit", "big"]
cat, dog = np.array([2, -1, -1, -1]), np.array([2, 2, -1, 0])
show_votes(traits, cat, dog, ["cat", "dog"])

# %% [markdown]
# The bar of *fruit* votes *for* being alike, as minus times minus is plus. To agree means to have the same sign. Size
# counts as well: *animal* has the longest bar.

# %% [markdown] minutes=4
# ## The same number is made of two lengths and an angle
#
# *How much of a dot product is fit, and how much is size?* Double every number of the cat, and its dot product with the
# dog is 6 in place of 3. Yet they are no more alike. An arrow tells fit from size, by its direction and its length.
#
# The arrow [4, 3] goes 4 to the right and 3 up. By Pythagoras its length is 5, like that of
# [3, 4]. Their dot product is 24.
#
# The pale arrows are these two. What has happened to them?

# %%
flat, steep = np.array([4, 3]), np.array([3, 4])
show_turned(flat, steep)

# %% [markdown]
# Both were turned together, until the blue one lay flat along a ruler. Now they are [5, 0] and [4.8, 1.4]. Their dot
# product is 5 · 4.8 + 0 · 1.4, which is 24 again. Turn both by other angles:

# %%
for degrees in (0, 50, 180):  # put in an angle of your own, too
    print(round(dot(turned(flat, degrees), turned(steep, degrees)), 6))

# %% [markdown]
# It is always 24: turning changes neither the two lengths nor the distance between the tips, and these three numbers
# decide the dot product.
#
# <details><summary>How do they decide it?</summary>
#
# Square them: 25 and 25 and, as the tips are 1 apart in each entry, 1 + 1 = 2. Now 25 + 25 - 2 is 48, twice the 24.
# With $|a|$ for a length: $|a-b|^2 = |a|^2 + |b|^2 - 2\,a \cdot b$. Depth proves it.
# </details>
#
# 0 times 1.4 is 0, so 5 · 4.8 is left. The 5 is the *length* of the blue arrow. The 4.8 is how far the orange one
# reaches along it: its *reach*. Turn any two arrows until one lies flat, and you see:
#
# **A dot product is length times reach.** The apple will win because its arrow reaches furthest along *it*.

# %% [markdown] minutes=3
# ### Slide: turn it, stretch it
#
# *What does such a number look like?* A rectangle hangs below the orange `b`. It is as wide as the reach, and as high
# as the blue `a` is long (a *copy of a*, turned down). So its area is length times reach.
#
# At 0° the area is largest, 3 · 4 = 12. At which angle is half of it left? Guess, run, and drag the tip of `b`.

# %%
explore_two_vectors(dot=dot)

# %% [markdown]
# <details><summary>Half as large: were you at 45 degrees?</summary>
#
# No, at 60: there `b` reaches half of its length, and at 45 degrees still 2.83 of its 4. Turned up from 0°, the
# tip at first mostly rises, and moves back only a little.
# </details>
#
# Now turn `b` past 90°: the reach points backwards, and the area, white now, counts as minus.

# %% [markdown] minutes=2
# ### Each angle has its share
#
# On the ruler, the orange arrow was 5 long and reached 4.8. *How far does an arrow reach that is 10 long, at the same
# angle?*
#
# Divide the dot product by the length of the blue arrow, and the reach is left. (`norm` gives a length.)

# %%
longer = 2 * steep  # [6, 8]: the orange arrow, twice as long
print(norm(longer), dot(flat, longer), dot(flat, longer) / norm(flat))  # length, product, reach

# %% [markdown]
# Twice as long, it reaches twice as far: at this angle, every arrow reaches 0.96 of its length.
#
# This share is called the *cosine* of the angle. At 0° all of `b` reaches along `a`: the cosine is 1. At 90° the two
# are *orthogonal*, and it is 0. At 180° it is -1.
#
# So the dot product of [4, 3] and [6, 8] is 5 · 10 · 0.96 = 48: length times length times cosine. In letters, with
# $|a|$ for the length of $a$ and $\theta$ ("theta") for the angle:
#
# $$a \cdot b = |a|\,|b|\,\cos\theta$$
#
# Nobody can draw four entries. But let two pencils start at one point: one flat sheet fits both. So length, reach and
# angle keep their meaning.
#
# **This is a good place for a break.**

# %% [markdown] minutes=2
# ## Does a larger dot product mean a closer direction?
#
# *Could the table win over the apple, if its arrow were long enough?* From here on one vector asks: the *query*.
# The others are asked: the *keys*.

# %%
bet("louder")

# %%
q_flat, key_a = np.array([1, 0]), np.array([1, 0])
key_b = 5 * np.array([np.cos(np.radians(80)), np.sin(np.radians(80))])  # 5 long, at 80 degrees
settle("louder", (dot(q_flat, key_a), dot(q_flat, key_b)))
show_two_keys(q_flat, (key_a, key_b), ("A", "B"))  # the grey field is for the exercise below

# %% [markdown] minutes=4
# ### Exercise: `near_and_loud`
#
# B has lost: its tip lies left of the grey field. Make a long key that wins, a *loud* one, with its tip in the grey.
# There it reaches further than A, though at most 5 long and at least 60 degrees away from the query.
#
# `near` is key A. As the query is [1, 0], its dot product with a key is the key's first entry.


# %% exercise="near_and_loud"


# %%
show_two_keys(q_flat, near_and_loud(q_flat))

# %% [markdown]
# So a larger dot product need not mean a closer direction: the reach along the query decides.

# %% [markdown] minutes=3
# ## Attention is three lines
#
# *"Rex barked." Who is Rex?* Whatever barks is usually an animal, and never a fruit: so you know something about Rex.
# Attention does the same. Rex asks a kitten, a puppy, a pear and a tree who else barks: his query has a 1
# for *barks*, and 0 leaves the rest open.
#
# The first line makes the **scores**: the dot products of the query with the keys, the rows of `keys`. Work out
# the puppy's score before you run.

# %%
asked = ["kitten", "puppy", "pear", "tree"]
keys = np.array([[2, -1, -1, -2], [2, 3, -1, -1], [-2, -1, 2, -1], [-2, -1, -1, 4]])
rex = np.array([0, 1, 0, 0])  # animal, barks, fruit, big
kitten, puppy, pear, tree = keys
rex_scores = np.array([dot(rex, kitten), dot(rex, puppy), dot(rex, pear), dot(rex, tree)])
print(asked, rex_scores)

# %% [markdown]
# The second line makes **weights** of the scores: all above 0, and together 1. The function for it is given: the
# **softmax**. Whoever scores 1 more gets a weight about 2.718 times as large. The puppy, 4 ahead of the others, gets
# 2.718⁴ = 54.6 parts, where each of them gets 1. A weight is a share of all parts: the kitten's is
# 1 / (1 + 54.6 + 1 + 1).

# %%
rex_weights = softmax(rex_scores)
print(asked, rex_weights.round(3), "puppy / kitten:", (rex_weights[1] / rex_weights[0]).round(1))

# %% [markdown]
# The third line mixes the **values** by these weights. **A word is found by its key, and what it tells is its value.**
# (You find a doctor by her sign, and take home her advice.) Here both are the same numbers. A model makes
# two sets (chapter 5).
#
# *Is Rex an animal?* Kitten and puppy say 2, pear and tree say -2. Each counts as much as its weight. So the weights
# meet the column *animal* in a dot product, then each other column. `@` does all four: `rex_weights @ values`.

# %%
values = keys
show_mixing("Rex", rex_weights, values, asked, traits)
print((rex_weights @ values).round(3))  # the purple row

# %% [markdown]
# The purple row is the **output**: Rex has become an animal that barks, no fruit, and rather small. He asked for barking
# alone, and took the rest from the words that agree with him.

# %% [markdown] minutes=4
# ### Exercise: `ask_for_the_kitten`
#
# Rex asked for barking, [0, 1, 0, 0], and so he became a puppy. What must he ask to become a kitten? Return a list of
# four numbers, each from -1 to 1, with which the *kitten* gets a weight above 0.9.
#
# A number below 0 asks against a trait: with [0, 0, -1, 0] the pear scores -2, the others 1.
#
# | | animal | barks | fruit | big |
# |---|---|---|---|---|
# | kitten | 2 | -1 | -1 | -2 |
# | puppy | 2 | 3 | -1 | -1 |
# | pear | -2 | -1 | 2 | -1 |
# | tree | -2 | -1 | -1 | 4 |


# %% exercise="ask_for_the_kitten"


# %% [markdown] minutes=3
# ## One matrix product asks about every pair
#
# *In a long text millions of pairs meet. Must you call `dot` for each?* Put the queries into a table, a *matrix*,
# each in a row. Then `@` does for every row what it did for Rex's weights: **each row on the left meets each column on
# the right**, in a dot product.
#
# But the keys stand in rows. Their *transpose*, `keys.T`, has these rows as columns. Work out *you · puppy*, then run.

# %%
queries = np.array([rex, ask_for_the_kitten(keys)])
show_meeting(queries, keys, ["Rex", "you"], asked, traits)

# %% [markdown]
# So the scores have a row for each query, and a column for each key. A *shape* tells the number of rows, then of
# columns: read the last line of the picture. The two in bold have to agree: a query has as many numbers as a key.
#
# **The values stay as they are:** the weights meet their columns, such as *animal*. Two rows of weights make two
# outputs: the first hears kitten and puppy by half, the second the pear.

# %%
print([[0.5, 0.5, 0, 0], [0, 0, 1, 0]] @ values)  # (2 queries, 4 keys) @ (4 keys, 4 traits)

# %% [markdown] minutes=6
# ### Exercise: `attention`
#
# Scores, weights, output: write these three lines for any number of queries. Queries, keys and values are the rows
# of `q`, `k` and `v`. `softmax` works row by row.


# %% exercise="attention"


# %% [markdown]
# <details><summary>What comes out of your lines, if all scores are equal?</summary>
#
# The mean of the values, as equal scores make equal weights. A query of zeros shows it:
# `attention(np.zeros((1, 4)), keys, values)`.
# </details>


# %% [markdown] minutes=4
# ### Slide: whom does "it" mean?
#
# Each word of the first sentence is now an invented arrow, key and value at once. To the right means alive, upwards
# good to eat.
#
# *How can "it" know the last word?* Here *it* may also hear later words; the model of chapter 0 may not. A model
# uses attention several times in a row, so *it* asks twice:
#
# 1. **First, *it* asks the last word** (grey). Your hand does this step: drag the blue query to where that word would
#    send it.
# 2. **Then, *it* asks the words before it.** Your code draws the arcs and the purple output.
#
# Try *tired* first: *it* must be alive, so drag right, until the purple arrow ends around the dog.

# %%
explore_own_attention(attention=attention)

# %% [markdown]
# **Your lines have drawn arcs like those at the top.** The apple wins by fit, not by size: dog, apple
# and table are all about 2 long.

# %% [markdown] minutes=1
# ## Your lines run in the model of chapter 0
#
# *Do your lines work with numbers that a model has learned?* *giraffe pogir* ends in *gir*. After the earlier
# *gir* came *affe p*, so the model of chapter 0 goes on with this.
#
# A *head* is a place where the model uses attention. `with_heads` puts your lines there.
#
# <details><summary>What do your lines get there?</summary>
#
# One query at a time, already divided by a number (*scale* on the map), with the keys and values up to
# its place (*hide*). So no letter hears a later one.
# </details>

# %%
text, model = "giraffe pogir", load_copying()
print(f"its own lines: {text}|{model.continued(text, 6)}")
by_three = model.with_heads(range(1, 9), attention)  # all eight heads: 1 to 8 (9 is left out)
print(f"three lines:   {text}|{by_three.continued(text, 6)}")

# %% [markdown]
# The model copies by your lines. *Does it need the second one, the softmax?* Without it, the scores mix all values,
# some with a minus. For Rex *animal* is -2 + 6 + 2 + 2 = 8, though no word has more than 2:

# %%
print(traits, rex_scores @ values)
bet("no_softmax")

# %%
bare = model.with_heads(range(1, 9), lambda q, k, v: q @ k.T @ v)  # lambda: a function in one line
print(f"no softmax:    {text}|{bare.continued(text, 6)}")
settle("no_softmax", bare.continued(text, 6))

# %% [markdown] minutes=1
# ## What you can now say
#
# - The dot product multiplies entry by entry and adds. It is length · length · cosine.
# - One matrix product asks about every pair. Softmax and a second product make attention of it.

# %%
progress()

# %% [markdown]
# ### Where this occurs in a large language model
#
# Llama-3-8B has 32 layers of 32 heads (Grattafiori et al., 2024): for one word after 1000 others it makes
# 32 · 32 · 1000 such sums as scores, over a million.
#
# ### Test yourself
#
# <details><summary>Somebody says: "its dot product with the query is larger, so it points closer
# to the query." Name a case in which that is certain, and one in which it is not.</summary>
#
# It is certain if both keys have the same length: then they differ in the angle alone. It is not if the winner is the
# longer key: it can win from further away, as your `loud` did.
# </details>
#
# **Next:** [chapter 2](02_cosine_or_dot.ipynb) asks what happens when one key shouts, and whether the
# cosine is the cure.

# %% [markdown] depth
# ## Depth: ten sections, if you want more
#
# Open this heading and choose. Each section stands by itself, once you have run the part above.
#
# | section | what it is good for | minutes |
# |---|---|---|
# | why multiply-and-add knows the angle | why turning keeps the sum, the proof, and three arrows to find on paper | 9 |
# | the table of scores, cell by cell | your first line as a function of its own, and a search in its table | 8 |
# | how does *invited* share its attention? | the course's running sentence; does length or direction decide? | 7 |
# | how many meanings fit into 512 numbers? | a bet on ten times too many directions, and a picture to move | 9 |
# | keys and values go separate ways | legs, a bet on the puppy, how a head shows its weights, and a bet on turning all scores | 9 |
# | which wrong transposes numpy catches | a bet on a forgotten `.T`; tables of tables; and what a table of words with themselves tells | 6 |
# | where else the sum occurs | why a GPU likes matrix products; places in a model, a classifier, a search | 4 |
# | an angle that arccos cannot see | two exercises on rounding: angles of a billionth | 15 |
# | two sayings that break | two exercises: on the reach, and on "unrelated" | 13 |
# | three ways to score, and only one that adds up | two rivals of the dot product, and an exercise | 15 |

# %% [markdown] depth card="words"

# %% [markdown] depth
# ### Depth: why multiply-and-add knows the angle
#
# *In the core you turned [4, 3] and [3, 4], and the 24 stayed. Why?* The core has a fold on it: turning keeps both
# lengths, and the distance between the tips, and these three decide the 24, as $2 = 25 + 25 - 2 \cdot 24$.

# %%
for x, y in ((flat, steep), (np.array([5, 0]), np.array([4.8, 1.4]))):
    print(f"dot {dot(x, y):.0f}, distance between the tips, squared: {norm(x - y) ** 2:.0f}")

# %% [markdown]
# Why twice the 24? The first entries alone, 4 and 3, make 4² + 3² - (4 - 3)² = 24, twice 4 · 3. The same works for any
# two arrows, with any number of entries. Two arrows $a$ and $b$ span a triangle with the third side $a - b$. Multiply
# out the square of one of its entries:
#
# $$(a_i - b_i)^2 = a_i^2 + b_i^2 - 2\,a_i b_i$$
#
# Add this up over all entries. The first terms make $|a|^2$, the second ones $|b|^2$:
#
# $$|a-b|^2 = |a|^2 + |b|^2 - 2 \sum_i a_i b_i$$
#
# The law of cosines (Al-Kashi's theorem) says the same of any triangle, with $|a||b|\cos\theta$ in the last place. So
# the two are equal. In more than three dimensions the triangle still lies in a plane, the one that $a$ and $b$ span,
# and the law holds there. That the cosine never leaves -1 to 1 is the Cauchy-Schwarz inequality.
# (Some write $\|a\|$ for the length.)

# %%
rng = np.random.default_rng(0)
x5, y5 = rng.normal(size=5), rng.normal(size=5)
left, right = norm(x5 - y5) ** 2, norm(x5) ** 2 + norm(y5) ** 2 - 2 * dot(x5, y5)
print(f"{left:.6f} = {right:.6f}")

# %% [markdown]
# In the triangle of the core, the reach of 4.8 is the *adjacent side*, beside the angle, and the orange arrow is the
# *hypotenuse*. Their quotient, 0.96, is the cosine of school. Does the angle belong to it? Here the two arrows lie
# under a protractor. Its marks are 5 degrees apart, and `np.arctan2`, numpy's protractor, reads off more digits.

# %%
show_protractor(flat, steep)

# %% [markdown]
# `np.arctan2` gives *radians*, which `np.cos` wants; `np.radians` makes them of degrees. Now 1000 pairs of arrows in
# the plane, drawn at random.


# %%
def by_angle(x, y):
    """Length times length times the cosine of the measured angle."""
    between = np.arctan2(y[1], y[0]) - np.arctan2(x[1], x[0])
    return norm(x) * norm(y) * np.cos(between)


pairs = np.random.default_rng(2).normal(size=(1000, 2, 2))
gaps = [abs(dot(x, y) - by_angle(x, y)) for x, y in pairs]
print("every difference is below a billionth:", max(gaps) < 1e-9)

# %% [markdown]
# No pair may have a cosine beyond 1 or -1. Here are 100,000 pairs of width 5: how close does one come?

# %%
xs, ys = rng.normal(size=(2, 100_000, 5))
largest = np.abs((xs * ys).sum(axis=1) / (norm(xs) * norm(ys))).max()
print(f"largest |cosine| of 100,000 pairs: {largest:.4f}")

# %% [markdown]
# The eight angles worth knowing, and the sign: positive below 90 degrees, zero there, negative
# above.

# %%
for degrees in (0, 30, 45, 60, 90, 120, 135, 180):
    print(f"{degrees:4} degrees  cosine {np.cos(np.radians(degrees)):5.2f}")

# %% [markdown]
# Three of them in numbers: [4, 3] meets itself, then [-3, 4] at a right angle to it, then its opposite. All are 5 long.

# %%
for other in (flat, np.array([-3, 4]), -flat):
    print(f"{dot(flat, other):3.0f} / 25 = {cosine(flat, other):.0f}")

# %% [markdown]
# *And if you know the entries, but not the angle?* Divide the dot product by both lengths:
#
# $$\cos\theta = \frac{a \cdot b}{|a|\,|b|}$$
#
# Nobody can draw cat and dog with their four entries. But two arrows from one point always lie on one flat sheet, so
# these two have an angle, too. Find it on paper, and then double the cat once more. Which of the numbers stay?

# %%
for animal in (cat, 2 * cat):
    print(
        f"{dot(animal, dog):.0f} / ({norm(animal):.2f} * {norm(dog):.2f}) = {cosine(animal, dog):.2f}"
    )

# %% [markdown]
# The dot product doubles, as the length does. The cosine stays: it tells the fit alone. It belongs to 68 degrees.
#
# <details><summary>Is [4.8, 1.4] the second arrow, turned?</summary>
#
# Yes. It is as long as before, as 4.8² + 1.4² = 25 = 5², and as far from the other tip, as worked out above. Both
# hold for [4.8, -1.4], too, but that is the mirror image: it lies on the other side of the first arrow.
# </details>
#
# **Now you, on paper.** Find (a) a vector of length 5 whose dot product with [3, 4] is 0, (b) a vector of any length
# for which it is 25, and (c) one of length 5 for which it is -25. Of which is there more than one?
#
# <details><summary>Draw them, then open this.</summary>
#
# (a) [4, -3] or [-4, 3], at a right angle to it. (b) [3, 4] itself, but also [-1, 7] and many more: all
# that counts is that it reaches 5 along [3, 4]. (c) Only [-3, -4], the opposite.
# </details>
# <details><summary>On paper: which angle do [2, 0] and [3, 3] make? Use the sum.</summary>
#
# The sum is 6, the lengths are 2 and √18, about 4.24. So the cosine is 0.71, and the angle 45 degrees.
# </details>

# %% [markdown] depth
# ### Depth: the table of scores, cell by cell
#
# The first of your three lines makes one number for every query and every key. Here it becomes a function
# of its own, which you can test alone.

# %% [markdown] depth card="tables"

# %% [markdown] depth
# #### Exercise: `pairwise_dots`
#
# `q` holds t queries, one in each row. `k` holds s keys, one in each row as well. Row i, column j of your
# table should be the dot product of query i and key j.


# %% exercise="pairwise_dots"


# %% [markdown]
# The picture covers the 12 scores of three queries and four keys, and shows one of them. Blue is the query
# and orange the key, as in the core. Grey is above zero, yellow below. You could visit all 12
# cells. But q and k tell you more than you may think.

# %%
explore_rows_and_columns(pairwise_dots=pairwise_dots)

# %% [markdown] depth
# ### Depth: how does *invited* share its attention?
#
# One sentence comes back in many chapters, the *running sentence*: 小沈阳江西演唱会邀请了, "Xiao
# Shenyang's Jiangxi concert invited ...". Its words have three invented numbers each here. *Invited*, 邀请,
# asks itself and the three characters of the singer's name.

# %%
names = ["xiao 小", "shen 沈", "yang 阳", "invited 邀请"]
words = np.array([[0.2, 0.8, 0.3], [0.3, 0.7, 0.4], [0.1, 0.9, 0.2], [0.8, 0.2, 0.7]])
invited = words[3]
for name, weight in zip(names, softmax(invited @ words.T), strict=True):
    print(f"{name:12} {weight:.3f}")

# %% [markdown]
# Rex was sure, with 0.948 for the puppy. *Invited* is not: the shares of the name are almost level. What
# makes attention sharp or dull is the question of chapter 3.
#
# <details><summary>What is the 2.718 of the softmax?</summary>
#
# It is the number e: the key with score $s_i$ gets $e^{s_i} / \sum_j e^{s_j}$.
# </details>
#
# Here are all four words, each asking each.
# Rows are the words that ask, columns the words that are asked.

# %%
spelled = ["xiao", "shen", "yang", "invited"]
show_scores_among(words, spelled)

# %% [markdown]
# The last row holds the scores of *invited*: 0.53, 0.66 and 0.40 for the name, and 1.17 for itself. Look at
# the first row: *xiao* scores 0.80 with *yang* and 0.77 with itself, because *yang* is the longer vector.
# *invited* ranks shen before xiao before yang. Does that come from their directions, or from their
# lengths?

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
# (*log-normal*: above 0, most of them between 0.6 and 1.6), and count how often dot product and cosine choose
# another winner.

# %%
rng = np.random.default_rng(0)
for s in (2, 10, 100, 1000):
    others = 0
    for _ in range(1000):
        query, drawn = rng.normal(size=64), rng.normal(size=(s, 64))
        cosines = drawn @ query / (norm(drawn) * norm(query))
        dots = cosines * np.exp(0.5 * rng.normal(size=s))
        others += cosines.argmax() != dots.argmax()
    print(f"{s:4} keys: another winner in {others / 1000:.0%} of the draws")

# %% [markdown] depth
# ### Depth: how many meanings fit into 512 numbers?
#
# Suppose that each meaning gets a direction of its own, perpendicular to all the others: dot product
# 0, so that none is taken for another. In the plane there is room for two such directions, in space for
# three, and among vectors of width 512 for 512. (One also says "in 512 *dimensions*".) Nobody can draw
# an angle in 512 dimensions. It is what the formula makes of the dot product and two lengths, and it
# behaves like any other angle.
#
# *What if almost perpendicular is enough?* Draw ten times as many directions at random.

# %%
bet("strangers")

# %% [markdown]
# `random_directions` draws vectors of length 1, every direction as likely as any other.
# `largest_cosine` takes the cosine of every pair, and returns the one that is furthest from 0.


# %%
def worst_pair(seed):
    """How many degrees off perpendicular the worst pair of 5120 random directions is."""
    directions = random_directions(5120, 512, np.random.default_rng(seed))
    return 90 - np.degrees(np.arccos(largest_cosine(directions)))


worst = worst_pair(0)
print(f"the worst of 13 million pairs is {worst:.1f} degrees off perpendicular")
settle("strangers", worst)

# %% [markdown]
# Was that draw lucky? Here are four others:

# %%
for seed in range(1, 5):
    print(f"{worst_pair(seed):.1f}", end=" ")

# %% [markdown]
# So there is room for far more meanings than numbers, if each may be a little bit off.

# %% [markdown]
# How fast does the room grow? *How many dimensions does it take until ten times as many directions are all almost
# perpendicular?* You start with 30 directions in three dimensions. Their 435 pairs meet at every angle. That start
# stays behind as an outline.

# %%
explore_random_directions()

# %% [markdown]
# <details><summary>And 10,000 directions in 1000 dimensions: within how many degrees of perpendicular
# would they all stay?</summary>
#
# Within about 10 degrees (one draw gave 10.4). The picture ends at 256 dimensions. 1000 are about four
# times as many, and that halves the typical cosine, which goes with $1/\sqrt d$, as you read next.
# </details>
#
# How large is a typical cosine of two random directions? Its typical size (the *standard deviation*)
# is $1/\sqrt d$. Where does the root come from? A unit vector of width d has squared entries that
# share out 1, so a typical entry is $1/\sqrt d$, and the cosine with any fixed direction is such an
# entry, seen from that direction. So the same cosine of 0.2 means little in the plane and a lot in 768
# dimensions, the width of GPT-2 small (Radford et al., 2019). Larger models are several thousand wide,
# and one attention head of theirs usually 64 to 128.

# %%
draw = np.random.default_rng(1)
for d in (2, 64, 768, 4096):
    fifties = [cosine(*draw.normal(size=(2, 50, d))) for _ in range(100)]
    cosines = np.concatenate(fifties)
    share = (np.abs(cosines) > 0.1).mean()
    print(f"d = {d:4}  spread {cosines.std():.3f}  1/sqrt(d) {d**-0.5:.3f}  over 0.1: {share:.0%}")

# %% [markdown] depth
# ### Depth: keys and values go separate ways
#
# *By its key a word is found; its value is what it tells.* Let the values tell what no key mentions: how many *legs*
# each one has. How many will Rex get?

# %%
askers = np.array([rex, cat, dog, [-2, -1, 3, -1]])  # the last row is the apple
legs = np.array([[4], [4], [0], [0]])  # the values of kitten, puppy, pear and tree
print("legs of Rex, cat, dog, apple:", attention(askers, keys, legs)[:, 0].round(2))

# %% [markdown]
# Rex lacks a piece of a leg, as he listens a little to pear and tree.
#
# *What changes if only a value does?* The four ask again for traits. But the puppy has grown up.

# %%
bet("puppy_grows")

# %%
heard = attention(askers, keys, keys)  # each one takes over the traits of what is most like it
print(heard.round(2))
grown = keys.copy()
grown[1, 3] = 3  # the puppy's row, the column big
changed = np.abs(attention(askers, keys, grown) - heard) > 1e-12
settle("puppy_grows", changed.sum())
print(changed)

# %% [markdown]
# Values can be anything, even a table that gives the weights back. Let each word have a 1 at its own place
# and 0 elsewhere; `np.eye` makes such a table. With two words, the weights (0.1, 0.9) would mix the rows (1, 0)
# and (0, 1) into 0.1 · (1, 0) + 0.9 · (0, 1) = (0.1, 0.9), which are the weights again.
#
# So `attention` can tell where it looks, in the model of chapter 0, too. Of head 5, `meeting` gives the query of the
# last letter, scaled already by the number of chapter 3, and 13 keys, one for each letter. Are your weights those
# that the model computes by itself? `maps` holds these.
#
# <details><summary>Can a letter look ahead, when your lines run in the model?</summary>
#
# No: later letters are hidden before your lines begin. Chapter 6 shows how.
# </details>

# %%
q5, k5 = model.meeting(text, 5)
shares = attention(q5, k5, np.eye(len(k5)))  # one row, because one query asked
show_who_is_heard(text, shares[0])
own = model.maps(text)[1, 0, -1]  # block 2, its first head, the last letter
print(f"your share for the a after the first gir: {shares[0, 3]:.2f}, the model's: {own[3]:.2f}")

# %% [markdown]
# Your lines look where head 5 looks by itself: at what came after the earlier *gir*, the letter to write next.
#
# *Is it the scores that make it copy?* A minus before the query turns all of them around: what agreed most now agrees
# least.

# %%
bet("turned_around")


# %%
def turned_around(q, k, v):
    return attention(-q, k, v)


against = model.with_heads(range(1, 9), turned_around)
print(f"turned around: {text}|{against.continued(text, 6)}")
settle("turned_around", against.continued(text, 6))

# %% [markdown]
# Now back to the map on which you dragged *it*.
#
# <details><summary>Why does the output never leave the triangle of dog, apple and table?</summary>
#
# All shares are positive and make 1, so a mix lies between what is mixed.
# </details>
# <details><summary>The weights 0.2 and 0.8 gave the output (3, 7). Which two values were mixed?</summary>
#
# Many pairs fit: twice (3, 7), or (-1, 3) and (4, 8). An average does not tell what went into it.
# </details>

# %% [markdown] depth
# ### Depth: which wrong transposes numpy catches
#
# *Will numpy tell you that a `.T` is missing?* Take the queries and keys of the core.

# %%
bet("no_transpose")

# %%
print(queries @ keys)
settle("no_transpose", "same" if np.allclose(queries @ keys, queries @ keys.T) else "different")

# %% [markdown]
# Without the `.T` it runs as well. But in Rex's row the kitten, who does not bark, now has 2, and nobody tells you: rows
# of the queries have met columns of the keys, and both are 4 wide. (Vectors are rows here. In books where they are
# columns, the same score is written $q^\top k$.) Two queries and two keys of width 3 are another case: numpy objects.

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

# %% [markdown]
# And a table of words with themselves, what does it tell? *Does the larger number on the diagonal mean the better
# match?*

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
rng = np.random.default_rng(1)
q, k = rng.normal(size=(3, 5)), rng.normal(size=(3, 5))
for name, table in (("q with q", q @ q.T), ("q with k", q @ k.T)):
    print(f"{name}: symmetric {np.allclose(table, table.T)}")

# %% [markdown] depth
# ### Depth: where else the sum occurs
#
# 32 queries and 100 keys of width 768 make 3200 scores, and each of them adds up 768 products. No score
# waits for another, so a graphics processor (GPU) computes thousands of them side by side; the matrix
# product is the form in which it takes the whole job. Inside one score the 768 products are added up,
# some at a time, one group after another. There are other ways to write the same: `einsum` names the
# axes, and a letter that is missing behind the arrow is summed.

# %%
rng = np.random.default_rng(0)
q, k = rng.normal(size=(32, 768)), rng.normal(size=(100, 768))
print("same numbers:", np.allclose(np.einsum("td,sd->ts", q, k), q @ k.T))

# %% [markdown]
# Where else does the sum occur? In physics, *work* is force times distance times cosine. A model such as ChatGPT makes
# the sum in many places, for each word that it writes:
#
# | place | what meets what |
# |---|---|
# | scores | queries with keys: `q @ k.T` |
# | output | weights with columns of the values |
# | linear layers | a word's vector with rows of a learned table |
# | next word | the last vector with one for each possible word |
#
# A linear layer computes $Wx$: one dot product for each row of $W$.

# %%
W, x = rng.normal(size=(3, 5)), rng.normal(size=5)
print("rows of W with x:", np.allclose(W @ x, [dot(row, x) for row in W]))

# %% [markdown]
# A classifier scores each class in the same way, and a search engine each stored passage, in a
# *vector database*:

# %%
passages = ["cats purr", "dogs bark", "apples are sweet"]
stored = np.array([[0.9, 0.1, 0.0], [0.2, 0.9, 0.0], [0.0, 0.1, 1.0]])
question = np.array([0.8, 0.3, 0.1])
print("found:", passages[int((stored @ question).argmax())])

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


rng = np.random.default_rng(0)
long = rng.normal(size=(10_000, 50))
other = long * rng.uniform(0.1, 10, size=(10_000, 1))
cosines = rowwise(long, other) / np.sqrt(rowwise(long, long) * rowwise(other, other))
settle("above_one", int((cosines > 1).sum()))

# %% [markdown]
# #### Exercise: `angle`
#
# Compute the angle between two vectors, in radians, so that a cosine lifted above 1 gives no NaN.


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
# ### Depth: two sayings that break
#
# The first one: *the dot product is the projection times the length of the projected vector.* Books call the reach the
# *scalar projection*. Write it, then see.
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
# reach, together with the cosine. In the core you projected two keys onto a query that is 1 long, so the reach alone
# decided.
#
# The second one: *dot product 0 means completely unrelated; negative means opposite in meaning.* Break
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
# one, and add these up. They score the four words below: the three characters of the name Xiao Shenyang,
# and *invited*, with three invented numbers each.

# %%
spoken = ["xiao", "shen", "yang", "invited"]
pieces = np.array([[0.2, 0.8, 0.3], [0.3, 0.7, 0.4], [0.1, 0.9, 0.2], [0.8, 0.2, 0.7]])
inviting = pieces[3]
ways = {
    "dot product": lambda q, k: (q * k).sum(axis=-1),
    "distance": lambda q, k: 0 - ((q - k) ** 2).sum(axis=-1),
    "overlap": lambda q, k: np.minimum(q, k).sum(axis=-1),
}
for way, score in ways.items():
    print(f"{way:12}", score(inviting, pieces).round(2))

# %% [markdown]
# *invited* has asked xiao, shen, yang and itself. All three ways
# rank them alike: *invited*, shen, xiao, yang. So does it matter which way you take? Let *xiao* ask, and
# let it ask louder.

# %%
bet("four_times")

# %%
xiao, changed = pieces[0], []
print("query times  1        2        4")
for way, score in ways.items():
    winners = [spoken[score(factor * xiao, pieces).argmax()] for factor in (1, 2, 4)]
    print(f"{way:12} " + "".join(f"{winner:9}" for winner in winners))
    changed.append(winners[0] != winners[-1])
settle("four_times", changed)

# %% [markdown]
# And the score of one key, *shen*, for the query as it is, doubled, and four times as large:

# %%
for way, score in ways.items():
    one, two, four = (score(factor * xiao, pieces[1]) for factor in (1, 2, 4))
    print(f"{way:12} {one:6.2f} {two:6.2f} {four:6.2f}")

# %% [markdown]
# Only the dot product grows in step: twice the query, twice each score, and the order stays. (By the dot
# product *yang* beats even *xiao* itself, because it is the longer vector.) By distance, the long query lies far
# out, and nearest to it is the word that reaches furthest along it: *yang*, too. By overlap, four
# times *xiao* is too much: no key has an entry larger than the query's, so each key scores its own
# sum, and the query has no say left.
#
# Now let two words ask together, their vectors added. The key is *xiao*.

# %%
for way, score in ways.items():
    one, other, both = (score(q, xiao) for q in (pieces[1], inviting, pieces[1] + inviting))
    print(f"{way:12} {one:5.2f} and {other:5.2f} make {one + other:5.2f}, together {both:5.2f}")

# %% [markdown]
# A score is *linear* in the query if it does both: twice the query, twice the score; two queries
# added, their scores added. The dot product is, and as $q \cdot k = k \cdot q$, in the key as well.
# So a vector that is mixed from parts scores what its parts score, mixed in the same way. Chapter 5
# uses that.
#
# And one matrix product for all pairs: is that, too, the dot product's alone? Multiply out the
# square, entry by entry:
#
# $$-|q-k|^2 = 2\,q \cdot k - |q|^2 - |k|^2$$
#
# #### Exercise: `distance_scores`
#
# The table of all pairs by distance, as `q @ k.T` is the one by dot product. Loops are right; with the
# formula it takes one matrix product.


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
    by_dot = (asking @ rows.T).argmax(axis=1)
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
