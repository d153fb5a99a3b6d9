"""Designs laid over others: what joins, what replaces, where findings point, what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import designlint
from tests.running import designlint as run

if TYPE_CHECKING:
    from pathlib import Path

BASE = """\
designlint: 1
name: base
nodes:
  - {name: train, model: dgx-h100, count: 4}
  - {name: debug, model: dgx-h100, count: 1}
fabrics:
  - {name: compute, speed: 400}
"""


def test_maps_join_items_of_a_name_join_and_the_rest_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(BASE)
    (tmp_path / "design.yaml").write_text(
        "designlint: 1\nextends: base.yaml\nname: big\nnodes:\n  - {name: train, count: 64}\n"
    )
    graph = designlint.load(tmp_path / "design.yaml").graph
    assert graph.root.facts["name"] == "big"
    assert graph.subjects["nodes/train"].facts["count"] == 64
    assert graph.subjects["nodes/train"].facts["gpus"] == 8
    assert graph.subjects["nodes/debug"].facts["count"] == 1


def test_a_finding_points_into_the_file_that_states_the_value(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(BASE)
    (tmp_path / "design.yaml").write_text("designlint: 1\nextends: base.yaml\n")
    done = run("check", "design.yaml", cwd=tmp_path)
    assert "base.yaml:7:28" in done.out
    assert "speed: 400}" in done.out


def test_a_circle_ends(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("designlint: 1\nextends: b.yaml\n")
    (tmp_path / "b.yaml").write_text("designlint: 1\nextends: [a.yaml, b.yaml]\n")
    found = run("check", "a.yaml", "--format", "json", cwd=tmp_path).data["findings"]
    assert {one["rule"] for one in found} == {"shape/extends-cycle"}


def test_no_file_outside_the_repository_is_read(tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text("designlint: 1\nname: secret\n")
    inside = tmp_path / "repository" / "designs"
    inside.mkdir(parents=True)
    (inside / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (inside / "design.yaml").write_text(
        f"designlint: 1\nextends: [../../secret.yaml, {tmp_path}/secret.yaml, link.yaml]\n"
    )
    (tmp_path / "repository" / ".git").mkdir()
    done = run("check", "design.yaml", "--format", "json", cwd=inside)
    assert [one["rule"] for one in done.data["findings"]] == ["shape/extends-outside"] * 3
    assert "secret" not in run("graph", "design.yaml", cwd=inside).out.replace("secret.yaml", "")


def test_a_file_elsewhere_in_the_repository_is_read(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "base.yaml").write_text("designlint: 1\nname: base\n")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "design.yaml").write_text("designlint: 1\nextends: ../base.yaml\n")
    assert designlint.load(tmp_path / "site" / "design.yaml").graph.root.facts["name"] == "base"
