"""What a design says of one fabric, in plain values: counts, rates, the pools of servers on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from designlint.design.known import Known, Spot
from designlint.language.hostlists import HostListError, expand
from designlint.language.purposes import TRAINING
from designlint.reading.errors import UsageError
from designlint.wiring.graph import MOST, number_names

if TYPE_CHECKING:
    from designlint.design.design import Design


class Pool(NamedTuple):
    """A pool of servers on the fabric: names of its servers, ports of each, their rate [bit/s]."""

    name: str
    servers: list[str]
    ports: int
    speed: float | None
    assigned: bool
    spot: Spot | None


def fabrics(design: Design) -> list[Known]:
    """The fabrics that the design states, those that carry training first."""
    found = Known.of_kind(design, "Fabric")
    return sorted(found, key=lambda one: one.text("purpose") not in TRAINING)


def fabric(design: Design, name: str = "") -> Known:
    """The fabric of a name; without one that which carries training, or the only one. Raises: UsageError."""
    found = fabrics(design)
    chosen = [one for one in found if one.subject.name == name] if name else found[:1]
    if not chosen:
        names = ", ".join(one.subject.name for one in found) or "none"
        told = f"there is no fabric `{name}`; the design states {names}" if name else "the design states no fabric"
        raise UsageError(f"{design.document.file}: {told}")
    return chosen[0]


def pools(known: Known) -> list[Pool]:
    """The pools of servers on a fabric, in the order of the design; those whose number or ports are unknown are left out."""
    found: list[Pool] = []
    for attachment in known.subject.step("^Attachment.fabric"):
        owner, ports = attachment.owner, attachment.facts.get("ports")
        if owner is None or not isinstance(ports, int):
            continue
        pool = Known(known.design, owner)
        names, assigned = servers(pool)
        speed = Known(known.design, attachment).number("speed")
        if names:
            found.append(Pool(owner.name, names, ports, speed, assigned, pool.spot))
    return found


def servers(pool: Known) -> tuple[list[str], bool]:
    """The names of a pool's servers, spares included, and whether they are formed from its name; none without a count."""
    stated = pool.fact("servers")
    names: list[str] = []
    for one in stated if isinstance(stated, list) else []:
        try:
            names += expand(str(one))
        except HostListError:
            names.append(str(one))
    if names:
        return names, False
    count = pool.count("installed_servers")
    return number_names(pool.subject.name, count) if count and count <= MOST else [], True
