"""An editor's side of a session with `designlint lsp`: a process of its own, spoken to over its standard input and output."""

from __future__ import annotations

import asyncio
import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from lsprotocol import types
from pygls.lsp.client import LanguageClient

if TYPE_CHECKING:
    from pathlib import Path

#: Seconds that an answer may take before a session is given up.
PATIENCE = 60.0


class Session:
    """
    One session, from `initialize` to `exit`.

    Attributes:
        published: the diagnostics of each document as last published, with the version that they are of.
        shown: messages that the server wanted to be shown.
        code: how the server ended, and `errors` what it wrote beside the protocol.
    """

    def __init__(self, folder: Path, encodings: tuple[types.PositionEncodingKind, ...] = ()) -> None:
        self.folder, self.encodings = folder, encodings
        self.client = LanguageClient("editor", "1")
        self.published: dict[str, types.PublishDiagnosticsParams] = {}
        self.shown: list[str] = []
        self.times = 0
        self.code: int | None = None
        self.errors = ""
        self.news = asyncio.Event()
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(partial(self._published))
        self.client.feature(types.WINDOW_SHOW_MESSAGE)(lambda params: self.shown.append(params.message))

    async def __aenter__(self) -> Self:
        await self.client.start_io(sys.executable, "-m", "designlint", "lsp", "--stdio", cwd=self.folder)
        general = types.GeneralClientCapabilities(position_encodings=list(self.encodings) or None)
        self.started = await self.client.initialize_async(
            types.InitializeParams(types.ClientCapabilities(general=general), root_uri=self.folder.as_uri())
        )
        self.client.initialized(types.InitializedParams())
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.wait_for(self.client.shutdown_async(None), PATIENCE)
        self.client.exit(None)
        server = self.client._server
        if server is None or server.stderr is None:
            raise RuntimeError("the server was never started")
        self.errors = (await asyncio.wait_for(server.stderr.read(), PATIENCE)).decode()
        self.code = await asyncio.wait_for(server.wait(), PATIENCE)
        await self.client.stop()  # type: ignore[no-untyped-call]

    def _published(self, params: types.PublishDiagnosticsParams) -> None:
        self.published[params.uri] = params
        self.times += 1
        self.news.set()

    async def open(self, path: Path, text: str) -> list[types.Diagnostic]:
        """Open a document; its diagnostics."""
        item = types.TextDocumentItem(path.as_uri(), types.LanguageKind.Yaml, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return await self.diagnostics(path, 1)

    def type(self, path: Path, text: str, version: int) -> None:
        """Change a document, without waiting for what comes of it."""
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, path.as_uri()),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    async def change(self, path: Path, text: str, version: int) -> list[types.Diagnostic]:
        """Change a document; its diagnostics then."""
        self.type(path, text, version)
        return await self.diagnostics(path, version)

    async def diagnostics(self, path: Path, version: int) -> list[types.Diagnostic]:
        """The diagnostics of a version of a document, as soon as they come."""
        end = time.monotonic() + PATIENCE
        while (one := self.published.get(path.as_uri())) is None or one.version != version:
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), end - time.monotonic())
        return list(one.diagnostics)

    async def again(self, path: Path) -> list[types.Diagnostic]:
        """The diagnostics of a document after a file that it depends on changed."""
        before = self.published.pop(path.as_uri())
        self.touched(path)
        return await self.diagnostics(path, before.version or 0)

    async def hover(self, path: Path, line: int, column: int) -> str:
        """What is told about a place, both counted from 0; empty where nothing is."""
        told = await self.client.text_document_hover_async(types.HoverParams(*self._at(path, line, column)))
        return told.contents.value if told and isinstance(told.contents, types.MarkupContent) else ""

    async def definition(self, path: Path, line: int, column: int) -> types.Location | None:
        """Where what stands at a place is defined."""
        found = await self.client.text_document_definition_async(types.DefinitionParams(*self._at(path, line, column)))
        return found if isinstance(found, types.Location) else None

    async def outline(self, path: Path) -> list[types.DocumentSymbol]:
        """The parts of a design."""
        document = types.TextDocumentIdentifier(path.as_uri())
        found = await self.client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        return [one for one in found or () if isinstance(one, types.DocumentSymbol)]

    async def complete(self, path: Path, line: int, column: int) -> dict[str, types.CompletionItem]:
        """What can be written at a place, by label."""
        found = await self.client.text_document_completion_async(types.CompletionParams(*self._at(path, line, column)))
        return {one.label: one for one in found or ()} if not isinstance(found, types.CompletionList) else {}

    async def actions(self, path: Path, within: types.Range, only: list[str] | None = None) -> list[types.CodeAction]:
        """What can be done about a stretch."""
        params = types.CodeActionParams(
            types.TextDocumentIdentifier(path.as_uri()), within, types.CodeActionContext([], only)
        )
        found = await self.client.text_document_code_action_async(params)
        return [one for one in found or () if isinstance(one, types.CodeAction)]

    def touched(self, path: Path) -> None:
        """Tell that a file changed on disk."""
        event = types.FileEvent(path.as_uri(), types.FileChangeType.Changed)
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))

    def close(self, path: Path) -> None:
        """Close a document."""
        self.client.text_document_did_close(
            types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(path.as_uri()))
        )

    def _at(self, path: Path, line: int, column: int) -> tuple[Any, Any]:
        return types.TextDocumentIdentifier(path.as_uri()), types.Position(line, column)
