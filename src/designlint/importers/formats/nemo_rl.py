"""NeMo RL's YAML: a policy that trains, with PyTorch or Megatron, and generates on the same GPUs or on others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import costs
from designlint.importers.base import Fragment, Source, Words, put
from designlint.importers.megatron import arguments, names
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Resolved
from designlint.importers.workloads import (
    count,
    fill_words,
    flag,
    is_on,
    merge,
    number_format,
    of_framework,
    put_model,
    totals,
)

if TYPE_CHECKING:
    from designlint.importers.base import Context

TITLE = "NeMo RL configuration"
JOBS = True
TOOLS = ("nemo-rl",)
#: What is trained, by the section that sets it up.
KINDS = {"grpo": "reinforcement-learning", "sft": "fine-tuning"}
STEPS = (
    "grpo/max_num_steps",
    "sft/max_num_steps",
    "dpo/max_num_steps",
    "rm/max_num_steps",
    "distillation/max_num_steps",
)


def sure(source: Source) -> int:
    """8 where a policy, its cluster and its checkpoints stand together."""
    if not structured.keys(source, "policy") >= {"policy", "cluster", "checkpointing"}:
        return 0
    return 8 if Resolved(source, structured.root(source)).at("policy/train_global_batch_size") is not None else 0


def workload(source: Source, found: Fragment, context: Context) -> Words:
    """The training, and how the policy generates."""
    table = Resolved(source, structured.root(source))
    words = _words(table, found)
    put_model(words, table.get("policy/model_name"), context)
    return words


def _words(table: Resolved, found: Fragment) -> Words:
    words = of_framework(table.source, "nemo-rl")
    fill_words(words, table, "nemo-rl")
    put(words, "precision/matmul", number_format(table.get("policy/precision")))
    put(words, "targets/steps", count(table.get(*STEPS)))
    megatron, tensors = table.table("policy/megatron_cfg"), table.table("policy/dtensor_cfg")
    if is_on(megatron.get("enabled")):
        wanted = names.understood()
        given = {key: one for key in megatron.names() if key in wanted and (one := megatron.get(key)) is not None}
        merge(words, arguments.words(given))
    elif is_on(tensors.get("enabled")):
        fill_words(words, table, "nemo-rl", "tensors")
        _put_tensors(tensors, words)
    written = flag(table.get("checkpointing/enabled"))
    if written is not None and written.text == "false":
        words["checkpoint"] = {"mode": written.but("none", "checkpointing.enabled false").as_text()}
    stated = table.get("policy/optimizer/name")
    costs.optimizer(words, stated and stated.but(stated.text.rpartition(".")[2], stated.text))
    found.fact("model name", table.get("policy/model_name"))
    _put_rollouts(table, words)
    totals(words, found)
    return words


def _put_tensors(tensors: Resolved, words: Words) -> None:
    """What the trainer of PyTorch's own tensors does besides: it shards as FSDP2 does."""
    put(words, "parallelism/sequence_parallel", flag(tensors.get("sequence_parallel")))
    recomputed, moved = flag(tensors.get("activation_checkpointing")), tensors.get("cpu_offload")
    costs.put_recompute(words, recomputed, "activation_checkpointing")
    if moved is not None and is_on(moved):
        put(words, "parallelism/offload", moved.but("weights", "cpu_offload").as_text())


def _put_rollouts(table: Resolved, words: Words) -> None:
    """What is trained, and how the policy is split where it generates."""
    section = next((one for one in KINDS if table.table(one)), None)
    if section is None:
        return
    at = table.table(section).at("max_num_steps") or table.at(section)
    if at is not None:
        value = table.source.value("", at.start, at.start)
        put(words, "kind", value.but(KINDS[section], f"the file has a section {section}").as_text())
    split = count(table.get("policy/generation/vllm_cfg/tensor_parallel_size")) if section == "grpo" else None
    put(words, "reinforcement/rollout_tensor", split)
    shared = count(table.get("policy/generation/vllm_cfg/expert_parallel_size")) if section == "grpo" else None
    put(words, "reinforcement/rollout_expert", shared)
    together = flag(table.get("policy/generation/colocated/enabled"))
    if together is not None and section == "grpo":
        place = "same-gpus" if is_on(together) else "other-gpus"
        put(words, "reinforcement/rollouts", together.but(place, "generation.colocated").as_text())
