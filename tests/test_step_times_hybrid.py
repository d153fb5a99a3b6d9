"""Step times of models with Mamba and linear-attention layers: from kernels, with an interval that says so."""

from __future__ import annotations

from typing import Any

import pytest

from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.planning.answer import lines
from designlint.planning.brief import of_options
from designlint.planning.document import write_design
from designlint.planning.plan import plan_cluster
from designlint.reading import read_bytes

NONE = dict.fromkeys(("model", "tokens", "gpu", "gpus", "deadline", "power", "budget"), "")
#: NVIDIA/dgxc-benchmarking, nemotron-h/README.md: seconds of a step, Nemotron-H 56B in FP8 on 256 H100.
PUBLISHED = 15.714


def facts(model: dict[str, str], **words: str) -> dict[str, Any]:
    split = {"tensor": "8", "sequence_parallel": "true", "micro_batch": "1", "global_batch": "768", "zero_stage": "1"}
    job = {
        "name": "w",
        "model": model,
        "precision": "fp8",
        "software_profile": "megatron-2025",
        "parallelism": split | words,
    }
    design: dict[str, Any] = {
        "designlint": "1",
        "nodes": [{"name": "t", "model": "dgx-h100", "count": "32", "networks": [{"fabric": "c", "ports": "8"}]}],
        "fabrics": [{"name": "c", "purpose": "compute", "speed": "400 Gbit/s"}],
        "workloads": [job],
    }
    graph = read_design(read_bytes(write_design(design).encode(), "design.yaml"), engine.shipped_engine()).graph
    return dict(graph.by_class["Workload"][0].facts)


def test_the_published_step_of_a_hybrid_is_within_its_interval() -> None:
    found = facts({"model": "nemotron-h-56b", "sequence": "8192"})
    assert found["predicted_step_time_low"] < PUBLISHED < found["predicted_step_time_high"]


def test_the_interval_is_wider_than_that_of_a_transformer() -> None:
    hybrid = facts({"model": "nemotron-h-56b", "sequence": "8192"})
    plain = facts({"model": "llama-3-70b", "sequence": "8192"})
    assert hybrid["step_time_spread"] > 1.5 * plain["step_time_spread"]
    assert plain["recurrent_core_time"] == plain["recurrent_projection_time"] == 0


def test_layers_are_counted_by_what_they_have() -> None:
    """Of 118 layers of Nemotron-H 10 have scores, 54 a state and 54 a feed-forward part; the mean layer has half of each."""
    found = facts({"model": "nemotron-h-56b", "sequence": "8192"})
    model = found["model"].facts
    assert model["attention_part"] == pytest.approx(10 / 118)
    assert model["feed_forward_part"] == pytest.approx(54 / 118)
    assert found["recurrent_core_time"] == pytest.approx(54 / 118 * found["mamba_core_time"])
    assert found["tensor_wait_time"] < 118 * 24 * 2 * found["exposed_tensor_time"]


def test_states_do_not_grow_with_the_sequence() -> None:
    """A token takes as long in a state whatever stands before it; attention takes longer."""
    short, long = (
        facts({"model": "nemotron-h-56b", "sequence": str(one)}, global_batch=str(768 * 8192 // one))
        for one in (8192, 65536)
    )
    assert long["mamba_core_time"] == pytest.approx(8 * short["mamba_core_time"])
    assert long["attention_core_time"] > 40 * short["attention_core_time"]


def test_kinds_without_formulas_stay_unknown() -> None:
    model = {"model": "qwen3-next-80b-a3b", "sequence": "8192", "linear_attention": "kimi-delta"}
    found = facts(model, tensor="1", expert="8")
    assert {"linear_core_time", "linear_projection_time", "predicted_step_time"}.isdisjoint(found)
    known = facts(model | {"linear_attention": "gated-deltanet"}, tensor="1", expert="8")
    assert {"linear_core_time", "linear_projection_time"} <= known.keys()


@pytest.mark.parametrize("model", ["nemotron-h-8b", "nemotron-3-nano", "qwen3-next-80b-a3b"])
def test_hybrids_are_planned(model: str) -> None:
    answer = plan_cluster(
        of_options(**NONE | {"model": model, "tokens": "1T", "gpu": "h100", "gpus": "256"}), engine.shipped_engine()
    )
    assert not answer.refusal
    assert "not from measured runs" in "\n".join(lines(answer, 3))
