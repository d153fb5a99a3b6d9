"""Options of a batch header, and values, that sbatch refuses; numbers in it that contradict each other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import checked, defaults
from designlint.importers.jobs import exclusive
from designlint.importers.jobs.requests import SEVERAL, SIGNAL, of_gpus
from designlint.importers.joining import PLACEHOLDER
from designlint.importers.shell import header

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.base import Fragment, Value

#: An amount of memory as sbatch reads it, in megabytes unless a letter says otherwise.
AMOUNT = re.compile(r"\d+(?:\.\d+)?\s*[KMGTP]?(?:i?B)?\Z", re.IGNORECASE)

#: Variables that a shell would know, and what stands between an option and a value apart from it.
SHELLS = re.compile(r"\$\{?(?:SLURM_\w+|HOME|USER|PWD)\b\}?")
APART = re.compile(r"--[\w-]+(?:[ \t]+=[ \t]*|=[ \t]+)[\"']?\Z")
#: Options whose values the shell of the job gets.
KEPT = frozenset(("wrap", "export", "comment"))
GRES = re.compile(r"[\w./-]+(?::[\w.-]+)*(?:\([^)]*\))?\Z")


def report(given: Mapping[str, Value], found: Fragment) -> None:
    """Notes those of one component of a job, and names of options that are misspelt."""
    exclusive.report_options(given, found)
    for name, near, at in header.misspelt(given):
        found.clash("import/misspelt-key", at, name=f"--{name[:60]}", proposal=f"--{near}", tool="sbatch")
    checked.report(given, found, defaults.tool("slurm"), lambda name: f"--{name}")
    _report_signal(given.get("signal"), found)
    _report_forms(given, found)
    _report_two_numbers(given, found)
    _report_spelling(given, found)


def _report_signal(stated: Value | None, found: Fragment) -> None:
    parts = SIGNAL.match(stated.text) if stated is not None else None
    known = str(defaults.tool("slurm").tables["signals"]["names"]).split()
    if stated is not None and parts is not None and not parts[1].isdecimal() and parts[1].upper() not in known:
        wanted = f"a signal that sbatch knows: {', '.join(known)}"
        found.clash("import/not-a-value", stated, text=parts[1][:40], wanted=wanted)


def _report_forms(given: Mapping[str, Value], found: Fragment) -> None:
    """Notes amounts of memory, and distributions of tasks, that are none."""
    for name in ("mem", "mem-per-cpu", "mem-per-gpu", "tmp"):
        stated = given.get(name)
        if stated is not None and not AMOUNT.match(stated.text) and not _filled_in(stated):
            found.clash("import/not-a-value", stated, text=stated.text[:40], wanted="an amount of memory such as 64G")
    stated = given.get("distribution")
    known = str(defaults.tool("slurm").tables["distributions"]["names"]).split()
    for part in re.split(r"[:,]", stated.text.lower()) if stated is not None and not _filled_in(stated) else ():
        if stated is not None and part.partition("=")[0] not in known:
            wanted = f"a distribution of tasks: {', '.join(known)}"
            found.clash("import/not-a-value", stated, text=part[:40], wanted=wanted)


def _report_spelling(given: Mapping[str, Value], found: Fragment) -> None:
    """Notes variables that sbatch does not replace, blanks that it does not take, resources and dependencies that are none."""
    for name, stated in given.items():
        used = SHELLS.search(stated.text) if name not in KEPT else None
        if used is not None:
            why = "sbatch replaces no variables in its options"
            found.clash("import/variable-left-literal", stated, variable=used[0], why=why)
        if APART.search(stated.source.document.line(stated.line)[: _column(stated)]):
            wanted = f"a value of `--{name}`: sbatch takes no blanks beside `=`"
            found.clash("import/not-a-value", stated, text=f"= {stated.text[:40]}", wanted=wanted)
    gres, waits = given.get("gres"), given.get("dependency")
    for part in re.split(r",(?![^(]*\))", gres.text) if gres is not None and not _filled_in(gres) else ():
        if gres is not None and not GRES.match(part):
            found.clash("import/not-a-value", gres, text=part[:40], wanted="a resource with its count such as gpu:8")
    kinds = str(defaults.tool("slurm").tables["dependencies"]["names"]).split()
    for part in re.split(r"[,?]", waits.text) if waits is not None and not _filled_in(waits) else ():
        kind = part.partition(":")[0].lower()
        if waits is not None and kind not in kinds and not kind.isdecimal():
            found.clash("import/not-a-value", waits, text=part[:40], wanted=f"a dependency: {', '.join(kinds)}")


def _column(stated: Value) -> int:
    return stated.start - stated.source.document.offset(stated.line, 1)


def _filled_in(stated: Value) -> bool:
    return PLACEHOLDER.search(stated.text) is not None or any(one in stated.text for one in "$<{%")


def _report_two_numbers(given: Mapping[str, Value], found: Fragment) -> None:
    """Notes GPUs of each server that two options state otherwise."""
    one, other = given.get("gpus-per-node"), given.get("gres")
    first, second = of_gpus("gpus-per-node", one), of_gpus("gres", other)
    if one is None or other is None or first is None or second is None:
        return
    if any(len(SEVERAL.findall(each.text)) > 1 or PLACEHOLDER.search(each.text) for each in (one, other)):
        return
    numbers = [parts[2] or parts[4] or "1" for parts in (first, second)]
    if numbers[0] != numbers[1]:
        values = {"word": "gpus_per_server", "one": numbers[0], "other": numbers[1], "where": other.place}
        found.clash("import/conflict", one, **values)
