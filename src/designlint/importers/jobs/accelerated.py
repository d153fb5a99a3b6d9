"""What `accelerate launch` says: its options, over those of its configuration file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.frameworks import accelerate
from designlint.importers.jobs import sizes
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table
from designlint.importers.workloads import count, merge

if TYPE_CHECKING:
    from designlint.importers.base import Context, Fragment, Value, Words
    from designlint.importers.shell.launches import Launch


def fill(words: Words, main: Launch, context: Context, found: Fragment, path: str, *, whole_job: bool) -> None:
    """
    Adds what accelerate says to the words of its workload.

    Args:
        whole_job: the program runs on all servers of the job, so that they are counted here, too.
    """
    if "accelerate" not in main.launchers:
        return
    given = _file(main, context, found, path)
    for name, argument in main.runner.items():
        given.pop(name, None)
        if argument.value is not None:
            given[name] = argument.value
    if whole_job and accelerate.on_gpus(given):
        if "num_machines" not in main.runner and (servers := count(given.get("num_machines"))) is not None:
            sizes.agree(words, "job/servers", servers, found)
        if "num_processes" not in main.runner:
            sizes.processes_of_all(words, count(given.get("num_processes")), found)
    merge(words, accelerate.workload(given, main.command.source, context, found, path))


def _file(main: Launch, context: Context, found: Fragment, path: str) -> dict[str, Value]:
    """The options of the configuration file that the command names."""
    stated = main.runner.get("config_file")
    if stated is None or stated.value is None:
        return {}
    opened = context.opened(main.command.source, stated.value.text)
    if isinstance(opened, str):
        why = f"accelerate's configuration {stated.value.text} is not read: {opened}"
        found.unknown(f"{path}/parallelism/zero_stage", why, "designlint import it as well", stated.value)
        return {}
    root = structured.root(opened)
    given = accelerate.options(Table(opened, root))
    structured.close(opened, "accelerate")
    return given
