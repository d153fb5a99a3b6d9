"""A default of the language is never the ground of an error: what rests on one is a note that says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from designlint.configuration import engine
from designlint.findings.model import Finding, Severity
from designlint.linting import pipeline
from designlint.reading import read_bytes

from .running import designlint

if TYPE_CHECKING:
    from pathlib import Path

NEED = """\
designlint: 1
nodes: [{name: train, model: dgx-a100, count: 1}]
workloads:
  - name: pretrain
    model: {parameters: 22e9, layers: 48, hidden: 6144, heads: 64, feed_forward: 24576, gated: false, vocabulary: 51200,
            sequence: 2048, norm: layernorm}
    precision: bf16
    framework: megatron
    parallelism: {tensor: 1, PIPELINE context: 1, virtual_stages: 1, micro_batch: 1, global_batch: 8, zero_stage: 0}
"""


def found(text: str, rule: str) -> list[Finding]:
    result = pipeline.lint(read_bytes(text.encode(), "design.yaml"), engine.shipped_engine(), repair=False)
    return [one for one in result.findings if one.rule == rule]


def test_an_error_on_stated_words_is_a_note_where_one_is_left_out() -> None:
    (stated,) = found(NEED.replace("PIPELINE", "pipeline: 1,"), "memory/least-need-beyond-gpu")
    (assumed,) = found(NEED.replace("PIPELINE ", ""), "memory/least-need-beyond-gpu")
    assert stated.severity is Severity.ERROR
    assert "assumes" not in stated.message
    assert assumed.severity is Severity.INFO
    assert assumed.message.endswith("; this assumes pipeline 1, not stated in the design")


@pytest.mark.parametrize(
    ("said", "severity"),
    [("schedule: 1f1b,", Severity.ERROR), ("schedule: gpipe,", Severity.ERROR), ("", Severity.INFO)],
)
def test_a_schedule_without_chunks_settles_the_virtual_stages(said: str, severity: Severity) -> None:
    text = NEED.replace("virtual_stages: 1,", said).replace("PIPELINE", "pipeline: 8, recompute: full,")
    text = text.replace("framework: megatron", "framework: megatron\n    targets: {mfu: 60 %}")
    (one,) = found(text, "compute/kernels-beyond-peak")
    assert one.severity is severity


def test_what_fails_whatever_a_left_out_word_is_needs_no_assumption() -> None:
    """56 GPUs a copy, or any multiple of them, do not divide 64; a batch of 100 fits some context degrees and not others."""
    text = "nodes: [{name: train, gpus: 8, count: 8}]\nworkloads: [{name: a, runs_on: {gpus: 64}, parallelism: {PARALLEL}}]\n"
    (one,) = found(
        f"designlint: 1\n{text.replace('PARALLEL', 'tensor: 8, pipeline: 7')}", "parallelism/degrees-not-dividing-gpus"
    )
    assert one.severity is Severity.ERROR
    assert "assumes" not in one.message
    batch = text.replace("PARALLEL", "tensor: 1, pipeline: 1, micro_batch: 1, global_batch: 100")
    (other,) = found(f"designlint: 1\n{batch}", "parallelism/batch-not-dividing")
    assert other.severity is Severity.INFO
    assert other.message.endswith("; this assumes context 1, not stated in the design")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("workloads: [{name: a, parallelism: {virtual_stages: 4}}]", "pipeline 1"),
        ("workloads: [{name: a, parallelism: {virtual_stages: 4, pipeline: 1}}]", ""),
    ],
)
def test_a_default_that_changes_nothing_is_no_assumption(text: str, words: str) -> None:
    (one,) = found(f"designlint: 1\n{text}\n", "parallelism/virtual-stages-without-pipeline")
    assert (one.severity is Severity.INFO) is bool(words)
    assert words in one.message


PACKED = "workloads: [{name: training, KIND model: {sequence: 8192, positions: 4096}}]"


@pytest.mark.parametrize(
    ("kind", "severity", "end"),
    [
        ("kind: pretraining,", Severity.ERROR, "positions for 4096"),
        ("", Severity.INFO, "positions for 4096; the design does not state `kind`"),
    ],
)
def test_a_rule_that_wants_a_word_stated_is_a_note_without_it(kind: str, severity: Severity, end: str) -> None:
    (one,) = found(f"designlint: 1\n{PACKED.replace('KIND', kind)}\n", "model/trained-beyond-positions")
    assert one.severity is severity
    assert one.message.endswith(end)


@pytest.mark.parametrize(
    ("job", "severity"),
    [
        ("name: pretrain, parallelism: {tensor: 16}", Severity.ERROR),
        ("name: chat-serving, parallelism: {tensor: 16}", Severity.INFO),
        ("name: deepseek-r1, parallelism: {tensor: 16}", Severity.INFO),
        ("name: deepseek-r1, parallelism: {tensor: 16, pipeline: 1}", Severity.INFO),
        ("name: deepseek-r1, kind: pretraining, parallelism: {tensor: 16}", Severity.ERROR),
        ("name: deepseek-r1, parallelism: {tensor: 16, global_batch: 64}", Severity.ERROR),
        ("name: deepseek-r1, optimizer: adam, parallelism: {tensor: 16}", Severity.ERROR),
        ("name: deepseek-r1, data: {tokens: 14.8e12}, parallelism: {tensor: 16}", Severity.ERROR),
        ("name: deepseek-r1, checkpoint: {keep: 3}, parallelism: {tensor: 16}", Severity.ERROR),
        ("name: deepseek-r1, targets: {steps: 500}, parallelism: {tensor: 16}", Severity.ERROR),
        ("name: chat, data: {tokens: 14.8e12}, parallelism: {tensor: 16}", Severity.INFO),
    ],
)
def test_a_kind_that_is_left_out_is_shown_by_the_name_or_by_what_only_training_has(
    job: str, severity: Severity
) -> None:
    text = f"nodes: [{{name: gpu, model: dgx-h100, count: 2}}]\nworkloads: [{{{job}}}]\n"
    (one,) = found(f"designlint: 1\n{text}", "parallelism/tensor-beyond-scale-up-domain")
    assert one.severity is severity


def test_what_a_job_serves_says_that_it_serves() -> None:
    text = "designlint: 1\nworkloads: [{name: a, KIND serving: {sequences: 8, cached_tokens: 4096}}]\n"
    assert found(text.replace("KIND", "kind: pretraining,"), "compute/serving-beside-training")
    assert not found(text.replace("KIND ", ""), "compute/serving-beside-training")


PURE = """\
designlint: 1
nodes: [{name: train, model: dgx-h100, count: 1}]
workloads: [{name: sft, kind: fine-tuning, model: {parameters: 60e9}, precision: bf16}]
"""


@pytest.mark.parametrize(
    ("was", "says", "severity", "end"),
    [
        ("", "", Severity.INFO, "; the design does not state `framework`"),
        ("precision", "framework: fsdp, precision", Severity.INFO, "; the design does not state `optimizer_bytes`"),
        ("precision", "framework: torchtitan, precision", Severity.INFO, "not state `optimizer_bytes`"),
        ("precision", "framework: megatron, precision", Severity.ERROR, "684.2 GB"),
        ("kind: fine-tuning", "kind: pretraining", Severity.ERROR, "684.2 GB"),
        ("bf16}", "{model: bf16, optimizer_bytes: 12 B}}", Severity.ERROR, "684.2 GB"),
        ("bf16}", "bf16-gradients}", Severity.ERROR, "684.2 GB"),
        ("60e9", "115e9", Severity.ERROR, "684.2 GB"),  # more than 6 bytes each
        ("bf16}", "bf16, parallelism: {tensor: 2, pipeline: 1, zero_stage: 0}}", Severity.ERROR, "684.2 GB"),
    ],
)
def test_bf16_may_mean_a_training_without_master_weights(was: str, says: str, severity: Severity, end: str) -> None:
    (one,) = found(PURE.replace(was, says, 1) if was else PURE, "memory/state-beyond-all-gpus")
    assert one.severity is severity
    assert one.message.endswith(end)


def test_a_training_without_master_weights_fits_by_its_own_name() -> None:
    assert not found(PURE.replace("bf16", "bf16-pure"), "memory/state-beyond-all-gpus")


@pytest.mark.parametrize(
    ("was", "says", "rule", "counted"),
    [
        ("60e9", "115e9", "state-beyond-all-gpus", "at least 690 GB;"),  # 6 bytes each
        ("60e9}", "115e9}, framework: megatron", "state-beyond-all-gpus", "at least 2.07 TB;"),  # 18
        ("60e9", "60e9", "state-beyond-all-gpus", "at least 1.08 TB;"),  # in doubt
        ("kind: fine-tuning, model: {parameters: 60e9", "kind: pretraining, model: {parameters: 115e9",
         "state-beyond-all-gpus", "at least 2.07 TB;"),
        ("bf16}", "bf16, parallelism: {tensor: 2, pipeline: 1, expert: 1, context: 1, zero_stage: 0}}",
         "least-need-beyond-gpu", "at least 120 GB on"),
    ],
)  # fmt: skip
def test_an_error_shows_the_bound_that_proves_it(was: str, says: str, rule: str, counted: str) -> None:
    text = PURE.replace("count: 1", "count: 4") if rule == "least-need-beyond-gpu" else PURE
    (one,) = found(text.replace(was, says, 1).replace("60e9", "40e9" if "need" in rule else "60e9"), f"memory/{rule}")
    assert counted in one.message


def test_a_note_refuses_nothing(tmp_path: Path) -> None:
    for text, refused in ((PURE, False), (PURE.replace("fine-tuning", "pretraining"), True)):
        file = tmp_path / "design.yaml"
        file.write_text(text)
        assert ("Hardware constraints insufficient" in designlint("check", file).out) is refused
