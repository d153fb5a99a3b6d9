"""What several frameworks state of cost under names of their own: optimizer, dropout, recomputation, gradients that are sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import put
from designlint.importers.workloads import flag, is_on, number_format

if TYPE_CHECKING:
    from designlint.importers.base import Value, Words

#: Optimizers as frameworks name them, in small letters without `-` and `_`, and the state that each keeps.
OPTIMIZERS = {
    "adam": "adam", "adamw": "adam", "fusedadam": "adam", "cpuadam": "adam", "deepspeedcpuadam": "adam", "adampax": "adam",
    "decoupledadamw": "adam", "decoupledlionw": "lion", "lion": "lion", "fusedlion": "lion", "cpulion": "lion",
    "sgd": "sgd", "decoupledsgdw": "sgd", "muon": "muon", "adafactor": "adafactor",
}  # fmt: skip
#: Those that have a form with states of 8 bits.
SMALL = frozenset(("adam", "lion"))


def optimizer(words: Words, stated: Value | None, *, small: bool = False) -> None:
    """
    The optimizer that a framework names; one of those that others name where it is none of those known.

    Args:
        small: its states have 8 bits.
    """
    name = OPTIMIZERS.get(stated.text.lower().replace("_", "").replace("-", "")) if stated is not None else None
    if stated is None or (small and name not in SMALL):
        return
    if name is None:
        put(words, "optimizer/other", stated.as_text())
    else:
        put(words, "optimizer", stated.but(f"{name}-8bit" if small else name).as_text())


def put_recompute(words: Words, switch: Value | None, note: str) -> None:
    """Whether layers are recomputed, all of each or nothing, as a switch says."""
    put(words, "parallelism/recompute", switch and switch.but("full" if is_on(switch) else "none", note).as_text())


def put_gradient_bytes(words: Words, stated: Value | None) -> None:
    """The bytes of a gradient as it is sent, by the number format that a framework names."""
    form = number_format(stated)
    size = defaults.tool("number-formats").tables["bytes"].get(form.text) if form is not None else None
    if stated is not None and size is not None:
        put(words, "precision/exchanged_gradient_bytes", stated.but(size, f"sent as {stated.text}"))


def dropout(words: Words, *stated: Value | None) -> None:
    """Whether dropout is used, by the probabilities of the places where it may be."""
    used = next((one for one in stated if one is not None and one.number), None)
    if used is not None:
        put(words, "dropout", used.but(True, "a probability above 0"))
    elif stated and stated[0] is not None and all(one is not None and one.number == 0 for one in stated):
        put(words, "dropout", stated[0].but(False, "all probabilities are 0"))


def may_be_on(stated: Value | None) -> bool:
    """Whether something is surely off or left out is false; what cannot be told may be on."""
    switch = flag(stated)
    return stated is not None and (switch is None or switch.text == "true")
