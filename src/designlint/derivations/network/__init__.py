"""
Fabrics, links, optics, cables and addresses.

In: what fabrics, switches and servers state. Out: counts of ports and links, bandwidths, paths, lengths, losses.
It knows no model that is trained.
"""
