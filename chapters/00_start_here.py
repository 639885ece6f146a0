# %% [markdown] minutes=3
# # 0 · Start here: type nonsense, and a model continues it
#
# Tell a chat program that your neighbour is called Mrs Quorzel Pogir. A minute later it writes to her.
# It cannot have learned that name: it has to find it in your text. Here is a small program, a *model*, that
# does the same. You type nonsense, and the model continues it correctly. Then you switch off its eight *heads*,
# one by one, and see what it can still do. By the end of the course you will have written such a head yourself.
#
# What a head does is called *attention*. At each letter of a text it looks back over the letters so far, and picks
# out what matters.
#
# If you have programmed before, plan forty minutes. If not, plan two sittings of forty-five: there is a good place
# for a break half way. You need no mathematics today, and what to write in a
# gap of code is told beside it.
#
# **A grey box is code. You run it, and you need not read it.** Click into it and press **Shift+Enter**: its
# result appears below it, and the next box is selected. Run all of them, from the top down.
#
# <details><summary>First time in a notebook? Open this.</summary>
#
# - A box, of code or of text, is called a *cell*. `[*]` beside it means that it runs, or waits for its
#   turn. A number means that it has run. The button **■** at the top stops it.
# - You clicked twice on a text, and now it looks like code? Shift+Enter brings it back.
# - `NameError: name ... is not defined`: is the name a word that you typed as text? Then it needs quotes,
#   as in `"hello"`. If not, a cell further up has not run. Run from the top.
# - A `SyntaxError` is a slip that Python cannot read at all. Often a quote or a bracket is missing, at the
#   beginning or at the end. Mend it, and run the cell again.
# - The button **+** at the top makes a new cell, for anything that you want to try.
# - Where you may change something in the code, the text says so, and where you must, the code has a `...`.
# </details>

# %%
from course_lib.environment import check_environment

check_environment()

# %%
from course_lib.chapters.start_here import *

# %% [markdown] minutes=3
# ## It continues whatever begins again
#
# *What comes after "giraffe pogir"?* Somebody has written *giraffe po*, and begins to write it again: *gir*. So
# *affe* must come next. You can tell. Can a small model tell, too? It says one letter, reads what it has said,
# and says the next one.

# %%
text = "giraffe pogir"
model = load_copying()
go_on(model, text)
go_on(model, "quorzel pogir quorz")

# %% [markdown]
# The letters after the stroke are the model's. After *affe* come a space and a *p*, as in the text. And our neighbour
# gets her name: after *quorz* comes *el*.
#
# **Your turn.** In place of *giraffe pogir*, type nonsense of your own, 5 to 24 letters long, and begin it a second
# time. Then run the cell again. Can you catch the model in an error?
# The cell tells you when you have. It has written *affe* well, but a letter that comes twice before the text begins
# again, as the *f* does, sometimes makes it err.
#
# What is this model? It is a list of numbers, and a fixed recipe for multiplying and adding them.

# %%
print(model.parameters, "learned numbers")
print("without a repeat: lemon tray|" + model.continued("lemon tray", 6))

# %% [markdown]
# Those are few: Llama-3-8B, a model for chat programs, has 8 billion (Grattafiori et al., 2024).
#
# Our model knows no giraffes and no English. It was *trained* on random rows of letters, called *strings*,
# that repeat themselves. It had to say the next letter. After each try its numbers were changed a little,
# so that it would do better. Nobody told it how.
#
# Copying is all that it can do. *lemon tray* does not repeat itself, so nobody can know what comes next. The model
# copies all the same: *ray*, the end of the text, twice. Why not *lemon*, we cannot say. How does it copy?

# %% [markdown] minutes=3
# ## Eight heads: how many are needed?
#
# The model works in two steps, *block* 1 and *block* 2, and the second works on what the first one found.
# Each has four heads. One of the eight matters most for finding *Quorzel* again. Which one?
#
# To find out, we count right letters in fresh random strings. Each string begins again and again, as your text
# would, if it went on like this:

# %%
show_what_counts(text)

# %% [markdown]
# Each stretch up to a dot is one *round*: for *giraffe pogir* it is *giraffe po*. ␣ is a space.
# **Only letters that can be known count. They have a mark below them.** Round 1 has none, since nobody can know what
# comes. Nor has the first letter of round 2: nothing tells that a new round begins. From its second letter on, you can
# see that it repeats.
#
# A pure guess among 26 letters and the space would get 4 of 100 right.
#
# Now a **bet**: place it first, and only then run the next cell, which decides.

# %%
bet("one_of_eight")

# %%
right = sorted(round(100 * share_right(model, loudness=without(head))) for head in range(1, 9))
print("right of 100, with one head off:", *right)
settle("one_of_eight", right[0])

# %% [markdown]
# Which head leaves only 10 right? The list is sorted, so you find the head yourself. Another one leaves 87: what it
# does, you learn after the break.

# %% [markdown] minutes=6
# ### Slide: how loud must a head be?
#
# **Press a head to choose it, and drag its blue knob down. Your goal: find the head that the copying cannot
# do without. Then raise it again, until about half of the letters are right.** How far a head's column
# is filled is its *loudness*: 1 is as loud as it has learned to be, and 0 is silent.
#
# The long bar shows how many of 100 letters are right, in many fresh strings. Only this bar counts for your goal.
# The row below it is your own text. The dashed letters are the model's: green as long as they are right. One wrong
# letter leads to the next, since the model reads what it has said. The arcs can wait until you have found the head.
#
# Head 6 is chosen at the start. Can the model do without it?

# %%
explore_heads_of(text)

# %% [markdown]
# **Now look at the arcs.** Each goes from a letter back to where the chosen head looks. The dark arcs come from the
# last letter, where the model says the next one: the thicker they are, the more it takes over from there. Press
# head 6 again: it looks at the right letter, and yet it is not missed. You will soon see why.
#
# <details><summary>At which loudness are half of the letters right? Is that 0.5?</summary>
#
# No, at about 0.26. At 0.5 there are still 93 of 100 letters right.
# </details>

# %% [markdown] minutes=5
# ## One head remembers what came before, another finds the place
#
# *How does the model copy?* Two heads are enough to see it. The one that you were looking for comes first.

# %%
show_note_left(model, "giraffe pogir")

# %% [markdown]
# **①** From each letter, head 2 looks one letter back, and notes what it sees: the row below the letters. So the *a*
# carries the note "before me: r". Soon it will be looked for.
#
# Block 2 works on what block 1 left, so there each letter still has its note. And there the last letter, the *r*, asks
# all of them, through head 5.

# %%
show_note_found(model, "giraffe pogir")

# %% [markdown]
# **②** The *r* is at the end, and looks for what comes after an *r*. So it asks each letter: "Is an *r* right before
# you?" The picture writes this as "before you: r?" Only the *a* can say yes, since its note says *r*. **This is why
# the model needs head 2 so badly:** without its notes, the *r* asks in vain.
#
# **③** The note is only for finding. Once found, the *a* hands over something else: "here is an a". The green arrow
# takes it to the end, and the model says *a*.
#
# The numbers below the letters tell how the *r* shares out its attention. Such a share is called a *weight*. Of 100,
# the *a* gets 91, so what it hands over arrives nearly alone. The other 9 go to an *i* that does not fit: learned notes
# are seldom perfect.

# %% [markdown]
# **Three things were used: a note, a question, and what is handed over.** Think of a library. Each of the three has a
# name, and in the picture a colour:
#
# | | in a library | in the picture | its name |
# |---|---|---|---|
# | ① | the label on a book's spine | before me: r | *key*, orange |
# | ② | the slip in your hand, with what you look for | before you: r? | *query*, blue |
# | ③ | the pages that you then read | here is an a | *value*, green |

# %% [markdown]
# **Now the name from the beginning.** In the cell with `show_note_found`, put `quorzel pogir quorz` between the quotes, and run it.
# Who asks, and who answers? The answer gets only 73 here, and a letter that does not fit gets 22. The largest share
# still wins.
#
# **And why is head 6 not missed?** Heads 5 to 8 ask much the same, and what they find is added up. So the model can do
# without any one of them. (The head that leaves 87 is in block 1.)

# %% [markdown] minutes=6
# ### Exercise: `next_letter`
#
# Can you do what the two heads do? Write it as a rule. Take *onion*, and number its places. Python, the language of
# the grey boxes, counts from 0:
#
# | letter | o | n | i | o | n |
# |---|---|---|---|---|---|
# | place | 0 | 1 | 2 | 3 | 4 |
#
# *onion* ends with an *n*. That letter came before, too, at place 1, and after it came an *i*. So the rule says *i*. If
# the last letter came more than once before, the latest time counts. In code, you need only pick a letter:

# %%
word = "onion"
place = 1  # where the n came before
print(word[place], word[place - 1])

# %% [markdown]
# **Square brackets pick a letter.** Before them stands what you pick from, and between them the place. `place` is a
# name for the number 1. So `word[place]` is the *n* at place 1, and `word[place - 1]` is the letter before it.
#
# **Your rule is given a text, and calls it `text`.** Its first line finds the `place` where the last letter came
# before, and you need not know how. **Pick the next letter out of `text`, in place of the `...`.** `return` hands your
# answer out.
#
# <details><summary>Is this the first code of your life? Open this.</summary>
#
# You cannot break anything. While your rule is not right, the cells below use the course's. Leave the spaces before
# `return`, too. What comes after a `#` or between `"""` is written for people.
# On the given line, a minus counts from the end: `text[-1]` is the last letter, `text[:-1]` all but the last.
# There are three hints, and `reveal("next_letter")` in a new cell prints an answer.
# </details>

# %% exercise="next_letter"


# %% [markdown]
# **Now let your rule write.** Then put *giraffe pogir* between the quotes. Which letter does it skip, and why?

# %%
start = "thunderclap th"
print(start + "|" + continued_by(next_letter, start, 22))

# %%
bet("your_rule")

# %%
rule = 100 * rule_right(next_letter)
print(f"the rule: {rule:.0f} of 100, the model: {100 * share_right(model):.0f}")
settle("your_rule", rule)

# %% [markdown] minutes=5
# ### Exercise: `trap`
#
# *Where does your rule go wrong?* In *giraffe pogir* it skipped an *f*. Stop there, at *giraffe pogiraf*. You say *f*, as
# after the first *f*. The rule goes by the second *f*, and says *e*. So this text is a **trap**: it begins again, and ends
# with a letter that came before at two places. A different letter follows each, and you mean the earlier place, but the
# rule takes the later one.
#
# Now lay a trap of your own, with other words. It takes no code, only a text between quotes.

# %% exercise="trap"


# %%
print(" the rule:", trap() + "|" + continued_by(next_letter, trap(), 9))
print("the model:", trap() + "|" + model.continued(trap(), 9))

# %% [markdown]
# The rule steps into the trap. The model mostly steps over it: look at its first letter. After the break you find out
# how.

# %% [markdown] minutes=5
# ## What does the model know that the rule does not?
#
# **You are half way, and this is a good place for a break.**
#
# <details><summary>Before you leave, and when you come back</summary>
#
# Save with Ctrl+S, on a Mac with Cmd+S (on Colab with *File, Save a copy in Drive*). When you come back, click this
# cell and choose *Run, Run All Above Selected Cell* (on Colab *Runtime, Run before*). It stops where a cell of yours
# ended in an error: mend that one first.
# </details>
#
# *How does the model step over a trap?* Take *hat cap ha*. You would go on with a *t*, and your rule says *p*.
#
# **Now you, on paper.** Head 2 has left its note at each letter: which letter is right before me? The last *a* asks
# all of them: "before you: a?" Which of them answer? And what would you note as well, so that only the right one does?
#
# <details><summary>Write it down, then open this.</summary>
#
# | letter | h | a | t | ␣ | c | a | p | ␣ | h | a |
# |---|---|---|---|---|---|---|---|---|---|---|
# | its note, "before me:" | none | h | a | t | ␣ | c | a | p | ␣ | h |
#
# The *t* and the *p* answer. You chose the *t* because you saw not only the *a*, but *ha*. So each letter
# needs a second note: which letter is *two* places before me.
# </details>
#
# The model has a head for this: head 3 looks *two* letters back, and leaves the second note. The next cell switches
# it off.

# %%
tricky = "hat cap ha"
without_3 = 100 * share_right(model, loudness=without(3))
print(f"without head 3: {without_3:.0f} of 100 are right")
show_places_found(model, tricky)

# %% [markdown]
# **Look at the upper picture first.** A filled note answers the question on its left, and the last row counts: the *t*
# has 2 answers, and the *p* only 1. So head 5 looks at the *t*.
#
# But how can the last *a* ask for an *h*? It has a note of its own, from head 2: *h*, in a blue frame. So it knows that
# the text ends with *ha*, and can ask for a letter that comes after both.
#
# In the lower picture, head 3 is off, and nobody has a second note. The *t* and the *p* have 1 answer each. Which one the
# model takes differs from text to text; here it is the wrong one. So it errs more often: head 3 is the head that left 87 right.
#
# Now put *bank cash ba* in place of *hat cap ha*, then your own trap, and then *tomato tomato*, on which the model errs
# (or the text with which you caught it). Does head 3 make the difference? It need not: most letters are right
# without it, too.

# %% [markdown] minutes=7
# ### Exercise: `by_two`
#
# Now give your rule what head 3 gives the model. Go by the last *two* letters: where the same two came together
# before, return the letter that came after them. The numbers in the picture are places. In the
# code `text[-2:]` are the last two letters, and `text[:-1]` is all but the last.

# %%
show_pair("cap sat ca")

# %% [markdown]
# **The code below has two gaps. First fill the lower one, in the last line:** it runs where the two came together before. The first of
# them was at `place`, in the picture 0. Pick the letter that followed the two, much as in `next_letter`.
#
# **Then the upper one, in the line below `if`:** it runs where the two never came together. There Python has
# answered -1, to say: *not found*. It is not a place here. So let your first rule answer. You ask a rule by its name, with
# a text in round brackets:

# %%
print(next_letter("onion"))

# %% exercise="by_two"


# %%
print(f"one letter: {rule:.0f}, two letters: {100 * rule_right(by_two):.0f} of 100")
walk_into(by_two, trap(), 9)

# %% [markdown]
# With two letters instead of one, your rule comes close to the model. Nobody wrote such a rule into the model. Training
# changed its numbers until it did something very much like it.
#
# Is this only a toy? Researchers found such pairs of heads in small language models (Elhage et al., 2021), and heads
# like our head 5 in large ones (Olsson et al., 2022). They call it an *induction head*. It is one way to find Mrs
# Quorzel Pogir's name again.

# %% [markdown] minutes=5
# ## Why attention: nothing has to be passed on
#
# *How else could a machine read?* Step by step, with one memory that is rewritten at each step and passed on. Such
# a model is called a *recurrent network*, RNN for short. It is the whispering game: what the first player said goes
# through every ear in between. Attention is a round table, where you can ask anybody who has spoken before you.
#
# In the upper row of this sketch, follow the green *g*. Each step writes one more letter into the memory, and blurs the
# older ones. In the lower row, the arcs show where the last letter *can* look.

# %%
show_passing_on("giraffe pogir")

# %% [markdown]
# Now a real RNN, about as large as our model, and trained as long, on the same task. The longer a round is,
# the further back the RNN must remember. With 6 letters in a round, it gets 94 of 100 right.

# %%
bet("long_period")

# %%
periods = range(6, 25, 3)
attention = [100 * share_right(model, period=period) for period in periods]
rnn = [100 * share_right(load_recurrent(), period=period) for period in periods]
settle("long_period", rnn[-1])
show_periods(periods, attention, rnn, placed("long_period"))

# %% [markdown]
# Over these lengths attention does not mind how far away a letter is. It has a price, though: it keeps
# every letter, and compares each with all that came before. Chapters 7 and 8 are about that price.

# %% [markdown] minutes=1
# ## Seven chapters write this model, and one makes it fast
#
# *What will you build, and when?* Here is the model, from top to bottom, and beside each part stands the chapter in
# which you write it. The four with a thick frame you have met. You begin with what matters most, so the chapters do
# not stand in order.
#
# How well a key answers a query is a number, its *score*: the larger it is, the larger the weight. Chapter 1 begins
# with it.

# %%
show_road_map()

# %% [markdown] minutes=1
# ## Your words and your progress

# %% [markdown] card="words"

# %%
progress()

# %% [markdown]
# ### Test yourself
#
# <details><summary>Why does attention suit a long text better than an RNN? Name two reasons, and
# one price.</summary>
#
# The first reason is reach: each letter is one step away, instead of as many steps as there are letters
# in between. The second is that nothing is rewritten: each letter stays as it was read. The price is that
# all letters are kept, and each is compared with all that came before it.
# </details>
# <details><summary>Head 2 is off, and heads 5 to 8 are as learned. Why do they no longer find
# the right place?</summary>
#
# They look for a place with the note "before me: r". No place has such a note any more. And to ask head 3's notes
# "two before you: i?", the last letter must know that an *i* stands before itself. Head 2 told it that, too.
# </details>
#
# ### What you can now say
#
# - You have taken a trained model apart, found the one head that it needs most, and written what its heads
#   do as a rule of your own.
# - One head notes what came before, and another finds the place by that note. A second note, two letters back,
#   decides between *hat* and *cap*.
# - With attention every letter is one step away.
#
# **Tonight, try it with a chat program.** Tell it about Mrs Quorzel Pogir, and about Mr Quorzel Pogan. Later,
# ask for a letter to each. The names share letters, as the words of your trap do: watch how they end. Then ask what Mrs
# Pogir's dog is called. Nobody has said it, but a chat program can always write a next word, as our model did after
# *lemon tray*. So an answer that sounds sure need not be true.
#
# **Next: [chapter 1](01_dot_product.ipynb).** Where does a head get its scores? From a sum that you write in
# one line. At the end of the chapter you write attention in three, put them into this model in place of all
# its heads, and see whether it still continues *giraffe pogir*.

# %% [markdown] depth
# ## Depth: ten sections, if you want more
#
# Open this heading and choose. Each section can be read alone, and nothing later needs it.
#
# | section | what it is good for | minutes |
# |---|---|---|
# | the whole model on one screen | the code that you will be able to read at the end | 3 |
# | exercise: as many letters as ever fit | lay a deeper trap; how far can a rule get? | 13 |
# | switch off several | a riddle: why is less sometimes better? | 5 |
# | head 3, and a rule that tosses a coin | where it looks, and why 87 is more than 64 | 2 |
# | who invited whom? | the running sentence of the course | 2 |
# | each place says what it is and where it belongs | why there are keys and values | 2 |
# | five pictures for attention, and where each breaks | sayings for teachers and doubters | 2 |
# | what people say, and where you saw it | seven claims, held against what the core has shown | 5 |
# | what other courses ask for first | what you need not know yet | 1 |
# | your progress, and what to do when something is odd | where it is kept, how to start again | 1 |

# %% [markdown] depth
# ### Depth: the whole model on one screen
#
# *What does one run through the model look like?* It is called a *forward pass*, and at the end of the
# course you will know each line of it. `split` deals each vector out to the heads, and `merged` puts the
# parts together again. `normed` is given: it brings the vector of each place to a common size. `heard`
# is where chapter 1 puts your own lines; here it hands on what the heads have found. (Our model reads letter by
# letter, where ChatGPT reads pieces of words.)

# %%
show_forward_pass()

# %% [markdown] depth
# ### Depth: as many letters as ever fit
#
# *Can your rule by two letters be trapped, too?* Lay a deeper trap: put a text between the first quotes on which your
# new rule errs, and between the second ones the letter that you would say. Can you outwit the model, too?

# %%
outwit("hat cap ha", "t", by_two, model)

# %% [markdown]
# <details><summary>When you have one, or are stuck, open this.</summary>
#
# Take *what chap wha*. `by_two` finds the *ha* of *chap* and says *p*. You say *t*, because you saw *wha*. The
# model says *t* as well. How it knows, with notes for two letters, we have not found out. It does not always
# keep up with you: for *that chap tha* it says *p*, as your rule does.
# </details>
#
# *Why stop at two letters?* In *the cat, a cab, the ca* you go by the last six, *the ca*, and say *t*. By
# two or three letters you would say *b*. So try the longest ending of the text first. If it never came
# before, try the one that is a letter shorter, and so on.
#
# #### Exercise: `by_longest`
#
# `text[-1]` is the last letter, `text[-2:]` are the last two, and `text[:-1]` is all but the last. Before the dot stands
# where to search, and in the round brackets what to search for. `rindex` and `rfind` search from the right, so they find
# the latest place. Where there is none, `rfind` says -1, and `rindex` stops.
#
# For three letters alone: 98.9 of 100. **Guess first:** how many by the longest ending, and is that more
# than the model's 99.2?

# %% exercise="by_longest"


# %%
print(f"{100 * rule_right(by_longest):.1f} of 100, the model: {100 * share_right(model):.1f}")

# %% [markdown]
# <details><summary>More than three letters gain nothing that you would see. And the model still gets a
# little more than the best rule. How can that be?</summary>
#
# The letters are drawn at random, so three in a row hardly ever come at two places by chance. Nearly all
# errors of the rule come right behind the first letter of the second round. It goes by that one letter, and
# where the letter comes twice in the first round, it takes the latest place. The right one is always the
# first place of the text.
#
# The model is hardly ever wrong there. It seems to know a beginning when it sees one; how, we have not found
# out. It errs elsewhere, now and then, where many letters fit and the rule is right.
# </details>
# <details><summary>And the rule by one letter: could you have computed its 64? A little mathematics, for
# those who like chances.</summary>
#
# Nearly. The right place is one round back. The rule finds it if the last letter has not come again since
# then. In a round of 14 letters, 13 are in between. Each of them is another letter with the chance 26/27,
# and so all 13 are with the chance (26/27)<sup>13</sup> = 0.61. In a round of 5 letters it is 0.86, and in a
# round of 24 only 0.42.
#
# The rounds are 5 to 24 letters long, each length as often as any other. All strings are equally long, 48
# letters, so short rounds leave more letters that count. The average over all letters that count is 0.64. And
# a wrong place may be followed by the right letter, by luck: that adds 0.01. So you would expect 65. Our run,
# on 12,928 letters, got 64, and twelve others got 64 to 66.
# </details>

# %% [markdown] depth
# ### Depth: switch off several
#
# *Three of heads 5 to 8 are off. How much does the last one save?*

# %%
for off in ((5,), (5, 6), (5, 6, 7), (5, 6, 7, 8), (1, 4), (2, 3)):
    share_off = 100 * share_right(model, loudness=without(*off))
    print("without", *off, f": {share_off:.0f} of 100")

# %% [markdown]
# Odd: without 2 and 3 more is right than without 2 alone (10). What does the model say without 2?

# %%
print("lemon ice lem|" + model.continued("lemon ice lem", 1, without(2)))

# %% [markdown]
# It skips the *o*. Head 3 notes what came *two* letters before, and without head 2 this leads one
# place too far.
#
# Does head 8 alone not find the place, or does nobody hear it? Make it four times as loud.

# %%
alone = without(5, 6, 7)
for loudness in (1, 4):
    alone[1, 3] = loudness  # head 8: block 2, its last head, both counted from 0
    print(
        f"head 8 alone, loudness {loudness}: {100 * share_right(model, loudness=alone):.0f} of 100"
    )

# %% [markdown]
# So it does find the place. What a head says is added to everything else that is known about a letter,
# and one voice of four is often too low in that sum.
#
# (The eight numbers with one head off are each counted on 6,418 letters, and on other strings they move by 3 at most.)
#
# <details><summary>And heads 1 and 4?</summary>
#
# At more than half of all places they look at the letter itself more than at any other; elsewhere they look further
# back. Without both of them the model still gets 99. Training found no work for them that our count can see.
# </details>

# %% [markdown] depth
# ### Depth: head 3, and a rule that tosses a coin
#
# *Where does head 3 look?* In *hat cap ha*, the orange frames are letters that come right after an *a*.
# Only the *t* has the notes *a* and *h*.

# %%
show_two_back(model, tricky)

# %% [markdown]
# <details><summary>How does the last letter know which second note to ask for?</summary>
#
# In *hat cap ha*, the last *a* has a note of its own, "before me: h". So it can ask for a letter that comes right
# after *ha*. Where two places answer, and one of them gets nearly all of the weight, it is nearly always the one with
# two notes that fit.
# </details>
# <details><summary>Is the model right in your trap without head 3, too?</summary>
#
# It may be. Head 5 may look at the right place all the same. Or heads 6 to 8, which ask as well, find it.
# </details>
#
# **Without head 3** the model goes by one letter, as your first rule does. Why does it get 87, and the rule 64? What if
# the rule tossed a coin between the places that fit?

# %%
tossed = 100 * rule_right(toss_a_coin)
print(f"latest place: {rule:.0f}, coin: {tossed:.0f}, model without head 3: {without_3:.0f}")

# %% [markdown]
# The rule takes the latest place. Where the places that fit say different letters, that is nearly always wrong, so even
# a coin is better. In *hat cap · ha* the latest *a* is that of *cap*, one word back, but the right one, that of *hat*, is
# a whole round back. The model is not bound to the latest place, and it is better than a coin. What helps it, we have not
# found out.

# %% [markdown] depth
# ### Depth: who invited whom?
#
# The course has a running sentence: 小沈阳江西演唱会邀请了, "Xiao Shenyang's Jiangxi concert
# invited ...". *Which words must* invited *look at, so that the sentence is understood?* (Why in Chinese?
# It is written without spaces, so a reader must first find out what belongs together: 小沈阳 *Xiao Shenyang* ·
# 江西 *Jiangxi* · 演唱会 *concert* · 邀请了 *invited*. 沈阳 alone is the city of Shenyang, and 小沈阳 is a singer.)
#
# <details><summary>A possible answer</summary>
#
# At the name: Xiao Shenyang is a singer, and Shenyang, inside his name, also a city. At *concert*: it is
# the concert that invites, and the singer only tells whose concert it is. At *Jiangxi*: a place here,
# where the concert is. And the guest, who is named only later? A model that looks back only, as ours
# does, must leave that to the guest, who looks back at *invited*. Chapter 6 has a mask that lets a model
# look both ways. None of this is in a single word; all of it is in who belongs to whom. Relations of this kind are
# what heads can carry: in BERT, a model that reads whole sentences, some look from a preposition to its object,
# others from a pronoun to the noun that it stands for (Clark et al., 2019).
# </details>

# %% [markdown] depth
# ### Depth: each place says what it is and where it belongs
#
# *How can a letter be found, and read, if finding and reading look for different things?* Each place
# carries two things. One is a label, by which it is found: "an r is before me". The other is
# content, which it hands over: "I am an a". A book in a library has both, its label and its pages. The
# label is called *key*, the content *value*, and the question that somebody asks is the *query*.

# %% [markdown] depth
# ### Depth: five pictures for attention, and where each breaks
#
# | people say | what is true of it | where it breaks |
# |---|---|---|
# | a round table instead of a whispering game | everybody can ask directly, nothing is passed on | at our table nobody hears who speaks later |
# | a wormhole between distant words | one step, however far | inside one block; to *use* what was found took two |
# | a spotlight, the eyes of the brain | it is drawn to what matters | it never goes out: the shares always add up to 1 |
# | a cocktail party: one voice among many | what is said decides who is heard | at a party you hear one voice; a head hears a mixture |
# | reading many lines at a glance, not word by word | all places are computed at once | in training; when it writes, one letter comes after the other |
#
# We keep the round table.

# %% [markdown] depth
# ### Depth: what people say, and where you saw it
#
# | people say | here | with care |
# |---|---|---|
# | attention is global: every word sees every word | the arcs; 99 or 100 of 100 at every distance | here only what comes before |
# | attention is parallel: all words at once | the model works on all places of a text at once; the RNN needs a step for each | in training and reading, not in writing |
# | attention is dynamic: the weights depend on the text | the arcs of head 5: they go where an r was before | head 2 looks one back whatever the text |
# | an RNN squeezes the text into a fixed memory | 96 numbers, rewritten at each step; mostly right for short rounds only | attention has no such squeeze: it keeps all, and pays for it |
# | an RNN sees only its neighbours | 29 of 100 after 24 letters is far above chance | its memory reaches back without limit; the way is long |
# | an RNN cannot be parallel | over places it is not: each step waits for the last | but it can read many strings at once; with a linear step, many places too |
# | an RNN gets slow on long texts | one step after another | attention's work grows faster, with the square; but its steps need not wait |
#
# <details><summary>What came first, the RNN or attention?</summary>
#
# The RNN. Programs once translated in this way, and soon they were given attention beside the memory (Bahdanau et al.,
# 2015). In 2017 a model was built without that memory. It kept the attention.
# </details>
# <details><summary>Was this RNN unlucky?</summary>
#
# No. When ours was trained again from two other random starts, its results changed by no more than 6
# letters of 100. A larger RNN, or one trained for longer, gets further.
# </details>
# <details><summary>A text becomes ten times as long. What happens to the memory of an RNN, and to what
# attention keeps?</summary>
#
# The RNN's memory has as many numbers as before, so each letter gets a tenth of the room. Our RNN had room
# enough for 24 letters, four numbers for each, and what it lost was blurred by rewriting. With 240 letters
# the room itself gets short. A memory of a fixed size, through which everything has to pass, is called a
# *bottleneck*. Attention keeps ten times as many letters. Each of them has about ten times as many to look
# at, so there are a hundred times as many pairs to compare.
# </details>

# %% [markdown] depth
# ### Depth: what other courses ask for first
#
# *What should you know before chapter 1?* You need not prepare anything. It begins at school algebra. If you would like
# to try some Python first, *Numbers* and *Text* in [Python's own
# tutorial](https://docs.python.org/3/tutorial/introduction.html) are enough. What other courses ask for is explained
# here, where it is needed.
#
# <details><summary>Topic by topic</summary>
#
# | topic | do you need it here? | where |
# |---|---|---|
# | embeddings: a vector for each word | explained | chapters 1 and 5 |
# | positions | explained, and written | chapter 6 |
# | matrix product, transpose | explained, and used everywhere | chapter 1 |
# | softmax | explained, and written | chapter 4 |
# | LayerNorm, residual sums, feed-forward layers | named where a block is put together | chapter 7 |
# | gradients, vanishing gradients | what they are is said; the long proofs are depth | chapters 3, 4 and 5 |
# | RNN, LSTM, GRU | the one picture above is enough | here, chapter 5 |
# | eigenvectors, KL divergence | no; where one occurs, it is explained | |
# </details>

# %% [markdown] depth
# ### Depth: your progress, and what to do when something is odd
#
# - **All cards** are in `docs/cards.md`.
# - **An update** of the course is laid beside your copy, never over it.
# - **Progress**, that is exercises, hints and bets, is sent nowhere. It is kept where the notebook runs,
#   in your user account: in `~/.local/state/attention-dot-by-dot` (on a Mac in `~/Library/Application
#   Support`, on Windows in `AppData\Local`). On Colab that is one of Google's computers, which forgets it
#   at the end of the session.
# - **A SyntaxError** is a slip that Python cannot read at all. It stops *Run All* at its cell: mend it
#   and run on from there. No other mistake in an exercise stops anything.
# - `No module named 'course_lib'` means that another JupyterLab has opened the notebook. Start this
#   one with `make lab` in the course's folder.
# - **What the model reads**: 27 signs, the small letters and the space. A capital is a small letter to it, a letter with
#   a mark is the one without, so *ç* is a *c*, and anything else is a space. It reads at most 40 letters, the last ones of your text.
# - **To start again**, choose *Kernel, Restart Kernel*, then *Run, Run All Above Selected Cell*. Pictures
#   and bets sleep until their cells run again.
# - `check_environment(versions=True)` prints what is installed.
