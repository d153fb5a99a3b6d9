"""Reports as their readers get them: pages taken apart, and the JSON."""

from __future__ import annotations

import json
import re
from contextlib import chdir
from functools import cache
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

from designlint.cli.report import gather_portfolio
from designlint.cli.shared.choosing import options
from designlint.configuration import Policy
from designlint.report import formats
from tests.running import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.report.dossier import Portfolio

EXAMPLES = sorted(path.name for path in (ROOT / "examples").iterdir() if path.is_dir())
DAY = "2026-11-20"
VOID = {
    "meta",
    "br",
    "wbr",
    "input",
    "rect",
    "hr",
    "img",
    "link",
    "path",
    "circle",
    "line",
    "use",
    "polygon",
    "polyline",
}


class Page(HTMLParser):
    """The elements of a page, in order, and whether they nest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of every element of a kind."""
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def text(self) -> str:
        """What is read, spaces as one."""
        return re.sub(r"\s+", " ", " ".join(self.words))


@cache
def portfolio(paths: tuple[str, ...], profile: str, day: str) -> Portfolio:
    """What `designlint report` gathers on some designs, once for all formats; a test holds it against the command."""
    with chdir(ROOT):
        return gather_portfolio([*paths], profile, Policy(options(today=day)), day, None)


def made(format: str, *paths: str, profile: str = "all-principles", day: str = DAY) -> str:
    """The document on some designs in one of the formats, as the command prints it."""
    return formats.write_document(format, portfolio(paths, profile, day)).decode()


@cache
def html(*paths: str, profile: str = "all-principles") -> str:
    """The page on some designs."""
    return made("html", *paths, profile=profile)


@cache
def data(*paths: str, profile: str = "all-principles") -> Any:
    """The JSON on some designs."""
    return json.loads(made("json", *paths, profile=profile))


def written(folder: Path, text: str) -> str:
    """A design in a file of its own."""
    (folder / "design.yaml").write_text(text, "utf-8")
    return str(folder / "design.yaml")
