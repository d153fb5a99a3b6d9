"""Files that a script changes before it uses them: what lies in the repository is then not what the program reads."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

import msgspec

from designlint.importers.shell.pieces import flat, reason

if TYPE_CHECKING:
    from designlint.importers.base import Context, Source
    from designlint.importers.shell.pieces import Text
    from designlint.importers.shell.record import Command, Script

#: Editors that change files in place where an option says so; commands that write to the last file, or to all, that they name.
EDITORS, IN_PLACE = (
    re.compile(r"(?:.*/)?(?:g?sed|perl|yq|ruby|gawk|awk)\Z"),
    re.compile(r"-\w*i(?:\.\w+)?\Z|--in-?place"),
)
COPIERS, WRITERS = frozenset(("cp", "mv", "install", "ln", "rsync")), frozenset(("tee", "sponge", "dd", "crudini"))


def guard(script: Script, context: Context) -> Context:
    """The context in which files that the script changes are not read."""
    changed = _changed_files(script)
    if not changed:
        return context
    for name in [one for one in script.files if _normal(one) in changed]:
        del script.files[name]

    def opened(source: Source, name: str) -> Source | str:
        line = changed.get(_normal(name))
        return f"line {line} changes it first" if line else context.opened(source, name)

    return msgspec.structs.replace(context, opened=opened)


def _changed_files(script: Script) -> dict[str, int]:
    """The lines in which files are changed, by the names of these."""
    found = {_normal(name): line for name, line in script.outputs.items()}
    for command in script.commands:
        line = command.source.line_of(command.start)
        found |= {_normal(flat(word)): line for word in _written_words(command) if word and not reason(word)}
    return found


def _written_words(command: Command) -> tuple[Text, ...]:
    name = "" if reason(command.words[0]) else flat(command.words[0])
    rest = tuple(word for word in command.words[1:] if not flat(word).startswith("-"))
    if EDITORS.match(name):
        return rest if any(IN_PLACE.match(flat(word)) for word in command.words[1:]) else ()
    bare = name.rpartition("/")[2]
    return rest[-1:] if bare in COPIERS else rest if bare in WRITERS else ()


def _normal(name: str) -> str:
    return posixpath.normpath(name)
