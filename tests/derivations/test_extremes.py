"""No stated number says how long a calculation takes: the lines it runs are counted, never the seconds."""

from __future__ import annotations

import random
import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.running import ROOT

from designlint.compiler.plan import register
from designlint.configuration import engine
from designlint.derivations.base import REGISTRY
from designlint.design.design import read_design
from designlint.reading import read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

#: Lines that the calculations of one design may run; the examples need some ten thousand.
MOST_LINES = 3_000_000
#: A prime, a number of many divisors, and the ends of what a file can state.
EXTREMES = (0, 1, 7, 8, 720_720, 1_000_000_007, 10**18, 2**63 - 1)
SEED = 20261122
CALLS = 60
EXAMPLES = ("hawk-4096", "moe-175b")
NUMBER = re.compile(r"(?<=: )(\d+(?:\.\d+)?)(?=[ ,}\]\n])")
#: What the search for spines and for a split read in one design.
NETWORK = """\
designlint: 1
nodes: [{name: train, model: dgx-h100, count: 64}]
fabrics:
  - name: compute
    purpose: compute
    speed: 400 Gbit/s
    topology:
      {kind: fat-tree, tiers: 2, leaves: 8, spines: 3, host_ports_per_leaf: 32, uplinks_per_leaf: 32, planes: 1,
       uplink_speed: 400 Gbit/s, switch: {ports: 64, port_speed: 400 Gbit/s}}
"""


class TooLongError(BaseException):
    """A calculation that runs on and on; no `except Exception` of the program under test stops it."""


@contextmanager
def counted(most: int = MOST_LINES) -> Iterator[None]:
    """Ends what runs more lines of calculations than that."""
    left = most

    def line(frame: FrameType, event: str, _: object) -> Callable[..., Any]:
        nonlocal left
        left -= 1
        if left < 0:
            raise TooLongError(f"{frame.f_code.co_filename}:{frame.f_lineno}")
        return line

    def called(frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
        return line(frame, event, argument) if "derivations" in frame.f_code.co_filename else None

    before = sys.gettrace()
    sys.settrace(called)
    try:
        yield
    finally:
        sys.settrace(before)


#: What the vocabulary lets no design state beyond.
LARGEST = {"tiers": 5}


def _argument(name: str, kind: str, chance: random.Random) -> object:
    if kind.endswith("| None") and chance.random() < 0.2:
        return None
    kind = kind.removesuffix(" | None")
    if kind.startswith("tuple"):
        return tuple(_argument(name, kind[6:].split(",")[0], chance) for _ in range(2))
    if kind == "Flag":
        return chance.random() < 0.5
    if kind == "Text":
        return chance.choice(("none", "selective", "full", "fat-tree", "pretraining", "leaf", "8 4 1 1 1 none true"))
    return min(chance.choice(EXTREMES), LARGEST.get(name, EXTREMES[-1]))


def test_no_calculation_loops_over_a_stated_number() -> None:
    register(engine.shipped_engine().vocabulary)
    chance = random.Random(SEED)
    for (cls, word), one in sorted(REGISTRY.items()):
        for _ in range(CALLS):
            arguments = [_argument(name, kind, chance) for name, kind in one.words]
            try:
                with counted():
                    one.call(*arguments)
            except TooLongError as error:
                pytest.fail(f"{cls}.{word}{tuple(arguments)}: {error}")
            except Exception:
                continue


@pytest.mark.parametrize("name", [*EXAMPLES, "network"])
def test_no_number_of_a_design_says_how_long_it_takes(name: str) -> None:
    text = NETWORK if name == "network" else (ROOT / "examples" / name / "design.yaml").read_text()
    places = list(NUMBER.finditer(text))
    assert len(places) > 5
    for place in places:
        changed = f"{text[: place.start()]}{10**18}{text[place.end() :]}"
        try:
            with counted():
                read_design(read_bytes(changed.encode(), "design.yaml"), engine.shipped_engine())
        except TooLongError as error:
            pytest.fail(f"{name}, at offset {place.start()}: {error}")
