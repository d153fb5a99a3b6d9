"""The wiring of a fabric of a design: as listed, else as it follows from counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.design.known import Known
from designlint.graph.subjects import Subject
from designlint.wiring.graph import Wiring
from designlint.wiring.known import fabric
from designlint.wiring.listed import list_wiring
from designlint.wiring.regular import regular

if TYPE_CHECKING:
    from designlint.design.design import Design

#: How adapters are connected to leaves that have cables between them.
PAIRED = ("mlag", "stacked")


def of_design(design: Design, name: str = "") -> Wiring:
    """The wiring of the fabric of a name, or of the one that carries training. Raises: UsageError where there is none."""
    known = fabric(design, name)
    part = known.subject.facts.get("topology")
    if not isinstance(part, Subject):
        reason = "the design states no topology"
        return Wiring(known.subject.name, links_open=reason, hosts_open=reason, spot=known.spot)
    topology = Known(design, part)
    wiring = list_wiring(known, topology) if topology.parts("switches") else regular(known, topology)
    homing = known.text("homing")
    wiring.paired = homing in PAIRED if homing or known.text("technology").startswith("infiniband") else None
    return wiring
