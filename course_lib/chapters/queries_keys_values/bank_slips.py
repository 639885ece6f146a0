"""What `two_questions` says of the slips that it names, and of a right answer."""

SHAPES = (
    "w_q and w_k need 5 rows and 2 columns each, w_v 5 rows and 3 columns: a row for each trait. "
    "Yours have other shapes."
)

NOBODY_ASKS = (
    "The query of sat or of bank is 0, because row 1 of w_q (action) or row 2 (thing) is 0. So all "
    "of its scores are 0, and it gives each word a quarter."
)

EXCHANGED = (
    "Here person, water and money ask, and action and thing answer. It is the other way round: "
    "fill rows 1 and 2 of w_q, and rows 0, 3 and 4 of w_k."
)

FULL = (
    "All five rows of w_k are the same, so every trait answers alike. In an index `...` stands "
    "for all of an axis: name one row and one column, as in w_k[0, 0] = 1."
)

ALIKE = (
    "Sat and bank ask the same question, so they find the same words and take home the same. The "
    "two columns are two directions: let sat ask with one of them, and bank with the other."
)

CROSSED = (
    "Sat finds the river and the loan, and bank finds I. Exchange the two queries, or the keys "
    "that answer them."
)

ONE_ONLY = (
    "In one of the sentences bank finds its word, in the other it does not. Both river and loan "
    "have to answer it, by their rows of w_k."
)

FINDS_ITSELF = (
    "Bank gives as much to itself as to the river or the loan, or more: it is a thing, and row 2 "
    "of w_k lets things answer. Which trait has a river, and which a loan, that a bank has not?"
)

LOOKS_AWAY = (
    "Sat and bank look away from the words that they should find: these scores are their lowest. "
    "A query and the key that answers it need the same sign."
)

OTHERS_ANSWER = (
    "Sat or bank gives as much to another word as to the one that it should find, or more. Sat "
    "should find I, and bank the river or the loan. In w_k, a trait has a number in the column of "
    "the question that it should answer, and 0 in the other."
)

SHARPER = "A higher score makes the weights sharper. Mind that a score is divided by the root of 2."

TOO_SOFT = (
    "Both ask the right words, but too softly: too much weight is left for the others. " + SHARPER
)

BANK_TOO_SOFT = (
    "Bank asks the right words, but too softly: too much of its weight is left for the others. "
    + SHARPER
)

SAT_TOO_SOFT = (
    "Sat asks the right word, but too softly: too much of its weight is left for the others. "
    + SHARPER
)

LOUDER = (
    "The right words are asked, but too softly, and louder values do not mend that: what the other "
    "words hand over grows as well. Let w_v hold 1 and make the scores higher."
)

NOTHING_HANDED = (
    "Queries and keys do their work: each finds its word. But w_v is 0, so nothing is handed over. "
    "Which rows of w_v have to hold something?"
)

FOUND = "Queries and keys do their work: each finds its word. "
ROWS = " In w_v row 0 is person, row 3 water, row 4 money; the columns are person, water, money."

OTHER_THING = FOUND + "But one that is found hands over another thing than it should." + ROWS

TWO_THINGS = FOUND + "But one that is found hands over two things, where it should be one." + ROWS

ONE_HANDS_NOTHING = FOUND + "But one that is found hands over nothing yet." + ROWS

UNEVEN = (
    "Each finds its word, and sharply. But a word hands over too little of its own or too much of "
    "another: look at the rows of w_v. A 1 is enough there: with a 5, even a weight of .03 brings "
    "home too much. What stands in row 2 (thing), the river and the loan hand over as well."
)

HOW_SURE = (
    "Two words, two questions, one set of matrices. Whoever answers gets about {least} "
    "of the weight or more. And no row belongs to the river: a lake, a thing and water, "
    "would be found as well."
)

HOW_SURE_AND_ITSELF = (
    "Two words, two questions, one set of matrices. Whoever answers gets about {least} "
    "of the weight or more. Things answer in your w_k, too, so bank also answers itself. "
    "It stays behind the river and the loan, because they answer louder."
)


def slip_of_values(hands, wanted: dict) -> str:
    """What is wrong where a word does not hand over its own thing most; "" where each does.

    hands: (words, things)   wanted: of each word that is found, its row and its own thing.
    """
    found = [(hands[row], thing) for row, thing in wanted.items()]
    if all(row.argmax() == thing and row[thing] > 0 for row, thing in found):
        return ""
    if any(not row.any() for row, _ in found):
        return ONE_HANDS_NOTHING
    if any((row == row[thing]).sum() > 1 and row[thing] == row.max() for row, thing in found):
        return TWO_THINGS
    return OTHER_THING
