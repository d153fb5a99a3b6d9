"""Arguments of a trainer of which it takes one, and refuses to start with both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.workloads import NO

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.base import Fragment, Value

#: An argument that only Hugging Face's trainer has.
TRAINER = "per_device_train_batch_size"


def report(given: Mapping[str, Value], found: Fragment, *, megatron: bool) -> None:
    """Notes pairs of arguments that are both in effect."""
    name = "megatron-lm" if megatron else "transformers" if TRAINER in given else ""
    for first, others in defaults.tool(name).tables["exclusive"].items() if name else ():
        for second in others:
            one, other = given.get(first), given.get(second)
            if one is None or other is None or not {one.text.lower(), other.text.lower()}.isdisjoint(NO):
                continue
            flags = (f"--{word.replace('_', '-')}" if megatron else f"--{word}" for word in (first, second))
            found.clash(
                "import/arguments-exclude-each-other", other, name=next(flags), other=next(flags), where=one.place,
                tool=defaults.tool(name).name,
            )  # fmt: skip
