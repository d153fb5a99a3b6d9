"""What a brief fixes, leaves open or lacks, and what the plan makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from designlint.configuration import engine
from designlint.findings.model import Severity
from designlint.planning.answer import lines
from designlint.planning.brief import of_file, of_options
from designlint.planning.evidence import runs
from designlint.planning.plan import plan_cluster
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.planning.result import PlanAnswer

NONE = dict.fromkeys(("model", "tokens", "gpu", "gpus", "deadline", "power", "budget"), "")


def plan(**options: str) -> PlanAnswer:
    return plan_cluster(of_options(**NONE | options), engine.shipped_engine())


def test_the_optimizer_goes_to_cpu_memory_where_no_layout_fits_otherwise() -> None:
    answer = plan(model="llama-3-70b", tokens="100B", gpu="h100", gpus="8")
    assert not answer.refusal
    assert answer.job.facts["parallelism"].facts["offload"] == "optimizer"  # type: ignore[union-attr]
    assert answer.layouts[0].cost.offload > 0
    assert [one for one in answer.findings if one.severity is Severity.ERROR] == []
    assert "Optimizer state is in CPU memory" in "\n".join(lines(answer, 3))
    assert plan(model="llama-3-70b", tokens="100B", gpu="h100", gpus="64").layouts[0].cost.offload == 0


def test_it_goes_there_where_layouts_that_fit_leave_no_room() -> None:
    """70 billion parameters on 16 GPUs need 99 % of their memory, by an estimate that may be 12 % too low."""
    answer = plan(model="llama-3-70b", tokens="1T", gpu="h100", gpus="16")
    assert answer.layouts[0].cost.offload > 0
    assert "memory/need-near-limit" not in [one.rule for one in answer.findings]
    assert "takes 99 % of the usable GPU memory" in "\n".join(lines(answer, 3))


@pytest.mark.parametrize(("model", "stated"), [("llama-3-405b", None), ("llama-3-70b", "none")])
def test_it_does_not_where_cpu_memory_is_too_small_or_the_brief_forbids_it(model: str, stated: str | None) -> None:
    options = of_options(**NONE | {"model": model, "tokens": "100B", "gpu": "h100", "gpus": "8"})
    if stated is not None:
        options["workloads"][0]["parallelism"] = {"offload": stated}
    assert "of these GPUs are needed" in plan_cluster(options, engine.shipped_engine()).refusal[0]


def test_sizes_are_multiples_of_what_the_stated_degrees_fill() -> None:
    options = of_options(**NONE | {"model": "llama-3-70b", "tokens": "1T", "gpu": "h100", "deadline": "60 days"})
    options["workloads"][0]["parallelism"] = {"tensor": "4", "pipeline": "5"}
    answer = plan_cluster(options, engine.shipped_engine())
    assert not answer.refusal
    assert answer.settled.size is not None
    assert answer.settled.size.gpus % 20 == 0


def test_fsdp_shares_gradients_with_the_optimizer_state() -> None:
    options = of_options(**NONE | {"model": "llama-3-8b", "tokens": "1T", "gpu": "h100", "gpus": "64"})
    options["workloads"][0]["framework"] = "fsdp"
    found = plan_cluster(options, engine.shipped_engine()).layouts
    assert {one.words["zero_stage"] for one in found if one.words["data"] > 1} == {2, 3}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"model": "lama-3-70b", "gpu": "h100", "gpus": "64"}, "did you mean llama-3-70b?"),
        ({"model": "70B", "gpu": "h100", "deadline": "30d"}, "states a deadline and no tokens"),
        ({"model": "70B", "gpu": "h100"}, "neither GPUs, nor tokens and a deadline"),
    ],
)
def test_what_a_brief_lacks_is_named(options: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError, match=said.replace("?", r"\?")):
        plan(**options)


OWN = {"name": "own", "memory": "128 GB", "memory_bandwidth": "4 TB/s", "peak_bf16": "900 TFLOP/s", "power": "800 W"}


def own(pool: dict[str, object], **options: str) -> PlanAnswer:
    design = of_options(**NONE | {"model": "llama-3-8b", "tokens": "200B", "gpus": "64"} | options)
    design["nodes"][0].update(pool)
    return plan_cluster(design, engine.shipped_engine())


def faults(answer: PlanAnswer) -> list[str]:
    return [one.message for one in answer.findings if one.severity is not Severity.INFO]


def test_a_gpu_of_stated_figures_is_planned_for_with_a_wide_interval() -> None:
    """The server is put together: CPU memory for all GPUs, adapters for its slots."""
    answer = own({"gpu": {**OWN, "scale_up_bandwidth": "900 GB/s"}})
    assert faults(answer) == []
    pool = answer.job_design.graph.by_class["NodePool"][0].facts
    assert (pool["gpus"], pool["scale_up_domain"], pool["host_memory"]) == (8, 8, 1.05e12)
    cost, known = answer.layouts[0].cost, own({"gpu": "h100"}).layouts[0].cost
    assert (cost.high or 0) / cost.step > 1.2 > (known.high or 9) / known.step
    assert "no training on own was measured" in "\n".join(lines(answer, 3))


def test_gpus_with_measured_steps_are_known_as_such() -> None:
    gpus = engine.shipped_engine().vocabulary.catalog["Gpu"]
    measured = {one.gpu for one in runs()} & set(gpus)
    assert len(measured) > 5
    assert {one for one in measured if not gpus[one]["figures"].get("steps_measured")} == set()


def test_cards_that_share_only_pcie_are_not_split_by_tensor_parallelism() -> None:
    answer = own({"gpu": "l40s"})
    assert faults(answer) == []
    assert answer.layouts[0].words["tensor"] == 1
    pool = answer.job_design.graph.by_class["NodePool"][0].facts
    assert (pool["gpus"], pool["scale_up_domain"]) == (8, 1)
    assert "one port per 2 GPUs" in answer.text


def test_a_server_with_other_gpus_than_the_usual_one_is_no_usual_one() -> None:
    answer = own({"gpu": "h100", "gpus": "4"})
    assert faults(answer) == []
    assert "model: dgx-h100" not in answer.text
    pool = answer.job_design.graph.by_class["NodePool"][0].facts
    assert (pool["count"], pool["scale_up_domain"]) == (16, 4)
    assert "one port per GPU" in answer.text


def test_a_scale_up_domain_of_many_servers_is_a_rack_for_liquid() -> None:
    answer = own({"gpu": {**OWN, "scale_up_bandwidth": "3.6 TB/s"}, "gpus": "4", "scale_up_domain": "72"})
    assert faults(answer) == []
    assert answer.job_design.graph.by_class["NodePool"][0].facts["cooling"] == "liquid"


@pytest.mark.parametrize(
    ("pool", "said"),
    [
        ({"gpu": "gaudi3"}, "state `gpus` of a server and its `networks`"),
        ({"gpu": {"name": "own", "memory": "80 GB"}}, "state `power` of the servers"),
        ({"gpu": "h1000"}, "state its figures in the brief"),
    ],
)
def test_what_own_hardware_lacks_is_named(pool: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        own(pool)


@pytest.mark.parametrize("lacking", ["peak_bf16", "memory_bandwidth"])
def test_what_a_prediction_lacks_of_own_gpus_is_named(lacking: str) -> None:
    answer = own({"gpu": {word: text for word, text in OWN.items() if word != lacking}})
    assert lacking in answer.refusal[0]


def test_limits_that_only_the_fast_end_meets_are_planned_and_said_to_be_missed() -> None:
    predicted = plan(model="70e9", tokens="2T", gpu="h100", gpus="640")
    size, cost = predicted.settled.size, predicted.layouts[0].cost
    assert size is not None
    took, fast = (size.days(sure=False) or 0) / 86400, (cost.low or 0) / cost.step
    near, far = (
        plan(model="70e9", tokens="2T", gpu="h100", gpus="640", deadline=f"{took * share:.1f} days")
        for share in ((1 + fast) / 2, fast * 0.95)
    )
    assert not near.refusal
    assert "Likely missed: 640 GPUs need" in "\n".join(lines(near, 3))
    assert "likely with" in "\n".join(lines(near, 3))
    assert far.settled.conflict == ("gpus", "deadline")


def test_a_budget_that_more_gpus_would_meet_is_not_refused() -> None:
    """The fewest GPUs that hold the model compute activations again; twice as many need not, and use less time in all."""
    found = plan(model="70e9", tokens="2T", gpu="h100", budget="5.8e5 h")
    assert not found.refusal
    refused = plan(model="70e9", tokens="2T", gpu="h100", budget="3e5 h")
    assert "the size with the fewest GPU hours" in refused.refusal[0]


def test_odd_numbers_of_servers_do_not_halve_the_batch() -> None:
    """384 servers hold batches of 384 or 768 sequences; the first leaves GPUs half idle."""
    odd, even = (plan(model="llama-3-8b", tokens="15T", gpu="h100", gpus=one).layouts[0] for one in ("3072", "4096"))
    assert (odd.cost.mfu or 0) > 0.95 * (even.cost.mfu or 1)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"gpus": "0"}, "`gpus` is 0, wanted at least 1"),
        ({"gpus": "-8"}, "`gpus` is -8, wanted at least 1"),
        ({"gpus": "8", "tokens": "0"}, "`tokens` is 0, wanted at least 1"),
    ],
)
def test_options_that_no_design_can_state_are_named(options: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        plan(**{"model": "8b", "gpu": "h100"} | options)


def test_a_stated_layout_that_cannot_work_is_refused_with_one_that_does() -> None:
    options = of_options(**NONE | {"model": "llama-3-70b", "gpu": "h100", "gpus": "512"})
    options["workloads"][0]["parallelism"] = {"tensor": "16"}
    answer = plan_cluster(options, engine.shipped_engine())
    assert answer.settled.conflict == ("layout",)
    assert "tensor parallelism 16, but its scale-up domain has 8 GPUs" in answer.refusal[0]
    assert "the layout TP" in answer.settled.ways[0]


def test_a_stated_layout_and_memory_that_cannot_work_are_both_named() -> None:
    options = of_options(**NONE | {"model": "1e12", "gpu": "l40s", "gpus": "64"})
    options["workloads"][0]["parallelism"] = {"tensor": "16"}
    answer = plan_cluster(options, engine.shipped_engine())
    assert answer.error == "Hardware constraints insufficient for model parameters"
    assert (answer.settled.conflict, answer.settled.nor) == (("gpus",), ("layout",))
    assert "tensor parallelism 16, but its scale-up domain has 1 GPU" in answer.refusal[0]
    least = int(answer.settled.ways[0].split()[0])
    assert not plan_cluster(
        of_options(**NONE | {"model": "1e12", "gpu": "l40s", "gpus": str(least)}), engine.shipped_engine()
    ).error


def test_a_brief_may_name_the_network_that_the_plan_makes(tmp_path: Path) -> None:
    file = tmp_path / "brief.yaml"
    text = (
        "designlint: 1\nnodes: [{name: t, gpu: h100, networks: [{fabric: compute, ports: 4, speed: 400 Gbit/s}]}]\n"
        "workloads: [{name: j, model: llama-3-8b, runs_on: {gpus: 64}}]\n"
    )
    file.write_text(text, "utf-8")
    answer = plan_cluster(of_file(str(file), engine.shipped_engine()), engine.shipped_engine())
    assert "one port per 2 GPUs" in answer.text
    file.write_text(text.replace("fabric: compute", "fabric: fast"), "utf-8")
    with pytest.raises(UsageError, match="`fast` is the name of a Fabric; the design describes none"):
        of_file(str(file), engine.shipped_engine())


def test_a_refused_deadline_names_the_fastest_size_also_where_fewer_gpus_are_faster() -> None:
    """GPUs without NVLink, of which more than share the batch are no faster."""
    refused = plan(model="120e9", tokens="0.5T", gpu="rtx-6000-ada", deadline="1 day")
    assert refused.settled.conflict == ("deadline",)
    days = float(refused.settled.ways[0].split()[3])
    fewer = plan(model="120e9", tokens="0.5T", gpu="rtx-6000-ada", gpus="2048").settled.size
    assert fewer is not None
    assert days * 86400 <= (fewer.days(sure=False) or 0)


def test_a_deadline_that_eight_bits_may_meet_is_refused_with_them() -> None:
    """DeepSeek-V3 as it was trained: its published run took 2.664 million GPU hours on 2,048 H800, 54 days."""
    options = {"model": "deepseek-v3", "tokens": "14.8T", "gpu": "h800", "gpus": "2048", "deadline": "60 days"}
    refused = plan(**options)
    assert refused.layouts == []
    assert refused.settled.ways[-1].startswith("`precision: fp8`, which takes ")
    brief = of_options(**NONE | options)
    brief["workloads"][0]["precision"] = "fp8"
    found = plan_cluster(brief, engine.shipped_engine())
    assert not found.refusal
    assert "sequence: 4096  # as in published runs of this model" in found.text
    size, cost = found.settled.size, found.layouts[0].cost
    assert size is not None
    middle = (size.days(sure=False) or 0) * size.recovery.goodput
    assert middle * (cost.low or 0) / cost.step < 2.664e6 * 3600 / 2048 < middle * (cost.high or 0) / cost.step


def test_experts_reach_each_other_over_the_network_where_servers_have_only_pcie() -> None:
    answer = plan(model="deepseek-v3", gpu="l40s", gpus="1000")
    assert answer.settled.conflict == ("gpus",)
    assert [one for one in answer.settled.ways if one.endswith(" GPUs")]


def test_a_size_whose_step_time_is_unknown_is_not_said_to_be_too_small() -> None:
    options = of_options(**NONE | {"model": "1e12", "gpu": "h100", "gpus": "1000"})
    gpu = {"memory": "96 GB", "memory_bandwidth": "1.6 TB/s", "power": "600 W"}
    networks = [{"fabric": "compute", "ports": 8, "speed": "400 Gbit/s"}]
    options["nodes"][0] = {"name": "train", "gpu": gpu, "gpus": 8, "networks": networks}
    answer = plan_cluster(options, engine.shipped_engine())
    assert not answer.layouts
    assert "peak_bf16" in answer.settled.why
    assert "is enough" not in answer.settled.why


def test_the_widths_that_layers_beside_attention_lack_are_named() -> None:
    options = of_options(**NONE | {"model": "nemotron-h-8b", "gpu": "h100", "gpus": "64"})
    shape = "layers: 52, hidden: 4096, heads: 32, kv_heads: 8, attention_layers: 4, mamba_layers: 24, mamba_heads: 128"
    model = dict(one.split(": ") for one in shape.split(", "))
    options["workloads"][0]["model"] = model | {"vocabulary": "131072", "sequence": "8192", "feed_forward": "21504"}
    answer = plan_cluster(options, engine.shipped_engine())
    wanted = "its Mamba layers: mamba_head_dimension, mamba_state, mamba_groups, convolution"
    assert f"state the widths of {wanted}" in answer.settled.why
    del model["mamba_heads"]
    first = {"mamba_inner": "8192", "mamba_state": "16", "mamba_step_rank": "256", "convolution": "4"}
    options["workloads"][0]["model"] = model | first | {"vocabulary": "131072", "sequence": "8192"}
    assert "Mamba-1 layers have no known formulas" in plan_cluster(options, engine.shipped_engine()).settled.why
