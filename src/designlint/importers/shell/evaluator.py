"""Evaluates a script without running anything: what it would start, export and write, as far as the file says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from designlint.importers.shell.effects import Effects
from designlint.importers.shell.expansion import SPACE
from designlint.importers.shell.pieces import Piece, Text, TooLong, flat, reason
from designlint.importers.shell.record import Command, Script
from designlint.importers.shell.syntax import ScriptTree, named_children

if TYPE_CHECKING:
    from designlint.importers.base import Source

#: Commands that take a here-document for something else than commands of the shell.
READERS = re.compile(
    r"(?::|true|cat|tee|read|echo|grep|sed|awk|python[\d.]*|perl|mail|envsubst|kubectl|oc|fdisk)(?:\s|\Z)"
)
#: What hands a here-document to Slurm.
SUBMITTING = re.compile(r"(?:\w+=\$\()?sbatch(?:\s|\Z)")


class Evaluator(Effects):
    """Evaluates one script with all that it sources."""

    def run(self, source: Source) -> Script:
        """The script of a file; a second one continues in the same scope. Raises: Refusal."""
        try:
            self._file(source)
        except TooLong:
            self.script.unfollowed.append((source, 0, 1, "a value grows without bound"))
        return self.script

    def _on_redirected_statement(self, tree: ScriptTree, node: Any) -> None:
        body = node.child_by_field_name("body")
        target = document = None
        for child in named_children(node, "file_redirect", "heredoc_redirect"):
            if child.type == "heredoc_redirect":
                document = self._here(tree, child)
                target = next(iter(named_children(child, "file_redirect")), target)
            elif ">" in tree.text(child):
                target = child
        if document is None:
            self._write_file(tree, body, target)
            return
        if target is not None:
            self._keep_file(tree, target, document)
        elif body is not None and not READERS.match(tree.text(body).lstrip()):
            self._statement(tree, body)
            start, end = tree.span(node)
            if SUBMITTING.match(tree.text(body).lstrip()):
                self.script.submitted.append(document)
            self.script.commands.append(Command((document,), {}, tree.source, start, end, self.sure))

    def _keep_file(self, tree: ScriptTree, target: Any, document: Text) -> None:
        """What a file gets from a here-document: `>>` adds to what the script wrote, or to what nobody here knows."""
        place = target.child_by_field_name("destination")
        name = self.expander(tree).text(tree.text(place), tree.span(place)[0]) if place is not None else ()
        tail = "" if name and name[-1].unknown else flat(name).rpartition("/")[2]
        files = self.script.files
        known = [one for one in files if tail and one.startswith("?") and one.endswith(f"/{tail}")]
        key = flat(name) if not reason(name) else known[-1] if known else f"?{len(files)}/{tail}"
        if ">>" not in tree.text(target):
            files[key] = document
        elif key in files:
            files[key] = (*files[key], *document)
        else:
            self.script.outputs[key] = tree.source.line_of(tree.span(target)[0])

    def _write_file(self, tree: ScriptTree, body: Any, target: Any) -> None:
        """A command whose output goes to a file: what `echo` writes is known."""
        if body is None:
            return
        before = len(self.script.commands)
        self._statement(tree, body)
        made = self.script.commands[before:]
        place = target.child_by_field_name("destination") if target is not None else None
        if place is None:
            return
        name = self.expander(tree).text(tree.text(place), tree.span(place)[0])
        if len(made) != 1 or reason(made[0].words[0]) or flat(made[0].words[0]) != "echo":
            self.script.outputs[flat(name)] = tree.source.line_of(tree.span(target)[0])
        elif not reason(name):
            texts = [word for word in made[0].words[1:] if not flat(word).startswith("-")]
            self.script.files[flat(name)] = tuple(piece for word in texts for piece in (*word, SPACE))

    def _here(self, tree: ScriptTree, node: Any) -> Text | None:
        body = next(iter(named_children(node, "heredoc_body")), None)
        mark = next(iter(named_children(node, "heredoc_start")), None)
        if body is None:
            return None
        text, (start, _) = tree.text(body), tree.span(body)
        if mark is not None and tree.text(mark)[:1] in "'\"\\":
            return (Piece(text, tree.source, start, start + len(text)),)
        return tuple(piece._replace(quoted=False) for piece in self.expander(tree).text(text, start, quoted=True))

    def substitute(self, tree: ScriptTree, text: str, start: int) -> Text | None:
        """`$(cat <<EOM ... EOM)` is its text, and `$(echo words)` its words; anything else is not run."""
        found = re.match(
            r"""\s*cat\s+<<-?\s*(["']?)(\w+)\1[^\n]*\n(.*?)^[ \t]*\2\s*\Z""", text, re.DOTALL | re.MULTILINE
        )
        if found is not None:
            place = start + found.start(3)
            if found[1]:
                return (Piece(found[3], tree.source, place, place + len(found[3])),)
            return tuple(
                piece._replace(quoted=False) for piece in self.expander(tree).text(found[3], place, quoted=True)
            )
        said = re.match(r"\s*echo\s+(?:-n\s+)?([^|;&<>`]*)\Z", text, re.DOTALL)
        if said is not None and "$(" not in said[1]:
            return self.expander(tree).text(said[1], start + said.start(1))
        return None
