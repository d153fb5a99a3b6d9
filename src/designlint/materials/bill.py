"""The lines of a bill of materials, from the facts of a design."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from designlint.graph.subjects import Subject
from designlint.language.units import NOISE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from designlint.design.design import Design

#: Categories in the order of a bill, with what one item is called.
CATEGORIES = ("server", "gpu", "nic", "switch", "transceiver", "cable", "storage", "rack", "power", "cooling")
#: Tiers of switches: the word for their number and that of their part.
TIERS = (("leaves", "leaf_switch"), ("spines", "spine_switch"), ("cores", "core_switch"))
#: Links between two tiers of a fabric: how a run of cable names them, and the word for their number.
LINKS = (
    ("server-leaf", ("ports_taken",)),
    ("leaf-spine", ("topology", "leaf_spine_cables")),
    ("spine-core", ("topology", "spine_core_cables")),
)
#: Ends of a run of cable: the word for its transceiver and that of their number.
ENDS = (("lower_end", "lower_transceivers"), ("upper_end", "upper_transceivers"))
#: Media whose transceivers are apart from the cable; an end for which none is named is counted by its optical ports.
FIBRES = ("multimode", "single-mode")
#: Categories of which operations keep a share as spares.
SPARED = ("transceiver", "cable")
#: What stands in racks and beside them: where, the category, the name of an item, and the word for its number.
PLANT = (
    ("facility/transformers", "power", "transformer", "count"),
    ("facility/ups", "power", "UPS module", "modules"),
    ("facility/generators", "power", "generator", "count"),
    ("facility/cooling", "cooling", "air unit", "units"),
    ("facility/cooling/cdus", "cooling", "coolant distribution unit", "count"),
    ("facility/distribution", "power", "busway", "busways"),
)


class BillLine(Struct, frozen=True):
    """
    So many of one item.

    Attributes:
        item: name in the catalogue where it has one, else what the design calls it.
        count: pieces in service; None where the design leaves them open, and `missing` says by which fact.
        spares: pieces besides those in service.
        where: pools, fabrics or rooms that it is for.
        included: whether it comes inside another item, such as GPUs in their servers.
        ordered: pieces that the orders of the design bring; None where no order names the item.
        names: all spellings of the item, as `spell_name` writes them.
    """

    category: str
    item: str
    count: int | None
    spares: int = 0
    where: tuple[str, ...] = ()
    included: bool = False
    missing: str = ""
    ordered: int | None = None
    names: frozenset[str] = frozenset()

    @property
    def total(self) -> int | None:
        """Pieces to buy, spares included; None where it is open."""
        return None if self.count is None else self.count + self.spares

    @property
    def state(self) -> str:
        """What the orders bring of it: `ordered`, `short`, `surplus`, `not ordered`; empty where that is open."""
        if self.total is None or self.included:
            return ""
        if self.ordered is None:
            return "not ordered"
        return "ordered" if self.ordered == self.total else "short" if self.ordered < self.total else "surplus"


def bill(design: Design) -> list[BillLine]:
    """The bill of a design: one line for each item, in the order of `CATEGORIES`; ordered quantities where it has orders."""
    found: dict[tuple[str, str, bool], BillLine] = {}
    for line in (*_pools(design), *_fabrics(design), *_storage(design), *_facility(design)):
        key = line.category, line.item, line.included
        found[key] = _join_lines(found[key], line) if key in found else line
    lines = sorted(found.values(), key=lambda one: (CATEGORIES.index(one.category), one.included))
    return list(_with_orders(design, _with_spares(design, lines)))


def _join_lines(one: BillLine, other: BillLine) -> BillLine:
    """The line of an item that stands in two places; open where one of the counts is."""
    count = None if one.count is None or other.count is None else one.count + other.count
    where = tuple(dict.fromkeys(one.where + other.where))
    return replace(
        one, count=count, spares=one.spares + other.spares, where=where, missing=one.missing or other.missing
    )


def _pools(design: Design) -> Iterator[BillLine]:
    for pool in design.graph.by_class.get("NodePool", ()):
        where, spares = (pool.name,), _count(pool, "spares") or 0
        servers = _count(pool, "count")
        yield BillLine(
            "server", _part_name(pool, pool.name), servers, spares, where, missing=_open(pool, "count", servers)
        )
        installed, gpu = _count(pool, "installed_servers"), pool.facts.get("gpu")
        each = _count(pool, "gpus")
        if isinstance(gpu, Subject) and each != 0:
            count = None if installed is None or each is None else installed * each
            yield BillLine("gpu", _part_name(gpu, f"GPU of {pool.name}"), count, 0, where, included=True)
        if trays := _count(pool, "scale_up_switches"):
            yield BillLine("switch", "scale-up switch tray", _trays(pool, trays), 0, where, included=True)
        for attachment in _listed_parts(pool, "networks"):
            nic = attachment.facts.get("nic")
            if isinstance(nic, Subject) and "model" in nic.facts:
                adapters = _count(attachment, "port_adapters")
                count = None if installed is None or adapters is None else installed * adapters
                yield BillLine("nic", _part_name(nic, ""), count, 0, where, included=True)


def _trays(pool: Subject, trays: int) -> int | None:
    """Switch trays of the scale-up domains that the servers of a pool fill; a part of a domain counts as one."""
    installed, each, domain = (_count(pool, word) for word in ("installed_servers", "gpus", "scale_up_domain"))
    return None if not (installed and each and domain) else -(-installed * each // domain) * trays


def _fabrics(design: Design) -> Iterator[BillLine]:
    for fabric in design.graph.by_class.get("Fabric", ()):
        where, topology = (fabric.name,), fabric.facts.get("topology")
        tiers = TIERS if isinstance(topology, Subject) else ()
        for word, part in tiers:
            assert isinstance(topology, Subject)
            count, switch = _count(topology, word), topology.facts.get(part)
            if count and isinstance(switch, Subject):
                item, within = _part_name(switch, f"switch of {fabric.name}"), _within_servers(topology, switch)
                missing = f"{switch.path}/model" if within else ""
                yield BillLine("switch", item, None if within else count, 0, where, missing=missing)
        for run in _listed_parts(fabric, "cabling"):
            yield from _run(design, fabric, run)
        yield from _unlisted_links(fabric)


def _within_servers(topology: Subject, switch: Subject) -> bool:
    """Whether the servers may hold the switches: those of a torus of which the design names none."""
    return topology.facts.get("kind") == "torus" and not {"model", "name"} & switch.facts.keys()


def _unlisted_links(fabric: Subject) -> Iterator[BillLine]:
    """The links between tiers that no run of cable joins; open where a run may, as it does not say what it joins."""
    runs, topology = _listed_parts(fabric, "cabling"), fabric.facts.get("topology")
    joined = {run.facts.get("between") for run in runs}
    silent = next((f"{run.path}/between" for run in runs if "between" not in run.facts), "")
    for between, path in LINKS:
        end = topology if len(path) > 1 else fabric
        count = _count(end, path[-1]) if isinstance(end, Subject) else None
        if count and between not in joined:
            item = f"link, {between.replace('-', ' to ')}"
            known = None if silent else count
            yield BillLine("cable", item, known, where=(fabric.name,), missing=silent)


def _run(design: Design, fabric: Subject, run: Subject) -> Iterator[BillLine]:
    """The cables of a run, and the transceivers at both ends where these are apart."""
    units, where = design.engine.vocabulary.units, (f"{fabric.name}/{run.name}",)
    told = [str(run.facts[word]) for word in ("medium", "optic") if word in run.facts]
    speed, longest, cables = run.facts.get("speed"), run.facts.get("longest"), _count(run, "cables")
    told += [units.format(speed, "DataRate")] if isinstance(speed, int | float) else []
    reach = f" up to {units.format(longest, 'Length')}" if isinstance(longest, int | float) else ""
    item = f"{' '.join(told) or 'cable'}{reach}"
    yield BillLine("cable", item, cables, where=where, missing=_open(run, "cables", cables))
    for end, word in ENDS:
        part, count, name = run.facts.get(end), _count(run, word), ""
        if isinstance(part, Subject) and part.facts.keys() & {"model", "name"}:
            name = _part_name(part, end)
        elif run.facts.get("medium") in FIBRES:
            name, count = f"optical port, {' '.join(told)}", cables
        if name:
            yield BillLine("transceiver", name, count, where=where, missing=_open(run, "cables", count))


def _storage(design: Design) -> Iterator[BillLine]:
    for tier in design.graph.by_class.get("StorageTier", ()):
        where = (tier.name,)
        if "model" in tier.facts or "units" in tier.facts:
            units = _count(tier, "units")
            yield BillLine("storage", _part_name(tier, tier.name), units, 0, where, missing=_open(tier, "units", units))
            continue
        rate = tier.facts.get("server_rate")
        for word, role in (("object_servers", "object server"), ("metadata_servers", "metadata server")):
            count = _count(tier, word)
            if count:
                yield BillLine("storage", f"{role} of {tier.name}", count, 0, where)
                if isinstance(rate, int | float):
                    item = f"adapters for {design.engine.vocabulary.units.format(rate, 'DataRate')}"
                    yield BillLine("nic", item, count, 0, where, included=True)


def _facility(design: Design) -> Iterator[BillLine]:
    for racks in design.graph.by_class.get("Racks", ()):
        count = _count(racks, "count")
        name = racks.name if "name" in racks.facts else "GPU servers"
        if count:
            yield BillLine("rack", f"rack for {name}", count)
            pdus = _count(racks, "pdus")
            if pdus:
                yield BillLine("power", f"power distribution unit of {name}", count * pdus)
            cooling = design.graph.subjects.get("facility/cooling")
            if cooling is not None and cooling.facts.get("method") == "rear-door" and "name" not in racks.facts:
                yield BillLine("cooling", "rear-door heat exchanger", count)
    for path, category, item, word in PLANT:
        part = design.graph.subjects.get(path)
        count = None if part is None else _count(part, word)
        if count:
            yield BillLine(category, item, count)


def _with_spares(design: Design, lines: Iterable[BillLine]) -> Iterator[BillLine]:
    """The lines with spare transceivers and cables by the share that the design states, counted once for each item."""
    operations = design.graph.root.facts.get("operations")
    share = operations.facts.get("spare_optics") if isinstance(operations, Subject) else None
    known = share if isinstance(share, int | float) else 0
    for one in lines:
        spare = known if one.category in SPARED else 0
        yield replace(one, spares=one.spares + math.ceil((one.count or 0) * spare - NOISE))


def _with_orders(design: Design, lines: Iterable[BillLine]) -> Iterator[BillLine]:
    """The lines with what the orders bring of each, where the design has any."""
    brought: dict[str, int] = {}
    for order in design.graph.by_class.get("Order", ()):
        item, quantity = order.facts.get("named_item"), _count(order, "quantity")
        if isinstance(item, str) and quantity:
            name = item.strip().casefold()
            brought[name] = brought.get(name, 0) + quantity
    known = [pair for spellings in design.engine.vocabulary.aliases.values() for pair in spellings.items()]
    for one in lines:
        names = frozenset({spell_name(one.item), *(name for name, entry in known if entry == one.item)})
        yield replace(one, ordered=brought.get(one.item.casefold()), names=names)


def spell_name(text: str) -> str:
    """A name as the catalogue spells names: small letters with hyphens."""
    return "-".join(text.casefold().replace("_", " ").split())


def _part_name(part: Subject, otherwise: str) -> str:
    """The catalogue name of a part, else its stated name, else what it is called here."""
    known = (part.facts.get(word) for word in ("model", "name"))
    return next((one for one in known if isinstance(one, str)), otherwise)


def _listed_parts(subject: Subject, word: str) -> list[Subject]:
    found: Any = subject.facts.get(word)
    return [one for one in found if isinstance(one, Subject)] if isinstance(found, list) else []


def _count(subject: Subject, word: str) -> int | None:
    fact = subject.facts.get(word)
    return fact if isinstance(fact, int) and not isinstance(fact, bool) else None


def _open(subject: Subject, word: str, count: int | None) -> str:
    """The fact that a count waits for; empty where it is known."""
    return "" if count is not None else f"{subject.path}/{word}"
