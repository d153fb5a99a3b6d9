"""
A change of designs, held against the revision that it starts from.

In: a report, and the git revision. Out: the report of what the change causes, and what the change itself makes milder.
It knows no command line, no processes and no cache.
"""
