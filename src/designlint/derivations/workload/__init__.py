"""
Models, their layout over GPUs, memory, and the time of a step.

In: what a job states of its model, split and batch, and the GPUs that it runs on. Out: parameters, memory, computation, times.
It knows no rack, no cable and no date.
"""
