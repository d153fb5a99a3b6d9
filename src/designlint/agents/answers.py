"""The answers that tools give: each the text of a command, for a design in a file or in the question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint import reporters
from designlint.configuration import Policy, engine
from designlint.design.design import read_design
from designlint.exploring import columns, once, search, settings, sweep, written
from designlint.language.values import instead
from designlint.linting import pipeline
from designlint.reading import read_bytes
from designlint.reading.discovery import open_document
from designlint.reading.errors import UsageError
from designlint.reporters.shared.options import RenderOptions
from designlint.views import catalog as parts
from designlint.views import words
from designlint.views.why import explanation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.design.design import Design
    from designlint.reading import Document
    from designlint.rules.engine import Engine

#: What a design is called that stands in the question, and how long it may be.
UNNAMED, LONGEST = "design.yaml", 2_000_000


def _open_document(path: str, text: str) -> tuple[Document, Engine]:
    """The document in a file or in the question, with the settings that hold for it. Raises UsageError."""
    if bool(path) is bool(text):
        raise UsageError("give either `path` or `text`")
    if len(text) > LONGEST:
        raise UsageError(f"`text` has at most {LONGEST} characters; give a `path`")
    document = open_document(path) if path else read_bytes(text.encode("utf-8", "replace"), UNNAMED)
    return document, Policy().engine(path or UNNAMED)


def _design(path: str, text: str) -> Design:
    """The design, read and derived. Raises UsageError where its text is broken."""
    document, chosen = _open_document(path, text)
    if document.root is None or not document.complete:
        raise UsageError(f"{document.file} is broken; `check` says where")
    return read_design(document, chosen)


def check(path: str = "", text: str = "") -> str:
    """The findings on a design, in the format for agents."""
    document, chosen = _open_document(path, text)
    return reporters.render("agent", pipeline.lint(document, chosen).report(), RenderOptions())


def explain(rule: str) -> str:
    """The page of a rule."""
    from designlint.compiler import examples
    from designlint.documentation.rules import page

    shipped = engine.shipped_engine()
    if rule not in shipped.rules:
        raise UsageError(f"no rule is called `{rule}`{instead(rule, shipped.rules)}")
    return page(shipped.rules[rule], examples.of_rule(shipped.rules[rule], shipped.vocabulary))


def why(what: str, path: str = "", text: str = "") -> str:
    """The calculation behind a fact or a judgement."""
    return explanation(_design(path, text), what)


def plan(
    model: str = "",
    tokens: str = "",
    gpu: str = "",
    gpus: str = "",
    deadline: str = "",
    power: str = "",
    budget_gpu_hours: str = "",
) -> str:
    """A plan with the design that it comes to."""
    from designlint.planning import answer, brief
    from designlint.planning import plan as planning

    given = {"model": model, "tokens": tokens, "gpu": gpu, "gpus": gpus, "deadline": deadline, "power": power}
    given["budget"] = f"{budget_gpu_hours} h" if budget_gpu_hours else ""
    found = planning.plan_cluster(brief.join_options({}, brief.of_options(**given)), Policy().engine("plan.yaml"))
    lines = "\n".join(answer.lines(found, 3))
    return lines if found.refusal else f"{lines}\n\n{found.text}"


def what_if(
    path: str = "",
    text: str = "",
    set: Sequence[str] = (),
    sweeps: Sequence[str] = (),
    show: str = "error,warning",
    find: str = "",
) -> str:
    """What would follow from other values."""
    design = _design(path, text)
    fixed = [settings.setting(design, one) for one in set]
    if find:
        return written.outcome(search.search(design, search.goal(design, find), fixed))
    if sweeps:
        swept = [settings.sweep(design, one) for one in sweeps]
        names = [one.strip() for one in show.split(",") if one.strip()]
        shown = columns.columns(design, names, changed=[one.place for one in swept])
        return written.text(sweep.sweep_table(design, swept, shown, fixed))
    if not fixed:
        raise UsageError("give `set`, `sweep` or `find`")
    return once.text(once.change_design(design, fixed))


def catalog(search: str = "") -> str:
    """Parts and models of the catalogue."""
    return parts.text(search.split())


def vocabulary(search: str = "") -> str:
    """Classes and words of the design language."""
    return words.text(search.split())
