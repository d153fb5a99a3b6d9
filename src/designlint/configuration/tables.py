"""A table of a configuration turned into settings: every key and value checked, each with its line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.configuration.source import display_path
from designlint.findings.model import Severity
from designlint.language import resources
from designlint.language.values import instead, visible
from designlint.rules.settings import FailOn, Jobs, Level, LimitAmount, Selector, Settings

if TYPE_CHECKING:
    from collections.abc import Collection

    from designlint.configuration.source import ConfigurationFile
    from designlint.reading.errors import AuthoringError


#: Entries of a list of rules.
MOST_WORDS = 1000


class Key(NamedTuple):
    """One key of a configuration: the form of its value, its meaning, and whether `[[overrides]]` may have it."""

    form: str
    meaning: str
    override: bool = False


#: Every key, for the reader and for the generated schema.
KEYS = {
    "extend": Key("file", "Another configuration that this one extends; relative to this file."),
    "root": Key("flag", "This folder is the repository: no path in a configuration may leave it."),
    "select": Key("words", "Enabled rules: ids, topics, or globs such as `network/*`; all by default.", True),
    "ignore": Key("words", "Disabled rules; if two entries match a rule, the more specific one counts.", True),
    "severity": Key("levels", "Severities of rules, by id, topic or glob, each with the reason.", True),
    "limits": Key("limits", "Limits of rules, by id and name, each with its unit and the reason.", True),
    "rules": Key("folders", "Further folders of rules; relative to this file."),
    "shapes": Key("files", "SHACL shapes in Turtle that every design is checked against; relative to this file."),
    "fail_on": Key("choice", "Lowest severity that makes the exit code 1."),
    "baseline": Key("file", "The file of accepted findings; relative to this file."),
    "fixable": Key("words", "Rules whose fixes are offered; all by default."),
    "unfixable": Key("words", "Rules whose fixes are not offered."),
    "extend_safe_fixes": Key("words", "Rules whose fixes count as safe."),
    "extend_unsafe_fixes": Key("words", "Rules whose fixes count as unsafe."),
    "jobs": Key("jobs", "Job files, and the cluster design that they are checked against."),
    "overrides": Key("overrides", "Settings for the designs whose paths match; later ones win."),
}
OVERRIDE = {"paths": Key("texts", "Globs of designs, relative to this file; `**` matches any folders.")} | {
    name: key for name, key in KEYS.items() if key.override
}
JOBS = {
    "design": Key("file", "The design of the cluster; relative to this file."),
    "files": Key("texts", "Globs of job files, relative to this file; `**` matches any folders."),
}
LEVEL = {
    "level": Key("choice", "The severity."),
    "reason": Key("text", "Why it is right here."),
}
LIMIT = {
    "value": Key("quantity", "The limit, with its unit."),
    "reason": Key("text", "Why it is right here."),
}


class Override(NamedTuple):
    """Settings for the designs whose paths match."""

    paths: tuple[str, ...]
    settings: Settings


class ConfigurationTable:
    """
    One table, read.

    Args:
        boundary: the folder that no path may lead out of.
    """

    def __init__(self, source: ConfigurationFile, boundary: Path) -> None:
        self.source, self.boundary = source, boundary

    def settings(self, table: dict[str, Any], keys: dict[str, Key], *at: str | int) -> Settings:
        """The settings that a table states. Raises AuthoringError."""
        self._check_keys(table, keys, *at)
        read: dict[str, Any] = {}
        origins = []
        for name, value in table.items():
            if name in ("extend", "overrides"):
                continue
            checked = getattr(self, f"_{keys[name].form}")(value, *at, name)
            if name in ("root", "paths"):
                continue
            read[name] = checked
            origins.append((name, self.source.origin(*at, name)))
        return Settings(**read, origins=tuple(origins))

    def top(self) -> Settings:
        """What the file states for all designs."""
        return self.settings(self.source.table or {}, KEYS)

    def overrides(self) -> list[Override]:
        """What it states for some."""
        stated = (self.source.table or {}).get("overrides", [])
        if not isinstance(stated, list) or not all(isinstance(one, dict) for one in stated):
            raise self._wrong("overrides", "tables, each headed `[[overrides]]`", "overrides")
        found = []
        for at, one in enumerate(stated):
            if "paths" not in one:
                raise self.source.error("an override names its designs: `paths = [...]`", "overrides", at)
            paths = self._texts(one["paths"], "overrides", at, "paths")
            found.append(Override(paths, self.settings(one, OVERRIDE, "overrides", at)))
        return found

    def extended_file(self) -> Path | None:
        """The file that this one is laid over."""
        stated = (self.source.table or {}).get("extend")
        if stated is None:
            return None
        path = self._file(stated, "extend")
        if path.suffix != ".toml" or not path.is_file():
            raise self.source.error(f"`{stated}` is not an existing TOML file", "extend")
        return path

    # -- forms of values; each takes the value and the way to it

    def _flag(self, value: Any, *at: str | int) -> bool:
        if not isinstance(value, bool):
            raise self._wrong(at[-1], "true or false", *at)
        return value

    def _text(self, value: Any, *at: str | int) -> str:
        if not isinstance(value, str) or not value.strip():
            raise self._wrong(at[-1], "a text", *at)
        return value

    def _texts(self, value: Any, *at: str | int) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise self._wrong(at[-1], "a list of texts", *at)
        return tuple(self._text(one, *at, number) for number, one in enumerate(value))

    def _words(self, value: Any, *at: str | int) -> tuple[Selector, ...]:
        if value == [] and at[-1] in ("select", "fixable"):
            raise self.source.error(f"`{at[-1]}` names no rule; leave it out to mean all", *at)
        texts = self._texts(value, *at)
        self._many(texts, *at)
        return tuple(Selector(text, self.source.origin(*at, number)) for number, text in enumerate(texts))

    def _many(self, words: Collection[str], *at: str | int) -> None:
        """Refuse more words than rules could want: each is held against every rule."""
        if len(words) > MOST_WORDS:
            raise self.source.error(f"`{at[-1]}` has {len(words)} entries; {MOST_WORDS} are read at most", *at)

    def _choice(self, value: Any, *at: str | int) -> str:
        allowed = list(FailOn)
        if value not in allowed:
            raise self._wrong(at[-1], " or ".join(f"`{one}`" for one in allowed), *at)
        return str(value)

    def _levels(self, value: Any, *at: str | int) -> tuple[Level, ...]:
        self._many(self._table(value, *at), *at)
        return tuple(self._level(pattern, one, *at, pattern) for pattern, one in self._table(value, *at).items())

    def _level(self, pattern: str, stated: Any, *at: str | int) -> Level:
        if not isinstance(stated, dict):
            raise self.source.error('a severity needs a reason: {level = "warning", reason = "..."}', *at)
        self._check_keys(stated, LEVEL, *at)
        level = stated.get("level")
        if level == "off":
            raise self.source.error("`off` is not a severity; name the rule under `ignore`", *at, "level")
        if level not in list(Severity):
            raise self._wrong("level", " or ".join(f"`{one}`" for one in Severity), *at, "level")
        return Level(pattern, level, self._reason(stated, *at), self.source.origin(*at))

    def _limits(self, value: Any, *at: str | int) -> tuple[LimitAmount, ...]:
        return tuple(
            self._limit(rule, name, one, *at, rule, name)
            for rule, limits in self._table(value, *at).items()
            for name, one in self._table(limits, *at, rule).items()
        )

    def _limit(self, rule: str, name: str, stated: Any, *at: str | int) -> LimitAmount:
        if not isinstance(stated, dict):
            raise self.source.error('a limit needs a reason: {value = "1.5", reason = "..."}', *at)
        self._check_keys(stated, LIMIT, *at)
        value = stated.get("value")
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise self._wrong("value", "a number, or a text with number and unit", *at, "value")
        return LimitAmount(rule, name, value, self._reason(stated, *at), self.source.origin(*at))

    def _reason(self, stated: dict[str, Any], *at: str | int) -> str:
        reason = stated.get("reason")
        if not isinstance(reason, str) or not visible(reason):
            raise self.source.error('add a reason: `reason = "..."`', *at)
        return " ".join(reason.split())

    def _jobs(self, value: Any, *at: str | int) -> Jobs:
        stated = self._table(value, *at)
        self._check_keys(stated, JOBS, *at)
        if "files" not in stated:
            raise self.source.error("jobs name their files: `files = [...]`", *at)
        design = self._file(stated["design"], *at, "design") if "design" in stated else None
        if design is not None and not design.is_file():
            raise self.source.error(f"`{stated['design']}` is not an existing file", *at, "design")
        files = self._texts(stated["files"], *at, "files")
        return Jobs(str(design or ""), files, str(self.source.path.parent))

    def _file(self, value: Any, *at: str | int) -> Path:
        text = self._text(value, *at)
        try:
            path = self.source.path.parent / text
            inside = path.resolve().is_relative_to(self.boundary.resolve())
        except (OSError, ValueError, RuntimeError):
            raise self.source.error(f"`{text}` is no path", *at) from None
        if not inside:
            raise self.source.error(f"`{text}` leads out of {self.boundary.name or self.boundary}", *at)
        return Path(display_path(path))

    def _files(self, value: Any, *at: str | int) -> tuple[Path, ...]:
        texts = self._texts(value, *at)
        paths = tuple(self._file(text, *at, number) for number, text in enumerate(texts))
        for number, path in enumerate(paths):
            if not path.is_file():
                raise self.source.error(f"`{texts[number]}` is not an existing file", *at, number)
        return paths

    def _folders(self, value: Any, *at: str | int) -> tuple[Path, ...]:
        texts = self._texts(value, *at)
        paths = tuple(self._file(text, *at, number) for number, text in enumerate(texts))
        for number, path in enumerate(paths):
            if not path.is_dir():
                raise self.source.error(f"`{texts[number]}` is not an existing folder", *at, number)
            for file in resources.files(path, ".yaml"):
                if not file.resolve().is_relative_to(self.boundary.resolve()) or not file.is_file():
                    raise self.source.error(f"`{file}` leads out of {self.boundary.name or self.boundary}", *at, number)
        return paths

    def _table(self, value: Any, *at: str | int) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self._wrong(at[-1], "a table", *at)
        return value

    def _check_keys(self, table: dict[str, Any], keys: dict[str, Key], *at: str | int) -> None:
        for name in table:
            if name not in keys:
                hint = instead(name, keys, f"; the keys are {', '.join(keys)}")
                raise self.source.error(f"unknown key `{name}`{hint}", *at, name)

    def _wrong(self, name: str | int, wanted: str, *at: str | int) -> AuthoringError:
        what = f"item {name + 1}" if isinstance(name, int) else f"`{name}`"
        return self.source.error(f"{what} is wrong: expected {wanted}", *at)


class Layer(NamedTuple):
    """One file as settings: for all designs, and for some."""

    file: Path
    top: Settings
    overrides: tuple[Override, ...]
