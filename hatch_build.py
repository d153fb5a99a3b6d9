"""Compiles ontology and rules into the bundle that the wheel carries, so that an installed designlint starts at once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent


class Bundle(BuildHookInterface[Any]):
    """Adds the files of the bundle to a wheel; an editable install compiles its own when it is first run."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, where a wheel is built that stands on its own."""
        if self.target_name != "wheel" or version == "editable":
            return
        sys.path.insert(0, str(ROOT / "src"))
        from designlint.compiler import bundle

        for place in bundle.write(ROOT / "build" / "bundle"):
            build_data["force_include"][str(place)] = f"designlint/shipped/{place.name}"
