"""Hugging Face accelerate: its configuration files and the options of `accelerate launch`, which have the same names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import Fragment, How, Value, Words, put, whole
from designlint.importers.frameworks import deepspeed
from designlint.importers.megatron.sharding import sharding
from designlint.importers.workloads import count, flag, get, is_on, merge, number_format, start

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.base import Context, Source
    from designlint.importers.notations.structured import Table

#: Sections of a file, and what accelerate puts before their keys where they lack it.
SECTIONS = {
    "deepspeed_config": "",
    "fsdp_config": "fsdp_",
    "parallelism_config": "parallelism_config_",
    "megatron_lm_config": "megatron_lm_",
    "fp8_config": "fp8_",
}
#: Switches of the command line, and the kind of training that each stands for.
SWITCHES = {
    "use_deepspeed": "deepspeed",
    "use_fsdp": "fsdp",
    "use_megatron_lm": "megatron_lm",
    "multi_gpu": "multi_gpu",
    "cpu": "multi_cpu",
    "tpu": "xla",
}
#: Kinds of training without GPUs.
ELSEWHERE = frozenset(("multi_cpu", "xla", "tpu", "multi_npu", "multi_mlu", "multi_hpu", "multi_neuron"))
#: How ranks share a sequence where DeepSpeed trains (ALST), the only split that works beside it.
ULYSSES, BACKEND = "parallelism_config_sp_size", "parallelism_config_sp_backend"
SPLITS = {
    "parallelism/tensor": "parallelism_config_tp_size megatron_lm_tp_degree",
    "parallelism/context": "parallelism_config_cp_size parallelism_config_sp_size",
    "parallelism/pipeline": "megatron_lm_pp_degree",
}
OFFLOADED = ("cpu", "nvme")
#: What a checkpoint of FSDP is made of, and whether each rank writes its own part; accelerate numbers the choices, too.
FORMS = {"SHARDED_STATE_DICT": True, "FULL_STATE_DICT": False}


def options(table: Table) -> dict[str, Value]:
    """The values of a configuration file by the names that the command line has for them."""
    found = {name: one for name in table.names() if (one := table.get(name)) is not None}
    for section, prefix in SECTIONS.items():
        part = table.table(section)
        for name in part.names():
            if (one := part.get(name)) is not None:
                found[name if name.startswith(prefix) else prefix + name] = one
    return found


def kind(given: Mapping[str, Value]) -> str:
    """The kind of training, in small letters: the command line's switch, else that of the file; empty where neither says."""
    switched = next((one for name, one in SWITCHES.items() if is_on(given.get(name))), "")
    stated = given.get("distributed_type")
    return switched or (stated.text.lower() if stated is not None else "")


def on_gpus(given: Mapping[str, Value]) -> bool:
    """Whether its processes are those of GPUs."""
    return kind(given) not in ELSEWHERE and not is_on(given.get("use_cpu"))


def words(given: Mapping[str, Value], found: Fragment) -> Words:
    """What options say of the training; the section of another kind of training than the one that is on has no effect."""
    result: Words = {}
    put(result, "precision/matmul", number_format(given.get("mixed_precision")))
    put(result, "parallelism/gradient_accumulation", count(given.get("gradient_accumulation_steps")))
    chosen = kind(given)
    if chosen == "deepspeed":
        _read_deepspeed(given, result)
        _read_ulysses(given, result)
    elif chosen == "fsdp":
        _read_sharding(given, result, found)
    for path, names in SPLITS.items() if chosen in ("fsdp", "megatron_lm") else ():
        put(result, path, count(next((given[one] for one in names.split() if one in given), None)))
    return result


def _read_deepspeed(given: Mapping[str, Value], result: Words) -> None:
    put(result, "parallelism/zero_stage", count(given.get("zero_stage")))
    for name, word in (("offload_param_device", "weights"), ("offload_optimizer_device", "optimizer")):
        device = given.get(name)
        if word == "weights" and whole(get(result, "parallelism/zero_stage")) in (0, 1, 2):
            continue  # only stage 3 has weights that it can move
        if device is not None and device.text in OFFLOADED and get(result, "parallelism/offload") is None:
            put(result, "parallelism/offload", device.but(word, f"to {device.text}").as_text())
            put(result, "parallelism/offload_to", device.as_text())


def _read_ulysses(given: Mapping[str, Value], result: Words) -> None:
    degree, backend = count(given.get(ULYSSES)), given.get(BACKEND)
    if degree is not None and whole(degree) and (backend is None or backend.text == "deepspeed"):
        put(result, "parallelism/context", degree)
        if (whole(degree) or 1) > 1:
            put(result, "parallelism/context_method", degree.but("ulysses", "heads are exchanged").as_text())


def _read_sharding(given: Mapping[str, Value], result: Words, found: Fragment) -> None:
    """FSDP: by its strategy in the first version, by whether weights are sharded again in the second."""
    tool = defaults.tool("accelerate")
    version, stated = given.get("fsdp_version"), given.get("fsdp_sharding_strategy")
    again = flag(given.get("fsdp_reshard_after_forward"))
    if version is not None and version.text == "2":
        put(
            result,
            "parallelism/zero_stage",
            again and again.but(3 if is_on(again) else 2, "FSDP2 shards weights again"),
        )
    stated = stated or (given.get("fsdp_reshard_after_forward") if again is None else None)
    if stated is not None and get(result, "parallelism/zero_stage") is None:
        put(result, "parallelism/zero_stage", sharding(stated, tool.tables["strategies"].get(stated.text, "")))
    at = given.get("distributed_type") or given.get("use_fsdp")
    if at is not None and get(result, "parallelism/zero_stage") is None and stated is None:
        put(result, "parallelism/zero_stage", tool.value("fsdp", "zero_stage", at))
    moved, again = given.get("fsdp_offload_params"), given.get("fsdp_activation_checkpointing")
    if moved is not None and is_on(moved):
        put(result, "parallelism/offload", moved.but("weights", "fsdp_offload_params").as_text())
    if again is not None and is_on(again):
        put(result, "parallelism/recompute", again.but("full", "fsdp_activation_checkpointing").as_text())
    form = given.get("fsdp_state_dict_type")
    if form is not None and form.text.upper() in FORMS:
        put(result, "checkpoint/sharded", form.but(FORMS[form.text.upper()], form.text, How.DERIVED))
    found.fact("sharding", given.get("fsdp_sharding_strategy"))


def workload(given: Mapping[str, Value], source: Source, context: Context, found: Fragment, path: str) -> Words:
    """What options say of the training, and DeepSpeed's own file where they name one, which then decides alone."""
    result = words(given, found)
    chosen = kind(given)
    if chosen in ("deepspeed", "fsdp"):
        at = given.get("distributed_type") or start(source)
        result["framework"] = at.but(chosen, "accelerate's kind of training").as_text()
    inner = given.get("deepspeed_config_file") if chosen == "deepspeed" else None
    if inner is None:
        return result
    more = deepspeed.of_file(inner, inner.source, context, found, path)
    if more is None:
        return result
    merge(more, result)
    return more
