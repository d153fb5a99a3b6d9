"""The document for machines; its shape is `ontology/generated/compliance.schema.json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from msgspec import to_builtins

if TYPE_CHECKING:
    from designlint.report.dossier import Portfolio


def render(portfolio: Portfolio) -> str:
    """The document as one JSON object."""
    text = json.dumps(to_builtins(portfolio), indent=2, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode()
