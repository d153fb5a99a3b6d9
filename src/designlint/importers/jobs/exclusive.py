"""Arguments of a trainer, and options of sbatch, that these refuse: two that exclude each other, values, misspelt names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import checked, defaults
from designlint.importers.base import Value
from designlint.importers.frameworks import torchtitan_options
from designlint.importers.megatron import names
from designlint.importers.megatron.saving import TRAINER
from designlint.importers.workloads import NO

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Set

    from designlint.importers.base import Fragment
    from designlint.importers.defaults import Tool
    from designlint.importers.shell.launches import Launch

#: The modules of verl itself, and of the recipes beside it.
VERL = ("verl.", "recipe.")


def report(main: Launch, given: Mapping[str, Value], found: Fragment, *, megatron: bool) -> None:
    """Notes pairs of arguments that are both in effect; programs that build on verl check what they like."""
    checked.report(given, found, defaults.tool("vllm"), _flag)
    if main.script.startswith(VERL):
        checked.report(given, found, defaults.tool("verl"), lambda name: name.lstrip("."))
    name = "megatron-lm" if megatron else "transformers" if TRAINER in given else ""
    if name:
        spell = _flag if megatron else _option
        checked.report(given, found, defaults.tool(name), spell)
        _report_pairs(given, found, defaults.tool(name), spell)


def report_options(given: Mapping[str, Value], found: Fragment) -> None:
    """Notes pairs of options of a batch header that sbatch refuses together."""
    _report_pairs(given, found, defaults.tool("slurm"), _option, frozenset())


def _report_pairs(
    given: Mapping[str, Value], found: Fragment, tool: Tool, spell: Callable[[str], str], off: Set[str] = NO
) -> None:
    for first, others in tool.tables["exclusive"].items():
        for second in others:
            one, other = given.get(first), given.get(second)
            if one is None or other is None or not {one.text.lower(), other.text.lower()}.isdisjoint(off):
                continue
            found.clash(
                "import/arguments-exclude-each-other", other, name=spell(first), other=spell(second), where=one.place,
                tool=tool.name,
            )  # fmt: skip


def report_misspelt(main: Launch, given: Mapping[str, Value], found: Fragment, *, megatron: bool) -> None:
    """Notes arguments that look like one of those of Megatron-LM or of Hugging Face's trainer."""
    known = names.understood()
    if not (megatron or TRAINER in given):
        return
    label, spell = defaults.tool("megatron-lm" if megatron else "transformers").name, _flag if megatron else _option
    for name, near in checked.misspelt(
        [one for one in main.arguments if "." not in one and one not in defaults.immaterial("megatron-lm")], known
    ):
        at = main.arguments[name].at
        place, flags = (
            Value("", at.source, at.start, at.end),
            [spell(one) for one in (name, near)],
        )
        found.clash("import/misspelt-key", place, name=flags[0][:60], proposal=flags[1], tool=label)


def report_misspelt_sections(main: Launch, found: Fragment) -> None:
    """Notes options of TorchTitan whose section or own name is misspelt; it refuses both."""
    for name, near in torchtitan_options.misspelt(main.arguments):
        at = main.arguments[name].at
        place = Value("", at.source, at.start, at.end)
        tool = defaults.tool("torchtitan").name
        found.clash("import/misspelt-key", place, name=_option(name)[:60], proposal=_option(near), tool=tool)


def report_recipe(main: Launch, at: Value, found: Fragment) -> None:
    """Notes options of torchrun before a recipe of torchtune that runs on a single device."""
    tool = defaults.tool("torchtune")
    option = next(iter(main.runner.items()), None)
    if option is not None and main.script in tool.tables["recipes"]["single_device"]:
        name, piece = _option(option[0]), option[1].at
        place = Value("", piece.source, piece.start, piece.end)
        found.clash(
            "import/arguments-exclude-each-other", place, name=main.script, other=name, where=at.place, tool=tool.name
        )


def _flag(name: str) -> str:
    """A name as the command line has it; keys of a configuration stay as they are."""
    return name.lstrip(".") if "." in name else f"--{name.replace('_', '-')}"


def _option(name: str) -> str:
    return f"--{name}"
