"""
The formula of a calculation, readable by itself: what its function returns, with every name that is no word of the design.

The first line is the expression. `but X if C` states another value for a case; `where x = ...` what a name stands for;
`where f(x) is ...` what a function returns whose body is no formula. Cases without a value are left out.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import textwrap
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from designlint.derivations.base import Derivation

#: The unit at the end of the first line of a docstring.
UNIT = re.compile(r"\s*\[[^\]]*\]$")
#: Types of constants that are written out.
PLAIN = (bool, int, float, str, tuple, frozenset, dict)


class NoFormulaError(Exception):
    """The function computes step by step, which no formula says."""


def of(one: Derivation) -> str:
    """The formula of a calculation: stated, else read from its function, else in words where that computes step by step."""
    try:
        return one.formula or "\n".join(_Reader(one.function, one.groups).lines())
    except NoFormulaError:
        return words(one.function)


def _body(function: Callable[..., Any]) -> ast.FunctionDef:
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    if not isinstance(tree, ast.FunctionDef):
        raise NoFormulaError(function.__name__)
    if ast.get_docstring(tree) is not None:
        del tree.body[0]
    return tree


class _Reader:
    """One function: the values that it returns by case, its locals, and what it uses of its module."""

    def __init__(self, function: Callable[..., Any], groups: Sequence[type[Struct]] = ()) -> None:
        tree = _body(function)
        self.known: dict[str, Any] = function.__globals__
        named = {group.__name__: group for group in groups}
        self.groups = {arg.arg: named[ast.unparse(arg.annotation)] for arg in tree.args.args
                       if arg.annotation is not None and ast.unparse(arg.annotation) in named}  # fmt: skip
        self.words = {arg.arg for arg in tree.args.args}
        self.locals: dict[str, tuple[str, ast.expr]] = {}
        self.cases: list[tuple[list[ast.expr], ast.expr]] = []
        self.explained: dict[str, str] = {}
        self._read_body(tree.body, [])

    # -- what the function does

    def _read_body(self, body: list[ast.stmt], when: list[ast.expr]) -> None:
        for statement in body:
            match statement:
                case ast.Return(value=value) if value is not None:
                    self.cases.append((when, value))
                case ast.Assign(targets=[target], value=value):
                    self._assign(target, value)
                case ast.AnnAssign(target=target, value=value) if value is not None:
                    self._assign(target, value)
                case ast.If(test=test, body=inner, orelse=other):
                    self._choose(test, inner, other, when)
                case _:
                    raise NoFormulaError(ast.unparse(statement))

    def _choose(self, test: ast.expr, body: list[ast.stmt], other: list[ast.stmt], when: list[ast.expr]) -> None:
        """A condition: over values that are returned, or over what a name stands for."""
        if isinstance(body[-1], ast.Return):
            self._read_body(body, [*when, test])
            self._read_body(other, when)
            return
        before = dict(self.locals)
        chosen, otherwise = self._branch(body), self._branch(other)
        for name in {**chosen, **otherwise}:
            last = before[name][1] if name in before else None
            yes, no = chosen.get(name, last), otherwise.get(name, last)
            if yes is None or no is None or name in self.words or name in _names(test, yes, no):
                raise NoFormulaError(name)
            self.locals[name] = (name, ast.IfExp(test, yes, no))

    def _branch(self, body: list[ast.stmt]) -> dict[str, ast.expr]:
        """What a branch assigns, one that has no value aside."""
        found: dict[str, ast.expr] = {}
        for statement in body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    found[name] = value
                case ast.If(body=[ast.Return(value=value)], orelse=other) if value is not None and _none(value):
                    found |= self._branch(other)
                case _:
                    raise NoFormulaError(ast.unparse(statement))
        return found

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        names = [target] if isinstance(target, ast.Name) else target.elts if isinstance(target, ast.Tuple) else []
        for name in names:
            if not isinstance(name, ast.Name) or name.id in self.locals or name.id in self.words:
                raise NoFormulaError(ast.unparse(target))
            self.locals[name.id] = (ast.unparse(target), value)
        if not names:
            raise NoFormulaError(ast.unparse(target))

    # -- how it is explained

    def lines(self) -> Iterator[str]:
        """The formula, its other cases, and what its names stand for."""
        values = [(when, _some(value)) for when, value in self.cases if not _none(_some(value))]
        _, last = values[-1]
        yield self._text(self._expand(last))
        for when, value in values[:-1]:
            yield f"but {self._text(value)} if {' and '.join(self._text(test) for test in when)}"
        yield from self._where()

    def _expand(self, value: ast.expr) -> ast.expr:
        """What stands for a value that is nothing but a local."""
        while isinstance(value, ast.Name) and self.locals.get(value.id, ("",))[0] == value.id:
            value = _some(self.locals[value.id][1])
        return value

    def _where(self) -> Iterator[str]:
        explained = 0
        while explained < len(self.explained):  # what a name stands for may need further names
            yield f"where {list(self.explained.values())[explained]}"
            explained += 1

    def _text(self, expression: ast.expr) -> str:
        bound = {
            node.id
            for node in ast.walk(expression)
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
        }
        bound |= {arg.arg for node in ast.walk(expression) if isinstance(node, ast.Lambda) for arg in node.args.args}
        return ast.unparse(_Names(self, bound).visit(ast.fix_missing_locations(_copy(expression))))

    def name(self, name: str) -> str:
        """How a name is written, once what it stands for is noted."""
        shown = name.lstrip("_")
        if shown != name:
            self._apart(shown)
        if name in self.groups:
            self.explained[name] = f"{name} is {', '.join(self.groups[name].__struct_fields__)}"
        elif name in self.locals and self.locals[name][0] not in self.explained:
            target, value = self.locals[name]
            self.explained[target] = ""
            self.explained[target] = f"{target} = {self._text(value)}"
        elif (
            name not in self.locals
            and name not in self.words
            and not hasattr(builtins, name)
            and shown not in self.explained
        ):
            self.explained[shown] = ""
            self.explained[shown] = self._global(shown, self.known[name])
        return shown

    def _apart(self, shown: str) -> None:
        """Raise NoFormulaError where a function would be written like a word, a local or a function of Python."""
        if shown in self.locals or shown in self.words or hasattr(builtins, shown):
            raise NoFormulaError(f"two things are called {shown}")

    def _global(self, name: str, value: Any) -> str:
        if isinstance(value, PLAIN):
            return f"{name} = {_constant(value)}"
        if inspect.isfunction(value):
            return self.function(name, value)
        module = getattr(value, "__module__", "")
        if not module.startswith("designlint."):
            return f"{name} is Python's {module}.{name}"
        return f"{name}(...) is {words(value)}"

    def member(self, name: str, value: Any) -> str:
        """A property or method of a group of words."""
        return f"{name} is {words(value)}" if isinstance(value, property) else self.function(name, value)

    def function(self, name: str, value: Callable[..., Any]) -> str:
        """A function of the module as a formula of its own, or in words."""
        known = inspect.signature(value).parameters.values()
        parameters = ", ".join(
            one.name if one.default is one.empty else f"{one.name}={one.default!r}"
            for one in known
            if one.name != "self"
        )
        try:
            tree = _body(value)
        except (NoFormulaError, OSError):
            return f"{name}({parameters}) is {words(value)}"
        if len(tree.body) == 1 and isinstance(tree.body[0], ast.Return) and tree.body[0].value is not None:
            inner = _Reader(value)
            if "self" not in inner.words:
                text = inner._text(tree.body[0].value)
                self.explained |= {
                    one: explained for one, explained in inner.explained.items() if one not in self.explained
                }
                return f"{name}({parameters}) = {text}"
        return f"{name}({parameters}) is {words(value)}"


class _Names(ast.NodeTransformer):
    """Writes words, locals and functions by the names that the formula explains."""

    def __init__(self, reader: _Reader, bound: set[str]) -> None:
        self.reader, self.bound = reader, bound

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return node if node.id in self.bound else ast.Name(self.reader.name(node.id))

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        owner = node.value.id if isinstance(node.value, ast.Name) else ""
        if owner == "math":
            return ast.Name(node.attr)
        group = self.reader.groups.get(owner)
        if group is not None and issubclass(group, Struct):
            if node.attr not in group.__struct_fields__:
                self.reader._apart(node.attr)
                self.reader.explained[node.attr] = self.reader.member(node.attr, getattr(group, node.attr))
            return ast.Name(node.attr)
        if inspect.ismodule(self.reader.known.get(owner)):
            self.reader._apart(node.attr)
            module = self.reader.known[owner]
            self.reader.explained[node.attr] = self.reader._global(node.attr, getattr(module, node.attr))
            return ast.Name(node.attr)
        return ast.Attribute(self.visit(node.value), node.attr)


def words(value: Any) -> str:
    """What a function returns, as the first line of its docstring says it."""
    first = (inspect.getdoc(value) or "").partition("\n")[0]
    text = UNIT.sub("", first).rstrip(".")
    text = UNIT.sub("", text)
    if not text:
        raise NoFormulaError(f"{value} says nothing about itself")
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


def _constant(value: Any) -> str:
    return "{" + ", ".join(map(repr, sorted(value))) + "}" if isinstance(value, frozenset) else repr(value)


def _some(value: ast.expr) -> ast.expr:
    """A value without the conditions under which there is none."""
    if isinstance(value, ast.IfExp):
        body, other = _some(value.body), _some(value.orelse)
        return other if _none(body) else body if _none(other) else ast.IfExp(value.test, body, other)
    return value


def _names(*expressions: ast.expr) -> set[str]:
    return {node.id for one in expressions for node in ast.walk(one) if isinstance(node, ast.Name)}


def _none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _copy(expression: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(expression), mode="eval").body
