"""Mappings where a list belongs: each entry becomes a part with its key as its name, or the whole becomes the one part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from designlint.configuration import engine
from designlint.linting import pipeline
from designlint.reading import read_bytes, read_file
from designlint.reading.edits import Edit, EditRefused, apply
from designlint.reading.stretches import join_stretches, stretches

from .running import designlint

if TYPE_CHECKING:
    from pathlib import Path

#: Each with the value of the edit, which names the one part, and what is to be read afterwards.
LISTED = {
    "entries in lines": (None, "a:\n  x:\n    k: 1\n  y:\n    k: 2\n", "a:\n  - name: x\n    k: 1\n  - name: y\n    k: 2\n"),
    "entries four columns deeper": (None, "a:\n    x:\n        k: 1\n", "a:\n    -   name: x\n        k: 1\n"),
    "entries with comments": (
        None, "a:\n  # all\n  x: # first\n    k: 1 # one\nb: 2\n", "a:\n  # all\n  - name: x # first\n    k: 1 # one\nb: 2\n",
    ),
    "entries in braces": (None, "a:\n  x: {k: 1}\n  y: {}\n", "a:\n  - {name: x, k: 1}\n  - {name: y}\n"),
    "all in braces": (None, "a: {x: {k: 1}, y: {k: 2}}\n", "a: [{name: x, k: 1}, {name: y, k: 2}]\n"),
    "an entry without a value": (None, "a:\n  x:\n  y:\n    k: 2\n", "a:\n  - name: x\n  - name: y\n    k: 2\n"),
    "a key that needs quotes": (None, 'a:\n  "1":\n    k: 1\n', 'a:\n  - name: "1"\n    k: 1\n'),
    "one part in lines": ("x", "a:\n  k: 1 # one\n  l:\n    - 3\nb: 2\n", "a:\n- name: x\n  k: 1 # one\n  l:\n    - 3\nb: 2\n"),
    "one part in braces": ("x", "a: {k: 1}\n", "a: [{name: x, k: 1}]\n"),
    "one part that has a name": ("x", "a:\n  name: x\n  k: 1\n", "a:\n- name: x\n  k: 1\n"),
    "Windows line ends": ("x", "a:\r\n  k: 1\r\n", "a:\r\n- name: x\r\n  k: 1\r\n"),
}  # fmt: skip
REFUSED = {
    "an anchor": (None, "a:\n  x: &one\n    k: 1\n"),
    "an alias": (None, "b: &one {k: 1}\na:\n  x: *one\n"),
    "a merge key": (None, "b: &one {x: {k: 1}}\na:\n  <<: *one\n  y: {k: 2}\n"),
    "too little room": ("x", "a:\n k: 1\n"),
    "entries that are no parts": (None, "a:\n  x: 1\n"),
    "entries with names of their own": (None, "a:\n  x: {name: y}\n"),
    "a template": ("x", "a:\n  k: '{{ k }}'\n"),
    "a list": ("x", "a: [1]\n"),
    "nothing there": ("x", "b: 1\n"),
}


@pytest.mark.parametrize("what", LISTED)
def test_a_mapping_becomes_a_list(what: str) -> None:
    name, text, listed = LISTED[what]
    assert apply(read_bytes(text.encode(), "design.yaml"), [Edit("list", ("a",), name, key="name")]) == listed


@pytest.mark.parametrize("what", REFUSED)
def test_a_mapping_that_would_lose_something_stays(what: str) -> None:
    name, text = REFUSED[what]
    with pytest.raises(EditRefused):
        apply(read_bytes(text.encode(), "design.yaml"), [Edit("list", ("a",), name, key="name")])


def test_a_design_of_mappings_is_put_right_in_one_run(tmp_path: Path) -> None:
    file = tmp_path / "design.yaml"
    file.write_text(
        "designlint: 1\nnetwork:\n  compute:\n    type: infiniband ndr\n    topology: fat-tree\n    leaf_switches: 4\n"
        "storage:\n  type: lustre\n  capacity: 10 PB\nscheduler: slurm\ntraining:\n  model: llama-3-70b\n  tp: 8\n  tokens: 15T\n"
        "power:\n  pue: 1.3\n  utility: 2 MW\ncooling: air\n"
    )
    designlint("check", file, "--fix", "--unsafe-fixes", "--select", "shape")
    assert file.read_text() == (
        "designlint: 1\nfabrics:\n  - name: compute\n    technology: infiniband-ndr\n    topology: {kind: fat-tree, leaves: 4}\n"
        "storage:\n- name: storage\n  kind: lustre\n  capacity: 10 PB\nscheduler: {kind: slurm}\nworkloads:\n- name: workload\n"
        "  model: llama-3-70b\n  parallelism:\n    tensor: 8\n  data:\n    tokens: 15T\n"
        "facility:\n  utility_power: 2 MW\n  cooling:\n    pue: 1.3\n    method: air\n"
    )


def test_a_word_goes_beside_a_name_of_the_catalogue_alone(tmp_path: Path) -> None:
    """`fat-tree` is no name of a part; a `model` beside it would be a word that nobody wrote."""
    file = tmp_path / "design.yaml"
    file.write_text("designlint: 1\nfabrics:\n  - name: a\n    topology: fat-tree\n    leaf_switches: 4\n")
    data = designlint("check", file, "--format=json").data
    assert not any("model" in fix["changes"][0]["value"] for one in data["findings"] for fix in one["fixes"])


@pytest.mark.parametrize("more", ["", "last: 1\n"])
def test_what_becomes_of_many_lines_is_found_line_by_line(more: str) -> None:
    """Comparing each of many equal lines with each would take minutes."""
    before = "".join(f"  f{number}:\n    k: 1\n" for number in range(600))
    after = before.replace("  f7:", "  - name: f7") + more
    found = stretches(before, after)
    assert join_stretches(before, found) == after
    assert more or found == [(before.index("f7:"), before.index("f7:") + 3, "- name: f7")]


def test_a_mapping_becomes_the_one_item_of_a_list_without_a_name() -> None:
    for text, listed in (("a:\n  k: 1\n", "a:\n- k: 1\n"), ("a: {k: 1}\n", "a: [{k: 1}]\n")):
        assert apply(read_bytes(text.encode(), "design.yaml"), [Edit("list", ("a",))]) == listed


def test_an_entry_is_written_before_all_others() -> None:
    for text, begun in (
        ("# cluster\n\nname: x\nb: 1\n", "# cluster\n\ndesignlint: 1\nname: x\nb: 1\n"),
        ("{name: x}\n", "{designlint: 1, name: x}\n"),
    ):
        edit = Edit("begin", (), "1", key="designlint")
        assert apply(read_bytes(text.encode(), "design.yaml"), [edit]) == begun


def test_parts_without_names_beside_other_faults_are_put_right_in_one_run(tmp_path: Path) -> None:
    file = tmp_path / "design.yaml"
    file.write_text(
        "# ours\nnodes:\n  - {model: dgx-h100, cuont: 4, networks: {compute: {ports: 8, speed: 400 Gbit/s}}}\n"
        "fabrics:\n  - {purpose: compute, spead: 400 Gbit/s}\nprocurement:\n  orders: {dgx-h100: {quantity: 4}}\n"
    )
    faults = pipeline.lint(read_file(file), engine.shipped_engine()).findings
    assert [one.rule for one in faults if one.rule.startswith("shape/") and (one.caused_by or not one.fixes)] == []
    designlint("check", file, "--fix", "--unsafe-fixes", "--select", "shape")
    assert file.read_text() == (
        "# ours\ndesignlint: 1\nnodes:\n"
        "  - {model: dgx-h100, count: 4, networks: [{fabric: compute, ports: 8, speed: 400 Gbit/s}], name: node}\n"
        "fabrics:\n  - {purpose: compute, speed: 400 Gbit/s, name: compute}\n"
        "procurement:\n  orders: [{item: dgx-h100, quantity: 4}]\n"
    )
