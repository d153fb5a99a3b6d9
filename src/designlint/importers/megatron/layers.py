"""Layers of several kinds in Megatron's arguments: patterns of letters, and which layers have experts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import How, Value, Words, put, whole
from designlint.importers.mixers import put_lettered_layers
from designlint.importers.workloads import drop, get, is_on

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Arguments that make each layer of one kind alone: Mamba, attention, an MLP or experts. How many are of which is not counted.
MIXED = (
    "hybrid_override_pattern",
    "hybrid_layer_pattern",
    "hybrid_attention_ratio",
    "hybrid_mlp_ratio",
    "is_hybrid_model",
    "heterogeneous_layers_config_path",
    "heterogeneous_layers_config_encoded_json",
)
OFF = frozenset(("", "0", "0.0", "none", "null", "false"))
LAYERS = re.compile(r"[M*E-]{1,1000}\Z")
PATTERN = re.compile(r"[\s()\[\]*+,0-9]{1,200}\Z")


def put_mixed_layers(given: Mapping[str, Value], found: Words) -> None:
    """Layers of several kinds: as many of each as a pattern has letters; without one how many there are says too little."""
    pattern = given.get("hybrid_override_pattern") or given.get("hybrid_layer_pattern")
    # newer patterns mark stages by `|`, and end in the layers that predict further tokens
    letters = _bare(pattern.text).partition("/")[0].replace("|", "") if pattern is not None else ""
    layers = get(found, "model/layers")
    if pattern is not None and LAYERS.match(letters) and (layers is None or layers.text == str(len(letters))):
        put(found, "model/layers", layers or pattern.but(len(letters), "letters of the pattern"))
        put_lettered_layers(pattern.but(letters), "model/", found)
    elif any(given[name].text.lower() not in OFF for name in MIXED if name in given):
        drop(found, "model/layers")


def gate(given: Mapping[str, Value], found: Words) -> None:
    """The gate of `--quick-geglu`, beside which the width keeps its default of a plain layer."""
    switch, hidden = given.get("quick_geglu"), get(found, "model/hidden")
    if switch is None or not is_on(switch):
        return
    put(found, "model/gated", switch.but(True, "quick-geglu"))
    if hidden is not None and get(found, "model/feed_forward") is None:
        tool = defaults.tool("megatron-lm")
        times = tool.tables["widths"]["times"]
        wide = hidden.but(times * (whole(hidden) or 0), f"{tool.label}: {times} times the width", How.DEFAULT)
        put(found, "model/feed_forward", wide)


def leading(frequency: Value | None) -> Value | None:
    """Leading layers without experts, of `1` or a pattern such as `([0]*3+[1]*58)`."""
    if frequency is None or not PATTERN.match(_bare(frequency.text)):
        return None
    text = _bare(frequency.text).replace(" ", "")
    if text == "1":
        return frequency.but(0, "every layer has experts")
    parts = [(one[0], int(one[1] or 1)) for one in re.findall(r"\[([01])\](?:\*(\d{1,4}))?", text)]
    if not parts or re.sub(r"\[[01]\](?:\*\d{1,4})?|[()+]", "", text):
        return None
    if [kind for kind, _ in parts] not in (["0", "1"], ["1"]):
        return None
    return frequency.but(parts[0][1] if parts[0][0] == "0" else 0, "leading zeros of the pattern")


def _bare(text: str) -> str:
    """A text without quotes that a list of arguments kept."""
    return text.strip().strip("'\"").strip()
