"""
One design as read.

In: a document. Out: its graph with all that follows, its bases, foreign files and jobs, and a store to ask.
It knows no rule and no finding.
"""
