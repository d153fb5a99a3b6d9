"""What is noted of a script that is walked: its commands, and what it would export, write and leave open."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field

if TYPE_CHECKING:
    from designlint.importers.base import Source
    from designlint.importers.shell.gaps import BranchGap
    from designlint.importers.shell.pieces import Text


class Command(NamedTuple):
    """A command as it would run: its words, the variables set for it alone, and whether it surely runs."""

    words: tuple[Text, ...]
    variables: dict[str, Text]
    source: Source
    start: int
    end: int
    sure: bool


class Script(Struct):
    """
    What a script would do: commands, exports, files that it writes from here-documents, those that sbatch reads, gaps.

    Attributes:
        outputs: the lines in which files get the output of commands.
        scheduled: what Slurm sets in each step that states no sizes of its own.
    """

    commands: list[Command] = field(default_factory=list)
    exports: dict[str, Text] = field(default_factory=dict)
    files: dict[str, Text] = field(default_factory=dict)
    submitted: list[Text] = field(default_factory=list)
    outputs: dict[str, int] = field(default_factory=dict)
    unfollowed: list[tuple[Source, int, int, str]] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    gaps: list[tuple[Source, BranchGap]] = field(default_factory=list)
    scheduled: dict[str, Text] = field(default_factory=dict)
