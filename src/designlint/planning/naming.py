"""Names of the catalogue in a brief, and what one that it lacks may stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.language.suggestions import respell_name
from designlint.planning.choices import choices
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from designlint.language.vocabulary import Vocabulary

#: What does as well where the catalogue lacks an entry.
INSTEAD = {"Model": " A config.json or a number of parameters works as well"}


def entry(vocabulary: Vocabulary, cls: str, name: str) -> str:
    """The entry of a class that a name means. Raises UsageError where there is none."""
    found = vocabulary.catalogue_name(cls, name)
    if found is None:
        names = vocabulary.aliases[cls]
        meant = respell_name(name.lower(), names)
        way = f"did you mean {names[meant]}?" if meant else "`designlint catalog` lists them."
        raise UsageError(
            f"the brief: the catalogue has no {cls.lower()} `{name}`: {way}{INSTEAD.get(cls, '')}".removesuffix(".")
        )
    return found


def unknown_gpu(stated: object, vocabulary: Vocabulary) -> str:
    """That a brief names no GPU of the catalogue, with those that the name may stand for."""
    known, names = list(choices()["hardware"]), vocabulary.aliases["Gpu"]
    if stated is None:
        return f"the brief names no GPU; plans have servers for {', '.join(known)}"
    meant = [one for one in known if one.startswith(str(stated).lower())]
    if meant:
        return f"`{stated}` may be {_either(meant)}: name one of them"
    near = respell_name(str(stated).lower(), names)
    way = f"did you mean {names[near]}?" if near else "`designlint catalog` lists GPUs."
    return f"the brief: the catalogue has no GPU `{stated}`: {way} For another GPU, state its figures in the brief"


def unserved_gpu(name: str) -> str:
    """That a plan knows no server for an accelerator of the catalogue, and what the brief has to state instead."""
    meant = [one for one in choices()["hardware"] if one.startswith(f"{name}-")]
    if meant:
        return f"software sees one `{name}` as several devices: name {_either(meant)}"
    return (
        f"no server or network adapter is known for `{name}`: state `gpus` of a server and its `networks`, such as "
        f"`nodes: [{{gpu: {name}, gpus: 8, networks: [{{fabric: compute, ports: 8, speed: 400 Gbit/s}}]}}]`"
    )


def oversized_server(gpus: int, usual: int) -> str:
    """That no server has so many GPUs, and how a brief states those of a job."""
    return (
        f"`gpus` of `nodes` counts the GPUs of one server: none has {gpus}, the usual one has {usual}. State "
        f"the GPUs of the job as `runs_on: {{gpus: {gpus}}}` in `workloads`"
    )


def _either(names: list[str]) -> str:
    """Names of which one is meant."""
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
