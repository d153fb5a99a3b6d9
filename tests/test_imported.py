"""Libraries that every run imports: what waits in them does what it would have done."""

from __future__ import annotations

import re
import sys

from designlint.cli.shared.imported import LatePattern, libraries


def test_an_expression_that_waits_matches_as_one_that_does_not() -> None:
    assert LatePattern(r"\d+").sub("n", "a12b3") == "anbn"
    assert LatePattern("a", re.IGNORECASE).fullmatch("A") is not None
    assert LatePattern("a").fullmatch("A") is None


def test_importing_leaves_python_as_it_was() -> None:
    kept = re.compile, sys.modules.get("typing_extensions")
    libraries()
    assert (re.compile, sys.modules.get("typing_extensions")) == kept
