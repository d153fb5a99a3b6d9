"""Files that a manifest holds itself: the ConfigMaps that stand beside a job, as its pods find them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from designlint.importers.base import Fate, Source
from designlint.importers.frameworks import finetuning
from designlint.importers.notations import structured
from designlint.importers.workloads import merge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from designlint.importers.base import Context, Fragment, Value, Words
    from designlint.reading import Node

FILLED = re.compile(r"[^\n\r]")


class Mounted:
    """The files by their names; one name twice is none."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.inside: dict[str, list[tuple[Source, Node, Source]]] = {}
        for source in sources:
            for root in structured.roots(source):
                kind, data = root.entries.get("kind"), root.entries.get("data")
                if kind is not None and kind.text == "ConfigMap" and data is not None:
                    for name, node in data.entries.items():
                        self._keep(name, node, source)

    def _keep(self, name: str, node: Node, source: Source) -> None:
        inner = block(node, source)
        if inner is not None:
            self.inside.setdefault(name, []).append((inner, node, source))

    def beside(self, context: Context) -> Context:
        """The context in which an absolute path may be one of these files."""

        def opened(source: Source, name: str) -> Source | str:
            known = self.inside.get(name.rpartition("/")[2], []) if name.startswith("/") else []
            return known[0][0] if len(known) == 1 else context.opened(source, name)

        return msgspec.structs.replace(context, opened=opened) if self.inside else context

    def account(self) -> None:
        """Take over what became of the lines of those that were read."""
        for inner, node, source in (one for files in self.inside.values() for one in files):
            if inner.marks:
                first, _, last, _ = source.document.place(node.start, node.end)
                for line in range(first, last + 1):
                    source.marks[line] = inner.marks.get(line, Fate.IMMATERIAL)


def block(node: Node, source: Source) -> Source | None:
    """A block as a file whose every letter keeps its place: what stands around it is blank. None where a text is no block."""
    text = source.text
    if node.kind != "scalar" or text[node.start : node.start + 1] not in ("|", ">"):
        return None
    first = text.find("\n", node.start, node.end) + 1 or node.end
    blank = (FILLED.sub(" ", part) for part in (text[:first], text[node.end :]))
    before, after = blank
    return Source(source.file, before + text[first : node.end] + after, source.path)


def of_variables(stated: Mapping[str, Value], result: Words, found: Fragment, path: str, context: Context) -> None:
    """The training that an image starts by itself, with a configuration beside the job to which a variable points."""
    for value in stated.values():
        opened = context.opened(value.source, value.text) if value.text.startswith("/") else ""
        dialect = finetuning.recognise_dialect(opened) if isinstance(opened, Source) else None
        if isinstance(opened, Source) and dialect is not None:
            merge(result, finetuning.workload(opened, dialect, context, found, path))
            structured.close(opened, "finetuning")
