"""`check --watch`: checks again whenever a design, a file that it extends or imports, a rule or a configuration changes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from designlint.cli.shared.terminal import Exit, fault
from designlint.configuration import foreign
from designlint.configuration.source import NAME, SHARED
from designlint.reading import read_file
from designlint.reading.bases import DEEPEST, extended_files, imported_files
from designlint.reading.discovery import STDIN
from designlint.reading.errors import AuthoringError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from designlint.configuration import Policy

    #: Time and size of every file that is there.
    State = dict[str, tuple[int, int]]

#: Seconds between two looks: shorter than a person notices, and a look at a thousand files takes a few milliseconds.
INTERVAL = 0.3
#: What a run may read.
ENDINGS = (".yaml", ".yml", ".toml", ".ttl")
CLEAR = "\x1b[2J\x1b[3J\x1b[H"


def run(paths: Sequence[str], others: Iterable[Path], arguments: Sequence[str], policy: Policy) -> None:
    """
    Check, and again after every change, until interrupted; never returns.

    Each check is a process of its own, so that nothing which ends one ends the watch.

    Args:
        others: files and folders that the run reads besides.
        arguments: of `check`.
        policy: tells what configurations make it read, too.
    """
    if STDIN in paths:
        raise UsageError("--watch: standard input cannot be watched")
    command = [sys.executable, "-m", "designlint", "check", *(one for one in arguments if one != "--watch")]
    foreign.BEFORE[:] = [lambda _: foreign.contain_process()]  # a watch goes on for days: each look has its time
    seen: State | None = None
    more: set[Path] = set()
    try:
        while True:
            now = _state(paths, [*others, *more])
            if now != seen:
                if sys.stdout.isatty():
                    print(CLEAR, end="", flush=True)
                with foreign.bound_time():
                    more = {*_bases(now), *_find_configurations(now, policy)}
                seen = _state(paths, [*others, *more])  # before the check: what changes during it is checked again
                subprocess.run(command, check=False)
                told = f"{time.strftime('%H:%M:%S')} watching {len(seen)} files; Ctrl-C ends"
                fault(f"{told}")
            time.sleep(INTERVAL)
    except KeyboardInterrupt:
        sys.exit(Exit.CLEAN)


def _state(paths: Iterable[str], others: Iterable[Path]) -> State:
    found: State = {}
    for file in _files(paths, others):
        try:
            stat = os.stat(file)  # noqa: PTH116
        except OSError:  # deleted, or not yet there
            continue
        found[file] = stat.st_mtime_ns, stat.st_size
    return found


def _files(paths: Iterable[str], others: Iterable[Path]) -> Iterator[str]:
    for path in (*map(Path, paths), *others):
        home = path if path.is_dir() else path.parent
        if path.is_dir():
            yield from _below(path)
        else:
            yield str(path)
        yield from (str(folder / name) for folder in (home, *home.resolve().parents) for name in (NAME, SHARED))


def _below(folder: Path) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (os.path.join(place, name) for name in names if name.endswith(ENDINGS))  # noqa: PTH118


def _find_configurations(files: Iterable[str], policy: Policy) -> Iterator[Path]:
    """The configurations of the designs among the files, and the rules, shapes and baselines that those name."""
    for file in files:
        if file.endswith(ENDINGS[:2]):
            with suppress(AuthoringError, UsageError):  # the check tells it
                yield from policy.files(file)
                settings = policy.settings(file)
                yield from (*settings.rules, *settings.shapes)
                yield from (settings.baseline,) if settings.baseline else ()


def _bases(files: Iterable[str]) -> Iterator[Path]:
    """What the designs among the files extend and import, and what the extended ones do."""
    level = {Path(file) for file in files if file.endswith(ENDINGS[:2])}
    for _ in range(DEEPEST):
        named = [_named_files(file) for file in level]
        level = {file for bases, _ in named for file in bases}
        yield from level
        yield from (file for _, foreign in named for file in foreign)


def _named_files(file: Path) -> tuple[list[Path], list[Path]]:
    """What a file extends, and what it imports."""
    try:
        root = read_file(file).root
    except OSError:
        return [], []
    bases, foreign = extended_files(root), imported_files(root)
    return [_beside(file, one) for one in bases], [_beside(file, one) for one in foreign]


def _beside(file: Path, stated: str) -> Path:
    return Path(os.path.normpath(file.parent / stated))
