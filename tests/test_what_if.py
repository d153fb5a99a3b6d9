"""What would follow from other values is what a design that states them gives."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.exploring import columns, once, settings, sweep, written
from designlint.exploring.points import Explorer
from designlint.findings.model import Severity, Verdict
from designlint.fixes.repairs import reread
from designlint.judging.judge import judge_design
from designlint.linting import pipeline
from designlint.reading import read_bytes
from designlint.reading.errors import UsageError
from tests.running import ROOT, designlint

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from designlint.design.design import Design
    from designlint.findings.model import Finding

HAWK = ROOT / "examples/hawk-4096/design.yaml"
#: Per example, words that are set, each with values on both sides of what the design states.
TRIED: dict[str, dict[str, tuple[str, ...]]] = {
    "hawk-4096": {
        "nodes/train/count": ("1", "300", "512", "1024"),
        "workloads/pretrain/targets/mfu": ("0.3", "45 %"),
        "facility/utility_power": ("3 MW", "12 MW"),
        "workloads/pretrain/parallelism/tensor": ("4", "8"),
        "nodes/train/model": ("dgx-a100", "dgx-b200"),
    },
    "hawk-4096-revised": {"nodes/train/count": ("500", "640"), "workloads/pretrain/parallelism/tensor": ("16",)},
    "superpod-4su": {"nodes/train/count": ("100", "128"), "workloads/fine-tune/targets/mfu": ("20 %", "70 %")},
    "ten-lines": {"nodes/train/count": ("2", "64"), "global_batch": ("64", "96")},
    "gb200-nvl72": {"facility/utility_power": ("1 MW", "90 MW")},
}


def design(text: str) -> Design:
    return read_design(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine())


def hawk() -> Design:
    return design(HAWK.read_text("utf-8"))


def said(findings: Iterable[Finding]) -> set[tuple[Any, ...]]:
    return {(one.rule, one.subject, one.severity, one.message) for one in findings}


def numbers(of: Design) -> dict[tuple[str, str], str]:
    return {
        (one.path, word): str(fact)
        for one in of.graph.subjects.values()
        for word, fact in one.facts.items()
        if isinstance(fact, int | float | str)
    }


def cases() -> list[tuple[str, str]]:
    return [(name, path) for name, paths in TRIED.items() for path in paths]


@pytest.mark.parametrize(("name", "path"), cases())
def test_a_point_is_a_fresh_run_of_a_written_design(name: str, path: str) -> None:
    of = pipeline.load(str(ROOT / "examples" / name / "design.yaml"))
    explorer = Explorer(of, [settings.place_of(of, path)])
    before = said(explorer.judged.findings)
    for value in TRIED[name][path]:
        text = explorer.text([value])
        fresh = pipeline.lint(reread(of.document, text), engine.shipped_engine(), repair=False)
        with explorer.at([value]) as state:
            assert said(state.findings) == said(fresh.findings)
            facts = numbers(state.design)
        assert facts == numbers(fresh.design)
    with explorer.at([TRIED[name][path][0]]):
        pass
    assert said(explorer.judged.findings) == before, "not put back"


def test_only_what_changes_nodes_is_read_again() -> None:
    of = hawk()
    assert Explorer(of, [settings.place_of(of, "nodes/train/count")]).reason == ""
    assert "more than facts" in Explorer(of, [settings.place_of(of, "nodes/train/model")]).reason


def test_a_grid_runs_over_both_words_and_counts_findings() -> None:
    of = hawk()
    shown = columns.columns(of, ["error", "warning", "findings", "train/pool_gpus", "compute/deadline-missed"])
    table = sweep.sweep_table(
        of,
        [settings.sweep(of, "nodes/train/count=512..640/128"), settings.sweep(of, "targets/deadline=90 days,200 days")],
        shown,
    )
    assert [one.values for one in table.points] == [
        ("512", "90 days"), ("512", "200 days"), ("640", "90 days"), ("640", "200 days"),
    ]  # fmt: skip
    assert [one.cells[3] for one in table.points] == [4096, 4096, 5120, 5120]
    assert [one.cells[4] for one in table.points] == ["fail", "pass", "fail", "pass"]
    fresh = pipeline.lint(read_bytes(HAWK.read_bytes(), "design.yaml"), engine.shipped_engine(), repair=False)
    errors = sum(one.severity is Severity.ERROR for one in fresh.findings)
    assert table.present.cells[:3] == (
        errors,
        sum(one.severity is Severity.WARNING for one in fresh.findings),
        len(fresh.findings),
    )
    assert table.points[0].cells == table.present.cells


def test_what_a_table_leaves_out_changes_nothing_that_it_shows() -> None:
    """Only what the columns and their rules read follows again, and findings are counted without their words."""
    of = hawk()
    shown = columns.columns(of, ["days", "power", "pretrain/step_time", "error"])
    table = sweep.sweep_table(of, [settings.sweep(of, "nodes/train/count=1,300,511,1024")], shown)
    place = table.sweeps[0].place
    whole = Explorer(of, [place])
    narrow = Explorer(of, [place], columns.rules(of, shown), columns.words(shown))
    for point in table.points:
        fresh = design(whole.text(point.values))
        found = pipeline.lint(fresh.document, engine.shipped_engine(), repair=False).findings
        facts = [fresh.graph.subjects[one.path].facts.get(one.word) for one in shown if one.path is not None]
        assert point.cells == (*facts, sum(one.severity is Severity.ERROR for one in found))
        with narrow.at(point.values) as less:
            judged_again = 0 if less.changed is None else len(less.changed.verdicts)
        with whole.at(point.values) as more:
            assert more.changed is not None
            assert 0 < judged_again < len(more.changed.verdicts)
            assert more.severities.total() == len(more.findings) == len(found)


def test_a_short_name_stands_for_what_the_swept_word_changes_and_the_table_says_so() -> None:
    targets = designlint("what-if", str(HAWK), "--sweep", "pretrain/targets/mfu=0.3,0.4", "--show", "days").out
    layouts = designlint("what-if", str(HAWK), "--sweep", "pretrain/parallelism/micro_batch=1,2", "--show", "days").out
    neither = designlint("what-if", str(HAWK), "--sweep", "facility/utility_power=5 MW,9 MW", "--show", "days,cost").out
    assert "days: workloads/pretrain/training_time. Time to train" in targets
    assert "days: workloads/pretrain/predicted_training_time. Predicted time to train" in layouts
    assert "days: workloads/pretrain/predicted_training_time. " in neither
    assert "cost: the design does not say enough to know it; give a price list with --prices" in neither
    cells = [line.split()[1] for line in targets.splitlines()[1:3]]
    assert float(cells[0]) == pytest.approx(float(cells[1]) * 0.4 / 0.3, rel=1e-3)


def test_a_short_name_beside_two_sweeps_stands_for_what_either_really_changes() -> None:
    sweeps = ("--sweep", "nodes/train/count=500,512", "--sweep", "pretrain/targets/mfu=0.3,0.4")
    out = designlint("what-if", str(HAWK), *sweeps, "--show", "days").out
    assert "days: workloads/pretrain/training_time. Time to train" in out


def test_units_of_columns_are_kept_apart_from_their_numbers() -> None:
    of = hawk()
    shown = columns.columns(of, ["deadline:days", "days", "power:kW"])
    table = sweep.sweep_table(of, [settings.sweep(of, "targets/deadline=30 days..90 days/30 days")], shown)
    head, *rows = written.comma_separated(table).splitlines()
    assert head == "workloads/pretrain/targets/deadline,deadline [days],days [days],power [kW]"
    assert [row.split(",")[1] for row in rows] == ["30.0", "60.0", "90.0"]
    assert [one["cells"][0] for one in json.loads(written.data(table))["points"]] == [2592000.0, 5184000.0, 7776000.0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nodes/train/cuont=3", "did you mean `nodes/train/count`?"),
        ("facility/pue=1.2", "did you mean `facility/cooling/pue"),
        ("nodes/train/count=lots", "expected a value such as"),
        ("nodes/train/pool_gpus=3", "follows from other values"),
        ("nodes/train/model=dgx-h10", "did you mean `dgx-h100`?"),
        ("nodes/train/count", "PATH=VALUE"),
        ("name=other", "a name is not a value to try"),
        ("speed=1 Gbit/s", "write the whole path"),
    ],
)
def test_what_cannot_be_set_is_refused_with_a_way_out(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told.replace("?", r"\?")):
        settings.setting(hawk(), text)


@pytest.mark.parametrize("text", ["5..1", "1..2 MW/1 kW", "1..", "a..b", "1..10/0", "1..1e9"])
def test_ranges_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        list(settings.spread(text))


def test_ranges_are_exact_and_keep_their_unit() -> None:
    assert list(settings.spread("0.1..0.4/0.1")) == ["0.1", "0.2", "0.3", "0.4"]
    assert list(settings.spread("30..90 days/30")) == ["30 days", "60 days", "90 days"]


def test_one_change_shows_what_comes_and_goes_with_fixes(tmp_path: Path) -> None:
    of = hawk()
    change = once.change_design(of, [settings.setting(of, "facility/utility_power=12 MW")])
    assert [one.how for one in change.changes.turns] == ["fixed"]
    told = json.loads(once.data(change))
    assert told["statements"] == [{"subject": "facility", "word": "utility_power", "before": "6 MW", "after": "12 MW"}]
    assert any(
        one["changes"] == [{"path": "workloads/pretrain/parallelism/tensor", "value": "8"}] for one in told["fixes"]
    )
    file = tmp_path / "changed.yaml"
    done = designlint("what-if", str(HAWK), "--set", "facility/utility_power=12 MW", "-o", str(file))
    assert done.code == 0
    assert file.read_text("utf-8") == HAWK.read_text("utf-8").replace("utility_power: 6 MW", "utility_power: 12 MW")


def test_a_short_name_of_which_nothing_is_known_says_so() -> None:
    of = hawk()
    table = sweep.sweep_table(of, [settings.sweep(of, "nodes/train/count=512,513")], columns.columns(of, ["cost"]))
    assert [one.cells for one in table.points] == [(None,), (None,)]
    assert "unknown" in written.text(table)


def test_unknown_judgements_are_counted_as_they_are() -> None:
    of = hawk()
    table = sweep.sweep_table(of, [settings.sweep(of, "nodes/train/count=300,512")], columns.columns(of, ["unknown"]))
    for point in table.points:
        text = Explorer(of, [table.sweeps[0].place]).text(point.values)
        verdicts = judge_design(design(text)).verdicts.values()
        assert point.cells == (sum(one is Verdict.UNKNOWN for one in verdicts),)


def test_figures_hold_a_curve_for_each_column_and_a_cell_for_each_point() -> None:
    one = designlint(
        "what-if", str(HAWK), "--sweep", "nodes/train/count=256..512/64", "--show", "power,error", "--format", "svg"
    )
    assert one.out.startswith("<svg")
    assert one.out.count("dl-s-c1") >= 2
    sweeps = ("--sweep", "nodes/train/count=256..512/64", "--sweep", "mfu=0.3,0.4")
    grid = designlint("what-if", str(HAWK), *sweeps, "--show", "power", "--format", "svg")
    assert grid.out.count("dl-panel") >= 10


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "needs --set, --sweep or --find"),
        (["--sweep", "nodes/train/count=1..4", "--show", "powr"], "did you mean `power`?"),
        (
            ["--sweep", "nodes/train/count=1..4", "--show", "goodput"],
            "does not say enough to know `goodput`; `designlint why",
        ),
        (
            ["--sweep", "nodes/train/count=1..4", "--show", "pretrain/goodput"],
            "workloads/pretrain/goodput` shows what is",
        ),
        (["--sweep", "nodes/train/count=1..1e9", "--show", "days"], "state a larger step: A..B/STEP"),
        (["--sweep", "nodes/train/count=1..4", "--set", "nodes/train/count=3"], "set or swept twice"),
        (["--find", "best nodes/train/count"], "write it like"),
        (["--find", "least facility/utility_power with no error"], "state a range"),
        (["--set", "nodes/train/count=3", "--format", "csv"], "shows sweeps"),
    ],
)
def test_wrong_questions_are_refused(arguments: list[str], told: str) -> None:
    done = designlint("what-if", str(HAWK), *arguments)
    assert done.code == 2
    assert told in done.err
