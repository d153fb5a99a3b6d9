"""Energy of runs, against Patterson 2021 and the appendix of LLaMA."""

from __future__ import annotations

import pytest

from designlint.derivations.facility import energy

DAY, HOUR, MWH = 86400.0, 3600.0, 3.6e9


def test_gpt_3() -> None:
    """10,000 V100 for 14.8 days at 330 W each with their hosts, PUE 1.10: printed as 1,287 MWh."""
    servers = energy.server_energy(1250, 8 * 330.0, 14.8 * DAY)
    assert servers == pytest.approx(1172 * MWH, rel=1e-3)
    assert energy.run_energy(servers, (1.10,)) == pytest.approx(1287 * MWH, rel=2e-3)


def test_llama_65b_boards() -> None:
    """1,022,362 GPU hours at 400 W, PUE 1.1: printed as 449 MWh."""
    servers = energy.server_energy(256, 8 * 400.0, 1022362 / 2048 * HOUR)
    assert energy.run_energy(servers, (1.1,)) == pytest.approx(449 * MWH, rel=2e-3)
