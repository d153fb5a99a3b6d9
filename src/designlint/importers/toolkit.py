"""Pools of Google's cluster toolkit: their machines, processors and sizes, where variables of the blueprint may stand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fate, Fragment, Value, Words, put, whole
from designlint.importers.clouds import placeholder, put_count, put_gpus
from designlint.importers.workloads import count

if TYPE_CHECKING:
    from designlint.importers.notations.structured import Table

REFERENCE = re.compile(r"\$\(vars\.(\w+)\)\Z")
LOCAL = ("local_ssd_count_nvme_block", "local_ssd_count_ephemeral_storage", "local_ssd_count")
#: Facts by the keys of them.
BOUNDS = {
    "most servers": ("autoscaling_total_max_nodes", "total_max_nodes", "autoscaling_max_node_count"),
    "fewest servers": ("autoscaling_total_min_nodes", "total_min_nodes", "autoscaling_min_node_count"),
}
SIZES = ("static_node_count", "node_count_static", "instance_count", "initial_node_count")


def resolve(value: Value | None, given: dict[str, Value]) -> Value | None:
    """A value, or that of the variable which it refers to; None where nobody has given it."""
    for _ in range(8):
        reference = REFERENCE.match(value.text) if value is not None else None
        if value is None or reference is None:
            return value
        value = find_reference(given.get(reference[1]))
    return None


def find_reference(value: Value | None) -> Value | None:
    """A variable that something refers to: its line is understood only then."""
    if value is not None:
        value.source.mark(value.start, value.end, Fate.UNDERSTOOD)
    return value


def pool(title: Value, settings: Table, given: dict[str, Value], found: Fragment) -> Words:
    """The words of a pool."""
    words: Words = {"name": title.as_text()}
    path = f"nodes/{title.text}"
    machine = resolve(settings.get("machine_type"), given)
    put_gpus(words, machine, found, path)
    shape = resolve(settings.get("accelerator_topology"), given)
    sides = shape.text.split("x") if shape is not None else []
    if shape is not None and len(sides) == 2 and all(one.isdigit() and len(one) < 5 for one in sides):
        domain = int(sides[0]) * int(sides[1])
        put(words, "scale_up_domain", shape.but(domain, f"accelerator topology {shape.text}") if domain else None)
    _processors(settings.table("node_conf"), words)
    _drives(settings, words, given)
    for fact, keys in BOUNDS.items():
        found.fact(fact, count(resolve(settings.get(*keys), given)))
    for key in ("enable_placement", "enable_spot_vm", "spot", "preemptible", "enable_smt", "threads_per_core"):
        found.fact(f"{key.replace('_', ' ')} of {title.text}", resolve(settings.get(key), given))
    stated = next((settings.get(key) for key in SIZES if settings.get(key) is not None), None)
    demanded = count(resolve(settings.get("node_count_dynamic_max"), given))
    value = resolve(stated, given)
    always = count(value) if value is not None and not placeholder(value) else None
    if demanded is not None and (stated is None or always is not None):
        found.fact("servers that always run", always)
        _expandable(words, always, demanded)
    elif stated is not None or machine is None or "gpu" in machine.text:
        put_count(words, _times(always, settings, given), found, path, stated or title)
    return words


def _times(each: Value | None, settings: Table, given: dict[str, Value]) -> Value | None:
    """Servers of all node pools that one module makes; unknown where their number is left open."""
    stated = settings.get("num_node_pools")
    many = count(resolve(stated, given))
    if each is None or stated is None:
        return each
    number = whole(many) or 0
    return each.but((whole(each) or 0) * number, f"{many.text} pools of {each.text}") if many and number else None


def _drives(settings: Table, words: Words, given: dict[str, Value]) -> None:
    """Local drives of a server, by a disk each or by their number."""
    disks = settings.tables("additional_disks")
    local = [one for one in disks if (kind := one.get("disk_type")) is not None and kind.text == "local-ssd"]
    sizes = [one.get("disk_size_gb") for one in local]
    many = next((one for key in LOCAL if (one := count(resolve(settings.get(key), given))) is not None), None)
    if local and sizes[0] is not None and all(whole(one) for one in sizes):
        total = sum(whole(one) or 0 for one in sizes)
        put(words, "local_storage/drives", sizes[0].but(len(local), "disks of type local-ssd"))
        put(words, "local_storage/capacity", sizes[0].but(f"{total} GiB", "added up"))
    elif many is not None and whole(many):
        put(words, "local_storage/drives", many)


def _processors(stated: Table, words: Words) -> None:
    """Sockets, cores and threads, as Slurm is told of them."""
    sockets, cores = count(stated.get("SocketsPerBoard", "Sockets")), count(stated.get("CoresPerSocket"))
    threads = count(stated.get("ThreadsPerCore"))
    put(words, "sockets", sockets)
    if sockets is None or cores is None:
        return
    total = (whole(sockets) or 0) * (whole(cores) or 0)
    put(words, "cpu_cores", cores.but(total, f"{sockets.text} sockets of {cores.text} cores"))
    if threads is not None:
        put(words, "cpu_threads", threads.but(total * (whole(threads) or 0), f"{threads.text} for each core"))


def _expandable(words: Words, always: Value | None, demanded: Value) -> None:
    """Servers that always run and those that are started on demand, who are none where nobody states them."""
    least, more = whole(always) or 0, whole(demanded) or 0
    if least + more:
        note = "" if not more or always is None else f"{least} that always run and {more} on demand"
        put(words, "count", (always if always is not None and not more else demanded).but(least + more, note))
