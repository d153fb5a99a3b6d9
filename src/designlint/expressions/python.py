"""
A condition as a function in Python, written when the bundle is made, so that no run has to walk its tree.

The function takes a subject and gives what `Condition.answer` gives. It is written from the same tree as all else; the operators
that decide which words are read are the lines of `designlint.expressions.logic`, which `evaluation` calls. A word is read once.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from designlint.expressions.condition import limit
from designlint.expressions.evaluation import NO_PART, UNMET, SeveralError, has, plain
from designlint.expressions.functions import STRICT
from designlint.expressions.logic import LAZY, simpler
from designlint.expressions.tree import EXACT, Flag, Let, Limit, Node, Number, Operation, Text, WordNode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeAlias

    from designlint.expressions.condition import Condition

    #: Writes what has a name: the text, and what makes the thing when the text has been run.
    Written: TypeAlias = Callable[[str], tuple[str, str]]

#: Operations that Python writes as we do, or nearly.
SIGNS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "+": "+", "-": "-", "*": "*"}
ARITHMETIC = ("+", "-", "*")
#: How functions stand in the text.
CALLS = {name: f"do_{name.lower().replace(':', '_')}" for name in STRICT if name[0].isalpha()}
#: What the text names.
NAMES: Mapping[str, Any] = MappingProxyType(
    {CALLS[name]: work for name, work in STRICT.items() if name in CALLS}
    | {"plain": plain, "has": has, "SeveralError": SeveralError, "NO_PART": NO_PART, "UNMET": UNMET}
    | {"PLAIN": frozenset({int, list}), "EXACT": EXACT}
)
#: The name under which the text of all functions keeps them, by rule.
TABLE = "FUNCTIONS"
#: Levels of blocks that Python reads; the tree of a condition with more is walked.
DEEPEST = 90


def module(made: Mapping[str, Written], stamp: str) -> str:
    """The text of all functions, with the stamp of the bundle that they belong to."""
    texts: list[str] = []
    table: list[str] = []
    for name, write in made.items():
        with suppress(TooDeepError):
            text, one = write(f"r{len(texts)}")
            table.append(f" {name!r}: {one},")
            texts.append(text)
    return "\n".join([f"STAMP = {stamp!r}", *texts, f"{TABLE} = {{", *table, "}", ""])


def execute(write: Written, names: Mapping[str, Any]) -> Any:
    """What a text makes. Raises TooDeepError."""
    made = dict(names)
    text, one = write("made")
    exec(text, made)  # made of trees alone: texts stand in it as Python quotes them
    return eval(one, made)


def readable(write: Written) -> bool:
    """Whether Python reads a text."""
    try:
        write("made")
    except TooDeepError:
        return False
    return True


def function(condition: Condition) -> Callable[..., Any]:
    """The function of one condition. Raises TooDeepError."""
    found: Callable[..., Any] = execute(partial(write_condition, condition), NAMES)
    return found


def write_condition(condition: Condition, name: str) -> tuple[str, str]:
    """The text of the function of a condition, and what stands for it in a table. Raises TooDeepError."""
    writer = Writer()
    if condition.when is not None:
        applies = writer.value(condition.when)
        writer.line(f"if not {applies}:")
        writer.line(f"    return None if {applies} is None else UNMET")
    writer.line(f"return {writer.value(condition.judge)}")
    given = "".join(f", {limit(one)}={value!r}" for one, value in writer.limits.items())
    return "\n".join([f"def {name}(subject{given}):", " facts = subject.facts", *writer.lines]), name


class TooDeepError(Exception):
    """A function has more levels of blocks than Python reads."""


class Writer:
    """
    Writes the body of one function.

    Attributes:
        known: what stands for words and computed values that were read on the way to where the text goes on.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 1
        self.count = 0
        self.known: dict[str, str] = {}
        self.limits: dict[str, int | float] = {}

    def line(self, text: str) -> None:
        if self.depth > DEEPEST:
            raise TooDeepError
        self.lines.append(" " * self.depth + text)

    def name(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def inside(self, head: str, work: Callable[[], None]) -> None:
        """A block; what is read in it is not known behind it."""
        self.line(head)
        known, self.known = self.known, dict(self.known)
        self.depth += 1
        work()
        self.depth -= 1
        self.known = known

    def value(self, node: Node) -> str:
        """Write what gives the value of a node; the name or constant that stands for it."""
        if isinstance(node, WordNode | Let):
            key = node.name if isinstance(node, WordNode) else f"let {node.name}"
            if key not in self.known:
                self.known[key] = self.word(node) if isinstance(node, WordNode) else self.value(node.body)
            return self.known[key]
        if isinstance(node, Limit):
            self.limits[node.name] = node.value
            return limit(node.name)
        if isinstance(node, Number | Text | Flag):
            return repr(node.value)
        return self.operation(node) if isinstance(node, Operation) else "None"

    def word(self, node: WordNode) -> str:
        *way, last = node.path
        made = self.name()
        self.line(f"{made} = facts.get({(way[0] if way else last)!r})")
        outer = self.depth
        for word in [*way[1:], last] if way else ():
            self.line(f"if {made} is not None:")
            self.depth += 1
            self.line(f"if {made}.__class__ in NO_PART:")
            self.line("    raise SeveralError")
            self.line(f"{made} = {made}.facts.get({word!r})")
        self.depth = outer
        self.line(f"if {made}.__class__ in PLAIN:")
        self.line(f"    {made} = plain({made})")
        return made

    def operation(self, node: Operation) -> str:
        name, arguments = node.operator, node.arguments
        texts = name == "IN" and all(isinstance(one, Text) for one in arguments[1:])
        simple = node if texts else simpler(node)
        if simple is not node:
            return self.value(simple)
        made = self.name()
        if name == "BOUND" and isinstance(arguments[0], WordNode):
            path = arguments[0].path
            found = f"facts.get({path[0]!r}) not in (None, [])" if len(path) == 1 else f"has(subject, {path!r})"
            self.line(f"{made} = {found}")
        elif name == "BOUND":
            self.line(f"{made} = {all_known([self.value(arguments[0])])}")
        elif texts:
            self.among(made, self.value(arguments[0]), arguments[1:])
        elif name in LAZY:
            from designlint.expressions import inlining  # a run has all that the bundle needs already

            inlining.write(self, made, name, arguments)
        else:
            self.strict(made, name, arguments)
        return made

    def strict(self, made: str, name: str, arguments: Sequence[Node], known: Sequence[str] = ()) -> None:
        """An operation that is unknown where an argument is: none is read behind one that is unknown."""
        if not arguments:
            self.work(made, name, known)
            return
        if not known:
            self.line(f"{made} = None")
        one = self.value(arguments[0])
        self.inside(f"if {all_known([one])}:", lambda: self.strict(made, name, arguments[1:], [*known, one]))

    def work(self, made: str, name: str, values: Sequence[str]) -> None:
        if name == "!":
            self.line(f"{made} = not {values[0]}")
        elif name == "/":
            first, second = values
            self.line(f"{made} = None if {second} == 0 else {first} / {second}")
        elif name in SIGNS:
            self.line(f"{made} = {values[0]} {SIGNS[name]} {values[1]}")
            if name in ARITHMETIC:
                self.line(f"if {made}.__class__ is not float and not -EXACT <= {made} <= EXACT:")
                self.line(f"    {made} = float({made})")
        else:
            self.line(f"{made} = {CALLS[name]}({', '.join(values)})")

    def among(self, made: str, value: str, texts: Iterable[Node]) -> None:
        choices = ", ".join(sorted({repr(one.value) for one in texts if isinstance(one, Text)}))
        self.line(f"{made} = {value} in {{{choices}}} if {all_known([value])} else None")


def all_known(values: Sequence[str]) -> str:
    """The condition that none of some values is unknown."""
    return (
        "False" if "None" in values else " and ".join(f"{one} is not None" for one in values if one[0] == "v") or "True"
    )
