"""A design whose kept reports a test marks, so that it sees where a report comes from."""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any

from tests.running import BAD, Run, designlint

if TYPE_CHECKING:
    from pathlib import Path


KEPT = "THIS WAS KEPT"


class Place:
    """A folder with one design, and a folder for kept reports beside it."""

    def __init__(self, home: Path) -> None:
        self.home, self.cache = home / "designs", home / "kept"
        self.design = self.write("design.yaml", BAD)

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def run(self, *arguments: str | Path, kept: str | None = None) -> Run:
        place = str(self.cache) if kept is None else kept
        return designlint("check", *(arguments or ("design.yaml",)), cwd=self.home, DESIGNLINT_CACHE_DIR=place)

    def entries(self) -> list[Path]:
        return sorted(path for path in self.cache.rglob("*") if path.is_file())

    def mark(self, *arguments: str | Path) -> None:
        """Keep the report, and change its words, so that a run shows whether it came from there."""
        self.run(*arguments)
        for path in self.entries():
            change(path, lambda entry: entry[3].__setitem__(1, [[*one[:2], KEPT, *one[3:]] for one in entry[3][1]]))
        assert self.hits(*arguments)

    def hits(self, *arguments: str | Path, kept: str | None = None) -> bool:
        run = self.run(*arguments, kept=kept)
        assert run.code == 1, run
        return KEPT in run.out


def change(path: Path, how: Any) -> None:
    entry = json.loads(zlib.decompress(path.read_bytes()))
    how(entry)
    path.write_bytes(zlib.compress(json.dumps(entry).encode()))
