"""Tests that need a real browser: `make browser` runs them, and fails where there is none."""
