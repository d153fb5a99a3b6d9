"""Slurm's files: pools, partitions, trees, blocks, and what they contradict."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from designlint.importers.slurm import times
from designlint.language.hostlists import HostListError, expand, fold
from tests.importers.helpers import at, place, plain, read

if TYPE_CHECKING:
    from pathlib import Path

SLURM = """\
ClusterName=hawk
SlurmctldHost=head1
SlurmctldHost=head2
GresTypes=gpu
TopologyPlugin=topology/tree
NodeName=DEFAULT Sockets=2 CoresPerSocket=56 ThreadsPerCore=2 RealMemory=2051200
NodeName=gpu[001-004] Gres=gpu:h100:8(S:0-1)  # the first row
NodeName=gpu[005-006] \\
    Gres=gpu:h100:8(S:0-1)
NodeName=login1 RealMemory=128000 CPUs=64
PartitionName=train Nodes=gpu[001-006] MaxTime=2-00:00:00 Default=YES OverSubscribe=EXCLUSIVE
PartitionName=any Nodes=ALL MaxTime=UNLIMITED
"""


def test_equal_nodes_make_a_pool_and_every_value_keeps_its_place(tmp_path: Path) -> None:
    found = read(tmp_path, {"slurm.conf": SLURM})
    pools = plain(found.words["nodes"])
    assert [(one["name"], one["count"], one["servers"]) for one in pools] == [
        ("gpu", "6", "gpu[001-006]"),
        ("login", "1", "login1"),
    ]
    assert (pools[0]["gpus"], pools[0]["gpu"], pools[0]["cpu_cores"], pools[0]["cpu_threads"]) == (
        "8",
        "h100-sxm-80gb",
        "112",
        "224",
    )
    assert place(at(found, "nodes/0/scheduled_memory")) == ("slurm.conf", 6, "2051200")
    assert at(found, "nodes/0/count").how == "derived"
    assert [one.partial for one in found.accounts()] == [False]


def test_the_scheduler_says_only_what_the_file_or_slurm_says(tmp_path: Path) -> None:
    scheduler = plain(read(tmp_path, {"slurm.conf": SLURM}).words["scheduler"])
    assert scheduler["controllers"] == "2"
    assert scheduler["topology_aware"] == "true"
    assert scheduler["partitions"] == [
        {"name": "train", "servers": "gpu[001-006]", "walltime_limit": "48 h", "default": "true", "exclusive": "true"},
        {"name": "any", "unlimited": "true", "servers": "gpu[001-006],login1"},
    ]


def test_a_set_of_nodes_by_feature_names_no_servers(tmp_path: Path) -> None:
    sets = "NodeSet=fast Feature=h100\nNodeSet=some Nodes=gpu[001-002]\n"
    sets += "PartitionName=fast Nodes=fast\nPartitionName=some Nodes=some\n"
    found = read(tmp_path, {"slurm.conf": SLURM + sets})
    parts = {one["name"]: one.get("servers") for one in plain(found.words["scheduler"])["partitions"]}
    assert (parts["fast"], parts["some"]) == (None, "gpu[001-002]")
    assert [one.word for one in found.unknowns] == ["scheduler/partitions/fast/servers"]


def test_a_default_of_slurm_names_slurm_and_its_version(tmp_path: Path) -> None:
    value = at(read(tmp_path, {"slurm.conf": SLURM}), "scheduler/preemption")
    assert (value.text, value.how, value.note) == ("none", "default", "Slurm 24.05")


def test_an_included_file_is_read_inside_the_repository_only(tmp_path: Path) -> None:
    files = {
        "slurm.conf": "ClusterName=hawk\nInclude nodes.conf\nInclude /etc/hostname\n",
        "+nodes.conf": "NodeName=n[1-3] Gres=gpu:4\n",
    }
    found = read(tmp_path, files)
    assert plain(found.words["nodes"])[0]["gpus"] == "4"
    assert [one.word for one in found.unknowns] == ["nodes"]
    assert "preemption" not in plain(found.words["scheduler"]), "the file that was not read may state it"


def test_gres_conf_for_other_servers_is_an_undefined_reference(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        {"slurm.conf": "NodeName=n[1-4] Gres=gpu:8\n", "gres.conf": "NodeName=m[1-2] Name=gpu File=/dev/nvidia[0-7]\n"},
    )
    assert [(one.rule, one.values["name"], one.at.line) for one in found.clashes] == [
        ("import/unknown-name", "m[1-2]", 1)
    ]


TREE = "SwitchName=s0 Nodes=n[1-2]\nSwitchName=s1 Nodes=n[3-4]\nSwitchName=s2 Switches=s[0-1] LinkSpeed=100\n"


def test_a_tree_becomes_switches_by_level_without_a_number_of_cables(tmp_path: Path) -> None:
    found = read(tmp_path, {"topology.conf": TREE})
    topology = plain(found.words["fabrics"])[0]["topology"]
    assert [(one["name"], one["role"]) for one in topology["switches"]] == [
        ("s0", "leaf"),
        ("s1", "leaf"),
        ("s2", "spine"),
    ]
    assert topology["links"] == [{"from": "s0", "to": "s2"}, {"from": "s1", "to": "s2"}]
    assert [one["server"] for one in topology["host_links"]] == ["n1", "n2", "n3", "n4"]


def test_a_circle_ends_and_is_named(tmp_path: Path) -> None:
    found = read(
        tmp_path, {"topology.conf": "SwitchName=a Nodes=n1\nSwitchName=b Switches=a,c\nSwitchName=c Switches=b\n"}
    )
    assert [one.rule for one in found.clashes] == ["import/circle"]
    roles = [one.get("role") for one in plain(found.words["fabrics"])[0]["topology"]["switches"]]
    assert roles == ["leaf", "spine", "core"]


def test_scontrol_lists_what_is_below_on_every_level(tmp_path: Path) -> None:
    text = (
        "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[1-2]\nSwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[3-4]\n"
        "SwitchName=s2 Level=1 LinkSpeed=1 Nodes=n[1-4] Switches=s[0-1]\n"
    )
    topology = plain(read(tmp_path, {"topology.out": text}).words["fabrics"])[0]["topology"]
    assert len(topology["host_links"]) == 4


def test_topology_yaml_and_blocks(tmp_path: Path) -> None:
    text = (
        "- topology: nvl\n"
        "  cluster_default: true\n"
        "  block:\n"
        "    block_sizes: [18, 36]\n"
        "    blocks:\n"
        "      - {block: b1, nodes: 'n[01-18]'}\n"
    )
    scheduler = plain(read(tmp_path, {"topology.yaml": text}).words["scheduler"])
    assert scheduler["block_sizes"] == ["18", "36"]
    assert scheduler["block_size"] == "18"
    assert scheduler["blocks"] == [{"name": "b1", "servers": "n[01-18]", "count": "18"}]


def test_the_order_of_lines_changes_nothing_but_places(tmp_path: Path) -> None:
    lines = [line for line in TREE.splitlines() if line]
    forwards = plain(read(tmp_path, {"a.conf": "\n".join(lines)}).words["fabrics"])[0]["topology"]
    backwards = plain(read(tmp_path, {"b.conf": "\n".join(reversed(lines))}).words["fabrics"])[0]["topology"]
    key = {"switches": "name", "links": "from", "host_links": "server"}
    for part, word in key.items():
        assert sorted(forwards[part], key=lambda one: one[word]) == sorted(backwards[part], key=lambda one: one[word])


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("30", 1800),
        ("1:30", 90),
        ("2:00:00", 7200),
        ("1-0", 86400),
        ("1-2:30", 95400),
        ("7-0:00:59", 604859),
        ("7-0:00:99", 604899),  # so the real slurmctld has it
        ("00:70:00", 4200),
        ("90:99", 5499),
        ("1:99:99", 9639),
        ("7d", None),
        ("1:2:", None),
        ("10:20:30:40", None),
        ("1-2-3", None),
        ("soon", None),
    ],
)
def test_times(text: str, seconds: int | None) -> None:
    assert times.seconds(text) == seconds


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("circe-n[001-003],n[019-020]", ["circe-n001", "circe-n002", "circe-n003", "n019", "n020"]),
        ("r[1-2]n[01-02]", ["r1n01", "r1n02", "r2n01", "r2n02"]),
        ("a,b[9-10]c", ["a", "b9c", "b10c"]),
        ("x[1,3-4]", ["x1", "x3", "x4"]),
    ],
)
def test_host_lists(text: str, names: list[str]) -> None:
    assert expand(text) == names


@pytest.mark.parametrize("text", ["n[1-", "n[1-2]]", "n[a-b]", "n[5-1]", "n[0-999999999]", "n[1-1000]m[1-1000]"])
def test_lists_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(HostListError):
        expand(text)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.integers(0, 2000), min_size=1, max_size=20, unique=True))
def test_folding_and_expanding_gives_the_same_names(numbers: list[int]) -> None:
    names = [f"{('gpu', 'a-1-n', 'r2c')[number % 3]}{number:03d}" for number in numbers]
    assert expand(fold(names)) == names


def test_cpus_are_what_slurm_hands_out_whatever_the_sockets_hold(tmp_path: Path) -> None:
    text = "ClusterName=a\nNodeName=n[1-2] CPUs=112 Sockets=2 CoresPerSocket=56 ThreadsPerCore=2\n"
    (pool,) = plain(read(tmp_path, {"slurm.conf": text}).words["nodes"])
    assert (pool["cpu_cores"], pool["cpu_threads"]) == ("112", "112")


def test_several_files_of_one_device_are_one_gpu(tmp_path: Path) -> None:
    files = {
        "slurm.conf": "ClusterName=a\nGresTypes=gpu\nNodeName=n1 CPUs=8 Gres=gpu:a100:2,gpu:3g.20gb:1\n",
        "gres.conf": (
            "NodeName=n1 Name=gpu Type=a100 File=/dev/nvidia[0-1]\n"
            "NodeName=n1 Name=gpu Type=3g.20gb MultipleFiles=/dev/nvidia2,/dev/nvidia-caps/nvidia-cap30\n"
        ),
    }
    found = read(tmp_path, files)
    assert [one.rule for one in found.clashes] == []
    assert plain(found.words["nodes"])[0]["gpus"] == "3"


WHOLE = "ClusterName=site\nNodeName=n[1-4] CPUs=128\n"
PAIRS = "SwitchName=s1 Nodes=n[1-2]\nSwitchName=s2 Nodes=n[3-4]\nSwitchName=top Switches=s[1-2]\n"


@pytest.mark.parametrize(
    ("stated", "tree", "expected"),
    [
        ("", PAIRS, ["import/topology-not-enabled"]),
        ("TopologyPlugin=topology/tree\n", PAIRS, []),
        ("", "BlockName=b1 Nodes=n[1-4]\nBlockSizes=4\n", ["import/topology-not-enabled"]),
        ("Include plugins.conf\n", PAIRS, []),  # which may choose it
    ],
)
def test_a_topology_is_read_only_by_a_plugin(stated: str, tree: str, expected: list[str], tmp_path: Path) -> None:
    found = read(tmp_path, {"slurm.conf": WHOLE + stated, "topology.conf": tree})
    assert [one.rule for one in found.clashes] == expected


def test_gpus_that_only_accounts_are_kept_of_are_not_managed(tmp_path: Path) -> None:
    tracked = "AccountingStorageTRES=gres/gpu\n"
    (clash,) = read(tmp_path, {"slurm.conf": WHOLE + tracked}).clashes
    assert (clash.rule, clash.at.line) == ("import/gpus-not-managed", 3)
    assert read(tmp_path, {"slurm.conf": WHOLE + tracked + "GresTypes=gpu\n"}).clashes == []


def test_pools_are_named_by_hosts_without_their_domain(tmp_path: Path) -> None:
    found = read(tmp_path, {"slurm.conf": "NodeName=gpu1.site42.net CPUs=8\n"})
    assert at(found, "nodes/0/name").text == "gpu"


def test_a_line_of_gres_conf_that_only_detects_gpus_is_no_server(tmp_path: Path) -> None:
    conf = "GresTypes=gpu\nNodeName=n[1-4] Gres=gpu:8\n"
    found = read(tmp_path, {"slurm.conf": conf, "gres.conf": "NodeName=n[1-4] AutoDetect=nvml\n"})
    assert [(one["name"], one["count"]) for one in plain(found.words)["nodes"]] == [("n", "4")]


def test_a_file_that_only_includes_others_says_which_are_missing(tmp_path: Path) -> None:
    found = read(tmp_path, {"all.conf": "include /etc/slurm/gpu_gres.conf\n"})
    assert list(found.formats.values()) == ["slurm"]
    assert ["there is no such file" in one.why or "outside" in one.why for one in found.unknowns] == [True]


@pytest.mark.parametrize(
    ("gres", "gpus", "type_"),
    [
        ("gpu:a100:4,gpu:h100:4", "8", None),
        ("gpu:h100:4,gpu:h100:4", "8", "h100-sxm-80gb"),
        ("gpu:no_consume:8", "8", None),
        ("gpu:h100:no_consume:8,mps:800", "8", "h100-sxm-80gb"),
        ("gpu:1g.5gb:7", None, None),
        ("gpu:a100_3g.20gb:2,gpu:a100:6", None, None),
    ],
)
def test_gpus_of_several_types_and_slices_of_gpus(
    tmp_path: Path, gres: str, gpus: str | None, type_: str | None
) -> None:
    devices = "Name=gpu Type=1g.5gb MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap21\n" * 7
    files = {"slurm.conf": f"NodeName=n[1-2] CPUs=64 Gres={gres}\n"} | ({} if gpus else {"gres.conf": devices})
    found = read(tmp_path, files)
    (pool,) = plain(found.words["nodes"])
    assert (pool.get("gpus"), pool.get("gpu")) == (gpus, type_)
    assert ("nodes/n/gpus" in {one.word for one in found.unknowns}) == (gpus is None)


def test_blocks_of_a_topology_without_sizes(tmp_path: Path) -> None:
    text = "- topology: nvl\n  block:\n    blocks:\n      - {block: b1, nodes: 'n[01-18]'}\n"
    (block,) = plain(read(tmp_path, {"topology.yaml": text}).words["scheduler"])["blocks"]
    assert (block["name"], block["count"]) == ("b1", "18")


def test_a_placeholder_for_a_host_counts_no_servers(tmp_path: Path) -> None:
    text = "ClusterName=a\nNodeName=[host] CPUs=32 Gres=gpu:2\nPartitionName=dev Nodes=[host] Default=YES\n"
    found = read(tmp_path, {"slurm.conf": text})
    (words,), (partition,) = plain(found.words["nodes"]), plain(found.words["scheduler"])["partitions"]
    assert words == {"name": "pool-1", "cpu_threads": "32", "gpus": "2"}
    assert "servers" not in partition
