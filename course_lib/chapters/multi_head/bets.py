"""The bets of chapter 7."""

from course_lib.betting.bet import Bet, Choice, Number

PAIRS = ((10, 10), (10, 99), (75, 75), (99, 99))  # of a hundred: writer off, reader off

WHICH_HEAD = Bet(
    "which_head",
    question="With all heads on, 99 of 100 letters are right. How many are right when the writer "
    "is off, head 1 of the first layer? And how many when one of the readers is off, head 0 of the "
    "second layer?",
    answer=Choice(
        (
            "about 10, and about 10",
            "about 10, and about 99",
            "about 75, and about 75",
            "about 99, and about 99",
        ),
        which=lambda right: min(
            range(len(PAIRS)),
            key=lambda i: sum(abs(x - 100 * y) for x, y in zip(PAIRS[i], right, strict=True)),
        ),
    ),
    why="All four readers need notes, mostly those of the one writer. Reader 0 can go.",
    model_answer="Each reader looks for a note about the letter before, and nearly all of that "
    "note is written by a single head. Without reader 0 as many letters are right as before, "
    "and this number does not say why.",
)

HALF_WRITER = Bet(
    "half_writer",
    question="Now the writer is not off: it adds half of its part. All other heads stay loud. How "
    "many of 100 letters are right? Within 5 counts as right.",
    answer=Number(0, 100, near=5, format="{:.0f}"),
    why="Half as loud, the note is mostly still found.",
    model_answer="A reader compares scores, and with the full note the right place leads the next "
    "best by about 5. With half of it the lead is still about 3, "
    "and the softmax gives most to whoever leads. Where one reader does not find the note, others "
    "find it and carry the letter.",
)

MORE_HEADS = Bet(
    "more_heads",
    question="A layer of width 512 has 8 heads. Somebody makes 64 of them, as is usual with heads "
    "of width 512 / 64. How many times as many scores are there then, on the same text?",
    answer=Number(0, 100, unit="times", near=0.05, format="{:.2f}"),
    why="A table of scores has a row and a column for each word, however narrow its head is, and "
    "there are eight times as many tables.",
    model_answer="The columns of W_Q, W_K and W_V are shared out among the heads: 8 times 64 or 64 "
    "times 8, it is 512, and the learned numbers stay. Many books say that more heads cost more "
    "parameters. They do where each head keeps its width, which is a choice; the paper of 2017 "
    "makes heads narrower.",
    depth=True,
)

AVERAGE = Bet(
    "average",
    question="A layer has four heads. All have learned exactly the same, and W_O treats them all "
    "alike. How many times as large is the output as with one of these heads alone?",
    answer=Number(0, 100, unit="times", near=0.05, format="{:.2f}"),
    why="The parts of the heads are added, and nobody divides by their number.",
    model_answer="Heads side by side, times W_O: that is the sum of what each head adds through "
    "its own rows of W_O. If the heads were averaged, four equal ones would give what one gives. "
    "So a head that is switched off takes away its own part, and the other parts of its layer "
    "stay.",
    depth=True,
)

STARTS = (
    "head 1 looks at the place before in all four",
    "head 1 in ours, and no head in the others",
    "some head in each, and not always head 1",
)

BIRTHS = Bet(
    "births",
    question="Three more models are trained, each from other random numbers and on other strings. "
    "Does head 1 of the first layer come to look at the place before in them, too?",
    answer=Choice(
        STARTS,
        which=lambda writers: (
            0 if all(1 in heads for heads in writers) else 2 if all(writers) else 1
        ),
    ),
    why="In each of the four some head takes the work, and not always the same one.",
    model_answer="The heads of a layer are built alike; only the random start tells them apart. "
    "So what a head does belongs to one trained model: in another, search for the writer again.",
    depth=True,
)


def _cheaper(head: float, reader: float) -> int:
    """Which of the two leaves more letters right: 0, 1, or 2 where both leave as many."""
    return 2 if abs(head - reader) < 0.02 else int(head < reader)


FIFTH = Bet(
    "fifth",
    question="Your four heads are off. Four are on: the writer, head 2 of the first layer and two "
    "readers. One more must go. Which one costs the fewest letters?",
    answer=Choice(
        (
            "head 2, which looks two places back",
            "a reader, as the other one does the same",
            "it hardly matters which",
        ),
        which=lambda right: _cheaper(right[0], max(right[1:])),  # head 2, then the two readers
    ),
    why="The two readers do find the same place, but their parts add up, and that of one alone is "
    "often too little.",
    model_answer="Each reader pushes for the letter that it has found, and the pushes add up. With "
    "four of them, one can go. With two of them, either is needed badly, more than the second "
    "note.",
)

SHARES = ((99, 99, 99), (93, 83, 14), (50, 50, 10), (10, 10, 10))  # without 1, 3, both

TWO_WRITERS = Bet(
    "two_writers",
    question="In the model of seed 3, heads 1 and 3 share the writing. How many of 100 letters are "
    "right without head 1, without head 3, and without both?",
    answer=Choice(
        (
            "about 99, 99 and 99",
            "about 90, 80 and 10",
            "about 50, 50 and 10",
            "about 10, 10 and 10",
        ),
        which=lambda right: min(
            range(len(SHARES)),
            key=lambda i: sum(abs(x - 100 * y) for x, y in zip(SHARES[i], right, strict=True)),
        ),
    ),
    why="Either of them does most of the work alone, and only both together are what head 1 is in "
    "our model.",
    model_answer="Each writes a note at every place, one more strongly here, the other there. "
    "Where one is missing, the note of the other is fainter than before and mostly still found.",
    depth=True,
)

READERS = Bet(
    "readers",
    question="Three of the four readers are switched off, and one is left. With reader 0 the model "
    "still got .69 right. Which share does it get with the best of the four?",
    answer=Number(0, 1, near=0.05, format="{:.2f}"),
    why="The notes are still there, and one reader still finds most of them.",
    model_answer="Each of the four looks for the same note, so whichever is left finds it. What "
    "it adds alone is less than what four add. So in a fifth to a third of the places a wrong "
    "letter wins. The note is written once, and cannot be spared at all.",
    depth=True,
)

ALONE = Bet(
    "alone",
    question="Some call heads an ensemble: members who each solve the task, and vote. Keep one of "
    "the eight heads of the copying model and switch off seven. Which share of the letters does "
    "the best single head get right?",
    answer=Number(0, 1, near=0.08, format="{:.2f}"),
    why="No head can do the task alone: it takes one that notes and one that looks for the note.",
    model_answer="A member of an ensemble is a whole solution, trained by itself, and the vote "
    "evens out its errors. Heads are trained together, on one loss, and share the work, so that "
    "most are worth nothing without the others. Within one layer some do stand in for each other: "
    "that much is true of the picture.",
    depth=True,
)

CACHE = Bet(
    "cache",
    question="Llama-3-8B: 32 layers, 32 heads of queries that share 8 heads of keys and values, "
    "128 numbers each, two bytes a number. How much memory do the keys and values of a text of "
    "8192 tokens take?",
    answer=Number(0, 1000, unit="GiB", factor=2, format="{:.2f}"),
    why="One token keeps 2 · 32 · 8 · 128 numbers, which are 128 KiB.",
    model_answer="A GiB for each conversation of 8192 tokens. With 32 heads of keys it would be 4 "
    "GiB. The parameters of the model take 15 GiB, once for everybody; the cache is needed for "
    "each conversation anew.",
    depth=True,
)

LATENT = Bet(
    "latent",
    question="DeepSeek-V3 has 128 heads in a layer, and all have keys and values of their own, 128 "
    "numbers wide. What it keeps of each word in a layer are 512 + 64 numbers. How many times as "
    "much would the keys and values take?",
    answer=Number(1, 1000, unit="times", factor=1.3, format="{:.0f}"),
    why="Keys and values are 2 times 128 times 128 numbers, and that divided by 576 is about 57.",
    model_answer="32,768 numbers against 576. Groups of 16 heads that share, as in GQA with 8 "
    "heads of keys, would still keep 2048. The latent is made by a learned matrix, and the keys of "
    "all heads are made of it by others. So the heads do not share one key: they share what it is "
    "made of. What that costs in quality is an observation on trained models.",
    depth=True,
)

FAR_APART = Bet(
    "far_apart",
    question="Convolutions with filters of three words, one layer on the other. After how many "
    "layers does the last of 100 words hear of the first?",
    answer=Number(1, 1000, near=2, format="{:.0f}"),
    why="Each layer passes on to the next neighbour, and there are 99 steps to go.",
    model_answer="A word hears of the next one in each layer, so it takes 99. Real networks take "
    "wider filters, gaps in them, or coarser steps, and need fewer. In attention any two words "
    "meet in the first layer, if the mask allows it; the price is a table of n by n scores.",
    depth=True,
)

BETS = (
    WHICH_HEAD,
    HALF_WRITER,
    FIFTH,
    BIRTHS,
    TWO_WRITERS,
    READERS,
    ALONE,
    MORE_HEADS,
    CACHE,
    LATENT,
    AVERAGE,
    FAR_APART,
)
