"""What Megatron-LM's arguments say of checkpoints, and of the time after which a job ends by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.base import How, put, whole
from designlint.importers.workloads import count, get, is_on

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.base import Value, Words

#: An argument that only Hugging Face's trainer has.
TRAINER = "per_device_train_batch_size"
#: Minutes that no job runs: whoever writes so many switches the limit off.
NEVER = 10 * 365 * 24 * 60


def fill(given: Mapping[str, Value], found: Words) -> None:
    """How checkpoints are written, and when a job ends by itself."""
    if is_on(given.get("async_save")):
        put(found, "checkpoint/mode", given["async_save"].but("asynchronous", "async-save").as_text())
    form = given.get("ckpt_format") or given.get("dist_ckpt_format")
    if form is not None and form.text in ("torch_dist", "zarr", "fsdp_dtensor", "torch_dcp"):
        put(found, "checkpoint/sharded", form.but(True, f"checkpoint format {form.text}"))
    folder = given.get("save") or (given.get("output_dir") if TRAINER in given else None)
    put(found, "checkpoint/folder", folder.as_text() if folder is not None and folder.text.startswith("/") else None)
    if TRAINER in given:
        put_end(found)
    minutes = count(given.get("exit_duration_in_mins"))
    if minutes is not None and (whole(minutes) or 0) < NEVER:
        put(found, "job/exit_after", minutes.but(f"{minutes.text} min", "", minutes.how))
    if is_on(given.get("exit_signal_handler")):
        put(found, "checkpoint/at_exit", given["exit_signal_handler"].but(True, "exit-signal-handler saves first"))
    elif minutes is not None and given.get("save") is not None:
        put(found, "checkpoint/at_exit", minutes.but(True, "Megatron saves before it exits"))


def put_end(found: Words) -> None:
    """Adds that Hugging Face's trainer, and what is built on it, saves after the last step where it saves at all."""
    interval = get(found, "checkpoint/interval_steps")
    note = "Hugging Face's trainer saves after its last step, too"
    put(found, "checkpoint/at_end", interval and interval.but(True, note, How.DEFAULT))
