"""Quantities: what reads, what is refused with which proposal, and that printing and reading agree."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designlint.compiler.units import table_from_triples
from designlint.language import units
from designlint.language.quantities import BadQuantity
from designlint.language.sentences import percent, series
from designlint.language.units import Units
from designlint.reading.errors import AuthoringError

Row = tuple[str, str, str]


def _rows() -> list[Row]:
    def local(term: Any) -> str:
        return re.split("[/#]", term.value)[-1] if isinstance(term, pyoxigraph.NamedNode) else str(term.value)

    file = Path(__file__).parent.parent / "ontology" / "units.ttl"
    triples = pyoxigraph.parse(path=file, format=pyoxigraph.RdfFormat.TURTLE)
    return [(local(t.subject), local(t.predicate), local(t.object)) for t in triples]


ROWS = _rows()
TABLE: dict[str, Any] = table_from_triples(ROWS)
UNITS = Units(TABLE)
ROW = TABLE["kinds"]
SPELLINGS = [(kind, text) for kind in UNITS.kinds for text in ROW[kind]["spellings"]]
GOOD = [(k, s) for k, s in SPELLINGS if not ROW[k]["units"][ROW[k]["spellings"][s]]["why"]]
PREFERRED = [(k, u["symbol"]) for k in UNITS.kinds for u in ROW[k]["units"] if u["preferred"]]
short = settings(max_examples=150, deadline=None)


def number(text: object, kind: str) -> float:
    value = UNITS.parse(text, kind)
    assert isinstance(value, int | float), value
    return value


def bad(text: object, kind: str, like: str | None = None) -> BadQuantity:
    value = UNITS.parse(text, kind, like=like)
    assert isinstance(value, BadQuantity), value
    assert value.proposal is None or isinstance(UNITS.parse(value.proposal, kind), int | float), value
    assert value.text
    assert len(value.text) < 400
    return value


def test_a_type_alias_exists_for_each_kind() -> None:
    aliases = {name: value for name, value in vars(units).items() if value in (int, float)}
    assert aliases == {kind: int if ROW[kind]["whole"] else float for kind in UNITS.kinds}


def test_the_table_survives_json_and_any_order_of_triples() -> None:
    assert json.loads(json.dumps(TABLE)) == TABLE == table_from_triples(reversed(ROWS))


def test_two_units_of_one_spelling_are_an_authoring_error() -> None:
    with pytest.raises(AuthoringError, match="'kW'"):
        table_from_triples([*ROWS, ("Joule", "alias", "x"), ("Volt", "alias", "x"), ("Watt", "alias", "kW")])


def test_a_wrong_factor_or_kind_is_an_authoring_error() -> None:
    with pytest.raises(AuthoringError, match="lacks 'Pace'"):
        table_from_triples([*(row for row in ROWS if row[:2] != ("Hour", "of")), ("Hour", "of", "Pace")])
    with pytest.raises(AuthoringError, match="factor is no number"):
        table_from_triples([*(row for row in ROWS if row[:2] != ("Hour", "factor")), ("Hour", "factor", "many")])


def test_each_unit_is_used_by_a_kind_and_each_kind_has_example_and_canonical_unit() -> None:
    facts = {(subject, predicate): value for subject, predicate, value in ROWS}
    for subject, predicate, value in ROWS:
        if (predicate, value) == ("type", "Unit"):
            assert facts[subject, "of"] in UNITS.kinds
    for kind in UNITS.kinds:
        number(facts[kind, "example"], kind)
        si = facts[kind, "si"]
        assert number("1" if si == "1" else f"1 {si}", kind) == 1


def _meanings() -> dict[tuple[str, str], set[Fraction]]:
    """Each spelling with the exact value of 29 of it, straight from the triples."""
    facts: dict[str, dict[str, list[str]]] = {}
    for subject, predicate, value in ROWS:
        facts.setdefault(subject, {}).setdefault(predicate, []).append(value)
    found: dict[tuple[str, str], set[Fraction]] = {}
    for unit in (unit for unit in facts.values() if "of" in unit and "why" not in unit):
        offset, divisor = Fraction(*unit.get("offset", "0")), Fraction(*unit.get("divisor", "1"))
        for prefix in [{"symbol": [""], "factor": ["1"]}, *(facts[name] for name in unit.get("prefix", ()))]:
            exact = (29 + offset) * Fraction(*unit["factor"]) / divisor * Fraction(*prefix["factor"])
            for start in prefix["symbol"] + prefix.get("alias", []):
                for end in (end for key in ("symbol", "one", "alias") for end in unit.get(key, ())):
                    found.setdefault((unit["of"][0], start + end), set()).add(exact)
    return found


def test_each_spelling_has_one_meaning_and_is_read_exactly() -> None:
    meanings = _meanings()
    assert sorted(meanings) == sorted(GOOD)
    for (kind, spelled), values in meanings.items():
        assert {number(f"29 {spelled}", kind)} == {float(value) for value in values}


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        (4096, "Count", 4096), ("500e9", "Count", 500 * 10**9), (5e11, "Count", 500 * 10**9),
        ("500B", "Count", 500 * 10**9), ("500 B", "Count", 500 * 10**9), ("10T", "Count", 10**13),
        ("128K", "Count", 128_000), ("1.5 K", "Count", 1500), (0.6, "Ratio", 0.6), ("60 %", "Ratio", 0.6),
        ("60%", "Ratio", 0.6), ("7:1", "Ratio", 7.0), (1, "Ratio", 1.0), ("80 GB", "Bytes", 80e9),
        ("80GiB", "Bytes", 80 * 2**30), ("2 TiB", "Bytes", 2 * 2**40), ("1 byte", "Bytes", 1.0),
        ("400 Gbit/s", "DataRate", 4e11), ("400 Gb/s", "DataRate", 4e11), ("400Gbps", "DataRate", 4e11),
        ("900 GB/s", "Bandwidth", 9e11), ("900 GBps", "Bandwidth", 9e11), ("1 TiB/s", "Bandwidth", 2.0**40),
        ("45 min", "Duration", 2700.0), ("1 h 30 min", "Duration", 5400.0), ("1h30min", "Duration", 5400.0),
        ("1 day 2.5 h", "Duration", 95_400.0), ("90 days", "Duration", 7_776_000.0),
        ("1 year", "Duration", 31_536_000.0), ("1 year", "Duration", float(units.YEAR)),
        ("5 us", "Duration", 5e-6), ("5 µs", "Duration", 5e-6),
        ("5 μs", "Duration", 5e-6), ("0.1 ms", "Duration", 1e-4), ("10.2 kW", "Power", 10_200.0),
        ("12 MW", "Power", 12e6), ("500 kVA", "ApparentPower", 5e5), ("1 kWh", "Energy", 3.6e6),
        ("415 V", "Voltage", 415.0), ("63 A", "Current", 63.0), ("1.98 GHz", "Frequency", 1.98e9),
        ("27 degC", "Temperature", 27.0), ("300.15 K", "Temperature", 27.0),
        ("80.6 °F", "Temperature", 27.0), ("-5 C", "Temperature", -5.0),
        ("989 TFLOPS", "ComputeRate", 9.89e14), ("989 TFLOP/s", "ComputeRate", 9.89e14),
        ("3.6 YFLOP", "Computation", 3.6e24), ("120 M USD", "Money", 1.2e8), ("3.2e6 USD", "Money", 3.2e6),
        ("0.36 USD/kWh", "EnergyPrice", 1e-7), ("10 MIOPS", "OperationsRate", 1e7),
        ("36 per hour", "Rate", 0.01), ("36/h", "Rate", 0.01), ("36 1/h", "Rate", 0.01),
        ("1/s", "Rate", 1.0), ("120 L/min", "Flow", 0.002), ("9.80665 kPa", "AreaLoad", 1000.0),
        ("1 t", "Mass", 1000.0), ("600 mm", "Length", 0.6), ("10 m²", "Area", 10.0),
    ],
)  # fmt: skip
def test_reads(text: object, kind: str, value: float) -> None:
    found = number(text, kind)
    assert found == value
    assert type(found) is (int if kind == "Count" else float)


@pytest.mark.parametrize(
    ("text", "kind", "code", "proposal"),
    [
        (400, "DataRate", "missing-unit", "400 Gbit/s"), ("400", "DataRate", "missing-unit", "400 Gbit/s"),
        (4e11, "DataRate", "missing-unit", "400 Gbit/s"), (0.5, "Bytes", "missing-unit", "0.5 GB"),
        ("50 GB/s", "DataRate", "wrong-kind", "400 Gbit/s"),
        ("400 Gbit/s", "Bandwidth", "wrong-kind", "50 GB/s"), ("80 Gb", "Bytes", "wrong-kind", "10 GB"),
        ("400 W", "DataRate", "wrong-kind", None), ("500 GB", "Count", "wrong-kind", None),
        ("400 GBPS", "DataRate", "unknown-unit", "400 Gbit/s"),
        ("400 GBPS", "Bandwidth", "unknown-unit", "400 GB/s"),
        ("400 gbit/s", "DataRate", "unknown-unit", "400 Gbit/s"),
        ("10 kw", "Power", "unknown-unit", "10 kW"), ("80 gib", "Bytes", "unknown-unit", "80 GiB"),
        ("80 gigabytes", "Bytes", "unknown-unit", "80 GB"), ("5 kilowatt", "Power", "unknown-unit", "5 kW"),
        ("3 xyz", "Power", "unknown-unit", None), ("64 KB", "Bytes", "unknown-unit", "64 kB"),
        ("3 months", "Duration", "unknown-unit", "90 days"), ("30 m", "Duration", "unknown-unit", "30 min"),
        ("5 % per year", "Rate", "unknown-unit", "0.05 per year"), ("5%/year", "Rate", "unknown-unit", "0.05 per year"),
        ("10 EUR", "Money", "unknown-unit", None), ("7:2", "Ratio", "unknown-unit", None),
        ("128Ki", "Count", "unknown-unit", "131072"), ("30 min 1 h", "Duration", "not-a-number", None),
        ("1 h 30 m", "Duration", "not-a-number", None), ("1_000 GB", "Bytes", "not-a-number", "1000 GB"),
        ("1,000 GB", "Bytes", "not-a-number", "1000 GB"), ("1,5 TB", "Bytes", "not-a-number", "1.5 TB"),
        ("10 000 m", "Length", "not-a-number", "10000 m"),
        ("٤٠٠ Gbit/s", "DataRate", "not-a-number", "400 Gbit/s"),
        ("400\u00a0Gbit/s", "DataRate", "not-a-number", "400 Gbit/s"),
        ("−5 degC", "Temperature", "not-a-number", "-5 degC"), ("", "Bytes", "not-a-number", None),
        ("fast", "Bytes", "not-a-number", None), ("1.2.3 GB", "Bytes", "not-a-number", None),
        (True, "Count", "not-a-number", None), (None, "Count", "not-a-number", None),
        ([1], "Bytes", "not-a-number", None), ("nan", "Ratio", "not-finite", None),
        ("-inf GB", "Bytes", "not-finite", None), (float("nan"), "Ratio", "not-finite", None),
        (float("inf"), "Bytes", "not-finite", None), ("1e400 GB", "Bytes", "not-finite", None),
        ("1e400", "Bytes", "not-finite", None), ("1e999999999 GB", "Bytes", "not-finite", None),

        ("1e30", "Count", "out-of-range", None),
        ("1e-400 s", "Duration", "out-of-range", None), ("1.5", "Count", "not-whole", None),
        (0.5, "Count", "not-whole", None),
    ],
)  # fmt: skip
def test_refuses(text: object, kind: str, code: str, proposal: str | None) -> None:
    found = bad(text, kind)
    assert (found.code, found.proposal) == (code, proposal)


def test_a_bare_number_is_proposed_in_the_unit_of_the_hint() -> None:
    assert bad(3, "Duration", like="5 days").proposal == "3 days"
    assert bad(1, "Duration", like="5 days").proposal == "1 day"
    assert bad(3, "Duration", like="no unit").proposal == "3 min"
    assert bad("3", "Duration", like="1 month").proposal == "3 min"


def test_a_slip_between_bit_and_byte_is_named() -> None:
    assert "b is a bit, B is a byte" in bad("400 GBPS", "DataRate").text
    assert "b is a bit" not in bad("80 gib", "Bytes").text
    assert "write 80 GB" in bad("80 Gb", "Bytes").text


def test_an_endless_integer_is_refused() -> None:
    assert [bad(10**5000, kind).code for kind in ("Bytes", "Ratio")] == ["not-finite"] * 2
    assert bad(-(10**5000), "Count").code == "out-of-range"


def test_a_hostile_text_is_refused() -> None:  # which never ends where a pattern tries every way to read it
    long = ("9" * 10**6, "1e" + "9" * 60, "1 h " * 10**6, "1," * 30, "\x00" * 64, "1." + "0" * 62)
    for text in (
        *long,
        "1e" + "9" * 25,
        "1," * 14,
        "\x00" * 30,
        "1." + "0" * 30,
        "1 h " * 7,
        "1e99999999999 KB",
        "1e99999999999 m",
    ):
        for kind in ("Bytes", "Duration"):
            bad(text, kind)


@short
@given(st.integers(1, 10**6), st.sampled_from(["", "k", "M", "G", "T", "P"]))
def test_bits_are_never_bytes(count: int, prefix: str) -> None:
    for bits, octets, symbols in (
        ("DataRate", "Bandwidth", ("bit/s", "B/s")),
        ("Bits", "Bytes", ("bit", "B")),
    ):
        as_bits, as_bytes = (f"{count} {prefix}{symbol}" for symbol in symbols)
        assert number(as_bits, bits) == number(as_bytes, octets)
        assert number(bad(as_bytes, bits).proposal, bits) == pytest.approx(8 * number(as_bytes, octets), rel=1e-8)
        assert number(bad(as_bits, octets).proposal, octets) == pytest.approx(number(as_bits, bits) / 8, rel=1e-8)


pieces = st.sampled_from(
    [*sorted({s for _, s in SPELLINGS}), *"0123456789 .,eE+-_:/", "1", "nan", "²", "٤", "\n", "kilo"]
)
texts = st.one_of(
    st.text(max_size=70),
    st.lists(pieces, max_size=8).map("".join),
    st.lists(pieces, max_size=6).map(lambda p: "4" + "".join(p)),
)


@settings(max_examples=500, deadline=None)
@given(texts, st.sampled_from(UNITS.kinds), st.none() | texts)
def test_no_text_raises_and_each_proposal_reads(text: str, kind: str, like: str | None) -> None:
    value = UNITS.parse(text, kind, like=like)
    if isinstance(value, BadQuantity):
        bad(text, kind, like)
    else:
        UNITS.format(value, kind)
        UNITS.like(value, kind, like or "")


@short
@given(st.integers() | st.floats() | st.booleans() | st.none(), st.sampled_from(UNITS.kinds))
def test_no_number_raises(value: object, kind: str) -> None:
    if isinstance(UNITS.parse(value, kind), BadQuantity):
        bad(value, kind)


@short
@given(st.floats(), st.sampled_from(GOOD))
def test_no_value_fails_to_print(value: float, unit: tuple[str, str]) -> None:
    kind, spelled = unit
    assert UNITS.format(value, kind)
    assert UNITS.format(value, kind, unit=spelled)
    assert UNITS.like(value, kind, f"3 {spelled}")


def test_items_of_a_sentence_are_listed_with_one_and() -> None:
    assert [series(["a", "b", "c"][:count]) for count in range(4)] == ["", "a", "a and b", "a, b and c"]


@pytest.mark.parametrize(
    ("share", "form", "text"),
    [
        (0.99999, ".1%", "99.999 %"),
        (0.996, ".0%", "99.6 %"),
        (0.99, ".1%", "99.0 %"),
        (1, ".1%", "100.0 %"),
        (1.0004, ".1%", "100.0 %"),
        (1 - 1e-12, ".1%", "100.0 %"),
    ],
)
def test_what_falls_short_of_the_whole_is_not_rounded_to_it(share: float, form: str, text: str) -> None:
    assert percent(share, form) == text
