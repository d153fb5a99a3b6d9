"""The dumps that list a fabric: ibnetdiscover in full, `ibnetdiscover -p`, and iblinkinfo."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fate
from designlint.importers.infiniband.fabric import DumpSpot, Fabric, signalled_rate

if TYPE_CHECKING:
    from designlint.importers.base import Source

BLOCK = re.compile(r'(Switch|Ca|Hca|Rt)\s+(\d{1,9})\s+"([SHR]-[0-9a-f]+)"\s*(?:#\s*"([^"]*)")?')
PORT = re.compile(
    r'\[(\d+)\](?:\[ext \d+\])?(?:\([0-9a-f]+\))?\s+"([SHR]-[0-9a-f]+)"\[(\d+)\](?:\[ext \d+\])?(?:\([0-9a-f]+\))?'
    r'(?:\s*#\s*(?:lid \d+ lmc \d+ )?"([^"]*)"(?:\s+lid\s+\d+)?(?:\s+(\d{1,4})x(\w+))?)?'
)
#: The same as nearly every line spells it, which is matched in half the time.
USUAL = re.compile(
    r'\[(\d+)\](?:\([0-9a-f]+\) ?)?\t"([SHR]-[0-9a-f]+)"\[(\d+)\](?:\([0-9a-f]+\) )?\t\t# (?:lid \d+ lmc \d+ )?"([^"]*)"'
    r" lid \d+ (\d{1,4})x([A-Z0-9]+)"
)
HEAD = re.compile(
    r"(?:vendid|devid|sysimgguid|switchguid|caguid|rtguid)=|#|Topology file|(?:Non-)?Chassis (?:Nodes|\d)|Hostname:"
)
FLAT = re.compile(
    r"(CA|SW|RT)\s+(\d+)\s+(\d+)\s+(0x[0-9a-f]+)\s+(\d{1,4})x\s+(\S+)(?:\s+-\s+(CA|SW|RT)\s+(\d+)\s+(\d+)\s+(0x[0-9a-f]+)\s+\(\s*(.*)\s*\))?"
)
LABELS = re.compile(r"'(.*?)'\s+-\s+'(.*?)'\s*\Z")
TITLE = re.compile(r"(CA|Switch|Router):\s*(?:(0x[0-9a-f]+)\s+)?(.*?):?\s*\Z")
LINK = re.compile(
    r"(?:(?P<guid>0x[0-9a-f]+)\s+)?(?:\"(?P<label>[^\"]*)\"\s+)?(?P<lid>\d+)\s+(?P<port>\d+)\[[^\]]*\]\s*==\("
    r"\s*(?:(?P<width>\d{1,4})X\s*(?P<lane>\d+(?:\.\d+)?)\s*Gbps\s+)?(?P<state>\w+)/\s*(?P<physical>\w+)\s*\)==>"
    r"\s*(?:(?P<peer>0x[0-9a-f]+)\s+)?(?:(?P<far_lid>\d+)\s+(?P<far_port>\d+))?\s*\[[^\]]*\]\s*"
    r'"(?P<far_label>[^"]*)"\s*\(\s*(?P<remark>.*?)\s*\)'
)
#: Characters of a line that are read: the tools print less than two hundred.
LONGEST = 2000
KINDS = {
    "Switch": "switch",
    "Ca": "host",
    "Hca": "host",
    "Rt": "router",
    "SW": "switch",
    "CA": "host",
    "RT": "router",
    "Router": "router",
}


def full(source: Source, fabric: Fabric) -> None:
    """`ibnetdiscover`: a block for each node, a line for each of its cabled ports."""
    here = device = ""
    source.counted = True
    text, marks, known, usual = source.text, source.marks, fabric.nodes, USUAL.match
    #: By node and port, the end that has listed its cable, and whether with a rate: half of all lines say that once more.
    listed: dict[str, dict[str, tuple[str, str, bool]]] = {}
    mirrored: dict[str, tuple[str, str, bool]] = {}
    for number, (start, end) in enumerate(source.spans(), 1):
        last = min(end, start + LONGEST)
        found = usual(text, start, last)
        bare = "" if found else text[start:last].strip()
        if found or bare[:1] == "[":
            found = found or PORT.match(bare)
            if found and here:
                port, far, other, label, width, rate = found.groups()
                if mirrored.get(port) != (far, other, True):
                    if far not in known:
                        kind = {"S": "switch", "H": "host"}.get(far[0], "router")
                        fabric.node(far, kind, label or "", DumpSpot(source, start, end), seen=False)
                    rate = _known_rate(rate)
                    fabric.cable((here, port), (far, other), int(width or 0), rate, DumpSpot(source, start, end))
                    listed.setdefault(far, {})[other] = here, port, rate != ""
                marks[number] = Fate.UNDERSTOOD
                fabric.lines += 1
        elif bare and HEAD.match(bare):
            marks[number] = Fate.IMMATERIAL
            device = bare[6:] if bare[:6] == "devid=" else device
        elif bare and (found := BLOCK.match(bare)):
            here = found[3]
            mirrored = listed.pop(here, {})
            node = fabric.node(here, KINDS[found[1]], found[4] or "", DumpSpot(source, start, end), ports=int(found[2]))
            node.device, device = device, ""
            marks[number] = Fate.UNDERSTOOD
            fabric.lines += 1


def _known_rate(rate: str | None) -> str:
    return "" if rate is None or "?" in rate else rate


def flat(source: Source, fabric: Fabric) -> None:
    """`ibnetdiscover -p`: a line for each port; one without a peer has no cable."""
    source.counted = True
    for number, (start, end, text) in enumerate(source.lines(), 1):
        found = FLAT.match(text[:LONGEST].strip())
        if found is None:
            continue
        source.marks[number] = Fate.UNDERSTOOD
        fabric.lines += 1
        spot = DumpSpot(source, start, end)
        own = found[4]
        labels = LABELS.match(found[11] or "")
        rest = text[:LONGEST].strip()[found.end() :].strip().strip("'")
        fabric.node(own, KINDS[found[1]], labels[1] if labels else rest, spot)
        if found[7] is None:
            fabric.idle += 1
            continue
        fabric.node(found[10], KINDS[found[7]], labels[2] if labels else "", spot, seen=False)
        fabric.cable((own, found[3]), (found[10], found[9]), int(found[5]), _known_rate(found[6]), spot)


def links(source: Source, fabric: Fabric) -> None:
    """
    `iblinkinfo`: peers are named by local identifier (LID), so the titles are read first.

    With `--line`, every line names both of its ends instead. Before a subnet manager gives LIDs, all are 0: labels name peers.
    """
    owners: dict[str, str] = {}
    found: list[tuple[str, re.Match[str], DumpSpot]] = []
    here = ""
    for number, (start, end, text) in enumerate(source.lines(), 1):
        bare, spot = text[:LONGEST].strip(), DumpSpot(source, start, end)
        link = LINK.match(bare) if "==(" in bare else None
        if link is not None:
            source.marks[number] = Fate.UNDERSTOOD
            fabric.lines += 1
            if link["label"] is not None and link["guid"]:
                here = link["guid"]
                fabric.node(here, _kind(link["label"]), link["label"], spot)
            elif here.startswith("?"):  # the GUID of an adapter stands in its port's line
                fabric.nodes[link["guid"] or here] = node = fabric.nodes.pop(here)
                here = node.guid = link["guid"] or here
            own = here or link["guid"] or f"lid {link['lid']}"  # the file has no titles, or begins within a block
            if link["lid"] != "0":
                owners.setdefault(link["lid"], own)
            found.append((own, link, spot))
        elif title := TITLE.match(bare):
            source.marks[number] = Fate.UNDERSTOOD
            here = title[2] or f"?{number}"
            fabric.node(here, KINDS.get(title[1], "switch"), title[3].strip('" '), spot)
    for node in (*fabric.nodes.values(),):
        owners[node.label] = "" if node.label in owners else node.guid
    for own, link, spot in found:
        _add_link(fabric, own, link, owners, spot)
    for own, _, spot in found:  # whom nobody names: only lines of adapters bear a GUID
        if own not in fabric.nodes:
            fabric.node(own, "host" if own.startswith("0x") else "switch", own, spot, seen=False)


def _kind(label: str) -> str:
    return "host" if "HCA" in label or "mlx" in label else "switch"


def _add_link(fabric: Fabric, own: str, link: re.Match[str], owners: dict[str, str], spot: DumpSpot) -> None:
    active = link["state"].lower() == "active"
    if link["far_lid"] is None or not (active or link["physical"].lower() == "linkup"):
        fabric.idle += 1
        return
    named = link["far_label"] if link["far_lid"] == "0" else f"lid {link['far_lid']}"
    peer = link["peer"] or owners.get(link["far_lid"]) or owners.get(named) or named
    fabric.node(peer, _kind(link["far_label"]), link["far_label"], spot, seen=False)
    rate = signalled_rate(float(link["lane"])) if link["lane"] else ""
    below = link["remark"] if "Could be" in link["remark"] else "" if active else link["state"]
    ends = (own, link["port"]), (peer, link["far_port"])
    fabric.cable(*ends, int(link["width"] or 0), rate, spot, below)
