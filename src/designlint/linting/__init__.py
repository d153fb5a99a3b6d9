"""
One design, or one job on a cluster, from its file to its report.

In: a path or a text, and an engine. Out: a report.
It knows no command line, no processes and no cache.
"""
