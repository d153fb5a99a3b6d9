"""Orders that name a part of the catalogue, against the parts of the design."""

from __future__ import annotations

from typing import Any

import pytest

from designlint.derivations.operations.ordered_parts import Ordered, designed_models, of_the_design

NOTHING: dict[str, Any] = dict.fromkeys(
    ("catalogued_server_gpus", "catalogued_server_power", "catalogued_gpu_bandwidth")
)
EMPTY: dict[str, Any] = dict.fromkeys(
    ("plan_server_models", "plan_server_powers", "plan_gpu_models", "plan_gpu_bandwidths"), ()
)


def server(power: float | None, models: tuple[str | None, ...], powers: tuple[float | None, ...]) -> Ordered:
    """A catalogued server that is ordered for a design with some servers."""
    of_catalog = {"catalogued_server_gpus": 8, "catalogued_server_power": power}
    return Ordered(**{**NOTHING, **EMPTY, **of_catalog, "plan_server_models": models, "plan_server_powers": powers})


@pytest.mark.parametrize(
    ("item", "power", "models", "powers", "known"),
    [
        ("dgx-h100", 10200, ("dgx-b200",), (14300,), False),
        ("dgx-h100", 10200, ("dgx-b200", "dgx-h100"), (14300, 10200), True),
        ("xe9680-h100", None, ("dell-xe9680-h100",), (None,), True),  # the maker left out
        ("gb200-tray", 5400, ("gb200-nvl72-tray",), (5400,), True),  # another name of the catalogue
        ("mi300x-platform", None, ("mi300x-8gpu",), (None,), None),  # no figure to tell them by
        ("dgx-h100", 10200, ("dgx-b200", None), (14300, None), None),  # a pool without a name
    ],
)
def test_a_server_is_one_of_the_design(
    item: str, power: float | None, models: tuple[str | None, ...], powers: tuple[float | None, ...], known: bool | None
) -> None:
    assert of_the_design(item, server(power, models, powers)) is known


def test_other_items_are_not_judged() -> None:
    assert of_the_design("head nodes", Ordered(**NOTHING, **EMPTY)) is None


def test_models_are_named_once() -> None:
    assert designed_models(server(1, ("b", "a", "b"), (1, 1, 1))) == "a, b"
