"""CPU memory and space on drives that a batch header asks for, of each server: as stated, or of each GPU or CPU."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import put
from designlint.importers.workloads import get, is_on, took

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.base import Value, Words

MEMORY = re.compile(r"(\d+)\s*([KMGT]?)B?\Z", re.IGNORECASE)
UNITS = {"": "MiB", "K": "KiB", "M": "MiB", "G": "GiB", "T": "TiB"}


def fill(given: Mapping[str, Value], found: Words) -> None:
    """What these options say, once the sizes of the job are known."""
    disk, memory = given.get("tmp"), given.get("mem")
    if disk is not None and disk.text != "0":
        put(found, "job/local_storage", _times(disk, 1, ""))
    if memory is not None and MEMORY.match(memory.text) and not int(MEMORY.sub(r"\1", memory.text)):
        put(found, "job/all_host_memory", memory.but(True, "mem 0 is all of it"))
    elif memory is not None:
        put(found, "job/host_memory", _times(memory, 1, ""))
    else:
        _shares(given, found)


def _shares(given: Mapping[str, Value], found: Words) -> None:
    """Memory of each GPU, or of each CPU, times those of a server; a server for the job alone has CPUs that nobody counts."""
    each, gpus = given.get("mem-per-gpu"), took(found, "job/gpus_per_server")
    if each is not None and gpus:
        put(found, "job/host_memory", _times(each, gpus, f"of each of {gpus} GPUs"))
        return
    each, tasks = given.get("mem-per-cpu"), took(found, "job/tasks_per_server")
    alone = given.get("exclusive")
    if each is None or not tasks or is_on(alone) or (alone is not None and not alone.text):
        return
    cpus = took(found, "job/cpus_per_task") if get(found, "job/cpus_per_task") is not None else 1
    if cpus:
        put(found, "job/host_memory", _times(each, cpus * tasks, f"of each of {cpus * tasks} CPUs"))


def _times(value: Value, many: int, note: str) -> Value | None:
    """An amount, so many times; None where it is none."""
    parts = MEMORY.match(value.text)
    return value.but(f"{int(parts[1]) * many} {UNITS[parts[2].upper()]}", note) if parts else None
