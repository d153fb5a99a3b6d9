"""What calculations read, as functions in Python: against the plan's own account of what each step reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from designlint.configuration import engine
from designlint.expressions import python
from designlint.graph import readers
from designlint.graph.subjects import Subject
from designlint.linting.pipeline import load

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*/design.yaml"))
STEP = {"params": [[["a"], "one"], [["part", "b"], "optional"], [["d"], "all"], [["part", "c"], "optional"]]}


def reader(step: dict[str, Any]) -> Any:
    return python.execute(lambda name: readers.write_reader(step, name), readers.NAMES)


def subject(**facts: Any) -> Subject:
    made = Subject("here", "Workload", None, None)
    made.facts |= facts
    return made


def test_the_arguments_stand_in_their_order_each_with_its_place() -> None:
    part = subject(b=2)
    whole = subject(a=1, d=[3, 4], part=part)
    assert reader(STEP)(whole) == ((1, 2, (3, 4), None), [(whole, "a"), (part, "b"), (whole, "d")])


def test_without_a_needed_word_there_is_nothing() -> None:
    assert reader(STEP)(subject(d=[3])) is None
    assert reader(STEP)(subject(a=1)) is None


def test_a_part_that_is_missing_leaves_only_what_is_optional_out() -> None:
    whole = subject(a=1, d=3)
    assert reader(STEP)(whole) == ((1, None, (3,), None), [(whole, "a"), (whole, "d")])
    assert reader({"params": [[["part", "b"], "one"], [["part", "c"], "optional"]]})(whole) is None


def test_a_word_that_may_stand_in_an_unreadable_place_is_not_left_out() -> None:
    part = subject()
    part.unread = frozenset({"c"})
    assert reader(STEP)(subject(a=1, d=3, part=part)) is None


@pytest.mark.parametrize("design", EXAMPLES, ids=lambda one: one.parent.name)
def test_what_a_calculation_says_it_read_is_what_the_plan_says(design: Path) -> None:
    plan, read = engine.shipped_engine().plan, 0
    for one in load(str(design)).graph.subjects.values():
        for word, origin in one.origins.items():
            if origin.how == "derived":
                known = [(end, last) for end, last in plan.reads(origin.step, one) if last in end.facts]
                assert list(origin.inputs) == known, (one.path, word)
                read += 1
    assert read
