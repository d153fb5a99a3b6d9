"""Volcano's jobs: tasks of so many pods each, plug-ins that know them by name, and how many must start together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import whole
from designlint.importers.kubernetes import hosts
from designlint.importers.kubernetes.pods import PodGroup
from designlint.importers.notations.structured import scalars
from designlint.importers.workloads import count
from designlint.language.values import nearest

if TYPE_CHECKING:
    from designlint.importers.base import Fragment
    from designlint.importers.notations.structured import Table
    from designlint.reading import Node

#: The label by which objects of other kinds name a queue of Volcano's.
QUEUE = "volcano.sh/queue-name"
#: How alike the names of two plug-ins are, from 0 to 1, where one is the other misspelt.
ALIKE = 0.6
#: An argument of a plug-in that names a task.
TASK = re.compile(r"--(?:master|worker|ps|chief|evaluator)=([\w.-]+)\Z")


def groups(top: Table) -> list[PodGroup]:
    """The tasks of a job."""
    found = []
    for one in top.tables("spec/tasks"):
        name, pods = one.get("name"), one.get("replicas")
        task = name.text if name is not None else ""
        found.append(PodGroup(task, pods, one.table("template"), hosts=hosts.of_task(top, task, pods)))
    return found


def report(top: Table, found: Fragment) -> None:
    """The pods of each task, whether all of them must start together, and tasks that a plug-in looks for in vain."""
    listed = groups(top)
    counts = [count(one.count) for one in listed]
    for group, number in zip(listed, counts, strict=True):
        found.fact(f"pods of task {group.name}", number)
    least = count(top.get("spec/minAvailable"))
    if least is not None and all(counts):
        total = sum(whole(one) or 0 for one in counts)
        found.fact("gang", least.but((whole(least) or 0) >= total, f"{least.text} of {total} pods start together"))
    names, plugins = {one.name for one in listed}, top.table("spec/plugins")
    for plugin in plugins.names():
        _report_plugin(top, plugin, plugins.at(plugin), found)
        for stated in scalars(top.source, plugins.at(plugin)):
            task = TASK.match(stated.text)
            if task is not None and task[1] not in names:
                found.clash("import/unknown-name", stated, where="the job", what="task", name=task[1][:60])


def _report_plugin(top: Table, plugin: str, node: Node | None, found: Fragment) -> None:
    """Notes a plug-in that looks like one of Volcano's own."""
    known = str(defaults.tool("kubernetes").tables["volcano"]["plugins"]).split()
    near = nearest(plugin, known, most=1, alike=ALIKE)
    if plugin not in known and near and node is not None and node.key_start >= 0:
        at = top.source.value(plugin, node.key_start, node.key_end)
        found.clash("import/misspelt-key", at, name=plugin[:60], proposal=near[0], tool="Volcano")
