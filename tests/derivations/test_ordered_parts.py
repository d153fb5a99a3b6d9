"""Orders that name a part of the catalogue, against the parts of the design."""

from __future__ import annotations

from typing import Any

import pytest

from designlint.derivations.operations.ordered_parts import Ordered, designed_models, item_noun, of_the_design

NOTHING: dict[str, Any] = dict.fromkeys(
    ("catalogued_server_gpus", "catalogued_server_power", "catalogued_server_gpu", "catalogued_gpu_bandwidth")
)
EMPTY: dict[str, Any] = dict.fromkeys(
    ("plan_server_models", "plan_server_powers", "plan_server_gpus", "plan_gpu_models", "plan_gpu_bandwidths"), ()
)


def server(power: float | None, models: tuple[str | None, ...], powers: tuple[float | None, ...]) -> Ordered:
    """A catalogued server that is ordered for a design with some servers."""
    of_catalog = {"catalogued_server_gpus": 8, "catalogued_server_power": power}
    pools: dict[str, Any] = {
        "plan_server_models": models,
        "plan_server_powers": powers,
        "plan_server_gpus": (8,) * len(models),
    }
    pools["plan_gpu_models"] = (None,) * len(models)
    return Ordered(**{**NOTHING, **EMPTY, **of_catalog, **pools})


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


def test_servers_of_one_power_are_told_apart_by_their_gpus() -> None:
    """The pool without GPUs names no model; a pool with GPUs that names none may have those of the order."""
    known = {"catalogued_server_gpus": 8, "catalogued_server_power": 10200, "catalogued_server_gpu": "h100-sxm-80gb"}
    pools = {"plan_server_models": ("dgx-h200", None), "plan_server_powers": (10200, None), "plan_server_gpus": (8, 0)}
    own = {**NOTHING, **EMPTY, **known, **pools}
    assert of_the_design("dgx-h100", Ordered(**{**own, "plan_gpu_models": ("h200-sxm", None)})) is False
    assert of_the_design("dgx-h100", Ordered(**{**own, "plan_gpu_models": ("h100", None)})) is True
    assert of_the_design("dgx-h100", Ordered(**{**own, "plan_gpu_models": (None, None)})) is True


def test_other_items_are_not_judged() -> None:
    assert of_the_design("head nodes", Ordered(**NOTHING, **EMPTY)) is None


def test_models_are_named_once() -> None:
    assert designed_models(server(1, ("b", "a", "b"), (1, 1, 1))) == "a, b"


@pytest.mark.parametrize(
    ("item", "noun"),
    [
        ("400 Gbit/s cables and transceivers", "transceivers"),
        ("Coolant distribution units, 1 MW", "coolant distribution units"),
        ("13.8 kV transformer 5 MVA", "transformer"),
        ("enclosures for generators", "enclosures"),
        ("UPS modules 500 kW", "ups modules"),
        ("rack PDUs (pairs)", "pdus"),
        ("4 x", "x"),
        ("2000", None),
    ],
)
def test_the_noun_of_an_item_says_what_it_is(item: str, noun: str | None) -> None:
    assert item_noun(item) == noun
