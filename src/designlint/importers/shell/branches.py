"""Branches and loops: where a condition is not known, what they leave different is not known either."""

from __future__ import annotations

import fnmatch
from typing import TYPE_CHECKING, Any

from designlint.importers.shell import conditions, merging
from designlint.importers.shell.pieces import Text, flat, reason
from designlint.importers.shell.syntax import ScriptTree, named_children
from designlint.importers.shell.walker import Walker, unknown

if TYPE_CHECKING:
    from designlint.importers.shell.expansion import Scope


class Branches(Walker):
    """A walker that takes branches as their conditions say."""

    def _on_if_statement(self, tree: ScriptTree, node: Any) -> None:
        branches: list[tuple[bool | None, list[Any]]] = [(self._condition(tree, node), _body(node))]
        for clause in named_children(node, "elif_clause", "else_clause"):
            branches.append((True if clause.type == "else_clause" else self._condition(tree, clause), _body(clause)))
        if all(test is False for test, _ in branches):
            return
        first = next(test for test, _ in branches if test is not False)
        if first:
            body = next(body for test, body in branches if test)
            for child in body:
                self._statement(tree, child)
            return
        possible: list[list[Any]] = []
        for test, body in branches:
            if test is not False:
                possible.append(body)
            if test:
                break
        closed = any(test for test, _ in branches)
        self._either(tree, node, possible if closed else [*possible, []])

    def _either(self, tree: ScriptTree, node: Any, bodies: list[list[Any]]) -> None:
        """Bodies of which one runs, nobody knows which: what they leave different is unknown; after `exit` nothing follows."""
        before, sure, exports = self.scope, self.sure, self.script.exports
        self.sure = False
        scopes: list[Scope] = []
        exported: list[dict[str, Text]] = []
        for body in bodies:
            self.scope, self.script.exports, self.ended = before.copy(), dict(exports), False
            for child in body:
                self._statement(tree, child)
            if not self.ended:
                scopes.append(self.scope)
                exported.append(self.script.exports)
        self.scope, self.sure, self.script.exports, self.ended = before, sure, exports, not scopes
        if not scopes:
            return
        line = tree.source.line_of(tree.span(node)[0])
        why = f"it depends on the condition in line {line}, which is not known"
        for name in {key for one in scopes for key in one.variables}:
            known, found = before.variables.get(name), [one.variables.get(name, ()) for one in scopes]
            if all(one is known for one in found):
                continue
            if all(name in one.variables and _same(one.variables[name], found[0]) for one in scopes):
                before.variables[name] = found[0]
            else:
                before.variables[name] = merging.texts(found, unknown(tree, node, why))
        for name in {key for one in scopes for key in one.arrays}:
            lists = [one.arrays.get(name, []) for one in scopes]
            if any(one != lists[0] for one in lists):
                before.arrays[name] = merging.lists(lists, unknown(tree, node, why))
            else:
                before.arrays[name] = lists[0]
        for name in {key for one in exported for key in one}:
            first = exported[0].get(name, ())
            alike = all(name in one and _same(one[name], first) for one in exported)
            exports[name] = first if alike else (unknown(tree, node, why),)

    def _condition(self, tree: ScriptTree, node: Any) -> bool | None:
        tests = [child for child in node.children if child.is_named]
        if not tests:
            return None
        test = tests[0]
        text = tree.text(test)
        if test.type in ("test_command", "command", "negated_command", "list", "compound_statement"):
            return (
                conditions.holds(text, tree.span(test)[0], self.expander(tree))
                if test.type != "list"
                else self._list_condition(tree, test)
            )
        return None

    def _list_condition(self, tree: ScriptTree, node: Any) -> bool | None:
        """`[ a ] && [ b ]`."""
        sides = list(named_children(node))
        results = [conditions.holds(tree.text(one), tree.span(one)[0], self.expander(tree)) for one in sides]
        joint = next((tree.text(one) for one in node.children if not one.is_named), "")
        if joint == "&&":
            return False if False in results else None if None in results else True
        return True if True in results else None if None in results else False

    def _on_list(self, tree: ScriptTree, node: Any) -> None:
        """`a && b`, `a || b`: b runs or not as a tells; a command is taken to succeed."""
        sides = list(named_children(node))
        joint = next((tree.text(one) for one in node.children if not one.is_named), "")
        if not sides:
            return
        if sides[0].type in ("test_command", "negated_command") or tree.text(sides[0]).startswith("(("):
            result = conditions.holds(tree.text(sides[0]), tree.span(sides[0])[0], self.expander(tree))
            runs = result if joint == "&&" or result is None else not result
        else:
            self._statement(tree, sides[0])
            runs = joint == "&&"
        if runs is None:
            self._either(tree, node, [sides[1:], []])
        elif runs:
            for side in sides[1:]:
                self._statement(tree, side)

    def _on_case_statement(self, tree: ScriptTree, node: Any) -> None:
        subject = node.child_by_field_name("value")
        text = self.expander(tree).text(tree.text(subject), tree.span(subject)[0]) if subject is not None else ()
        bodies: list[list[Any]] = []
        closed = falls = False
        for item in named_children(node, "case_item"):
            patterns = [tree.text(one).strip("\"'") for one in item.children_by_field_name("value")]
            ends = [one.end_byte for one in item.children_by_field_name("value")]
            body = [one for one in named_children(item) if not ends or one.start_byte >= max(ends)]
            falls = falls or (not reason(text) and any(fnmatch.fnmatchcase(flat(text), one) for one in patterns))
            if falls:
                for child in body:
                    self._statement(tree, child)
                if item.children[-1].type != ";&":
                    return
            bodies.append(body)
            closed = closed or "*" in patterns
        if reason(text):
            self._either(tree, node, bodies if closed else [*bodies, []])


def _same(one: Text, other: Text) -> bool:
    return one is other or (reason(one) == reason(other) and flat(one) == flat(other))


def _body(node: Any) -> list[Any]:
    """The statements after the condition."""
    children = [child for child in node.children if child.is_named]
    body = children if node.type == "else_clause" else children[1:]
    return [child for child in body if child.type not in ("elif_clause", "else_clause")]
