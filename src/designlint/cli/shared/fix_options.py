"""What the options of `check` ask to be fixed; apart from the fixing, which most runs never import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

#: What `--fix` without rules stands for.
ALL = "*"


class FixOptions(Struct, frozen=True):
    """
    Which fixes are made, and how.

    Attributes:
        rules: ids, topics or patterns of the rules whose fixes are made.
        unsafe: fixes that may change what is meant are made, too.
        diff: nothing is written, the changes are shown.
        ask: a person decides on each fix.
    """

    rules: Sequence[str]
    unsafe: bool = False
    diff: bool = False
    ask: bool = False


def fix_options(fix: str, *, unsafe: bool, diff: bool, ask: bool) -> FixOptions | None:
    """What the options ask for; None where they ask for no fix. Raises UsageError."""
    if not fix and ask:
        raise UsageError("-i asks about fixes: it goes with --fix")
    if not fix and not diff:
        if unsafe:
            raise UsageError("--unsafe-fixes goes with --fix or --diff")
        return None
    return FixOptions([one.strip() for one in (fix or ALL).split(",") if one.strip()], unsafe, diff, ask)


def spell_arguments(arguments: Sequence[str]) -> list[str]:
    """The arguments with a bare `--fix` as `--fix=*`: it takes a value only behind an equals sign, never the next word."""
    return [f"--fix={ALL}" if one == "--fix" else one for one in arguments]
