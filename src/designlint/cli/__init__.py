"""The command line: arguments, exit codes, printing. Each command stands in a module of its own and is imported when called."""

from __future__ import annotations

import gc
import os
import sys
from enum import IntEnum, StrEnum
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

#: Every command and the module that holds it, in the order of `--help`.
COMMANDS = (
    "check",
    "diff",
    "baseline",
    "config",
    "explain",
    "rules",
    "why",
    "coverage",
    "report",
    "graph",
    "query",
    "schema",
    "test",
    "new",
    "init",
    "clean",
    "lsp",
)


class Exit(IntEnum):
    """What the exit code tells."""

    CLEAN = 0
    FINDINGS = 1
    COULD_NOT_RUN = 2
    BUG = 3
    INTERRUPTED = 130


class Format(StrEnum):
    """How commands other than `check` print lists."""

    TEXT = "text"
    JSON = "json"


def main() -> None:
    """Run the command line; never returns."""
    from designlint.errors import AuthoringError, UsageError, WorkerError

    gc.disable()  # a run is short and builds few cycles: collecting them costs a twentieth of it
    if sys.argv[1:] in (["--version"], ["-V"]):
        _version()
    try:
        arguments = sys.argv[1:]
        if arguments[:1] == ["check"]:
            from designlint.cli.wish import spelled

            arguments = spelled(arguments)
            _check_quickly(arguments[1:])
        application(arguments)(arguments, prog_name="designlint")
    except (AuthoringError, UsageError) as error:
        print(f"designlint: {error}", file=sys.stderr)
        sys.exit(Exit.COULD_NOT_RUN)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(Exit.CLEAN)
    except OSError as error:
        print(f"designlint: {error}", file=sys.stderr)
        sys.exit(Exit.COULD_NOT_RUN)
    except KeyboardInterrupt:
        sys.exit(Exit.INTERRUPTED)
    except WorkerError as error:
        print(f"designlint: {error}", file=sys.stderr)
        sys.exit(Exit.BUG)
    except Exception:  # the one place that catches all: our own bugs get a code of their own
        import traceback

        traceback.print_exc()
        print("designlint: this is a bug in designlint; please report it with the lines above", file=sys.stderr)
        sys.exit(Exit.BUG)


def _check_quickly(arguments: list[str]) -> None:
    """Run `check` and exit, where its arguments are plain."""
    from designlint.cli import check, quick

    read = quick.read(check.command, arguments)
    if read is not None:
        check.command(**read)


def application(arguments: list[str]) -> typer.Typer:
    """The application; only the command that is called is imported, all of them for help and completion."""
    import typer

    app = typer.Typer(
        name="designlint",
        help="A linter for the designs of GPU training clusters. `designlint --version` tells its version.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)  # makes `check` a command even where it is the only one imported
    called = next((one for one in arguments if not one.startswith("-")), "")
    for name in (called,) if called in COMMANDS else COMMANDS:
        module = import_module(f"designlint.cli.{name}")
        vars(module).setdefault("typer", typer)  # its annotations, which only typer evaluates, name it
        if isinstance(command := module.command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


def _options() -> None:
    pass


def _version() -> None:
    from designlint.version import __version__

    print(f"designlint {__version__}")
    sys.exit(Exit.CLEAN)


def colored(stream: object = None) -> bool:
    """Whether output may be coloured: on a terminal, unless NO_COLOR is set; always where FORCE_COLOR is."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return bool(getattr(stream or sys.stdout, "isatty", lambda: False)()) and os.environ.get("TERM") != "dumb"


def watch(complaint: str, seconds: float) -> None:
    """End the process where it still runs after so long: a query cannot be interrupted otherwise."""
    from threading import Timer

    def end() -> None:
        print(f"designlint: {complaint}", file=sys.stderr, flush=True)
        os._exit(Exit.COULD_NOT_RUN)

    timer = Timer(seconds, end)
    timer.daemon = True
    timer.start()


def put(text: str) -> None:
    """Print to standard output as UTF-8, whatever the locale; what it cannot hold is escaped."""
    stream = sys.stdout
    if stream is None:
        raise OSError("standard output is closed")
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    stream.write(text if text.endswith("\n") else text + "\n")
    stream.flush()
