"""Models whose folder lies in the repository, as their config.json describes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import registry
from designlint.importers.base import Fragment, Source, Value, Words
from designlint.importers.workloads import get, merge

if TYPE_CHECKING:
    from designlint.importers.base import Context

#: The file that describes a model, in the folder of its weights.
DESCRIPTION, FORMAT = "config.json", "hf-config"


def put_shape(named: Value | None, words: Words, context: Context) -> None:
    """Adds the shape of a model that is named by its folder, where nothing else names or describes it."""
    if named is None or not named.text or any(get(words, f"model/{one}") for one in ("model", "layers", "hidden")):
        return
    opened = context.opened(named.source, f"{named.text.rstrip('/')}/{DESCRIPTION}")
    form = registry.load_format(FORMAT)
    if isinstance(opened, Source) and form.sure(opened):
        shape = form.workload(opened, Fragment(), context).get("model")
        if isinstance(shape, dict):
            merge(words, {"model": shape})
