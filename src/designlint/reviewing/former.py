"""How designs were judged at a revision: by the configuration, rules, shapes and baseline that stood there then."""

from __future__ import annotations

import os
import posixpath
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from designlint.configuration import Policy, source
from designlint.language import resources
from designlint.reading import LIMITS
from designlint.reading.errors import AuthoringError, UsageError
from designlint.reading.recognition import start

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from designlint.comparing.revisions import Snapshot
    from designlint.rules.settings import Settings

CONFIGURATIONS = (source.NAME, source.SHARED)
RULES = ".yaml"


class Former:
    """
    The settings of designs at a revision, their files laid out beside each other.

    Args:
        policy: how designs find their settings now; what options name in the repository is taken from the revision, too.
        beside: the baseline that counts where no configuration names one.
    """

    def __init__(self, snapshot: Snapshot, policy: Policy, beside: Path) -> None:
        self.snapshot, self.policy, self.beside = snapshot, policy, beside

    def settings(self, design: str, now: Settings) -> Settings:
        """
        The settings that a design had; those of now where nothing that decides is other than it was.

        Raises:
            AuthoringError: a configuration or rule that was wrong then.
        """
        path = self._path(Path(design))
        if path is None:
            return now
        try:
            then, files = self._then(path)
            return now if self._contents(files) == self._contents(self._now(design, now)) else then
        except AuthoringError as error:
            said = f"{error.message}; --trust-change uses the settings of the change"
            raise AuthoringError(said, file=self.display_text(error.file), line=error.line) from None

    def display_text(self, text: str) -> str:
        """A text with the files of the revision as git calls them."""
        return text.replace(f"{self.snapshot.folder}{os.sep}", f"{self.snapshot.revision}:")

    def place_baseline(self, baseline: Path) -> Path:
        """Where a baseline of the revision stands in the work tree, which its entries name designs from."""
        try:
            return self.snapshot.repository.root / baseline.relative_to(self.snapshot.folder)
        except ValueError:
            return baseline

    # -- then

    def _then(self, path: str) -> tuple[Settings, list[Path]]:
        """The settings of a design at the revision, and the files that decided."""
        config = self._lay_file(Path(self.policy.config)) if self.policy.config else None
        for folder in PurePosixPath(path).parents:
            self._lay_configurations(posixpath.join(str(folder), name) for name in CONFIGURATIONS)
        if config is not None:
            self._lay_configurations([config.relative_to(self.snapshot.folder).as_posix()])
        alone = self.policy.isolated or (bool(self.policy.config) and config is None)
        policy = Policy(self._given_settings(), str(config or ""), isolated=alone)
        design = str(self.snapshot.folder / path)
        found = policy.settings(design)
        if found.baseline is None and found.baselines and not alone:
            found = replace(found, baseline=self._lay_file(self.beside))
        return found, [*policy.files(design), *_deciding(found)]

    def _given_settings(self) -> Settings:
        """The options, with the files that they name as they were."""
        given = self.policy.given
        rules = tuple(one for folder in given.rules if (one := self._folder(folder)) is not None)
        shapes = tuple(one for file in given.shapes if (one := self._lay_file(file)) is not None)
        baseline = None if given.baseline is None else self._lay_file(given.baseline)
        return replace(given, rules=rules, shapes=shapes, baseline=baseline)

    def _lay_file(self, file: Path) -> Path | None:
        """A file as it was, or where it is outside of the repository; None where it was not there."""
        path = self._path(file)
        if path is None:
            return file if file.is_file() else None
        return self.snapshot.lay(path) if path in self.snapshot.files else None

    def _folder(self, folder: Path) -> Path | None:
        path = self._path(folder)
        if path is None:
            return folder
        return self._lay_rules(path) if any(one.startswith(f"{path}/") for one in self.snapshot.files) else None

    def _lay_rules(self, path: str) -> Path:
        for one in self.snapshot.files:
            if one.startswith(f"{path}/") and one.endswith(RULES):
                self.snapshot.lay(one)
        place = self.snapshot.folder / path
        place.mkdir(parents=True, exist_ok=True)
        return place

    def _lay_configurations(self, paths: Iterable[str]) -> None:
        """Lay out configurations, those that they extend, and what they name."""
        waiting, done = list(paths), set()
        while waiting:
            path = posixpath.normpath(waiting.pop())
            if path in done or path not in self.snapshot.files:
                continue
            done.add(path)
            table = source.open_configuration(self.snapshot.lay(path)).table or {}
            beside = posixpath.dirname(path)
            waiting += _named_paths(table, "extend", beside)
            jobs = table.get("jobs")
            cluster = _named_paths(jobs, "design", beside) if isinstance(jobs, dict) else []
            for file in (*_named_paths(table, "shapes", beside), *_named_paths(table, "baseline", beside), *cluster):
                if file in self.snapshot.files:
                    self.snapshot.lay(file)
            for folder in _named_paths(table, "rules", beside):
                self._lay_rules(folder)

    # -- now

    def _now(self, design: str, settings: Settings) -> list[Path]:
        return [*self.policy.files(design), *_deciding(settings)]

    def _contents(self, files: Iterable[Path]) -> dict[str, bytes]:
        """What files of the work tree or of the revision hold, by their path in the repository."""
        found: dict[str, bytes] = {}
        for file in files:
            laid = file.is_relative_to(self.snapshot.folder)
            path = file.relative_to(self.snapshot.folder).as_posix() if laid else self._path(file)
            if path is not None and file.is_file():
                found[path] = start(file, LIMITS.bytes).replace(b"\r\n", b"\n")
        return found

    def _path(self, file: Path) -> str | None:
        """The path of a file in the repository; None where it is outside."""
        try:
            return self.snapshot.repository.path(file)
        except UsageError:
            return None


def _deciding(settings: Settings) -> Iterator[Path]:
    """The rules, shapes and baseline of settings."""
    yield from (file for folder in settings.rules for file in resources.files(folder, RULES))
    yield from settings.shapes
    if settings.baseline is not None:
        yield settings.baseline


def _named_paths(table: dict[str, Any], key: str, beside: str) -> list[str]:
    """The paths that a table states under a key, within the repository."""
    stated = table.get(key, [])
    listed = stated if isinstance(stated, list) else [stated]
    paths = [posixpath.normpath(posixpath.join(beside, one)) for one in listed if isinstance(one, str)]
    return [one for one in paths if not one.startswith(("..", "/"))]
