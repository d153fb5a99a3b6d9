"""Equations in the vocabulary are calculations: of words alone, each with a place, and never beside a function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from designlint.compiler.equations import register_equations
from designlint.compiler.plan import compile_plan
from designlint.derivations.base import REGISTRY
from designlint.language.vocabulary import Vocabulary
from designlint.reading.errors import AuthoringError
from tests.running import designlint

if TYPE_CHECKING:
    from pathlib import Path

DESIGN = """\
designlint: 1
facility:
  generators: {count: 3, rating: 2 MW}
"""


@pytest.fixture(autouse=True)
def _registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a test registers is gone after it."""
    for key, one in REGISTRY.items():
        monkeypatch.setitem(REGISTRY, key, one)


def changed(compiled: dict[str, Any], cls: str, word: str, **stated: str) -> Vocabulary:
    """The vocabulary with one word stated otherwise."""
    classes = compiled["classes"]
    return Vocabulary(
        {**compiled, "classes": {**classes, cls: {**classes[cls], word: {**classes[cls][word], **stated}}}}
    )


@pytest.mark.parametrize(
    "equation",
    [
        "count *",
        "count ** rating",
        "count * rating if count else 0",
        "rating.real",
        "open(count)",
        "(lambda: count)()",
    ],
)
def test_an_equation_is_arithmetic_on_words(compiled: dict[str, Any], equation: str) -> None:
    with pytest.raises(AuthoringError, match=r"`whole_output` of Generators equals") as refused:
        register_equations(changed(compiled, "Generators", "whole_output", equals=equation))
    assert "make an equation" in refused.value.message


def test_a_word_with_a_function_has_no_equation(compiled: dict[str, Any]) -> None:
    with pytest.raises(AuthoringError, match="a function of its name calculates it as well"):
        register_equations(changed(compiled, "Generators", "lasting_output", equals="count * rating"))


def test_an_equation_names_words_that_there_are(compiled: dict[str, Any]) -> None:
    with pytest.raises(AuthoringError, match="Generators has no word `windmills`"):
        compile_plan(changed(compiled, "Generators", "whole_output", equals="windmills * rating"))


def test_why_shows_an_equation_and_what_it_reads(tmp_path: Path) -> None:
    (tmp_path / "design.yaml").write_text(DESIGN, "utf-8")
    said = designlint("why", "design.yaml", "facility/generators/whole_output", cwd=tmp_path).out
    assert "6 MW" in said
    assert "count * rating" in said
    assert "design.yaml:3" in said
