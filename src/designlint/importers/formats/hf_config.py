"""Hugging Face's config.json, and the architecture files that Meta and DeepSeek publish beside their weights."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import Fragment, How, Source, Value, Words, put, whole
from designlint.importers.experts import experts
from designlint.importers.mixers import mixers, state_space
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table
from designlint.importers.windows import windows
from designlint.importers.workloads import count, fill_words, flag, get, is_on, start, stem

if TYPE_CHECKING:
    from designlint.importers.base import Context
    from designlint.reading import Node

#: Where one word of a class's name ends and the next begins.
SNAKE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
TITLE = "Hugging Face config.json"
TOOLS = ("transformers",)
#: Characters of a file: quantized models list a setting for each of their layers.
LONGEST = 16_000_000
NORMS = ("rmsnorm", "layernorm")
#: Where models that also see or hear describe the part that reads text.
TEXT_PARTS = ("text_config", "language_config", "llm_config")


def sure(source: Source) -> int:
    """7 where the top of the file states layers and width, as only descriptions of models do."""
    if source.text.lstrip()[:1] != "{" or len(source.text) > LONGEST:
        return 0
    if not any(f'"{one}"' in source.text for one in (*_keys("layers"), "layers_block_type")):
        return 0
    root = structured.root(source)
    if root is None or "zero_optimization" in root.entries:
        return 0
    return 7 if _describes(_language(root)) else 0


def _keys(word: str) -> list[str]:
    """The keys that state a word."""
    return str(defaults.tool("transformers").tables["counts"][word]).split()


def _describes(node: Node) -> bool:
    return any(one in node.entries for one in (*_keys("layers"), "layers_block_type")) and any(
        one in node.entries for one in _keys("hidden")
    )


def _language(root: Node) -> Node:
    """The part of a model that reads text, where it stands beside the parts that see and hear; else all of it."""
    parts = (root.entries.get(one) for one in TEXT_PARTS)
    inner = next((one for one in parts if one is not None and one.kind == "map" and _describes(one)), None)
    return root if inner is None or _describes(root) else inner


def workload(source: Source, found: Fragment, context: Context) -> Words:
    """The model."""
    whole_model = Table(source, structured.root(source))
    table = Table(source, None if whole_model.node is None else _language(whole_model.node))
    words = model(table, found)
    if "tied_embeddings" not in words or table.get("tie_word_embeddings") is None:
        put(words, "tied_embeddings", flag(whole_model.get("tie_word_embeddings")))
    if is_on(whole_model.get("is_encoder_decoder")):
        words.pop("layers", None)
        why = "an encoder and a decoder are not one stack of equal layers"
        found.unknown(f"workloads/{stem(source)}/model/layers", why, "state `parameters`", start(source))
    kind = table.get("model_type", "_name_or_path")
    stated: Words = {"model": words}
    put(stated, "name", kind if kind is not None and "/" not in kind.text else None)
    return stated


def model(table: Table, fragment: Fragment) -> Words:
    """The words of a model."""
    words: Words = {}
    fill_words(words, table, "transformers")
    kind = table.get("model_type")
    tool = defaults.tool("transformers")
    family = _family(table, kind, tool)
    _attention(table, words)
    _low_rank_output(table, words, fragment)
    _silent(words, kind, family, tool)
    mixers(table, words, family)
    windows(table, words, family, tool)
    experts(table, words, family, tool)
    _feed_forward(table, words, kind, family, tool)
    tied = flag(table.get("tie_word_embeddings", "weight_tying"))
    put(words, "tied_embeddings", tied or (tool.value("tied", family, kind) if kind is not None else None))
    for key, norm in (
        ("rms_norm_eps", "rmsnorm"),
        ("norm_eps", "rmsnorm"),
        ("layer_norm_eps", "layernorm"),
        ("layer_norm_epsilon", "layernorm"),
    ):
        epsilon = table.get(key)
        if epsilon is not None and "norm" not in words:
            norm = next((one for one in NORMS if family in tool.tables[f"{one}_under_another_key"]), norm)
            put(words, "norm", epsilon.but(norm, f"the file has {key}").as_text())
    longest = count(table.get("max_position_embeddings", "n_positions"))
    scaled = table.at("rope_scaling")
    if scaled is None or scaled.kind == "scalar":  # scaled positions reach further, or are stated as scaled
        put(words, "positions", longest)
    fragment.fact("longest sequence", longest or table.get("max_seq_len"))
    fragment.fact("shared experts", table.get("n_shared_experts", "num_shared_experts"))
    fragment.fact("number format of the weights", table.get("torch_dtype", "dtype"))
    return words


def _family(table: Table, kind: Value | None, tool: defaults.Tool) -> str:
    """The model type as the library knows it; that of the stated architecture where it knows none of the name."""
    if kind is None and (own := state_space(table)):
        return own
    name = kind.text if kind is not None else ""
    known = tool.tables["gated"]
    plain = name.removesuffix("_text")
    if name in known or plain in known:
        return name if name in known else plain
    stated = table.at("architectures")
    for one in stated.items if stated is not None else []:
        own = SNAKE.sub("_", one.text.partition("For")[0]).lower()
        if own in known:
            return own
    return name


def _attention(table: Table, words: Words) -> None:
    """Latent attention states its ranks; a head without its rotary part is what the design language calls a head."""
    plain = count(table.get("qk_nope_head_dim"))
    rank = get(words, "kv_rank")
    if rank is not None:
        put(words, "attention", rank.but("mla", "the file states kv_lora_rank").as_text())
        words.pop("head_dimension", None)
        words.pop("kv_heads", None)
        put(words, "head_dimension", plain)
        return
    shared = table.get("multi_query")
    if is_on(shared) and not is_on(table.get("new_decoder_architecture")):  # Falcon's count is then that of the heads
        put(words, "kv_heads", shared and shared.but(1, "multi_query"))
    heads, pairs = get(words, "heads"), get(words, "kv_heads")
    if heads is not None and pairs is not None:
        many = "mha" if heads.text == pairs.text else "mqa" if pairs.text == "1" else "gqa"
        put(words, "attention", pairs.but(many, "key and value heads against heads").as_text())


def _low_rank_output(table: Table, words: Words, fragment: Fragment) -> None:
    """Attention that projects its output in two steps (DeepSeek V4) has no word: its parts say less than they seem to."""
    rank = table.get("o_lora_rank")
    if rank is None:
        return
    for word in ("attention", "kv_heads", "head_dimension"):
        words.pop(word, None)
    why = "its attention projects the output with a low rank (o_lora_rank)"
    fragment.unknown(f"workloads/{stem(table.source)}/model/attention", why, "state `parameters`", rank)


def _silent(words: Words, kind: Value | None, family: str, tool: defaults.Tool) -> None:
    """What a file that leaves heads of keys and values, or the width of a head, out means in its family."""
    heads, width = get(words, "heads"), get(words, "hidden")
    if kind is None or heads is None or "kv_rank" in words or "linear_layers" in words:
        return
    usual = tool.value("kv_heads", family, kind)
    if "kv_heads" not in words and usual is not None:
        put(
            words,
            "kv_heads",
            usual.but(heads.text, f"as many as heads in {tool.label}") if usual.text == "heads" else usual,
        )
    if "head_dimension" not in words and width is not None:
        put(words, "head_dimension", tool.value("head_dimension", family, kind))


def _feed_forward(table: Table, words: Words, kind: Value | None, family: str, tool: defaults.Tool) -> None:
    """Whether the layer is gated hangs on the family, not on the activation's name; and the width that Meta's files imply."""
    activation = table.get("hidden_act", "hidden_activation", "activation_function")
    if activation is not None and "glu" in activation.text.lower():
        put(words, "gated", activation.but("true", f"activation {activation.text}", How.DERIVED))
    elif (projected := table.get("feed_forward_proj")) is not None:  # of T5: `gated-gelu`
        gates = projected.text.startswith("gated")
        put(words, "gated", projected.but(gates, f"feed_forward_proj {projected.text}", How.DERIVED))
    elif kind is not None and (gated := tool.value("gated", family, kind)) is not None:
        put(words, "gated", kind.but(gated.text, f"model type {family}", How.DERIVED))
    _of_both(table, words, family, tool)
    unit, width = count(table.get("multiple_of")), count(table.get(*_keys("hidden")))
    _of_ratio(table, words, width, family)
    if "feed_forward" not in words and width is not None and "experts" not in words:
        _multiply_width(table, words, width, family, tool)
    if "feed_forward" in words or unit is None or width is None:
        return
    factor = table.get("ffn_dim_multiplier")
    inner = int(8 * (whole(width) or 0) / 3)
    scaled = int(float(factor.text) * inner) if factor is not None and factor.number is not None else inner
    step = max(whole(unit) or 1, 1)
    put(
        words,
        "feed_forward",
        unit.but(step * -(-scaled // step), "8/3 of the width, scaled, rounded up to multiple_of"),
    )


def _of_both(table: Table, words: Words, family: str, tool: defaults.Tool) -> None:
    """Families whose `intermediate_size` counts gate and values together, and those without experts that have the shared one."""
    stated, shared = get(words, "feed_forward"), count(table.get("shared_intermediate_size"))
    if stated is not None and tool.tables["width_of_both_halves"].get(family):
        put(words, "feed_forward", stated.but((whole(stated) or 0) // 2, f"half of intermediate_size in {family}"))
    if shared is not None and "experts" not in words and family in tool.tables["shared_expert_alone"]:
        put(words, "feed_forward", shared)


def _of_ratio(table: Table, words: Words, width: Value | None, family: str) -> None:
    """The gated layer of Flash Linear Attention, whose files alone have `hidden_ratio`; its RWKV has layers of another kind."""
    ratio, usual = count(table.get("hidden_ratio")), defaults.tool("flash-linear-attention")
    if ratio is None or width is None or family.startswith("rwkv"):
        return
    put(words, "gated", ratio.but(True, f"the layer of {usual.label}"))
    if "feed_forward" not in words:
        times, by, multiple = (usual.tables["widths"][one] for one in ("times", "by", "multiple"))
        inner = (whole(width) or 0) * (whole(ratio) or 0) * times // by
        note = f"{ratio.text} x {times}/{by} of the width, up to a multiple of {multiple}"
        put(words, "feed_forward", ratio.but(-(-inner // multiple) * multiple, note))


def _multiply_width(table: Table, words: Words, width: Value, family: str, tool: defaults.Tool) -> None:
    """The width of the feed-forward layer of families that take a multiple of the hidden size unless told otherwise."""
    times = tool.value("width_in_hidden_sizes", family, width)
    stated = count(table.get("expansion_ratio"))
    factor = stated if stated is not None and times is not None else times
    if factor is not None:
        how = How.DERIVED if factor is stated else How.DEFAULT
        note = f"{factor.text} times the width" + ("" if factor is stated else f" in {tool.label}")
        put(words, "feed_forward", factor.but((whole(width) or 0) * (whole(factor) or 0), note, how))
