"""The sentences of chapter 0's pictures. Fields in braces are filled by `say`."""

LEAVES_A_NOTE = "Head 2 looks one letter back, and leaves a note"
FINDS_THE_NOTE = "Head 5 finds the note, and the model says {said}"
LEAVES_A_SECOND_NOTE = "Head 3 looks two letters back, and leaves a second note"
DECIDES = "Head 3 makes the difference: {said} with it, {then} without it"
DOES_NOT_DECIDE = "Head 3 makes no difference here: the model says {said}"
BOTH_NOTES = "Two notes do not decide here: {letters} have both"
WITH_HEAD_3 = "With head 3: two notes, and the model says {said}"
WITHOUT_HEAD_3 = "Without head 3: one note, and the model says {said}"
STILL = "Without head 3: one note, and the model still says {said}"
ARC_ELSEWHERE = "Head 5 looks most at {at}, and the model says {said}"
WITH_IT_ELSEWHERE = "With head 3: the arc ends at {at}, but the model says {said}"
WITHOUT_IT_ELSEWHERE = "Without head 3: the arc ends at {at}, but the model says {said}"
OUTVOTED = "Without head 3: head 5 errs, but most of heads 6 to 8 look at {said}"
SAME_WITHOUT = (
    "Without head 3 the model errs more often, but not in every text. Try another one, too."
)
ERRS_WITH_IT = "Here the model errs with head 3 on, too. That is rare: try another text."
RIGHT_WITHOUT_ALONE = (
    "Here the model is right without head 3 and errs with it. That happens, too; more often it is "
    "the other way round."
)
EACH_FITS = (
    'After "{two}" came {letters}, so each of them fits, and nobody can be sure. Try another trap, '
    "too, whose words share only one letter."
)
OTHERS_ASK = (
    "The arc shows head 5 alone. Heads 6 to 8 ask as well, and what all four find is added up."
)
LOOK_ABOVE = "Above, head 6 looks most at {six}, head 7 at {seven}, and head 8 at {eight}."
LOOK_BELOW = "Below, head 6 looks most at {six}, head 7 at {seven}, and head 8 at {eight}."
HEAD_5 = "head 5"
ANSWERS_OF_TWO = "answers, of 2"
ASKS_ITSELF = (
    "The last {last} answers its own question, as the letter before it is a {last}, too. It keeps "
    "the blue frame of who asks."
)
NOT_FOUND = "Here head 5 does not find the note that the {last} asks for."
NOT_AGAIN = (
    "Your text does not begin again: its first letters do not stand at its end. The model has "
    "learned only texts that do."
)
DOES_NOT_REPEAT = "The text does not begin again, and the model has learned only texts that do."
SEVERAL_ANSWER = (
    "The note that the {last} asks for stands at more than one letter here: {letters}. How the "
    "model chooses, you learn after the break."
)
THE_PLACE = "place"
WITH_IT_UNFIT = "With head 3: nobody has both notes, and the model says {said}"
WITH_IT_MISSED = "With head 3: both notes stand at the {missed}, but the model says {said}"
WITHOUT_IT_MISSED = "Without head 3: the note stands at the {missed}, but the model says {said}"
WITHOUT_IT_UNFIT = "Without head 3: no note fits, and the model says {said}"
AS_LEARNED = "All heads as learned: {right:.0f} of 100 are right"
TURNED_DOWN = "Head {head} at loudness {loudness:.2f}: {right:.0f} of 100 are right"
LOOKS = "where head {head} looks: dark, from the last letter; pale, from those before it"
LOOKS_AT_ITSELF = "where head {head} looks: the loop says that the last letter looks at itself"
LOOKS_FOR_EARLIER = (  # a letter that is new in the text has no pale arc
    "where head {head} looks: dark, from the last letter; pale, from others that repeat"
)
LOOKS_IN_END = "the last {n} letters, and where head {head} looks: dark, from the very last one"
LOOKS_AT_ITSELF_IN_END = "the last {n} letters; with head {head}, the very last looks at itself"
LOOKS_FURTHER = "the last {n} letters; with head {head}, the very last looks further left"
SILENT = "what the model says without head {head}"
NO_ARCS, TOO_WEAK = "no arcs: head {head} is silent", "no arcs: head {head} is too quiet for one"
IS_SILENT = "It has no arcs, because it is silent."
LOOKS_MOST = "The last letter looks most at {looked_at}."
LOOKED_AT = ("itself", 'the "{letter}" before it', 'the "{letter}", {back} places before it')
NOT_DRAWN = "letters further left, which are not drawn"
END_DRAWN = " Of the text, the last {n} letters are drawn; the model reads the rest, too."
CAME_BEFORE = "{two} came before, and what followed it was {what}"
FORGETS = "The longer a round, the more the RNN forgets"

BEFORE_ME = "before me: {letter}"
TWO_BEFORE_ME = "two before me: {letter}"
BEFORE_YOU = "before you: {letter}?"
TWO_BEFORE_YOU = "two before you: {letter}?"
ROW_OF_HEAD_2, ROW_OF_HEAD_3 = "head 2: before me", "head 3: two before me"
NO_SECOND_NOTES = "head 3 is off: no second notes"
WEIGHT = "weight"
NOTE = "note"
STEPS = "①②③"  # the note, the question, what is handed over: the text below has the same numbers
HERE_IS = "here is {a_letter}"
A_SPACE = "a space"
AN_LETTER = "an {letter}"
A_LETTER = "a {letter}"
AND = "and"

RIGHT_OF_100 = "right of 100"
PERIOD = "letters in a round"
ATTENTION = "attention"
RNN = "RNN"
A_GUESS = "a guess: {n:.0f}"
YOUR_BET = "your bet"
OPEN_FOR_THE_CODE = "Open this for the code: two functions, in numpy"
THE_PAIR, WHAT_FOLLOWED, THE_LAST_TWO = "the same two", "what followed", "the last two"

SHARE_TWO = (
    'In this text, "{shared}" came more than once before, so two notes do not tell the places '
    'apart. One letter more decides: "{ending}". Try another trap, too, whose words share only one '
    "letter."
)
STILL_TRAPPED = "Your rule is still trapped. {why}"
TRAPPED_LATER = (
    'It goes on well at first. But "{wrong}" is wrong after "{kept}": there "{right}" comes next. '
    "{why}"
)

NOTE_LEFT = (
    "The letters of {text}, from each an arc of head 2 to its left neighbour, and below each its "
    "note: that neighbour. ① So the {found} carries the note: before me {before}."
)
NOTE_FOUND = (
    "The same letters of {text}. ② The last letter, {last}, asks through head 5: before you: "
    "{last}? Its arc goes to the {found}, with the note before me {before}. ③ It hands itself "
    "over, and the model says {said}. Under each letter stands its weight in this look: of 100, "
    "the {found} gets {most:.0f}."
)
TWO_BACK = (
    "From each letter of {text} an arc of head 3 to the letter two places before it. Below the "
    "letters two rows of notes: who stands before me, from head 2, and who stands two before me, "
    "from head 3."
)
CARRIES = "The {found} carries: {notes}."
ITS_OWN_NOTE = "The last letter, {last}, has a note as well: {note}."
PLACES_FOUND = (
    "Two rows with the letters of {text}, and under each letter its notes. In both, the last "
    "letter asks: {asked} A note that answers is filled, and a last row counts how many of two do. "
    "A letter is framed where all notes that it has do. Above, with head 3, these are: {both}. The "
    "arc of head 5 goes to the {found}, and the model says {said}. Below, without head 3, there "
    "are no second notes, and framed are: {one}. The arc goes to the {other}, and the model says "
    "{then}."
)
OWN_NOTE = "Above, the {own} in a blue frame is the last letter's own note, from head 2."
IS_WRONG = "A ✗ below the {said} tells that it is not the right letter."
NONE_FITS = "none"
END_ONLY = "only the last\n{n} letters:"
END_READ = "Of the text, only the last {n} letters are read and drawn here."
PAIR = (
    "The letters of {text}, each with its place below it, counted from 0. The last two, {two}, "
    "stood together before, at the places {first} and {second}; what followed them is the {what} "
    "at place {then}."
)
PASSING_ON = (
    "Above, a memory stands above each letter of {text}, rewritten at each step; {steps} arrows "
    "pass it on, each to the next letter. The newest letter in it is sharp and dark, and the older "
    "ones stand above it, each paler and more blurred, until they run into one another. The first "
    "letter is green: with each memory it is more blurred, and in the last it is a smear. Below, "
    "the same letters with an arc from the last letter to each letter before it, the first too."
)
PERIODS = (
    "How many letters of 100 are right, by the letters in a round. Attention stays between "
    "{low:.0f} and {high:.0f}; the RNN falls from {first:.0f} at {near} letters to {last:.0f} at "
    "{far}. A guess gets {chance:.0f}."
)
YOUR_BET_IS = "Your bet, {bet:g}, is a cross at {far} letters."
