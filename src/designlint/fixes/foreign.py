"""Repairs of foreign files: a value is replaced where it stands plainly in the text, as a flag, a key or a word of a header."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from designlint.findings.model import Change, Problem
from designlint.fixes.repairs import Repair, propose_repairs
from designlint.graph.incremental import statement
from designlint.importers.slurm import times
from designlint.language.quantities import BadQuantity
from designlint.reading.location import Location, Replacement
from designlint.rules import selection
from designlint.rules.wording import filled_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.design.design import Design
    from designlint.design.jobs import Job
    from designlint.findings.model import Fix
    from designlint.graph.incremental import StatedFact
    from designlint.graph.subjects import Subject
    from designlint.judging.judge import Fault
    from designlint.language.units import Units
    from designlint.reading import Document, Node

#: What may stand around a value in its file.
QUOTES = "\"'"
#: Letters that would end a value of a script, a header or a manifest, or begin something else.
UNSAFE = frozenset(" \t\r\n#\"'`$\\;&|<>(){}[]*?!")


class ForeignEdit(NamedTuple):
    """A stretch of a file and what takes its place."""

    start: int
    end: int
    text: str


class ForeignRepair(Struct, frozen=True):
    """
    One way to mend a finding in a foreign file.

    Attributes:
        edits: apart from each other; empty where the repair has to be made by hand.
    """

    repair: Repair
    document: Document
    edits: tuple[ForeignEdit, ...] = ()

    def text(self) -> str:
        """The file with the edits made."""
        found = self.document.text
        for one in sorted(self.edits, reverse=True):
            found = found[: one.start] + one.text + found[one.end :]
        return found

    def fix(self, *, resolves: int = 0, causes: int = 0) -> Fix:
        """The repair as a finding carries it, proven where it has edits."""
        replacements = tuple(
            Replacement(Location(self.document.file, *self.document.place(one.start, one.end)), one.text)
            for one in sorted(self.edits)
        )
        return self.repair.fix(proven=bool(self.edits), resolves=resolves, causes=causes, replacements=replacements)


def repairs(fault: Fault, design: Design) -> Iterator[ForeignRepair]:
    """The ways to mend what is at fault in the file of a job, the best first."""
    if not selection.fixable(fault.rule, design.engine.settings):
        return
    if isinstance(fault.cause, Problem):
        yield from _propose_repairs(fault.cause, design)
        return
    for way, changes in propose_repairs(fault.cause, design):
        told = tuple(Change(f"{one.path}/{word}".lstrip("/"), value) for _, one, word, value in changes)
        repair = replace(way, changes=told)
        edits = [
            _edit(one, word, value, design) if how == "set" else "it takes something out"
            for how, one, word, value in changes
        ]
        refused = next((one for one in edits if isinstance(one, str)), "")
        if refused:
            yield ForeignRepair(replace(repair, refusal=f"Make it by hand: {refused}."), design.document)
        else:
            yield ForeignRepair(repair, design.document, tuple(one for one in edits if isinstance(one, ForeignEdit)))


def _propose_repairs(problem: Problem, design: Design) -> Iterator[ForeignRepair]:
    """What the reader proposes in place of a word that is misspelt."""
    name, proposal = str(problem.values.get("name", "")), str(problem.values.get("proposal", ""))
    document = problem.document
    raw = document.text[problem.start : problem.end]
    if not proposal or not name or document is not design.document or raw.strip(QUOTES) != name:
        return
    rule = design.engine.rules[problem.rule]
    title = filled_text(rule.texts.remedy, rule.kind, problem.values, design.engine.vocabulary.units).rstrip(".")
    repair = Repair(
        title, selection.safety(problem.rule, "unsafe", design.engine.settings), "", (Change(name, proposal),)
    )
    yield ForeignRepair(repair, document, (ForeignEdit(problem.start, problem.end, raw.replace(name, proposal)),))


def _edit(subject: Subject, word: str, value: str, design: Design) -> ForeignEdit | str:
    """The stretch of the job's file that a new value takes the place of; else why it has to be made by hand."""
    node = subject.keys.get(word)
    if node is None or node.kind != "scalar":
        return f"the file does not state `{word}`"
    if node.document is not design.document:
        return f"`{word}` is in {node.document.file}, which other files may use"
    start, end = node.start, node.end
    raw = node.document.text[start:end]
    while len(raw) > 1 and raw[0] in QUOTES and raw[-1] == raw[0]:
        start, end, raw = start + 1, end - 1, raw[1:-1]
    new = respell_value(raw, node.text, value, design.engine.vocabulary.units)
    if new is None and node.origin is not None and node.origin[0] == "default":
        return f"the file leaves `{word}` to a default"
    if new is None or (UNSAFE & set(new) and not UNSAFE & set(raw)):
        return f"`{word}` follows from other words of the file"
    return ForeignEdit(start, end, new)


def respell_value(raw: str, known: str, value: str, units: Units) -> str | None:
    """
    A value as the file spells the one that it replaces; None where the file does not state that one plainly.

    Args:
        raw: what stands in the file, and `known` what was read there.
        value: as the design language spells it.
    """
    if raw == known:
        return value
    old, new = units.parse(known, "Duration"), units.parse(value, "Duration")
    if isinstance(old, BadQuantity) or isinstance(new, BadQuantity):
        return None
    number, _, unit = known.partition(" ")
    if raw == number and unit:
        size = units.parse(f"1 {unit}", "Duration")
        whole = None if isinstance(size, BadQuantity) else new / size
        return str(int(whole)) if whole is not None and float(whole).is_integer() else None
    if times.seconds(raw) == old and float(new).is_integer():
        return times.spell_time(int(new))
    return None


def apart(edits: Sequence[ForeignEdit]) -> bool:
    """Whether no two edits touch."""
    ordered = sorted(edits)
    return all(one.end <= other.start for one, other in pairwise(ordered))


def statements(old: Job, new: Job) -> list[StatedFact] | None:
    """The facts that a job states otherwise after a change of its file; None where the change is about more than facts."""
    before = old.design
    if before.problems or new.problems:
        return None
    found = []
    for path, node in _differing("", old.root, new.root):
        one = None if node is None else statement(before.graph, path, node)
        if one is None:
            return None
        found.append(one)
    return found


def _differing(path: str, old: Node, new: Node) -> Iterator[tuple[str, Node | None]]:
    """Where two trees have another value, by the path of the design; no value where they are not of one form."""
    if old is new:
        return
    if old.kind == new.kind == "map" and old.entries.keys() == new.entries.keys():
        for word, node in old.entries.items():
            yield from _differing(f"{path}/{word}".lstrip("/"), node, new.entries[word])
    elif old.kind == new.kind == "list" and len(old.items) == len(new.items):
        for one, other in zip(old.items, new.items, strict=True):
            name = one.entries.get("name") if one.kind == "map" else None
            yield from _differing(f"{path}/{name.text if name is not None else ''}", one, other)
    elif old.kind != "scalar" or new.kind != "scalar":
        yield path, None
    elif old.text != new.text:
        yield path, new
