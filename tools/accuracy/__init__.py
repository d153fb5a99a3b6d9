"""Compares what designlint computes with what was published, and writes docs/accuracy.md."""
