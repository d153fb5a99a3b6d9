"""What can be done about findings: their proven fixes, all safe fixes at once, a waiver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from designlint.editor.analysis import encode
from designlint.fixes.repairs import replacements
from designlint.reading import read_bytes, tree_paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from designlint.editor.diagnostics import Marker
    from designlint.findings.model import Finding, Fix
    from designlint.reading import Document
    from designlint.reading.location import Replacement

FIX_ALL = "source.fixAll.designlint"


def actions(marker: Marker, within: types.Range, context: types.CodeActionContext) -> Iterator[types.CodeAction]:
    """The actions for a stretch of the document, of the kinds that the editor asks for."""
    if _is_requested(types.CodeActionKind.QuickFix, context.only):
        touched = [one for one in marker.known.findings if _touch(marker.mark(one), within)]
        here = marker.known.propose_fixes(touched)
        for found in here:
            yield from (_fixing(marker, found, fix) for fix in found.fixes if fix.proven and fix.replacements)
        for found in here:
            yield from _waiving(marker, found)
    if _is_requested(types.CodeActionKind.RefactorRewrite, context.only):
        yield from _planning(marker, within)
    if context.only and _is_requested(FIX_ALL, context.only):
        yield from _fixing_all(marker)


def _planning(marker: Marker, within: types.Range) -> Iterator[types.CodeAction]:
    """The layout that a plan would choose, where the cursor is in the layout of a job."""
    for job in marker.known.design.graph.by_class.get("Workload", []):
        split = job.keys.get("parallelism")
        if split is None or split.end > len(marker.known.document.text):
            continue
        if not _touch(marker.span(split.key_start, split.end), within):
            continue
        found = marker.known.propose_layout(job)
        if found is not None:
            edits = _edits(marker, replacements(found.changed_files()))
            yield types.CodeAction(
                found.title, kind=types.CodeActionKind.RefactorRewrite, edit=types.WorkspaceEdit(edits)
            )


def _is_requested(kind: str, only: Sequence[str] | None) -> bool:
    return not only or any(kind == one or kind.startswith(f"{one}.") for one in only)


def _touch(one: types.Range, other: types.Range) -> bool:
    return (one.start.line, one.start.character) <= (other.end.line, other.end.character) and (
        other.start.line,
        other.start.character,
    ) <= (one.end.line, one.end.character)


def _fixing(marker: Marker, found: Finding, fix: Fix) -> types.CodeAction:
    """A fix, said to be unsafe where it is, and how many findings it resolves."""
    notable = fix.resolves > 1 or fix.causes or fix.reveals
    notes = [*(["unsafe"] if fix.safety != "safe" else []), *([fix.weight] if notable else [])]
    return types.CodeAction(
        title=f"{fix.title} ({', '.join(notes)})" if notes else fix.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[marker.diagnostic(found)],
        is_preferred=fix.safety == "safe" or None,
        edit=types.WorkspaceEdit(_edits(marker, fix.replacements)),
    )


def _edits(marker: Marker, replacements: Iterable[Replacement]) -> dict[str, list[types.TextEdit]]:
    edits: dict[str, list[types.TextEdit]] = {}
    for one in replacements:
        place = marker.place(one.location)
        edits.setdefault(place.uri, []).append(types.TextEdit(place.range, one.text))
    return edits


def _fixing_all(marker: Marker) -> Iterator[types.CodeAction]:
    """Every safe fix in one edit."""
    if edits := _edits(marker, marker.known.safe_edits()):
        yield types.CodeAction("Fix all that is safe to fix", kind=FIX_ALL, edit=types.WorkspaceEdit(edits))


def _waiving(marker: Marker, found: Finding) -> Iterator[types.CodeAction]:
    """A waiver for the finding's line, its reason left to the author: without one it does not hold."""
    document = marker.known.document
    if found.location.file != document.file or not marker.known.engine.rules[found.rule].waivable:
        return
    for at, comment in _waivers(document, found):
        if same(document, document.text[:at] + comment + document.text[at:]):
            yield types.CodeAction(
                f"Waive {found.rule} here, with a reason",
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[marker.diagnostic(found)],
                edit=types.WorkspaceEdit({marker.uri: [types.TextEdit(marker.span(at, at), comment)]}),
            )
            return


def _waivers(document: Document, found: Finding) -> Iterator[tuple[int, str]]:
    """Where a waiver could stand: at the end of the line; on a line of its own, above one that has a waiver already."""
    waiver = f'# designlint: ignore[{found.rule}] reason=""'
    number = found.location.end_line
    start, line = document.offset(number, 1), document.line(number)
    if "designlint:" not in line:
        yield start + len(line), f"  {waiver}"
    yield start, f"{line[: len(line) - len(line.lstrip())]}{waiver}{document.newline}"


def same(document: Document, text: str) -> bool:
    """Whether a text says the same as a document: only comments differ."""
    changed = read_bytes(encode(text), document.file).root
    if changed is None or document.root is None:
        return False
    one, other = ([(path, node.text) for path, node in tree_paths(root)] for root in (document.root, changed))
    return one == other
