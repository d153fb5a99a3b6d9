"""What `--set` states must reach something: a variable that a file reads, or a size of a job."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from designlint.language.values import nearest
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from designlint.importers import Imported, Source
    from designlint.running.jobs import Task

#: A variable of a script or a manifest, where it is read.
READ = re.compile(r"\$(?:\{(\w+)|(\w+))")


def refuse_unread(tasks: Sequence[Task], given: Mapping[str, str], named: Sequence[str]) -> None:
    """Raises UsageError where something is set that none of these files asks for; with names that do exist."""
    if given and not tasks:
        raise UsageError(f"--set: {', '.join(named)}: there is no job file whose variables or sizes could be set")
    if given:
        refuse(_read_tasks(tasks, given), given)


def _read_tasks(tasks: Sequence[Task], given: Mapping[str, str]) -> Iterator[Imported]:
    from designlint import importers
    from designlint.reading.bases import boundary

    for task in tasks:
        path = Path(task.file)
        within = boundary(path.resolve())
        yield importers.import_files([path], format=task.format or None, settings=given, within=within)


def refuse(read: Iterable[Imported], given: Mapping[str, str]) -> None:
    """Raises UsageError where no import asked for a setting; the imports are made one after another, as far as needed."""
    from designlint.importers.jobs.requests import SETTINGS

    missing = dict(given)
    sources: list[Source] = []
    words: tuple[str, ...] = ()
    for one in read:
        sources += one.sources
        words = (*SETTINGS,) if "launcher" in one.formats.values() else words
        missing = {name: value for name, value in missing.items() if name not in one.asked}
        if not missing:
            return
    raise UsageError(
        "; ".join(f"--set {name}={value}: {_why(name, sources, words)}" for name, value in missing.items())
    )


def _why(name: str, sources: Sequence[Source], words: Sequence[str]) -> str:
    """Why a name has no effect: a file assigns it itself, or nothing reads it."""
    assigned = re.compile(rf"^[ \t]*(?:export[ \t]+|declare[ \t]+(?:-\w+[ \t]+)*)?{re.escape(name)}=", re.MULTILINE)
    for source in sources:
        if (found := assigned.search(source.text)) is not None:
            return f"{source.file}:{source.line_of(found.start())} assigns {name} itself; change it there"
    places: dict[str, str] = {}
    for source in sources:
        for found in READ.finditer(source.text):
            places.setdefault(found[1] or found[2], f"{source.file}:{source.line_of(found.start())}")
    near = [f"{one} ({places[one]})" if one in places else one for one in nearest(name, [*places, *words])]
    files = ", ".join(dict.fromkeys(one.file for one in sources[:3])) or "the files"
    return f"{files} {'reads' if len(sources) == 1 else 'read'} no such variable" + (
        f"; did you mean {' or '.join(near)}?" if near else ""
    )
