"""
What the rules say of a design.

In: a derived design and compiled rules. Out: judgements with values and margins, and findings at their lines.
It knows no fix, no waiver, no baseline and no format of output.
"""
