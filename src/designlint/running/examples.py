"""The examples of a rule as its tests: marked lines, exact words, what is missing, and that the fix cures."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from msgspec.structs import replace

from designlint.comparing.revisions import Blob, Repository, Snapshot
from designlint.configuration import Policy
from designlint.configuration.engine import shipped_engine
from designlint.findings.model import Severity, Verdict
from designlint.judging.doubts import deciding_words
from designlint.judging.judge import judge_design, rejudge_design
from designlint.linting import pipeline
from designlint.reading import read_bytes
from designlint.reading.stretches import replace_nodes
from designlint.rules.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from contextlib import AbstractContextManager

    from designlint.compiler.examples import Example
    from designlint.findings.model import Finding
    from designlint.judging.judge import Judged
    from designlint.judging.result import Result
    from designlint.rules.engine import Engine
    from designlint.rules.rule import CompiledRule

MARK = "# finding"
#: Day on which examples are judged, so that evidence in them runs out on no other.
DAY = "2026-11-20"
#: The topic of rules about comments, whose removal changes nothing in a design.
WAIVERS = "waiver/"


def faults(example: Example, rule: CompiledRule, engine: Engine) -> list[str]:
    """What a rule says otherwise than its example wants; nothing where all is well."""
    return list(_JudgedExample(example).faults(rule, engine))


def result(example: Example, engine: Engine) -> Result:
    """What an engine says of the example's design, with no fix tried."""
    return _JudgedExample(example).result(engine)


class _JudgedExample:
    """An example as it is judged."""

    def __init__(self, example: Example) -> None:
        self.kind, self.stated, self.design = example.kind, example.stated, example.design

    def faults(self, rule: CompiledRule, engine: Engine) -> Iterator[str]:
        """What the rule says otherwise than the example wants; nothing where all is well."""
        alone = replace(engine, rules={**engine.built_in, rule.id: rule}, today=DAY)
        with self._place() as file:
            result = self._result(alone, file, _steps(rule, engine))
            if rule.texts.fixes and self.kind == "bad" and not rule.id.startswith(WAIVERS):
                yield from self._check_fix(rule, replace(engine.narrow([rule.id]), today=DAY), file)
        if not rule.built_in:
            yield from (
                f"the design is not well formed: {one.message}" for one in result.findings if one.rule != rule.id
            )
        yield from {"bad": self._bad, "good": self._good, "unknown": self._unknown}[self.kind](rule, result)

    def result(self, engine: Engine) -> Result:
        """What an engine says of the example's design, with no fix tried."""
        with self._place() as file:
            return self._result(replace(engine, today=DAY), file)

    def _place(self) -> AbstractContextManager[str]:
        beside = self.stated.get("files", {}) | self.stated.get("built", {})
        return _place(self.design, beside, far="before" in self.stated)

    def _result(self, engine: Engine, file: str, steps: Collection[int] | None = None) -> Result:
        if "before" in self.stated:  # what a change hides is any rule's
            engine, steps = replace(shipped_engine(), today=DAY), None
        result = pipeline.lint(read_bytes(self.design.encode(), file), engine, repair=False, steps=steps)
        if "built" in self.stated:
            result.findings = self._as_built(result, file)
        if "before" in self.stated:
            self._since(result, file)
        if "baseline" in self.stated:
            self._beside(result, file, engine)
        return result

    def _beside(self, result: Result, file: str, engine: Engine) -> None:
        """Leave out what the baseline of the example holds."""
        from designlint.suppressions import baseline

        held = baseline.parse_baseline(Path(file).with_name(baseline.NAME), self.stated["baseline"])
        checked = baseline.Checked([file], engine.rules)
        result.findings = list(baseline.apply_baseline(result.report(), held, checked, engine).findings)

    def _as_built(self, result: Result, file: str) -> list[Finding]:
        """What differs from the design in the dump of the example."""
        from designlint.comparing.asbuilt import files

        named = [Path(file).with_name(name) for name in self.stated["built"]]
        return [one.finding for one in files.against(result.design, named).differences]

    def _since(self, result: Result, file: str) -> None:
        """Judge the design as a change of what the example states as `before`."""
        from designlint.reviewing.since import Since

        home = Path(file).parent
        before = {"design.yaml": self.design, **self.stated["before"]}
        with ExitStack() as held:
            since = Since("before", held, Policy(Settings(today=DAY)), home / "none.json")
            since.at(home, Snapshot(_Earlier(home, before), "before"))
            settings = since.policy.settings(file)
            report = since.keep_caused(result.report(), result.design.engine)
            result.findings = [*report.findings, *since.find_weakened({file: settings}, result.design.engine)[0]]

    def _bad(self, rule: CompiledRule, result: Result) -> Iterator[str]:
        found = [one for one in result.findings if one.rule == rule.id]
        marked = [at for at, line in enumerate(self.design.splitlines(), 1) if MARK in line]
        lines = [one.location.line for one in found]
        if not found or (marked and lines != marked):
            yield f"findings on lines {lines}, marked are {marked}"
        said = [one.message for one in found]
        wanted = self.stated.get("says")
        if said != ([wanted] if isinstance(wanted, str) else wanted):
            yield f"says {said}, expected {wanted!r}"

    def _check_fix(self, rule: CompiledRule, engine: Engine, file: str) -> Iterator[str]:
        """What is wrong with the fix of the first finding: its changes, or the design that they leave."""
        document = read_bytes(self.design.encode(), file)
        wanted, result = (
            self.stated.get("fixed"),
            pipeline.lint(document, engine, repair=lambda one: one.rule == rule.id),
        )
        finding = next((one for one in result.findings if one.rule == rule.id), None)
        fixes = finding.fixes if finding is not None else ()
        changes = {change.path: change.value or "" for fix in fixes for change in fix.changes}
        if wanted is None and (changes or not fixes):
            yield "the rule has a fix: state `fixed`, with the value of each changed path"
        elif changes != (wanted or {}):
            yield f"the fix sets {changes}, expected {wanted}"
        if not fixes:
            return
        before = judge_design(result.design)
        for fix in fixes:
            after = read_bytes(replace_nodes(result.design.document, fix.replacements).encode(), file)
            yield from self._check_remaining(rule, before, rejudge_design(before, pipeline.read_design(after, engine)))

    @staticmethod
    def _check_remaining(rule: CompiledRule, before: Judged, after: Judged) -> Iterator[str]:
        """Errors that a fix brings by any rule, and findings of its own rule that it leaves."""
        old, new = (Counter(one.key for one in judged.findings) for judged in (before, after))
        severe = {one.id for one in before.design.engine.rules.values() if one.severity is Severity.ERROR}
        yield from (f"the fix causes {one}" for one in new - old if one[0] in severe)
        if sum(one[0] == rule.id for one in new.elements()) >= sum(one[0] == rule.id for one in old.elements()):
            yield "the fix does not resolve the finding"

    def _good(self, rule: CompiledRule, result: Result) -> Iterator[str]:
        verdicts = {one.verdict for one in result.outcomes if one.rule == rule.id}
        said = [one.message for one in result.findings if one.rule == rule.id]
        wanted = Verdict.NOT_APPLICABLE if self.stated.get("applies") == "false" else Verdict.PASS
        if said:
            yield f"is found at fault: {said}"
        elif not rule.built_in and (wanted not in verdicts or verdicts - {Verdict.PASS, Verdict.NOT_APPLICABLE}):
            yield f"comes out as {sorted(verdicts)}, expected {wanted}"

    def _unknown(self, rule: CompiledRule, result: Result) -> Iterator[str]:
        outcomes = [one for one in result.outcomes if one.rule == rule.id and one.verdict is Verdict.UNKNOWN]
        missing = [fact for one in outcomes for fact in one.missing]
        if not outcomes:
            yield f"comes out as {sorted({one.verdict for one in result.outcomes if one.rule == rule.id})}, expected unknown"
        if "missing" in self.stated and missing != self.stated["missing"]:
            yield f"misses {missing}, expected {self.stated['missing']}"


def _steps(rule: CompiledRule, engine: Engine) -> Collection[int] | None:
    """The calculations that what a rule says depends on; None for all."""
    if rule.built_in or rule.sweep:
        return None
    return engine.plan.needed_steps(deciding_words([rule], engine.vocabulary))


class _Earlier(Repository):
    """What an example was before, as a repository of one revision."""

    def __init__(self, root: Path, texts: dict[str, str]) -> None:
        super().__init__(root)
        self.texts = texts

    def commit(self, revision: str) -> str:
        return revision

    def files(self, commit: str) -> dict[str, Blob]:
        return {name: Blob("", name) for name in self.texts}

    def content(self, blob: Blob) -> bytes:
        return self.texts[blob.name].encode()


@contextmanager
def _place(design: str, beside: dict[str, str], *, far: bool = False) -> Iterator[str]:
    """The name of the design's file; a real one where the design reads others, which then lie beside it, or `far` in folders."""
    if not far and not beside and "extends:" not in design and "from:" not in design:
        yield "example/design.yaml"
        return
    with TemporaryDirectory() as folder:
        file = Path(folder, "example", "design.yaml")
        (file.parent / ".git").mkdir(parents=True)
        file.write_text(design, "utf-8")
        for name, text in beside.items():
            place = file.parent / name if far else file.with_name(Path(name).name)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, "utf-8")
        yield str(file)
