"""
What the configuration of a training framework says of a workload, whichever file or command line it stands in.

In come tables of settings, out come words of a workload. This package knows neither formats of files nor launch scripts.
"""
