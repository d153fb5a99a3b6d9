"""The networks of a plan: compute, storage, management, out-of-band, each in counts that can be wired."""

from __future__ import annotations

from math import ceil, inf
from typing import TYPE_CHECKING, Any

from designlint.language.sentences import many
from designlint.planning.cabling import cabling
from designlint.planning.choices import choices, shell
from designlint.planning.document import Chosen, text_of
from designlint.planning.fabric import ClosTree, forest, slender
from designlint.planning.file_system import object_servers

if TYPE_CHECKING:
    from designlint.planning.brief import Brief

#: Ports of a server on the storage and the management network, each in a plane of its own where one is too small.
PORTS = 2
#: Ports by which the two switches of a small management network are joined.
PEER_PORTS = 2
#: Ports that each switch of the out-of-band network keeps free.
FREE_PORTS = 2
#: Ethernet that pause frames keep from losing packets.
LOSSLESS = ("roce-v2", "ethernet")
#: How every network is run.
COMMON = {"in_network_reduction": "none", "telemetry": "true", "segmented": "true", "labelled": "true", "qos": "true"}


def fabrics(brief: Brief, in_service: int, spares: int) -> list[dict[str, Any]] | None:
    """The networks, with ports for the spare servers, too; None where no known switch joins so many."""
    servers = in_service + spares
    compute = _compute(brief, in_service, servers)
    if compute is None:
        return None
    storage, in_band = _storage(brief, servers), _in_band(brief, servers)
    if storage is None or in_band is None:
        return None
    far = int(text_of(compute["topology"]["tiers"])) > 2
    others = [one | cabling(brief, one["name"], one["topology"], far=far) for one in (compute, storage, in_band)]
    return [*others, _out_of_band(brief, servers, sum(map(_switches, others)))]


def _switches(fabric: dict[str, Any]) -> int:
    """Switches of a network."""
    counts = (fabric["topology"].get(tier, "0") for tier in ("leaves", "spines", "cores"))
    return sum(int(one.text if isinstance(one, Chosen) else one) for one in counts)


def _radix(brief: Brief, switch: str, speed: str) -> int:
    """Ports of a switch at a speed, split where it is faster."""
    figures = brief.vocabulary.catalog["Switch"][brief.vocabulary.aliases["Switch"][switch]]["figures"]
    return int(figures["ports"] * max(1, round(figures["port_speed"] / brief.number(speed, "DataRate"))))


def _compute(brief: Brief, in_service: int, servers: int) -> dict[str, Any] | None:
    hardware = brief.hardware
    rails, domain, most = int(hardware["ports"]), domain_servers(brief), _addressable_ports(hardware["technology"])
    for switch in hardware["switches"]:
        radix = _radix(brief, switch, hardware["speed"])
        found = forest(servers, rails, radix, domain, most)
        if found is not None:
            without = forest(in_service, rails, radix, domain, most)
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
    return fabric | _transport(hardware["technology"]) | {"in_network_reduction": "sharp" if reduction else "none"}


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
        "kind": Chosen("fat-tree", "non-blocking: all-reduce bursts drive every port at once"),
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
        "uplinks_per_leaf": Chosen(str(found.ports), "as many uplinks as host ports"),
        "host_port_speed": speed,
        "uplink_speed": speed,
        "scalable_unit": str(found.unit),
    }


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
    reason = f"one plane has too few ports; {each} {'rail' if each == 1 else 'rails'} per plane, connected by NVLink"
    return Chosen(str(found.planes), "" if found.planes == 1 else reason)


def domain_servers(brief: Brief) -> int:
    """Servers of one scale-up domain."""
    found = brief.machine
    return max(1, found.domain // int(found.figures["gpus"]))


def _ports(brief: Brief, servers: int) -> int:
    """Ports of the storage and the management network: of the pool, of the file system, and of what serves both."""
    file_system = object_servers(brief, servers) + sum(
        int(one.get("metadata_servers", 0)) for one in shell()["storage"]
    )
    return PORTS * max(ceil(servers * _with_services()), servers + file_system)


def _storage(brief: Brief, servers: int) -> dict[str, Any] | None:
    hardware, given = brief.storage_hardware, choices()["networks"]["storage"]
    speed, most = hardware["speed"], _addressable_ports(hardware["technology"])
    trees = (
        _plain_tree(_ports(brief, servers), one, _radix(brief, one, speed), speed, joined=False, most=most)
        for one in hardware["switches"]
    )
    topology = next(filter(None, trees), None)
    return None if topology is None else {
        "name": brief.storage_network, "purpose": "storage", "technology": hardware["technology"], "speed": hardware["speed"],
        "topology": topology, "homing": given["homing"], "adaptive_routing": "true", **COMMON,
        **_transport(hardware["technology"]),
    }  # fmt: skip


def _in_band(brief: Brief, servers: int) -> dict[str, Any] | None:
    given = choices()["networks"]["in-band"]
    radix = _radix(brief, given["switch"], given["speed"])
    ratio = int(given["oversubscription"])
    topology = _plain_tree(_ports(brief, servers), given["switch"], radix, given["speed"], joined=True, ratio=ratio)
    return None if topology is None else {
        "name": "in-band", "purpose": "management", "technology": given["technology"], "speed": given["speed"],
        "topology": topology, "homing": given["homing"], "adaptive_routing": "false", "load_balancing": "ecmp",
        "mtu": _mtu(given["technology"]), **COMMON,
    }  # fmt: skip


def _addressable_ports(technology: str) -> float:
    """Ports of servers that one plane of a network can have."""
    return float(choices()["subnet"]["ports"]) if technology.startswith("infiniband") else inf


def _plain_tree(
    ports: int, switch: str, radix: int, speed: str, *, joined: bool, most: float = inf, ratio: int = 1
) -> dict[str, Any] | None:
    """
    A tree without rails for so many ports; where two switches have them, one for each of the two ports of a server.

    None where no tree of such switches has so many ports.

    Args:
        joined: whether both switches are one pair, and so in one plane.
        ratio: host ports of a leaf for each of its uplinks.
    """
    each = ceil(ports / PORTS)
    if each <= radix - PEER_PORTS:
        return {
            "kind": "fat-tree", "tiers": "1", "switch": switch, "planes": "1" if joined else str(PORTS),
            "rail_optimized": "false",
            "leaves": Chosen(str(PORTS), "one for each port of a server"), "spines": "0", "host_ports_per_leaf": str(each),
            "host_port_speed": speed,
        }  # fmt: skip
    alone = ports <= min(radix**3 // 4, most)
    if ratio > 1:
        found = slender(ports, radix, ratio, PEER_PORTS)
    else:
        found = (
            forest(ports, 1, radix) if alone else forest(each, PORTS, radix, most=most) or forest(each, PORTS, radix)
        )
    if found is None:
        return None
    upper = {
        "pods": str(found.pods),
        "cores": str(found.cores),
        "uplinks_per_spine": str(found.spine_uplinks),
        "spine_oversubscription": "1",
    }
    cores = upper if found.tiers == 3 else {}
    return {
        "kind": "fat-tree", "tiers": str(found.tiers), "switch": switch, "planes": str(found.planes), "rail_optimized": "false",
        "leaves": Chosen(str(found.leaves), f"for {ports} ports"), "spines": str(found.spines), **cores,
        "host_ports_per_leaf": str(found.unit * ratio), "uplinks_per_leaf": Chosen(str(found.unit), _why(ratio)),
        "host_port_speed": speed, "uplink_speed": speed,
    }  # fmt: skip


def _why(ratio: int) -> str:
    """Why a leaf has fewer uplinks than host ports; empty where it does not."""
    source = choices()["networks"]["in-band"]["source"]
    return "" if ratio == 1 else f"one for every {ratio} host ports: management is no collective traffic ({source})"


def _with_services() -> float:
    """Servers that a management network has ports for, by servers of the pool."""
    return 1 + float(choices()["networks"]["services"]["share"])


def _out_of_band(brief: Brief, servers: int, switches: int) -> dict[str, Any]:
    """A port for each server and each switch, its own among them, and for servers beside the pool."""
    given = choices()["networks"]["out-of-band"]
    ports = _radix(brief, given["switch"], given["speed"])
    leaves = max(1, ceil((servers + switches) * _with_services() / (ports - FREE_PORTS)))
    return {
        "name": "out-of-band", "purpose": "out-of-band", "technology": given["technology"], "speed": given["speed"],
        "topology": {
            "kind": "fat-tree", "tiers": "1", "switch": {"model": given["switch"], "power": given["power"]}, "planes": "1",
            "rail_optimized": "false", "leaves": str(leaves), "spines": "0", "host_ports_per_leaf": str(ports),
        },
        "homing": given["homing"], "load_balancing": "ecmp", "in_network_reduction": "none", "mtu": given["mtu"], "qos": "true",
        "telemetry": "true", "segmented": "true", "labelled": "true",
    }  # fmt: skip


def _mtu(technology: str) -> str:
    """The largest packet of a technology that all of its parts carry."""
    return str(choices()["mtu"]["infiniband" if technology.startswith("infiniband") else "ethernet"])


def _transport(technology: str) -> dict[str, Any]:
    """How a lossless network of a technology is run."""
    if technology.startswith("infiniband"):
        return {
            "load_balancing": "adaptive-routing",
            "congestion_control": "credit-based",
            "subnet_managers": "2",
            "mtu": _mtu(technology),
        }
    if technology not in LOSSLESS:
        return {"load_balancing": "adaptive-routing", "congestion_control": "vendor", "mtu": _mtu(technology)}
    return {
        "load_balancing": "packet-spraying", "congestion_control": "dcqcn", "pfc": "true", "pfc_watchdog": "true",
        "ecn": "true", "dscp_trust": "true", "mtu": _mtu(technology),
    }  # fmt: skip
