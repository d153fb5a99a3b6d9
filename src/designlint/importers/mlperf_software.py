"""The software of MLPerf's system descriptions: by its keys, or in a sentence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import How, of_node, put
from designlint.importers.notations.structured import Table

if TYPE_CHECKING:
    from designlint.importers.base import Value, Words

VERSION = re.compile(r"\b(CUDA|NCCL|cuDNN|Driver)[ -](?:version )?v?(\d{1,4}(?:\.\d{1,4}){1,3})\b", re.IGNORECASE)
NUMBER = re.compile(r"\b\d{3}\.\d{2,3}(?:\.\d{2})?\b")
#: Keys of the software in small letters: most submitters append `_version`, some write the bare name.
SOFTWARE = {
    "cuda": ("cuda_version", "cuda"),
    "nccl": ("nccl_version", "nccl"),
    "cudnn": ("cudnn_version", "cudnn"),
    "ofed": ("mofed_version", "mofed"),
    "mpi": ("openmpi_version", "openmpi"),
    "driver": ("nvidia_kernel_driver", "cuda_driver_version"),
}


def _prose(value: Value, words: Words) -> None:
    """Versions in a sentence, such as `CUDA 12.4, NCCL 2.21.5`."""
    for name, version in VERSION.findall(value.text):
        put(words, name.lower(), value.but(version, value.text[:60], How.DERIVED).as_text())


def software(table: Table) -> Words:
    """Operating system, driver and libraries."""
    words: Words = {}
    system = table.get("operating_system")
    put(words, "os", system.as_text() if system is not None and system.text else None)
    stack = table.at("other_software_stack")
    if stack is not None and stack.kind == "scalar":
        _prose(of_node(table.source, stack), words)
        driver = table.get("driver")
        version = NUMBER.search(driver.text) if driver is not None and "driver" not in words else None
        put(words, "driver", driver.but(version[0], driver.text[:60]).as_text() if driver and version else None)
        return words
    inside = Table(
        table.source, stack.items[0] if stack is not None and stack.kind == "list" and stack.items else stack
    )
    spelled = {name.lower(): name for name in inside.names()}
    for word, keys in SOFTWARE.items():
        value = inside.get(*(spelled[key] for key in keys if key in spelled))
        stripped = value.text.strip() if value is not None else ""
        put(words, word, value.but(stripped).as_text() if value is not None and stripped else None)
    return words
