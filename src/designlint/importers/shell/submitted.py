"""Batch scripts that a script writes in a here-document and hands to sbatch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.shell.pieces import flat

if TYPE_CHECKING:
    from designlint.importers.shell.pieces import Text
    from designlint.importers.shell.record import Script

SBATCH = "sbatch"


def documents(script: Script) -> list[Text]:
    """What sbatch reads from a here-document, and the files that the script writes before it names them to sbatch."""
    found = list(script.submitted)
    for command in script.commands:
        if flat(command.words[0]) == SBATCH:
            found += [text for word in command.words[1:] if (text := _written_file(word, script)) is not None]
    return found


def _written_file(word: Text, script: Script) -> Text | None:
    """The file of the script that a word names; the folders before it may be unknown."""
    name = flat(word).rpartition("/")[2]
    if not name or (word and word[-1].unknown):
        return None
    return next((text for file, text in script.files.items() if file.rpartition("/")[2] == name), None)
