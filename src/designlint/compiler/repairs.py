"""The repairs that a rule file states: their form, checked when the rule is compiled."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from designlint.expressions import templates

if TYPE_CHECKING:
    from collections.abc import Callable

    from designlint.expressions.templates import Template
    from designlint.reading.tree import Node

#: What a fix does, and the form of what it does it to: values by path, or paths.
CHANGES = {
    "set": "map",
    "append": "map",
    "remove": "list",
    "move": "scalar",
    "list": "scalar",
    "split": "scalar",
    "begin": "scalar",
}
#: What is done to the place of a fault itself, by the reader's own findings.
ALONE = ("move", "list", "split", "begin")
#: Words by which a change is reached, forwards or (`^Class.word`) backwards; a `?` behind them wants the last one stated.
PATH = re.compile(r"\.|(?:\w+|\^\w+\.\w+(?:\|\w+)*)(?:/(?:\w+|\^\w+\.\w+(?:\|\w+)*))*\??")
#: Says that a fix lets a value be read, so that what it brings to light is no harm.
REVEALS = "reveals"
TEXTS = ("title", "because", "safety", REVEALS)
#: What stands for the layout that a plan would choose, and what is said of it on the page of a rule.
PLAN, LAYOUT = "plan", "layout"
PLANNED = (
    "Split the job as planned",
    "Of all layouts that divide the model, the GPUs and the batch, and that fit into memory, it is predicted to be the fastest.",
)
#: `display` is shown, never made.
SAFETIES = ("safe", "unsafe", "display")


def fault(fix: Node, about: str, *, built_in: bool) -> str:
    """What is wrong with a fix of a rule about a class; empty where nothing is."""
    if fix.kind == "map" and PLAN in fix.entries:
        sound = list(fix.entries) == [PLAN] and fix.entries[PLAN].text == LAYOUT and about == "Workload"
        return "" if sound else "`plan: layout` stands alone, in a rule about a Workload"
    if fix.kind != "map" or "title" not in fix.entries:
        return "a fix is a mapping with a title"
    unknown = [key for key in fix.entries if key not in (*TEXTS, *CHANGES)]
    if unknown:
        return f"unknown key `{unknown[0]}`; a fix has {', '.join((*TEXTS, *CHANGES))}"
    safety = fix.entries.get("safety")
    if safety is not None and safety.text not in SAFETIES:
        return f"the safety of a fix is one of {', '.join(SAFETIES)}"
    if REVEALS in fix.entries and (fix.entries[REVEALS].text != "true" or not built_in):
        return "`reveals: true` says that what was not read is read then, where the reader judges"
    stated = [(name, fix.entries[name]) for name in CHANGES if name in fix.entries]
    if any(node.kind != CHANGES[name] or not (node.entries or node.items or node.text) for name, node in stated):
        return "`set` and `append` map paths to values, `remove` lists paths, all others are one text"
    alone = next((name for name in ALONE if name in fix.entries), "")
    if alone and (len(stated) > 1 or not built_in):
        return f"`{alone}` stands alone, where the reader judges"
    if not stated and not built_in:
        return "a fix has `set`, `append` or `remove`"
    paths = [path for name, one in stated for path in one.entries or [item.text for item in one.items]]
    if wrong := next((path for path in paths if PATH.fullmatch(path) is None), None):
        return f"`{wrong}` is no path of words such as topology/spines"
    if built_in and (
        "append" in fix.entries
        or [one.text for name, one in stated if name == "remove" for one in one.items] not in ([], ["."])
    ):
        return f"where the reader judges, a fix has `set`, `remove: [.]`, {', '.join(ALONE)}, or nothing and writes the proposal"
    return ""


def texts(fix: Node) -> list[Node]:
    """The texts of a fix in which values are filled in."""
    told = [fix.entries[name] for name in ("title", "because", *ALONE) if name in fix.entries]
    for name in ("set", "append"):
        if name in fix.entries:
            told += fix.entries[name].entries.values()
    return told


def data(fix: Node, template: Callable[[Node | None], Template]) -> dict[str, Any]:
    """A fix as JSON-able data, as `designlint.rules` reads it."""
    if PLAN in fix.entries:
        title, because = (templates.encode_template(templates.Template((one,))) for one in PLANNED)
        return {
            "title": title,
            "because": because,
            "safety": "unsafe",
            "changes": [],
            "planned": True,
            "reveals": False,
        }
    title, because = (templates.encode_template(template(fix.entries.get(name))) for name in ("title", "because"))
    changes = [
        [how, path, templates.encode_template(template(value))]
        for how in ("set", "append")
        if how in fix.entries
        for path, value in fix.entries[how].entries.items()
    ]
    removed = fix.entries["remove"].items if "remove" in fix.entries else []
    changes += [["remove", one.text, []] for one in removed]
    for how in ALONE:
        if how in fix.entries:
            changes.append([how, ".", templates.encode_template(template(fix.entries[how]))])
    safety = fix.entries["safety"].text if "safety" in fix.entries else "unsafe"
    reveals = REVEALS in fix.entries
    return {
        "title": title, "because": because, "safety": safety, "changes": changes, "planned": False, "reveals": reveals,
    }  # fmt: skip
