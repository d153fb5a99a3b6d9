"""What slurm.conf says of the scheduler as a whole, and its partitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import Fragment, How, Value, Words, put, whole
from designlint.importers.slurm import times
from designlint.importers.slurm.nodes import expand_hostlist, list_defined
from designlint.importers.workloads import count
from designlint.language.hostlists import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.slurm.lines import SlurmLine

PREEMPTION = {"requeue": "requeue", "suspend": "suspend", "cancel": "kill", "off": "none"}


class SlurmSettings:
    """The parameters of the whole cluster; a later line wins, as in Slurm."""

    def __init__(self, lines: Sequence[SlurmLine]) -> None:
        self.lines = [line for line in lines if not line.kind]
        self.found: dict[str, Value] = {}
        for line in self.lines:
            self.found |= line.pairs

    def get(self, key: str) -> Value | None:
        """The parameter; its line is understood."""
        value = self.found.get(key)
        if value is None or not value.text:
            return None
        value.source.value("", value.start, value.end)
        return value

    def all(self, key: str) -> list[Value]:
        """Every value of a parameter that may be given several times."""
        return [line.pairs[key] for line in self.lines if key in line.pairs and line.pairs[key].text]


def scheduler(settings: SlurmSettings, complete: bool, at: Value, fragment: Fragment) -> Words:
    """The scheduler; `complete` is false where an included file was not read, and then nothing is a default."""
    words: Words = {"kind": at.but("slurm", "the file configures Slurm", How.DERIVED)}
    fragment.fact("generic resources", settings.get("grestypes"))
    hosts = settings.all("slurmctldhost") or settings.all("controlmachine") + settings.all("backupcontroller")
    if hosts:
        for one in hosts:
            one.source.value("", one.start, one.end)
        put(words, "controllers", hosts[0].but(len({one.text for one in hosts}), "controllers named", How.DERIVED))
    tool = defaults.tool("slurm") if complete else None
    for word, given in (
        ("topology_aware", _topology(settings, fragment)),
        ("preemption", _preemption(settings)),
        ("accounting", _accounting(settings)),
        ("fair_share", _fair_share(settings)),
    ):
        put(words, word, given or (tool.value("scheduler", word, at) if tool is not None else None))
    return words


def _topology(settings: SlurmSettings, fragment: Fragment) -> Value | None:
    plugin = settings.get("topologyplugin")
    fragment.fact("topology plugin", plugin)
    if plugin is None:
        return None
    name = plugin.text.rpartition("/")[2].lower()
    return plugin.but(name not in ("default", "flat", "none"), f"plug-in {plugin.text}")


def _preemption(settings: SlurmSettings) -> Value | None:
    kind, mode = settings.get("preempttype"), settings.get("preemptmode")
    if kind is not None and kind.text.rpartition("/")[2].lower() == "none":
        return kind.but("none", f"PreemptType {kind.text}")
    if kind is None or mode is None:
        return None
    modes = [PREEMPTION[one] for one in mode.text.lower().split(",") if one in PREEMPTION]
    return mode.but(modes[0], f"PreemptMode {mode.text}").as_text() if modes else None


def _accounting(settings: SlurmSettings) -> Value | None:
    storage = settings.get("accountingstoragetype")
    return storage and storage.but(storage.text.rpartition("/")[2].lower() != "none", storage.text)


def _fair_share(settings: SlurmSettings) -> Value | None:
    kind, weight = settings.get("prioritytype"), settings.get("priorityweightfairshare")
    if kind is None:
        return None
    if kind.text.rpartition("/")[2].lower() == "basic":
        return kind.but(False, kind.text)
    return (
        weight.but((whole(weight) or 0) > 0, "weight of fair share") if whole(weight) is not None and weight else None
    )


def partitions(lines: Sequence[SlurmLine], fragment: Fragment, *, complete: bool) -> list[Words]:
    """The partitions, with the servers behind node sets, and behind ALL where every server has a line."""
    settings = SlurmSettings(lines)
    select = settings.get("selecttype")
    every = complete and "clustername" in settings.found and "maxnodecount" not in settings.found
    whole_servers = select is not None and select.text.rpartition("/")[2].lower() == "linear"
    sets = {line.text("nodeset"): line.get("nodes") for line in lines if line.kind == "nodeset"}
    for line in lines:
        if line.kind == "nodeset":
            fragment.fact("node set", line.get("nodeset"))
    found: list[Words] = []
    defaults: dict[str, Value] = {}
    for line in lines:
        if line.kind != "partitionname":
            continue
        if line.text("partitionname").lower() == "default":
            defaults |= line.pairs
            continue
        line.pairs = defaults | line.pairs
        words = _partition(line, sets, fragment)
        if every and line.text("nodes").upper() == "ALL" and (names := list_defined(lines, Fragment())):
            put(words, "servers", line.pairs["nodes"].but(fold(names), "every NodeName line").as_text())
        if select is not None and whole_servers and line.text("oversubscribe", "shared").lower() in ("", "no"):
            words["exclusive"] = select.but(True, f"SelectType {select.text} hands out whole servers")
        found.append(words)
    return found


def grace(lines: Sequence[SlurmLine]) -> Value | None:
    """The time that preempted jobs are given, where all partitions give the same."""
    given = [
        line.get("gracetime")
        for line in lines
        if line.kind == "partitionname" and line.text("partitionname").lower() != "default"
    ]
    texts = {one.text if one is not None else "" for one in given}
    first = given[0] if given else None
    if first is None or len(texts) != 1 or not whole(first):
        return None
    return first.but(times.duration(whole(first) or 0), "GraceTime of every partition", How.STATED)


def _partition(line: SlurmLine, sets: dict[str, Value | None], fragment: Fragment) -> Words:
    name = line.pairs["partitionname"]
    words: Words = {"name": name.as_text()}
    nodes = line.get("nodes")
    if nodes is not None and nodes.text.upper() != "ALL":
        behind = sets.get(nodes.text, nodes)
        if behind is None:
            why = f"the node set `{nodes.text}` names features, not servers"
            fragment.unknown(f"scheduler/partitions/{name.text}/servers", why, "scontrol show partition", nodes)
        else:
            servers = fold(expand_hostlist(behind, fragment, "scheduler/partitions"))
            put(words, "servers", behind.but(servers, "", How.STATED).as_text() if servers else None)
    put_limits(line, words, fragment)
    return words


def put_limits(line: SlurmLine, words: Words, fragment: Fragment) -> None:
    """What a partition grants its jobs, and which it admits: walltime, being the default, servers, accounts."""
    limit = line.get("maxtime")
    if limit is not None and limit.text.lower() in times.UNLIMITED:
        put(words, "unlimited", limit.but(True, f"MaxTime {limit.text}"))
    elif limit is not None:
        seconds = times.seconds(limit.text)
        if seconds is None:
            fragment.clash("import/not-a-value", limit, text=limit.text[:40], wanted="a time limit such as 2-00:00:00")
        else:
            put(words, "walltime_limit", limit.but(times.duration(seconds), "", How.STATED))
    default, shared = line.get("default"), line.get("oversubscribe", "shared")
    put(words, "default", default and default.but(default.text.lower() == "yes", "", How.STATED))
    put(words, "exclusive", shared and shared.but(shared.text.lower() == "exclusive", "", How.STATED))
    put(words, "largest_job", count(line.get("maxnodes")))
    for word, key in (("accounts", "allowaccounts"), ("qualities", "allowqos")):
        listed = line.get(key)
        if listed is not None and listed.text.upper() != "ALL":
            words[word] = [listed.but(one.strip(), "", How.STATED).as_text() for one in listed.text.split(",") if one]
