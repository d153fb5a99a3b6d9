"""The shared collection of real files: every one is read or refused, the values that are read are right, most are read."""

from __future__ import annotations

import pytest

from designlint.configuration import engine
from designlint.importers import writing
from designlint.linting.pipeline import lint
from designlint.reading import read_bytes
from tests.importers import shared

PATHS = sorted(shared.facts())
#: Share of the expected values that must be read; the others are listed by `python -m tests.importers.shared`.
LEAST = 0.95


def test_the_collection_is_there() -> None:
    if not PATHS:
        pytest.skip(f"the shared files were left out: {shared.VARIABLE} names no folder with facts.yaml")


@pytest.mark.parametrize("path", PATHS)
def test_a_file_is_read_or_refused_in_one_sentence(path: str) -> None:
    found = shared.imported(path)
    assert found.sources or all(one.line > 0 and one.why for one in found.refused)
    for account in found.accounts():
        assert account.lines == account.understood + account.immaterial + len(account.unclear)


def test_no_value_is_wrong_and_most_are_read() -> None:
    if not PATHS:
        pytest.skip("the shared files were left out")
    judged = shared.judged()
    wrong = {(one.path, one.fact) for one in judged if one.verdict == "wrong"}
    assert wrong <= shared.OTHERWISE
    right = sum(one.verdict == "right" for one in judged)
    assert right >= LEAST * len(judged), f"{right} of {len(judged)}"


@pytest.mark.parametrize("path", PATHS)
def test_what_a_file_gives_is_a_design_without_faults_of_shape(path: str) -> None:
    found = shared.imported(path)
    if not found.sources:
        return
    document = read_bytes(writing.text(found, "test").encode(), "imported.yaml")
    findings = lint(document, engine.shipped_engine(), repair=False).findings
    assert [one.message for one in findings if one.rule.startswith(("shape/", "syntax/"))] == []
