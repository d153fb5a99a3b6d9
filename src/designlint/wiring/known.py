"""What a design says of one fabric, in plain values: counts, rates, the pools of servers on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from designlint.graph.subjects import Subject
from designlint.language.hostlists import HostListError, expand
from designlint.reading.errors import UsageError
from designlint.wiring.graph import MOST, Spot, numbered, spot_of

if TYPE_CHECKING:
    from designlint.design.design import Design
    from designlint.graph.subjects import Fact

#: Purposes of fabrics that carry training, which are looked at first.
TRAINING = ("compute", "converged")


class Pool(NamedTuple):
    """A pool of servers on the fabric: names of its servers, ports of each, their rate [bit/s]."""

    name: str
    servers: list[str]
    ports: int
    speed: float | None
    assigned: bool
    spot: Spot | None


class Known:
    """The facts of a part, by the words that rules use."""

    def __init__(self, design: Design, subject: Subject) -> None:
        self.design, self.subject = design, subject

    def fact(self, word: str) -> Fact | None:
        """The fact that a word means here; None where it is not known."""
        path = self.design.engine.vocabulary.path(self.subject.cls, word) or (word,)
        return next((one.facts[last] for one, last in self.subject.follow(path) if last in one.facts), None)

    def text(self, word: str) -> str:
        """A text; empty where it is not known."""
        fact = self.fact(word)
        return fact if isinstance(fact, str) else ""

    def count(self, word: str) -> int | None:
        """A whole number; None where it is not known."""
        fact = self.fact(word)
        return fact if isinstance(fact, int) and not isinstance(fact, bool) else None

    def number(self, word: str) -> float | None:
        """A number; None where it is not known."""
        fact = self.fact(word)
        return float(fact) if isinstance(fact, int | float) and not isinstance(fact, bool) else None

    def flag(self, word: str) -> bool | None:
        """A flag; None where it is not known."""
        fact = self.fact(word)
        return fact if isinstance(fact, bool) else None

    def parts(self, word: str) -> list[Subject]:
        """The parts that a list holds."""
        fact = self.fact(word)
        return [one for one in fact if isinstance(one, Subject)] if isinstance(fact, list) else []

    @property
    def spot(self) -> Spot | None:
        """Where the design states the part."""
        return spot_of(self.subject.keys.get("name") or self.subject.node)


def fabrics(design: Design) -> list[Known]:
    """The fabrics that the design states, those that carry training first."""
    found = [Known(design, one) for one in design.graph.by_class.get("Fabric", ()) if one.node is not None]
    return sorted(found, key=lambda one: one.text("purpose") not in TRAINING)


def fabric(design: Design, name: str = "") -> Known:
    """The fabric of a name; without one that which carries training, or the only one. Raises: UsageError."""
    found = fabrics(design)
    chosen = [one for one in found if one.subject.name == name] if name else found[:1]
    if not chosen:
        names = ", ".join(one.subject.name for one in found) or "none"
        told = f"there is no fabric `{name}`; the design states {names}" if name else "the design states no fabric"
        raise UsageError(f"{design.document.file}: {told}")
    return chosen[0]


def pools(known: Known) -> list[Pool]:
    """The pools of servers on a fabric, in the order of the design; those whose number or ports are unknown are left out."""
    found: list[Pool] = []
    for attachment in known.subject.step("^Attachment.fabric"):
        owner, ports = attachment.owner, attachment.facts.get("ports")
        if owner is None or not isinstance(ports, int):
            continue
        pool = Known(known.design, owner)
        names, assigned = servers(pool)
        speed = Known(known.design, attachment).number("speed")
        if names:
            found.append(Pool(owner.name, names, ports, speed, assigned, pool.spot))
    return found


def servers(pool: Known) -> tuple[list[str], bool]:
    """The names of a pool's servers, spares included, and whether they are formed from its name; none without a count."""
    stated = pool.fact("servers")
    names: list[str] = []
    for one in stated if isinstance(stated, list) else []:
        try:
            names += expand(str(one))
        except HostListError:
            names.append(str(one))
    if names:
        return names, False
    count = pool.count("installed_servers")
    return numbered(pool.subject.name, count) if count and count <= MOST else [], True
