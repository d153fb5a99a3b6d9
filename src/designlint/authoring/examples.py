"""The examples of a rule as its tests: marked lines, exact words, what is missing, and that the fix cures."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from designlint import pipeline
from designlint.judging import judged
from designlint.model import Severity, Verdict
from designlint.source import read_bytes, read_file
from designlint.source.stretches import replaced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.engine import Engine
    from designlint.pipeline import Design, Result
    from designlint.rules import Rule
    from designlint.source import Node

MARK = "# finding"
FIRST = "designlint: 1"
#: Day on which examples are judged, so that evidence in them runs out on no other.
DAY = "2026-11-20"
#: The topic of rules about comments, whose removal changes nothing in a design.
WAIVERS = "waiver/"
KINDS = ("bad", "good", "unknown")


class Example:
    """One example of a rule file: a design and what the rule should say about it."""

    def __init__(self, rule: str, kind: str, number: int, node: Node) -> None:
        self.rule, self.kind, self.number = rule, kind, number
        self.line = node.document.place(node.start, node.end)[0]
        self.stated: dict[str, Any] = {key: _plain(child) for key, child in node.entries.items()}
        written = str(self.stated.get("design", ""))
        self.design = written if FIRST in written or rule.startswith("syntax/") else f"{FIRST}\n{written}"
        if rule == "shape/not-a-design":
            self.design = written

    @property
    def why(self) -> str:
        """What the example shows."""
        return str(self.stated.get("why", ""))

    def faults(self, rule: Rule, engine: Engine) -> Iterator[str]:
        """What the rule says otherwise than the example wants; nothing where all is well."""
        chosen = {name: one for name, one in engine.rules.items() if one.built_in or name == rule.id}
        alone = replace(engine, rules=chosen, today=DAY)
        with _place(self.design) as file:
            result = pipeline.lint(read_bytes(self.design.encode(), file), alone)
            if "baseline" in self.stated:
                self._beside(result, file, alone)
            if rule["fix"] and self.kind == "bad" and not rule.id.startswith(WAIVERS):
                yield from self._fixed(rule, replace(engine.narrowed([rule.id]), today=DAY), file)
        if not rule.built_in:
            yield from (
                f"the design is not well formed: {one.message}" for one in result.findings if one.rule != rule.id
            )
        yield from {"bad": self._bad, "good": self._good, "unknown": self._unknown}[self.kind](rule, result)

    def _beside(self, result: Result, file: str, engine: Engine) -> None:
        """Leave out what the baseline of the example holds."""
        from designlint import baseline

        held = baseline.parsed(Path(file).with_name(baseline.NAME), self.stated["baseline"])
        checked = baseline.Checked([file], engine.rules)
        result.findings = list(baseline.applied(result.report(), held, checked, engine).findings)

    def _bad(self, rule: Rule, result: Result) -> Iterator[str]:
        found = [one for one in result.findings if one.rule == rule.id]
        marked = [at for at, line in enumerate(self.design.splitlines(), 1) if MARK in line]
        lines = [one.location.line for one in found]
        if not found or (marked and lines != marked):
            yield f"findings on lines {lines}, marked are {marked}"
        said = [one.message for one in found]
        wanted = self.stated.get("says")
        if said != ([wanted] if isinstance(wanted, str) else wanted):
            yield f"says {said}, wanted {wanted!r}"

    def _fixed(self, rule: Rule, engine: Engine, file: str) -> Iterator[str]:
        """What is wrong with the fix of the first finding: its changes, or the design that they leave."""
        wanted, result = self.stated.get("fixed"), pipeline.lint(read_bytes(self.design.encode(), file), engine)
        finding = next((one for one in result.findings if one.rule == rule.id), None)
        fixes = finding.fixes if finding is not None else ()
        changes = {change.path: change.value or "" for fix in fixes for change in fix.changes}
        if wanted is None and (changes or not fixes):
            yield "the rule has a fix: state `fixed`, with the value of each changed path"
        elif changes != (wanted or {}):
            yield f"the fix sets {changes}, wanted {wanted}"
        before = result.design.document
        for fix in fixes:
            after = read_bytes(replaced(before, fix.replacements).encode(), before.file)
            yield from self._left(rule, pipeline.read(before, engine), pipeline.read(after, engine))

    @staticmethod
    def _left(rule: Rule, before: Design, after: Design) -> Iterator[str]:
        """Errors that a fix brings by any rule, and findings of its own rule that it leaves."""
        old, new = (Counter(one.key for one in judged(design).findings) for design in (before, after))
        severe = {one.id for one in before.engine.rules.values() if one.severity is Severity.ERROR}
        yield from (f"the fix brings {one}" for one in new - old if one[0] in severe)
        if sum(one[0] == rule.id for one in new.elements()) >= sum(one[0] == rule.id for one in old.elements()):
            yield "the fix leaves the finding"

    def _good(self, rule: Rule, result: Result) -> Iterator[str]:
        verdicts = {one.verdict for one in result.outcomes if one.rule == rule.id}
        said = [one.message for one in result.findings if one.rule == rule.id]
        wanted = Verdict.NOT_APPLICABLE if self.stated.get("applies") == "false" else Verdict.PASS
        if said:
            yield f"is found at fault: {said}"
        elif not rule.built_in and (wanted not in verdicts or verdicts - {Verdict.PASS, Verdict.NOT_APPLICABLE}):
            yield f"comes out as {sorted(verdicts)}, wanted {wanted}"

    def _unknown(self, rule: Rule, result: Result) -> Iterator[str]:
        outcomes = [one for one in result.outcomes if one.rule == rule.id and one.verdict is Verdict.UNKNOWN]
        missing = [fact for one in outcomes for fact in one.missing]
        if not outcomes:
            yield f"comes out as {sorted({one.verdict for one in result.outcomes if one.rule == rule.id})}, wanted unknown"
        if "missing" in self.stated and missing != self.stated["missing"]:
            yield f"misses {missing}, wanted {self.stated['missing']}"


@contextmanager
def _place(design: str) -> Iterator[str]:
    """The name of the design's file; a real one where the design extends others."""
    if "extends:" not in design:
        yield "example/design.yaml"
        return
    with TemporaryDirectory() as folder:
        file = Path(folder, "example", "design.yaml")
        file.parent.mkdir()
        file.write_text(design, "utf-8")
        yield str(file)


def of_file(path: Path, rule: str) -> list[Example]:
    """The examples of a rule file."""
    root = read_file(path).root
    node = root.entries.get("examples") if root is not None else None
    if node is None:
        return []
    return [
        Example(rule, kind, number, one)
        for kind in KINDS
        if kind in node.entries
        for number, one in enumerate(node.entries[kind].items)
    ]


def gaps(rule: Rule, examples: list[Example]) -> Iterator[str]:
    """The kinds of example that a rule must have and lacks."""
    kinds = {one.kind for one in examples}
    for kind in KINDS:
        if kind not in kinds and (kind != "unknown" or rule.needs):
            yield f"no {kind} example"


def _plain(node: Node) -> Any:
    if node.kind == "map":
        return {key: _plain(child) for key, child in node.entries.items()}
    return [_plain(item) for item in node.items] if node.kind == "list" else node.text
