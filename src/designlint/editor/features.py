"""What the server answers: each message of the protocol that it understands, in the protocol's own values."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

from lsprotocol import types

from designlint.configuration import engine
from designlint.editor import actions, completion, definitions, hover
from designlint.editor.analysis import engine_for
from designlint.editor.diagnostics import Marker
from designlint.editor.outline import outline
from designlint.editor.positions import Positions
from designlint.editor.server import Server
from designlint.reading import looks_like_design, read_bytes
from designlint.reading.errors import AuthoringError, UsageError

if TYPE_CHECKING:
    from pygls.workspace import TextDocument

    from designlint.editor.analysis import Analysis
    from designlint.editor.outline import Entry

ITEMS = {
    "key": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.Value,
    "entry": types.CompletionItemKind.Constant,
    "name": types.CompletionItemKind.Reference,
    "rule": types.CompletionItemKind.EnumMember,
}


def serve() -> None:
    """Answer a client on standard input and output until it ends the session."""
    engine.shipped_engine()
    gc.collect()
    gc.freeze()  # what stays for good need not be walked again
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # a stray print would break the protocol
    server = Server()
    follow(server)
    answer(server)
    offer(server)
    server.start_io(stdin, stdout)


def follow(server: Server) -> None:
    """Judge documents as they are opened, changed and closed."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        server.schedule_judgement(params.text_document.uri, 0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        server.judge_edited(params.text_document.uri)

    @server.feature(types.INITIALIZED)
    async def initialized(_: types.InitializedParams) -> None:
        server.watch()

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(_: types.DidSaveTextDocumentParams) -> None:
        server.refresh()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def touched(_: types.DidChangeWatchedFilesParams) -> None:
        server.refresh()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.close_document(params.text_document.uri)


def answer(server: Server) -> None:
    """Answer what is asked about a place of a document."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovered(params: types.HoverParams) -> types.Hover | None:
        known = await server.known(params.text_document.uri)
        if known is None:
            return None
        told = await server.work(hover.told_at, known, offset_of(server, known, params.position))
        if told is None:
            return None
        marker = Marker(known, params.text_document.uri, server.workspace.position_codec)
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, told.text), marker.span(told.start, told.end))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def sought(params: types.DefinitionParams) -> types.Location | None:
        known = await server.known(params.text_document.uri)
        if known is None:
            return None
        found = await server.work(definitions.definition_at, known, offset_of(server, known, params.position))
        if found is None:
            return None
        return Marker(known, params.text_document.uri, server.workspace.position_codec).place(found)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def listed(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        known = await server.known(params.text_document.uri)
        if known is None:
            return []
        marker = Marker(known, params.text_document.uri, server.workspace.position_codec)
        return [symbol(marker, one) for one in outline(known.document.root)]


def symbol(marker: Marker, entry: Entry) -> types.DocumentSymbol:
    """A part of a design as an editor lists it."""
    return types.DocumentSymbol(
        name=entry.name,
        kind=types.SymbolKind.Array if entry.many else types.SymbolKind.Object,
        range=marker.span(*entry.whole),
        selection_range=marker.span(*entry.named),
        children=[symbol(marker, one) for one in entry.parts],
    )


def offer(server: Server) -> None:
    """Offer what can be written or mended at a place of a document."""

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[" ", ":", "[", "{", ",", "/"])
    )
    async def completed(params: types.CompletionParams) -> list[types.CompletionItem]:
        document = server.document(params.text_document.uri)
        if not looks_like_design(document.source.encode("utf-8", "replace")):
            return []
        try:
            return items(server, document, params.position)
        except (AuthoringError, UsageError) as error:
            server.complain(str(error))
            return []

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions([types.CodeActionKind.QuickFix, types.CodeActionKind.RefactorRewrite, actions.FIX_ALL]),
    )
    async def offered(params: types.CodeActionParams) -> list[types.CodeAction]:
        known = await server.known(params.text_document.uri)
        if known is None:
            return []
        marker = Marker(known, params.text_document.uri, server.workspace.position_codec)
        return list(await server.work(actions.actions, marker, params.range, params.context))


def offset_of(server: Server, known: Analysis, position: types.Position) -> int:
    """The offset of a position in a judged document."""
    positions = Positions(known.document.text, server.workspace.position_codec)
    return positions.offset(known.document, position)


def items(server: Server, document: TextDocument, position: types.Position) -> list[types.CompletionItem]:
    """What can be written at a position, as an editor lists it."""
    last = server.whole.get(document.uri)
    read = read_bytes(document.source.encode("utf-8", "replace"), document.path)
    positions = Positions(read.text, server.workspace.position_codec)
    chosen = last.engine if last is not None else engine_for(document.path)
    proposed = completion.proposals(
        read.text, positions.offset(read, position), chosen, None if last is None else last.design
    )
    return [
        types.CompletionItem(
            label=one.label,
            kind=ITEMS[one.kind],
            detail=one.detail or None,
            documentation=types.MarkupContent(types.MarkupKind.Markdown, one.told) if one.told else None,
            sort_text=f"{number:05}",
            filter_text=one.label,
            text_edit=types.TextEdit(positions.span(read, one.start, one.end), one.text),
        )
        for number, one in enumerate(proposed)
    ]
