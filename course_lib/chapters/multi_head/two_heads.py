"""The numbers of chapter 7's picture of two heads, small and whole, so that an eye can follow them.

Three words meet matrices of four columns. Each word is one-hot, so the queries are W_Q, the keys
W_K and the values W_V themselves. The scores are so far apart that a head looks at one word alone:
head 0 at the word itself, head 1 one back, and from the first word at the first. So a row of MERGED
says where it was taken: the first digit of a value is its word, the second its column.
"""

QUERIES = [[1, 2, 10, 20], [3, 4, 30, 40], [5, 6, 50, 60]]
KEYS = [[-160, 120, -20, 16], [-40, 40, 0, 0], [160, -120, 20, -20]]
VALUES = [[11, 12, 13, 14], [21, 22, 23, 24], [31, 32, 33, 34]]
LOOKS_AT = ((0, 1, 2), (0, 0, 1))  # of each head: at which word each of the three words looks
MERGED = [[11, 12, 13, 14], [21, 22, 13, 14], [31, 32, 23, 24]]
MIXES = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]]  # W_O: the first two rows meet head 0
