"""Figures of designs that nobody meant: hostile names, any numbers, a very large cluster."""

from __future__ import annotations

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from designlint.figures.shared.figure import Figure
from tests.running import ROOT
from tests.test_figures import HAWK, drawn, sound, words

HOSTILE = "</title></svg><script>alert(1)</script> \" ' & \u05d0\u05d1\u05d2 \u202e \x07 " + "x" * 10_000


MANY = """\
designlint: 1
nodes: [{name: train, model: dgx-h100, count: 16384, networks: [{fabric: compute, ports: 8, speed: 400 Gbit/s}]}]
fabrics:
  - name: compute
    purpose: compute
    speed: 400 Gbit/s
    topology: {kind: fat-tree, tiers: 3, leaves: 2048, spines: 2048, cores: 1024, host_ports_per_leaf: 64, uplinks_per_leaf: 64}
workloads: [{name: pretrain, runs_on: {nodes: train}, parallelism: {tensor: 8, pipeline: 16}}]
"""


def test_a_large_cluster_is_drawn_with_a_few_that_stand_for_all() -> None:
    found = [one for one in drawn(MANY) if isinstance(one, Figure)]
    assert {"fabric-compute", "placement-pretrain"} <= {one.name for one in found}
    for one in found:
        sound(one)
        assert len(one.svg) < 40_000
    assert "2048 leaves" in " ".join(words(next(one for one in found if one.name == "fabric-compute")))


def hostile(name: str) -> str:
    """A design whose every name is the same hostile text."""
    quoted = '"' + "".join(f"\\u{ord(one):04x}" if not one.isalnum() else one for one in name) + '"'
    text = (ROOT / HAWK).read_text()
    for word in ("compute", "storage", "train", "pretrain"):
        text = re.sub(rf"(name|fabric|nodes): {word}(?=[,}}\n])", lambda found: f"{found[1]}: {quoted}", text)
    return text


def test_hostile_names_are_shown_as_short_text() -> None:
    found = [one for one in drawn(hostile(HOSTILE)) if isinstance(one, Figure)]
    assert len(found) > 5
    for one in found:
        sound(one)
        assert "<script" not in one.svg
        assert len(one.svg) < 60_000
        assert len(one.alternative) < 6000
        assert not set("\u202e\x07") & set(one.svg)
        assert re.fullmatch(r"[a-z0-9-]{1,80}", one.name)


NUMBERS = st.sampled_from([0, 1, 2, 3, 7, 8, 12, 64, 1000, 10**6, 10**12, 2**62])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(NUMBERS, min_size=16, max_size=16),
    st.sampled_from(["fat-tree", "rail-only", "single-switch", "dragonfly", "dragonfly-plus", "torus"]),
)
@example([8, 8, 64, 1, 8, 2, 1, 8, 8, 8, 10**12, 10**12, 1, 1, 1, 1], "fat-tree")
@example([1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0], "fat-tree")
def test_any_numbers_give_figures_or_reasons(numbers: list[int], kind: str) -> None:
    n, m = iter(numbers), iter(numbers[::-1])
    text = f"""\
designlint: 1
nodes:
  - name: a
    gpu: h100-sxm-80gb
    gpus: {next(n)}
    count: {next(n)}
    scale_up_domain: {next(n)}
    power: 10 kW
    failure_rate: {next(n)} per day
    networks: [{{fabric: f, ports: {next(n)}}}]
fabrics:
  - name: f
    speed: 400 Gbit/s
    topology:
      kind: {kind}
      tiers: {next(n)}
      planes: {next(n)}
      rail_optimized: true
      groups: {next(m)}
      dimensions: [{next(m)}, {next(m)}, {next(m)}]
      global_links: {next(m)}
      leaves: {next(n)}
      spines: {next(n)}
      uplinks_per_leaf: {next(n)}
workloads:
  - name: w
    runs_on: {{gpus: {next(n)}}}
    parallelism: {{tensor: {next(n)}, pipeline: {next(n)}, context: {next(n)}}}
    checkpoint: {{interval: {next(n)} s, stall: {next(n)} s}}
    recovery: {{detect: 1 s, restart: 1 s}}
facility: {{utility_power: 1 MW, cooling: {{pue: 1.2}}}}
"""
    for one in drawn(text):
        if isinstance(one, Figure):
            sound(one)
        else:
            assert one.reason
