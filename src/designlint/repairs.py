"""What a rule would change: its repair as values of the graph, and as edits of the files that state them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from designlint import selection
from designlint.design import read
from designlint.model import Change, Fix, Location, Replacement, Verdict
from designlint.placing import HERE, Places
from designlint.rules import judge
from designlint.source import read_bytes
from designlint.source import splices as source_splices
from designlint.source.edits import EditRefused, apply
from designlint.source.stretches import stretches
from designlint.wording import fields, spell, tell

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from designlint.design import Design
    from designlint.engine import Engine
    from designlint.graph.subjects import Subject
    from designlint.model import Problem
    from designlint.placing import Placed
    from designlint.rules import Row, Rule
    from designlint.source import Document
    from designlint.source.edits import Edit

#: After the path of a change that is made only where the design states that word already.
IF_STATED = "?"


@dataclass(frozen=True, slots=True)
class Repair:
    """
    One way to mend one finding.

    Attributes:
        placed: its edits, in whichever files they belong; empty where they are refused, for which `refusal` has the reason.
    """

    title: str
    safety: str
    because: str
    changes: tuple[Change, ...]
    placed: tuple[Placed, ...] = ()
    refusal: str = ""

    def fix(self, **proof: Any) -> Fix:
        """The repair as a finding carries it."""
        safety = "display" if self.refusal else self.safety
        because = " ".join(filter(None, (self.because, _told(self.placed), self.refusal)))
        return Fix(self.title, safety, self.changes, because, **proof)

    def changed(self) -> dict[Document, str]:
        """The new text of each file. Raises: EditRefused where a file does not let them be made without damage."""
        return made([self])

    def refused(self, reason: EditRefused) -> Repair:
        """The same repair as one that has to be made by hand."""
        return replace(self, refusal=_sentence(reason))


def made(repairs: Sequence[Repair]) -> dict[Document, str]:
    """The new text of each file with all repairs made. Raises: EditRefused where one of them cannot be made."""
    edits: dict[Document, list[Edit]] = {}
    for one in repairs:
        if one.refusal or not one.placed:
            raise EditRefused(one.refusal or "nothing changes")
        for placed in one.placed:
            edits.setdefault(placed.document, []).append(placed.edit)
    return {document: apply(document, list(dict.fromkeys(some))) for document, some in edits.items()}


def of_row(rule: Rule, row: Row, design: Design, *, bases: bool = True) -> Iterator[Repair]:
    """The ways in which a rule would mend a subject, the best first; `bases` says whether files it extends may change."""
    values = row.values | {"focus": row.subject}

    def belongs(document: Document) -> bool:
        if not bases:
            return False
        alone = read(document, replace(design.engine, rules={rule.id: rule}))
        return any(
            one.verdict is Verdict.FAIL and one.subject.path == row.subject.path for one in judge(rule, alone.judged)
        )

    places = Places(design, belongs)
    for stated in rule["fix"]:
        wanted = _wanted(stated, rule, row, design)
        if wanted:
            yield _placed(_titled(stated, rule, values, design.engine), wanted, places)


def of_problem(problem: Problem, rule: Rule, design: Design) -> Iterator[Repair]:
    """What a rule of text or shape would change: where nothing else is said, its proposal takes the place of the fault."""
    places = Places(design, lambda _: True)
    for stated in rule["fix"]:
        repair = _titled(stated, rule, problem.values, design.engine)
        filled = {path: _filled(value, problem) for path, value in _proposed(stated).items()}
        if not all(filled.values()):
            continue
        try:
            placed = [places.at(problem, path, value) for path, value in filled.items()]
            placed += [places.without(problem) for _ in stated.get("remove", ())]
        except EditRefused:
            continue
        changes = [Change(source_splices.spell(one.edit.path), one.edit.value or one.edit.key) for one in placed]
        yield replace(repair, changes=tuple(changes), placed=tuple(placed))


def _proposed(stated: Mapping[str, Any]) -> Mapping[str, str]:
    """What is written, by path from the place of the fault."""
    written: Mapping[str, str] = stated.get("set", {} if "remove" in stated else {HERE: "{proposal}"})
    return written


def _filled(template: str, problem: Problem) -> str:
    """A value of a fix; empty where the reader has none to propose."""
    values = {name: problem.values.get(name) for name in fields(template)}
    return template.format_map(values) if all(values.values()) else ""


def _titled(stated: Mapping[str, Any], rule: Rule, values: Mapping[str, Any], engine: Engine) -> Repair:
    title, because = (
        tell(stated.get(name, ""), rule, values, engine.vocabulary.units) for name in ("title", "because")
    )
    return Repair(title, selection.safety(rule.id, stated.get("safety", "unsafe"), engine.settings), because, ())


def _wanted(stated: Mapping[str, Any], rule: Rule, row: Row, design: Design) -> list[tuple[str, Any, str, str]]:
    """Operation, subject, word and value of each change; empty where one of them cannot be computed."""
    units = design.engine.vocabulary.units
    found: list[tuple[str, Any, str, str]] = []
    for operation in ("set", "append", "remove"):
        asked = stated.get(operation, {})
        for path, template in asked.items() if isinstance(asked, dict) else ((path, "") for path in asked):
            value = spell(template, rule, row.values, units)
            ends = list(row.subject.follow(tuple(path.rstrip(IF_STATED).split("/"))))
            if operation == "remove" or path.endswith(IF_STATED):
                ends = [(one, word) for one, word in ends if word in one.keys]
            if value is None or not (ends or path.endswith(IF_STATED)):
                return []
            found += [(operation, one, word, value) for one, word in ends if _differs(one, word, value)]
    return found


def _differs(subject: Subject, word: str, value: str) -> bool:
    """Whether a change would change anything."""
    node = subject.keys.get(word)
    return node is None or node.kind != "scalar" or node.text != value


def _placed(repair: Repair, wanted: list[tuple[str, Any, str, str]], places: Places) -> Repair:
    changes = tuple(
        Change(f"{one.path}/{word}".lstrip("/"), None if operation == "remove" else value)
        for operation, one, word, value in wanted
    )
    try:
        placed = [
            places.remove(one, word) if operation == "remove" else getattr(places, operation)(one, word, value)
            for operation, one, word, value in wanted
        ]
    except EditRefused as refused:
        return replace(repair, changes=changes, refusal=_sentence(refused))
    return replace(repair, changes=changes, placed=tuple(dict.fromkeys(placed)))


def _told(placed: tuple[Placed, ...]) -> str:
    also = [source_splices.spell(path) for one in placed for path in one.also]
    return f"An alias brings it to {', '.join(also)} too." if also else ""


def _sentence(refused: EditRefused) -> str:
    text = str(refused)
    return text if text.endswith(".") else f"It has to be made by hand: {text}."


def reread(document: Document, text: str) -> Document:
    """A file as it is with another text."""
    changed = read_bytes(text.encode(), document.file)
    changed.bom = document.bom
    return changed


def replacements(changed: Mapping[Document, str]) -> tuple[Replacement, ...]:
    """What an editor would replace, in the order of files and places."""
    return tuple(
        Replacement(Location(document.file, *document.place(start, end)), text)
        for document, new in sorted(changed.items(), key=lambda item: item[0].file)
        for start, end, text in stretches(document.text, new)
    )
