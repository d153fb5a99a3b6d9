"""Everything authors write, compiled once: made when the package is built, and again when a file of a checkout changes."""

from __future__ import annotations

import json
import os
import zlib
from functools import cache
from typing import TYPE_CHECKING, Any

from designlint import resources
from designlint.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

NAME = "bundle.json"


@cache
def load() -> dict[str, Any]:
    """The bundle: the one shipped in the package, else the checkout's, compiled anew if it is stale."""
    inside = resources.PACKAGE / "shipped" / NAME
    if inside.is_file():
        bundle: dict[str, Any] = json.loads(inside.read_bytes())
        return bundle
    return _of_checkout()


def _of_checkout() -> dict[str, Any]:
    place = resources.shipped() / ".designlint" / NAME
    stamp = _stamp()
    try:
        bundle: dict[str, Any] = json.loads(place.read_bytes())
        if bundle.get("stamp") == stamp:
            return bundle
    except (OSError, ValueError):
        pass
    bundle = compile_all() | {"stamp": stamp}
    try:
        place.parent.mkdir(exist_ok=True)
        _write(place, bundle)
    except OSError:  # a read-only checkout is compiled at every run
        pass
    return bundle


def _write(place: Path, bundle: dict[str, Any]) -> None:
    beside = place.with_suffix(f".{os.getpid()}.tmp")
    beside.write_text(json.dumps(bundle, separators=(",", ":")), "utf-8")
    beside.replace(place)


def _stamp() -> str:
    """Changes when any file that goes into the bundle does."""
    folders = [(resources.ontology(), ".ttl"), (resources.rules(), ".yaml"), (resources.PACKAGE, ".py")]
    found = [(str(path), path.stat()) for folder, suffix in folders for path in resources.files(folder, suffix)]
    state = repr([(name, stat.st_mtime_ns, stat.st_size) for name, stat in found]).encode()
    return f"{__version__} {len(found)} {zlib.crc32(state):08x}"


def compile_all() -> dict[str, Any]:
    """The bundle from its sources. Raises AuthoringError at the first file that says something wrong."""
    from designlint.authoring import catalog, ontology, plan, rules, units
    from designlint.vocabulary import Vocabulary

    bundle: dict[str, Any] = {"version": __version__, "units": units.compile_units(), "catalog": {}, "aliases": {}}
    bundle |= ontology.compile_vocabulary(bundle["units"]["kinds"])
    bundle |= catalog.compile_catalog(Vocabulary(bundle))
    vocabulary = Vocabulary(bundle)
    bundle["plan"] = plan.compile_plan(vocabulary)
    bundle["rules"] = rules.compile_folder(resources.rules(), vocabulary)
    return bundle


def write(place: Path) -> None:
    """Compile into a file: what building the package does."""
    _write(place, compile_all())
