"""What a sweep shows at each point: facts, counts of findings, verdicts of rules."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from designlint.findings.model import Severity, Verdict
from designlint.graph.incremental import Dependencies, Place, StatedFact
from designlint.graph.subjects import Subject
from designlint.language import resources
from designlint.language.values import closest, is_number
from designlint.materials.money import money
from designlint.reading import read_file
from designlint.reading.errors import AuthoringError, UsageError
from designlint.rules.wording import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from designlint.design.design import Design
    from designlint.exploring.points import State
    from designlint.exploring.settings import SettablePlace as Named
    from designlint.language.units import Units
    from designlint.materials.prices import PriceList

#: Columns that one name may stand for.
MOST_COLUMNS = 8
#: Sums of money, by how their names begin, and the sum below which digits count.
SUMS = {
    "cost": "capital",
    "capital": "capital",
    "cost_month": "month",
    "cost_run": "run of ",
    "cost_token": "million tokens of ",
}
SMALL = 100
COUNTS = {str(one): one for one in Severity}
#: What a cell shows of a fact that is not known.
UNKNOWN = "unknown"


class Column(Struct, frozen=True):
    """
    One column.

    Attributes:
        name: its heading.
        path: the subject of a fact, or of a verdict; None where findings are counted.
        word: the fact, rule or count that it shows.
        kind: the kind of quantity of a fact.
        unit: the unit that it is shown in; the one that suits each value where it is empty.
        prices: of a sum of money, the list that it is reckoned by, `word` how its name begins.
        short: whether its name is a short one, which several facts may stand for.
    """

    name: str
    path: str | None
    word: str
    kind: str = ""
    unit: str = ""
    prices: PriceList | None = None
    short: bool = False

    def value(self, state: State) -> Any:
        """A number in the canonical unit, a text or a truth; None where it is not known."""
        if self.prices is not None:
            return _spent(state.design, self.prices, self.word)
        if self.path is None:
            return _count_findings(state, self.word)
        if "/" in self.word:
            found = [one for (rule, _), one in state.verdicts.items() if rule == self.word]
            return str(min(found, key=list(Verdict).index)) if found else str(Verdict.NOT_APPLICABLE)
        subject = state.design.graph.subjects.get(self.path)
        fact = None if subject is None else subject.facts.get(self.word)
        if isinstance(fact, list):
            return ", ".join(str(one.name if isinstance(one, Subject) else one) for one in fact)
        return fact.name if isinstance(fact, Subject) else fact

    def text(self, value: Any, units: Units) -> str:
        """A value as a person reads it."""
        if value is None:
            return UNKNOWN
        if self.prices is not None:
            return f"{value:,.0f} {self.unit}" if value >= SMALL else f"{value:.4g} {self.unit}"
        if self.unit and isinstance(value, int | float):
            return units.format(value, self.kind, unit=self.unit)
        return plain(value, self.kind, units)

    def number(self, value: Any, units: Units) -> Any:
        """A value in the unit of the column, without it."""
        if self.prices is not None or not self.unit or not is_number(value):
            return value
        unit = units.kind(self.kind).spellings[self.unit]
        return (value * unit.bottom - unit.shift) / unit.top

    def title(self, units: Units) -> str:
        """The heading of a column of numbers without units."""
        unit = self.unit or units.symbol(self.kind)
        return f"{self.name} [{unit}]" if unit.strip("1") else self.name


def meanings(design: Design, shown: Sequence[Column]) -> Iterator[str]:
    """What the short names among columns stand for here."""
    classes = design.engine.vocabulary.classes
    for one in shown:
        if one.short and one.path is not None:
            word = classes[design.graph.subjects[one.path].cls].get(one.word)
            asks = "; give a price list with --prices" if one.name in SUMS else ""
            lacks = f"the design does not say enough to know it{asks}"
            yield f"{one.name}: {lacks}" if word is None else f"{one.name}: {one.path}/{one.word}. {word.comment}"


def _spent(design: Design, prices: PriceList, word: str) -> float | None:
    """The sum whose names begin so, of all that are known; None where none is."""
    found = [one.value for one in money(design, prices).amounts if one.name.startswith(word) and one.value is not None]
    return sum(found) if found else None


def _count_findings(state: State, word: str) -> int:
    if word == "unknown":
        return state.unknown
    return state.severities.total() if word == "findings" else state.count(COUNTS[word])


def rules(design: Design, shown: Sequence[Column]) -> set[str]:
    """The rules that decide what columns show, and whether a point has an error."""
    counts = [one.word for one in shown if one.path is None and one.prices is None]
    ranks = [COUNTS[word].rank for word in counts if word in COUNTS]
    if any(word not in COUNTS for word in counts):
        return set(design.engine.rules)
    most = max([Severity.ERROR.rank, *ranks])
    return {name for name, one in design.engine.rules.items() if one.severity.rank <= most} | {
        one.word for one in shown
    }


def words(shown: Sequence[Column]) -> set[str] | None:
    """The words whose facts columns show; None where they may read any, as sums of money do."""
    return None if any(one.prices is not None for one in shown) else {one.word for one in shown}


@cache
def short_names() -> Mapping[str, Mapping[str, Any]]:
    """What short names stand for: classes and words, the best first, and a unit."""
    path = resources.ontology("what-if.yaml")
    root = read_file(path).root
    if root is None or root.kind != "map":
        raise AuthoringError("wanted a mapping", file=resources.display_path(path), line=1)
    return {
        name: {
            "words": [tuple(item.text.split("/")) for item in node.entries["words"].items],
            "unit": node.entries["unit"].text if "unit" in node.entries else "",
        }
        for name, node in root.entries.items()
    }


def columns(
    design: Design, asked: Sequence[str], prices: PriceList | None = None, changed: Iterable[Named] = ()
) -> list[Column]:
    """
    The columns for the names that a user asks for; sums of money with a price list.

    Args:
        changed: the words that are swept or searched: a short name stands for the fact that most of them change.

    Raises:
        UsageError: a name that means nothing here, or too much.
    """
    dependencies = Dependencies(design.engine.plan, design.graph)
    moved = Counter(
        place for one in changed for place in _moved_places(dependencies, Place(one.subject, one.word.name))
    )
    return [column for name in asked for column in _price_columns(design, name, prices, moved)]


def _moved_places(dependencies: Dependencies, place: Place) -> set[Place]:
    """The places whose facts another value changes: twice as large a number; of other values those that may change."""
    fact = place.subject.facts.get(place.word)
    if not is_number(fact) or not fact:
        return dependencies.downstream([place])
    with dependencies.assuming([StatedFact(*place, 2 * fact)]) as facts:
        return set(facts)


def _price_columns(design: Design, name: str, prices: PriceList | None, moved: Counter[Place]) -> list[Column]:
    if name not in SUMS:
        return _columns(design, name, moved)
    if prices is not None:
        return [Column(name, None, SUMS[name], unit=prices.currency, prices=prices)]
    if name == "cost":
        return _columns(design, name, moved)
    raise UsageError(f"--show {name} is money; give a price list with --prices")


def _columns(design: Design, asked: str, moved: Counter[Place]) -> list[Column]:
    name, _, unit = asked.partition(":")
    if name in (*COUNTS, "findings", "unknown"):
        return [Column(name, None, name)]
    if name in design.engine.rules:
        return [Column(name, "", name)]
    short = short_names().get(name)
    found = list(_short(design, name, moved) if short else _facts(design, name))
    if short and not found:  # nothing is known of it: the column says so
        return [Column(name, "", short["words"][0][1], short=True)]
    if not found:
        raise UsageError(f"--show {asked}: {_hint(design, name)}")
    if len(found) > MOST_COLUMNS:
        some = ", ".join(f"{one.path}/{one.word}".lstrip("/") for one in found[:3])
        raise UsageError(f"--show {asked}: the design has {len(found)} of these, such as {some}; write the whole path")
    for one in found:
        spellings = (
            design.engine.vocabulary.units.kind(one.kind).spellings
            if one.kind in design.engine.vocabulary.units
            else {}
        )
        if unit and (unit not in spellings or spellings[unit].why):
            raise UsageError(f"--show {asked}: `{unit}` is not a unit of {one.word}")
    return [replace(one, name=_heading(one, found), unit=unit or one.unit) for one in found]


def _heading(one: Column, found: Sequence[Column]) -> str:
    return one.name if len(found) == 1 or one.path is None else f"{one.path.rpartition('/')[2] or 'design'} {one.name}"


def _short(design: Design, name: str, moved: Counter[Place]) -> Iterator[Column]:
    """A column for each part of the class that the design states, by its known word that most changes move."""
    stated, classes = short_names()[name], design.engine.vocabulary.classes
    for cls in dict.fromkeys(cls for cls, _ in stated["words"]):
        words = [word for kind, word in stated["words"] if kind == cls]
        for subject in design.graph.by_class.get(cls, ()):
            known = [word for word in words if word in subject.facts]
            if known or (subject.node is not None and cls == stated["words"][0][0]):
                word = min(known or words, key=lambda one: -moved[Place(subject, one)])
                yield Column(name, subject.path, word, classes[subject.cls][word].kind, stated["unit"], short=True)


def _facts(design: Design, name: str) -> Iterator[Column]:
    """The facts that a path or a word means; of a word alone, those of parts that the design states."""
    owner, _, word = name.strip("/").rpartition("/")
    for subject in design.graph.subjects.values():
        known = design.engine.vocabulary.classes[subject.cls].get(word)
        if known is None or not known.scalar:
            continue
        ends = not owner or f"/{subject.path}".endswith(f"/{owner}")
        if ends and (subject.path == owner or word in subject.facts):
            yield Column(word, subject.path, word, known.kind)


def _hint(design: Design, name: str) -> str:
    owner, _, word = name.strip("/").rpartition("/")
    classes = design.engine.vocabulary.classes
    for subject in design.graph.subjects.values():
        if (
            subject.node is not None
            and word in classes[subject.cls]
            and (not owner or f"/{subject.path}".endswith(f"/{owner}"))
        ):
            path = f"{subject.path}/{word}".lstrip("/")
            lacks = f"the design does not say enough to know `{word}`"
            return f"{lacks}; `designlint why {design.document.file} {path}` shows what is missing"
    words = {word for subject in design.graph.subjects.values() for word in subject.facts}
    known = [*short_names(), *COUNTS, "findings", "unknown", *design.engine.rules, *sorted(words)]
    near = closest(name.rpartition("/")[2], known) or closest(name, known)
    lacks = f"the design has no fact, count or rule `{name}`"
    return f"{lacks}; did you mean `{near}`?" if near else lacks
