"""Links between GPUs of one server, as NVIDIA's and AMD's tools print them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read
from tests.importers.test_machines import nccl, pool

if TYPE_CHECKING:
    from pathlib import Path


GRACE = (
    "        GPU0    GPU1    NIC0    CPU Affinity    NUMA Affinity   GPU NUMA ID\n"
    "GPU0     X      NV18    SYS     0-71    0,3-9   2\n"
    "GPU1    NV18     X      SYS     72-143  1,19-25 10\n"
)


def test_nvlink_of_superchips_may_lead_to_other_servers(tmp_path: Path) -> None:
    """The four GPUs of a GB200 tray are not the 72 of its rack."""
    dump = nccl("32.0 GT/s PCIe")
    for name, text in (("tray.txt", GRACE), ("tray.xml", dump.replace("</gpu>", '<c2c bw="44712" count="10"/></gpu>'))):
        found = read(tmp_path, {name: text})
        assert "scale_up_domain" not in plain(found.words["nodes"])[0]
        assert [one.word for one in found.unknowns] == ["nodes/tray/scale_up_domain"]
    assert "gpu_nic_same_switch" not in pool(tmp_path, "tray.txt", GRACE)
    assert pool(tmp_path, "hgx.txt", GRACE.replace("   2\n", "   N/A\n"))["scale_up_domain"] == "2"


def test_nccl_that_lists_no_link_of_any_gpu_found_none(tmp_path: Path) -> None:
    bare = nccl("16.0 GT/s PCIe").replace('<nvlink target="0:f" count="18" tclass="0x068000"/>', "")
    facts = {one.name: one.value.text for one in read(tmp_path, {"l40.xml": bare}).facts}
    assert facts["GPUs without a link between them"] == "2"
    written = read(tmp_path, {"by-hand.xml": bare.replace('<gpu dev="0" sm="90" gdr="1"></gpu>', "")})
    assert "GPUs without a link between them" not in {one.name for one in written.facts}


def amd(kinds: str, heading: str = "=== Link Type between two GPUs ===") -> str:
    """Four GPUs; a letter for each pair: `X` for XGMI, `P` for PCIE."""
    names = [f"GPU{at}" for at in range(4)]
    kind = {"X": "XGMI", "P": "PCIE"}
    pairs = dict(zip([(a, b) for a in range(4) for b in range(a + 1, 4)], kinds, strict=True))
    rows = [
        " ".join([names[a], *("0" if a == b else kind[pairs[min(a, b), max(a, b)]] for b in range(4))])
        for a in range(4)
    ]
    hops = "=== Hops between two GPUs ===\n" + " ".join(names) + "\nGPU0 0 1 1 1\n"
    return "\n".join(
        [hops, heading, "       " + " ".join(names), *rows, "=== Numa Nodes ===", "GPU[0]\t\t: (Topology) Numa Node: 1"]
    )


@pytest.mark.parametrize("heading", ["=== Link Type between two GPUs ===", "LINK TYPE TABLE:"])
@pytest.mark.parametrize(("kinds", "domain"), [("XXXXXX", "4"), ("XPPPPX", "2"), ("PPPPPP", None)])
def test_rocm_smi_joins_gpus_by_infinity_fabric(tmp_path: Path, heading: str, kinds: str, domain: str | None) -> None:
    found = read(tmp_path, {"node.txt": amd(kinds, heading)})
    (words,) = plain(found.words["nodes"])
    assert (words["gpus"], words.get("scale_up_domain")) == ("4", domain)
    facts = {one.name: one.value.text for one in found.facts}
    assert facts["NUMA nodes"] == "1"
    assert facts.get("GPUs without a link between them") == (None if domain else "4")
