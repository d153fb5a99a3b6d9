"""`designlint check --from`: the findings on designs in a store."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from designlint.cli.shared.terminal import Exit, print_text
from designlint.cli.shared.verdict import failing
from designlint.findings.model import Severity
from designlint.fleet.client import Client
from designlint.fleet.judging import StoreJudging, StoreVerdict
from designlint.language.sentences import many
from designlint.reading.errors import UsageError
from designlint.reporters.shared.terminal import printable
from designlint.rules.settings import FailOn
from designlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from designlint.configuration import Policy
    from designlint.rules.engine import Engine

#: Formats that a store is reported in.
FORMATS = ("text", "json")
#: What a store cannot judge, and where it stands.
BESIDE = (
    "Text and shape are checked from files only; `designlint query` shows what was found when the designs were loaded"
)


def check(url: str, paths: Sequence[str], formats: Sequence[str], policy: Policy, fail_on: FailOn | None) -> Exit:
    """Print the failures in a store. Raises UsageError."""
    if paths:
        raise UsageError("--from checks all designs of a store; it takes no paths")
    if len(formats) > 1 or (formats and formats[0] not in FORMATS):
        raise UsageError(f"--from prints one of {', '.join(FORMATS)}")
    engine = policy.engine("design.yaml")
    judging = StoreJudging(Client(url), engine)
    if not judging.loaded:
        raise UsageError(f"{url} holds no design; load some with `designlint graph DESIGNS --to {url}`")
    found = sorted(judging.verdicts(), key=lambda one: (one.design, one.severity.rank, one.rule, one.subject))
    if formats == ["json"]:
        print_text(json.dumps([_data(one) for one in found], indent=2))
    else:
        print_text("\n".join([*_lines(found, engine, judging.loaded), BESIDE]))
    fatal = failing(fail_on or FailOn.ERROR)
    return Exit.FINDINGS if any(one.severity in fatal for one in found) else Exit.CLEAN


def _lines(found: Sequence[StoreVerdict], engine: Engine, loaded: Mapping[str, str]) -> list[str]:
    lines = [
        printable(
            f"{one.design}: {one.severity}[{one.rule}] {one.subject or 'the design'}: {engine.rules[one.rule].texts.title}"
        )
        for one in found
    ]
    counts = Counter(one.severity for one in found)
    names = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
    told = [many(counts[one], name) for one, name in names.items() if counts[one]]
    designs, judged = len({one.design for one in found}), len(loaded)
    where = f"{designs} of {judged} designs" if judged > 1 else "1 design"
    lines.append(
        f"{', '.join(told)} in {where} of the store" if found else f"No findings in {where.rpartition(' of ')[2]}"
    )
    others = sum(one != __version__ for one in loaded.values())
    if others:
        lines.append(
            f"{others} of {judged} loaded by a version other than {__version__}: what that version did not load is "
            "unknown here; load them again (`designlint query --from URL loaded-before` lists them)"
        )
    return lines


def _data(one: StoreVerdict) -> dict[str, str]:
    return {"design": one.design, "rule": one.rule, "severity": str(one.severity), "subject": one.subject}
