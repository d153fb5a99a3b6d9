"""SHACL shapes of an organisation as rules: each named shape with a target is one, refused where it would reach outside."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from designlint.compiler.rules import empty_judgement
from designlint.compiler.turtle import RDF, local
from designlint.expressions import templates
from designlint.reading.errors import AuthoringError
from designlint.rules.rule import BUILT_IN

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

SH = "http://www.w3.org/ns/shacl#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
IMPORTS = "http://www.w3.org/2002/07/owl#imports"
TOPIC = "shapes"
TARGETS = tuple(SH + name for name in ("targetClass", "targetNode", "targetSubjectsOf", "targetObjectsOf", "target"))
SEVERITIES = {"Violation": "error", "Warning": "warning", "Info": "info"}
#: Texts that the validator would run as SPARQL, and what in them reaches outside; `\\u` could hide it.
SPARQL = tuple(SH + name for name in ("select", "ask", "construct", "update"))
REACHING = re.compile(r"SERVICE|\bFROM\b|\bLOAD\b|\\u|(?:RAND|NOW|UUID|BNODE)\s*\(", re.IGNORECASE)
#: Terms that would run code.
CODE = ("js", "jsLibrary", "jsFunctionName", "JSRule", "JSConstraint", "JSFunction", "JSTarget", "JSValidator")
#: What `<>` means in a file.
BASE = "urn:designlint:shapes"
LARGEST = 4 * 1024 * 1024


def compile_file(path: Path) -> dict[str, dict[str, Any]]:
    """The rules of a file of shapes, by id. Raises AuthoringError with file and line."""
    store, text = read_shapes(path)
    shapes = sorted({quad.subject.value for quad in _target_quads(store) if isinstance(quad.subject, ox.NamedNode)})
    rules = {name_of(iri): _rule(iri, store, path) for iri in shapes}
    if not rules:
        raise AuthoringError("no named shape has a target: nothing would be judged", file=str(path), line=1)
    if len(rules) < len(shapes):
        twice = next(iri for iri in shapes if [name_of(one) for one in shapes].count(name_of(iri)) > 1)
        raise error(f"two shapes are called {local(twice)}", path, text, local(twice))
    return rules


def name_of(iri: str) -> str:
    """The id of the rule that a shape is."""
    return f"{TOPIC}/{local(iri)}"


def read_shapes(path: Path) -> tuple[ox.Store, str]:
    """The triples of a file. Raises AuthoringError: no Turtle, or it would reach outside or run code."""
    try:
        with path.open("rb") as stream:
            data = stream.read(LARGEST + 1)
        text = data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise AuthoringError(f"cannot be read: {fault}", file=str(path)) from None
    if len(data) > LARGEST:
        raise AuthoringError(f"has more than {LARGEST} bytes", file=str(path))
    store = ox.Store()
    try:
        store.extend(ox.parse(text, format=ox.RdfFormat.TURTLE, base_iri=BASE))
    except SyntaxError as fault:
        raise AuthoringError(f"this is not valid Turtle: {fault.msg}", file=str(path), line=fault.lineno) from None
    for quad in store:
        _guard(quad, path, text)
    return store, text


def _guard(quad: ox.Quad, path: Path, text: str) -> None:
    if quad.predicate.value == IMPORTS:
        raise error("`owl:imports` is not followed; list the file under `shapes`", path, text, "imports")
    for term in (quad.predicate, quad.object):
        if isinstance(term, ox.NamedNode) and term.value.startswith(SH) and local(term.value) in CODE:
            raise error(f"`sh:{local(term.value)}` would run code", path, text, f"sh:{local(term.value)}")
    if quad.predicate.value in SPARQL and isinstance(quad.object, ox.Literal) and REACHING.search(quad.object.value):
        found = REACHING.search(quad.object.value)
        raise error(
            "SPARQL in shapes reads the design alone, the same from run to run", path, text, found[0] if found else ""
        )


def error(message: str, path: Path, text: str, token: str) -> AuthoringError:
    """An error at the first line that holds a token."""
    at = text.find(token)
    return AuthoringError(message, file=str(path), line=text.count("\n", 0, max(at, 0)) + 1)


def _target_quads(store: ox.Store) -> Iterable[ox.Quad]:
    for target in TARGETS:
        yield from store.quads_for_pattern(None, ox.NamedNode(target), None)
    classes = {RDFS + "Class", "http://www.w3.org/2002/07/owl#Class"}
    for quad in store.quads_for_pattern(None, ox.NamedNode(RDF + "type"), ox.NamedNode(SH + "NodeShape")):
        kinds = store.quads_for_pattern(quad.subject, ox.NamedNode(RDF + "type"), None)
        if any(isinstance(one.object, ox.NamedNode) and one.object.value in classes for one in kinds):
            yield quad


def _rule(iri: str, store: ox.Store, path: Path) -> dict[str, Any]:
    def said(*names: str) -> str:
        for name in names:
            for quad in store.quads_for_pattern(ox.NamedNode(iri), ox.NamedNode(name), None):
                return str(getattr(quad.object, "value", ""))
        return ""

    def text(*names: str) -> list[str]:
        return [said(*names)]

    return {
        "id": name_of(iri),
        "file": str(path),
        "title": said(RDFS + "label", SH + "name") or f"The shape {local(iri)} does not hold",
        "severity": SEVERITIES.get(local(said(SH + "severity")), "error"),
        "about": "Design",
        "message": templates.encode_template(templates.Template((templates.Placeholder("focus"),))),
        "problem": text(RDFS + "comment", SH + "description"),
        "remedy": text(SH + "description", RDFS + "comment"),
        "judge": BUILT_IN,
        **dict.fromkeys(("when", "at", "each", "refusal", "since", "claim"), ""),
        "sure": None,
        **{name: [] for name in ("principles", "sources", "fixes", "avoid")},
        **{name: {} for name in ("limits", "lets", "confidence")},
        "waivable": True,
        **empty_judgement(),
    }
