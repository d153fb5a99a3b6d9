"""Trainers that hold several models (verl, OpenRLHF, slime): which arguments are of the one that is trained."""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, How, Words, put, whole
from designlint.importers.workloads import count, get, is_on

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from designlint.importers.base import Value
    from designlint.importers.shell.launches import Launch
    from designlint.importers.shell.options import Argument

#: Arguments of verl and its kin for a model that generates, and of those beside them the ones that train; the others score.
MODELS = re.compile(r"\.(?:\w+\.)*(?:actor_rollout_ref|rollout)\.")
TRAINED = re.compile(
    r"\.(?:(?:actor_rollout_ref|worker)\.)?actor\.|\.trainer\.|\.actor_rollout_ref\.model\.enable_gradient"
)
#: Servers that generate apart from those that train; switches of OpenRLHF and slime that put all models on the same ones.
APART = re.compile(r"\.(?:\w+\.)*rollout\.nnodes\Z")
TOGETHER = ("train.colocate_all", "colocate_all_models", "colocate", "debug_train_only")
#: How many GPUs one copy of the generating model is split over: verl and its kin, OpenRLHF, slime.
SPLIT = re.compile(
    r"\.(?:\w+\.)*rollout\.tensor(?:_model)?_parallel_size\Z|(?:\.?vllm\.|vllm_)tensor_parallel_size\Z|rollout_num_gpus_per_engine\Z"
)
#: Words of a job, and where verl and OpenRLHF state them.
SIZES = {
    "job/servers": (".trainer.nnodes", "actor.num_nodes", "actor_num_nodes"),
    "job/gpus_per_server": (".trainer.n_gpus_per_node", "actor.num_gpus_per_node", "actor_num_gpus_per_node"),
}
MICRO, DYNAMIC = "ppo_micro_batch_size_per_gpu", "use_dynamic_bsz"
#: verl's names, and those that mean the same elsewhere.
VERL = {
    "save_freq": "save_interval",
    "total_training_steps": "train_steps",
    "enable_gradient_checkpointing": "gradient_checkpointing",
    "ulysses_sequence_parallel_size": "context_parallel_size",
}
#: OpenRLHF's names, and those that mean the same elsewhere.
OPENRLHF = {
    "train.micro_batch_size": "micro_batch_size",
    "micro_train_batch_size": "micro_batch_size",
    "train.batch_size": "global_batch_size",
    "train_batch_size": "global_batch_size",
    "ds.zero_stage": "zero_stage",
    "ds.tensor_parallel_size": "tensor_parallel_size",
}
#: Names that are read here.
READ = frozenset(
    (
        *(one.removeprefix(".trainer.") for names in SIZES.values() for one in names),
        MICRO,
        DYNAMIC,
        *VERL,
        "tensor_model_parallel_size",
        "tensor_parallel_size",
        "vllm_tensor_parallel_size",
        "rollout_num_gpus_per_engine",
        *OPENRLHF,
        *TOGETHER,
    )
)


def choose(main: Launch) -> None:
    """Leaves the arguments of a model that only generates or scores out, whose names may be those of the trained one."""
    given = main.arguments
    if main.script.startswith("openrlhf."):
        main.arguments = {**given, **{OPENRLHF[name]: one for name, one in given.items() if name in OPENRLHF}}
    elif _of_verl(given):
        main.arguments = _trained_arguments(given)


def put_rollout_gpus(words: Words, main: Launch) -> None:
    """Where verl's copies that generate are, if not on GPUs of their own."""
    given = main.arguments
    stated = [next(_counts(given, names), None) for names in SIZES.values()]
    first = stated[-1]
    if not _of_verl(given) or any(APART.match(name) for name in given) or first is None or None in stated:
        return
    total = prod(whole(one) or 0 for one in stated if one is not None)
    put(words, "reinforcement/rollout_gpus", first.but(total, "all GPUs of the trainer", How.DERIVED))


def understood(main: Launch) -> frozenset[str]:
    """The names that are read here of a program."""
    return READ if _holds_several(main) else frozenset()


def _holds_several(main: Launch) -> bool:
    """Whether the program trains one model and generates with it."""
    given = main.arguments
    return main.script.startswith("openrlhf.") or _of_verl(given) or any(SPLIT.match(name) for name in given)


def _of_verl(given: Mapping[str, Argument]) -> bool:
    return any(MODELS.match(name) for name in given)


def _trained_arguments(given: Mapping[str, Argument]) -> dict[str, Argument]:
    """The arguments of verl's actor and trainer by their last names, and all by their whole ones."""
    dotted = {name for name in given if name.startswith(".")}
    shared = {_last(name) for name in dotted}
    kept = {name: one for name, one in given.items() if name in dotted or name not in shared}
    kept |= {_last(name): one for name, one in given.items() if TRAINED.match(name)}
    kept.pop("nnodes", None)
    kept |= {VERL[name]: one for name, one in kept.items() if name in VERL}
    if MICRO in kept and not is_on(_value(kept, DYNAMIC)):
        kept["micro_batch_size"] = kept[MICRO]
    return kept


def sizes(words: Words, main: Launch, found: Fragment) -> None:
    """Servers and GPUs of a job that trains and generates on the same ones; what else states them must agree."""
    given = main.arguments
    together = any(name in given and ((one := _value(given, name)) is None or is_on(one)) for name in TOGETHER)
    if not together and (not _of_verl(given) or any(APART.match(name) for name in given)):
        return
    stated = {word: next(_counts(given, places), None) for word, places in SIZES.items()}
    _check_total(words, [one for one in stated.values() if one is not None], found)
    for word, number in stated.items():
        if number is not None and get(words, word) is None:
            put(words, word, number)


def put_rollouts(words: Words, main: Launch) -> None:
    """The degree of the model that generates, which another one may have while it is trained."""
    split = next((count(one.value) for name, one in main.arguments.items() if SPLIT.match(name)), None)
    if split is not None and whole(split):
        put(words, "kind", split.but("reinforcement-learning", "the job generates what it trains on").as_text())
        put(words, "reinforcement/rollout_tensor", split)


def _check_total(words: Words, stated: list[Value], found: Fragment) -> None:
    """Ray takes the GPUs wherever they are: only their sum must be that of the job."""
    known = [one for word in SIZES if (one := get(words, word)) is not None]
    if len(stated) != len(SIZES) or len(known) != len(SIZES):
        return
    taken, there = (prod(whole(one) or 0 for one in listed) for listed in (stated, known))
    if taken != there:
        at = next((one for one, other in zip(stated, known, strict=True) if whole(one) != whole(other)), stated[0])
        found.clash("import/conflict", at, word="gpus", one=str(taken), other=str(there), where=known[0].place)


def _counts(given: Mapping[str, Argument], names: tuple[str, ...]) -> Iterator[Value]:
    found = (count(_value(given, name)) for name in names)
    return (one for one in found if one is not None and whole(one))


def _value(given: Mapping[str, Argument], name: str) -> Value | None:
    argument = given.get(name)
    return None if argument is None else argument.value


def _last(name: str) -> str:
    return name.rpartition(".")[2]
