"""Which switch and server of a dump is which of the design: by a map, name or GUID, and by place where the design names none."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct, field

from designlint.comparing.asbuilt.places import by_place

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from designlint.wiring.graph import Wiring

#: The rules of joining, in the order in which they are tried, as reports name them.
WAYS = ("map", "name", "GUID", "place")


class NameMatches(Struct):
    """
    Names of the design with those of the dump that mean the same.

    Attributes:
        ways: how many switches and servers each rule joined.
        strangers: names of a map that neither side has.
    """

    switches: dict[str, str] = field(default_factory=dict)
    servers: dict[str, str] = field(default_factory=dict)
    ways: Counter[str] = field(default_factory=Counter)
    strangers: list[str] = field(default_factory=list)
    placed: set[str] = field(default_factory=set)

    @property
    def count(self) -> int:
        """How many names are joined."""
        return len(self.switches) + len(self.servers)

    def display_name(self, name: str) -> str:
        """A switch or server of the design as messages call it: by its name in the dump where the design states none."""
        return (self.switches.get(name) or self.servers.get(name) or name) if name in self.placed else name


def match_names(design: Wiring, built: Wiring, mapped: Mapping[str, str], *, formed: bool = True) -> NameMatches:
    """
    The switches and servers of both sides.

    Args:
        mapped: names of the dump, or GUIDs, by names of the design.
        formed: names that the design does not state, but that were formed from a tier or a pool, may join, too.
    """
    found = NameMatches()
    guids = {_bare(one.guid): name for name, one in built.switches.items() if one.guid}
    known = {**dict.fromkeys(design.switches), **dict.fromkeys(design.servers)}
    for name, other in mapped.items():
        other = guids.get(_bare(other), other)
        here = found.switches if name in design.switches and other in built.switches else found.servers
        if name in known and (other in built.switches or other in built.servers):
            here[name] = other
            found.ways["map"] += 1
        else:
            found.strangers.append(name if name not in known else other)
    if formed or not design.assigned:
        _by_name(found, found.switches, design.switches, built.switches)
    if formed or not design.assigned_servers:
        _by_name(found, found.servers, design.servers, built.servers)
    taken = set(found.switches.values())
    for name, switch in design.switches.items():
        other = guids.get(_bare(switch.guid or name), "")
        if name not in found.switches and other and other not in taken:
            found.switches[name] = other
            found.ways["GUID"] += 1
    if design.assigned:
        switches, servers = by_place(design, built, found.switches, found.servers)
        found.switches |= switches
        found.servers |= servers
        found.placed = {*switches, *servers}
        found.ways["place"] += len(switches) + len(servers)
    return found


def _by_name(found: NameMatches, into: dict[str, str], design: Iterable[str], built: Iterable[str]) -> None:
    """The same name; then the same but for capitals, blanks and the domain, where one name only is so on each side."""
    left = {name for name in built if name not in set(into.values())}
    for name in design:
        if name not in into and name in left:
            into[name] = name
            left.discard(name)
            found.ways["name"] += 1
    alike, others = _plain(one for one in design if one not in into), _plain(left)
    for plain, name in alike.items():
        if name and others.get(plain):
            into[name] = others[plain]
            found.ways["name"] += 1


def _plain(names: Iterable[str]) -> dict[str, str]:
    """Names by what is left of them in small letters, without a domain; empty where two are alike."""
    found: dict[str, str] = {}
    for name in names:
        plain = " ".join(name.lower().partition(".")[0].split())
        found[plain] = "" if plain in found else name
    return found


def _bare(guid: str) -> str:
    """A GUID without what tools write before it."""
    return guid.lower().removeprefix("s-").removeprefix("0x").lstrip("0")
