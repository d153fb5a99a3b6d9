"""Kubernetes manifests: jobs of Kubeflow, JobSet, Volcano and batch, ComputeDomains, and Kueue's queues."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import Fragment, Source, Value, whole
from designlint.importers.kubernetes import admission, kinds, kueue
from designlint.importers.kubernetes.mounted import Mounted
from designlint.importers.kubernetes.pods import label
from designlint.importers.notations import slips, structured
from designlint.importers.notations.structured import Table
from designlint.importers.workloads import get, name_workload

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.importers.base import Context
    from designlint.reading import Node

TITLE = "Kubernetes manifests"
JOBS = True
SHAPE = re.compile(r"^[ \t]*\"?(?:apiVersion|kind)\"?:[ \t]*\S", re.MULTILINE)


def sure(source: Source) -> int:
    """6 where a document has `apiVersion` and a `kind` that is read."""
    if len(SHAPE.findall(source.text[:500_000])) < 2:
        return 0
    others = kueue.KINDS | {"ComputeDomain"}
    for root, _ in kinds.objects(source):
        kind, version = root.entries.get("kind"), root.entries.get("apiVersion")
        top = Table(source, root)
        known = kind is not None and (kind.text in others or kinds.is_job(top) or admission.intended_kind(top))
        if known and version is not None:
            return 6
    return 0


def read(source: Source, context: Context) -> Source:
    """The file itself, with what `--set` gives for variables that people fill in by envsubst. Raises: Refusal."""
    structured.whole(source)
    structured.settle(source, context.settings)
    return source


def design(models: Sequence[Source], context: Context) -> Fragment:
    """A workload for each job, and the scheduler from Kueue's objects."""
    found = Fragment()
    queues: list[Table] = []
    domains: list[Value] = []
    mounted = Mounted(models)
    inside = mounted.beside(context)
    for source in models:
        _report_wrappers(source, found)
        for root, around in kinds.objects(source):
            top = Table(source, root)
            admission.correct_kind(top, found)
            kind = top.get("kind")
            if kind is None or top.get("apiVersion") is None:
                continue
            if kinds.is_job(top):
                name = top.get("metadata/name", "metadata/generateName")
                title = name_workload(source, name.but(name.text.rstrip("-")) if name is not None else None)
                one = {"name": title, **kinds.job(top, found, inside, title, around)}
                found.part("workloads", one)
            elif kind.text in kueue.KINDS:
                queues.append(top)
            elif kind.text == "ComputeDomain" and (size := top.get("spec/numNodes")) is not None:
                domains.append(size)
                found.fact("servers of the compute domain", size)
            elif kind.text == "ConfigMap":
                found.fact("configuration map", top.get("metadata/name"))
    scheduler = kueue.scheduler(queues, found)
    if scheduler:
        found.words["scheduler"] = scheduler
    _domains(domains, found)
    for source in models:
        admission.report_values(source, found)
        _report_slips(source, found)
        structured.close(source, "kubernetes", elsewhere=list(_others(source)))
    mounted.account()
    return found


def _report_wrappers(source: Source, found: Fragment) -> None:
    """Notes what is wrong with objects that hold jobs."""
    for top in (Table(source, root) for root in structured.roots(source)):
        kind = top.get("kind")
        if kind is not None and kind.text == kinds.WRAPPER:
            admission.report_wrapper(top, found)
            if label(top, kinds.QUEUE) is None:
                kinds.report_misplaced(top, found)


def _report_slips(source: Source, found: Fragment) -> None:
    """Notes misspelt keys."""
    known = defaults.immaterial("kubernetes")
    for top, key, node, near in slips.slips(source, known, also=known.names):
        at, kind = source.value(node.text, node.key_start, node.key_end), top.entries.get("kind")
        name = kind.text if kind is not None else TITLE
        found.clash("import/misspelt-key", at, name=key[:60], proposal=near, tool=name)


def _others(source: Source) -> Iterator[Node]:
    """Objects of Kueue that say nothing of queues and quotas: other clusters, checks of admission."""
    for root in structured.roots(source):
        top = Table(source, root)
        version, kind = top.get("apiVersion"), top.get("kind")
        if version is not None and version.text.startswith("kueue.") and kind is not None and kind.text in kueue.BESIDE:
            yield root


def _domains(domains: list[Value], found: Fragment) -> None:
    """A compute domain must hold the workers of the job beside it."""
    jobs = found.words.get("workloads")
    if len(domains) != 1 or not isinstance(jobs, list) or len(jobs) != 1 or isinstance(jobs[0], Value):
        return
    workers = get(jobs[0], "job/workers")
    if workers is not None and whole(domains[0]) not in (None, 0, whole(workers)):
        place = domains[0].place
        found.clash("import/conflict", workers, word="servers", one=workers.text, other=domains[0].text, where=place)
