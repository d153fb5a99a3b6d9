"""LLM Foundry's YAML, by itself or inside a run of mcli: references inside the file, durations with units, FSDP's strategies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import costs, defaults, environment
from designlint.importers.base import Fragment, How, Source, Words, number, of_node, put, whole
from designlint.importers.jobs.requests import put_image
from designlint.importers.kubernetes.commands import run_text
from designlint.importers.megatron.sharding import sharding
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Resolved, Table
from designlint.importers.workloads import (
    count,
    fill_words,
    flag,
    get,
    is_on,
    name_workload,
    number_format,
    put_model,
    start,
)

if TYPE_CHECKING:
    from designlint.importers.base import Context

TITLE = "LLM Foundry configuration"
JOBS = True
TOOLS = ("llm-foundry",)
DURATION = re.compile(r"([\d_.e+]+)\s*(ba|ep|tok|sp|iter)\Z")


#: Keys of a run of mcli.
RUN = {"command", "compute", "image", "name"}
#: Keys of a training.
PARTS = {"model", "train_loader", "max_duration", "fsdp_config"}


def sure(source: Source) -> int:
    """8 where it is a run of mcli, or the top has batches as LLM Foundry counts them and parts of a training."""
    if "global_train_batch_size" not in source.text:
        return 8 if "command" in source.text and structured.keys(source) >= RUN else 0
    parameters = _parameters(source)
    keys = parameters.node.entries.keys() if parameters.node is not None else ()
    return 8 if PARTS & set(keys) else 0


def _parameters(source: Source) -> Resolved:
    """The configuration: the file, or what mcli writes into a file of its own."""
    root = structured.root(source)
    inner = root.entries.get("parameters") if root is not None and root.kind == "map" else None
    return Resolved(source, inner if inner is not None and inner.kind == "map" else root)


def workload(source: Source, found: Fragment, context: Context) -> Words:
    """The training, and the run of mcli that starts it."""
    table, top = _parameters(source), Table(source, structured.root(source))
    words = _words(table, found)
    _put_name(table, words, found, context)
    _run(top, words, found)
    name = top.get("name") if set(top.names()) >= RUN else None
    command = top.at("command")
    if command is not None and command.kind == "scalar" and command.text and (table.node is top.node or not table):
        run_text(command, source, words, found, f"workloads/{name_workload(source, name).text}", context)
    put(words, "name", name)
    return words


def _words(table: Resolved, facts: Fragment) -> Words:
    at = start(table.source)
    words: Words = {"framework": at.but("fsdp", "fsdp_config").as_text()} if table.at("fsdp_config") is not None else {}
    fill_words(words, table, "llm-foundry")
    put(words, "precision/matmul", number_format(table.get("precision")))
    put(words, "parallelism/zero_stage", sharding(table.get("fsdp_config/sharding_strategy")))
    recomputed = table.get("fsdp_config/activation_checkpointing")
    costs.put_recompute(words, recomputed, "activation_checkpointing")
    if is_on(table.get("fsdp_config/activation_cpu_offload")):
        value = table.get("fsdp_config/activation_cpu_offload")
        put(words, "parallelism/offload", value and value.but("activations", "activation_cpu_offload").as_text())
    costs.optimizer(words, table.get("optimizer/name"))
    form = table.get("fsdp_config/state_dict_type")
    put(words, "checkpoint/sharded", form and form.but(form.text == "sharded", f"state_dict_type {form.text}"))
    compiled = table.at("compile_config")
    if compiled is not None and compiled.kind == "map":
        at = table.source.value("", compiled.start, compiled.start)
        put(words, "compiled", at.but(True, "compile_config"))
    limit = table.get("dist_timeout")
    if limit is not None and limit.number:
        put(words, "recovery/communication_timeout", limit.but(f"{limit.number} s", "", limit.how))
    _durations(table, words)
    _model(table, words, facts)
    folder = table.at("save_folder")
    if folder is not None and folder.scalar() is None:
        words["checkpoint"] = {"mode": of_node(table.source, folder).but("none", "save_folder is null").as_text()}
    keep = count(table.get("save_num_checkpoints_to_keep"))  # 0: none stays where it was written first
    put(words, "checkpoint/keep", keep if keep is not None and whole(keep) else None)
    return words


def _put_name(table: Resolved, words: Words, found: Fragment, context: Context) -> None:
    """A published model, whole and unchanged."""
    name = table.get("model/pretrained_model_name_or_path")
    found.fact("model name", name)
    changed = any(table.at(f"model/{one}") is not None for one in ("config_overrides", "peft_config", "model_config"))
    put_model(words, None if changed else name, context)


def _run(top: Table, words: Words, found: Fragment) -> None:
    """What mcli asks for: GPUs, an image, variables of the environment."""
    variables = top.table("env_variables")
    stated = {key: value for key in variables.names() if (value := variables.get(key)) is not None}
    for one in top.tables("env_variables"):
        key, value = one.get("key", "name"), one.get("value")
        if key is not None and value is not None:
            stated[key.text] = value
    environment.fill(words, stated, found)
    put(words, "runs_on/gpus", count(top.get("compute/gpus", "gpu_num")))
    put_image(words, top.get("image"))


def _durations(table: Resolved, words: Words) -> None:
    for key, path in (("max_duration", "targets/steps"), ("save_interval", "checkpoint/interval_steps")):
        value = table.get(key)
        found = DURATION.match(value.text.replace("_", "")) if value is not None else None
        if value is None or found is None:
            continue
        amount = number(found[1])
        if not isinstance(amount, int):
            continue
        if found[2] in ("ba", "iter"):
            put(words, path, value.but(amount, f"{value.text}: batches"))
        elif found[2] == "tok" and path == "targets/steps":
            put(words, "data/tokens", value.but(amount, f"{value.text}: tokens"))
        elif found[2] == "sp" and path == "targets/steps":
            put(words, "targets/samples", value.but(amount, f"{value.text}: samples"))


def _model(table: Resolved, words: Words, facts: Fragment) -> None:
    """MPT's own shape: a plain feed-forward layer, LayerNorm, tied embeddings, unless the file says otherwise."""
    kind = table.get("model/name")
    facts.fact("expansion ratio", table.get("model/expansion_ratio"))
    ratio, width = table.get("model/expansion_ratio"), count(table.get("model/d_model"))
    flash = table.get("model/use_flash_attention_2")
    put(words, "flash_attention", flash and flash.but(is_on(flash), "use_flash_attention_2"))
    loader = table.get("train_loader/name")
    if loader is not None and loader.text == "finetuning":
        put(words, "kind", loader.but("fine-tuning", "train_loader finetuning").as_text())
    if kind is None or kind.text != "mpt_causal_lm":
        return
    tool = defaults.tool("llm-foundry")
    factor = ratio.number if ratio is not None else tool.tables["mpt"]["expansion_ratio"]
    stated = count(table.get("model/ffn_config/ffn_hidden_size"))
    if stated is not None:
        put(words, "model/feed_forward", stated)
    elif width is not None and isinstance(factor, int):
        how, note = (How.DERIVED, "d_model x expansion_ratio") if ratio is not None else (How.DEFAULT, tool.label)
        put(words, "model/feed_forward", (ratio or width).but((whole(width) or 0) * factor, note, how))
    norm = table.get("model/norm_type")
    if norm is not None:
        put(words, "model/norm", norm.but("rmsnorm" if "rms" in norm.text else "layernorm").as_text())
    tied = table.get("model/tie_word_embeddings")
    put(words, "model/tied_embeddings", tied)
    kind_of = table.get("model/ffn_config/ffn_type")
    put(words, "model/gated", kind_of and kind_of.but("glu" in kind_of.text, kind_of.text))
    tool.fill(words, "mpt_model", kind)
    _attention(table, words)
    put(words, "model/experts", count(table.get("model/ffn_config/moe_num_experts")))
    put(words, "model/experts_per_token", count(table.get("model/ffn_config/moe_top_k")))
    if get(words, "model/experts") is not None:  # a layer of experts is as wide as a plain one
        put(words, "model/expert_feed_forward", get(words, "model/feed_forward"))


def _attention(table: Resolved, words: Words) -> None:
    """Kernels, heads of keys and values, windows, positions and dropout of MPT's layers."""
    kernel, kind = table.get("model/attn_config/attn_impl"), table.get("model/attn_config/attn_type")
    put(words, "flash_attention", kernel and kernel.but(kernel.text in ("flash", "flex"), f"attn_impl {kernel.text}"))
    if kind is not None and kind.text == "multiquery_attention":
        put(words, "model/kv_heads", kind.but(1, "multiquery_attention"))
    window, layers = count(table.get("model/attn_config/sliding_window_size")), get(words, "model/layers")
    if window is not None and whole(window) and layers is not None:  # -1: none
        put(words, "model/window", window)
        put(words, "model/windowed_layers", window.but(layers.text, "every layer"))
    switches = (table.get(f"model/attn_config/{one}") for one in ("alibi", "rope"))
    other = next((one for one in switches if is_on(one)), None)
    learned = other.but(False, "alibi or rope") if other is not None else flag(table.get("model/learned_pos_emb"))
    put(words, "model/learned_positions", learned)
    places = ("model/resid_pdrop", "model/emb_pdrop", "model/attn_config/attn_pdrop")
    costs.dropout(words, *(one for key in places if (one := table.get(key)) is not None))
