"""A cable schedule in CSV: a row for each cable, with both ends and their ports, as `designlint export --to cables` writes it."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, TypeAlias

from designlint.importers.base import Fate, Fragment, How, ImportRefusal, Source, Value, Words, put
from designlint.importers.cables import ImportedCable, links
from designlint.language.tiers import TIERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context

TITLE = "cable schedule"
NEEDED = frozenset(("from", "to", "from_port", "to_port"))
SERVER = "server"

Row: TypeAlias = "dict[str, Value]"


def sure(source: Source) -> int:
    """9 where the first line names the columns."""
    return 9 if set(_cells(source.text[:500].partition("\n")[0])) >= NEEDED else 0


def read(source: Source, context: Context) -> list[Row]:
    """The rows, every cell with its line. Raises: Refusal where a row has more cells than the first."""
    rows: list[Row] = []
    columns: list[str] = []
    for number, (start, end, text) in enumerate(source.lines(), 1):
        if not text.strip():
            continue
        cells = _cells(text)
        if not columns:
            columns = cells
            source.mark(start, end, Fate.UNDERSTOOD)
        elif len(cells) > len(columns):
            raise ImportRefusal(
                f"its line {number} has {len(cells)} cells, but {len(columns)} columns are named", number
            )
        else:
            named = zip(columns, cells, strict=False)
            rows.append({word: source.value(cell, start, end) for word, cell in named if cell})
    return rows


def _cells(line: str) -> list[str]:
    try:
        return [one.strip().removeprefix("'") for one in next(csv.reader([line]), [])]
    except csv.Error:
        return []


def design(models: Sequence[list[Row]], context: Context) -> Fragment:
    """A fabric for each name in the schedule: its switches, the links between them, and the cables to servers."""
    found = Fragment()
    fabrics: dict[str, list[Row]] = {}
    for row in (one for rows in models for one in rows):
        if "from" in row and "to" in row:
            name = row.get("fabric")
            fabrics.setdefault(name.text if name is not None else "", []).append(row)
    listed: list[Words] = [_fabric(rows) for rows in fabrics.values()]
    if listed:
        found.words["fabrics"] = listed
    return found


def _fabric(rows: list[Row]) -> Words:
    first = rows[0].get("fabric") or rows[0]["from"].but("cables", "the schedule names no fabric", How.DERIVED)
    switches: dict[str, Words] = {}
    hosts: list[Words] = []
    cables: list[ImportedCable] = []
    for row in rows:
        for end in ("to", "from"):
            role = row.get(f"{end}_role")
            if role is None or role.text != SERVER:
                words = switches.setdefault(row[end].text, {"name": row[end].as_text()})
                put(words, "role", role.as_text() if role is not None and role.text in TIERS else None)
        ends = [row.get(f"{end}_role") for end in ("from", "to")]
        if any(one is not None and one.text == SERVER for one in ends):
            hosts.append(_host(row, turned=ends[0] is None or ends[0].text != SERVER))
        else:
            cables.append(
                ImportedCable(row["from"], row.get("from_port"), row["to"], row.get("to_port"), row.get("speed"))
            )
    topology: Words = {"switches": list(switches.values()), "links": list(links(cables)), "host_links": hosts}
    return {"name": first.as_text(), "topology": topology}


def _host(row: Row, *, turned: bool) -> Words:
    server, leaf = ("to", "from") if turned else ("from", "to")
    words: Words = {"server": row[server].as_text()}
    adapter = row.get(f"{server}_port")
    if adapter is not None:
        words["nic" if adapter.text.isdigit() else "adapter"] = adapter if adapter.text.isdigit() else adapter.as_text()
    words["to"] = row[leaf].as_text()
    put(words, "port", port.as_text() if (port := row.get(f"{leaf}_port")) is not None else None)
    put(words, "speed", row.get("speed"))
    return words
