"""What a command line changes of a configuration: `key.part=value`, `--key.part=value`, read in the words of its format."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from designlint.importers import registry
from designlint.importers.base import Fate, How, ImportRefusal, Source, Value, Words
from designlint.importers.workloads import merge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.importers.base import Context, Fragment
    from designlint.importers.shell.launches import Launch
    from designlint.importers.shell.options import Argument

#: A key of a configuration as a command line names it.
KEY = re.compile(r"\.?[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*\Z")

#: Whether a file is being read: a run of mcli may start what names its own file.
READING = "configuration"


def laid_over(opened: Source, main: Launch, context: Context, found: Fragment, path: str) -> Words | None:
    """The workload of a configuration, under what the command line changes of it; None where it is of no known format."""
    if opened.cache.get(READING):
        return None
    opened.cache[READING] = True
    try:
        name = registry.recognise_format(opened)
        if not registry.holds_jobs(name) or name == "launcher":
            return None
        stated = registry.design(name, [registry.model(name, opened, context)], context)
    except ImportRefusal:
        return None
    finally:
        opened.cache[READING] = False
    words, inside = read_overrides(name, main, context), _only(stated)
    named = _named_model(name, main)
    if named is not None:
        _replace_model(inside, named, name, opened, context, found, path)
    merge(words, inside)
    found.facts += stated.facts
    found.clashes += stated.clashes
    for one in stated.unknowns:
        parts = one.word.split("/")
        rest = parts[2:] if parts[0] == "workloads" else parts
        if named is not None and parts[:2] == ["workloads", "model"]:
            continue
        found.unknown("/".join((path, *rest)), one.why, one.command, one.at)
    return words


def _named_model(name: str, main: Launch) -> Argument | None:
    """The model that a command line names, where it replaces that of a configuration of a format."""
    form = registry.load_format(name)
    key = getattr(form, "NAMED", "")
    stated = (main.arguments.get(f".{key}") or main.arguments.get(key)) if key else None
    usual = stated is not None and stated.value is not None and stated.value.text == getattr(form, "NAMELESS", "")
    return None if usual else stated


def _replace_model(
    words: Words, named: Argument, name: str, opened: Source, context: Context, found: Fragment, path: str
) -> None:
    """The shape of a named model, from the file beside the configuration that has it; the length of a sequence stays."""
    before = words.pop("model", None)
    if isinstance(before, dict) and "sequence" in before:
        words["model"] = {"sequence": before["sequence"]}
    if named.value is None:
        return
    form = registry.load_format(name)
    beside = context.opened(opened, str(getattr(form, "SHAPES", "{}")).format(named.value.text))
    if isinstance(beside, Source):
        merge(
            words,
            {"model": _only(registry.design(name, [registry.model(name, beside, context)], context)).get("model", {})},
        )
    elif context.catalogued("Model", named.value.text) is None:
        why = f"{named.value.text} is described in a file that is not read: {beside}"
        found.unknown(f"{path}/model", why, "designlint import it as well", named.value)


def read_overrides(name: str, main: Launch, context: Context) -> Words:
    """What the command line states of a configuration of a format; what it is silent on stays as it is."""
    listed = [(key, one, one.value) for key, one in main.arguments.items() if KEY.match(key)]
    given = {key.lstrip("."): (key, one, value) for key, one, value in listed if value is not None}
    lines, places = _write_configuration({key: value.text for key, (_, _, value) in given.items()})
    copy = Source("", "\n".join(lines), Path())
    try:
        stated = registry.design(name, [registry.model(name, copy, context)], context)
    except ImportRefusal:
        return {}
    for number, key in places.items():
        if copy.marks.get(number, Fate.UNCLEAR) is not Fate.UNCLEAR:
            main.told.add(given[key][0])
            main.told.add(key.rpartition(".")[2])
    words = _only(stated)
    _place_values(words, copy, {number: given[key][1] for number, key in places.items()})
    return words


def _only(stated: Fragment) -> Words:
    """The words of the only workload, without its name."""
    listed: Any = stated.words.get("workloads") or [{}]
    return {word: part for word, part in listed[0].items() if word != "name"}


def _write_configuration(given: dict[str, str]) -> tuple[list[str], dict[int, str]]:
    """The lines of a configuration with these keys, and the key of each line that holds a value."""
    tree: dict[str, Any] = {}
    for key, text in given.items():
        here = tree
        *parts, last = key.split(".")
        for part in parts:
            inner = here.setdefault(part, {})
            here[part] = here = inner if isinstance(inner, dict) else {}
        if not isinstance(here.get(last), dict):
            here[last] = text
    lines: list[str] = []
    places: dict[int, str] = {}
    for depth, path, stated in _list_keys(tree, ()):
        shown = stated if stated is None or re.fullmatch(r"[\w.+-]+", stated) else json.dumps(stated)
        lines.append(f"{'  ' * depth}{path[-1]}: {shown or ''}")
        if stated is not None:
            places[len(lines)] = ".".join(path)
    return lines, places


def _list_keys(tree: dict[str, Any], above: tuple[str, ...]) -> Iterator[tuple[int, tuple[str, ...], str | None]]:
    for key, part in tree.items():
        yield len(above), (*above, key), None if isinstance(part, dict) else part
        if isinstance(part, dict):
            yield from _list_keys(part, (*above, key))


def _place_values(words: Words, copy: Source, places: dict[int, Argument]) -> None:
    """Moves values to where the command line states them, and drops what nobody stated."""
    for word, part in list(words.items()):
        if isinstance(part, dict):
            _place_values(part, copy, places)
            if not part:
                del words[word]
        elif isinstance(part, Value):
            argument = places.get(copy.line_of(part.start)) if part.end > part.start else None
            if argument is None or part.how is How.DEFAULT:
                del words[word]
            else:
                at = argument.at
                words[word] = part._replace(source=at.source, start=at.start, end=at.end)
        else:
            del words[word]
