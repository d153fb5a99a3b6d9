"""`designlint completion`: what lets a shell complete commands, options and values."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from designlint.cli.shared.terminal import print_text


class Shell(StrEnum):
    """Shells that can complete."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def command(shell: Annotated[Shell, typer.Argument(help="Shell to print the script for.")]) -> None:
    """Print a completion script; source it in your shell's start-up file."""
    from typer._completion_shared import get_completion_script

    from designlint.cli.main import COMPLETES

    print_text(get_completion_script(prog_name="designlint", complete_var=COMPLETES, shell=shell.value))
