"""TOML files as trees: `tomllib` says what a value is, the scanner of configuration files where it stands."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

from designlint.importers.base import ImportRefusal, Source
from designlint.language.values import spell_value
from designlint.reading import Node
from designlint.reading.toml import Path, Scanner

if TYPE_CHECKING:
    from designlint.reading.tree import Kind

#: Beyond any real file; `tomllib` takes a second for some megabytes.
MOST = 1024 * 1024


def root(source: Source) -> Node:
    """The tree of the file. Raises: Refusal."""
    if "toml" not in source.cache:
        try:
            found = tomllib.loads(source.text) if len(source.text) <= MOST else {}
        except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
            raise ImportRefusal(f"it cannot be read as TOML: {error}") from None
        scanner = Spans(source.text)
        try:
            scanner.scan()
            source.cache["toml"] = _node(source, found, (), scanner)
        except RecursionError:
            raise ImportRefusal("its brackets nest too deep") from None
        source.cache["roots"] = [source.cache["toml"]]
    node: Node = source.cache["toml"]
    return node


class Spans(Scanner):
    """Where every value starts and ends."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.spans: dict[Path, tuple[int, int]] = {}

    def _value(self, here: Path) -> None:
        start = self.at
        super()._value(here)
        end = start + len(self.text[start : self.at].rstrip())
        self.spans[here] = (start, end)


def _node(source: Source, value: Any, path: Path, scanner: Spans) -> Node:
    start, end = scanner.spans.get(path) or (scanner.offsets.get(path, 0),) * 2
    kind: Kind = "map" if isinstance(value, dict) else "list" if isinstance(value, list) else "scalar"
    text = "" if kind != "scalar" else spell_value(value)
    node = Node(source.document, kind, start, end, outer=start, text=text, plain=not isinstance(value, str))
    node.key_start = node.key_end = scanner.offsets.get(path, -1)
    if isinstance(value, dict):
        node.entries = {key: _node(source, one, (*path, key), scanner) for key, one in value.items()}
    elif isinstance(value, list):
        node.items = [_node(source, one, (*path, at), scanner) for at, one in enumerate(value)]
    return node
