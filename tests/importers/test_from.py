"""`from` in a design: laid under what it states, findings at the foreign line, defaults left to whoever knows them."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import designlint
from tests.running import designlint as run

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.design.design import Design

SLURM = (
    "NodeName=gpu[001-004] Gres=gpu:h100:8 RealMemory=2000000\n"
    "NodeName=login1 RealMemory=1000\n"
    "PartitionName=train Nodes=gpu[001-004]\n"
)
MODEL = '{"model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 30}\n'


def design(folder: Path, text: str, **files: str) -> Design:
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_text(content)
    (folder / "design.yaml").write_text("designlint: 1\n" + text)
    return designlint.load(folder / "design.yaml")


def test_an_item_without_a_name_brings_all_and_a_named_one_its_own(tmp_path: Path) -> None:
    graph = design(tmp_path, "nodes:\n  - from: slurm.conf\n  - {name: gpu, gpus: 4}\n", slurm_conf=SLURM).graph
    assert graph.subjects["nodes/gpu"].facts["gpus"] == 4
    assert graph.subjects["nodes/gpu"].facts["count"] == 4
    assert graph.subjects["nodes/login"].facts["count"] == 1
    one = design(tmp_path, "nodes:\n  - {name: login, from: slurm.conf, spares: 1}\n").graph
    assert list(one.subjects["nodes/login"].facts)[:2] == ["name", "count"]
    assert "nodes/gpu" not in one.subjects


def test_a_part_deep_in_a_design_comes_from_its_own_place_in_the_file(tmp_path: Path) -> None:
    graph = design(
        tmp_path, "workloads:\n  - name: pretrain\n    model: {from: config.json, sequence: 4096}\n", config_json=MODEL
    ).graph
    facts = graph.subjects["workloads/pretrain/model"].facts
    assert (facts["layers"], facts["sequence"]) == (32, 4096)


def test_findings_point_into_the_foreign_file(tmp_path: Path) -> None:
    text = "workloads:\n  - name: pretrain\n    model: {from: config.json}\n    parallelism: {tensor: 7}\n"
    design(tmp_path, text, config_json=MODEL)
    found = run("check", "design.yaml", "--format", "json", cwd=tmp_path).data["findings"]
    places = {(one["rule"], one["location"]["file"]) for one in found}
    values = [
        value
        for one in found
        for value in one["values"].values()
        if (value.get("location") or {}).get("file") == "config.json"
    ]
    assert any(file == "config.json" for _, file in places) or values


def test_the_defaults_of_the_language_do_not_speak_for_a_foreign_file(tmp_path: Path) -> None:
    topology = "SwitchName=s0 Nodes=n[1-2]\nSwitchName=s1 Nodes=n[3-4]\nSwitchName=s2 Switches=s[0-1]\n"
    graph = design(
        tmp_path, "fabrics:\n  - {name: compute, topology: {from: topology.conf}}\n", topology_conf=topology
    ).graph
    link = graph.subjects["fabrics/compute/topology/links/0"]
    assert "cables" not in link.facts, "an adjacency is not one cable"
    assert "planes" not in graph.subjects["fabrics/compute/topology"].facts


def test_why_says_how_a_value_came_to_be(tmp_path: Path) -> None:
    design(tmp_path, "nodes:\n  - from: slurm.conf\n", slurm_conf=SLURM)
    done = run("why", "design.yaml", "nodes/gpu/pool_gpus", cwd=tmp_path)
    assert "slurm.conf:1" in done.out
    assert "derived: counted from the list of hosts" in done.out


def test_a_fix_is_laid_over_and_never_written_into_a_foreign_file(tmp_path: Path) -> None:
    files = {"slurm.conf": SLURM}
    design(tmp_path, "nodes:\n  - from: slurm.conf\nacceptance: {burn_in: 48 hours}\n", slurm_conf=SLURM)
    run("check", "design.yaml", "--fix", "--unsafe-fixes", cwd=tmp_path)
    assert {name: (tmp_path / name).read_text() for name in files} == files


def test_a_kept_report_ends_when_the_foreign_file_changes(tmp_path: Path) -> None:
    design(tmp_path, "nodes:\n  - from: slurm.conf\n", slurm_conf=SLURM)
    before = run("check", "design.yaml", cwd=tmp_path).out
    assert run("check", "design.yaml", cwd=tmp_path).out == before
    (tmp_path / "slurm.conf").write_text(SLURM + "FavouriteColour=blue\n")
    assert "not-understood" in run("check", "design.yaml", cwd=tmp_path).out


def test_links_keep_their_own_word_from(tmp_path: Path) -> None:
    text = "fabrics:\n  - name: c\n    topology:\n      switches: [{name: a}, {name: b}]\n      links: [{from: a, to: b}]\n"
    assert design(tmp_path, text).problems == []


def test_a_check_without_imports_loads_no_importer(tmp_path: Path) -> None:
    (tmp_path / "design.yaml").write_text("designlint: 1\nname: hawk\n")
    code = (
        "import sys, designlint; designlint.load('design.yaml'); "
        "print([one for one in sys.modules if 'importers' in one or 'tree_sitter' in one or one.endswith('design.foreign')])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_a_word_holds_is_not_listed_as_held_by_none(tmp_path: Path) -> None:
    (tmp_path / "slurm.conf").write_text("GresTypes=gpu\nNodeName=n[1-4] Gres=gpu:h100:8 Weight=7\n")
    done = run("import", "slurm.conf", cwd=tmp_path)
    assert "gpu: h100-sxm-80gb  # slurm.conf:2" in done.out
    assert "no word of a design holds it" not in done.out
