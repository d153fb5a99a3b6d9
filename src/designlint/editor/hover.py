"""What an editor shows about a key or a value: its meaning, what follows from it, the calculation behind its findings."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from designlint.editor.spots import spot_at, subject_of
from designlint.editor.words import catalogue_class, entry, meaning
from designlint.graph.subjects import Subject
from designlint.views import provenance, why

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.design.design import Design
    from designlint.editor.analysis import Analysis
    from designlint.editor.spots import DesignSpot
    from designlint.findings.model import Finding
    from designlint.rules.engine import Engine

#: Lines of a calculation, and facts of a list: a hover is read at a glance.
MOST_LINES, MOST_FACTS = 60, 12


class HoverText(NamedTuple):
    """Markdown about a stretch of the document."""

    text: str
    start: int
    end: int


def told_at(known: Analysis, offset: int) -> HoverText | None:
    """What is to be said about an offset; None where no word of the language stands."""
    design, root = known.design, known.document.root
    spot = spot_at(root, offset, known.engine.vocabulary) if root is not None and root.kind == "map" else None
    if spot is None or spot.word is None:
        return None
    subject = subject_of(design.graph, spot.mapping)
    sections = [_means(spot, design)]
    sections += (_explain_judgement(found, design) for found in known.findings if _stands_at(found, known, offset))
    if subject is not None:
        sections += _follows(spot, subject, design)
    return HoverText("\n\n---\n\n".join(filter(None, sections)), *spot.span)


def _means(spot: DesignSpot, design: Design) -> str:
    """The entry that a catalogue name names, else the word."""
    vocabulary = design.engine.vocabulary
    if spot.word is None:
        return ""
    kind = catalogue_class(spot.word, vocabulary)
    name = vocabulary.catalogue_name(kind, spot.node.text) if not spot.on_key else None
    return entry(kind, name, vocabulary) if name else meaning(spot.word, spot.owner, vocabulary)


def _follows(spot: DesignSpot, subject: Subject, design: Design) -> Iterator[str]:
    """Of a name or a part, all that was calculated about it; of a value, what was calculated from it."""
    fact = subject.facts.get(spot.name)
    about = subject if spot.name == "name" else fact
    if isinstance(about, Subject):
        asked = _demand(design.engine)
        derived = [word for word, origin in about.origins.items() if origin.how == "derived"]
        places = [(about, word) for word in sorted(derived, key=lambda word: -asked[word])]
        told = _block((provenance.line(design, place) for place in places), 3 * MOST_FACTS)
        title = "Calculated"
    else:
        places = sorted(why.followers(design, (subject, spot.name)), key=_inputs)
        told = _block((line for place in places for line in provenance.formula(design, place)), 3 * MOST_FACTS)
        title = "What follows from it"
    if places:
        yield f"{title}:\n\n{told}"


def _demand(engine: Engine) -> Counter[str]:
    """How many rules ask for each word: what most rules ask for is told first."""
    return Counter(path[-1] for rule in engine.rules.values() for path in rule.paths.values())


def _inputs(place: provenance.Place) -> int:
    """How many facts a fact was calculated from: the fewer, the more it says about each."""
    return len(place[0].origins[place[1]].inputs)


def _stands_at(found: Finding, known: Analysis, offset: int) -> bool:
    line, column, _, _ = known.document.place(offset, offset)
    at = found.location
    inside = (at.line, at.column) <= (line, column) <= (at.end_line, at.end_column)
    return inside and at.file == known.document.file


def _explain_judgement(found: Finding, design: Design) -> str:
    """The calculation of every number that a finding compares, with the rule's own words on why it matters."""
    rule, subject = design.engine.rules[found.rule], design.graph.subjects.get(found.subject)
    if subject is None or rule.built_in:
        return f"`{found.rule}`: {rule.standard.problem}"
    places = (place for name in rule.needs for place in subject.follow(rule.paths[name]))
    derived = [place for place in places if (origin := place[0].origins.get(place[1])) and origin.how == "derived"]
    trees = (line for place in dict.fromkeys(derived) for line in provenance.tree(design, place))
    told = _block(trees, MOST_LINES) if derived else ""
    return "\n\n".join(filter(None, (f"`{found.rule}`: {rule.standard.problem}", told)))


def _block(lines: Iterator[str], most: int) -> str:
    shown = list(islice(lines, most))
    more = sum(1 for _ in lines)
    return "\n".join(["```text", *shown, *([f"... ({more} more lines)"] if more else []), "```"])
