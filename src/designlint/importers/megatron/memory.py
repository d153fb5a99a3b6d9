"""Arguments of Megatron-LM that move or spare memory: recomputed layers, offloading, dropout; and the order of its ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import costs
from designlint.importers.base import put, whole
from designlint.importers.workloads import count, get, is_on, took

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.base import Value, Words

#: What Megatron-LM and its branches call positions that are learned.
LEARNED = ("learned_absolute", "absolute")


def fill(given: Mapping[str, Value], found: Words) -> None:
    """What these arguments say, after the others."""
    recomputed = get(found, "parallelism/recompute")
    method, layers = given.get("recompute_method"), count(given.get("recompute_num_layers"))
    if recomputed is not None and recomputed.text == "full" and method is not None and method.text == "block":
        put(found, "parallelism/recompute_layers", layers)
    costs.dropout(found, given.get("hidden_dropout"), given.get("attention_dropout"))
    order = given.get("use_tp_pp_dp_mapping")
    if is_on(order) and order is not None:
        put(found, "parallelism/rank_order", order.but("tp-cp-ep-pp-dp", "use-tp-pp-dp-mapping").as_text())
    _positions(given, found)
    _put_offload(given, found)


def _positions(given: Mapping[str, Value], found: Words) -> None:
    """Whether positions are learned: each has a vector then, beside the embeddings of the vocabulary."""
    kind = given.get("position_embedding_type")
    if kind is not None:
        put(
            found,
            "model/learned_positions",
            kind.but(kind.text in LEARNED, f"position-embedding-type {kind.text[:20]}"),
        )
        return
    for name in ("use_rotary_position_embeddings", "no_position_embedding"):
        if is_on(given.get(name)):
            put(found, "model/learned_positions", given[name].but(False, name.replace("_", "-")))


def _put_offload(given: Mapping[str, Value], found: Words) -> None:
    """What goes to CPU memory, and how much of it."""
    share, kept = given.get("optimizer_offload_fraction"), get(found, "parallelism/offload")
    if kept is not None and kept.text == "optimizer" and share is not None and share.number is not None:
        if 0 <= share.number <= 1:
            put(found, "parallelism/offload_share", share.but(f"{share.number}", "", share.how))
        return
    layers, total = count(given.get("cpu_offloading_num_layers")), took(found, "model/layers")
    number, switch = whole(layers), given.get("cpu_offloading_activations")
    if layers is None or not number or kept is not None or (switch is not None and not is_on(switch)):
        return
    put(found, "parallelism/offload", layers.but("activations", "cpu-offloading-num-layers").as_text())
    if total and number <= total:
        put(found, "parallelism/offload_share", layers.but(f"{number / total:.6g}", f"{number} of {total} layers"))
