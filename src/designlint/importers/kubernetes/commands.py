"""What a container or an entry point starts: a list of words, or a script inside the manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers import environment
from designlint.importers.base import Fragment, Source, Words
from designlint.importers.jobs import dialects, programs, sizes
from designlint.importers.megatron import names
from designlint.importers.notations.structured import Table, scalars
from designlint.importers.shell import pieces
from designlint.importers.shell.evaluator import Command, Evaluator, Script
from designlint.importers.shell.launches import launches
from designlint.importers.shell.pieces import Piece

if TYPE_CHECKING:
    from designlint.importers.base import Context
    from designlint.reading import Node

SHELLS = frozenset(("sh", "bash", "/bin/sh", "/bin/bash"))


def strings(container: Table, key: str) -> list[Node]:
    """The words under a key of a container."""
    node = container.at(key)
    scalars(container.source, node)
    return [one for one in (node.items if node is not None else []) if one.kind == "scalar"]


def run(parts: list[Node], source: Source, result: Words, found: Fragment, path: str, context: Context) -> None:
    """The words of a command; `sh -c TEXT` is a script of its own."""
    if parts[0].text in SHELLS and len(parts) > 1:
        run_text(max(parts[1:], key=lambda one: len(one.text)), source, result, found, path, context)
        return
    words = tuple((Piece(one.text, source, one.start, one.end, quoted=True),) for one in parts)
    made = Script(commands=[Command(words, {}, source, parts[0].start, parts[-1].end, True)])
    _started(made, result, found, path, context)


def run_text(node: Node, source: Source, result: Words, found: Fragment, path: str, context: Context) -> None:
    """The words of a script that stands in a manifest."""
    inner = Source(source.file, node.text, source.path)
    made = Evaluator(context.opened, context.settings).run(inner)
    _shift(made, inner, node, source)
    _started(made, result, found, path, context)


def _started(made: Script, result: Words, found: Fragment, path: str, context: Context) -> None:
    known = names.understood()
    told = [one for one in launches(made) if one.script or one.benchmark]
    main = max(
        told,
        key=lambda one: (not programs.TOOL.match(one.script.lower()), len(known & one.arguments.keys())),
        default=None,
    )
    if main is not None:
        sizes.started(result, main, found, processes=False)
        programs.fill(result, main, made, context, found, path)
        dialects.serve(result)
        for name, text in main.variables.items():
            value = pieces.value(text)
            environment.fill(result, {name: value} if value is not None else {}, found)


def _shift(made: Script, inner: Source, node: Node, source: Source) -> None:
    """Places in a script inside a manifest: the lines of the block that holds it."""
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
