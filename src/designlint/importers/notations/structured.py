"""YAML and JSON files, as many documents as they hold, and the account of which of their keys were understood."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import Fate, ImportRefusal, Source, Value, of_node
from designlint.reading import Node, read_bytes, tree_paths
from designlint.reading.tree import UNREAD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence, Set

    from designlint.reading import Document

#: What a structured file starts with, comments and blank lines left out.
FIRST = re.compile(
    r"""(?:\s|\#[^\n]*(?:\n|\Z)|//[^\n]*\n|---[^\n]*\n|%YAML[^\n]*\n)*(?:[\[{]|-\s|["']?[\w./ @-]{1,200}["']?\s*:(?:\s|\Z))"""
)
SEPARATOR = re.compile(r"^---(?:[ \t][^\n]*)?\r?$", re.MULTILINE)
LINE_COMMENT = re.compile(r"^[ \t]*//[^\n]*", re.MULTILINE)
#: Documents of one file that are read: a rendered chart has some hundred.
MOST_DOCUMENTS = 2000
#: Keys by which a mapping is switched on, and what switches something off.
SWITCHES, OFF = frozenset(("enabled", "enable")), frozenset(("false", "0", "no", "off", "none", "null", "~", ""))
#: A variable that people fill in by envsubst before they apply a manifest.
FILLED_IN = re.compile(r"\$(?:\{(\w+)\}|(\w+))\Z")
#: A reference to another value of the file, as OmegaConf writes it.
REFERENCE = re.compile(r"\$\{([\w.]+)\}\Z")
#: The product of two numbers or references, as NeMo's launcher writes it.
PRODUCT = re.compile(
    r"\$\{multiply:\s{0,9}([\d_]{1,15}|\$\{[\w.]+\})\s{0,9},\s{0,9}([\d_]{1,15}|\$\{[\w.]+\})\s{0,9}\}\Z"
)
#: References that follow one another.
MOST_STEPS = 8
#: What is written where a value is left to somebody else.
VARIABLE = re.compile(
    r"\$\{[^}]{0,200}\}|\$\([^)]{0,200}\)|\$[A-Za-z_]\w*|<[A-Z][\w -]*>"
    r"|^(?:(?:PLACEHOLDER|CHANGE_?ME|TODO|REPLACE|YOUR)(?:_[A-Z_\d]*)?|auto)$"
)


def looks_structured(source: Source) -> bool:
    """Whether the file starts like YAML or JSON."""
    return FIRST.match(source.text[:20000]) is not None


def roots(source: Source) -> list[Node]:
    """The top node of each document; none where the file is no YAML or JSON. Raises nothing: faults stay in `source.cache`."""
    if "roots" not in source.cache:
        source.cache["roots"] = list(_read_documents(source)) if looks_structured(source) else []
    found: list[Node] = source.cache["roots"]
    return found


def root(source: Source) -> Node | None:
    """The first mapping of the file."""
    return next((one for one in roots(source) if one.kind == "map"), None)


def keys(source: Source, *needed: str) -> Set[str]:
    """The keys of the first mapping; none where there is none, or where the text lacks one of the strings."""
    found = root(source) if all(one in source.text for one in needed) else None
    return found.entries.keys() if found is not None else frozenset()


def _read_documents(source: Source) -> Iterator[Node]:
    text = source.text
    if text.lstrip()[:1] in ("{", "["):
        text = LINE_COMMENT.sub(lambda found: " " * len(found[0]), text).replace("\t", " ")
    starts = [0, *(found.end() for found in SEPARATOR.finditer(text))][: MOST_DOCUMENTS + 1]
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(text)
        part = SEPARATOR.sub("", text[start:end])
        if part.strip():
            yield from _document(source, part, start)


def _document(source: Source, part: str, shift: int) -> Iterator[Node]:
    document = read_bytes(part.encode("utf-8"), source.file)
    for problem in document.problems:
        if problem.rule in UNREAD or not document.complete:
            source.cache.setdefault("fault", (problem.rule, problem.start + shift, problem.values))
    if document.root is None:
        return
    _take_last(document, source, shift)
    seen: set[int] = set()
    for _, node in tree_paths(document.root):
        if id(node) not in seen:
            seen.add(id(node))
            _move(node, source, shift)
    yield document.root


def _take_last(document: Document, source: Source, shift: int) -> None:
    """Of a key that stands twice the later value counts, as for most tools; the two places are kept where they differ."""
    for part, key, last in document.repeated:
        first, part.entries[key] = part.entries[key], last
        stated = [source.text[one.start + shift : one.end + shift].strip() for one in (first, last)]
        if stated[0] != stated[1]:
            line = source.line_of(first.key_start + shift)
            source.cache.setdefault("twice", []).append((key, last.key_start + shift, last.key_end + shift, line))


def _move(node: Node, source: Source, shift: int) -> None:
    node.document = source.document
    node.start, node.end, node.outer = node.start + shift, node.end + shift, node.outer + shift
    if node.key_start >= 0:
        node.key_start, node.key_end = node.key_start + shift, node.key_end + shift


def root_from(source: Source, start: int) -> Node | None:
    """The mapping that begins at an offset, after text of another kind; it is all that was read of the file from then on."""
    for read in ("fault", "twice"):
        source.cache.pop(read, None)
    source.cache["roots"] = [one for one in _document(source, source.text[start:], start) if one.kind == "map"]
    return root(source)


def refuse_broken(source: Source) -> None:
    """Raises Refusal where the text is no whole YAML or JSON: what was read of it may be half of a value."""
    fault = source.cache.get("fault")
    if fault is not None:
        rule, at, values = fault
        line = source.line_of(min(at, len(source.text)))
        what = values.get("what") or rule.partition("/")[2].replace("-", " ")
        raise ImportRefusal(f"it cannot be read as YAML or JSON; line {line}: {what}", line)


def whole(source: Source) -> Source:
    """The file itself. Raises: Refusal where it is no whole YAML or JSON."""
    roots(source)
    refuse_broken(source)
    return source


def settle(source: Source, settings: Mapping[str, str]) -> None:
    """Give scalars that are one variable, `$NODES` or `${NODES}`, the values that are known of them."""
    if not settings or "$" not in source.text:
        return
    for top in roots(source):
        for _, node in tree_paths(top):
            found = FILLED_IN.match(node.text) if node.kind == "scalar" else None
            if found is not None and (name := found[1] or found[2]) in settings:
                node.text, node.plain = settings[name], True


class Table:
    """A mapping of a structured file that keeps account of what was asked for."""

    def __init__(self, source: Source, node: Node | None) -> None:
        self.source, self.node = source, node
        source.keyed, source.open_lines = source.keyed or source.open_lines, False

    def at(self, path: str) -> Node | None:
        """The node at a path of keys, `/` between them."""
        node = self.node
        asked: dict[int, set[str]] = self.source.cache.setdefault("asked", {})
        for key in path.split("/"):
            if node is None or node.kind != "map":
                return None
            asked.setdefault(id(node), set()).add(key)
            node = node.entries.get(key)
        return node

    def asking(self, key: str) -> Table:
        """The table itself, which is asked for a key that may hold slashes."""
        if self.node is not None:
            self.source.cache.setdefault("asked", {}).setdefault(id(self.node), set()).add(key)
        return self

    def table(self, path: str) -> Table:
        """The mapping at a path; an empty one where there is none."""
        node = self.at(path)
        return Table(self.source, node if node is not None and node.kind == "map" else None)

    def tables(self, path: str) -> list[Table]:
        """The mappings in the list at a path."""
        node = self.at(path)
        items = node.items if node is not None else []
        return [Table(self.source, one) for one in items if one.kind == "map"]

    def get(self, *paths: str) -> Value | None:
        """The scalar at the first path that has one which says something; its line is understood."""
        for path in paths:
            node = self.at(path)
            if node is not None and node.kind == "scalar" and node.scalar() is not None and node.text != "None":
                return of_node(self.source, node)
        return None

    def __bool__(self) -> bool:
        return self.node is not None and bool(self.node.entries)

    def names(self) -> list[str]:
        """The keys of the mapping."""
        return list(self.node.entries) if self.node is not None else []


class Resolved(Table):
    """A table whose values follow references inside the file; one that leads nowhere says nothing."""

    def __init__(self, source: Source, node: Node | None, top: Node | None = None) -> None:
        super().__init__(source, node)
        self.top = Table(source, top if top is not None else node)

    def table(self, path: str) -> Resolved:
        """The mapping at a path, with the same references."""
        return Resolved(self.source, super().table(path).node, self.top.node)

    def get(self, *paths: str) -> Value | None:
        """The scalar at the first path that has one, references followed."""
        for path in paths:
            value = super().get(path)
            if value is not None:
                return self._follow(value, self, path, MOST_STEPS)
        return None

    def _follow(self, value: Value, table: Table, path: str, steps: int) -> Value | None:
        """What a value stands for at a path of a table: itself, what a reference leads to, or the product of two."""
        if "${" not in value.text:
            return value
        found, product = REFERENCE.match(value.text), PRODUCT.match(value.text)
        if found is not None:
            target = self._target(found[1], table, path, steps)
            return target and value.but(target.text, f"${{{found[1]}}}")
        factors = product.groups() if product is not None else ()
        known = [
            one if (inner := REFERENCE.match(text)) is None else self._target(inner[1], table, path, steps)
            for text in factors
            if (one := value.but(text)) is not None
        ]
        sizes = [one.number for one in known if one is not None and isinstance(one.number, int)]
        return value.but(sizes[0] * sizes[1], " x ".join(factors)) if len(sizes) == 2 else None

    def _target(self, name: str, table: Table, path: str, steps: int) -> Value | None:
        """What a reference leads to: from the top of the file, or from beside itself where it begins with a dot."""
        up = len(name) - len(name.lstrip("."))
        if not steps or up > path.count("/") + 1:
            return None
        start = path.split("/")[:-up] if up else []
        place = "/".join((*start, *name[up:].split(".")))
        here = table if up else self.top
        target = Table.get(here, place)
        return None if target is None else self._follow(target, here, place, steps - 1)


def scalars(source: Source, node: Node | None) -> list[Value]:
    """The scalars of a list, or of a single value."""
    if node is None:
        return []
    return [of_node(source, one) for one in (node.items if node.kind == "list" else [node]) if one.kind == "scalar"]


def close(
    source: Source, *tools: str, normal: Callable[[str], str] = lambda key: key, elsewhere: Sequence[Node] = ()
) -> None:  # fmt: skip
    """
    Account for all keys that nobody asked for.

    Args:
        tools: whose keys they are: those that do not matter, with all below them, and those that do not while they are off.
        normal: the spelling of a key that the tools have.
        elsewhere: parts that are about something that no design states, with all below them.
    """
    source.keyed = False
    immaterial = defaults.immaterial(*tools)
    switched = {key for one in tools for key in defaults.tool(one).lists.get("switched", ())}
    silenced = {id(node) for part in elsewhere for _, node in tree_paths(part)}
    for top in roots(source):
        off, on = _switches(top, switched)
        for path, node in tree_paths(top):
            if node.kind != "scalar":
                continue
            names = [one for key in path if isinstance(key, str) for one in {key, normal(key)}]
            silent = any(one in immaterial for one in names)
            silent = silent or node.scalar() in (None, "") or id(node) in silenced
            silent = (silent or id(node) in off) and id(node) not in on
            line = source.line_of(node.key_start if node.key_start >= 0 else node.start)
            if source.marks.get(line) is not Fate.UNDERSTOOD:
                source.mark(node.start, node.end, Fate.IMMATERIAL if silent else Fate.UNCLEAR)


def _switches(top: Node, switched: Set[str]) -> tuple[set[int], set[int]]:
    """Values under keys that are off, and under those that are on: a switch, or a mapping with one somewhere in it."""
    sides: tuple[set[int], set[int]] = set(), set()
    for path, node in tree_paths(top) if switched else ():
        if not path or path[-1] not in switched:
            continue
        inner = list(tree_paths(node))
        switches = [one for below, one in inner if not below or below[-1] in SWITCHES]
        on = any(one.kind == "scalar" and one.text.lower() not in OFF for one in switches)
        sides[on].update(id(one) for _, one in inner)
    return sides


def open_ended(value: Value | None) -> bool:
    """Whether a value is left to somebody else: a variable, a placeholder, `auto`."""
    return value is not None and VARIABLE.search(value.text) is not None
