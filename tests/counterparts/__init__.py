"""Tests against the real tools that read what designlint writes, run by `make counterparts`."""
