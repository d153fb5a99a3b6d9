"""`ibswinfo`: what an InfiniBand switch says of itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fate, Fragment, How, Source, Value, Words, put, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context

TITLE = "ibswinfo"
TEXT = True
ROW = re.compile(r"\s*([\w#/() .:-]+?)\s*\|\s*(.*\S)?\s*\Z")


def sure(source: Source) -> int:
    """8 where its rows stand."""
    head = source.text[:5_000]
    return 8 if re.search(r"^part number\s+\|", head, re.MULTILINE) and "PSID" in head else 0


def design(models: Sequence[Source], context: Context) -> Fragment:
    """The kind of switch of a fabric; what its supplies draw is a moment's power, no data-sheet value."""
    found = Fragment()
    for source in models:
        rows: dict[str, list[Value]] = {}
        for number, (start, end, text) in enumerate(source.lines(), 1):
            row = ROW.match(text[:2000])
            if row and row[2]:
                rows.setdefault(row[1], []).append(Value(row[2], source, start, end, How.MEASURED))
                source.marks[number] = Fate.IMMATERIAL
            elif not text.strip("=- ") or number <= 3:
                source.marks[number] = Fate.IMMATERIAL
        switch: Words = {}
        part, ports = rows.get("part number"), rows.get("ports")
        put(
            switch,
            "model",
            part[0].but(re.split(r"-(?=[A-Z0-9]{4,5}$)", part[0].text)[0].lower()).of("Switch") if part else None,
        )
        put(switch, "ports", ports[0] if ports and whole(ports[0]) else None)
        if switch and part:
            name = part[0].but("infiniband", "the tool names no fabric", How.DERIVED).as_text()
            fabric: Words = {"name": name, "topology": {"switch": switch}}
            found.words["fabrics"] = [fabric]
        watts = rows.get("power (W)", [])
        numbers = [whole(one) for one in watts]
        if watts and all(one is not None for one in numbers):
            found.fact("power", watts[0].but(f"{sum(one or 0 for one in numbers)} W", "supplies added up"))
        found.fact("part number", part[0] if part else None)
        found.fact("fan status", rows["fan status"][-1] if "fan status" in rows else None)
    return found
