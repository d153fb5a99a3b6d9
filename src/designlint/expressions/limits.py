"""Limits in SPARQL: what a SELECT needs before it can be asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.language.vocabulary import NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Mapping

XSD = "http://www.w3.org/2001/XMLSchema#"
PREFIXES = f"PREFIX : <{NAMESPACE}>\nPREFIX xsd: <{XSD}>\n"
WHERE = r"WHERE\s*\{"


def number(value: int | float) -> str:
    """A number in SPARQL: a whole one as an integer, any other as a double."""
    text = repr(value)
    return text if isinstance(value, int) or "e" in text else f"{text}e0"


def limit(name: str, value: int | float) -> str:
    """What gives a limit its value in a query."""
    return f"BIND({number(value)} AS ?{name})"


def apply_limits(text: str, limits: Mapping[str, int | float]) -> str:
    """A SELECT of an author with its prefixes, and with its limits as constants."""
    binds = " ".join(limit(name, value) for name, value in limits.items())
    return PREFIXES + re.sub(WHERE, lambda _: f"WHERE {{ {binds}", text, count=1)
