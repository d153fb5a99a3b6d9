"""Names of transceivers by their parts: `OSFP-2x400G-DR4`, `QSFP112-400G-VR4`, `QDD-4X100G-FR`, `osfp-800g-2xdr4-500m`."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

#: Form factors as names spell them; one part of a name that says nothing of a flat or finned top is open.
FORMS = {
    "osfp": None, "osfp112": None, "osfp224": None, "rhs": "osfp-flat", "flat": "osfp-flat", "flt": "osfp-flat",
    "ihs": "osfp-finned", "finned": "osfp-finned", "qsfp112": "qsfp112", "qsfpdd": "qsfp-dd", "qsfpdd800": "qsfp-dd",
    "qdd": "qsfp-dd", "qsfp": None, "qsfp56": "qsfp56", "qsfp28": "qsfp28", "sfp": None, "sfp28": "sfp28", "sfp56": None,
    "sfp112": None,
}  # fmt: skip
#: Words that say what it is, as orders have them.
NOUNS = ("transceiver", "transceivers", "optic", "optics", "module", "modules")
JOINED = re.compile(r"qsfp[- ]?dd")
#: `gbase` is how standards write it: 400GBASE-DR4.
RATE = re.compile(r"(?:(?P<ports>\d)x)?(?P<number>\d+(?:\.\d+)?)(?P<unit>[gt])(?:base|be|b?ps|bit|bits|e)?")
OPTIC = re.compile(r"(?:(?P<ports>\d)x?)?(?P<optic>(?:vr|sr|x?dr|p?lr|fr|er|zr)\d?)")
REACH = re.compile(r"(?P<number>\d+)(?P<unit>k?m)")
UNITS = {"g": 1e9, "t": 1e12, "m": 1.0, "km": 1e3}


class OpticName(Struct, frozen=True):
    """
    What a name says.

    Attributes:
        optic: class of the optics of one port, such as `dr4`.
        ports: optical ports.
        port_speed: line rate of one port, in bit/s; None where the name has no rate.
        form: form factor with its top; None where the name leaves it open.
        reach: longest fibre in m; None where the name has none.
    """

    optic: str
    ports: int
    port_speed: float | None
    form: str | None
    reach: float | None


@lru_cache(maxsize=256)
def read(name: str) -> OpticName | None:
    """The parts of a name; None unless each is known, one is a class of optics, and another a form factor or a rate."""
    found: dict[str, re.Match[str]] = {}
    forms = list[str]()
    for part in re.split(r"[-_/ ]+", JOINED.sub("qsfpdd", name.strip().casefold())):
        if part in FORMS:
            forms.append(part)
        elif part not in NOUNS:
            kind, match = _match_form(part)
            if match is None or kind in found:
                return None
            found[kind] = match
    if "optic" not in found or not (forms or "rate" in found):
        return None
    return _combine(found, forms)


def _match_form(part: str) -> tuple[str, re.Match[str] | None]:
    for kind, pattern in (("rate", RATE), ("optic", OPTIC), ("reach", REACH)):
        if match := pattern.fullmatch(part):
            return kind, match
    return "", None


def _combine(found: dict[str, re.Match[str]], forms: list[str]) -> OpticName | None:
    optic, rate, reach = found["optic"], found.get("rate"), found.get("reach")
    in_optic, in_rate = optic["ports"], rate and rate["ports"]
    if in_optic and in_rate and in_optic != in_rate:
        return None
    ports = int(in_optic or in_rate or 1)
    total = float(rate["number"]) * UNITS[rate["unit"]] * int(in_rate or 1) if rate else None
    tops = {top for one in forms if (top := FORMS[one])}
    return OpticName(
        optic=optic["optic"],
        ports=ports,
        port_speed=total / ports if total else None,
        form=tops.pop() if len(tops) == 1 else None,
        reach=float(reach["number"]) * UNITS[reach["unit"]] if reach else None,
    )
