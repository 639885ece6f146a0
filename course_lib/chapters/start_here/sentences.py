"""The sentences of chapter 0's pictures. Fields in braces are filled by `say`."""

LEAVES_A_NOTE = "Head 2 looks one letter back, and leaves a note"
FINDS_THE_NOTE = "Head 5 finds the note, and the model says {said}"
LEAVES_A_SECOND_NOTE = "Head 3 looks two letters back, and leaves a second note"
WITH_HEAD_3 = "With head 3: two notes, and the model says {said}"
WITHOUT_HEAD_3 = "Without head 3: one note, and the model says {said}"
STILL = "Without head 3: one note, and the model still says {said}"
ARC_ELSEWHERE = "Head 5 looks most at {at}, and the model says {said}"
WITH_IT_ELSEWHERE = "With head 3: the arc ends at {at}, but the model says {said}"
WITHOUT_IT_ELSEWHERE = "Without head 3: the arc ends at {at}, but the model says {said}"
FORGETS = "The longer the period, the more the RNN forgets"

BEFORE_ME = "before me: {letter}"
TWO_BEFORE_ME = "two before me: {letter}"
BEFORE_YOU = "before you: {letter}?"
TWO_BEFORE_YOU = "two before you: {letter}?"
HEAD_2, HEAD_3, HEAD_5_ASKS = "head 2", "head 3", "head 5 asks"
WEIGHT = "weight"
STEPS = "①②③"  # the note, the question, what is handed over: the text below has the same numbers
HERE_IS = "here is {a_letter}"
A_SPACE = "a space"
AN_LETTER = "an {letter}"
A_LETTER = "a {letter}"

RIGHT_OF_100 = "right of 100"
PERIOD = "period: how many letters the part has that repeats"
ATTENTION = "attention"
RNN = "RNN"
A_GUESS = "a guess: {n:.0f}"
YOUR_BET = "your bet"
OPEN_FOR_THE_CODE = "Open this for the code: two functions, in numpy"
THE_PAIR, WHAT_FOLLOWED, THE_LAST_TWO = "the same two", "what followed", "the last two"

TWO_HEADS = (
    "Two rows with the letters of {text}. Above, head 2: ① from each letter an arc to its left "
    "neighbour, and so the {found} carries the note: before me {before}. Below, head 5: ② the last "
    "letter, {last}, asks: before you: {last}? Its arc goes to the {found}, with that note, ③ "
    "which hands itself over, and the model says {said}. Under each letter stands its weight in "
    "this look: of 100, the {found} gets {most:.0f}."
)
TWO_BACK = (
    "From each letter of {text} an arc of head 3 to the letter two places before it, and so the "
    "{found} carries two notes: {notes}."
)
NOTES_OF_THE_OTHER = "The {other} carries: {notes}."
ITS_OWN_NOTE = (
    "The last letter, {last}, has a note as well, {note}, and so head 5 asks there: {asked}"
)
PLACES_FOUND = (
    "Two rows with the letters of {text}. In both, the last letter asks: {asked} Above, with head "
    "3, the arc of head 5 goes to the {found}, with the notes {notes}, and the model says {said}. "
    "Below, without head 3, the second notes are struck through. {ending} Frames mark the places "
    "that fit: {both} above, {one} below."
)
TWO_FIT = (
    "The first notes of the {found} and of the {other} are {alike}; the arc goes to the {other}, "
    "and the model says {then}."
)
ONE_FITS = "The arc goes to the {found} as before, and the model says {then}."
NONE_FITS = "none"
EQUAL, UNLIKE = "equal", "not equal"
PAIR = (
    "The letters of {text}, each with its place below it, counted from 0. The last two, {two}, "
    "stood together before, at the places {first} and {second}; what followed them is the {what} "
    "at place {then}."
)
PASSING_ON = (
    "Above, a memory stands above each letter of {text}, rewritten at each step; {steps} arrows "
    "pass it on, each to the next letter. The newest letter in it is large and dark, and all older "
    "ones stand above it, smaller and paler each time. Below, the same letters with an arc from "
    "the last letter to each letter before it, the first too."
)
PERIODS = (
    "How many letters of 100 are right, over the period. Attention stays between {low:.0f} and "
    "{high:.0f}; the RNN falls from {first:.0f} at period {near} to {last:.0f} at period {far}. "
    "A guess gets {chance:.0f}."
)
YOUR_BET_IS = "Your bet, {bet:g}, is a cross at period {far}."
