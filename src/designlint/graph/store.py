"""The graph in RDF: one store that SPARQL queries, that other tools read and that is written out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from designlint.graph.subjects import Graph, Subject
from designlint.vocabulary import DESIGN, NAMESPACE, SOURCE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    Cells = ox.QuerySolution | tuple[()]

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
REMOTE = re.compile(r"\bSERVICE\b", re.IGNORECASE)
#: A path that is an IRI as it stands, as nearly all are.
PLAIN = re.compile(r"[A-Za-z0-9/_.~-]*")
#: Letters that an IRI may hold as they are; any letter outside ASCII is legal too.
SAFE = "/:@!$&'()*+,;=-._~%?"


def iri(path: str) -> ox.NamedNode:
    """The IRI of a node: its path in the design."""
    if not PLAIN.fullmatch(path):
        from urllib.parse import quote

        path = "".join(letter if letter.isalnum() or letter in SAFE else quote(letter, safe="") for letter in path)
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


def known(graph: Graph) -> set[tuple[str, str]]:
    """What is known of anything: class and word, for every class that a node is of."""
    return {(kind, word) for one in graph.subjects.values() for word in one.facts for kind in one.kinds}


def bounded(query: str) -> str:
    """The query, where the engine can parse it without exhausting its stack. Raises ValueError."""
    if len(query) > LONGEST:
        raise ValueError(f"a query has at most {LONGEST} characters")
    depth = 0
    for letter in query:
        depth += (letter in "({[") - (letter in ")}]")
        if depth > DEEPEST:
            raise ValueError(f"brackets nest at most {DEEPEST} deep in a query")
    return query


class Store:
    """
    A graph loaded into pyoxigraph.

    Args:
        words: the words that are loaded; all where it is None.
    """

    def __init__(self, graph: Graph, words: Collection[str] | None = None) -> None:
        self.graph = graph
        self.words = words
        self.known = known(graph)
        #: What a fact that is not known waits for, as far as it was asked.
        self.asked: dict[tuple[str, str], list[str]] = {}
        self.order = {path: at for at, path in enumerate(graph.subjects)}
        self.store = ox.Store()
        self.nodes = {path: iri(path) for path in graph.subjects}
        self.subjects = {node.value: graph.subjects[path] for path, node in self.nodes.items()}
        self.store.extend(self._quads())

    def _quads(self) -> Iterator[ox.Quad]:
        vocabulary, nodes, quad = self.graph.vocabulary, self.nodes, ox.Quad
        wanted = (
            self.words if self.words is not None else {name for words in vocabulary.classes.values() for name in words}
        )
        names = {name: ox.NamedNode(NAMESPACE + name) for name in wanted}
        kinds = {name: [ox.NamedNode(NAMESPACE + one) for one in above] for name, above in vocabulary.parents.items()}
        terms: dict[tuple[type, Any], ox.Literal | ox.NamedNode] = {}
        for path, subject in self.graph.subjects.items():
            node, words = nodes[path], vocabulary.classes[subject.cls]
            for kind in kinds[subject.cls]:
                yield quad(node, RDF_TYPE, kind)
            for word, fact in subject.facts.items():
                name = names.get(word)
                if name is None:
                    continue
                for one in fact if isinstance(fact, list) else (fact,):
                    if isinstance(one, Subject):
                        yield quad(node, name, nodes[one.path])
                        continue
                    key = one.__class__, one
                    known = terms.get(key) if words[word].kind != "Date" else None
                    if known is None:
                        known = terms[key] = term(words[word].kind, one)
                    yield quad(node, name, known)

    def select(self, query: str) -> tuple[list[str], list[Cells]]:
        """The variables and rows of a judgement, the terms as the engine gives them."""
        found = self.store.query(query)
        if not isinstance(found, ox.QuerySolutions):
            raise TypeError("a judgement is a SELECT")
        return [variable.value for variable in found.variables], list(found)

    def table(self, query: str) -> tuple[list[str], list[list[Any]]]:
        """The columns and rows of a query by a user. Raises SyntaxError, ValueError."""
        if REMOTE.search(query):
            raise ValueError("SERVICE would reach over the network")
        found = self.store.query(bounded(query), prefixes=PREFIXES)
        if not isinstance(found, ox.QuerySolutions):
            raise ValueError("only SELECT queries are answered")
        names = [variable.value for variable in found.variables]
        return names, [[None if value is None else self._told(value) for value in row] for row in found]

    def _told(self, value: Any) -> Any:
        plain = self.plain(value)
        return plain.path or "." if isinstance(plain, Subject) else plain

    def plain(self, value: Any) -> Any:
        """An RDF term as a Python value; None, for unbound, stays None."""
        if value is None:
            return None
        if isinstance(value, ox.Literal):
            read = READERS.get(value.datatype.value)
            return value.value if read is None else read(value.value)
        return self.subjects.get(value.value, value.value) if isinstance(value, ox.NamedNode) else str(value)
