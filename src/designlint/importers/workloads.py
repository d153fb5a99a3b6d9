"""What the importers of launch scripts and framework configurations share: one workload, its words, its name."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import Fragment, How, Value, Words, number, put, whole

if TYPE_CHECKING:
    from designlint.importers.base import Context, Source
    from designlint.importers.notations.structured import Table

SUFFIXES = re.compile(
    r"(?:\.(?:sbatch|slurm|sub|sh|bash|json|ya?ml|toml|conf|xml|txt|out|log|csv|tfvars|j2|tftpl))+\Z", re.IGNORECASE
)
#: The fact that a file starts a program that may train, whatever else is known of it.
LAUNCH = "launch"
#: Counts beyond this are no counts: products of two still fit a float.
LARGEST = 10**15
YES = frozenset(("true", "1", "yes", "on"))
NO = frozenset(("false", "0", "no", "off", "none", "null", ""))


def start(source: Source) -> Value:
    """The start of a file, where what it leaves out would stand."""
    return Value("", source, 0, 0)


def name_workload(source: Source, given: Value | None = None) -> Value:
    """The name of a workload: as given, else that of its file."""
    if given is not None and given.text.strip() and "$" not in given.text:
        return given.but(given.text.strip()[:80]).as_text()
    return start(source).but(stem(source), "name of the file", How.DERIVED).as_text()


def stem(source: Source) -> str:
    """The name of a file without what says its format."""
    return SUFFIXES.sub("", PurePath(source.file).name) or "job"


def fragment(source: Source, words: Words) -> Fragment:
    """The fragment of one workload, which has the name that its words state, else that of the file."""
    name: Words = {"name": name_workload(source, get(words, "name"))}
    return Fragment({"workloads": [name | words | name]})


def of_framework(source: Source, tool: str) -> Words:
    """The words of a workload whose framework is known by the file that describes it."""
    return {"framework": {"other": start(source).but(tool, f"the file is {defaults.tool(tool).name}'s").as_text()}}


def put_model(words: Words, name: Value | None, context: Context) -> None:
    """The published model of a name, where the catalogue has it."""
    known = context.catalogued("Model", name.text) if name is not None else None
    put(words, "model/model", name.but(known, name.text).of("Model") if name is not None and known else None)


def fill_words(words: Words, table: Table, tool: str, part: str = "counts") -> set[str]:
    """Puts whole numbers into the words that a part of a tool's data names, each with its keys; those that are no number."""
    unknown: set[str] = set()
    for path, keys in defaults.tool(tool).tables[part].items():
        value = table.get(*keys.split())
        put(words, path, count(value))
        if value is not None and count(value) is None:
            unknown.add(path)
    return unknown


def count(value: Value | None) -> Value | None:
    """The value as a whole number; None where it is none, as `auto` is."""
    if value is None:
        return None
    found = number(value.text)
    return value.but(found, "", value.how) if isinstance(found, int) and 0 <= found < LARGEST else None


def flag(value: Value | None) -> Value | None:
    """The value as true or false; None where it is neither."""
    if value is None or value.text.lower() not in YES | NO:
        return None
    return value.but(value.text.lower() in YES, "", value.how)


def is_on(value: Value | None) -> bool:
    """Whether a switch is surely on."""
    return value is not None and value.text.lower() in YES


def number_format(value: Value | None) -> Value | None:
    """The number format of matrix multiplications that a framework's word stands for."""
    names = defaults.tool("number-formats").tables["names"]
    text = value.text.lower().replace("torch.", "") if value is not None else ""
    found = next((form for form, spelled in names.items() if text in spelled.split()), None)
    return value.but(found, "", value.how).as_text() if value is not None and found else None


def get(words: Words, path: str) -> Value | None:
    """The value at a path of words."""
    here: object = words
    for part in path.split("/"):
        here = here.get(part) if isinstance(here, dict) else None
    return here if isinstance(here, Value) else None


def drop(words: Words, path: str) -> None:
    """Take away the value at a path of words, where there is one."""
    *parts, last = path.split("/")
    here: object = words
    for part in parts:
        here = here.get(part) if isinstance(here, dict) else None
    if isinstance(here, dict):
        here.pop(last, None)


def took(words: Words, path: str) -> int | None:
    """The whole number at a path of words."""
    value = get(words, path)
    found = None if value is None else value.number
    return found if isinstance(found, int) else None


def place_beside(other: Value, at: Value) -> str:
    """The place of another value for a message at this one: with its folders where that lies in another one."""
    apart = PurePath(at.source.file).parent != PurePath(other.source.file).parent
    return f"{other.source.file}:{other.line}" if apart else other.place


def totals(found: Words, into: Fragment) -> None:
    """GPUs of the job: servers times GPUs of each; what is stated otherwise must agree."""
    servers, each, all_gpus = (get(found, one) for one in ("job/servers", "job/gpus_per_server", "runs_on/gpus"))
    if whole(servers) == 1 and each is None and all_gpus is not None:
        put(found, "job/gpus_per_server", all_gpus.but(all_gpus.text, "all on one server", How.DERIVED))
    if servers is None or each is None or not whole(servers) or not whole(each):
        return
    total = (whole(servers) or 0) * (whole(each) or 0)
    if all_gpus is None:
        note = f"{servers.text} {'server' if servers.text == '1' else 'servers'} of {each.text} GPUs"
        put(found, "runs_on/gpus", each.but(total, note, How.DERIVED))
    elif whole(all_gpus) != total:
        place = place_beside(all_gpus, servers)
        into.clash("import/conflict", servers, word="gpus", one=str(total), other=all_gpus.text, where=place)


def merge(words: Words, more: Words) -> None:
    """Adds what is not there yet."""
    for word, part in more.items():
        known = words.get(word)
        if known is None:
            words[word] = part
        elif isinstance(known, dict) and isinstance(part, dict):
            merge(known, part)
