"""The command line: arguments, exit codes, printing. Each command stands in a module of its own and is imported when called."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from designlint.cli.shared.terminal import Exit, complain, fault, print_text
from designlint.version import ASKED, __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import typer

#: What `--help` lists first; the other modules of this folder follow by name.
FIRST = ("check", "explain", "why", "what-if", "diff", "report", "init")

#: What the script of a shell sets when it asks for values.
COMPLETES = "_DESIGNLINT_COMPLETE"


def commands() -> list[str]:
    """The names of all commands, in the order of `--help`: a module of this folder but this one is a command."""
    files = {file.stem for file in Path(__file__).parent.glob("*.py")} - {"__init__", "main"}
    found = {name.replace("_", "-") for name in files}
    return [*FIRST, *sorted(found.difference(FIRST))]


def main() -> None:
    """Run the command line; never returns."""
    if sys.argv[1:] in ASKED:
        _version()
    from designlint.configuration import foreign
    from designlint.reading.errors import AuthoringError, UsageError, WorkerError

    foreign.BEFORE.append(_apart)
    try:
        arguments = sys.argv[1:]
        if arguments[:1] == ["check"]:
            from designlint.cli.shared.fix_options import spell_arguments

            arguments = spell_arguments(arguments)
            _check_quickly(arguments[1:])
        application(arguments)(arguments, prog_name="designlint")
    except (AuthoringError, UsageError) as error:
        fault(error)
        sys.exit(Exit.COULD_NOT_RUN)
    except BrokenPipeError:  # who reads did not read to the end: what the run came to is not known
        _silence_output()
        sys.exit(Exit.CUT_OFF)
    except OSError as error:
        fault(error)
        _silence_output()
        sys.exit(Exit.COULD_NOT_RUN)
    except MemoryError:
        fault("there is not enough memory")
        sys.exit(Exit.COULD_NOT_RUN)
    except KeyboardInterrupt:
        sys.exit(Exit.INTERRUPTED)
    except WorkerError as error:
        fault(f"{error}, or by the rules in {', '.join(foreign.MET)}" if foreign.MET else error)
        sys.exit(Exit.COULD_NOT_RUN if foreign.MET else Exit.BUG)
    except Exception:  # the one place that catches all: our own bugs get a code of their own
        import traceback

        complain(traceback.format_exc())
        fault("this is a bug in designlint; please report it with the lines above")
        sys.exit(Exit.BUG)
    finally:
        foreign.BEFORE.clear()  # who has called this and goes on must not be forked by the next foreign rules that it reads


def _apart(packs: Sequence[str]) -> None:
    from designlint.cli.shared.apart import apart

    apart(packs)


def _check_quickly(arguments: list[str]) -> None:
    """Run `check` and exit, where its arguments are plain."""
    from designlint.cli import check
    from designlint.cli.shared import quick

    read = quick.read_arguments(check.command, arguments)
    if read is not None:
        check.command(**read)


def application(arguments: list[str]) -> typer.Typer:
    """The application; only the command that is called is imported, all of them for help and completion."""
    import typer

    app = typer.Typer(
        name="designlint",
        help="A linter for the designs of GPU training clusters. Use --version for the version.",
        no_args_is_help=True,
        add_completion=False,  # typer's own options ask which process has started this one
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    if COMPLETES in os.environ:
        from typer._completion_classes import completion_init

        completion_init()
    app.callback()(_options)  # makes `check` a command even where it is the only one imported
    called = next((one for one in arguments if not one.startswith("-")), "")
    every = commands()
    for name in (called,) if called in every else every:
        module = import_module(f"designlint.cli.{name.replace('-', '_')}")
        vars(module).setdefault("typer", typer)  # its annotations, which only typer evaluates, name it
        if isinstance(command := module.command, typer.Typer):
            app.add_typer(command, name=name, short_help=command.info.help)
            for one in command.registered_commands:
                one.short_help = _summary(one.callback)
        else:
            app.command(name, short_help=_summary(command))(command)
    return app


def _summary(command: Callable[..., object] | None) -> str:
    """The first paragraph of a command's help, whole: typer would cut what it takes from there to one line."""
    return " ".join((getattr(command, "__doc__", None) or "").strip().partition("\n\n")[0].split())


def _silence_output() -> None:
    """Send what is still to be flushed nowhere: its fault was answered."""
    if sys.stdout is not None:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _options() -> None:
    pass


def _version() -> None:
    """Print the version and exit, with nothing imported that only a run needs."""
    try:
        print_text(f"designlint {__version__}")
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            fault(error)
        _silence_output()
        sys.exit(Exit.CUT_OFF if isinstance(error, BrokenPipeError) else Exit.COULD_NOT_RUN)
    sys.exit(Exit.CLEAN)
