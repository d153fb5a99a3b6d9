"""Subjects and facts as RDF terms, and queries of users as far as they are answered."""

from __future__ import annotations

import re
from typing import Any

import pyoxigraph as ox

from designlint.graph.subjects import Subject
from designlint.language.vocabulary import DESIGN, NAMESPACE, SOURCE

RDF_TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
XSD = "http://www.w3.org/2001/XMLSchema#"
BOOLEAN, INTEGER, DOUBLE, DATE = (ox.NamedNode(XSD + name) for name in ("boolean", "integer", "double", "date"))
#: By datatype, what reads a literal; text and dates stay as they are.
READERS: dict[str, Any] = {
    BOOLEAN.value: "true".__eq__,
    INTEGER.value: int,
    DOUBLE.value: float,
    XSD + "decimal": float,
    XSD + "float": float,
}
TRUE, FALSE = ox.Literal("true", datatype=BOOLEAN), ox.Literal("false", datatype=BOOLEAN)
#: Integers beyond 64 bits are stated as doubles: SPARQL engines hold no larger ones.
LARGEST = 2**63 - 1
#: Prefixes that a user's query need not declare.
PREFIXES = {"": NAMESPACE, "design": DESIGN, "xsd": XSD, "prov": "http://www.w3.org/ns/prov#", "source": SOURCE}
#: Size and depth of a query: the engine's parser recurses, and several times as much ends the process.
LONGEST, DEEPEST = 4000, 100
BRACKETS = re.compile(r"[({\[\]})]")
#: What a query names; the engine wants no gap before a keyword (`1SERVICE`), so keywords are sought in all that is left.
NAMES = re.compile(r"[?$]\w+|\w*:\w*", re.ASCII)
REMOTE = re.compile("SERVICE", re.IGNORECASE)
OUTSIDE = re.compile("SERVICE|FROM|GRAPH|LOAD|INSERT|DELETE|CONSTRUCT", re.IGNORECASE)
#: A path that is an IRI as it stands, as nearly all are.
PLAIN = re.compile(r"[A-Za-z0-9/_.~-]*")
#: A percent sign that begins no escape.
STRAY = re.compile(r"%(?![0-9A-Fa-f]{2})")
#: Letters that an IRI may hold as they are; any letter outside ASCII is legal too.
SAFE = "/:@!$&'()*+,;=-._~%?"


def iri(path: str) -> ox.NamedNode:
    """The IRI of a node: its path in the design."""
    if not PLAIN.fullmatch(path):
        from urllib.parse import quote

        path = "".join(
            letter if letter.isalnum() or letter in SAFE else quote(letter, safe="", errors="replace")
            for letter in STRAY.sub("%25", path)
        )
    return ox.NamedNode(DESIGN + path)


def term(word_kind: str, fact: Any) -> ox.NamedNode | ox.Literal:
    """A fact as an RDF term."""
    if isinstance(fact, Subject):
        return iri(fact.path)
    if isinstance(fact, bool):
        return TRUE if fact else FALSE
    if isinstance(fact, int) and abs(fact) <= LARGEST:
        return ox.Literal(str(fact), datatype=INTEGER)
    if isinstance(fact, int | float):
        return ox.Literal(repr(float(fact)), datatype=DOUBLE)
    return ox.Literal(fact, datatype=DATE) if word_kind == "Date" else ox.Literal(fact)


def reaches(query: str, words: re.Pattern[str] = OUTSIDE) -> bool:
    """Whether a query has keywords that reach outside the design's own graph."""
    return words.search(NAMES.sub(" ", query)) is not None


def bound_query(query: str) -> str:
    """The query, where the engine can parse it without exhausting its stack. Raises ValueError."""
    if len(query) > LONGEST:
        raise ValueError(f"a query has at most {LONGEST} characters")
    depth = 0
    for letter in BRACKETS.findall(query):
        depth += (letter in "({[") - (letter in ")}]")
        if depth > DEEPEST:
            raise ValueError(f"brackets nest at most {DEEPEST} deep in a query")
    return query
