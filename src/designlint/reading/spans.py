"""Exact places where libyaml's own marks are too wide, and the signs of a template."""

from __future__ import annotations

import re

HEADER = r"[|>][-+0-9]*"
BREAKS = "\r\n\x85\u2028\u2029"  # what libyaml takes for a line end
BETWEEN = rf"(?:[ \t{BREAKS}]++|(?<=[ \t{BREAKS}])#[^{BREAKS}]*+)*+"
TAG = r"(?a)!<[^>]*>|![-\w;/?:@&=+$.!~*'()%]*"
TEMPLATE = r"\{\{.*?\}\}|\{%.*?%\}|\{\{|\{%"


def value_start(text: str, start: int, end: int, anchor: str | None, tag: str | None) -> int:
    """Where the value begins behind its own anchor and tag, in whichever order they stand."""
    while start < end and (anchor is not None or tag is not None):
        if anchor is not None and text[start] == "&":
            start, anchor = start + 1 + len(anchor), None
        elif tag is not None and (match := re.compile(TAG).match(text, start)):
            start, tag = match.end(), None
        else:
            break
        if match := re.compile(BETWEEN).match(text, start, end):
            start = match.end()
    return min(start, end)


def block_end(text: str, start: int, end: int) -> int:
    """Where a `|` or `>` scalar ends: at its last character, before the blank lines libyaml adds."""
    content = text[start:end].rstrip(" \t\r\n")
    header = re.match(HEADER, content)
    only_header = header is not None and "\n" not in content and "\r" not in content
    return start + (header.end() if header and only_header else len(content))


def tag_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the tag stands within the properties of a node."""
    match = re.compile(TAG).search(text, start, end)
    return match.span() if match else (start, end)
