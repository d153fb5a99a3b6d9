"""
NeMo's training YAML (Hydra): sections for the trainer and the model, the latter in Megatron's own names; and the model's
section alone, as NeMo writes it into a checkpoint.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import costs
from designlint.importers.base import Fragment, ImportRefusal, Source, Value, Words, of_node, put
from designlint.importers.megatron import arguments, names
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Resolved, Table, open_ended
from designlint.importers.slurm import times
from designlint.importers.workloads import (
    count,
    drop,
    fill_words,
    flag,
    get,
    is_on,
    number_format,
    of_framework,
    took,
    totals,
)

if TYPE_CHECKING:
    from designlint.importers.base import Context

TITLE = "NeMo configuration"
JOBS = True
TOOLS = ("megatron-lm", "nemo")
#: Keys of the model section that Megatron-LM calls otherwise.
RENAMED = {"encoder_seq_length": "seq_length"}
#: Time as Lightning writes it: days, hours, minutes, seconds.
DAYS = re.compile(r"(\d{1,4}):(\d{1,2}):(\d{1,2}):(\d{1,2})\Z")
#: Optimizers that share their state among data-parallel ranks.
SHARDED = frozenset(("distributed_fused_adam", "mcore_distributed_optim"))
GATED = frozenset(("swiglu", "fast-swiglu", "geglu", "fast-geglu", "reglu", "fast-reglu"))
PLAIN = frozenset(("gelu", "squared-relu", "relu", "approx-gelu", "openai-gelu"))
#: What may say when the checkpoint callback saves.
TIMES = ("every_n_train_steps", "every_n_epochs", "train_time_interval", "save_on_train_epoch_end")
SECTIONS = frozenset(("trainer", "model"))
#: What the model's section of a checkpoint has.
ALONE = frozenset(("tensor_model_parallel_size", "nemo_version"))
#: What says that it is NeMo's where the degrees come from the checkpoint.
BATCHES = ("trainer/num_nodes", "trainer/devices", "model/micro_batch_size", "model/global_batch_size", "exp_manager")


def sure(source: Source) -> int:
    """8 where the model section beside a trainer has Megatron's degrees, or stands alone with its class."""
    stated = any(one in source.text for one in ("model_parallel_size", "micro_batch_size"))
    if stated and structured.keys(source, *ALONE) >= ALONE:
        return 8
    if not stated or not structured.keys(source, "trainer") >= SECTIONS:
        return 0
    top = Table(source, structured.root(source))
    if top.at("model/tensor_model_parallel_size") is not None:
        return 8
    return 8 if all(top.at(one) is not None for one in BATCHES) else 0  # its degrees stand in the checkpoint


def workload(source: Source, found: Fragment, context: Context) -> Words:
    """The training."""
    top = Resolved(source, structured.root(source))
    if (at := top.get("run/convert_name")) is not None:
        raise ImportRefusal(
            "it converts a checkpoint, and trains nothing", at.line, "Name the file of the training run."
        )
    words = _words(top, found)
    name = top.get("run/name", "name", "exp_manager/name")
    put(words, "name", name if not open_ended(name) else None)
    return words


def _words(top: Table, found: Fragment) -> Words:
    words = of_framework(top.source, "nemo")
    model = top if top.at("model") is None else top.table("model")
    given = {RENAMED.get(key, key): value for key in model.names() if (value := model.get(key)) is not None}
    wanted = names.understood()
    words |= arguments.words({key: value for key, value in given.items() if key in wanted and not open_ended(value)})
    put(words, "job/data_loader_workers", count(model.get("data/num_workers")))
    fill_words(words, top, "nemo")
    if took(words, "checkpoint/keep") == 0:  # none of the best, save the last
        drop(words, "checkpoint/keep")
    _shape(model, words)
    optimizer = model.get("optim/name")
    if optimizer is not None and optimizer.text in SHARDED:
        put(words, "parallelism/zero_stage", optimizer.but(1, "the distributed optimizer is ZeRO 1"))
    _put_exchange(model.table("optim"), words)
    if get(words, "precision/matmul") is None:
        put(words, "precision/matmul", number_format(top.get("trainer/precision")))
    _run(top, words, found)
    return words


def _put_exchange(optim: Table, words: Words) -> None:
    """How the optimizer exchanges gradients: beside the computation, and in which format."""
    overlapped = next(
        (one for key in ("overlap_grad_sync", "overlap_param_sync") if is_on(one := optim.get(key))), None
    )
    put(words, "parallelism/overlap", flag(overlapped))
    costs.put_gradient_bytes(words, optim.get("grad_sync_dtype"))


def _shape(model: Table, words: Words) -> None:
    """What NeMo says of a model in words of its own."""
    activation = model.get("activation")
    if activation is not None and activation.text in GATED | PLAIN:
        put(words, "model/gated", activation.but(activation.text in GATED, activation.text))
    put(words, "model/tied_embeddings", flag(model.get("share_embeddings_and_output_weights")))
    width = get(words, "model/feed_forward")
    if (
        width is not None
        and get(words, "model/experts") is not None
        and get(words, "model/expert_feed_forward") is None
    ):
        put(words, "model/expert_feed_forward", width.but(width.text, "experts are as wide as ffn_hidden_size"))
    heads, groups = get(words, "model/heads"), model.at("num_query_groups")
    if heads is not None and groups is not None and groups.scalar() is None:
        put(words, "model/kv_heads", heads.but(heads.text, "num_query_groups null: as many as heads"))
    granularity = model.at("activations_checkpoint_granularity")
    if granularity is not None and granularity.scalar() is None:
        silent = of_node(model.source, granularity)
        put(words, "parallelism/recompute", silent.but("none", "activations_checkpoint_granularity null").as_text())
    positions = model.get("position_embedding_type")
    if positions is not None and positions.text != "learned_absolute":  # nothing is as long as max_position_embeddings
        drop(words, "model/positions")
    if took(words, "parallelism/pipeline") == 1:  # stages of one rank: NeMo takes no notice of them
        drop(words, "parallelism/virtual_stages")


def _run(top: Table, words: Words, found: Fragment) -> None:
    """What the launcher asks for, and what the experiment manager keeps."""
    limit = top.get("run/time_limit")
    if limit is not None and (seconds := times.seconds(limit.text)) is not None:
        put(words, "job/walltime", limit.but(times.duration(seconds), "", limit.how))
    run = DAYS.match(ending.text) if (ending := top.get("exp_manager/max_time_per_run")) is not None else None
    if ending is not None and run is not None:
        days, hours, minutes, seconds = map(int, run.groups())
        total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
        put(words, "job/exit_after", ending.but(times.duration(total), ending.text) if total else None)
    saves = flag(top.get("exp_manager/create_checkpoint_callback"))
    if saves is not None and saves.text == "false":
        words["checkpoint"] = {"mode": saves.but("none", "create_checkpoint_callback false").as_text()}
    elif saves is not None and get(words, "checkpoint/interval_steps") is None:
        put(words, "checkpoint/interval_steps", _validation_interval(top))
    totals(words, found)


def _validation_interval(top: Table) -> Value | None:
    """Steps between validations, after each of which the callback saves where nothing else says when."""
    stated = top.table("exp_manager/checkpoint_callback_params")
    every, some = top.get("trainer/val_check_interval"), top.get("trainer/limit_val_batches")
    if any(stated.get(key) is not None for key in TIMES) or every is None or not every.text.isdigit():
        return None
    validates = some is None or some.number != 0
    return every.but(every.text, "a checkpoint after each validation") if validates and every.text != "0" else None
