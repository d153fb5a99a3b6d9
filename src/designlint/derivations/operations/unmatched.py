"""What is in no order, and what is ordered beyond what the design has."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.derivations.base import derivation, lower
from designlint.derivations.operations.ordered_parts import alike
from designlint.derivations.operations.orders import NamedParts, Orders, count_pieces
from designlint.language.purposes import MANAGEMENT, STORAGE, TRAINING
from designlint.language.sentences import cut

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Count, Ratio


#: Parts that a message lists.
MOST_NAMED = 6


class Pools(Struct, frozen=True):
    """The pools of a design, each with its model, its servers, spares included, and the GPUs of one."""

    pool_models: tuple[Text | None, ...]
    installed_servers: tuple[Count | None, ...]
    server_gpus: tuple[Count | None, ...]

    def count_servers(self) -> Counter[str]:
        """Servers by model; of none where a pool with GPUs may be of any model, without those of which some are not counted."""
        lines = list(zip(self.pool_models, self.installed_servers, self.server_gpus, strict=True))
        if any(model is None and gpus != 0 for model, _, gpus in lines):
            return Counter()
        found = count_pieces([(model, count) for model, count, _ in lines])
        for model, count, _ in lines:
            if model and count is None:
                found.pop(model.casefold(), None)
        return found


@derivation(of="Procurement", groups=(Orders, NamedParts, Pools))
def unordered_parts(orders: Orders, parts: NamedParts, pools: Pools) -> Text | None:
    """
    Servers, switches, transceivers and appliances that no order names, with their number; "none" where there are none.

    Absent where no order names any part of its kind: nothing is known of how that is bought.
    """
    known = [
        some
        for some in (pools.count_servers(), parts.switches(), parts.others())
        if any(orders.names(one) for one in some)
    ]
    if not known:
        return None
    left = [f"{model}: {some[model]}" for some in known for model in sorted(some) if not orders.names(model)]
    return cut(left, MOST_NAMED) or "none"


@derivation(of="Procurement", kind=lower, groups=(Orders, NamedParts))
def missing_transceivers(orders: Orders, parts: NamedParts) -> Count | None:
    """
    Transceivers that the cable runs name and the orders leave out. [1]

    A lower bound: models ordered without a quantity are left out. Absent where no order names a model of the runs.
    """
    wanted = parts.transceivers(0)
    if not any(orders.names(model) for model in wanted):
        return None
    ordered = {model: orders.of_item(model) if orders.names(model) else 0 for model in wanted}
    return sum(max(0, wanted[model] - some) for model, some in ordered.items() if some is not None)


@derivation(of="Procurement", groups=(Orders, NamedParts, Pools))
def surplus_share(orders: Orders, parts: NamedParts, pools: Pools) -> Ratio | None:
    """
    Largest surplus of ordered over needed quantity, divided by the needed quantity. [1]

    Counted are servers, switches, transceivers and appliances that an order names by their model; absent where none does.
    Parts of which the design may have more than it counts are left out.
    """
    found = _surplus(orders, parts, pools)
    return None if found is None else found[0]


@derivation(of="Procurement", groups=(Orders, NamedParts, Pools))
def surplus_part(orders: Orders, parts: NamedParts, pools: Pools) -> Text | None:
    """Part with the largest surplus of ordered over needed quantity, with both quantities."""
    found = _surplus(orders, parts, pools)
    return None if found is None else found[1]


def _surplus(orders: Orders, parts: NamedParts, pools: Pools) -> tuple[float, str] | None:
    uncounted = parts.uncounted_models()
    fabric = Counter[str]() if uncounted is None else parts.switches() + parts.others()
    wanted = (
        Counter({one: some for one, some in fabric.items() if one not in (uncounted or ())}) + pools.count_servers()
    )
    ordered = ((model, orders.of_item(model)) for model in sorted(wanted))
    shares = [(some / wanted[one] - 1, f"{one}: {some} for {wanted[one]}") for one, some in ordered if some is not None]
    return max(shares, default=None)


@derivation(of="Procurement", groups=(Orders, NamedParts))
def strange_switch(
    orders: Orders,
    parts: NamedParts,
    order_switch_ports: tuple[Count | None, ...],
    fabric_purposes: tuple[Text | None, ...],
) -> Text | None:
    """
    The first ordered model of switch, by the catalogue, that no fabric has; "none" if there is none.

    Names count as one where one holds the letters and digits of the other. Absent where no order names a switch of the
    catalogue, where a tier may have switches of any model, and where the design leaves out a fabric that a cluster has.
    """
    if not all(some.intersection(fabric_purposes) for some in (TRAINING, STORAGE, MANAGEMENT)):
        return None
    lines = zip(orders.order_items, order_switch_ports, strict=True)
    items = [item for item, ports in lines if item and ports is not None]
    uncounted = parts.uncounted_models()
    if uncounted is None or not items:
        return None
    designed = uncounted | set(parts.switches())
    return next((item for item in items if not any(alike(item, model) for model in designed)), "none")
