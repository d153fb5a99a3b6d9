"""Chains of `if` on one number: the numbers between their branches for which none applies."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.importers.shell.syntax import ScriptTree, named_children

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TEST = re.compile(
    r"""\s*(?:\[\[?|\(\()\s*["']?\$?\{?(\w+)\}?["']?\s*(-\w\w|[<>=!]=?)\s*(\d{1,5})\s*(?:\]\]?|\)\))\s*\Z"""
)
HOLDS: dict[str, Callable[[int, int], bool]] = {
    "eq": int.__eq__, "ne": int.__ne__, "lt": int.__lt__, "le": int.__le__, "gt": int.__gt__, "ge": int.__ge__,
}  # fmt: skip
SIGNS = {"==": "eq", "=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
#: `X=8` and `: "${X:=8}"` give X a value.
SET = re.compile(r"(?<![\w$])([A-Za-z_]\w*)=|\$\{([A-Za-z_]\w*):?=")


class BranchGap(NamedTuple):
    """Numbers of a variable for which no branch of a chain applies, and what stays without a value then."""

    variable: str
    numbers: str
    names: tuple[str, ...]
    start: int
    end: int


def gaps(tree: ScriptTree) -> Iterator[BranchGap]:
    """The chains of a script with a hole between their branches, where what all of these set is read plainly afterwards."""
    waiting = [tree.root] if "elif" in tree.source.text else []
    while waiting:
        node = waiting.pop()
        waiting += node.children
        if node.type == "if_statement" and (found := _gap(tree, node)) is not None:
            yield found


def _gap(tree: ScriptTree, node: Any) -> BranchGap | None:
    clauses = [node, *named_children(node, "elif_clause")]
    if len(clauses) < 2 or list(named_children(node, "else_clause")):
        return None
    tests = [TEST.match(tree.text(next(iter(named_children(one)), one))) for one in clauses]
    if any(one is None for one in tests) or len({one[1] for one in tests if one is not None}) > 1:
        return None
    conditions = [(SIGNS.get(one[2], one[2].lstrip("-")), int(one[3])) for one in tests if one is not None]
    if not all(name in HOLDS for name, _ in conditions):
        return None
    last = max(number for _, number in conditions) + 1
    covered = [any(HOLDS[name](one, number) for name, number in conditions) for one in range(1, last + 1)]
    inside = [at + 1 for at, one in enumerate(covered) if not one and True in covered[:at] and True in covered[at:]]
    names = _unset(tree, node, clauses)
    if not inside or not names or inside[-1] - inside[0] + 1 != len(inside):
        return None
    start, end = tree.span(node)
    told = str(inside[0]) if len(inside) == 1 else f"{inside[0]} to {inside[-1]}"
    first = next(one[1] for one in tests if one is not None)
    return BranchGap(first, told, names, start, tree.source.text.find("\n", start, end) if end > start else end)


def _unset(tree: ScriptTree, node: Any, clauses: list[Any]) -> tuple[str, ...]:
    """What every branch sets, nothing before does, and something after reads without a default."""
    start, end = tree.span(node)
    text = tree.source.text
    edges = [start, *(tree.span(one)[0] for one in clauses[1:]), end]
    bodies = [text[low:high] for low, high in pairwise(edges)]
    each = [{one[1] or one[2] for one in SET.finditer(body)} for body in bodies]
    before = {one[1] or one[2] for one in SET.finditer(text[:start])}
    common = sorted(set.intersection(*each) - before)
    return tuple(one for one in common if re.search(rf"\$(?:{one}\b|\{{{one}\}})", text[end:]))
