"""Figures of transceivers that stand in their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation
from designlint.language import optic_names

if TYPE_CHECKING:
    from designlint.derivations.base import Text
    from designlint.language.units import Count, DataRate, Length


@derivation(of="Transceiver", sources=("arista-transceivers",))
def optic(name: Text | None, model_name: Text | None) -> Text | None:
    """Class of the optics of one port that the name states, such as dr4 of OSFP-2x400G-DR4."""
    found = optic_names.read(name or model_name or "")
    return found.optic if found else None


@derivation(of="Transceiver", sources=("arista-transceivers",))
def ports(name: Text | None, model_name: Text | None) -> Count | None:
    """Optical ports that the name states: 2 of OSFP-2x400G-DR4, 1 where it states none. [1]"""
    found = optic_names.read(name or model_name or "")
    return found.ports if found else None


@derivation(of="Transceiver", sources=("arista-transceivers",))
def port_speed(name: Text | None, model_name: Text | None) -> DataRate | None:
    """Line rate of one optical port that the name states: 400 Gbit/s of OSFP-800G-2xDR4. [bit/s]"""
    found = optic_names.read(name or model_name or "")
    return found.port_speed if found else None


@derivation(of="Transceiver", sources=("arista-transceivers",))
def form(name: Text | None, model_name: Text | None) -> Text | None:
    """Form factor that the name states; absent where its top, flat or finned, is open."""
    found = optic_names.read(name or model_name or "")
    return found.form if found else None


@derivation(of="Transceiver", sources=("arista-transceivers",))
def reach(name: Text | None, model_name: Text | None) -> Length | None:
    """Longest fibre that the name states: 500 m of OSFP-800G-2xDR4-500m. [m]"""
    found = optic_names.read(name or model_name or "")
    return found.reach if found else None
