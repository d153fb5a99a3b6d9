"""What tools check of arguments, options and variables before they start."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from designlint.importers import checked
from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("tree_sitter_bash", reason="shell scripts need designlint[jobs]")

MEGATRON = "srun python pretrain_gpt.py --num-layers 32 --hidden-size 4096 --tensor-model-parallel-size 2 "


def _clashes(path: Path, text: str) -> list[tuple[str, str, str]]:
    found = read(path, {"t.sbatch": f"#!/bin/bash\n#SBATCH --nodes=2\n{text}\n"}).clashes
    shown = ("proposal", "relation", "text", "other")
    return [
        (
            one.rule.partition("/")[2],
            str(one.values.get("name")),
            next(str(one.values[key]) for key in shown if key in one.values),
        )
        for one in found
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("--fp8-format hybird", [("not-a-value", "None", "hybird")]),
        ("--normalization rmsnorm", []),  # of a fork
        ("--moe-token-dispatcher-type our_own", []),
        ("--sequnce-parallel", [("misspelt-key", "--sequnce-parallel", "--sequence-parallel")]),
        ("--sequence-paralle", []),  # argparse takes the start of a name
        ("--lr-warmup-samples 10 --lr-decay-samples 10", [("arguments-do-not-fit", "--lr-warmup-samples", "below")]),
        ("--lr-warmup-samples 9 --lr-decay-samples 10 --train-samples 5", []),
        (
            "--num-experts 64 --moe-router-num-groups 7",
            [("arguments-do-not-fit", "--moe-router-num-groups", "a divisor of")],
        ),
        ("--num-experts 64 --moe-router-num-groups 8 --moe-router-group-topk 4", []),
    ],
)
def test_what_megatron_refuses(arguments: str, expected: list[tuple[str, str, str]], tmp_path: Path) -> None:
    assert _clashes(tmp_path, MEGATRON + arguments) == expected


@pytest.mark.parametrize(
    ("option", "meant"),
    [
        ("--paralelism.tensor_parallel_degree", "--parallelism.tensor_parallel_degree"),
        ("--parallelism.tensor_paralel_degree", "--parallelism.tensor_parallel_degree"),
        ("--training.local_batchsize", "--training.local_batch_size"),
        ("--parallelism.pipeline_parallel_schedule_csv", ""),  # an option that is not read
        ("--compile.components", ""),
        ("--our_section.tensor_parallel_degree", ""),  # of a fork
    ],
)
def test_misspelt_sections_and_options_of_torchtitan(option: str, meant: str, tmp_path: Path) -> None:
    text = f"srun torchrun --nproc_per_node 8 train.py --job.config_file titan.toml {option} 8"
    assert _clashes(tmp_path, text) == ([("misspelt-key", option, meant)] if meant else [])


@pytest.mark.parametrize(
    ("section", "option", "meant"),
    [
        ("parallelism", "tensor_paralel_degree", "parallelism.tensor_parallel_degree"),
        ("paralelism", "tensor_parallel_degree", "parallelism.tensor_parallel_degree"),
        ("training", "localbatch_size", "training.local_batch_size"),
        ("parallelism", "pipeline_parallel_schedule_csv", ""),
        ("our_section", "tensor_parallel_degree", ""),
    ],
)
def test_misspelt_options_in_a_file_of_torchtitan(section: str, option: str, meant: str, tmp_path: Path) -> None:
    sections = {
        "model": ['name = "llama3"'],
        "training": ["steps = 9"],
        "parallelism": ["pipeline_parallel_degree = 1"],
    }
    sections[section] = [*sections.get(section, []), f"{option} = 8"]
    text = "\n".join(f"[{name}]\n" + "\n".join(lines) for name, lines in sections.items())
    found = read(tmp_path, {"titan.toml": text + "\n[job]\n"})
    names = [(one.values["name"], one.values["proposal"], one.at.line) for one in found.clashes]
    line = text.split("\n").index(f"{option} = 8") + 1
    assert names == ([(f"{section}.{option}", meant, line)] if meant else [])
    (workload,) = plain(found.words["workloads"])
    assert ("tensor" in workload["parallelism"]) is not meant.endswith("tensor_parallel_degree")


@pytest.mark.parametrize(
    ("best", "steps", "expected"),
    [("true", 250, 1), ("true", 200, 0), ("false", 250, 0)],
)
def test_the_best_checkpoint_must_be_evaluated(best: str, steps: int, expected: int, tmp_path: Path) -> None:
    text = f"torchrun sft.py --per_device_train_batch_size 4 --load_best_model_at_end {best} --eval_steps 100 "
    found = [one for one in _clashes(tmp_path, f"{text} --save_steps {steps}") if one[0] == "arguments-do-not-fit"]
    assert found == [("arguments-do-not-fit", "--save_steps", "a multiple of")] * expected


@pytest.mark.parametrize(
    ("batch", "strategy", "saves"),
    [
        ("per_device_train_batch_size", "steps", "true"),
        ("per_device_train_batch_size", "no", None),
        ("batch_size", "steps", None),
    ],
)
def test_the_trainer_saves_after_its_last_step(batch: str, strategy: str, saves: str | None, tmp_path: Path) -> None:
    text = f"#!/bin/bash\ntorchrun sft.py --{batch} 4 --save_strategy {strategy} --save_steps 500 --max_steps 100\n"
    (job,) = plain(read(tmp_path, {"t.sh": text}).words["workloads"])
    assert job.get("checkpoint", {}).get("at_end") == saves


@pytest.mark.parametrize(("dynamic", "share", "rules"), [("False", "0.6", 1), ("True", "0.6", 0), ("True", "6", 1)])
def test_what_verl_and_vllm_refuse(dynamic: str, share: str, rules: int, tmp_path: Path) -> None:
    text = (
        "srun python -m verl.trainer.main_ppo data.train_batch_size=256 actor_rollout_ref.actor.ppo_mini_batch_size=512 "
        f"actor_rollout_ref.actor.use_dynamic_bsz={dynamic} actor_rollout_ref.rollout.gpu_memory_utilization={share}"
    )
    assert len(_clashes(tmp_path, text)) == rules


@pytest.mark.parametrize(
    ("variable", "expected"),
    [
        ("NCCL_IB_GID_IDX=3", [("misspelt-key", "NCCL_IB_GID_IDX", "NCCL_IB_GID_INDEX")]),
        ("NCCL_MAX_CHANNELS=8", [("misspelt-key", "NCCL_MAX_CHANNELS", "NCCL_MAX_NCHANNELS")]),
        ("NCCL_DEBUGG=INFO", [("misspelt-key", "NCCL_DEBUGG", "NCCL_DEBUG")]),
        ("NCCL_FASTRAK_IFNAME=eth1", []),  # of a plug-in
        ("NCCL_IB_SL=16", [("not-a-value", "None", "16")]),
        ("NCCL_IB_SL=15", []),
        ("FI_PROVIDER=efaa", [("not-a-value", "None", "efaa")]),
        ("FI_PROVIDER=verb", [("not-a-value", "None", "verb")]),
        ("FI_PROVIDER=EFA", []),
        ("FI_PROVIDER='verbs;ofi_rxm'", []),
        ("FI_PROVIDER=^tcp", []),
        ("FI_PROVIDER=verbs,tcp", []),
        ("FI_PROVIDER=ourown", []),
    ],
)
def test_what_nccl_does_not_know(variable: str, expected: list[tuple[str, str, str]], tmp_path: Path) -> None:
    assert _clashes(tmp_path, f"export {variable}\nsrun python train.py") == expected


@pytest.mark.parametrize(("options", "expected"), [("--mem=0\n#SBATCH --mem-per-gpu=4G", 1), ("--mem-per-gpu=4G", 0)])
def test_sbatch_takes_memory_in_one_way(options: str, expected: int, tmp_path: Path) -> None:
    found = _clashes(tmp_path, f"#SBATCH {options}\nsrun python train.py")
    assert found == [("arguments-exclude-each-other", "--mem", "--mem-per-gpu")] * expected


def test_a_part_of_a_name_is_misspelt_where_the_others_are_the_same() -> None:
    known = ("tensor_model_parallel_size", "num_layers", "hidden_size")
    names = ("tensor_modle_parallel_size", "num_layer", "hidden_dims", "model_tensor_parallel_size", "hidden_siz3")
    assert [*checked.misspelt(names, known)] == [("tensor_modle_parallel_size", "tensor_model_parallel_size")]
    assert not [*checked.misspelt(("hidden_sise", "hidden_size"), known)]
