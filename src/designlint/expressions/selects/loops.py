"""The patterns of a SELECT as loops in Python, each within those of the patterns before it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.expressions.python import TooDeepError, Writer
from designlint.expressions.selects.evaluation import OPERATIONS
from designlint.expressions.tree import Type, WordNode, decode_node

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from designlint.expressions.tree import Node

#: Loops within one another from which on rows are first gathered, and those that Python reads.
MANY_LOOPS, MOST_LOOPS = 12, 19


class Bound(NamedTuple):
    """What stands for a variable, and whether it surely has a value."""

    name: str
    sure: bool


class Texts:
    """The functions of one query but its own: of patterns and queries in it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.inner: list[str] = []
        self.count = 0

    def add(self, parameters: Iterable[str], lines: Sequence[str]) -> str:
        """Take a function in; its name."""
        name = f"{self.name}_{len(self.inner)}"
        head = f"def {name}({', '.join(['run', *parameters])}):"
        self.inner.append("\n".join([head, " values = run.values", *lines]))
        return name


class Loops(Writer):
    """
    Writes the loops of one function.

    Attributes:
        bound: what stands for each variable that may have a value.
        used: the variables of `bound` that were read.
    """

    def __init__(self, texts: Texts, bound: Mapping[str, Bound]) -> None:
        super().__init__()
        self.texts, self.bound = texts, dict(bound)
        self.used: set[str] = set()
        self._inner: Mapping[str, Any] = {}
        self._loops = 0
        self._start = 0, 1, 0  # of the block at hand: line, depth and loops around it

    def name(self) -> str:
        self.texts.count += 1
        return f"v{self.texts.count}"

    def read_variable(self, name: str) -> str:
        """What stands for a variable."""
        if name not in self.bound:
            return "None"
        self.used.add(name)
        return self.bound[name].name

    @contextmanager
    def block(self) -> Iterator[None]:
        """Loops behind which nothing that they bind is known."""
        kept = self.bound, self.known, self.depth, self._loops, self._start
        self.bound, self.known = dict(self.bound), dict(self.known)
        self._start = len(self.lines), self.depth, self._loops
        yield
        self.bound, self.known, self.depth, self._loops, self._start = kept

    def loop(self, head: str) -> None:
        self.line(head)
        self.depth += 1
        self._loops += 1
        if self._loops > MOST_LOOPS:
            raise TooDeepError

    def unless(self, condition: str) -> None:
        """Go on only where a condition holds."""
        if self._loops == self._start[2]:
            self.loop("for _ in ONCE:")
        self.line(f"if not ({condition}):")
        self.line("    continue")

    def steps(self, data: Sequence[Any]) -> None:
        """The patterns of a group, each within those before it."""
        for kind, *rest in data:
            if self._loops >= MANY_LOOPS and self._loops > self._start[2] + 1:
                self._gather()
            getattr(self, f"_{kind}")(*rest)

    def _gather(self) -> None:
        """Take the rows so far together, and go on with one loop."""
        at, depth, loops = self._start
        self.used |= self.bound.keys()
        rows, names = self.name(), pack_names(dict.fromkeys(one.name for one in self.bound.values()))
        self.line(f"{rows}.append({names})")
        self.lines.insert(at, f"{' ' * depth}{rows} = []")
        self.depth, self._loops, self.known = depth, loops, {}
        self.loop(f"for {names} in {rows}:")

    def expression(self, made: Sequence[Any]) -> str:
        """What stands for the value of an expression."""
        tree, *inner = made
        around, self._inner = self._inner, inner[0] if inner else {}
        found = self.value(decode_node(tree, _NAMES))
        self._inner = around
        return found

    def value(self, node: Node) -> str:
        if isinstance(node, WordNode) and node.name not in self._inner:
            return self.read_variable(node.name)
        return super().value(node)

    def word(self, node: WordNode) -> str:
        data, made = self._inner[node.name], ""
        if isinstance(data, dict):
            made = f"search({self.expression(data['of'])}, {data['search']!r}, {data['put']!r})"
        else:
            made = self._exists(data)
        name = self.name()
        self.line(f"{name} = {made}")
        return name

    def _exists(self, data: Sequence[Any]) -> str:
        """Whether there is what patterns ask for."""
        (kind, *rest), one = data[0] if data else ("", ""), len(data) == 1
        holder = self.bound.get(rest[0][1:]) if kind == "word" else None
        if one and holder is not None and holder.sure:
            wanted = self._term(rest[2])
            self.used.add(rest[0][1:])
            there = f"values({holder.name}, {rest[1]!r})"
            if wanted is None or wanted.sure:
                return f"bool({there})" if wanted is None else f"among({there}, {wanted.name})"
        found = type(self)(self.texts, self.bound)
        with found.block():
            found.steps(data)
            found.line("return True")
        found.line("return False")
        self.used |= found.used
        shared = dict.fromkeys(one.name for name, one in self.bound.items() if name in found.used)
        return f"asked({', '.join(['run', self.texts.add(shared, found.lines), *shared])})"

    def operation(self, node: Any) -> str:
        if node.operator != "BOUND":
            return super().operation(node)
        made, value = self.name(), self.value(node.arguments[0])
        self.line(f"{made} = {value} is not None")
        return made

    def work(self, made: str, name: str, values: Sequence[str]) -> None:
        if name == "!":
            self.line(f"{made} = not {values[0]}")
        elif name in ("=", "!=") and any(one[0] in "'\"" for one in values):
            self.line(f"{made} = {values[0]} {'==' if name == '=' else '!='} {values[1]}")
        else:
            self.line(f"{made} = {OPERATIONS[name]}({', '.join(values)})")

    def _term(self, term: Any) -> Bound | None:
        """What stands for a variable or constant; None where the variable is surely unbound."""
        if not isinstance(term, str):
            return Bound(repr(term[1] if isinstance(term, list) else term), sure=True)
        self.read_variable(term[1:])
        return self.bound.get(term[1:])

    def name_variable(self, term: Any, *, sure: bool) -> str:
        """A new name for the variable of a term; for a constant, one that nothing reads."""
        name = self.name()
        if isinstance(term, str):
            self.bound[term[1:]] = Bound(name, sure)
        return name

    def _class(self, subject: str, cls: str) -> None:
        at = self._term(subject)
        if at is not None and at.sure:
            self.unless(f'{cls!r} in getattr({at.name}, "kinds", ())')
            return
        there = f"run.facts.of_class({cls!r})" if at is None else f"of_class(run, {at.name}, {cls!r})"
        self.loop(f"for {self.name_variable(subject, sure=True)} in {there}:")

    def _word(self, subject: str, word: str, value: Any, *, optional: bool = False) -> None:
        at, wanted = self._term(subject), self._term(value)
        held = at is not None and at.sure
        if at is not None and at.sure and (wanted is None or wanted.sure):
            there = f"values({at.name}, {word!r})"
            if wanted is None:
                self.loop(f"for {self.name_variable(value, sure=not optional)} in {there}{' or ONCE' * optional}:")
            elif not optional:
                self.unless(f"among({there}, {wanted.name})")
        elif at is None and wanted is not None and wanted.sure and not optional:
            self.loop(f"for {self.name_variable(subject, sure=True)} in run.facts.holders({word!r}, {wanted.name}):")
        else:
            before = [one.name if one else "None" for one in (at, wanted)]
            given = not isinstance(value, str) or (wanted is not None and wanted.sure)
            names = [
                self.name_variable(subject, sure=held or not optional),
                self.name_variable(value, sure=given or not optional),
            ]
            there = f"pairs(run, {before[0]}, {word!r}, {before[1]}){f' or (({list_names(before)}),)' * optional}"
            self.loop(f"for {list_names(names)} in {there}:")

    def _path(self, subject: str, ways: Sequence[Sequence[str]], value: Any) -> None:
        before = [one.name if one else "None" for one in (self._term(subject), self._term(value))]
        names = [self.name_variable(subject, sure=True), self.name_variable(value, sure=True)]
        told = pack_names([repr(tuple(one)) for one in ways])
        self.loop(f"for {list_names(names)} in paths(run, {before[0]}, {told}, {before[1]}):")

    def _optional(self, data: Sequence[Any]) -> None:
        if len(data) == 1 and data[0][0] == "word":
            self._word(*data[0][1:], optional=True)
            return
        self._branches([data], optional=True)

    def _union(self, data: Sequence[Any]) -> None:
        self._branches(data, optional=False)

    def _branches(self, data: Sequence[Any], *, optional: bool) -> None:
        """One group or another; where it is optional, none where there is no row."""
        rows, ends = self.name(), list[tuple[int, dict[str, Bound]]]()
        self.line(f"{rows} = []")
        for one in data:
            with self.block():
                self.steps(one)
                ends.append((len(self.lines), self.bound))
                self.line("")
        before = self.bound
        new = dict.fromkeys(name for _, end in ends for name in end if end[name] is not before.get(name))
        for at, end in ends:
            row = pack_names([end[name].name if name in end else "None" for name in new])
            self.lines[at] += f"{rows}.append({row})"
        self.used |= {name for name in new if name in before}
        default = pack_names([before[name].name if name in before else "None" for name in new])
        sure = {name: all(name in end and end[name].sure for _, end in ends) and not optional for name in new}
        names = pack_names([self.name_variable(f"?{name}", sure=sure[name]) for name in new]) if new else "_"
        self.loop(f"for {names} in {rows}{f' or ({default},)' * optional}:")

    def _values(self, name: str, data: Sequence[Any]) -> None:
        at = self._term(name)
        told = pack_names([repr(one[1] if isinstance(one, list) else one) for one in data])
        there = told if at is None else f"fitting({at.name}, {told})"
        self.loop(f"for {self.name_variable(name, sure=True)} in {there}:")

    def _bind(self, name: str, made: Sequence[Any]) -> None:
        value = self.expression(made)
        self.line(f"{self.name_variable(f'?{name}', sure=False)} = {value}")

    def _filter(self, made: Sequence[Any]) -> None:
        self.unless(self.expression(made))


def list_names(names: Iterable[str]) -> str:
    return ", ".join(names)


def pack_names(names: Iterable[str]) -> str:
    return f"({''.join(f'{one}, ' for one in names).rstrip()})"


class _Names(dict[str, Any]):
    """What a name in the data of an expression stands for: a variable."""

    def __missing__(self, key: str) -> WordNode:
        found = self[key] = WordNode(key[1:], (key[1:],), "", Type.ANY)
        return found


_NAMES = _Names()
