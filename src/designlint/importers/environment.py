"""Environment variables that a job starts with: those that the design language has words for, and NCCL's others as facts."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from designlint.importers import checked, defaults
from designlint.importers.base import put
from designlint.importers.workloads import count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.base import Fragment, Value, Words

#: Variables that hold a text, by the word that is their name in small letters.
TEXTS = frozenset(
    [
        "NCCL_IB_HCA",
        "NCCL_SOCKET_IFNAME",
        "NCCL_TOPO_FILE",
        "NCCL_ALGO",
        "NCCL_DEBUG",
        "PYTORCH_CUDA_ALLOC_CONF",
        "NCCL_PROTO",
        "NCCL_NET_GDR_LEVEL",
        "NCCL_NET",
        "FI_PROVIDER",
        "NCCL_NET_PLUGIN",
        "NCCL_TUNER_PLUGIN",
        "NCCL_P2P_LEVEL",
        "UCX_NET_DEVICES",
        "NCCL_GRAPH_FILE",
        "NCCL_TUNER_CONFIG_PATH",
        "SHARP_COLL_ENABLE_SAT",
    ]
)
COUNTS = frozenset(
    [
        "NCCL_IB_TIMEOUT",
        "NCCL_IB_RETRY_CNT",
        "NCCL_IB_GID_INDEX",
        "NCCL_IB_TC",
        "NCCL_CROSS_NIC",
        "CUDA_DEVICE_MAX_CONNECTIONS",
        "NCCL_IB_SL",
        "NCCL_IB_DISABLE",
        "NCCL_NVLS_ENABLE",
        "NCCL_MIN_NCHANNELS",
        "NCCL_MAX_NCHANNELS",
        "NCCL_P2P_NET_CHUNKSIZE",
        "NCCL_COLLNET_ENABLE",
        "NCCL_MNNVL_ENABLE",
        "NCCL_PXN_DISABLE",
        "NCCL_NET_GDR_C2C",
        "NCCL_IB_QPS_PER_CONNECTION",
        "NCCL_IB_SPLIT_DATA_ON_QPS",
        "NCCL_BUFFSIZE",
        "NCCL_NTHREADS",
        "NCCL_P2P_DISABLE",
        "NCCL_SHM_DISABLE",
        "NCCL_IB_ADAPTIVE_ROUTING",
        "NCCL_SHARP_DISABLE",
        "NCCL_DMABUF_ENABLE",
        "FI_EFA_USE_DEVICE_RDMA",
        "FI_EFA_FORK_SAFE",
        "CUDA_LAUNCH_BLOCKING",
        "NCCL_IGNORE_CPU_AFFINITY",
        "NCCL_CUMEM_ENABLE",
        "NCCL_IB_PCI_RELAXED_ORDERING",
        "NCCL_IB_CUDA_SUPPORT",
        "NCCL_NET_GDR_READ",
        "NCCL_IB_MERGE_VFS",
        "NCCL_IB_AR_THRESHOLD",
        "NCCL_LAUNCH_MODE",
        "NCCL_ASYNC_ERROR_HANDLING",
        "TORCH_NCCL_ASYNC_ERROR_HANDLING",
        "TORCH_NCCL_AVOID_RECORD_STREAMS",
        "OMP_NUM_THREADS",
    ]
)
#: How NCCL's variables begin.
PREFIX = "NCCL_"
#: Adapters by their whole names, not by how they begin, and none left out.
LISTED = re.compile(r"=?\w+_\d+(?::\d+)?(?:,\w+_\d+(?::\d+)?)+\Z")
#: Beginnings of variables that are worth a fact though no word holds them.
TELLING = ("NCCL_", "UCX_", "FI_", "CUDA_", "TORCH_NCCL_", "PYTORCH_", "SHARP_", "NVSHMEM_", "OMPI_MCA_", "UB_")


@cache
def known_variables() -> frozenset[str]:
    """The variables that the design language has words for."""
    return frozenset(
        [
            "NCCL_IB_HCA",
            "NCCL_SOCKET_IFNAME",
            "NCCL_IB_TIMEOUT",
            "NCCL_IB_RETRY_CNT",
            "NCCL_IB_GID_INDEX",
            "NCCL_IB_TC",
            "NCCL_CROSS_NIC",
            "NCCL_TOPO_FILE",
            "NCCL_ALGO",
            "NCCL_PROTO",
            "NCCL_DEBUG",
            "CUDA_DEVICE_MAX_CONNECTIONS",
            "PYTORCH_CUDA_ALLOC_CONF",
            "NCCL_IB_DISABLE",
            "NCCL_COLLNET_ENABLE",
            "NCCL_P2P_DISABLE",
            "NCCL_NET",
            "NCCL_NET_GDR_LEVEL",
            "CUDA_LAUNCH_BLOCKING",
        ]
    )


@cache
def _log_levels() -> frozenset[str]:
    """Levels of NCCL's log; it takes any other word for none."""
    return frozenset(defaults.tool("nccl").tables["debug"]["levels"])


def _report(variables: Mapping[str, Value], fragment: Fragment) -> None:
    """Notes values that NCCL's adapters cannot hold, and variables that it does not know and that look like one of its own."""
    tool = defaults.tool("nccl")
    checked.report(variables, fragment, tool)
    names = [one for one in variables if one.startswith(PREFIX)]
    for name, near in checked.misspelt(names, str(tool.tables["variables"]["names"]).split(), shortened=False):
        fragment.clash("import/misspelt-key", variables[name], name=name[:60], proposal=near, tool=tool.name)


def tells(name: str) -> bool:
    """Whether a variable says something about communication."""
    return name in TEXTS or name in COUNTS or name.startswith(TELLING)


def fill(words: Words, variables: Mapping[str, Value], fragment: Fragment | None = None) -> None:
    """The environment of a workload; NCCL's variables without a word become facts."""
    if fragment is not None:
        _report(variables, fragment)
    for name, value in variables.items():
        if not value.text or not tells(name):
            continue
        if fragment is not None and name == "NCCL_IB_HCA" and LISTED.match(value.text):
            fragment.fact("adapters", value.but(value.text.count(",") + 1, "named by NCCL_IB_HCA"))
        if fragment is not None and name == "NCCL_COLLNET_ENABLE" and value.text == "1":
            fragment.fact("in network reduction", value.but("sharp", "NCCL_COLLNET_ENABLE 1"))
        if fragment is not None and name not in known_variables():
            fragment.fact(name, value)
            continue
        word = f"environment/{name.lower()}"
        if name in known_variables() and name in COUNTS:
            put(words, word, count(value))
        elif name == "NCCL_DEBUG" and value.text.isalpha() and value.text.upper() not in _log_levels():
            continue
        elif name in known_variables():
            put(words, word, value.but(value.text.lower() if name == "NCCL_DEBUG" else value.text).as_text())
