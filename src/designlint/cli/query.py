"""`designlint query`: SPARQL over a design."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated

import typer

from designlint.cli.shared.loading import load_design
from designlint.cli.shared.terminal import ListFormat, fault, print_text, watch
from designlint.language.values import closest
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection

    from designlint.language.vocabulary import Vocabulary

#: Texts and IRIs of a query, which name no word; and the words of the vocabulary that are left.
STATED = re.compile(r"""<[^<>\s]*>|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|#[^\n]*""")
NAMED = re.compile(r"(?<![\w:]):([A-Za-z]\w*)")
#: Seconds that a query may take.
PATIENCE = 60


def command(
    file: Annotated[str, typer.Argument(help="A design; with --from, a query or the name of a shipped one.")] = "",
    sparql: Annotated[str, typer.Argument(help="A SPARQL SELECT query; the prefix `:` is the vocabulary.")] = "",
    format: Annotated[ListFormat, typer.Option(help="Output format.")] = ListFormat.TEXT,
    from_: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="URL",
            help="Query the designs in this SPARQL store; without a query, list the shipped ones.",
        ),
    ] = "",
    set: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="A parameter of a shipped query, such as day=2026-03-01."),
    ] = None,
) -> None:
    """Query a design's graph, or a store of designs, with SPARQL; values are in SI units."""
    if from_:
        _ask(from_, file, set or [], format)
        return
    if not file or not sparql:
        raise UsageError("query needs a design and a SELECT, or --from URL; see `designlint query --help`")
    design = load_design(file).with_provenance()
    watch(f"the query takes more than {PATIENCE} seconds", PATIENCE)
    _warn_of_unknown_words(design.engine.vocabulary, sparql)
    try:
        names, rows = design.table(sparql)
    except (SyntaxError, ValueError) as error:
        raise UsageError(f"the query cannot run: {error}") from None
    if format is ListFormat.JSON:
        print_text(json.dumps([dict(zip(names, row, strict=True)) for row in rows], indent=2, ensure_ascii=False))
        return
    print_text("\n".join("\t".join("" if cell is None else str(cell) for cell in row) for row in [names, *rows]))


def _ask(url: str, question: str, given: list[str], format: ListFormat) -> None:
    """Ask a store."""
    from designlint.configuration import engine
    from designlint.fleet import client, questions

    if not question:
        print_text("\n".join(f"{one.name}: {one.title}" for one in questions.shipped_questions()))
        return
    _warn_of_unknown_words(engine.shipped_engine().vocabulary, question, questions.WORDS)
    names, rows = questions.answer(client.Client(url), question, dict(one.partition("=")[::2] for one in given))
    if format is ListFormat.JSON:
        print_text(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    print_text(
        "\n".join("\t".join(cells) for cells in [names, *([row.get(name, "") for name in names] for row in rows)])
    )


def _warn_of_unknown_words(vocabulary: Vocabulary, sparql: str, others: Collection[str] = ()) -> None:
    """Say which words of a query are neither of the vocabulary nor these others: they match nothing."""
    known = {*vocabulary.classes, *(word for words in vocabulary.classes.values() for word in words), *others}
    for name in dict.fromkeys(found[1] for found in NAMED.finditer(STATED.sub(" ", sparql))):
        if name not in known:
            near = closest(name, sorted(known))
            fault(
                f"`:{name}` is not a word of the vocabulary and matches nothing"
                + (f"; did you mean `:{near}`?" if near else "")
            )
