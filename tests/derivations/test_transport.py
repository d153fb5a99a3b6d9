"""The patience of RDMA against the table of timeouts in the InfiniBand specification."""

from __future__ import annotations

import pytest

from designlint.derivations.workload import transport


@pytest.mark.parametrize(("exponent", "retries", "seconds"), [(14, 7, 0.4698), (18, 1, 1.0737), (22, 7, 120.26)])
def test_link_patience(exponent: int, retries: int, seconds: float) -> None:
    assert transport.link_patience(exponent, retries) == pytest.approx(seconds, rel=1e-3)


@pytest.mark.parametrize(("exponent", "retries"), [(300, 7), (0, 7), (22, 20)])
def test_the_wait_is_unknown_where_a_value_does_not_fit_into_its_field_or_means_no_limit(
    exponent: int, retries: int
) -> None:
    assert transport.link_patience(exponent, retries) is None
    at_most = transport.link_patience_at_most_retries(exponent)
    assert (at_most is None) == (exponent != 22)
