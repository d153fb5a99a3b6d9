"""The language server as an editor uses it: whole sessions with a process of its own, over its standard streams."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest
from lsprotocol import types
from pygls.workspace import PositionCodec, Workspace
from tools.bench.designs import design
from tools.session import Session

from designlint.editor import server
from designlint.editor.positions import Positions
from designlint.reading import read_bytes
from tests.running import BAD, ROOT, designlint

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

TENSOR = "parallelism/tensor-beyond-scale-up-domain"
HAWK = (ROOT / "examples/hawk-4096/design.yaml").read_text("utf-8")
Encoding = types.PositionEncodingKind


def session(folder: Path, play: Callable[[Session], Awaitable[None]], *encodings: Encoding) -> Session:
    """Play a session; it must end in order, without a word beside the protocol."""

    async def whole() -> Session:
        async with Session(folder, encodings) as one:
            await play(one)
        return one

    ended = asyncio.run(whole())
    assert (ended.code, ended.errors) == (0, "")
    return ended


def codes(found: list[types.Diagnostic]) -> list[object]:
    return [one.code for one in found]


def applied(text: str, edits: list[types.TextEdit]) -> str:
    """A text with edits made as an editor makes them."""
    document = read_bytes(text.encode(), "")
    positions = Positions(text, PositionCodec())
    for edit in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
        start, end = (positions.offset(document, at) for at in (edit.range.start, edit.range.end))
        text = text[:start] + edit.new_text + text[end:]
    return text


def test_a_finding_comes_and_goes_while_typing(tmp_path: Path) -> None:
    path, text = tmp_path / "design.yaml", BAD.decode()

    async def play(editor: Session) -> None:
        (found,) = [one for one in await editor.open(path, text) if one.code == TENSOR]
        assert found.severity == types.DiagnosticSeverity.Error
        assert found.source == "designlint"
        assert found.code_description == types.CodeDescription(f"https://w3id.org/designlint/rules/{TENSOR}")
        assert "help: Lower `tensor` to 8" in found.message
        assert found.range == types.Range(types.Position(5, 26), types.Position(5, 28))
        assert TENSOR not in codes(await editor.change(path, text.replace("16", "8"), 2))
        assert TENSOR in codes(await editor.change(path, text, 3))
        editor.close(path)
        await editor.open(tmp_path / "other.yaml", "designlint: 1\n")
        assert list(editor.published[path.as_uri()].diagnostics) == []

    session(tmp_path, play)


def test_evidence_is_related_information(tmp_path: Path) -> None:
    path = tmp_path / "design.yaml"

    async def play(editor: Session) -> None:
        found = {one.code: one for one in await editor.open(path, HAWK)}
        related = found["network/leaf-oversubscribed"].related_information or []
        assert {(one.message, one.location.range.start.line) for one in related} >= {
            ("purpose = compute", HAWK[: HAWK.index("purpose: compute")].count("\n")),
            ("host_ports_per_leaf = 32", HAWK[: HAWK.index("host_ports_per_leaf")].count("\n")),
        }

    session(tmp_path, play)


def test_what_is_no_design_is_left_alone(tmp_path: Path) -> None:
    async def play(editor: Session) -> None:
        path = tmp_path / "pod.yaml"
        assert await editor.open(path, "kind: Pod\nworkloads: x\n") == []
        assert await editor.hover(path, 1, 2) == ""
        assert await editor.complete(path, 1, 0) == {}
        assert await editor.actions(path, types.Range(types.Position(0, 0), types.Position(2, 0))) == []

    session(tmp_path, play)


def test_broken_text_is_a_finding_and_no_end(tmp_path: Path) -> None:
    broken = ("designlint: 1\nnodes: [\n", "designlint: 1\n\tx", "designlint: 1\n\udce9: \x00\n", "designlint: *a")

    async def play(editor: Session) -> None:
        for number, text in enumerate(broken):
            path = tmp_path / f"{number}.yaml"
            assert any(str(one.code).startswith("syntax/") for one in await editor.open(path, text)), text
            await editor.hover(path, 1, 1)
            await editor.complete(path, 1, 1)
            await editor.actions(path, types.Range(types.Position(0, 0), types.Position(9, 0)))
            assert TENSOR in codes(await editor.change(path, BAD.decode(), 2))

    session(tmp_path, play)


def test_rapid_changes_end_with_the_last(tmp_path: Path) -> None:
    path, text = tmp_path / "design.yaml", BAD.decode()

    async def play(editor: Session) -> None:
        await editor.open(path, text)
        for version in range(2, 40):
            editor.type(path, text.replace("16", str(version)), version)
        assert TENSOR in codes(await editor.change(path, text, 40))
        assert TENSOR not in codes(await editor.change(path, text.replace("16", "8"), 41))
        assert editor.times < 40

    session(tmp_path, play)


def test_a_huge_file_is_refused_and_the_session_goes_on(tmp_path: Path) -> None:
    async def play(editor: Session) -> None:
        huge = "designlint: 1\n" + "# a line that says nothing at all\n" * 130_000
        assert "syntax/too-large" in codes(await editor.open(tmp_path / "huge.yaml", huge))
        await editor.hover(tmp_path / "huge.yaml", 900, 3)
        assert TENSOR in codes(await editor.open(tmp_path / "design.yaml", BAD.decode()))

    session(tmp_path, play)


def test_a_large_design_is_judged_again_at_each_change(tmp_path: Path) -> None:
    path, text = tmp_path / "design.yaml", design(750)

    async def play(editor: Session) -> None:
        clean = codes(await editor.open(path, text))
        changed = codes(await editor.change(path, text.replace("tensor: 8", "tensor: 16"), 2))
        assert TENSOR in changed
        assert codes(await editor.change(path, text, 3)) == clean

    session(tmp_path, play)


@pytest.mark.parametrize("encoding", [None, Encoding.Utf16, Encoding.Utf32, Encoding.Utf8])
def test_columns_are_counted_as_the_editor_does(tmp_path: Path, encoding: Encoding | None) -> None:
    text = BAD.decode().replace("{tensor", "{data: 𝟙𝟙, tensor").replace("\n", "\r\n")

    async def play(editor: Session) -> None:
        path = tmp_path / "design.yaml"
        found = await editor.open(path, text)
        (one,) = [one for one in found if one.code == "shape/wrong-type"]
        start = len("    parallelism: {data: ")
        width = {None: 4, Encoding.Utf16: 4, Encoding.Utf32: 2, Encoding.Utf8: 8}[encoding]
        assert one.range == types.Range(types.Position(5, start), types.Position(5, start + width))
        assert "GPUs that share every matrix multiplication" in await editor.hover(path, 5, start + width + 3)
        assert "GPUs that share" not in await editor.hover(path, 5, start + width - 1)

    session(tmp_path, play, *([encoding] if encoding else []))


def test_a_base_counts_as_it_stands_in_the_editor(tmp_path: Path) -> None:
    base, path = tmp_path / "base.yaml", tmp_path / "design.yaml"
    text = BAD.decode().replace("tensor: 16", "tensor: 8")
    base.write_text(text, "utf-8")

    async def play(editor: Session) -> None:
        assert TENSOR not in codes(await editor.open(path, "designlint: 1\nextends: base.yaml\n"))
        await editor.open(base, text)
        first = editor.published[path.as_uri()]
        await editor.change(base, text.replace("tensor: 8", "tensor: 16"), 2)
        while (now := editor.published[path.as_uri()]) is first or TENSOR not in codes(list(now.diagnostics)):
            editor.news.clear()
            await asyncio.wait_for(editor.news.wait(), 30)
        (one,) = [one for one in now.diagnostics if one.code == TENSOR]
        assert one.range == types.Range(types.Position(1, 9), types.Position(1, 18))
        (related, *_) = one.related_information or ()
        assert related.location == types.Location(
            base.as_uri(), types.Range(types.Position(5, 26), types.Position(5, 28))
        )

    session(tmp_path, play)


def test_the_configuration_and_the_baseline_of_a_file_count(tmp_path: Path) -> None:
    path, config = tmp_path / "infra" / "design.yaml", tmp_path / "designlint.toml"
    path.parent.mkdir()
    (tmp_path / ".git").mkdir()
    path.write_bytes(BAD)

    async def play(editor: Session) -> None:
        (found,) = [one for one in await editor.open(path, BAD.decode()) if one.code == TENSOR]
        assert found.severity == types.DiagnosticSeverity.Error
        config.write_text(f'[severity]\n"{TENSOR}" = {{level = "info", reason = "a test bed"}}\n', "utf-8")
        (found,) = [one for one in await editor.again(path) if one.code == TENSOR]
        assert found.severity == types.DiagnosticSeverity.Information
        config.write_text("select = 1\n", "utf-8")
        await editor.again(path)
        assert "designlint.toml:1: " in editor.shown[-1]
        other = tmp_path / "other.yaml"
        assert await editor.open(other, "designlint: 1\n") == []
        assert await editor.complete(other, 1, 0) == {}
        config.unlink()
        assert designlint("baseline", "create", "infra", cwd=tmp_path).code == 0
        config.write_text('baseline = "designlint-baseline.json"\n', "utf-8")
        assert TENSOR not in codes(await editor.again(path))
        assert TENSOR in codes(await editor.change(path, BAD.decode().replace("16", "32"), 2))

    session(tmp_path, play)


def test_a_file_that_changes_on_disk_counts_too(tmp_path: Path) -> None:
    base, path = tmp_path / "base.yaml", tmp_path / "design.yaml"
    base.write_bytes(BAD)

    async def play(editor: Session) -> None:
        assert TENSOR in codes(await editor.open(path, "designlint: 1\nextends: base.yaml\n"))
        for text, told in ((BAD.replace(b"16", b"8"), False), (BAD, True)):
            base.write_bytes(text)
            editor.touched(base)
            while (TENSOR in codes(list(editor.published[path.as_uri()].diagnostics))) is not told:
                editor.news.clear()
                await asyncio.wait_for(editor.news.wait(), 30)

    session(tmp_path, play)


def test_the_page_on_editors_can_be_copied() -> None:
    page = (ROOT / "docs/editors.md").read_text("utf-8")
    helix = tomllib.loads(re.search(r"```toml\n(.*?)```", page, re.DOTALL)[1])  # type: ignore[index]
    server = helix["language-server"]["designlint"]
    assert [server["command"], *server["args"]] == ["designlint", "lsp"]
    code = json.loads(re.search(r"```json\n(.*?)```", page, re.DOTALL)[1])  # type: ignore[index]
    assert [code["glspc.server.command"], *code["glspc.server.commandArguments"]] == ["designlint", "lsp"]
    starter = (ROOT / "ontology/starter.yaml").read_text("utf-8")
    assert starter.splitlines()[0] in page.splitlines()


def test_a_bug_of_our_own_is_told_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shown: list[str] = []

    def broken(*_: object) -> None:
        raise RuntimeError("boom")

    async def play() -> None:
        one = server.Server()
        one.protocol._workspace = Workspace(None)
        monkeypatch.setattr(server, "analysis", broken)
        monkeypatch.setattr(one, "window_show_message", lambda params: shown.append(params.message))
        one.workspace.put_text_document(types.TextDocumentItem("file:///a.yaml", "yaml", 1, BAD.decode()))
        for version in (1, 2):
            one.document("file:///a.yaml").version = version
            one.schedule_judgement("file:///a.yaml", 0)
            await asyncio.wait([one.waiting["file:///a.yaml"]])
        await asyncio.sleep(0)
        one.worker.shutdown()

    asyncio.run(play())
    assert ["this is a bug" in message for message in shown] == [True]
    assert "boom" in capsys.readouterr().err


def test_without_its_extra_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "pygls").mkdir()
    (tmp_path / "pygls/__init__.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'pygls'\", name='pygls')\n"
    )
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); sys.argv[1:] = ['lsp']"
    code += "; from designlint.cli.main import main; main()"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (2, "")
    assert "pip install 'designlint[lsp]'" in run.stderr


def test_a_check_never_imports_the_server() -> None:
    code = "import sys, designlint.cli.check, designlint.linting.pipeline; print(sorted(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"pygls", "lsprotocol", "asyncio", "designlint.editor"} & set(eval(run.stdout))
