"""Syntax errors in friendly words: what libyaml says, translated, at the place that matters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from designlint.reading.spans import TEMPLATE
from designlint.reading.tree import TEMPLATE_RULE, brief

if TYPE_CHECKING:
    from designlint.reading.tree import Document

TAB = "a tab is used for indentation; YAML allows only spaces there"
UNCLOSED = "while scanning a quoted scalar"
JINJA_COMMENT = r"\{#.*?#\}"

WORDS = {
    "mapping values are not allowed in this context": "a `:` where no key is allowed; check the indentation, "
    "and quote a text that holds `: `",
    "mapping values are not allowed here": "a `:` where no key is allowed; check the indentation, "
    "and quote a text that holds `: `",
    "could not find expected ':'": "a line that is neither `key: value` nor part of the value before it",
    "did not find expected key": "this does not line up with the entries before it; check the indentation, "
    "and quotes or brackets above",
    "did not find expected '-' indicator": "this does not line up with the list items before it; check the indentation",
    "did not find expected ',' or ']'": "the `[` of line {line} is not closed; `,` or `]` is expected here",
    "did not find expected ',' or '}'": "the `{` of line {line} is not closed; `,` or `}` is expected here",
    "did not find expected node content": "a value is expected here",
    "block sequence entries are not allowed in this context": "a list item `- ` cannot start here; "
    "give it a line of its own",
    "found unknown escape character": "an unknown escape in double quotes; write `\\\\` for a backslash",
    "found undefined tag handle": "a tag whose handle is not defined; quote a text that starts with `!`",
    "did not find expected alphabetic or numeric character": "`*` and `&` need a name; "
    "quote a text that starts with one",
    "did not find expected <document start>": "there is text after the end of the document",
    "found invalid Unicode character escape code": "an escape that is not a Unicode character",
    "found incompatible YAML document": "a YAML version other than 1.1 or 1.2",
}


#: What libyaml says from 0.2.6 on of more levels than it reads, which it may find before it tells of the first.
DEEP = "exceeded maximum nesting depth"


def report_syntax_error(document: Document, error: Any, last: int, depth: int) -> int:
    """
    The offset of a parser's error, which it notes.

    Args:
        last: where the last good event stood.
        depth: levels that a design may have.
    """
    text = document.text
    at, what = explain(text, error)
    if what == DEEP:
        document.report("syntax/too-deep", at, at, most=depth)
        return at
    line_start, line_end = text.rfind("\n", 0, min(last, at)) + 1, end_of_line(text, at)
    for pattern in (TEMPLATE, JINJA_COMMENT):
        if template := re.compile(pattern).search(text, line_start, line_end):
            what = f"`{brief(template[0])}` must be rendered first"
            if template.span() not in [(problem.start, problem.end) for problem in document.problems]:
                document.report(TEMPLATE_RULE, *template.span(), what=what)
            return at
    end = at + 1 if at < len(text) and text[at] not in "\r\n" else at
    document.report("syntax/not-yaml", at, end, what=what)
    return at


def explain(text: str, error: Any) -> tuple[int, str]:
    """Offset and words for a PyYAML error, or for whatever else its loader lets through."""
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
    mark = getattr(error, "problem_mark", None)
    at = mark.index if mark is not None else getattr(error, "position", None) or 0
    at = min(at, len(text))
    indentation = re.compile(r"[ \t]*").match(text, text.rfind("\n", 0, at) + 1)
    if indentation and "\t" in indentation[0] and at <= indentation.end():
        return text.index("\t", indentation.start()), TAB
    if error_is_open_quote(error):
        return error.context_mark.index, "a quoted text is not closed"
    if problem.startswith("found character") and at < len(text):
        return at, TAB if text[at] == "\t" else f"a value cannot start with `{text[at]}`; put it in quotes"
    opened = getattr(error, "context_mark", None)
    return at, WORDS.get(problem, problem).replace("{line}", str(opened.line + 1 if opened else 1))


def error_is_open_quote(error: Any) -> bool:
    """Whether a quote was opened and never closed: its start says more than the end of the file."""
    ended = getattr(error, "problem", None) == "found unexpected end of stream"
    return ended and getattr(error, "context", None) == UNCLOSED and error.context_mark is not None


def end_of_line(text: str, at: int) -> int:
    """Offset of the line end at or behind `at`."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end
