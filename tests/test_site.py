"""The documentation as a site: it is built, every rule has its page where findings send readers, and no link is dead."""

from __future__ import annotations

import posixpath
import subprocess
import sys
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from tools import pages, site

from designlint.configuration import engine
from designlint.language.vocabulary import RULE
from tests.running import ROOT, designlint, surroundings

if TYPE_CHECKING:
    from pathlib import Path

HOME = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["site_url"]


class Html(HTMLParser):
    """The links of a page, what it loads, and the places in it that a link can lead to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links, self.loads, self.anchors = set[str](), set[str](), {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what the tag links to, loads, and is called."""
        stated = dict(attrs)
        self.anchors.add(stated.get("id") or "")
        if tag == "a":
            self.links.add(stated.get("href") or "")
        elif stated.get("rel") != "canonical":
            self.loads |= {stated[name] or "" for name in ("href", "src") if name in stated}


def dead(root: Path) -> list[tuple[str, str]]:
    """Each link of a built site that leads to no file of it, or to no place in a page; and what pages load from other hosts."""
    files = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    found = {name: Html((root / name).read_text("utf-8")) for name in sorted(files) if name.endswith(".html")}
    return [
        (name, link)
        for name, page in found.items()
        for link in sorted(page.links | page.loads)
        if not (_elsewhere(link) and link not in page.loads) and not _leads_somewhere(link, name, files, found)
    ]


def _elsewhere(link: str) -> bool:
    return bool(urlsplit(link).netloc) and not link.startswith(HOME)


def _leads_somewhere(link: str, page: str, files: set[str], pages: dict[str, Html]) -> bool:
    parts = urlsplit(link)
    if _elsewhere(link) or (parts.path.startswith("/") and not parts.path.startswith(urlsplit(HOME).path)):
        return False
    path = unquote(parts.path)
    place = (
        path.removeprefix(urlsplit(HOME).path)
        if path.startswith("/")
        else posixpath.join(posixpath.dirname(page), path)
    )
    target = posixpath.normpath(place) if path else page
    if target not in files:
        target = posixpath.normpath(posixpath.join(target, "index.html"))
    return target in files and (target not in pages or unquote(parts.fragment) in pages[target].anchors)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make site` does."""
    folder = tmp_path_factory.mktemp("site")
    site.write(folder / "pages")
    settings = {
        "INHERIT": str(ROOT / "mkdocs.yml"),
        "docs_dir": str(folder / "pages"),
        "site_dir": str(folder / "built"),
    }
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(settings), "utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "-f", str(folder / "mkdocs.yml")]
    environment = surroundings() | {"NO_MKDOCS_2_WARNING": "1"}
    run = subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8", env=environment)
    assert (run.returncode, run.stderr) == (0, "")
    return folder / "built"


def test_the_site_has_a_page_where_every_finding_leads_and_no_dead_link(built: Path) -> None:
    assert dead(built) == []
    homes = [RULE.removeprefix(HOME) + name for name in engine.shipped_engine().rules]
    assert [home for home in homes if not (built / home / "index.html").is_file()] == []
    assert "parallelism/tensor-beyond-scale-up-domain" in (built / "search/search_index.json").read_text("utf-8")


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "index.html").write_text(
        '<a href="a/">1</a> <a href="a/#x">2</a> <a href="a/#y">3</a> <a href="b/">4</a>'
    )
    (tmp_path / "a/index.html").write_text('<h1 id="x">A</h1> <a href="../#">up</a> <img src="../p.svg">')
    assert dead(tmp_path) == [("a/index.html", "../p.svg"), ("index.html", "a/#y"), ("index.html", "b/")]


def test_explain_prints_the_page_of_the_site() -> None:
    name = "parallelism/tensor-beyond-scale-up-domain"
    assert designlint("explain", name).out == pages.site()[f"rules/{name}.md"]


def test_the_id_of_a_rule_leads_to_its_page_but_not_within_code() -> None:
    texts, files = site.gather()
    assert "[`waiver/malformed`](rules/waiver/malformed.md)" in texts["waivers.md"]
    assert "](waivers.md)" in texts["index.md"]
    assert files["examples/own-shapes.ttl"].is_file()
    assert "designlint: ignore[network/leaf-oversubscribed]" in texts["index.md"]


def test_every_section_of_a_design_has_a_page_with_an_example_and_what_follows() -> None:
    vocabulary, made = engine.shipped_engine().vocabulary, pages.site()
    words = [word for word in vocabulary.classes["Design"].values() if word.written and word.form in ("part", "parts")]
    texts = {word.name: made[f"reference/{word.name}.md"] for word in words}
    listed = [
        line.split("](")[0].removeprefix("| [") for line in made["reference/vocabulary.md"].split("\n") if "](" in line
    ]
    assert listed == list(texts)
    assert [name for name, text in texts.items() if f"```yaml\n{name}:" not in text] == []
    assert "  - name: scratch\n" in texts["storage"], "the tier that most is known of, not the first"
    assert "    # and 6 more\n" in texts["procurement"]
    assert "  budget: 75 M USD\n" in texts["procurement"], "words behind a long list"
    assert "    reason: Storage traffic" in texts["waivers"], "words of a section that no example states"
    assert "| `servers` | 112 | Servers of the job. |" in texts["workloads"]
    assert "| `kind` | Text: `slurm`, `kubernetes`" in texts["scheduler"]
    # Whatever can be written somewhere stands on some page.
    shown = "\n".join([*texts.values(), made["reference/vocabulary.md"]])
    assert [name for name in vocabulary.classes if f"\n## {name}\n" not in shown] == []
