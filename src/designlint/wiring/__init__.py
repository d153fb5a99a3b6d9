"""
A network as switches, servers and single cables: as a design lists it, as follows from its counts, or as a discovery saw it.

In: a fabric of a design, or what importers read. Out: a `Wiring`, with what stays open. Nothing is invented: where a
design does not say which switch a cable leads to, there is no cable, and a sentence says why.
It knows no rule and no comparison, and writes no file.
"""
