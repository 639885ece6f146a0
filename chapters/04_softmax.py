# %% [markdown] minutes=1
# # 4 · Softmax: scores to shares
#
# A nurse asks for the chart of a patient who is not on the ward. What does a model with attention hand her? Write
# your guess on paper.
#
# Softmax decides that: it makes shares of scores.
# [Words of earlier chapters](https://github.com/attention-dot-by-dot/course/blob/main/docs/cards.md#words).

# %%
from course_lib.chapters.softmax import *

# %%
show_road_map(4)

# %% [markdown] minutes=1
# ## Three questions before you start
#
# On paper:
#
# 1. Chapter 3: queries and keys of width 64 have independent entries with mean 0 and spread 1. How
#    large are their dot products? By what are they divided?
# 2. Chapter 2: you make one key three times as long. What happens to its dot product with a query,
#    and what to its cosine?
# 3. Chapter 1: in the table `q @ k.T`, what is a row, and what is a column?
#
# <details><summary>Answers</summary>
#
# 1. Their spread is √64 = 8, and √d_k = 8 is what they are divided by.
# 2. The dot product becomes three times what it was, negative or not; the cosine stays.
# 3. A row belongs to a query, a column to a key.
# </details>

# %% [markdown] minutes=2
# ## Scores are not shares
#
# First let the nurse ask for Kim, who is on the ward: her question is the query, and each patient has a key.
# *The keys of Ann, Ben, Kim and Mia score 3.5, -2.1, 8.7 and 0.3. How much attention does each get?* You want shares:
# four positive numbers that add up to 1. A first idea divides each score by the sum. A second subtracts the smallest
# score first:

# %%
scores = np.array([3.5, -2.1, 8.7, 0.3])
print("first idea:", (scores / scores.sum()).round(2))
for worst in (-2.1, -12.0):
    above = np.array([3.5, worst, 8.7, 0.3]) - worst
    print(f"second idea, worst {worst:5}:", (above / above.sum()).round(2), end="")
    print(f", 8.7 to 3.5 as {above[2] / above[0]:.1f} to 1")

# %% [markdown]
# The first idea gives Ben a negative share. By the second, Kim gets 1.9 times Ann's share, and then 1.3 times, only
# because Ben's score got worse.
#
# **First decision: a third key has no say in the ratio of two others.** The simplest way: make a
# positive number of each score, without looking at the others, and divide all by their sum. You may choose the numbers:
# say, a score of 0 becomes the number 4, and a score of 1 becomes 20. Whatever the sum, the second share is five times the first.
#
# **Second decision: only the distances between scores count.** Lift both scores by 1: they are 1 and 2, as far apart as
# before. So let their shares stay one to five. *What must scores of 2 and 3 become?*
#
# | score | 0 | 1 | 2 | 3 |
# |---|---|---|---|---|
# | becomes | 4 | 20 | ? | ? |
#
# <details><summary>Two numbers, after 4 and 20</summary>
#
# 100 and 500: five times as much at each step. Had you added 16 at each step, they would be 36 and 52.
# </details>

# %% [markdown]
# Numbers that grow by the same factor at each step are called *exponentials*. Few scores are whole: from 3 to 3.5 is
# half a step. Two half steps make a whole one, so each takes the root of the factor, here √5: √5 · √5 = 5. Any factor above 1 would do. The custom is to
# begin with 1 and to take e = 2.718..., so of a score x we make $e^x$, in code `np.exp(x)`: e *to* the score, not e times it.
# It is always positive: $e^{-2.1}$ is $1/e^{2.1}$.

# %% [markdown] minutes=5
# ### Exercise: `shares`
#
# Turn s scores into s positive shares that add up to 1. A score that is higher by 1 gets e times as
# much. The scores 1 and 0 get .73 and .27.


# %% exercise="shares"


# %% [markdown]
# Take closer scores: 3.5, 4, 4.5 and 3. Let the 4 drop to -1. *What becomes of the ratio of
# 4.5 to 3.5, by the second idea and by `shares`?*

# %%
show_two_rules(shares)

# %% [markdown]
# By your `shares` it stays: all others grow by the same factor. This is **softmax**: each exponential, divided by
# the sum of all. For scores $x_i$ and weights $w_i$ it is $\;w_i = e^{x_i} / \sum_j e^{x_j}$.

# %% [markdown] minutes=2
# ### Eight times the score
#
# *Does it bring eight times the share?*

# %%
bet("eight_times")

# %%
settle("eight_times", shares(np.array([0.8, 0.1]))[1])

# %% [markdown]
# The distance by which a score is ahead of another is its **lead**. A lead of 1 makes the weight 2.7 times as large.

# %% [markdown] minutes=3
# ### Slide: four scores share a 1
#
# *If every score rises, does every key get more attention?* Below, a board (the thick line) carries four scores. The
# strip is the 1 that their keys share. Three keys are a singer's name, *xiao shen yang*, and the fourth is *invited*.
# How far must *invited* rise to get half of the strip?

# %%
explore_scores(softmax=shares)

# %% [markdown]
# <details><summary>Now lift the board. Which of the three panels move, and which stands still?</summary>
#
# The scores rise, and the bars grow, all by the same factor. The strip does not move: no lead has changed.
# </details>

# %% [markdown] minutes=2
# ## On paper a constant cancels, and in the computer exp overflows
#
# *You lift the board higher and higher. Do the weights always stay?* A constant C, added to each score,
# gives every exponential the same factor, $\;e^{x_i + C} = e^C\,e^{x_i}$, and the division cancels it. So do 1001,
# 1002 and 1003 get the weights of 1, 2 and 3?

# %%
row = np.array([1001.0, 1002.0, 1003.0])
with np.errstate(all="ignore"):  # numpy would warn here
    print("yours:", shares(row).round(3), "  e^710:", np.exp(710))

# %% [markdown]
# A computer has a largest number. $e^{710}$ is beyond it, and becomes infinity, `inf`. Infinity divided by infinity is
# NaN, "not a number".
#
# The board shows the cure: you may move a row up or down, and its weights stay. *How far would you move it, so
# that no exponential can overflow, whatever its scores are?*
#
# <details><summary>How far?</summary>
#
# Down by its largest score: that becomes 0, and the largest exponential is $e^0 = 1$. Move the
# row 1000 lower still, and all exponentials are rounded to 0: then 0 / 0 is NaN again.
# </details>

# %% [markdown] minutes=8
# ### Exercise: `softmax`
#
# Write softmax with this cure, also for tables. There each row belongs to a query: it moves by its own distance, and has its own
# sum. `keepdims=True` keeps the sums in a column, each beside its row. The keys stand along the last
# axis, which numpy calls -1:

# %%
two_rows = np.array([[1.0, 2.0], [4.0, 0.0]])
sums = two_rows.sum(axis=-1, keepdims=True)
print("the sums of its rows:", sums, sep="\n")
print("each row divided by its sum:", (two_rows / sums).round(2), sep="\n")

# %% [markdown]
# Subtract such a column, and each row loses its own number. An array's `.max` and `.min` take the same two arguments
# ([numpy's card](https://github.com/attention-dot-by-dot/course/blob/main/docs/cards.md#numpy)).


# %% exercise="softmax"


# %% [markdown] minutes=3
# ## Divide the scores by a temperature
#
# *A chatbot has a dial called temperature. What does it do?* It has a score for every word that could come next,
# and softmax makes shares of these. The dial divides the scores first. Take our four: 8.7 leads 3.5 by 5.2, and
# gets $e^{5.2} = 181$ times its share. Divide all four by 2: it leads by 2.6, and gets $e^{2.6} = 13$ times as much.
#
# Such a divisor is called a **temperature**, T. Above 1 it shrinks every lead, and below 1 it stretches it.
#
# A tutorial that we read prints .94 for 8.7, and .05 for 3.5. *Which temperature gives these numbers?*

# %%
explore_temperature(softmax=softmax)

# %% [markdown]
# <details><summary>And at T = 20, the hottest: are the four weights equal?</summary>
#
# No: .26, .19, .33 and .22. The hotter it is, the nearer they come to .25 each, but they never reach it. (And the tutorial
# divided without saying so, or made a slip.)
# </details>
#
# Chapter 3's √64 = 8 was a temperature, too. Before that division a score of 8 beside one of -8 is nothing rare: a
# lead of 16. Their shares, before it and after:

# %%
print(f"{np.exp(16):,.0f} to 1, at T = 8: {np.exp(2):.0f} to 1")

# %% [markdown]
# At a low T the weights are nearly *one-hot*: one is 1, and the others are 0. At a higher T the others get something:
# the *soft* in softmax.

# %% [markdown] minutes=3
# ### Exercise: `temperature_for_lead`
#
# In a word game a chatbot chooses from four words with our four scores, and the worst hardly ever comes. Let it
# come now and then: the best should lead it by 3, and so get $e^3$, about 20, times its share. *At which temperature does it?* Write this for any scores and lead.


# %% exercise="temperature_for_lead"


# %%
dial = temperature_for_lead(scores, 3)
flatter = softmax(scores / dial)
print(f"T = {dial:.1f}: {flatter.round(3)}, best to worst {flatter.max() / flatter.min():.0f} to 1")

# %% [markdown] minutes=1
# ## In our heat maps a row is a query
#
# A *heat map* shows the weights of many queries, one in each row: the darker a cell, the larger its weight.
# *A row adds up to 1. And a column?*

# %%
table = np.array([[2.5, 2, 0.5, -1], [0.5, 1, 3, -1], [0.5, 2.5, 1, -1.5], [0.5, 2, 0.5, 0]])
show_row_sums(softmax(table), ["xiao", "shen", "yang", "invited"])  # of scores that are made up

# %% [markdown] minutes=4
# ### Exercise: `read_by_eye`
#
# A column adds up to whatever its key gets from all queries. Some authors turn such tables, so that each column is a
# query. *Is this one turned?*

# %%
unlabelled = show_unlabelled()


# %% exercise="read_by_eye"


# %% [markdown] minutes=6
# ## And if nothing fits?
#
# Chapter 3's model reads sixteen names, each with one of 64 numbers, say of a chart. First the nurse asks for Kim while
# she is there:

# %%
ask_for_kim(there=True)

# %% [markdown]
# **①** Kim's key gets nearly all of the weight. **②** So the mixture is nearly her value alone. Dot products with the
# mixture give each number a score. **③** A second softmax makes chances of these: Kim's number leads the next by 7.13.
#
# In training the name was always there. *What does the model answer where it is missing?*

# %%
bet("absent")

# %%
ask_for_kim(there=False)
settle("absent", answer_for_the_absent())

# %% [markdown]
# **①** Mia's key misfits least: it leads Sam's by 1.16, and $e^{1.16} = 3.2$, so they get .52 and .16. **②** Half of the
# mixture is Mia's value. **③** As scores are dot products with it, half of a value gives half of its scores, and
# about half of the lead: 3.41 in place of 7.13. $e^{3.41} = 30$: Mia's number beats Sam's by 30 to 1, and all others by
# more. The nurse is handed Mia's chart.

# %% [markdown]
# <details><summary>Three keys fit, and each scores 9. Three others misfit, and each scores -9. Which weights does softmax
# give to the first three alone, and which to the others alone?</summary>
#
# A third each, both times. The dot product knew that -9 does not fit. Softmax sees only distances, so this is lost.
# </details>
#
# One more key can help, an **attention sink**, whose value speaks of nobody. Where no other fits, it takes the weight.
# *How high should it score, whether a key fits or not?*

# %%
explore_sink(softmax=softmax)

# %% [markdown]
# <details><summary>And at 8, the highest: can the query still look at the key that scores 3?</summary>
#
# Hardly: the sink leads by 5, and the key gets .01. So a sink should score between -9 and 3, and nearer to 3, since it
# must outweigh a hundred keys together.
# </details>

# %% [markdown] minutes=2
# ### A model that may say "nothing"
#
# A sink alone cannot help the nurse: each of the 64 answers is a number. So we trained a second model on missing names,
# too, with "nothing" as one of the 64. Each text begins with the same pair: a name that belongs to nobody, and "nothing"
# in place of a number. Its key, key 0, can serve as a sink, but nobody tells the model. *Does it look there, when Kim is
# gone?*

# %%
ask_the_second_model()

# %% [markdown]
# Here it does: key 0 takes .98, and the nurse hears that there is no such chart.

# %% [markdown] minutes=1
# ## What you can now say
#
# - Softmax makes shares of e to the score. Only the leads count, so subtract the largest score first, or exp
#   overflows.
# - A low *temperature* sharpens the weights, and a high one flattens them.
# - In our tables each row is a query, and adds up to 1.
# - The 1 is always spent. Where nothing fits, a stranger gets it, or a *sink*.

# %%
progress()

# %% [markdown] minutes=1
# ### Where this occurs in a large language model
#
# A higher temperature makes a chatbot more daring. In its attention, the first piece of the text often serves as a sink.
#
# ### Test yourself
#
# <details><summary>Kim is gone, and Mia's weight is 3.2 times Sam's. Four changes to that row of scores:<br>
# a) add 5 to each;<br>
# b) double each;<br>
# c) write the keys in reverse order, each with its score;<br>
# d) take in one more key, a sink.<br>
# After which does each key keep its weight? After which is Mia's no longer 3.2 times Sam's?</summary>
#
# After a), since no lead changes, and after c): each key takes its weight along. In d) the sink takes a part of
# every weight, and 3.2 stays. Only b) changes it: each lead doubles, and 3.2 is squared, to about 10.
# </details>

# %% [markdown]
# **Next:** chapter 5 asks where q, k and v come from, and why a word needs three of them.

# %% [markdown] depth
# ## Depth: for those who want more
#
# Nothing later needs these sections, and each stands by itself. Open the one whose line below makes you
# curious.
#
# | section | what it is good for | minutes |
# |---|---|---|
# | how large may the constant be? | a bet, and a slider for float32: rounding stretches, ties or levels the leads | 8 |
# | one against a crowd | a bet and a slider: how large a lead buys half among a thousand keys | 5 |
# | does the answer need the sink? | key 0 in twelve texts, two rows beside each other, and the model without its key 0 | 5 |
# | saying none | an exercise: a sink that is no key, for the nurse's model and in the models of 2025 and 2026 | 12 |
# | bounding scores | a bet: what the models of 2025 and 2026 do so that no lead grows without end | 5 |
# | the temperature for a share | two bets; to get exactly the weights that you want | 10 |
# | what a heat map hides | to read pictures in papers: rows or columns, tokens, the bright diagonal | 8 |
# | a heat map without names | the four answers of `read_by_eye`, now from a few lines of numpy | 7 |
# | as if spread over how many keys | one number that says how selective a head is | 10 |
# | weights are chances | why attention is called an expectation, and what it has to do with smoothing | 12 |
# | how each weight answers | the gradient of softmax, which you need to read about training | 12 |
# | sure of itself, deaf | why large leads stop the learning of where to look | 5 |
# | which path closes | what still learns when softmax is saturated, and what does not | 6 |
# | two illnesses, two cures | overflow and saturation, which are often confused | 5 |
# | a row with nothing to look at | what to do when a mask forbids every key | 4 |

# %% [markdown] card="numpy"

# %% [markdown] depth
# ### Depth: how large may the constant be?
#
# A computer keeps a number in 16, 32 or 64 binary digits: float16, float32, float64. Each has a largest
# number. Here is the largest score whose exponential can still be kept, rounded down. (`np.log` is the
# natural logarithm, ln, which undoes `np.exp`.)

# %%
for precision in (np.float16, np.float32, np.float64):
    largest = np.finfo(precision).max.astype(float)  # finfo knows the limits of a precision
    print(f"{precision.__name__}: {np.floor(10 * np.log(largest)) / 10}")

# %% [markdown]
# Your softmax cannot overflow any more. *So add ever larger constants to 1, 2, 3. Does nothing change,
# however large they are?* Compare two precisions.

# %%
bet("far_out")

# %%
for constant in (0, 1000, 1e6, 3e7, 6.3e7, 1e8):
    for precision in (np.float32, np.float64):
        far = np.array([1, 2, 3], precision) + precision(constant)
        print(f"{constant:<12g}{precision.__name__}", softmax(far).round(3))

# %%
far = np.array([1, 2, 3], np.float32) + np.float32(1e8)
settle("far_out", softmax(far)[-1])

# %% [markdown]
# Mathematics says that nothing changes, and float32 disagrees. Your softmax is innocent: the addition
# had already lost the scores. A float32 keeps the first 24 binary digits of a number. From 2 to the
# power 24 on, which is about 17 million, its numbers stand 2 apart, then 4, then 8, and every score has
# to land on one of them. So rounding may stretch, tie or level the leads, by luck of the constant.
#
# Now take the constant into your own hands. At the top, a tick is a number that float32 has there (the
# ticks melt into a grey bar as long as they stand too close to draw), and the dots show where the three
# scores land. The curve is drawn only as far as you have come. What comes after the first jump?

# %%
explore_far_out(softmax=softmax)

# %% [markdown]
# <details><summary>A float64 keeps the first 53 binary digits. Which constant would make its three
# weights equal?</summary>
#
# About 10^17. Neighbours stand 1 apart from 2^52 on, which is 4.5 · 10^15, and at 10^17 they stand
# 16 apart: all three scores round to one number.
# </details>

# %% [markdown] depth
# ### Depth: one against a crowd
#
# A lead of 5 is worth 148 to one. *And in a crowd?*

# %%
bet("crowd")

# %%
crowd = np.append(5, np.zeros(999))  # one 5 and 999 zeros
settle("crowd", softmax(crowd)[0])

# %% [markdown]
# Here are smaller and larger crowds:

# %%
for s in (2, 10, 100, 1000, 100_000):
    crowded = np.append(5, np.zeros(s - 1))
    print(f"{s:6} keys: {softmax(crowded)[0]:.4f}")

# %% [markdown]
# *How large a lead gets half of the 1 among a thousand keys?*
#
# You start with a lead of 5 among 10 keys. Let the crowd grow, and watch the strip. Then take hold of
# the one score, and pull until it has half of the strip again.

# %%
explore_crowd(softmax=softmax)

# %% [markdown]
# <details><summary>Now ten thousand keys, ten times as many. How much more lead does half cost? And
# among a million?</summary>
#
# Ten times the crowd costs 2.3 more, because $e^{2.3}$ is about 10: 9.2 among ten thousand. A million
# keys need 13.8, since $e^{13.8}$ is about a million.
# </details>
#
# <details><summary>The sink of the core reached its goal from about -2.2 to .8. Why there?</summary>
#
# For .9 it needs nine times what the hundred keys at -9 get together, so 900 times what each gets: it must lead by 6.8,
# since $e^{6.8}$ is about 900. And the key at 3 needs nine times what the sink gets: it must lead by 2.2, since
# $e^{2.2}$ is about 9.
# </details>

# %% [markdown] depth
# ### Depth: does the answer need the sink?
#
# In the core a second model learned to use key 0 as its sink, for one text. Here are more. Each row is a query with its
# own text. *Where does key 0 turn dark?*

# %%
show_learned_sink()

# %% [markdown]
# Above the line the dark cell is the name's key, and below it mostly key 0. So training used the sink.
#
# Rows A and B ask for the same name. *Why does key 0 win in B and lose in A?*

# %%
show_rows_a_and_b()

# %% [markdown]
# Query and key 0 are the same in both, so key 0 keeps its score of 8. In row A the name's
# key scores 14. In row B no other exceeds 3.
#
# In two of the six rows in which the name is missing, key 0 gets less than half: .45 and .00. These rows ask
# for other names, so other queries meet key 0. In the row with .00 it scores -5, and some other key 2.
#
# The model answers "nothing" even so. The first model never had to tell a blend of many values from a
# single one, and this one was trained to. *So does the answer need key 0 at all?* Forbid it in all 200
# texts without the name:

# %%
ask_without_key_0()

# %% [markdown]
# Four answers in five survive, and one in five needs the sink. It matters more in a language model (Xiao et
# al., "Efficient Streaming Language Models with Attention Sinks", 2023). There the blend is no final
# answer: it is *added* to what the word already holds (chapter 7). Strangers' values would smudge the word.
# A sink whose value is near zero leaves it clean (Gu et al., "When Attention Sink Emerges in Language
# Models", 2024).

# %% [markdown] depth
# ### Depth: saying none
#
# *Could the nurse keep the first model, and refuse its answers that are not sure?* Here is how many are surer than .95:

# %%
count_sure_answers()

# %% [markdown]
# A limit of .95 would keep all the right answers and stop Mia's. But 30 of 200 strangers' numbers would pass.
#
# *Would a sink help?* The first model's texts have no pair to spare for one. But a sink need not be a key. In gpt-oss
# each head learns a single number that competes with the scores of its keys (gpt-oss model card, 2025). What this
# **learned sink** wins is spent on nothing.
#
# #### Exercise: `softmax_with_sink`
#
# Write that softmax. Scores of 0 and 0 beside a sink of 0 get a third each, and the last third is spent on nothing.


# %% exercise="softmax_with_sink"


# %% [markdown]
# In the core you lifted the board, and no weight changed. Lift it by 10 here. The sink is not on it, and stands still.
# *Do the weights stay?*

# %%
for score in (0.0, 10.0):
    print(f"scores of {score:2.0f}:", softmax_with_sink(np.full(2, score), 0.0).round(2))

# %% [markdown]
# No: the lead over the sink counts, too, and has grown.
#
# Now give the first model such a sink, and ask it for Kim. *How high may the sink be before her own key gets less than
# half, where she is there?*

# %%
your_sink = 9.0  # try yours
ask_for_a_missing_name(sink=your_sink, softmax=softmax_with_sink)

# %% [markdown]
# Kim's key gets more than half as long as the sink is lower than her score, 11.9.
#
# Where she is gone, a sink of 9 leaves Mia's number a chance of .02, a blind guess among 64. So the nurse is still not
# told that there is no chart: this model has no word for it. The second model of the core was trained to have one.
#
# There is another way to say none. An **output gate** leaves the softmax as it is, and lets the word that asks say
# afterwards how much of the answer it wants. The gate is a number made from that word by a learned matrix. The
# sigmoid, $1 / (1 + e^{-x})$, turns it into a share between 0 and 1, and the output is multiplied by that:

# %%
answers = np.array([[10.0, 20.0], [10.0, 20.0]])  # two words get the same output
print(gated(answers, gate=np.array([[4.0], [-4.0]])).round(1))  # one wants it, one does not

# %% [markdown]
# | what | used by | source |
# |---|---|---|
# | learned sink | gpt-oss, DeepSeek-V4 | gpt-oss model card (2025); DeepSeek-V4's published code (2026) |
# | output gate | Qwen3-Next, Qwen3.5 | Qiu et al., "Gated Attention for Large Language Models" (2025) |
#
# The two meet in one observation: with a gate, its authors report, the first piece of the text hardly serves as a
# sink any more. A head that can close its gate does not need one.

# %% [markdown] depth
# ### Depth: bounding scores
#
# While a model trains, a row of scores may grow until one key takes all. *What do the models of 2025 and 2026 do about
# it?*
#
# **QK-norm** brings every query and every key to the same length before they meet (Henry et al., 2020). Here
# are five of each, 64 wide, made 10 and 100 times as long:

# %%
q, k = np.random.default_rng(21).normal(size=(2, 5, 64))
for times in (1, 10, 100):
    plain, normed = times * q @ (times * k).T / 8, qk_norm_scores(times * q, times * k)
    print(f"{times:3} times as long: scores up to {np.abs(plain).max():7.1f}", end=", ")
    print(f"with QK-norm up to {np.abs(normed).max():.1f}")

# %% [markdown]
# After QK-norm each has the length $\sqrt d$, so no score leaves the range from $-\sqrt d$ to $\sqrt d$,
# here -8 to 8. (Then each entry gets a learned factor, so that a model may be sharper where it wants to.)
#
# A **softcap** lets the vectors be, and bends the scores: $x$ becomes $c \tanh(x / c)$, which never leaves
# $-c$ to $c$.

# %%
bet("capped")

# %%
capped = softcapped([1.0, 10.0, 60.0, 100.0], cap=50)
print("1, 10, 60 and 100 become", capped.round(1))
settle("capped", capped[3] - capped[2])

# %% [markdown]
# Small scores stay nearly as they are, and the order stays as well.
#
# | what | used by | source |
# |---|---|---|
# | QK-norm | Qwen3, Gemma 3 | Qwen3 Technical Report (2025); Gemma 3 Technical Report (2025) |
# | softcap, at 50 | Gemma 2; Gemma 3 has QK-norm in its place | Gemma 2 (2024); Gemma 3 Technical Report (2025) |
#
# <details><summary>A head has QK-norm with d = 64 and no learned factors, and it looks at ten thousand keys.
# What is the most that one of them can get?</summary>
#
# Its score is at most 8, and the others' at least -8, so it leads by at most 16: $e^{16}$ is 8.9 million,
# against 9999 others. It can get .999. At d = 4 the lead is 4 at most, and it gets .005. So a
# bound can also be too tight, and that is what the learned factors are for.
# </details>

# %% [markdown] depth
# ### Depth: the temperature for a share
#
# In the core you found a temperature that gives that tutorial's weights. The tutorial names none: it divided without
# saying so, or its numbers are a slip. *Which other temperatures give them?*
#
# <details><summary>Scores 4, 4 and 0 at a temperature of 2: who gets what? (e squared is
# about 7.4.)</summary>
#
# Divided by 2 they are 2, 2 and 0, so the shares are as 7.4 to 7.4 to 1: .47, .47 and .06.
# </details>

# %%
four = np.array([3.5, -2.1, 8.7, 0.3])
grid = np.arange(1.5, 2, 0.001)
fits = (softmax(four / grid[:, None]).round(2) == [0.05, 0, 0.94, 0.01]).all(axis=1)
print(f"T from {grid[fits].min():.3f} to {grid[fits].max():.3f}; sqrt(3) = {np.sqrt(3):.3f}")

# %% [markdown]
# A whole range of temperatures rounds to the same four numbers, and the square root of 3 lies in it, by which
# chapter 3 would divide at width 3.
#
# *Now on paper, without trying: get T from the printed .94 and .05.* You will need the *natural logarithm*,
# ln, in code `np.log`, which undoes `np.exp`.
#
# <details><summary>T, from two of the printed numbers</summary>
#
# 8.7 leads 3.5 by 5.2. ln(.94/.05) = 2.93. T = 5.2 / 2.93 = 1.77.
# </details>
#
# *And what becomes of 1, 2 and 3 at T = .1?*

# %%
bet("ten_times")

# %%
settle("ten_times", softmax(np.array([10.0, 20.0, 30.0]))[-1])

# %% [markdown]
# The closer T comes to 0, the closer the leader comes to having all. T = 0 itself is forbidden, since
# nothing can be divided by 0: a program that lets you choose it takes the leader. With a factor b in
# place of e, such as our 5, T is $1 / \ln b$. (PyTorch calls the scores *logits*.
# Boltzmann's weights in physics: the score is minus the energy, and T is kT. Economists call the same rule a logit
# model, and the
# decision that a third key has no say "independence of irrelevant alternatives": McFadden, 1974.)

# %% [markdown]
# #### Exercise: `temperature_for`
#
# In the core you wanted a lead, and here you want a share. "Cat" scored .8 and .1, and gave "in" a third. At which
# temperature does the key that leads get a given share?


# %% exercise="temperature_for"


# %%
T = temperature_for(0.7, 0.95)
print(f"T = {T:.3f} gives", softmax(np.array([0.8, 0.1]) / T).round(3))

# %% [markdown]
# At that temperature "cat" would really look at "sleeps" and hardly at "in". And what does sharpening
# do to a tie?

# %%
bet("tie")

# %%
print(softmax(np.array([8.0, 8.0, -20.0])).round(3))
settle("tie", softmax(100 * np.array([8.0, 8.0, -20.0]))[0])

# %% [markdown] depth
# ### Depth: what a heat map hides
#
# Here are four pieces of the running sentence again, with the scores on the left and the weights on the
# right. As in the core, more weight is darker; in many papers it is brighter. Press a row to ask one query what it
# gives. Then share out along the rows or along the columns, and cool or heat the table.

# %%
explore_heat_map(softmax=softmax)

# %% [markdown]
# <details><summary>And at T = 0.1, the cold end: what do the columns add up to, and what do these sums
# count?</summary>
#
# .99, 2.01, 1.00 and .00: nearly whole numbers. Each query gives all to one key, and the column counts
# how many chose it.
# </details>

# %% [markdown]
# *How many rows and columns has the table of the whole sentence?*

# %%
sentence = "小沈阳江西演唱会邀请了，"
print(len(sentence), "characters,", len(sentence.encode()), "bytes in UTF-8")
print("阳 is character", sentence.index("阳") + 1)

# %% [markdown]
# As many as the tokenizer makes, the program that cuts a text into tokens. With one token for each
# character there are 12, and 阳 is the third. If a picture of this sentence shows 16 tokens, some
# characters were cut into pieces. A stripe at column 4 or 5 may then still be 阳, and labels of one
# character each no longer fit beside the picture.
#
# #### When is the diagonal bright?
#
# *"The diagonal is bright, because each word is most like itself."* Is it?

# %%
bet("diagonal")

# %%
rng = np.random.default_rng(0)
queries, keys = rng.normal(size=(2, 20_000, 16, 8))
on_diagonal = (queries @ keys.swapaxes(1, 2)).argmax(axis=2) == np.arange(16)
settle("diagonal", 100 * on_diagonal.mean())

# %%
x = normalize(queries[0])
itself = (x @ x.T).argmax(axis=1) == np.arange(16)
print(f"words of one length with themselves: {itself.mean():.0%}")
x = np.array([[1, 0], [3, 0.1], [0, 1]])
print("word 0 looks at word", (x @ x.T).argmax(axis=1)[0], "most, because that one is longer")

# %% [markdown]
# With the same vectors as queries and keys, all of one length, the diagonal is bright; one long vector
# is enough to break it. With separate queries and keys there is no reason for it.

# %% [markdown] depth
# ### Depth: a heat map without names
#
# #### Exercise: `read_heat_map`
#
# In the core you read a table without names by eye. Now write the few lines of numpy that answer the same
# four questions for a table of any size, **either way round**. "Which" asks for a number, counted from 0.
#
# 1. `queries_in_rows`: does each row add up to 1, or each column? (`np.allclose(a, 1)` says whether all of
#    `a` is 1, up to rounding.) If it is each column, go on with the table turned, `weights.T`.
# 2. `looks_at`: which key does the **second** query (number 1) look at most? (`a.argmax()` of a single row
#    says where its largest number stands.)
# 3. `heard`: which key gets the most attention from all queries together?
# 4. `undecided`: each query has a largest weight; for which query is it the smallest? (`a.argmin()` says
#    where the smallest number stands.)


# %% exercise="read_heat_map"


# %%
queries_in_rows, looks_at, heard, undecided = read_heat_map(unlabelled)
print(f"queries in rows: {queries_in_rows}, the second looks at {looks_at},", end=" ")
print(f"most heard {heard}, most undecided {undecided}")

# %% [markdown] depth
# ### Depth: as if spread over how many keys
#
# Is a row of 100 weights selective? One number tells you, the **entropy**: $-\sum_i w_i \ln w_i$, where ln
# is the natural logarithm, `np.log`. It is 0 where one key has all, and ln s where s keys have the same.
#
# #### Exercise: `entropy`


# %% exercise="entropy"


# %% [markdown]
# Take a mixture of 50, 30 and 20 percent. The logarithms of 5, 3 and 2 are scores for it; those of 2.5, 1.5
# and 1 do as well, since a constant cancels. The exponential of the entropy counts keys: the 1 is spread
# *as if evenly over so many*. In the course's library it is `effective_count`.

# %%
mixture = softmax(np.log([2.5, 1.5, 1.0]))
spread_out = entropy(mixture)
print(mixture.round(3), f"  entropy {spread_out:.2f}, as if over {np.exp(spread_out):.1f} keys")

# %% [markdown]
# *Is attention selective?* Here are 512 keys with random scores, whose spread grows from row to row. In a
# new model it is small: chapter 3 computes .3, 1 and 1.8 for three ways to start.

# %%
draw = np.random.default_rng(2)
for spread in (0.1, 1, 2, 4, 8):
    rows = softmax(spread * draw.normal(size=(1000, 512)))
    count = np.mean(effective_count(rows))
    print(f"scores spread by {spread:3}: as if over {count:3.0f} of 512 keys")

# %% [markdown]
# Selecting is what a model learns, by making leads. Where the scores of a new model spread by .3 or 1, it
# gives its 1 to most of the words; with 1.8 it already favours some, by chance. Take ten scores into your own
# hands and see how fast one lead eats up the others:

# %%
explore_ten_scores(softmax=softmax, entropy=entropy)

# %% [markdown]
# <details><summary>Are the weights of two keys large now? What does the number of keys not tell?</summary>
#
# Only one weight is large: it has more than .8, and nine small ones share the rest. The number says how
# much is spread, and not in which pieces.
# </details>

# %% [markdown] depth
# ### Depth: weights are chances, the output an expectation
#
# Weights are positive and add up to 1, so you may read them as chances. (In statistics softmax is the *multinomial
# logit*.) Draw a key with these chances, take
# its value, and draw again. The average of the values comes close to $\sum_j w_j v_j$, which is the output of
# attention: the *expectation* of the value. (What is drawn is a key. The chance of an *answer*, such as Mia's number
# in the core, is something else.)
#
# #### Exercise: `sampled_output`
#
# `rng` is a generator of random numbers; `rng.choice` draws. Take every draw from it, and none from
# elsewhere: then the same generator gives the same result.


# %% exercise="sampled_output"


# %% [markdown]
# Seven values, each a point in the plane. Their expectation is an average, so it lies between the smallest and
# the largest in both directions:

# %%
chance = np.random.default_rng(1)
mix, values = softmax(chance.normal(size=7)), chance.normal(size=(7, 2))
output = mix @ values
print("inside of the values:", ((values.min(0) < output) & (output < values.max(0))).all())

# %%
bet("hundredfold")


# %%
def typical_error(draws):
    """The root of the mean squared error over 200 estimates."""
    errors = [sampled_output(mix, values, draws, chance) - output for _ in range(200)]
    return np.sqrt(np.mean(np.square(errors)))


errors = [typical_error(draws) for draws in (100, 10_000)]
print("100 draws: {:.2f}   10,000 draws: {:.3f}".format(*errors))
settle("hundredfold", errors[0] / errors[1])

# %% [markdown]
# Statisticians have long known such averages as **kernel smoothers** (Nadaraya and Watson, 1964): averages
# in which nearby values count more. For keys of one length the weights are exactly those of a Gaussian bell
# around the query:

# %%
query, keys = chance.normal(size=5), normalize(chance.normal(size=(7, 5)))
bell = np.exp(-((keys - query) ** 2).sum(axis=1) / 2)
print("the same weights:", np.allclose(softmax(keys @ query), bell / bell.sum()))

# %% [markdown] depth
# ### Depth: how each weight answers to each score
#
# Raise score j a little. How does weight i move? Take the logarithm of $w_i = e^{x_i} / S$, with S for
# the sum: $\ln w_i = x_i - \ln S$. The slope of $x_i$ is 1 for j = i and 0 otherwise, written
# $\delta_{ij}$; the slope of $\ln S$ is $e^{x_j} / S = w_j$; and the slope of $\ln w_i$ is the
# slope of $w_i$, divided by $w_i$. So
#
# $$\frac{\partial w_i}{\partial x_j} = w_i\,(\delta_{ij} - w_j)$$
#
# All these slopes in one table are the **Jacobian**. Check it by raising and lowering each score by a
# thousandth:

# %%
point, step = np.array([1.0, 2.0, 3.0]), 1e-3
raised, lowered = point + step * np.eye(3), point - step * np.eye(3)
slopes = ((softmax(raised) - softmax(lowered)) / (2 * step)).T
print(softmax_jacobian(point).round(3))
print("largest difference below .0001:", np.abs(slopes - softmax_jacobian(point)).max() < 1e-4)

# %% [markdown]
# The table is the same by rows and by columns, and each row adds up to 0: what one weight gains, the
# others lose. There are three directions at right angles along which the weights move the same way as
# the scores, times a factor. That factor is called the *eigenvalue*. For the direction that adds a
# constant it is 0, and it is never above one half.

# %%
values_of_it = np.linalg.eigvalsh(softmax_jacobian(point))
print("rows add up to", np.abs(softmax_jacobian(point).sum(axis=1)).max().round(9))
print("eigenvalues:", np.abs(values_of_it.round(3)))

# %% [markdown]
# #### Exercise: `jacobian_times`
#
# For 4096 keys the table has 16.8 million entries. You never need all of it: training asks for the table
# times some change of the scores, and that takes two multiplications a key. (For a few keys
# an answer that builds the table is right, too.)


# %% exercise="jacobian_times"


# %%
change = np.array([1.0, 0.0, -1.0])
print(jacobian_times(softmax(point), change).round(3))
print((softmax_jacobian(point) @ change).round(3))

# %% [markdown] depth
# ### Depth: sure of itself, deaf to correction
#
# *You raise a score by a little. By how many times as much does its weight move?* That number is called
# the *slope*. In the table `softmax_jacobian(scores)` it stands for each weight and each score.

# %%
bet("deaf")

# %%
for lead in (0, 2, 5, 10, 20):
    slope = softmax_jacobian(np.array([lead, 0.0]))[0, 0]
    print(f"lead {lead:2}: slope {slope:.1e}")
settle("deaf", softmax_jacobian(np.array([10.0, 0.0]))[0, 0])

# %% [markdown]
# From a lead of 5 on, another 5 divide the slope by about $e^5 = 148$. In float32 a lead of 20 even makes one
# weight exactly 1: what is missing is smaller than its digits.

# %%
print("1 - w in float32:", 1 - softmax(np.array([20, 0], np.float32))[0])

# %% [markdown] depth
# ### Depth: which path closes, and which stays open
#
# A softmax is *saturated* when one weight is nearly 1. *"Then no gradient gets back."* Is that so? The
# output is weights times values, so there are two paths back. Take wide vectors whose scores are not divided,
# and some gradient `g` that arrives at the output. What reaches the weights is `g @ v.T`. On the way back to
# the scores, each row c of that becomes $w\,(c - w \cdot c)$, with w for its weights. (Weight i answers to
# score j with the slope $w_i(\delta_{ij} - w_j)$, where $\delta_{ij}$ is 1 for i = j and 0 otherwise; add up
# over i, with c.) What reaches the values is a plain product with the weights.

# %%
q, k, v, g = np.random.default_rng(0).normal(size=(4, 16, 768))
back = g @ v.T
print(f"arrives: {np.linalg.norm(g):.0f}")
for divisor in (1, np.sqrt(768)):
    w = softmax(q @ k.T / divisor)
    rows = w * (back - (w * back).sum(axis=1, keepdims=True))
    typical = np.median(np.linalg.norm(rows, axis=1))
    print(f"scores / {divisor:4.1f}: to the values {np.linalg.norm(w.T @ g):3.0f}", end=", ")
    print(f"to a row of scores {typical:.2f}")

# %% [markdown]
# Without the division the path through the scores, to queries and keys, is closed for a typical row (a
# few rows, undecided by chance, let something through). The path to the values is open, and so is the
# *residual* around the whole attention (chapter 7). That is bad enough: *where to look* is hardly
# learned any more.

# %% [markdown] depth
# ### Depth: two illnesses, two cures
#
# Scores that are too large make exp overflow. Leads that are too large *saturate* softmax: one weight is
# nearly 1, and the slopes are tiny. (A slope says how many times as much a weight moves as its score.) *Does
# one cure help against both?*

# %%
bet("cure")

# %%
plain = softmax_jacobian(np.array([0.0, 20.0]))
shifted = softmax_jacobian(np.array([0.0, 20.0]) - 20)
settle("cure", (shifted / plain).max())

# %% [markdown]
# Overflow is cured by subtracting the largest score, saturation by smaller leads. *Mixed precision* cures
# neither. It saves time and memory with numbers of 16 binary digits, bfloat16 or float16. A bfloat16
# reaches as far as a float32, but a float16 ends at 65504, and that brings the first illness back. A query
# of 768 tens, with itself, should give 76,800:

# %%
q = np.full(768, 10, np.float16)
with np.errstate(over="ignore"):
    print("q · q in float16:", (q * q).sum())
print(f"divided by sqrt(768) first: {(q / np.float16(np.sqrt(768)) * q).sum():.0f}")
added_up = (q.astype(np.float32) ** 2).sum()
print(f"added up in float32: {added_up:.0f}, then divided: {added_up / np.sqrt(768):.0f}")

# %% [markdown]
# So either the query is divided before the product, or the products are added up in float32 and divided
# then. PyTorch's plain path does the first (it divides q and k, each by the fourth root of $d_k$);
# chapter 8's kernel does the second, with a GPU's matrix units, which multiply numbers of 16 digits and
# add up in 32. And softmax is computed in float32 even where the rest is not.

# %% [markdown] depth
# ### Depth: a row with nothing to look at
#
# Chapter 6 forbids some keys with a **mask**: True means that this key may be looked at. A forbidden
# key gets the score minus infinity, since exp of that is 0. And if all keys of a row are forbidden?

# %%
with np.errstate(all="ignore"):
    print(softmax(np.full(3, -np.inf)))

# %% [markdown]
# #### Exercise: `softmax_where`
#
# Give such a row the weights 0: then attention adds nothing, which is what "look at nothing" should
# mean. The five lines are all here, in the wrong order.


# %% exercise="softmax_where" shuffled


# %%
mask = np.array([[True, True, False], [False, False, False]])
print(softmax_where(np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]), mask).round(3))
