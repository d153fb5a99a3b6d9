"""What Slurm's files must say of one another: names that only one has, GPUs that nobody declares or hands out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fragment
from designlint.importers.slurm import nodes, settings
from designlint.language.hostlists import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Value
    from designlint.importers.slurm import topology
    from designlint.importers.slurm.lines import SlurmLine

#: Names of servers that are sold with GPUs only.
SOLD_WITH_GPUS = re.compile(r"dgx|hgx", re.IGNORECASE)


def report_undeclared(lines: Sequence[SlurmLine], fragment: Fragment) -> None:
    """Servers named like GPU servers, in files that declare no GPU at all."""
    if any("gres" in line.pairs or "file" in line.pairs or line.text("name").lower() == "gpu" for line in lines):
        return
    for line in lines:
        named = line.pairs["nodename"] if line.kind == "nodename" else None
        if named is not None and SOLD_WITH_GPUS.search(named.text):
            fragment.clash("import/gpus-undeclared", named, name=named.text[:60])


def report_unmanaged(lines: Sequence[SlurmLine], fragment: Fragment) -> None:
    """GPUs that servers or gres.conf have, or accounts are kept of, where the whole slurm.conf names no such kind of resource."""
    known = settings.SlurmSettings(lines).found
    if "clustername" not in known or "grestypes" in known:
        return
    gpus = next((line.pairs["name"] for line in lines if line.text("name").lower() == "gpu"), None)
    stated = (line.pairs["gres"] for line in lines if line.kind == "nodename" and nodes.GPU.search(line.text("gres")))
    tracked = known.get("accountingstoragetres")
    counted = tracked is not None and "gres/gpu" in tracked.text.lower()
    at = gpus or next(stated, None) or (tracked if counted else None)
    if at is not None:
        fragment.clash("import/gpus-not-managed", at)


def report_unread(lines: Sequence[SlurmLine], shape: topology.SlurmTopology, fragment: Fragment) -> None:
    """A topology.conf beside the whole slurm.conf that chooses no plug-in which reads it."""
    known = settings.SlurmSettings(lines).found
    if "clustername" not in known or "topologyplugin" in known:
        return
    at = next((one.at for one in shape.switches.values()), None) or next((at for _, at, _ in shape.blocks), None)
    if at is not None:
        fragment.clash("import/topology-not-enabled", at)


def compare(lines: Sequence[SlurmLine], shape: topology.SlurmTopology, fragment: Fragment) -> None:
    """Servers of the topology and of slurm.conf: named in one only, or in two places."""
    places: dict[str, list[Value]] = {}
    for switch in shape.switches.values():
        for one in switch.nodes:
            places.setdefault(one, []).append(switch.nodes_at or switch.at)
    for name, found in places.items():
        if len(found) > 1:
            fragment.clash("import/named-twice", found[1], name=name, line=found[0].line, what="switch")
    named = [
        line for line in lines if line.kind == "nodename" and "file" not in line.pairs and "name" not in line.pairs
    ]
    named = [
        line for line in named if line.text("nodename").lower() != "default" and line.text("state").lower() != "future"
    ]
    scratch = Fragment()
    known = {
        one: line.pairs["nodename"]
        for line in named
        for one in nodes.expand_hostlist(line.pairs["nodename"], scratch, "nodes")
    }
    listed = dict(places)
    for _, at, names in shape.blocks:
        listed |= {one: [at] for one in names}
    if not known or not listed:
        return
    strangers = [one for one in listed if one not in known]
    absent = [one for one in known if one not in listed]
    if strangers:
        at = listed[strangers[0]][0]
        fragment.clash("import/unknown-name", at, name=fold(strangers), what="server", where="slurm.conf")
    if absent:
        at = known[absent[0]]
        fragment.clash("import/not-placed", at, name=fold(absent), count=len(absent))


def report_strangers(lines: Sequence[SlurmLine], fragment: Fragment) -> None:
    """Servers that a partition names but no NodeName line of the whole slurm.conf defines: slurmctld does not start with them."""
    parameters = settings.SlurmSettings(lines).found
    if "clustername" not in parameters or "maxnodecount" in parameters:  # servers that register themselves have no line
        return
    scratch = Fragment()
    known = {
        one
        for line in lines
        if line.kind == "nodename" and nodes.OF_GRES.isdisjoint(line.pairs)
        for one in nodes.expand_hostlist(line.pairs["nodename"], scratch, "nodes")
    }
    known |= {line.text("nodeset") for line in lines if line.kind == "nodeset"}
    for line in lines:
        listed = line.pairs.get("nodes") if line.kind == "partitionname" else None
        if listed is None or not known or listed.text.upper() == "ALL" or "$" in listed.text:
            continue
        strangers = [one for one in nodes.expand_hostlist(listed, scratch, "nodes") if one not in known]
        if strangers and not scratch.unknowns:
            fragment.clash("import/unknown-name", listed, name=fold(strangers), what="NodeName", where="slurm.conf")
