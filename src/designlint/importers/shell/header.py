"""The `#SBATCH` lines of a batch script: only those before the first command count, later ones win."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from designlint.importers import defaults
from designlint.importers.base import Fate, Value
from designlint.importers.shell.options import name_arguments
from designlint.importers.shell.pieces import cut_text, flat, value
from designlint.language.values import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from designlint.importers.base import Source
    from designlint.importers.shell.options import Argument
    from designlint.importers.shell.pieces import Piece, Text
    from designlint.importers.shell.record import Script
    from designlint.importers.shell.syntax import ScriptTree

#: What every line of a header begins with.
MARK = "#SBATCH"
SHORT = {
    "N": "nodes",
    "n": "ntasks",
    "t": "time",
    "p": "partition",
    "J": "job-name",
    "c": "cpus-per-task",
    "G": "gpus",
    "x": "exclude",
    "w": "nodelist",
    "C": "constraint",
    "A": "account",
    "o": "output",
    "e": "error",
    "q": "qos",
    "m": "distribution",
    "d": "dependency",
    "D": "chdir",
    "L": "licenses",
    "a": "array",
    "H": "hold",
    "S": "core-spec",
    "M": "clusters",
}
OPTION = re.compile(
    r"""--([A-Za-z][\w:-]*)(?:(?:[ \t]*=[ \t]*|[ \t]+)(?!-)("[^"]*"|'[^']*'|[^\s"'#][^\s]*))?"""
    r"""|-([A-Za-z])[ \t]*(?!-)("[^"]*"|'[^']*'|[^\s"'#]+)?"""
)
#: Options without a value, after which another word is no value.
SWITCHES = frozenset(
    (
        "exclusive",
        "requeue",
        "no-requeue",
        "contiguous",
        "overcommit",
        "spread-job",
        "hold",
        "parsable",
        "wait",
        "use-min-nodes",
        "reboot",
    )
)
#: How alike the names of two options are if one is meant for the other.
ALIKE = 0.85

#: What separates the components of a heterogeneous job, which get servers of several kinds together.
SEPARATOR = re.compile(r"#SBATCH[ \t]+(?:hetjob|packjob)\b")


def components(source: Source) -> list[dict[str, Value]]:
    """The options of the header by their long names; of a heterogeneous job, those of each component."""
    found: list[dict[str, Value]] = [{}]
    for start, end, text in source.lines():
        bare = text.strip()
        if bare and not bare.startswith("#"):
            break
        if SEPARATOR.match(text):
            found.append({})
            source.mark(start, end, Fate.IMMATERIAL)
        elif text.startswith(MARK):
            _read_header(source, text[len(MARK) :], start + len(MARK), end, found[-1])
    return found


def repetitions(source: Source) -> Iterator[tuple[str, int, Value]]:
    """Options that a later line of the same component states otherwise: the name, the line before, and the later value."""
    stated: dict[str, tuple[str, int]] = {}
    for number, (start, _, text) in enumerate(source.lines(), 1):
        if text.strip() and not text.lstrip().startswith("#"):
            return
        if SEPARATOR.match(text):
            stated.clear()
        for name, low, high, bare in _line_options(text[len(MARK) :]) if text.startswith(MARK) else ():
            before = stated.get(name)
            if bare is not None and before is not None and before[0] != bare:
                yield name, before[1], Value(bare, source, start + len(MARK) + low, start + len(MARK) + high)
            if bare is not None:
                stated[name] = (bare, number)


def misspelt(options: Mapping[str, Value]) -> Iterator[tuple[str, str, Value]]:
    """Options that sbatch does not know and that look like one that it does; it takes the start of a name, too."""
    known = str(defaults.tool("slurm").tables["sbatch"]["options"]).split()
    for name, at in options.items():
        if name not in known and sum(one.startswith(name) for one in known) != 1:
            swapped = [one for one in known if sorted(one) == sorted(name) or one == name.partition(":")[0]]
            yield from ((name, near, at) for near in swapped[:1] or nearest(name, known, most=1, alike=ALIKE))


def current(name: str) -> str:
    """The name of an option of sbatch or srun in place of one that is deprecated."""
    return str(defaults.tool("slurm").tables["sbatch_renamed"].get(name, name))


def submit_options(source: Source, script: Script) -> dict[str, Value]:
    """The options of the only `sbatch` command of a script that is no batch script itself; they win over those of a header."""
    if components(source) != [{}]:
        return {}
    commands = [one for one in script.commands if flat(one.words[0]) == "sbatch" and one.source is source]
    found: dict[str, Argument] = {}
    if len(commands) == 1 and commands[0].sure:
        name_arguments(list(commands[0].words[1:]), found)
    named = {current(SHORT.get(name, name.replace("_", "-"))): one.value for name, one in found.items()}
    return {name: one for name, one in named.items() if one is not None}


def late(tree: ScriptTree) -> tuple[int, list[Value]]:
    """Line of the first command, and options after it, which Slurm passes over; here-documents are of other scripts."""
    source, first, places = tree.source, 0, []
    for number, (start, end, text) in enumerate(source.lines(), 1):
        bare = text.strip()
        if not first and bare and not bare.startswith("#"):
            first = number
        if first and text.startswith("#SBATCH") and OPTION.search(text, 7):
            places.append((start, end))
    comments = {start for start, _ in map(tree.span, _comments(tree))} if places else set()
    return first, [Value(source.text[one:end], source, one, end) for one, end in places if one in comments]


def _comments(tree: ScriptTree) -> Iterator[Any]:
    waiting = [tree.root]
    while waiting:
        here = waiting.pop()
        waiting += here.children
        if here.type == "comment":
            yield here


def _read_header(source: Source, text: str, start: int, end: int, found: dict[str, Value]) -> None:
    for name, low, high, bare in _line_options(text):
        if not name:
            source.mark(start, end, Fate.UNCLEAR)
        elif bare is None:
            found[name] = Value("true", source, start + low, start + high)
        else:
            found[name] = Value(bare, source, start + low, start + high, literal=True)
    source.mark(start, end, Fate.IMMATERIAL)


def _line_options(text: str) -> Iterator[tuple[str, int, int, str | None]]:
    """The options of a line by their long names, with the places and texts of their values; of switches, those of the options."""
    comment = re.search(r"\s#", text)
    text = text[: comment.start()] if comment else text
    for one in OPTION.finditer(text):
        name = current(one[1] or SHORT.get(one[3] or "", ""))
        group = 2 if one[1] else 4
        stated = one[group]
        if name in SWITCHES and stated is not None and "=" not in text[one.start() : one.start(group)]:
            stated = None
        if stated is None:
            yield name, one.start(), one.end(), None
            continue
        bare = stated.strip("\"'")
        at = one.start(group) + (stated[:1] in "\"'")
        yield name, at, at + len(bare), bare


def written_options(document: Text) -> list[dict[str, Value]]:
    """The options of a batch script that another script writes, in which that one's variables are replaced."""
    found: list[dict[str, Value]] = [{}]
    shown = tuple(map(_open_piece, document))
    at = 0
    for line in flat(shown).splitlines(keepends=True):
        if line.strip() and not line.startswith("#"):
            break
        if SEPARATOR.match(line):
            found.append({})
        elif line.startswith(MARK):
            for name, low, high, bare in _line_options(line[len(MARK) :]):
                first = at + len(MARK) + low
                place = value(cut_text(cut_text(shown, first)[1], high - low)[0])
                if name and place is not None:
                    found[-1][name] = place._replace(text="true" if bare is None else bare, literal=bare is not None)
        at += len(line)
    for piece in shown:
        if piece.end - piece.start == len(piece.text):
            piece.source.mark(piece.start, piece.start + len(piece.text.rpartition(MARK)[0]), Fate.IMMATERIAL)
    return found


def _open_piece(piece: Piece) -> Piece:
    """What is not known as a variable that is filled in later."""
    return piece._replace(text="$UNKNOWN", unknown="") if piece.unknown else piece
