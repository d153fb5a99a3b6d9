"""What the address prefixes of a design hold, and whether they overlap."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from designlint.derivations.base import derivation, lower

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Count

Prefix: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

#: Addresses beyond which they are not counted: the host part of an IPv6 prefix is larger than any cluster.
MOST = 2**32

#: What prefixes are written with.
WRITTEN = frozenset("0123456789abcdefABCDEF.:/ ")
#: Letters that are taken for digits; any other stands for numbers that are left open, as in 10.x.0.0/16.
LOOK_LIKE_DIGITS = frozenset("OoIl")


@derivation(of="Fabric")
def prefix_text(prefixes: tuple[Text, ...]) -> Text:
    """Address prefixes of the fabric as one text."""
    return ", ".join(prefixes)


@derivation(of="Fabric")
def malformed_prefixes(prefixes: tuple[Text, ...]) -> Count | None:
    """
    Number of malformed address prefixes of the fabric. [1]

    A prefix is an address and a length, all bits of the address behind the length 0. Absent where one is a pattern, such
    as 10.x.0.0/16.
    """
    return (
        sum(_prefix(one) is None for one in prefixes) if set("".join(prefixes)) <= WRITTEN | LOOK_LIKE_DIGITS else None
    )


@derivation(of="Fabric")
def malformed_prefix(prefixes: tuple[Text, ...]) -> Text | None:
    """First malformed address prefix of the fabric."""
    return next((one for one in prefixes if _prefix(one) is None), None)


@derivation(of="Fabric")
def address_count(prefixes: tuple[Text, ...]) -> Count | None:
    """
    Number of host addresses in the prefixes of the fabric. [1]

    In IPv4 the first and the last address of a prefix are left out, but for prefixes of two or one. Counted up to 2^32;
    absent where a prefix is none.
    """
    found = [_prefix(one) for one in prefixes]
    counts = [None if one is None else _hosts(one) for one in found]
    return None if None in counts else min(MOST, sum(one or 0 for one in counts))


@derivation(of="Fabric", kind=lower)
def addresses_needed(
    purpose: Text | None, managed_devices: Count | None, attached_servers: tuple[Count | None, ...]
) -> Count | None:
    """
    Addresses that servers, or management ports, take on the fabric. [1]

    A lower bound: one address for each server, however many ports it has; of an out-of-band network one for each
    management port. Gateways, switches and storage are left out.
    """
    if purpose == "out-of-band":
        return managed_devices
    return sum(one or 0 for one in attached_servers) or None


class Prefixes(Struct, frozen=True):
    """Address prefixes of a fabric, and all that a design states of others."""

    name: Text
    prefixes: tuple[Text, ...]
    network_names: tuple[Text | None, ...]
    network_prefixes: tuple[Text | None, ...]
    pod_networks: tuple[Text | None, ...]
    service_networks: tuple[Text | None, ...]

    @property
    def overlaps(self) -> list[str]:
        """Each prefix that overlaps one stated before: of a fabric, of pods, of services, or of its own."""
        found = [("the pods", one) for one in self.pod_networks if one]
        found += [("the services", one) for one in self.service_networks if one]
        for owner, text in zip(self.network_names, self.network_prefixes, strict=True):
            if owner == self.name:
                break
            found += [(owner or "another fabric", one) for one in (text or "").split(", ")]
        return _overlaps(self.prefixes, found)


@derivation(of="Fabric", groups=(Prefixes,))
def overlapping_prefixes(stated: Prefixes) -> Count | None:
    """
    Number of address prefixes of the fabric that overlap an earlier prefix of a fabric, of pods or of services. [1]

    Prefixes of others that are none are left out; absent where one of its own is none.
    """
    return None if any(_prefix(one) is None for one in stated.prefixes) else len(stated.overlaps)


@derivation(of="Fabric", groups=(Prefixes,))
def overlapping_prefix(stated: Prefixes) -> Text | None:
    """First address prefix of the fabric that overlaps another one, with that other one."""
    return next(iter(stated.overlaps), None)


@derivation(of="Scheduler")
def pods_meet_services(pod_network: Text, service_network: Text) -> Flag | None:
    """
    The pod network overlaps the service network.

    Absent where one of them is no prefix.
    """
    pods, services = _prefix(pod_network), _prefix(service_network)
    return (
        None if pods is None or services is None else bool(_overlaps((pod_network,), [("services", service_network)]))
    )


@derivation(of="Scheduler")
def pod_addresses(pod_network: Text, node_prefix: Count) -> Count | None:
    """
    Addresses of the prefix that each server gets from the pod network. [1]

    Absent where the network is no prefix.
    """
    network = _prefix(pod_network)
    if network is None or node_prefix > network.max_prefixlen:
        return None
    return min(MOST, 1 << network.max_prefixlen - node_prefix)


@derivation(of="Scheduler")
def pod_network_servers(pod_network: Text, node_prefix: Count) -> Count | None:
    """
    Maximum number of servers for which the pod network has a prefix. [1]

    Each gets one of the stated length; none where the network is longer than that. Absent where the network is no prefix.
    """
    network = _prefix(pod_network)
    if network is None or node_prefix > network.max_prefixlen:
        return None
    return min(MOST, 1 << node_prefix - network.prefixlen) if network.prefixlen <= node_prefix else 0


@derivation(of="Scheduler")
def malformed_network(pod_network: Text, service_network: Text | None) -> Text | None:
    """
    The first of the networks of pods and of services that is no prefix; "none" where they are.

    Bits behind the length may be set: Kubernetes leaves them out. Absent where one is a pattern.
    """
    stated = [one for one in (pod_network, service_network) if one is not None]
    if not set("".join(stated)) <= WRITTEN | LOOK_LIKE_DIGITS:
        return None
    return next((one for one in stated if _prefix(one, strict=False) is None), "none")


def _prefix(text: str, *, strict: bool = True) -> Prefix | None:
    """A prefix; None where the text is none."""
    if "/" not in text:
        return None
    try:
        return ipaddress.ip_network(text.strip(), strict=strict)
    except ValueError:
        return None


def _hosts(prefix: Prefix) -> int:
    """Addresses of a prefix that hosts can have."""
    spare = 2 if prefix.version == 4 and prefix.num_addresses > 2 else 0
    return prefix.num_addresses - spare


def _overlaps(prefixes: tuple[str, ...], before: list[tuple[str, str]]) -> list[str]:
    """Each prefix that overlaps one before it, with that one, as messages say it."""
    known = [(owner, text, network) for owner, text in before if (network := _prefix(text))]
    found: list[str] = []
    for text in prefixes:
        network = _prefix(text)
        if network is None:
            continue
        hit = next((one for one in known if one[2].version == network.version and one[2].overlaps(network)), None)
        if hit is not None:
            found.append(f"{text} overlaps {hit[1]} of {hit[0]}")
        known.append(("the same fabric", text, network))
    return found
