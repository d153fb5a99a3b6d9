"""The networks of a plan: compute, storage, management, out-of-band, each in counts that can be wired."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.language.sentences import many
from designlint.planning.cabling import cabling
from designlint.planning.choices import choices
from designlint.planning.document import Chosen, text_of
from designlint.planning.fabric import ClosTree, crowd, forest, split_rails
from designlint.planning.frontend import connect_controllers, connect_management, connect_storage
from designlint.planning.transport import addressable_ports, switch_ports, transport

if TYPE_CHECKING:
    from designlint.planning.brief import Brief


def fabrics(brief: Brief, in_service: int, spares: int) -> list[dict[str, Any]] | None:
    """The networks, with ports for the spare servers, too; None where no known switch joins so many."""
    servers = in_service + spares
    compute = _compute(brief, in_service, servers)
    if compute is None:
        return None
    storage, in_band = connect_storage(brief, in_service, servers), connect_management(brief, in_service, servers)
    if storage is None or in_band is None:
        return None
    far = int(text_of(compute["topology"]["tiers"])) > 2
    others = [one | cabling(brief, one["name"], one["topology"], far=far) for one in (compute, storage, in_band)]
    return [*others, connect_controllers(brief, in_service, servers, sum(map(_switches, others)))]


def _switches(fabric: dict[str, Any]) -> int:
    """Switches of a network."""
    counts = (fabric["topology"].get(tier, "0") for tier in ("leaves", "spines", "cores"))
    return sum(int(one.text if isinstance(one, Chosen) else one) for one in counts)


def _compute(brief: Brief, in_service: int, servers: int) -> dict[str, Any] | None:
    hardware = brief.hardware
    rails, domain, most = int(hardware["ports"]), domain_servers(brief), addressable_ports(hardware["technology"])
    for switch in hardware["switches"]:
        radix = switch_ports(brief, switch, hardware["speed"])
        without = forest(in_service, rails, radix, domain, most)
        found = forest(servers, rails, radix, domain, most)
        if without is not None and domain == 1 and (found is None or found.leaves > without.leaves):
            found = _fewer(found, crowd(without, servers, in_service, rails, radix))
        if without is not None and without.tiers == 1 and brief.machine.domain >= brief.gpus_per_server:
            found = _fewer(split_rails(servers, rails, radix), found)
        if found is not None:
            break
    else:
        return None
    fabric: dict[str, Any] = {
        "name": brief.compute,
        "purpose": "compute",
        "technology": hardware["technology"],
        "speed": Chosen(hardware["speed"], _ports_of(rails, brief.gpus_per_server)),
        "topology": _rails(found, rails, switch, hardware["speed"], without)
        | _explain_tiers(found, without, in_service),
        "homing": "single",
        "adaptive_routing": "true",
        "telemetry": "true",
        "segmented": "true",
        "labelled": "true",
        "qos": "true",
    }
    reduction = brief.vocabulary.catalog["Switch"][switch]["figures"].get("in_network_reduction")
    return fabric | transport(hardware["technology"]) | {"in_network_reduction": "sharp" if reduction else "none"}


def _fewer(found: ClosTree | None, other: ClosTree | None) -> ClosTree | None:
    """Of two trees the one with fewer switches."""
    return min(filter(None, (found, other)), key=lambda one: one.switches, default=None)


def _ports_of(ports: int, gpus: int) -> str:
    """How many ports the GPUs of a server have."""
    if ports == gpus:
        return "one port per GPU"
    return (
        f"one port per {gpus // ports} GPUs" if gpus % ports == 0 else f"{many(ports, 'port')} for {many(gpus, 'GPU')}"
    )


def _rails(found: ClosTree, rails: int, switch: str, speed: str, without: ClosTree | None) -> dict[str, Any]:
    """
    The topology of a rail-optimized tree, or of one switch.

    Args:
        without: the tree that the servers in service would need alone.
    """
    alike = without is not None and (without.tiers, without.unit) == (found.tiers, found.unit)
    spared = "; the last unit is for the spares" if alike and without and without.leaves < found.leaves else ""
    if found.tiers == 1:
        return {
            "kind": Chosen("fat-tree", f"one switch {'per plane' if found.planes > 1 else 'has enough ports for all servers'}"),
            "tiers": "1", "switch": switch, "planes": _planes(found, rails), "rail_optimized": "false",
            "leaves": str(found.leaves), "spines": "0", "host_ports_per_leaf": str(found.ports),
            "host_port_speed": speed, "scalable_unit": str(found.unit),
        }  # fmt: skip
    cores = {
        "pods": str(found.pods),
        "cores": Chosen(str(found.cores), "connected evenly to each spine"),
        "uplinks_per_spine": str(found.spine_uplinks),
        "spine_oversubscription": "1",
    }
    whose = "those of its pod" if found.tiers == 3 else "those of its plane" if found.planes > 1 else "them"
    return {
        "kind": Chosen(
            "fat-tree",
            "non-blocking: all-reduce bursts drive every port at once" if found.uplinks == found.ports else "",
        ),
        "tiers": str(found.tiers),
        "switch": switch,
        "planes": _planes(found, rails),
        "rail_optimized": Chosen("true", "port n of every server connects to the same leaf of its unit"),
        "leaves": Chosen(
            str(found.leaves),
            f"{rails // found.rails_per_leaf} for every {found.unit} servers"
            + (f", in {found.pods * found.planes} pods of one size" if found.tiers == 3 else spared),
        ),
        "spines": Chosen(str(found.spines), f"every leaf has the same number of cables to each of {whose}"),
        **(cores if found.tiers == 3 else {}),
        "host_ports_per_leaf": str(found.ports),
        "uplinks_per_leaf": Chosen(str(found.uplinks), _why_uplinks(found)),
        "host_port_speed": speed,
        "uplink_speed": speed,
        "scalable_unit": str(found.unit),
    }


def _why_uplinks(found: ClosTree) -> str:
    """How the uplinks of a leaf compare with its host ports."""
    if found.uplinks == found.ports:
        return "as many uplinks as host ports"
    ratio, source = found.working_ratio, choices()["spare_ports"]["source"]
    return f"{ratio:.2f}:1 for the servers in service, without measurable harm ({source}); spares send nothing"


def _explain_tiers(found: ClosTree, without: ClosTree | None, in_service: int) -> dict[str, Any]:
    """The tiers with their reason, where only the spare servers make them so many."""
    if without is None or without.tiers >= found.tiers:
        return {}
    enough = "one switch connects" if without.tiers == 1 else "two tiers connect"
    more = "a second tier" if found.tiers == 2 else "a third tier"
    reason = f"{enough} the {in_service} servers in service; the spares need {more}"
    return {"tiers": Chosen(str(found.tiers), reason)}


def _planes(found: ClosTree, rails: int) -> Chosen:
    each = rails // found.planes
    reason = f"one plane has too few ports; {many(each, 'rail')} per plane, connected by the scale-up network"
    return Chosen(str(found.planes), "" if found.planes == 1 else reason)


def domain_servers(brief: Brief) -> int:
    """Servers of one scale-up domain."""
    found = brief.machine
    return max(1, found.domain // int(found.figures["gpus"]))
