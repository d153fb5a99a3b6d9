"""How long RDMA waits for a link that is down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower

if TYPE_CHECKING:
    from designlint.language.units import Count, Duration


#: Seconds of the InfiniBand timeout of exponent 0, the largest exponent, a five-bit field, and the maximum number of
#: retries, a three-bit field.
TIMEOUT, MOST_TIMEOUT, MOST_RETRIES = 4.096e-6, 31, 7


@derivation(of="Environment", sources=("nccl-docs",), kind=lower)
def link_patience(nccl_ib_timeout: Count, nccl_ib_retry_cnt: Count) -> Duration | None:
    """
    Time for which a transfer waits for a link to come back. [s]

    Assumes the timeout of the InfiniBand specification, 4.096 us times two to the power of the exponent, once for
    each retry; adapters may wait up to four times as long. Unknown where a value does not fit into its field: what the
    adapter makes of it depends on its driver. An exponent of 0 means no limit.
    """
    if not 0 < nccl_ib_timeout <= MOST_TIMEOUT or nccl_ib_retry_cnt > MOST_RETRIES:
        return None
    return TIMEOUT * 2.0**nccl_ib_timeout * nccl_ib_retry_cnt


@derivation(of="Environment", sources=("nccl-docs",))
def link_patience_at_most_retries(nccl_ib_timeout: Count) -> Duration | None:
    """
    Time that a transfer waits for a failed link to return, with the maximum number of retries. [s]

    Same assumptions as `link_patience`.
    """
    if not 0 < nccl_ib_timeout <= MOST_TIMEOUT:
        return None
    return TIMEOUT * 2.0**nccl_ib_timeout * MOST_RETRIES
