"""Whatever a file holds, the answer is a located finding or a clear error: never a traceback, a hang or a crash."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.running import designlint

if TYPE_CHECKING:
    from pathlib import Path

FIRST = b"designlint: 1\n"
NOISE = random.Random(7).randbytes(10_000_000)
BOMB = (
    FIRST
    + b"a: &a [x,x,x,x,x,x,x,x,x]\n"
    + b"".join(
        b"%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n" % (one, one, *[one - 1] * 9)
        for one in range(ord("b"), ord("k"))
    )
)

#: What is wrong -> bytes, the rule that says so, the line it points at.
CASES: dict[str, tuple[bytes, str, int]] = {
    "empty file": (b"", "syntax/empty", 1),
    "comments only": (b"# designlint: 1\n", "syntax/empty", 1),
    "not YAML": (FIRST + b"nodes: [a\n", "syntax/not-yaml", 3),
    "a list at the top": (b"- designlint: 1\n", "shape/not-a-design", 1),
    "a scalar at the top": (b"designlint\n", "shape/not-a-design", 1),
    "no version": (b"name: hawk\n", "shape/not-a-design", 1),
    "a version to come": (b"designlint: 2\n", "shape/not-allowed-value", 1),
    "duplicate keys": (FIRST + b"name: a\nname: b\n", "syntax/duplicate-key", 3),
    "tabs": (FIRST + b"nodes:\n\t- name: a\n", "syntax/not-yaml", 3),
    "BOM": (b"\xef\xbb\xbf" + FIRST + b"nam: a\n", "shape/unknown-word", 2),
    "CRLF": (b"designlint: 1\r\nnam: a\r\n", "shape/unknown-word", 2),
    "Latin-1": (FIRST + b"name: Z\xfcrich\n", "syntax/not-utf8", 2),
    "UTF-16": ("designlint: 1\n".encode("utf-16"), "syntax/not-utf8", 1),
    "NUL": (FIRST + b"name: a\0b\n", "syntax/not-utf8", 2),
    "100,000 brackets": (FIRST + b"name: " + b"[" * 100_000, "syntax/too-deep", 2),
    "100,000 block maps": (FIRST + b"\n".join(b" " * n + b"a:" for n in range(1500)), "syntax/too-deep", 102),
    "alias bomb": (BOMB, "syntax/too-large", 7),
    "10 MB of noise": (NOISE, "syntax/too-large", 1),
    "Python object": (FIRST + b"name: !!python/object/apply:os.system [ls]\n", "syntax/unsupported-tag", 2),
    "unknown key": (FIRST + b"workload: []\n", "shape/unknown-word", 2),
    "wrong type": (FIRST + b"nodes: 7\n", "shape/wrong-type", 2),
    "mapping for a number": (FIRST + b"nodes:\n  - name: a\n    count: {x: 1}\n", "shape/wrong-type", 4),
    "negative": (FIRST + b"nodes: [{name: a, count: -1}]\n", "shape/out-of-range", 2),
    "beyond any number": (FIRST + b"nodes: [{name: a, count: 1e400}]\n", "shape/out-of-range", 2),
    "a hundred digits": (FIRST + b"nodes: [{name: a, count: " + b"9" * 100 + b"}]\n", "shape/out-of-range", 2),
    "not a number": (FIRST + b"nodes: [{name: a, count: .nan}]\n", "shape/out-of-range", 2),
    "no unit": (FIRST + b"nodes: [{name: a, power: 10}]\n", "shape/missing-unit", 2),
    "wrong unit": (FIRST + b"nodes: [{name: a, power: 10 kWh}]\n", "shape/wrong-unit", 2),
    "unknown GPU": (FIRST + b"nodes: [{name: a, gpu: h9000}]\n", "shape/not-in-catalog", 2),
    "unknown server": (FIRST + b"nodes: [{name: a, model: dgx-9}]\n", "shape/not-in-catalog", 2),
    "unknown pool": (
        FIRST + b"workloads: [{name: w, runs_on: {nodes: a}}]\nnodes: [{name: b}]\n",
        "shape/unknown-reference",
        2,
    ),
    "Jinja": (FIRST + b"name: {{ name }}\n", "syntax/template", 2),
    "Helm": (FIRST + b"{{- if .Values.big }}\nname: a\n{{- end }}\n", "syntax/template", 2),
    "two documents": (FIRST + b"---\n" + FIRST, "syntax/several-documents", 2),
    "a list as a key": (FIRST + b"? [a]\n: b\n", "syntax/unsupported-key", 2),
    "undefined alias": (FIRST + b"name: *a\n", "syntax/undefined-alias", 2),
}


@pytest.mark.parametrize("case", CASES)
def test_the_answer_is_a_located_finding(case: str, tmp_path: Path) -> None:
    data, rule, line = CASES[case]
    file = tmp_path / "design.yaml"
    file.write_bytes(data)
    run = designlint("check", file, "--format", "json")
    assert run.code == 1, run.err
    found = [(one["rule"], one["location"]["line"]) for one in run.data["findings"]]
    assert (rule, line) in found


@pytest.mark.parametrize(
    "case", ["alias bomb", "10 MB of noise", "100,000 brackets", "Latin-1", "empty file", "BOM", "CRLF"]
)
def test_the_text_report_shows_the_place(case: str, tmp_path: Path) -> None:
    data, rule, line = CASES[case]
    (tmp_path / "design.yaml").write_bytes(data)
    run = designlint("check", "design.yaml", cwd=tmp_path)
    assert run.code == 1
    assert f"[{rule}]" in run.out
    assert f"design.yaml:{line}:" in run.out
    assert len(run.out) < 20_000


@pytest.mark.parametrize(
    ("text", "proposal"),
    [
        ("nodes: [{name: a, cuont: 1}]", "count"),
        ("nodes: [{name: a, gpu: h100-sxm-80g}]", "h100-sxm-80gb"),
        ("fabrics: [{name: a, speed: 400}]", "400 Gbit/s"),
        ("fabrics: [{name: a, speed: 50 GB/s}]", "400 Gbit/s"),
        ("nodes: [{name: a, power: 10 kw}]", "10 kW"),
        ("nodes: [{name: train}]\nworkloads: [{name: w, runs_on: {nodes: trian}}]", "train"),
        ("scheduler: {kind: Slurm}", "slurm"),
        ("scheduler: {gang_scheduling: on}", "true"),
    ],
)
def test_the_right_spelling_is_proposed(text: str, proposal: str) -> None:
    run = designlint("check", "-", "--format", "json", stdin=FIRST + text.encode())
    assert [one["values"]["proposal"]["text"] for one in run.data["findings"] if "proposal" in one["values"]] == [
        proposal
    ]
    assert f"`{proposal}`" in run.data["findings"][0]["remedy"]


def test_a_single_allowed_value_is_no_list() -> None:
    run = designlint("check", "-", stdin=b"designlint: 2\nname: hawk\n")
    assert "`designlint` is 2, not 1\n" in run.out
    assert "Write 1.\n" in run.out


def test_what_stands_above_a_syntax_error_is_checked() -> None:
    text = FIRST + b"fabrics: [{name: a, speed: 400}]\nnodes: [\n"
    found = [one["rule"] for one in designlint("check", "-", "--format", "json", stdin=text).data["findings"]]
    assert "shape/missing-unit" in found
    assert "syntax/not-yaml" in found


def test_text_that_would_steer_a_terminal_is_shown_harmless() -> None:
    text = FIRST + b'"\\e[31mred\\u202e": 1\n'
    run = designlint("check", "-", stdin=text)
    assert "\x1b" not in run.out
    assert "\u202e" not in run.out
    assert "\\u001b[31mred" in run.out


def test_where_nothing_was_checked_no_checks_are_counted() -> None:
    run = designlint("check", "-", stdin=FIRST + b"\0" * 9)
    assert run.code == 1
    assert " checks" not in run.out


def test_a_flood_of_faults_is_cut_off(tmp_path: Path) -> None:
    (tmp_path / "design.yaml").write_bytes(FIRST + b"name: a\n" * 20_000)
    run = designlint("check", "design.yaml", cwd=tmp_path)
    assert run.code == 1
    assert run.out.count("syntax/duplicate-key") <= 500
    assert "syntax/too-large" in run.out


def test_a_run_without_standard_error_answers_as_ever(tmp_path: Path) -> None:
    (tmp_path / "design.yaml").write_bytes(FIRST)
    command = [sys.executable, "-m", "designlint", "check", "design.yaml", "--no-cache"]
    done = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, preexec_fn=lambda: os.close(2), check=False)
    assert (done.returncode, done.stdout.startswith(b"No findings in 1 design")) == (0, True)
