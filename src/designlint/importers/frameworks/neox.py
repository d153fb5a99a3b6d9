"""What GPT-NeoX's keys say of cost: optimizer, dropout, kernels of attention, the gradients that ranks exchange."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import costs
from designlint.importers.base import Words, of_node, put
from designlint.importers.workloads import is_on, took

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.importers.notations.structured import Table
    from designlint.reading import Node


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
    exchanged = table.get("fp32_allreduce")
    if exchanged is not None and is_on(exchanged):
        put(words, "precision/exchanged_gradient_bytes", exchanged.but("4 B", "fp32_allreduce"))
    for key, harmless in (("checkpoint_num_layers", "1"), ("partition_activations", "false")):
        one = table.at(key)
        if one is not None and (
            one.text.lower() == harmless or (key[0] == "p" and took(words, "parallelism/tensor") == 1)
        ):
            table.get(key)


def leaves(node: Node) -> Iterator[Node]:
    """The words in lists of lists; numbers say how often a pattern is repeated."""
    if node.kind == "scalar" and not node.text.isdigit():
        yield node
    for one in node.items:
        yield from leaves(one)
