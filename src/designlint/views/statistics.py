"""What a run cost and found, rule by rule: `check --statistics`."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from designlint.language.sentences import many, percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.findings.report import Report

#: What a design goes through; all other names are rules, which are `judge` together.
PHASES = ("read", "graph", "derive", "judge", "repair")
#: Rules without a finding that text lists, the slowest first.
SLOWEST = 10


def as_data(report: Report) -> dict[str, Any]:
    """Designs, seconds by phase, and every rule that found something or took time."""
    found = Counter(one.rule for one in report.findings)
    mended = Counter(one.rule for one in report.findings if any(fix.proven for fix in one.fixes))
    rules = {name: seconds for name, seconds in report.spent.items() if name not in PHASES}
    phases = {name: report.spent.get(name, 0.0) for name in PHASES} | {"judge": sum(rules.values())}
    total = sum(phases.values())
    names = sorted(found.keys() | rules.keys(), key=lambda name: (-found[name], -rules.get(name, 0.0), name))
    return {
        "designs": len(report.files),
        "seconds": round(total, 6),
        "phases": {name: _time(seconds, total) for name, seconds in phases.items()},
        "rules": [
            {"rule": name, "findings": found[name], "fixable": mended[name], **_time(rules.get(name, 0.0), total)}
            for name in names
        ],
    }


def _time(seconds: float, total: float) -> dict[str, float]:
    return {"seconds": round(seconds, 6), "share": round(seconds / total, 4) if total else 0.0}


def render(report: Report, *, machine: bool) -> str:
    """The statistics as a table, or as JSON."""
    data = as_data(report)
    return json.dumps(data, indent=2) if machine else "\n".join(_lines(data))


def _lines(data: dict[str, Any]) -> Iterator[str]:
    found = [one for one in data["rules"] if one["findings"]]
    slow = sorted((one for one in data["rules"] if not one["findings"]), key=lambda one: -one["seconds"])[:SLOWEST]
    yield from map(_rule, found)
    if slow:
        yield f"{'' if not found else chr(10)}The slowest of the other rules:"
        yield from map(_rule, slow)
    yield f"\n{data['seconds'] * 1000:.0f} ms for {many(data['designs'], 'design')}:"
    yield from (
        f"  {name:<7}{one['seconds'] * 1000:>9.1f} ms {percent(one['share'], '.1%'):>7}"
        for name, one in data["phases"].items()
    )
    yield "[*] has a proven fix"


def _rule(one: dict[str, Any]) -> str:
    mark = "[*]" if one["fixable"] else "   "
    return f"{one['findings']:>6}  {mark} {one['seconds'] * 1000:>8.2f} ms {percent(one['share'], '.1%'):>7}  {one['rule']}"
