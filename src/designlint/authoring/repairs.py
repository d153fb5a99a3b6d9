"""The repairs that a rule file states: their form, checked when the rule is compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from designlint.source.tree import Node

#: What a fix does, and the form of what it does it to: values by path, or paths.
CHANGES = {"set": "map", "append": "map", "remove": "list"}
TEXTS = ("title", "because", "safety")
#: `display` is shown, never made.
SAFETIES = ("safe", "unsafe", "display")


def fault(fix: Node, *, built_in: bool) -> str:
    """What is wrong with a fix; empty where nothing is."""
    if fix.kind != "map" or "title" not in fix.entries:
        return "a fix is a mapping with a title"
    unknown = [key for key in fix.entries if key not in (*TEXTS, *CHANGES)]
    if unknown:
        return f"unknown key `{unknown[0]}`; a fix has {', '.join((*TEXTS, *CHANGES))}"
    safety = fix.entries.get("safety")
    if safety is not None and safety.text not in SAFETIES:
        return f"the safety of a fix is one of {', '.join(SAFETIES)}"
    stated = [(name, fix.entries[name]) for name in CHANGES if name in fix.entries]
    if any(node.kind != CHANGES[name] or not (node.entries or node.items) for name, node in stated):
        return "`set` and `append` map paths to values, `remove` lists paths"
    if not stated and not built_in:
        return "a fix has `set`, `append` or `remove`"
    if built_in and (
        "append" in fix.entries
        or [one.text for name, one in stated if name == "remove" for one in one.items] not in ([], ["."])
    ):
        return "where the reader judges, a fix has `set`, `remove: [.]`, or nothing and writes the proposal"
    return ""


def texts(fix: Node) -> list[Node]:
    """The texts of a fix in which values are filled in."""
    told = [fix.entries[name] for name in ("title", "because") if name in fix.entries]
    for name in ("set", "append"):
        if name in fix.entries:
            told += fix.entries[name].entries.values()
    return told
