"""Requests and limits of a container: those that Kubernetes refuses together, and resources that nothing offers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.kubernetes.quantities import amount
from designlint.importers.kubernetes.selecting import scalar
from designlint.importers.notations.structured import open_ended
from designlint.language.values import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.importers.base import Fragment, Value
    from designlint.importers.notations.structured import Table

#: Resources of which a container may request less than its limit; of devices it gets what both say.
SHARED = frozenset(("cpu", "memory", "ephemeral-storage"))
#: Resources that a device plugin offers: names with a domain other than Kubernetes' own.
DEVICE = re.compile(r"(?!(?:[\w.-]+\.)?kubernetes\.io/)[\w.-]+/")
#: A quantity as Kubernetes reads it.
QUANTITY = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?\Z")
#: How alike the name of a resource and a known one are, from 0 to 1, where one is the other misspelt.
ALIKE = 0.8


def report_refused(resources: Table, found: Fragment) -> None:
    """Notes requests above their limit, and those of devices that are not equal to it."""
    requests, limits = resources.table("requests"), resources.table("limits")
    for name in requests.names():
        asked, limit = scalar(requests, name), scalar(limits, name)
        one, other = amount(asked), amount(limit)
        if asked is not None and one and limit is None and DEVICE.match(name):
            found.clash("import/device-without-limit", asked, resource=name, one=asked.text)
        if asked is None or limit is None or one is None or other is None:
            continue
        if one > other or (one != other and name not in SHARED and not name.startswith("hugepages-")):
            must = "at most" if name in SHARED else "equal to"
            found.clash(
                "import/request-refused", asked, resource=name, one=asked.text, other=limit.text, must=must,
                where=limit.place,
            )  # fmt: skip


def report_malformed(resources: Table, found: Fragment) -> None:
    """Notes what is no quantity, once for each that is written out in the file."""
    for part in (resources.table("limits"), resources.table("requests")):
        for name in part.names():
            stated = scalar(part, name)
            report_quantity(stated, name, found)
            size = amount(stated) if DEVICE.match(name) else None
            if stated is not None and size is not None and size != int(size):
                wanted = f"a whole number, as Kubernetes wants of `{name[:60]}`"
                found.clash("import/not-a-value", stated, text=stated.text[:40], wanted=wanted)


def report_quantity(stated: Value | None, name: str, found: Fragment) -> None:
    """Notes what is no quantity, unless it is left to somebody else."""
    if stated is not None and not QUANTITY.match(stated.text) and not open_ended(stated):
        found.clash("import/not-a-value", stated, text=stated.text[:40], wanted=f"a quantity of `{name[:60]}`")


def report_misspelt(resources: Table, found: Fragment) -> None:
    """Notes resources that no device plugin offers and that look like one that some do, once for each name."""
    listed = [resources.table(part).node for part in ("limits", "requests")]
    nodes = {name: node for part in listed if part is not None for name, node in part.entries.items()}
    for name, node in nodes.items():
        for offered, tool in _resources_near(name) if node.key_start >= 0 else ():
            at = resources.source.value(name, node.key_start, node.key_end)
            found.clash("import/misspelt-key", at, name=name[:60], proposal=offered, tool=tool)


def report(resources: Table, found: Fragment) -> None:
    """Notes all that Kubernetes refuses of a container's resources."""
    report_refused(resources, found)
    report_malformed(resources, found)
    report_misspelt(resources, found)


def _resources_near(name: str) -> Iterator[tuple[str, str]]:
    """The known resource that a name is near to, and who offers it; one with digits or several parts may be a plug-in's own."""
    table = defaults.tool("kubernetes").tables["resources"]
    known = {one: tool for tool, names in table.items() for one in str(names).split()}
    domain, _, kind = name.rpartition("/")
    if name in known or not kind.isalpha():
        return
    same = [one.rpartition("/")[2] for one in known if one.rpartition("/")[0] == domain]
    for near in nearest(kind.lower(), same, most=1, alike=ALIKE):
        offered = f"{domain}/{near}".lstrip("/")
        yield offered, known[offered]
