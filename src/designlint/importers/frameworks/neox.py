"""What GPT-NeoX's keys say of widths and cost: optimizer, dropout, kernels of attention, the gradients that ranks exchange."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import costs, defaults
from designlint.importers.base import How, Value, Words, of_node, put, whole
from designlint.importers.workloads import count, get, is_on, took

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.importers.notations.structured import Table
    from designlint.reading import Node
#: What `train_impl` learns from, where that is not plain text.
LEARNED = dict.fromkeys(("dpo", "kto", "rm"), "fine-tuning") | {"reinforce": "reinforcement-learning"}


def fill(table: Table, words: Words) -> None:
    """Optimizer, dropout, kernels of attention, the gradients that ranks exchange; what means nothing at its value."""
    costs.optimizer(words, table.get("optimizer/type"), small=is_on(table.get("use_bnb_optimizer")))
    costs.dropout(words, table.get("hidden_dropout"), table.get("attention_dropout"))
    node = table.at("attention_config")
    listed = list(leaves(node)) if node is not None else []
    kinds = {one.text for one in listed}
    if len(kinds) == 1 and kinds <= {"flash", "global"}:
        at = table.source.value("", node.start, node.end) if node is not None else of_node(table.source, listed[0])
        put(words, "flash_attention", at.but("flash" in kinds, f"attention_config {listed[0].text}"))
    window, layers = count(table.get("sliding_window_width")), get(words, "model/layers")
    if window is not None and whole(window) and layers is not None:
        put(words, "model/window", window)
        put(words, "model/windowed_layers", window.but(layers.text, "every layer"))
    learned = table.get("train_impl")
    if learned is not None and learned.text.lower() in LEARNED:
        put(words, "kind", learned.but(LEARNED[learned.text.lower()], f"train_impl {learned.text}").as_text())
    exchanged = table.get("fp32_allreduce")
    if exchanged is not None and is_on(exchanged):
        costs.put_gradient_bytes(words, exchanged.but("fp32", "fp32_allreduce"))
    for key, harmless in (("checkpoint_num_layers", "1"), ("partition_activations", "false")):
        one = table.at(key)
        if one is not None and (
            one.text.lower() == harmless or (key[0] == "p" and took(words, "parallelism/tensor") == 1)
        ):
            table.get(key)


def width(table: Table, words: Words) -> None:
    """
    The width of the feed-forward layer.

    Older versions know a gated one as `mlp_type: llama`, whose `intermediate_size` is its width. Newer ones know it by its
    activation, and count both of its projections together.
    """
    tool, hidden, gated = defaults.tool("gpt-neox"), get(words, "model/hidden"), get(words, "model/gated")
    kind, inner = table.get("mlp_type"), count(table.get("intermediate_size"))
    multiple, factor = whole(count(table.get("mlp_multiple_of"))) or 1, table.get("expansion_factor")
    usual = tool.tables["widths"]
    if kind is not None and kind.text == "llama":
        if inner is None and hidden is not None:
            wide = up(2 * (whole(hidden) or 0) * usual["times"] // 3, usual["llama_multiple"])
            note = (
                f"{tool.label}: 2/3 of {usual['times']} times the width, up to a multiple of {usual['llama_multiple']}"
            )
            inner = hidden.but(wide, note, How.DEFAULT)
        put(words, "model/feed_forward", inner)
        return
    if gated is not None and gated.text == "true":
        swiglu = (activation := table.get("activation")) is not None and activation.text == "swiglu"
        both = inner or (_multiply_width(hidden, factor, tool) if swiglu and kind is None else None)
        if both is not None:
            stated = (
                f"{tool.label}: {usual['times']} times the width" if both.how is How.DEFAULT else "intermediate_size"
            )
            note = f"a third of {stated}" + (f", up to a multiple of {multiple}" if multiple > 1 else "")
            put(words, "model/feed_forward", both.but(up((whole(both) or 0) * 2 // 3 // 2, multiple), note))
    elif inner is not None:
        put(words, "model/feed_forward", inner)
    elif gated is not None or kind is None:
        put(words, "model/feed_forward", _multiply_width(hidden, factor, tool))


def up(number: int, multiple: int) -> int:
    """A number, up to a multiple."""
    return -(-number // multiple) * multiple


def _multiply_width(hidden: Value | None, factor: Value | None, tool: defaults.Tool) -> Value | None:
    """A multiple of the width: as stated, else the default."""
    if hidden is None or (factor is not None and factor.number is None):
        return None
    if factor is not None:
        return factor.but(int((factor.number or 0) * (whole(hidden) or 0)), f"{factor.text} times the width")
    times = tool.tables["widths"]["times"]
    return hidden.but(times * (whole(hidden) or 0), f"{tool.label}: {times} times the width", How.DEFAULT)


def leaves(node: Node) -> Iterator[Node]:
    """The words in lists of lists; numbers say how often a pattern is repeated."""
    if node.kind == "scalar" and not node.text.isdigit():
        yield node
    for one in node.items:
        yield from leaves(one)
