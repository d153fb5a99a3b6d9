"""accelerate: its configuration files alone, and below what `accelerate launch` says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.importers import Imported

ZERO = """\
compute_environment: LOCAL_MACHINE
deepspeed_config:
  gradient_accumulation_steps: 4
  offload_optimizer_device: cpu
  offload_param_device: none
  zero3_init_flag: true
  zero_stage: 2
distributed_type: DEEPSPEED
fsdp_config: {}
machine_rank: 0
mixed_precision: bf16
num_machines: 2
num_processes: 16
use_cpu: false
"""
FSDP = """\
distributed_type: FSDP
mixed_precision: 'no'
num_processes: 8
fsdp_config: {FIELDS}
"""


def one(found: Imported) -> dict[str, Any]:
    (words,) = plain(found.words["workloads"])
    return words  # type: ignore[no-any-return]


def test_a_file_says_servers_gpus_and_what_deepspeed_shares_out(tmp_path: Path) -> None:
    found = read(tmp_path, {"zero2.yaml": ZERO})
    words = one(found)
    assert found.formats == {"zero2.yaml": "accelerate"}
    assert words["job"] == {"servers": "2", "gpus_per_server": "8"}
    assert words["parallelism"] == {
        "gradient_accumulation": "4",
        "zero_stage": "2",
        "offload": "optimizer",
        "offload_to": "cpu",
    }
    assert (words["framework"], words["precision"]["matmul"]) == ("deepspeed", "bf16")
    assert found.accounts()[0].unclear == ()


@pytest.mark.parametrize(("stage", "moved"), [("2", "optimizer"), ("3", "weights")])
def test_only_the_third_stage_moves_weights(tmp_path: Path, stage: str, moved: str) -> None:
    text = ZERO.replace("param_device: none", "param_device: cpu").replace("zero_stage: 2", f"zero_stage: {stage}")
    assert one(read(tmp_path, {"zero.yaml": text}))["parallelism"]["offload"] == moved


def test_a_section_of_another_kind_of_training_has_no_effect(tmp_path: Path) -> None:
    words = one(read(tmp_path, {"ddp.yaml": ZERO.replace("DEEPSPEED", "MULTI_GPU")}))
    assert words["parallelism"] == {"gradient_accumulation": "4"}
    assert "framework" not in words


@pytest.mark.parametrize("change", ["use_cpu: true", "use_cpu: false\ntpu_env: []\ndistributed_type: XLA"])
def test_processes_without_gpus_are_none(tmp_path: Path, change: str) -> None:
    text = ZERO.replace("use_cpu: false", change)
    text = text.replace("distributed_type: DEEPSPEED\n", "") if "XLA" in change else text
    assert "job" not in one(read(tmp_path, {"cpu.yaml": text}))


@pytest.mark.parametrize(
    ("fields", "stage"),
    [
        ("fsdp_sharding_strategy: SHARD_GRAD_OP", "2"),
        ("fsdp_sharding_strategy: 1", "3"),
        ("sharding_strategy: 3", "0"),
        ("fsdp_version: 2, fsdp_reshard_after_forward: false", "2"),
        ("fsdp_version: 2, fsdp_reshard_after_forward: true", "3"),
        ("fsdp_offload_params: false", "3"),
        ("fsdp_sharding_strategy: NEW_STRATEGY", None),
    ],
)
def test_what_fsdp_shards_by_its_strategy_or_its_version(tmp_path: Path, fields: str, stage: str | None) -> None:
    words = one(read(tmp_path, {"fsdp.yaml": FSDP.replace("FIELDS", fields)}))
    assert words.get("parallelism", {}).get("zero_stage") == stage
    assert (words["runs_on"]["gpus"], "precision" in words) == ("8", False)


def test_deepspeeds_own_file_decides_where_one_is_named(tmp_path: Path) -> None:
    text = ZERO.replace("  zero_stage: 2\n", "  deepspeed_config_file: ds.json\n")
    inner = '{"zero_optimization": {"stage": 3}, "train_micro_batch_size_per_gpu": 4}'
    words = one(read(tmp_path, {"zero.yaml": text, "+ds.json": inner}))
    assert (words["parallelism"]["zero_stage"], words["parallelism"]["micro_batch"]) == ("3", "4")
    found = read(tmp_path / "alone", {"zero.yaml": text})
    assert [one.word for one in found.unknowns] == ["workloads/zero/parallelism/zero_stage"]


class TestLaunched:
    """A script that starts `accelerate launch`."""

    @pytest.fixture(autouse=True)
    def _shell(self) -> None:
        pytest.importorskip("tree_sitter_bash", reason="shell scripts need designlint[jobs]")

    def launched(self, tmp_path: Path, options: str, header: str = "") -> tuple[dict[str, Any], Imported]:
        text = f"#!/bin/bash\n{header}srun accelerate launch --config_file zero2.yaml {options} train.py --x 1\n"
        found = read(tmp_path, {"train.sh": text, "+zero2.yaml": ZERO})
        return one(found), found

    def test_the_file_counts_what_the_command_line_does_not(self, tmp_path: Path) -> None:
        words, _ = self.launched(tmp_path, "")
        assert (words["job"]["servers"], words["job"]["gpus_per_server"]) == ("2", "8")
        assert (words["parallelism"]["zero_stage"], words["parallelism"]["offload"]) == ("2", "optimizer")

    def test_the_command_line_goes_before_the_file(self, tmp_path: Path) -> None:
        words, found = self.launched(
            tmp_path, "--num_machines 4 --num_processes 16 --zero_stage 3 --mixed_precision fp16"
        )
        assert (words["job"]["servers"], words["job"]["gpus_per_server"]) == ("4", "4")
        assert (words["parallelism"]["zero_stage"], words["precision"]["matmul"]) == ("3", "fp16")
        assert found.clashes == []

    def test_what_the_command_line_leaves_unknown_is_not_taken_from_the_file(self, tmp_path: Path) -> None:
        words, found = self.launched(tmp_path, "--num_machines $N --num_processes $P --zero_stage $STAGE")
        assert ("servers" in words.get("job", {}), "gpus_per_server" in words.get("job", {})) == (False, False)
        assert "zero_stage" not in words["parallelism"]
        assert {one.word.rpartition("/")[2] for one in found.unknowns} >= {"num_machines", "num_processes"}

    def test_a_file_for_another_number_of_servers_contradicts_the_header(self, tmp_path: Path) -> None:
        header = "#SBATCH --nodes=4\n#SBATCH --gpus-per-node=8\n"
        _, found = self.launched(tmp_path, "", header)
        assert [(one.rule, one.values["one"], one.values["other"]) for one in found.clashes] == [
            ("import/conflict", "4", "2")
        ]
        assert self.launched(tmp_path, "--num_machines $SLURM_NNODES", header)[1].clashes == []

    def test_a_switch_chooses_the_kind_of_training(self, tmp_path: Path) -> None:
        words, _ = self.launched(tmp_path, "--use_fsdp --fsdp_sharding_strategy FULL_SHARD")
        assert (words["framework"], words["parallelism"]["zero_stage"]) == ("fsdp", "3")


def test_servers_and_their_gpus_make_the_gpus_of_the_job(tmp_path: Path) -> None:
    words = one(read(tmp_path, {"accelerate.yaml": ZERO}))
    assert (words["job"]["gpus_per_server"], words["runs_on"]) == ("8", {"gpus": "16"})


def test_deepspeed_shares_sequences_as_accelerate_says(tmp_path: Path) -> None:
    text = "distributed_type: DEEPSPEED\nnum_machines: 1\nnum_processes: 4\ndeepspeed_config: {zero_stage: 3}\n"
    text += "parallelism_config: {parallelism_config_sp_size: 2, parallelism_config_sp_backend: deepspeed,"
    text += " parallelism_config_cp_size: 1}\n"
    words = plain(read(tmp_path, {"a.yaml": text}).words["workloads"])[0]
    assert (words["parallelism"]["context"], words["parallelism"]["context_method"]) == ("2", "ulysses")
