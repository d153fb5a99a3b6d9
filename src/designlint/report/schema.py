"""The JSON Schema (2020-12) of the document, read off the classes that it is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from designlint.figures.shared.figure import Figure, Omission
from designlint.language.vocabulary import HOME
from designlint.report import dossier
from designlint.reporters.shared.class_schema import DIALECT, of_class


def of_compliance() -> dict[str, Any]:
    """The schema of `designlint report --format json`."""
    named: dict[str, Any] = {}
    names = {**vars(dossier), "Sequence": Sequence, "Figure": Figure, "Omission": Omission}
    top = of_class(dossier.Portfolio, named, names)
    return {
        "$schema": DIALECT,
        "$id": f"{HOME}/compliance.schema.json",
        "title": "designlint compliance report",
        **top,
        "$defs": dict(sorted(named.items())),
    }
