"""Slurm: slurm.conf with gres.conf, topology.conf, topology.yaml, and what scontrol prints."""
