"""The principles of a profile as an OSCAL 1.1.3 catalog: a group for each document, a control for each principle."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from designlint.report.oscal import ROOT, SPACE, control, identity, line, metadata

if TYPE_CHECKING:
    from designlint.report.dossier import DossierJudged, Portfolio


def render(portfolio: Portfolio) -> str:
    """The catalog as one JSON object. Raises UsageError where no day was given."""
    groups: dict[str, list[DossierJudged]] = defaultdict(list)
    for one in portfolio.designs[0].principles:
        groups[one.document].append(one)
    titles = {one.key: one.title for one in portfolio.documents}
    catalog = {
        "uuid": str(identity(ROOT, "catalog", portfolio.version, portfolio.today, portfolio.profile_file, *groups)),
        "metadata": metadata(portfolio, f"Principles: {portfolio.profile}"),
        "groups": [
            {
                "id": document,
                "class": "document",
                "title": line(titles[document]),
                "controls": [*map(_control, members)],
            }
            for document, members in groups.items()
        ],
    }
    return json.dumps({"catalog": catalog}, indent=2, ensure_ascii=False)


def _control(one: DossierJudged) -> dict[str, Any]:
    told = {"place": one.place, "phase": one.phase, "topic": one.topic, "judged-by": one.judged_by}
    return {
        "id": control(one.id),
        "class": "principle",
        "title": line(one.id),
        "props": [{"name": name, "ns": SPACE, "value": line(value)} for name, value in told.items()],
        "parts": [
            {"id": f"{control(one.id)}_smt", "name": "statement", "prose": line(one.statement)},
        ],
    }
