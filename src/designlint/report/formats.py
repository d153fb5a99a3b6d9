"""The formats of the document. Each is a module with `render(portfolio)`; what they need is told where it is missing."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from designlint.report.dossier import Portfolio

#: Libraries that come with the extra `report`.
EXTRA = ("jinja2", "markupsafe")


#: Formats that are printed.
PRINTED = ("html", "pdf")


def write_document(format: str, portfolio: Portfolio, paper: str = "") -> bytes:
    """
    The document in one of the formats. Raises UsageError where its library is missing.

    Args:
        paper: what it is printed on; empty for what is usual.
    """
    if paper and format not in PRINTED:
        raise UsageError(f"--paper applies to printed formats: --format {' or '.join(PRINTED)}")
    try:
        module = import_module(f"designlint.report.{format.replace('-', '_')}")
        made: str | bytes = module.render(portfolio, paper) if paper else module.render(portfolio)
    except ModuleNotFoundError as error:
        if error.name not in EXTRA:
            raise
        raise UsageError(f"--format {format} needs {error.name}: pip install 'designlint[report]'") from None
    return (
        made if isinstance(made, bytes) else (made if made.endswith("\n") else made + "\n").encode("utf-8", "replace")
    )
