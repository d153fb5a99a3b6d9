"""One cause, one finding: what the fix of another finding mends as well is shown below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.running import designlint

if TYPE_CHECKING:
    from pathlib import Path

#: 127 heads divide neither the width, nor by the key and value heads, nor by the tensor-parallel GPUs.
HEADS = """\
designlint: 1
nodes: [{name: train, model: dgx-h100, count: 4}]
workloads:
  - name: pretrain
    model: {layers: 32, hidden: 16384, heads: 127, kv_heads: 8, attention: gqa, feed_forward: 53248, gated: true}
    parallelism: {tensor: 8}
"""


def test_a_consequence_stands_below_its_cause(tmp_path: Path) -> None:
    (tmp_path / "design.yaml").write_text(HEADS, "utf-8")
    data = designlint("check", "design.yaml", "--format", "json", cwd=tmp_path).data
    errors = {one["rule"]: one.get("caused_by") for one in data["findings"] if one["severity"] == "error"}
    causes = [rule for rule, by in errors.items() if by is None]
    assert (len(errors), len(causes)) == (3, 1)
    assert {by["rule"] for by in errors.values() if by} == set(causes)
    (cause,) = (one for one in data["findings"] if one["rule"] == causes[0])
    assert cause["fixes"][0]["resolves"] == 3
    out = designlint("check", "design.yaml", cwd=tmp_path).out
    assert out.count("\nerror[") + out.startswith("error[") == 1
    assert out.count("  = with it: error[") == 2
    assert "3 errors in 1 design" in out
    again = designlint("check", "design.yaml", cwd=tmp_path)  # from the cache
    assert again.out == out


def test_faults_of_their_own_stand_by_themselves(tmp_path: Path) -> None:
    text = HEADS.replace("heads: 127", "heads: 128").replace("tensor: 8", "tensor: 16")
    (tmp_path / "design.yaml").write_text(text + "facility: {pue: 0.9}\n", "utf-8")
    data = designlint("check", "design.yaml", "--format", "json", cwd=tmp_path).data
    errors = [one for one in data["findings"] if one["severity"] == "error"]
    assert len(errors) > 1
    assert not any("caused_by" in one for one in errors)
