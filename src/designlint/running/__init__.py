"""
Many designs in one run: processes, the cache of reports, jobs found in folders, the examples of rules as tests.

In: paths and settings. Out: reports, in order.
It knows no rule by name, and prints nothing.
"""
