"""Walks a script as the shell would, without running anything: variables, branches, functions, here-documents, sourced files."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any

from designlint.importers.base import How
from designlint.importers.shell.expansion import Expander, Scope
from designlint.importers.shell.gaps import gaps
from designlint.importers.shell.pieces import Piece, Text, flat, mark_pieces, reason
from designlint.importers.shell.record import Command, Script
from designlint.importers.shell.strings import matching
from designlint.importers.shell.syntax import PLACEHOLDER, ScriptTree, named_children, parse_script

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from designlint.importers.base import Source

#: Statements that are walked: functions that call one another and long files end here.
MOST_STEPS = 50_000
DEEPEST = 30
#: Files that set up an environment of Python or modules, not a launch.
SETTING_UP = re.compile(r"(?:activate|\.bashrc|\.bash_profile|\.profile|conda\.sh|modules?\.sh|bash|init)\Z")
ARRAY = re.compile(r"\s*\(")
FAILURE = re.compile(r"-?[1-9]\d*")
#: The end of a line that does not continue.
ENDED = re.compile(r"(?<!\\)\n")
#: Declarations of a function's own variables.
OWN = re.compile(r"local\b|(?:declare|typeset)\b(?!\s+-\w*g)")
#: What may hold a `#` that starts no comment, and comments.
TOKEN = re.compile(r"""\\.|"(?:\\.|[^"\\])*"|'[^']*'|(?<!\S)#[^\n]*""", re.DOTALL)


class Walker:
    """Walks statements, keeps variables, notes commands; what branches and redirections do stands in classes above it."""

    def __init__(self, opened: Callable[[Source, str], Source | str], given: Mapping[str, str]) -> None:
        self.opened = opened
        self.scope = Scope(given=given)
        self.script = Script()
        self.steps = self.depth = 0
        self.sure, self.ended = True, False
        self.locals: list[dict[str, tuple[Text | None, list[Text] | None]]] = []
        self.functions: dict[str, tuple[ScriptTree, Any]] = {}

    def _file(self, source: Source) -> None:
        tree = parse_script(source)
        self.script.gaps += [(source, one) for one in gaps(tree)]
        self.script.sources.append(source)
        self._block(tree, tree.root)

    def _block(self, tree: ScriptTree, node: Any) -> None:
        for child in named_children(node):
            self._statement(tree, child)

    def _statement(self, tree: ScriptTree, node: Any) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS or self.depth > DEEPEST or self.ended:
            return
        self.depth += 1
        handle = getattr(self, f"_on_{node.type}", None)
        if handle is not None:
            handle(tree, node)
        elif node.type == "ERROR":
            start, end = tree.span(node)
            if tree.text(node).strip("\\ \t\n"):
                self.script.unfollowed.append(
                    (tree.source, start, min(end, start + 200), "the syntax is not understood")
                )
            self._block(tree, node)
        elif node.type not in ("comment", "heredoc_body"):
            self._block(tree, node)
        self.depth -= 1

    def expander(self, tree: ScriptTree) -> Expander:
        """Expands the words of a file in the scope as it is now."""
        return Expander(tree.source, self.scope, lambda text, start: self.substitute(tree, text, start))

    def reading(self, tree: ScriptTree, node: Any, words: list[Text], own: Mapping[str, Text]) -> None:
        """What `read` and its like set is not known here."""
        names = {flat(one) for one in words[1:] if not flat(one).startswith("-")}
        self.forget(names, tree, node, f"`{flat(words[0])}` sets it")

    def computing(self, tree: ScriptTree, node: Any, words: list[Text]) -> None:
        """Follows `let`, `set` and `shift`."""

    def substitute(self, tree: ScriptTree, text: str, start: int) -> Text | None:
        """What a command substitution gives, where that is known without running it."""
        return None

    def forget(self, names: set[str], tree: ScriptTree, node: Any, why: str) -> None:
        """Let variables be unknown from here on."""
        for name in names:
            self.scope.arrays.pop(name, None)
            self.scope.variables[name] = (unknown(tree, node, why),)

    # -- assignments

    def _on_variable_assignment(self, tree: ScriptTree, node: Any) -> None:
        self._assign(tree, node)

    def _on_variable_assignments(self, tree: ScriptTree, node: Any) -> None:
        self._block(tree, node)

    def _on_declaration_command(self, tree: ScriptTree, node: Any) -> None:
        text = tree.text(node).lstrip()
        exported = text.startswith(("export", "declare -x", "declare -gx"))
        if self.locals and OWN.match(text):
            self._hide(tree, node)
        for child in named_children(node):
            if child.type == "variable_assignment":
                name = self._assign(tree, child)
                if exported and name in self.scope.variables:
                    self.script.exports[name] = self.scope.variables[name]
            elif child.type == "variable_name" and exported:
                name = tree.text(child)
                if name in self.scope.variables:
                    self.script.exports[name] = self.scope.variables[name]

    def _hide(self, tree: ScriptTree, node: Any) -> None:
        """Keep what variables hold that a function declares as its own."""
        named = (
            one.child_by_field_name("name") or one
            for one in named_children(node, "variable_assignment", "variable_name")
        )
        for name in (tree.text(one).partition("[")[0] for one in named):
            self.locals[-1].setdefault(name, (self.scope.variables.get(name), self.scope.arrays.get(name)))

    def _assign(self, tree: ScriptTree, node: Any, scope: dict[str, Text] | None = None) -> str:
        text = tree.text(node)
        start = tree.span(node)[0]
        found = re.match(r"([A-Za-z_]\w*)(\[[^\]]*\])?(\+?)=", text)
        if found is None:
            return ""
        name, index, more = found[1], found[2], bool(found[3])
        value, place = text[found.end() :], start + found.end()
        expander = self.expander(tree)
        if index:
            self.scope.arrays.pop(name, None)
            self.scope.variables[name] = (unknown(tree, node, f"${name}{index} is set one by one"),)
        elif ARRAY.match(value):
            self._array(tree, name, value, place, more)
        else:
            parts = expander.text(value, place)
            if PLACEHOLDER.fullmatch(value.strip("\"'")):
                parts = (unknown(tree, node, f"{value[:40]} is a placeholder"),)
            before = self.scope.variables.get(name, ()) if more else ()
            target = self.scope.variables if scope is None else scope
            target[name] = tuple(mark_pieces((*before, *parts), quoted=False)) or (
                Piece("", tree.source, place, place),
            )
            flat(target[name])
            if scope is None:
                self.scope.arrays.pop(name, None)
                if name in self.script.exports:
                    self.script.exports[name] = target[name]
        return name

    def _array(self, tree: ScriptTree, name: str, value: str, place: int, more: bool) -> None:
        end = matching(value, value.index("("), "(", ")")
        begin = value.index("(") + 1
        inside = _without_comments(value[begin:end])
        items = self.expander(tree).words(inside, place + begin)
        self.scope.arrays[name] = [*(self.scope.arrays.get(name, []) if more else []), *items]
        self.scope.variables.pop(name, None)

    # -- commands

    def _on_command(self, tree: ScriptTree, node: Any) -> None:
        expander = self.expander(tree)
        own: dict[str, Text] = {}
        words: list[Text] = []
        ended = _assignments_of_lines_before(tree, node)
        for child in node.children:
            if child.type == "variable_assignment":
                self._assign(tree, child, None if child.end_byte <= ended else own)
            elif child.type in ("herestring_redirect", "file_redirect", "heredoc_redirect", "comment"):
                continue
            elif child.type not in ("&", ";"):
                words += expander.words(tree.text(child), tree.span(child)[0])
        name = flat(words[0]) if words and not reason(words[0]) else ""
        if name in (".", "source") and len(words) > 1:
            self._source(tree, node, words[1])
        elif name in self.functions:
            self._call(name, words[1:])
        elif (
            name == "exit"
        ):  # a script is taken to run: what surely ends it with an error is a variable that is to be set
            self.ended = not self.sure or not FAILURE.fullmatch(flat(words[-1]))
        elif name in ("let", "set", "shift"):
            self.computing(tree, node, words)
        elif name == "printf" and len(words) > 2 and flat(words[1]) == "-v":
            self.forget({flat(words[2])}, tree, node, "`printf` sets it")
        elif name in ("read", "mapfile", "readarray", "getopts"):
            self.reading(tree, node, words, own)
        elif words and name != ":":
            start, end = tree.span(node)
            self.script.commands.append(Command(tuple(words), own, tree.source, start, end, self.sure))

    def _source(self, tree: ScriptTree, node: Any, word: Text) -> None:
        start, end = tree.span(node)
        opened = f"its name is not known: {reason(word)}" if reason(word) else self.opened(tree.source, flat(word))
        if isinstance(opened, str) or any(opened.path == one.path for one in self.script.sources[-20:]):
            if isinstance(opened, str) and SETTING_UP.search(flat(word)):
                return
            why = opened if isinstance(opened, str) else "it was already read"
            self.script.unfollowed.append((tree.source, start, end, f"the file it sources is not read: {why}"))
            note = f"the script's own, unless {flat(word).rpartition('/')[2] or 'that file'} sets it"
            for name, text in self.scope.variables.items():
                if text is not self.script.scheduled.get(name):
                    self.scope.variables[name] = as_default(text, note)
            return
        self._file(opened)

    def _call(self, name: str, arguments: list[Text]) -> None:
        tree, body = self.functions[name]
        saved = {str(at): self.scope.variables.get(str(at)) for at in range(1, 10)}
        array = self.scope.arrays.get("@")
        self.take_arguments(arguments)
        self.locals.append({})
        self._statement(tree, body)
        for key, (variable, items) in self.locals.pop().items():
            _restore(self.scope.variables, key, variable)
            _restore(self.scope.arrays, key, items)
        for key, before in saved.items():
            _restore(self.scope.variables, key, before)
        _restore(self.scope.arrays, "@", array)

    def take_arguments(self, arguments: list[Text]) -> None:
        """Let these be what `$1` and `$@` stand for."""
        for at in range(1, 10):
            self.scope.variables.pop(str(at), None)
        self.scope.variables |= {str(at): one for at, one in enumerate(arguments[:9], 1)}
        self.scope.arrays["@"] = list(arguments)

    def _on_function_definition(self, tree: ScriptTree, node: Any) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is not None and body is not None:
            self.functions[tree.text(name)] = (tree, body)


def as_default(text: Text, note: str) -> Text:
    """A text that something else may replace."""
    return tuple(one._replace(how=How.DEFAULT, note=note) if one.how is How.STATED else one for one in text)


def _restore(here: dict[str, Any], key: str, before: Any) -> None:
    here.pop(key, None)
    if before is not None:
        here[key] = before


def unknown(tree: ScriptTree, node: Any, why: str) -> Piece:
    """A value that is not known, where the node stands."""
    start, end = tree.span(node)
    return Piece("", tree.source, start, min(end, start + 80), unknown=why)


def _assignments_of_lines_before(tree: ScriptTree, node: Any) -> int:
    """Where a line of several assignments ends that the parser takes for the beginning of the next line's command."""
    ended = 0
    for one, following in itertools.pairwise(node.children):
        if one.type == "variable_assignment" and ENDED.search(
            tree.source.text, tree.span(one)[1], tree.span(following)[0]
        ):
            ended = one.end_byte
    return ended


def _without_comments(text: str) -> str:
    """An array's text with comments blanked out, offsets kept."""
    return TOKEN.sub(lambda found: " " * len(found[0]) if found[0][0] == "#" else found[0], text)
