"""Questions about all designs of a store: shipped ones by name, or SPARQL."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from designlint.fleet import numbers
from designlint.graph import fleet
from designlint.language import resources
from designlint.language.values import instead
from designlint.language.vocabulary import DESIGN, NAMESPACE, UNREAD
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.fleet.client import Client, Row

#: A value that a shipped query takes, with what it is where nobody says: `$share=0.05`.
VALUE = re.compile(r"\$(\w+)=([\w.:-]+)")
PREFIXES = f"PREFIX : <{NAMESPACE}>\nPREFIX design: <{DESIGN}>\nPREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"
NAME, GIVEN = re.compile(r"[a-z0-9-]+"), re.compile(r"[\w.:+-]+")


#: What a store says of designs besides the words of the language; see `designlint.fleet.loading`.
WORDS = frozenset({
    "Finding", "LoadedDesign", "about", "designlint_version", "error_count", "file", "info_count", "key", "line", "loaded",
    "message", "passes", "rule", "severity", "sha256", "unknown_count", "warning_count",
    "error", "info", "warning",  # on a day
    numbers.STATES, *numbers.SIDES.values(), UNREAD,
})  # fmt: skip


class FleetQuestion(NamedTuple):
    """A shipped query: its name, what it asks, and its text."""

    name: str
    title: str
    text: str


def shipped_questions() -> list[FleetQuestion]:
    """The queries that come with designlint; the first line of each says what it asks."""
    found = []
    for path in resources.files(resources.ontology("fleet"), ".rq"):
        title, _, text = path.read_text("utf-8").partition("\n")
        found.append(FleetQuestion(path.stem, title.lstrip("# ").rstrip("."), text))
    return found


def answer(client: Client, question: str, given: Mapping[str, str]) -> tuple[list[str], list[Row]]:
    """The columns and rows of a question; graphs and nodes as files and paths. Raises UsageError."""
    answer = client.answer(PREFIXES + (_fill_query(question, given) if NAME.fullmatch(question) else question))
    if "results" not in answer:
        raise UsageError("only SELECT queries are answered")
    rows = [{name: _plain(cell["value"]) for name, cell in row.items()} for row in answer["results"]["bindings"]]
    return answer["head"]["vars"], rows


def _plain(text: str) -> str:
    if text.startswith(fleet.GRAPH):
        return fleet.file_of(text)
    return fleet.path_of(text) or "." if text.startswith(DESIGN) else text.removeprefix(NAMESPACE)


def _fill_query(name: str, given: Mapping[str, str]) -> str:
    """A shipped query with its values. Raises UsageError."""
    known = {one.name: one.text for one in shipped_questions()}
    if name not in known:
        hint = instead(name, known, f"; there are {', '.join(known)}")
        raise UsageError(f"no shipped question is called `{name}`{hint}")
    taken = {one[1] for one in VALUE.finditer(known[name])}
    for one, value in given.items():
        if one not in taken:
            raise UsageError(
                f"{name} takes no value `{one}`" + (f"; it takes {', '.join(sorted(taken))}" if taken else "")
            )
        if not GIVEN.fullmatch(value):
            raise UsageError(f"`{value}` is not a plain value of {one}")
    return VALUE.sub(lambda one: given.get(one[1], one[2]), known[name])
