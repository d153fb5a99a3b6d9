"""The cables of a planned network: their fibre, and the transceivers at the switches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.planning.choices import choices
from designlint.planning.document import Chosen, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.planning.brief import Brief

#: Tiers that cables join, the lowest first.
JOINTS = ("server-leaf", "leaf-spine", "spine-core")


def cabling(brief: Brief, name: str, topology: Mapping[str, Any], *, far: bool) -> dict[str, Any]:
    """
    The runs of a network; none where no transceivers are known for its switch, or the brief states the cables.

    The ends at the servers are left open: they follow from the cages of the adapters that are bought.

    Args:
        far: whether its switches stand in more rows than the usual transceivers reach.
    """
    given = choices()["optics"].get(text_of(topology["switch"]))
    fabrics: list[dict[str, Any]] = brief.design.get("fabrics") or []
    if given is None or any(one.get("name") == name and "cabling" in one for one in fabrics):
        return {}
    speeds = (text_of(topology["host_port_speed"]), given["speed"])
    if len({brief.number(one, "DataRate") for one in speeds}) > 1:
        return {}
    return {"cabling": [_run(brief, given, joint, far=far) for joint in JOINTS[: int(text_of(topology["tiers"]))]]}


def _run(brief: Brief, given: Mapping[str, Any], joint: str, *, far: bool) -> dict[str, Any]:
    """One run; between the switches of a large network with transceivers that reach farther."""
    below = joint == JOINTS[0]
    if "medium" in given:
        then = "measure the longest run" if given["medium"] == "aoc" else "order transceivers with the switches"
        why = f"{given['why']} ({given['source']}); {then}"
        optic = {"optic": given["optic"]} if "optic" in given else {}
        return {"name": joint, "between": joint, "medium": Chosen(given["medium"], why), **optic}
    transceiver = given["far" if far and not below else "near"]
    figures = brief.vocabulary.catalog["Transceiver"][transceiver]["figures"]
    reach = brief.vocabulary.units.format(figures["reach"], "Length")
    ends = {"upper_end": transceiver} if below else {"lower_end": transceiver, "upper_end": transceiver}
    why = f"reaches {reach} ({given['source']}); measure the longest run"
    return {
        "name": joint,
        "between": joint,
        "medium": Chosen(figures["medium"], why),
        "optic": figures["optic"],
        **ends,
    }
