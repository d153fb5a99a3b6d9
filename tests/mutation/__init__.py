"""Breaks known-good designs one thing at a time and sees which rule notices."""
