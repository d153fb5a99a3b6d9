"""The page of a rule, and the index of all pages, in Markdown: made from the rule's own file and examples."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from designlint.authoring import examples
from designlint.resources import shipped
from designlint.wording import general

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from designlint.authoring.examples import Example
    from designlint.rules import Rule

HEADINGS = {"bad": "Found", "good": "Not found", "unknown": "Not decided"}


def page(rule: Rule) -> str:
    """One rule: what it finds, why, what to do, how it judges, and its examples."""
    return "\n".join(_lines(rule)).rstrip() + "\n"


def _lines(rule: Rule) -> Iterator[str]:
    yield f"# {rule.id}\n"
    safeties = " or ".join(dict.fromkeys(one.get("safety", "unsafe") for one in rule["fix"]))
    fix = f" · a fix is computed ({safeties})" if rule["fix"] else ""
    yield f"**{rule['title']}** · {rule.severity} · since {rule['since']}{fix}\n"
    yield f"## Why\n\n{rule['problem']}\n"
    remedy = general(rule.remedy)
    yield f"## What to do\n\n{remedy}\n"
    yield from _fixes(rule)
    if rule["avoid"]:
        avoid = general(rule["avoid"])
        yield f"Whether or not a design does it, it is told to avoid: {avoid}.\n"
    yield from _judgement(rule)
    found = examples.of_file(shipped() / rule["file"], rule.id)
    for kind, heading in HEADINGS.items():
        chosen = [one for one in found if one.kind == kind]
        if chosen:
            yield f"## {heading}\n"
        for one in chosen:
            yield from _example(one)


def _fixes(rule: Rule) -> Iterator[str]:
    """What a fix would change: of several the first that is proven is offered."""
    if rule["fix"]:
        several = len(rule["fix"]) > 1
        yield f"A fix is offered when it is proven on the design{'; of these the first that is' if several else ''}:\n"
    for fix in rule["fix"]:
        because = f": {general(fix['because'])}" if fix.get("because") else ""
        yield f"- {general(fix['title'])} ({fix.get('safety', 'unsafe')}){because}"
    if rule["fix"]:
        yield ""


def _judgement(rule: Rule) -> Iterator[str]:
    if rule.built_in:
        return
    yield f"## How it is judged\n\nAbout every `{rule.about}`; true passes, a fact that is missing leaves it unknown.\n"
    applies = f"# applies where\n{rule['when']}\n# passes where\n" if rule["when"] else ""
    yield f"```sparql\n{applies}{rule['judge'].strip()}\n```\n"
    for name, limit in rule["limits"].items():
        yield f"- limit `{name}`: {limit['text']} ({limit['source']})"
    told = [
        ("reads", [f"`{'/'.join(rule.paths[name])}`" for name in rule.needs]),
        ("principles", rule["principles"]),
        ("sources", rule["sources"]),
    ]
    yield from (f"- {name}: {', '.join(values)}" for name, values in told if values)
    yield ""


def _example(one: Example) -> Iterator[str]:
    yield f"{one.why[:1].upper()}{one.why[1:]}:\n\n```yaml\n{one.design.rstrip()}\n```\n"
    said = one.stated.get("says")
    yield from (f"> {line}\n" for line in ([said] if isinstance(said, str) else said or []))
    if one.stated.get("missing"):
        yield f"Waits for {', '.join(f'`{fact}`' for fact in one.stated['missing'])}.\n"
    for path, value in (one.stated.get("fixed") or {}).items():
        yield f"Fix: `{path}: {value}`\n" if value else f"Fix: without `{path}`\n"


def index(rules: Mapping[str, Rule]) -> str:
    """All rules by topic, each with its severity and title."""
    lines = ["# Rules\n", f"{len(rules)} rules. `designlint explain RULE` prints the same pages.\n"]
    for topic, group in groupby(
        sorted(rules.values(), key=lambda rule: rule.id), lambda rule: rule.id.partition("/")[0]
    ):
        lines += [f"## {topic}\n", "| rule | severity | finds |", "| --- | --- | --- |"]
        lines += [f"| [{rule.id}]({rule.id}.md) | {rule.severity} | {rule['title']} |" for rule in group]
        lines.append("")
    return "\n".join(lines)
