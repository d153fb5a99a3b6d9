"""Where what a name or a path in a design means is stated: the part of that name, or the file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from designlint.editor.spots import spot_at, subject_of
from designlint.graph.subjects import Subject
from designlint.reading.location import Location

if TYPE_CHECKING:
    from designlint.editor.analysis import Analysis
    from designlint.reading import Node

#: Keys whose value is the path of a file.
FILES = ("from", "extends")


def definition_at(known: Analysis, offset: int) -> Location | None:
    """The place that the value at an offset refers to; None where it refers to none."""
    root = known.document.root
    spot = spot_at(root, offset, known.engine.vocabulary) if root is not None and root.kind == "map" else None
    if spot is None or spot.on_key or spot.node.kind != "scalar":
        return None
    if spot.name in FILES:
        file = str(Path(known.document.file).parent / spot.node.text)
        return Location(file, 1, 1, 1, 1) if file in known.texts else None
    subject = subject_of(known.design.graph, spot.mapping)
    fact = None if subject is None else subject.facts.get(spot.name)
    named = (one for one in (fact if isinstance(fact, list) else [fact]) if isinstance(one, Subject))
    meant = next((one for one in named if one.name == spot.node.text), None)
    return None if meant is None or meant.node is None else _name_of(meant.node)


def _name_of(part: Node) -> Location:
    """Where a part states its name; where it begins if it states none."""
    at = part.entries.get("name", part)
    return Location(at.document.file, *at.document.place(at.start, at.end))
