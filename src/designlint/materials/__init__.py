"""
The bill of materials of a design: what has to be bought, how many of each, and what that costs at somebody's prices.

In: a design with all that follows from it, and a price list. Out: lines, as values; how they are written stands in `formats`.
It counts nothing that a derivation does not count, and it knows no price that no list states.
"""
