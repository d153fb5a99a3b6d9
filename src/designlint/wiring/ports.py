"""Numbers for ports that nothing states: in the order of cables, those to servers first, links up after the last host port."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from designlint.wiring.graph import End

if TYPE_CHECKING:
    from collections.abc import Iterable

    from designlint.wiring.graph import Wiring


class Numbers:
    """The next free port of each switch, past those that are stated."""

    def __init__(self, stated: Iterable[End]) -> None:
        self.taken: dict[str, set[str]] = {}
        self.last: dict[str, int] = {}
        self.assigned = 0
        for end in stated:
            if end.port:
                self.taken.setdefault(end.switch, set()).add(end.port)

    def fill_end(self, end: End) -> End:
        """The end with a port."""
        if end.port:
            return end
        number, taken = self.last.get(end.switch, 0) + 1, self.taken.get(end.switch, ())
        while str(number) in taken:
            number += 1
        self.last[end.switch] = number
        self.assigned += 1
        return End(end.switch, str(number))


def fill_ports(wiring: Wiring, down: int | None = None) -> tuple[Wiring, int]:
    """The wiring with a port at every end, and how many were assigned. `down`: ports of a leaf that are kept for hosts."""
    ends = [end for one in wiring.cables for end in (one.one, one.other)] + [one.to for one in wiring.hosts]
    numbers = Numbers(ends)
    hosts = [one._replace(to=numbers.fill_end(one.to)) for one in wiring.hosts]
    for one in wiring.tier("leaf"):
        numbers.last[one.name] = max(numbers.last.get(one.name, 0), down or 0)
    cables = [one._replace(one=numbers.fill_end(one.one), other=numbers.fill_end(one.other)) for one in wiring.cables]
    return replace(wiring, hosts=hosts, cables=cables), numbers.assigned
