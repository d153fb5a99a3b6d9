"""The JSON Schema of a value in the JSON report: how much, where it comes from, and what it is where it is not exact."""

from __future__ import annotations

from typing import Any

from designlint.language.citations import LABELS
from designlint.language.kinds import Side

NEEDED: dict[str, Any] = {
    "value": {"type": ["boolean", "number", "string", "null"]},
    **{name: {"type": "string"} for name in ("unit", "text", "origin")},
}
OPTIONAL: dict[str, Any] = {
    "location": {"$ref": "#/$defs/location"},
    "confidence": {"enum": list(LABELS), "description": "How the source that it comes from is known."},
    "certainty": {
        "enum": [side.value for side in Side if side is not Side.EXACT],
        "description": "A calculated value that is not exact is a bound of the truth, or an estimate.",
    },
    "error": {"type": "number", "description": "Largest error of an estimate, as a share of the truth."},
}
