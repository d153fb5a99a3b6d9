"""Quantities as they are printed, and that they read back as what they were."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.running import designlint
from tests.test_units import GOOD, PREFERRED, ROW, UNITS, number, short


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (4e11, "DataRate", "400 Gbit/s"), (85_899_345_920, "Bytes", "80 GiB"),
        (85_899_345_921, "Bytes", "85.9 GB"), (8e10, "Bytes", "80 GB"), (9.9996e11, "Bytes", "1 TB"),
        (0, "Bytes", "0 B"), (4096, "Count", "4096"), (131_072, "Count", "131072"),
        (70_553_706_496, "Count", "70.55 B"), (0.6, "Ratio", "0.6"), (12_345.678, "Ratio", "12346"),
        (1e-9, "Ratio", "1e-9"), (1200, "Duration", "20 min"), (5400, "Duration", "1.5 h"),
        (86_400, "Duration", "1 day"), (7_776_000, "Duration", "90 days"),
        (100_000, "Duration", "1.157 days"), (3e-6, "Duration", "3 µs"), (-12e6, "Power", "-12 MW"),
        (float("inf"), "Power", "inf W"), (1.2e8, "Money", "120 M USD"), (27, "Temperature", "27 degC"),
    ],
)  # fmt: skip
def test_prints(value: float, kind: str, text: str) -> None:
    assert UNITS.format(value, kind) == text


def test_prints_in_a_chosen_unit_with_chosen_digits() -> None:
    assert UNITS.format(0.6, "Ratio", unit="%") == "60 %"
    assert UNITS.format(7.0, "Ratio", unit=":1") == "7:1"
    assert UNITS.format(1234.5678, "Duration", unit="s", digits=6) == "1234.57 s"
    assert UNITS.format(300.0, "Temperature", unit="K") == "573.1 K"
    for kind, unit in (("Power", "GB"), ("Money", "EUR")):
        with pytest.raises(ValueError, match=f"no unit of {kind}"):
            UNITS.format(1.0, kind, unit=unit)


@pytest.mark.parametrize(
    ("value", "kind", "original", "text"),
    [
        (8e11, "DataRate", "400Gbps", "800Gbps"), (8e11, "DataRate", "400 Gbit/s", "800 Gbit/s"),
        (4e14, "DataRate", "1 Mbit/s", "400 Tbit/s"), (600 * 10**9, "Count", "500e9", "600e9"),
        (600 * 10**9, "Count", "500B", "600B"), (12_345_678, "Count", "12 M", "12345678"),
        (12, "Count", "9", "12"), (172_800, "Duration", "1 day", "2 days"),
        (86_400, "Duration", "2 days", "1 day"), (7000.0, "Duration", "1 h 30 min", "7000 s"),
        (0.7, "Ratio", "60 %", "70 %"), (0.7, "Ratio", "60%", "70%"), (8, "Ratio", "7:1", "8:1"),
        (2e6, "Money", "1e6 USD", "2e6 USD"), (8e10, "Bytes", "nonsense", "80 GB"),
        (8e10, "Bytes", "40 KB", "80 GB"), (8e10, "Bytes", "1e-500 GB", "80 GB"),
    ],
)  # fmt: skip
def test_prints_like_the_original(value: float, kind: str, original: str, text: str) -> None:
    assert UNITS.like(value, kind, original) == text


@short
@given(st.sampled_from(UNITS.kinds), st.floats(allow_nan=False), st.integers(2, 9))
def test_what_is_printed_reads_back_within_its_digits(kind: str, value: float, digits: int) -> None:
    if ROW[kind]["whole"] or not 1e-250 < abs(value) < 1e250:
        value = int(value) if 1 < abs(value) < 2**62 else 7
    text = UNITS.format(value, kind, digits=digits)
    scale = max(abs(value), 300 if kind == "Temperature" and abs(value) < 1 else 0)
    assert number(text, kind) == pytest.approx(value, rel=10.0 ** (1 - digits), abs=scale * 10.0 ** (1 - digits))
    assert UNITS.format(number(text, kind), kind, digits=digits) == text


@short
@given(st.sampled_from(PREFERRED), st.integers(1, 9999))
def test_whole_numbers_of_preferred_units_survive_printing(unit: tuple[str, str], count: int) -> None:
    kind, symbol = unit
    value = number(f"{count} {symbol}", kind)
    assert number(UNITS.format(value, kind), kind) == value


@short
@given(st.sampled_from(GOOD), st.integers(1, 9999), st.integers(1, 9999))
def test_like_reads_back(unit: tuple[str, str], old: int, new: int) -> None:
    kind, spelled = unit
    value = number(f"{new} {spelled}", kind)
    text = UNITS.like(value, kind, f"{old} {spelled}")
    assert number(text, kind) == pytest.approx(value, rel=1e-5)


def test_amounts_of_one_sentence_share_a_system_of_units() -> None:
    """128 GiB is exact, yet beside 2 TB it is shown in powers of 1000."""
    design = b"""designlint: 1
nodes: [{name: a, gpu: v100-sxm-16gb, gpus: 8, count: 1}]
workloads: [{name: w, model: {parameters: 1e12}, precision: bf16}]
"""
    run = designlint("check", "-", "--select", "memory/state-beyond-all-gpus", "--format", "json", stdin=design)
    told = run.data["findings"][0]["message"]
    assert "TB; its 8 GPUs can hold 137.4 GB" in told
    assert UNITS.format(2**37, "Bytes") == "128 GiB"
    assert UNITS.format(2**37, "Bytes", decimal=True) == "137.4 GB"
