"""
Findings that somebody accepted: waivers in the design or beside it, and baselines.

In: findings, waivers and baselines. Out: which findings are accepted, by whom and why, and which waivers no longer hold.
It knows no fix and no format of output.
"""
