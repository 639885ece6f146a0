"""The sentences of chapter 0's pictures. Fields in braces are filled by `say`."""

LEAVES_A_NOTE = "Head 2 looks one letter back, and leaves a note"
FINDS_THE_NOTE = "Head 5 finds the note, and the model says {said}"
LEAVES_A_SECOND_NOTE = "Head 3 looks two letters back, and leaves a second note"
ANOTHER_PLACE = "Without the second note, head 5 takes another place"
SAME_PLACE = "Here one note is enough: head 5 takes the same place"
FORGETS = "The longer the period, the more the RNN forgets"

BEFORE_ME = "before me: {letter}"
SO_MANY_BEFORE = "{n} before: {letter}"
WHO_HAS = "who has {a_letter} before?"
HERE_IS = "here is {a_letter}"
A_SPACE = "a space"
AN_LETTER = "an {letter}"
A_LETTER = "a {letter}"
WITH_HEAD_3 = "with head 3"
WITHOUT_IT = "without it"

RIGHT_OF_100 = "right of 100"
PERIOD = "period: how many letters the part has that repeats"
ATTENTION = "attention"
RNN = "RNN"
A_GUESS = "a guess: {n:.0f}"
YOUR_BET = "your bet"
OPEN_FOR_THE_CODE = "Open this for the code: two functions, in numpy"

TWO_HEADS = (
    "Two rows with the letters of {text}. Above, head 2: from each letter an arc to its left "
    "neighbour, and so the {found} carries the note: before me {before}. Below, head 5: the last "
    "letter, {last}, asks who has this before; its arc goes to the {found}, which hands itself "
    "over, and the model goes on with {said}."
)
TWO_BACK = (
    "From each letter of {text} an arc of head 3 to the letter two places before it, and so the "
    "{found} carries two notes: {notes}."
)
PLACES_FOUND = (
    "Where head 5 looks from the last letter of {text}, which asks: {asked} With head 3 it is the "
    "{found}, with the notes {notes}. Without head 3 it is the {other}: {others}."
)
PASSING_ON = (
    "Above, a memory stands above each letter of {text}, always of the same size; {steps} arrows "
    "pass it on, each to the next letter, and the first letter grows paler in it. Below, the same "
    "letters with an arc from the last letter to each letter before it, the first too."
)
PERIODS = (
    "How many letters of 100 are right, over the period. Attention stays between {low:.0f} and "
    "{high:.0f}; the RNN falls from {first:.0f} at period {near} to {last:.0f} at period {far}. "
    "A guess gets {chance:.0f}."
)
YOUR_BET_IS = "Your bet, {bet:g}, is a cross at period {far}."
