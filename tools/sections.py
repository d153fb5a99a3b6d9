"""The pages of the design language, one for each section of a design: its words, and how a sound design states them."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from designlint.configuration.engine import shipped_engine
from designlint.graph.subjects import Subject
from designlint.linting import pipeline
from designlint.reading import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.design.design import Design
    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word

ROOT = Path(__file__).resolve().parent.parent
#: Designs without errors that the sections are shown from, the fullest first.
SHOWN = ("superpod-4su", "gb200-nvl72")
#: Longest part of a design, and most facts of it, that a page shows.
MOST_LINES, MOST_FACTS = 90, 12
#: Items of a list inside a section that a page shows.
MOST_ITEMS = 2


def example(word: Word, vocabulary: Vocabulary) -> str:
    """How a shipped design states a section, by its fullest item, and what follows, in Markdown; else its words."""
    for name in SHOWN:
        design = _read(name)
        stated = design.graph.root.facts.get(word.name)
        if not stated:
            continue
        subjects = [one for one in (stated if isinstance(stated, list) else [stated]) if isinstance(one, Subject)]
        if subjects:
            fullest = max(range(len(subjects)), key=lambda at: len(subjects[at].facts))
            subject, file = subjects[fullest], f"examples/{name}/design.yaml"
            block = "\n".join([f"{word.name}:", *_lines(_items(design, word.name)[fullest])])
            head = f"As [{file}](../../{file}) states it:\n\n```yaml\n{block}\n```\n"
            return "\n".join([head, *_facts(subject, vocabulary, file), ""])
    words = [one for one in vocabulary.classes[word.kind].values() if one.written and one.scalar and one.example]
    lines = "\n".join(f"    {one.name}: {one.example}" for one in words)
    return f"For example:\n\n```yaml\n{word.name}:\n  - {lines.lstrip()}\n```\n"


@cache
def _read(name: str) -> Design:
    path = ROOT / "examples" / name / "design.yaml"
    return pipeline.read_design(read_bytes(path.read_bytes(), str(path)), shipped_engine())


@cache
def _count_asking() -> Counter[str]:
    """How many rules read each word."""
    return Counter(path[-1] for rule in shipped_engine().rules.values() for path in set(rule.paths.values()))


def _items(design: Design, section: str) -> list[list[str]]:
    """The lines of each item of a section that is a list; of any other, all its lines as one."""
    lines = design.document.text.split("\n")
    start = next(at for at, line in enumerate(lines) if line.startswith(f"{section}:")) + 1
    ends = [at for at in range(start, len(lines)) if lines[at] and not lines[at].startswith((" ", "#"))]
    end = min([*ends, len(lines)])
    starts = [at for at in range(start, end) if lines[at].startswith("  - ")] or [start]
    return ["\n".join(lines[at:to]).rstrip().split("\n") for at, to in zip(starts, [*starts[1:], end], strict=True)]


def _lines(item: list[str]) -> Iterator[str]:
    """The lines of an item; lists inside it end after their first items, and the whole where it is long."""
    shown: list[str] = []
    seen = left = 0
    for line in [*item, ""]:
        if line.startswith("    - "):
            seen += 1
            left += seen > MOST_ITEMS
        elif not line.startswith("     "):
            shown += [f"    # and {left} more"] if left else []
            seen = left = 0
        if seen <= MOST_ITEMS:
            shown.append(line)
    yield from shown[: min(MOST_LINES, len(shown) - 1)]
    if len(shown) - 1 > MOST_LINES:
        yield f"  # and {len(shown) - 1 - MOST_LINES} more lines"


def _facts(subject: Subject, vocabulary: Vocabulary, file: str) -> Iterator[str]:
    """What is computed of a subject, with its value there."""
    words = vocabulary.classes[subject.cls]
    found = [
        (words[name], value)
        for name, value in subject.facts.items()
        if name in words and (origin := subject.origins.get(name)) is not None and origin.how == "derived"
        if isinstance(value, int | float) and not isinstance(value, bool)
    ]
    if not found:
        return
    yield f"What follows for `{subject.path}`:\n\n| word | here | meaning |\n| --- | --- | --- |"
    chosen = sorted(found, key=lambda one: -_count_asking()[one[0].name])[:MOST_FACTS]
    for word, value in (one for one in found if one in chosen):
        yield f"| `{word.name}` | {vocabulary.units.format(value, word.kind)} | {word.comment} |"
    more = len(found) - MOST_FACTS
    if more > 0:
        yield f"\nAnd {more} more. `designlint why {file} {subject.path}/{chosen[0][0].name}` shows how a value comes about."
