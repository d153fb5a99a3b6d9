"""What a dump can show of a design: each cable has two ends, and one of them must have been asked for its neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from designlint.comparing.asbuilt.joining import NameMatches
    from designlint.wiring.graph import Wiring


def omit_unseen(design: Wiring, built: Wiring, same: NameMatches) -> Wiring:
    """The design without the cables of which the dump shows neither end, and without the switches that only these reach."""
    if built.asked is None:
        return design
    asked = built.asked

    def shows(*names: str) -> bool:
        return any({**same.switches, **same.servers}.get(name, name) in asked for name in names)

    cables = [one for one in design.cables if shows(one.one.switch, one.other.switch)]
    hosts = [one for one in design.hosts if shows(one.server, one.to.switch)]
    reached = {end.switch for one in cables for end in (one.one, one.other)} | {one.to.switch for one in hosts}
    below = {one.server for one in hosts}
    servers_asked = not asked.isdisjoint(built.servers)
    return replace(
        design,
        cables=cables,
        hosts=hosts,
        switches={name: one for name, one in design.switches.items() if name in reached or name in same.switches},
        servers={
            name: one for name, one in design.servers.items() if servers_asked or name in below or name in same.servers
        },
    )


def unseen(design: Wiring, built: Wiring, same: NameMatches) -> list[str]:
    """How many cables of the design the dump cannot show."""
    kept = omit_unseen(design, built, same)
    count = len(design.cables) + len(design.hosts) - len(kept.cables) - len(kept.hosts)
    if not count or built.hosts_only:
        return []
    what = "1 cable of the design is" if count == 1 else f"{count} cables of the design are"
    return [f"{what} not compared: the files show the neighbours of neither end"]
