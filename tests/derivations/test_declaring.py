"""A word of a class has one calculation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec import Struct

from designlint.derivations.base import REGISTRY, Derivation, derivation
from designlint.derivations.network import cabling

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Count


def test_a_word_calculated_in_two_modules_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def switch_count(leaves: int) -> int:
        return leaves

    first = REGISTRY["Topology", "switch_count"]
    monkeypatch.setitem(REGISTRY, ("Topology", "switch_count"), first)
    with pytest.raises(
        ValueError, match=r"switch_count is calculated twice: also in designlint\.derivations\.network\.cabling"
    ):
        derivation(of="Topology")(switch_count)
    assert first.function is cabling.switch_count


class Job(Struct, frozen=True):
    gpus: Count
    tensor: Count | None


def test_a_group_of_words_is_read_word_by_word() -> None:
    def shares(kind: Text, job: Job, layers: Count) -> Text:
        return f"{kind} {job.gpus} {job.tensor} {layers}"

    one = Derivation("Workload", shares, (), (Job,))
    assert one.words == [("kind", "Text"), ("gpus", "Count"), ("tensor", "Count | None"), ("layers", "Count")]
    assert one.call("pretraining", 8, None, 2) == "pretraining 8 None 2"


def test_a_word_is_read_once_by_itself_or_in_one_group() -> None:
    def shares(job: Job, gpus: Count) -> Count:
        return job.gpus + gpus

    with pytest.raises(ValueError, match="shares reads a word twice"):
        _ = Derivation("Workload", shares, (), (Job,)).words
