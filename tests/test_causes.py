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


def shown(tmp_path: Path, text: str) -> dict[str, str]:
    """The rules of findings, with the rule that each is shown below."""
    (tmp_path / "design.yaml").write_text(text, "utf-8")
    data = designlint("check", "design.yaml", "--format", "json", cwd=tmp_path).data
    return {one["rule"]: one.get("caused_by", {}).get("rule", "") for one in data["findings"]}


def test_a_value_that_several_rules_compare_is_one_finding(tmp_path: Path) -> None:
    hot = "facility: {cooling: {method: air, inlet_temperature: 36 degC}}\n"
    found = shown(
        tmp_path,
        f"designlint: 1\nnodes: [{{name: train, gpus: 8, cooling: air, inlet_temperature_limit: 30 degC}}]\n{hot}",
    )
    assert found["cooling/inlet-above-server-limit"] == ""
    assert found["cooling/inlet-outside-recommended"] == "cooling/inlet-above-server-limit"


def test_a_number_never_seen_stands_below_the_error_that_it_makes(tmp_path: Path) -> None:
    slow = "storage: [{name: scratch, kind: lustre, read: 500 GB/s, write: 0.25 GB/s}]\n"
    found = shown(
        tmp_path, f"designlint: 1\n{slow}workloads: [{{name: pretrain, data: {{ingest: 20 GB/s, storage: scratch}}}}]\n"
    )
    assert found["storage/ingest-beyond-tier"] == ""
    assert found["numbers/never-seen"] == found["numbers/out-of-proportion"] == "storage/ingest-beyond-tier"
    found = shown(tmp_path, f"designlint: 1\n{slow}")
    assert (found["numbers/never-seen"], "numbers/out-of-proportion" in found) == ("", True)


def test_rules_on_a_word_or_on_what_is_missing_stand_by_themselves(tmp_path: Path) -> None:
    ups = "nodes: [{name: train, gpus: 8, count: 4}]\nfacility: {ups: {redundancy: N, protects: [compute]}}\n"
    found = shown(tmp_path, f"designlint: 1\n{ups}")
    assert {
        found["power/network-not-on-ups"],
        found["power/storage-not-on-ups"],
        found["power/ups-without-redundancy"],
    } == {""}


ORDERS = """\
designlint: 1
procurement:
  network_ready: 2026-12-20
  gpus_ready: 2027-02-01
  orders:
    - {item: qm9700, category: network, needed: 2027-01-15}
    - {item: sn2201, category: network, needed: 2027-01-16}
    - {item: dgx-h100, category: server, needed: 2027-02-15}
"""


def test_many_orders_after_one_milestone_are_one_finding(tmp_path: Path) -> None:
    late = "procurement/needed-after-milestone"
    heads = {}
    for text in (ORDERS, ORDERS + "    - {item: fibre, category: cable, needed: 2027-01-17}\n"):
        (tmp_path / "design.yaml").write_text(text, "utf-8")
        data = designlint("check", "design.yaml", "--format", "json", cwd=tmp_path).data
        found = [one for one in data["findings"] if one["rule"] == late]
        heads[len(found)] = [one["subject"] for one in found if "caused_by" not in one]
    servers = "procurement/orders/2"
    assert heads[3] == ["procurement/orders/0", "procurement/orders/1", servers]
    assert heads[4] == ["procurement/orders/0", servers]
