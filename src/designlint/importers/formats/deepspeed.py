"""DeepSpeed's JSON configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.frameworks import deepspeed
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table
from designlint.importers.workloads import name_workload

if TYPE_CHECKING:
    from designlint.importers.base import Context, Fragment, Source, Words

TITLE = "DeepSpeed configuration"
JOBS = True
TOOLS = ("deepspeed",)
MARKS = frozenset(
    (
        "zero_optimization",
        "train_micro_batch_size_per_gpu",
        "train_batch_size",
        "gradient_accumulation_steps",
        "fp16",
        "bf16",
        "zero_allow_untested_optimizer",
        "steps_per_print",
        "wall_clock_breakdown",
        "gradient_clipping",
        "prescale_gradients",
    )
)
#: What Hugging Face's trainer calls the batch, which DeepSpeed does not know.
TRAINER = "per_device_train_batch_size"


def sure(source: Source) -> int:
    """8 where the top of a JSON file has DeepSpeed's own sections, and no arguments of a trainer that calls it."""
    if source.text.lstrip()[:1] != "{" or len(source.text) > 200_000:
        return 0
    root = structured.root(source)
    found = len(MARKS & root.entries.keys()) if root is not None and TRAINER not in root.entries else 0
    return 8 if found > 1 or (found and root is not None and "zero_optimization" in root.entries) else 0


def workload(source: Source, found: Fragment, context: Context) -> Words:
    """The training."""
    table = Table(source, structured.root(source))
    return deepspeed.workload(table, found, f"workloads/{name_workload(source).text}")
