"""hwloc's XML (`lstopo file.xml`), of hwloc 2 and 3."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from designlint.importers import defaults, servers
from designlint.importers.base import Fragment, Words, number, put
from designlint.importers.notations import xml

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context, Source, Value
    from designlint.importers.notations.xml import Element

TITLE = "lstopo XML"
HEXADECIMAL = re.compile(r"[0-9a-fA-F]{1,4096}\Z")
#: Processors, as hwloc 1 called them, too.
PACKAGES = ("Package", "Socket")
GPU = ("0300", "0302")
#: Ethernet and InfiniBand controllers; older InfiniBand adapters call themselves a serial bus.
NETWORK = ("0200", "0207", "0c06")
#: Vendor and device in what hwloc says of a PCI device.
NUMBERS = re.compile(r"\[([0-9a-f]{4}:[0-9a-f]{4})\]")


def sure(source: Source) -> int:
    """8 where the root is hwloc's `topology`."""
    return 8 if xml.first_tag(source) == "topology" and "<object " in source.text else 0


def read(source: Source, context: Context) -> Element:
    """The root element."""
    return xml.root(source)


def design(models: Sequence[Element], context: Context) -> Fragment:
    """A pool for each file."""
    found = Fragment()
    for root in models:
        found.add(servers.pool(root.source, _server(root, found)))
    return found


def _server(root: Element, found: Fragment) -> Words:
    """Packages, GPUs and their slots; cores only where the file was not trimmed, and nothing where no device is listed."""
    words: Words = {}
    objects = Counter(one.attributes.get("type", "") for one in root.all("object"))
    packages = [one for one in root.all("object") if one.attributes.get("type") in PACKAGES]
    if packages:
        put(words, "sockets", packages[0].value(len(packages), "packages counted"))
    infos = {one.attributes.get("name", ""): one for one in root.all("info")}
    product, processor = infos.get("DMIProductName"), infos.get("CPUModel")
    found.fact("product", product.get("value") if product is not None else None)
    name = processor.get("value") if processor is not None else None
    put(words, "cpu", name.as_text() if name is not None else None)
    for kind, label in (("NUMANode", "NUMA nodes"), ("Core", "cores listed")):
        first = next((one for one in root.all("object") if one.attributes.get("type") == kind), None)
        found.fact(label, first.value(objects[kind], "counted") if first is not None else None)
    banks = [one for one in root.all("object") if number(one.attributes.get("local_memory", "")) is not None]
    if banks:
        total = sum(number(one.attributes["local_memory"]) or 0 for one in banks)
        found.fact("memory of the NUMA nodes", banks[0].value(f"{total / 1024**3:.1f} GiB", "added up"))
    _threads(root, objects, words)
    _drives(root, words)
    _devices(root, words, found)
    matrix = next(
        (one for one in root.all("distances2hetero", "distances2") if "NVLink" in one.attributes.get("name", "")), None
    )
    found.fact("objects of the NVLink matrix", matrix.get("nbobjs") if matrix is not None else None)
    if matrix is not None:
        _scale_up(matrix, words, found)
    return words


def _threads(root: Element, objects: Counter[str], words: Words) -> None:
    """Cores and threads, where all that the server has are listed: a trimmed file has fewer, or one by a process with a share."""
    machine = next((one for one in root.all("object") if one.attributes.get("type") == "Machine"), None)
    if machine is None:
        return
    digits = machine.attributes.get("complete_cpuset", "").replace("0x", "").replace(",", "")
    mask = int(digits, 16) if HEXADECIMAL.match(digits) else 0
    known = mask.bit_count()
    if known and known == objects["PU"] == mask.bit_length():  # a gap is a part that was left out
        put(words, "cpu_cores", machine.value(objects["Core"], "counted") if objects["Core"] else None)
        put(words, "cpu_threads", machine.value(known, "counted"))


def _drives(root: Element, words: Words) -> None:
    """NVMe drives: the largest group of one size is the data drives, boot drives are fewer."""
    groups: dict[int, list[Element]] = {}
    for one in root.all("object"):
        if one.attributes.get("type") == "OSDev" and one.attributes.get("name", "").startswith("nvme"):
            sizes = [
                info.attributes.get("value", "") for info in one.all("info") if info.attributes.get("name") == "Size"
            ]
            size = number(sizes[0]) if sizes else None
            groups.setdefault(size if isinstance(size, int) else 0, []).append(one)
    if not groups or 0 in groups:
        return
    size = max(groups, key=lambda one: one * len(groups[one]))
    first, many = groups[size][0], len(groups[size])
    put(words, "local_storage/drives", first.value(many, "NVMe drives of the largest group"))
    put(words, "local_storage/capacity", first.value(f"{many * size} KiB", f"{many} x {size} KiB"))


def _devices(root: Element, words: Words, found: Fragment) -> None:
    devices = [one for one in root.all("object") if one.attributes.get("type") == "PCIDev"]
    gpus = [one for one in devices if _is_gpu(one)]
    adapters = [one for one in devices if one.attributes.get("pci_type", "")[:4] in NETWORK]
    if not devices:
        found.fact("PCI devices", root.value("none listed", "the file was written without devices"))
        return
    if gpus:
        put(words, "gpus", gpus[0].value(len(gpus), "PCI devices counted"))
        models = {
            info.attributes.get("value", "")
            for one in gpus
            for info in one.all("info")
            if info.attributes.get("name") == "GPUModel"
        }
        named = gpus[0].value(next(iter(models)), "of all GPUs") if len(models) == 1 else None
        found.fact("GPU", named and named.as_text())
        put(words, "gpu", servers.model(_numbers(one) for one in gpus) or (named and named.of("Gpu")))
        speeds = {one.attributes.get("pci_link_speed", "") for one in gpus}
        if len(speeds) == 1 and (speed := gpus[0].get("pci_link_speed")) is not None and speed.number:
            found.fact("bandwidth of a GPU's slot", speed.but(f"{float(speed.text):.2f} GB/s", "GB/s in the file"))
            _slot(float(speed.text), gpus[0], words)
    found.fact("network adapters", adapters[0].value(len(adapters), "PCI devices counted") if adapters else None)


def _scale_up(matrix: Element, words: Words, found: Fragment) -> None:
    """GPUs that NVLinks join, also through switches; processors are no part of their network."""
    names, cells = (
        [each for one in matrix.all(tag) for each in _content(one).split()] for tag in ("indexes", "u64values")
    )
    if not names or len(cells) != len(names) ** 2:
        return
    gpus = [one for one in names if one.startswith("OSDev:")]
    processors = {one for one in names if one.startswith(("Package:", "NUMANode:"))}
    joined = [
        (one, other)
        for row, one in enumerate(names)
        if one not in processors
        for column, other in enumerate(names)
        if row != column and other not in processors and cells[row * len(names) + column] != "0"
    ]
    size = servers.domain(gpus, joined, matrix.value, found) if gpus and joined else None
    switched = any(end.startswith("PCIDev:") for pair in joined for end in pair)
    if size and (not switched or size == len(gpus)):  # the matrix leaves out links between switches
        put(words, "scale_up_domain", matrix.value(size, "joined by NVLink"))


def _content(element: Element) -> str:
    value = element.content()
    return value.text if value is not None else ""


def _is_gpu(device: Element) -> bool:
    """Whether a PCI device is a GPU: by its class, its numbers, or what a library of the vendor found in it."""
    if device.attributes.get("pci_type", "")[:4] == "0302" or servers.model([_numbers(device)]) is not None:
        return True
    return any(info.attributes.get("name") == "GPUVendor" for info in device.all("info"))


def _numbers(device: Element) -> Value:
    found = NUMBERS.search(device.attributes.get("pci_type", ""))
    return device.value("", "").but(found[1] if found else "")


def _slot(bandwidth: float, gpu: Element, words: Words) -> None:
    """Generation and lanes, where 16 lanes of one generation carry what the file says and no other generation does."""
    for generation, lane in defaults.tool("pci-express").tables["lane_bandwidth"].items():
        if abs(float(lane) * 16 - bandwidth) < 0.01:
            found = [
                other
                for other, rate in defaults.tool("pci-express").tables["lane_bandwidth"].items()
                if abs(float(rate) * 8 - bandwidth) < 0.01
            ]
            if not found:
                put(words, "pcie_generation", gpu.value(int(generation), f"{bandwidth:.2f} GB/s on 16 lanes"))
