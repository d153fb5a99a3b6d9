"""The JSON Schema (2020-12) of data classes: what they hold is what a program reads."""

from __future__ import annotations

import inspect
from enum import Enum
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping

DIALECT = "https://json-schema.org/draft/2020-12/schema"
PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def of_class(kind: Any, named: dict[str, Any], names: Mapping[str, Any]) -> dict[str, Any]:
    """
    The schema of one type.

    Args:
        named: where classes are described once, by name; filled.
        names: what annotations name that their module imports for type checking only.
    """
    if kind in PLAIN:
        return {"type": PLAIN[kind]}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [str(one.value) for one in kind]}
    if isinstance(kind, type) and issubclass(kind, Struct):
        if kind.__name__ not in named:
            named[kind.__name__] = {}
            named[kind.__name__] = _object(kind, named, names)
        return {"$ref": f"#/$defs/{kind.__name__}"}
    if get_origin(kind) is UnionType:
        return {"anyOf": [of_class(one, named, names) for one in get_args(kind)]}
    if get_origin(kind) is tuple:
        parts = [of_class(one, named, names) for one in get_args(kind)]
        return {"type": "array", "prefixItems": parts, "items": False, "minItems": len(parts)}
    if get_origin(kind) is dict:
        return {"type": "object", "additionalProperties": of_class(get_args(kind)[1], named, names)}
    return {"type": "array", "items": of_class(get_args(kind)[0], named, names)}


def _object(kind: Any, named: dict[str, Any], names: Mapping[str, Any]) -> dict[str, Any]:
    hints = get_type_hints(kind, localns=dict(names))
    return {
        "description": (inspect.getdoc(kind) or "").split("\n\n")[0],
        "type": "object",
        "properties": {name: of_class(hints[name], named, names) for name in kind.__struct_fields__},
        "required": list(kind.__struct_fields__),
        "additionalProperties": False,
    }
