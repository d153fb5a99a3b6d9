"""Cables between switches as links of a design: those of one pair and rate together, with the ports that they take."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from designlint.importers.base import How, put

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from designlint.importers.base import Value, Words


class ImportedCable(NamedTuple):
    """A cable by its ends: two devices, each with its port where that is named."""

    device: Value
    port: Value | None
    other: Value
    far_port: Value | None
    rate: Value | None = None

    def reverse(self) -> ImportedCable:
        """The same cable from its other end."""
        return ImportedCable(self.other, self.far_port, self.device, self.port, self.rate)


def links(cables: Iterable[ImportedCable]) -> Iterator[Words]:
    """A link for each pair of switches and rate, whichever end of a cable is named first."""
    bundles: dict[tuple[str, str, str], list[ImportedCable]] = {}
    for cable in cables:
        one, other, rate = cable.device.text, cable.other.text, cable.rate.text if cable.rate is not None else ""
        if (other, one, rate) in bundles:
            bundles[other, one, rate].append(cable.reverse())
        else:
            bundles.setdefault((one, other, rate), []).append(cable)
    return map(_link, bundles.values())


def _link(cables: Sequence[ImportedCable]) -> Words:
    first = cables[0]
    at = first.port or first.device
    words: Words = {"from": at.but(first.device.text).as_text(), "to": at.but(first.other.text).as_text()}
    seen = How.MEASURED in (first.device.how, first.other.how)
    words["cables"] = at.but(len(cables), "counted", How.MEASURED if seen else How.DERIVED)
    put(words, "speed", first.rate)
    for word, ports in (
        ("from_ports", [one.port for one in cables]),
        ("to_ports", [one.far_port for one in cables]),
    ):
        if all(port is not None for port in ports):
            words[word] = [port.as_text() for port in ports if port is not None]
    return words
