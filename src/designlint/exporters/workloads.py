"""The workload that is exported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.design.known import Known, spot_of
from designlint.exporters.base import ExportRefusal
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from designlint.exporters.base import Order


def chosen(order: Order) -> Known:
    """The workload of the order's name, else the first. Raises: UsageError where none has that name, Refusal where none is."""
    found = [one for one in order.design.graph.by_class.get("Workload", ()) if one.node is not None]
    named = [one for one in found if one.name == order.workload] if order.workload else found[:1]
    if not named and order.workload:
        names = ", ".join(one.name for one in found) or "none"
        raise UsageError(f"there is no workload `{order.workload}`; the design states {names}")
    if not named:
        raise ExportRefusal("the design states no workload", spot_of(order.design.graph.root.node))
    return Known(order.design, named[0])
