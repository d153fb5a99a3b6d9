"""What the API server and the controllers of jobs refuse of an object: names, types, choices, containers and volumes of pods."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import whole
from designlint.importers.kubernetes.names import is_name
from designlint.importers.notations.structured import Table, open_ended, roots
from designlint.importers.workloads import count, is_on
from designlint.language.values import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.importers.base import Fragment, Source, Value
    from designlint.importers.kubernetes.pods import PodGroup
    from designlint.reading import Node

#: What YAML takes for a number or a truth unless it stands in quotes.
UNQUOTED = re.compile(r"(?:[-+]?\d+(?:\.\d*)?|true|false|True|False|TRUE|FALSE)\Z")
#: Mappings and lists whose values are all texts.
TEXTS = frozenset(("labels", "annotations", "nodeSelector", "matchLabels", "command", "args"))
#: Lists of mappings in which a `value` is a text.
VALUES = frozenset(("env", "tolerations"))
#: Text of other tools that a manifest may carry.
FOREIGN = frozenset(("data", "stringData", "binaryData", "runtimeEnvYAML", "runtimeEnv"))
#: Other kinds of objects with pods or queues, of which it is known what they may hold.
BESIDE = ("AppWrapper", "Pod", "Deployment", "DaemonSet", "ClusterQueue", "LocalQueue")
#: Kinds whose pods get volumes from elsewhere: a runtime that the job names, an operator that mounts its own.
FILLED_IN = frozenset(("TrainJob", "RayJob", "RayCluster"))
#: Policies by which a pod on the host's network asks the host's DNS; the first is the default.
HOST_POLICIES = ("ClusterFirst", "Default")
#: How alike two kinds of objects are, from 0 to 1, where one is the other misspelt.
ALIKE = 0.85


def report(top: Table, key: str, groups: Sequence[PodGroup], found: Fragment) -> None:
    """Notes what is refused of a job."""
    _report_name(top.get("metadata/name"), "object", "an object", found)
    _report_version(top, found)
    numbers = [whole(count(group.count)) for group in groups]
    for group in groups:
        _report_pods(group, key, top, found)
        if None not in numbers and sum(one or 0 for one in numbers) > 1:
            _report_names(group, found)
    _report_roles(key, groups, found)


def report_values(source: Source, found: Fragment) -> None:
    """Notes values of no known choice, and numbers where a text is wanted, in all objects of a file."""
    choices = {path: str(known).split() for path, known in defaults.tool("kubernetes").tables["choices"].items()}
    known = {*defaults.tool("kubernetes").tables["versions"], *BESIDE}
    for root in roots(source):
        kind = root.entries.get("kind")
        if kind is not None and kind.text in known:
            for parent, key, node in _scalars(root, "", ""):
                _report_choice(source, node, choices.get(f"{parent}/{key}") or choices.get(key) or [], key, found)
                if parent in TEXTS or (parent in VALUES and key == "value"):
                    _report_type(source, node, found)


def intended_kind(top: Table) -> str:
    """The kind of job that an object's kind misspells, as its apiVersion says; empty where there is none."""
    kind, version = top.get("kind"), top.get("apiVersion")
    known = defaults.tool("kubernetes").tables["versions"]
    if kind is None or version is None or kind.text in known:
        return ""
    group = version.text.rpartition("/")[0]
    alike = nearest(kind.text, [one for one, listed in known.items() if group in _groups(listed)], 1, ALIKE)
    return alike[0] if alike else ""


def correct_kind(top: Table, found: Fragment) -> None:
    """Notes a kind that does not exist, but for a slip; the object is read as the one that is meant."""
    stated, version, near = top.get("kind"), top.get("apiVersion"), intended_kind(top)
    if stated is not None and version is not None and near and (node := top.at("kind")) is not None:
        group = version.text.rpartition("/")[0]
        found.clash(
            "import/misspelt-key", stated, name=f"kind: {stated.text[:60]}", proposal=f"kind: {near}", tool=group
        )
        node.text = near


def report_wrapper(top: Table, found: Fragment) -> None:
    """Notes what is refused of an object that holds others."""
    _report_name(top.get("metadata/name"), "object", "an object", found)


def _groups(listed: object) -> set[str]:
    return {one.rpartition("/")[0] for one in str(listed).split()}


def _report_version(top: Table, found: Fragment) -> None:
    """Notes an apiVersion of another group of objects; a newer version of the right one may exist by now."""
    kind, version = top.get("kind"), top.get("apiVersion")
    listed = defaults.tool("kubernetes").tables["versions"].get(kind.text if kind is not None else "")
    if kind is None or version is None or listed is None or open_ended(version):
        return
    settled = kind.text in str(defaults.tool("kubernetes").tables["settled"]["kinds"]).split()
    known = str(listed).split()
    if version.text not in known and (settled or version.text.rpartition("/")[0] not in _groups(listed)):
        values = {"name": f"apiVersion: {version.text[:60]}", "proposal": f"apiVersion: {known[0]}"}
        found.clash("import/misspelt-key", version, **values, tool=kind.text)


def _report_pods(group: PodGroup, key: str, top: Table, found: Fragment) -> None:
    pod = group.pod
    volumes = [*pod.tables("volumes"), *_templates(top)]
    names = {one.text for part in volumes if (one := part.get("name", "metadata/name")) is not None}
    names.update(str(defaults.tool("kubernetes").tables["mounted"].get(key, "")).split())
    for volume in pod.tables("volumes"):
        _report_name(volume.get("name"), "part", "a volume", found)
        _report_name(volume.get("persistentVolumeClaim/claimName"), "object", "an object", found)
    for container in [*group.containers(), *pod.tables("initContainers")]:
        _report_name(container.get("name"), "part", "a container", found)
        if container.get("image") is None or key in FILLED_IN:  # a patch of what stands elsewhere
            continue
        for mount in container.tables("volumeMounts"):
            stated = mount.get("name")
            if stated is not None and stated.text not in names and not open_ended(stated):
                found.clash("import/volume-missing", stated, name=stated.text[:60])


def _report_names(group: PodGroup, found: Fragment) -> None:
    """Notes pods on the host's network that ask the host's DNS for the names of others, as Kubernetes then does by default."""
    policy = group.pod.get("dnsPolicy")
    on = group.pod.get("hostNetwork")
    if on is not None and is_on(on) and (policy is None or policy.text in HOST_POLICIES):
        found.clash(
            "import/host-network-without-cluster-names", policy or on, policy=policy.text if policy else "left out"
        )


def _templates(top: Table) -> Iterator[Table]:
    """Claims of volumes that controllers make for each pod, whose names pods mount."""
    spec = top.table("spec")
    yield from spec.tables("volumeClaimTemplates")
    yield from spec.tables("leaderWorkerTemplate/volumeClaimTemplates")
    for policy in spec.tables("volumeClaimPolicies"):
        yield from policy.tables("templates")


def _report_roles(key: str, groups: Sequence[PodGroup], found: Fragment) -> None:
    """Notes roles of several pods that must be one, and pods without the container by whose name an operator knows them."""
    tables = defaults.tool("kubernetes").tables
    single, named = str(tables["single"].get(key, "")).split(), str(tables["containers"].get(key, ""))
    for group in groups:
        pods = count(group.count)
        if group.name in single and pods is not None and whole(pods) not in (None, 1):
            found.clash("import/pods-of-single-role", pods, role=group.name, number=pods.text)
        stated = [one for part in group.containers() if (one := part.get("name")) is not None]
        if named and stated and named not in {one.text for one in stated} and not any(map(open_ended, stated)):
            found.clash("import/container-of-other-name", stated[0], role=group.name, name=named, stated=stated[0].text)


def _report_name(stated: Value | None, kind: str, what: str, found: Fragment) -> None:
    name = (
        "" if stated is None else stated.text.removesuffix("-" if kind == "object" else "")
    )  # its end may be filled in
    if stated is not None and not is_name(kind, name) and not _filled_in(stated):
        letters = "lower-case letters, digits" + (", `-` and `.`" if kind == "object" else " and `-`")
        found.clash("import/not-a-value", stated, text=stated.text[:60], wanted=f"a name of {what}: {letters}")


def _filled_in(stated: Value) -> bool:
    """Whether a value is left to somebody else: a variable, or a place that is marked for the reader, as in capitals."""
    return open_ended(stated) or stated.text.isupper() or any(one in stated.text for one in "${<[%")


def _scalars(node: Node, parent: str, key: str) -> Iterator[tuple[str, str, Node]]:
    """The scalars of an object: the key of the mapping or list that holds each, its own key, and itself."""
    waiting = [(node, parent, key)]
    while waiting:
        one, around, name = waiting.pop()
        if one.kind == "scalar":
            yield around, name, one
        elif one.kind == "map":
            waiting += [(part, name, word) for word, part in one.entries.items() if word not in FOREIGN]
        else:  # what a list holds stands under the key of the list
            waiting += [(part, name, name) for part in one.items]


def _report_choice(source: Source, node: Node, choices: Sequence[str], key: str, found: Fragment) -> None:
    if not choices or not node.text or node.text in choices:
        return
    stated = source.value(node.text, node.start, node.end)
    if not _filled_in(stated):
        wanted = f"a value of `{key}`: {', '.join(choices)}"
        found.clash("import/not-a-value", stated, text=node.text[:40], wanted=wanted)


def _report_type(source: Source, node: Node, found: Fragment) -> None:
    """Notes what YAML reads as a number or a truth; what `--set` filled in stands there otherwise."""
    if node.plain and UNQUOTED.match(node.text) and source.text[node.start : node.end].strip() == node.text:
        stated = source.value(node.text, node.start, node.end)
        found.clash(
            "import/not-a-value",
            stated,
            text=node.text,
            wanted="a string, as Kubernetes requires here: it needs quotes",
        )
