"""
What would follow from other values of a design: one change, a sweep, a grid, a search.

In come a judged design and values that it might state instead. Out come points: facts, findings and verdicts as they
would be. It calculates and judges nothing itself, and knows no command line.
"""
