"""The document as PDF: the HTML page, printed by the Chromium, Chrome or Edge that is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from designlint.reading.errors import UsageError
from designlint.report import html

if TYPE_CHECKING:
    from designlint.report.dossier import Portfolio

# WeasyPrint, the other way, took 20 to 29 s for 56 pages where Chromium took 3 (2026-11-20), and needs the Pango library of
# the system, which pip does not bring; nearly every machine of a reader has a browser.
BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
    "microsoft-edge",
)
#: What it is printed on where nothing else is said.
PAPER = "A4"
#: Names a browser that stands elsewhere.
VARIABLE = "DESIGNLINT_BROWSER"
#: Seconds that printing may take.
PATIENCE = 300
OPTIONS = (
    "--headless=new", "--disable-gpu", "--no-first-run", "--disable-extensions", "--disable-background-networking",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--no-pdf-header-footer", "--export-tagged-pdf", "--disable-dev-shm-usage",
)  # fmt: skip
#: When the file was made: two places that would differ from run to run.
DATES = re.compile(rb"/(CreationDate|ModDate) ?\(D:\d{14}([^)]*)\)")


def render(portfolio: Portfolio, paper: str = PAPER) -> bytes:
    """The printed page. Raises UsageError where no browser is installed, or it fails."""
    with tempfile.TemporaryDirectory(prefix="designlint-") as folder:
        page, made = Path(folder, "report.html"), Path(folder, "report.pdf")
        page.write_text(html.render(portfolio, paper), "utf-8", "replace")
        _print(page, made, Path(folder, "profile"))
        content = made.read_bytes() if made.exists() else b""
    if not content.startswith(b"%PDF"):
        raise UsageError("the browser printed nothing; --format html writes the page, which any browser prints")
    day = portfolio.today.replace("-", "").encode() or b"19700101"
    return DATES.sub(lambda found: b"/%s (D:%s000000%s)" % (found[1], day, found[2]), content)


def _print(page: Path, made: Path, profile: Path) -> None:
    # Its sandbox needs rights that root in a container has not; the page holds no foreign script and reaches no network.
    free = ("--no-sandbox",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()
    command = [_browser(), *OPTIONS, *free, f"--user-data-dir={profile}", f"--print-to-pdf={made}", page.as_uri()]
    try:
        subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        raise UsageError(f"the browser took more than {PATIENCE} seconds to print") from None


def _browser() -> str:
    named = os.environ.get(VARIABLE)
    found = shutil.which(named) if named else next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        missing = f"`{named}` is not there" if named else "none is installed"
        raise UsageError(f"--format pdf prints with Chromium, Chrome or Edge, and {missing}; {VARIABLE} names another")
    return found
