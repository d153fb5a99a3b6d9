"""
The search for a layout: how a job's step is split over its GPUs.

In: a design that is derived, or numbers that bound what a layout may be. Out: the layouts that fit, the fastest first.
It knows no formula of its own, no briefs, no rules' verdicts and no texts.
"""
