"""Turtle as nested Python values, in the order in which the file states them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from designlint.language import resources
from designlint.reading.errors import AuthoringError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XSD = "http://www.w3.org/2001/XMLSchema#"


def local(iri: str) -> str:
    """The last part of an IRI, which is the word we know it by."""
    return iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]


class Turtle:
    """One Turtle file, read: subjects in order, each with its predicates and objects."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text("utf-8")
        self.subjects: dict[str, dict[str, list[Any]]] = {}
        try:
            quads = list(ox.parse(self.text, format=ox.RdfFormat.TURTLE))
        except SyntaxError as error:
            raise AuthoringError(str(error.msg), file=resources.display_path(path), line=error.lineno) from None
        for quad in quads:
            self.subjects.setdefault(self._key(quad.subject), {}).setdefault(local(quad.predicate.value), []).append(
                quad.object
            )

    @staticmethod
    def _key(term: Any) -> str:
        return f"_:{term.value}" if isinstance(term, ox.BlankNode) else str(term.value)

    def error(self, message: str, token: str = "") -> AuthoringError:
        """An AuthoringError that points at the first line holding the token."""
        at = self.text.find(token) if token else -1
        line = self.text.count("\n", 0, at) + 1 if at >= 0 else None
        return AuthoringError(message, file=resources.display_path(self.path), line=line)

    def of_type(self, name: str) -> Iterator[tuple[str, dict[str, list[Any]]]]:
        """Subjects that are stated to be of a class, in file order."""
        for subject, facts in self.subjects.items():
            if any(local(kind.value) == name for kind in facts.get("type", ())):
                yield subject, facts

    def facts(self, term: Any) -> dict[str, list[Any]]:
        """What the file states about a blank node or IRI."""
        return self.subjects.get(self._key(term), {})

    def values(self, terms: list[Any]) -> list[Any]:
        """Literals as Python values, IRIs as local names, lists flattened, blank nodes as dicts."""
        return [value for term in terms for value in self._value(term)]

    def _value(self, term: Any) -> list[Any]:
        if isinstance(term, ox.Literal):
            return [_literal(term)]
        if isinstance(term, ox.NamedNode):
            return [] if term.value == RDF + "nil" else [local(term.value)]
        facts = self.facts(term)
        if "first" in facts:
            return self.values(facts["first"]) + self.values(facts["rest"])
        return [{name: self.values(objects) for name, objects in facts.items()}]


def _literal(term: ox.Literal) -> bool | int | float | str:
    kind = term.datatype.value.removeprefix(XSD)
    if kind == "boolean":
        return term.value == "true"
    if kind == "integer":
        return int(term.value)
    if kind in ("decimal", "double"):
        return float(term.value)
    return term.value
