"""verl's YAML, and that of its kin: a model that trains and generates, and the servers of both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import costs
from designlint.importers.base import Fragment, Source, Value, Words, put, whole
from designlint.importers.megatron import arguments, names
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Resolved, Table
from designlint.importers.workloads import count, fill_words, flag, is_on, merge, of_framework, totals

if TYPE_CHECKING:
    from designlint.importers.base import Context

TITLE = "verl configuration"
JOBS = True
TOOLS = ("verl",)
#: The section of the model that trains and generates: verl's, and EasyR1's.
MODELS = ("actor_rollout_ref", "worker")
#: Strategies of actors that shard weights.
FULLY_SHARDED = frozenset(("fsdp", "fsdp2"))


def sure(source: Source) -> int:
    """8 where a model that generates stands beside the trainer of its servers, or under verl's own name."""
    if "rollout" not in source.text or not structured.keys(source) & {"trainer", MODELS[0]}:
        return 0
    table = Resolved(source, structured.root(source))
    counted = table.at("trainer/n_gpus_per_node") is not None
    return 8 if any(table.table(f"{one}/rollout") and (counted or one == MODELS[0]) for one in MODELS) else 0


def workload(source: Source, found: Fragment, context: Context) -> Words:
    """The training."""
    table = Resolved(source, structured.root(source))
    words = of_framework(table.source, "verl")
    fill_words(words, table, "verl")
    model = next((table.table(one) for one in MODELS if table.table(f"{one}/rollout")), table.table(MODELS[0]))
    strategy = model.get("actor/strategy")
    if strategy is not None and strategy.text == "megatron":
        megatron, wanted = model.table("actor/megatron"), names.understood()
        given = {key: one for key in megatron.names() if key in wanted and (one := megatron.get(key)) is not None}
        merge(words, arguments.words(given))
    elif strategy is not None and strategy.text in FULLY_SHARDED:
        _put_fsdp(words, strategy, model)
    if not is_on(model.get("actor/use_dynamic_bsz")):
        micro = model.get("actor/ppo_micro_batch_size_per_gpu", "actor/micro_batch_size_per_device_for_update")
        put(words, "parallelism/micro_batch", count(micro))
    recomputed = flag(model.get("model/enable_gradient_checkpointing", "actor/model/enable_gradient_checkpointing"))
    costs.put_recompute(words, recomputed, "enable_gradient_checkpointing")
    found.fact("model name", model.get("model/path", "actor/model/model_path"))
    split = count(model.get("rollout/tensor_model_parallel_size", "rollout/tensor_parallel_size"))
    if split is not None and whole(split):
        put(words, "kind", split.but("reinforcement-learning", "the job generates what it trains on").as_text())
        put(words, "reinforcement/rollout_tensor", split)
        put(words, "reinforcement/rollout_expert", count(model.get("rollout/expert_parallel_size")))
    if model.get("rollout/nnodes") is None or whole(count(model.get("rollout/nnodes"))) == 0:
        totals(words, found)
    return words


def _put_fsdp(words: Words, strategy: Value, model: Table) -> None:
    """What FSDP shards, while it computes: what rests in host memory between phases comes back; Ulysses splits sequences."""
    kept = model.get("actor/fsdp_config/reshard_after_forward")
    stage = 2 if kept is not None and kept.text.lower() == "false" else 3
    put(words, "parallelism/zero_stage", strategy.but(stage, f"strategy {strategy.text}"))
    put(words, "parallelism/context", count(model.get("actor/ulysses_sequence_parallel_size")))
