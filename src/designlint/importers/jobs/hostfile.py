"""Lists of servers: those that DeepSpeed's launcher takes from a hostfile of the repository, and those of an option of Slurm."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fate, Value, Words, put
from designlint.importers.jobs import sizes
from designlint.importers.workloads import count, get
from designlint.language import hostlists

if TYPE_CHECKING:
    from designlint.importers.base import Context, Fragment, Source
    from designlint.importers.shell.launches import Launch

#: A server with the processes that it runs, as DeepSpeed's launcher reads it.
INCLUDED = re.compile(r"[\w.-]+:(\d+(?:,\d+)*)")
HOST = re.compile(r"^[ \t]*([^\s#]\S*)[ \t]+slots=(\d{1,3})\b", re.MULTILINE)


def fill(words: Words, main: Launch, context: Context, found: Fragment) -> None:
    """Adds the servers and GPUs that a hostfile names, where nothing picks some of them; others must agree."""
    stated = main.runner.get("hostfile") or main.runner.get("H")
    if "deepspeed" in main.launchers:
        _put_included(words, main)
    if "deepspeed" not in main.launchers or stated is None or stated.value is None:
        return
    opened = context.opened(main.command.source, stated.value.text)
    if isinstance(opened, str) or not {"include", "i", "exclude", "e"}.isdisjoint(main.runner):
        return
    hosts = list(HOST.finditer(opened.text))
    if not hosts:
        return
    for one in hosts:
        opened.mark(one.start(1), one.end(), Fate.UNDERSTOOD)
    number = _place(opened, hosts[0]).but(len({one[1] for one in hosts}), "servers of the hostfile")
    limit = main.runner.get("num_nodes")
    most = count(limit.value) if limit is not None else None
    if limit is None or (most is not None and most.number is not None and most.number > len(hosts)):
        sizes.agree(words, "job/servers", number, found)
    slots = {one[2] for one in hosts}
    if len(slots) == 1 and "num_gpus" not in main.runner:
        sizes.agree(
            words, "job/gpus_per_server", _place(opened, hosts[0]).but(hosts[0][2], "slots of each server"), found
        )


def _put_included(words: Words, main: Launch) -> None:
    """Servers and GPUs as `--include=a:0,1@b:0,1` names them, where each has as many."""
    stated = main.runner.get("include") or main.runner.get("i")
    value = stated.value if stated is not None else None
    named = [INCLUDED.fullmatch(one) for one in value.text.split("@")] if value is not None else []
    slots = {one[1].count(",") + 1 if one is not None else 0 for one in named}
    if value is None or len(slots) != 1 or 0 in slots:
        return
    if get(words, "job/gpus_per_server") is None:
        put(words, "job/gpus_per_server", value.but(max(slots), "slots that are included"))
    if get(words, "job/servers") is None:
        put(words, "job/servers", value.but(len(named), "servers that are included"))


def _place(source: Source, host: re.Match[str]) -> Value:
    return source.value(host[2], host.start(2), host.end(2))


def count_hosts(servers: Value | None) -> Value | None:
    """How many servers a list of hosts names."""
    if servers is None or not servers.text or "$" in servers.text:
        return None
    try:
        found = hostlists.expand(servers.text)
    except hostlists.HostListError:
        return None
    return servers.but(len(found), "counted from the list of hosts")
