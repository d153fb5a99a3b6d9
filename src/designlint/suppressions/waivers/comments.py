"""Waivers in comments: `# designlint: ignore[network/leaf-oversubscribed] reason="..." until=2027-03-31 owner=...`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from designlint.findings.model import Problem
from designlint.language.values import instead, is_date
from designlint.suppressions.waivers import conditions
from designlint.suppressions.waivers.waiver import WaivedRule, Waiver

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from designlint.reading import Document

#: What a waiver in a comment may state.
WORDS = ("reason", "until", "owner", "ticket", "while")
SIGN = re.compile(r"#[ \t]*designlint:[ \t]*ignore(?![\w-])")
LISTED = re.compile(r"[ \t]*\[([^\]#]*)\]")
RULE = re.compile(r"[^\s,]+(?:[ \t]+[^\s,]+)*")
STATED = re.compile(r"""[ \t]+(\w+)=("(?:[^"\\]|\\.)*"|[^\s"#\[\]]+)(?=\s|$)""")
#: Where the waiver ends: with the comment, or where another comment begins in it.
REST = re.compile(r"[ \t]*(?:$|(?<=[ \t])#)")
#: Begins a line of a batch script that its scheduler reads, and no comment.
HEADER = "#SBATCH"
ESCAPE = re.compile(r"\\(.)")


def read_comments(document: Document) -> Iterator[Waiver | Problem]:
    """The waivers in the comments of a file, and what is wrong with those that cannot be read."""
    if SIGN.search(document.text) is None:
        return
    if document.root is None:
        found_in: Iterable[tuple[int, str]] = _lines_of(document) if document.complete and not document.problems else ()
    else:
        from designlint.reading.guard import comments

        found_in = comments(document)
    for at, text in found_in:
        for found in SIGN.finditer(text):
            if found.start() == 0 or text[found.start() - 1] in " \t":
                yield _Reader(document, at, text, found.start()).waiver(found.end())
                break


def _lines_of(document: Document) -> Iterator[tuple[int, str]]:
    """What may be a comment with a waiver in a file that is no design: the rest of a line from the sign on."""
    for one in SIGN.finditer(document.text):
        end = document.text.find("\n", one.start())
        yield one.start(), document.text[one.start() : end if end >= 0 else len(document.text)].rstrip("\r")


class _Reader:
    """Reads one comment, whose waiver begins at its offset `first`."""

    def __init__(self, document: Document, at: int, text: str, first: int) -> None:
        self.document, self.at, self.text, self.first = document, at, text, first

    def waiver(self, place: int) -> Waiver | Problem:
        listed = LISTED.match(self.text, place)
        rules = [] if listed is None else list(RULE.finditer(self.text, *listed.span(1)))
        if listed is None or not rules:
            return self._malformed_problem("it names no rule: write ignore[topic/fault]")
        stated: dict[str, str] = {}
        place = listed.end()
        while found := STATED.match(self.text, place):
            word, value = found[1], _plain(found[2])
            if fault := _fault(word, value, stated):
                return self._malformed_problem(fault)
            stated[word], place = value, found.end()
        rest = REST.match(self.text, place)
        if rest is None:
            return self._malformed_problem(
                f"`{self.text[place:].strip()[:40]}` is not one of {', '.join(f'{one}=' for one in WORDS)}"
            )
        named = tuple(WaivedRule(one[0], self.at + one.start(), self.at + one.end()) for one in rules)
        return Waiver(self.document, self.at + self.first, self.at + place, named, stated, self._lines())

    def _malformed_problem(self, what: str) -> Problem:
        start, end = self.at + self.first, self.at + len(self.text)
        return Problem("waiver/malformed", self.document, start, end, {"what": what})

    def _lines(self) -> tuple[int, ...]:
        """Its own line and, where nothing else stands in it, the next one that is no comment."""
        line, column, *_ = self.document.place(self.at, self.at)
        if self.document.line(line)[: column - 1].strip(" \t"):
            return (line,)
        following = _following(self.document)
        return line, following[line + 1] if line + 1 < len(following) else line + 1


@lru_cache(maxsize=4)  # a file has thousands of comments, each over all that follow
def _following(document: Document) -> list[int]:
    """For each line, by its number, the first from there on that is no comment; the last line where all are."""
    last = document.place(len(document.text), len(document.text))[0]
    found = list(range(last + 1))
    for line in range(last - 1, 0, -1):
        text = document.line(line).lstrip(" \t")
        if text.startswith("#") and not text.startswith(HEADER):
            found[line] = found[line + 1]
    return found


def _plain(value: str) -> str:
    return ESCAPE.sub(r"\1", value[1:-1]) if value.startswith('"') else value


def _fault(word: str, value: str, stated: dict[str, str]) -> str:
    """What is wrong with one `word=value`; empty where nothing is."""
    if word not in WORDS:
        return f"`{word}` is not one of {', '.join(WORDS)}{instead(word, WORDS)}"
    if word in stated:
        return f"`{word}` is stated twice"
    if word == "until" and not is_date(value):
        return f"`{value[:40]}` is not a date such as 2027-03-31"
    return conditions.fault(value) if word == "while" else ""
