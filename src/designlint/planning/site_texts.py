"""What the architecture document says of the site: power path, batteries, generators, and what an outage takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.graph.subjects import Subject
from designlint.language.sentences import many

if TYPE_CHECKING:
    from designlint.planning.result import PlanAnswer


def site_texts(answer: PlanAnswer) -> dict[str, str]:
    """The values of the template, by their names."""
    site = answer.job_design.graph.root.facts["facility"]
    assert isinstance(site, Subject)
    further: Any = site.facts.get("other_racks") or ()
    others = sum(int(one.facts.get("count") or 0) for one in further)
    halls: Any = site.facts.get("halls") or ()
    racks = f"{_racks(site)}, {others} of network, storage and management" if others else _racks(site)
    return {
        "racks": f"{racks}, in {many(len(halls), 'hall')}" if halls else racks,
        "utility": _utility(answer),
        "feed_loss": _feed_loss(answer, site),
        "outage": _outage(site),
        "plant": _plant(answer, site),
        "power_path": "; ".join([_feeds(site), *(_machines(answer, site, *one) for one in MACHINES)]),
    }


def _utility(answer: PlanAnswer) -> str:
    """What the utility has to commit, and the limit of the brief where it is higher."""
    units, limit, size = answer.brief.vocabulary.units, answer.brief.power, answer.settled.size
    needed = units.format_planned(size.power if size else 0, "Power", "up")
    if limit is None or units.format(limit, "Power") == needed:
        return f"**{needed}** from the utility"
    return f"**{needed}** of the {units.format(limit, 'Power')} that the utility commits"


#: Batteries and generators in the words of a document: their part of a site, their number, what one of them is called.
MACHINES = (("ups", "modules", "UPS module"), ("generators", "count", "generator"))


def _racks(site: Subject) -> str:
    racks = site.part("racks")
    count = None if racks is None else racks.facts.get("count")
    return f"{many(count, 'rack')} of GPU servers" if isinstance(count, int) else "racks of GPU servers"


def _plant(answer: PlanAnswer, site: Subject) -> str:
    cooling = site.part("cooling")
    capacity = site.number("cooling/capacity")
    if cooling is None or capacity is None:
        return "left to the building"
    redundancy = cooling.facts.get("redundancy")
    told = f"{answer.brief.vocabulary.units.format(capacity, 'Power')} with its redundancy ({redundancy}) intact"
    units = cooling.part("cdus")
    if units is None or not units.number("count"):
        return told
    return f"{told}; {_several(answer, units, 'count', 'capacity', 'coolant distribution unit')}"


def _feeds(site: Subject) -> str:
    racks, paths = site.part("racks"), site.part("distribution")
    feeds = None if racks is None else racks.facts.get("feeds")
    if feeds is None:
        return "rack feeds are left open: they follow the server vendor's design"
    redundancy = None if paths is None else paths.facts.get("redundancy")
    return f"{feeds} feeds for each rack" + (f" from paths of redundancy {redundancy}" if redundancy else "")


def _machines(answer: PlanAnswer, site: Subject, name: str, number: str, called: str) -> str:
    part = site.part(name)
    if part is None or not part.number(number):
        return f"{called}s: left to the building"
    return _several(answer, part, number, "rating", called)


def _several(answer: PlanAnswer, part: Subject, number: str, size: str, called: str) -> str:
    """Machines of one kind: how many, how large each is, and their redundancy."""
    count, rating = int(part.number(number) or 0), part.number(size)
    each = "" if rating is None else f" of {answer.brief.vocabulary.units.format(rating, 'Power')}"
    return f"**{many(count, called)}{each}** ({part.facts.get('redundancy', 'no redundancy stated')})"


def _feed_loss(answer: PlanAnswer, site: Subject) -> str:
    pool = answer.job_design.graph.by_class["NodePool"][0]
    feeds, each = site.number("racks/feeds"), site.number("racks/nodes_per_rack")
    spares = pool.number("spares")
    survive = "the other feeds carry the servers; " if feeds is not None and feeds > 1 else ""
    if each is not None and spares is not None and spares < each:
        return f"{survive}a lost rack takes more servers than there are spares, and the job waits for it or continues with fewer"
    return f"{survive}spares in other racks replace a lost rack"


def _outage(site: Subject) -> str:
    ups = site.part("ups")
    protected = None if ups is None else ups.facts.get("protects")
    loads = protected if isinstance(protected, list) else []
    if "compute" in loads:
        return "batteries carry everything until the generators do: training continues"
    if "storage" in loads:
        generators = site.part("generators")
        backed = generators is not None and generators.facts.get("count")
        kept = "batteries and generators carry" if backed else "batteries carry"
        return (
            f"{kept} network, storage and management, so that the file system stays whole; GPU servers stop, and the job "
            "resumes from its last complete checkpoint"
        )
    return "GPU servers stop, and the job resumes from its last complete checkpoint"
