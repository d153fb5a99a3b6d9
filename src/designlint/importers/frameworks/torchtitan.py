"""TorchTitan's job configuration, in its own TOML or under options of the command line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import costs, defaults
from designlint.importers.base import Fragment, How, Source, Words, put, whole
from designlint.importers.frameworks import torchtitan_options
from designlint.importers.notations import structured, toml
from designlint.importers.notations.structured import Table
from designlint.importers.workloads import count, fill_words, flag, fragment, get, is_on, number_format, start, took

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.base import Value
    from designlint.reading import Node

SECTIONS = re.compile(
    r"^[ \t]*\[(?:parallelism|training|model|checkpoint|activation_checkpoint|job|lr_scheduler)\]", re.MULTILINE
)
#: What starts with a section, after comments.
FIRST = re.compile(r"(?:\s|#[^\n]*)*\[")
SHARDS = (
    "parallelism/data_parallel_shard_degree", "training/data_parallel_shard_degree", "training/data_parallel_degree",
)  # fmt: skip
LOCAL_BATCH = ("training/local_batch_size", "training/batch_size")
#: Pipeline schedules as PyTorch names them.
SCHEDULES = {
    "gpipe": "gpipe", "1f1b": "1f1b", "interleaved1f1b": "interleaved", "interleavedzerobubble": "zero-bubble",
    "zbvzerobubble": "zero-bubble-v", "dualpipev": "dualpipe", "interleaved_1f1b": "interleaved",
}  # fmt: skip
ROTATIONS = {"allgather": "all-gather", "alltoall": "ring"}


def is_torchtitan(source: Source) -> bool:
    """Whether at least three of TorchTitan's sections stand in a file, indented where a manifest holds it."""
    text = source.text[:100_000]
    found = SECTIONS.findall(text)
    return len({one.strip() for one in found if one[0] == "[" or FIRST.match(text)}) >= 3


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
    words = read_sections(Overridden(source, None, given), facts, shipped=False)
    return {word: part for word, part in words.items() if word != "framework"}


def workload(source: Source, facts: Fragment, given: Mapping[str, Value] | None = None) -> Fragment:
    """
    The workload of one file, with TorchTitan's defaults.

    Args:
        given: options that override the file; one whose value is not known has an empty text.
    """
    words = read_sections(Overridden(source, toml.root(source), given or {}), facts)
    structured.close(source, "torchtitan")
    return fragment(source, words)


def read_sections(table: Table, facts: Fragment, *, shipped: bool = True) -> Words:
    """
    What sections say.

    Args:
        shipped: what they leave out has TorchTitan's defaults.
    """
    at = start(table.source)
    words: Words = {"framework": at.but("torchtitan", "the file is TorchTitan's").as_text()}
    unknown = fill_words(words, table, "torchtitan") | torchtitan_options.report(table, facts)
    if shipped:
        defaults.tool("torchtitan").fill(words, "configuration", at, unknown)
    _shards(table, words, shipped)
    _batch(table, words, facts)
    _costs(table, words)
    facts.fact("degree of sharding, -1 for all", table.get(*SHARDS))
    _recompute(table, words)
    _precision(table, words, shipped)
    _checkpoint(table, words, shipped)
    offload = table.get("training/enable_cpu_offload")
    if offload is not None and is_on(offload):
        put(words, "parallelism/offload", offload.but("weights", "enable_cpu_offload").as_text())
    _shape(table, words)
    _run(table, words, shipped)
    for key in ("model/name", "model/flavor"):
        facts.fact(key.replace("/", " "), table.get(key))
    return words


def _batch(table: Table, words: Words, facts: Fragment) -> None:
    """Without a pipeline the micro-batch is all that a rank takes; a pipeline cuts it into micro-batches of their own size."""
    local = count(table.get(*LOCAL_BATCH))
    cut = count(table.get("parallelism/pipeline_parallel_microbatch_size"))
    if took(words, "parallelism/pipeline") == 1:
        put(words, "parallelism/micro_batch", local)
        return
    facts.fact("sequences of one data-parallel rank", local)
    put(words, "parallelism/micro_batch", cut)
    pieces = count(table.get("experimental/pipeline_parallel_microbatches"))  # of the first versions
    if local is not None and pieces is not None and whole(pieces) and (whole(local) or 0) % (whole(pieces) or 1) == 0:
        each = (whole(local) or 0) // (whole(pieces) or 1)
        put(words, "parallelism/micro_batch", local.but(each, f"{local.text} / {pieces.text} micro-batches"))


def _costs(table: Table, words: Words) -> None:
    """Optimizer, schedule, exchange of keys and values, formats of a run that is all in 16 bits, timeout."""
    costs.optimizer(words, table.get("optimizer/name"))
    schedule = table.get("parallelism/pipeline_parallel_schedule", "experimental/pipeline_parallel_schedule")
    known = SCHEDULES.get(schedule.text.lower()) if schedule is not None else None
    if schedule is not None and known is not None and (took(words, "parallelism/pipeline") or 1) > 1:
        put(words, "parallelism/schedule", schedule.but(known, schedule.text).as_text())
    rotated = table.get("parallelism/context_parallel_rotate_method")
    if rotated is not None and rotated.text in ROTATIONS and (took(words, "parallelism/context") or 1) > 1:
        put(words, "parallelism/context_method", rotated.but(ROTATIONS[rotated.text], rotated.text).as_text())
    form = table.get("training/dtype")
    if form is not None and form.text == "bfloat16":
        for word, size in defaults.tool("torchtitan").tables["bfloat16"].items():
            put(words, f"precision/{word}", form.but(f"{size} B", "training.dtype: no copy in fp32"))
    limit = count(table.get("comm/train_timeout_seconds"))
    put(words, "recovery/communication_timeout", limit and limit.but(f"{limit.text} s", "", limit.how))


def _recompute(table: Table, words: Words) -> None:
    mode = table.get("activation_checkpoint/mode")
    if mode is not None and mode.text in ("none", "selective", "full"):
        put(words, "parallelism/recompute", mode.as_text())
        option = table.get("activation_checkpoint/selective_ac_option")
        if mode.text == "selective" and option is not None and option.text == "op":
            put(words, "parallelism/recompute_modules", option.as_text())


def _shape(table: Table, words: Words) -> None:
    """The published model that a flavour is, where the catalogue has it."""
    name, flavor = table.get("model/name", "module"), table.get("model/flavor", "config")
    if name is None or flavor is None:
        return
    tool = defaults.tool("torchtitan")
    known = tool.tables["flavors"].get(f"{name.text}/{flavor.text}")
    if known is not None:
        put(words, "model/model", flavor.but(known, f"{name.text} {flavor.text} of {tool.label}").of("Model"))


def _run(table: Table, words: Words, shipped: bool) -> None:
    """Tensor parallelism splits the sequence, too; whether layers are compiled; who loads the data."""
    tool = defaults.tool("torchtitan")
    degree, stated = get(words, "parallelism/tensor"), flag(table.get("parallelism/enable_sequence_parallel"))
    put(words, "parallelism/sequence_parallel", stated)
    if shipped and stated is None and degree is not None and (whole(degree) or 1) > 1:
        put(words, "parallelism/sequence_parallel", tool.value("run", "sequence_parallel", degree))
    put(words, "compiled", flag(table.get("compile/enable", "training/compile")))
    put(words, "job/data_loader_workers", count(table.get("training/dataloader/num_workers")))


def _copies_only(table: Table, degree: Value | None, words: Words) -> bool:
    """Whether an older file chooses DDP: its one degree counts copies, and nothing is sharded."""
    kind = table.get("training/data_parallel_type")
    if kind is None or kind.text.lower() != "ddp":
        return False
    put(words, "parallelism/zero_stage", kind.but(0, "DDP"))
    put(words, "parallelism/data", count(degree))
    return True


def _shards(table: Table, words: Words, shipped: bool) -> None:
    """FSDP shards weights over all data ranks unless its degree is 1; with a pipeline it keeps them gathered."""
    degree = table.get(*SHARDS)
    if _copies_only(table, degree, words):
        return
    copies = count(table.get(*(f"{one}/data_parallel_replicate_degree" for one in ("parallelism", "training"))))
    policy = table.get("parallelism/fsdp_reshard_after_forward")
    if not shipped and (degree is None or (took(words, "parallelism/pipeline") is None and policy is None)):
        return
    at = degree or start(table.source)
    how = How.DERIVED if degree is not None else How.DEFAULT
    note = "degree of data parallelism" if degree is not None else defaults.tool("torchtitan").label
    shards = None if degree is None else degree.number
    if degree is not None and shards is None:
        return
    if shards == 1:
        put(words, "parallelism/zero_stage", at.but(0, note, how))
        put(words, "parallelism/data", copies)
        return
    several = (whole(copies) or 1) > 1
    if several and (shards is None or shards == -1):  # groups of so many ranks as the number of GPUs leaves
        return
    kept = policy is not None and policy.text == "never"
    kept = kept or ((policy is None or policy.text == "default") and (took(words, "parallelism/pipeline") or 1) > 1)
    put(words, "parallelism/zero_stage", at.but(2 if kept else 3, note, how))
    if isinstance(shards, int) and shards > 1 and degree is not None:
        total = shards * (whole(copies) or 1) if copies is not None else shards
        put(words, "parallelism/data", degree.but(total, "shards x copies"))
        put(words, "parallelism/sharding_group", degree if several else None)


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
        if name in names and at is not None and get(words, "precision/matmul") is None:
            put(words, "precision/matmul", at.but(word, f"converter {name}").as_text())
    older = table.get("float8/enable_float8_linear")  # of versions before converters
    if older is not None and is_on(older):
        put(words, "precision/matmul", older.but("fp8", "enable_float8_linear").as_text())
    if get(words, "precision/matmul") is None:
        put(words, "precision/matmul", number_format(table.get("training/mixed_precision_param")))
    if get(words, "precision/matmul") is None and shipped:
        usual = defaults.tool("torchtitan").value("precision", "matmul", start(table.source))
        put(words, "precision/matmul", usual and usual.as_text())


def _checkpoint(table: Table, words: Words, shipped: bool) -> None:
    """An interval means nothing where checkpoints are off, as they are unless the file turns them on."""
    enabled = table.get("checkpoint/enable", "checkpoint/enable_checkpoint")
    interval, mode = table.get("checkpoint/interval"), table.get("checkpoint/async_mode")
    if enabled is None and not shipped:
        return
    if not is_on(enabled):
        usual = defaults.tool("torchtitan").value("checkpoint", "mode", start(table.source))
        off = enabled.but("none", "checkpoint.enable", How.DERIVED) if enabled is not None else usual
        put(words, "checkpoint/mode", off and off.as_text())
        return
    unit = table.get("checkpoint/interval_type")  # of the first versions
    if unit is None or unit.text == "steps":
        put(words, "checkpoint/interval_steps", count(interval))
    keep = count(table.get("checkpoint/keep_latest_k"))  # 0: all are kept
    put(words, "checkpoint/keep", keep if keep is not None and whole(keep) else None)
    if mode is not None:
        put(words, "checkpoint/mode", mode.but("synchronous" if mode.text == "disabled" else "asynchronous").as_text())
    assert enabled is not None
    put(words, "checkpoint/sharded", enabled.but(True, "torch.distributed.checkpoint", How.DERIVED))
    if interval is None and shipped:
        put(
            words,
            "checkpoint/interval_steps",
            defaults.tool("torchtitan").value("checkpoint", "interval_steps", enabled),
        )
