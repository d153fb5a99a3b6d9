"""Configurations of axolotl and LLaMA-Factory, by themselves and as a launch names them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import at, plain, read

if TYPE_CHECKING:
    from pathlib import Path

AXOLOTL = """\
base_model: Qwen/Qwen3-8B
sequence_len: 4096
micro_batch_size: 2
gradient_accumulation_steps: 4
gradient_checkpointing: true
optimizer: adamw_torch_fused
attn_implementation: flash_attention_2
save_steps: 200
max_steps: 1000
bf16: true
learning_rate: 2e-5
"""
FACTORY = """\
model_name_or_path: meta-llama/Llama-3.1-8B-Instruct
stage: sft
finetuning_type: full
deepspeed: ds.json
cutoff_len: 8192
per_device_train_batch_size: 1
gradient_accumulation_steps: 16
dataloader_num_workers: 4
save_strategy: epoch
save_steps: 500
optim: paged_adamw_8bit
"""


def words(folder: Path, text: str, **files: str) -> dict[str, Any]:
    found = read(folder, {"train.yaml": text, **{f"+{name.replace('_', '.')}": one for name, one in files.items()}})
    workload: dict[str, Any] = plain(found.words["workloads"])[0]
    assert not found.refused
    return workload


def test_axolotl_trains_all_weights_unless_it_names_an_adapter(tmp_path: Path) -> None:
    found = words(tmp_path, AXOLOTL)
    assert found == {
        "name": "train", "kind": "fine-tuning", "optimizer": "adam", "flash_attention": "true",
        "parallelism": {"micro_batch": "2", "gradient_accumulation": "4", "recompute": "full"},
        "model": {"sequence": "4096", "model": "qwen3-8b"}, "precision": {"matmul": "bf16"},
        "checkpoint": {"interval_steps": "200", "at_end": "true"}, "targets": {"steps": "1000"},
    }  # fmt: skip
    adapted = words(tmp_path, AXOLOTL + "adapter: qlora\n")
    assert (adapted["kind"], adapted["model"]["model"]) == ("lora", "qwen3-8b")


@pytest.mark.parametrize(
    "reduced", ["adapter: qlora\nload_in_4bit: true", "unfrozen_parameters: [lm_head]", "gptq: true"]
)
def test_a_model_that_is_trained_in_part_or_in_fewer_bits_is_not_that_of_the_catalogue(
    reduced: str, tmp_path: Path
) -> None:
    assert "model" not in words(tmp_path, AXOLOTL + reduced + "\n")["model"]


def test_llama_factory_with_a_configuration_of_deepspeed(tmp_path: Path) -> None:
    found = words(
        tmp_path, FACTORY, ds_json='{"zero_optimization": {"stage": 3}, "train_micro_batch_size_per_gpu": "auto"}'
    )
    assert found["parallelism"] == {
        "micro_batch": "1", "gradient_accumulation": "16", "zero_stage": "3", "offload": "optimizer",
        "recompute": "full",
    }  # fmt: skip
    assert (found["kind"], found["framework"], found["optimizer"]) == ("fine-tuning", "deepspeed", "adam-8bit")
    assert found["model"] == {"sequence": "8192", "model": "llama-3-8b"}
    assert "checkpoint" not in found  # an epoch is no number of steps
    silent = words(tmp_path, FACTORY.replace("finetuning_type: full\n", "").replace("deepspeed: ds.json\n", ""))
    assert (silent["kind"], "zero_stage" in silent["parallelism"]) == ("lora", False)


@pytest.mark.parametrize(
    "command",
    [
        "axolotl train train.yaml", "accelerate launch -m axolotl.cli.train train.yaml --deepspeed ds.json",
        "torchrun --nproc_per_node 8 -m axolotl.cli.train train.yaml",
    ],
)  # fmt: skip
def test_a_launch_reads_the_configuration_that_it_names(command: str, tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_bash", reason="shell scripts need designlint[jobs]")
    script = f"#!/bin/bash\n{command} --micro_batch_size 8\n"
    found = read(
        tmp_path, {"run.sh": script, "+train.yaml": AXOLOTL, "+ds.json": '{"zero_optimization": {"stage": 2}}'}
    )
    micro, kind = at(found, "workloads/0/parallelism/micro_batch"), at(found, "workloads/0/kind")
    assert (micro.text, micro.source.file) == ("8", "run.sh")  # a flag counts before the file
    assert (kind.text, kind.source.file.rpartition("/")[2]) == ("fine-tuning", "train.yaml")


def test_what_surrounds_a_configuration_of_fsdp(tmp_path: Path) -> None:
    text = AXOLOTL + "fsdp_version: 2\nfsdp_config: {reshard_after_forward: true, offload_params: true}\n"
    found = words(tmp_path, text)
    assert (found["framework"], found["parallelism"]["zero_stage"]) == ("fsdp", "3")
    assert found["parallelism"]["offload"] == "weights"
    assert "framework" not in words(tmp_path, text + "expert_parallel_size: 2\n")


TRL = """\
model_name_or_path: meta-llama/Llama-3.1-8B-Instruct
bf16: true
gradient_accumulation_steps: 2
gradient_checkpointing: true
max_length: 8192
optim: adamw_torch
output_dir: out
per_device_train_batch_size: 4
save_strategy: epoch
save_steps: 100
"""


@pytest.mark.parametrize(
    ("more", "kind", "model"),
    [
        ("", "fine-tuning", "llama-3-8b"),
        ("use_peft: true\n", "lora", "llama-3-8b"),
        ("use_peft: true\nload_in_4bit: true\n", "lora", None),
    ],
)
def test_trl_trains_all_weights_unless_it_is_told_otherwise(
    tmp_path: Path, more: str, kind: str, model: str | None
) -> None:
    found = read(tmp_path, {"sft.yaml": TRL + more})
    (words,) = plain(found.words["workloads"])
    assert found.formats == {"sft.yaml": "trl"}
    assert (words["kind"], words["model"].get("model"), words["model"]["sequence"]) == (kind, model, "8192")
    assert words["parallelism"] == {"micro_batch": "4", "gradient_accumulation": "2", "recompute": "full"}
    assert (words["optimizer"], "checkpoint" in words) == ("adam", False)


@pytest.mark.parametrize("key", ["reward_funcs: [accuracy]", "max_completion_length: 512"])
def test_trl_with_rewards_is_not_read_as_supervised(tmp_path: Path, key: str) -> None:
    assert "sft.yaml" not in read(tmp_path, {"sft.yaml": f"{TRL}{key}\n"}).formats


def test_a_script_names_the_configuration_of_trl(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_bash", reason="scripts need designlint[jobs]")
    command = "accelerate launch --num_processes 8 src/sft.py --config sft.yaml"
    found = read(tmp_path, {"run.sh": f"#!/bin/bash\n{command}\n", "+sft.yaml": TRL})
    (words,) = plain(found.words["workloads"])
    assert (words["parallelism"]["micro_batch"], words["kind"]) == ("4", "fine-tuning")


@pytest.mark.parametrize(
    ("line", "path", "stated"),
    [
        ("save_total_limit: 3", "checkpoint/keep", "3"),
        ("ddp_timeout: 1800", "recovery/communication_timeout", "1800 s"),
        ("flash_attn: fa2", "flash_attention", "true"),
        ("torch_compile: true", "compiled", "true"),
        ("enable_liger_kernel: true", "fused_loss", "true"),
        ("activation_offloading: legacy", "parallelism/offload", "activations"),
    ],
)
def test_what_the_trainer_keeps_waits_for_and_computes(tmp_path: Path, line: str, path: str, stated: str) -> None:
    plainly = FACTORY.replace("deepspeed: ds.json\n", "").replace("optim: paged_adamw_8bit\n", "")
    assert at(read(tmp_path, {"train.yaml": f"{plainly}{line}\n"}), f"workloads/0/{path}").text == stated


def test_a_timeout_that_no_job_lives_to_see_is_none(tmp_path: Path) -> None:
    assert "recovery" not in words(tmp_path, FACTORY + "ddp_timeout: 180000000\n", ds_json="{}")


def test_trl_that_learns_from_preferences_trains_as_any_other(tmp_path: Path) -> None:
    (words,) = plain(read(tmp_path, {"dpo.yaml": f"{TRL}beta: 0.1\nloss_type: sigmoid\n"}).words["workloads"])
    assert (words["kind"], words["parallelism"]["micro_batch"]) == ("fine-tuning", "4")
