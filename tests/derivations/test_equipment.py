"""Orders that name the building's equipment in plain words."""

from __future__ import annotations

import pytest

from designlint.derivations.operations.equipment import Equipment, short_equipment

HALL = Equipment((4,), (5,), (3,), (3,), (18,), (32,), (3,), ("weka", "lustre", "lustre", "ceph"), (12, 16, 8, None))


@pytest.mark.parametrize(
    ("item", "count", "short"),
    [
        ("UPS modules 500 kW", 4, "UPS modules: 4 of 5"),
        ("UPS modules 500 kW", 5, "none"),
        ("2.5 MW diesel generators", 2, "generators: 2 of 3"),
        ("CDUs, 700 kW", 2, "coolant distribution units: 2 of 3"),
        ("coolant distribution unit (in-row)", 3, "none"),
        ("CRAH units", 12, "air units: 12 of 18"),
        ("server racks", 28, "racks: 28 of 32"),
        ("Racks of 48 U", 32, "none"),
        ("rack PDUs 60 A", 64, "rack PDUs: 64 of 96"),
        ("UPS system 2.5 MW", 1, None),
        ("batteries for UPS modules", 2, None),
        ("CDU manifolds", 4, None),
        ("generator service contract", 1, None),
        ("gb200-nvl72 trays in eight racks", 144, None),
        ("transformers, 2.5 MVA", 2, "transformers: 2 of 4"),
        ("PDUs with isolation transformers", 2, None),
        ("WEKA servers", 10, "weka servers: 10 of 12"),
        ("lustre object servers", 16, "lustre servers: 16 of 24"),
        ("weka storage nodes with 14 drives", 12, "none"),
        ("weka licences for 12 servers", 1, None),
        ("ceph servers", 2, None),
        ("floor PDUs", 8, None),
        ("setups for modular storage", 1, None),
    ],
)
def test_an_item_is_read_by_its_words(item: str, count: int, short: str | None) -> None:
    assert short_equipment((item,), (count,), HALL) == short


def test_orders_of_one_kind_add_up_and_open_ones_settle_nothing() -> None:
    assert short_equipment(("CDU", "CDUs, second phase"), (2, 1), HALL) == "none"
    assert short_equipment(("CDU", "CDUs, second phase"), (2, None), HALL) is None


def test_kinds_that_the_design_does_not_count_are_left_out() -> None:
    assert short_equipment(("CDU",), (2,), Equipment((), (), (), (None,), (), (), (), (), ())) is None


@pytest.mark.parametrize("item", ["CDU pairs", "piping to CDUs", "CDU control panels", "cooling system with CDUs"])
def test_what_holds_several_units_or_serves_them_is_not_counted(item: str) -> None:
    assert short_equipment((item,), (1,), HALL) is None
    assert short_equipment((item, "CDU"), (1, 1), HALL) is None  # how many there are in all is open
