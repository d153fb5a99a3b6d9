"""What Kubernetes accepts as a name or a label."""

from __future__ import annotations

import re

from designlint.importers import defaults


def is_name(kind: str, text: str) -> bool:
    """Whether a text is a name of a kind: `object`, `part`, `job_set` or `label`."""
    grammar = defaults.tool("kubernetes").tables["grammar"][kind]
    return len(text) <= grammar["letters"] and re.fullmatch(grammar["pattern"], text) is not None
