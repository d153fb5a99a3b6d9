"""
Gathers the pages of the site in build/pages: those of the repository, the generated ones, and all files that they link to.

What it writes is plain Markdown with `mkdocs.yml` beside it, so any generator that reads the configuration of MkDocs builds it.
"""

from __future__ import annotations

import posixpath
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tools import pages

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent
#: Pages outside docs/, by their place in the site.
TOP = {
    "index.md": "README.md",
    "AGENTS.md": "AGENTS.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "CHANGELOG.md": "CHANGELOG.md",
}
FENCED = re.compile(r"(^ *```.*?^ *```)", re.DOTALL | re.MULTILINE)
#: What the theme lacks: names of words stay on one line in tables.
STYLE = ROOT / "tools" / "site.css"
#: A link to a file, without what follows `#`.
LINK = re.compile(r"\]\((?![a-z]+:|#)([^)#\s]+)")
#: The id of a rule as code that is not the text of a link already.
RULE = re.compile(r"(?<!\[)`([a-z0-9-]+/[a-z0-9-]+)`")


def written_pages() -> dict[str, str]:
    """The pages that a person wrote, by their place in the site, with the links of the repository."""
    places = {path.relative_to(ROOT / "docs").as_posix(): path for path in (ROOT / "docs").glob("*.md")}
    places |= {place: ROOT / path for place, path in TOP.items()}
    return {place: path.read_text("utf-8") for place, path in sorted(places.items())}


def gather() -> tuple[dict[str, str], dict[str, Path]]:
    """The pages of the site with the links of the site, by place; and the other files that they link to, by place."""
    sources = written_pages() | pages.site()
    linked = {
        _site_path(path): ROOT / path
        for place, text in sources.items()
        for path in (_repository_path(place, link) for link in LINK.findall(FENCED.sub("", text)))
        if (ROOT / path).is_file()
    }
    files = {place: path for place, path in linked.items() if place not in sources} | {STYLE.name: STYLE}
    return {place: _link_page(text, place, set(sources)) for place, text in sources.items()}, files


def _link_page(text: str, here: str, places: set[str]) -> str:
    """A page whose links hold in the site, and in which the id of every other rule leads to its page."""

    def moved(found: re.Match[str]) -> str:
        return "](" + _relative(_site_path(_repository_path(here, found[1])), here)

    def rule(found: re.Match[str]) -> str:
        place = f"rules/{found[1]}.md"
        return f"[{found[0]}]({_relative(place, here)})" if place in places - {here} else found[0]

    return _outside_code(text, lambda part: RULE.sub(rule, LINK.sub(moved, part)))


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """A text that is changed everywhere but in its fenced blocks."""
    return "".join(part if at % 2 else change(part) for at, part in enumerate(FENCED.split(text)))


def _repository_path(place: str, link: str) -> str:
    """Where in the repository a link leads that stands in the page at a place of the site."""
    home = posixpath.dirname(TOP.get(place, f"docs/{place}"))
    return posixpath.normpath(posixpath.join(home, link))


def _site_path(path: str) -> str:
    """Where in the site a file of the repository stands."""
    placed = {source: place for place, source in TOP.items()}
    return placed.get(path, path.removeprefix("docs/"))


def _relative(place: str, here: str) -> str:
    return posixpath.relpath(place, posixpath.dirname(here) or ".")


def write(folder: Path) -> None:
    """Write all pages and files into a folder, which holds nothing else afterwards."""
    texts, files = gather()
    shutil.rmtree(folder, ignore_errors=True)
    for place in [*texts, *files]:
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
    for place, text in texts.items():
        (folder / place).write_text(text, "utf-8")
    for place, path in files.items():
        shutil.copyfile(path, folder / place)


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "pages")
