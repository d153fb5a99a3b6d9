"""The server: each answer as a tool with a schema, read-only, over standard input and output."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations
from pydantic import Field

from designlint.agents import answers
from designlint.configuration import foreign
from designlint.reading.errors import AuthoringError, UsageError
from designlint.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

INSTRUCTIONS = """\
designlint judges designs of GPU training clusters, written in YAML. Look words up with `vocabulary` and parts with
`catalog`; never invent either. Write the design, `check` it, apply the edits that it prints, check again. What a design
does not state is unknown: state what `state next` names, and only what you know. `why` shows how a number was computed,
`explain` what a rule requires, `what_if` the effect of other values, `plan` creates a design for a model and GPUs."""

Path = Annotated[str, Field(description="Path of a design file. Give this or `text`.")]
Text = Annotated[str, Field(description="The design itself, in YAML. Give this or `path`.")]


def check(path: Path = "", text: Text = "") -> str:
    """
    Judge a design by every rule. One line a finding: place, severity, rule, message; below it the exact edits of a proven fix.

    The last lines count findings and unknown judgements, and name the facts to state next.
    """
    return answers.check(path, text)


def explain(rule: Annotated[str, Field(description="Id of a rule, such as network/leaf-oversubscribed.")]) -> str:
    """Show a rule: what it finds, why, how to mend it, its limits with sources, good and bad examples."""
    return answers.explain(rule)


def why(
    what: Annotated[
        str, Field(description="A fact such as workloads/pretrain/memory_per_gpu, its last word, or a rule.")
    ],
    path: Path = "",
    text: Text = "",
) -> str:
    """Show how a value of a design was calculated, down to the lines of the file and the sources."""
    return answers.why(what, path, text)


def plan(
    model: Annotated[
        str | float, Field(description="A model of the catalogue, such as llama-3-405b, or parameters, such as 70e9.")
    ],
    gpu: Annotated[str, Field(description="A GPU from the catalogue, such as h100.")],
    tokens: Annotated[str | float, Field(description="Tokens to train on, such as 15.6T.")] = "",
    gpus: Annotated[
        str | int, Field(description="GPUs of the job; the fewest that meet the deadline by default.")
    ] = "",
    deadline: Annotated[str, Field(description="Deadline for the run, such as 90 days.")] = "",
    power: Annotated[str, Field(description="Site power limit, such as 10 MW.")] = "",
    budget_gpu_hours: Annotated[str | float, Field(description="GPU-hour budget, such as 3e6.")] = "",
) -> str:
    """Plan a cluster: the layouts that were considered, then the whole design in YAML."""
    return answers.plan(str(model), str(tokens), gpu, str(gpus), deadline, power, str(budget_gpu_hours))


def what_if(
    path: Path = "",
    text: Text = "",
    set: Annotated[
        list[str], Field(description="Values to state, each PATH=VALUE, such as nodes/train/count=640.")
    ] = [],  # noqa: B006
    sweep: Annotated[
        list[str], Field(description="Values to try, each PATH=A..B/STEP or PATH=A,B,C; two make a grid.")
    ] = [],  # noqa: B006
    show: Annotated[
        str, Field(description="Columns of a sweep: facts, rules, error, warning, days, power, cost.")
    ] = "error,warning",
    find: Annotated[
        str, Field(description='A goal, such as "fewest nodes/train/count in 1..1024 with no error".')
    ] = "",
) -> str:
    """Show what would follow from other values: facts with room to limits, findings that come and go; a sweep; a search."""
    return answers.what_if(path, text, set, sweep, show, find)


def catalog(
    search: Annotated[
        str, Field(description="A name, or words that must all match; lists everything when empty.")
    ] = "",
) -> str:
    """List catalogue parts and published models with figures and sources. Designs may name only these, or state figures."""
    return answers.catalog(search)


def vocabulary(search: Annotated[str, Field(description="A class, a word, or words that must all match.")] = "") -> str:
    """Look up words of the design language: meaning, unit, allowed values, example. Empty lists the classes."""
    return answers.vocabulary(search)


TOOLS = (check, explain, why, plan, what_if, catalog, vocabulary)
READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


def server() -> MCPServer[Any]:
    """The server with its tools."""
    tools = [_exact(Tool.from_function(_guard(one), annotations=READ_ONLY)) for one in TOOLS]
    return MCPServer("designlint", instructions=INSTRUCTIONS, version=__version__, tools=tools, log_level="ERROR")


def _exact(tool: Tool) -> Tool:
    """A tool that refuses arguments which it does not have: nothing is answered to a misspelt question."""
    words = tool.fn_metadata.arg_model
    words.model_config["extra"] = "forbid"
    words.model_rebuild(force=True)
    tool.parameters = words.model_json_schema(by_alias=True)
    return tool


def _guard(tool: Callable[..., str]) -> Callable[..., str]:
    """A tool whose faults are answers, and that ends the server where it hangs: rules of a folder are foreign."""

    @wraps(tool)
    def called(*arguments: Any, **named: Any) -> str:
        try:
            with foreign.bound_time():
                return tool(*arguments, **named)
        except (UsageError, AuthoringError, OSError) as error:
            raise ToolError(str(error)) from None

    return called


def serve() -> None:
    """Answer until standard input ends."""
    server().run("stdio")
