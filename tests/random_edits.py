"""
Random edits of real YAML files, and every fix that is offered on designs broken at random, checked without our own tree.

`python -m tests.random_edits 10000` (`make edits`) makes so many edits; the tests make a sample of them.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

import yaml

from designlint.applying import session
from designlint.configuration import engine
from designlint.design.design import read_design
from designlint.findings.model import Severity
from designlint.linting import pipeline
from designlint.reading import read_bytes, tree_paths
from designlint.reading.edit import Edit
from designlint.reading.edits import EditRefused, apply

from .corpus.convert import designs
from .running import ROOT

if TYPE_CHECKING:
    from designlint.findings.model import Finding, Fix
    from designlint.reading import Document

#: One design is broken and mended for so many edits: it costs as much as these.
EDITS_PER_DESIGN = 20
MOST_EDITS = 4
#: Designs that state nearly everything, so that most rules have something to find.
LARGE = ("superpod-4su", "gb200-nvl72", "hawk-4096")
SEED = 20261120
VALUES = (
    "7", "new text", "'quoted'", '"é 𝒳"', "500e9", "[p, q]", "{r: s}", "a, b", "true", "400 Gbit/s", "null", "''", "'# no'",
    "0", "1", "3", "64", "100000", "1 s", "90 days", "80 GB", "1 kW", "50 %", "h100-sxm-80gb", "none",
)  # fmt: skip
KEYS = ("new", "added: key", "é", "#", "tensor", "count")
NUMBER = re.compile(r"([0-9]+(?:\.[0-9]+)?(?:e[0-9]+)?)( .*)?\Z")
FIRST = ("designlint",)
COMMENT = re.compile(r"(?:^|(?<=\s))#[^\r\n]*")
#: What may be done to a file before: it must come out with the same line ends, mark and last line.
FORMS = (lambda text: text, lambda text: text.replace("\n", "\r\n"), lambda text: "\ufeff" + text, str.rstrip)


@cache
def files() -> dict[str, str]:
    """Real YAML files of many hands and styles: every rule, example and broken base, and published systems."""
    found = sorted([*ROOT.glob("rules/*/*.yaml"), *ROOT.glob("examples/**/*.yaml"), *ROOT.glob("tests/**/*.yaml")])
    found += sorted(ROOT.glob(".*.y*ml")) + sorted(ROOT.glob("*.yml"))
    return {str(one.relative_to(ROOT)): one.read_text("utf-8") for one in found} | dict(sound())


@cache
def sound() -> dict[str, str]:
    """Designs that are known to work."""
    shipped = {one.parent.name: one.read_text("utf-8") for one in sorted(ROOT.glob("examples/*/design.yaml"))}
    return shipped | {case.id: case.yaml for case in designs() if case.outcome == "ran"}


def value_of(text: str) -> Any:
    """The data of the first document with every scalar as text, each alias a copy, by PyYAML alone."""
    return json.loads(json.dumps(next(yaml.load_all(text, yaml.CBaseLoader))))


def expected(before: Any, edit: Edit) -> Any:
    """The data after the edit, worked out without our tree."""
    holder = before
    for step in edit.target[:-1]:
        if isinstance(holder, dict) and holder.get(step, "") in ("", "~", "null"):
            holder[step] = {}
        holder = holder[step]
    last: Any = edit.target[-1]
    value = value_of(edit.value) if edit.value else None
    if edit.op == "remove":
        del holder[last]
    elif edit.op == "rename":
        holder[edit.key] = holder.pop(last)
    elif edit.op == "append":
        here = holder.get(last, "") if isinstance(holder, dict) else holder[last]
        holder[last] = [value] if here in ("", "~", "null") else [*here, value]
    else:
        holder[last] = value
    return before


def edit(document: Document, chance: random.Random) -> Edit:
    """Any edit of any path."""
    assert document.root is not None
    every = [(path, node.kind) for path, node in tree_paths(document.root) if path]
    value = chance.choice(VALUES)
    if not every:
        return Edit("insert", (), value, chance.choice(KEYS))
    path = chance.choice(every)[0]
    if (scalars := [path for path, kind in every if kind == "scalar"]) and chance.random() < 0.5:
        return Edit("set", chance.choice(scalars), value)
    op = chance.choice(("set", "insert", "append", "remove", "create", "rename"))
    if op == "remove":
        return Edit("remove", path)
    if op == "rename":
        return Edit("rename", path, key=chance.choice(KEYS))
    if op == "insert":
        return Edit("insert", path, value, chance.choice(KEYS))
    if op == "create":
        return Edit("set", (*path, "new", "deeper"), value)
    return Edit("append" if op == "append" else "set", path, value)


def broken(document: Document, chance: random.Random) -> Edit:
    """Another value somewhere, most often a number a few times larger or smaller."""
    assert document.root is not None
    numbers = [
        (path, node.text) for path, node in tree_paths(document.root) if NUMBER.match(node.text) and path != FIRST
    ]
    if not numbers or chance.random() < 0.2:
        return edit(document, chance)
    path, text = chance.choice(numbers)
    number, unit = NUMBER.match(text).groups()  # type: ignore[union-attr]
    moved = float(number) * chance.choice((0.1, 0.25, 0.5, 1.5, 2, 3, 4, 10))
    return Edit("set", path, f"{max(1, round(moved)) if moved.is_integer() or not unit else moved}{unit}")


def edited(chance: random.Random) -> str:
    """One file with one or several random edits: `made` or `refused`. Raises AssertionError where the file was damaged."""
    name = chance.choice(sorted(files()))
    text = chance.choice(FORMS)(files()[name])
    document = read_bytes(text.encode(), name)
    edits = [edit(document, chance) for _ in range(chance.choice((1, 1, 2, MOST_EDITS)))]
    try:
        after = apply(document, edits)
    except EditRefused:
        return "refused"
    body = text.removeprefix("\ufeff")
    wanted = value_of(body)
    removals = sorted((one for one in edits if one.op == "remove"), key=lambda one: _order(one.path), reverse=True)
    for one in [*(one for one in edits if one.op != "remove"), *removals]:
        wanted = expected(wanted, one)
    assert value_of(after) == wanted, (name, edits)
    assert ("\r\n" in after) == ("\r\n" in body), (name, edits)
    assert after.endswith("\n") == body.endswith("\n"), (name, edits)
    kept, lost = Counter(after.splitlines()), Counter(body.splitlines())
    if not removals:
        assert sum((lost - kept).values()) <= _lines_touched(document, edits), (name, edits)
        assert Counter(COMMENT.findall(body)) <= Counter(COMMENT.findall(after)) + Counter(_texts(document)), (
            name,
            edits,
        )
    if all(one.op == "set" for one in edits):
        assert apply(read_bytes(after.encode(), name), edits) == after, (name, edits)
    return "made"


def _order(path: tuple[str | int, ...]) -> list[tuple[bool, str, int]]:
    return [(isinstance(step, int), str(step) if isinstance(step, str) else "", step if isinstance(step, int) else 0)
            for step in path]  # fmt: skip


def _lines_touched(document: Document, edits: list[Edit]) -> int:
    """Lines that the edits may replace: those of the values that are set, and one for each addition."""
    assert document.root is not None
    nodes = dict(tree_paths(document.root))
    spans = [nodes[one.target] for one in edits if one.target in nodes]
    return len(edits) + sum(document.text[node.start : node.end].count("\n") for node in spans)


def _texts(document: Document) -> list[str]:
    """What looks like a comment inside texts."""
    assert document.root is not None
    return [found for _, node in tree_paths(document.root) if node.kind == "scalar" for found in
            COMMENT.findall(document.text[node.start : node.end])]  # fmt: skip


def repaired(chance: random.Random) -> Counter[str]:
    """One design broken at random: every offered fix is made by its replacements and judged, then all of them."""
    name = chance.choice(LARGE if chance.random() < 0.6 else sorted(sound()))
    document = read_bytes(sound()[name].encode(), name)
    for _ in range(chance.randint(1, 4)):
        try:
            document = read_bytes(apply(document, [broken(document, chance)]).encode(), name)
        except EditRefused:
            continue
    result = pipeline.lint(document, engine.shipped_engine())
    tally = Counter({"designs": 1})
    for finding in result.findings:
        for fix in finding.fixes:
            tally[f"fixes {fix.safety}"] += 1
            if fix.proven:
                _verify(document, result.findings, finding, fix)
    done = session.apply_fixes(result.design, lambda *_: True)
    again = session.apply_fixes(read_design(done.after.design.document, engine.shipped_engine()), lambda *_: True)
    assert not done.undone, (name, document.text)
    assert again.made == [], (name, document.text, again.made)
    assert _bad(done.after.findings) <= _bad(done.before.findings), (name, document.text)
    tally["mended"] += bool(done.made)
    return tally


def _verify(document: Document, before: list[Finding], finding: Finding, fix: Fix) -> None:
    text, last, pieces = document.text, 0, []
    for at, new in fix.replacements:
        start, end = (
            _offset(text, line, column) for line, column in ((at.line, at.column), (at.end_line, at.end_column))
        )
        pieces += [text[last:start], new]
        last = end
    after = pipeline.lint(
        read_bytes(("".join(pieces) + text[last:]).encode(), document.file), engine.shipped_engine(), repair=False
    )
    assert _bad(after.findings) <= _bad(before), (finding.rule, fix, text)
    gone = Counter(map(_name, before)) - Counter(map(_name, after.findings))
    assert gone[_name(finding)], (finding.rule, fix, text)


def _offset(text: str, line: int, column: int) -> int:
    ends = [0, *(found.end() for found in re.finditer(r"\r\n?|\n", text))]
    return ends[line - 1] + column - 1


def _name(one: Finding) -> tuple[str, str]:
    return one.rule, one.subject


def _bad(findings: Any) -> Counter[tuple[str, str]]:
    return Counter(_name(one) for one in findings if one.severity is Severity.ERROR)


def run(number: int, seed: int = SEED) -> Counter[str]:
    """So many edits, and a design broken and mended for every few of them; what came of them."""
    chance = random.Random(seed)
    tally: Counter[str] = Counter()
    for at in range(number):
        tally[edited(chance)] += 1
        if at % EDITS_PER_DESIGN == 0:
            tally += repaired(chance)
    return tally


if __name__ == "__main__":
    print(dict(sorted(run(int(sys.argv[1])).items())))
