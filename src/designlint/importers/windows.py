"""What Hugging Face's config.json says of layers that attend to a window only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.base import Value, Words, of_node, put, whole
from designlint.importers.workloads import count, flag, get

if TYPE_CHECKING:
    from designlint.importers.defaults import Tool
    from designlint.importers.notations.structured import Table

#: Names by which `layer_types` lists layers with a window.
WINDOWED = ("sliding_attention", "chunked_attention")
#: Keys of the number N where one layer in N sees everything.
PATTERN = ("sliding_window_pattern", "_sliding_window_pattern")


def windows(table: Table, words: Words, family: str, tool: Tool) -> None:
    """
    The window, and the layers that have it: listed, all but one in so many, or the last ones.

    A window alone says that it is not known which layers have it.
    """
    switch = flag(table.get("use_sliding_window"))
    window = count(table.get("sliding_window", "attention_chunk_size", "sliding_window_size"))
    if window is None or not whole(window) or (switch is not None and switch.text == "false"):
        return
    windowed = _count_windowed(table, words, window, family, tool)
    if windowed is None or whole(windowed):
        put(words, "window", window)
    put(words, "windowed_layers", windowed)


def _count_windowed(table: Table, words: Words, window: Value, family: str, tool: Tool) -> Value | None:
    listed, layers = table.at("layer_types"), get(words, "layers")
    kinds = [one.text for one in listed.items] if listed is not None else []
    if listed is not None and kinds:
        at = of_node(table.source, listed.items[0])
        return at.but(sum(kinds.count(one) for one in WINDOWED), "counted in layer_types")
    total = whole(layers)
    if not total:
        return None
    full = count(table.get("max_window_layers"))
    if full is not None and whole(full) is not None and family in tool.tables["full_attention_first"]:
        return full.but(max(total - (whole(full) or 0), 0), f"layers from {full.text} on")
    every = count(table.get(*PATTERN)) or tool.value("full_attention_every", family, window)
    step = whole(every)
    if every is None or step is None:
        return None
    note = f"all layers but one in {step}" if step else f"all layers of {family}"
    return every.but(total - (total // step if step else 0), f"{tool.label}: {note}" if every.note else note)
