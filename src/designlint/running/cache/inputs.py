"""What a report is made from: whatever is not named here must not change what it says."""

from __future__ import annotations

import os
import sys
import time
from functools import lru_cache
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from designlint.compiler import bundle
from designlint.language import resources
from designlint.reading import bases
from designlint.reading.recognition import digest, start
from designlint.reading.tree import LIMITS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.reading.bases import Base
    from designlint.rules.engine import Engine
    from designlint.rules.settings import Settings

#: Changes when entries are written in another way.
FORMAT = 2
#: Bytes of a file that a design extends or imports: foreign files are the larger ones.
MOST_BYTES = 128 * 1024 * 1024
#: What judges besides our own code, and what judges shapes.
LIBRARIES, OF_SHAPES = ("pyoxigraph", "yaml"), ("pyshacl", "rdflib", "oxrdflib")


class CacheQuestion(NamedTuple):
    """
    What a report answers.

    Attributes:
        run: what all designs of the same settings share: version, libraries, the settings.
        own: digest of the rule folders and shapes that the settings name.
        day: as of which it judges.
        file: the design as reports tell it.
        design: digest of its bytes.
    """

    run: str
    own: str
    day: str
    file: str
    design: str

    @property
    def key(self) -> str:
        """What names the answer."""
        return digest(repr(tuple(self)).encode("utf-8", "surrogatepass"))


def question(file: str, settings: Settings, margins: bool) -> CacheQuestion | None:
    """What a run asks about a design; None where a file cannot be read, which is told elsewhere."""
    from designlint.reading.discovery import shown_as

    try:
        run, files = _shared_key(settings, margins)
        with open(file, "rb") as stream:  # noqa: PTH123
            data = stream.read(LIMITS.bytes + 1)
    except OSError:
        return None
    return CacheQuestion(run, files, today(settings), shown_as(file), digest(data))


def today(settings: Settings) -> str:
    """The day as of which settings judge."""
    return settings.today or time.strftime("%Y-%m-%d")


def current(question: CacheQuestion, engine: Engine) -> bool:
    """Whether a question is still the same, now that an engine answered it."""
    return engine.today == question.day and own(engine.settings) == question.own


@lru_cache(maxsize=64)
def _shared_key(settings: Settings, margins: bool) -> tuple[str, str]:
    libraries = LIBRARIES + OF_SHAPES * bool(settings.shapes)
    made = [str(FORMAT), bundle.identity(), sys.version, *map(_state, libraries), repr(settings), str(margins)]
    return digest(repr(made).encode("utf-8", "surrogatepass")), own(settings)


def _state(library: str) -> str:
    """Changes when a library is installed anew."""
    found = PathFinder.find_spec(library)
    if found is None or found.origin is None:
        return ""
    state = os.stat(found.origin)  # noqa: PTH116
    return f"{found.origin} {state.st_mtime_ns} {state.st_size}"


def own(settings: Settings) -> str:
    """Digest of the rule folders and shapes that settings name. Raises OSError."""
    files = [path for folder in settings.rules for path in resources.files(folder, ".yaml")]
    read = [(str(path), start(path, LIMITS.bytes)) for path in (*files, *settings.shapes)]
    return digest(repr(read).encode("utf-8", "surrogatepass")) if settings.rules or settings.shapes else ""


def home(file: str) -> list[str]:
    """Where a design lies, and how far away its bases may."""
    place = Path(file).resolve()
    return [str(place), str(bases.boundary(place))]


def is_unchanged(file: str, place: object, found: Sequence[Base]) -> bool:
    """Whether the files that a design extends are what they were."""
    return not found or (place == home(file) and all(map(_same, found)))


def _same(base: Base) -> bool:
    led = bases.follow_path(Path(base.stated))
    if led is None or str(led[0]) != base.found:
        return False
    if base.digest == bases.OUTSIDE:
        return True
    if base.digest == bases.MISSING or not led[1]:
        return base.digest == bases.MISSING and not led[1]
    try:
        return digest(start(led[0], MOST_BYTES)) == base.digest
    except OSError:
        return False
