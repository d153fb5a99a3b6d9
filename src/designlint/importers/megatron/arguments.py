"""From arguments of Megatron-LM, and of frameworks that take over its names, to words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import costs, defaults
from designlint.importers.base import How, Value, Words, put, whole
from designlint.importers.megatron import attention, memory, saving, trainers
from designlint.importers.megatron.layers import gate, leading, put_mixed_layers
from designlint.importers.megatron.names import understood
from designlint.importers.megatron.sharding import sharding
from designlint.importers.workloads import count, flag, get, is_on, number_format, took

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

#: What names of arguments that place layers contain.
STAGING = re.compile("layer|stage|pipeline")
#: Counts of what no model is without: 0 stands for the model's own number.
COUNTED = frozenset(("model/layers", "model/hidden", "model/heads"))
#: Tables of words with the arguments that decide them.
DECIDING = ("counts", "flags", "decided")
#: Arguments that split layers over stages on purpose.
UNEVEN = (
    "pipeline_model_parallel_layout", "account_for_embedding_in_pipeline_split", "account_for_loss_in_pipeline_split",
    "pp_partition_method", "decoder_first_pipeline_num_layers", "decoder_last_pipeline_num_layers",
    "num_layers_in_first_pipeline_stage", "num_layers_in_last_pipeline_stage",
)  # fmt: skip
NORMS = {"layernorm": "layernorm", "rmsnorm": "rmsnorm"}


def words(given: Mapping[str, Value]) -> Words:
    """What the arguments state, and what follows from two of them; no defaults."""
    found: Words = {}
    tables = defaults.tool("megatron-lm").tables
    for path, names in tables["counts"].items():
        stated = count(_first(given, names))
        put(found, path, stated if whole(stated) or path not in COUNTED else None)
    for path, names in tables["flags"].items():
        put(found, path, flag(_first(given, names)))
    put_mixed_layers(given, found)
    gate(given, found)
    if (
        "train_tokens" in given
    ):  # of Megatron-DeepSpeed, which ends by tokens: steps and samples only bound the schedule
        found.pop("targets", None)
    strategy = given.get("save_strategy")
    if strategy is not None and strategy.text not in ("steps", "IntervalStrategy.STEPS"):  # `save_steps` has no effect
        found.pop("checkpoint", None)
        none = strategy.text.lower().rpartition(".")[2] == "no"
        put(found, "checkpoint/mode", strategy.but("none", "save_strategy no").as_text() if none else None)
    _attention(given, found)
    _sharding(given, found)
    _recompute(given, found)
    _precision(given, found)
    saving.fill(given, found)
    _stages(given, found)
    costs.optimizer(found, given.get("optimizer"))
    attention.fill(given, found)
    memory.fill(given, found)
    trainers.fill(given, found)
    for name in ("overlap_grad_reduce", "overlap_param_gather"):
        if is_on(given.get(name)):
            put(found, "parallelism/overlap", flag(given[name]))
    minutes = count(given.get("distributed_timeout_minutes"))
    put(found, "recovery/communication_timeout", minutes and minutes.but(f"{minutes.text} min", "", minutes.how))
    return found


def _first(given: Mapping[str, Value], names: str) -> Value | None:
    return next(
        (given[name] for name in names.split() if name in given and given[name].text not in ("None", "null")), None
    )


def _attention(given: Mapping[str, Value], found: Words) -> None:
    grouped, groups = given.get("group_query_attention"), count(given.get("num_query_groups"))
    if groups is not None and (
        is_on(grouped) or "model" not in found or (get(found, "model/kv_heads") is None and grouped is None)
    ):
        put(found, "model/kv_heads", groups)
    kind = given.get("attention_head_type")  # of BigCode's Megatron-LM
    if kind is not None and kind.text == "multiquery":
        put(found, "model/kv_heads", kind.but(1, "one head for keys and values"))
    latent = given.get("multi_latent_attention")
    if is_on(latent):
        assert latent is not None
        put(found, "model/attention", latent.but("mla", "multi-latent-attention").as_text())
        put(found, "model/head_dimension", count(given.get("qk_head_dim")))
    norm = given.get("normalization")
    if norm is not None and norm.text.lower() in NORMS:
        put(found, "model/norm", norm.but(NORMS[norm.text.lower()]).as_text())
    untied = flag(given.get("untie_embeddings_and_output_weights"))
    put(found, "model/tied_embeddings", untied and untied.but(untied.text != "true", "", untied.how))
    put(found, "model/dense_layers", leading(given.get("moe_layer_freq")))
    capacity = given.get("moe_expert_capacity_factor")
    if capacity is not None and capacity.number is not None and capacity.number > 0:
        put(found, "model/capacity_factor", capacity)


def _sharding(given: Mapping[str, Value], found: Words) -> None:
    """What data-parallel ranks share out, by the strongest of the switches."""
    strategy = sharding(given.get("data_parallel_sharding_strategy") or given.get("sharding_strategy"))
    fsdp = given.get("use_megatron_fsdp") or given.get("use_custom_fsdp")
    if strategy is not None and (fsdp is None or is_on(fsdp)):
        put(found, "parallelism/zero_stage", strategy)
    elif is_on(given.get("use_torch_fsdp2")):
        kept = is_on(given.get("torch_fsdp2_no_reshard_after_forward"))
        note = "FSDP keeps weights gathered" if kept else "FSDP shards weights"
        put(found, "parallelism/zero_stage", given["use_torch_fsdp2"].but(2 if kept else 3, note))
    elif given.get("zero_stage") is not None:
        put(found, "parallelism/zero_stage", count(given["zero_stage"]))
    elif is_on(given.get("use_distributed_optimizer")) and not is_on(fsdp):
        put(
            found,
            "parallelism/zero_stage",
            given["use_distributed_optimizer"].but(1, "the distributed optimizer is ZeRO 1"),
        )
    for name, word in (
        ("optimizer_cpu_offload", "optimizer"),
        ("cpu_optimizer", "optimizer"),
        ("offload_activations", "activations"),
        ("fine_grained_activation_offloading", "activations"),
    ):
        value = given.get(name)
        if value is not None and (is_on(value) or value.text == "1"):
            put(found, "parallelism/offload", value.but(word, name.replace("_", "-")).as_text())


def _recompute(given: Mapping[str, Value], found: Words) -> None:
    granularity = given.get("recompute_granularity") or given.get("activations_checkpoint_granularity")
    if granularity is not None and granularity.text in ("full", "selective"):
        put(found, "parallelism/recompute", granularity.as_text())
    elif is_on(given.get("recompute_activations")):
        put(
            found,
            "parallelism/recompute",
            given["recompute_activations"].but("selective", "recompute-activations").as_text(),
        )
    else:
        for name in ("checkpoint_activations", "deepspeed_activation_checkpointing"):
            if is_on(given.get(name)):
                put(found, "parallelism/recompute", given[name].but("full", name.replace("_", "-")).as_text())
    modules = given.get("recompute_modules")
    if modules is not None and modules.text and granularity is not None:  # other programs name their own modules
        listed = [modules.but(one).as_text() for one in re.split(r"[\s,\[\]\"']+", modules.text) if one]
        put(found, "parallelism/recompute_modules", listed)


#: What stands for the recipe itself; any other argument that changes what a parameter costs leaves it unknown.
RECIPE = frozenset(("fp4_format", "fp4", "fp8_format", "fp8", "bf16", "fp16", "optimizer"))
#: Arguments of an optimizer on CPUs, which keeps FP32 weights and both moments in FP32 as the recipe of BF16 does.
ON_CPUS = frozenset(("optimizer_cpu_offload", "use_precision_aware_optimizer"))


def recipe(given: Mapping[str, Value], found: Words) -> None:
    """What a parameter costs in Megatron-LM's own mixed precision with Adam: an entry of the catalogue."""
    optimizer = given.get("optimizer")
    on_cpus = ON_CPUS if is_on(given.get("optimizer_cpu_offload")) and is_on(given.get("bf16")) else frozenset()
    if (optimizer is not None and optimizer.text != "adam") or not given.keys().isdisjoint(
        {*defaults.tool("megatron-lm").tables["decided"]["precision/model"].split()} - RECIPE - on_cpus
    ):
        return
    form = get(found, "precision/matmul")
    eight = form is not None and form.text == "fp8"
    base = next((name for name in ("bf16", "fp16") if is_on(given.get(name))), None)
    entry = {"bf16": "fp8-bf16-weights" if eight else "bf16", "fp16": None if eight else "fp16-megatron"}.get(
        base or ""
    )
    if entry is not None and form is not None and form.text in ("bf16", "fp16", "fp8"):
        tool = defaults.tool("megatron-lm")
        value = form.but(entry, f"{tool.label}: its mixed precision with Adam", How.DEFAULT)
        put(found, "precision/model", value.of("Precision"))


def _precision(given: Mapping[str, Value], found: Words) -> None:
    """FP8 over the format of the rest; `fp8_format` alone switches it on."""
    four = given.get("fp4_format") or given.get("fp4")
    if four is not None and four.text.lower() not in ("false", "none", "null"):
        put(found, "precision/matmul", four.but("nvfp4", f"fp4-format {four.text}").as_text())
        return
    eight = given.get("fp8_format") or given.get("fp8")
    if eight is not None and eight.text.lower() not in ("false", "none", "null"):
        recipe = given.get("fp8_recipe")
        name = "mxfp8" if recipe is not None and recipe.text == "mxfp8" else "fp8"
        put(found, "precision/matmul", eight.but(name, f"fp8-format {eight.text}").as_text())
        return
    for name in ("bf16", "fp16"):
        if is_on(given.get(name)):
            put(found, "precision/matmul", given[name].but(name, name).as_text())
            return
    for name in ("compute_dtype", "precision", "mixed_precision"):
        put(found, "precision/matmul", number_format(given.get(name)) if "precision" not in found else None)


def _stages(given: Mapping[str, Value], found: Words) -> None:
    for name in UNEVEN:
        value = given.get(name)
        if value is not None and value.text.lower() not in ("false", "none", "null", "uniform"):
            put(found, "parallelism/uneven_stages", value.but(True, name.replace("_", "-")))
    each = get(found, "parallelism/layers_per_virtual_stage")
    layers, pipeline = took(found, "model/layers"), took(found, "parallelism/pipeline")
    size = whole(each)
    if each is not None and size and layers and pipeline and layers % (pipeline * size) == 0:
        put(
            found,
            "parallelism/virtual_stages",
            each.but(layers // (pipeline * size), f"{layers} layers / ({pipeline} stages x {size})"),
        )


def may_stage(names: Collection[str]) -> bool:
    """Whether some of these arguments, which a fork may add, may say which layers stand on which stage."""
    return any(name in UNEVEN or (STAGING.search(name) and name not in understood()) for name in names)


def unclear(names: Collection[str]) -> set[str]:
    """The words of arguments that are given, but whose values are not known."""
    tables = defaults.tool("megatron-lm").tables
    return {
        path for part in DECIDING for path, known in tables[part].items() if not set(known.split()).isdisjoint(names)
    }


def deciding(paths: Collection[str]) -> set[str]:
    """The arguments that decide these words."""
    tables = defaults.tool("megatron-lm").tables
    named = (tables[part].get(path, "") for path in paths for part in DECIDING)
    return {one for names in named for one in names.split()}


def fill_defaults(found: Words, at: Value, without: Collection[str] = ()) -> None:
    """
    What Megatron-LM fills in where an argument is left out.

    Args:
        without: words whose arguments are given, but with values that are not known.
    """
    tool = defaults.tool("megatron-lm")
    tool.fill(found, "arguments", at, without)
    _widths(found, at, tool, without)


def _widths(found: Words, at: Value, tool: defaults.Tool, without: Collection[str]) -> None:
    """Defaults that follow from other arguments."""

    def missing(path: str) -> bool:
        return get(found, path) is None and path not in without

    hidden, gated = took(found, "model/hidden"), get(found, "model/gated")
    if hidden and missing("model/feed_forward") and gated is not None:
        usual = tool.tables["widths"]
        wide, note = usual["times"] * hidden, f"{usual['times']} times the width"
        if gated.text == "true":
            times, by, multiple = (usual[f"gated_{one}"] for one in ("times", "by", "multiple"))
            wide = hidden * times // by // multiple * multiple
            note = f"{times}/{by} of the width, down to a multiple of {multiple}"
        put(found, "model/feed_forward", at.but(wide, f"{tool.label}: {note}", How.DEFAULT))
    heads = get(found, "model/heads")
    if heads is not None and missing("model/kv_heads") and missing("model/attention"):
        put(found, "model/kv_heads", heads.but(heads.text, f"{tool.label}: as many as heads", How.DEFAULT))
    if get(found, "model/experts") is None:
        return
    tensor, inner = get(found, "parallelism/tensor"), get(found, "model/feed_forward")
    if tensor is not None and missing("parallelism/expert_tensor"):
        put(found, "parallelism/expert_tensor", tensor.but(tensor.text, f"{tool.label}: as tensor", How.DEFAULT))
    if inner is not None and missing("model/expert_feed_forward"):
        put(found, "model/expert_feed_forward", inner.but(inner.text, f"{tool.label}: as ffn-hidden-size", How.DEFAULT))
