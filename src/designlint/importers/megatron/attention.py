"""What Megatron-LM's arguments say of attention beyond heads: kernels, windows, gates, linear layers, context parallelism."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import put
from designlint.importers.workloads import count, get, is_on, took

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.base import Value, Words

#: Kernels by `--attention-backend`, and whether they compute blockwise; with `auto` Transformer Engine chooses.
BACKENDS = {"flash": True, "fused": True, "unfused": False, "local": False}
METHODS = {"p2p": "ring", "all_gather": "all-gather", "allgather": "all-gather", "a2a": "ulysses"}
#: Linear attention by `--experimental-attention-variant`, and its widths.
VARIANTS = {"gated_delta_net": "gated-deltanet", "gdn": "gated-deltanet"}
LIST = re.compile(r"\[([01](?:[,\s]+[01]){0,2000})\]\Z")
#: A window that is no window: all tokens before.
ALL = -1


def fill(given: Mapping[str, Value], found: Words) -> None:
    """What these arguments say, after the others."""
    backend, method = given.get("attention_backend"), given.get("cp_comm_type")
    kernel = BACKENDS.get(backend.text.lower().rpartition(".")[2]) if backend is not None else None
    if backend is not None and kernel is not None and get(found, "flash_attention") is None:
        put(found, "flash_attention", backend.but(kernel, f"attention-backend {backend.text[:20]}"))
    if method is not None and method.text in METHODS:
        put(
            found,
            "parallelism/context_method",
            method.but(METHODS[method.text], f"cp-comm-type {method.text}").as_text(),
        )
    if is_on(given.get("attention_output_gate")):
        put(found, "model/gated_attention", given["attention_output_gate"].but(True, "attention-output-gate"))
    kind = given.get("attn_implementation")  # of Hugging Face's trainer
    if kind is not None and re.search("flash[-_]att", kind.text):
        put(found, "flash_attention", kind.but(True, kind.text))
    _window(given, found)
    _linear(given, found)


def _window(given: Mapping[str, Value], found: Words) -> None:
    """Tokens that a windowed layer sees before its own, which it sees as well, and which layers are windowed."""
    stated, layers = given.get("window_size"), took(found, "model/layers")
    before = re.match(r"[\[(\s]*(-?\d{1,12})", stated.text) if stated is not None else None
    if stated is None or before is None or int(before[1]) in (ALL, 0):
        return
    put(found, "model/window", stated.but(int(before[1]) + 1, "window-size, and the token itself"))
    skip = given.get("window_attn_skip_freq")
    windowed = layers if skip is None else chosen(skip, layers)
    if windowed is not None:
        put(
            found,
            "model/windowed_layers",
            (skip or stated).but(windowed, "window-attn-skip-freq" if skip else "every layer"),
        )


def _linear(given: Mapping[str, Value], found: Words) -> None:
    kind = given.get("experimental_attention_variant") or given.get("linear_attention_type")
    if kind is None or kind.text not in VARIANTS:
        return
    put(found, "model/linear_attention", kind.but(VARIANTS[kind.text], kind.text).as_text())
    for path, name in defaults.tool("megatron-lm").tables["linear_attention"].items():
        put(found, path, count(given.get(name)))
    every = given.get("linear_attention_freq")
    number = chosen(every, took(found, "model/layers")) if every is not None else None
    put(found, "model/linear_layers", every and every.but(number, "linear-attention-freq") if number else None)


def chosen(frequency: Value, layers: int | None) -> int | None:
    """How many layers are of the kind that a frequency leaves to all but each N-th layer, or that a list of 0 and 1 marks."""
    every = frequency.number
    if layers and isinstance(every, int) and every > 0:
        return layers - layers // every
    listed = LIST.match(frequency.text.strip().strip("'\"").strip())
    marks = re.findall("[01]", listed[1]) if listed else []
    return marks.count("1") if marks and (layers is None or len(marks) == layers) else None
