"""
Single faults in the examples: which slips of one number are noticed.

`make faults` changes each number of each sound example, one at a time, and writes what became of it into
`single_faults.md`, which `docs/accuracy.md` holds. A change is tried on the facts of the design as it stands
(`graph/incremental.py`), so that thousands take a minute.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from designlint.configuration import engine
from designlint.findings.model import Severity, Verdict
from designlint.fixes.trial import FactTrials
from designlint.graph.incremental import StatedFact
from designlint.judging import judge
from designlint.language.quantities import NUMBER, read_quantity, spell
from designlint.language.values import ValueFault, accept
from designlint.linting import pipeline
from designlint.reading import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.design.design import Design
    from designlint.fixes.changed import Changed
    from designlint.graph.subjects import Subject
    from designlint.language.units import Units
    from designlint.language.words import Word

ROOT = Path(__file__).resolve().parents[2]
SECTION = Path(__file__).with_name("single_faults.md")
#: The day as of which the examples are judged.
TODAY = "2026-11-20"
#: Words that are left, with the number of their silent changes.
MOST_LEFT = 60
#: Words whose numbers no slip can be made of: the version of the language.
NO_NUMBER = {("Design", "designlint")}
#: Rules about all numbers, which say of every number that it is possible.
SWEEPS = "numbers/"
ABOUT = """\
## Single faults in the examples

Each number of each example without an error, changed one at a time as `make faults` does it: ten times, a tenth, one more,
one less, swapped with the next number of its kind, and in the next unit. *Noticed* means a new error or warning, or that it
cannot be read; *noted*, a new information; *sound*, that no finding is new and rules that depend on the number pass;
*silent*, that no rule depends on it, or none could tell. Many changes are sound indeed: one spare more, a faster disk. The
numbers are those of the day on which they were computed; the tests hold that the share noticed does not fall.
"""
HEAD = ("| slip | made | noticed | noted | sound | silent |", "| --- | --- | --- | --- | --- | --- |")
KINDS = ("x10", ":10", "+1", "-1", "neighbours", "unit")


class Slip(NamedTuple):
    """One number changed: how, the word, and the facts that the design then states; no fact where it could not be read."""

    kind: str
    word: str
    statements: tuple[StatedFact, ...] | None


class Result(NamedTuple):
    """
    What became of a slip.

    Attributes:
        outcome: `noticed` by an error or a warning, or because it cannot be read; `noted` by an information; `sound`
            where rules that depend on it were asked and pass; `silent` where none could tell.
    """

    example: str
    slip: Slip
    outcome: str


def results() -> Iterator[Result]:
    """Every slip of every sound example."""
    shipped = replace(engine.shipped_engine(), today=TODAY)
    for path in sorted((ROOT / "examples").glob("*/design.yaml")):
        name = path.parent.name
        design = pipeline.read_design(read_bytes(path.read_bytes(), str(path)), shipped)
        judged = judge.judge_design(design)
        if design.problems or any(one.severity is Severity.ERROR for one in judged.findings):
            continue
        trials = FactTrials(judged)
        yield from (Result(name, slip, outcome(slip, trials)) for slip in slips_of_design(design))


def slips_of_design(design: Design) -> list[Slip]:
    """The ways to mistake each number that a design states."""
    words = design.engine.vocabulary
    return [slip for one in design.graph.subjects.values() for slip in slips(one, words.classes[one.cls], words.units)]


def slips(subject: Subject, words: dict[str, Word], units: Units) -> Iterator[Slip]:
    """The ways to mistake each number that a design states of one subject."""
    stated = [name for name in subject.keys if _is_number(subject, words[name])]
    for name in stated:
        word, owner = words[name], f"{words[name].owner}/{name}"
        text, value = subject.keys[name].text, subject.facts[name]
        assert isinstance(value, int | float)
        wanted = {"x10": units.like(value * 10, word.kind, text), ":10": _tenth(value, word, text, units)}
        if word.kind == "Count":
            wanted |= {"+1": str(value + 1), "-1": str(value - 1)}
        wanted["unit"] = _other_unit(text, word.kind, units)
        for kind, changed in wanted.items():
            if changed and changed != text:
                fact = _read(word, changed, units)
                yield Slip(kind, owner, None if fact is None else (StatedFact(subject, name, fact),))
    yield from _swap_neighbours(subject, stated, words)


def _is_number(subject: Subject, word: Word) -> bool:
    fact, node = subject.facts.get(word.name), subject.keys[word.name]
    number = isinstance(fact, int | float) and not isinstance(fact, bool)
    return number and word.form == "value" and node.kind == "scalar" and (word.owner, word.name) not in NO_NUMBER


def _tenth(value: float, word: Word, text: str, units: Units) -> str:
    """A tenth; empty where a count has none."""
    return "" if word.kind == "Count" and value % 10 else units.like(value / 10, word.kind, text)


def _other_unit(text: str, kind: str, units: Units) -> str:
    """The same number in the next larger preferred unit, or the next smaller where there is none; empty where it has no unit."""
    known, found = units.kind(kind), NUMBER.fullmatch(text)
    own = known.spellings.get(found[4]) if found and found[4] else None
    if own is None or found is None:
        return ""
    others = [one for one in known.preferred if one.symbol and one.binary == own.binary and one.symbol != own.symbol]
    above = [one for one in others if one.top / one.bottom > own.top / own.bottom]
    chosen = above[-1] if above else others[0] if others else None
    return "" if chosen is None else spell(text[: found.start(4)].rstrip(), chosen)


def _read(word: Word, text: str, units: Units) -> int | float | None:
    raw: int | float | str = text
    if (
        isinstance(bare := read_quantity(text, units.kind(word.kind)), int | float)
        and text.replace(".", "", 1).isdigit()
    ):
        raw = bare
    fact = accept(word, raw, text, units)
    return None if isinstance(fact, ValueFault | str) else fact


def _swap_neighbours(subject: Subject, stated: list[str], words: dict[str, Word]) -> Iterator[Slip]:
    """Each number with the next one of its kind in the same mapping."""
    for first, second in pairwise(stated):
        one, other = subject.facts[first], subject.facts[second]
        if words[first].kind == words[second].kind and one != other:
            fits = all(_fits(words[name], fact) for name, fact in ((first, other), (second, one)))
            changed = StatedFact(subject, first, other), StatedFact(subject, second, one)
            yield Slip("neighbours", f"{words[first].owner}/{first}", changed if fits else None)


def _fits(word: Word, fact: object) -> bool:
    assert isinstance(fact, int | float)
    return (word.least or 0) <= fact and (word.most is None or fact <= word.most)


def outcome(slip: Slip, trials: FactTrials) -> str:
    if slip.statements is None:
        return "noticed"
    with trials.assuming(slip.statements) as changed:
        return _describe(changed)


def _describe(changed: Changed) -> str:
    before = Counter(one.key for one in changed.before)
    came = [one for one in changed.after if not before[one.key]]
    if any(one.severity in (Severity.ERROR, Severity.WARNING) for one in came):
        return "noticed"
    if came:
        return "noted"
    own = (verdict for (rule, _), verdict in changed.verdicts.items() if not rule.startswith(SWEEPS))
    return "sound" if Verdict.PASS in own else "silent"


def section(found: list[Result]) -> str:
    """The section of the page."""
    lines = [ABOUT, *HEAD]
    for kind in (*KINDS, "all"):
        some = [one.outcome for one in found if kind in (one.slip.kind, "all")]
        shares = (f"{100 * some.count(one) / len(some):.0f} %" for one in ("noticed", "noted", "sound", "silent"))
        lines.append(f"| {kind} | {len(some)} | {' | '.join(shares)} |")
    return "\n".join([*lines, "", *_unnoticed_words(found)]) + "\n"


def _unnoticed_words(found: list[Result]) -> list[str]:
    """The words whose slips by ten or by unit are not noticed, most first."""
    gross = [one for one in found if one.slip.kind in ("x10", ":10", "unit")]
    silent = Counter(one.slip.word for one in gross if one.outcome == "silent")
    sound = Counter(one.slip.word for one in gross if one.outcome == "sound")
    made = Counter(one.slip.word for one in gross)
    told = [f"`{word}` {count} of {made[word]}" for word, count in silent.most_common(MOST_LEFT)]
    passed = [f"`{word}` {count} of {made[word]}" for word, count in sound.most_common(MOST_LEFT)]
    return [
        f"Slips by ten or by a unit that are silent, by word: {', '.join(told)}.", "",
        f"Those that are called sound: {', '.join(passed)}.",
    ]  # fmt: skip


def main() -> None:
    """Compute and write the section of the page, and print it."""
    text = section(list(results()))
    SECTION.write_text(text, "utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
