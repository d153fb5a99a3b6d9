"""What the designs of a report cost at somebody's prices, as one more answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from designlint.materials.money import lines, money
from designlint.report.answers import UNPRICED
from designlint.report.dossier import DossierAnswer, DossierPoint, KeyFact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.design.design import Design
    from designlint.materials.prices import PriceList
    from designlint.report.dossier import Dossier, Portfolio

QUESTION = "What does it cost?"
UNKNOWN = "Nothing is priced"
#: What is said of the cost of changes where a price list is given: `what-if --set` prices one of them.
PRICED = (
    "The cost of the current design follows below; `designlint what-if --set ... --prices` shows the cost of a change."
)


def with_money(portfolio: Portfolio, designs: Sequence[Design], prices: PriceList) -> Portfolio:
    """The report with the answer of each of its designs, in their order."""
    told = [_price_answer(one, design, prices) for one, design in zip(portfolio.designs, designs, strict=True)]
    return replace(portfolio, designs=told)


def _price_answer(one: Dossier, design: Design, prices: PriceList) -> Dossier:
    head, *rest = lines(money(design, prices), most=20)
    told = [line.strip().partition(": ") for line in rest]
    capital = next((text for name, _, text in told if name == "capital"), UNKNOWN)
    points = [DossierPoint(name, text) for name, _, text in told if name != "capital"]
    answers = [replace(each, answer=each.answer.replace(UNPRICED, PRICED)) for each in one.answers]
    spent, _, basis = capital.partition(" (")
    priced = [KeyFact("Purchase", spent, basis.rstrip(")"))] if capital != UNKNOWN else []
    return replace(
        one,
        key_facts=[*one.key_facts, *priced],
        answers=[*answers, DossierAnswer(QUESTION, f"Purchase: {capital}.", [DossierPoint("prices", head), *points])],
    )
