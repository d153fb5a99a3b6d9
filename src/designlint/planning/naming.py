"""Names of the catalogue in a brief, and what one that it lacks may stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.language.suggestions import respelled
from designlint.planning.choices import choices
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from designlint.language.vocabulary import Vocabulary

#: What does as well where the catalogue lacks an entry.
INSTEAD = {"Model": "; a config.json or a number of parameters works as well"}


def entry(vocabulary: Vocabulary, cls: str, name: str) -> str:
    """The entry of a class that a name means. Raises UsageError where there is none."""
    names = vocabulary.aliases[cls]
    found = names.get(name.lower())
    if found is None:
        meant = respelled(name.lower(), names)
        way = f"did you mean {names[meant]}?" if meant else "`designlint catalog` lists them"
        raise UsageError(f"the brief: the catalogue has no {cls.lower()} `{name}`: {way}{INSTEAD.get(cls, '')}")
    return found


def unknown_gpu(stated: object, vocabulary: Vocabulary) -> str:
    """That a plan knows no servers for a GPU, with those that the name may stand for, or else all."""
    known = list(choices()["hardware"])
    if stated is None:
        return f"the brief names no GPU; plans have servers for {', '.join(known)}"
    if isinstance(stated, dict):
        return (
            "the brief's GPU is not in the catalogue, so a plan has no servers for it: name the nearest in "
            f"`gpu: {{model: ...}}` and state your own figures next to it; plans have servers for {', '.join(known)}"
        )
    meant = [one for one in known if one.startswith(str(stated).lower())]
    if meant and str(stated).lower() not in vocabulary.aliases["Gpu"]:
        return f"`{stated}` may be {' or '.join(meant)}: name one of them"
    return f"plans have no servers for the GPU `{stated}`; they have them for {', '.join(known)}"
