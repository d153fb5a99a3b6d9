"""
Single faults in what is no number: another value, flag, part, reference, entry, section, version or day.

`make faults` tries them on the sound examples and on some published designs, and writes what became of them into
`single_swaps.md`, which `docs/accuracy.md` holds. Each changed design is read and judged as a file would be.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from designlint.configuration import engine
from designlint.findings.model import Severity, Verdict
from designlint.judging import judge
from designlint.linting import pipeline
from designlint.reading import read_bytes
from tools.accuracy.designs import published_designs
from tools.accuracy.faults import MOST_LEFT, ROOT, SWEEPS, TODAY
from tools.accuracy.swapping import KINDS, Swap, Trial, sections, swaps, write_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.graph.subjects import Graph, Subject
    from designlint.judging.judge import Judged
    from designlint.rules.engine import Engine
    from designlint.rules.rule import CompiledRule

SECTION = Path(__file__).with_name("single_swaps.md")
#: Of the published designs, each so-manieth is tried.
EACH = 15
#: Of all swaps, each so-manieth is tried again by the tests.
SAMPLE = 12
OUTCOMES = ("noticed", "noted", "sound", "silent")
ABOUT = """\
## Single faults in what is no number

Every other value of the same designs and of each fifteenth published one, changed one at a time. *value*: each other value of a
closed list. *flag*: the other of true and false. *reference*: another part of the design of the kind that is named. *part*:
another catalogue entry. *entry*: one of a list removed or doubled. *section*: the same section of another example.
*version*: one lower or higher. *date*: a year earlier or later. The outcomes are those of the table above. Many of these changes
are another sound design: a value that is as good, an order less. *Of the sample* is the share noticed among each twelfth
swap; the tests hold that it does not fall.
"""
HEAD = (
    "| swap | made | noticed | noted | sound | silent | of the sample |",
    "| --- | --- | --- | --- | --- | --- | --- |",
)


class Result(NamedTuple):
    """What became of a swap; `new` are the rules that find something new."""

    design: str
    swap: Swap
    outcome: str
    new: tuple[str, ...]


def examples(shipped: Engine) -> Iterator[Trial]:
    """The sound examples."""
    for path in sorted((ROOT / "examples").glob("*/design.yaml")):
        yield from _trial(path.parent.name, path.read_text("utf-8"), shipped)


def trials(shipped: Engine) -> Iterator[Trial]:
    """The sound examples and some sound designs of what was published."""
    yield from examples(shipped)
    for case in list(published_designs().values())[::EACH]:
        if case.outcome == "ran":
            yield from _trial(case.id, case.yaml, shipped)


def _trial(name: str, text: str, shipped: Engine) -> Iterator[Trial]:
    root = read_bytes(text.encode(), name).root
    assert root is not None
    found = _judge(write_tree(root, {}), name, shipped)
    if found.design.problems or found.design.bases or any(one.severity is Severity.ERROR for one in found.findings):
        return
    root = found.design.document.root
    assert root is not None
    yield Trial(name, root, found)


def _judge(text: str, name: str, shipped: Engine) -> Judged:
    return judge.judge_design(pipeline.read_design(read_bytes(text.encode(), name), shipped))


def results(shipped: Engine, each: int = 1) -> Iterator[Result]:
    """What becomes of every swap of the sound designs, or of each so-manieth."""
    known = sections(list(examples(shipped)))
    made = ((trial, swap) for trial in trials(shipped) for swap in swaps(trial, known))
    return (outcome(trial, swap) for trial, swap in islice(made, 0, None, each))


def outcome(trial: Trial, swap: Swap) -> Result:
    """What becomes of one swap."""
    before = trial.judged
    design = pipeline.read_design(
        read_bytes(write_tree(trial.root, swap.texts).encode(), trial.name), before.design.engine
    )
    if design.problems:
        return Result(trial.name, swap, "noticed", tuple(sorted({one.rule for one in design.problems})))
    after = judge.rejudge_design(before, design)
    old = Counter(one.key for one in before.findings)
    came = [one for one in after.findings if not old[one.key]]
    new = tuple(sorted({one.rule for one in came}))
    if any(one.severity in (Severity.ERROR, Severity.WARNING) for one in came):
        return Result(trial.name, swap, "noticed", new)
    return Result(trial.name, swap, "noted" if came else _passes(before, after), new)


def _passes(before: Judged, after: Judged) -> str:
    """`sound` where a rule that reads what differs passes."""
    graph, rules = after.design.graph, after.design.engine.rules
    changed = _differing(before.design.graph, graph)
    words = {word for _, word in changed}
    for (name, path), verdict in after.verdicts.items():
        if verdict is Verdict.PASS and not name.startswith(SWEEPS) and path in graph.subjects:
            rule = rules[name]
            if _reads(rule, graph.subjects[path], changed) if not rule.select else words & rule.words:
                return "sound"
    return "silent"


def _differing(before: Graph, after: Graph) -> set[tuple[str, str]]:
    """The places of a changed design whose facts differ."""
    found: set[tuple[str, str]] = set()
    for path, new in after.subjects.items():
        old = before.subjects.get(path)
        facts = {} if old is None else old.facts
        for word in facts.keys() | new.facts.keys():
            if judge.simple(facts.get(word)) != judge.simple(new.facts.get(word)):
                found.add((path, word))
    return found


def _reads(rule: CompiledRule, subject: Subject, changed: set[tuple[str, str]]) -> bool:
    """Whether a condition reads a place that differs, or follows a reference that does."""
    for path in rule.paths.values():
        here = [subject]
        for step in path:
            if any((one.path, step) in changed for one in here):
                return True
            here = [other for one in here for other in one.step(step)]
    return False


def section(found: Sequence[Result]) -> str:
    """The section of the page."""
    lines = [ABOUT, *HEAD]
    for kind in (*KINDS, "all"):
        some = [one.outcome for one in found if kind in (one.swap.kind, "all")]
        shares = [100 * some.count(one) / len(some) for one in OUTCOMES]
        shares.append(noticed_share(found[::SAMPLE], kind))
        lines.append(f"| {kind} | {len(some)} | {' | '.join(f'{one:.0f} %' for one in shares)} |")
    return "\n".join([*lines, "", *_by_word(found)])


def noticed_share(found: Sequence[Result], kind: str) -> float:
    """The share of a kind that is noticed, in percent."""
    some = [one.outcome for one in found if kind in (one.swap.kind, "all")]
    return 100 * some.count("noticed") / len(some)


def _by_word(found: Sequence[Result]) -> Iterator[str]:
    """The words whose swaps are silent, called sound or only noted, most first."""
    made = Counter(one.swap.word for one in found)
    for outcome, said in (("silent", "Silent"), ("sound", "Called sound"), ("noted", "Noted")):
        some = Counter(one.swap.word for one in found if one.outcome == outcome)
        told = [f"`{word}` {count} of {made[word]}" for word, count in some.most_common(MOST_LEFT)]
        yield f"{said}, by word: {', '.join(told)}.\n"


def main() -> None:
    """Compute and write the section of the page, and print it."""
    text = section(list(results(replace(engine.shipped_engine(), today=TODAY))))
    SECTION.write_text(text, "utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
