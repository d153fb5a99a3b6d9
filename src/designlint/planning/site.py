"""The site of a plan: feeds of the racks, distribution, batteries, generators, and racks beside those of the servers."""

from __future__ import annotations

from math import ceil, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.planning.choices import choices, shell
from designlint.planning.document import Chosen, text_of

if TYPE_CHECKING:
    from designlint.graph.subjects import Subject
    from designlint.planning.brief import Brief

#: What batteries and generators carry: everything where the building must not stop, else what does not resume from a checkpoint.
EVERYTHING, SAVED = ("compute", "network", "storage", "management", "cooling"), ("network", "storage", "management")
#: How many machines a redundancy adds, and how often it multiplies those that carry the load.
REDUNDANT = {"N": (1, 0), "N+1": (1, 1), "N+2": (1, 2), "2N": (2, 0), "2N+1": (2, 1)}
#: Batteries and generators, and the words for their number and size: where a brief states one of these, the others are its own.
MACHINES = {"ups": ("modules", "rating", "apparent_rating"), "generators": ("count", "rating")}
#: Words of a brief that say how racks are fed: where it has one, the others are its own.
FEEDS = ("feeds", "redundancy", "breaker_voltage")
#: Words of the racks of GPU servers that others do not have.
GPU_RACKS = ("blanking_panels",)
#: Feeds of a rack, and what the paths that they come from are called.
PATHS = {2: "2N", 3: "N+1"}


class Loads(NamedTuple):
    """What the parts of a site draw at most: GPU servers, all else in the racks, and the building besides. [W]"""

    servers: float
    others: float
    cooling: float

    def carried_power(self, loads: list[str]) -> float:
        """The power of some loads; network, storage and management count as one."""
        rest = any(one in SAVED for one in loads)
        return self.servers * ("compute" in loads) + self.others * rest + self.cooling * ("cooling" in loads)


def power_path(brief: Brief, loads: Loads) -> dict[str, Any]:
    """Batteries, generators, and what the distribution brings to the racks."""
    backed = {part: machines for part in MACHINES if (machines := _machines(brief, part, loads))}
    return {**backed, "distribution": capacity(brief, loads, "everything in the racks at its maximum")}


def capacity(brief: Brief, loads: Loads, why: str) -> dict[str, Any]:
    """What the racks draw and give off; nothing where that is so little that the building has it."""
    racks = loads.servers + loads.others
    if racks < brief.number(choices()["site"]["least_load"], "Power"):
        return {}
    return {"capacity": Chosen(brief.vocabulary.units.format_planned(racks, "Power", "up"), why)}


def _machines(brief: Brief, part: str, loads: Loads) -> dict[str, Any]:
    """Machines of one kind, as many as carry their loads with some to spare; none where the brief has none."""
    site, given = brief.design.get("facility") or {}, choices()["site"]
    stated, words = site.get(part) or {}, MACHINES[part]
    if any(word in stated for word in words):
        return {}
    whole = brief.number(site.get("tier", "0"), "Count") >= int(given["tier"])
    carried = [str(one) for one in stated.get("protects") or (EVERYTHING if whole else SAVED)]
    redundancy = str(stated.get("redundancy", given["modules"]["redundancy"]))
    load, own = loads.carried_power(carried), given[part]
    smallest = brief.number(own["smallest"], "Power")
    if redundancy not in REDUNDANT or (load < smallest and not stated):
        return {}
    needed, rating = _size_plant(brief, max(load, smallest))
    times, more = REDUNDANT[redundancy]
    why = "the building must not stop" if whole else "GPU servers resume from a checkpoint after an outage"
    count = Chosen(str(needed * times + more), f"{redundancy}; {why}" if "protects" not in stated else redundancy)
    figures = {name: Chosen(value, source) for name, (value, source) in own["figures"].items()}
    fuel = {"fuel": "diesel"} if part == "generators" else {}
    rated = {"rating": brief.vocabulary.units.format_planned(rating, "Power", "up")}
    return {words[0]: count, **rated, "redundancy": redundancy, "protects": carried, **fuel, **figures}


def coolant(brief: Brief, loads: Loads) -> dict[str, Any]:
    """Coolant distribution units for the heat of the servers, with one to spare; none where the brief has its own."""
    stated, given = (brief.design.get("facility") or {}).get("cooling") or {}, choices()["site"]["cdus"]
    if "cdus" in stated:
        return {}
    needed = max(1, ceil(loads.servers / brief.number(given["most"], "Power")))
    each = max(loads.servers / needed, brief.number(given["smallest"], "Power"))
    why = (
        f"N+1 for the heat of all servers; units of {given['smallest']} to {given['most']} are sold ({given['source']})"
    )
    sized = brief.vocabulary.units.format_planned(each, "Power", "up")
    return {"cdus": {"count": Chosen(str(needed + 1), why), "capacity": sized, "redundancy": "N+1"}}


def _size_plant(brief: Brief, load: float) -> tuple[int, float]:
    """How many machines carry a load, and how large each is. [W]"""
    needed = max(1, ceil(load / brief.number(choices()["site"]["modules"]["most"], "Power")))
    return needed, load / needed


def feeds(brief: Brief, pool: Subject, power: float) -> tuple[dict[str, Any], dict[str, Any]]:
    """
    The feeds of a rack with their breakers, and the paths that they come from; none where supplies allow no such feeds.

    Args:
        power: of one rack at its most. [W]
    """
    site = brief.design.get("facility") or {}
    stated = {**(site.get("racks") or {}), **(site.get("distribution") or {})}
    number, why = _paths(pool)
    if not number or not power or any(word in stated for word in FEEDS):
        return {}, {}
    rack = _breakers(brief, number, power, why)
    if not rack:
        return {}, {}
    return rack, {"voltage": voltage(brief), "redundancy": Chosen(PATHS[number], "any one path may fail")}


def shelves(brief: Brief, power: float) -> tuple[dict[str, Any], dict[str, Any]]:
    """
    The feeds of a rack whose servers share power shelves, one for each shelf, half of them from each of two paths.

    Args:
        power: of one rack at its most. [W]
    """
    given, site = choices()["site"]["shelves"].get(brief.gpu), brief.design.get("facility") or {}
    stated = {**(site.get("racks") or {}), **(site.get("distribution") or {})}
    if given is None or any(word in stated for word in FEEDS):
        return {}, {}
    count = int(given["count"])
    rack = _breakers(brief, count, power, f"one for each power shelf ({given['source']})", lost=count // 2)
    rack.pop("pdus", None)  # the shelves distribute the power
    halves = Chosen(PATHS[2], "half of the shelves on each of two paths")
    return rack, {"voltage": voltage(brief), "redundancy": halves} if rack else {}


def voltage(brief: Brief) -> Chosen:
    """The line-to-line voltage at the feeds of racks: as stated, else the usual one."""
    given = choices()["site"]["feeds"]
    stated = ((brief.design.get("facility") or {}).get("distribution") or {}).get("voltage")
    if stated is not None:
        return Chosen(str(stated), "")
    return Chosen(given["voltage"], f"line to line ({given['voltage_source']}); confirm with the site")


def _breakers(brief: Brief, number: int, power: float, why: str, lost: int = 1) -> dict[str, Any]:
    """So many feeds of a rack with the smallest breakers that carry it after some are lost; none where no usual ones do."""
    given, site = choices()["site"]["feeds"], brief.design.get("facility") or {}
    at = voltage(brief).text
    volts, share = brief.number(at, "Voltage"), brief.number(given["share"], "Ratio")
    amperes = power / (number - lost) / (volts * sqrt(3) * share)
    breaker = next((one for one in given["breakers"] if brief.number(one, "Current") >= amperes), None)
    if breaker is None or any(word in (site.get("distribution") or {}) for word in FEEDS):
        return {}
    return {
        "feeds": Chosen(str(number), why),
        "pdus": str(number),
        "breaker_rating": Chosen(
            breaker, f"carries the rack after {'one path' if lost > 1 else 'one feed'} is lost ({given['source']})"
        ),
        "breaker_voltage": at,
        "breaker_phases": "3",
        "derating": given["share"],
    }


def _paths(pool: Subject) -> tuple[int, str]:
    """Paths of power that the supplies of a server need so that one may fail, and why; 0 where no usual number does."""
    count, spare = (pool.number(f"power_supplies/{word}") for word in ("count", "redundant"))
    if count is None or spare is None:
        return 2, "one from each path"
    for number in PATHS:
        lost = ceil(count / number)
        if lost <= spare:
            return number, f"a lost path takes {lost} of {count:.0f} supplies, and {spare:.0f} may fail"
    return 0, ""


def other_racks(brief: Brief, racks: int, power: float) -> dict[str, Any]:
    """
    Racks of switches, storage and management: as many as in a reference architecture, more where they draw more.

    Args:
        racks: those of the GPU servers.
        power: what is in the others at its most. [W]
    """
    given, units, rack = choices()["site"]["other_racks"], brief.vocabulary.units, choices()["racks"]
    usual, limit = (
        ceil(racks * int(given["others"]) / int(given["servers"])),
        brief.number(rack["power_limit"], "Power"),
    )
    count = max(usual, ceil(power / limit))
    bought = "replace with the purchased layout"
    why = f"{given['others']} for every {given['servers']} racks of servers ({given['source']}); {bought}"
    told = units.format_planned(power / count, "Power", "up")
    return {
        "name": "network-and-storage",
        "count": Chosen(str(count), why if count == usual else f"{rack['power_limit']} in each; {bought}"),
        **{word: rack[word] for word in ("units", "power_limit", "footprint")},
        "power": Chosen(told, "an equal share of the other power"),
        **{word: value for word, value in shell()["facility"]["racks"].items() if word not in GPU_RACKS},
        **_breakers(brief, 2, brief.number(told, "Power"), "one from each path"),
    }


def hall(brief: Brief, racks: list[dict[str, Any]]) -> dict[str, Any]:
    """The floor that the racks take with their aisles; nothing where that is small, or a footprint is not known."""
    given = choices()["site"]["floor"]
    if any("footprint" not in one for one in racks):
        return {}
    covered = sum(int(text_of(one["count"])) * brief.number(one["footprint"], "Area") for one in racks)
    needed = covered * float(given["of_racks"])
    if needed < brief.number(given["smallest"], "Area"):
        return {}
    area = brief.vocabulary.units.format_planned(needed, "Area", "up")
    return {
        "floor": {
            "area": Chosen(area, f"{given['of_racks']} times the racks, for aisles ({given['source']}); plant excluded")
        }
    }
