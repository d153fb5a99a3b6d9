"""What Hugging Face's config.json says of Mamba and linear attention layers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import How, Value, Words, of_node, put, whole
from designlint.importers.workloads import count, fill_words, get

if TYPE_CHECKING:
    from designlint.importers.notations.structured import Table

#: Word of a model, and the letters of such layers in a pattern.
LETTERS = {"mamba_layers": "M", "attention_layers": "*", "feed_forward_layers": "-E", "expert_layers": "E"}
#: The same of layers that are listed one by one.
KINDS = {
    "mamba_layers": ("mamba", "hybrid"),
    "attention_layers": ("attention",),
    "feed_forward_layers": ("mlp", "moe"),
    "expert_layers": ("moe",),
}
#: The same of layers that `layer_types` lists: attention over a window is attention.
TYPES = {"linear_layers": ("linear_attention", "conv"), "mamba_layers": ("mamba",)}
#: Keys that list kinds of layers which repeat until all layers have one, and those of them that mix tokens without softmax.
CYCLES, RECURRENT = ("_block_types", "block_types"), "recurrent"
#: The library of most families without softmax.
FLA = "flash-linear-attention"
#: Keys that list the layers with attention by their numbers, and what the others are.
NUMBERED = {"attn_layer_indices": "mamba_layers", "full_attn_idxs": "linear_layers"}
#: Families of Transformers without softmax attention.
RECEPTIVE = frozenset(("rwkv",))
#: Families whose linear attention is Gated DeltaNet, and whose softmax attention has a gate.
DELTA = frozenset({"qwen3_next", "qwen3_5_text", "qwen3_5_moe_text"})


def mixers(table: Table, words: Words, family: str) -> None:
    """Which layers mix tokens without softmax, by a pattern or by one layer of attention in so many, and their widths."""
    fill_words(words, table, "transformers", "mixers")
    if table.get("mamba_dt_rank") is not None:  # of the first version, whose heads are of another kind
        words.pop("mamba_heads", None)
    _put_kinds(table, words, family)
    _put_first_version(table, words, family)
    tool, layers = defaults.tool("transformers"), get(words, "layers")
    if layers is not None and "mamba_layers" in words and family in tool.tables["feed_forward_in_every_layer"]:
        put(words, "feed_forward_layers", layers.but(layers.text, f"one in every layer of {family}"))


def _put_first_version(table: Table, words: Words, family: str) -> None:
    """Widths of Mamba-1: most files state few of them, as they follow from the hidden size."""
    tool, kind, hidden = defaults.tool("transformers"), _stated_kind(table, family), get(words, "hidden")
    if kind is None or hidden is None or family not in tool.tables["hidden_per_step_rank"]:
        return
    for word in ("mamba_state", "convolution"):
        if word not in words:
            put(words, word, tool.value(word, family, kind))
    width, rank = whole(hidden) or 0, table.get("mamba_dt_rank", "time_step_rank", "ssm_cfg/dt_rank")
    step, parts = count(rank), tool.value("hidden_per_step_rank", family, kind)
    if parts is not None and (rank is None or rank.text == "auto"):
        step = parts.but(-(-width // (whole(parts) or 1)), f"{tool.label}: hidden size / {parts.text}", How.DEFAULT)
    put(words, "mamba_step_rank", step)
    inner, stated = count(table.get("intermediate_size")), table.get("mamba_expand", "expand", "ssm_cfg/expand")
    factor = tool.value("mamba_expand", family, kind) if stated is None else count(stated)
    if inner is not None and _is_mamba_alone(family):
        put(words, "mamba_inner", inner)
    elif factor is not None:
        note = (f"{tool.label}: " if stated is None else "") + f"{factor.text} times the width"
        put(
            words, "mamba_inner", factor.but(width * (whole(factor) or 0), note, factor.how if stated is None else None)
        )


def state_space(table: Table) -> str:
    """The family of a file of the Mamba library, which names none, if all of its layers are Mamba layers and nothing else."""
    inner, beside = table.get("d_intermediate"), table.at("attn_layer_idx")
    if (
        table.at("ssm_cfg") is None
        or (inner is not None and whole(inner) != 0)
        or (beside is not None and beside.items)
    ):
        return ""
    layer = table.get("ssm_cfg/layer")
    return "mamba" if layer is None or layer.text == "Mamba1" else layer.text.lower()


def _stated_kind(table: Table, family: str) -> Value | None:
    """Where a file says of which family its model is."""
    stated, node = table.get("model_type"), table.at("ssm_cfg")
    return of_node(table.source, node).but(family) if stated is None and node is not None else stated


def _is_mamba_alone(family: str) -> bool:
    """Whether all layers of a family are Mamba layers and nothing else."""
    return bool(defaults.tool("transformers").tables["mamba_in_every_layer"].get(family) == "alone")


def _put_kinds(table: Table, words: Words, family: str) -> None:
    kinds = table.at("layers_block_type")
    if kinds is not None and kinds.items:
        _put_listed_layers(of_node(table.source, kinds.items[0]), Counter(one.text for one in kinds.items), words)
        return
    pattern = table.get("hybrid_override_pattern")
    if pattern is not None:
        put_lettered_layers(pattern, "", words)
        return
    if _kimi(table, words):
        return
    _put_typed_layers(table, words)
    _put_unsoftened(table, words, family)
    _put_numbered_layers(table, words)
    if not _put_whole(words, family):
        _put_periods(table, words)
    every, layers = count(table.get("full_attention_interval")), get(words, "layers")
    step = (whole(every) or 0) if every is not None else 0
    if every is None or step < 2 or layers is None:
        return
    total = whole(layers) or 0
    if "linear_layers" not in words:
        put(words, "linear_layers", every.but(total - total // step, f"all layers but one in {step}"))
    if family in DELTA:
        put(words, "linear_attention", every.but("gated-deltanet", f"model type {family}").as_text())
        put(words, "gated_attention", every.but("true", f"model type {family}"))


def _kimi(table: Table, words: Words) -> bool:
    """Kimi Delta Attention: the layers that have it are listed, its heads are stated beside them."""
    listed = table.at("linear_attn_config/kda_layers")
    if listed is None or not listed.items:
        return False
    at = of_node(table.source, listed.items[0])
    put(words, "linear_layers", at.but(len(listed.items), "counted in kda_layers"))
    put(words, "linear_attention", at.but("kimi-delta", "kda_layers").as_text())
    heads, width = (count(table.get(f"linear_attn_config/{one}")) for one in ("num_heads", "head_dim"))
    for kind in ("key", "value"):
        put(words, f"linear_{kind}_heads", heads)
        put(words, f"linear_{kind}_dimension", width)
    put(words, "convolution", count(table.get("linear_attn_config/short_conv_kernel_size")))
    return True


def _put_typed_layers(table: Table, words: Words) -> None:
    """Layers whose kinds `layer_types` lists one by one."""
    node = table.at("layer_types")
    kinds = Counter(one.text for one in node.items) if node is not None else Counter[str]()
    for word, names in TYPES.items():
        number = sum(kinds[one] for one in names)
        if number and node is not None:
            put(words, word, of_node(table.source, node.items[0]).but(number, "counted in layer_types"))
    switches = table.at("attn_type_list")
    plain = [one for one in switches.items if one.text == "0"] if switches is not None else []
    if plain:
        at = of_node(table.source, plain[0])
        put(words, "linear_layers", at.but(len(plain), "counted in attn_type_list"))
        put(words, "linear_attention", at.but("lightning", "attn_type_list").as_text())
    attending = kinds["attention"] or kinds["full_attention"]
    if ("mamba_layers" in words or kinds["conv"]) and attending and node is not None:
        put(words, "attention_layers", of_node(table.source, node.items[0]).but(attending, "counted in layer_types"))


def _put_unsoftened(table: Table, words: Words, family: str) -> None:
    """Models without softmax attention, save in layers that they list: their heads are those of the other kind."""
    layers, heads, kind = get(words, "layers"), get(words, "heads"), _stated_kind(table, family)
    mamba = _is_mamba_alone(family)
    if (
        kind is None
        or layers is None
        or not (mamba or family in defaults.tool(FLA).tables["unsoftened"] or family in RECEPTIVE)
    ):
        return
    listed = table.at("attn/layers")
    number = (whole(layers) or 0) - (len(listed.items) if listed is not None else 0)
    put(words, "mamba_layers" if mamba else "linear_layers", layers.but(number, f"model type {kind.text}"))
    name = defaults.tool(FLA).tables["unsoftened"].get(family)
    put(
        words,
        "linear_attention",
        kind.but(name, f"model type {kind.text}").as_text() if isinstance(name, str) else None,
    )
    for word in ("heads", "kv_heads", "attention", *(("head_dimension",) if mamba else ())):
        words.pop(word, None)
    if mamba:
        words.pop("feed_forward", None)  # what the first version calls so is the width of its states
        for word, key in (("mamba_head_dimension", "head_dim"), ("mamba_state", "state_size")):
            put(words, word, count(table.get(key)))
        put(words, "mamba_heads", heads)
        put(words, "feed_forward_layers", layers.but(0, f"none in {family}"))
        put(
            words,
            "attention_layers",
            layers.but(len(listed.items) if listed is not None else 0, f"model type {family}"),
        )
    if listed is not None:
        put(words, "heads", count(table.get("attn/num_heads")))
        put(words, "kv_heads", count(table.get("attn/num_kv_heads")))


def _put_whole(words: Words, family: str) -> bool:
    """Families all of whose layers have a Mamba part: beside attention of its own, or with attention that layers share."""
    beside = defaults.tool("transformers").tables["mamba_in_every_layer"].get(family)
    layers = get(words, "layers")
    if beside is None or _is_mamba_alone(family) or layers is None:
        return False
    for word in ("mamba_layers", *(("attention_layers",) if beside == "attention" else ())):
        put(words, word, layers.but(layers.text, f"every layer of {family}"))
    return True


def _put_numbered_layers(table: Table, words: Words) -> None:
    """Layers with attention that are listed by their numbers, or by kinds that repeat."""
    layers = whole(get(words, "layers"))
    for key, others in NUMBERED.items():
        node = table.at(key)
        if node is None or not node.items or layers is None:
            continue
        at = of_node(table.source, node.items[0])
        put(words, "attention_layers", at.but(len(node.items), f"counted in {key}"))
        put(words, others, at.but(layers - len(node.items), f"all but those of {key}"))
    cycle = next((node for key in CYCLES if (node := table.at(key)) is not None and node.items), None)
    if cycle is not None and layers is not None and "linear_layers" not in words:
        kinds = [cycle.items[at % len(cycle.items)].text for at in range(layers)]
        at = of_node(table.source, cycle.items[0])
        put(
            words,
            "linear_layers",
            at.but(kinds.count(RECURRENT), "counted in block types") if RECURRENT in kinds else None,
        )


def _put_periods(table: Table, words: Words) -> None:
    """Jamba's layers: one of attention, and one with experts, in so many, from an offset on."""
    layers = whole(get(words, "layers"))
    for word, name in (("attention_layers", "attn_layer"), ("expert_layers", "expert_layer")):
        period, offset = count(table.get(f"{name}_period")), whole(count(table.get(f"{name}_offset")))
        every = whole(period)
        if period is None or not every or offset is None or layers is None:
            continue
        number = len(range(offset, layers, every))
        put(words, word, period.but(number, f"one in {every} from {offset} on"))
        if word == "attention_layers":
            put(words, "mamba_layers", period.but(layers - number, "all others"))


def put_lettered_layers(pattern: Value, path: str, words: Words) -> None:
    """How many layers of each kind a pattern has, a letter for each layer."""
    for word, letters in LETTERS.items():
        number = sum(pattern.text.count(one) for one in letters)
        put(words, f"{path}{word}", pattern.but(number, "letters of hybrid_override_pattern") if number else None)


def _put_listed_layers(at: Value, kinds: Counter[str], words: Words) -> None:
    """Layers that are listed one by one, each by its kind."""
    if "layers" not in words:
        put(words, "layers", at.but(kinds.total(), "counted in layers_block_type"))
    for word, names in KINDS.items():
        number = sum(kinds[one] for one in names)
        put(words, word, at.but(number, "counted in layers_block_type") if number else None)
