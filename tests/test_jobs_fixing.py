"""Fixes of job files: made where a value stands plainly, proven on the file as it would be, shown where a person has to."""

from __future__ import annotations

from pathlib import Path

import pytest

from designlint.configuration import engine
from designlint.fixes import foreign
from designlint.linting.jobs import JobCluster, check_job_file
from designlint.reading.discovery import open_document
from tests.running import designlint as run
from tests.test_jobs import CLUSTER, MANIFEST, SBATCH

FIXING = ("--fix", "--unsafe-fixes")


def fixed(folder: Path, name: str, text: str, *more: str) -> str:
    """The text of a job file after all its fixes are made."""
    (folder / "cluster.yaml").write_text(CLUSTER)
    with (folder / name).open("w", newline="") as stream:
        stream.write(text)
    run("check", name, "--design", "cluster.yaml", *FIXING, *more, cwd=folder)
    with (folder / name).open(newline="") as stream:
        return stream.read()


def test_a_flag_and_a_line_of_the_header_are_changed_and_nothing_else(tmp_path: Path) -> None:
    text = SBATCH.replace("24:00:00", "72:00:00")
    wanted = text.replace("72:00:00", "48:00:00").replace("parallel-size 16", "parallel-size 8")
    assert fixed(tmp_path, "llama.sbatch", text) == wanted
    assert run("check", "llama.sbatch", "--design", "cluster.yaml", cwd=tmp_path).code == 0


def test_line_ends_and_spelling_stay(tmp_path: Path) -> None:
    text = SBATCH.replace("--time=24:00:00", "-t 4320  # three days").replace("\n", "\r\n")
    assert fixed(tmp_path, "llama.sbatch", text) == text.replace("4320", "48:00:00").replace("size 16", "size 8")


def test_a_key_of_a_manifest_is_changed_in_place(tmp_path: Path) -> None:
    text = MANIFEST.replace(
        "spec:\n", "spec:\n  runPolicy: {schedulingPolicy: {minAvailable: 1}}  # gang\n", 1
    ).replace("64", "4")
    assert fixed(tmp_path, "job.yaml", text) == text.replace("minAvailable: 1", "minAvailable: 4")


def test_a_misspelt_key_is_spelt_as_its_tool_does(tmp_path: Path) -> None:
    text = '{"zero_optimization": {"stage": 3, "stage3_param_persitence_threshold": 10000}}\n'
    assert fixed(tmp_path, "ds.json", text) == text.replace("persitence", "persistence")


def test_a_value_that_follows_from_others_is_left_to_a_person(tmp_path: Path) -> None:
    text = SBATCH.replace("parallel-size 16", "parallel-size $((GPUS * 2))", 1).replace("srun", "GPUS=8\nsrun", 1)
    assert fixed(tmp_path, "llama.sbatch", text) == text
    done = run("check", "llama.sbatch", "--design", "cluster.yaml", cwd=tmp_path)
    assert "Make it by hand: `tensor` follows from other words of the file." in done.out
    assert "the file leaves `sequence_parallel` to a default" in done.out


def test_a_value_of_another_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "common.sh").write_text("TP=16\n")
    text = SBATCH.replace("parallel-size 16", "parallel-size $TP", 1).replace("srun", "source common.sh\nsrun", 1)
    assert fixed(tmp_path, "llama.sbatch", text) == text
    assert (tmp_path / "common.sh").read_text() == "TP=16\n"


def test_a_variable_is_changed_where_it_is_set(tmp_path: Path) -> None:
    text = SBATCH.replace("parallel-size 16", "parallel-size ${TP}", 1).replace("srun", "TP=${TP:-16}\nsrun", 1)
    assert fixed(tmp_path, "llama.sbatch", text) == text.replace(":-16", ":-8")


def test_diff_shows_and_writes_nothing(tmp_path: Path) -> None:
    assert fixed(tmp_path, "llama.sbatch", SBATCH, "--diff") == SBATCH
    done = run("check", "llama.sbatch", "--design", "cluster.yaml", *FIXING, "--diff", cwd=tmp_path)
    assert "-    --tensor-model-parallel-size 16" in done.out
    assert "+    --tensor-model-parallel-size 8" in done.out


def test_safe_fixes_alone_change_no_meaning(tmp_path: Path) -> None:
    (tmp_path / "cluster.yaml").write_text(CLUSTER)
    (tmp_path / "llama.sbatch").write_text(SBATCH)
    run("check", "llama.sbatch", "--design", "cluster.yaml", "--fix", cwd=tmp_path)
    assert (tmp_path / "llama.sbatch").read_text() == SBATCH


def test_a_change_of_facts_is_weighed_in_place_as_on_a_graph_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cluster.yaml").write_text(CLUSTER)
    texts = {
        "both.sbatch": SBATCH.replace("24:00:00", "72:00:00"),
        "gang.yaml": MANIFEST.replace("64", "4").replace(
            "spec:\n", "spec:\n  runPolicy: {schedulingPolicy: {minAvailable: 1}}\n", 1
        ),
        "worse.sbatch": SBATCH.replace("--nodes=2", "--nodes=8").replace("nnodes 2", "nnodes 8"),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)

    def fixes() -> list[tuple[str, object]]:
        bench = JobCluster(open_document("cluster.yaml"), engine.shipped_engine())
        return [
            (one.rule, fix)
            for name in texts
            for one in check_job_file(Path(name), bench, {}).findings
            for fix in one.fixes
        ]

    in_place = fixes()
    tried: list[object] = []
    monkeypatch.setattr(foreign, "statements", lambda old, new: tried.append(new))
    assert fixes() == in_place
    assert len(tried) > 3


@pytest.mark.parametrize(
    ("raw", "known", "value", "wanted"),
    [
        ("16", "16", "8", "8"),
        ("72:00:00", "72 h", "2 days", "48:00:00"),
        ("7-00:00:00", "168 h", "5 days", "5-00:00:00"),
        ("1200", "1200 min", "10 h", "600"),
        ("3600", "3600 s", "30 min", "1800"),
        ("$LIMIT", "72 h", "2 days", None),
        ("1200", "1200 min", "90 s", None),
    ],
)
def test_a_value_is_spelt_as_its_file_does(raw: str, known: str, value: str, wanted: str | None) -> None:
    assert foreign.respell_value(raw, known, value, engine.shipped_engine().vocabulary.units) == wanted
