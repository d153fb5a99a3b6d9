"""The known-good designs that mutations start from, and the places in them that a path means."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from designlint.reading import Document, Node, read_bytes

from ..corpus.convert import designs

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
#: Whole designs of this repository.
WHOLE = ("superpod-4su", "gb200-nvl72")
#: Published designs that ran.
PUBLISHED = (
    "bloom-176b",
    "gpt-neox-20b",
    "korthikanti22-530b-selective",
    "korthikanti22-175b-full",
    "llama3-405b-stage2",
    "megascale-175b-12288-ms",
    "mcore-guide-mixtral-8x7b",
    "mcore-guide-deepseek-v3",
    "nvidia-superpod-h100-127-nodes",
    "nvidia-superpod-h100-512-nodes",
    "nvidia-superpod-b300-spectrumx-1024-nodes",
    "meta-rsc-2000-nodes",
    "rail-only",
)


@cache
def texts() -> dict[str, str]:
    """Every base by name, the whole designs first."""
    published = {case.id: case.yaml for case in designs() if case.outcome == "ran"}
    small = {path.stem: path.read_text("utf-8") for path in sorted((HERE / "designs").glob("*.yaml"))}
    whole = {name: (EXAMPLES / name / "design.yaml").read_text("utf-8") for name in WHOLE}
    return {**whole, **small, **{name: published[name] for name in PUBLISHED}}


def text_of(name: str) -> str:
    """A base, or a design that only faults written by hand start from."""
    return texts()[name] if name in texts() else (HERE / "designs" / f"{name}.yaml").read_text("utf-8")


def document(text: str, name: str) -> Document:
    """A base or what became of it, read as if it stood in the base's file."""
    file = EXAMPLES / name / "design.yaml" if name in WHOLE else HERE / "designs" / f"{name}.yaml"
    return read_bytes(text.encode(), str(file))


def place(root: Node, path: str) -> tuple[str | int, ...]:
    """
    The place that a path by names means: `fabrics/compute/speed`; `*` is the first item of a list.

    Raises:
        KeyError: what is above its last step is not in the design.
    """
    steps = path.split("/")
    found: list[str | int] = []
    node: Node | None = root
    for number, step in enumerate(steps):
        if node is None or node.kind == "scalar":
            raise KeyError(path)
        if node.kind == "list":
            at = _item(node, step)
            found.append(at)
            node = node.items[at]
            continue
        found.append(step)
        node = node.entries.get(step)
        if node is None and number < len(steps) - 1:
            raise KeyError(path)
    return tuple(found)


def node_at(root: Node, steps: Sequence[str | int]) -> Node | None:
    """What stands at a place, or None."""
    node: Node | None = root
    for step in steps:
        if node is None:
            return None
        node = node.items[step] if isinstance(step, int) else node.entries.get(step)
    return node


def _item(node: Node, step: str) -> int:
    if step.isdigit() and int(step) < len(node.items):
        return int(step)
    for at, item in enumerate(node.items):
        named = [item.entries[key].text for key in ("name", "fabric") if item.kind == "map" and key in item.entries]
        if step == "*" or step in named:
            return at
    raise KeyError(step)
