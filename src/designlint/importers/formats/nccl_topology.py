"""NCCL's topology XML (NCCL_TOPO_DUMP_FILE, NCCL_TOPO_FILE) and graph XML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import servers
from designlint.importers.base import Fragment, Words, number, put
from designlint.importers.notations import xml
from designlint.importers.workloads import name_workload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context, Source, Value
    from designlint.importers.notations.xml import Element

TITLE = "NCCL topology"
#: PCI classes: display controllers, network controllers, bridges; NVSwitches call themselves bridges.
GPU, NETWORK, SWITCH = ("0x0302", "0x0300"), ("0x0200", "0x0207"), "0x0680"


def sure(source: Source) -> int:
    """8 for a `system` or `graphs` with the elements that NCCL writes."""
    tag = xml.first_tag(source)
    if tag == "system" and ("<pci " in source.text or "<cpu " in source.text):
        return 8
    return 8 if tag == "graphs" and "nchannels" in source.text else 0


def read(source: Source, context: Context) -> Element:
    """The root element."""
    return xml.root(source)


def design(models: Sequence[Element], context: Context) -> Fragment:
    """A pool for each file."""
    found = Fragment()
    for root in models:
        if root.tag == "graphs":
            _graphs(root, found)
            continue
        found.add(servers.pool(root.source, _server(root, found)))
    return found


def _graphs(root: Element, found: Fragment) -> None:
    graphs = root.all("graph")
    found.fact("graphs", root.value(len(graphs), "counted"))
    for graph in graphs:
        for name, attribute in (("channels", "nchannels"), ("type inside", "typeintra"), ("type between", "typeinter")):
            found.fact(f"graph {graph.attributes.get('id', '')}: {name}", graph.get(attribute))


def _is_gpu(device: Element) -> bool:
    """Whether a PCI device is a GPU: by its class, or by what NCCL or RCCL found in it."""
    return device.attributes.get("class", "").startswith(GPU) or any(one.tag == "gpu" for one in device.children)


def _numbers(device: Element) -> Value:
    """Vendor and device as `vendor:device`; NCCL writes them since its version 2.19."""
    pair = [device.attributes.get(one, "").removeprefix("0x") for one in ("vendor", "device")]
    return (device.get("device") or device.value("", "")).but(":".join(pair).lower())


def _is_adapter(device: Element) -> bool:
    return device.attributes.get("class", "").startswith(NETWORK)


def _server(root: Element, found: Fragment) -> Words:
    words: Words = {}
    slots = [one for one in root.all("pci") if _is_gpu(one)]
    adapters = [one for one in root.all("pci") if _is_adapter(one)]
    cards = root.all("gpu")
    if slots:
        put(words, "gpus", slots[0].value(len(slots), "PCI devices that are GPUs"))
        put(words, "gpu", servers.model(_numbers(one) for one in slots))
    _scale_up(slots, words, found)
    rates = [(rate, width) for one in slots if (rate := one.get("link_speed")) and (width := one.get("link_width"))]
    servers.slots(words, rates, found)
    _adapters(root, slots, adapters, words, found)
    if cards and all(one.attributes.get("gdr") in ("0", "1") for one in cards):
        nets = root.all("net")
        can = [one.attributes.get("gdr") == "1" for one in nets]
        if nets and (all(can) or not any(can)):
            put(words, "gpu_direct_rdma", nets[0].value(all(can), "gdr of all networks"))
    cpus = root.all("cpu")
    for name, counted in (("GPUs of a NUMA node", _is_gpu), ("adapters of a NUMA node", _is_adapter)):
        counts = {sum(map(counted, cpu.all("pci"))) for cpu in cpus}
        if len(counts) == 1 and counts != {0}:
            found.fact(name, cpus[0].value(next(iter(counts)), "the same below every one"))
    found.fact("NUMA nodes", cpus[0].value(len(cpus), "counted") if cpus else None)
    architecture = "gcn" if cards and "gcn" in cards[0].attributes else "sm"  # RCCL counts the units in `sm`
    found.fact("architecture of the GPUs", cards[0].get(architecture) if cards else None)
    return words


#: Why the domain of a single GPU is not known, and what shows it.
ALONE = ("the file has one GPU, and NVSwitches may join others to it", "a dump of a run that sees all GPUs")


def _scale_up(slots: list[Element], words: Words, found: Fragment) -> None:
    """GPUs joined by NVLink or AMD's XGMI: through a switch all of them, else as the links pair them."""
    links = [(slot, link) for slot in slots for tag in ("nvlink", "xgmi") for link in slot.all(tag)]
    if not links:
        seen = len(slots) > 1 and all(slot.all("gpu") for slot in slots)  # NCCL looked at each, and lists its links
        found.fact(servers.WITHOUT_LINKS, slots[0].value(len(slots), "no link of NVLink or XGMI") if seen else None)
        return
    buses = [slot.attributes.get("busid", "") for slot in slots]
    switched = all(link.attributes.get("tclass", "").startswith(SWITCH) for _, link in links)
    pairs = [(slot.attributes.get("busid", ""), link.attributes.get("target", "")) for slot, link in links]
    own = all(one == other for one, other in pairs)
    size = None if own else servers.domain(buses, pairs, links[0][1].value, found)
    note = "through NVSwitches" if switched else "as their links join them"
    beyond = switched and any(slot.all("c2c") for slot in slots)
    alone = switched and len(slots) == 1
    if size and (beyond or alone):
        path = f"nodes/{name_workload(slots[0].source).text}/scale_up_domain"
        why, remedy = (servers.BEYOND, servers.FABRIC) if beyond else ALONE
        found.unknown(path, why, remedy, links[0][1].value(size, note))
    else:
        put(words, "scale_up_domain", links[0][1].value(size, note) if size else None)
    counts = {slot.attributes.get("busid", ""): 0 for slot, _ in links}
    for slot, link in links:
        many = number(link.attributes.get("count", ""))
        counts[slot.attributes.get("busid", "")] += many if isinstance(many, int) else 0
    if len(set(counts.values())) == 1:
        found.fact("links of a GPU to others", links[0][1].value(next(iter(counts.values())), "added up"))


def _adapters(root: Element, slots: list[Element], adapters: list[Element], words: Words, found: Fragment) -> None:
    nets = root.all("net")
    if adapters:
        found.fact("adapters", adapters[0].value(len(adapters), "PCI devices of class network controller"))
    elif nets:
        found.fact("networks", nets[0].value(len(nets), "counted"))
    found.fact("ports", nets[0].value(len(nets), "counted") if adapters and nets else None)
    named = [one.attributes.get("name", "") for one in nets]
    if nets and all(named):  # those of storage may be among them
        found.fact("names of networks", nets[0].value(", ".join(named), "in their order"))
    speeds = {one.attributes.get("speed", "") for one in nets}
    if len(speeds) == 1 and (speed := nets[0].get("speed")) is not None and speed.number:
        found.fact("port speed", speed.but(f"{speed.number / 1000:g} Gbit/s", "Mbit/s in the file"))
    if not slots or not adapters:
        return
    below: dict[int, int] = {}
    for bridge in root.children:
        for top in (one for one in bridge.children if one.tag == "pci"):
            below |= {id(one): id(top) for one in top.walk()}
    shares = [any(below.get(id(slot)) == below.get(id(one)) for one in adapters) for slot in slots]
    direct = any(not _parent(root, slot) for slot in slots)
    if not direct and (all(shares) or not any(shares)):
        put(words, "gpu_nic_same_switch", slots[0].value(all(shares), "outermost PCIe switch of GPU and adapter"))


def _parent(root: Element, slot: Element) -> Element | None:
    """The PCI bridge that a device hangs below; None where it stands at the processor itself."""
    return next((one for one in root.all("pci") if slot in one.children), None)
