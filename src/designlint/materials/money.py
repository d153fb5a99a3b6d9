"""
What a design costs at somebody's prices: to buy, to run for a month, and for each run and token; and what no price covers.

Every sum is of what is priced, so it is the least where something is not; the list says what is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from designlint.language.sentences import cut, series
from designlint.language.units import YEAR
from designlint.materials.bill import bill
from designlint.materials.prices import RUNNING, cost

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.design.design import Design
    from designlint.graph.subjects import Subject
    from designlint.materials.prices import BillCost, PriceList

#: A twelfth of a year in seconds, and a kWh in joules.
MONTH, KWH = YEAR / 12, 3.6e6
#: How the name of a monthly sum ends.
MONTHLY = " per month"
#: From here on a sum is printed without its fraction.
MUCH = 100
#: Words for how long a run takes, and how much power a site draws, the best known first.
TIMES = ("predicted_training_time", "run_time", "training_time", "least_training_time")
POWERS = ("facility/facility_power", "facility/least_facility_power")


class MoneyAmount(Struct, frozen=True):
    """
    One sum of money.

    Attributes:
        name: what it is for, such as `capital` or `run of pretrain`.
        value: in the currency of the list; None where too little is known.
        basis: what it rests on, in words.
        least: whether it leaves out something that has no price or count.
    """

    name: str
    value: float | None
    basis: str
    least: bool = False


class Money(Struct, frozen=True):
    """All sums of a design, and what is in none of them because no price, count or fact covers it."""

    currency: str
    source: str
    amounts: Sequence[MoneyAmount]
    unpriced: Sequence[str]

    def of(self, name: str) -> float | None:
        """A sum by its name; None where it is not known."""
        return next((one.value for one in self.amounts if one.name == name), None)


def money(design: Design, prices: PriceList) -> Money:
    """What a design costs at the prices of a list."""
    bought = cost(bill(design), prices)
    monthly = list(_monthly(design, prices, bought))
    left = [*bought.open, *(name for name in RUNNING if name not in prices.running)]
    left += [f"{one.name.removesuffix(MONTHLY)} (its amount is unknown)" for one in monthly if one.value is None]
    left += [] if prices.lifetime else ["purchase by the month (no lifetime)"]
    known = {one.name: one.value for one in monthly if one.value is not None}
    month = sum(known.values()) if known else None
    held = sum(value for name, value in known.items() if name != "energy" + MONTHLY)
    amounts = [
        MoneyAmount("capital", bought.total, "the bill of materials, spares included", bool(bought.open)),
        *monthly,
        MoneyAmount("month", month, "all of these", bool(left)),
        *_runs(design, prices, held, bool(left)),
    ]
    source = ", ".join(filter(None, (prices.source, prices.date)))
    return Money(prices.currency, source, amounts, left)


def _monthly(design: Design, prices: PriceList, bought: BillCost) -> Iterator[MoneyAmount]:
    """What a month costs, by each part that has a price."""
    if prices.lifetime:
        basis = f"spread over {prices.lifetime:g} months"
        yield MoneyAmount("purchase" + MONTHLY, bought.total / prices.lifetime, basis, bool(bought.open))
    if "energy" in prices.running:
        word, power = _first(design.graph.root, POWERS)
        value = None if power is None else power * MONTH / KWH * prices.running["energy"].price
        basis = f"{word.rpartition('/')[2]} at all hours" if power is not None else "facility power"
        yield MoneyAmount("energy" + MONTHLY, value, basis, word == POWERS[-1])
    if "rack" in prices.running:
        counts = [one.facts.get("count") for one in design.graph.by_class.get("Racks", ())]
        racks = sum(one for one in counts if isinstance(one, int))
        value = racks * prices.running["rack"].price if racks else None
        yield MoneyAmount("racks" + MONTHLY, value, f"{racks} racks", None in counts)
    if "staff" in prices.running:
        yield MoneyAmount("staff" + MONTHLY, prices.running["staff"].price, "as listed")


def _runs(design: Design, prices: PriceList, held: float, least: bool) -> Iterator[MoneyAmount]:
    """What each run and token costs: its GPUs' share of the site for as long as it takes, and its energy."""
    gpus = design.graph.root.number("cluster_gpus")
    for job in design.graph.by_class.get("Workload", ()):
        word, time = _first(job, TIMES)
        used, energy, price = job.number("runs_on/gpus"), job.number("run_energy"), prices.running.get("energy")
        site = held * time / MONTH * min(1.0, used / gpus) if time is not None and used and gpus and held else None
        power = energy / KWH * price.price if energy is not None and price is not None else None
        parts = [one for one in (site, power) if one is not None]
        value = sum(parts) if parts else None
        basis = [f"its share of the site for its {word}"] * (site is not None) + ["its energy"] * (power is not None)
        at_least = least or len(parts) < 2 or word == TIMES[-1]
        yield MoneyAmount(f"run of {job.name}", value, series(basis), at_least)
        tokens = job.number("data/tokens")
        if value is not None and tokens:
            price_of_tokens = value / tokens * 1e6
            yield MoneyAmount(f"million tokens of {job.name}", price_of_tokens, "the run over its tokens", at_least)


def _first(subject: Subject, words: Sequence[str]) -> tuple[str, float | None]:
    """The first known of some facts, and its word."""
    return next(((word, one) for word in words if (one := subject.number(word)) is not None), (words[0], None))


def lines(found: Money, before: Money | None = None, most: int = 8) -> Iterator[str]:
    """The sums for people, each with what it was before, and what is not priced."""
    shown = [one for one in found.amounts if one.value is not None]
    yield f"Money ({', '.join(filter(None, (found.currency, found.source)))})"
    for one in shown:
        old = None if before is None else before.of(one.name)
        was = "" if old is None or old == one.value else f", {_sum(old)} before"
        yield f"  {one.name}: {'at least ' if one.least else ''}{_sum(one.value)} {found.currency}{was} ({one.basis})"
    unknown = [one.name for one in found.amounts if one.value is None]
    if unknown:
        yield f"  Not known: {', '.join(unknown)}"
    if found.unpriced:
        yield f"  Not priced: {cut(list(dict.fromkeys(found.unpriced)), most, '; ')}"


def _sum(value: float | None) -> str:
    """A sum of money: whole from a hundred on."""
    return f"{value:,.0f}" if value is not None and value >= MUCH else f"{value:,.4g}"


def data(found: Money) -> dict[str, Any]:
    """The same as data."""
    return {
        "currency": found.currency,
        "source": found.source,
        "complete": not found.unpriced,
        "amounts": [
            {"name": one.name, "value": one.value, "basis": one.basis, "least": one.least} for one in found.amounts
        ],
        "unpriced": list(dict.fromkeys(found.unpriced)),
    }
