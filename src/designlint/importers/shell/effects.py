"""What statements do beside assignments and branches: arithmetic, subshells, `read`, variables that are unset."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from designlint.importers.base import How
from designlint.importers.shell import arithmetic
from designlint.importers.shell.loops import LoopWalker
from designlint.importers.shell.pieces import Piece, flat, reason
from designlint.importers.shell.syntax import COMPUTED, ScriptTree, named_children

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.shell.pieces import Text

#: What separates words where `IFS` is not set, and the switches of `read` that at most make an array of them.
BLANKS, PLAIN = " \t\n", re.compile("[ra]*")
#: `X=1`, `X+=2`, `X++`: the only assignment of an arithmetic command.
SINGLE = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:([-+*/%]?)=(?!=)(.*)|(\+\+|--)\s*)\Z", re.DOTALL)


def _names(words: list[Text]) -> tuple[list[str], str]:
    """The variables that `read` sets, and its switches."""
    texts = [flat(one) for one in words]
    switches = "".join(one[1:] for one in texts if one.startswith("-"))
    return [one for one in texts if not one.startswith("-")], switches


class Effects(LoopWalker):
    """A walker that follows these statements."""

    def _on_subshell(self, tree: ScriptTree, node: Any) -> None:
        outer, ended = self.scope, self.ended
        self.scope = outer.copy()
        self._block(tree, node)
        self.scope, self.ended = outer, ended

    def _on_pipeline(self, tree: ScriptTree, node: Any) -> None:
        """Each part runs in a shell of its own: what it sets is gone afterwards."""
        outer = self.scope
        for child in named_children(node):
            self.scope = outer.copy()
            self._statement(tree, child)
        self.scope = outer

    def _on_unset_command(self, tree: ScriptTree, node: Any) -> None:
        for child in named_children(node, "variable_name"):
            name = tree.text(child)
            for here in (self.scope.variables, self.scope.arrays, self.script.exports):
                here.pop(name, None)

    def _on_compound_statement(self, tree: ScriptTree, node: Any) -> None:
        text = tree.text(node)
        if text.startswith("(("):
            self._compute(tree, node, text.removeprefix("((").removesuffix("))"))
        else:
            self._block(tree, node)

    def reading(self, tree: ScriptTree, node: Any, words: list[Text], own: Mapping[str, Text]) -> None:
        """`read -r X Y <<< "8 4"`, cut at the characters of `IFS`: the last variable takes the rest, an array all words."""
        given = next(iter(named_children(node, "herestring_redirect")), None)
        names, switches = _names(words[1:])
        stated = next(iter(named_children(given)), None) if given is not None else None
        at = tree.span(stated)[0] if stated is not None else 0
        text = self.expander(tree).text(tree.text(stated), at) if stated is not None else ()
        marks = own.get("IFS", self.scope.variables.get("IFS", (Piece(BLANKS, tree.source, at, at),)))
        if not names or not text or reason(text) or reason(marks) or not PLAIN.fullmatch(switches):
            super().reading(tree, node, words, own)
            return
        cut = re.compile(r"\s+" if not flat(marks).strip() else f"[{re.escape(flat(marks))}]")
        listed = "a" in switches
        parts = cut.split(flat(text).strip(), maxsplit=0 if listed else len(names) - 1)
        values = [(text[0]._replace(text=one.strip(), quoted=False),) for one in parts]
        self.forget({*names}, tree, node, "`read` sets it")
        if listed:
            self.scope.variables.pop(names[0], None)
            self.scope.arrays[names[0]] = list(values)
        else:
            empty = (Piece("", tree.source, at, at),)
            self.scope.variables |= dict(zip(names, [*values, *[empty] * len(names)], strict=False))

    def computing(self, tree: ScriptTree, node: Any, words: list[Text]) -> None:
        """`let X=Y*2`, `set -- A B`, `shift 2`."""
        name = flat(words[0])
        for word in words[1:] if name == "let" else ():
            self._compute(tree, node, flat(word) if not reason(word) else "")
        if name == "shift" and "@" in self.scope.arrays:
            many = flat(words[1]) if len(words) > 1 and not reason(words[1]) else "1"
            self.take_arguments(self.scope.arrays["@"][int(many) if many.isdigit() else 1 :])
        elif name == "set" and len(words) > 1 and flat(words[1]) == "--":
            self.take_arguments(words[2:])

    def _compute(self, tree: ScriptTree, node: Any, text: str) -> None:
        """The value of a single assignment; what any other arithmetic sets is not known."""
        found = SINGLE.match(text)
        names = {one for pair in COMPUTED.findall(text) for one in pair if one}
        if found is None or names - {found[1]}:
            self.forget(names, tree, node, "arithmetic sets it")
            return
        name, by = found[1], found[4][0] if found[4] else found[2]
        right = "1" if found[4] else found[3]
        result = arithmetic.evaluate(f"{name} {by} ({right})" if by else right, self.expander(tree).look_up)
        start, end = tree.span(node)
        if result is None:
            self.forget({name}, tree, node, "the arithmetic is not followed")
        else:
            self.scope.variables[name] = (Piece(str(result), tree.source, start, end, How.DERIVED, text.strip()),)
