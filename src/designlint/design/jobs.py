"""Jobs laid over a cluster: what a launch script, a manifest or a framework's configuration asks, as a workload of its design."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct, field

from designlint.design.design import Design, build_graph
from designlint.design.foreign import import_problems
from designlint.design.overlay import NOTHING_HELD, lay, overlaid
from designlint.design.pools import place_workload
from designlint.findings.model import Problem
from designlint.findings.timing import time_call
from designlint.graph.apart import apart
from designlint.graph.carried import Carried, Carrier
from designlint.graph.remembered import Remembered
from designlint.reading import Document, Node

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from designlint.graph.subjects import Graph
    from designlint.importers import Imported, UnknownWord
    from designlint.reading.bases import Base
    from designlint.rules.engine import Engine

#: Parts at the top of a design in which a job stands.
BROUGHT = ("software", "workloads")
#: The part that holds the queues, of which a manifest may define some beside its job.
QUEUED = "scheduler"
#: Libraries that come with the CUDA release of an image: those of the cluster do not count beside it.
IN_IMAGES = ("nccl", "cudnn")
#: Words of a workload that say something about a job; a script without any of them starts none.
TELLING = ("job", "parallelism", "model", "checkpoint", "targets", "precision", "framework")


class Cluster(Struct):
    """
    The cluster that jobs are laid over, read and derived once; without workloads of its own.

    Attributes:
        root: its tree; the one of no cluster is empty.
        steps: the calculations that are made for a job; all where it is None.
        kept: what rules answered about its jobs so far; nothing is kept where it is None.
        carried: what the graphs of its jobs have in common, by the parts that they state; each is built whole where it is None.
    """

    root: Node
    design: Design
    steps: frozenset[int] | None = None
    kept: Remembered | None = field(default_factory=Remembered)
    carried: dict[tuple[str, ...], Carried] | None = field(default_factory=dict)

    @property
    def engine(self) -> Engine:
        """What judges it."""
        return self.design.engine

    def build_graph(self, root: Node) -> tuple[Graph, list[Problem]]:
        """The graph of a design that lays a job over this one, and what is wrong with its shape; see `graph.carried`."""
        kept = self.carried if root.entries.get(QUEUED) is self.root.entries.get(QUEUED) else None
        key = tuple(root.entries)
        common = None if kept is None else kept.get(key)
        if common is not None and common.fits(root):
            carrier = Carrier(common, self.engine.today)
            graph = carrier.carry(root, self.engine.plan, self.steps)
            if graph is not None:
                return graph, carrier.problems
        graph, problems = build_graph(root, self.engine, self.steps)
        if kept is not None and common is None and not problems:
            live = [word for word in BROUGHT if word in root.entries]
            kept[key] = Carried(graph, root, live, apart(live, self.engine.vocabulary, self.engine.plan))
        return graph, problems

    def documents(self) -> list[Document]:
        """The files that it is made of."""
        return [self.design.document, *self.design.others]


class Job(Struct, dict=True):
    """
    The cluster with one job; its graph is made when it is asked for.

    Attributes:
        root: the tree of the design that the two are.
        problems: what is wrong with the text of the job's file.
        others: the files that it is made of besides the job's own.
        mine: those of them that are the job's, and the job's own, by identity.
    """

    over: Cluster
    document: Document
    root: Node
    problems: list[Problem]
    others: list[Document]
    mine: frozenset[int]

    @cached_property
    def design(self) -> Design:
        """The two as a design: read, and derived as far as rules on jobs need it."""
        engine = self.over.engine
        graph, more = self.over.build_graph(self.root)
        problems = self.problems + [one for one in more if id(one.document) in self.mine and one.rule in engine.rules]
        return Design(
            self.document,
            graph,
            engine,
            problems,
            NOTHING_HELD,
            self.over.design.bases,
            self.others,
            kept=self.over.kept,
        )


class JobFile(Struct):
    """
    A file of jobs as read.

    Attributes:
        jobs: each of its jobs, laid over the cluster; none where it holds no job.
        refusal: why it is not read at all, empty where it is; and what to do about it.
        unknowns: what its text leaves open.
    """

    document: Document
    jobs: list[Job]
    refusal: str = ""
    remedy: str = ""
    unknowns: tuple[UnknownWord, ...] = ()
    format: str = ""


def cluster(document: Document | None, engine: Engine) -> Cluster:
    """The cluster of a design, or the one that nothing is known of."""
    problems: list[Problem] = []
    bases: list[Base] = []
    others: list[Document] = []
    root = None
    if document is not None:
        problems += [Problem(one.rule, document, one.start, one.end, one.values) for one in document.problems]
        catalogued = engine.vocabulary.catalogue_name
        root = time_call("read", overlaid, document, problems, NOTHING_HELD, bases, others, catalogued)
    home = document or Document("", "")
    top = Node(home, "map", 0, 0, outer=0)
    if root is None or root.kind != "map":
        top.origin = ("derived", "")
    else:
        top = root.copy(root.alias_site)
        top.entries = {word: node for word, node in root.entries.items() if word != "workloads"}
    graph, more = build_graph(top, engine)
    found = [one for one in problems + more if one.rule in engine.rules]
    return Cluster(top, Design(home, graph, engine, found, NOTHING_HELD, bases, others))


def read_job_file(
    path: Path, shown: str, over: Cluster, settings: Mapping[str, str], *, format: str = "", text: str | None = None
) -> JobFile:
    """
    A file of jobs laid over a cluster.

    Args:
        shown: the name of the file as messages print it.
        settings: variables and words from outside, such as `nodes`.
        format: the importer's, where it is known already.
        text: what the file holds, where that is not as on disk.
    """
    from designlint import importers
    from designlint.importers.workloads import LAUNCH
    from designlint.reading.bases import boundary

    catalogued, within = over.engine.vocabulary.catalogue_name, boundary(path.resolve())
    given = {"format": format or None, "settings": settings, "catalogued": catalogued, "within": within}
    if text is None:
        imported: Imported = time_call("import", importers.import_files, [path], shown={path: shown}, **given)
    else:
        imported = time_call("import", importers.read_text, shown, text, path, **given)
    if imported.refused:
        refused = imported.refused[0]
        document = imported.sources[0].document if imported.sources else Document(shown, text or "")
        return JobFile(document, [], refused.why, refused.remedy)
    document, root = imported.sources[0].document, imported.root()
    listed = root.entries.get("workloads") if root is not None else None
    starts = any(one.name == LAUNCH for one in imported.facts)
    workloads = [one for one in (listed.items if listed is not None else []) if starts or _tells(one)]
    problems = [one for one in import_problems(imported) if one.rule in over.engine.rules]
    others = [*over.documents(), *(one.document for one in imported.sources[1:])]
    mine = frozenset(id(one.document) for one in imported.sources)
    scheduler = _with_queues(over.root.entries.get(QUEUED), root.entries.get(QUEUED) if root is not None else None)
    laid = [
        Job(over, document, _overlay_job(one, over, document, scheduler), problems if not at else [], others, mine)
        for at, one in enumerate(workloads)
    ]
    return JobFile(document, laid, "", "", tuple(imported.unknowns), imported.formats.get(shown, ""))


def _tells(workload: Node) -> bool:
    return workload.kind == "map" and any(word in workload.entries for word in TELLING)


def _with_queues(known: Node | None, beside: Node | None) -> Node | None:
    """The cluster's scheduler with the queues that the job's own file defines."""
    if known is None or beside is None or known.kind != "map" or "queues" not in beside.entries:
        return beside if known is None else known
    listed = beside.entries["queues"]
    joined = lay(known, _part({"queues": listed}, listed))
    fronts = {_name_of(one): one.entries.get("local_queues") for one in known.entries.get("queues", listed).items}
    for one in joined.entries["queues"].items:
        mine, others = one.entries.get("local_queues"), fronts.get(_name_of(one))
        if mine is not None and others is not None and mine is not others:
            mine.items = [*mine.items, *others.items]
    return joined


def _name_of(queue: Node) -> str:
    name = queue.entries.get("name") if queue.kind == "map" else None
    return name.text if name is not None else ""


def _overlay_job(workload: Node, over: Cluster, document: Document, scheduler: Node | None) -> Node:
    """The cluster with one job: the variables that the job sets hold instead of those of the cluster."""
    workload = place_workload(workload, over.design.graph)
    root = over.root.copy(over.root.alias_site)
    root.entries = dict(over.root.entries)
    brought = _brought(workload)
    if brought:
        workload = workload.copy(workload.alias_site)
        workload.entries = {word: node for word, node in workload.entries.items() if word != "environment"}
        software = _part(brought, next(iter(brought.values())))
        known = root.entries.get("software")
        if known is not None and known.kind == "map":
            software = lay(_without(known, IN_IMAGES if "cuda" in brought else ()), software)
        root.entries["software"] = software
    if scheduler is not None:
        root.entries[QUEUED] = scheduler
    listed = Node(document, "list", workload.start, workload.end, outer=workload.outer)
    listed.origin, listed.items = workload.origin, [workload]
    root.entries["workloads"] = listed
    return root


def _without(node: Node, words: Collection[str]) -> Node:
    """A mapping without some of its words."""
    left = node.copy(node.alias_site)
    left.entries = {word: one for word, one in node.entries.items() if word not in words}
    return left


def _brought(workload: Node) -> dict[str, Node]:
    """What a job brings of its software: the variables that it sets, the CUDA release of its image."""
    job = workload.entries.get("job")
    found = {
        "environment": workload.entries.get("environment"),
        "cuda": job.entries.get("cuda") if job is not None and job.kind == "map" else None,
    }
    return {word: node for word, node in found.items() if node is not None}


def _part(entries: dict[str, Node], at: Node) -> Node:
    """A part that exists because something of it is stated."""
    part = Node(at.document, "map", at.start, at.end, outer=at.outer)
    part.origin, part.entries = at.origin, entries
    return part
