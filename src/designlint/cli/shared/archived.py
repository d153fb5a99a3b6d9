"""Stands for the archive of modules: nothing imports it, and `archive.py` says why it is here."""
