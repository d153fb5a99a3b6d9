"""The JSON Schema of `designlint.toml`, for editors; made from the keys that the reader knows."""

from __future__ import annotations

from typing import Any

from designlint.configuration.tables import JOBS, KEYS, LEVEL, LIMIT, OVERRIDE, Key
from designlint.documentation.schema import DIALECT
from designlint.findings.model import Severity
from designlint.language.vocabulary import HOME
from designlint.rules.settings import FailOn

TEXT = {"type": "string", "minLength": 1, "pattern": r"\S"}


def of_config() -> dict[str, Any]:
    """The schema of a configuration; which rules and limits there are is said by `designlint check`."""
    return {
        "$schema": DIALECT,
        "$id": f"{HOME}/config.schema.json",
        "title": "designlint configuration",
        **_table(KEYS),
    }


def _table(keys: dict[str, Key], needed: tuple[str, ...] = (), **choices: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            name: {"description": key.meaning, **choices.get(name, _form(key, name))} for name, key in keys.items()
        },
        **({"required": list(needed)} if needed else {}),
        "additionalProperties": False,
    }


def _form(key: Key, name: str) -> dict[str, Any]:
    match key.form:
        case "flag":
            return {"type": "boolean"}
        case "choice":
            return {"enum": [str(one) for one in FailOn]}
        case "levels":
            level = _table(LEVEL, ("level", "reason"), level={"enum": [str(one) for one in Severity]})
            return {"type": "object", "additionalProperties": level}
        case "limits":
            limit = _table(LIMIT, ("value", "reason"))
            return {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": limit}}
        case "jobs":
            return _table(JOBS, ("files",))
        case "quantity":
            return {"type": ["string", "number"]}
        case "overrides":
            return {"type": "array", "items": _table(OVERRIDE, ("paths",))}
        case "text" | "file":
            return TEXT
    some = {"minItems": 1} if name in ("select", "fixable") else {}
    return {"type": "array", "items": TEXT, **some}
