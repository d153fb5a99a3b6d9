"""What a change brings that would make judging milder: rules left out, severities, limits, baseline entries; each at its line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.configuration import engine as engines
from designlint.findings.model import Problem
from designlint.language.sentences import cut
from designlint.reading.recognition import start
from designlint.reading.tree import LIMITS, Document
from designlint.rules.settings import FailOn
from designlint.suppressions import baseline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from designlint.rules.rule import CompiledRule
    from designlint.rules.settings import Settings
    from designlint.suppressions.baseline import Baseline

#: From the strictest on.
STRICTNESS = (FailOn.UNKNOWN, FailOn.INFO, FailOn.WARNING, FailOn.ERROR, FailOn.NEVER)
#: Rules that a finding names; findings on one baseline.
MOST_RULES, MOST_ENTRIES = 4, 50


class FileLine(NamedTuple):
    """A line of a file."""

    file: str
    line: int = 1


class Weakened:
    """
    What the settings of a design are milder in than they were.

    Args:
        fallback: the file that is to blame where none is named.
    """

    def __init__(self, now: Settings, then: Settings, fallback: str) -> None:
        self.now, self.then, self.fallback = now, then, FileLine(fallback)
        self.new, self.old = engines.configure_engine(now), engines.configure_engine(then)

    def problems(self, read: Callable[[Path], Baseline]) -> Iterator[Problem]:
        """
        Everything that is milder.

        Args:
            read: reads the baseline of the revision.
        """
        yield from self._group_problems("review/rule-left-out", self._left_out())
        yield from self._group_problems("review/severity-lowered", self._lowered_severities())
        yield from self._group_problems("review/limit-changed", self._limits())
        yield from self._group_problems("review/rule-replaced", self._replaced_rules())
        if STRICTNESS.index(_fails(self.now)) > STRICTNESS.index(_fails(self.then)):
            values = {"now": str(_fails(self.now)), "then": str(_fails(self.then))}
            yield _problem(
                "review/failure-level-lowered", _stated_line(self.now.origin("fail_on")) or self.fallback, values
            )
        yield from self._entries(read)

    # -- rules; each with where and how it is milder

    def _left_out(self) -> Iterator[tuple[str, FileLine, str]]:
        said = {rule: one for one in self.new.adjustments if one.leaves_out for rule in one.rules}
        for name in self.old.rules.keys() - self.new.rules.keys():
            place = _parse_origin(said[name].origin) if name in said else None
            yield name, place or self.fallback, ""

    def _lowered_severities(self) -> Iterator[tuple[str, FileLine, str]]:
        for name, new, old in self._both():
            if new.severity.rank > old.severity.rank:
                yield name, self._changed_line("severity", name), f"{old.severity} -> {new.severity}"

    def _limits(self) -> Iterator[tuple[str, FileLine, str]]:
        for name, new, old in self._both():
            for limit in new.changed.keys() | old.changed.keys():
                now, then = _limit(new, limit), _limit(old, limit)
                if now != then:
                    yield name, self._changed_line("limit", name), f"{limit} {then} -> {now}"

    def _replaced_rules(self) -> Iterator[tuple[str, FileLine, str]]:
        for name, new, old in self._both():
            if (new.decides, new.select, new.about) != (old.decides, old.select, old.about) or (
                new.decides is None and not new.select and _shape(new) != _shape(old)
            ):
                yield name, self._file(new), ""

    def _file(self, rule: CompiledRule) -> FileLine:
        return FileLine(rule.texts.file) if Path(rule.texts.file).is_file() else self.fallback

    def _both(self) -> Iterator[tuple[str, CompiledRule, CompiledRule]]:
        for name, old in self.old.rules.items():
            new = self.new.rules.get(name)
            if new is not None and new is not old:
                yield name, new, old

    def _changed_line(self, what: str, rule: str) -> FileLine:
        named = next((one for one in self.new.adjustments if one.what == what and rule in one.rules), None)
        return (_parse_origin(named.origin) if named is not None else None) or self.fallback

    def _group_problems(self, fault: str, found: Iterable[tuple[str, FileLine, str]]) -> Iterator[Problem]:
        """One problem for each place and way, with the rules that it is about."""
        groups: dict[tuple[FileLine, str], list[str]] = {}
        for name, place, how in sorted(found):
            groups.setdefault((place, how), []).append(name)
        for (place, how), names in groups.items():
            yield _problem(fault, place, {"rules": cut(names, MOST_RULES), "how": how})

    # -- the baseline

    def _entries(self, read: Callable[[Path], Baseline]) -> Iterator[Problem]:
        """The entries that the baseline did not have, or that hold what is worse."""
        if self.now.baseline is None:
            return
        new = baseline.read_baseline(self.now.baseline)
        before = read(self.then.baseline).entries if self.then.baseline is not None else {}
        document, count = Document(str(new.path), new.text), 0
        for key, entry in new.entries.items():
            old = before.get(key)
            if (old is None or baseline.milder(entry, old)) and count < MOST_ENTRIES:
                count += 1
                values = {"rule": key[1], "design": key[0], "place": "/".join(filter(None, key[2:])) or "the design"}
                yield Problem("review/baseline-entry-added", document, entry.start, entry.end, values)


def _fails(settings: Settings) -> FailOn:
    return FailOn(settings.fail_on or FailOn.ERROR)


def _stated_line(origin: Any) -> FileLine | None:
    return FileLine(origin.file, origin.line) if origin.line else None


def _parse_origin(origin: str) -> FileLine | None:
    """The place that an adjustment names as `file:line`; None where it is an option."""
    file, _, line = origin.partition(", ")[0].rpartition(":")
    return FileLine(file, int(line)) if file and line.isdigit() else None


def _limit(rule: CompiledRule, name: str) -> str:
    found = rule.changed.get(name) or rule.texts.limits.get(name)
    return found.text if found is not None else "none"


def _shape(rule: CompiledRule) -> bytes:
    """The file of a shape: what it says is nowhere else."""
    file = Path(rule.texts.file)
    return start(file, LIMITS.bytes) if file.is_file() else b""


def _problem(fault: str, place: FileLine, values: dict[str, Any]) -> Problem:
    """A problem at a line of a file."""
    try:
        text = start(Path(place.file), LIMITS.bytes).decode("utf-8", "replace")
    except OSError:
        text = ""
    document = Document(place.file, text)
    last = document.place(len(text), len(text))[0]
    line = min(place.line, last)
    begin = document.offset(line, 1)
    return Problem(fault, document, begin, begin + len(document.line(line)), values)
