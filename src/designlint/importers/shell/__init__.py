"""Reads shell scripts without running them: a static evaluator that says unknown where it cannot follow."""
