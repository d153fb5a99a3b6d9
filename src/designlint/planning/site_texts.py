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
    return {
        "racks": f"{_racks(site)}, {others} of network, storage and management" if others else _racks(site),
        "feed_loss": _feed_loss(answer, site),
        "outage": _outage(site),
        "plant": _plant(answer, site),
        "power_path": "; ".join([_feeds(site), *(_machines(answer, site, *one) for one in MACHINES)]),
    }


#: Batteries and generators in the words of a document: their part of a site, their number, what one of them is called.
MACHINES = (("ups", "modules", "UPS module"), ("generators", "count", "generator"))


def _racks(site: Subject) -> str:
    racks = _part(site, "racks")
    count = None if racks is None else racks.facts.get("count")
    return f"{many(count, 'rack')} of GPU servers" if isinstance(count, int) else "racks of GPU servers"


def _plant(answer: PlanAnswer, site: Subject) -> str:
    cooling = _part(site, "cooling")
    capacity, redundancy = (None if cooling is None else cooling.facts.get(word) for word in ("capacity", "redundancy"))
    if not isinstance(capacity, int | float):
        return "left to the building"
    told = f"{answer.brief.vocabulary.units.format(capacity, 'Power')} with its redundancy ({redundancy}) intact"
    units = cooling.facts.get("cdus") if cooling is not None else None
    if not isinstance(units, Subject) or not units.facts.get("count"):
        return told
    return f"{told}; {_several(answer, units, 'count', 'capacity', 'coolant distribution unit')}"


def _part(site: Subject, name: str) -> Subject | None:
    part = site.facts.get(name)
    return part if isinstance(part, Subject) else None


def _feeds(site: Subject) -> str:
    racks, paths = _part(site, "racks"), _part(site, "distribution")
    feeds = None if racks is None else racks.facts.get("feeds")
    if feeds is None:
        return "rack feeds are left open: they follow the server vendor's design"
    redundancy = None if paths is None else paths.facts.get("redundancy")
    return f"{feeds} feeds for each rack" + (f" from paths of redundancy {redundancy}" if redundancy else "")


def _machines(answer: PlanAnswer, site: Subject, name: str, number: str, called: str) -> str:
    part = _part(site, name)
    count = None if part is None else part.facts.get(number)
    if part is None or not isinstance(count, int | float) or not count:
        return f"{called}s: left to the building"
    return _several(answer, part, number, "rating", called)


def _several(answer: PlanAnswer, part: Subject, number: str, size: str, called: str) -> str:
    """Machines of one kind: how many, how large each is, and their redundancy."""
    count, rating = int(part.facts[number]), part.facts.get(size)  # type: ignore[arg-type]
    each = f" of {answer.brief.vocabulary.units.format(rating, 'Power')}" if isinstance(rating, int | float) else ""
    return f"**{many(count, called)}{each}** ({part.facts.get('redundancy', 'no redundancy stated')})"


def _feed_loss(answer: PlanAnswer, site: Subject) -> str:
    racks, pool = _part(site, "racks"), answer.job_design.graph.by_class["NodePool"][0]
    feeds, each = (None if racks is None else racks.facts.get(word) for word in ("feeds", "nodes_per_rack"))
    spares = pool.facts.get("spares")
    survive = "the other feeds carry the servers; " if isinstance(feeds, int | float) and feeds > 1 else ""
    if isinstance(each, int | float) and isinstance(spares, int | float) and spares < each:
        return f"{survive}a lost rack takes more servers than there are spares, and the job waits for it or continues with fewer"
    return f"{survive}spares in other racks replace a lost rack"


def _outage(site: Subject) -> str:
    ups = _part(site, "ups")
    loads = () if ups is None else tuple(ups.facts.get("protects") or ())  # type: ignore[arg-type]
    if "compute" in loads:
        return "batteries carry everything until the generators do: training continues"
    if "storage" in loads:
        generators = _part(site, "generators")
        backed = generators is not None and generators.facts.get("count")
        kept = "batteries and generators carry" if backed else "batteries carry"
        return (
            f"{kept} network, storage and management, so that the file system stays whole; GPU servers stop, and the job "
            "resumes from its last complete checkpoint"
        )
    return "GPU servers stop, and the job resumes from its last complete checkpoint"
