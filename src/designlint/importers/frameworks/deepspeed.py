"""DeepSpeed's configuration, in a file of its own or written by a launch script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import costs, defaults
from designlint.importers.base import put, whole
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table
from designlint.importers.workloads import count, drop, flag, get, is_on, number_format, start
from designlint.language.values import nearest

if TYPE_CHECKING:
    from designlint.importers.base import Context, Fragment, Source, Value, Words

#: Keys of `zero_optimization` that count ranks: of a group that holds a whole copy, and of one with a second copy of the weights.
GROUPS = {"sharding_group": "mics_shard_size", "weight_group": "zero_hpz_partition_size"}
#: What whoever starts the job may choose in place of what the file says.
BATCH = ("parallelism/micro_batch", "parallelism/global_batch", "parallelism/gradient_accumulation")
OFFLOADED = ("cpu", "nvme")
#: Keys below `bf16` and `fp16` that change what the optimizer keeps.
OTHER_STATE = ("bf16_master_weights_and_grads", "bf16_optimizer_states", "fp16_master_weights_and_grads")
#: How alike a key and one that DeepSpeed knows are, from 0 to 1, for the one to be a slip of the other: people also put
#: comments and keys of other programs into the file.
ALIKE = 0.85


def workload(table: Table, fragment: Fragment, path: str) -> Words:
    """What the configuration says of a workload, whoever launches it."""
    words: Words = {"framework": start(table.source).but("deepspeed", "the file is DeepSpeed's").as_text()}
    for word, key in (
        ("parallelism/micro_batch", "train_micro_batch_size_per_gpu"),
        ("parallelism/global_batch", "train_batch_size"),
        ("parallelism/gradient_accumulation", "gradient_accumulation_steps"),
        ("parallelism/zero_stage", "zero_optimization/stage"),
        ("parallelism/tensor", "tensor_parallel/autotp_size"),
    ):
        value = table.get(key)
        put(words, word, count(value))
        if value is not None and count(value) is None:
            why = f"{key} is `{value.text[:40]}`: whoever starts the job decides"
            fragment.unknown(f"{path}/{word}", why, "the configuration that DeepSpeed prints at the start", value)
    if is_on(table.get("expert_parallel/enabled")):
        put(words, "parallelism/expert", count(table.get("expert_parallel/autoep_size")))
        put(words, "parallelism/expert_tensor", count(table.get("expert_parallel/expert_tensor_parallel_size")))
    _elastic(table, words, fragment, path)
    _offload(table, words)
    _precision(table, words)
    _groups(table, words)
    costs.optimizer(words, table.get("optimizer/type"))
    put(words, "parallelism/overlap", flag(table.get("zero_optimization/overlap_comm")))
    partitioned = table.get(
        "activation_checkpointing/partition_activations", "activation_checkpointing/cpu_checkpointing"
    )
    fragment.fact("activation checkpointing", partitioned)
    for one in ("zero_optimization/offload_optimizer/device", "zero_optimization/offload_param/device"):
        fragment.fact(one.rpartition("/device")[0].rpartition("/")[2], table.get(one))
    _misspelt(table, fragment)
    for one in ("optimizer/type", "fp16/initial_scale_power"):
        fragment.fact(one.replace("/", " "), table.get(one))
    return words


def of_file(name: Value, source: Source, context: Context, fragment: Fragment, path: str) -> Words | None:
    """What a configuration that a file names says; None where it is not read, which the fragment then says."""
    opened = context.opened(source, name.text)
    if isinstance(opened, str):
        why = f"DeepSpeed's configuration {name.text} is not read: {opened}"
        fragment.unknown(f"{path}/parallelism/zero_stage", why, "designlint import it as well", name)
        return None
    words = workload(Table(opened, structured.root(opened)), fragment, path)
    close(opened)
    return words


def close(source: Source) -> None:
    """Account for all keys of a configuration that nobody asked for."""
    structured.close(source, "deepspeed")


def _elastic(table: Table, words: Words, fragment: Fragment, path: str) -> None:
    """Elastic training chooses the batch size by the number of GPUs, whatever the file says of it."""
    elastic = table.get("elasticity/enabled")
    if elastic is None or not costs.may_be_on(elastic):
        return
    for word in BATCH:
        drop(words, word)
        why = "elastic training chooses it by the number of GPUs"
        fragment.unknown(f"{path}/{word}", why, "ds_elastic -c FILE -w GPUS", elastic)


def _groups(table: Table, words: Words) -> None:
    """Groups of ranks that share state among themselves, and the format in which gradients are sent."""
    for word, key in GROUPS.items():
        size, stage = count(table.get(f"zero_optimization/{key}")), get(words, "parallelism/zero_stage")
        if size is not None and (whole(size) or 0) > 1 and stage is not None and stage.text == "3":
            put(words, f"parallelism/{word}", size)
    costs.put_gradient_bytes(words, table.get("communication_data_type"))


def _misspelt(table: Table, fragment: Fragment) -> None:
    """Keys that DeepSpeed does not know and that look like one that it does: older versions pass over them silently."""
    tool = defaults.tool("deepspeed")
    known = tool.lists["read"] | tool.lists["immaterial"] | tool.lists["switched"]
    for part in (table, table.table("zero_optimization")):
        for key, node in part.node.entries.items() if part.node is not None else ():
            if key in known or node.key_start < 0 or not key[:1].isalpha():  # put out of use
                continue
            for near in nearest(key, sorted(known), most=1, alike=ALIKE):
                at = part.source.value(key, node.key_start, node.key_end)  # one finding for one fault
                fragment.clash("import/misspelt-key", at, name=key[:60], proposal=near, tool="DeepSpeed")


def _precision(table: Table, words: Words) -> None:
    for key in ("bf16", "bfloat16", "fp16", "fp8"):
        enabled = table.get(f"{key}/enabled")
        if is_on(enabled) and "precision" not in words:
            assert enabled is not None
            put(words, "precision/matmul", number_format(enabled.but(key, f"{key}.enabled")))
    _state(table, words)
    if "precision" not in words and is_on(table.get("torch_autocast/enabled")):
        put(words, "precision/matmul", number_format(table.get("torch_autocast/dtype")))


def _state(table: Table, words: Words) -> None:
    """What a parameter costs where its state is moved: 16 bits of weights, or FP32 of an optimizer that is named."""
    form, moved = get(words, "precision/matmul"), get(words, "parallelism/offload")
    other = any(table.get(f"{part}/{key}") is not None for part in ("bf16", "fp16") for key in OTHER_STATE)
    if form is None or form.text not in ("bf16", "fp16") or moved is None or other:
        return
    if moved.text == "weights":
        put(words, "precision/weight_bytes", form.but("2 B", "DeepSpeed casts the weights"))
    elif table.get("optimizer/type") is not None:
        put(words, "precision/optimizer_bytes", form.but("12 B", "DeepSpeed keeps FP32 weights and moments"))
        put(words, "precision/moment_bytes", form.but("4 B", "DeepSpeed keeps FP32 weights and moments"))


def _offload(table: Table, words: Words) -> None:
    """The weights say more than the optimizer state: where both are offloaded, the state is too."""
    zero = "zero_optimization"
    optimizer = _device(table, f"{zero}/offload_optimizer/device", f"{zero}/cpu_offload")
    weights = _device(table, f"{zero}/offload_param/device", f"{zero}/cpu_offload_params")
    if whole(get(words, "parallelism/zero_stage")) in (0, 1, 2):  # only stage 3 has weights that it can move
        weights = None
    for value, word in ((weights, "weights"), (optimizer, "optimizer")):
        if value is not None and "offload" not in words.get("parallelism", {}):
            put(
                words,
                "parallelism/offload",
                value.but(word, f"to {value.text}").as_text(),
            )
            put(words, "parallelism/offload_to", value.as_text())
    share = table.get(f"{zero}/offload_optimizer/ratio")
    if optimizer is not None and weights is None and share is not None and share.number is not None:
        put(words, "parallelism/offload_share", share.but(f"{share.number}", "", share.how))


def _device(table: Table, new: str, old: str) -> Value | None:
    device, switch = table.get(new), table.get(old)
    if device is not None:
        return device if device.text in OFFLOADED else None
    return switch.but("cpu", "the old key of offload_*.device") if switch is not None and is_on(switch) else None
