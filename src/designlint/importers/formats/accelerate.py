"""Configuration files of Hugging Face accelerate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, Source, Words, put
from designlint.importers.frameworks import accelerate
from designlint.importers.jobs import sizes
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table
from designlint.importers.workloads import count, merge, name_workload, totals

if TYPE_CHECKING:
    from designlint.importers.base import Context

TITLE = "accelerate configuration"
JOBS = True
TOOLS = ("accelerate",)
#: Keys of which an accelerate configuration has some beside its kind of training.
MARKS = frozenset(
    (
        "compute_environment",
        "num_processes",
        "num_machines",
        "machine_rank",
        "mixed_precision",
        "deepspeed_config",
        "fsdp_config",
        "main_training_function",
        "use_cpu",
    )
)


def sure(source: Source) -> int:
    """8 where the top names a kind of distributed training beside another key of accelerate's."""
    keys = structured.keys(source, "distributed_type")
    return 8 if "distributed_type" in keys and keys & MARKS else 0


def workload(source: Source, found: Fragment, context: Context) -> Words:
    """The training, and the processes that are started for it."""
    given = accelerate.options(Table(source, structured.root(source)))
    words: Words = {}
    if accelerate.on_gpus(given):
        put(words, "job/servers", count(given.get("num_machines")))
        sizes.processes_of_all(words, count(given.get("num_processes")), found)
    merge(words, accelerate.workload(given, source, context, found, f"workloads/{name_workload(source).text}"))
    totals(words, found)
    return words
