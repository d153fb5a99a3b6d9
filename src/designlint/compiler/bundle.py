"""Everything authors write, compiled once: made when the package is built, and again when a file of a checkout changes."""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from designlint.language import resources
from designlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from designlint.expressions.python import Written

#: What every run reads, what only findings, explanations and documents need, and rules in Python.
NAME, TEXTS, FUNCTIONS = "bundle.json", "texts.json", "functions.py"
#: Parts of a rule that are kept as JSON within the JSON, and read only where the rule is asked.
CLOSED = ("decides", "words")
#: Parts of a rule that every run reads; all others stand in the second file, as do these of a step of the plan and of a word.
RULE_PARTS = (
    "id", "about", "severity", "needs", "words", "waivable", "avoid", "avoid_kinds", "select", "values", "paths", "decides",
    "sweep", "in_place",
)  # fmt: skip
STEP_TEXTS = ("formula", "sources", "confidence", "slopes", "dividing")
WORD_TEXTS = ("comment", "equals", "bound")


@cache
def load() -> dict[str, Any]:
    """What every run reads, with the stamp of its making; compiled anew where a file of the checkout has changed."""
    place, stamp = _home(), _stamp()
    found = _read_part(place / NAME)
    if found is None or found["stamp"] != stamp:
        return _compile_bundle()[0]
    return found


def identity() -> str:
    """Changes with whatever the bundle is made of, and with another installation of the same version."""
    inside = resources.PACKAGE / "shipped" / NAME
    try:
        state = inside.stat()
    except OSError:
        return _stamp()
    return f"{_stamp()} {state.st_mtime_ns} {state.st_size}"


class Closed(Mapping[str, Any]):
    """JSON by name, of which each value is decoded when it is first asked for: a run shows the texts of few rules."""

    def __init__(self, data: bytes | msgspec.Raw) -> None:
        self._values: dict[str, Any] = msgspec.json.decode(data, type=dict[str, msgspec.Raw])

    def __getitem__(self, name: str) -> Any:
        value = self._values[name]
        if isinstance(value, msgspec.Raw):
            value = self._values[name] = Closed(value) if name == "rules" else msgspec.json.decode(value)
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


@cache
def texts() -> Mapping[str, Any]:
    """The rest: words for people, by rule, step and class."""
    stamp = load()["stamp"]
    try:
        found = Closed((_home() / TEXTS).read_bytes())
        return found if found.get("stamp") == stamp else _compile_bundle()[1]
    except (OSError, msgspec.DecodeError):
        return _compile_bundle()[1]


def generated_function(name: str) -> Any:
    """What was written for a rule or a step, see `_in_python`; None where Python would have to compile it at each run."""
    return _generated_functions().get(name)


@cache
def _generated_functions() -> Mapping[str, Any]:
    from importlib.machinery import SourceFileLoader
    from importlib.util import cache_from_source

    from designlint.expressions import python
    from designlint.expressions.selects import evaluation
    from designlint.graph import readers

    stamp, place = load()["stamp"], _home() / FUNCTIONS
    kept = Path(cache_from_source(str(place))).exists()
    if not kept and (sys.dont_write_bytecode or not os.access(place.parent, os.W_OK)):
        return {}
    made: dict[str, Any] = {**python.NAMES, **evaluation.NAMES, **readers.NAMES}
    try:
        exec(SourceFileLoader("functions", str(place)).get_code("functions"), made)  # type: ignore[arg-type]
    except (OSError, ImportError, SyntaxError):
        return {}
    found: Mapping[str, Any] = made[python.TABLE] if made["STAMP"] == stamp else {}
    return found


def _home() -> Path:
    """The package's own folder in an installation, a hidden one in a checkout."""
    inside = resources.PACKAGE / "shipped"
    return inside if inside.is_dir() else resources.shipped_folder() / ".designlint"


def _read_part(place: Path) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = msgspec.json.decode(place.read_bytes())
    except (OSError, msgspec.DecodeError):
        return None
    return found


@cache
def _compile_bundle() -> tuple[dict[str, Any], dict[str, Any]]:
    """Both files, compiled now and kept for the next run where the folder can be written."""
    stamp = _stamp()  # of the files before they are read: what changes meanwhile is compiled by the next run
    whole = compile_all() | {"stamp": stamp}
    with suppress(OSError):  # a read-only checkout is compiled at every run
        _home().mkdir(exist_ok=True)
        _write(_home(), whole)
    return _split(whole)


def _write(folder: Path, whole: dict[str, Any]) -> None:
    from importlib.util import cache_from_source

    common, texts = _split(whole)
    encode = msgspec.json.encode
    for name, data in ((FUNCTIONS, _in_python(whole)), (TEXTS, encode(texts)), (NAME, encode(common))):
        beside = folder / f"{name}.{os.getpid()}.tmp"
        beside.write_bytes(data)
        beside.replace(folder / name)
    Path(cache_from_source(str(folder / FUNCTIONS))).unlink(missing_ok=True)  # Python compares times by the second


def _in_python(whole: dict[str, Any]) -> bytes:
    from designlint.expressions import condition, python
    from designlint.expressions.selects.python import write_select
    from designlint.graph import readers

    found: dict[str, Written] = {}
    for name, one in whole["rules"].items():
        if one.get("decides"):
            found[name] = partial(python.write_condition, condition.condition(one["about"], one["decides"]))
        elif one.get("in_place"):
            found[name] = partial(write_select, one["joins"], one["values"])
    for number, step in enumerate(whole["plan"]):
        if "params" in step:
            found[readers.key(number)] = partial(readers.write_reader, step)
    return python.module(found, whole["stamp"]).encode()


def _split(whole: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    def part(entry: dict[str, Any], names: Collection[str], *, told: bool) -> dict[str, Any]:
        kept = {name: value for name, value in entry.items() if (name in names) is told}
        return kept | {name: msgspec.json.encode(kept[name]).decode() for name in CLOSED if kept.get(name) is not None}

    def both(told: bool) -> dict[str, Any]:
        return {
            "stamp": whole["stamp"],
            "rules": {name: part(rule, RULE_PARTS, told=not told) for name, rule in whole["rules"].items()},
            "plan": [part(step, STEP_TEXTS, told=told) for step in whole["plan"]],
            "classes": {
                name: {word: part(entry, WORD_TEXTS, told=told) for word, entry in words.items()}
                for name, words in whole["classes"].items()
            },
        }

    apart = {name: whole[name] for name in ("comments", "notes")}
    return whole | both(told=False) | {"comments": {}, "notes": {}}, both(told=True) | apart


def _stamp() -> str:
    """Changes when any file that goes into the bundle does; an installed package has one version, one bundle."""
    if (resources.PACKAGE / "shipped").is_dir():
        return __version__
    state: list[str] = []
    sources = ((resources.ontology(), ".ttl"), (resources.ontology(), ".yaml"), (resources.rules(), ".yaml"))
    for folder, suffix in (*sources, (resources.PACKAGE, ".py")):
        _states(str(folder), suffix, state)
    return f"{__version__} {len(state)} {zlib.crc32(repr(sorted(state)).encode()):08x}"


def _states(folder: str, suffix: str, found: list[str]) -> None:
    """Name, time and size of every file: asked at each run of a checkout, so without a Path for each."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(suffix):
                stat = entry.stat()
                found.append(f"{entry.path} {stat.st_mtime_ns} {stat.st_size}")
            elif entry.is_dir() and entry.name[0] not in "._":
                _states(entry.path, suffix, found)


def compile_all() -> dict[str, Any]:
    """The bundle from its sources. Raises AuthoringError at the first file that says something wrong."""
    from designlint.compiler import catalog, kinds, ontology, plan, principles, ranges, rules, synonyms, units
    from designlint.graph.assumptions import deciding
    from designlint.graph.derive import Plan
    from designlint.language.vocabulary import Vocabulary

    bundle: dict[str, Any] = {
        "version": __version__,
        "units": units.compile_units(),
        "catalog": {},
        "aliases": {},
        "notes": {},
    }
    bundle |= ontology.compile_vocabulary(bundle["units"]["kinds"])
    bundle["synonyms"] = {"words": {}, "values": {}, "unjudged": []}
    bundle |= catalog.compile_catalog(Vocabulary(bundle))
    bundle["synonyms"] = synonyms.compile_synonyms(Vocabulary(bundle))
    vocabulary = Vocabulary(bundle)
    bundle["optional"] = sorted(vocabulary.optional)
    bundle["only_trained"] = sorted(vocabulary.only_trained)
    bundle["plan"] = plan.compile_plan(vocabulary)
    kinds.note_kinds(bundle["classes"], kinds.kinds(bundle["plan"], vocabulary))
    bundle["seen"], bundle["ratios"] = ranges.compile_ranges(vocabulary)
    bundle["rates"] = ranges.compile_rates(vocabulary)
    bundle["principles"] = sorted(principles.load(resources.ontology("principles")))
    vocabulary = Vocabulary(bundle)
    bundle["rules"] = rules.compile_folder(resources.rules(), vocabulary)
    read = {word for rule in bundle["rules"].values() for word in rule["words"]} | deciding(vocabulary)
    bundle["judged"] = sorted(Plan(bundle["plan"], dict, lambda _: None).needed_steps(read))
    return bundle


def write(folder: Path) -> list[Path]:
    """Compile into a folder: what building the package does; the files that it must carry."""
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder, compile_all() | {"stamp": __version__})
    return [folder / NAME, folder / TEXTS, folder / FUNCTIONS]
