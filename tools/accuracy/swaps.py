"""
Single faults in what is no number: another value, flag, part, reference, entry, section, version or day.

`make faults` tries them on the sound examples and on some published designs, and writes what became of them into
`single_swaps.md`, which `docs/accuracy.md` holds. Each changed design is read and judged as a file would be.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from designlint.configuration import engine
from designlint.findings.model import Severity, Verdict
from designlint.graph.subjects import Subject
from designlint.judging import judge
from designlint.linting import pipeline
from designlint.reading import read_bytes
from tools.accuracy.designs import published
from tools.accuracy.faults import MOST_LEFT, ROOT, SWEEPS, TODAY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from designlint.graph.subjects import Graph
    from designlint.judging.judge import Judged
    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word
    from designlint.reading.tree import Node
    from designlint.rules.engine import Engine
    from designlint.rules.rule import CompiledRule

SECTION = Path(__file__).with_name("single_swaps.md")
#: Of the published designs, each so-manieth is tried.
EACH = 15
#: Of all swaps, each so-manieth is tried again by the tests.
SAMPLE = 12
#: Parts that say nothing of what is built.
ASIDE = {"Evidence", "Waiver"}
#: The kinds of swaps.
KINDS = ("value", "flag", "reference", "part", "entry", "section", "version", "date")
OUTCOMES = ("noticed", "noted", "sound", "silent")
#: The first number of a version.
VERSION = re.compile(r"\d+(?=\.\d)")
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


class Swap(NamedTuple):
    """One change: its kind, the word, what it says in short, and the text of each node that it replaces, by identity."""

    kind: str
    word: str
    said: str
    texts: dict[int, str]


class Result(NamedTuple):
    """What became of a swap; `new` are the rules that find something new."""

    design: str
    swap: Swap
    outcome: str
    new: tuple[str, ...]


class Trial(NamedTuple):
    """A sound design as it is changed: its tree as text and judged."""

    name: str
    root: Node
    judged: Judged


def examples(shipped: Engine) -> Iterator[Trial]:
    """The sound examples."""
    for path in sorted((ROOT / "examples").glob("*/design.yaml")):
        yield from _trial(path.parent.name, path.read_text("utf-8"), shipped)


def trials(shipped: Engine) -> Iterator[Trial]:
    """The sound examples and some sound designs of what was published."""
    yield from examples(shipped)
    for case in list(published().values())[::EACH]:
        if case.outcome == "ran":
            yield from _trial(case.id, case.yaml, shipped)


def _trial(name: str, text: str, shipped: Engine) -> Iterator[Trial]:
    root = read_bytes(text.encode(), name).root
    assert root is not None
    found = _judged(written(root, {}), name, shipped)
    if found.design.problems or found.design.bases or any(one.severity is Severity.ERROR for one in found.findings):
        return
    root = found.design.document.root
    assert root is not None
    yield Trial(name, root, found)


def _judged(text: str, name: str, shipped: Engine) -> Judged:
    return judge.judged(pipeline.read(read_bytes(text.encode(), name), shipped))


def written(node: Node, texts: dict[int, str]) -> str:
    """A tree as text, with other text for some of its nodes."""
    if id(node) in texts:
        return texts[id(node)]
    if node.kind == "map":
        return "{" + ", ".join(f"{json.dumps(key)}: {written(one, texts)}" for key, one in node.entries.items()) + "}"
    if node.kind == "list":
        return _listed(written(one, texts) for one in node.items)
    return node.text or "null" if node.plain and not isinstance(node.scalar(), str) else json.dumps(node.text)


def _listed(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"


def results(shipped: Engine, each: int = 1) -> Iterator[Result]:
    """What becomes of every swap of the sound designs, or of each so-manieth."""
    known = _sections(list(examples(shipped)))
    made = ((trial, swap) for trial in trials(shipped) for swap in swaps(trial, known))
    return (outcome(trial, swap) for trial, swap in islice(made, 0, None, each))


def outcome(trial: Trial, swap: Swap) -> Result:
    """What becomes of one swap."""
    before = trial.judged
    design = pipeline.read(read_bytes(written(trial.root, swap.texts).encode(), trial.name), before.design.engine)
    if design.problems:
        return Result(trial.name, swap, "noticed", tuple(sorted({one.rule for one in design.problems})))
    after = judge.rejudged(before, design)
    old = Counter(one.key for one in before.findings)
    came = [one for one in after.findings if not old[one.key]]
    new = tuple(sorted({one.rule for one in came}))
    if any(one.severity in (Severity.ERROR, Severity.WARNING) for one in came):
        return Result(trial.name, swap, "noticed", new)
    return Result(trial.name, swap, "noted" if came else _passed(before, after), new)


def _passed(before: Judged, after: Judged) -> str:
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


def _sections(trials: Sequence[Trial]) -> dict[tuple[str, str], dict[str, str]]:
    """By class and word the sections that designs state, by design."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for trial in trials:
        for subject, name, word, node in _stated(trial):
            if word.form in ("part", "parts") and node.kind != "scalar":
                found.setdefault((subject.cls, name), {}).setdefault(trial.name, written(node, {}))
    return found


def _stated(trial: Trial) -> Iterator[tuple[Subject, str, Word, Node]]:
    """Every word that a design states, with its part."""
    design = trial.judged.design
    for subject in design.graph.subjects.values():
        if subject.cls not in ASIDE:
            words = design.engine.vocabulary.classes[subject.cls]
            for name, node in subject.keys.items():
                if name in words and words[name].kind not in ASIDE and name not in ("name", "designlint"):
                    yield subject, name, words[name], node


def swaps(trial: Trial, sections: dict[tuple[str, str], dict[str, str]]) -> Iterator[Swap]:
    """The ways to mistake what is no number."""
    vocabulary = trial.judged.design.engine.vocabulary
    seen: set[int] = set()
    for subject, name, word, node in _stated(trial):
        if id(node) in seen:  # `gpu: h100` is the model of the GPU as well
            continue
        seen.add(id(node))
        owner = f"{word.owner}/{name}"
        for kind, said, text in _wanted(subject, word, node, vocabulary):
            yield Swap(kind, owner, f"{subject.path or '.'}: {said}", {id(node): text})
        if node.kind == "list":
            for said, text in _entries(node):
                yield Swap("entry", owner, f"{subject.path or '.'}/{name} {said}", {id(node): text})
        if word.form in ("part", "parts") and node.kind != "scalar":
            for other, text in sections.get((subject.cls, name), {}).items():
                if other != trial.name and text != written(node, {}):
                    yield Swap("section", owner, f"{subject.path or '.'}/{name} of {other}", {id(node): text})


def _entries(node: Node) -> Iterator[tuple[str, str]]:
    """A list with each of its entries removed or doubled; of a long one, the first and the last."""
    items = [written(one, {}) for one in node.items]
    for number in range(len(items)) if len(items) <= 12 else (0, len(items) - 1):
        yield f"without {items[number][:30]}", _listed(items[:number] + items[number + 1 :])
        yield f"twice {items[number][:30]}", _listed([*items, items[number]])


def _wanted(subject: Subject, word: Word, node: Node, vocabulary: Vocabulary) -> Iterator[tuple[str, str, str]]:
    """The kind, the words and the text of each swap of one scalar, or of the scalars of one list."""
    if node.kind == "list" and word.form in ("names", "values"):
        items = [written(one, {}) for one in node.items]
        for number, one in enumerate(node.items):
            for kind, text in _others(subject, word, one.text, vocabulary):
                if json.dumps(text) not in items:
                    new = [*items[:number], json.dumps(text), *items[number + 1 :]]
                    yield kind, f"{word.name} {one.text} -> {text}", _listed(new)
    elif node.kind == "scalar":
        for kind, text in _others(subject, word, node.text, vocabulary):
            plain = kind in ("flag", "date") or (kind == "value" and word.kind != "Text")
            yield kind, f"{word.name} {node.text} -> {text}", text if plain else json.dumps(text)


def _others(subject: Subject, word: Word, text: str, vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """What might stand there instead, with the kind of the swap."""
    if word.kind == "Flag":
        yield "flag", "false" if text == "true" else "true"
    elif word.allowed:
        yield from (("value", str(one)) for one in word.allowed if str(one) != text)
    elif word.form in ("name", "names"):
        yield from (("reference", one) for one in _named(subject, word.kind) if one != text)
    elif entries := _catalogue(subject, word, text, vocabulary):
        yield from (("part", one) for one in entries)
    elif word.kind == "Date":
        day = date.fromisoformat(text)
        yield from (("date", (day + timedelta(days=days)).isoformat()) for days in (-365, 365))
    elif word.kind == "Text" and (found := VERSION.search(text)):
        for step in (-1, 1):
            yield "version", f"{text[: found.start()]}{int(found[0]) + step}{text[found.end() :]}"


def _named(subject: Subject, kind: str) -> list[str]:
    """The names of all parts of a kind."""
    root = subject
    while root.owner is not None:
        root = root.owner
    return [one.name for one in _within(root) if kind in one.kinds and "name" in one.keys]


def _within(subject: Subject) -> Iterator[Subject]:
    """A part and all parts in it."""
    yield subject
    for fact in subject.facts.values():
        for one in fact if isinstance(fact, list) else (fact,):
            if isinstance(one, Subject) and one.owner is subject:
                yield from _within(one)


def _catalogue(subject: Subject, word: Word, text: str, vocabulary: Vocabulary) -> list[str]:
    """Other entries of the catalogue: the next ones by name, and some from all over it."""
    kind = word.owner if word.form == "catalog" else word.kind if word.form == "part" else ""
    for other in vocabulary.classes[subject.cls].values():
        if other.form == "looked-up" and other.path == (word.name,):
            kind = other.figure[0]
    if word.form == "catalog":
        kind = next((one for one in vocabulary.is_a(subject.cls) if one in vocabulary.catalog), kind)
    names = sorted(vocabulary.catalog.get(kind, ()))
    own = vocabulary.catalogued(kind, text)
    if own is None:
        return []
    at = names.index(own)
    step = max(1, len(names) // 4)
    return sorted({*names[max(at - 2, 0) : at + 3], *names[at % step :: step]} - {own})


def section(found: Sequence[Result]) -> str:
    """The section of the page."""
    lines = [ABOUT, *HEAD]
    for kind in (*KINDS, "all"):
        some = [one.outcome for one in found if kind in (one.swap.kind, "all")]
        shares = [100 * some.count(one) / len(some) for one in OUTCOMES]
        shares.append(noticed(found[::SAMPLE], kind))
        lines.append(f"| {kind} | {len(some)} | {' | '.join(f'{one:.0f} %' for one in shares)} |")
    return "\n".join([*lines, "", *_by_word(found)])


def noticed(found: Sequence[Result], kind: str) -> float:
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
    text = section(list(results(replace(engine.shipped(), today=TODAY))))
    SECTION.write_text(text, "utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
