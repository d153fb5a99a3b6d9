"""Which layers GPT-NeoX makes of which kind: attention, or the first version of Mamba, whose layers have no feed-forward part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import How, Value, Words, put, whole
from designlint.importers.frameworks import neox
from designlint.importers.workloads import count, drop, get

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.notations.structured import Table
    from designlint.reading import Node

MAMBA = "mamba"
#: What layers without attention leave unused.
ATTENTION = ("heads", "kv_heads", "head_dimension", "attention", "feed_forward", "gated", "learned_positions")


def kinds(table: Table) -> set[str]:
    """The kinds of layers that `attention_config` names; none where it is silent, and all layers have attention."""
    node = table.at("attention_config")
    return {one.text for one in neox.leaves(node)} if node is not None else set()


def put_mamba(table: Table, words: Words) -> bool:
    """How many layers are Mamba's, and their widths, most of which no file chooses; false where they cannot be counted."""
    node, layers, hidden = table.at("attention_config"), get(words, "model/layers"), get(words, "model/hidden")
    number = _count_mamba(node, whole(layers) or 0) if node is not None and layers is not None else None
    if node is None or layers is None or hidden is None or number is None:
        return False
    at, total = table.source.value("", node.start, node.end), whole(layers) or 0
    put(words, "model/mamba_layers", at.but(number, "counted in attention_config"))
    for word in ("attention_layers", "feed_forward_layers"):
        put(words, f"model/{word}", at.but(total - number, "all layers but those of Mamba"))
    for word in ATTENTION if number == total else ():
        drop(words, f"model/{word}")
    _put_widths(table, words, at, hidden)
    return True


def _put_widths(table: Table, words: Words, at: Value, hidden: Value) -> None:
    tool = defaults.tool("gpt-neox")
    usual: Mapping[str, int] = tool.tables[MAMBA]
    for word in ("mamba_state", "convolution"):
        put(words, f"model/{word}", at.but(usual[word], tool.label, How.DEFAULT))
    width, per = whole(hidden) or 0, usual["hidden_per_step_rank"]
    put(words, "model/mamba_step_rank", at.but(-(-width // per), f"{tool.label}: hidden size / {per}", How.DEFAULT))
    stated, factor = count(table.get("intermediate_size")), table.get("expansion_factor")
    if stated is not None:
        put(words, "model/mamba_inner", stated)
    elif factor is None:
        note = f"{tool.label}: {usual['expansion']} times the width"
        put(words, "model/mamba_inner", hidden.but(usual["expansion"] * width, note, How.DEFAULT))
    elif factor.number is not None:
        put(words, "model/mamba_inner", factor.but(int(factor.number * width), f"{factor.text} times the width"))


def _count_mamba(node: Node, layers: int) -> int | None:
    """Layers of Mamba in patterns that each repeat so many times, or until the last layer; None for other forms."""
    found: list[str] = []
    for one in node.items:
        if len(one.items) != 2 or not one.items[0].items:
            return None
        pattern, times = [kind.text for kind in one.items[0].items], one.items[1].text
        rest = -(-(layers - len(found)) // len(pattern))
        if not times.isdigit() and times != "all":
            return None
        found += pattern * min(int(times) if times != "all" else rest, max(rest, 0))
    return found[:layers].count(MAMBA) if len(found) >= layers > 0 else None
