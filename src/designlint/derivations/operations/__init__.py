"""
Schedulers, storage, checkpoints, failures, orders and dates.

In: what queues, partitions, stores and contracts state. Out: limits that a job meets, times to save, to lose and to recover.
It knows no layer of a model.
"""
