"""The servers that files describe against the pools of the design: how many there are, and what is in one of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from designlint.comparing.asbuilt.built_pool import BuiltPool, build_pool, expand_names, spot
from designlint.comparing.asbuilt.difference import Deviation
from designlint.derivations.operations.jobs import gpu_fits
from designlint.design.known import Known, Spot, spot_of
from designlint.importers import LARGEST_GROUP, NARROWEST, SLOWEST, WITHOUT_LINKS, Value
from designlint.language.hostlists import fold
from designlint.language.sentences import cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from designlint.design.design import Design
    from designlint.importers import Imported

#: What of a server is compared as it is counted, and what messages and tables call it.
COUNTED = {
    "gpus": "GPUs",
    "sockets": "CPU sockets",
    "cpu_cores": "CPU cores",
    "cpu_threads": "CPU threads",
    "pcie_generation": "PCIe generation",
    "pcie_lanes_per_gpu": "PCIe lanes per GPU",
}
#: The fact that says the lowest figure where GPUs differ.
LOWEST = {"pcie_generation": SLOWEST, "pcie_lanes_per_gpu": NARROWEST}
#: What messages call a yes and a no.
FLAGS = {
    "gpu_nic_same_switch": ("GPU and adapter below one PCIe switch", "GPU and adapter below different PCIe switches"),
    "gpu_direct_rdma": ("GPUDirect RDMA", "no GPUDirect RDMA"),
}
#: Words for memory of the design and of the files, in the order in which they are compared.
MEMORY = (("scheduled_memory", "scheduled_memory"), ("host_memory", "host_memory"), ("host_memory", "scheduled_memory"))
#: People write TB where they mean TiB.
PREFIX = 1.024**4
RULE = "as-built/server-differs"


class PoolComparison(Struct):
    """What came of it: rows of both sides, differences, and what was not compared."""

    counts: dict[str, tuple[int | None, int | None]] = field(default_factory=dict)
    differences: list[Deviation] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    pairs: int = 0


def compare_pools(design: Design, found: Imported, mapped: Mapping[str, str]) -> PoolComparison:
    """Every pool of the files that is one of the design's, as far as both state something."""
    result = PoolComparison()
    stated: Any = found.words.get("nodes", [])
    seen = [build_pool(found, one) for one in stated]
    ours = Known.of_kind(design, "NodePool")
    many: dict[str, list[BuiltPool]] = {}
    strangers: list[str] = []
    for other in seen:
        pool = _same(other, ours, seen, mapped)
        if pool is None:
            strangers.append(other.text("name"))
        else:
            many.setdefault(pool.subject.name, []).append(other)
    if strangers:
        result.notes.append(
            f"servers that match no pool of the design are not compared: {cut(strangers, 6)}; --map matches them"
        )
    for pool in ours:
        parts = many.get(pool.subject.name, [])
        if len(parts) > 1 and all(one.servers for one in parts):
            _compare_names(pool, set().union(*(one.servers for one in parts)), parts[0], result)
        for other in parts:
            result.pairs += 1
            _servers(pool, other, len(parts) > 1, result)
            result.differences += _inside(pool, other, result, design.engine.vocabulary.units.parse)
    return result


def _same(
    other: BuiltPool, ours: Sequence[Known], seen: Sequence[BuiltPool], mapped: Mapping[str, str]
) -> Known | None:
    """The pool of the design that a pool of the files is: by the map, by name, by a server's name, or as the only one."""
    name = other.text("name").casefold()
    for pool in ours:
        if name in (mapped.get(pool.subject.name, "").casefold(), pool.subject.name.casefold()):
            return pool
    servers = other.servers
    for pool in ours:
        if servers & expand_names(pool.fact("servers")):
            return pool
    equipped = [one for one in ours if one.count("gpus") != 0]
    if len(equipped) == 1 and (other.whole("gpus") or (len(ours) == len(seen) == 1 and other.whole("gpus") != 0)):
        alike = [one for one in seen if one.whole("gpus") and one.whole("count") is not None]
        if other.whole("count") is None or len(alike) <= 1:
            return equipped[0]
    return None


def _servers(pool: Known, other: BuiltPool, shared: bool, result: PoolComparison) -> None:
    """How many servers there are; by name where both sides name them."""
    count, spares, there = pool.count("count"), pool.count("spares") or 0, other.whole("count")
    if there is None or shared:
        return
    name = pool.subject.name
    result.counts[f"{name}: servers"] = (count, there)
    if _compare_names(pool, other.servers, other, result):
        return
    at = _count_location(pool)
    if count is not None and there < count:
        told = f"{count - there} of {count} servers of {name}"
        result.differences.append(_count_difference("server-not-seen", told, count - there, at, other))
    elif count is not None and there > count + spares:
        told = f"{there - count - spares} of {there} servers of {name}"
        result.differences.append(_count_difference("server-not-designed", told, there - count - spares, at, other))


def _compare_names(pool: Known, names: set[str], other: BuiltPool, result: PoolComparison) -> bool:
    """The servers that one side names and the other does not; whether names can be compared."""
    wanted = expand_names(pool.fact("servers"))
    if not wanted & names:
        return False
    for rule, gone in (("server-not-seen", wanted - names), ("server-not-designed", names - wanted)):
        if gone:
            result.differences.append(
                _count_difference(rule, fold(sorted(gone)), len(gone), _count_location(pool), other)
            )
    return True


def _count_location(pool: Known) -> Spot | None:
    """Where the design says how many servers there are."""
    return spot_of(pool.subject.keys.get("servers") or pool.subject.keys.get("count")) or pool.spot


def _count_difference(rule: str, told: str, number: int, designed: Spot | None, other: BuiltPool) -> Deviation:
    values = {"what": told, "is": "is" if number == 1 else "are", "count": str(number)}
    return Deviation(f"as-built/{rule}", values, designed, other.spot("count"))


def _inside(
    pool: Known, other: BuiltPool, result: PoolComparison, parse: Callable[[object, str], object]
) -> Iterator[Deviation]:
    """What is in a server."""
    for word, label in COUNTED.items():
        wanted, there = pool.count(word), other.whole(word)
        low = other.facts.get(LOWEST.get(word, ""))
        if wanted is not None and low is not None and int(low.text) < wanted:
            values = _values(pool, other, _amount(str(wanted), label), f"{_amount(low.text, label)} ({low.note})")
            yield Deviation(RULE, values, _designed_location(pool, word), spot(low))
        if wanted is None or there is None:
            continue
        if word == "sockets" and there % wanted == 0:  # Slurm may call a NUMA node a socket
            continue
        result.counts[f"{pool.subject.name}: {label}{' per server' if word == 'gpus' else ''}"] = (wanted, there)
        if wanted != there:
            yield _differs(pool, other, word, label, str(wanted), str(there))
    yield from _threads(pool, other)
    yield from _domain(pool, other)
    yield from _model(pool, other)
    yield from _memory(pool, other, parse)
    yield from _ports(pool, other)
    for word, told in FLAGS.items():
        wanted_flag, there_flag = pool.flag(word), other.text(word)
        if wanted_flag is not None and there_flag in ("true", "false") and wanted_flag != (there_flag == "true"):
            yield _differs(pool, other, word, "", told[not wanted_flag], told[wanted_flag])


def _threads(pool: Known, other: BuiltPool) -> Iterator[Deviation]:
    """Threads where the design counts cores: a core has one, or a whole number of them."""
    cores, threads = pool.count("cpu_cores"), other.whole("cpu_threads")
    known = pool.count("cpu_threads") is not None or other.whole("cpu_cores") is not None
    if not known and cores and threads and threads % cores:
        yield _differs(pool, other, "cpu_threads", "", f"{cores} CPU cores", f"{threads} CPU threads")


def _domain(pool: Known, other: BuiltPool) -> Iterator[Deviation]:
    """GPUs that a server's own tools see on the scale-up network: none beyond the server."""
    wanted, there, inside = pool.count("scale_up_domain"), other.whole("scale_up_domain"), other.whole("gpus")
    largest = other.facts.get(LARGEST_GROUP)
    if WITHOUT_LINKS in other.facts and wanted and inside and wanted <= inside:
        there = 1
    elif largest is not None:
        there = int(largest.text)
    if wanted and there and inside and min(wanted, inside) != min(there, inside):
        label = "GPUs on the scale-up network"
        yield _differs(pool, other, "scale_up_domain", label, str(min(wanted, inside)), str(there))


def _model(pool: Known, other: BuiltPool) -> Iterator[Deviation]:
    """The GPU's chip: schedulers seldom name more of it."""
    part = other.words.get("gpu")
    value = part.get("model") if isinstance(part, dict) else part
    wanted = pool.text("gpu_model")
    if wanted and other.kind is not None and gpu_fits(other.kind.text, (wanted,)) is False:
        at = spot(other.kind)
        yield _differs(pool, other, "gpu", "", wanted, other.kind.text, at)
    if not wanted or not isinstance(value, Value) or wanted.partition("-")[0] == value.text.partition("-")[0]:
        return
    at = spot(value)
    yield _differs(pool, other, "gpu", "", wanted, value.text, at)


def _memory(pool: Known, other: BuiltPool, parse: Callable[[object, str], object]) -> Iterator[Deviation]:
    """CPU memory. A scheduler hands out less than is installed: of two words that differ, only half or less is a difference."""
    for word, known in MEMORY:
        wanted, text = pool.number(word), other.text(known)
        there = parse(text, "Bytes") if text else None
        if wanted and isinstance(there, int | float):
            least = wanted / PREFIX if word == known else wanted / 2
            if not least < there <= wanted * PREFIX:
                told = [pool.design.engine.vocabulary.units.format(one, "Bytes") for one in (wanted, there)]
                yield _differs(pool, other, known, "of memory", told[0], told[1])
            return


def _ports(pool: Known, other: BuiltPool) -> Iterator[Deviation]:
    """Adapters: files count those of storage and management, too, so that only too few are a difference."""
    ports = [one.facts.get("ports") for one in pool.parts("networks")]
    wanted = max((one for one in ports if isinstance(one, int)), default=0)
    if not wanted or other.adapters is None or not other.adapters.text.isdigit():
        return
    there = int(other.adapters.text)
    if there < wanted:
        value = other.adapters
        at = spot(value)
        yield _differs(pool, other, "networks", "network ports", str(wanted), str(there), at)


def _differs(
    pool: Known, other: BuiltPool, word: str, label: str, wanted: str, there: str, seen: Spot | None = None
) -> Deviation:
    values = _values(pool, other, *(_amount(one, label) for one in (wanted, there)))
    return Deviation(RULE, values, _designed_location(pool, word), seen or other.spot(word))


def _values(pool: Known, other: BuiltPool, wanted: str, there: str) -> dict[str, str]:
    some = f" ({fold(sorted(other.servers))})" if 0 < len(other.servers) < (pool.count("count") or 0) else ""
    return {"name": f"{pool.subject.name}{some}", "designed": wanted, "seen": there}


def _designed_location(pool: Known, word: str) -> Spot | None:
    """Where the design states a word of a pool, or the model that it comes with."""
    return spot_of(pool.subject.keys.get(word) or pool.subject.keys.get("model")) or pool.spot


def _amount(number: str, label: str) -> str:
    """So many of something; a generation stands before its number."""
    if label == COUNTED["pcie_generation"]:
        return f"{label} {number}"
    return f"{number} {re.sub('s(?= |$)', '', label, count=1) if number == '1' else label}".strip()
