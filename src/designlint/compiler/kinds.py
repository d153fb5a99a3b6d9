"""What every calculated word is: exact, a bound, or an estimate; no calculation takes for exact what is not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from designlint.derivations.base import REGISTRY
from designlint.language import resources
from designlint.language.kinds import Kind, Side, exact
from designlint.reading.errors import AuthoringError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from designlint.derivations.base import Derivation
    from designlint.language.vocabulary import Vocabulary

    #: Class and word.
    Key: TypeAlias = "tuple[str, str]"


#: The sides in an error's words.
TOLD = {Side.EXACT: "exact", Side.LOWER: "a lower bound", Side.UPPER: "an upper bound", Side.ESTIMATE: "an estimate"}


def kinds(plan: Iterable[Mapping[str, Any]], vocabulary: Vocabulary) -> dict[Key, Kind]:
    """
    The kind of each word that follows from others, by class and word; a word that is followed has that of its end.

    Args:
        plan: the steps in order, as data.

    Raises:
        AuthoringError: a calculation is declared more certain than what it reads, without a reason.
    """
    found: dict[Key, Kind] = {}

    def read(about: str, path: Iterable[str]) -> Kind:
        word = vocabulary.word(about, tuple(path))
        return found.get((word.owner, word.name), exact)

    for step in plan:
        key = step["of"], step["word"]
        if "params" in step:
            made = key[0], step.get("calculation", key[1])
            for path, *_ in step["params"]:
                _check(key, REGISTRY[made], path, read(key[0], path))
            found[key] = REGISTRY[made].kind
        elif "table" not in step:
            found[key] = read(key[0], step["path"])
    return found


def note_kinds(classes: Mapping[str, Mapping[str, dict[str, Any]]], found: Mapping[Key, Kind]) -> None:
    """Write the kind of each word that is not exact into the classes of a bundle."""
    for words in classes.values():
        for name, entry in words.items():
            kind = found.get((entry["owner"], name), exact)
            if kind.side is not Side.EXACT:
                entry["certainty"] = [kind.side, kind.error]


def _check(key: Key, declared: Derivation, path: Iterable[str], read: Kind) -> None:
    side, code = declared.kind.side, declared.function.__code__
    if declared.kind.reason or read.side is Side.EXACT or side is Side.ESTIMATE:
        return
    if side is Side.EXACT or read.side is Side.ESTIMATE:
        raise AuthoringError(
            f"`{key[1]}` of {key[0]} is declared {TOLD[side]}, but reads `{'/'.join(path)}`, which is {TOLD[read.side]}",
            file=resources.display_path(Path(code.co_filename)),
            line=code.co_firstlineno,
        )
