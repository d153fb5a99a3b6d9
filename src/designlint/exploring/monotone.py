"""
Whether findings can only go, or only come, as one value grows: what makes a search by bisection sound.

Shown, not guessed: from the word along every calculation that reads it, by the text of its function, to every rule that
reads what changes. Whatever has a branch on a changing value, a list or a join is not shown.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import TYPE_CHECKING

from designlint.derivations.base import REGISTRY
from designlint.expressions.directions import SIGNED, directions
from designlint.expressions.operators import Direction
from designlint.graph.incremental import Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from designlint.exploring.settings import Place as Named
    from designlint.expressions.tree import Node
    from designlint.findings.model import Severity
    from designlint.fixes.trial import FactTrials

UP, DOWN, BOTH = Direction.UP, Direction.DOWN, Direction.BOTH
#: Functions that never fall where an argument grows.
RISING = frozenset({"max", "min", "ceil", "floor", "round", "int", "float", "sqrt", "log2", "log"})


class NotShownError(Exception):
    """Why it is not shown."""


def falling(trials: FactTrials, named: Named, severities: Iterable[Severity], rules: Iterable[str]) -> bool:
    """
    Whether findings of these severities or rules only go as the value grows; otherwise they only come.

    Raises:
        NotShownError: neither is shown.
    """
    if trials.design.graph.by_class.get("Waiver"):
        raise NotShownError("waivers may depend on the value")
    moved = _moved(trials, named)
    wanted, names = set(severities), set(rules)
    chosen = [one for one in trials.design.engine.rules.values() if one.severity in wanted or one.id in names]
    ways = set[Direction]()
    words = {place.word for place in moved}
    for rule in chosen:
        if rule.select and not words.isdisjoint(rule.words):
            raise NotShownError(f"{rule.id} joins several parts")
        if rule.condition is None:
            continue
        for subject in trials.design.graph.by_class.get(rule.about, ()):
            read = {name: [*subject.follow(path)] for name, path in rule.paths.items()}
            ways_of = {name: _together(moved.get(Place(*end)) for end in ends) for name, ends in read.items()}
            known = {name: way for name, way in ways_of.items() if way is not None}
            if known:
                holds = _of(rule.condition.judge, known)
                applies = None if rule.condition.when is None else _of(rule.condition.when, known)
                fails = _merged([applies, holds.turned if holds is not None else None])
                if fails is BOTH:
                    raise NotShownError(f"{rule.id} may come and go")
                if fails is not None:
                    ways.add(fails)
    if len(ways) > 1:
        raise NotShownError("some rules fail below a value, others above it")
    return ways != {UP}


def _of(node: Node, known: Mapping[str, Direction]) -> Direction | None:
    """The direction of an expression in the value; None where it does not read it."""
    found = directions(node)
    return _merged(found[name].after(way) if way is not BOTH else BOTH for name, way in known.items() if name in found)


def _together(ways: Iterable[Direction | None]) -> Direction | None:
    """The direction of one word that may stand at several places."""
    found = list(ways)
    return BOTH if len(found) > 1 and any(found) else found[0] if found else None


def _merged(ways: Iterable[Direction | None]) -> Direction | None:
    found = {one for one in ways if one is not None}
    return None if not found else found.pop() if len(found) == 1 else BOTH


def _moved(trials: FactTrials, named: Named) -> dict[Place, Direction]:
    """Every place that the value reaches, with the direction in which it moves."""
    dependencies, start = trials.dependencies, Place(named.subject, named.word.name)
    found, reached, waiting = {start: UP}, {start}, [start]
    while waiting:
        for one in dependencies.readers(waiting.pop()):
            origin = one.subject.origins.get(one.word)
            if one not in reached and (origin is None or origin.step >= 0):
                reached.add(one)
                waiting.append(one)
    for place in sorted(reached - {start}, key=dependencies.order):
        writers = dependencies.writers(place)
        found[place] = _step(trials, writers[0], place, found) if len(writers) == 1 else BOTH
    return found


def _step(trials: FactTrials, number: int, place: Place, moved: Mapping[Place, Direction]) -> Direction:
    """The direction of what a step calculates."""
    step = trials.design.engine.plan.steps[number]
    ends = [*trials.dependencies.plan.reads(number, place.subject)]
    ways = [moved.get(Place(*end)) for end in ends]
    if "table" in step:
        return BOTH
    if "path" in step:
        return ways[0] or BOTH if len(ways) == 1 else BOTH
    if len(ends) != len(step["params"]) or any(mode not in ("one", "optional") for _, mode, *_ in step["params"]):
        return BOTH
    trials.design.engine.plan.function(number)
    declared = REGISTRY[step["of"], step["word"]]
    if declared.groups:
        return BOTH
    names = [name for name, _ in declared.words]
    kinds = dict(declared.words)
    signed = {name for name in names if any(kind in kinds[name] for kind in SIGNED)}
    known = {name: way for name, way in zip(names, ways, strict=True) if way is not None}
    try:
        return _Function(known, signed).returned(_body(declared.function)) or BOTH
    except NotShownError:
        return BOTH


def _body(function: object) -> Sequence[ast.stmt]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]  # type: ignore[arg-type]
    if not isinstance(tree, ast.FunctionDef):
        raise NotShownError
    return tree.body


class _Function:
    """The text of a calculation: straight lines of assignments and one return; numbers are never negative unless signed."""

    def __init__(self, known: Mapping[str, Direction], signed: set[str]) -> None:
        self.ways: dict[str, Direction | None] = dict(known)
        self.positive: dict[str, bool] = dict.fromkeys(signed, False)

    def returned(self, body: Sequence[ast.stmt]) -> Direction | None:
        for line in body:
            if isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant):
                continue
            if isinstance(line, ast.Assign) and len(line.targets) == 1 and isinstance(line.targets[0], ast.Name):
                name = line.targets[0].id
                self.ways[name], self.positive[name] = self.way(line.value), self.never_negative(line.value)
            elif isinstance(line, ast.Return) and line.value is not None:
                return self.way(line.value)
            else:
                raise NotShownError
        raise NotShownError

    def way(self, node: ast.expr) -> Direction | None:
        """The direction of an expression; None where it does not read what changes."""
        if not any(self.ways.get(one.id) for one in ast.walk(node) if isinstance(one, ast.Name)):
            return None
        if isinstance(node, ast.Name):
            return self.ways.get(node.id)
        if isinstance(node, ast.BinOp):
            return self._between(node)
        if isinstance(node, ast.Call) and _rises(node):
            return _merged(map(self.way, node.args))
        return BOTH

    def _between(self, node: ast.BinOp) -> Direction | None:
        left, right = self.way(node.left), self.way(node.right)
        if isinstance(node.op, ast.Add):
            return _merged([left, right])
        if isinstance(node.op, ast.Sub):
            return _merged([left, right.turned if right else None])
        if not (self.never_negative(node.left) and self.never_negative(node.right)):
            return BOTH
        if isinstance(node.op, ast.Mult):
            return _merged([left, right])
        if isinstance(node.op, ast.Div):
            return _merged([left, right.turned if right else None])
        return BOTH

    def never_negative(self, node: ast.expr) -> bool:
        """Whether an expression surely is no number below 0."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, int | float) and node.value >= 0
        if isinstance(node, ast.Name):
            return self.positive.get(node.id, True)
        if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Sub):
            return self.never_negative(node.left) and self.never_negative(node.right)
        return isinstance(node, ast.Call) and all(map(self.never_negative, node.args))


def _rises(node: ast.Call) -> bool:
    """Whether a call never falls where one of its arguments grows."""
    if not isinstance(node.func, ast.Name) or node.func.id not in RISING or node.keywords:
        return False
    return len(node.args) == 1 or node.func.id in ("min", "max")
