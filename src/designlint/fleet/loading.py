"""Designs into a store: each a named graph with its facts, where they come from, and what the rules say of it."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from designlint.design.design import read_design
from designlint.findings.model import Severity, Verdict
from designlint.fleet import numbers
from designlint.graph import fleet
from designlint.judging.judge import judge_design
from designlint.reading.discovery import open_document
from designlint.suppressions import waivers
from designlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from designlint.configuration import Policy
    from designlint.design.design import Design
    from designlint.findings.model import Finding
    from designlint.fleet.client import Client
    from designlint.judging.judge import Judged

#: Statements on findings that one update carries: stores limit the size of a query.
MOST_STATEMENTS = 500
#: Requests that wait for the one that is under way.
MOST_WAITING = 4


class Loaded(NamedTuple):
    """What was loaded."""

    designs: int
    triples: int


def load(client: Client, paths: Sequence[str], policy: Policy, day: str, *, provenance: bool = True) -> Loaded:
    """
    Load designs, each in place of what the store held of it.

    Args:
        day: as which the findings are kept, YYYY-MM-DD.
        provenance: whether each fact says where it comes from; what the graph as a whole comes from it always says.

    Raises:
        UsageError: a design that cannot be opened, a store that cannot be reached or refuses.
    """
    number, waiting = 0, list[str]()
    with _sending() as send:
        for path in paths:
            document = open_document(path)
            design = read_design(document, policy.engine(path))
            whole = judge_design(design)
            found = waivers.counting(whole.findings, design)
            lines = list(dict.fromkeys(statements(design, whole, found, provenance=provenance)))
            send(client.put_graph, fleet.graph_name(document.file), "\n".join([*lines, ""]).encode())
            number += len(lines)
            waiting += _day(design, found)
            if len(waiting) >= MOST_STATEMENTS:
                send(_keep, client, waiting, day)
                waiting = []
        send(_keep, client, waiting, day)
    return Loaded(len(paths), number)


@contextmanager
def _sending() -> Iterator[Callable[..., None]]:
    """Calls made one after another while the next design is judged; what one raises is raised by a later call, or at the end."""
    with ThreadPoolExecutor(1) as thread:
        under_way = deque[Future[None]]()

        def send(call: Callable[..., None], *arguments: object) -> None:
            under_way.append(thread.submit(call, *arguments))
            if len(under_way) > MOST_WAITING:
                under_way.popleft().result()

        yield send
        while under_way:
            under_way.popleft().result()


def _keep(client: Client, lines: Sequence[str], day: str) -> None:
    """Keep what was found on a day, so that later days can be held against it."""
    if lines:
        client.update(f"INSERT DATA {{ GRAPH <{fleet.DAY}{day}> {{ {' '.join(lines)} }} }}")


def statements(design: Design, whole: Judged, found: Sequence[Finding], *, provenance: bool) -> Iterator[str]:
    """A design in N-Triples: facts, what the graph comes from, verdicts."""
    yield from fleet.triples(design.graph, design.engine.plan if provenance else None)
    yield from numbers.marks(design.graph)
    graph = fleet.graph_name(design.document.file)
    digest = sha256("\0".join(design.texts().values()).encode("utf-8", "replace")).hexdigest()
    yield fleet.type_triple(graph, "LoadedDesign")
    told = {"file": design.document.file, "sha256": digest, "loaded": datetime.now(UTC).isoformat(timespec="seconds")}
    for word, value in {**told, "designlint_version": __version__}.items():
        yield fleet.line(graph, word, value)
    for severity in Severity:
        yield fleet.line(graph, f"{severity}_count", sum(one.severity is severity for one in found))
    yield fleet.line(graph, "unknown_count", sum(one is Verdict.UNKNOWN for one in whole.verdicts.values()))
    for number, one in enumerate(found):
        yield from _finding(f"{graph}#finding-{number}", one)
    for (rule, path), verdict in whole.verdicts.items():
        if verdict is Verdict.PASS:
            yield fleet.line(fleet.node(path), "passes", rule)


def _finding(name: str, one: Finding) -> Iterator[str]:
    yield fleet.type_triple(name, "Finding")
    yield fleet.link_triple(name, "about", one.subject)
    at = f"{one.location.file}:{one.location.line}"
    told = {"rule": one.rule, "severity": str(one.severity), "message": one.message, "line": at, "key": _key(one)}
    for word, value in told.items():
        yield fleet.line(name, word, value)


def _key(one: Finding) -> str:
    """What tells a finding from the others of its design, today and on other days."""
    return f"{one.rule} {one.subject}"


def _day(design: Design, found: Sequence[Finding]) -> list[str]:
    """The findings as they are kept of a day."""
    graph = fleet.graph_name(design.document.file)
    return [fleet.line(graph, str(one.severity), _key(one)) for one in found]
