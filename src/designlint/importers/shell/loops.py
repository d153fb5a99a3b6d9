"""Loops: once through, what they set unknown; one that reads the command line leaves what options may replace as defaults."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from designlint.importers.base import How
from designlint.importers.shell.branches import Branches
from designlint.importers.shell.pieces import Piece, Text, reason
from designlint.importers.shell.syntax import ScriptTree, appended_variables, assigned_variables
from designlint.importers.shell.walker import as_default

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The head of a loop that goes through the arguments of the script.
ARGUMENTS = re.compile(r"\$#|\$\{#|\$[@*1]|\$\{[@*1]|\bgetopts\b")


class LoopWalker(Branches):
    """A walker that goes through loops."""

    def _on_for_statement(self, tree: ScriptTree, node: Any) -> None:
        self._loop(tree, node)

    def _on_c_style_for_statement(self, tree: ScriptTree, node: Any) -> None:
        self._loop(tree, node)

    def _on_while_statement(self, tree: ScriptTree, node: Any) -> None:
        head = node.child_by_field_name("condition")
        if head is not None and head.type in ("command", "redirected_statement", "pipeline"):
            self._statement(tree, head)
        self._loop(tree, node)

    def _loop(self, tree: ScriptTree, node: Any) -> None:
        """Once through, with all that the loop sets unknown before and after."""
        names = assigned_variables(node, tree)
        variable = node.child_by_field_name("variable")
        if variable is not None:
            names.add(tree.text(variable))
        body, start = node.child_by_field_name("body"), tree.span(node)[0]
        head = tree.text(node) if body is None else tree.source.text[start : tree.span(body)[0]]
        before = dict(self.scope.variables) if ARGUMENTS.search(head) else {}
        why = f"the loop in line {tree.source.line_of(start)} sets it"
        self.forget(names, tree, node, why)
        sure, ended = self.sure, self.ended
        self.sure = False
        if body is not None:
            self._statement(tree, body)
        self.sure, self.ended = sure, ended
        self.forget(names, tree, node, why)
        if before:
            self._keep_defaults(names - appended_variables(node, tree), before)

    def _keep_defaults(self, names: set[str], before: Mapping[str, Text]) -> None:
        """What an option of the command line replaces, by the value that it has without."""
        for name in names:
            known, given = before.get(name), self.scope.given.get(name)
            if known is None or reason(known):
                continue
            usual = as_default(known, f"the script's own, unless an option sets {name}")
            at = known[0]
            if given is None:
                self.scope.variables[name] = usual
            else:
                self.scope.variables[name] = (Piece(given, at.source, at.start, at.end, How.STATED, f"--set {name}"),)
