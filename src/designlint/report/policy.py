"""What a page may do: nothing but its own styles and scripts, told by their digests."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def policy(styles: Sequence[str], scripts: Sequence[str] = ()) -> str:
    """The content security policy of a page."""
    told = {"style-src": styles, "script-src": scripts}
    parts = [f"{name} {' '.join(dict.fromkeys(map(_sha256, texts)))}" for name, texts in told.items() if texts]
    return "; ".join(["default-src 'none'", *parts, "base-uri 'none'", "form-action 'none'"])


def _sha256(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
