"""The models of switches: what they report of themselves against what the design has for their tier."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.comparing.asbuilt.difference import Deviation
from designlint.design.known import Known
from designlint.graph.subjects import Subject
from designlint.importers import chip_rate
from designlint.language.hostlists import fold
from designlint.language.tiers import TIERS
from designlint.wiring.known import fabric as fabric_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from designlint.comparing.asbuilt.comparison import AsBuiltComparison
    from designlint.design.design import Design
    from designlint.wiring.graph import Switch

#: What part numbers of NVIDIA have before the model.
MAKER = re.compile(r"\Am(?=(?:qm|sn|sb|sx)\d)")
PART = re.compile(r"[\s_,-]+")


class TierModels:
    """The switch of each tier as the design has it: its catalogue entry and the rate of its ports [bit/s]."""

    def __init__(self, topology: Known) -> None:
        vocabulary = topology.design.engine.vocabulary
        self.catalogued: Callable[[str, str], str | None] = vocabulary.catalogue_name
        self.units = vocabulary.units
        self.models: dict[str, str] = {}
        self.rates: dict[str, float | None] = {}
        for role in ("", *TIERS):
            part = topology.fact(f"{role}_switch" if role else "switch")
            if isinstance(part, Subject):
                known = Known(topology.design, part)
                self.models[role], self.rates[role] = known.text("model"), known.number("port_speed")

    def entry(self, text: str) -> str | None:
        """The catalogue entry that a part number or a name of a platform means; None where none or several do."""
        words = [MAKER.sub("", one) for one in PART.split(text.lower()) if one]
        for size in range(len(words), 0, -1):
            found = {
                entry
                for at in range(len(words) - size + 1)
                if (entry := self.catalogued("Switch", "-".join(words[at : at + size]))) is not None
            }
            if found:
                return found.pop() if len(found) == 1 else None
        return None

    def differs(self, ours: Switch, theirs: Switch) -> str:
        """The model of the design where the switch reports another; empty where that is not sure."""
        wanted = ours.model or self.models.get(ours.role) or self.models.get("", "")
        rate = self.rates.get(ours.role) or self.rates.get("")
        chip = chip_rate(theirs.model)
        if chip:
            return wanted if wanted and rate and not ours.model and rate != self.units.parse(chip, "DataRate") else ""
        known, seen = self.entry(wanted), self.entry(theirs.model)
        return wanted if known and seen and known != seen else ""


def differences(found: AsBuiltComparison, design: Design, fabric: str) -> Iterator[Deviation]:
    """Switches of another model than designed, those of one kind together."""
    topology = fabric_of(design, fabric).subject.facts.get("topology")
    if not isinstance(topology, Subject) or not any(one.model for one in found.built.switches.values()):
        return
    tiers, same = TierModels(Known(design, topology)), found.joined
    groups: dict[tuple[str, str, str], list[str]] = {}
    for name, other in same.switches.items():
        ours, theirs = found.design.switches[name], found.built.switches[other]
        wanted = tiers.differs(ours, theirs) if theirs.model else ""
        if wanted:
            groups.setdefault((ours.role, wanted, theirs.model), []).append(name)
    for (_, wanted, seen), names in groups.items():
        first = names[0]
        values = {
            "what": fold([same.display_name(one) for one in names]),
            "is": "reports" if len(names) == 1 else "report",
            "seen": seen,
            "designed": wanted,
        }
        spots = found.design.switches[first].spot, found.built.switches[same.switches[first]].spot
        yield Deviation("as-built/switch-model", values, *spots, tuple(names))
