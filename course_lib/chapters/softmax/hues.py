"""The hue of each key of chapter 4, kept in dot, bar and strip through all of its pictures.

None of them is a role's: blue is the query's, vermilion the key's, green the value's, purple the
output's. Each carries its label, and they stay apart without full colour vision (tested); even so
each piece is named.
"""

from matplotlib.colors import to_hex, to_rgb

FOUR = ("#74b9ea", "#d9ecb4", "#3d4450", "#f2b01e")  # xiao or 3.5, shen or -2.1, yang or 8.7, ...
FITS = FOUR[3]  # the key that is asked for, such as Kim's
STRANGER = FOUR[0]  # the others
SINK = "#e3e3e3"  # a key that takes what nobody wants: the sink of the explorer, and key 0
PALEST, SHADES = 0.75, 8  # the least stranger, as far from the first as from white; how many differ


def strangers(count: int) -> list[str]:
    """A colour for each of many strangers, the first with the full hue, and each paler."""
    steps = [PALEST * min(place / SHADES, 1.0) for place in range(count)]
    return [to_hex([one + (1 - one) * step for one in to_rgb(STRANGER)]) for step in steps]
