"""The units of the ontology as the table that `designlint.language.units` works on."""

from __future__ import annotations

import re
from math import gcd
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from designlint.language import resources
from designlint.language.quantities import NUMBER, rational
from designlint.reading.errors import AuthoringError

if TYPE_CHECKING:
    from collections.abc import Iterable

SOURCE = "ontology/units.ttl"


def compile_units() -> dict[str, Any]:
    """The table, read from the ontology. Raises AuthoringError."""
    triples = ox.parse(path=str(resources.ontology("units.ttl")), format=ox.RdfFormat.TURTLE)
    return table_from_triples((_local(one.subject), _local(one.predicate), _local(one.object)) for one in triples)


def _local(term: Any) -> str:
    return re.split("[/#]", term.value)[-1] if isinstance(term, ox.NamedNode) else str(term.value)


def table_from_triples(rows: Iterable[tuple[str, str, str]]) -> dict[str, Any]:
    """
    The table for `Units`, plain enough for JSON: {"prefixes": {...}, "kinds": {name: {...}}}.

    Args:
        rows: subject, predicate, object; an IRI as its local name, a literal as its text.
    Raises:
        AuthoringError: two units of one kind share a spelling, or something needed is absent.
    """
    subjects: dict[str, dict[str, list[str]]] = {}
    for subject, predicate, value in sorted(rows):
        subjects.setdefault(subject, {}).setdefault(predicate, []).append(value)
    chosen = {
        word: {s: f for s, f in subjects.items() if word in f.get("type", ())} for word in ("Kind", "Prefix", "Unit")
    }
    try:
        kinds = {name: _kind_row(facts) for name, facts in chosen["Kind"].items()}
        for facts in chosen["Unit"].values():
            for prefix in [{}, *(chosen["Prefix"][name] for name in facts.get("prefix", ()))]:
                _add_unit(kinds[facts["of"][0]], facts, prefix)
        names = {facts["label"][0]: facts["symbol"][0] for facts in chosen["Prefix"].values()}
    except KeyError as missing:
        raise AuthoringError(f"a kind, unit or prefix lacks {missing}", file=SOURCE) from missing
    return {"prefixes": names, "kinds": kinds}


def _kind_row(facts: dict[str, list[str]]) -> dict[str, Any]:
    return {
        "si": facts["si"][0] if facts["si"][0] != "1" else "",
        "whole": facts["datatype"] == ["integer"],
        "compound": facts.get("compound") == ["true"],
        "example": facts["example"][0],
        "dimension": facts.get("dimension", [""])[0],
        "scale": int(facts.get("scale", ["1"])[0]),
        "units": [],
        "spellings": {},
    }


def _add_unit(row: dict[str, Any], facts: dict[str, list[str]], prefix: dict[str, list[str]]) -> None:
    """One unit, with one prefix or none, added to the row of its kind."""
    (top, over), (times, by) = _fraction(facts, "factor", "0"), _fraction(prefix, "factor", "1")
    (per, cut), (shift, part) = _fraction(facts, "divisor", "1"), _fraction(facts, "offset", "0")
    numbers = [top * times * cut * part, top * times * cut * shift, over * by * per * part]
    common = gcd(*numbers)
    before = prefix.get("symbol", [""])
    row["units"].append({
        "symbol": before[0] + facts["symbol"][0],
        "one": "" if prefix else facts.get("one", [""])[0],
        **dict(zip(("top", "shift", "bottom"), (number // common for number in numbers), strict=True)),
        "preferred": facts.get("preferred") == ["true"],
        "binary": prefix.get("binary") == ["true"],
        "why": facts.get("why", [""])[0],
    })  # fmt: skip
    for start in before + prefix.get("alias", []):
        for end in facts["symbol"] + facts.get("one", []) + facts.get("alias", []):
            if row["spellings"].setdefault(start + end, len(row["units"]) - 1) != len(row["units"]) - 1:
                raise AuthoringError(f"two units are written {start + end!r}", file=SOURCE)


def _fraction(facts: dict[str, list[str]], name: str, default: str) -> tuple[int, int]:
    found = NUMBER.fullmatch(facts.get(name, [default])[0])
    if found is None or found[4]:
        raise AuthoringError(f"{name} is no number: {facts[name][0]!r}", file=SOURCE)
    return rational(found)
