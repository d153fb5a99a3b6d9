"""Tells a design from other YAML files by how it begins, and its content from any other, without reading YAML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

BOM = b"\xef\xbb\xbf"
#: Encodings by their byte-order mark; those without one are told by the zeros around the first letter.
ENCODINGS = (
    (b"\xff\xfe\0\0", "utf-32-le"), (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"),
)  # fmt: skip
#: What may stand before the first key: space, comments, directives, a marker, tags, anchors, a brace, an explicit key.
BEFORE = r"[\s\ufeff]+|#[^\r\n]*|%[^\r\n]*|---(?=\s|\Z)|[!&][^\s,{}\[\]]*|\?(?=\s)|\{"
#: The key itself, or the same anywhere at the margin.
KEY = r"""(["']?)designlint\1\s*:(?=\s|\Z|["',}\[{])|designlint\s*(?:\r?\n\s*)+:"""
#: (a job of a pipeline may be called so, too, but is no number).
AT_MARGIN = r"""(?m)^(["']?)designlint\1[ \t]*:[ \t]+\d"""
ESCAPED = r'"((?:[^"\\\r\n]|\\.){1,200})"\s*:'
ESCAPE = r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))"
NAME = "designlint"
#: Words at the margin, or in a brace at the start.
WORDS = r"""(?m)^["']?([a-z_]{1,40})["']?[ \t]*:(?=\s|\Z)"""
IN_BRACES = r"""[{,]\s*["']?([a-z_]{1,40})["']?\s*:(?=\s)"""
#: Words of a design that make another file look like one.
ENOUGH = 2


def looks_like_design(data: bytes) -> bool:
    """Whether the first key is `designlint`, however it is written or encoded, or that key stands at the margin."""
    text = decode_text(data)
    at, before = 0, re.compile(BEFORE)
    while found := before.match(text, at):
        at = found.end()
    if re.compile(KEY).match(text, at) or re.search(AT_MARGIN, text):
        return True
    escaped = re.compile(ESCAPED).match(text, at)
    return escaped is not None and re.sub(ESCAPE, _letter, escaped[1]) == NAME


def resembles(data: bytes, words: Collection[str]) -> bool:
    """Whether a file that is no design has so many of these words, the parts of a design, for its keys."""
    text = decode_text(data)
    keys = {one[1] for one in re.finditer(WORDS, text)}
    if text.lstrip("\ufeff \t\r\n-").startswith("{"):
        keys |= {one[1] for one in re.finditer(IN_BRACES, text)}
    return len(keys.intersection(words)) >= ENOUGH


def decode_text(data: bytes) -> str:
    """The text of a file, as far as its encoding can be told."""
    for mark, encoding in ENCODINGS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    if data[:2].strip(b"\0") != data[:2] and len(data) > 1:
        return data.decode("utf-16-be" if data[0] == 0 else "utf-16-le", "replace")
    return data.decode("utf-8", "replace")


def _letter(found: re.Match[str]) -> str:
    number = int(next(filter(None, found.groups())), 16)
    return chr(number) if number < 0x110000 else ""


def start(path: Path, most: int) -> bytes:
    """What a file begins with: one byte more than `most`, where it is longer. Raises OSError."""
    with path.open("rb") as stream:
        return stream.read(most + 1)


def digest(data: bytes) -> str:
    """A name for these bytes that no others have."""
    from hashlib import blake2b

    return blake2b(data, digest_size=32).hexdigest()
