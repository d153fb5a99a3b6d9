"""
How long one step of a stated layout takes: an estimate with an interval, down to each class of kernels.

In come facts of a job, its GPUs and links, and constants fitted on measured steps (`ontology/catalog/step-time.ttl`);
out go durations. All is scalar and closed: no loop, no table, no search. Bounds live elsewhere (`workload/bounds.py`).
"""
