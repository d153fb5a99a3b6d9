"""Reads a design from bytes: never an exception, whatever the bytes, but problems with places."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml

from designlint.reading import composer
from designlint.reading.faults import report_syntax_error
from designlint.reading.recognition import BOM, looks_like_design
from designlint.reading.spans import BREAKS
from designlint.reading.tree import LIMITS, Document, Limits, TextProblem

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["LIMITS", "Document", "Limits", "TextProblem", "looks_like_design", "read_bytes", "read_file"]

UTF16 = (b"\xff\xfe", b"\xfe\xff")
# The characters YAML leaves out, in UTF-8; a second byte order mark at the start is as invisible and wrong.
FORBIDDEN = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x84\x86-\x9f]|\xef\xbf[\xbe\xbf]|\A\xef\xbb\xbf")
# Compiled only when met. Any number of `%TAG` lines is legal and makes libyaml quadratic: read as comments.
TAG_DIRECTIVE = rf"(?:\A|(?<=[{BREAKS}]))%TAG[^{BREAKS}]*"
FIRST_MARKER = rf"(?:\A|(?<=[{BREAKS}]))---"
IGNORED = re.compile(rf"(?:[ \t{BREAKS}]+|#[^{BREAKS}]*|(?<=[{BREAKS}])\.\.\.(?=[ \t{BREAKS}]|\Z))*")


def read_file(path: Path, file: str | None = None) -> Document:
    """The document in a file, of which no more than the limit is read. Raises: OSError."""
    with path.open("rb") as stream:
        data = stream.read(LIMITS.bytes + 1)
    return read_bytes(data, str(path) if file is None else file)


def read_bytes(data: bytes, file: str, limits: Limits = LIMITS) -> Document:
    """The document in these bytes."""
    if len(data) > limits.bytes:
        return _unusable(file, "", "syntax/too-large", 0, most=limits.bytes, what="bytes")
    body = data.removeprefix(BOM)
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        return _not_utf8(body, file, error.start)
    if found := FORBIDDEN.search(body):
        return _control_character(body, text, file, found)
    document = Document(file, text, bom=len(body) < len(data))
    _parse(document, limits)
    document.problems.sort(key=lambda problem: (problem.start, problem.end, problem.rule))
    return document


def _parse(document: Document, limits: Limits) -> None:
    parser = composer.LOADER(_without_tag_directives(document))
    tree = composer.Composer(document, limits)
    fault = len(document.text) + 1
    try:
        _read_document(document, parser, tree)
    except composer.LimitError:
        document.complete = False
    # PyYAML's own loader lets an impossible `\U` escape through as a ValueError.
    except (yaml.YAMLError, ValueError) as error:
        document.complete = False
        fault = report_syntax_error(document, error, tree.top.last if tree.top else 0, limits.depth)
    try:
        document.root = tree.finish(fault)
    except composer.LimitError:
        document.root = None


def _read_document(document: Document, parser: Any, tree: composer.Composer) -> None:
    parser.get_event()  # the start of the stream
    if not parser.check_event(yaml.DocumentStartEvent):
        document.report("syntax/empty", 0, 0)
        return
    start = parser.get_event()
    end = tree.compose(parser.get_event)
    root = tree.root
    if root is not None and root.kind == "scalar" and root.plain and not root.text and root.outer == root.end:
        at = start.start_mark.index
        document.report("syntax/empty", at, at)
        tree.root = None
    _report_more(document, parser, end)


def _report_more(document: Document, parser: Any, end: int) -> None:
    """Notes that something follows the first document, without reading it: it may be hostile."""
    text = document.text
    rest = IGNORED.match(text, end)
    at = rest.end() if rest else end
    if at == len(text):
        return
    if not text.startswith(("---", "%"), at):
        parser.check_event(yaml.DocumentStartEvent)  # raises when it is a fault, not a document
    document.report("syntax/several-documents", at, at + (3 if text.startswith("---", at) else 1))


def _without_tag_directives(document: Document) -> str:
    text = document.text
    if "%TAG" not in text:
        return text
    marker = re.search(FIRST_MARKER, text)
    header = text[: marker.start()] if marker else text
    if first := re.search(TAG_DIRECTIVE, header):
        document.report("syntax/unsupported-tag", *first.span(), tag="%TAG")
    return re.sub(TAG_DIRECTIVE, lambda match: "#" * len(match[0]), header) + text[len(header) :]


def _not_utf8(body: bytes, file: str, bad: int) -> Document:
    line = body.count(b"\n", 0, bad) + 1
    what = f"the byte 0x{body[bad]:02X} in line {line} is not UTF-8"
    if body.startswith(UTF16):
        what = "it is UTF-16"
    at = len(body[:bad].decode("utf-8"))
    return _unusable(file, body.decode("utf-8", "replace"), "syntax/not-utf8", at, what=what)


def _control_character(body: bytes, text: str, file: str, found: re.Match[bytes]) -> Document:
    line = body.count(b"\n", 0, found.start()) + 1
    what = f"line {line} holds the control character U+{ord(found[0].decode()):04X}"
    if b"\0" in body[:2]:
        what = "it is UTF-16"
    at = len(body[: found.start()].decode("utf-8"))
    return _unusable(file, text, "syntax/not-utf8", at, what=what)


def _unusable(file: str, text: str, rule: str, at: int, **values: str | int) -> Document:
    document = Document(file, text)
    document.complete = False
    document.report(rule, at, min(at + 1, len(text)), **values)
    return document
