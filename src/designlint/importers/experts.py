"""What Hugging Face's config.json says of experts: how many, how wide, in which layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.base import Value, Words, of_node, put, whole
from designlint.importers.workloads import count, get

if TYPE_CHECKING:
    from designlint.importers import defaults
    from designlint.importers.notations.structured import Table

#: Keys that say which layers are dense, so that a single width need not be that of the experts.
DENSE = (
    "first_k_dense_replace",
    "n_dense_layers",
    "mlp_only_layers",
    "decoder_sparse_step",
    "moe_layer_freq",
    "mlp_layer_types",
    "moe_layer_start_index",
)
#: Width of the experts that serve every token, where it is stated.
SHARED = (
    "shared_expert_intermediate_size",
    "moe_shared_expert_intermediate_size",
    "shared_intermediate_size",
    "share_expert_dim",
)
#: Words whose keys some families state once for each layer.
LISTED = {"experts_per_token": ("moe_topk",), "expert_feed_forward": ("moe_intermediate_size",)}


def experts(table: Table, words: Words, family: str, tool: defaults.Tool) -> None:
    """Where the experts are, how wide they are, and which keys of dense layers mean nothing beside them."""
    number = get(words, "experts")
    if number is None or (whole(number) or 0) < 2:
        for word in (
            "experts",
            "experts_per_token",
            "expert_feed_forward",
            "dense_layers",
            "servers_per_token",
            "expert_hidden",
        ):
            words.pop(word, None)
        return
    for word, keys in LISTED.items():
        put(words, word, _of_every_layer(table, keys) if word not in words else None)
    width = count(table.get("intermediate_size"))
    if "expert_feed_forward" not in words and width is not None:
        known = tool.tables["expert_width_is_intermediate_size"].get(family)
        alone = known is None and not any(table.at(one) is not None for one in DENSE)
        told = "each expert's width in this family" if known else "the file states no other width"
        put(words, "expert_feed_forward", width.but(width.text, told) if known or alone else None)
    _shared_experts(table, words, family, tool)
    _dense_layers(table, words)


def _of_every_layer(table: Table, keys: tuple[str, ...]) -> Value | None:
    """A number that is stated once, or for each layer and the same for all."""
    stated = next((node for key in keys if (node := table.at(key)) is not None), None)
    nodes = (stated.items or [stated]) if stated is not None else []
    alike = bool(nodes) and len({one.text for one in nodes}) == 1 and nodes[0].kind == "scalar"
    return count(of_node(table.source, nodes[0])) if alike else None


def _shared_experts(table: Table, words: Words, family: str, tool: defaults.Tool) -> None:
    """The width of the experts that serve every token: as stated, else so many of the others."""
    stated_number = table.get("n_shared_experts", "num_shared_experts", "moe_num_shared_experts")
    number = count(stated_number) or _of_every_layer(table, ("num_shared_expert",))
    stated, width = count(table.get(*SHARED)), get(words, "expert_feed_forward")
    if stated is not None and (number is None or number.text == "1"):
        put(words, "shared_expert_feed_forward", stated)
    elif number is not None and width is not None:
        total = (whole(number) or 0) * (whole(width) or 0)
        told = number.but(total, f"{number.text} shared experts x {width.text}") if total else None
        put(words, "shared_expert_feed_forward", told)
    elif width is not None and tool.tables["one_shared_expert"].get(family):
        put(words, "shared_expert_feed_forward", width.but(width.text, "one shared expert in this family"))


def _dense_layers(table: Table, words: Words) -> None:
    """Layers without experts: listed layer by layer, or all but one in so many."""
    layers, listed = get(words, "layers"), table.at("moe_layer_freq") or table.at("mlp_layer_types")
    if listed is not None and listed.items and "dense_layers" not in words:
        at = of_node(table.source, listed.items[0])
        put(words, "dense_layers", at.but(sum(one.text in ("0", "dense") for one in listed.items), "counted"))
    _range(table, words, layers)
    step, only = table.get("decoder_sparse_step", "interleave_moe_layer_step"), table.at("mlp_only_layers")
    every = whole(step) if step is not None else None
    if step is None or not every or (only is not None and only.items) or layers is None:
        return
    if every == 1:
        put(words, "dense_layers", step.but(0, "every layer has experts"))
        words.pop("feed_forward", None)
    else:
        put(words, "expert_layers", step.but((whole(layers) or 0) // every, f"one layer in {every} has experts"))


def _range(table: Table, words: Words, layers: Value | None) -> None:
    """Layers with experts from one to the last: those before are dense."""
    first, last, step = (count(table.get(f"moe_layer_{one}")) for one in ("start_index", "end_index", "interval"))
    end = table.get("moe_layer_end_index")
    reaches = end is None or end.text == "-1" or (layers is not None and whole(last) == (whole(layers) or 0) - 1)
    if first is not None and reaches and (step is None or step.text == "1"):
        put(words, "dense_layers", first.but(first.text, "layers before moe_layer_start_index"))
