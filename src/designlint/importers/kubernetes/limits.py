"""Requests and limits of a container that Kubernetes refuses together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.kubernetes.quantities import amount
from designlint.importers.kubernetes.selecting import scalar

if TYPE_CHECKING:
    from designlint.importers.base import Fragment
    from designlint.importers.notations.structured import Table

#: Resources of which a container may request less than its limit; of devices it gets what both say.
SHARED = frozenset(("cpu", "memory", "ephemeral-storage"))


def report_refused(resources: Table, found: Fragment) -> None:
    """Notes requests above their limit, and those of devices that are not equal to it."""
    requests, limits = resources.table("requests"), resources.table("limits")
    for name in requests.names():
        asked, limit = scalar(requests, name), scalar(limits, name)
        one, other = amount(asked), amount(limit)
        if asked is None or limit is None or one is None or other is None:
            continue
        if one > other or (one != other and name not in SHARED and not name.startswith("hugepages-")):
            must = "at most" if name in SHARED else "equal to"
            found.clash(
                "import/request-refused", asked, resource=name, one=asked.text, other=limit.text, must=must,
                where=limit.place,
            )  # fmt: skip
