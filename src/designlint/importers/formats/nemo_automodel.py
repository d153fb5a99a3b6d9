"""NeMo Automodel's YAML: components by the names of Python, ranks of FSDP2 beside tensor, context, pipeline and expert ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import costs
from designlint.importers.base import Fragment, Source, Words, put, whole
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Resolved
from designlint.importers.workloads import count, fill_words, flag, get, of_framework, put_model

if TYPE_CHECKING:
    from designlint.importers.base import Context

TITLE = "NeMo Automodel configuration"
JOBS = True
TOOLS = ("nemo-automodel",)
SCHEDULES = {"1f1b": "1f1b", "gpipe": "gpipe", "interleaved1f1b": "interleaved"}


def sure(source: Source) -> int:
    """8 where steps are counted in a section of their own, and a component is Automodel's."""
    if "nemo_automodel" not in source.text:
        return 0
    return 8 if structured.keys(source, "step_scheduler") >= {"step_scheduler", "model", "distributed"} else 0


def workload(source: Source, found: Fragment, context: Context) -> Words:
    """The training."""
    table = Resolved(source, structured.root(source))
    words = of_framework(table.source, "nemo-automodel")
    fill_words(words, table, "nemo-automodel")
    stages = whole(get(words, "parallelism/pipeline")) or 1
    batch = (
        table.get("distributed/pipeline/pp_microbatch_size")
        if stages > 1
        else table.get("step_scheduler/local_batch_size")
    )
    put(words, "parallelism/micro_batch", count(batch))
    schedule = table.get("distributed/pipeline/pp_schedule")
    if stages > 1 and schedule is not None and schedule.text.lower() in SCHEDULES:
        put(words, "parallelism/schedule", schedule.but(SCHEDULES[schedule.text.lower()]).as_text())
    put(words, "parallelism/sequence_parallel", flag(table.get("distributed/sequence_parallel")))
    recomputed = flag(table.get("distributed/activation_checkpointing"))
    costs.put_recompute(words, recomputed, "activation_checkpointing")
    written = flag(table.get("checkpoint/enabled"))
    if written is not None and written.text == "false":
        words["checkpoint"] = {"mode": written.but("none", "checkpoint.enabled false").as_text()}
    minutes = count(table.get("dist_env/timeout_minutes"))
    put(words, "recovery/communication_timeout", minutes and minutes.but(f"{minutes.text} min", "", minutes.how))
    stated = table.get("optimizer/_target_")
    costs.optimizer(words, stated and stated.but(stated.text.rpartition(".")[2], stated.text))
    _put_model(table, words, found, context)
    return words


def _put_model(table: Resolved, words: Words, found: Fragment, context: Context) -> None:
    """The published model, and whether only adapters on it are trained."""
    adapted = table.get("peft/_target_")
    name = table.get("model/pretrained_model_name_or_path")
    found.fact("model name", name)
    if adapted is not None:
        put(words, "kind", adapted.but("lora", "only adapters are trained").as_text())
    elif name is not None:
        put(words, "kind", name.but("fine-tuning", f"all weights of {name.text[:40]} are trained").as_text())
    scratch = table.get("model/config/pretrained_model_name_or_path")  # its shape alone: `from_config`
    found.fact("model whose shape is trained", scratch)
    put_model(words, (name or scratch) if table.at("quantization") is None else None, context)
