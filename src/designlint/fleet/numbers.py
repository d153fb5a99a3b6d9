"""
The rules about every number as SPARQL: a pattern for each word that they ask about, from the same tables as in place.

Beside the facts, a store holds which words a design states itself, and which numbers that stated ones are compared with are
bounds or estimates: `marks`. A pattern matches where a number is asked about. Its fault is true where the number is not as
it should be, and is known wherever the pattern matches, so that engines without a third truth value agree.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.expressions.limits import PREFIXES, number
from designlint.graph import fleet
from designlint.graph.certainty import certainty
from designlint.judging.overrides import describe_word, figures, port_divisions
from designlint.language.kinds import Side
from designlint.language.values import is_number
from designlint.language.words import Ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from designlint.graph.subjects import Graph
    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word
    from designlint.rules.rule import CompiledRule

    #: The SPARQL that asks whether a figure is off by more than a share: of the sign of that comparison, and the share.
    Off = Callable[[str, float], str]

#: What a node says of its words: that the design states them, and what their numbers are; of an estimate its error besides.
STATES = "states"
SIDES = {Side.EXACT: "exactly", Side.LOWER: "at_least", Side.UPPER: "at_most", Side.ESTIMATE: "estimates"}
#: Patterns that one request unites.
UNITED = 12
NEVER = "(1 = 0)"


class Pattern(NamedTuple):
    """Where a number is asked about: the lines that find `?focus` and its number, and when that is at fault."""

    lines: Sequence[str]
    fault: str = NEVER


def marks(graph: Graph) -> Iterator[str]:
    """What those rules must know of a design beside its facts, in N-Triples."""
    asked, compared = _words(graph.vocabulary)
    for subject in graph.subjects.values():
        node = fleet.node(subject.path)
        for word, origin in subject.origins.items():
            if word in asked and origin.how == "stated":
                yield fleet.line(node, STATES, word)
            if word in compared:
                kind = certainty(subject, word, graph.vocabulary)
                error = f" {kind.error or 0!r}" if kind.side is Side.ESTIMATE else ""
                yield fleet.line(node, SIDES[kind.side], word + error)


@cache
def _words(vocabulary: Vocabulary) -> tuple[frozenset[str], frozenset[str]]:
    """The words that are asked about where they are stated, and those that they are compared with."""
    tables = (vocabulary.seen, vocabulary.ratios, vocabulary.twins)
    asked = {word for table in tables for words in table.values() for word in words}
    compared = {path[-1] for words in vocabulary.twins.values() for path, _ in words.values()}
    compared |= {
        Ratio(*one).path.split("/")[-1]
        for words in vocabulary.ratios.values()
        for data in words.values()
        for one in data
    }
    return frozenset(asked | {path[-1] for _, path in figures(vocabulary)}), frozenset(compared)


def queries(rule: CompiledRule, vocabulary: Vocabulary, *, faults: bool) -> Iterator[str]:
    """The queries that give every `?design` and `?focus` where a rule finds a fault, or where it asks at all."""
    patterns = [one for one in PATTERNS[rule.sweep](rule, vocabulary) if not faults or one.fault != NEVER]
    for start in range(0, len(patterns), UNITED):
        parts = [_part(one, faults=faults) for one in patterns[start : start + UNITED]]
        yield f"{PREFIXES}SELECT DISTINCT ?design ?focus WHERE {{ {' UNION '.join(parts)} }}"


def _part(one: Pattern, *, faults: bool) -> str:
    return f"{{ GRAPH ?design {{ {' '.join(one.lines)} }}{f' FILTER({one.fault})' if faults else ''} }}"


def _stated_pattern(cls: str, word: str, focus: str = "?focus") -> list[str]:
    """Where a subject of a class states a word, with its value."""
    return [f'{focus} a :{cls} ; :{STATES} "{word}" ; :{word} ?value .']


def seen_patterns(_: CompiledRule, vocabulary: Vocabulary) -> Iterator[Pattern]:
    """Numbers outside the range of their word, or of their word for a kind of part."""
    for cls, words in vocabulary.seen.items():
        for word in words:
            lines, outside = _stated_pattern(cls, word), NEVER
            for one in reversed(list(vocabulary.seen_of(cls, word))):
                here = f"(?value < {number(one.least)} || ?value > {number(one.most)})"
                outside = here if not one.by else f'IF(?kind = "{one.value}", {here}, {outside})'
                if one.by and len(lines) == 1:
                    lines += [f"OPTIONAL {{ ?focus :{one.by} ?of }}", 'BIND(COALESCE(?of, "") AS ?kind)']
            yield Pattern(lines, outside)


def ratios(_: CompiledRule, vocabulary: Vocabulary) -> Iterator[Pattern]:
    """Numbers whose ratio to another one lies outside what has been seen."""
    for cls, words in vocabulary.ratios.items():
        for word, data in words.items():
            if not vocabulary.classes[cls][word].many:
                every = [Ratio(*one) for one in data]
                for known in every:
                    own = [one for one in every if one.by and one.path == known.path and not known.by]
                    yield _ratio(cls, word, known, own)


def _ratio(cls: str, word: str, known: Ratio, own: Sequence[Ratio]) -> Pattern:
    """The pattern of a ratio; where one of a kind of part is known, that of all kinds is not asked."""
    *parts, last = known.path.split("/")
    way, end = _way(parts)
    others, other = _way(parts, "?also")
    alone = [f"FILTER NOT EXISTS {{ {' '.join(others)} FILTER({other} != {end}) }}"] if parts else []
    of_kind = [f'?focus :{known.by} "{known.value}" .'] if known.by else []
    of_kind += [f'FILTER NOT EXISTS {{ ?focus :{one.by} "{one.value}" }}' for one in own]
    lines = [*_stated_pattern(cls, word), *of_kind, *way, f"{end} :{last} ?per . FILTER(?per != 0)", *alone]
    ratio = "(xsd:double(?value) / IF(?per = 0, 1, ?per))"
    low = f'({ratio} < {number(known.least)} && NOT EXISTS {{ {end} :{SIDES[Side.UPPER]} "{last}" }})'
    high = f'({ratio} > {number(known.most)} && NOT EXISTS {{ {end} :{SIDES[Side.LOWER]} "{last}" }})'
    return Pattern(lines, f"({low} || {high})")


def _way(parts: Sequence[str], name: str = "?way") -> tuple[list[str], str]:
    """The lines along the steps of a path from the subject, and the variable at its end; see `Subject.follow`."""
    lines, at = list[str](), "?focus"
    for step, part in enumerate(parts):
        end = f"{name}{step}"
        if part[0] == "^":
            cls, _, words = part[1:].partition(".")
            ways = ", ".join(f":{one}" for one in words.split("|"))
            lines.append(f"{end} a :{cls} ; {name}by{step} {at} . FILTER({name}by{step} IN ({ways}))")
        else:
            lines.append(f"{at} :{part} {end} .")
        at = end
    return lines, at


def counted_patterns(rule: CompiledRule, vocabulary: Vocabulary) -> Iterator[Pattern]:
    """Stated numbers that what follows certainly contradicts."""
    return _comparison_patterns(vocabulary, rule.limits["factor"], certain=True)


def computed_patterns(rule: CompiledRule, vocabulary: Vocabulary) -> Iterator[Pattern]:
    """Stated numbers that differ from what follows by more than a tolerance."""
    return _comparison_patterns(vocabulary, rule.limits["factor"], certain=False)


def _comparison_patterns(vocabulary: Vocabulary, factor: float, *, certain: bool) -> Iterator[Pattern]:
    for cls, words in vocabulary.twins.items():
        for word, (path, tolerance) in words.items():
            way, end = _way(path[:-1])
            found = [*_stated_pattern(cls, word), *way, f"{end} :{path[-1]} ?made ."]
            low = f"(?value < ABS(?made) * {number(1 / (1 + tolerance))})"
            high = f"(?value > ABS(?made) * {number(1 + tolerance)})"
            far = f"(?value * {number(factor)} < ABS(?made) || ?value > ABS(?made) * {number(factor)})"
            exact = [*found, f'{end} :{SIDES[Side.EXACT]} "{path[-1]}" .']
            if tolerance:
                yield Pattern(exact, far if certain else f"(({low} || {high}) && !{far})")
            elif certain:
                yield Pattern(exact, f"({low} || {high})")
            if certain:
                yield Pattern([*found, f'{end} :{SIDES[Side.LOWER]} "{path[-1]}" .'], low)
                yield Pattern([*found, f'{end} :{SIDES[Side.UPPER]} "{path[-1]}" .'], high)
            if certain is (not tolerance):
                yield _estimate_pattern(found, end, path[-1], tolerance)


def _estimate_pattern(found: Sequence[str], end: str, word: str, tolerance: float) -> Pattern:
    """A stated number beside an estimate: the larger of the error and the tolerance counts."""
    lines = [f'{end} :{SIDES[Side.ESTIMATE]} ?guess . FILTER(STRBEFORE(?guess, " ") = "{word}")']
    error, least = 'xsd:double(STRAFTER(?guess, " "))', number(float(tolerance))
    slack = f"IF({error} > {least}, {error}, {least})"
    low, high = (f"(?value {sign} ABS(?made) * (1 {of} {slack}))" for sign, of in (("<", "-"), (">", "+")))
    return Pattern([*found, *lines], f"({low} || {high})")


def catalogue_patterns(rule: CompiledRule, vocabulary: Vocabulary) -> Iterator[Pattern]:
    """Figures that differ from those of the named part, but for those with which it does not exist."""
    slack, factor, exact = (rule.limits[name] for name in ("slack", "factor", "exact"))
    for lines, off, word, whole in _overridden(vocabulary, rule.limits["divided"]):
        another = f" && !({off('>=', factor - 1)})" if word.latitude == "fixed" else ""
        differs = off(">", slack)
        if word.kind == "Count" and off is _by_share:
            differs = f"({differs} || ?figure < {number(exact)} && {off('>', 0)})"
        yield Pattern(lines, f"({differs}{another}{whole})" if off is not _alike else NEVER)


def impossible(rule: CompiledRule, vocabulary: Vocabulary) -> Iterator[Pattern]:
    """Figures with which the named part does not exist."""
    factor = rule.limits["factor"]
    found = _overridden(vocabulary, rule.limits["divided"])
    return (
        Pattern(lines, f"({off('>=', factor - 1)}{whole})")
        for lines, off, word, whole in found
        if word.latitude == "fixed"
    )


def _overridden(vocabulary: Vocabulary, divided: float) -> Iterator[tuple[list[str], Off, Word, str]]:
    """
    Where a figure of a named part is stated, how to ask by how much it is off, its word, and what excuses it.

    Args:
        divided: ports that hardware makes of one at most.
    """
    for (cls, path), parts in figures(vocabulary).items():
        word = describe_word(vocabulary, cls, path)[1]
        if word.latitude == "chosen":
            continue
        nodes = [*(f"?part{at}" for at in range(len(path) - 1)), "?focus"]
        lines = [f"{nodes[0]} a :{cls} ; :model ?model ."]
        lines += [f"{one} :{step} {end} ." for one, end, step in zip(nodes, nodes[1:], path, strict=False)]
        lines.append(f'?focus :{STATES} "{word.name}" ; :{word.name} ?value .')
        if word.splits:
            others = figures(vocabulary)[cls, (*path[:-1], word.splits)]
            lines.append(_split(word, parts, others, divided))
        whole = " && !BOUND(?whole)" if word.splits else ""
        for more, off in _compares(word, parts, vocabulary):
            yield [*lines, *more], off, word, whole


def _split(word: Word, parts: Mapping[str, Any], others: Mapping[str, Any], divided: float) -> str:
    """Binds `?whole` where the part is, or may be, stated divided otherwise, such as with twice the ports at half the rate."""
    products = [
        (f'"{name}"', number(float(parts[name] * others[name])), number(float(parts[name])))
        for name in parts
        if name in others
    ]
    beside, own = "?focus :" + word.splits + " ?beside .", "xsd:double(?value)"
    times = ", ".join(number(float(one)) for one in port_divisions(divided))
    same = (
        f'IF(EXISTS {{ ?focus :{STATES} "{word.splits}" }}, {own} * xsd:double(?beside) = ?whole, '
        f"{own} / ?alone IN ({times}) || ?alone / {own} IN ({times}))"
    )
    return f"OPTIONAL {{ {_values('?part ?whole ?alone', products)} {beside} FILTER(?part = ?model && {same}) }}"


def _compares(word: Word, figures: Mapping[str, Any], vocabulary: Vocabulary) -> Iterator[tuple[list[str], Off]]:
    """How what is stated is compared with the figures of the parts."""
    yield [_values("?model", [(f'"{one}"',) for one in figures])], _alike
    numbers = {name: one for name, one in figures.items() if is_number(one)}
    if numbers:
        yield [_values("?model ?figure", [(f'"{name}"', number(one)) for name, one in numbers.items()])], _by_share
    if word.form == "catalog":
        own = {name: vocabulary.catalogue_name(word.kind, str(one)) for name, one in figures.items()}
        known = [(f'"{name}"', f'"{one}"') for name, one in own.items() if one]
        spelt = [(f'"{one}"', f'"{name}"') for one, name in vocabulary.aliases.get(word.kind, {}).items()]
        read = "FILTER(?spelling = LCASE(STR(?value)))"
        yield [_values("?model ?figure", known), _values("?spelling ?meant", spelt), read], _by_name


def _values(names: str, rows: Sequence[Sequence[str]]) -> str:
    told = " ".join(f"({' '.join(row)})" for row in rows)
    return f"VALUES ({names}) {{ {told} }}"


def _alike(_: str, __: float) -> str:
    """Figures of other kinds are not compared, nor names that the catalogue does not know."""
    return NEVER


def _by_name(_: str, __: float) -> str:
    """Another part is infinitely far off."""
    return "(?meant != ?figure)"


def _by_share(sign: str, limit: float) -> str:
    """By which share the larger of both numbers exceeds the other."""
    stated, own = "ABS(xsd:double(?value))", "ABS(?figure)"
    least, most = f"IF({stated} < {own}, {stated}, {own})", f"IF({stated} < {own}, {own}, {stated})"
    return f"IF({least} = 0, {most} > 0, {most} / IF({least} = 0, 1, {least}) - 1 {sign} {number(float(limit))})"


#: The patterns of each question; see `designlint.judging.sweeps.QUESTIONS`.
PATTERNS: dict[str, Callable[[CompiledRule, Vocabulary], Iterator[Pattern]]] = {
    "every-number seen": seen_patterns,
    "every-number in-proportion": ratios,
    "every-number counted": counted_patterns,
    "every-number computed": computed_patterns,
    "every-number catalogued": catalogue_patterns,
    "every-number impossible": impossible,
}
