"""Sums over pools and jobs, worked by hand."""

from __future__ import annotations

from tests.derivations.stated import stated


def test_pools_add_up() -> None:
    assert stated("Design.cluster_gpus")((4096, 72, 0)) == 4168
    assert stated("Design.cluster_servers")((512, 18, 4)) == 534


def test_longest_run() -> None:
    assert stated("Observability.longest_run")((30.0, 90.0, 7.0)) == 90.0
