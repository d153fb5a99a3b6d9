"""The JSON Schema (2020-12) of the document, read off the classes that it is made of."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from designlint.compliance import dossier
from designlint.figures import Figure, Omission
from designlint.vocabulary import HOME

PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def of_compliance() -> dict[str, Any]:
    """The schema of `designlint report --format json`."""
    named: dict[str, Any] = {}
    top = _of(dossier.Portfolio, named)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{HOME}/compliance.schema.json",
        "title": "designlint compliance report",
        **top,
        "$defs": dict(sorted(named.items())),
    }


def _of(kind: Any, named: dict[str, Any]) -> dict[str, Any]:
    """One type; classes are told once, under `named`."""
    if kind in PLAIN:
        return {"type": PLAIN[kind]}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [str(one.value) for one in kind]}
    if isinstance(kind, type) and is_dataclass(kind):
        if kind.__name__ not in named:
            named[kind.__name__] = {}
            named[kind.__name__] = _object(kind, named)
        return {"$ref": f"#/$defs/{kind.__name__}"}
    if get_origin(kind) is UnionType:
        return {"anyOf": [_of(one, named) for one in get_args(kind)]}
    if get_origin(kind) is tuple:
        parts = [_of(one, named) for one in get_args(kind)]
        return {"type": "array", "prefixItems": parts, "items": False, "minItems": len(parts)}
    return {"type": "array", "items": _of(get_args(kind)[0], named)}


def _object(kind: Any, named: dict[str, Any]) -> dict[str, Any]:
    hints = get_type_hints(
        kind, localns={**vars(dossier), "Sequence": Sequence, "Figure": Figure, "Omission": Omission}
    )
    return {
        "description": (inspect.getdoc(kind) or "").split("\n\n")[0],
        "type": "object",
        "properties": {one.name: _of(hints[one.name], named) for one in fields(kind)},
        "required": [one.name for one in fields(kind)],
        "additionalProperties": False,
    }
