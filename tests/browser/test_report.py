"""The compliance report in Chromium: it opens from disk, is whole, can be filtered, heard, and printed."""

from __future__ import annotations

import json
import os
import shutil
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from tests.running import ROOT, designlint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    Report = Callable[[str], Path]

pytestmark = pytest.mark.browser

EXAMPLES = sorted(path.name for path in (ROOT / "examples").iterdir() if path.is_dir())
#: Names and texts that would do something if they were markup.
HOSTILE = (
    "</style><script>document.title='taken'</script><img src=http://example.com/x onerror=alert(1)>\"'`\u202e\u05d0"
    + "x" * 10_000
)


#: Reports of several designs.
SEVERAL = {"portfolio": ["examples"], "pair": ["examples/hawk-4096", "examples/ten-lines"]}
#: Pages of which axe sees everything; it takes five seconds for each.
WHOLE = {("hawk-4096", "light"), ("superpod-4su", "dark")}
#: What axe asks of a page; of one in the dark its colours, for nothing else of it is another.
ASKED = {"light": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"], "dark": ["cat.color"]}
#: Takes out rows and steps after the first few that look alike.
THIN = """() => {
  const seen = new Map();
  for (const one of document.querySelectorAll("tr[data-status], .tree li, .code tr")) {
    const kind = one.closest("table.principles") ? one.dataset.status : one.className + one.tagName;
    seen.set(kind, (seen.get(kind) || 0) + 1);
    if (seen.get(kind) > 6) one.remove();
  }
  for (const one of document.querySelectorAll(".code tbody, .tree, .tree ul"))
    if (!one.children.length) one.closest(".code, ul").remove();
}"""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The Chromium of the system; without it the tests fail, for they were asked for."""
    from playwright.sync_api import sync_playwright

    found = os.environ.get("DESIGNLINT_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    assert found, "no Chromium: install the package `chromium`, or leave `make browser` out"
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])


def reported(name: str) -> list[dict[str, Any]]:
    """The findings that `check` makes on an example."""
    run = designlint("check", str(ROOT / "examples" / name), "--format", "json", "--fail-on", "never")
    findings: list[dict[str, Any]] = run.data["findings"]
    return findings


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Where the report of an example, or of several, is; made when it is first asked for."""
    folder = tmp_path_factory.mktemp("reports")

    @cache
    def made(name: str) -> Path:
        file = folder / f"{name}.html"
        paths = SEVERAL.get(name, [f"examples/{name}"])
        assert designlint("report", *paths, "--today", "2026-11-20", "-o", file).code == 0
        return file

    return made


class Opened:
    """A page, and all that it complained about or asked the network for."""

    def __init__(self, page: Page, file: Path) -> None:
        self.page, self.complaints, self.requests = page, list[str](), list[str]()
        page.on("console", lambda one: self.complaints.append(one.text) if one.type in ("error", "warning") else None)
        page.on("pageerror", lambda one: self.complaints.append(str(one)))
        page.on("request", lambda one: self.requests.append(one.url))
        page.on("dialog", lambda one: self.complaints.append(one.message))
        page.goto(file.as_uri())

    def run(self, script: str) -> Any:
        """What a script answers on the page."""
        return self.page.evaluate(script)


@pytest.fixture
def opened(browser: Browser) -> Iterator[Any]:
    """Opens a file; light or dark, on screens of any width."""
    pages = []

    def open_(file: Path, **options: Any) -> Opened:
        page = browser.new_page(**options)
        pages.append(page)
        return Opened(page, file)

    yield open_
    for page in pages:
        page.close()


@pytest.mark.parametrize("name", [*EXAMPLES, "portfolio"])
def test_opens_from_disk_without_a_complaint_or_a_request(name: str, report: Report, opened: Any) -> None:
    one = opened(report(name))
    assert one.complaints == []
    assert one.requests == [report(name).as_uri()]
    dead = "[...document.querySelectorAll('a')].filter(a => !document.getElementById(a.hash.slice(1))).map(a => a.outerHTML)"
    assert one.run(dead) == []
    assert one.run("document.querySelectorAll('a').length") > 10


@pytest.mark.parametrize(
    ("name", "scheme"),
    [*((name, "light") for name in (*EXAMPLES, "pair")), ("hawk-4096", "dark"), ("superpod-4su", "dark")],
)
def test_axe_finds_no_violation(name: str, scheme: str, report: Report, opened: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    one = opened(report(name), color_scheme=scheme, bypass_csp=True)
    one.run("document.querySelectorAll('details').forEach(one => { one.open = true })")
    if (name, scheme) not in WHOLE:
        one.run(THIN)
    found = Axe().run(one.page, options={"runOnly": ASKED[scheme], "resultTypes": ["violations"]})
    bad = [
        (each["id"], each["impact"], [node["html"][:200] for node in each["nodes"][:3]])
        for each in found.response["violations"]
    ]
    assert bad == []


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_first_figure_is_on_the_first_two_screens_and_contents_are_folded_on_a_phone(
    width: int, height: int, report: Report, opened: Any
) -> None:
    one = opened(report("hawk-4096"), viewport={"width": width, "height": height})
    bottom = "document.querySelector('figure svg').getBoundingClientRect().bottom"
    assert one.run(bottom) < 2 * height
    assert one.run("document.getElementById('contents').open") == (width > 640)


def test_filters_narrow_what_is_shown_and_say_so(report: Report, opened: Any) -> None:
    one = opened(report("hawk-4096"))
    page = one.page
    page.select_option("#severity", "error")
    page.select_option("#status", "violated")
    shown = "[...document.querySelectorAll('{}')].filter(one => one.offsetParent).map(one => one.dataset.{})"
    assert set(one.run(shown.format("article.finding", "severity"))) == {"error"}
    assert set(one.run(shown.format("tr[data-status]", "status"))) == {"violated"}
    severities = [one["severity"] for one in reported("hawk-4096")]
    errors, all_findings = severities.count("error"), len(severities)
    assert 0 < errors < all_findings
    assert f"{errors} of {all_findings} findings" in page.inner_text("#shown")
    page.fill("#search", "nothing has these words")
    assert f"0 of {all_findings} findings" in page.inner_text("#shown")
    assert page.locator("p.none:visible").count() >= 1
    page.fill("#search", "")
    page.click("#unfold")
    assert one.run("[...document.querySelectorAll('main details')].every(one => one.open)")
    page.click("#fold")
    assert not one.run("[...document.querySelectorAll('main details')].some(one => one.open)")
    assert one.complaints == []


def test_a_link_to_what_is_filtered_away_shows_it(report: Report, opened: Any) -> None:
    one = opened(report("hawk-4096"))
    one.page.select_option("#severity", "info")
    one.page.click("a.more >> nth=0")
    one.page.wait_for_function("document.querySelector(':target').offsetParent !== null")


def test_everything_can_be_read_without_script(report: Report, browser: Browser) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(report("hawk-4096").as_uri())
        assert page.locator("article.finding:visible").count() == len(reported("hawk-4096"))
        assert page.locator("tr[data-status]:visible").count() > 400
        assert page.locator("#tools:visible").count() == 0


def test_keyboard_reaches_the_report_at_once(report: Report, opened: Any) -> None:
    one = opened(report("hawk-4096"))
    one.page.keyboard.press("Tab")
    assert one.run("document.activeElement.className") == "skip"
    one.page.keyboard.press("Enter")
    one.page.wait_for_function("document.activeElement.id === 'content'")


@pytest.mark.parametrize("width", [320, 800, 1600])
@pytest.mark.parametrize("name", ["hawk-4096", "superpod-4su"])
def test_no_width_makes_the_page_scroll_sideways(name: str, width: int, report: Report, opened: Any) -> None:
    one = opened(report(name), viewport={"width": width, "height": 800})
    wide = "[...document.querySelectorAll('main *')].filter(one => one.getBoundingClientRect().right > innerWidth + 1"
    wide += " && !one.closest('.scroll, .code, pre, .picture, table:not(.principles)'))"
    assert one.run(f"{wide}.map(one => one.outerHTML.slice(0, 120))") == []
    assert one.run("document.documentElement.scrollWidth <= innerWidth")


def letters(text: str) -> str:
    """A text without spaces, its ligatures taken apart."""
    return "".join(unicodedata.normalize("NFKC", text).split())


@pytest.mark.parametrize(("paper", "scheme"), [("A4", "light"), ("Letter", "dark")])
def test_nothing_is_cut_in_print(paper: str, scheme: str, report: Report, opened: Any, tmp_path: Path) -> None:
    """Everything that can be read on the screen can be read in the printed text, on white whatever the screen."""
    from pypdf import PdfReader

    one = opened(report("hawk-4096"), color_scheme=scheme)
    made = tmp_path / "report.pdf"
    made.write_bytes(one.page.pdf(format=paper, prefer_css_page_size=True, tagged=True))
    text = letters("".join(page.extract_text() for page in PdfReader(made).pages))
    for wanted in (
        "Is the target reachable?",
        "Calculation of workloads/pretrain/least_training_time",
        "uplinks_per_leaf: 32",
        "Signature",
    ):
        assert letters(wanted) in text, wanted
    rows = one.run("[...document.querySelectorAll('tr[data-status] td:nth-child(2)')].map(one => one.textContent)")
    lost = [row for row in rows if letters(row)[:40] not in text]
    assert len(lost) <= len(rows) // 50  # a row over two pages has the foot of the page in it
    one.page.emulate_media(media="print")
    assert one.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    over = "[...document.querySelectorAll('main *')].filter(one => one.scrollWidth > one.clientWidth + 1 && one.clientWidth)"
    one.page.set_viewport_size({"width": 680, "height": 900})
    assert one.run(f"{over}.map(one => one.outerHTML.slice(0, 120))") == []


def test_hostile_design_is_only_text(tmp_path: Path, opened: Any) -> None:
    told = json.dumps(HOSTILE)
    (tmp_path / "design.yaml").write_text(
        f"designlint: 1\nname: {told}\ndescription: {told}\nnodes: [{{name: {told}, model: dgx-h100, count: 4}}]\n"
        f"fabrics: [{{name: {told}, purpose: compute, topology: {{kind: fat-tree, tiers: 2, leaves: 4, spines: 2, "
        f"host_ports_per_leaf: 8, uplinks_per_leaf: 4}}}}]\n"
        f"workloads: [{{name: {told}, parallelism: {{tensor: 16}}}}]\nrisks: [{{name: {told}, mitigation: {told}}}]\n",
        "utf-8",
    )
    assert designlint("report", tmp_path / "design.yaml", "-o", tmp_path / "report.html").code == 0
    one = opened(tmp_path / "report.html")
    assert one.complaints == []
    assert len(one.requests) == 1
    assert one.page.title() != "taken"
    assert one.run("document.images.length") == 0
    assert one.run("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(("paper", "size"), [("A4", (595, 842)), ("letter", (612, 792))])
def test_pdf_is_on_the_paper_that_was_asked_for(paper: str, size: tuple[int, int], tmp_path: Path) -> None:
    from pypdf import PdfReader

    made = tmp_path / "report.pdf"
    run = designlint("report", "examples/ten-lines", "--format", "pdf", "--paper", paper, "-o", made)
    assert (run.code, run.err) == (0, "")
    assert {(round(page.mediabox.width), round(page.mediabox.height)) for page in PdfReader(made).pages} == {size}
    wrong = designlint("report", "examples/ten-lines", "--format", "json", "--paper", paper)
    assert (wrong.code, "html or pdf" in wrong.err) == (2, True)
