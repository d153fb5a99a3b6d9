"""Waivers as their authors write them: what they cover, when they hold, and what is said of those that do not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from designlint.configuration import engine as engines
from designlint.linting import pipeline
from designlint.reading import Document, read_bytes
from designlint.suppressions.waivers import comments
from designlint.suppressions.waivers.waiver import Waiver
from tests.running import designlint

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.findings.model import Finding
    from designlint.findings.report import Report
    from designlint.reading.location import Location

RULE = "network/leaf-oversubscribed"
WAIVER = f'# designlint: ignore[{RULE}] reason="storage only"'
#: Two fabrics, each with the same fault: the first 2:1, the second 3:1.
DESIGN = """\
designlint: 1
fabrics:
  - name: east
    purpose: compute
    topology:
      host_ports_per_leaf: 32
      uplinks_per_leaf: 16

  - name: west
    purpose: compute
    topology:
      host_ports_per_leaf: 48
      uplinks_per_leaf: 16
"""
EAST, WEST = (4, 6, 7), (10, 12, 13)
ENGINE = replace(engines.shipped_engine(), today="2026-11-20")


def lint(text: str) -> Report:
    return pipeline.lint(read_bytes(text.encode(), "design.yaml"), ENGINE, repair=False).report()


def with_comment(line: int, comment: str, *, above: bool = False) -> str:
    """The design with a comment behind a line, or on a line of its own above it."""
    lines = DESIGN.splitlines()
    lines[line - 1] = f"{comment}\n{lines[line - 1]}" if above else f"{lines[line - 1]}  {comment}"
    return "\n".join(lines) + "\n"


def check(text: str, *options: str) -> Any:
    run = designlint("check", "-", "--format", "json", "--today", "2026-11-20", *options, stdin=text.encode())
    assert run.code in (0, 1), run.err
    return run.data


def told(data: Any, which: str = "findings", rule: str = "") -> list[tuple[str, str]]:
    return [(one["rule"], one["subject"]) for one in data[which] if one["rule"].startswith(rule or "waiver/")]


def waived(data: Any) -> list[str]:
    return [one["subject"] for one in data["accepted"]]


# -- where a comment reaches


@pytest.mark.parametrize("above", [False, True])
@pytest.mark.parametrize("line", range(1, 14))
def test_a_comment_covers_the_finding_on_whose_lines_it_stands_and_no_other(line: int, above: bool) -> None:
    report = lint(with_comment(line, WAIVER, above=above))
    wanted = ["fabrics/east"] if line in EAST else ["fabrics/west"] if line in WEST else []
    assert [one.subject for one in report.accepted] == wanted
    assert any(one.rule == "waiver/unused" for one in report.findings) is not bool(wanted)


def spans(one: Finding) -> list[Location]:
    return [one.location, *(value.location for value in one.values.values() if value.location)]


@settings(deadline=None)
@given(st.data())
def test_wherever_waivers_stand_they_waive_what_shows_their_line(data: st.DataObject) -> None:
    found = lint(DESIGN).findings
    one = data.draw(st.sampled_from(found))
    at = data.draw(st.sampled_from(spans(one)))
    line = data.draw(st.integers(at.line, at.end_line))
    other = data.draw(st.sampled_from(["", "# why not ", "# a: 'b ", '# " ']))
    behind = data.draw(st.sampled_from(["", " until=2027-03-31 owner=me", " # more"]))
    comment = f'{other}# designlint: ignore[{one.rule}] reason="so \\"it\\" is"{behind}'
    report = lint(with_comment(line, comment, above=not other and data.draw(st.booleans())))
    meant = {key.key for key in found if key.rule == one.rule and any(a.line <= line <= a.end_line for a in spans(key))}
    assert {key.key for key in report.accepted} == meant
    assert {key.key for key in report.findings} == {key.key for key in found} - meant


def test_comment_lines_pile_up_but_a_blank_line_parts() -> None:
    above = f'{WAIVER}\n# another comment\n# designlint: ignore[network/without-management-network] reason="small"'
    data = check(with_comment(2, above, above=True))
    assert told(data) == [("waiver/unused", "")]
    assert [one["rule"] for one in data["accepted"]] == ["network/without-management-network"]
    assert check(with_comment(2, above + "\n", above=True))["accepted"] == []


def test_what_looks_like_a_comment_in_a_text_is_none() -> None:
    text = DESIGN.replace("name: east", f"name: 'east {WAIVER.replace(chr(34), '')}'") + f"description: |\n  {WAIVER}\n"
    data = check(text)
    assert data["accepted"] == []
    assert told(data) == []


# -- entries of the section


@pytest.mark.parametrize(
    ("rule", "part", "covered"),
    [
        (RULE, "", ["fabrics/east", "fabrics/west"]),
        (RULE, "fabrics/east", ["fabrics/east"]),
        (RULE, "fabrics/west/topology/uplinks_per_leaf", ["fabrics/west"]),
        ("network/*", "fabrics", ["fabrics/east", "fabrics/west"]),
        (RULE, "fabrics/west/topology/host_ports_per_leaf", []),
    ],
)
def test_an_entry_covers_a_part_and_all_below_it(rule: str, part: str, covered: list[str]) -> None:
    on = f"on: {part}, " if part else ""
    data = check(f'{DESIGN}waivers:\n  - {{rule: "{rule}", {on}reason: storage only}}\n')
    assert [one for one in waived(data) if one] == covered
    assert told(data) == ([] if covered else [("waiver/unused", "waivers/0")])


def test_an_acceptance_says_who_why_until_when_and_where() -> None:
    text = with_comment(7, f"{WAIVER} until=2027-03-31 owner=netops ticket=https://tickets.example/1")
    (one,) = check(text)["accepted"]
    at = one["accepted"].pop("location")
    assert one["accepted"] == {
        "how": "waiver",
        "reason": "storage only",
        "owner": "netops",
        "until": "2027-03-31",
        "ticket": "https://tickets.example/1",
    }
    assert (at["line"], at["column"]) == (7, 50)
    out = designlint("check", "-", "--today", "2026-11-20", stdin=text.encode()).out
    assert "(1 waived, the first until 2027-03-31)" in out
    assert f"<stdin>:7  warning[{RULE}]  storage only, netops, https://tickets.example/1, until 2027-03-31" in out
    shown = designlint("check", "-", "--show-accepted", stdin=text.encode()).out
    assert f"warning[{RULE}] (waiver): east is 2.00:1" in shown


def test_waived_findings_do_not_fail_a_run_and_can_all_be_shown(tmp_path: Path) -> None:
    design = tmp_path / "design.yaml"
    section = 'waivers: [{rule: "network/*", reason: a}]\n'
    design.write_text(DESIGN + section, "utf-8")
    assert designlint("check", design, "--fail-on", "warning").code == 0
    run = designlint("check", design, "--fail-on", "warning", "--no-waivers", "--format", "json")
    assert run.code == 1
    assert run.data["accepted"] == []
    assert len(told(run.data, rule=RULE)) == 2


# -- when they hold


@pytest.mark.parametrize(("today", "holds"), [("2026-12-30", True), ("2026-12-31", True), ("2027-01-01", False)])
def test_a_waiver_holds_on_its_last_day(today: str, holds: bool) -> None:
    data = check(with_comment(7, f"{WAIVER} until=2026-12-31"), "--today", today)
    assert (waived(data) == ["fabrics/east"]) is holds
    assert [rule for rule, _ in told(data)] == ([] if holds else ["waiver/expired"])
    assert (("fabrics/east") in [one["subject"] for one in data["findings"] if one["rule"] == RULE]) is not holds


@pytest.mark.parametrize(
    ("condition", "seen"),
    [
        ("oversubscription <= 2", ""),
        ("oversubscription = 2 and host_ports_per_leaf >= 32 and purpose = compute", ""),
        ("topology/uplinks_per_leaf > 15", ""),
        ("oversubscription < 2", "oversubscription is 2"),
        ("oversubscription <= 1.5", "oversubscription is 2"),
        ("purpose = storage", "purpose is compute"),
        ("purpose <= storage", "purpose is compute, which is not a number"),
        ("colour = red", "`colour` is not a word of Fabric"),
        ("mtu >= 9000 B", "mtu is unknown"),
    ],
)
@pytest.mark.parametrize("section", [False, True])
def test_a_waiver_holds_while_its_condition_is_met(condition: str, seen: str, section: bool) -> None:
    entry = f"waivers:\n  - {{rule: {RULE}, on: fabrics/east, reason: a, while: {condition}}}\n"
    data = check(DESIGN + entry if section else with_comment(7, f'{WAIVER} while="{condition}"'))
    assert waived(data) == ([] if seen else ["fabrics/east"])
    lapsed = [one["message"] for one in data["findings"] if one["rule"] == "waiver/lapsed"]
    assert lapsed == ([f"the waiver of {RULE} applies while {condition}; {seen}"] if seen else [])
    assert [rule for rule, _ in told(data)] == (["waiver/lapsed"] if seen else [])


def test_a_quantity_of_another_kind_is_no_condition() -> None:
    data = check(with_comment(7, f'{WAIVER} while="oversubscription <= 2 GiB"'))
    (said,) = [one["message"] for one in data["findings"] if one["rule"] == "waiver/lapsed"]
    assert "`2 GiB` cannot be compared with it" in said


# -- what is wrong with them


@pytest.mark.parametrize(
    ("comment", "fault"),
    [
        (f"# designlint: ignore[{RULE}]", "without-reason"),
        (f'# designlint: ignore[{RULE}] reason=" "', "without-reason"),
        ('# designlint: ignore[network/no-such-rule] reason="a"', "unknown-rule"),
        ('# designlint: ignore[*] reason="a"', "unknown-rule"),
        ('# designlint: ignore[memory/state-beyond-all-gpus] reason="a"', "not-waivable"),
        ('# designlint: ignore[waiver/*] reason="a"', "not-waivable"),
        ('# designlint: ignore[syntax/duplicate-key] reason="a"', "not-waivable"),
        ('# designlint: ignore reason="a"', "malformed"),
        ('# designlint: ignore[] reason="a"', "malformed"),
        (f"{WAIVER} until=soon", "malformed"),
        (f"{WAIVER} until=2026-02-30", "malformed"),
        (f"{WAIVER} untill=2026-12-31", "malformed"),
        (f"{WAIVER} until=2027-01-01 until=2028-01-01", "malformed"),
        (f'{WAIVER} while="__import__(1)"', "malformed"),
        (f"# designlint: ignore[{RULE}] because I say so", "malformed"),
        ('# designlint: ignore[parallelism/tensor-beyond-scale-up-domain] reason="a"', "unused"),
    ],
)
def test_a_faulty_waiver_waives_nothing_and_is_told(comment: str, fault: str) -> None:
    data = check(with_comment(7, comment))
    assert data["accepted"] == []
    assert [rule for rule, _ in told(data)] == [f"waiver/{fault}"]
    assert next(one for one in data["findings"] if one["rule"] == f"waiver/{fault}")["location"]["line"] == 7


@pytest.mark.parametrize("limit", ["until: soon", "untill: 2026-12-31", "at: fabrics/west", "whilst: tiers = 2"])
def test_an_entry_whose_limit_cannot_be_read_is_no_waiver_without_one(limit: str) -> None:
    data = check(f"{DESIGN}waivers:\n  - {{rule: {RULE}, reason: a, {limit}}}\n")
    assert (data["accepted"], [path for _, path in told(data, rule="shape/")]) == ([], ["waivers/0"])


def test_a_rule_that_did_not_run_is_not_called_unused(tmp_path: Path) -> None:
    (tmp_path / "rules" / "own").mkdir(parents=True)
    data = check(DESIGN.replace("fabrics:", f"fabrics: {WAIVER}\n") + "  - [\n")
    assert "waiver/unused" not in [rule for rule, _ in told(data)]


# -- several files


def test_a_waiver_of_a_base_holds_where_it_is_extended(tmp_path: Path) -> None:
    base = DESIGN.replace("uplinks_per_leaf: 16\n\n", f"uplinks_per_leaf: 16  {WAIVER}\n\n")
    base += f"waivers:\n  - {{rule: {RULE}, on: fabrics/west, reason: a}}\n"
    (tmp_path / "base.yaml").write_text(base, "utf-8")
    (tmp_path / "site.yaml").write_text("designlint: 1\nextends: base.yaml\nname: site\n", "utf-8")
    data = designlint("check", "site.yaml", "--format", "json", cwd=tmp_path).data
    assert waived(data) == ["fabrics/east", "fabrics/west"]
    assert told(data) == []


def test_a_waiver_that_only_an_extending_design_needs_is_used(tmp_path: Path) -> None:
    sound = DESIGN.replace("uplinks_per_leaf: 16", "uplinks_per_leaf: 48")
    base = f"{sound}waivers:\n  - {{rule: {RULE}, on: fabrics/east, reason: a}}\n"
    (tmp_path / "base.yaml").write_text(base, "utf-8")
    over = "designlint: 1\nextends: base.yaml\nfabrics:\n  - {name: east, topology: {uplinks_per_leaf: 8}}\n"
    (tmp_path / "site.yaml").write_text(over, "utf-8")
    assert told(designlint("check", "base.yaml", "--format", "json", cwd=tmp_path).data) == [
        ("waiver/unused", "waivers/0")
    ]
    assert told(designlint("check", ".", "--format", "json", cwd=tmp_path).data) == []


@pytest.mark.parametrize("reason", ["\u200b", "\u2800\u2800", "\u3164", "...", "\u115f \u1160"])
def test_a_reason_that_nobody_can_see_is_none(reason: str) -> None:
    text = f'designlint: 1\ncolour: red  # designlint: ignore[shape/unknown-word] reason="{reason}"\n'
    found = pipeline.lint(read_bytes(text.encode(), "d.yaml"), engines.shipped_engine(), repair=False)
    assert {one.rule for one in found.findings} >= {"shape/unknown-word", "waiver/without-reason"}


def test_each_comment_is_looked_at_once_whatever_follows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 2000
    waiver = '# designlint: ignore[shape/unknown-word] reason="x"\n'
    document = read_bytes(f"designlint: 1\n{waiver * count}colour: red\n".encode(), "d.yaml")
    read, real = list[int](), Document.line

    def line(self: Document, number: int) -> str:
        read.append(number)
        return real(self, number)

    monkeypatch.setattr(Document, "line", line)
    found = list(comments.read_comments(document))
    assert len(found) == count
    assert {one.lines for one in found if isinstance(one, Waiver)} >= {(2, count + 2), (count + 1, count + 2)}
    assert len(read) < 4 * count
