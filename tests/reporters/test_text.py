"""The report for people: its length, what options leave out, links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.running import BAD, ROOT, designlint

if TYPE_CHECKING:
    from pathlib import Path


def test_a_finding_takes_nine_lines_unless_all_is_asked_for() -> None:
    text = (ROOT / "examples/hawk-4096/design.yaml").read_bytes()
    blocks = designlint("check", "-", stdin=text).out.split("\n\n")[:-1]
    assert len(blocks) > 3
    assert max(len(block.splitlines()) for block in blocks) <= 9
    assert len(designlint("check", "-", "-v", stdin=text).out.splitlines()) > sum(map(len, map(str.splitlines, blocks)))


def test_quiet_and_least_severity_show_less_and_decide_the_same() -> None:
    text = (ROOT / "examples/hawk-4096/design.yaml").read_bytes()
    quiet = designlint("check", "-", "-q", "--min-severity", "error", stdin=text)
    assert (quiet.code, "warning[" in quiet.out, " checks: " in quiet.out) == (1, False, False)
    cut = designlint("check", "-", "--min-severity", "error", "--fail-on", "warning", stdin=text)
    assert (cut.code, " below --min-severity error not shown" in cut.out) == (1, True)


def test_rules_are_links_where_the_terminal_can_show_them() -> None:
    run = designlint("check", "-", "--color", "always", stdin=BAD, FORCE_HYPERLINK="1")
    assert "\x1b]8;;https://w3id.org/designlint/rules/parallelism/tensor-beyond-scale-up-domain\x1b\\" in run.out
    assert "\x1b" not in designlint("check", "-", "--color", "never", stdin=BAD, FORCE_COLOR="1").out


def test_a_fix_says_that_a_comment_beside_the_value_may_be_untrue() -> None:
    said = "The comment beside the value may no longer be true."
    assert said not in designlint("check", "-", stdin=BAD).out
    assert said in designlint("check", "-", stdin=BAD.replace(b"tensor: 16}", b"tensor: 16}  # over two servers")).out
    assert said in designlint("check", "-", stdin=BAD.replace(b"{tensor: 16}", b"\n      tensor: 16  # over two")).out


def test_evidence_from_another_file_is_named_with_that_file(tmp_path: Path) -> None:
    (tmp_path / "slurm.conf").write_text("\nNodeName=gpu[001-004] CPUs=112 Gres=gpu:h100:8\n")
    design = (
        "designlint: 1\nname: small\nnodes: [{from: slurm.conf}]\n"
        "workloads: [{name: a, kind: pretraining, parallelism: {tensor: 16, sequence_parallel: true}}]\n"
    )
    (tmp_path / "design.yaml").write_text(design)
    out = designlint("check", "design.yaml", "--select", "parallelism/tensor-beyond-server", cwd=tmp_path).out
    assert "gpus_per_server = 8" in out
    assert "(line 2)" not in out
    assert "slurm.conf:2" in out


def test_values_of_the_message_come_before_those_that_only_its_parts_read() -> None:
    text = (ROOT / "examples/hawk-4096/design.yaml").read_bytes()
    told = designlint("check", "-", "--select", "power/utility-exceeded", stdin=text).out.partition("because: ")[2]
    assert "least_it_power" in told.partition("and 3 more")[0]
