"""Data as JSON that people can read, too."""

from __future__ import annotations

import json
from typing import Any

import msgspec


def indent_json(data: Any) -> str:
    """The data as JSON, two blanks deeper at each level, as `json.dumps` indents: its own way takes seconds for large reports."""
    try:
        return msgspec.json.format(json.dumps(data, ensure_ascii=False), indent=2)
    except (msgspec.DecodeError, UnicodeEncodeError):  # an endless number, a name of a file that is no text
        return json.dumps(data, indent=2, ensure_ascii=False)
