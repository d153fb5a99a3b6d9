"""Which files of a run are jobs: those that are named, those of a folder by content, those that a configuration names."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from designlint.configuration import paths
from designlint.reading import discovery
from designlint.reading.discovery import Unjudged
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from designlint.findings.model import Finding, Fix
    from designlint.findings.report import Report
    from designlint.linting.jobs import JobCluster
    from designlint.reading import Document
    from designlint.rules.settings import Jobs, Settings

#: Endings of files that may be jobs, besides names without any.
ENDINGS = frozenset(
    (".sbatch", ".slurm", ".sub", ".job", ".sh", ".bash", ".yaml", ".yml", ".json", ".toml", ".conf", ".j2", ".tpl", "")
)
#: Bytes of a file that may be a job: a launch script has 20 KB.
MOST_BYTES = 4 * 1024 * 1024
#: Fixes that are made in one file.
MOST_FIXES = 50


class Task(Struct, frozen=True):
    """
    A file of jobs to judge.

    Attributes:
        cluster: the design of the cluster; empty where none is known.
        format: the importer's; empty where it was not looked for.
        named: somebody named the file: that it holds no job is a fault.
        given: variables and words from outside, such as `nodes`.
    """

    file: str
    cluster: str
    format: str = ""
    named: bool = False
    given: tuple[tuple[str, str], ...] = ()


class JobFileSearch:
    """
    The job files that paths mean.

    Args:
        cluster: what `--design` says.
        settings: those of a file.

    Attributes:
        passed: files that were met and are not judged.
        rest: the paths, or those of them that are no job files themselves.
    """

    def __init__(self, cluster: str, given: Mapping[str, str], settings: Callable[[str], Settings]) -> None:
        self.cluster, self.given, self.settings = cluster, tuple(given.items()), settings
        self.passed: list[Unjudged] = []
        self.rest: list[str] = []
        if cluster and not Path(cluster).is_file():
            raise UsageError(f"--design: {cluster}: no such file")

    def find(
        self, named: Sequence[str], *, designs_only: bool = False, searches: list[discovery.FolderSearch] | None = None
    ) -> tuple[list[str], list[Task]]:
        """The designs and the files of jobs that paths mean. Raises UsageError where there is nothing to judge."""
        tasks = self.tasks(named, configured=designs_only)
        needed = not tasks and not self.cluster
        try:
            rest = self.rest if self.rest or tasks else named
            designs = discovery.discover(rest, designs_only=designs_only, searches=searches, needed=needed)
        except UsageError:
            designs, tasks = [], self.alone(named) if needed else []
            if not tasks:
                raise
        if self.cluster and not tasks:
            raise UsageError(f"--design: no job found in {', '.join(named)}")
        return designs, tasks

    def tasks(self, named: Iterable[str], *, configured: bool = False) -> list[Task]:
        """The job files that the paths mean, each once; `configured` leaves out those that no configuration names."""
        found: dict[str, Task] = {}
        for path in named:
            if path != discovery.STDIN and Path(path).is_file():
                task = self._named_task(path, configured)
                if task is None:
                    self.rest.append(path)
                else:
                    found.setdefault(os.path.normpath(path), task)
                continue
            self.rest.append(path)
            for one in self._folder(path) if Path(path).is_dir() else ():
                found.setdefault(os.path.normpath(one.file), one)
        return list(found.values())

    def alone(self, named: Iterable[str]) -> list[Task]:
        """The jobs of folders that hold no design and have no configuration: judged without a cluster."""
        return [one for path in named if Path(path).is_dir() for one in self._recognise_files(_files(path), "")]

    def _named_task(self, path: str, configured: bool) -> Task | None:
        """A file that is named, as a job; None where it is a design, or nothing that an importer knows."""
        if discovery.is_design(path):
            return None
        stated = self.settings(path).jobs
        cluster = self.cluster or (stated.design if stated is not None else "")
        if self.cluster or (stated is not None and _matches(path, stated)):
            return Task(path, cluster, named=True, given=self.given)
        format, _ = recognise_file(path) if not configured else ("", "")
        return Task(path, cluster, format, named=True, given=self.given) if format else None

    def _folder(self, folder: str) -> Iterator[Task]:
        stated = self.settings(os.path.join(folder, "job")).jobs  # noqa: PTH118
        if self.cluster:
            yield from self._recognise_files(_files(folder), self.cluster)
        elif stated is not None:
            for task in self._recognise_files((one for one in _files(folder) if _matches(one, stated)), stated.design):
                yield _readable(task)

    def _recognise_files(self, files: Iterable[str], cluster: str) -> Iterator[Task]:
        for file in files:
            format, why = recognise_file(file)
            if format:
                yield Task(file, cluster, format, given=self.given)
            elif why:
                self.passed.append(Unjudged(file, why))


def _readable(task: Task) -> Task:
    """The same. Raises UsageError where the configuration wants a script judged that this installation cannot read."""
    from designlint.importers.shell import syntax

    if task.format == "launcher" and not syntax.is_installed():
        raise UsageError(f"the configuration names {task.file}, a shell script; install `designlint[jobs]` to read it")
    return task


def _matches(path: str, stated: Jobs) -> bool:
    relative = os.path.relpath(os.path.abspath(path), stated.home).replace(os.sep, "/")  # noqa: PTH100
    return any(paths.matches(pattern, relative) for pattern in stated.files)


def _files(folder: str) -> Iterator[str]:
    """The files below a folder that may be jobs, hidden and linked folders left out."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(
            one
            for one in folders
            if not one.startswith(".") and not discovery.foreign(os.path.join(place, one))  # noqa: PTH118
        )
        for one in sorted(files):
            path = os.path.normpath(os.path.join(place, one))  # noqa: PTH118
            if os.path.splitext(one)[1].lower() in ENDINGS and os.path.getsize(path) <= MOST_BYTES:  # noqa: PTH122, PTH202
                yield path


def recognise_file(path: str) -> tuple[str, str]:
    """The format of a file of jobs; where it is none, why a file that an importer knows is no job."""
    from designlint.importers import reader, registry, templates
    from designlint.importers.base import ImportRefusal

    if discovery.is_design(path):
        return "", ""
    try:
        source = reader.open_source(Path(path), path)
    except ImportRefusal:
        return "", ""
    try:
        templates.refuse_templates(source)
    except ImportRefusal as error:
        return "", f"{error.why}. {error.remedy}".strip()
    try:
        name = registry.recognise_format(source)
    except ImportRefusal:
        return "", ""
    return (name, "") if registry.holds_jobs(name) else ("", f"it is not a job ({registry.load_format(name).TITLE})")


def judge_job_file(
    task: Task, settings: Settings, *, text: str | None = None, margins: bool = False, repair: bool = True
) -> Report:
    """
    The answer for one file of jobs.

    Args:
        text: what the file holds, where that is not as on disk.
        repair: whether findings carry the fixes that were proven on them.

    Raises:
        UsageError: the design of the cluster cannot be read.
    """
    from designlint.linting import jobs

    return jobs.check_job_file(
        Path(task.file), bench_of(task.cluster, settings), dict(task.given),
        format=task.format, text=text, named=task.named, margins=margins, repair=repair,
    )  # fmt: skip


class FixedFile(Struct, frozen=True):
    """What fixing one file of jobs came to: its old and its new text, and each finding with the fix that was made."""

    file: str
    old: str
    new: str
    made: list[tuple[Finding, Fix]]


def apply_job_fixes(
    task: Task, settings: Settings, wanted: Callable[[Finding, Fix, Mapping[Document, str]], bool]
) -> FixedFile:
    """A file of jobs with every fix made that is wanted, each proven on what the ones before left. Raises: UsageError."""
    from designlint.reading import Document
    from designlint.reading.stretches import replace_nodes

    report = judge_job_file(task, settings)
    name = report.files[0]
    old = report.texts[name]
    done = FixedFile(task.file, old, old, [])
    seen = {old}
    while len(done.made) < MOST_FIXES:
        document = Document(name, done.new)
        for finding in sorted(report.findings, key=lambda one: one.severity.rank):
            fix = next((one for one in finding.fixes if one.proven), None)
            new = "" if fix is None else replace_nodes(document, fix.replacements)
            if fix is not None and new not in seen and wanted(finding, fix, {document: new}):
                break
        else:
            return done
        seen.add(new)
        done = replace(done, new=new, made=[*done.made, (finding, fix)])
        report = judge_job_file(task, settings, text=new)
    return done


@lru_cache(maxsize=8)
def bench_of(cluster: str, settings: Settings) -> JobCluster:
    """What the jobs of a cluster are judged against; made once. Raises: UsageError."""
    from designlint.configuration import engine
    from designlint.linting.jobs import JobCluster

    document = discovery.open_document(cluster) if cluster else None
    if document is not None and (document.root is None or not document.complete):
        raise UsageError(f"{cluster}: the design of the cluster is broken; `designlint check {cluster}` says where")
    return JobCluster(document, engine.configure_engine(settings))
