"""The configuration files of frameworks that a launched program names: of the repository, or written by the script itself."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from designlint.importers.base import Fragment, How, Source, Value, Words
from designlint.importers.frameworks import deepspeed, finetuning, torchtitan, torchtitan_options
from designlint.importers.jobs import exclusive, overrides
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table
from designlint.importers.shell import pieces
from designlint.importers.shell.options import CONFIGURATION, Argument
from designlint.importers.shell.pieces import flat
from designlint.importers.workloads import get, merge

if TYPE_CHECKING:
    from designlint.importers.base import Context
    from designlint.importers.shell.launches import Launch
    from designlint.importers.shell.pieces import Text
    from designlint.importers.shell.record import Script

DEEPSPEED = ("deepspeed_config", "ds_config", "deepspeed_configuration")
#: The variable by which Lightning finds DeepSpeed's configuration.
LIGHTNING = "PL_DEEPSPEED_CONFIG_PATH"
#: Programs whose configuration stands by itself on the command line.
TRAINED = re.compile(
    r"axolotl|llamafactory|(?:.*\.)?(?:run_)?(?:train|sft)(?:\.py)?\Z|\w+_(?:distributed|single_device)\Z"
)
#: The flags that name a configuration, by what a trainer is called.
FLAGS = {"run_train": "config_file", "sft": "config", "_distributed": "config", "_single_device": "config"}
#: Keys that one format alone has, of those that command lines change.
OWN = {
    "olmo": ("save_interval_ephemeral", "sharded_checkpointer", "remote_save_folder"),
    "maxtext": ("per_device_batch_size", "ici_fsdp_parallelism", "ici_tensor_parallelism", "base_emb_dim"),
}
TITAN = ("job.config_file", "config_file", "job_config_file", "config_files")


def of_deepspeed(words: Words, main: Launch, script: Script, context: Context, found: Fragment, path: str) -> Words:
    """DeepSpeed's configuration, whose batches are those of the command line."""
    laid = _of_deepspeed(main, script, context, found, path)
    _report_batches(words, laid, found)
    return laid


def _of_deepspeed(main: Launch, script: Script, context: Context, found: Fragment, path: str) -> Words:
    """A file that the script writes itself, or one of the repository."""
    stated = next((main.arguments[name] for name in (*DEEPSPEED, "deepspeed") if name in main.arguments), None)
    if stated is None and (exported := script.exports.get(LIGHTNING)):
        stated = Argument(pieces.value(exported), pieces.reason(exported), exported[0])
    if stated is None:
        return {}
    name = stated.value.text if stated.value is not None else ""
    written = next((text for file, text in script.files.items() if _same(file, name)), None)
    if written is None and not name.endswith(".json"):
        written = next((text for text in script.files.values() if "zero_optimization" in flat(text)), None)
    if written is not None:
        return _read_here_document(written, main.command.source, found, path)
    if not name.endswith(".json"):
        return {}
    at = stated.value or Value("", stated.at.source, stated.at.start, stated.at.end)
    return deepspeed.of_file(at, main.command.source, context, found, path) or {}


def _report_batches(words: Words, laid: Words, found: Fragment) -> None:
    """Notes batches that DeepSpeed's configuration states otherwise than the command line: the engine counts by its own."""
    for word in ("micro_batch", "global_batch") if "targets" in words else ():  # an evaluation trains on none
        one, other = (get(each, f"parallelism/{word}") for each in (words, laid))
        known = [each is not None and each.how is How.STATED and each.number for each in (one, other)]
        if one is not None and other is not None and all(known) and known[0] != known[1]:
            found.clash("import/conflict", other, word=word, one=other.text, other=one.text, where=one.place)


def of_torchtitan(words: Words, main: Launch, context: Context, found: Fragment, path: str) -> None:
    """TorchTitan's TOML, under what the command line overrides."""
    exclusive.report_misspelt_sections(main, found)
    given = {
        name: one.value or Value("", one.at.source, one.at.start, one.at.end)
        for name, one in main.arguments.items()
        if name in torchtitan_options.understood()
    }
    stated = next((main.arguments[name] for name in TITAN if name in main.arguments), None)
    opened: Source | str = "its name is not known"
    if stated is not None and stated.value is not None:
        found.fact("configuration file", stated.value)
        opened = context.opened(main.command.source, stated.value.text)
        if isinstance(opened, str):
            found.unknown(
                f"{path}/parallelism",
                f"TorchTitan's configuration {stated.value.text} is not read: {opened}",
                "designlint import it as well",
                stated.value,
            )
    if isinstance(opened, str):
        merge(words, torchtitan.options(main.command.source, found, given))
    elif torchtitan.is_torchtitan(opened):
        inner = torchtitan.workload(opened, found, given).words["workloads"]
        merge(words, {key: value for key, value in inner[0].items() if key != "name"})  # type: ignore[union-attr, index]


def of_trainer(words: Words, main: Launch, context: Context, found: Fragment, path: str) -> None:
    """The configuration that the command line of a trainer names, under what its flags and keys say."""
    names = (CONFIGURATION, *(flag for name, flag in FLAGS.items() if name in main.script))
    stated = next((main.arguments[name] for name in names if name in main.arguments), None)
    if stated is None or stated.value is None or not TRAINED.match(main.script):
        return
    found.fact("configuration file", stated.value)
    opened = context.opened(main.command.source, stated.value.text)
    if isinstance(opened, str):
        why = f"the configuration {stated.value.text} is not read: {opened}"
        found.unknown(f"{path}/parallelism", why, "designlint import it as well", stated.value)
        merge(words, overrides.read_overrides(_guess_format(main), main, context) if _guess_format(main) else {})
    elif (dialect := finetuning.recognise_dialect(opened)) is not None:
        merge(words, finetuning.workload(opened, dialect, context, found, path))
        structured.close(opened, "finetuning")
    elif (laid := overrides.laid_over(opened, main, context, found, path)) is not None:
        merge(words, laid)


def _guess_format(main: Launch) -> str:
    """The format of a configuration that is not here, by what starts the program and by names that one format alone has."""
    if "composer" in main.launchers:
        return "llm-foundry"
    if main.script.endswith(("_distributed", "_single_device")):
        return "torchtune"
    return next((name for name, own in OWN.items() if any(one.lstrip(".") in own for one in main.arguments)), "")


def _same(file: str, name: str) -> bool:
    return bool(name) and file.rpartition("/")[2] == name.rpartition("/")[2]


def _read_here_document(text: Text, source: Source, found: Fragment, path: str) -> Words:
    """A configuration in a here-document: read as text, its values moved back to where they stand in the script."""
    whole = flat(text)
    copy = Source(source.file, whole, Path(source.path))
    root = structured.root(copy)
    if root is None:
        return {}
    scratch = Fragment()
    words = deepspeed.workload(Table(copy, root), scratch, path)
    spans: list[tuple[int, int, Any]] = []
    at = 0
    for piece in text:
        spans.append((at, at + len(piece.text), piece))
        at += len(piece.text)
    _move(words, copy, spans)
    for fact in scratch.facts:
        found.fact(fact.name, _move_value(fact.value, copy, spans))
    for clash in scratch.clashes:
        found.clash(clash.rule, _move_value(clash.at, copy, spans), **clash.values)
    return words


def _move(words: Any, copy: Source, spans: list[tuple[int, int, Any]]) -> None:
    for word, value in words.items():
        if isinstance(value, Value):
            words[word] = _move_value(value, copy, spans)
        elif isinstance(value, dict):
            _move(value, copy, spans)


def _move_value(value: Value, copy: Source, spans: list[tuple[int, int, Any]]) -> Value:
    if value.source is not copy:
        return value
    for low, high, piece in spans:
        if low <= value.start < high:
            literal = piece.end - piece.start == len(piece.text)
            place = (
                (piece.start + value.start - low, piece.start + value.end - low)
                if literal
                else (piece.start, piece.end)
            )
            return value._replace(source=piece.source, start=place[0], end=place[1])
    return value._replace(source=spans[0][2].source, start=spans[0][2].start, end=spans[0][2].end) if spans else value
