"""
Calculations: one module per topic, each function a fact that follows from others.

In: facts in canonical units, as parameters. Out: one fact, or a named tuple of several; None means unknown.
Pure functions: they know no graph, no rule and no file.
"""
