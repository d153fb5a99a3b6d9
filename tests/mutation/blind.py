"""
Faults that were written down without a look at the rules: how many of them a rule of the right topic notices.

`python -m tests.mutation.blind` prints every fault with all that is newly said about it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from designlint.findings.model import Severity

from . import harness

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from designlint.findings.model import Finding


@dataclass(frozen=True, slots=True)
class Seen:
    """One fault, what is newly found at fault, and what of that is about it."""

    fault: Mapping[str, Any]
    found: tuple[Finding, ...]

    @property
    def right(self) -> list[Finding]:
        """What the topics find that should notice the fault, and no mere notes."""
        topics = self.fault["notices"]
        return [one for one in self.found if one.rule.split("/")[0] in topics and one.severity is not Severity.INFO]

    @property
    def severe(self) -> bool:
        """Whether it is as severe as it should be."""
        return any(one.severity.rank <= Severity(self.fault["severity"]).rank for one in self.right)

    def __str__(self) -> str:
        changes = ", ".join(f"{key} {self.fault[key]}" for key in harness.CHANGES if key in self.fault)
        return f"{self.fault['in']}: {changes}: {self.fault['wrong']}"


def seen() -> Iterator[Seen]:
    """Every fault with what the rules newly say."""
    for fault in harness.stated("blind.yaml"):
        for mutation in harness.explicit("", fault):
            was, now = mutation.findings
            old, new = Counter(one.key for one in was), []
            for one in now:
                if old[one.key]:
                    old[one.key] -= 1
                else:
                    new.append(one)
            yield Seen(fault, tuple(new))


def summary(found: list[Seen]) -> str:
    """The share that is noticed, the share that is noticed as severely as it should be, and what is not."""
    noticed, severe = [one for one in found if one.right], [one for one in found if one.severe]
    lines = [
        f"{len(noticed)} of {len(found)} blind faults noticed ({len(noticed) / len(found):.1%})",
        f"{len(severe)} as severely as they should be ({len(severe) / len(found):.1%})",
        *(f"missed: {one} ({one.fault.get('missed', 'why is not known')})" for one in found if not one.right),
        *(f"too mild: {one}" for one in noticed if not one.severe),
    ]
    return "\n".join(lines)


def main() -> None:
    """Print every fault with what is said."""
    found = list(seen())
    for one in found:
        print(f"== {one}")
        for said in one.found:
            print(f"   {said.severity} {said.rule} [{said.subject}] {said.message}")
    print(summary(found))


if __name__ == "__main__":
    main()
