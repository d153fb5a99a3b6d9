"""Takes waivers out of a file, and nothing else: the comment with its line, one rule of several, or the entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from designlint.findings.model import Fix
from designlint.judging.findings import place
from designlint.reading import guard, layout, read_bytes, splices
from designlint.reading.location import Replacement
from designlint.reading.stretches import join_stretches
from designlint.reading.values import EditRefused
from designlint.rules.wording import filled_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.design.design import Design
    from designlint.findings.model import Finding
    from designlint.reading import Document
    from designlint.reading.splices import Splice
    from designlint.reading.tree import Path
    from designlint.suppressions.waivers.waiver import IdleWaiver, WaivedRule, Waiver

#: Removals that are offered for one design at once, and characters that are read to prove them: each reads the file again.
MOST_OFFERED, MOST_READ = 20, 1_000_000


def splices_of(idle: Sequence[IdleWaiver], design: Design) -> list[Splice | None]:
    """What to cut for each waiver; None for those that stand in another file, beyond the limit, or cannot be cut."""
    document = design.document
    most = min(MOST_OFFERED, MOST_READ // max(1, len(document.text)))
    own = [number < most and one.waiver.document is document for number, one in enumerate(idle)]
    return [splice(one.waiver, one.named) if mine else None for one, mine in zip(idle, own, strict=True)]


def offer_removals(
    idle: Sequence[IdleWaiver], told: Sequence[Finding], cuts: Sequence[Splice | None], design: Design
) -> list[Finding]:
    """The findings on waivers without effect, each with the fix that cuts it."""
    return [
        finding if cut is None else replace(finding, fixes=(_fix(finding, one, cut, design),))
        for finding, one, cut in zip(told, idle, cuts, strict=True)
    ]


def without(cuts: Sequence[Splice | None], document: Document) -> Document:
    """The file without all of these; of two that overlap the first goes. Raises: EditRefused."""
    apart: list[Splice] = []
    for one in sorted((one for one in cuts if one is not None), key=lambda one: (one.start, one.end)):
        if not apart or one.start >= apart[-1].end:
            apart.append(one)
    return remove_stretches(document, apart)


def _fix(finding: Finding, idle: IdleWaiver, cut: Splice, design: Design) -> Fix:
    rule, units = design.engine.rules[finding.rule], design.engine.vocabulary.units
    values = {name: one.value for name, one in finding.values.items()}
    title = filled_text(rule.texts.fixes[0].title, rule.kind, values, units)
    edit = Replacement(place(design.document, cut.start, cut.end), cut.text)
    return Fix(title, "safe" if idle.useless else "unsafe", (), proven=True, resolves=1, replacements=(edit,))


def splice(waiver: Waiver, named: WaivedRule) -> Splice | None:
    """What to cut so that a waiver no longer names a rule; None where the file does not let it be done without harm."""
    try:
        cut = _comment(waiver, named) if waiver.on is None else _entry(waiver)
        remove_stretches(waiver.document, [cut])
    except EditRefused:
        return None
    return cut


def remove_stretches(document: Document, cuts: list[Splice]) -> Document:
    """The file without these stretches, proven to say the same. Raises: EditRefused."""
    text = join_stretches(document.text, ((one.start, one.end, one.text) for one in cuts))
    new = read_bytes(text.encode(), document.file)
    if document.root is None or new.root is None or not new.complete:
        raise EditRefused("the file would no longer be YAML")
    before, after = guard.plain(document.root), guard.plain(new.root)
    for data in (before, after):
        if isinstance(data, dict):
            data.pop("waivers", None)
    if before != after:
        raise EditRefused("the file would read differently")
    if _comments(document, cuts) != _comments(new, []):
        raise EditRefused("a comment would be lost")
    return new


def _comments(document: Document, cuts: list[Splice]) -> list[str]:
    """The comments of a file as they are without the stretches."""
    told: list[str] = []
    for at, words in guard.comments(document):
        cut = {place for one in cuts for place in range(max(one.start, at), min(one.end, at + len(words)))}
        told.append("".join(one for place, one in enumerate(words, at) if place not in cut).rstrip())
    return [words for words in told if words]


def _comment(waiver: Waiver, named: WaivedRule) -> Splice:
    text, at = waiver.document.text, waiver.rules.index(named)
    if at + 1 < len(waiver.rules):
        return splices.Splice(named.start, waiver.rules[at + 1].start, "")
    if at:
        return splices.Splice(waiver.rules[at - 1].end, named.end, "")
    first, (stop, behind) = layout.line_start(text, waiver.start), layout.line_end(text, waiver.end)
    before, after = text[first : waiver.start].rstrip(" \t"), text[waiver.end : stop]
    if after.strip(" \t"):  # another comment follows in the line
        return splices.Splice(waiver.start, stop - len(after.lstrip(" \t")), "")
    if before:
        return splices.Splice(first + len(before), stop, "")
    if stop == behind and first > 0:  # the last line of a file without a final line break
        first -= 2 if text[first - 2 : first] == "\r\n" else 1
    return splices.Splice(first, behind, "")


def _entry(waiver: Waiver) -> Splice:
    """The entry, with the whole section where there is no other."""
    document = waiver.document
    listed = document.root.entries.get("waivers") if document.root is not None else None
    spans = [(one.start, one.end) for one in listed.items] if listed is not None else []
    if (waiver.start, waiver.end) not in spans:
        raise EditRefused("the waiver is elsewhere")
    path: Path = ("waivers", spans.index((waiver.start, waiver.end)))
    return splices.remove(document, path if len(spans) > 1 else path[:1])
