"""What was read from one file: its text, its tree, its faults, and the line of every offset."""

from __future__ import annotations


def brief(text: str, most: int = 60) -> str:
    """The text on one line and short enough for a message."""
    flat = " ".join(text[: 4 * most].split())
    return flat if len(flat) <= most and len(text) <= 4 * most else flat[: most - 1] + "…"
