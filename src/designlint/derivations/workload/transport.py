"""How long RDMA waits for a link that is down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower

if TYPE_CHECKING:
    from designlint.language.units import Count, Duration


@derivation(of="Environment", sources=("nccl-docs",), kind=lower)
def link_patience(nccl_ib_timeout: Count, nccl_ib_retry_cnt: Count) -> Duration:
    """
    Time for which a transfer waits for a link to come back. [s]

    Assumes the timeout of the InfiniBand specification, 4.096 us times two to the power of the exponent, once for
    each retry; adapters may wait up to four times as long.
    """
    return 4.096e-6 * 2.0**nccl_ib_timeout * nccl_ib_retry_cnt
