"""The pages of the design language, one for each section of a design: its words, and how a sound design states them."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from designlint.configuration.engine import shipped
from designlint.graph.subjects import Subject
from designlint.language.reference import shown
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
MOST_LINES, MOST_FACTS = 70, 12


def example(word: Word, vocabulary: Vocabulary) -> str:
    """How a shipped design states a section, and what follows from that, in Markdown; empty where none states it."""
    for name in SHOWN:
        design = _read(name)
        stated = design.graph.root.facts.get(word.name)
        subject = stated[0] if isinstance(stated, list) and stated else stated
        if isinstance(subject, Subject):
            file = f"examples/{name}/design.yaml"
            block = "\n".join(_lines(design, word.name))
            head = f"As [{file}](../../{file}) states it:\n\n```yaml\n{block}\n```\n"
            return "\n".join([head, *_facts(subject, vocabulary, file), ""])
    return ""


@cache
def _read(name: str) -> Design:
    path = ROOT / "examples" / name / "design.yaml"
    return pipeline.read(read_bytes(path.read_bytes(), str(path)), shipped())


@cache
def _asked() -> Counter[str]:
    """How many rules read each word."""
    return Counter(path[-1] for rule in shipped().rules.values() for path in set(rule.paths.values()))


def _lines(design: Design, section: str) -> Iterator[str]:
    """The lines of a section up to its second item, cut where it is long."""
    lines = design.document.text.split("\n")
    start = next(at for at, line in enumerate(lines) if line.startswith(f"{section}:"))
    items = [at for at in range(start + 1, len(lines)) if lines[at].startswith("  - ")]
    ends = [at for at in range(start + 1, len(lines)) if lines[at] and not lines[at].startswith((" ", "#"))]
    end = min([*ends, len(lines)])
    second = next((at for at in items[1:2] if at < end), end)
    shown = "\n".join(lines[start:second]).rstrip().split("\n")
    yield from shown[:MOST_LINES]
    if len(shown) > MOST_LINES:
        yield f"  # and {len(shown) - MOST_LINES} more lines"


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
    chosen = sorted(found, key=lambda one: -_asked()[one[0].name])[:MOST_FACTS]
    for word, value in (one for one in found if one in chosen):
        yield f"| `{word.name}` | {shown(vocabulary, word, value)} | {word.comment} |"
    more = len(found) - MOST_FACTS
    if more > 0:
        yield f"\nAnd {more} more. `designlint why {file} {subject.path}/{chosen[0][0].name}` shows how a value comes about."
