"""How designs are judged: which rules, with which severities and limits, as of which day, and where each of it is stated."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from pathlib import Path


class FailOn(StrEnum):
    """Lowest severity that makes the exit code 1."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    UNKNOWN = "unknown"
    NEVER = "never"


class SettingOrigin(Struct, frozen=True):
    """Where a setting is stated: a file and its line; or an option, which has none."""

    file: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


DEFAULT = SettingOrigin("default")


class Selector(Struct, frozen=True):
    """What chooses rules: an id, a topic or a glob, such as `network/leaf-*`."""

    pattern: str
    origin: SettingOrigin


class Level(Struct, frozen=True):
    """The severity that a configuration gives to the rules of a pattern, and why."""

    pattern: str
    level: str
    reason: str
    origin: SettingOrigin


class LimitAmount(Struct, frozen=True):
    """The value that a configuration gives to a limit of a rule, as it spells it, and why."""

    rule: str
    name: str
    value: str | float
    reason: str
    origin: SettingOrigin


class Jobs(Struct, frozen=True):
    """
    Which files are jobs, and the design of the cluster that they run on.

    Attributes:
        design: a file; empty where no cluster is known.
        files: globs, relative to the folder `home`.
    """

    design: str
    files: tuple[str, ...] = ()
    home: str = ""


class Settings(Struct, frozen=True):
    """
    What a run or a configuration file decides; plain values, so that a run can be split over processes.

    Attributes:
        rules: further folders of rules.
        today: the day as of which designs are judged, YYYY-MM-DD; the present day where it is empty.
        waivers: whether the waivers of the designs hold.
        select: the rules that judge, all where it is empty, but for those that `ignore` names more exactly.
        severity: by pattern; of those that match a rule as exactly the last one counts.
        shapes: files of SHACL shapes in Turtle.
        fail_on: what makes the exit code 1; empty where nothing is said, which means errors.
        baseline: the file of findings that are accepted; `baselines` says whether any is used.
        fixable: the rules whose fixes are offered, all where it is empty, but for those that `unfixable` names.
        extend_safe_fixes: the rules whose fixes count as safe, and `extend_unsafe_fixes` as unsafe, whatever they say.
        jobs: which files are jobs, and of which cluster; None where nothing is said.
        origins: where the keys are stated that do not say it themselves.
    """

    rules: tuple[Path, ...] = ()
    today: str = ""
    waivers: bool = True
    select: tuple[Selector, ...] = ()
    ignore: tuple[Selector, ...] = ()
    severity: tuple[Level, ...] = ()
    limits: tuple[LimitAmount, ...] = ()
    shapes: tuple[Path, ...] = ()
    fail_on: str = ""
    baseline: Path | None = None
    baselines: bool = True
    fixable: tuple[Selector, ...] = ()
    unfixable: tuple[Selector, ...] = ()
    extend_safe_fixes: tuple[Selector, ...] = ()
    extend_unsafe_fixes: tuple[Selector, ...] = ()
    jobs: Jobs | None = None
    origins: tuple[tuple[str, SettingOrigin], ...] = ()

    def overlay(self, over: Settings) -> Settings:
        """
        These settings with others laid over them.

        Where the others select anew, what was ignored before is forgotten; single values are replaced; all else is added.
        """
        return Settings(
            rules=_join_paths(self.rules, over.rules),
            today=over.today or self.today,
            waivers=self.waivers and over.waivers,
            select=over.select or self.select,
            ignore=over.ignore if over.select else self.ignore + over.ignore,
            severity=self.severity + over.severity,
            limits=self.limits + over.limits,
            shapes=_join_paths(self.shapes, over.shapes),
            fail_on=over.fail_on or self.fail_on,
            baseline=(over.baseline or self.baseline) if over.baselines else None,
            baselines=self.baselines and over.baselines,
            fixable=over.fixable or self.fixable,
            unfixable=over.unfixable if over.fixable else self.unfixable + over.unfixable,
            extend_safe_fixes=self.extend_safe_fixes + over.extend_safe_fixes,
            extend_unsafe_fixes=self.extend_unsafe_fixes + over.extend_unsafe_fixes,
            jobs=over.jobs or self.jobs,
            origins=tuple((dict(self.origins) | dict(over.origins)).items()),
        )

    def origin(self, key: str) -> SettingOrigin:
        """Where a key is stated."""
        return dict(self.origins).get(key, DEFAULT)


def _join_paths(some: tuple[Path, ...], more: tuple[Path, ...]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(some + more))
