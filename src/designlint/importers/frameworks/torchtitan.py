"""TorchTitan's job configuration, in its own TOML or under options of the command line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import Fragment, How, Source, Words, put, whole
from designlint.importers.notations import structured, toml
from designlint.importers.notations.structured import Table
from designlint.importers.workloads import count, filled, fragment, get, is_on, number_format, start, took

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.base import Value
    from designlint.reading import Node

SECTIONS = re.compile(
    r"^\[(?:parallelism|training|model|checkpoint|activation_checkpoint|job|lr_scheduler)\]", re.MULTILINE
)
MAPPING = {
    "parallelism/tensor": "parallelism/tensor_parallel_degree|training/tensor_parallel_degree",
    "parallelism/pipeline": "parallelism/pipeline_parallel_degree|experimental/pipeline_parallel_degree",
    "parallelism/context": "parallelism/context_parallel_degree|experimental/context_parallel_degree",
    "parallelism/expert": "parallelism/expert_parallel_degree",
    "parallelism/global_batch": "training/global_batch_size",
    "model/sequence": "training/seq_len",
    "targets/steps": "training/steps",
}
LOCAL_BATCH = ("training/local_batch_size", "training/batch_size")
#: Options that are read, besides those of `MAPPING`.
OTHERS = (
    *LOCAL_BATCH, "parallelism/data_parallel_shard_degree", "parallelism/data_parallel_replicate_degree",
    "parallelism/fsdp_reshard_after_forward", "activation_checkpoint/mode", "activation_checkpoint/selective_ac_option",
    "training/mixed_precision_param", "training/enable_cpu_offload", "checkpoint/enable", "checkpoint/enable_checkpoint",
    "checkpoint/interval", "checkpoint/async_mode", "model/name", "model/flavor", "model/converters",
)  # fmt: skip
IMMATERIAL = frozenset(
    [
        "job",
        "profiling",
        "metrics",
        "optimizer",
        "lr_scheduler",
        "compile",
        "validation",
        "comm",
        "fault_tolerance",
        "memory_estimation",
        "debug",
        "experimental",
        "max_norm",
        "dataset",
        "dataset_path",
        "dump_folder",
        "description",
        "print_args",
        "hf_assets_path",
        "tokenizer_path",
        "flavor",
        "converters",
        "fsdp_reshard_after_forward",
        "enable_async_tensor_parallel",
        "pipeline_parallel_schedule",
        "pipeline_parallel_schedule_csv",
        "pipeline_parallel_split_points",
        "pipeline_parallel_microbatch_size",
        "disable_loss_parallel",
        "enable_compiled_autograd",
        "context_parallel_rotate_method",
        "folder",
        "last_save_model_only",
        "export_dtype",
        "async_mode",
        "keep_latest_k",
        "initial_load_path",
        "load_step",
        "exclude_from_loading",
        "create_seed_checkpoint",
        "last_save_in_hf",
        "initial_load_in_hf",
        "selective_ac_option",
        "per_op_sac_force_recompute_mm_shapes_by_fqns",
        "early_stop",
        "quantize",
        "float8",
        "mx",
        "gc_freq",
        "deterministic",
        "seed",
        "data_parallel_replicate_degree",
        "mixed_precision_reduce",
        "expert_tensor_parallel_degree",
        "expert_parallel_comm_backend",
        "norm_type",
        "name",
        "print_config",
        "enable_cpu_offload",
        "dataloader",
    ]
)


def recognised(source: Source) -> bool:
    """Whether at least three of TorchTitan's sections stand in a file."""
    return len(set(SECTIONS.findall(source.text[:100_000]))) >= 3


class Overridden(Table):
    """A configuration under options of the command line, such as `--training.steps=60`; their values come first."""

    def __init__(self, source: Source, node: Node | None, options: Mapping[str, Value]) -> None:
        super().__init__(source, node)
        self.options = {name.replace(".", "/"): value for name, value in options.items()}

    def get(self, *paths: str) -> Value | None:
        """The option, else what the file says; that is understood either way."""
        filed = super().get(*paths)
        return next((self.options[path] for path in paths if path in self.options), filed)


def options(source: Source, facts: Fragment, given: Mapping[str, Value]) -> Words:
    """What options say where the file below them is not known."""
    words = stated(Overridden(source, None, given), facts, shipped=False)
    return {word: part for word, part in words.items() if word != "framework"}


def workload(source: Source, facts: Fragment, given: Mapping[str, Value] | None = None) -> Fragment:
    """
    The workload of one file, with TorchTitan's defaults.

    Args:
        given: options that override the file; one whose value is not known has an empty text.
    """
    words = stated(Overridden(source, toml.root(source), given or {}), facts)
    structured.close(source, IMMATERIAL)
    return fragment(source, words)


def stated(table: Table, facts: Fragment, *, shipped: bool = True) -> Words:
    """
    What sections say.

    Args:
        shipped: what they leave out has TorchTitan's defaults.
    """
    at = start(table.source)
    words: Words = {"framework": at.but("torchtitan", "the file is TorchTitan's").named()}
    unknown = filled(words, table, MAPPING)
    if shipped:
        defaults.tool("torchtitan").fill(words, "configuration", at, unknown)
    _shards(table, words, shipped)
    local = count(table.get(*LOCAL_BATCH))
    if took(words, "parallelism/pipeline") == 1:
        put(words, "parallelism/micro_batch", local)
    elif local is not None:
        facts.fact("sequences of one data-parallel rank", local)
    facts.fact("degree of sharding, -1 for all", table.get("parallelism/data_parallel_shard_degree"))
    _recompute(table, words)
    _precision(table, words, shipped)
    _checkpoint(table, words, shipped)
    offload = table.get("training/enable_cpu_offload")
    if offload is not None and is_on(offload):
        put(words, "parallelism/offload", offload.but("weights", "enable_cpu_offload").named())
    _shape(table, words)
    for key in ("model/name", "model/flavor"):
        facts.fact(key.replace("/", " "), table.get(key))
    return words


def _recompute(table: Table, words: Words) -> None:
    mode = table.get("activation_checkpoint/mode")
    if mode is not None and mode.text in ("none", "selective", "full"):
        put(words, "parallelism/recompute", mode.named())
        option = table.get("activation_checkpoint/selective_ac_option")
        if mode.text == "selective" and option is not None and option.text == "op":
            put(words, "parallelism/recompute_modules", option.named())


def _shape(table: Table, words: Words) -> None:
    """The published model that a flavour is, where the catalogue has it."""
    name, flavor = table.get("model/name"), table.get("model/flavor")
    if name is None or flavor is None:
        return
    tool = defaults.tool("torchtitan")
    known = tool.tables["flavors"].get(f"{name.text}/{flavor.text}")
    if known is not None:
        put(words, "model/model", flavor.but(known, f"{name.text} {flavor.text} of {tool.label}").of("Model"))


def _shards(table: Table, words: Words, shipped: bool) -> None:
    """FSDP shards weights over all data ranks unless its degree is 1; with a pipeline it keeps them gathered."""
    degree = table.get("parallelism/data_parallel_shard_degree", "training/data_parallel_shard_degree")
    copies = count(table.get("parallelism/data_parallel_replicate_degree"))
    policy = table.get("parallelism/fsdp_reshard_after_forward")
    if not shipped and (degree is None or (took(words, "parallelism/pipeline") is None and policy is None)):
        return
    at = degree or start(table.source)
    how = How.DERIVED if degree is not None else How.DEFAULT
    note = "data_parallel_shard_degree" if degree is not None else defaults.tool("torchtitan").label
    shards = None if degree is None else degree.number
    if degree is not None and shards is None:
        return
    if shards == 1:
        put(words, "parallelism/zero_stage", at.but(0, note, how))
        put(words, "parallelism/data", copies)
        return
    kept = policy is not None and policy.text == "never"
    kept = kept or ((policy is None or policy.text == "default") and (took(words, "parallelism/pipeline") or 1) > 1)
    put(words, "parallelism/zero_stage", at.but(2 if kept else 3, note, how))
    if isinstance(shards, int) and shards > 1 and degree is not None:
        total = shards * (whole(copies) or 1) if copies is not None else shards
        put(words, "parallelism/data", degree.but(total, "shards x copies"))


def understood() -> frozenset[str]:
    """The options that are read, as the command line spells them."""
    keys = {key for stated in MAPPING.values() for key in stated.split("|")}
    return frozenset(key.replace("/", ".") for key in keys.union(OTHERS))


def _converters(table: Table) -> tuple[list[str], Value | None]:
    """The converters of the model, and where they stand."""
    stated = table.get("model/converters")
    if stated is not None:
        return [one.strip(" []'\"") for one in stated.text.split(",")], stated
    node = table.at("model/converters")
    if node is None:
        return [], None
    return [one.text for one in node.items], table.source.value("", node.start, node.end)


def _precision(table: Table, words: Words, shipped: bool) -> None:
    names, at = _converters(table)
    for name, word in (
        ("mx", "mxfp8"),
        ("quantize.linear.mx", "mxfp8"),
        ("float8", "fp8"),
        ("quantize.linear.float8", "fp8"),
    ):
        if name in names and at is not None and "precision" not in words:
            put(words, "precision/matmul", at.but(word, f"converter {name}").named())
    if "precision" not in words:
        put(words, "precision/matmul", number_format(table.get("training/mixed_precision_param")))
    if "precision" not in words and shipped:
        usual = defaults.tool("torchtitan").value("precision", "matmul", start(table.source))
        put(words, "precision/matmul", usual and usual.named())


def _checkpoint(table: Table, words: Words, shipped: bool) -> None:
    """An interval means nothing where checkpoints are off, as they are unless the file turns them on."""
    enabled = table.get("checkpoint/enable", "checkpoint/enable_checkpoint")
    interval, mode = table.get("checkpoint/interval"), table.get("checkpoint/async_mode")
    if enabled is None and not shipped:
        return
    if not is_on(enabled):
        usual = defaults.tool("torchtitan").value("checkpoint", "mode", start(table.source))
        off = enabled.but("none", "checkpoint.enable", How.DERIVED) if enabled is not None else usual
        put(words, "checkpoint/mode", off and off.named())
        return
    put(words, "checkpoint/interval_steps", count(interval))
    if mode is not None:
        put(words, "checkpoint/mode", mode.but("synchronous" if mode.text == "disabled" else "asynchronous").named())
    assert enabled is not None
    put(words, "checkpoint/sharded", enabled.but(True, "torch.distributed.checkpoint", How.DERIVED))
    if get(words, "checkpoint/interval_steps") is None and shipped:
        put(
            words,
            "checkpoint/interval_steps",
            defaults.tool("torchtitan").value("checkpoint", "interval_steps", enabled),
        )
