"""Fixes as their user makes them: files on disk, exit codes, what is asked, what is refused."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from designlint.applying import session
from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.reading import read_bytes

from .running import BAD, ROOT, designlint

if TYPE_CHECKING:
    from pathlib import Path

#: Two faults with an unsafe fix each, and one with none.
FAULTY = """\
designlint: 1
# pools
nodes:
  - {name: train, model: dgx-h100, count: 4}   # four servers
fabrics:
  - name: compute
    purpose: compute
    topology: {host_ports_per_leaf: 32, uplinks_per_leaf: 16}  # half
workloads:
  - name: pretrain
    parallelism:
      tensor: 16
"""
MENDED = FAULTY.replace("uplinks_per_leaf: 16", "uplinks_per_leaf: 32").replace("tensor: 16", "tensor: 8")
TENSOR = "parallelism/tensor-beyond-scale-up-domain"


def written(folder: Path, text: str, name: str = "design.yaml") -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())
    return file


def test_only_safe_fixes_are_made_unless_asked(tmp_path: Path) -> None:
    file = written(tmp_path, FAULTY)
    run = designlint("check", file, "--fix")
    assert run.code == 1
    assert "Fixable: 2 with --fix --unsafe-fixes" in run.out
    assert file.read_text() == FAULTY
    run = designlint("check", file, "--fix", "--unsafe-fixes")
    assert run.code == 0
    assert f"fixed {file}: {TENSOR}: Set tensor to 8 [unsafe]" in run.out
    assert file.read_text() == MENDED
    again = designlint("check", file, "--fix", "--unsafe-fixes")
    assert "fixed " not in again.out
    assert file.read_text() == MENDED


@pytest.mark.parametrize("rules", [TENSOR, "parallelism", "parallelism/*", "storage,parallelism"])
def test_fixes_of_some_rules(tmp_path: Path, rules: str) -> None:
    file = written(tmp_path, FAULTY)
    designlint("check", f"--fix={rules}", file, "--unsafe-fixes")
    assert file.read_text() == FAULTY.replace("tensor: 16", "tensor: 8")


@pytest.mark.parametrize(
    ("word", "wrong", "right"),
    [
        ("facility: {utility_power: %s}", "2.4 megawatts", "2.4 MW"),
        ("facility: {utility_power: %s}", "900 KW", "900 kW"),
        ("facility: {utility_power: %s}", "900\u00a0kW", "900 kW"),
        ("storage: [{name: a, capacity: %s}]", "80 gigabytes", "80 GB"),
        ("fabrics: [{name: a, speed: %s}]", "400 GBit/s", "400 Gbit/s"),
    ],
)
def test_a_unit_spelled_otherwise_is_safe(tmp_path: Path, word: str, wrong: str, right: str) -> None:
    file = written(tmp_path, f"designlint: 1\n{word % wrong}\n")
    designlint("check", file, "--fix")
    assert file.read_text("utf-8") == f"designlint: 1\n{word % right}\n"


@pytest.mark.parametrize(
    ("word", "wrong", "right"),
    [
        ("facility: {utility_power: %s}", "900 mw", "900 MW"),
        ("facility: {utility_power: %s}", "900 kilowats", "900 kW"),
        ("fabrics: [{name: a, speed: %s}]", "50 GB/s", "400 Gbit/s"),
        ("fabrics: [{name: a, speed: %s}]", "400 GBPS", "400 Gbit/s"),
        ("fabrics: [{name: a, speed: %s}]", "400", "400 Gbit/s"),
        ("storage: [{name: a, capacity: %s}]", "80 gb", "80 GB"),
        ("storage: [{name: a, capacity: %s}]", "64 KB", "64 kB"),
        ("storage: [{name: a, capacity: %s}]", "'1,5 TB'", "1.5 TB"),
    ],
)
def test_a_unit_that_is_guessed_is_unsafe(tmp_path: Path, word: str, wrong: str, right: str) -> None:
    file = written(tmp_path, f"designlint: 1\n{word % wrong}\n")
    designlint("check", file, "--fix")
    assert file.read_text("utf-8") == f"designlint: 1\n{word % wrong}\n"
    designlint("check", file, "--fix", "--unsafe-fixes")
    assert right in file.read_text("utf-8")


def test_the_difference_is_shown_and_nothing_written(tmp_path: Path) -> None:
    file = written(tmp_path, FAULTY)
    run = designlint("check", "--diff", "--unsafe-fixes", file)
    assert run.code == 1
    assert run.err == "Would make 2 fixes.\n"
    assert file.read_text() == FAULTY
    subprocess.run(["patch", "-s", "-p0", str(file)], input=run.out.encode(), check=True)
    assert file.read_text() == MENDED
    assert designlint("check", "--diff", "--unsafe-fixes", file).code == 0
    assert designlint("check", "--diff", "--unsafe-fixes", file).err == "Nothing to fix.\n"


def test_the_difference_of_a_last_line_without_its_end(tmp_path: Path) -> None:
    file = written(tmp_path, FAULTY.rstrip("\n"))
    run = designlint("check", "--diff", "--unsafe-fixes", file)
    subprocess.run(["patch", "-s", "-p0", str(file)], input=run.out.encode(), check=True)
    assert file.read_text() == MENDED.rstrip("\n")


def test_a_person_decides_on_each_fix(tmp_path: Path) -> None:
    file = written(tmp_path, FAULTY)
    run = designlint("check", "--fix", "-i", file, stdin=b"what\nn\ny\n")
    assert run.err.count("[y]es") == 3  # the first answer was none
    assert "-      tensor: 16" in run.err
    assert file.read_text() == FAULTY.replace("uplinks_per_leaf: 16", "uplinks_per_leaf: 32")
    designlint("check", "--fix", "--interactive", file)  # the end of the input stops it
    assert file.read_text() != MENDED
    designlint("check", "--fix", "-i", file, stdin=b"a\n")
    assert file.read_text() == MENDED


def test_standard_input_comes_out_mended(tmp_path: Path) -> None:
    written(tmp_path, FAULTY, "here.yaml")
    run = designlint(
        "check", "-", "--stdin-filename", "here.yaml", "--fix", "--unsafe-fixes", stdin=FAULTY.encode(), cwd=tmp_path
    )
    assert run.code == 0
    assert run.out == MENDED
    assert (tmp_path / "here.yaml").read_text() == FAULTY
    run = designlint("check", "-", "--fix", "--unsafe-fixes", stdin=MENDED.encode())
    assert run.out == MENDED


@pytest.mark.parametrize("options", [["-i"], ["--unsafe-fixes"], ["--fix", "-", "x.yaml"]])
def test_what_makes_no_sense_is_refused(options: list[str]) -> None:
    assert designlint("check", *options, stdin=BAD).code == 2


def test_mode_links_line_ends_and_marks_stay(tmp_path: Path) -> None:
    text = "\ufeff" + FAULTY.replace("\n", "\r\n")
    file = written(tmp_path, text, "real/design.yaml")
    file.chmod(0o640)
    link = tmp_path / "link.yaml"
    link.symlink_to(file)
    designlint("check", link, "--fix", "--unsafe-fixes")
    assert link.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert file.read_bytes().decode() == "\ufeff" + MENDED.replace("\n", "\r\n")
    assert [one.name for one in file.parent.iterdir()] == ["design.yaml"]


def test_a_file_that_changed_meanwhile_is_left(tmp_path: Path) -> None:
    files = [written(tmp_path, FAULTY, name) for name in ("a.yaml", "b.yaml")]
    with subprocess.Popen(
        [sys.executable, "-m", "designlint", "check", "--fix", "-i", *map(str, files)],
        stdin=subprocess.PIPE, stderr=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT,
    ) as process:  # fmt: skip
        assert process.stdin
        assert process.stderr
        told = b""
        while not told.endswith(b"[q]uit? ") and process.poll() is None:
            told += process.stderr.read(1)
        files[1].write_text(FAULTY + "# mine\n")
        _, last = process.communicate(b"a\na\n", timeout=60)
    assert process.returncode == 2
    assert f"{files[1]} has changed since it was read; nothing was fixed" in last.decode()
    assert files[0].read_text() == FAULTY
    assert files[1].read_text() == FAULTY + "# mine\n"


def test_a_wrong_value_of_a_base_is_mended_there(tmp_path: Path) -> None:
    base = written(tmp_path, FAULTY, "base.yaml")
    site = written(tmp_path, "designlint: 1\nextends: base.yaml\nname: site\n", "site.yaml")
    before = site.read_text()
    found = designlint("check", site, "--format", "json").data["findings"]
    edits = {one["location"]["file"] for finding in found for fix in finding["fixes"] for one in fix["replacements"]}
    assert edits == {str(base)}
    designlint("check", site, "--fix", "--unsafe-fixes")
    assert base.read_text() == MENDED
    assert site.read_text() == before


def test_a_base_that_is_right_by_itself_is_laid_over(tmp_path: Path) -> None:
    base = written(tmp_path, FAULTY.replace("dgx-h100", "gb200-nvl72").replace("16}", "32}"), "base.yaml")
    site = written(
        tmp_path, "designlint: 1\nextends: base.yaml\nnodes:\n- name: train\n  model: dgx-h100\n", "site.yaml"
    )
    text = base.read_text()
    designlint("check", site, "--fix", "--unsafe-fixes")
    assert base.read_text() == text
    assert site.read_text().endswith("workloads: [{name: pretrain, parallelism: {tensor: 8}}]\n")
    assert f"[{TENSOR}]:" not in designlint("check", site).out


def test_a_base_stays_where_another_design_needs_it_so(tmp_path: Path) -> None:
    base = written(tmp_path, FAULTY.replace("dgx-h100, count: 4", "gb200-nvl72, count: 4"), "base.yaml")
    site = "designlint: 1\nextends: base.yaml\nnodes: [{name: train, model: dgx-h100}]\n"
    written(tmp_path, site, "site.yaml")
    designlint("check", tmp_path, "--fix=parallelism", "--unsafe-fixes")
    assert "tensor: 16" in base.read_text()
    assert "tensor: 8" in (tmp_path / "site.yaml").read_text()


def test_what_an_alias_shares_is_told(tmp_path: Path) -> None:
    text = FAULTY.replace("parallelism:\n      tensor: 16", "parallelism: &split {tensor: 16}")
    file = written(tmp_path, text + "  - name: tune\n    parallelism: *split\n")
    found = designlint("check", file, "--format", "json").data["findings"]
    fix = next(one for one in found if one["rule"] == TENSOR)["fixes"][0]
    assert "An alias also brings it to workloads/1/parallelism/tensor." in fix["because"]
    assert fix["resolves"] == 2
    designlint("check", file, "--fix", "--unsafe-fixes")
    assert "&split {tensor: 8}" in file.read_text()
    assert f"[{TENSOR}]:" not in designlint("check", file).out


def test_what_a_merge_key_brings_is_overridden(tmp_path: Path) -> None:
    text = FAULTY.replace("parallelism:\n      tensor: 16", "parallelism:\n      <<: *split\n      pipeline: 2")
    file = written(tmp_path, "designlint: 1\nname: &n x\nrisks: []\n" + text.removeprefix("designlint: 1\n"))
    file.write_text(file.read_text().replace("name: train", "name: train").replace("*split", "{tensor: 16}"))
    designlint("check", file, "--fix=parallelism", "--unsafe-fixes")
    assert "<<: {tensor: 16}\n      pipeline: 2\n      tensor: 8\n" in file.read_text()


def test_a_template_is_explained_not_touched(tmp_path: Path) -> None:
    file = written(
        tmp_path, FAULTY.replace("# half", "# half\n    description: ${NOTE}").replace("tensor: 16", "tensor: 16 ")
    )
    fixes = designlint("check", file, "--format", "json").data["findings"]
    assert all(fix["safety"] == "unsafe" for one in fixes for fix in one["fixes"])
    brackets = FAULTY.replace("{host_ports_per_leaf: 32, uplinks_per_leaf: 16}", "{\n    }")
    assert designlint("check", written(tmp_path, brackets)).code == 1


def test_what_is_waived_is_left_and_useless_waivers_go(tmp_path: Path) -> None:
    waived = FAULTY.replace("tensor: 16", f'tensor: 16  # designlint: ignore[{TENSOR}] reason="a trial"')
    file = written(
        tmp_path, waived.replace("# pools", "# pools\n# designlint: ignore[network/static-routing] reason=x")
    )
    run = designlint("check", file, "--fix")
    assert f"fixed {file}: waiver/unused: Remove the waiver of network/static-routing [safe]" in run.out
    assert file.read_text() == waived
    designlint("check", file, "--fix", "--unsafe-fixes")
    assert file.read_text() == waived.replace("uplinks_per_leaf: 16", "uplinks_per_leaf: 32")


def test_a_configuration_says_whose_fixes_are_offered_and_which_are_safe(tmp_path: Path) -> None:
    file = written(tmp_path, FAULTY)
    written(tmp_path, 'unfixable = ["network"]\nextend_safe_fixes = ["parallelism"]\n', "designlint.toml")
    found = designlint("check", file, "--format", "json").data["findings"]
    offered = {one["rule"]: [fix["safety"] for fix in one["fixes"]] for one in found}
    assert offered[TENSOR] == ["safe"]
    assert offered["network/leaf-oversubscribed"] == []
    designlint("check", file, "--fix")
    assert file.read_text() == FAULTY.replace("tensor: 16", "tensor: 8")


def test_what_was_fixed_is_in_the_report(tmp_path: Path) -> None:
    file = written(tmp_path, FAULTY)
    fixed = designlint("check", file, "--fix", "--unsafe-fixes", "--format", "json").data["fixed"]
    assert [one["rule"] for one in fixed] == [TENSOR, "network/leaf-oversubscribed"]
    assert fixed[0]["changes"] == [{"path": "workloads/pretrain/parallelism/tensor", "value": "8"}]


def test_a_fix_that_does_harm_is_not_offered(tmp_path: Path) -> None:
    """A tensor degree of 8 would not divide 12 heads: an error for an error is no fix."""
    file = written(
        tmp_path, FAULTY.replace("parallelism:\n", "model: {heads: 36}\n    parallelism:\n").replace("16\n", "12\n")
    )
    found = json.loads(designlint("check", file, "--format", "json").out)["findings"]
    tensor = next(one for one in found if one["rule"] == TENSOR)
    assert tensor["fixes"] == []


def test_fixes_that_undo_each_other_end(monkeypatch: pytest.MonkeyPatch) -> None:
    states = iter(range(100))
    monkeypatch.setattr(session, "_state", lambda design: next(states) % 2)
    done = session.apply_fixes(read_design(read_bytes(FAULTY.encode(), "d"), engine.shipped_engine()), lambda *_: True)
    assert done.undone
