"""The patience of RDMA against the table of timeouts in the InfiniBand specification."""

from __future__ import annotations

import pytest

from designlint.derivations.workload import transport


@pytest.mark.parametrize(("exponent", "retries", "seconds"), [(14, 7, 0.4698), (18, 1, 1.0737), (22, 7, 120.26)])
def test_link_patience(exponent: int, retries: int, seconds: float) -> None:
    assert transport.link_patience(exponent, retries) == pytest.approx(seconds, rel=1e-3)
