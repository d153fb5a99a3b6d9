"""What a rule would change: its repair as values of the graph, and as edits of the files that state them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from designlint.design.design import read_design
from designlint.expressions.templates import Placeholder, Template
from designlint.findings.model import STALE_COMMENT, Change, Fix, Verdict
from designlint.fixes import layouts
from designlint.fixes.placing import HERE, Places, has_comment
from designlint.judging.asking import judge
from designlint.judging.names import text_values
from designlint.reading import read_bytes
from designlint.reading import splices as source_splices
from designlint.reading.edits import EditRefused, alone, apply
from designlint.reading.location import Location, Replacement
from designlint.reading.stretches import stretches, tighten
from designlint.rules import selection
from designlint.rules.wording import filled_text, spell

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from designlint.design.design import Design
    from designlint.findings.model import Problem
    from designlint.fixes.placing import Placed
    from designlint.graph.subjects import Subject
    from designlint.judging.judgement import Judgement
    from designlint.reading import Document, Path
    from designlint.reading.edit import Edit
    from designlint.rules.engine import Engine
    from designlint.rules.rule import CompiledRule
    from designlint.rules.texts import RuleFix

    #: Operation (`set`, `append` or `remove`), subject, word and value of a change.
    Wanted = tuple[str, Any, str, str]

#: What is written where a rule of text or shape says nothing else: the proposal, at the fault.
PROPOSED = (("set", HERE, Template((Placeholder("proposal"),))),)
#: After the path of a change that is made only where the design states that word already.
IF_STATED = "?"


class Repair(Struct, frozen=True):
    """
    One way to mend one finding.

    Attributes:
        placed: its edits, in whichever files they belong; empty where they are refused, for which `refusal` has the reason.
        reveals: what comes to light with it is not its doing, see `RuleFix`.
    """

    title: str
    safety: str
    because: str
    changes: tuple[Change, ...]
    placed: tuple[Placed, ...] = ()
    refusal: str = ""
    reveals: bool = False

    def fix(self, **proof: Any) -> Fix:
        """The repair as a finding carries it."""
        safety = "display" if self.refusal else self.safety
        because = " ".join(filter(None, (self.because, _assignments(self.placed), self.refusal)))
        return Fix(self.title, safety, self.changes, because, **proof)

    def changed_files(self) -> dict[Document, str]:
        """The new text of each file. Raises: EditRefused where a file does not let them be made without damage."""
        return make_repairs([self])

    def by_hand(self, reason: EditRefused) -> Repair:
        """The same repair as one that has to be made by hand."""
        return replace(self, refusal=_sentence(reason))


def make_repairs(repairs: Sequence[Repair]) -> dict[Document, str]:
    """The new text of each file with all repairs made. Raises: EditRefused where one of them cannot be made."""
    edits: dict[Document, list[Edit]] = {}
    for one in repairs:
        if one.refusal or not one.placed:
            raise EditRefused(one.refusal or "nothing changes")
        for placed in one.placed:
            edits.setdefault(placed.document, []).append(placed.edit)
    return {document: apply(document, list(dict.fromkeys(some))) for document, some in edits.items()}


def of_judgement(judgement: Judgement, design: Design, *, bases: bool = True) -> Iterator[Repair]:
    """The ways in which a rule would mend a subject, the best first; `bases` says whether files it extends may change."""
    rule, subject = judgement.rule, judgement.subject

    def belongs(document: Document) -> bool:
        if not bases:
            return False
        alone = read_design(document, replace(design.engine, rules={rule.id: rule}))
        return any(
            one.verdict is Verdict.FAIL and one.subject.path == subject.path for one in judge(rule, alone.judged)
        )

    places = Places(design, belongs)
    for repair, wanted in propose_repairs(judgement, design):
        yield _place_repair(repair, wanted, places)


def propose_repairs(judgement: Judgement, design: Design) -> Iterator[tuple[Repair, list[Wanted]]]:
    """The repairs of a rule, the best first, each with what it changes; a layout is searched where its turn comes."""
    rule = judgement.rule
    titles = (text for one in rule.texts.fixes for text in (one.title, one.because))
    values = text_values(judgement, titles, design.engine)
    for stated in rule.texts.fixes:
        if stated.planned:
            safety = selection.safety(rule.id, stated.safety, design.engine.settings)
            for one in layouts.proposals(judgement.subject, design):
                yield Repair(one.title, safety, one.because, ()), one.wanted
        elif wanted := wanted_changes(stated, judgement, design):
            yield set_title(stated, rule, values, design.engine), wanted


def of_problem(problem: Problem, rule: CompiledRule, design: Design) -> Iterator[Repair]:
    """What a rule of text or shape would change: where nothing else is said, its proposal takes the place of the fault."""
    places = Places(design, lambda _: True)
    special = {"move": places.move, "list": places.make_list, "split": places.split, "begin": places.begin}
    for stated in rule.texts.fixes:
        repair = set_title(stated, rule, problem.values, design.engine)
        changes_stated = stated.changes or PROPOSED
        filled = {path: _fill_template(value, problem) for how, path, value in changes_stated if how == "set"}
        ways = [(special[how], _fill_template(value, problem)) for how, _, value in changes_stated if how in special]
        if not all((*filled.values(), *(text for _, text in ways))):
            continue
        try:
            placed = [places.at(problem, path, value) for path, value in filled.items()]
            placed += [places.without(problem) for how, _, _ in stated.changes if how == "remove"]
            placed += [one for way, text in ways for one in way(problem, text)]
        except EditRefused:
            continue
        changes = [Change(source_splices.spell(one.edit.target), one.edit.text) for one in placed]
        yield replace(repair, changes=tuple(changes), placed=tuple(placed))


def of_words(title: str, because: str, wanted: list[Wanted], design: Design) -> Repair:
    """
    A change of some words that no rule states.

    Args:
        wanted: operation (`set` or `remove`), subject, word and value of each.
    """
    return _place_repair(Repair(title, "unsafe", because, ()), wanted, Places(design, lambda _: True))


def _fill_template(template: Template, problem: Problem) -> str:
    """A value of a fix; empty where the reader has none to propose."""
    values = {name: problem.values.get(name) for name in template.names}
    return template.fill(lambda place: format(values[place.name], place.form)) if all(values.values()) else ""


def set_title(stated: RuleFix, rule: CompiledRule, values: Mapping[str, Any], engine: Engine) -> Repair:
    title, because = (
        filled_text(one, rule.kind, values, engine.vocabulary.units) for one in (stated.title, stated.because)
    )
    safety = selection.safety(rule.id, stated.safety, engine.settings)
    return Repair(title, safety, because, (), reveals=stated.reveals)


def wanted_changes(stated: RuleFix, judgement: Judgement, design: Design) -> list[Wanted]:
    """Operation, subject, word and value of each change; empty where one of them cannot be computed."""
    units = design.engine.vocabulary.units
    found: list[Wanted] = []
    for operation, path, template in stated.changes:
        value = spell(template, judgement.rule.kind, judgement.values, units)
        here = path == HERE and judgement.word
        ends = list(judgement.subject.follow(tuple((judgement.word if here else path.rstrip(IF_STATED)).split("/"))))
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


def _place_repair(repair: Repair, wanted: list[Wanted], places: Places) -> Repair:
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


def _assignments(placed: tuple[Placed, ...]) -> str:
    also = [source_splices.spell(path) for one in placed for path in one.also]
    aliased = f"An alias also brings it to {', '.join(also)}." if also else ""
    stale = STALE_COMMENT if any(map(_has_comment, placed)) else ""
    return " ".join(filter(None, (aliased, stale)))


def _has_comment(placed: Placed) -> bool:
    """Whether a value that an edit replaces has a comment behind it on its line."""
    if placed.edit.op != "set" or placed.document.root is None:
        return False
    node = placed.document.root
    for step in placed.edit.path:
        child = (
            node.entries.get(step) if isinstance(step, str) else node.items[step] if step < len(node.items) else None
        )
        if child is None:
            return False
        node = child
    return has_comment(node)


def _sentence(refused: EditRefused) -> str:
    text = str(refused)
    return text if text.endswith(".") else f"Make it by hand: {text}."


def reread(document: Document, text: str) -> Document:
    """A file as it is with another text."""
    changed = read_bytes(text.encode(), document.file)
    changed.bom = document.bom
    return changed


def separate(repairs: Sequence[Repair]) -> list[tuple[Replacement, ...]] | None:
    """
    What an editor would replace for each of several repairs that hold together; None where one waits for another.

    Costs one reading of each edit's surroundings, not of the file: the repairs together were made and read again.
    """
    by_file: dict[Document, list[Edit]] = {}
    for one in repairs:
        for placed in one.placed:
            by_file.setdefault(placed.document, []).append(placed.edit)
    found: dict[tuple[Document, Edit], Replacement] = {}
    for document, edits in by_file.items():
        stretched = alone(document, list(dict.fromkeys(edits)))
        if stretched is None:
            return None
        for edit, (start, end, text) in zip(dict.fromkeys(edits), stretched, strict=True):
            first, last, new = tighten(document.text[start:end], text, start)
            found[document, edit] = Replacement(Location(document.file, *document.place(first, last)), new)
    return [
        tuple(sorted({found[placed.document, placed.edit] for placed in one.placed}, key=lambda some: some.location))
        for one in repairs
    ]


def unharmed_repairs(repairs: Sequence[Repair]) -> set[Repair]:
    """
    The repairs that the files let be made without damage.

    Those that change other values are made together and read again once; only where that is refused, each by itself.
    """
    sound: set[Repair] = set()
    waiting = list(repairs)
    while waiting:
        taken: set[tuple[Document, Path]] = set()
        some: list[Repair] = []
        for one in waiting:
            places = {(placed.document, placed.edit.target) for placed in one.placed}
            if taken.isdisjoint(places):
                some.append(one)
                taken |= places
        waiting = [one for one in waiting if one not in some]
        sound.update(some if _possible(some) else [one for one in some if _possible([one])])
    return sound


def _possible(repairs: Sequence[Repair]) -> bool:
    try:
        make_repairs(repairs)
    except EditRefused:
        return False
    return True


def replacements(changed: Mapping[Document, str]) -> tuple[Replacement, ...]:
    """What an editor would replace, in the order of files and places."""
    return tuple(
        Replacement(Location(document.file, *document.place(start, end)), text)
        for document, new in sorted(changed.items(), key=lambda item: item[0].file)
        for start, end, text in stretches(document.text, new)
    )
