"""A design as it is put together: plain nested values, each with the reason why it was chosen, and its text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from designlint.reading.values import quote_text
from designlint.reporters.shared.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from designlint.reading import Node

#: Scalars that need no quotes in YAML.
BARE = re.compile(r"[A-Za-z0-9+.][A-Za-z0-9 ._/%+-]*|-?[0-9][0-9.e+-]*")
#: Longest mapping or list that stands in one line.
WIDEST = 96
#: The keys of which one makes an item of a list the same as another one: its name, or the fabric that it leads to.
NAMES = ("name", "fabric")


class Chosen(Struct, frozen=True):
    """A value that the plan chose, as YAML spells it, and why in a few words."""

    text: str
    why: str = ""


def plain(node: Node) -> Any:
    """A tree as nested values: mappings, lists, and texts as the file spells them."""
    if node.kind == "map":
        return {key: plain(child) for key, child in node.entries.items()}
    if node.kind == "list":
        return [plain(item) for item in node.items]
    return node.text


def at(node: Node | None, path: Iterable[str | int]) -> Node | None:
    """What stands at a path of keys and numbers; None where nothing does."""
    for step in path:
        if node is None:
            return None
        if isinstance(step, str):
            node = node.entries.get(step) if node.kind == "map" else None
        else:
            node = node.items[step] if node.kind == "list" and step < len(node.items) else None
    return node


def value_at(value: Any, path: Iterable[str | int]) -> Any:
    """What nested values state at a path; None where they state nothing."""
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def leaves(value: Any, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of all single values that nested values state."""
    if not isinstance(value, dict | list):
        yield at
        return
    for step, one in value.items() if isinstance(value, dict) else enumerate(value):
        yield from leaves(one, (*at, step))


def in_words(value: Any, path: Iterable[str | int]) -> str:
    """A path as designs spell it: items of a list have their names."""
    words = []
    for step in path:
        value = value[step]
        words.append(str(value.get("name", step)) if isinstance(step, int) and isinstance(value, dict) else str(step))
    return "/".join(words)


def without(value: Any, path: tuple[str | int, ...]) -> Any:
    """Nested values without what stands at a path; nothing of the given ones is changed."""
    step, *rest = path
    if value_at(value, path) is None:
        return value
    if isinstance(value, list):
        return [without(one, tuple(rest)) if number == step else one for number, one in enumerate(value)]
    if not rest:
        return {key: one for key, one in value.items() if key != step}
    return {**value, step: without(value[step], tuple(rest))}


def overlay(below: Any, above: Any) -> Any:
    """One design laid over another: mappings join, items of one name join, everything else of the upper one counts."""
    if isinstance(below, dict) and isinstance(above, dict):
        return {key: overlay(below.get(key), above[key]) if key in above else below[key] for key in {**below, **above}}
    if isinstance(below, list) and isinstance(above, list) and (key := _key([*below, *above])):
        names = {text_of(item[key]): item for item in above}
        joined = [overlay(item, names.pop(text_of(item[key]), {})) for item in below]
        return [*joined, *names.values()]
    return below if above is None else above


def _key(items: list[Any]) -> str:
    """The key by which items of two lists are the same; empty where they have none."""
    return next((key for key in NAMES if all(isinstance(one, dict) and key in one for one in items)), "")


def text_of(value: Any) -> str:
    """A value as YAML spells it."""
    return value.text if isinstance(value, Chosen) else str(value)


def write_design(design: Mapping[str, Any]) -> str:
    """The text of a design, a comment behind each value that has a reason."""
    return "\n".join(_mapping(design, 0, top=True)) + "\n"


def _mapping(mapping: Mapping[str, Any], depth: int, *, top: bool = False) -> Iterator[str]:
    for number, (key, value) in enumerate(mapping.items()):
        if top and number and isinstance(value, dict | list):
            yield ""
        yield from _entry(f"{'  ' * depth}{key}:", value, depth)


def _entry(head: str, value: Any, depth: int) -> Iterator[str]:
    inline = _inline(value)
    if inline is not None and len(head) + len(inline) < WIDEST:
        why = value.why if isinstance(value, Chosen) else ""
        yield f"{head} {inline}" + (f"  # {printable(why)}" if why else "")
        return
    yield head
    if isinstance(value, dict):
        yield from _mapping(value, depth + 1)
        return
    for item in value:
        if isinstance(item, dict):
            lines = list(_mapping(item, depth + 2))
            yield f"{'  ' * (depth + 1)}- {lines[0].strip()}"
            yield from lines[1:]
        else:
            yield f"{'  ' * (depth + 1)}- {_inline(item)}"


def _inline(value: Any) -> str | None:
    """A value in one line; None where it is a mapping with reasons, or a list of mappings."""
    if isinstance(value, dict):
        if any(isinstance(one, Chosen) and one.why for one in value.values()):
            return None
        parts = [(key, _inline(one)) for key, one in value.items()]
        return None if any(part is None for _, part in parts) else "{" + ", ".join(f"{k}: {p}" for k, p in parts) + "}"
    if isinstance(value, list):
        items = [None if isinstance(one, dict) else _inline(one) for one in value]
        return None if None in items else "[" + ", ".join(map(str, items)) + "]"
    text = text_of(value)
    return text if BARE.fullmatch(text) and not text.endswith(" ") else quote_text(text, '"')
