"""What is called proven is proven: no switch, waiver or person's word makes a principle look better than it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from designlint.report.dossier import Status
from designlint.report.statuses import together
from tests import reports
from tests.running import ROOT, designlint

if TYPE_CHECKING:
    from pathlib import Path

HAWK = (ROOT / "examples/hawk-4096/design.yaml").read_text("utf-8")


def dossier(folder: Path, text: str, configuration: str = "") -> Any:
    """The report on one design under a configuration."""
    (folder / "design.yaml").write_text(text, "utf-8")
    (folder / "designlint.toml").write_text(configuration, "utf-8")
    run = designlint("report", "design.yaml", "--format", "json", "--today", "2026-11-20", cwd=folder)
    assert (run.code, run.err) == (0, "")
    return run.data["designs"][0]


def principles(made: Any) -> dict[str, Any]:
    """The principles by id."""
    return {one["id"]: one for one in made["principles"]}


def test_a_rule_that_is_switched_off_proves_nothing(tmp_path: Path) -> None:
    made = principles(dossier(tmp_path, HAWK, 'ignore = ["network/leaf-oversubscribed"]\n'))
    decided = {each["rule"]: each for each in made["technical-guide/network-bottleneck"]["rules"]}
    assert made["technical-guide/network-bottleneck"]["status"] == "partly proven"
    assert decided["network/leaf-oversubscribed"] == {
        "rule": "network/leaf-oversubscribed",
        "status": "unknown",
        "changed": "switched off",
    }
    assert made["orchestration-architect/case-all-reduce-bursts"]["status"] == "unknown"  # nothing else decides it
    page = designlint("report", "design.yaml", cwd=tmp_path).out
    assert "network/leaf-oversubscribed</span> <strong>switched off</strong>" in page


def test_a_limit_that_was_moved_is_told_where_it_decides(tmp_path: Path) -> None:
    moved = '[limits."compute/mfu-beyond-newer-gpus"]\nmost = { value = "70 %", reason = "measured" }\n'
    made = principles(dossier(tmp_path, HAWK, moved))
    # Nothing else decides the case of the paper; the other rules of the principle wait for nothing that this job must state.
    for name, status in (("orchestration-architect/case-mfu", "proven"), ("practice/mfu-plausible", "proven")):
        decided = {each["rule"]: each for each in made[name]["rules"]}
        assert made[name]["status"] == status
        assert decided["compute/mfu-beyond-newer-gpus"]["status"] == "proven"
        assert [rule for rule, each in decided.items() if each["changed"]] == ["compute/mfu-beyond-newer-gpus"]
        assert decided["compute/mfu-beyond-newer-gpus"]["changed"] == "limit changed"
    assert not [each["rule"] for each in made["practice/mfu-plausible"]["rules"] if each["status"] == "violated"]


def test_accepting_a_fault_proves_nothing() -> None:
    made = reports.data("examples/two-pods")["designs"][0]["principles"]
    accepted = [one for one in made if "waived" in {each["status"] for each in one["rules"]}]
    assert len(accepted) > 3
    for one in made:
        said = {each["status"] for each in one["rules"]}
        if one["status"] == "partly proven":
            assert said & {"proven", "partly proven"}, one
        if said - {"not applicable"} == {"waived", "unknown"}:
            assert one["status"] == "unknown", one


@pytest.mark.parametrize(
    ("seen", "come_to"),
    [
        ({Status.PROVEN, Status.ATTESTED}, Status.ATTESTED),
        ({Status.PROVEN, Status.WAIVED, Status.ATTESTED}, Status.WAIVED),
        ({Status.WAIVED, Status.UNKNOWN}, Status.UNKNOWN),
        ({Status.PROVEN, Status.UNKNOWN}, Status.PARTLY),
        ({Status.PARTLY, Status.WAIVED}, Status.PARTLY),
        ({Status.PROVEN, Status.NOT_APPLICABLE, Status.TAILORED}, Status.PROVEN),
        ({Status.TAILORED}, Status.NOT_APPLICABLE),
    ],
)
def test_several_are_never_better_than_the_worst(seen: set[Status], come_to: Status) -> None:
    assert together(seen) is come_to
