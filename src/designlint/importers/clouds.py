"""What the importers of cloud definitions share: pools of a machine type, and values that somebody else fills in."""

from __future__ import annotations

from designlint.importers import defaults
from designlint.importers.base import Fragment, How, Value, Words, put
from designlint.importers.notations.structured import open_ended
from designlint.importers.workloads import count


def put_gpus(words: Words, machine: Value | None, found: Fragment, path: str) -> None:
    """GPUs of a pool by its machine type; unknown where the type is, or is not in the table."""
    if machine is None:
        return
    if open_ended(machine):
        found.unknown(f"{path}/gpus", f"the machine type is `{machine.text[:40]}`", "", machine)
        return
    found.fact("machine type", machine)
    known = defaults.tool("cloud-instances").tables.get(machine.text)
    if known is None:
        found.unknown(f"{path}/gpus", f"the table of machine types has no `{machine.text[:40]}`", "state them", machine)
        return
    note = f"machine type {machine.text}"
    put(words, "gpus", machine.but(known["gpus"], note, How.DERIVED) if "gpus" in known else None)
    put(words, "gpu", machine.but(known["gpu"], note, How.DERIVED).of("Gpu") if "gpu" in known else None)
    found.fact(
        "adapters between servers", machine.but(known["adapters"], note, How.DERIVED) if "adapters" in known else None
    )


def put_count(words: Words, value: Value | None, found: Fragment, path: str, at: Value) -> None:
    """The number of servers, or why nobody knows it."""
    number = count(value)
    if number is not None:
        put(words, "count", number)
        return
    why = f"the number of servers is `{value.text[:40]}`" if value is not None else "the number of servers is left open"
    found.unknown(f"{path}/count", why, "the values that the deployment is started with", value or at)


def put_capacity(words: Words, size: Value | None, rate: Value | None) -> None:
    """Capacity of a file system in GiB, and what it reads: so many MB/s for each TiB, where both are stated."""
    if size is None or not size.number:
        return
    put(words, "capacity", size.but(f"{size.text} GiB", "", How.STATED))
    if rate is not None and rate.number:
        total = size.number / 1024 * rate.number
        put(words, "read", rate.but(f"{total:g} MB/s", f"{size.text} GiB x {rate.text} MB/s for each TiB"))


def placeholder(value: Value | None) -> bool:
    """Whether a value only holds a place: capitals with underscores."""
    return value is not None and (open_ended(value) or (value.text.isupper() and "_" in value.text))
