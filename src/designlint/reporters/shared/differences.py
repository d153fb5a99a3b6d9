"""Changes of a file as a unified diff that `git apply` takes, whatever its line ends and its last line."""

from __future__ import annotations

import difflib

from designlint.reporters.shared.terminal import printable


def difference(file: str, old: str, new: str, *, context: int = 3) -> str:
    """What changes in a file; empty where nothing does."""
    name = printable(file)
    lines = difflib.unified_diff(_lines(old), _lines(new), name, name, n=context)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    return [one + "\n" for one in text.split("\n")[:-1]] + [one for one in text.split("\n")[-1:] if one]
