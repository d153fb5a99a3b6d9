"""The architecture document of a plan, in Markdown and as one HTML file."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import pytest

from designlint.configuration import engine
from designlint.language.sentences import percent
from designlint.planning import architecture, frontier, rivals
from designlint.planning.brief import of_options
from designlint.planning.choices import choices
from designlint.planning.evidence import runs
from designlint.planning.plan import plan_cluster
from designlint.report.pages import page
from tests.running import designlint
from tests.test_plan import NONE, plan

if TYPE_CHECKING:
    from pathlib import Path

HEADS = [
    "Key decisions", "Boundaries", "3D parallelism", "Interconnect", "Scheduling", "Storage and checkpoints",
    "Fault tolerance and recovery", "Power and cooling", "Size", "What would change it", "Evidence",
    "To avoid on this hardware", "Risks",
]  # fmt: skip


@cache
def markdown() -> str:
    answer = plan(model="llama-3-70b", tokens="2T", gpu="h100", gpus="1024", deadline="60 days")
    return architecture.write_document(answer, frontier.points(answer))


def test_the_document_has_every_section_and_no_gap() -> None:
    assert re.findall(r"^## (.*)$", markdown(), re.MULTILINE) == HEADS
    assert "not known" not in markdown()
    assert "{" not in markdown()
    assert "the deadline is 60 days" in markdown()
    assert markdown().startswith("## Key decisions"), "no introduction"


def test_ranks_are_placed_where_the_network_and_the_layout_have_them() -> None:
    """A single sequence over all GPUs has no replicas to place; stages of one unit of servers stay on it."""
    design = of_options(**NONE | {"model": "llama-3-8b", "gpu": "h200", "gpus": "256"})
    design["workloads"][0] |= {"kind": "fine-tuning", "model": {"model": "llama-3-8b", "sequence": "1048576"}}
    text = architecture.write_document(plan_cluster(design, engine.shipped_engine()), [])
    assert "global batch 1 sequence of" in text
    assert "data-parallel ranks" not in text
    for pipeline, near in (("4", "neighbouring servers"), ("64", "neighbouring leaves")):
        design = of_options(**NONE | {"model": "llama-3-405b", "gpu": "h100", "gpus": "1024"})
        design["workloads"][0]["parallelism"] = {"tensor": "8", "pipeline": pipeline}
        text = architecture.write_document(plan_cluster(design, engine.shipped_engine()), [])
        assert f"pipeline stages on {near}" in text


def test_plain_ethernet_has_no_rdma_and_halls_are_counted() -> None:
    design = of_options(**NONE | {"model": "llama-3-8b", "gpu": "h100", "gpus": "256"})
    design["fabrics"] = [{"name": "compute", "purpose": "compute", "technology": "ethernet"}]
    design["facility"] = {"halls": [{"name": "a"}, {"name": "b"}]}
    text = architecture.write_document(plan_cluster(design, engine.shipped_engine()), [])
    assert "QoS classes for collectives" in text
    assert "storage and management, in 2 halls" in text
    assert "QoS classes for RDMA" in markdown()
    assert "hall" not in markdown().partition("## Power and cooling")[2].partition("##")[0]


def test_a_job_without_stages_has_no_bubble_and_no_stages_to_place() -> None:
    answer = plan(model="1.3e9", tokens="0.1T", gpu="h100", gpus="8")
    assert answer.layouts[0].words["pipeline"] == 1
    text = architecture.write_document(answer, [])
    assert "pipeline bubble takes" not in text
    assert "pipeline stages" not in text
    assert "data-parallel ranks across" in text
    assert "pipeline stages on neighbouring servers" in markdown()


@pytest.mark.parametrize(
    ("gpus", "network", "loss"),
    [
        ("32", "one switch connects all servers", "without the switch the job waits"),
        ("64", "2 planes, one switch connects all servers in each", "one plane; the job restarts"),
        ("96", "4 leaves and 2 spines", "2 rails of a unit"),
        ("2048", "a Clos of 2 tiers in one plane, 64 leaves and 30 spines", "one rail of a unit"),
        (
            "2304",
            "a non-blocking Clos of 3 tiers in one plane, 96 leaves, 96 spines and 64 cores",
            "one rail of a unit",
        ),
    ],
)
def test_the_document_describes_the_network_that_is_planned(gpus: str, network: str, loss: str) -> None:
    text = architecture.write_document(plan(model="llama-3-70b", tokens="2T", gpu="h100", gpus=gpus), [])
    assert network in text
    assert loss in text
    assert "oversubscription 1:1" in text or (gpus == "2048" and "oversubscription 1.07:1" in text)
    assert "not known" not in text.partition("## Size")[0]
    assert "1 spares" not in text


def test_the_document_says_where_each_degree_runs_and_what_to_avoid() -> None:
    answer = plan(model="llama-3-70b", tokens="2T", gpu="h100", gpus="1024", deadline="60 days")
    best, text = answer.layouts[0], markdown()
    assert (
        f"**Tensor parallelism {best.words['tensor']}** and sequence parallelism, within the scale-up domain of 8 GPUs."
        in text
    )
    assert "**Step time is predicted**" in text
    avoided = text.partition("## To avoid on this hardware")[2]
    full = min(one.cost.step for one in answer.layouts if one.words["recompute"] == "full") / best.cost.step - 1
    assert full > rivals.CLEARLY
    assert f"full (+{percent(full)})" in avoided
    assert str(answer.job.facts["name"]) + ":" not in avoided, "there is only one job"


def test_each_word_of_the_layout_says_what_the_next_best_value_costs() -> None:
    answer = plan(model="llama-3-70b", tokens="2T", gpu="h100", gpus="1024", deadline="60 days")
    best = answer.layouts[0]
    for word in ("tensor", "pipeline", "zero_stage"):
        other = min(
            (one for one in answer.layouts if one.words[word] != best.words[word]), key=lambda one: one.cost.step
        )
        longer = other.cost.step / best.cost.step - 1
        line = next(line for line in answer.text.splitlines() if line.strip().startswith(f"{word}: "))
        assert line.endswith(f"# {rivals.reason(best, answer.layouts, word)}")
        assert f"{percent(longer, '.1%')} longer" in line or longer < rivals.ALIKE


def test_the_document_names_its_sources_whole_and_a_terminal_cuts_them() -> None:
    run = next(one for one in runs() if len(one.source) > 100)
    assert run.sentence.endswith(f"({run.source})")
    assert len(run.line) < len(run.sentence)
    assert run.line.endswith("...)")


def test_memory_adds_up_in_one_unit_and_groups_have_their_place() -> None:
    text = architecture.write_document(plan(model="llama-3-70b", tokens="1T", gpu="mi300x", gpus="64"), [])
    memory = next(line for line in text.splitlines() if line.startswith("- Memory: "))
    assert "GiB" not in memory
    whole, _, *parts = (float(one) for one in re.findall(r"([\d.]+) GB", memory))
    assert sum(parts) == pytest.approx(whole, rel=1e-3)
    mixture = plan(model="deepseek-v3", tokens="15T", gpu="h100", gpus="2048")
    expert = mixture.layouts[0].words["expert"]
    where = "in one scale-up domain" if expert <= 8 else "on neighbouring servers"
    assert f"expert-parallel groups {where}" in architecture.write_document(mixture, [])


def test_the_days_of_the_document_are_those_of_the_answer() -> None:
    row = next(line for line in markdown().splitlines() if line.startswith("| **1024**"))
    answer = plan(model="llama-3-70b", tokens="2T", gpu="h100", gpus="1024", deadline="60 days")
    assert answer.settled.size is not None
    took = (answer.settled.size.days(sure=False) or 0) / 86400
    assert f"**{took:.0f} days**" in row


def test_the_html_needs_nothing_else_and_says_the_same(tmp_path: Path) -> None:
    options = ("--model", "llama-3-8b", "--tokens", "1T", "--gpu", "h100", "--gpus", "64")
    run = designlint("plan", *options, "--document", "plan.html", cwd=tmp_path)
    assert run.code == 0, run.err
    text = (tmp_path / "plan.html").read_text("utf-8")
    assert "default-src 'none'" in text or "default-src &#x27;none&#x27;" in text
    assert not re.search(r"<script|src=|href=\"(?!#)|@import|url\(", text)
    assert all(f"{head}</h2>" in text for head in HEADS)
    assert text.count("<svg") == 1
    assert designlint("plan", *options, "--document", "plan.html", cwd=tmp_path).code == 2


@pytest.mark.parametrize("evil", ["<script>alert(1)</script>", '" onload="x', "\x1b[31m"])
def test_nothing_of_a_brief_steers_the_page(evil: str) -> None:
    made = page(
        evil, "Architecture", f"## {evil}\n\n- **{evil}** `{evil}`\n\n| {evil} |\n| --- |\n| {evil} |\n", {}, "0"
    )
    assert "<script" not in made
    assert 'onload="x' not in made
    assert "\x1b" not in made


@pytest.mark.parametrize("name", ["plan.md", "plan.html"])
def test_a_refusal_has_a_document_of_what_would_make_it_possible(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    options = ("--model", "70e9", "--tokens", "2T", "--gpu", "h100", "--gpus", "64", "--deadline", "30 days")
    run = designlint("plan", *options, "--document", file)
    assert run.code == 1
    text = file.read_text("utf-8")
    assert "64 GPUs need" in text
    assert "the number of GPUs (--gpus), the deadline (--deadline)" in text
    way = run.out.partition("Possible with: ")[2].partition(",")[0]
    assert f"{way}." in text.partition("What would make it possible")[2]


def test_a_server_of_no_name_and_gpus_that_nobody_measured_are_said_to_be() -> None:
    text = architecture.write_document(plan(model="13b", tokens="300B", gpu="l40s", gpus="64"), [])
    assert "**8 x server with 8 GPUs** (64 l40s)" in text
    assert "scale-up domain of 1 GPU." in text
    assert "no training on l40s was measured" in text
    assert "200 Gbit/s per port" in text


@pytest.mark.parametrize(("gpu", "library", "other"), [("h100", "NCCL", "RCCL"), ("mi300x", "RCCL", "NCCL")])
def test_the_document_names_the_collectives_of_the_gpu(gpu: str, library: str, other: str, tmp_path: Path) -> None:
    to = tmp_path / "plan.md"
    done = designlint(
        "plan", "--model", "llama-3-8b", "--tokens", "1T", "--gpu", gpu, "--gpus", "256", "--document", to
    )
    assert done.code == 0, done.err
    text = to.read_text("utf-8")
    assert library in text
    assert other not in text


def test_products_and_standards_are_spelled_as_they_spell_themselves() -> None:
    text = markdown()
    for name in ("**InfiniBand NDR", "**Slurm**", "**Lustre", "in-network reduction SHARP, adaptive routing"):
        assert name in text
    classes = engine.shipped_engine().vocabulary.classes.values()
    assert set(choices()["spelled"]) <= {
        one for words in classes for word in words.values() for one in word.allowed or ()
    }
