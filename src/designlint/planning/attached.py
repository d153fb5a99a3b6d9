"""What a network of a plan is made of: the usual adapters and switches for its GPU, as far as the brief states no others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.planning.choices import choices, number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from designlint.language.vocabulary import Vocabulary

#: Technologies that another one's parts carry, too.
ALSO = {"roce-v2": "ethernet"}
#: What a switch is used for where it supports several technologies, and the usual one is not among them.
PREFERRED = ("roce-v2", "infiniband-xdr", "infiniband-ndr", "infiniband-hdr", "infiniband-edr", "ethernet")


def attach_network(
    usual: Mapping[str, Any], fabric: Mapping[str, Any], ports: Mapping[str, Any], vocabulary: Vocabulary
) -> dict[str, Any]:
    """
    Technology, speed, adapter, ports and switches of a network.

    Args:
        usual: those for the GPU.
        fabric, ports: what the brief states of the network, and of the servers' ports into it.
    """
    stated: dict[str, Any] = {name: fabric[name] for name in ("technology", "speed") if name in fabric}
    stated |= {name: ports[name] for name in ("speed", "ports", "nic") if name in ports}
    named = _switch(fabric, vocabulary)
    if named and "technology" not in stated:
        stated["technology"] = _supported_technology(named, usual["technology"], vocabulary)
    technology = stated.get("technology", usual["technology"])
    if named:
        stated["switches"] = [named]
    elif technology != usual["technology"]:
        stated["switches"] = choices()["switches"].get(technology, usual["switches"])
    found = {**usual, **stated}
    if technology != usual["technology"] and "nic" not in stated:
        found["nic"] = _adapter(found, vocabulary)
    if "speed" not in stated:
        found["speed"] = _speed(found, vocabulary)
    fast = [
        one for one in found["switches"] if _rate(vocabulary, "Switch", one) >= _rate_of(found["speed"], vocabulary)
    ]
    return {**found, "switches": fast or found["switches"]}


def _switch(fabric: Mapping[str, Any], vocabulary: Vocabulary) -> str:
    """The switch of the catalogue that a brief names; empty where it names none."""
    switch = (fabric.get("topology") or {}).get("switch")
    name = switch.get("model") if isinstance(switch, dict) else switch
    return vocabulary.catalogue_name("Switch", str(name)) or "" if name is not None else ""


def _supported_technology(switch: str, usual: str, vocabulary: Vocabulary) -> str:
    """The usual technology where a switch supports it, else the first that it supports."""
    known = _figures(vocabulary, "Switch", switch).get("technologies") or (usual,)
    return usual if usual in known else next((one for one in PREFERRED if one in known), str(known[0]))


def _adapter(found: Mapping[str, Any], vocabulary: Vocabulary) -> str:
    """The usual adapter where it supports the technology, else one for the same slots that does."""
    technology = found["technology"]
    others = (one["nic"] for one in choices()["own_server"]["networks"].values())
    for nic in (found["nic"], *others):
        known = _figures(vocabulary, "Nic", nic).get("technologies")
        if known is None or technology in known or ALSO.get(technology) in known:
            return str(nic)
    return str(found["nic"])


def _speed(found: Mapping[str, Any], vocabulary: Vocabulary) -> str:
    """The usual speed of a port, or what the fastest switch has at most."""
    rates = list(_rates(found, vocabulary))
    most = max(rates, default=0.0)
    if not most or most >= _rate_of(found["speed"], vocabulary):
        return str(found["speed"])
    return vocabulary.units.format(most, "DataRate")


def _rates(found: Mapping[str, Any], vocabulary: Vocabulary) -> Iterator[float]:
    for one in found["switches"]:
        if rate := _rate(vocabulary, "Switch", one):
            yield rate


def _rate(vocabulary: Vocabulary, cls: str, name: str) -> float:
    """Speed of the ports of a switch; 0 where it is unknown. [bit/s]"""
    return float(_figures(vocabulary, cls, name).get("port_speed") or 0)


def _rate_of(text: object, vocabulary: Vocabulary) -> float:
    return number(text, "DataRate", vocabulary.units)


def _figures(vocabulary: Vocabulary, cls: str, name: str) -> Mapping[str, Any]:
    entry = vocabulary.catalogue_name(cls, name)
    found: Mapping[str, Any] = vocabulary.catalog[cls][entry]["figures"] if entry else {}
    return found
