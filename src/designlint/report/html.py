"""The document as one HTML file that needs nothing else: no network, no script to be read, paper or screen."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from designlint.language.sentences import many
from designlint.report.dossier import Status, Tally
from designlint.report.policy import policy
from designlint.report.statuses import tally
from designlint.reporters.shared.terminal import printable, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from designlint.report.dossier import Decider, Dossier, DossierJudged, Portfolio

TEMPLATES = Path(__file__).parent / "templates"
#: Letters of one text; the JSON has all of them.
LONGEST = 600
STEPS = "training-cluster-195"
#: Where a design's sections are, in order, with what they are called.
SECTIONS = (
    ("summary", "Summary"),
    ("plans", "Plans"),
    ("layouts", "Layouts"),
    ("unknown", "Unknown"),
    ("principles", "Principles and layers"),
    ("figures", "Figures"),
    ("findings", "Findings"),
    ("margins", "Margins"),
    ("steps", "The 195 steps"),
    ("documents", "Further principles"),
    ("accepted", "Waivers and evidence"),
    ("avoid", "Ruled out"),
    ("risks", "Decisions and risks"),
)
STYLES = re.compile(r"<style\b[^>]*>(.*?)</style>", re.DOTALL)


def render(portfolio: Portfolio, paper: str = "") -> str:
    """The whole file; on a size of paper such as `A4`, or on what the printer has."""
    environment = _environment()
    style, script = ((TEMPLATES / name).read_text("utf-8") for name in ("report.css", "report.js"))
    style += f"@page {{ size: {paper}; }}\n" if paper else ""
    drawn = [text for one in portfolio.designs for each in one.figures for text in STYLES.findall(each.svg)]
    return environment.get_template("report.html").render(
        all=portfolio,
        single=len(portfolio.designs) == 1,
        h=2 if len(portfolio.designs) == 1 else 3,
        style=Markup(style),
        script=Markup(script),
        policy=policy([style, *drawn], [script]),
        prefix=lambda number: "" if len(portfolio.designs) == 1 else f"d{number + 1}-",
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, finalize=_display_value,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters["many"] = many
    environment.filters["prose"] = _prose
    environment.filters["path"] = lambda text: Markup("/<wbr>").join(_display_value(text).split("/"))
    environment.filters["code"] = lambda text: Markup("{}").format(printable(text.rstrip("\r").replace("\t", "  ")))
    environment.globals.update(
        anchor=anchor, by_document=by_document, faulty=_faulty, has=_has, principle_link=_link_principle, sections=SECTIONS,
        statuses=list(Status), tables=_tables, worst=_worst,
    )  # fmt: skip
    return environment


def _display_value(value: Any) -> Any:
    """A value of the design as text: one line, of sane length, nothing in it steers the reader's screen."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return shorten(printable(str(value)), LONGEST)


def _prose(text: str) -> Markup:
    """A text whose words in backquotes are code."""
    parts = shorten(printable(text), LONGEST).split("`")
    if len(parts) % 2 == 0:
        return escape("`".join(parts))
    marked = [Markup("<code>{}</code>").format(part) if at % 2 else escape(part) for at, part in enumerate(parts)]
    return Markup("").join(marked)


def anchor(name: str) -> str:
    """The anchor of a principle."""
    return "principle-" + re.sub(r"[^A-Za-z0-9-]+", "-", name)


def _link_principle(name: str, one: Dossier | None, p: str) -> Markup:
    """A principle by name, linked to its row where the document has one."""
    if one is not None and name not in {each.id for each in one.principles}:
        return Markup("<code>{}</code>").format(_display_value(name))
    return Markup('<a href="#{}{}">{}</a>').format(p, anchor(name), _display_value(name))


def _faulty(one: Dossier) -> Mapping[str, str]:
    """The first finding of each rule, by rule."""
    return {each.rule: each.id for each in reversed((*one.findings, *one.accepted))}


def _worst(rules: Sequence[Decider]) -> list[Decider]:
    """Those that say most about the status first."""
    return sorted(rules, key=lambda one: list(Status).index(one.status))


def group(one: DossierJudged) -> str:
    """The document that a principle is told under; public practice has many."""
    return one.id.split("/", 1)[0]


def by_document(one: Dossier) -> list[Tally]:
    """How each document came out."""
    groups: dict[str, list[DossierJudged]] = defaultdict(list)
    for each in one.principles:
        groups[group(each)].append(each)
    return [tally(name, members) for name, members in sorted(groups.items())]


def _tables(one: Dossier) -> Iterator[tuple[str, str, list[tuple[str, list[DossierJudged]]]]]:
    """The principles as sections of tables: the 195 steps by phase, the others by document."""
    steps, others = defaultdict[str, list["DossierJudged"]](list), defaultdict[str, list["DossierJudged"]](list)
    for each in one.principles:
        if each.document == STEPS:
            steps[each.phase].append(each)
        else:
            others[group(each)].append(each)
    if steps:
        yield "steps", "The 195 steps, phase by phase", list(steps.items())
    if others:
        yield "documents", "Further principles, document by document", list(others.items())


def _has(one: Dossier, section: str) -> bool:
    present = {"margins": one.margins, "plans": one.findings, "layouts": one.layouts}
    tables = {key for key, _, _ in _tables(one)} if section in ("steps", "documents") else ()
    return section in tables if section in ("steps", "documents") else bool(present.get(section, True))
