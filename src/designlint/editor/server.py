"""The server's state: the open designs, when each is judged, and what is known about it."""

from __future__ import annotations

import asyncio
import gc
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.lsp.server import LanguageServer

from designlint.configuration import engine, foreign
from designlint.editor.analysis import Analysis, analysis
from designlint.editor.diagnostics import Marker
from designlint.reading.errors import AuthoringError, UsageError
from designlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pygls.workspace import TextDocument

#: Seconds without a further change after which a changed design is judged.
QUIET = 0.04


def bound_time(job: Callable[..., Any], *arguments: Any) -> Any:
    """What a job gives; where it takes too long the server ends: rules of a repository are foreign, queries have no stop."""
    with foreign.bound_time():
        return job(*arguments)


class Judging(NamedTuple):
    """The judgement of one version of a document, done or under way."""

    version: int | None
    answer: asyncio.Future[Analysis | None]


class Server(LanguageServer):
    """
    Judges open designs on one thread, so that the session answers meanwhile; the latest version wins.

    Documents are sent whole with each change: a design is small, and lines need not be counted alike on both sides.
    """

    def __init__(self) -> None:
        super().__init__("designlint", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self.worker = ThreadPoolExecutor(1, "designlint")
        self.judged: dict[str, Judging] = {}
        self.latest: dict[str, int | None] = {}
        self.last: dict[str, Analysis] = {}
        #: The last whose text was whole.
        self.whole: dict[str, Analysis] = {}
        self.waiting: dict[str, asyncio.Task[None]] = {}
        self.complaint = ""

    async def work(self, job: Callable[..., Any], *arguments: Any) -> Any:
        """Do something on the thread that judges: a design is never used from two at once."""
        return await asyncio.get_running_loop().run_in_executor(self.worker, bound_time, job, *arguments)

    def document(self, uri: str) -> TextDocument:
        """An open document."""
        return self.workspace.get_text_document(uri)

    async def known(self, uri: str) -> Analysis | None:
        """What is known about a document as it is now; None where it is no design, or has changed meanwhile."""
        document = self.document(uri)
        judging = self.judged.get(uri)
        if judging is None or judging.version != document.version:
            loop = asyncio.get_running_loop()
            self.latest[uri] = document.version
            others = {one.path: one.source for name, one in self.workspace.text_documents.items() if name != uri}
            judge = loop.run_in_executor(
                self.worker, bound_time, self._judge, uri, document.source, document.path, document.version, others
            )
            judging = self.judged[uri] = Judging(document.version, judge)
        try:
            return await asyncio.shield(judging.answer)
        except (AuthoringError, UsageError) as error:
            self.complain(str(error))
            return None

    def _judge(self, uri: str, text: str, file: str, version: int | None, others: dict[str, str]) -> Analysis | None:
        return analysis(text, file, version, others) if self.latest.get(uri, version) == version else None

    def complain(self, message: str) -> None:
        """Show what keeps designs from being judged, once and not at every key stroke."""
        if message != self.complaint:
            self.complaint = message
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"designlint: {message}"))

    def judge_edited(self, uri: str) -> None:
        """Judge a document that was changed, and the open designs that are laid over it."""
        self.schedule_judgement(uri, QUIET)
        file = self.document(uri).path
        for other, known in self.last.items():
            if other != uri and file in known.texts:
                self.judged.pop(other, None)
                self.schedule_judgement(other, QUIET)

    def schedule_judgement(self, uri: str, quiet: float) -> None:
        """Judge a document as soon as it was left alone so long; an earlier wait for it ends."""
        if (waiting := self.waiting.pop(uri, None)) is not None:
            waiting.cancel()
        self.waiting[uri] = asyncio.get_running_loop().create_task(self._publish(uri, quiet))
        self.waiting[uri].add_done_callback(self._report_crash)

    def _report_crash(self, task: asyncio.Task[None]) -> None:
        """Say so where a judgement ended by a bug of our own: nobody waits for it who could."""
        error = None if task.cancelled() else task.exception()
        if error is not None:
            traceback.print_exception(error)
            self.complain("this is a bug in designlint; please report it with the last lines of the server's log")

    async def _publish(self, uri: str, quiet: float) -> None:
        await asyncio.sleep(quiet)
        version = self.document(uri).version
        known = await self.known(uri)
        if uri not in self.workspace.text_documents or self.document(uri).version != version:
            return
        found: Sequence[types.Diagnostic] = ()
        if known is not None:
            self.last[uri] = known
            if known.design.document.complete:
                self.whole[uri] = known
            found = Marker(known, uri, self.workspace.position_codec).diagnostics()
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, list(found), version))
        await self.work(gc.collect)  # between judgements, when nobody waits

    def refresh(self) -> None:
        """Judge every open document anew: a file that it depends on may have changed."""
        engine.configure_engine.cache_clear()
        self.complaint = ""
        self.judged.clear()
        for uri in list(self.workspace.text_documents):
            self.schedule_judgement(uri, QUIET)

    def watch(self) -> None:
        """Ask to be told when a base of a design, a rule or a configuration changes on disk."""
        asked = get_capability(self.client_capabilities, "workspace.did_change_watched_files.dynamic_registration")
        if asked:
            watcher = types.FileSystemWatcher("**/*.{yaml,yml,toml,json}")
            options = types.DidChangeWatchedFilesRegistrationOptions([watcher])
            registration = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            self.client_register_capability(types.RegistrationParams([registration]))

    def close_document(self, uri: str) -> None:
        """Forget a document and take its marks away."""
        for kept in (self.judged, self.latest, self.last, self.whole):
            kept.pop(uri, None)
        if (waiting := self.waiting.pop(uri, None)) is not None:
            waiting.cancel()
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))
