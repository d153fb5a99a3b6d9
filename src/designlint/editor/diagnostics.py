"""Findings as an editor marks them."""

from __future__ import annotations

from functools import cached_property
from os.path import normpath
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls import uris

from designlint.configuration.engine import shipped_engine
from designlint.editor.positions import Positions
from designlint.findings.model import Severity
from designlint.language.vocabulary import RULE
from designlint.reading import Node, tree_paths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pygls.workspace import PositionCodec

    from designlint.editor.analysis import Analysis
    from designlint.findings.model import Finding
    from designlint.reading.location import Location

SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
SOURCE = "designlint"
#: Rules about something that can be taken away: an editor shows it faded.
UNNECESSARY = ("waiver/unused",)


class Marker:
    """Marks the findings of one analysis; the texts of other files come with it, for places in a base."""

    def __init__(self, known: Analysis, uri: str, codec: PositionCodec) -> None:
        self.known, self.uri, self.codec = known, uri, codec
        self.file = known.document.file
        self.texts = {self.file: Positions(known.document.text, codec)}

    def diagnostics(self) -> list[types.Diagnostic]:
        """Every finding on this file; one in a base or an import stands where that is named, and leads there."""
        return [self.diagnostic(one) for one in self.known.findings]

    def diagnostic(self, found: Finding) -> types.Diagnostic:
        """One finding."""
        return types.Diagnostic(
            range=self.mark(found),
            message=f"{found.message}\nhelp: {found.remedy}" if found.remedy else found.message,
            severity=SEVERITIES[found.severity],
            code=found.rule,
            code_description=types.CodeDescription(RULE + found.rule) if found.rule in shipped_engine().rules else None,
            source=SOURCE,
            tags=[types.DiagnosticTag.Unnecessary] if found.rule in UNNECESSARY else None,
            related_information=list(self._related_information(found)) or None,
        )

    def mark(self, found: Finding) -> types.Range:
        """Where a finding is marked in this file."""
        if found.location.file == self.file:
            return self.texts[self.file].range(found.location)
        root = self.known.document.root
        base = self.imports.get(normpath(found.location.file)) or (root and root.entries.get("extends"))
        return self.span(base.start, base.end) if base is not None else self.span(0, 0)

    @cached_property
    def imports(self) -> dict[str, Node]:
        """Where this file names the foreign files that it imports, by their paths."""
        root, found = self.known.document.root, dict[str, Node]()
        for path, node in tree_paths(root) if root is not None else ():
            if node.kind == "scalar" and "from" in path[-2:]:
                found.setdefault(normpath(Path(self.file).parent / node.text), node)
        return found

    def span(self, start: int, end: int) -> types.Range:
        """A stretch of this file."""
        return self.texts[self.file].span(self.known.document, start, end)

    def place(self, at: Location) -> types.Location:
        """A location, here or in another file, as an editor follows it."""
        if at.file == self.file:
            return types.Location(self.uri, self.texts[self.file].range(at))
        if at.file not in self.texts:
            self.texts[at.file] = Positions(self.known.texts[at.file], self.codec)
        return types.Location(uris.from_fs_path(at.file) or self.uri, self.texts[at.file].range(at))

    def _related_information(self, found: Finding) -> Iterator[types.DiagnosticRelatedInformation]:
        if found.location.file != self.file:
            yield types.DiagnosticRelatedInformation(self.place(found.location), "the value at fault")
        for name, one in found.values.items():
            if one.location is not None and one.location != found.location:
                yield types.DiagnosticRelatedInformation(self.place(one.location), f"{name} = {one.text}")
