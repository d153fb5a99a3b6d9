"""Cables between tiers, against the tables of NVIDIA's DGX SuperPOD reference architectures."""

from __future__ import annotations

import pytest

from designlint.derivations import cables


@pytest.mark.parametrize(
    ("leaves", "uplinks", "leaf_spine"),
    [
        # RA-11333-001, table 4: 1 and 3 scalable units; table 3: 16
        (8, 32, 256),
        (24, 32, 768),
        (128, 32, 4096),
        # DGX A100, 140 servers: 56 leaves of 20 uplinks
        (56, 20, 1120),
    ],
)
def test_every_uplink_is_a_cable(leaves: int, uplinks: int, leaf_spine: int) -> None:
    assert cables.leaf_spine_cables(leaves, uplinks) == leaf_spine


def test_cables_to_the_cores() -> None:
    """DGX H100 of 16 scalable units: as many again; Meta's 24K cluster has a seventh of them."""
    assert cables.spine_core_cables(3, 4096, 1.0) == 4096
    assert cables.spine_core_cables(3, 7168, 7.0) == 1024


def test_no_cores_no_cables() -> None:
    assert cables.spine_core_cables(2, 1024, 1.0) is None
    assert cables.spine_core_cables(3, 1024, 7.0) is None
