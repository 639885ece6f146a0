# %% [markdown] minutes=1
# # 6 · Masks and positions: who may look at whom, and from where
#
# A model predicts fair dice. It is right every time, with a loss of 0.00, and its author ships it. But its *mask*, the
# rule that says who may look at whom, has a `+ 1` too many. You will write the test that catches it, and bet on the
# loss of this model among its users.
#
# The second half is about order. To a layer with a mask alone, the end of *Luis pays Ana.* reads like the end of *Ana
# pays Luis.* You will mend that. The part before "Depth" takes 40 minutes to an hour.

# %%
from course_lib.chapters.masks import *

show_road_map(6)

# %% [markdown] minutes=1
# ## Three questions before you start
#
# 1. `q` has shape (3, 4), `k` (7, 4) and `v` (7, 2). What are the shapes of the weights and of the output?
#    (Chapter 5.)
# 2. The scores of a row are 2, 2 and 2. What are the weights? And when the last key is taken away? (Chapter 4.)
# 3. Two arrows have length 1. What is their dot product at an angle of 0, 90 and 180 degrees? (Chapter 1.)
#
# <details><summary>Answers</summary>
#
# 1. The weights are (3, 7): a row for each query, a column for each key. The output is (3, 2).
# 2. One third each, and then one half each. The softmax shares out 1 among those that are left.
# 3. 1, 0 and -1: the cosine of the angle.
# </details>

# %% [markdown] minutes=2
# ## A writer must not read ahead
#
# *How does a model learn to write?* At each place of a text it says which word comes next, and the answer stands one
# place later. So each word may look only at itself and at earlier words. This rule is called the *causal* mask.
#
# Below are four words of chapter 4: *xiao*, *shen*, *yang* and *invited*. Row i belongs to the query at place i, counted
# from 0, and column j to the key at place j. A 1 means that i may look at j.

# %%
words = torch.tensor([[0.2, 0.8, 0.3], [0.3, 0.7, 0.4], [0.1, 0.9, 0.2], [0.8, 0.2, 0.7]])
scores = words @ words.T  # each word is its own query, key and value; no root divides here
i, j = torch.arange(4)[:, None], torch.arange(4)[None, :]  # a column (4, 1), a row (1, 4)
allowed = j <= i  # each i with each j: (4, 4)
print(allowed.int().numpy())

# %% [markdown]
# Take row 2, that of *yang*. *Which score gives a forbidden key a weight of exactly 0?* A score of 0 does not do it,
# because $e^0 = 1$. Minus infinity does: $e^{-\infty} = 0$. The other keys then share the whole 1.

# %%
row = scores[2].clone()
row[3] = -torch.inf  # *invited* comes later
print("scores:", row.numpy().round(2), "weights, rounded:", row.softmax(dim=-1).numpy().round(2))

# %% [markdown] minutes=5
# ### Exercise: `causal_weights`
#
# Your function gets `scores`, a square table, and returns the weights under the causal mask. From [[1, 3], [0, 0]] it
# makes [[1, 0], [0.5, 0.5]]. Build the mask inside it: the next text may have 2 words, or 4096.
#
# Two tools for whole tables: `scores.masked_fill(where, number)` returns a copy with the number wherever `where` is
# True, and `~` exchanges True and False.


# %% exercise="causal_weights"


# %% [markdown] minutes=1
# ## Change a word, and see which outputs move
#
# *A colleague hands you a layer and says that it is causal. How do you check that, without reading the
# code?* Change one word, here word 2, and watch the outputs.

# %%
changed = words.clone()
changed[2] = torch.tensor([5.0, 5.0, 5.0])
unchanged_outputs = causal_weights(words @ words.T) @ words
changed_outputs = causal_weights(changed @ changed.T) @ changed

# %% [markdown]
# *Which of the four outputs may move?* Decide, then read on.

# %%
print("moved:", ((unchanged_outputs - changed_outputs).abs() > 1e-4).any(dim=1).tolist())

# %% [markdown]
# Outputs 2 and 3 may move: to them word 2 is not a later one. Outputs 0 and 1 must stand still.

# %% [markdown] minutes=8
# ### Exercise: `leaks`
#
# Write a test for any layer: does any output of `layer` move with a *later* word of `x`? The layer `lambda x: x` does
# not leak, and `lambda x: x.flip(0)`, last word first, does.
#
# Change a word on a copy, `x.clone()`, to random numbers, `torch.randn(x.shape[1])`. Leave room for rounding, as the
# cell above does with its 1e-4. Decide first: which words have to change, and which outputs do you compare each time?


# %% exercise="leaks"


# %% [markdown]
# *Does one of these two layers leak?* The first uses your weights. The second is PyTorch's own, with the table
# `allowed`. Above the dashed edge the word is later than the output, and may move nothing.

# %%
torch.manual_seed(1)  # the same random matrices each time
lib = torch.nn.MultiheadAttention(3, 1)  # 3 numbers a word; 1 head: all that you have built so far
layers = {
    "your weights": lambda x: causal_weights(x @ x.T) @ x,
    "PyTorch": lambda x: lib(x, x, x, attn_mask=allowed)[0],  # q, k, v; [0]: the outputs
}
show_moves(layers, words, leaks)

# %% [markdown]
# PyTorch's layer leaks. No error told you; your test did. The layer has read your table the other way round: **to this
# layer True means *hidden*.** So each output mixes the values of later words alone. Row 3 is NaN, *not a number*: after
# the last word comes nothing.
#
# One character in the cell above repairs it, the `~`. Run it again: the title says whether all is well.
#
# <details><summary>Where does the character stand?</summary>
#
# Before the table: `attn_mask=~allowed`.
# </details>
# <details><summary>Why are (0, 0) and (1, 1) grey, and (2, 2) white?</summary>
#
# Output 0 is made with the query of word 0. Change the word, and this query asks for something else, so the output
# moves, although the value of word 0 is hidden. Output 2 has one key alone, which gets the weight 1 from any query.
# </details>

# %% [markdown] minutes=5
# ## Dice test a mask
#
# *How would you notice a leak if you saw only the training loss?* Let the model learn something that nobody can
# predict. Then every success is a fraud. Our dice have eight sides. In each step of its training, a model with one
# layer of attention reads twelve fresh throws and their places. At each place but the last it names the next throw.
#
# It gives each side a chance. A throw then costs -ln(the chance of the side that came): nothing for a chance of 1,
# ln 8 = 2.08 for 1/8, and ln 1000 = 6.91 for 1/1000. The *loss* is the mean cost. The first mask is the honest one, `causal`: j <= i.

# %%
honest = train(causal, steps=with_progress(STEPS, "training with j <= i"))
print(f"loss {honest.loss:.2f}, right in {honest.accuracy:.2f} of the throws")
print(f"by chance: loss {np.log(8):.2f}, right in {1 / 8:.3f}; 1/1000 costs {np.log(1000):.2f}")

# %% [markdown]
# It has learned nothing, because there is nothing to learn. Now the mask with the `+ 1`. *Which cell does that open in
# row i, and what stands there?*

# %%
one_too_far = Mask("one too far", lambda b, i, j: j <= i + 1)  # b: which of many texts; ignore it
leaky = train(one_too_far, steps=with_progress(STEPS, "training with j <= i + 1"))
print(f"loss {leaky.loss:.2f}, right in {leaky.accuracy:.2f} of the throws")

# %% [markdown]
# It opens the cell of throw i + 1: the very throw that place i must name.
#
# **A loss that is too good to be true is a leak until you have shown otherwise.**

# %%
bet("dice")

# %%
writing = tried_under(causal, leaky)
print(f"loss {writing.loss:.0f}, right in {writing.accuracy:.2f} of the throws")
settle("dice", writing.loss)

# %% [markdown]
# *Where does it look, now that the cell of its answer is closed?* Place 5 must name throw 6, a 4.

# %%
show_sure_and_wrong(leaky, writing)

# %% [markdown]
# The cell of throw 6 is closed. The other scores are leftovers: their order was never rewarded. But training made scores
# large, so the softmax still picks one: throw 3, a 1. The model says 1, and a 4 comes. Its chance was
# $e^{-23}$, so it costs 23. One in eight costs about nothing, others more: the mean is 23, too.

# %% [markdown] minutes=3
# ### Press: break a mask with your own finger
#
# The same game with six throws: press a cell of the mask, and a fresh model is trained. A guess costs 2.08,
# give or take 0.02.
#
# First open a cell far in the future. Does it help? Then try the goal.

# %%
explore_painted_mask()

# %% [markdown] minutes=1
# ## What a mask does not tell
#
# **A good place for a break.**
#
# *Luis pays Ana.* or *Ana pays Luis.*: *does a layer with your mask know who pays?* Each word, and the full stop, gets a
# row: any will do, as we ask about order. Is the output at *pays* the same in both texts? And at the full stop?

# %%
contract = torch.tensor([[2.0, -1, -1, -2], [0, 1, 1, 0], [2, 2, -1, -2], [0, 1, 0, 0]])
swapped = contract[[2, 1, 0, 3]]  # Luis pays Ana. becomes Ana pays Luis.
one, two = (causal_weights(x @ x.T) @ x for x in (contract, swapped))
for name, place in {"pays": 1, "full stop": 3}.items():
    print(f"{name:9} the same output:", torch.allclose(one[place], two[place]))

# %% [markdown]
# At *pays* another word is hidden, so the outputs differ. The full stop sees all words, and cannot tell who pays.
# **Within one layer, the mask gives no order among the words that a place may see.** They are a *bag*, like the coins
# in a purse. An output is a sum over them, and a sum is the same in any order.

# %% [markdown] minutes=2
# ## Dice with a memory
#
# Same game, but now the throws have a memory. *A model without order: how far can it get?* Three throws
# in four copy the throw two before them, so mostly two sides take turns. The others are fresh, like the 8 below.

# %%
show_one_back()

# %% [markdown]
# So place 6 has to look *one before its own place*. But this model is not told the places. At place 6 it sees a bag of
# four 7s, two 5s and an 8.

# %%
bet("heap")

# %%
bag = train_on_pairs(turned=False, steps=with_progress(STEPS, "training a bag"))
print(f"a bag: right in {share_right(bag):.2f} of the throws")
settle("heap", share_right(bag))

# %% [markdown] minutes=1
# ## Turn each word by its place
#
# A score must be able to ask for *the one right before me*. *Why not give each word the number of its place, as one
# more entry?* A dot product multiplies: places 5 and 6 give 30, but 105 and 106 give 11,130. What is wanted is the same
# score for the same distance.
#
# *Such an entry makes an arrow longer. What else can you do to an arrow?* Turn it: a dot product depends on the angle
# between two arrows. So turn each query and each key by 1 radian (57 degrees) a place. Then places 2 and 5 are turned 3
# radians apart, and so are places 12 and 15.
#
# <details><summary>The first dice model was told the places. Why not in the same way?</summary>
#
# It learned a vector for each place, and nothing makes those of places 105 and 106 behave like those of 5 and 6.
# </details>

# %% [markdown] minutes=5
# ### Slide: four dials, fast to slow
#
# Here all words have the same query and the same key: an arrow that points up at place 0, and turns left by 1 radian a
# place. On dial 0 the thick hand is the key, and the thin one the query. Their dot product is the score.
#
# 1. Drag the bracket at the bottom, so that key and query move together. *What stays the same?*
# 2. Now turn the query alone: drag the thin hand back by one place, clockwise. *Where is the highest dot near the query
#    now, and why there?*
# 3. One dial shows the same every 6.3 places. Take a second, half as fast. The score is now the sum of two products, one
#    from each dial.
# 4. Let the query look one place back, and at nothing far away: the goal below says what counts. Each further dial is
#    again half as fast. *How few are enough?*

# %%
explore_dials()

# %% [markdown]
# The grey wedge keeps its size, and so the score stays. Turned back by one place, a query points where the key right
# before it points. **For a given query and key, all that counts is how far apart they stand, and which comes first.**
#
# You turned the query by hand. Training can find this turn: a matrix makes the queries (chapter 5), and a matrix can
# turn an arrow.
#
# After 12.6 places dial 1 has come round once and dial 0 twice, but dial 2 is half round and points the other way. Three
# are enough here. Dial 0 tells neighbours apart, the slower ones tell near from far. **Such turns, at several
# speeds, are *rotary position embedding*, or RoPE** (Su et al., 2021).

# %% [markdown] minutes=6
# ### Exercise: `rope_scores`
#
# Two tools first. A row of d = 8 numbers holds four arrows. `frequencies(8)` gives the speeds of their dials in RoPE: 1,
# 0.1, 0.01 and 0.001 radians a place. (You halved yours; RoPE takes larger steps.)
#
# `rotate(x, angles)` turns each pair of `x` by an angle of its own: in a row `[a b | c d]` the arrow (a, b) by the first
# angle, and (c, d) by the second. `angles` has a row for each row of `x`, and a column for each pair.

# %%
print("speeds of 8 / 2 dials:", frequencies(8).numpy())
arrows = torch.tensor([[1.0, 0.0, 1.0, 0.0]])  # one row of two arrows to the right: (1, 4)
turns = torch.tensor([[1.0, 2.0]])  # the first by 1 radian, the second by 2: (1, 2)
print("across, up; across, up:", rotate(arrows, turns).numpy().round(2))

# %% [markdown]
# Row i of `q` and row i of `k` stand at place i. Return the scores of the turned rows, divided by the root of the width
# d. The queries (1, 0), (1, 0) and the keys (1, 0), (0, 2) make [[0.71, -1.19], [0.38, 0]].
#
# Decide first: by which angle is pair p of row i turned? And why does nobody turn the values, too? Think of seven words
# put in front of a text.
#
# <details><summary>By which angle?</summary>
#
# By the place times the speed of the pair. With d = 8, pair 1 of row 3 turns by 3 × 0.1.
# </details>
# <details><summary>Which speeds has another width?</summary>
#
# In `frequencies(d)` pair p, counted from 0, has the speed $10000^{-2p/d}$.
# </details>


# %% exercise="rope_scores"


# %% [markdown]
# <details><summary>Why are the values not turned?</summary>
#
# With 7 added to each place, a query and a key both turn further by 7 places. The angle between them stays, and so do
# scores and weights. But an output is a sum of values. Turned values would turn it, although the text says the same.
# </details>

# %% [markdown] minutes=2
# ### The dice again, with places
#
# *Do turns find the throw that the bag lost?* The same model is trained with turns, and tested with your `rope_scores`.

# %%
turning = train_on_pairs(turned=True, steps=with_progress(STEPS, "training with turns"))
print(f"with your scores: right in {share_right(turning, scores=rope_scores):.2f} of the throws")

# %% [markdown]
# *Where do the two models look?* Orange frames stand one place back. Below: the weights of place 6, added up by side.

# %%
show_where_they_look(bag, turning)

# %% [markdown]
# The bag holds two 5s and one 8, and does not say which came last. Turns do, and training stretches the arrows, so the
# softmax picks one throw (chapter 4).
#
# *Who pays?* The same model reads 108 texts like *Luis pays Ana.*, with twelve names, and learns to name the payer at
# the full stop. The test is 24 texts that it has not read.

# %%
mask_alone = train_on_payers(turned=False, steps=with_progress(STEPS, "the mask alone"))
with_turns = train_on_payers(turned=True, steps=with_progress(STEPS, "mask and turns"))
show_who_pays(mask_alone, with_turns, rope_scores)

# %% [markdown]
# With the mask alone, both texts get the same answer. With turns, the full stop looks three places back, at the payer.
# **The same four words, and now the model knows who pays.**

# %% [markdown] minutes=1
# ## What you can now say
#
# - A causal mask hides later words before the softmax. `leaks` finds words shown too early.
# - Without positions, the words that a place may see are a bag to one layer. Turned queries and keys tell how far back
#   a word is.

# %%
progress()

# %% [markdown]
# ### Where this occurs in a large language model
#
# | place | what you find there |
# |---|---|
# | GPT | your causal mask |
# | Llama 3 | your mask and your turns, with slower dials than yours |
#
# ### Test yourself
#
# <details><summary>A colleague is glad: the loss of her new model fell from 2.9 to 0.1 in an
# hour, on the same data. What do you ask first?</summary>
#
# Whether a place can see its own answer: a mask wrong by one, or forgotten. Change one word and see
# which outputs move. And whether the loss is that of fresh text: what is seen again and again can be learned by heart.
# </details>
# <details><summary>Why -inf on the scores, and not 0 on the weights?</summary>
#
# After the softmax the hidden words have had their share, so the rows no longer add up to 1.
# </details>
#
# **Next:** what if a throw depends on *two* earlier ones? One softmax must share 1 between them. In chapter 7 several
# heads look at once.

# %% [markdown] depth
# ## Depth: more about masks and positions
#
# The main parts of the next chapters need nothing of this. Some of their Depth sections come back to the
# cache, which the section on writing word by word explains. Each section here needs the part above, and no
# other section. `may_attend(rule, n)`, which some of them use, makes the table of a rule for n words.
#
# Take the one that you have a use for.
#
# | section | what it is good for | minutes |
# |---|---|---|
# | mask and turns in one layer | what a layer of Llama 3 does, made of your two functions; an exercise | 4 |
# | turn an arrow | sine and cosine, read off a picture; an exercise, and a proof in one line | 7 |
# | three colleagues | three wrong masks: a bet, how one is mended, and what `leaks` does not find | 8 |
# | whose loss curve is this? | read a mask bug from a curve; an exercise | 10 |
# | what filling does to the words | texts of different lengths in one table | 5 |
# | rows with nothing in them | NaN, and weights that survive it; an exercise | 10 |
# | a billion is not infinity | why -1e9 works until it does not | 5 |
# | next door, True means the opposite | hand your mask to PyTorch's layer; an exercise | 8 |
# | with a cache, writing needs no mask | write word by word, with RoPE, too; an exercise | 9 |
# | two programs, two ways to pair | what breaks when weights are moved between programs | 3 |
# | every mask is one line | windows, prefixes, two texts; an exercise, a picture to switch | 12 |
# | the shuffle test | *who pays whom?*, and which layers know the order; an exercise, a picture | 13 |
# | no positions at all | a model that can tell places without them | 4 |
# | a pattern of waves for each place | the positions of 2017; an exercise, a picture | 10 |
# | beyond the trained length | why waves do not carry on; `rope_theta` and `yarn` in a model's settings | 12 |
# | further away costs more | ALiBi: positions as a price | 4 |

# %% [markdown] depth
# ### Depth: mask and turns in one layer
#
# *What does a model that writes need of both halves?* Your mask, so that a loss of 0.00 is no fraud, and your turns, so
# that it can tell who came first.
#
# #### Exercise: `causal_attention`
#
# `causal_attention(q, k, v)` returns the outputs of a layer that knows how far away each word is, and sees no later
# one. With 7 added to each place, the outputs must stay the same.
#
# Decide first: does the mask come before the turn or after it?


# %% exercise="causal_attention"


# %% [markdown]
# <details><summary>Mask or turn first?</summary>
#
# The turn comes first: it makes the scores that the mask hides. The values stay as they are.
# </details>

# %% [markdown] depth
# ### Depth: turn an arrow
#
# *The core took `rotate` ready-made. How does one turn an arrow by an angle $\alpha$?* It is enough to know where
# two arrows go.

# %%
show_turn(30)

# %% [markdown]
# #### Exercise: `rotate`
#
# On the left you see where (1, 0) and (0, 1) go. And where does (3, 4) go, on the right? It is 3 times the
# first arrow plus 4 times the second, before the turn and after it.
#
# By 90 degrees (1, 0) goes to (0, 1), and (0, 1) to (-1, 0), so (3, 4) goes to 3 · (0, 1) + 4 · (-1, 0) = (-4, 3).
# Work it out for any pair and any angle.
#
# Pairs are neighbours: entries 0 and 1, entries 2 and 3, and so on. `first` holds the first entry of each pair
# and `second` the second. `in_pairs` puts two such tables together again.


# %% exercise="rotate"


# %%
turned = rotate(torch.tensor([[3.0, 4.0]]), torch.tensor([[np.pi / 6]]))  # 30 degrees in radians
print("(3, 4) goes to", turned[0].numpy().round(2), "and is still", f"{turned.norm():.0f} long")


# %% [markdown]
# To turn the dials of the core with your own function, write `explore_dials(rotate=rotate)` into a new cell.
#
# Why the distance alone counts, in one line: write $R_i$ for the turn at place i. Turning both arrows by the same
# angle does not change their dot product, so turn both back by i: $(R_i q) \cdot (R_j k) = q \cdot (R_{j-i} k)$. Only
# $j - i$ is left.

# %% [markdown]
# Four equal queries meet four equal keys. *On paper: which of the 16 scores are equal? And does a key one place
# later score as much as a key one place before?*

# %%
same_query, same_key = torch.tensor([[1.0, 2, 3, 4]]), torch.tensor([[2.0, 1, 0, 1]])
print(rope_scores(same_query.expand(4, 4), same_key.expand(4, 4)).numpy().round(2))

# %% [markdown]
# Each diagonal holds one number: along it, key and query stand equally far apart.
#
# <details><summary>Why is it 4.33 above the diagonal, and 1.83 below?</summary>
#
# Above it the key comes later. This query and this key are different arrows: a turn one way brings them together, and
# the other way it parts them.
# </details>

# %% [markdown] depth
# ### Depth: three colleagues
#
# *Three colleagues have each written `causal_weights` in one line, and all three lines run. What is wrong with
# each?* First row 2, that of *yang*, without a mask, and then your own weights.

# %%
pieces = ["xiao", "shen", "yang", "invited"]
print("row 2, no mask:", scores.softmax(dim=-1)[2].numpy().round(2))
print(causal_weights(scores).numpy().round(2))

# %% [markdown]
# The 0.18 of *invited* goes to the three words that are left: each of their weights is divided by their sum, 0.82. And
# these are the colleagues' lines:

# %%
table = torch.ones(4, 4)
slips = {
    # triu(0) keeps the diagonal and what lies above it; nan_to_num() makes each NaN a 0
    "A": lambda s: s.masked_fill(table.triu(0).bool(), -torch.inf).softmax(-1).nan_to_num(),
    # tril() keeps the diagonal and what lies below it
    "B": lambda s: s.softmax(dim=-1).tril(),
    # tril(-1) keeps only what lies below the diagonal
    "C": lambda s: s.masked_fill(table.tril(-1).bool(), -torch.inf).softmax(dim=-1),
}

# %%
show_slips({name: slip(scores) for name, slip in slips.items()}, pieces)

# %%
bet("slips")

# %%
caught = [name for name, slip in slips.items() if leaks(lambda x, f=slip: f(x @ x.T) @ x, words)]
print("leaks finds:", caught)
settle("slips", caught)

# %% [markdown]
# <details><summary>What is wrong with each, once you have decided</summary>
#
# A hides too much. `triu(0)` keeps the diagonal, so a word does not see itself, and the first row is
# empty. B's zeros stand where they should, but its rows do not add
# up to 1. It masks after the softmax: the later words have taken their share, and what is left depends on them.
# C is upside down: each word sees itself and the future.
# </details>

# %% [markdown]
# *Can B be mended?* It took the softmax first, and then set the forbidden weights to 0. Dividing each row by its
# sum is enough:

# %%
late = scores.softmax(dim=-1).tril()
mended = late / late.sum(dim=1, keepdim=True)
print("rows add up to", late.sum(dim=1).numpy().round(2))
print("mended, as if masked before:", torch.allclose(mended, causal_weights(scores)))

# %% [markdown]
# Textbooks write the mask as a matrix $M$ that is *added* to the scores, and some call it lower
# triangular. Look where its entries are not 0:

# %%
from course_lib.kernels.masks import to_additive

M = to_additive(allowed)
print(M.numpy())
print("lower triangular is e to the M:", torch.equal(M.exp(), torch.ones(4, 4).tril()))

# %% [markdown]
# *And A, which `leaks` does not find?* It hides too much. To see that, look at all that moves. The tables below
# have a 1 where output i (row) moves when word j (column) is changed, first for `causal_weights` and then for A.
# A 1 above the diagonal is a leak, and a 0 on or below it may be a blind spot.

# %%
for weigh in (causal_weights, slips["A"]):
    before, moves = weigh(words @ words.T) @ words, torch.zeros(4, 4, dtype=torch.int)
    for j in range(4):
        changed = words.clone()
        changed[j] = torch.tensor([1.0, -2.0, 3.0])
        after = weigh(changed @ changed.T) @ changed
        moves[:, j] = ((before - after).abs() > 1e-4).any(dim=1)
    print(moves.numpy())

# %% [markdown]
# A's words 2 and 3 move their own outputs, although they do not see themselves: they still ask, and that
# changes the weights.

# %% [markdown] depth
# ### Depth: whose loss curve is this?
#
# *Would you notice a leak that is not as loud as that of the dice above?* In this mask every second place
# is honest:

# %%
bet("half_leak")

# %%
half = Mask("half", lambda b, i, j: (j <= i) | ((j == i + 1) & (i % 2 == 1)))
half_leak = train(half)
print(f"loss {half_leak.loss:.1f}, honest {honest_loss():.2f}, at best {6 / 11 * np.log(8):.2f}")
settle("half_leak", half_leak.accuracy)

# %% [markdown]
# *At best* means no loss at the five places that know, and ln 8 at the six that do not. This model does
# not get there: one set of matrices serves all places, and what is an answer at a place that leaks is
# none at an honest one. There it is often sure of a throw, and wrong, and that costs more than ln 8.
#
# So what is too good? Whatever is better than an honest model *can* be. For most texts nobody knows
# that number; for dice we do. Now dice that are not fair: with chance 1/2 a throw repeats the one
# before, else it is a fresh one. So the same side comes again with chance 1/2 + 1/16, each of the seven
# others with 1/16. A model that knows the previous throw can reach a loss of 1.54:

# %%
strict = Mask("strict", lambda b, i, j: j < i)
masks = {"honest": causal, "half": half, "one too far": one_too_far, "strict": strict}
four = with_progress(masks.items(), "training under four masks")
runs = {name: train(mask, repeat=0.5) for name, mask in four}
p = np.array([1 / 2 + 1 / 16, *[1 / 16] * 7])
print(f"honest: {honest_loss(0.5):.2f}, from the chances: {-(p * np.log(p)).sum():.2f}")

# %% [markdown]
# (`strict` leaves nothing to the first place. Where a row is empty, `attention` gives weights of 0 and an
# output of 0, so no NaN appears.) Here are the losses of the four, without their names. One of them is
# honest: which?

# %%
letters = without_names(runs)
show_unnamed_losses(letters, level=honest_loss(0.5))

# %% [markdown]
# #### Exercise: `mask_bug`
#
# Write the judge. It reads the end of a curve, and says "leak" where the end lies clearly, by 0.1, below
# what an honest model can reach, "blind" where it lies clearly above, else "fine". A single loss goes up
# and down by chance, so look at more than the last one.


# %% exercise="mask_bug"


# %%
for letter, losses in letters.items():
    print(letter, mask_bug(torch.tensor(losses), honest_loss(0.5)))
print("A, with fair dice:", mask_bug(torch.tensor(train(strict).losses), honest_loss()))

# %% [markdown]
# A is blind, it has the mask `strict`, and C is the honest one. With fair dice a mask that hides too much
# looks fine, because there was nothing to see. So test with something that can be learned, too.
#
# *Why does A end below ln 8 = 2.08, if it is blind?* It does not see throw i, but throw i - 1, and that one
# comes again two places later with chance 1/4 + 3/4 · 1/8 = 0.34. A model that knows only that can reach the
# loss below. A is a little better, for its query is still made of throw i: it can look for an earlier throw of
# the same side.

# %%
print(f"who knows only the throw two back: {honest_loss(0.5, back=2):.2f}")

# %% [markdown]
# Some say that a place may depend only on the words *before* it, others that j <= i is allowed. Both are
# right, together with the shift: output i has seen word i, and must say word i + 1, which is called its *label*.
# Without the shift, the honest mask shows every answer:

# %%
print(f"labels not shifted: loss {train(causal, shift=0).loss:.2f}")

# %% [markdown] depth
# ### Depth: what filling does to the words
#
# *Texts differ in length. What stands in the gap at the end of a short one?* To compute several texts at
# once, the short ones are filled up until all are equally long. This is called *padding*. Here the
# filling is made of vectors of zeros. Can zeros do any harm?

# %%
bet("zero_padding")

# %%
x = words[:3]
filled = torch.cat((x, torch.zeros(2, 3)))
alone, together = attention(x, x, x), attention(filled, filled, filled)[:3]
settle("zero_padding", not torch.allclose(alone, together))
print("weights of xiao:", attention_weights(filled, filled)[0].numpy().round(2))

# %% [markdown]
# The two fillings take 0.15 each: to the softmax a score of 0 is a score like any other. So the filling
# must be hidden. The rule `padding([3])` says that a text has 3 words, and that whatever comes behind them
# is hidden as a key.

# %%
mask = may_attend(padding([3]), 5)[0]  # [0]: the table of the first text, here the only one
masked = attention(filled, filled, filled, mask=mask)
print("words as if alone:", torch.allclose(masked[:3], alone))
print("weights of a filling:", attention_weights(filled, filled, mask=mask)[3].numpy().round(2))

# %% [markdown]
# The words are as if they were alone. The filling itself still asks, and spreads its look over the
# three words. Nobody uses what it gets, and it is left out of the loss. So hide keys, and leave the
# queries as they are.
#
# *What if a text is to be written and filled up at once?* Rules combine: `&` means both. Here are two texts, of 3 words
# and of 5, and the table of the first. Whatever the
# rule says, the matrix products stay as they are. Only scores change, before the softmax.

# %%
rule = causal & padding([3, 5])
print(rule, tuple(may_attend(rule, 5).shape))
print(may_attend(rule, 5)[0].int().numpy())

# %% [markdown] depth
# ### Depth: rows with nothing in them
#
# *Masks are added to each other all the time. What can go wrong?* Three things can. A stand-in for
# $-\infty$ leaves the range when it is added to itself. A product with $-\infty$ is NaN where the
# other factor is 0. And two masks that each leave something can leave nothing together. Here `padding([3])`
# hides what fills up a text of three words.

# %%
from course_lib.kernels.masks import empty_rows, to_additive

least = torch.tensor(torch.finfo(torch.float32).min)
print("least number, twice:", (least + least).item())
print("(1 - mask) * -inf:", ((1 - torch.tensor([1.0, 0.0])) * -torch.inf).numpy())
left, right = padding([3], side="left", size=5), padding([3])
for name, side in (("left", left), ("right", right)):
    print(f"causal, filling on the {name}:", empty_rows(may_attend(causal & side, 5))[0].tolist())

# %% [markdown]
# #### Exercise: `safe_weights`
#
# Weights under any mask, for scores of any size, with zeros in an empty row. The check looks at
# gradients as well: they must be finite numbers, or one empty row spoils every weight of the model.


# %% exercise="safe_weights"


# %% [markdown]
# *Could one not replace the NaN afterwards?* It depends on how the scores were hidden:

# %%
nothing = torch.zeros(1, 3, dtype=torch.bool)
for name in ("added", "filled in"):
    ones = torch.ones(1, 3, requires_grad=True)
    added, put = ones + to_additive(nothing), ones.masked_fill(~nothing, -torch.inf)
    row = added if name == "added" else put
    (row.softmax(dim=-1).nan_to_num() * torch.arange(3)).sum().backward()
    print(f"{name:10} gradient {ones.grad[0].tolist()}")

# %% [markdown]
# Both outputs are 0. But a sum passes the NaN of the softmax on to its scores, and a fill does not:
# what was filled in does not depend on them.
#
# The same illness comes from closing the *rows* of a filling. Hide keys only:

# %%
word = torch.tensor([True, True, True, False, False])
both = (word[:, None] & word).float().log()
print("rows that are NaN:", both.softmax(dim=-1).isnan().any(dim=1).tolist())

# %% [markdown] depth
# ### Depth: a billion is not infinity
#
# *Many programs hide a key with the score -1e9, minus a billion, "to avoid numerical problems". Is
# it the same?*

# %%
bet("minus_billion")

# %%
raw, hidden = torch.tensor([1.0, 2.0, 3.0, 4.0]), torch.tensor([False, True, True, True])
infinity, billion = (raw.masked_fill(hidden, x).softmax(dim=-1) for x in (-torch.inf, -1e9))
print(infinity.numpy(), billion.numpy())
settle("minus_billion", (infinity - billion).abs().max().item())

# %% [markdown]
# *And when nothing is left?* Here all four keys are hidden, in four precisions. What should the weights be, and
# what are they?

# %%
for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
    added = raw.to(dtype) + torch.tensor(-1e9).to(dtype)
    print(f"{str(dtype)[6:]:9} all four hidden:", added.softmax(dim=-1).float().numpy().round(3))

# %% [markdown]
# Softmax looks at differences only, so a billion that is added to every score cancels. In float64 the forbidden
# scores survive the sum, and come through. In float32 the numbers near a billion are 64 apart: 1, 2, 3 and 4
# all round to the same one.

# %%
print("float32 numbers near a billion are", np.spacing(np.float32(1e9)), "apart")
print("the least number of float16 is", torch.finfo(torch.float16).min)
try:
    raw.half().masked_fill(hidden, -1e9)
except RuntimeError:
    print("masked_fill: -1e9 does not fit into float16")

# %% [markdown]
# | row | $-\infty$ | -1e9 |
# |---|---|---|
# | one key is left | exact | the same |
# | no key is left | NaN: you notice | weights on forbidden keys: you do not |
# | float16 | fits | does not fit |
#
# So $-\infty$ is safe as long as each row keeps one key. For a row that keeps none, a program has to take
# care: the course's `attention` gives it weights of 0, and the section before this one shows how.

# %% [markdown] depth
# ### Depth: next door, True means the opposite
#
# *The core handed your mask to PyTorch's `nn.MultiheadAttention`, and it leaked. What did the weights look like?*
# Here the layer has one head and matrices that change nothing. It divides the scores by the root of the width,
# here 3, so its weights are a little more even than those at the start of the chapter. `attn_mask` is its name
# for a mask.

# %%
layer = torch.nn.MultiheadAttention(3, 1, bias=False)
layer.out_proj.weight.data = torch.eye(3)
layer.in_proj_weight.data = torch.eye(3).repeat(3, 1)
for name, mask in (("allowed", allowed), ("~allowed", ~allowed)):
    _, weights = layer(words, words, words, attn_mask=mask)
    print(f"{name:9} first row {weights[0].detach().numpy().round(2)}, last", end=" ")
    print(weights[-1].detach().numpy().round(2))

# %% [markdown]
# With our mask the first word sees everything but itself, and the last row is NaN. No error tells you. `leaks` is there
# for the first. In the core's picture output 0 also moved with its own word, which is hidden: its query still decides
# how the weights are shared.
#
# Whether `leaks` sees a NaN depends on how it compares. A NaN is not even equal to itself, so `allclose` sees a change
# where nothing moved, unless you say `equal_nan=True`. And `.abs() > 1e-4` never sees a NaN: it is not larger than
# anything. So for the second ask `.isnan().any()`.
#
# <details><summary>To try your test on a model of your own</summary>
#
# Say `model.eval()` first: dropout sets random numbers to 0, so that no two calls agree and everything
# seems to leak. A language model reads whole numbers, and `leaks` changes vectors. So hand it the vectors
# of the words; in the library Transformers that is
# `leaks(lambda x: model(inputs_embeds=x[None]).logits[0], vectors)`. A hole that does not show on one table of
# words may show on another, so try several.
# </details>
#
# | who | what says "hidden" |
# |---|---|
# | this course, `scaled_dot_product_attention`, FlexAttention | False |
# | `nn.MultiheadAttention`, `nn.Transformer` | True |
# | many scripts: `scores.masked_fill(mask == 0, ...)`; the tokenizers' `attention_mask` | 0 |
# | a mask that is added | $-\infty$, or a large negative number |
#
# #### Exercise: `for_multihead`
#
# Write the bridge. `nn.MultiheadAttention` wants one table for each sequence and head, all heads of the
# first sequence first. What must become of True, and which table stands where?


# %% exercise="for_multihead"


# %% [markdown] depth
# ### Depth: with a cache, writing needs no mask
#
# *A model writes one word after the other. Must it compute everything again for each?* Keys and
# values of earlier words stay the same, since no word looks ahead. So they are kept, in the *cache*,
# and only the newest word asks.
#
# #### Exercise: `decode`
#
# At step i you have the query of word i, and the keys and values of the words 0 to i.
# `attention(q, k, v)` is at hand, and `q[i : i + 1]` is a table with one row.


# %% exercise="decode"


# %%
draw = torch.Generator().manual_seed(0)
q, k, v = torch.randn(3, 11, 6, generator=draw, dtype=torch.float64)
full = attention(q, k, v, mask=may_attend(causal, 11))
print("step by step as all at once:", torch.allclose(decode(q, k, v), full))

# %% [markdown]
# *And with RoPE?* Each key is turned once, when it comes, and kept in the cache as it is then. The newest of n
# words stands at place n - 1, not at 0, although its query is the only row of its table:

# %%
angles = torch.arange(11)[:, None] * frequencies(6)
cached = rotate(k, angles)
for place_of_query in (10, 0):
    newest = rotate(q[10:], angles[place_of_query : place_of_query + 1]) @ cached.T / 6**0.5
    same = torch.allclose(newest, rope_scores(q, k)[10:])
    print(f"query at place {place_of_query:2}, as all at once: {same}")

# %% [markdown]
# *And if you use a mask with a cache?* Then say which places the queries
# have. Here are two queries and five keys:

# %%
for align in ("top-left", "bottom-right"):
    print(align)
    print(may_attend(causal, 2, 5, align=align).int().numpy())

# %% [markdown]
# The newest words stand at the bottom right. PyTorch's `is_causal=True` lays its mask at the top
# left: with a cache, the newer of these two words would see keys 0 and 1, and not even itself. The library
# flash-attention lays it at the bottom right from version 2.1 on, says its list of changes, and before that lay
# it at the top left, too. `may_attend` refuses to guess.

# %%
try:
    may_attend(causal, 2, 5)
except ValueError as error:
    print(error)

# %% [markdown] depth
# ### Depth: two programs, two ways to pair
#
# The paper turns neighbours, entry 0 with 1, as `rotate` does; so does the code that Meta published with Llama,
# and Mistral with its models. The library Transformers turns entry i with entry i + d/2, for Llama,
# Mistral and Qwen alike. Which is right?

# %%
from course_lib.kernels.positions import rotary

seeded = torch.Generator().manual_seed(1)
asks, offers = torch.randn(2, 7, 8, generator=seeded, dtype=torch.float64)
neighbours = rotary(asks) @ rotary(offers).T
halves = rotary(asks, layout="halves") @ rotary(offers, layout="halves").T
print("the same scores:", torch.allclose(neighbours, halves))

# %%
moved = [0, 2, 4, 6, 1, 3, 5, 7]  # the first entries of all pairs, then the second ones
asks_moved, offers_moved = asks[:, moved], offers[:, moved]
halves = rotary(asks_moved, layout="halves") @ rotary(offers_moved, layout="halves").T
print("the same, once the columns are moved:", torch.allclose(neighbours, halves))

# %% [markdown]
# Both are right, each with weights that fit it. If you move weights between programs, you must move the
# columns of $W_Q$ and of $W_K$ in this way, head by head. The script that converts Llama for
# Transformers does so. If it is forgotten, no error appears, and the scores are wrong.

# %% [markdown] depth
# ### Depth: every mask is one line
#
# *Are masks only for models that write?* The causal one is. Others stand wherever something should not
# be seen, and rules combine: `&` means both, `|` at least one, `~` the opposite. Only scores change, and the
# matrix products stay as they are. With `prefix(3)` a question of three words may be read in both directions. With
# `document(ids)` several texts share a row and do not see each other. With `sliding_window(3)` nobody
# looks further than two places. In GPT-3 and in gpt-oss, layers in which a word sees all earlier words alternate
# with layers in which it sees the nearest ones, through a window (Brown et al., 2020; gpt-oss model card, 2025).

# %%
from course_lib.kernels.masks import document, prefix, sliding_window

ids = [0, 0, 0, 1, 1, 1, 1, 1]
rules = {
    "causal, window": causal & sliding_window(3),
    "prefix": causal | prefix(3),
    "two texts": causal & document(ids),
    "window alone": sliding_window(3),
}

# %%
for name, rule in rules.items():
    print(f"{name:15} place 4 looks at", may_attend(rule, 8)[4].nonzero().flatten().tolist())

# %% [markdown]
# #### Exercise: `padding_mask`
#
# Libraries make such masks from lengths. For each text, which keys are words? `lengths` says how many
# words each text has, and they stand at the front of `s` places. True means: may be attended to. The axis
# in the middle belongs to the queries. It has size 1, so that one row counts for all of them.


# %% exercise="padding_mask"


# %% [markdown]
# #### Slide: switch masks on
#
# There are four rules: how far ahead, window, filling, two texts. The thick edges can be dragged. You start with
# three words and filling on the right. Hatched cells are hidden, and a row that may look at nothing is
# *empty*. Which rules, together, make a row empty?

# %%
explore_mask(padding_mask=padding_mask)

# %% [markdown]
# FlexAttention, PyTorch's attention for GPUs, takes the same kind of rule and skips whole blocks of
# the table that are closed:

# %%
from torch.nn.attention.flex_attention import create_mask

from course_lib.kernels.masks import to_mask_mod

rule = causal & document(ids)
theirs = create_mask(to_mask_mod(rule, 8), None, None, 8, 8, device="cpu")
print("the same mask:", torch.equal(theirs[0, 0], may_attend(rule, 8)))

# %% [markdown] depth
# ### Depth: the shuffle test
#
# Luis owes Ana 300 dollars, and their contract says *Luis pays Ana*. A model reads it for the bank, and Ana gets the
# bill, as if it said *Ana pays Luis*. *Does the output at "pays" differ between the two?* This model only reads, so it
# has no mask.

# %%
luis, pays, ana = contract[:3].double()
one, two = torch.stack((luis, pays, ana)), torch.stack((ana, pays, luis))
first, second = attention(one, one, one), attention(two, two, two)
print("Luis pays Ana, output at pays:", first[1].numpy().round(2))
print("Ana pays Luis, output at pays:", second[1].numpy().round(2))
print("shuffled words, shuffled outputs:", torch.allclose(first, second.flip(0)))

# %% [markdown]
# Query, key and value of a word depend on the word alone. Two contracts, one answer: for one of them it is wrong.
#
# **Shuffle the words, and the outputs are shuffled in the same way.** That is called *permutation equivariance*. A
# layer of which it holds cannot have noticed the order. Write the function that tells: shuffle the words before the
# layer, or the outputs after it, and compare.
#
# #### Exercise: `is_equivariant`


# %% exercise="is_equivariant"


# %%
places = torch.arange(4)[:, None] * frequencies(4)[None]
tested = {
    "attention": lambda x: attention(x, x, x),
    "with a causal mask": lambda x: attention(x, x, x, mask=may_attend(causal, 4)),
    "with RoPE": lambda x: attention(rotate(x, places), rotate(x, places), x),
}
x = torch.randn(4, 4, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
for name, layer in tested.items():
    print(f"{name:20}", is_equivariant(layer, x, torch.tensor([2, 0, 3, 1])))

# %% [markdown]
# With a causal mask it does not hold, for the mask knows which words come later. What stands before a word is still a
# bag. But later layers can work out some of the order, for what they read has passed through a mask.
#
# *Who gets the bill, then?* Here are your turns without a mask. Beside each word stands the weight that *pays* gives
# it.

# %%
for text, x in {"Luis pays Ana": one, "Ana pays Luis": two}.items():
    weights = rope_scores(x, x).softmax(dim=-1)[1]
    looks = [f"{word} {w:.2f}" for word, w in zip(text.split(), weights, strict=True)]
    print(*looks, " output at pays:", (weights @ x).numpy().round(2))

# %% [markdown]
# *Luis* gets 0.04 where he pays, and 0.26 where he is paid. So the outputs at *pays* differ, and a later layer can send
# the bill to Luis. *Where does the 0.26 come from?* Here is the fast pair of *Luis*, (2, -1), and of *pays*, (0, 1). A
# turn is 1 radian. The dotted arc is what the later of the two words was turned. The weight counts the slow pair, too.
# Why does *pays* look more at *Luis* in the contract on the right?

# %%
show_order(one, two, rope_scores)

# %% [markdown]
# <details><summary>Why?</summary>
#
# On the left *pays* comes later and is turned once, *Luis* not at all. That turn leads away from *Luis*. On the right
# *Luis* comes later: he is turned twice, *pays* once. His one turn more leads towards *pays*.
# </details>

# %% [markdown] depth
# ### Depth: no positions at all
#
# It is often said that a model without positions cannot work. Try the smallest case in which it could:
# one start word, then the same word six times, and a causal mask.

# %%
bet("no_positions")

# %%
x = torch.stack((words[0], *[words[3]] * 6))
outputs = attention(x, x, x, mask=may_attend(causal, 7))[1:]
settle("no_positions", (outputs - outputs[0]).abs().max().item())

# %%
start = attention_weights(x, x, mask=may_attend(causal, 7))[1:, 0]
print("weight of the start word:", start.numpy().round(3))
print("1 / weight:              ", (1 / start).numpy().round(2))

# %% [markdown]
# The last line grows by the same step from word to word: the place can be read off. Without the
# start word every average is one of equal things, and all six are alike:

# %%
unstarted = attention(x[1:], x[1:], x[1:], mask=may_attend(causal, 6))
print("without a start word, alike:", torch.allclose(unstarted, unstarted[:1].expand(6, 3)))

# %% [markdown] depth
# ### Depth: a pattern of waves for each place
#
# The first Transformer added something to each word: sines and cosines of its place $p$. With
# $2i$ for the even columns of a table as wide as the words, $m$:
#
# $$PE(p, 2i) = \sin\left(p / 10000^{2i/m}\right), \quad PE(p, 2i+1) = \cos(\text{the same})$$
#
# With a width of 4 there are two waves. One has the speed 1, and the other the speed $1/10000^{2/4} = 0.01$. So place 1
# has sin 1, cos 1, sin 0.01 and cos 0.01. These are 0.84, 0.54, 0.01 and 1.00.
#
# Decide first: how many speeds does a table of width m need? And which columns share one?
#
# #### Exercise: `sinusoidal`


# %% exercise="sinusoidal"


# %%
show_waves(sinusoidal(20, 32))

# %% [markdown]
# Each pair of columns is a point on a circle: its sine and its cosine. So all rows have the same length,
# $|PE|^2 = m/2$. And from any place, three places further is the same turn. It is a turn backwards,
# because here the sine comes first. Waves and RoPE are one idea: the first adds the turning pattern to
# a word, the second turns queries and keys by it.

# %%
table = sinusoidal(60, 128).double()
print("squared lengths:", (table**2).sum(dim=1)[[0, 30, 59]].numpy().round(3))
three_back = (-3 * frequencies(128)).expand(57, 64)  # the same angles for all 57 rows
turned = rotate(table[:57], three_back)
print("row p, turned, is row p + 3:", torch.allclose(turned, table[3:], atol=1e-4))

# %% [markdown]
# *How alike are two places?* Neighbours are most alike. Further away it goes up and down, and lower on the
# whole. Only the distance counts, as it does where RoPE turns one and the same vector.

# %%
far = [0, 1, 2, 4, 8, 16, 32]
for start in (0, 20):
    alike = table[[start + n for n in far]] @ table[start] / 64
    print(f"place {start:2} and those after it by {far}:", alike.numpy().round(2))

# %% [markdown] depth
# ### Depth: beyond the trained length
#
# *In the settings of a model you may read `"rope_theta": 500000`, or `"rope_type": "yarn", "factor": 4.0`.
# What are they for?* For texts that are longer than those of the training. Sines and cosines are defined
# for every place, so it is often asked why they *can* carry on to lengths that were never trained. But
# can they? Take the smallest model that reads places, a *read-out*. It multiplies each column of the waves by a
# learned number and adds up, and the sum names the place. Let it learn on the places 0 to 127.

# %%
bet("extrapolation")


# %%
def waves_at(speeds):
    angles = torch.arange(256)[:, None] * speeds
    return torch.cat((angles.sin(), angles.cos(), torch.ones(256, 1)), dim=1)


# %%
waves, goal = waves_at(frequencies(128)), torch.arange(256, dtype=torch.float64)
seen = waves[:128]
readout = torch.linalg.solve(seen.T @ seen + 0.01 * torch.eye(129), seen.T @ goal[:128])
named = waves @ readout
print(f"0 to 127: off by {(named - goal)[:128].abs().max():.2f} at most")
settle("extrapolation", named[255].item())

# %%
for p in (60, 120, 128, 160, 200, 255):
    print(f"shown {p:3}, named {named[p].item():3.0f}")
periods = 2 * np.pi / frequencies(128)
print("waves longer than the training:", int((periods > 128).sum()), "of", len(periods))

# %% [markdown]
# A wave that is longer than the training has not come round once: what it does next was never seen.
#
# *And RoPE, which adds no waves?* A score of RoPE is such a read-out, too, of the distance. Take a query, a
# key and one dial, that is, one pair. Their product is the cosine and the sine of distance times speed, each times a
# number that is made of the two. So query and key play the part of the learned numbers:

# %%
from course_lib.kernels.positions import rotary as turned_pairs

lucky = torch.Generator().manual_seed(3)
asker, offered = torch.randn(2, 128, generator=lucky, dtype=torch.float64)
# the key stands at place 0, the query further on
scores_of_rope = turned_pairs(asker.expand(256, 128)) @ offered
(a0, a1), (o0, o1) = ((x[0::2], x[1::2]) for x in (asker, offered))
numbers = torch.cat((a0 * o1 - a1 * o0, a0 * o0 + a1 * o1, torch.zeros(1)))
print("a RoPE score is a read-out:", torch.allclose(scores_of_rope, waves @ numbers))

# %% [markdown]
# So a model with RoPE meets the same trouble at distances that it has not seen.
#
# <details><summary>What does the paper of 2017 say?</summary>
#
# That the authors chose sines *because it may allow the model to extrapolate*. Press et al. (2021)
# measured it: trained on short texts, such models get worse soon after the trained length.
# </details>
#
# The two settings change the speeds of the dials. Pair p, counted from 0, has the speed $10000^{-2p/d}$. `rope_theta`
# is its base: with a larger number in the place of 10000, the slow dials become slower. After how many places has the
# slowest of 64 dials come round? Here with the base of the paper, of Llama 3, and of Qwen3-8B:

# %%
for base in (10_000, 500_000, 1_000_000):
    speeds = frequencies(128, base)
    never = int((8192 * speeds < 2 * np.pi).sum())
    print(
        f"base {base:9,}: the slowest comes round in {2 * np.pi / speeds[-1]:9,.0f} places;",
        end=" ",
    )
    print(never, "of 64 never do in 8192")

# %% [markdown]
# With a larger base more dials never come round within a text. Those tell far from near, and never
# repeat. But a base is chosen before the training, or the model is trained further with it. *What can be
# done for a model that is finished?* The read-out above, shown place 255, named nonsense. Now all dials are
# made half as fast, and nothing is learned anew:

# %%
bet("half_speed")

# %%
at_half = waves_at(frequencies(128) / 2) @ readout
settle("half_speed", at_half[254].item())
off = (at_half - torch.arange(256) / 2).abs().max()
print(f"it names half of each place, off by {off:.1f} at most")

# %% [markdown]
# Nothing that it is shown is new to it: 256 places are squeezed into the 128 that it knows. This is
# *position interpolation* (Chen et al., 2023), called `linear` in the settings. It has a price.
# Neighbours now turn half as far apart, and fast dials are there to tell neighbours apart.
#
# But a fast dial has come round many times in training, so every angle is familiar to it. It need not
# be slowed down. *YaRN* (Peng et al., 2023) leaves those dials alone that came round 32 times or more in
# the trained texts. It slows those down in full that came round once or less, and mixes in between. Here
# for a model trained on 4096 places, whose texts are to be four times as long:

# %%
trained, factor = 4096, 4
speeds = frequencies(128)
turns, longer = trained * speeds / (2 * np.pi), yarn(speeds, factor, trained=trained)
for dial in (0, 16, 24, 32, 40, 48, 63):
    slower = (speeds / longer)[dial]
    print(
        f"dial {dial:2} came round {turns[dial]:5.1f} times, and is made {slower:.1f} times slower"
    )

# %% [markdown]
# *Does it keep neighbours apart?* Take a query and a key that are alike, with a product of 1 on each of
# the 64 dials. At distance 0 their score is 64. How much of it is lost when they stand one place apart?

# %%
for name, dials in {"as trained": speeds, "linear": speeds / factor, "YaRN": longer}.items():
    print(f"{name:10} {64 - dials.cos().sum():.2f} lost at one place")

# %% [markdown]
# If all dials are slowed alike, neighbours blur. With YaRN the model tells them apart as it has
# learned to. Two more things belong to it. Among more keys the weights thin out, as in the crowd of
# chapter 4, so YaRN multiplies the scores a little, here by the number below. And the dials now stand in
# combinations that are new to the model, so it is mostly trained a little further.

# %%
print(f"scores times {yarn_sharpness(4):.2f}")

# %% [markdown]
# Qwen3-8B was trained on 32,768 places and reads 131,072 with a factor of 4. Its model card warns that
# the factor is there for short texts, too, and may make them worse.

# %% [markdown] depth
# ### Depth: further away costs more
#
# *Must a place have a pattern at all?* Press et al. give it none. Their way, ALiBi, takes something
# away from each score: the distance times a rate. Each head has its own rate. With 8 heads the first
# has the rate 1/2, and each further head half of the rate before, down to 1/256. In general head i of h
# heads, counted from 0, has $2^{-8(i+1)/h}$. With 2 heads and 4 places, for head 0:

# %%
print(alibi(2, 4)[0].numpy())
print("rates of 8 heads: 1 divided by", (1 / slopes(8)).round().int().tolist())

# %% [markdown]
# What does a rate do? Take eight words whose scores are all 0. This is how the last word looks at
# them, in head 0 and in head 7 of eight:

# %%
looks = alibi(8, 8)[:, -1].softmax(dim=-1)
for head in (0, 7):
    print(f"head {head}:", looks[head].numpy().round(2))

# %% [markdown]
# Head 0 looks at what is near, head 7 at everything nearly alike. Nothing here belongs to a certain
# place, only to distances. Press et al. (2021) report that models trained so on short texts stay as
# good on longer ones.
