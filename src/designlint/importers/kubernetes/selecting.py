"""Which servers a pod selects, by labels or by required affinity to them, and whether those surely have GPUs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import defaults
from designlint.importers.base import Value, of_node
from designlint.importers.workloads import NO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.importers.notations.structured import Table

#: Labels that say what a server is: its GPU, its type of machine.
TYPE = re.compile(r"(?!.*tpu)(?:.*(?:gpu|accelerator|instance-type)|node[\w.-]*/type\Z)")
#: Labels of GKE and of the GPU operator that say which GPU it is; those that say which type of machine.
PRODUCT = re.compile(r"cloud\.google\.com/gke-accelerator\Z|(?:nvidia|amd)\.com/gpu\.product(?:-name)?\Z")
INSTANCE = re.compile(r"instance-type\Z")
AFFINITY = "affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms"


def scalar(table: Table, key: str) -> Value | None:
    """The scalar under a key that may hold slashes."""
    node = table.node.entries.get(key) if table.node is not None else None
    return of_node(table.source, node) if node is not None and node.kind == "scalar" and node.text else None


def labels(pod: Table) -> Iterator[tuple[str, Value]]:
    """Labels that a server must have; of affinity only where there is one alternative, and one value."""
    selector = pod.table("nodeSelector")
    for key in selector.names():
        if (value := scalar(selector, key)) is not None:
            yield key, value
    terms = pod.tables(AFFINITY)
    for one in terms[0].tables("matchExpressions") if len(terms) == 1 else ():
        label, operator, values = one.get("key"), one.get("operator"), one.at("values")
        if label is None or operator is None or operator.text != "In" or values is None or len(values.items) != 1:
            continue
        if values.items[0].kind == "scalar" and values.items[0].text:
            yield label.text, of_node(one.source, values.items[0])


def gpu(key: str, value: Value) -> Value | None:
    """The type of GPU that a label names: itself, or by a type of machine that the table knows."""
    if PRODUCT.search(key):
        return value.as_text()
    known = (defaults.tool("cloud-instances").tables.get(value.text) or {}).get("gpu") if INSTANCE.search(key) else None
    return value.but(known, value.text).as_text() if known else None


def with_gpus(key: str, value: Value) -> bool:
    """Whether servers with a label surely have GPUs: it names GPUs, or a type of machine that the table knows."""
    if "gpu" in key or "accelerator" in key:
        return value.text.lower() not in NO
    return "gpus" in (defaults.tool("cloud-instances").tables.get(value.text) or {})
