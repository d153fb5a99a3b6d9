"""What a plan takes where a brief leaves a choice open: data of `ontology/planning.yaml`, in canonical units."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from designlint.language import resources
from designlint.language.quantities import BadQuantity
from designlint.planning.document import plain
from designlint.reading import read_file
from designlint.reading.errors import AuthoringError

if TYPE_CHECKING:
    from designlint.language.units import Units


@cache
def choices() -> dict[str, Any]:
    """The file as nested texts."""
    return _read_table("planning.yaml")


@cache
def shell() -> dict[str, Any]:
    """The practices of every plan, as a design; nobody changes it."""
    return _read_table("plan-shell.yaml")


def _read_table(name: str) -> dict[str, Any]:
    path = resources.ontology(name)
    root = read_file(path).root
    if root is None or root.kind != "map":
        raise AuthoringError("wanted a mapping", file=resources.display_path(path), line=1)
    found: dict[str, Any] = plain(root)
    return found


def number(text: object, kind: str, units: Units) -> float:
    """A quantity of a brief or of the choices in its canonical unit. Raises ValueError where it is none."""
    found = units.parse(str(text), kind)
    if isinstance(found, BadQuantity):
        raise ValueError(f"`{text}`: {found.text}")
    return found
