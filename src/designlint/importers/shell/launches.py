"""The commands of a script that start training or a benchmark, with their arguments by name."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from msgspec import Struct, field

from designlint.importers.shell.options import Argument, name_arguments
from designlint.importers.shell.pieces import Text, cut_text, flat, partition_text, reason
from designlint.importers.shell.splitting import inside, own_variables, split
from designlint.importers.shell.starters import (
    ASSIGNMENT,
    ATTACHED,
    BENCHMARK,
    LAUNCHERS,
    MARKS,
    MCA,
    MODULES,
    ORDERS,
    PASSED,
    PROGRAM,
    PYTHON,
    QUIET,
    RECIPE,
    SCRIPT,
    SERVERS,
    SIZED,
    STARTED_BY,
    STARTERS,
    SWITCHES,
    TRAINER,
    TUNE,
    WRAPPED,
)
from designlint.importers.shell.submitted import documents

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.importers.shell.record import Command, Script

DEEPEST = 4


class Launch(Struct):
    """
    A command that starts processes.

    Attributes:
        arguments: of the script or benchmark; `runner` of torchrun, mpirun or deepspeed; `scheduler` of srun.
        told: names of arguments that are read as keys of a configuration.
        open: something that is not known stands where further arguments might.
        runner_open: the same among the options of the launcher.
    """

    command: Command
    script: str = ""
    benchmark: str = ""
    launchers: list[str] = field(default_factory=list)
    arguments: dict[str, Argument] = field(default_factory=dict)
    runner: dict[str, Argument] = field(default_factory=dict)
    scheduler: dict[str, Argument] = field(default_factory=dict)
    variables: dict[str, Text] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)
    open: bool = False
    runner_open: bool = False


def launches(script: Script) -> Iterator[Launch]:
    """Every command that starts processes, also those inside `bash -c`, in variables, in files that the script writes."""
    for command in script.commands:
        sized = any(SIZED.match(flat(word)) for word in command.words)
        known = script.exports if sized else script.scheduled | script.exports
        words = tuple(inside(word, known) if len(word) and " " in flat(word) else word for word in command.words)
        yield from _of(command, words, 0)
    handed = documents(script)
    for name, text in script.files.items():
        submitted = any(one is text for one in handed)
        if script.commands and (submitted or name.endswith((".sh", ".bash"))):
            outer = next((one for one in script.commands if _starts(one, name)), script.commands[-1])
            around = _launch(outer, outer.words)
            for words in split(inside(text, script.scheduled) if submitted else text):
                for launch in _of(outer._replace(variables={}), words, 1):
                    yield _within(launch, around)


def _starts(command: Command, name: str) -> bool:
    """Whether a command runs a script that was written before."""
    words = [flat(word) for word in command.words]
    return any(word.rpartition("/")[2] == name.rpartition("/")[2] for word in words) and words[0] not in (
        "echo",
        "cat",
        "chmod",
        "rm",
    )


def _within(launch: Launch, around: Launch | None) -> Launch:
    """A launch that another command starts: what that one says holds, too."""
    if around is not None:
        launch.scheduler = around.scheduler | launch.scheduler
        launch.runner = around.runner | launch.runner
        launch.runner_open = launch.runner_open or around.runner_open
        launch.launchers = around.launchers + launch.launchers
    return launch


def _of(command: Command, words: Sequence[Text], depth: int) -> Iterator[Launch]:
    if not words or depth > DEEPEST or _plain(words[0]) in QUIET:
        return
    if _plain(words[0]) == "sbatch":
        yield from _wrapped_commands(command, words, depth)
        return
    found = _launch(command, words)
    if found is not None and (found.script or found.benchmark):
        yield found
        return
    inner = False
    for word in words:
        text = flat(word)
        if len(text) > 20 and re.search(r"\s", text) and any(one in text for one in MARKS):
            for one in split(word):
                for launch in _of(command, one, depth + 1):
                    inner = True
                    yield _within(launch, found)
    if found is not None and not inner and found.launchers:
        yield found


def _wrapped_commands(command: Command, words: Sequence[Text], depth: int) -> Iterator[Launch]:
    """What sbatch is told to run on its command line, with the options beside it."""
    at = next((number for number, word in enumerate(words) if WRAPPED.match(flat(word))), None)
    if at is None:
        return
    after = partition_text(words[at], "=")[1]
    text = after if after is not None else words[at + 1] if at + 1 < len(words) else ()
    options: dict[str, Argument] = {}
    name_arguments([part for word in words[1:at] for part in _detach(word)], options)
    for one in split(text):
        for launch in _of(command, one, depth + 1):
            launch.scheduler = options | launch.scheduler
            yield launch


def _plain(word: Text) -> str:
    return "" if reason(word) else flat(word)


def _launch(command: Command, words: Sequence[Text]) -> Launch | None:
    """The command as a launch; None where nothing in it starts processes."""
    launch = Launch(command, variables=command.variables | own_variables(words))
    area: list[Text] = []
    here: list[tuple[str, list[Text]]] = [("", area)]
    at = 0
    while at < len(words):
        text = _plain(words[at])
        name, length = _launcher(words, at)
        if name and not launch.script:
            launch.launchers.append(name)
            here.append((name, []))
            at += length - 1
        elif own := _program(launch, words, at):
            here += _trainer_parts(launch, list(words[at + own :]))
            break
        elif text == "-m" and at + 1 < len(words):
            module = _plain(words[at + 1])
            at += 1
            if here[-1][0] or (at > 1 and PYTHON.match(_plain(words[at - 2]))):
                launch.script = module
                here.append(("script", list(words[at + 1 :])))
                break
        elif here[-1][0] in ("srun", "mpirun", "mpiexec") and (
            STARTERS.match(text) or PYTHON.match(text) or (PROGRAM.match(text) and not _belongs(here[-1][1]))
        ):
            here.append(("other", [words[at]]))
        elif _is_script(words[at]) and (here[-1][0] or not at or PYTHON.match(_last(words[:at]))):
            launch.script = flat(words[at]).rpartition("/")[2]
            here.append(("script", list(words[at + 1 :])))
            break
        else:
            here[-1][1].append(words[at])
        at += 1
    if len(here) == 1:
        return None
    for name, part in here:
        _sort(launch, name, part)
    return launch


def _launcher(words: Sequence[Text], at: int) -> tuple[str, int]:
    """The launcher that starts here, and how many words name it; empty where none does."""
    one, two = (*map(_plain, words[at : at + 2]), "")[:2]
    known = LAUNCHERS.match(one)
    if known:
        return known[1], 1
    module = MODULES.match(two) if one == "-m" else None
    if module is not None:
        return module[1] or "torchrun", 2
    return ("torchrun", 2) if two == "run" and TUNE.match(one) else ("", 0)


def _belongs(before: Sequence[Text]) -> bool:
    """Whether what follows these words is a value of one of their options; those of Open MPI's `--mca` have two."""
    last = [_plain(one) for one in before[-2:]]
    waits = bool(last) and last[-1].startswith("-") and "=" not in last[-1] and not SWITCHES.match(last[-1])
    return not last or waits or (len(last) > 1 and last[0] in MCA)


def _program(launch: Launch, words: Sequence[Text], at: int) -> int:
    """How many words name a benchmark, or a command that trains by itself; 0 where these do not."""
    text = _plain(words[at])
    benchmark, trainer = BENCHMARK.match(text), TRAINER.match(text)
    if launch.launchers[-1:] == ["torchrun"] and RECIPE.match(text) and not (at and _belongs(words[:at])):
        launch.script = text.rpartition("/")[2]
        return 1
    if benchmark and not launch.script:
        launch.benchmark = benchmark[1]
        return 1
    if trainer and at + 1 < len(words) and _plain(words[at + 1]) in ORDERS:
        launch.script = trainer[1]
        return 2
    return 0


def _trainer_parts(launch: Launch, words: list[Text]) -> list[tuple[str, list[Text]]]:
    """The arguments of a command that trains, and behind `--` those of the launcher that it is told to use."""
    if words and words[0] and launch.script in SERVERS and not _plain(words[0]).startswith("-"):
        words = [(words[0][0]._replace(text="--model", unknown="", quoted=False),), *words]  # it stands by itself
    plain = [*map(_plain, words)]
    cut = plain.index(PASSED) if PASSED in plain else len(words)
    named = (two for one, two in itertools.pairwise(plain[:cut]) if one == STARTED_BY)
    launcher = next((one for one in named if LAUNCHERS.match(one)), "")
    if not launcher or cut == len(words):
        return [("script", words)]
    launch.launchers.append(launcher)
    return [("script", words[:cut]), (launcher, words[cut + 1 :])]


def _last(words: Sequence[Text]) -> str:
    """The last word that is no option of Python's own."""
    return next((text for text in (_plain(one) for one in reversed(words)) if not text.startswith("-")), "")


def _is_script(word: Text) -> bool:
    """Whether a word names a Python file; the folder before it may be unknown."""
    last = word[-1] if word else None
    return last is not None and not last.unknown and SCRIPT.match(flat(word)) is not None and "=" not in flat(word)


def _sort(launch: Launch, name: str, words: list[Text]) -> None:
    if name == "other":
        return
    target = launch.arguments if name == "script" else launch.scheduler if name == "srun" else launch.runner
    if name == "srun":
        words = [part for word in words for part in _detach(word)]
    if name in ("mpirun", "mpiexec"):
        words = _exported_variables(launch, words)
    loose = name_arguments(words, target)
    if name == "script":
        launch.open = launch.open or loose
    elif target is launch.runner:
        launch.runner_open = launch.runner_open or loose


def _detach(word: Text) -> tuple[Text, ...]:
    """An option of one letter and its value, which srun takes in one word: `-N2`."""
    return cut_text(word, 2) if ATTACHED.match(_plain(word)) else (word,)


def _exported_variables(launch: Launch, words: list[Text]) -> list[Text]:
    """mpirun's `-x NAME=VALUE`: the first `=` ends the name, a second one belongs to the value."""
    rest: list[Text] = []
    at = 0
    while at < len(words):
        if _plain(words[at]) in ("-x", "-env", "-genv") and at + 1 < len(words):
            name, given = partition_text(words[at + 1], "=")
            if given is not None and ASSIGNMENT.match(name):
                launch.variables[name] = given
            at += 2
            continue
        rest.append(words[at])
        at += 1
    return rest
