"""What a container or an entry point starts: a list of words, or a script inside the manifest."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from designlint.importers import environment
from designlint.importers.base import Fragment, How, Source, Value, Words, put, whole
from designlint.importers.jobs import dialects, launcher_values, meeting, programs, roles, serving, sizes
from designlint.importers.megatron import names
from designlint.importers.notations.structured import Table, scalars
from designlint.importers.shell import pieces
from designlint.importers.shell.evaluator import Evaluator
from designlint.importers.shell.launches import launches
from designlint.importers.shell.pieces import Piece, Text
from designlint.importers.shell.record import Command, Script
from designlint.importers.shell.rewriting import guard
from designlint.importers.shell.slips import slips
from designlint.importers.shell.syntax import parse_script
from designlint.importers.workloads import count

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from designlint.importers.base import Context
    from designlint.importers.shell.launches import Launch
    from designlint.reading import Node

#: Ranks of each server, as options of MPI's launchers count them.
PLACED = ("npernode", "ppn", "N")
#: Launchers of MPI, and their options that say how many ranks a server takes, or where these are.
MPI = frozenset(("mpirun", "mpiexec"))
MAPPING = frozenset(("map_by", "ppr", "npersocket", "bynode", "rankfile"))
HOSTS = frozenset(("oversubscribe", "host", "H", "hostfile", "machinefile"))
#: GPUs of each thread, and threads of each rank, of a benchmark.
TAKEN = ("g", "ngpus", "t", "nthreads")
SHELLS = frozenset(("sh", "bash", "/bin/sh", "/bin/bash"))


def strings(container: Table, key: str) -> list[Node]:
    """The words under a key of a container."""
    node = container.at(key)
    scalars(container.source, node)
    return [one for one in (node.items if node is not None else []) if one.kind == "scalar"]


class Pod(NamedTuple):
    """
    What holds for all commands of a container.

    Attributes:
        by_itself: only the command says where pods meet, and how many there are.
        counts: the pods of its kind, and those of all kinds that compute; one of both is what the command waits for.
        gpus: those of each pod that computes, where every one of them takes a rank of its own.
        slots: ranks for which MPI's launcher has room in each pod.
    """

    variables: Mapping[str, Text] = {}
    by_itself: bool = False
    counts: tuple[Value, ...] = ()
    gpus: Value | None = None
    slots: Value | None = None


NONE = Pod()


def variables(container: Table) -> dict[str, Text]:
    """The variables that a container states; those that come from elsewhere are not known."""
    found: dict[str, Text] = {}
    for one in container.tables("env"):
        name, value = one.get("name"), one.at("value")
        if name is not None and value is not None and value.kind == "scalar":
            found[name.text] = (Piece(value.text, container.source, value.start, value.end),)
        elif name is not None:
            found[name.text] = (Piece("", container.source, 0, 0, unknown=f"{name.text} is set when the pod starts"),)
    return found


def run(
    parts: list[Node], source: Source, result: Words, found: Fragment, path: str, context: Context, pod: Pod
) -> None:
    """The words of a command; `sh -c TEXT` is a script of its own."""
    if parts[0].text in SHELLS and len(parts) > 1:
        run_text(max(parts[1:], key=lambda one: len(one.text)), source, result, found, path, context, pod)
        return
    words = tuple(_expand_word(one, source, pod.variables) for one in parts)
    made = Script(commands=[Command(words, {}, source, parts[0].start, parts[-1].end, True)], exports={**pod.variables})
    _put_started(made, result, found, path, context, pod)


def _expand_word(node: Node, source: Source, known: Mapping[str, Text]) -> Text:
    """A word of a command, in which Kubernetes replaces `$(NAME)` by the container's variables."""
    texts = [(one, known.get(one[2:-1])) for one in re.findall(r"\$\(\w+\)|(?:(?!\$\(\w+\)).)+", node.text, re.DOTALL)]
    pieces = (value or (Piece(one, source, node.start, node.end),) for one, value in texts)
    return tuple(piece._replace(quoted=True) for value in pieces for piece in value)


def run_text(
    node: Node, source: Source, result: Words, found: Fragment, path: str, context: Context, pod: Pod = NONE
) -> None:
    """The words of a script that stands in a manifest."""
    inner = Source(source.file, node.text, source.path)
    evaluator = Evaluator(context.opened, context.settings)
    evaluator.scope.variables.update(pod.variables)
    evaluator.script.exports.update(pod.variables)
    made = evaluator.run(inner)
    moved = _mover(inner, node, source)
    for one in slips(parse_script(inner), batch=False, whole=False):
        at = moved(Piece("", inner, one.start, one.end))
        found.clash(one.rule, Value("", source, at.start, at.end), **one.values)
    _shift(made, moved, node, source)
    _put_started(made, result, found, path, context, pod)


def _put_started(made: Script, result: Words, found: Fragment, path: str, context: Context, pod: Pod) -> None:
    known, context = names.understood(), guard(made, context)
    main = max(launches(made), key=lambda one: _weight(one, known), default=None)
    if main is not None:
        roles.choose(main)
        dialects.adapt(main)
        dialects.start_torchrun(main, made.exports)
        sizes.put_started_size(result, main, found, processes=False)
        programs.fill(result, main, made, context, found, path)
        launcher_values.report(main, {**pod.variables, **made.exports}, found)
        if pod.by_itself:
            meeting.fill(result, main, made, found, batch=True, whole_job=False)
            meeting.alone(result, main, made)
        elif (whole(pod.counts[0]) if pod.counts else 0) != 1:
            meeting.put_local_host(result, main, found)
            meeting.put_same_rank(result, main)
        _put_awaited(main, pod, result, found)
        _put_ranks(main, pod, found)
        serving.serve(result, main, context, found)
        own = {name: text for name, text in made.exports.items() if pod.variables.get(name) != text}
        for name, text in (own | main.variables).items():
            value = pieces.value(text)
            environment.fill(result, {name: value} if value is not None else {}, found)


def _weight(one: Launch, known: frozenset[str]) -> tuple[bool, bool, int, bool]:
    """What tells a launch of training from one that prepares data, or starts what is not known."""
    told = bool(one.script or one.benchmark)
    return told, not programs.TOOL.match(one.script.lower()), len(known & one.arguments.keys()), bool(one.launchers)


def _put_awaited(main: Launch, pod: Pod, result: Words, found: Fragment) -> None:
    """Adds the pods that a launcher waits for, where they are neither those of its kind nor all that there are."""
    stated = main.runner.get("nnodes")
    number = count(sizes.fixed_servers(stated.value, found)) if stated is not None else None
    if number is None or number.how is How.DEFAULT or not pod.counts or not main.command.sure:
        return
    if whole(number) not in {whole(one) for one in pod.counts}:
        put(result, "job/launcher_servers", number)


def _put_ranks(main: Launch, pod: Pod, found: Fragment) -> None:
    """The ranks that a launcher starts in a pod take a GPU each; a benchmark says how many each rank takes."""
    name = next((one for one in (*PLACED, "nproc_per_node") if one in main.runner), "")
    number = count(main.runner[name].value) if name else None
    if MPI & {*main.launchers} and pod.slots is not None and HOSTS.isdisjoint(main.runner):
        spread = bool(name) or not MAPPING.isdisjoint(main.runner)
        if not _fits(main, pod, pod.slots, found, spread=spread):
            return
        if not spread:
            name, number = PLACED[0], pod.slots
    if number is None or number.how is How.DEFAULT or pod.gpus is None or not main.command.sure:
        return
    _check_places(main, number, pod, found)
    ranks, gpus = whole(number) or 0, whole(pod.gpus) or 0
    each = [main.arguments[one].value for one in TAKEN if one in main.arguments] if main.benchmark else []
    fewer = name not in PLACED or (bool(main.benchmark) and None not in each)
    for one in each:
        ranks *= whole(one) or 1
    if sizes.VISIBLE not in main.command.variables and (ranks > gpus or (ranks < gpus and fewer)):
        place, known = number.place, pod.gpus
        found.clash("import/conflict", known, word="gpus_per_worker", one=known.text, other=str(ranks), where=place)


def _check_places(main: Launch, each: Value, pod: Pod, found: Fragment) -> None:
    """All ranks that MPI is to start must fit on the pods, at so many on each."""
    tasks = next((count(main.runner[name].value) for name in ("np", "n") if name in main.runner), None)
    places = (whole(each) or 0) * (whole(pod.counts[-1]) or 0) if pod.counts and MPI & {*main.launchers} else 0
    if tasks is not None and pod.slots is None and 0 < places < (whole(tasks) or 0):
        other = f"{places} ({each.text} on each of {pod.counts[-1].text} workers)"
        found.clash("import/conflict", tasks, word="tasks", one=tasks.text, other=other, where=each.place)


def _fits(main: Launch, pod: Pod, slots: Value, found: Fragment, *, spread: bool) -> bool:
    """
    Whether there is room for the ranks that MPI is to start: it refuses more. Fewer may leave whole pods idle.

    Args:
        spread: an option says how ranks are spread over pods; else they fill one pod after the other.
    """
    tasks = next((count(main.runner[name].value) for name in ("np", "n") if name in main.runner), None)
    each = whole(slots) or 0
    places = each * (whole(pod.counts[-1]) or 0) if pod.counts else 0
    most = places if spread or places == each else places - each + 1
    if (
        tasks is None
        or not places
        or not main.command.sure
        or (most if not spread else 0) <= (whole(tasks) or 0) <= places
    ):
        return True
    other = f"{places} ({each} slots on each of {places // each} workers)"
    found.clash("import/conflict", tasks, word="tasks", one=tasks.text, other=other, where=slots.place)
    return False


def _mover(inner: Source, node: Node, source: Source) -> Callable[[Piece], Piece]:
    """What moves places in a script inside a manifest to the lines of the block that holds it."""
    first = source.line_of(node.start)
    block = source.text[node.start : node.start + 1] in "|>"

    def moved(piece: Piece) -> Piece:
        if piece.source is not inner:
            return piece
        if not block:
            return piece._replace(source=source, start=node.start, end=node.end)
        line = min(first + inner.line_of(min(piece.start, len(inner.text))), source.line_of(node.end))
        start = source.document.offset(line, 1)
        return piece._replace(source=source, start=start, end=start + len(source.document.line(line)))

    return moved


def _shift(made: Script, moved: Callable[[Piece], Piece], node: Node, source: Source) -> None:
    """Moves what a script inside a manifest states."""
    made.commands = [
        one._replace(
            words=tuple(tuple(map(moved, word)) for word in one.words),
            variables={key: tuple(map(moved, text)) for key, text in one.variables.items()},
            source=source, start=node.start, end=node.end,
        )
        for one in made.commands
    ]  # fmt: skip
    made.exports = {key: tuple(map(moved, text)) for key, text in made.exports.items()}
    made.files = {key: tuple(map(moved, text)) for key, text in made.files.items()}
