"""A document in Markdown as one HTML file in the report's styles, which needs nothing else: no network, no script."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from designlint.report.policy import policy
from designlint.reporters.shared.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from designlint.figures.shared.figure import Figure

STYLE = Path(__file__).parent / "templates" / "report.css"
STYLES = re.compile(r"<style\b[^>]*>(.*?)</style>", re.DOTALL)
BOLD, CODE = re.compile(r"\*\*(.+?)\*\*"), re.compile(r"`(.+?)`")


def page(title: str, kind: str, text: str, figures: Mapping[str, Figure], version: str) -> str:
    """
    The whole file.

    Args:
        text: headings of the second level, bullets, tables, paragraphs; bold and code within them.
        figures: by the heading under which they stand.
    """
    style = STYLE.read_text("utf-8")
    drawn = [found for one in figures.values() for found in STYLES.findall(one.svg)]
    heads = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    links = "".join(f'<li><a href="#{_key(one)}">{_inline(one)}</a></li>' for one in heads)
    head = (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy([style, *drawn]))}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{_inline(title)}</title>\n<style>{style}</style>\n</head>\n"
    )
    body = (
        '<body>\n<a class="skip" href="#content">Skip to the document</a>\n'
        f'<header class="top"><p class="kind">{_inline(kind)}</p><h1 id="top">{_inline(title)}</h1></header>\n'
        '<div class="page">\n<nav aria-label="Contents"><details id="contents" open>'
        f"<summary>Contents</summary><ul>{links}</ul></details></nav>\n"
        f'<main id="content" tabindex="-1">\n{"".join(_sections(text, figures))}</main>\n</div>\n'
        f'<footer class="end"><p>designlint {escape(version)} · <a href="#top">to the top</a></p></footer>\n</body>\n</html>\n'
    )
    return head + body


def _sections(text: str, figures: Mapping[str, Figure]) -> Iterator[str]:
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        head, _, rest = part.partition("\n")
        yield f'<section aria-labelledby="{_key(head)}">\n<h2 id="{_key(head)}">{_inline(head)}</h2>\n'
        for block in filter(None, map(str.strip, rest.split("\n\n"))):
            yield _block(block.splitlines(), head)
        if head in figures:
            one = figures[head]
            yield f"<figure><figcaption>{_inline(one.title)}</figcaption>{one.svg}</figure>\n"
        yield "</section>\n"


def _block(lines: list[str], head: str) -> str:
    """A list, a table or a paragraph."""
    if lines[0].startswith("- "):
        return f'<ul class="points">{"".join(f"<li>{_inline(one[2:])}</li>" for one in lines)}</ul>\n'
    if lines[0].startswith("|"):
        first, _, *rows = [[cell.strip() for cell in one.strip("| ").split("|")] for one in lines]
        top = "".join(f'<th scope="col">{_inline(one)}</th>' for one in first)
        body = "".join("<tr>" + "".join(f"<td>{_inline(one)}</td>" for one in row) + "</tr>" for row in rows)
        label = f'<div class="scroll" tabindex="0" role="group" aria-label="{_inline(head)}">'
        table = f'<table class="whole"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>'
        return f"{label}{table}</div>\n"
    return f"<p>{_inline(' '.join(lines))}</p>\n"


def _inline(text: str) -> str:
    """Text with bold and code marked, everything else escaped."""
    found = escape(printable(text))
    return CODE.sub(r"<code>\1</code>", BOLD.sub(r"<b>\1</b>", found))


def _key(head: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", head.lower()).strip("-")
