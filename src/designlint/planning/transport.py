"""What the networks of a plan have in common: ports of their switches, and how a technology is run."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from designlint.planning.choices import choices

if TYPE_CHECKING:
    from designlint.planning.brief import Brief

#: Ethernet that pause frames keep from losing packets.
LOSSLESS = ("roce-v2", "ethernet")


def switch_ports(brief: Brief, switch: str, speed: str) -> int:
    """Ports of a switch at a speed, split where it is faster."""
    figures = brief.vocabulary.catalog["Switch"][brief.vocabulary.aliases["Switch"][switch]]["figures"]
    return int(figures["ports"] * max(1, round(figures["port_speed"] / brief.number(speed, "DataRate"))))


def addressable_ports(technology: str) -> float:
    """Ports of servers that one plane of a network can have."""
    return float(choices()["subnet"]["ports"]) if technology.startswith("infiniband") else inf


def packet_size(technology: str) -> str:
    """The largest packet of a technology that all of its parts carry."""
    return str(choices()["mtu"]["infiniband" if technology.startswith("infiniband") else "ethernet"])


def transport(technology: str) -> dict[str, Any]:
    """How a lossless network of a technology is run."""
    if technology.startswith("infiniband"):
        return {
            "load_balancing": "adaptive-routing",
            "congestion_control": "credit-based",
            "subnet_managers": "2",
            "mtu": packet_size(technology),
        }
    if technology not in LOSSLESS:
        return {"load_balancing": "adaptive-routing", "congestion_control": "vendor", "mtu": packet_size(technology)}
    return {
        "load_balancing": "packet-spraying", "congestion_control": "dcqcn", "pfc": "true", "pfc_watchdog": "true",
        "ecn": "true", "dscp_trust": "true", "mtu": packet_size(technology),
    }  # fmt: skip
