"""MaxText's YAML: run configurations, which inherit from a base, model files, and Primus' experiments with MaxText."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from designlint.importers import costs, defaults
from designlint.importers.base import Fragment, How, Source, Words, put, whole
from designlint.importers.frameworks import primus
from designlint.importers.frameworks.maxtext import mesh
from designlint.importers.frameworks.maxtext_models import model
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table
from designlint.importers.workloads import count, flag, get, is_on, number_format, start

if TYPE_CHECKING:
    from designlint.importers.base import Context

TITLE = "MaxText configuration"
JOBS = True
TOOLS = ("maxtext", "primus")
#: The key whose value replaces the shape of a configuration, where it names a model, and the file beside that has its shape.
NAMED, NAMELESS, SHAPES = "model_name", "default", "models/{}.yml"
MARKS = frozenset(
    [
        "base_emb_dim",
        "base_num_query_heads",
        "base_num_decoder_layers",
        "per_device_batch_size",
        "max_target_length",
        "base_config",
        "remat_policy",
        "decoder_block",
        "dcn_data_parallelism",
        "ici_tensor_parallelism",
        "ici_fsdp_parallelism",
        "scan_layers",
    ]
)


#: The key by which a configuration inherits from another file.
INHERITS = re.compile(r"""^base_config:[ ]*["']?[\w./-]+\.ya?ml\b""", re.MULTILINE)


def sure(source: Source) -> int:
    """8 for an experiment of Primus; 7 with two keys that are MaxText's own at the top; 6 where it inherits from a file."""
    if primus.module(source, "maxtext") is not None:
        return 8
    if not any(
        one in source.text for one in ("base_emb_dim", "per_device_batch_size", "max_target_length", "base_config")
    ):
        return 0
    if len(MARKS & structured.keys(source)) >= 2:
        return 7
    return 6 if INHERITS.search(source.text) else 0


def workload(source: Source, found: Fragment, context: Context) -> Words:
    """The training; what it inherits stays unknown."""
    table, module = Table(source, structured.root(source)), primus.module(source, "maxtext")
    if module is not None:
        return primus.workload(source, module, found, partial(_words, found=found, context=context))
    words = _words(table, found, context)
    put(words, "name", table.get("run_name"))
    return words


def _words(table: Table, found: Fragment, context: Context) -> Words:
    words: Words = {"framework": start(table.source).but("jax", "the file is MaxText's").as_text()}
    shape, name = model(table, found), table.get("model_name")
    known = name is not None and context.catalogued("Model", name.text) is not None
    if known and name is not None:
        put(shape, "model", name.but(name.text, f"model_name {name.text}", How.DERIVED).of("Model"))
    base = table.get("base_config")
    if "layers" in shape and "hidden" in shape and (base is None or base.text.rpartition("/")[2] == "base.yml"):
        without = ("head_dimension",) if "attention" in shape or "heads" not in shape else ()
        defaults.tool("maxtext").fill(shape, "models", start(table.source), without)
    if shape:
        words["model"] = shape
    for key in ("model_name", "hardware", "per_device_batch_size", "base_config", "shared_experts"):
        value = table.get(key)
        found.fact(key.replace("_", " "), value)
        if value is not None and (key == "base_config" or (key == "model_name" and not known)):
            why = f"{key} {value.text} states it in a file of MaxText's that is not here"
            found.unknown(
                "workloads/model" if key == "model_name" else "workloads/parallelism",
                why,
                "the configuration that MaxText prints at the start",
                value,
            )
    put(words, "model/sequence", count(table.get("max_target_length")))
    put(words, "targets/steps", count(table.get("steps")))
    mesh(table, words)
    _more(table, words)
    policy = table.get("remat_policy")
    if policy is not None:
        mode = {"full": "full", "none": "none", "minimal": "selective"}.get(policy.text.partition("_")[0], "selective")
        put(words, "parallelism/recompute", policy.but(mode, f"remat_policy {policy.text}").as_text())
    quantized, kind = table.get("quantization"), table.get("dtype")
    put(
        words,
        "precision/matmul",
        number_format(quantized) if quantized is not None and quantized.text else number_format(kind),
    )
    _checkpoint(table, words)
    return words


#: Kernels of attention that never store the scores (configs/base.yml).
BLOCKWISE = frozenset(("flash", "cudnn_flash_te", "cudnn_flash_jax"))


def _more(table: Table, words: Words) -> None:
    """Optimizer, kernels of attention, dropout."""
    kernel = table.get("attention")
    costs.optimizer(words, table.get("opt_type"))
    if kernel is not None and (kernel.text in BLOCKWISE or kernel.text == "dot_product"):
        put(words, "flash_attention", kernel.but(kernel.text in BLOCKWISE, f"attention {kernel.text}"))
    dropped = flag(table.get("enable_dropout"))
    if dropped is not None and dropped.text == "false":
        put(words, "dropout", dropped)
    else:
        costs.dropout(words, table.get("dropout_rate"))
    for key, word in (("parameter_memory_host_offload", "weights"), ("optimizer_memory_host_offload", "optimizer")):
        moved = table.get(key)
        if is_on(moved) and moved is not None and get(words, "parallelism/offload") is None:
            put(words, "parallelism/offload", moved.but(word, key).as_text())
    tiles = count(table.get("num_vocab_tiling"))
    if (whole(tiles) or 0) > 1 and tiles is not None:
        put(words, "fused_loss", tiles.but(True, f"logits in {tiles.text} tiles"))


def _checkpoint(table: Table, words: Words) -> None:
    enabled, later = table.get("enable_checkpointing"), table.get("async_checkpointing")
    if enabled is not None and enabled.text.lower() == "false":
        put(words, "checkpoint/mode", enabled.but("none", "enable_checkpointing").as_text())
        return
    put(words, "checkpoint/interval_steps", count(table.get("checkpoint_period")))
    keep = count(table.get("max_num_checkpoints_to_keep"))
    put(words, "checkpoint/keep", keep if whole(keep) else None)
    if enabled is not None and later is not None:
        put(
            words,
            "checkpoint/mode",
            later.but("asynchronous" if later.text.lower() == "true" else "synchronous").as_text(),
        )
