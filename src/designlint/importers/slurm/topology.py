"""The tree of switches and the blocks of servers that Slurm places jobs by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from designlint.importers import tiers
from designlint.importers.base import Fragment, How, Value, Words, put
from designlint.importers.notations.structured import close, scalars
from designlint.importers.slurm.nodes import expand_hostlist

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from designlint.importers.notations.structured import Table
    from designlint.importers.slurm.lines import SlurmLine

ADJACENCY = "Slurm's topology says which switches are neighbours, not by how many cables"


class SlurmSwitch(Struct):
    """A switch with the names below it."""

    at: Value
    nodes: list[str] = field(default_factory=list)
    below: list[str] = field(default_factory=list)
    level: int | None = None
    nodes_at: Value | None = None
    below_at: Value | None = None


class SlurmTopology(Struct):
    """Switches by name, blocks in order, and the sizes of blocks."""

    switches: dict[str, SlurmSwitch] = field(default_factory=dict)
    blocks: list[tuple[Value, Value, list[str]]] = field(default_factory=list)
    sizes: Value | None = None


def of_lines(lines: Sequence[SlurmLine], fragment: Fragment) -> SlurmTopology:
    """The shape that topology.conf, or `scontrol show topology`, describes."""
    shape = SlurmTopology()
    for line in lines:
        if line.kind == "switchname":
            _switch(
                shape, line.pairs["switchname"], line.get("nodes"), line.get("switches"), line.text("level"), fragment
            )
        elif line.kind == "blockname":
            nodes = line.get("nodes")
            if nodes is not None:
                shape.blocks.append(
                    (line.pairs["blockname"], nodes, expand_hostlist(nodes, fragment, "scheduler/blocks"))
                )
            shape.sizes = shape.sizes or line.get("blocksize")
        elif line.kind == "aggregatedblock":  # the blocks of a larger size, as scontrol shows them
            larger = line.get("blocksize")
            if larger is not None and shape.sizes is not None and larger.text not in shape.sizes.text.split(","):
                shape.sizes = shape.sizes.but(f"{shape.sizes.text},{larger.text}", "", How.STATED)
        shape.sizes = line.get("blocksizes") or shape.sizes
    return shape


def of_yaml(tables: Sequence[Table], fragment: Fragment) -> SlurmTopology:
    """The shape that one topology of topology.yaml describes: the cluster's default, else the first."""
    shape = SlurmTopology()
    defaults = [one for one in tables if (found := one.get("cluster_default")) is not None and found.text == "true"]
    chosen = (defaults or list(tables))[:1]
    for table in chosen:
        for switch in table.tables("tree/switches"):
            name = switch.get("switch")
            if name is not None:
                _switch(shape, name, switch.get("nodes"), switch.get("children"), "", fragment)
        for block in table.tables("block/blocks"):
            name, nodes = block.get("block"), block.get("nodes")
            if name is not None and nodes is not None:
                shape.blocks.append((name, nodes, expand_hostlist(nodes, fragment, "scheduler/blocks")))
        sizes = scalars(table.source, table.at("block/block_sizes"))
        if sizes:
            shape.sizes = sizes[0].but(",".join(one.text for one in sizes), "", How.STATED)
    others = [table.node for table in tables if table not in chosen and table.node is not None]
    for source in dict.fromkeys(table.source for table in tables):
        close(source, "slurm-topology", elsewhere=others)
    return shape


def _switch(
    shape: SlurmTopology, name: Value, nodes: Value | None, below: Value | None, level: str, fragment: Fragment
) -> None:
    word = "fabrics/topology/switches"
    for one in expand_hostlist(name, fragment, word):
        switch = shape.switches.setdefault(one, SlurmSwitch(name))
        switch.level = int(level) if level.isdecimal() and len(level) < 3 else None
        if nodes is not None and level in ("", "0"):  # scontrol lists all that is below under every level
            switch.nodes, switch.nodes_at = expand_hostlist(nodes, fragment, word), nodes
        if below is not None:
            switch.below, switch.below_at = expand_hostlist(below, fragment, word), below


def levels(shape: SlurmTopology) -> dict[str, int]:
    """
    Steps of each switch above the servers, as scontrol prints them, else as Slurm counts them: one more than the highest below.

    What lies above a switch that is not described is left out. Where switches name one another, as lists of neighbours do, the
    shortest way counts.
    """
    printed = {name: switch.level for name, switch in shape.switches.items() if switch.level is not None}
    if len(printed) == len(shape.switches):
        return printed
    above: dict[str, list[str]] = {}
    for name, switch in shape.switches.items():
        for one in switch.below:
            above.setdefault(one, []).append(name)
    lowest = [name for name, switch in shape.switches.items() if switch.nodes]
    if _circle(shape, above):
        return tiers.levels(lowest, above)
    found = dict.fromkeys(lowest, 0)
    open_ = {name: set(switch.below) for name, switch in shape.switches.items()}
    for here in lowest:  # grows as switches are found
        for one in above.get(here, ()):
            open_[one].discard(here)
            if not open_[one] and one not in found:
                found[one] = 1 + max(found[below] for below in shape.switches[one].below)
                lowest.append(one)
    return found


def _circle(shape: SlurmTopology, above: Mapping[str, Sequence[str]]) -> bool:
    """Whether some switches lie above one another."""
    open_ = {name: {one for one in switch.below if one in shape.switches} for name, switch in shape.switches.items()}
    done = [name for name, below in open_.items() if not below]
    for here in done:  # grows as what is below switches is done
        for one in above.get(here, ()):
            if one in open_ and here in open_[one]:
                open_[one].discard(here)
                if not open_[one]:
                    done.append(one)
    return len(done) < len(open_)


def fabric(shape: SlurmTopology, fragment: Fragment) -> Words:
    """The topology of a fabric: switches with roles by their level, neighbours without a number of cables."""
    level = levels(shape)
    switches: list[Words] = []
    links: list[Words] = []
    hosts: list[Words] = []
    joined: set[frozenset[str]] = set()
    for name, switch in shape.switches.items():
        words: Words = {"name": switch.at.but(name, "", How.STATED).as_text()}
        tiers.put_role(words, switch.at, level.get(name))
        switches.append(words)
        for node in switch.nodes if switch.nodes_at is not None else ():
            assert switch.nodes_at is not None
            hosts.append({"server": switch.nodes_at.but(node).as_text(), "to": switch.at.but(name).as_text()})
        for one in switch.below if switch.below_at is not None else ():
            pair = frozenset((name, one))
            if one not in shape.switches:
                fragment.clash("import/unknown-name", switch.at, name=one, what="switch", where="the topology")
            elif pair not in joined and len(pair) == 2:
                joined.add(pair)
                assert switch.below_at is not None
                links.append({"from": switch.below_at.but(one).as_text(), "to": switch.at.but(name).as_text()})
            elif name in shape.switches[one].below:
                fragment.clash("import/circle", switch.at, name=name, other=one)
    return {"switches": switches, "links": links, "host_links": hosts}


def scheduler(shape: SlurmTopology, fragment: Fragment) -> Words:
    """Blocks and their sizes."""
    words: Words = {}
    if shape.blocks:
        blocks: list[Words] = [
            {"name": name.as_text(), "servers": nodes.as_text(), "count": nodes.but(len(names), "counted", How.DERIVED)}
            for name, nodes, names in shape.blocks
        ]
        words["blocks"] = blocks
    sizes = shape.sizes
    if sizes is not None:
        parts = [one.strip() for one in sizes.text.split(",") if one.strip().isdigit()]
        words["block_sizes"] = [sizes.but(one) for one in parts]
        if parts:
            put(words, "block_size", sizes.but(parts[0], "", How.STATED))
        if parts and not shape.blocks and not shape.switches:
            fragment.clash("import/blocks-missing", sizes, text=sizes.text[:40])
    return words
