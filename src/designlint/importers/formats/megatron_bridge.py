"""Megatron Bridge's YAML: overrides of a recipe in sections, with Megatron's own names in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, Source, Value, Words, put
from designlint.importers.megatron import arguments, names
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Resolved, open_ended, scalars
from designlint.importers.workloads import count, get, number_format, of_framework

if TYPE_CHECKING:
    from designlint.importers.base import Context

TITLE = "Megatron Bridge configuration"
JOBS = True
TOOLS = ("megatron-lm", "megatron-bridge")
#: Sections whose keys are arguments of Megatron, the more special first.
SECTIONS = ("model", "train", "optimizer", "ddp", "checkpoint", "dist")


def sure(source: Source) -> int:
    """8 where Megatron's steps and batches stand in a section beside its model and checkpoints."""
    if not structured.keys(source, "train", "checkpoint") >= {"train", "checkpoint", "model"}:
        return 0
    top = Resolved(source, structured.root(source))
    return 8 if top.at("train/train_iters") is not None and top.at("train/global_batch_size") is not None else 0


def workload(source: Source, found: Fragment, context: Context) -> Words:
    """The training; what the recipe behind it says stays unknown."""
    top = Resolved(source, structured.root(source))
    words = of_framework(top.source, "megatron-bridge")
    given: dict[str, Value] = {}
    for section in SECTIONS:
        for key, value in _read_section(top.table(section)).items():
            given.setdefault(key, value)
    words |= arguments.words({key: one for key, one in given.items() if key in names.understood()})
    put(words, "job/data_loader_workers", count(top.get("dataset/num_workers")))
    if get(words, "model/sequence") is None:
        put(words, "model/sequence", count(top.get("dataset/seq_length", "dataset/sequence_length")))
    if get(words, "precision/matmul") is None:
        put(words, "precision/matmul", number_format(top.get("mixed_precision")))
    adapted = top.get("peft/_target_")
    if adapted is not None and "lora" in adapted.text.lower():
        put(words, "kind", adapted.but("lora", "only adapters are trained").as_text())
    return words


def _read_section(section: Resolved) -> dict[str, Value]:
    """The values of a section; a list is one text."""
    found: dict[str, Value] = {}
    for key in section.names():
        node = section.at(key)
        if node is not None and node.kind == "list":
            listed = scalars(section.source, node)
            if listed:
                found[key] = listed[0].but(" ".join(one.text for one in listed))
        elif (value := section.get(key)) is not None and not open_ended(value):
            found[key] = value
    return found
