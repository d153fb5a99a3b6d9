"""The formats there are: a module in `formats/` is one, and says by content whether a file is of its kind."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from designlint.importers import failures, templates
from designlint.importers.base import Fragment, ImportRefusal
from designlint.importers.notations import structured
from designlint.importers.workloads import fragment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context, Source, Words


#: A script is a script, whatever files of other formats it writes or reads.
SHEBANG = re.compile(r"#!.*\b(?:ba|z|k|da)?sh\b")
#: The first key of every design.
DESIGN = re.compile(r"^designlint:[ \t]*\d", re.MULTILINE)


class ImportFormat(Protocol):
    """
    What a module of `formats/` offers.

    `TITLE` names the format; `sure` answers from 0 (no) to 9 (nothing else looks so). Where each file describes one workload,
    `workload` gives its words and notes in `found` what else it says; the data of `TOOLS` account for the keys that it did not
    ask for. Other formats have `design`, which turns the models of all their files into words. `read(source, context)`, which a
    format may leave out, makes the vendor's model of one file and accounts for its lines; without it a file is its own model,
    and has to be whole YAML or JSON unless it is text.
    """

    TITLE: str
    #: Whether its files are lines of text; left out where they are YAML or JSON, or `read` makes a model of them.
    TEXT: bool
    #: Whether its files are jobs, which run on a cluster; left out where they describe one.
    JOBS: bool
    #: Whose keys its files have, where each describes one workload.
    TOOLS: tuple[str, ...]

    def sure(self, source: Source) -> int: ...
    def workload(self, source: Source, found: Fragment, context: Context) -> Words: ...
    def design(self, models: Sequence[Any], context: Context) -> Fragment: ...


def names() -> list[str]:
    """The formats there are."""
    files = (Path(__file__).parent / "formats").glob("*.py")
    return sorted(file.stem.replace("_", "-") for file in files if file.stem[0] != "_")


@cache
def load_format(name: str) -> ImportFormat:
    """The module of a format."""
    return cast("ImportFormat", import_module(f"designlint.importers.formats.{name.replace('-', '_')}"))


def model(name: str, source: Source, context: Context) -> Any:
    """
    The vendor's model of one file: what the format's `read` makes of it, else the file itself, as text or whole YAML or JSON.

    Raises: Refusal where it cannot be read.
    """
    own = getattr(load_format(name), "read", None)
    if own is not None:
        return own(source, context)
    return source if getattr(load_format(name), "TEXT", False) else structured.whole(source)


def design(name: str, models: Sequence[Any], context: Context) -> Fragment:
    """What the files of a format say together. Raises: Refusal where they say it of something that is no design."""
    form = load_format(name)
    if hasattr(form, "design"):
        found = form.design(models, context)
    else:
        found = Fragment()
        for source in models:
            found.add(fragment(source, form.workload(source, found, context)))
            structured.close(source, *form.TOOLS)
    if holds_jobs(name):
        failures.report_failing(found)
    return found


def holds_jobs(name: str) -> bool:
    """Whether files of a format are jobs."""
    return bool(getattr(load_format(name), "JOBS", False))


def recognise_format(source: Source) -> str:
    """The format that a file is surely of. Raises: Refusal where it is none, or where two are equally sure."""
    script = "launcher" if SHEBANG.match(source.text) else ""
    scores = {name: load_format(name).sure(source) for name in ([script] if script else names())}
    best = max(scores.values(), default=0)
    found = [name for name, score in scores.items() if score == best]
    if not best:
        templates.refuse_values(source)
        templates.refuse_modules(source)
        templates.refuse_services(source)
        if DESIGN.search(source.text):
            use = "`designlint check` reads it; to compare: `designlint diff DESIGN --built FILE`"
            raise ImportRefusal("it is a design, not the file of another tool", 1, f"{use}.")
        raise ImportRefusal("its format is not recognised", 1, f"Name it with `--format`: {', '.join(names())}.")
    if len(found) > 1:
        raise ImportRefusal(f"it looks like {' and like '.join(found)}", 1, "Choose one with `--format`.")
    return found[0]
