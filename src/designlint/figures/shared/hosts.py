"""What is attached to a fabric: servers of each pool, storage."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from designlint.figures.shared.facts import Facts
from designlint.figures.shared.switches import LEFT, RIGHT
from designlint.figures.shared.text import name, width

if TYPE_CHECKING:
    from designlint.figures.shared.canvas import Canvas
    from designlint.figures.shared.switches import TierRow

#: Height of what is attached; kinds of it that are drawn, and that are told.
HIGH, MOST, TOLD = 36.0, 3, 8


class Host(NamedTuple):
    """What is attached to a fabric, of one kind: its name, how many ports it takes, the same in short."""

    name: str
    about: str
    brief: str


class AttachedHosts(NamedTuple):
    """All that is attached to a fabric."""

    kinds: list[Host]

    def draw(self, canvas: Canvas, switches: TierRow, top: float, look: str) -> float:
        """Each kind as one box below its switches; the height below them."""
        canvas.text(0, top + 14, "attached", "ink t-head b", LEFT - 6)
        shown = self.kinds[:MOST]
        if not shown:
            canvas.rect(LEFT, top, RIGHT - LEFT, HIGH, "s-edge dash", 3)
            canvas.text((LEFT + RIGHT) / 2, top + 22, "no attached servers or storage", "dim t-small m")
        wide = (RIGHT - LEFT + 8) / max(1, len(shown)) - 8
        for at, one in enumerate(shown):
            x = LEFT + at * (wide + 8)
            switches.drop(canvas, (x, x + wide), top, look)
            canvas.rect(x, top, wide, HIGH, "panel", 3)
            canvas.rect(x, top, wide, HIGH, "s-edge thin", 3)
            canvas.text(x + wide / 2, top + 15, one.name, "ink t-small b m", wide - 8)
            about = one.about if width(one.about, "small") <= wide - 8 else one.brief
            canvas.text(x + wide / 2, top + 29, about, "ink t-small m", wide - 8)
        if len(self.kinds) > len(shown):
            canvas.text(0, top + 28, f"and {len(self.kinds) - len(shown)} more", "dim t-small", LEFT - 6)
        return top + HIGH

    @property
    def description(self) -> str:
        """All of it in a sentence."""
        listed = [f"{one.name} ({one.about})" for one in self.kinds[:TOLD]]
        more = f", and {len(self.kinds) - TOLD} more" if len(self.kinds) > TOLD else ""
        return f"Attached: {', '.join(listed)}{more}" if listed else "No attached servers or storage"


def hosts_of(fabric: Facts) -> AttachedHosts:
    """The pools and storage that name a fabric."""
    found: list[Host] = []
    for one in fabric.subject.back.get("fabric", ()):
        for pool in one.back.get("networks", ()):
            found.append(_pool(Facts(fabric.design, pool), Facts(fabric.design, one)))
        if "StorageTier" in one.kinds:
            found.append(Host(name(one.name), "storage", "storage"))
    return AttachedHosts(found)


def _pool(pool: Facts, attachment: Facts) -> Host:
    servers, ports = pool.text_of("installed_servers") or pool.text_of("count"), attachment.text_of("ports")
    many = f"{servers} server{'' if servers == '1' else 's'}" if servers else "servers"
    about = f"{many} × {ports} port{'' if ports == '1' else 's'}" if ports else many
    return Host(pool.name, about, about.replace(" servers", "").replace(" server", ""))
