"""Labels for cables: one row for each end, with what it is plugged into and what is at the far end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.exporters.base import Export
from designlint.exporters.formats.cables import rows
from designlint.reporters.shared.spreadsheet import comma_separated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.exporters.base import Order
    from designlint.wiring.graph import Wiring

TITLE = "Cable labels"
COLUMNS = ("label", "cable", "end", "near", "near_port", "far", "far_port")


def write(order: Order) -> Export:
    """Two labels for each cable. Raises: Refusal where no cable follows from the design."""
    wiring, notes = order.assign_ports()
    return Export(comma_separated([COLUMNS, *_labels(wiring, order)], end="\n"), notes)


def _labels(wiring: Wiring, order: Order) -> Iterator[tuple[str, ...]]:
    for cable, _, one, _, one_port, other, _, other_port, _ in rows(wiring, order):
        for end, near, far in (
            ("a", (one, one_port), (other, other_port)),
            ("b", (other, other_port), (one, one_port)),
        ):
            yield f"{'/'.join(near)} > {'/'.join(far)}", cable, end, *near, *far
