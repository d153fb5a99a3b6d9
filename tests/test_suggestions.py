"""What a misspelt, misplaced or foreign name was meant to be, and that nothing follows from a fault of spelling."""

from __future__ import annotations

from functools import cache

import pytest

from designlint.configuration import engine
from designlint.findings.model import Severity
from designlint.graph import naming
from designlint.graph.subjects import Subject
from designlint.language.suggestions import (
    anywhere,
    below,
    distance,
    known_words,
    respell_name,
    respelled_word,
    value_for,
)
from designlint.linting import pipeline
from designlint.reading import read_bytes
from tests.running import ROOT

VOCABULARY = engine.shipped_engine().vocabulary


@pytest.mark.parametrize(
    ("owner", "key", "word"),
    [
        ("Parallelism", "tp", "tensor"), ("Parallelism", "pp", "pipeline"), ("Parallelism", "DP", "data"),
        ("Parallelism", "ep", "expert"), ("Parallelism", "cp", "context"), ("Parallelism", "pipelin", "pipeline"),
        ("Parallelism", "expert_parallel", "expert"), ("Parallelism", "Tensor", "tensor"),
        ("Parallelism", "micro-batch", "micro_batch"), ("Facility", "power", "utility_power"),
        ("Parallelism", "xyz", None), ("Workload", "pipeline", None), ("Fabric", "type", None),
        ("Parallelism", "ActivationCheckpointing", "recompute"), ("Fabric", "OpenSM", "subnet_managers"),
        ("Topology", "type", "kind"), ("NodePool", "server", "model"), ("NodePool", "ram", "host_memory"),
        ("StorageTier", "read_bw", "read"), ("Ups", "autonomy", "runtime"), ("Order", "qty", "quantity"),
        ("Model", "kv_lora_rank", "kv_rank"), ("NodePool", "Count", "count"), ("Workload", "target", "targets"),
        ("Design", "facilities", "facility"), ("NodePool", "numberOfNodes", "count"), ("Attachment", "Speed", "speed"),
        ("Checkpoint", "to", "tiers"), ("Serving", "context", "cached_tokens"), ("Serving", "max_num_seqs", "sequences"),
        ("Switch", "speed", "port_speed"), ("Transceiver", "rate", "port_speed"), ("StorageTier", "network", "fabric"),
        ("Model", "normalization", "norm"), ("NodePool", "nvme", "local_storage"),
        ("Parallelism", "gradient_accumulation_steps", "gradient_accumulation"), ("Model", "moe_top_k", "experts_per_token"),
    ],
)  # fmt: skip
def test_words_are_known_by_their_other_names(owner: str, key: str, word: str | None) -> None:
    known = known_words(VOCABULARY, owner, key)
    respelled = None if known or below(VOCABULARY, owner, key) else respelled_word(VOCABULARY, owner, key)
    assert known == [word] if known else respelled == word


@pytest.mark.parametrize(
    ("owner", "key", "text", "word"),
    [
        ("Fabric", "kind", "ethernet", "technology"), ("Fabric", "type", "infiniband", "technology"),
        ("Fabric", "network", "ndr", "technology"), ("Fabric", "type", "compute", "purpose"),
        ("Fabric", "medium", "fiber", ""), ("Fabric", "type", "fat-tree", ""), ("Scheduler", "name", "slurm", "kind"),
        ("StorageTier", "fs_flavor", "lustre", "kind"), ("NodePool", "type", "DGX H100", "model"),
        ("Workload", "activation", "full", ""), ("NodePool", "server", "dgx-h100", "model"),
    ],
)  # fmt: skip
def test_a_value_says_which_word_is_meant_where_the_name_does_not(owner: str, key: str, text: str, word: str) -> None:
    root = read_bytes(text.encode(), "value").root
    assert root is not None
    assert naming.unknown_word(VOCABULARY, Subject("x", owner, None, None), key, root)["proposal"] == word


def test_a_word_of_another_part_is_sent_there() -> None:
    assert below(VOCABULARY, "Workload", "pipeline") == ["parallelism/pipeline"]
    assert below(VOCABULARY, "Workload", "tp") == ["parallelism/tensor"]
    assert below(VOCABULARY, "Workload", "nonsense") == []


def test_a_name_means_one_word_in_a_part() -> None:
    for alias, places in VOCABULARY.synonyms["words"].items():
        for owner, words in VOCABULARY.classes.items():
            kinds = ("", *VOCABULARY.is_a(owner))
            meant = {name for cls, _, name in (one.rpartition("/") for one in places) if cls in kinds and name in words}
            assert len(meant) <= 1 or meant == {"read", "write"}, (alias, owner)


def test_a_name_that_one_part_uses_sends_nobody_to_another() -> None:
    assert below(VOCABULARY, "Facility", "type") == []  # `type` is the method of cooling, the kind of nothing here
    assert below(VOCABULARY, "Facility", "power_usage_effectiveness") == ["cooling/pue"]


#: Small designs as somebody writes them who has not read the reference, and the way out that is shown.
MISPLACED = {
    "nodes: [{name: a, driver: 535.104}]": "State it at the top of the design, as `software/driver`.",
    "nodes: [{name: a, rccl: 2.21}]": "State it at the top of the design, as `software/nccl`.",
    "nodes: [{name: a, cuda: 12.2}]": "State it at the top of the design, as `software/cuda`.",
    "workloads: [{name: a, training_tokens: 15e12}]": "Write it as `data/tokens`.",
    "fabrics: [{name: a, optics: [dr4]}]": "Write `cabling`.",
    "deadline: 40 days": "State it as `workloads/NAME/targets/deadline`.",
    "facility: {redundancy: N+1}": (
        "Write it as `transformers/redundancy`, `distribution/redundancy`, `ups/redundancy`, "
        "`generators/redundancy` or `cooling/redundancy`."
    ),
    "facility: {racks: 16}": "Write a mapping such as {count: 128}.",
    "facility: {rack_power: 20 kW}": "Write it as `racks/power_limit`.",
    "facility: {cooling: {kind: air}}": "Write `method`.",
    "nodes: {train: {count: 3}}": "Write a list such as [{name: train}].",
    "nodes: [{name: a, model: {gpu: h100}}]": (
        "Write a value such as dgx-h100; put the figures of your own part next to `model`, not in it."
    ),
    "nodes: [{name: a, gpu: {other: our-chip}}]": "Write `name`.",
    "fabrics: [{name: a, technology: infiniband}]": (
        "Write one of infiniband-edr, infiniband-hdr, infiniband-ndr, infiniband-xdr."
    ),
    "fabrics: [{name: a, utilty_power: 2 MW}]": "State it at the top of the design, as `facility/utility_power`.",
    "fabrics: [{name: a, topology: {routing: ecmp}}]": "State it as `fabrics/NAME/load_balancing`.",
    "workloads: [{name: a, parallelism: {tensor_parallel_sise: 8}}]": "Write `tensor`.",
    "workloads: [{name: a, tensr: 8}]": "Write it as `parallelism/tensor`.",
    "version: 1": "Use one of the keys of this part: ",  # one letter less than `versioned`, and another word
    "scheduler: slurm": "Write `{kind: slurm}`.",
    "facility: {cooling: air}": "Write `{method: air}`.",
    "workloads: [{name: a, runs_on: train}]": "Write `{nodes: train}`.",
    "cooling: air": "Write it as `facility/cooling/method`.",
    "power: {total: 2 MW, pue: 1.3}": "Write `facility`.",
    "storage: [{name: a, throughput: 500 GB/s}]": "Write it as `read` or `write`.",
    "nodes: [{name: a, memory: 1 TB}]": "Write it as `host_memory` or `gpu/memory`.",
    "nodes: [{name: a, memory: 4 TB}]": "Write `host_memory`.",
    "fabrics: infiniband-ndr": "Write `[{name: fabric, technology: infiniband-ndr}]`.",
    "workloads: [{name: a, sequence_length: 4096}]": "Write it as `model/sequence` or `serving/cached_tokens`.",
    "workloads: [{name: a, learning_rate: 3e-4}]": "Remove it, or keep it as a comment: nothing",
    "workloads: [{name: a, nodes: 8}]": "Use one of the keys of this part: ",
    "fabrics: [{name: a, blocking_factor: 1}]": "State what it follows from, which `designlint why` shows",
    "fabrics: [{name: a, topology: {leaves: 2}, switches: {spine: 4}}]": (
        "Write what is in it under `topology`, which is stated beside it."
    ),
    "servers: {train: {gpus: 8, ram: 2 TB}, login: {count: 2}}": "Write `nodes`.",
    "nodes: [{name: a, host_memory: 512}]": "Write `512 GB`.",
    "fabrics: [{name: a, speed: 400G}]": "Write `400 Gbit/s`.",
    "nodes: [{name: a, count: [64]}]": "Write `64`.",
    "nodes: [{name: a, count: {value: 64}}]": "Write `64`.",
    "nodes: [{name: a, count: 64 servers}]": "Write `64`.",
    "workloads: [{name: a, model: {sequence: 8k}}]": "Write it in digits: 8000 or 8192.",
    "nodes: [{name: a, count: 8 x 8}]": "Write `64`.",
    "nodes: [{name: a, failure_rate: 1 per 150 days}]": "Write a value such as 0.0065 per day.",
    "workloads: [{name: a, checkpoint: {interval: 500 steps}}]": "Write `interval_steps: 500`.",
    "workloads: [{name: a, model: {vocabulary: 128,256}}]": "Write 128256; in braces, a comma ends a value.",
    "facility: {cooling: {pue: 1,25}}": "Write 1.25; in braces, a comma ends a value.",
    "storage: [{name: a, read: 200}]": "Write `200 GB/s`.",
    "nodes: [{name: a, power_supplies: {count: 4, needed: 2}}]": "Use one of the keys of this part: count, rating,",
    "nodes: [{name: a, model: gb200-nvl72}]": "Write `gb200-nvl72-tray` (NVIDIA GB200 NVL72, one compute tray).",
    "scheduler: {kind: slurm, preemption: false}": "Write `none`.",
    "facility: {cooling: {supply_temperature: 35 degC}}": "Use one of the keys of this part: coolant_supply_temperature",
    "nodes: [{name: a, gpu: a100}]": "Name one of a100-pcie-40gb, a100-pcie-80gb, a100-sxm-40gb, a100-sxm-80gb",
    "nodes: [{name: a, model: dgx-h100-80gb}]": "Name dgx-h100 (",  # and not dgx-a100-80gb, one letter away
    "nodes: [{name: a, gpu: NVIDIA-H100-80GB-SXM6}]": "Name h100-sxm-80gb (",
    "workloads: [{name: a, precision: fp16-mixed}]": "Name fp16 (",
    "nodes: [{name: a, gpu: our-chip}]": "Name another entry (",
    "scheduler: {kind: kueue}": (
        "Write one of slurm, kubernetes, slurm-on-kubernetes, ray, lsf, pbs, proprietary, none, and "
        "`batch_queue: kueue` beside it."
    ),
    "fabrics: [{name: a, zzz: 1}]": "Use one of the keys of this part: ",
}


@pytest.mark.parametrize(("text", "told"), MISPLACED.items())
def test_what_stands_in_the_wrong_place_is_sent_to_the_right_one(text: str, told: str) -> None:
    document = read_bytes(f"designlint: 1\n{text}\n".encode(), "design.yaml")
    (found,) = pipeline.lint(document, engine.shipped_engine()).findings
    assert found.remedy.startswith(told)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("workloads: [{name: a, framework: verl}]", "{other: verl}"),
        ("workloads: [{name: a, framework: Megatron-LM}]", "megatron"),  # known by another name
        ("scheduler: {kind: kueue}", None),  # known as another word
        ("fabrics: [{name: a, technology: infiniband}]", None),  # which one of several is open
        ("workloads: [{name: a, framework: 'a: b'}]", None),
        ("workloads: [{name: a, kind: dpo}]", None),  # a complete list
    ],
)
def test_a_name_that_no_list_has_is_offered_as_another(text: str, written: str | None) -> None:
    document = read_bytes(f"designlint: 1\n{text}\n".encode(), "design.yaml")
    (found,) = pipeline.lint(document, engine.shipped_engine()).findings
    assert [(change.value, fix.proven) for fix in found.fixes for change in fix.changes] == (
        [] if written is None else [(written, True)]
    )


def test_of_many_keys_those_spelt_most_alike_are_listed() -> None:
    document = read_bytes(b"designlint: 1\nworkloads: [{name: a, model: {attentions_kinds: 3}}]\n", "design.yaml")
    (found,) = pipeline.lint(document, engine.shipped_engine()).findings
    assert found.remedy.startswith("Use one of the keys of this part: attention")
    others = sum(word.written for word in VOCABULARY.classes["Model"].values()) - naming.MOST_KEYS
    assert found.remedy.endswith(f"and {others} more, which `designlint vocabulary Model` lists.")
    assert len(found.remedy) < 350


@pytest.mark.parametrize(
    ("cluster", "told"), [("hawk", "Write `name`."), ("{name: hawk, servers: 128}", "Use one of the keys of this part")]
)
def test_several_facts_are_not_sent_to_a_word_of_one_value(cluster: str, told: str) -> None:
    document = read_bytes(f"designlint: 1\ncluster: {cluster}\n".encode(), "design.yaml")
    (found,) = pipeline.lint(document, engine.shipped_engine()).findings
    assert found.remedy.startswith(told)


def test_words_of_several_parts_are_sent_nowhere() -> None:
    assert anywhere(VOCABULARY, "driver") == "software/driver"
    assert anywhere(VOCABULARY, "speed") is None
    assert anywhere(VOCABULARY, "feeds") is None  # `racks` and `other_racks` inherit it from one class
    assert anywhere(VOCABULARY, "uplink_port_speed") is None  # switches of four tiers have it


@pytest.mark.parametrize(
    ("place", "text", "value"),
    [
        ("Topology/kind", "clos", "fat-tree"), ("Topology/kind", "leaf-spine", "fat-tree"),
        ("Scheduler/kind", "k8s", "kubernetes"), ("Scheduler/kind", "Slurm", "slurm"),
        ("Fabric/purpose", "oob", "out-of-band"), ("Fabric/technology", "infiniband", None),
        ("Fabric/load_balancing", "e-ecmp", "enhanced-ecmp"), ("StorageTier/kind", "lustr", "lustre"),
        ("StorageTier/kind", "wekka", "weka"), ("Scheduler/batch_queue", "keuue", "kueue"),
        ("Observability/metrics", "promtheus", "prometheus"), ("Workload/framework", "Megatron-LM", "megatron"),
        ("Model/attention", "GQA", "gqa"), ("Model/norm", "RMSNorm", "rmsnorm"),
        ("Scheduler/preemption", "checkpointing", "checkpoint"),
    ],
)  # fmt: skip
def test_values_are_known_by_their_other_names(place: str, text: str, value: str | None) -> None:
    owner, _, word = place.partition("/")
    assert value_for(VOCABULARY.classes[owner][word], text) == value


def test_slips_are_counted_as_a_person_makes_them() -> None:
    assert [distance("kueue", one, 3) for one in ("kueue", "keuue", "kuee", "kueuee", "kxexe")] == [0, 1, 1, 1, 2]
    assert distance("tensor", "context", 2) == 3
    assert respell_name("nod", ["none", "node"]) is None


@cache
def hawk() -> str:
    return (ROOT / "examples/hawk-4096/design.yaml").read_text("utf-8")


def found(text: str) -> set[tuple[str, str]]:
    result = pipeline.lint(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine(), repair=False)
    return {(one.rule, one.subject) for one in result.findings if one.severity is not Severity.INFO}


@pytest.mark.parametrize(
    ("word", "wrong"),
    [
        ("pipeline: 16", "pipelin: 16"), ("tensor: 16", "tensr: 16"), ("data: 64", "dta: 64"),
        ("global_batch: 4096", "globl_batch: 4096"), ("gpus: 4096", "gpuz: 4096"), ("pipeline: 16", "pipeline: sixteen"),
    ],
)  # fmt: skip
def test_nothing_follows_from_a_slip(word: str, wrong: str) -> None:
    text = hawk()
    if word not in text:
        word = next(line.strip() for line in text.splitlines() if line.strip().startswith(word.split(":")[0] + ":"))
        word = word.split("#")[0].strip()
        wrong = wrong.split(":")[0] + ":" + word.split(":", 1)[1]
    new = found(text.replace(word, wrong, 1)) - found(text)
    assert {rule for rule, _ in new} <= {"shape/unknown-word", "shape/wrong-type"}


def test_a_catalogue_name_is_known_however_its_parts_are_joined() -> None:
    text = "designlint: 1\nnodes: [{name: a, model: DGX H100, power: 10.2 kW}]\n"
    design = pipeline.lint(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine()).design
    assert design.graph.subjects["nodes/a"].facts["gpus"] == 8


def test_a_value_outside_an_open_set_is_named_as_such() -> None:
    text = "designlint: 1\nstorage: [{name: s, kind: {other: quobyte}}]\n"
    assert "shape/not-allowed-value" not in {rule for rule, _ in found(text)}
    assert "shape/not-allowed-value" in {rule for rule, _ in found(text.replace("{other: quobyte}", "quobyte"))}
    assert "shape/wrong-type" in {rule for rule, _ in found(text.replace("other", "another"))}


def test_a_value_that_another_word_of_the_part_holds_is_sent_to_that_word() -> None:
    text = b"designlint: 1\nfacility: {ups: {modules: 4, rating: 200 kVA}}\n"
    (told,) = pipeline.lint(read_bytes(text, "design.yaml"), engine.shipped_engine()).report().findings[:1]
    assert told.rule == "shape/wrong-unit"
    assert told.remedy == "Write a value such as 1 MW, or `apparent_rating: 200 kVA`."


@pytest.mark.parametrize(
    "storage",
    ["storage: {tiers: [{name: scratch}]}", "storag: [{name: scratch}]", "storage: [scratch]", "storage: scratch"],
)
def test_a_list_that_cannot_be_read_is_one_finding_not_one_for_each_name_in_it(storage: str) -> None:
    text = f"designlint: 1\n{storage}\nworkloads: [{{name: a, checkpoint: {{tiers: [scratch]}}}}]\n"
    report = pipeline.lint(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine())
    rules = [one.rule for one in report.findings if one.rule.startswith("shape/")]
    assert len(rules) == 1, rules


def test_a_name_that_a_readable_list_lacks_is_found() -> None:
    text = "designlint: 1\nstorag: 1\nstorage: [{name: home}]\nworkloads: [{name: a, checkpoint: {tiers: [scratch]}}]\n"
    report = pipeline.lint(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine())
    assert "shape/unknown-reference" in [one.rule for one in report.findings]
