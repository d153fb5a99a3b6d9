"""Agents: whole sessions of a real MCP client with a server, one of them with a process, and the report in the fewest words."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from contextlib import chdir
from typing import TYPE_CHECKING, Any

import pytest

from tests.running import BAD, ROOT, designlint, surroundings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from mcp import Client, ClientSession

HAWK = ROOT / "examples/hawk-4096/design.yaml"
EDIT = re.compile(r'(\d+):(\d+)-(\d+):(\d+) ("(?:[^"\\]|\\.)*")')


def session(folder: Path, play: Callable[[ClientSession | Client], Awaitable[None]]) -> None:
    """Play a session with a server within this process, from its first word to its end."""
    from mcp import Client

    from designlint.agents.server import server

    async def whole() -> None:
        async with Client(server()) as client:
            await play(client)

    with chdir(folder):
        asyncio.run(asyncio.wait_for(whole(), 120))


def session_apart(folder: Path, play: Callable[[ClientSession | Client], Awaitable[None]]) -> None:
    """Play a session with a server process of its own, from its first word to its end."""
    from mcp import (  # two seconds of pydantic's, for the worker that gets this file
        ClientSession,
        StdioServerParameters,
    )
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(
        command=sys.executable, args=["-m", "designlint", "mcp"], cwd=folder, env=surroundings()
    )

    async def whole() -> None:
        async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
            await client.initialize()
            await play(client)

    asyncio.run(asyncio.wait_for(whole(), 120))


async def called(client: ClientSession | Client, tool: str, **arguments: Any) -> tuple[str, bool]:
    """What a tool answers, and whether it is an error."""
    found: Any = await client.call_tool(tool, arguments)
    return "".join(one.text for one in found.content), bool(found.is_error)


def test_tools_have_schemas_and_only_read(tmp_path: Path) -> None:
    async def play(client: ClientSession | Client) -> None:
        tools: Any = (await client.list_tools()).tools
        assert {one.name for one in tools} == {"check", "explain", "why", "plan", "what_if", "catalog", "vocabulary"}
        for one in tools:
            assert one.annotations.read_only_hint
            assert one.description
            assert all("description" in word for word in one.input_schema["properties"].values())
        assert next(one for one in tools if one.name == "explain").input_schema["required"] == ["rule"]

    session(tmp_path, play)
    assert list(tmp_path.iterdir()) == []


def test_an_agent_mends_a_design_by_what_it_is_told(tmp_path: Path) -> None:
    text = BAD.decode()

    async def play(client: ClientSession | Client) -> None:
        told, failed = await called(client, "check", text=text)
        assert not failed
        assert "error parallelism/tensor-beyond-scale-up-domain" in told
        again, _ = await called(client, "check", text=edited(text, told))
        assert "parallelism/tensor-beyond-scale-up-domain" not in again
        assert again.splitlines()[-2].startswith("0 errors")

    session_apart(tmp_path, play)


def test_numbers_are_taken_as_numbers_and_misspelt_arguments_are_refused(tmp_path: Path) -> None:
    async def play(client: ClientSession | Client) -> None:
        told, failed = await called(client, "plan", model="llama-3-8b", tokens=1e12, gpu="h100", gpus=64)
        assert not failed
        assert "64 x h100-sxm-80gb in 8 servers" in told
        told, failed = await called(client, "what_if", path=str(HAWK), sweeps=["nodes/train/count=512,640"])
        assert failed
        assert "sweeps" in told

    session(tmp_path, play)


def test_every_tool_answers_what_its_command_does(tmp_path: Path) -> None:
    async def play(client: ClientSession | Client) -> None:
        found = {
            "explain": await called(client, "explain", rule="compute/deadline-missed"),
            "why": await called(client, "why", path=str(HAWK), what="workloads/pretrain/data_parallel"),
            "what_if": await called(client, "what_if", path=str(HAWK), set=["facility/utility_power=12 MW"]),
            "sweep": await called(client, "what_if", path=str(HAWK), sweep=["nodes/train/count=512,640"], show="error"),
            "find": await called(
                client,
                "what_if",
                path=str(HAWK),
                find="fewest nodes/train/count with no parallelism/more-gpus-than-the-pool",
            ),
            "catalog": await called(client, "catalog", search="connectx-7"),
            "vocabulary": await called(client, "vocabulary", search="Targets"),
            "plan": await called(client, "plan", model="llama-3-8b", gpu="h100", gpus="64", tokens="1T"),
        }
        assert not any(failed for _, failed in found.values()), found
        assert found["explain"][0].startswith("# ")
        assert "data_parallel = 16" in found["why"][0]
        assert "fixed       error[power/utility-exceeded]" in found["what_if"][0]
        assert "2 points, recalculated in place" in found["sweep"][0]
        assert "= 512 is the lowest value" in found["find"][0]
        assert "Nic" in found["catalog"][0]
        assert "mfu (Ratio)" in found["vocabulary"][0]
        assert "\ndesignlint: 1" in found["plan"][0]

    session(tmp_path, play)


def test_faults_are_answers_with_a_way_out(tmp_path: Path) -> None:
    async def play(client: ClientSession | Client) -> None:
        for tool, arguments, told in (
            ("check", {}, "give either `path` or `text`"),
            ("check", {"path": "nowhere.yaml"}, "nowhere.yaml"),
            ("explain", {"rule": "compute/deadline-mised"}, "did you mean `compute/deadline-missed`?"),
            ("what_if", {"path": str(HAWK), "set": ["nodes/train/cuont=3"]}, "did you mean"),
            ("catalog", {"search": "h10000"}, "nothing in the catalogue"),
            ("vocabulary", {"search": "tensr"}, "near it"),
            ("why", {"text": "a: [", "what": "x"}, "is broken"),
        ):
            answer, failed = await called(client, tool, **arguments)
            assert failed, tool
            assert told in answer
        answer, failed = await called(client, "check", text="designlint: 1\nnodes: [{name: a, cuont: 3}]\n")
        assert not failed
        assert "shape/unknown-word" in answer

    session(tmp_path, play)


def edited(text: str, told: str) -> str:
    """A text with the edits of a report for agents, from the back."""
    lines = text.split("\n")
    starts = [sum(len(line) + 1 for line in lines[:number]) for number in range(len(lines))]
    for line, column, end_line, end_column, new in sorted(
        ((*map(int, one.groups()[:4]), json.loads(one[5])) for one in EDIT.finditer(told)), reverse=True
    ):
        start, end = starts[line - 1] + column - 1, starts[end_line - 1] + end_column - 1
        text = text[:start] + new + text[end:]
    return text


def test_edits_of_the_agent_format_are_the_fixes_that_were_proven(tmp_path: Path) -> None:
    file = tmp_path / "design.yaml"
    file.write_text(HAWK.read_text("utf-8"), "utf-8")
    run = designlint("check", str(file), "--format", "agent")
    file.write_text(edited(file.read_text("utf-8"), run.out), "utf-8")
    again = designlint("check", str(file), "--format", "agent").out
    assert [line for line in again.splitlines() if " error " in line] == []
    assert "network/leaf-oversubscribed" not in again


@pytest.mark.parametrize("words", [("Targets",), ("mfu",), ("pipeline", "stages"), ("weka",), ()])
def test_vocabulary_shows_words_with_unit_and_example(words: tuple[str, ...]) -> None:
    run = designlint("vocabulary", *words)
    assert run.code == 0
    assert all(word.lower() in run.out.lower() for word in words)


def test_without_its_package_the_server_says_what_to_install() -> None:
    code = "import sys; sys.modules['mcp'] = None; from designlint.cli.main import main; sys.argv = ['designlint', 'mcp']; main()"
    import subprocess

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=surroundings())
    assert done.returncode == 2
    assert "pip install 'designlint[mcp]'" in done.stderr
