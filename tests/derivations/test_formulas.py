"""Quoted formulas can be read by themselves, and say what the functions compute."""

from __future__ import annotations

import ast
import builtins
import itertools
import math
import random
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from designlint.compiler import formulas
from designlint.compiler.plan import register
from designlint.configuration import engine
from designlint.derivations.base import REGISTRY, Derivation

if TYPE_CHECKING:
    from collections.abc import Iterator

VOCABULARY = engine.shipped_engine().vocabulary
register(VOCABULARY)
NAMES = {name: value for name, value in vars(math).items() if name[0] != "_"}
NAMES |= {"Counter": Counter, "count": itertools.count}
LINE = re.compile(r"(?P<target>.+?)(?P<parameters>\([^()]*\))? (?P<how>=|is) (?P<text>.+)", re.DOTALL)
#: Formulas of so few words are evaluated on so many random values.
TRIES = 30


def parts(formula: str) -> tuple[str, list[tuple[str, str]], list[tuple[str, str, str, str]]]:
    """The expression, other cases as value and condition, and what names stand for."""
    first, *rest = formula.split("\n")
    cases = [tuple(line.removeprefix("but ").rsplit(" if ", 1)) for line in rest if line.startswith("but ")]
    found = [LINE.fullmatch(line.removeprefix("where ")) for line in rest if line.startswith("where ")]
    assert all(found), formula
    where = [(one["target"], one["parameters"] or "", one["how"], one["text"]) for one in found if one]
    return first, [(case[0], case[1]) for case in cases], where


def names(text: str) -> set[str]:
    """The names that an expression reads from outside itself."""
    nodes = list(ast.walk(ast.parse(text, mode="eval")))
    bound = {one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    bound |= {one.arg for one in nodes if isinstance(one, ast.arg)}
    return {one.id for one in nodes if isinstance(one, ast.Name)} - bound


def unexplained(one: Derivation) -> Iterator[str]:
    """Names in the formula of a calculation that are neither words, nor explained, nor Python's."""
    first, cases, where = parts(formulas.of(one))
    explained = {name.strip(" ()") for target, *_ in where for name in target.split(",")}
    explained |= {word for word, _ in one.words} | NAMES.keys() | set(dir(builtins))
    texts = [(first, set[str]())] + [(text, set()) for case in cases for text in case]
    texts += [(text, {*re.findall(r"\w+(?=[,)=])", inner)}) for _, inner, how, text in where if how == "="]
    for text, inner in texts:
        yield from names(text) - explained - inner


def in_words(one: Derivation) -> bool:
    """Whether the formula says in words what is computed step by step."""
    return not one.text and formulas.of(one) == formulas.words(one.function)


def test_formulas_leave_no_name_unexplained() -> None:
    told = {f"{of}.{word}": one for (of, word), one in REGISTRY.items() if not in_words(one)}
    assert {word: found for word, one in told.items() if (found := list(unexplained(one)))} == {}
    assert len(told) > 0.95 * len(REGISTRY)


def value(kind: str, word: str, owner: str, chance: random.Random) -> Any:
    """A random value of a word."""
    if kind.startswith("tuple["):
        inner = kind.removeprefix("tuple[").removesuffix(", ...]")
        return tuple(value(inner, word, owner, chance) for _ in range(3))
    if kind.endswith(" | None"):
        return None if chance.random() < 0.2 else value(kind.removesuffix(" | None"), word, owner, chance)
    if kind == "Flag":
        return chance.random() < 0.5
    if kind == "Text":
        path = VOCABULARY.path(owner, word)
        allowed = VOCABULARY.word(owner, path).allowed if path else None
        return str(chance.choice(allowed)) if allowed else chance.choice(["a", "b"])
    return chance.randint(1, 40) if kind == "Count" else chance.uniform(0.1, 50)


def evaluated(formula: str, values: dict[str, Any]) -> Any:
    """What a formula says for these values."""
    first, cases, where = parts(formula)
    own = {name for target, *_ in where for name in re.findall(r"\w+", target)}
    known = {name: one for name, one in NAMES.items() if name not in own}
    space: dict[str, Any] = {**known, **values, "__builtins__": builtins}
    waiting = [one for one in where if one[2] == "="]
    while waiting:
        later = []
        for target, parameters, how, text in waiting:
            try:
                if parameters:
                    space[target] = eval(f"lambda {parameters[1:-1]}: {text}", space)
                else:
                    exec(f"{target} = {text}", space)
            except NameError:
                later.append((target, parameters, how, text))
            except (ArithmeticError, TypeError):  # not needed in this case, or the formula fails below
                space |= dict.fromkeys(re.findall(r"\w+", target))
        if len(later) == len(waiting):
            break
        waiting = later
    case = next((told for told, condition in cases if eval(condition, space)), first)
    return eval(case, space)


def computed(one: Derivation) -> bool:
    """Whether no part of the formula is in words."""
    return not in_words(one) and "is" not in {how for *_, how, _ in parts(formulas.of(one))[2]}


def compared(one: Derivation) -> int:
    """On how many random values the formula says what the function computes; fails where it says anything else."""
    chance, formula, call, count = random.Random(7), formulas.of(one), one.call, 0
    for _ in range(TRIES * 20):
        values = {word: value(kind, word, one.of, chance) for word, kind in one.words}
        try:
            wanted = call(*values.values())
        except (ArithmeticError, ValueError, KeyError, TypeError, IndexError, StopIteration):
            continue
        if wanted is not None:
            assert evaluated(formula, values) == pytest.approx(wanted), (one.function.__name__, formula, values)
            count += 1
        if count == TRIES:
            break
    return count


def test_formulas_say_what_the_functions_compute() -> None:
    told = [one for one in REGISTRY.values() if computed(one)]
    assert len(told) > 0.75 * len(REGISTRY)
    rare = [one.function.__name__ for one in told if not compared(one)]  # hardly any random values have a result
    assert len(rare) < 0.1 * len(told), rare


def test_a_formula_shows_locals_cases_and_functions() -> None:
    def area(width: int, height: int | None) -> int | None:
        """Area. [1]"""
        if height == 0:
            return 0
        if height is None:
            return None
        half = width / 2
        return int(half * twice(height))

    area.__globals__["twice"] = twice
    one = Derivation("Workload", area, (), ())
    assert formulas.of(one).splitlines() == [
        "int(half * twice(height))",
        "but 0 if height == 0",
        "where half = width / 2",
        "where twice(one) = one * FACTOR",
        "where FACTOR = 2",
    ]


FACTOR = 2


def twice(one: int) -> int:
    """Twice a number."""
    return one * FACTOR


def test_what_is_computed_step_by_step_is_said_in_words() -> None:
    def steps(width: int) -> int:
        """Sum of the numbers below a width. [1]"""
        total = 0
        for one in range(width):
            total += one
        return total

    assert formulas.of(Derivation("Workload", steps, (), ())) == "sum of the numbers below a width"
    assert formulas.of(Derivation("Workload", steps, (), (), "width * (width - 1) / 2")) == "width * (width - 1) / 2"


def test_no_formula_is_nothing_but_a_name_that_a_further_line_explains() -> None:
    found = {f"{of}.{word}": parts(formulas.of(one)) for (of, word), one in REGISTRY.items()}
    assert [word for word, (first, _, where) in found.items() if first in {target for target, *_ in where}] == []
