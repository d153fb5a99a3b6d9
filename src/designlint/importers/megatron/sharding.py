"""What data-parallel ranks share out, by the names that strategies of FSDP have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.base import put

if TYPE_CHECKING:
    from designlint.importers.base import Value, Words

SHARDING = {
    "no_shard": 0,
    "optim": 1,
    "optim_grads": 2,
    "optim_grads_params": 3,
    "full": 3,
    "full_shard": 3,
    "shard_grad_op": 2,
}
#: What the trainer calls sharding groups of some ranks, and their stage.
HYBRID = {"hybrid_shard": 3, "hybrid_shard_zero2": 2}


def sharding(strategy: Value | None, name: str = "") -> Value | None:
    """The ZeRO stage that a strategy of FSDP stands for, by another name of it where one is given; None for no such strategy."""
    name = name or ("" if strategy is None else strategy.text)
    stage = SHARDING.get(name.lower())
    return None if strategy is None or stage is None else strategy.but(stage, name)


def put_in_one_line(stated: Value, words: Words) -> None:
    """FSDP as Hugging Face's trainer takes it: a strategy among other words."""
    for name in stated.text.replace(",", " ").split():
        stage = HYBRID.get(name)
        value = stated.but(stage, name) if stage is not None else sharding(stated, name)
        put(words, "parallelism/zero_stage", value)
        put(words, "framework", value and stated.but("fsdp", "the file sets FSDP").as_text())
        if name == "offload":
            put(words, "parallelism/offload", stated.but("weights", "fsdp: offload").as_text())
