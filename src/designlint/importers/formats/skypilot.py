"""SkyPilot's tasks: nodes, the accelerators of each, and the script that all of them run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, How, Source, Value, Words, put
from designlint.importers.kubernetes.commands import Pod, run_text
from designlint.importers.kubernetes.pods import totals_of_pods
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table
from designlint.importers.shell.pieces import Piece
from designlint.importers.workloads import count, get, name_workload

if TYPE_CHECKING:
    from designlint.importers.base import Context

TITLE = "SkyPilot task"
JOBS = True
TOOLS = ("skypilot",)
#: Keys of a task: https://docs.skypilot.co/en/latest/reference/yaml-spec.html.
KEYS = frozenset(
    (
        *("name", "workdir", "num_nodes", "resources", "envs", "secrets", "volumes", "file_mounts", "setup", "run"),
        *("config", "service", "pool", "experimental", "inputs", "outputs", "event_callback", "priority"),
    )
)
#: `A100:8`, and `A100`, which is one.
ACCELERATORS = re.compile(r"([A-Za-z][\w.-]*)(?::(\d+))?\Z")


def sure(source: Source) -> int:
    """7 where a mapping holds what only a task has."""
    found = structured.keys(source, "resources", "run")
    return 7 if KEYS >= found >= {"resources", "run"} else 0


def workload(source: Source, found: Fragment, context: Context) -> Words:
    """What a task asks for, and what its script starts on each node."""
    table = Table(source, structured.root(source))
    words: Words = {}
    name = name_workload(source, table.get("name"))
    put(words, "name", name)
    nodes = count(table.get("num_nodes"))
    if table.at("num_nodes") is None:
        nodes = Value("", source, 0, 0).but(1, "SkyPilot: one node unless num_nodes is stated", How.DEFAULT)
    put(words, "job/workers", nodes)
    stated = table.get("resources/accelerators")
    parts = ACCELERATORS.match(stated.text) if stated is not None else None
    if stated is not None and parts is not None:
        put(words, "job/gpu", stated.but(parts[1], "", stated.how).as_text())
        put(words, "job/gpus_per_worker", stated.but(parts[2] or 1, "", stated.how))
    totals_of_pods(words)
    gpus = get(words, "job/gpus_per_worker")
    known = {"SKYPILOT_NUM_NODES": nodes, "SKYPILOT_NUM_GPUS_PER_NODE": gpus}
    known |= {one: value for one in table.table("envs").names() if (value := table.get(f"envs/{one}")) is not None}
    variables = {
        key: (Piece(one.text, one.source, one.start, one.end, one.how),)
        for key, one in known.items()
        if one is not None
    }
    script = table.at("run")
    if script is not None and script.kind == "scalar":
        table.get("run")
        pod = Pod(variables, counts=(nodes,) if nodes is not None else (), gpus=gpus)
        run_text(script, source, words, found, f"workloads/{name.text}", context, pod)
    return words
