"""What a stranger is told about the house holds: every room says what comes in, what goes out and what it must not know."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from designlint.configuration import engine
from designlint.language import purposes, tiers
from tests.running import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = ROOT / "src" / "designlint"
ROOMS = sorted(path.parent for path in PACKAGE.glob("*/__init__.py"))


def described(text: str) -> list[str]:
    """The rooms that a page or a contract names."""
    return re.findall(r"designlint\.(\w+)", text)


@pytest.mark.parametrize(
    "room", [*ROOMS, *sorted((PACKAGE / "derivations").glob("[a-z]*/"))], ids=lambda room: room.name
)
def test_a_room_says_what_comes_in_goes_out_and_stays_unknown(room: Path) -> None:
    said = ast.get_docstring(ast.parse((room / "__init__.py").read_text("utf-8"))) or ""
    assert re.search(r"^In(:| comes?) ", said, re.M), said
    assert re.search(r"\b[Oo]ut(:| comes?| go)", said), said
    assert re.search(r"\bknows?\b", said), said


def test_contract_and_architecture_name_every_room_once() -> None:
    layers = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"][0][
        "layers"
    ]
    names = [name for layer in layers for name in described(layer)]
    assert sorted(names) == [room.name for room in ROOMS]
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8").partition("## The rooms")[2].partition("\n## ")[0]
    rows = [line.split("|") for line in page.splitlines() if re.match(r"\| \d", line)]
    floors = {name: int(row[1]) for row in rows for name in re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", row[2]))}
    assert floors == {name: len(layers) - at for at, layer in enumerate(layers) for name in described(layer)}
    assert len(layers) <= 12


def test_names_are_nouns_and_verbs_of_the_field_and_mean_one_thing() -> None:
    trees = {path: ast.parse(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")}
    nodes = [(path, node) for path, tree in trees.items() for node in ast.walk(tree)]
    classes = Counter(node.name for _, node in nodes if isinstance(node, ast.ClassDef) and node.name[0] != "_")
    assert [name for name, count in classes.items() if count > 1] == []
    vague = {"told", "tell", "one", "sought", "mended"}
    functions = [(path.name, node.name) for path, node in nodes if isinstance(node, ast.FunctionDef)]
    assert [one for one in functions if one[1].strip("_") in vague] == []


def test_functions_are_named_by_verbs_or_nouns_not_by_participles() -> None:
    """Properties are values, calculations are called like the words that they write, and closures are of one place."""
    irregular = "written made found known seen given held shown left drawn laid meant sent said built bound"
    participle = re.compile(rf"_*(?!speed$)(?:{irregular.replace(' ', '|')}|[a-z]+ed)")
    found = []
    for path in PACKAGE.rglob("*.py"):
        body = ast.parse(path.read_text("utf-8")).body
        within = [one for node in body if isinstance(node, ast.ClassDef) for one in node.body]
        named = [one for one in (*body, *within) if isinstance(one, ast.FunctionDef) and not one.decorator_list]
        found += [f"{path.name}:{one.name}" for one in named if participle.fullmatch(one.name)]
    assert found == []


def test_no_value_at_the_top_of_a_module_is_replaced_below() -> None:
    found = []
    for path in PACKAGE.rglob("*.py"):
        body = ast.parse(path.read_text("utf-8")).body
        targets = [target for node in body if isinstance(node, ast.Assign) for target in node.targets]
        names = Counter(one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))
        found += [f"{path.name}:{name}" for name, count in names.items() if count > 1]
    assert found == []


def test_purposes_and_tiers_are_those_of_the_language() -> None:
    words = engine.shipped_engine().vocabulary.classes
    assert words["Fabric"]["purpose"].allowed is not None
    assert set(words["Fabric"]["purpose"].allowed) == purposes.TRAINING | purposes.STORAGE | purposes.MANAGEMENT
    assert list(tiers.TIERS) == words["SwitchInstance"]["role"].allowed
