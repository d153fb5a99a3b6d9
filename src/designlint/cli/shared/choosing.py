"""What the command line says about how designs are judged, as settings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from designlint.reading.errors import UsageError
from designlint.rules.settings import Selector, SettingOrigin, Settings

if TYPE_CHECKING:
    from collections.abc import Sequence


def options(
    *,
    select: Sequence[str] | None = None,
    ignore: Sequence[str] | None = None,
    rules: Sequence[Path] | None = None,
    shapes: Sequence[Path] | None = None,
    fail_on: str | None = None,
    today: str = "",
    waivers: bool = True,
    baseline: str = "",
    baselines: bool = True,
) -> Settings:
    """The settings that options state. Raises UsageError."""
    if today:
        from designlint.language.values import is_date

        if not is_date(today):
            raise UsageError(f"--today: `{today}` is not a date such as 2026-11-20")
    stated = {
        "select": select,
        "ignore": ignore,
        "rules": rules,
        "shapes": shapes,
        "fail_on": fail_on,
        "baseline": baseline,
    }
    return Settings(
        rules=tuple(rules or ()),
        shapes=tuple(shapes or ()),
        today=today,
        waivers=waivers,
        baseline=Path(baseline) if baseline and baselines else None,
        baselines=baselines,
        select=_words("--select", select),
        ignore=_words("--ignore", ignore),
        fail_on=str(fail_on or ""),
        origins=tuple((key, SettingOrigin(f"--{key.replace('_', '-')}")) for key, value in stated.items() if value),
    )


def pairs(given: Sequence[str]) -> dict[str, str]:
    """What `--set` states, by name. Raises UsageError."""
    found: dict[str, str] = {}
    for stated in given:
        name, separator, value = stated.partition("=")
        if not separator or not name:
            raise UsageError(f"--set: `{stated}` is not NAME=VALUE")
        found[name] = value
    return found


def _words(option: str, given: Sequence[str] | None) -> tuple[Selector, ...]:
    texts = [text.strip() for one in given or () for text in one.split(",")]
    if "" in texts:
        raise UsageError(f"{option}: names no rule")
    return tuple(Selector(text, SettingOrigin(option)) for text in texts)
