"""Changes of text that the shell's expansions make, and where brackets and quotes close."""

from __future__ import annotations

import fnmatch
import re

REPLACE = re.compile(r"(//?)([^/]*)(?:/(.*))?\Z", re.DOTALL)
#: What may end a quoted text, or hide its end.
TELLING = re.compile(r"""[\\"'$`]""")
#: A part of a text, by its first character and its length; a number from the end stands after a blank or in brackets.
PART = re.compile(r":\s*(?:(\d+)|(?<=\s)(-\d+)|\((-\d+)\))(?::(\d+))?\Z")
STRIP = re.compile(r"(##?|%%?)(.*)\Z", re.DOTALL)


def substitute(text: str, rest: str) -> str | None:
    """The text after what follows a name in braces: replacements, cuts, changes of case; None where that is not followed."""
    if rest in (",,", "^^"):
        return text.lower() if rest == ",," else text.upper()
    if "$" in rest or "`" in rest:
        return None
    if found := PART.match(rest):
        first = int(found[1] or found[2] or found[3])
        part = text[first:] if -len(text) <= first else ""
        return part[: int(found[4])] if found[4] else part
    if found := REPLACE.match(rest):
        pattern = fnmatch.translate(found[2]).removesuffix(r"\Z").removesuffix(r"\z") if found[2] else ""
        if not pattern or "*" in found[2]:
            return text if not pattern else None
        return re.sub(pattern, (found[3] or "").replace("\\", r"\\"), text, count=0 if found[1] == "//" else 1)
    if found := STRIP.match(rest):
        return _strip_pattern(text, found[1], found[2])
    return None


def _strip_pattern(text: str, mark: str, pattern: str) -> str:
    cuts = range(len(text) + 1) if mark in ("#", "%%") else range(len(text), -1, -1)
    for at in cuts:
        part = text[:at] if mark[0] == "#" else text[at:]
        if len(text) < 2000 and fnmatch.fnmatchcase(part, pattern):
            return text[at:] if mark[0] == "#" else text[:at]
    return text


def closing(text: str, at: int, quote: str) -> int:
    """Where a quoted text ends that starts at `at`."""
    while (found := TELLING.search(text, at)) is not None:
        at = found.start()
        if text[at] == "\\":
            at += 2
            continue
        if text.startswith("$(", at):
            at = matching(text, at + 1, "(", ")") + 1
            continue
        if text.startswith("${", at):
            at = matching(text, at + 1, "{", "}") + 1
            continue
        if text[at] == quote:
            return at
        if text[at] == "`":
            at = max(text.find("`", at + 1), at)
        at += 1
    return len(text)


def matching(text: str, at: int, opened: str, closed: str) -> int:
    """Where the bracket closes that opens at `at`, quotes left alone."""
    depth, quote = 0, ""
    while at < len(text):
        letter = text[at]
        if letter == "\\":
            at += 2
            continue
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == opened:
            depth += 1
        elif letter == closed:
            depth -= 1
            if not depth:
                return at
        at += 1
    return len(text)
