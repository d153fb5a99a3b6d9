"""The cluster around a job: servers, networks, storage, power and cooling, in whole counts that can be wired and bought."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

from designlint.language.sentences import many, percent
from designlint.planning import site
from designlint.planning.choices import choices, shell
from designlint.planning.document import Chosen
from designlint.planning.file_system import file_servers, object_servers, rates
from designlint.planning.frontend import PORTS
from designlint.planning.hardware import nearest_power
from designlint.planning.networks import domain_servers
from designlint.planning.rounding import whole
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from designlint.graph.subjects import Subject
    from designlint.planning.brief import Brief

#: Practices of liquid cooling.
LIQUID = {"manifolds": "true", "pressure_tested": "true"}


def spares(brief: Brief, servers: int) -> int:
    """Spare servers beside those in service: as stated, else a share of them, those in repair, and what fills whole racks."""
    stated = brief.pool.get("spares")
    if stated is not None:
        return int(brief.number(stated, "Count"))
    found, domain = max(_usual_spares(servers), _in_repair(brief, servers)), domain_servers(brief)
    return found if servers < domain else whole(servers + found, domain) - servers


def _usual_spares(servers: int) -> int:
    """A share of the servers in service, but at least so many."""
    given = choices()["spares"]
    return max(int(given["least"]), ceil(servers * float(given["share"])))


def _in_repair(brief: Brief, servers: int) -> int:
    """Servers that are in repair on average, rounded up."""
    rate = brief.pool.get("failure_rate", _failure_rate(brief))
    repair = (brief.design.get("operations") or {}).get(
        "mean_time_to_repair", shell()["operations"]["mean_time_to_repair"]
    )
    failures, time = brief.number(rate, "Rate"), brief.number(repair, "Duration")
    return ceil(failures * time * (servers + _usual_spares(servers)))


def _why_spares(brief: Brief, servers: int) -> str:
    """Why there are so many spare servers."""
    given, found = choices()["spares"], spares(brief, servers)
    if found <= _usual_spares(servers):
        few = servers * float(given["share"]) < int(given["least"])
        return (
            "replaces a failed server" if few else f"{percent(float(given['share']))} of the servers"
        ) + f" ({given['source']})"
    if domain_servers(brief) > 1:
        return f"fills the last rack: a rack of {domain_servers(brief)} is one scale-up domain"
    return "as many as are in repair on average"


def nodes(brief: Brief, servers: int) -> dict[str, Any]:
    """The pool: servers in service, spares, and their ports."""
    hardware, files, failures, extra = (
        brief.hardware,
        brief.storage_hardware,
        choices()["failures"],
        choices()["networks"],
    )
    return {
        "name": brief.pool.get("name", "train"),
        **_server(brief),
        **({"gpu": brief.pool["gpu"]} if "gpu" in brief.pool else {}),
        **_power(brief),
        "count": Chosen(str(servers), f"{servers * brief.gpus_per_server} GPUs"),
        "spares": Chosen(str(spares(brief, servers)), _why_spares(brief, servers)),
        "failure_rate": Chosen(_failure_rate(brief), f"after a published cluster ({failures['source']})"),
        "networks": [
            {"fabric": brief.compute, "nic": hardware["nic"], "ports": hardware["ports"], "speed": hardware["speed"]},
            {"fabric": brief.storage_network, "nic": files["nic"], "ports": files["ports"], "speed": files["speed"]},
            {"fabric": "in-band", "nic": extra["in-band"]["nic"], "ports": "2", "speed": extra["in-band"]["speed"]},
            {
                "fabric": "out-of-band",
                "nic": {"speed": "1 Gbit/s", "pcie_generation": "3", "pcie_lanes": "1"},
                "ports": "1",
                "speed": "1 Gbit/s",
            },
        ],
    }


def _failure_rate(brief: Brief) -> str:
    """Failures of one server, by its number of GPUs."""
    given = choices()["failures"]
    number, _, rest = str(given["rate"]).partition(" ")
    return f"{float(number) * brief.gpus_per_server / float(given['gpus']):.3g} {rest}"


def _server(brief: Brief) -> dict[str, Any]:
    """The server by its name, or by its figures."""
    found = brief.machine
    return {"model": Chosen(found.server, f"{found.kind} for {found.gpu}")} if found.server else dict(found.words)


def _power(brief: Brief) -> dict[str, Any]:
    """
    The power of a server whose data sheet the catalogue does not have: after its GPUs, as of the nearest server that it has.

    Raises UsageError where that of its GPUs is not known either.
    """
    found = brief.machine
    each = found.gpu_figures.get("power")
    if "power" in found.figures:
        return {}
    if each is None:
        raise UsageError(f"the power of {found.gpu} and of its servers is unknown: state `power` of the servers")
    name, share = nearest_power(found, brief.vocabulary)
    drawn = float(each) * brief.gpus_per_server * share
    why = f"{share:.2f} times the power of its GPUs, as {name}; confirm with the vendor"
    return {"power": Chosen(brief.vocabulary.units.format_planned(drawn, "Power", "up"), why)}


def storage(brief: Brief, servers: int, job: Subject) -> list[dict[str, Any]]:
    """The tiers: drives of the servers, and a parallel file system for data and checkpoints."""
    given, units, rate = choices()["file_system"], brief.vocabulary.units, rates(brief, servers)
    kept = (job.number("checkpoint_size") or 0.0) * int(given["checkpoints"])
    tokens = (brief.tokens or 0) * float(given["bytes_per_token"])
    systems = object_servers(brief, servers)
    data = (kept + tokens) / brief.number(given["usable"], "Ratio") * float(given["room"])
    drives_of = systems * brief.number(given["capacity_per_server"], "Bytes")
    capacity = units.format_planned(max(data, drives_of), "Bytes", "up")
    why = (
        f"{given['room']} times the data set and {given['checkpoints']} checkpoints"
        if data > drives_of
        else f"{given['capacity_per_server']} for each object server"
    )
    own, shared = brief.tiers
    drawn = file_servers(brief, servers) * brief.number(given["power_per_server"], "Power")
    drives = brief.machine.figures.get("local_storage", {}).get("capacity", 0)
    local = {"name": own, "capacity": units.format_planned(drives * servers, "Bytes", "down")} if drives else {}
    system = {
        "name": shared,
        "capacity": Chosen(capacity, why),
        "read": Chosen(units.format_planned(rate.read, "Bandwidth", "up"), rate.for_read),
        "write": Chosen(units.format_planned(rate.write, "Bandwidth", "up"), rate.for_write),
        "object_servers": str(systems),
        "server_rate": _file_server_rate(brief),
        "power": Chosen(
            units.format_planned(drawn, "Power", "up"), f"{given['power_per_server']} for each of its servers"
        ),
    }
    return [one for one in (local, system) if one]


def _file_server_rate(brief: Brief) -> Chosen:
    """What the ports of one server of the file system carry together."""
    rate = PORTS * brief.number(brief.storage_hardware["speed"], "DataRate")
    return Chosen(brief.vocabulary.units.format(rate, "DataRate"), f"{PORTS} ports")


def utility_power(brief: Brief, design: Subject, pool: Subject) -> float:
    """What the utility has to commit for what the parts draw at most. [W]"""
    it_power = _server_power(design) + other_power(design)
    return it_power * _design_day(brief, pool) / (1 - reserve(brief))


def reserve(brief: Brief) -> float:
    """Share of the utility's power that stays free: as stated, else as usual."""
    stated = (brief.design.get("facility") or {}).get("power_headroom", choices()["facility"]["reserve"])
    return brief.number(stated, "Ratio")


def _design_day(brief: Brief, pool: Subject) -> float:
    """Power of the site over that of what is in its racks on the hottest day: as stated, else as usual for its cooling."""
    stated = ((brief.design.get("facility") or {}).get("cooling") or {}).get("design_day_pue")
    return brief.number(choices()["facility"][f"design_day_{_way(pool)}"] if stated is None else stated, "Ratio")


def other_power(design: Subject) -> float:
    """What networks, storage and management draw: as stated, else after the servers; what is counted of it at least. [W]"""
    stated = _power_of(design, "other")
    if stated is not None:
        return max(stated, _count_power(design))
    return max(_server_power(design) * float(choices()["facility"]["other_of_servers"]), _count_power(design))


def _count_power(design: Subject) -> float:
    """What the switches and the storage draw at most, as far as it is known. [W]"""
    kinds = ("network", "storage")
    return sum(_power_of(design, one) or _power_of(design, f"least_{one}") or 0.0 for one in kinds)


def _server_power(design: Subject) -> float:
    return _power_of(design, "server") or 0.0


def _power_of(design: Subject, drawn_by: str) -> float | None:
    """One of the site's powers. [W]"""
    return design.number(f"facility/{drawn_by}_power")


def _way(pool: Subject) -> str:
    """How the servers are cooled."""
    return "liquid" if pool.facts.get("cooling") in ("liquid", "hybrid") else "air"


def facility(brief: Brief, design: Subject, pool: Subject) -> dict[str, Any]:
    """Power, racks and cooling for what the parts draw at most."""
    units, given, way = brief.vocabulary.units, choices()["facility"], _way(pool)
    pue, day = given[f"pue_{way}"], _design_day(brief, pool)
    others_text = units.format_planned(other_power(design), "Power", "up")
    servers, others = _server_power(design), brief.number(others_text, "Power")
    counted_more = _count_power(design) > servers * float(given["other_of_servers"])
    racks, paths = _racks(brief, pool)
    loads = site.Loads(servers, others, (servers + others) * (day - 1))
    path = site.power_path(brief, loads)
    beside = site.other_racks(brief, int(racks["count"].text), others)
    return {
        "other_power": Chosen(
            others_text,
            "maximum power of the switches and the storage; add management"
            if counted_more
            else f"{percent(float(given['other_of_servers']))} of the servers' ({given['source']}); replace with what is bought",
        ),
        "utility_power": Chosen(
            units.format_planned(utility_power(brief, design, pool), "Power", "up"),
            f"design-day PUE {day:g} and {percent(reserve(brief))} reserve",
        ),
        "energy_price": given["energy_price"],
        **path,
        "distribution": {**paths, **path["distribution"]},
        "racks": racks,
        "other_racks": [beside],
        **site.hall(brief, [racks, beside]),
        "cooling": {
            **(
                LIQUID | site.coolant(brief, loads)
                if way == "liquid"
                else {"containment": "hot-aisle", "inlet_temperature": given["inlet_air"]}
            ),
            "method": Chosen("direct-liquid" if way == "liquid" else "air", "matches the servers"),
            **site.capacity(brief, loads, "the heat of everything in the racks, with one unit failed"),
            "pue": pue,
            "design_day_pue": f"{day:g}",
        },
    }


def _racks(brief: Brief, pool: Subject) -> tuple[dict[str, Any], dict[str, Any]]:
    """The racks of the GPU servers, and the paths of power that they need."""
    units, rack, domain = brief.vocabulary.units, choices()["racks"], domain_servers(brief)
    stated = (brief.design.get("facility") or {}).get("racks") or {}
    power, count, spares = (pool.number(word) or 0 for word in ("power", "count", "spares"))
    limit = brief.number(stated.get("power_limit", rack["power_limit"]), "Power")
    each = domain if domain > 1 else _in_rack(brief, pool, limit)
    each = int(brief.number(stated.get("nodes_per_rack", each), "Count"))
    fed, paths = site.shelves(brief, each * power) if domain > 1 else site.feeds(brief, pool, each * power)
    return {
        "count": Chosen(str(ceil((count + spares) / each)), f"{many(each, 'server')} in each"),
        "nodes_per_rack": str(each),
        "units": rack["units"],
        "power_limit": units.format_planned(max(limit, each * power * (1 + float(rack["margin"]))), "Power", "up"),
        **({} if domain > 1 else {word: rack[word] for word in ("mass", "mass_limit", "footprint")}),
        **fed,
    }, paths


def _in_rack(brief: Brief, pool: Subject, limit: float) -> int:
    """
    Servers of a rack: as many as its power, its room, and air where that cools them, allow.

    Args:
        limit: the most that a rack may draw. [W]
    """
    rack, stated = choices()["racks"], (brief.design.get("facility") or {}).get("racks") or {}
    power, high = (pool.number(word) for word in ("power", "rack_units"))
    if _way(pool) == "air":
        limit = min(limit, brief.number(rack["air_limit"], "Power"))
    room = brief.number(stated.get("units", rack["units"]), "Count")
    most = [int(whole // one) for whole, one in ((limit, power), (room, high)) if one]
    return max(1, min(most, default=1))
