"""Clusters on AWS: ParallelCluster, eksctl, CloudFormation templates for AWS PCS."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import Fragment, How, Source, Value, Words, of_node, put, whole
from designlint.importers.clouds import put_capacity, put_count, put_gpus
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table, open_ended
from designlint.importers.slurm import settings
from designlint.importers.slurm.lines import SlurmLine
from designlint.importers.workloads import count, is_on, start
from designlint.reading import tree_paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.importers.base import Context
    from designlint.reading import Node

TITLE = "AWS cluster"
VERSION = re.compile(r"v?(\d+\.\d+(?:\.\d+)?)(?:-\d+)?\Z")
FSX = {"FsxLustre": "lustre", "FsxOpenZfs": "nfs", "Efs": "nfs", "FsxOntap": "nfs", "Ebs": "nfs", "FileCache": "lustre"}
#: Keys that name a volume or file system which exists.
IDS = ("FileSystemId", "VolumeId", "SnapshotId", "FileCacheId")
#: Machines that AWS does not take back while a job runs.
KEPT = frozenset(("ONDEMAND", "CAPACITY_BLOCK"))


def sure(source: Source) -> int:
    """7 where one of the three shapes stands."""
    head = source.text[:500_000]
    if not any(one in head for one in ("SlurmQueues", "eksctl.io/", "AWS::PCS::")):
        return 0
    root = structured.root(source)
    if root is None:
        return 0
    version = root.entries.get("apiVersion")
    of_eksctl = version is not None and version.text.startswith("eksctl.io/")
    return 7 if of_eksctl or {"Scheduling", "Resources"} & root.entries.keys() else 0


def design(models: Sequence[Source], context: Context) -> Fragment:
    """Pools, scheduler and storage."""
    found = Fragment()
    for source in models:
        top = Table(source, structured.root(source))
        if top.at("Scheduling") is not None:
            _parallel_cluster(top, found)
        elif top.at("managedNodeGroups") is not None or top.at("nodeGroups") is not None:
            _eksctl(top, found)
        else:
            _template(top, found)
        structured.close(source, "aws", elsewhere=list(_slurm_keys(structured.root(source))))
    return found


def custom_line(source: Source, node: Node | None) -> SlurmLine:
    """Parameters of Slurm that a configuration passes on, as one line of it: a mapping, or a list of them."""
    line = SlurmLine("", node.start if node is not None else 0, node.end if node is not None else 0)
    for one in (node.items or [node]) if node is not None else ():
        for key, value in one.entries.items():
            if value.kind == "scalar" and value.text:
                line.pairs[key.lower()] = Value(value.text, source, value.start, value.end, literal=True)
    return line


def _slurm_keys(root: Node | None) -> Iterator[Node]:
    """Parameters of Slurm that are passed on, known, and say nothing about a design."""
    for path, node in tree_paths(root) if root is not None else ():
        if "CustomSlurmSettings" in path and isinstance(path[-1], str):
            key = path[-1].lower()
            if key in defaults.immaterial("slurm"):
                yield node


def _parallel_cluster(top: Table, found: Fragment) -> None:
    kind = top.get("Scheduling/Scheduler")
    put(found.words, "scheduler/kind", kind.as_text() if kind is not None and kind.text == "slurm" else None)
    for name in ("Database", "ExternalSlurmdbd"):
        database = top.at(f"Scheduling/SlurmSettings/{name}")
        if database is not None and database.entries:
            at = of_node(top.source, next(iter(database.entries.values())))
            put(found.words, "scheduler/accounting", at.but(True, f"SlurmSettings has {name}"))
    custom = custom_line(top.source, top.at("Scheduling/SlurmSettings/CustomSlurmSettings"))
    if custom.pairs and kind is not None:
        stated = settings.scheduler(settings.SlurmSettings([custom]), False, kind, found)
        for word, value in stated.items():
            put(found.words, f"scheduler/{word}", value if isinstance(value, Value) else None)
    partitions: list[Words] = []
    pools: list[Words] = []
    for queue in top.tables("Scheduling/SlurmQueues"):
        title = queue.get("Name")
        if title is None:
            continue
        partition: Words = {"name": title.as_text()}
        own, alone = custom_line(queue.source, queue.at("CustomSlurmSettings")), queue.get("JobExclusiveAllocation")
        settings.put_limits(own, partition, found)
        if is_on(alone) and alone is not None:
            partition["exclusive"] = alone.but(True, "", How.STATED)
        partitions.append(partition)
        sold = queue.at("CapacityType")
        if sold is not None and sold.text in KEPT:
            queue.get("CapacityType")
        found.fact("placement group", queue.get("Networking/PlacementGroup/Enabled"))
        for resource in queue.tables("ComputeResources"):
            pools.append(_resource(title, resource, found))
    if pools:
        found.words["nodes"] = pools
        put(found.words, "scheduler/partitions", partitions)
    _sidelines(top, found)
    _storage(top, found)


def _resource(queue: Value, resource: Table, found: Fragment) -> Words:
    name = resource.get("Name") or queue
    words: Words = {"name": name.but(f"{queue.text}-{name.text}", "queue and resource", How.DERIVED).as_text()}
    path = f"nodes/{queue.text}-{name.text}"
    least, most = resource.get("MinCount"), resource.get("MaxCount")
    put_count(words, most, found, path, name)
    found.fact("servers that always run", least if least is not None and not open_ended(least) else None)
    machine = resource.get("InstanceType")
    if machine is None:
        listed = [kind for one in resource.tables("Instances") if (kind := one.get("InstanceType")) is not None]
        machine = listed[0] if len({one.text for one in listed}) == 1 else None
        if listed and machine is None:
            kinds = ", ".join(one.text for one in listed)
            found.unknown(f"{path}/gpus", f"AWS chooses among {kinds[:80]}", "", listed[0])
    put_gpus(words, machine, found, path)
    _efa(resource.get("Efa/Enabled"), found)
    return words


def _efa(efa: Value | None, found: Fragment) -> None:
    """The fabric of AWS, where it is switched on."""
    found.fact("EFA", efa)
    if is_on(efa) and efa is not None:
        fabric: Words = {
            "name": efa.but("efa", "EFA is enabled", How.DERIVED).as_text(),
            "technology": efa.but("efa", "EFA is enabled").as_text(),
        }
        found.words.setdefault("fabrics", [fabric])


def _sidelines(top: Table, found: Fragment) -> None:
    """The version of NCCL that a post-install script is given; servers that people log in to."""
    for pool in top.tables("LoginNodes/Pools"):
        found.fact("login servers", pool.get("Count"))
    for holder in ("HeadNode", "Scheduling/SlurmQueues"):
        tables = [top.table(holder)] if holder == "HeadNode" else top.tables(holder)
        for table in tables:
            for step in table.tables("CustomActions/OnNodeConfigured/Sequence"):
                script, arguments = step.get("Script"), step.at("Args")
                if script is None or "/nccl/" not in script.text or arguments is None or not arguments.items:
                    continue
                first = arguments.items[0]
                version = VERSION.match(first.text)
                if version and "software" not in found.words:
                    value = top.source.value(version[1], first.start, first.end)
                    found.words["software"] = {"nccl": value.as_text()}


def _storage(top: Table, found: Fragment) -> None:
    """Shared storage; capacity in GiB times throughput per TiB, where both are stated."""
    tiers: list[Words] = []
    for entry in top.tables("SharedStorage"):
        name, kind = entry.get("Name"), entry.get("StorageType")
        if name is None or kind is None or any(one["name"].text == name.text for one in tiers):  # type: ignore[union-attr]
            continue
        words: Words = {"name": name.as_text()}
        put(words, "kind", kind.but(FSX[kind.text], kind.text).as_text() if kind.text in FSX else None)
        size = entry.get("FsxLustreSettings/StorageCapacity")
        put_capacity(words, size, entry.get("FsxLustreSettings/PerUnitStorageThroughput"))
        _volume(words, entry)
        if "capacity" not in words:
            named = any(
                f"{part}/{key}" for part in entry.names() for key in IDS if entry.at(f"{part}/{key}") is not None
            )
            found.unknown(
                f"storage/{name.text}/capacity",
                "the file system is named by its id" if named else "no size is stated",
                "aws ec2 describe-volumes" if kind.text == "Ebs" else "aws fsx describe-file-systems",
                kind,
            )
        found.fact(f"storage at {entry_text(entry, 'MountDir')}", kind)
        tiers.append(words)
    if tiers:
        found.words["storage"] = tiers


def _volume(words: Words, entry: Table) -> None:
    """Size of a block volume, rate that is paid for, compression."""
    array, volumes = entry.get("EbsSettings/Raid/Type"), count(entry.get("EbsSettings/Raid/NumberOfVolumes"))
    many = (
        (whole(volumes) or 2) if array is not None and array.text == "0" else 1
    )  # a mirror holds what one volume does
    for word, unit, value in (
        ("capacity", "GiB", entry.get("EbsSettings/Size")),
        ("read", "MiB/s", entry.get("EfsSettings/ProvisionedThroughput", "EbsSettings/Throughput")),
    ):
        if value is not None and value.number:
            note = f"{many} volumes of {value.text} {unit}" if many > 1 else ""
            put(words, word, value.but(f"{value.number * many:g} {unit}", note, None if note else How.STATED))
    packed = entry.get("FsxLustreSettings/DataCompressionType")
    put(words, "data_reduction", packed and packed.but(packed.text != "NONE", f"DataCompressionType {packed.text}"))


def entry_text(entry: Table, key: str) -> str:
    """The text under a key; empty where there is none."""
    value = entry.get(key)
    return value.text if value is not None else ""


def _eksctl(top: Table, found: Fragment) -> None:
    at = top.get("kind") or start(top.source)
    found.words["scheduler"] = {"kind": at.but("kubernetes", "the file is eksctl's").as_text()}
    version = top.get("metadata/version")
    found.fact("kubernetes", version)
    pools: list[Words] = []
    for key in ("managedNodeGroups", "nodeGroups"):
        for group in top.tables(key):
            name = group.get("name")
            if name is None:
                continue
            words: Words = {"name": name.as_text()}
            put_count(words, group.get("desiredCapacity") or group.get("minSize"), found, f"nodes/{name.text}", name)
            found.fact("most servers", group.get("maxSize"))
            found.fact("fewest servers", group.get("minSize"))
            _efa(group.get("efaEnabled"), found)
            put_gpus(words, group.get("instanceType"), found, f"nodes/{name.text}")
            pools.append(words)
    if pools:
        found.words["nodes"] = pools


def _template(top: Table, found: Fragment) -> None:
    """A CloudFormation template: its parameters have defaults, whoever starts it decides."""
    parameters = top.table("Parameters")
    for name in parameters.names():
        if "InstanceType" not in name:
            continue
        default = parameters.get(f"{name}/Default")
        if default is None:
            continue
        found.fact("default machine type", default.but(default.text, "the template's own", How.DEFAULT))
        words: Words = {"name": default.but(name, "name of the parameter", How.DERIVED).as_text()}
        put_gpus(words, default.but(default.text, f"default of {name}", How.DEFAULT), found, f"nodes/{name}")
        found.part("nodes", words)
