"""Options that mean the same in several commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Rules = Annotated[list[Path] | None, typer.Option(metavar="FOLDER", help="Add a folder of rules; repeatable.")]
Config = Annotated[str, typer.Option(metavar="FILE", help="Use this configuration for all designs.")]
Isolated = Annotated[bool, typer.Option("--isolated", help="Ignore all configuration files.")]
Today = Annotated[str, typer.Option(metavar="DAY", help="Check as of this day (YYYY-MM-DD).")]
