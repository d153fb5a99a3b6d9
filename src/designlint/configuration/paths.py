"""Which paths a glob means: `*` stays within a folder, `**` matches any folders."""

from __future__ import annotations

from fnmatch import fnmatchcase


def matches(pattern: str, path: str) -> bool:
    """Whether a path, relative to the file that has the pattern, is meant; a bare name is meant in any folder."""
    wanted = [one for one in pattern.removesuffix("/").split("/") if one not in ("", ".")]
    if pattern.endswith("/"):
        wanted.append("**")
    if len(wanted) == 1:
        wanted = ["**", *wanted]
    return _fits(wanted, path.split("/"))


def _fits(wanted: list[str], steps: list[str]) -> bool:
    """Whether the steps go through the pattern; all ways are followed at once, so no pattern takes long."""
    reached = _skip_wildcards({0}, wanted)
    for step in steps:
        reached = _skip_wildcards(
            {
                at if wanted[at] == "**" else at + 1
                for at in reached
                if at < len(wanted) and (wanted[at] == "**" or fnmatchcase(step, wanted[at]))
            },
            wanted,
        )
    return len(wanted) in reached


def _skip_wildcards(reached: set[int], wanted: list[str]) -> set[int]:
    """The places reached, and those behind a `**` that stands for nothing."""
    found = set(reached)
    for at in range(len(wanted)):
        if at in found and wanted[at] == "**":
            found.add(at + 1)
    return found
