"""Keeps modules and functions small enough to be read at once: `make check` fails where one is not."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
FOLDERS = ("src", "tests", "tools")
#: Lines of a module, and of a function without its docstring. Commands are declared by their parameters, and may be longer.
MODULE, FUNCTION = 300, 40
COMMANDS = "src/designlint/cli/"


def too_long() -> Iterator[str]:
    """What is longer than it may be, a line each."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            text, name = path.read_text("utf-8"), path.relative_to(ROOT).as_posix()
            count = len(text.splitlines())
            if count > MODULE:
                yield f"{name}: {count} lines, at most {MODULE}: split it by what a reader looks for"
            if folder == "src" and not name.startswith(COMMANDS):
                yield from (f"{name}:{told}" for told in _functions(ast.parse(text)))


def _functions(tree: ast.Module) -> Iterator[str]:
    for one in ast.walk(tree):
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            first = one.body[1] if ast.get_docstring(one) and len(one.body) > 1 else one.body[0]
            count = (one.end_lineno or 0) - first.lineno + 1 + one.body[0].lineno - one.lineno
            if count > FUNCTION:
                yield f"{one.lineno}: `{one.name}` has {count} lines, at most {FUNCTION}"


if __name__ == "__main__":
    found = list(too_long())
    print(*found, sep="\n", end="\n" * bool(found))
    sys.exit(bool(found))
