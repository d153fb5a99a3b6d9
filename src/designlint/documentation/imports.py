"""What the JSON Schema says of parts that come from foreign files."""

from __future__ import annotations

from typing import Any

#: Any part may come from foreign files.
FROM = {
    "from": {
        "description": "Foreign files that this part comes from: Slurm, discovery, launch scripts, manifests.",
        "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}],
    }
}


def required_or_imported(name: str, words: list[str]) -> dict[str, Any]:
    """What must be stated; a part that is imported may leave even its name to the foreign file."""
    if not words:
        return {}
    return {"required": words} if name == "Design" else {"anyOf": [{"required": words}, {"required": list(FROM)}]}
