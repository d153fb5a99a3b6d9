"""Writes docs/accuracy.md and prints it."""

from __future__ import annotations

from tools.accuracy.page import PAGE, text


def main() -> None:
    """Compute every point, write the page, print it."""
    page = text()
    PAGE.write_text(page, "utf-8")
    print(page, end="")


if __name__ == "__main__":
    main()
