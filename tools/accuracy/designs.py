"""The small design behind each point: published facts as YAML, changed word by word, read by designlint."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import yaml
from tests.corpus import convert

from designlint.configuration import engine
from designlint.linting import pipeline
from designlint.reading import read_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.design.design import Design
    from designlint.findings.model import Verdict

#: A design, or a part of one, as YAML holds it.
Tree: TypeAlias = dict[str, Any]


@cache
def published_designs() -> dict[str, convert.Case]:
    """The published runs and fabrics of `tests/corpus`, by id."""
    return {case.id: case for case in convert.designs()}


def parse_yaml(text: str) -> Any:
    """What a YAML text holds."""
    return yaml.load(text, Loader=yaml.CSafeLoader)


def base(entry: Mapping[str, Any]) -> Tree:
    """A named design of a file of points: written out there, or a row of `tests/corpus` with words changed."""
    if "case" not in entry:
        return {"designlint": 1, "name": "point", **entry}
    return change_words(parse_yaml(published_designs()[entry["case"]].yaml), entry.get("set", {}))


def change_words(design: Tree, words: Mapping[str, Any]) -> Tree:
    """The design with words set by their path; items of a list go by their name, None takes a word away."""
    design = deepcopy(design)
    for path, value in words.items():
        *parts, word = path.split("/")
        here: Any = design
        for step in parts:
            here = _below(here, step)
        if value is None:
            here.pop(word, None)
        else:
            here[word] = value
    return design


def _below(here: Any, step: str) -> Any:
    """One step down; a part that is missing is made."""
    if isinstance(here, list):
        return next(item for item in here if str(item.get("name", here.index(item))) == step)
    return here.setdefault(step, {})


def read(design: Tree) -> Design:
    """The design as designlint reads it, with all that follows from it. Raises ValueError."""
    found = pipeline.read_design(_document(design), engine.shipped_engine())
    if found.problems:
        raise ValueError(f"{design['name']}: {[(one.rule, one.values) for one in found.problems]}")
    return found


def verdicts(design: Tree, rules: list[str]) -> dict[Verdict, list[str]]:
    """What these rules say about the design: the rules by their answer."""
    result = pipeline.lint(_document(design), engine.shipped_engine(), repair=False)
    found: dict[Verdict, list[str]] = {}
    for one in result.outcomes:
        if one.rule in rules:
            found.setdefault(one.verdict, []).append(one.rule)
    return found


def _document(design: Tree) -> Any:
    return read_bytes(yaml.safe_dump(design, sort_keys=False).encode(), "point")


def fact(design: Design, path: str) -> tuple[float, str]:
    """A fact by its path, in the canonical unit, and its kind. Raises LookupError where designlint does not know it."""
    place, _, word = path.rpartition("/")
    subject = design.graph.subjects[place]
    if word not in subject.facts:
        raise LookupError(f"{path} is unknown")
    value = subject.facts[word]
    if isinstance(value, list):
        (value,) = set(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise LookupError(f"{path} is no quantity")
    return value, design.engine.vocabulary.classes[subject.cls][word].kind
