"""The formats of the document. Each is a module with `render(portfolio)`; what they need is told where it is missing."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from designlint.errors import UsageError

if TYPE_CHECKING:
    from designlint.compliance.dossier import Portfolio

#: Libraries that come with the extra `report`.
EXTRA = ("jinja2", "markupsafe")


def written(format: str, portfolio: Portfolio) -> bytes:
    """The document in one of the formats. Raises UsageError where its library is missing."""
    try:
        made: str | bytes = import_module(f"designlint.compliance.{format.replace('-', '_')}").render(portfolio)
    except ModuleNotFoundError as error:
        if error.name not in EXTRA:
            raise
        raise UsageError(f"--format {format} needs {error.name}: pip install 'designlint[report]'") from None
    return (
        made if isinstance(made, bytes) else (made if made.endswith("\n") else made + "\n").encode("utf-8", "replace")
    )
