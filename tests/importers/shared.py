"""The shared collection of real public files, where it exists, and what must be read from each of them."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from designlint.configuration import engine
from designlint.importers import Imported, import_files
from tests.importers.expected import COMPUTED, plain, told, values
from tests.importers.expected_words import WORDS

#: Where the files lie: a folder with facts.yaml. They are not part of the repository.
VARIABLE = "DESIGNLINT_SHARED_INPUTS"


@cache
def folder() -> Path | None:
    """The folder of the files; None where it is not there."""
    stated = os.environ.get(VARIABLE, "")
    found = Path(stated) if stated else Path(__file__).resolve().parents[1].parent / "shared" / "inputs"
    for place in (found, *(above / "shared" / "inputs" for above in Path(__file__).resolve().parents)):
        if (place / "facts.yaml").is_file():
            return place
    return None


@cache
def facts() -> dict[str, dict[str, Any]]:
    """What must be read, by path."""
    here = folder()
    found: dict[str, dict[str, Any]] = (
        yaml.load((here / "facts.yaml").read_text("utf-8"), yaml.CSafeLoader) if here else {}
    )
    return found


@cache
def imported(path: str) -> Imported:
    """One of the files as the importers read it."""
    here = folder()
    assert here is not None
    return import_files([here / path], catalogued=engine.shipped_engine().vocabulary.catalogue_name, within=here)


#: Words of a job, a model, a split or an environment that carry the name of the fact.
BELOW = ("job", "parallelism", "model", "environment", "checkpoint", "scheduler")


def said(found: Imported, fact: str) -> list[str]:
    """What the importers say about a fact, by words, by facts without a word, by what follows; nothing where they say nothing."""
    texts: list[str] = []
    for path in WORDS.get(fact, "").split():
        texts = texts or (told(found, path[1:]) if path[0] == "=" else values(found, path))
    for part in BELOW:
        texts = texts or values(found, f"workloads/*/{part}/{fact}")
    for place in ("scheduler", "nodes/*", "fabrics/*"):
        texts = texts or values(found, f"{place}/{fact}")
    texts = texts or told(found, fact)
    return texts + (COMPUTED[fact](found) if fact in COMPUTED else [])


def agrees(texts: list[str], expected: Any, fact: str) -> bool | None:
    """Whether what is said holds what is expected; None where nothing is said."""
    if not texts:
        return None
    if isinstance(expected, dict):
        expected = [item for one in expected.values() for item in (one if isinstance(one, list) else [one])]
    if isinstance(expected, list):
        return all(any(same(text, one) for text in texts) for one in expected)
    if fact in ("nodes", "gpus") and len(texts) > 1 and all(one.isdigit() for one in texts):
        texts = [*texts, str(sum(map(int, texts)))]
    return any(same(one, expected) for one in texts)


#: What the collection calls a value, and what the design language does.
SAME = {"disabled": "none", "every 3 h": "0 */3 * * *", "ecn_all on queues 3 and 4": "ecn_all", "true (silu)": "true"}


def same(text: str, expected: Any) -> bool:
    """Whether a text is the expected value, remarks in brackets and units left alone."""
    return any(_same(text, part) for part in str(SAME.get(str(expected), expected)).split(" = "))


def _same(text: str, expected: str) -> bool:
    wanted = re.sub(r"\s*\(.*|, .*|\"", "", expected).strip().lower() or expected.lower()
    one = text.strip().lower()
    if one == wanted or plain(one) == plain(wanted) or one.startswith(f"{wanted}."):
        return True
    if "-" in one + wanted and (one.endswith(wanted) or wanted.endswith(one)):
        return True
    if len(wanted) > 6 and not wanted[0].isdigit() and one.endswith(wanted):
        return True
    first, second = quantity(one), quantity(wanted)
    return first is not None and second is not None and abs(first - second) <= 1e-3 * abs(second)


#: Values that are right in another form than the collection prints: counts of rails and of leaves by size, a network with its
#: name, storage with remarks.
OTHERWISE = {
    ("slurm/azure-sharp-topology.conf", "hosts"),
    ("slurm/azure-sharp-topology.conf", "leaf_sizes"),
    ("nccl-xml/azure-ncv4-topo.xml", "network"),
    ("cloud-aws/pcluster-vanilla.yaml", "storage"),
}


class Verdict(NamedTuple):
    """What came of one expected value."""

    path: str
    fact: str
    verdict: str
    said: list[str]
    expected: str


def judged() -> list[Verdict]:
    """Every expected value as right, missing or wrong."""
    verdicts = []
    for path, entry in facts().items():
        found = imported(path)
        for fact, expected in (entry.get("facts") or {}).items():
            texts = said(found, fact)
            if str(expected).startswith("unknown"):
                verdict = "wrong" if texts else "right"
            else:
                answer = agrees(texts, expected, fact)
                verdict = "missing" if answer is None else "right" if answer else "wrong"
            verdicts.append(Verdict(path, fact, verdict, texts[:4], str(expected)[:60]))
    return verdicts


UNITS = {"min": 60, "h": 3600, "mb": 2**20, "mib": 2**20, "gbit/s": 1e3, "gb/s": 1e3}


def quantity(text: str) -> float | None:
    """The number that a text is, times its unit."""
    found = re.match(r"(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*([a-z/]*)", text)
    return float(found[1]) * UNITS.get(found[2], 1) if found else None


if __name__ == "__main__":
    everything = judged()
    for one in everything:
        if one.verdict != "right":
            print(one.verdict, one.path, one.fact, one.said, "expected", one.expected)
    print(f"{sum(one.verdict == 'right' for one in everything)} of {len(everything)} are read")
