"""The networks beside compute: storage, management and out-of-band, with ports for what is on them beside the servers."""

from __future__ import annotations

from math import ceil, inf
from typing import TYPE_CHECKING, Any

from designlint.planning.choices import choices
from designlint.planning.document import Chosen, text_of
from designlint.planning.fabric import forest, slender
from designlint.planning.file_system import BITS, file_servers, rates
from designlint.planning.transport import addressable_ports, packet_size, switch_ports, transport

if TYPE_CHECKING:
    from designlint.planning.brief import Brief

#: Ports of a server on the storage and the management network, each in a plane of its own where one is too small.
PORTS = 2
#: Ports by which the two switches of a small management network are joined.
PEER_PORTS = 2
#: Ports that each switch of the out-of-band network keeps free.
FREE_PORTS = 2
#: How every network is run.
COMMON = {"in_network_reduction": "none", "telemetry": "true", "segmented": "true", "labelled": "true", "qos": "true"}


def _ports(servers: int, files: int) -> int:
    """Ports of the storage and the management network: of the pool, of the file system, and of what serves both."""
    return PORTS * max(ceil(servers * _with_services()), servers + files)


def _with_services() -> float:
    """Servers that a management network has ports for, by servers of the pool."""
    return 1 + float(choices()["networks"]["services"]["share"])


def _taken(files: int) -> Chosen:
    """Ports that the file system takes."""
    return Chosen(str(PORTS * files), f"{PORTS} for each server of the file system")


def connect_storage(brief: Brief, in_service: int, servers: int) -> dict[str, Any] | None:
    """The storage network; None where no known switch joins so many servers."""
    hardware, given, files = brief.storage_hardware, choices()["networks"]["storage"], file_servers(brief, in_service)
    read = rates(brief, in_service).read
    trees = (_storage_tree(brief, _ports(servers, files), one, read) for one in hardware["switches"])
    topology = next(filter(None, trees), None)
    return None if topology is None else {
        "name": brief.storage_network, "purpose": "storage", "technology": hardware["technology"],
        "speed": Chosen(hardware["speed"], _why_slower(brief)), "topology": topology, "manager_ports": _taken(files),
        "homing": given["homing"], "adaptive_routing": "true", **COMMON, **transport(hardware["technology"]),
    }  # fmt: skip


def _why_slower(brief: Brief) -> str:
    """Why ports into storage are slower than those of the compute network; empty where they are not."""
    given, compute = choices()["networks"]["storage"], brief.hardware
    slower = given["slower"].get(compute["technology"])
    if slower is None or brief.storage_hardware["speed"] != slower["speed"]:
        return ""
    return f"as on servers with compute ports of {compute['speed']} ({given['source']})"


def _storage_tree(brief: Brief, ports: int, switch: str, read: float) -> dict[str, Any] | None:
    """
    The topology whose leaves have the fewest uplinks that carry what the file system reads with room to spare.

    Args:
        read: of the file system. [B/s]
    """
    given, hardware, units = choices()["networks"]["storage"], brief.storage_hardware, brief.vocabulary.units
    speed = hardware["speed"]
    radix, most = switch_ports(brief, switch, speed), addressable_ports(hardware["technology"])
    ratios = range(int(given["oversubscription"]) if ports <= most else 1, 0, -1)
    trees = ((one, _plain_tree(ports, switch, radix, speed, joined=False, most=most, ratio=one)) for one in ratios)
    for ratio, found in trees:
        if found is None or "uplinks_per_leaf" not in found or ratio == 1:
            break
        uplinks = text_of(found["uplinks_per_leaf"])
        carried = int(text_of(found["leaves"])) * int(uplinks) * brief.number(speed, "DataRate") / BITS
        if carried >= float(given["room"]) * read:
            least = units.format_planned(read, "Bandwidth", "up")
            shown = f"all uplinks carry {units.format(carried, 'Bandwidth')}, the file system reads {least}"
            why = f"one for every {ratio} host ports; {shown}"
            return found | {"uplinks_per_leaf": Chosen(uplinks, why)}
    return found


def connect_management(brief: Brief, in_service: int, servers: int) -> dict[str, Any] | None:
    """The in-band network; None where no known switch joins so many servers."""
    given, files = choices()["networks"]["in-band"], file_servers(brief, in_service)
    radix = switch_ports(brief, given["switch"], given["speed"])
    ports, ratio = _ports(servers, files), int(given["oversubscription"])
    topology = _plain_tree(ports, given["switch"], radix, given["speed"], joined=True, ratio=ratio)
    if topology is None:
        return None
    if "uplinks_per_leaf" in topology:
        why = f"one for every {ratio} host ports: management is no collective traffic ({given['source']})"
        topology["uplinks_per_leaf"] = Chosen(text_of(topology["uplinks_per_leaf"]), why)
    return {
        "name": "in-band", "purpose": "management", "technology": given["technology"], "speed": given["speed"],
        "topology": topology, "manager_ports": _taken(files), "homing": given["homing"], "adaptive_routing": "false",
        "load_balancing": "ecmp", "mtu": packet_size(given["technology"]), **COMMON,
    }  # fmt: skip


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
    each, kept = ceil(ports / PORTS), PEER_PORTS * joined
    if each <= radix - PEER_PORTS:
        return {
            "kind": "fat-tree", "tiers": "1", "switch": switch, "planes": "1" if joined else str(PORTS),
            "rail_optimized": "false",
            "leaves": Chosen(str(PORTS), "one for each port of a server"), "spines": "0", "host_ports_per_leaf": str(each),
            "host_port_speed": speed,
        }  # fmt: skip
    alone = ports <= min(radix**3 // 4, most)
    if ratio > 1:
        found = slender(ports, radix, ratio, kept)
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
        "host_ports_per_leaf": str(found.unit * ratio), "uplinks_per_leaf": str(found.unit),
        "host_port_speed": speed, "uplink_speed": speed,
    }  # fmt: skip


def connect_controllers(brief: Brief, in_service: int, servers: int, switches: int) -> dict[str, Any]:
    """The out-of-band network: a port for each server and each switch, its own among them, and for servers beside the pool."""
    given, files = choices()["networks"]["out-of-band"], file_servers(brief, in_service)
    needed = max((servers + switches) * _with_services(), servers + switches + files)
    ports = switch_ports(brief, given["switch"], given["speed"])
    leaves = max(1, ceil(needed / (ports - FREE_PORTS)))
    managed = Chosen(str(switches + leaves + files), "one for each switch and each server of the file system")
    return {
        "name": "out-of-band", "purpose": "out-of-band", "technology": given["technology"], "speed": given["speed"],
        "topology": {
            "kind": "fat-tree", "tiers": "1", "switch": {"model": given["switch"], "power": given["power"]}, "planes": "1",
            "rail_optimized": "false", "leaves": str(leaves), "spines": "0", "host_ports_per_leaf": str(ports),
        },
        "manager_ports": managed, "homing": given["homing"], "load_balancing": "ecmp", "in_network_reduction": "none",
        "mtu": given["mtu"], "qos": "true", "telemetry": "true", "segmented": "true", "labelled": "true",
    }  # fmt: skip
