"""Names of transceivers by their parts, from the catalogues of several vendors."""

from __future__ import annotations

import pytest

from designlint.language.optic_names import OpticName, read


@pytest.mark.parametrize(
    ("name", "optic", "ports", "speed", "form", "reach"),
    [
        ("OSFP-2x400G-DR4", "dr4", 2, 400e9, None, None),
        ("osfp-800g-2xdr4-500m", "dr4", 2, 400e9, None, 500.0),
        ("OSFP-400G-2FR4", "fr4", 2, 200e9, None, None),
        ("osfp-800g-sr8", "sr8", 1, 800e9, None, None),
        ("QDD-4X100G-FR", "fr", 4, 100e9, "qsfp-dd", None),
        ("QSFP-DD-400G-DR4", "dr4", 1, 400e9, "qsfp-dd", None),
        ("QSFP112-400G-VR4", "vr4", 1, 400e9, "qsfp112", None),
        ("OSFP-RHS 400G XDR4 2km", "xdr4", 1, 400e9, "osfp-flat", 2000.0),
        ("OSFP224-1.6T-DR8", "dr8", 1, 1.6e12, None, None),
        ("400GBASE-SR4 transceivers", "sr4", 1, 400e9, None, None),
        ("osfp-2dr4", "dr4", 2, None, None, None),
    ],
)
def test_a_name_says_its_parts(
    name: str, optic: str, ports: int, speed: float | None, form: str | None, reach: float | None
) -> None:
    assert read(name) == OpticName(optic=optic, ports=ports, port_speed=speed, form=form, reach=reach)


@pytest.mark.parametrize(
    "name",
    [
        "mma4z00-ns",
        "sn5600",
        "DR4",
        "our-dr4",
        "osfp-400g-dac-2m",
        "MPO-12 cable for 400G-DR4",
        "400G-SR4-DR4",
        "2x400G-4xDR4",
        "",
    ],
)
def test_other_names_are_not_guessed(name: str) -> None:
    assert read(name) is None
