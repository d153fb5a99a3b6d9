"""A word of a class has one calculation."""

from __future__ import annotations

import pytest

from designlint.derivations import cabling
from designlint.derivations.base import REGISTRY, derivation


def test_a_word_calculated_in_two_modules_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def switch_count(leaves: int) -> int:
        return leaves

    first = REGISTRY["Topology", "switch_count"]
    monkeypatch.setitem(REGISTRY, ("Topology", "switch_count"), first)
    with pytest.raises(ValueError, match=r"switch_count is calculated twice: also in designlint\.derivations\.cabling"):
        derivation(of="Topology")(switch_count)
    assert first.function is cabling.switch_count
