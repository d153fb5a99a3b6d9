"""The syntax tree of a script, by tree-sitter's grammar of bash (the extra `jobs`)."""

from __future__ import annotations

import re
from bisect import bisect_left
from importlib.util import find_spec
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from designlint.importers.base import ImportRefusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.importers.base import Source

#: Launchers have some hundred lines; the parser takes 25 ms for this many bytes.
MOST_BYTES = 512 * 1024
#: What a template wants to be replaced, such as `<path to the data>`: to a shell, and to the parser, a redirection.
PLACEHOLDER = re.compile(r"(?<=[=\s\"'])<[A-Za-z](?:[^<>|&;\n]*[\w.)])?>(?=[\s\"'/]|\Z)")
#: A here-document without a command, as comments of several lines are written; the parser takes its lines for commands.
BARE = re.compile(r"^[ \t]*<<-?[ \t]*([\"']?)(\w+)\1[ \t]*\n.*?^[ \t]*\2[ \t]*$", re.DOTALL | re.MULTILINE)
LETTER = re.compile(r"[^\n]")
#: Assignments within arithmetic: `X=1`, `X*=2`, `X++`.
COMPUTED = re.compile(r"([A-Za-z_]\w*)\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)")
#: Commands that set variables which they name.
SETTING, NAME = frozenset(("let", "printf", "read", "mapfile", "readarray", "getopts")), re.compile(r"[A-Za-z_]\w*")
LONGER = re.compile(r"[A-Za-z_]\w*(?:\[[^\]]*\])?(?:\+=|=\()")


class ScriptTree:
    """A script as tree-sitter sees it, with offsets in characters."""

    def __init__(self, source: Source) -> None:
        try:
            import tree_sitter_bash
            from tree_sitter import Language, Parser
        except ImportError:
            raise ImportRefusal(
                "it is a shell script", 1, "Install `designlint[jobs]` to read shell scripts."
            ) from None
        self.source = source
        text = PLACEHOLDER.sub(lambda found: "_" * len(found[0].encode("utf-8", "replace")), source.text)
        text = BARE.sub(
            lambda found: LETTER.sub(lambda one: " " * len(one[0].encode("utf-8", "replace")), found[0]), text
        )
        data = text.encode("utf-8", "replace")
        if len(data) > MOST_BYTES:
            raise ImportRefusal(f"it is a script of more than {MOST_BYTES // 1024} KiB")
        self.offsets = _offsets(source.text) if len(data) != len(source.text) else None
        self.tree = Parser(Language(tree_sitter_bash.language())).parse(data)

    @property
    def root(self) -> Any:
        """The node of the whole script."""
        return self.tree.root_node

    def span(self, node: Any) -> tuple[int, int]:
        """Start and end of a node in characters."""
        if self.offsets is None:
            return node.start_byte, node.end_byte
        return bisect_left(self.offsets, node.start_byte), bisect_left(self.offsets, node.end_byte)

    def text(self, node: Any) -> str:
        """The characters of a node."""
        start, end = self.span(node)
        return self.source.text[start:end]


def is_installed() -> bool:
    """Whether scripts can be read: the grammar is an extra."""
    return all(find_spec(name) is not None for name in ("tree_sitter", "tree_sitter_bash"))


def parse_script(source: Source) -> ScriptTree:
    """The tree of a file, made once. Raises: Refusal."""
    if "script" not in source.cache:
        source.cache["script"] = ScriptTree(source)
    found: ScriptTree = source.cache["script"]
    return found


def _offsets(text: str) -> list[int]:
    sizes = (1 if letter < "\x80" else len(letter.encode("utf-8", "replace")) for letter in text)
    return list(accumulate(sizes, initial=0))


def named_children(node: Any, *kinds: str) -> Iterator[Any]:
    """The children of these kinds; all that have a name without kinds."""
    return (child for child in node.children if child.is_named and (not kinds or child.type in kinds))


def assigned_variables(node: Any, tree: ScriptTree) -> set[str]:
    """The variables that anything below a node assigns, unsets, computes or reads."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if here.type == "variable_assignment":
            name = here.child_by_field_name("name")
            if name is not None:
                found.add(tree.text(name).partition("[")[0])
        elif here.type == "unset_command":
            found.update(tree.text(one) for one in named_children(here, "variable_name"))
        elif here.type == "compound_statement" and (text := tree.text(here)).startswith("(("):
            found.update(one for pair in COMPUTED.findall(text) for one in pair if one)
        elif here.type == "command":
            found |= _set_by_command(tree.text(here))
        waiting += here.children
    return found


def _set_by_command(text: str) -> set[str]:
    words = text.split()
    if not words or words[0] not in SETTING:
        return set()
    if words[0] == "let":
        return {one for pair in COMPUTED.findall(text) for one in pair if one}
    if words[0] == "printf":
        return {words[2]} if words[1:2] == ["-v"] and len(words) > 2 else set()
    return {one for one in words[1:] if NAME.fullmatch(one)}


def appended_variables(node: Any, tree: ScriptTree) -> set[str]:
    """The variables below a node that are lengthened, or hold lists."""
    found: set[str] = set()
    waiting = [node]
    while waiting:
        here = waiting.pop()
        name = here.child_by_field_name("name") if here.type == "variable_assignment" else None
        if name is not None and LONGER.match(tree.text(here)):
            found.add(tree.text(name).partition("[")[0])
        waiting += here.children
    return found
