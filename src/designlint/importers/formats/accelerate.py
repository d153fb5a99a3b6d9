"""Configuration files of Hugging Face accelerate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import accelerate
from designlint.importers.base import Fragment, Source, Words, put
from designlint.importers.formats import deepspeed
from designlint.importers.jobs import sizes
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table
from designlint.importers.workloads import count, merge, named, start

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from designlint.importers.base import Context, Value

TITLE = "accelerate configuration"
JOBS = True
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
IMMATERIAL = frozenset(
    (
        "compute_environment",
        "debug",
        "downcast_bf16",
        "machine_rank",
        "main_process_*",
        "main_training_function",
        "rdzv_backend",
        "same_network",
        "tpu_*",
        "gpu_ids",
        "enable_cpu_affinity",
        "dynamo_config",
        "mpirun_config",
        "command_file",
        "commands",
        "gradient_clipping",
        "deepspeed_multinode_launcher",
        "zero3_*",
        "fsdp_auto_wrap_policy",
        "fsdp_backward_prefetch*",
        "fsdp_forward_prefetch",
        "fsdp_cpu_ram_efficient_loading",
        "fsdp_sync_module_states",
        "fsdp_use_orig_params",
        "fsdp_transformer_layer_cls_to_wrap",
        "fsdp_min_num_params",
        "fp8_config",
    )
)


def sure(source: Source) -> int:
    """8 where the top names a kind of distributed training beside another key of accelerate's."""
    keys = structured.keys(source, "distributed_type")
    return 8 if "distributed_type" in keys and keys & MARKS else 0


def design(models: Sequence[Source], context: Context) -> Fragment:
    """A workload for each file."""
    found = Fragment()
    listed: list[Words] = []
    for source in models:
        name = named(source)
        given = accelerate.options(Table(source, structured.root(source)))
        words: Words = {"name": name}
        if accelerate.on_gpus(given):
            put(words, "job/servers", count(given.get("num_machines")))
            sizes.processes_of_all(words, count(given.get("num_processes")))
        merge(words, workload(given, source, context, found, f"workloads/{name.text}"))
        listed.append(words)
        structured.close(source, IMMATERIAL)
    found.words["workloads"] = list(listed)
    return found


def workload(given: Mapping[str, Value], source: Source, context: Context, found: Fragment, path: str) -> Words:
    """What options say of the training, and DeepSpeed's own file where they name one, which then decides alone."""
    words = accelerate.words(given, found)
    chosen = accelerate.kind(given)
    if chosen in ("deepspeed", "fsdp"):
        at = given.get("distributed_type") or start(source)
        words["framework"] = at.but(chosen, "accelerate's kind of training").named()
    inner = given.get("deepspeed_config_file") if chosen == "deepspeed" else None
    if inner is None:
        return words
    opened = context.opened(inner.source, inner.text)
    if isinstance(opened, str):
        why = f"DeepSpeed's configuration {inner.text} is not read: {opened}"
        found.unknown(f"{path}/parallelism/zero_stage", why, "designlint import it as well", inner)
        return words
    more = deepspeed.workload(Table(opened, structured.root(opened)), found, path)
    structured.close(opened, deepspeed.IMMATERIAL | deepspeed.BARE)
    merge(more, words)
    return more
