"""
The values that travel between rooms: places, problems, outcomes, findings, reports.

In: nothing but numbers and texts. Out: immutable classes.
They know no graph, no rule and no format of output.
"""
