"""The page of a rule, and the index of all pages, in Markdown: made from the rule's own file and examples."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from designlint.reporters.shared import tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from designlint.compiler.examples import Example
    from designlint.rules.rule import CompiledRule
    from designlint.rules.texts import RuleLimit

HEADINGS = {"bad": "Found", "good": "Not found", "unknown": "Not decided"}


def page(rule: CompiledRule, examples: Sequence[Example]) -> str:
    """One rule: what it finds, why, what to do, how it judges, and its examples."""
    return "\n".join(_lines(rule, examples)).rstrip() + "\n"


def summary(rule: CompiledRule) -> dict[str, Any]:
    """A rule as lists hold it, as JSON."""
    texts = rule.texts
    return {
        "id": rule.id,
        "title": texts.title,
        "severity": rule.severity,
        "about": rule.about,
        "since": texts.since,
        "principles": list(texts.principles),
        "sources": list(texts.sources),
        "limits": {name: _limit(one, texts.confidence) for name, one in texts.limits.items()},
    }


def _limit(limit: RuleLimit, confidence: Mapping[str, str]) -> dict[str, Any]:
    known = {key: value for key, value in to_builtins(limit).items() if key != "origin"}
    return known | {"confidence": confidence.get(limit.source, "")}


def data(rule: CompiledRule, examples: Sequence[Example]) -> dict[str, Any]:
    """All that the page of a rule says, as JSON."""
    texts = rule.texts
    fixes = [
        {
            "title": texts.general(one.title),
            "safety": one.safety,
            "because": texts.general(one.because) if one.because.parts else "",
        }
        for one in texts.fixes
    ]
    judged = {} if rule.built_in else {"judge": texts.judge.strip(), "when": texts.when, "let": dict(texts.lets)}
    return {
        **summary(rule),
        "sources": [{"key": one, "confidence": texts.confidence.get(one, "")} for one in texts.sources],
        "problem": texts.general(texts.problem),
        "remedy": texts.general(texts.remedy),
        "fixes": fixes,
        **judged,
        "reads": ["/".join(rule.paths[name]) for name in rule.needs],
        "examples": [{"kind": one.kind, "why": one.why, "design": one.design, **_answers(one)} for one in examples],
    }


def _answers(one: Example) -> dict[str, Any]:
    return {key: one.stated[key] for key in ("says", "missing", "fixed") if one.stated.get(key)}


def _lines(rule: CompiledRule, examples: Sequence[Example]) -> Iterator[str]:
    yield f"# {rule.id}\n"
    safeties = " or ".join(dict.fromkeys(one.safety for one in rule.texts.fixes))
    fix = f" · a fix is computed ({safeties})" if rule.texts.fixes else ""
    yield f"**{rule.texts.title}** · {rule.severity} · since {rule.texts.since}{fix}\n"
    yield f"## Why\n\n{rule.texts.general(rule.texts.problem)}\n"
    remedy = rule.texts.general(rule.texts.remedy)
    yield f"## What to do\n\n{remedy}\n"
    yield from _fixes(rule)
    if rule.avoid:
        avoid = rule.texts.general(rule.avoid)
        yield f"Ruled out by the hardware, whether or not the design does it: {avoid}.\n"
    yield from _judgement(rule)
    for kind, heading in HEADINGS.items():
        chosen = [one for one in examples if one.kind == kind]
        if chosen:
            yield f"## {heading}\n"
        for one in chosen:
            yield from _example(one)


def _fixes(rule: CompiledRule) -> Iterator[str]:
    """What a fix would change: of several the first that is proven is offered."""
    if rule.texts.fixes:
        several = len(rule.texts.fixes) > 1
        yield f"A fix is offered when it is proven on the design{'; of these the first that is' if several else ''}:\n"
    for fix in rule.texts.fixes:
        because = f": {rule.texts.general(fix.because)}" if fix.because.parts else ""
        yield f"- {rule.texts.general(fix.title)} ({fix.safety}){because}"
    if rule.texts.fixes:
        yield ""


def _judgement(rule: CompiledRule) -> Iterator[str]:
    if rule.built_in:
        return
    if rule.sweep:
        yield from _swept(rule)
        return
    texts = rule.texts
    formulas = (texts.judge, texts.when or "", *texts.lets.values())
    division = ", and so does `1/0`" if any("1/0" in one for one in formulas) else ""
    unknown = f"a missing fact makes the check unknown{division}"
    yield f"## How it is checked\n\nFor every `{rule.about}`: true passes, false fails, {unknown}.\n"
    applies = f"# applies where\n{texts.when}\n# passes where\n" if texts.when else ""
    lets = "".join(f"# ?{name} is\n{text.strip()}\n" for name, text in texts.lets.items())
    passes = "# passes where\n" if lets and not applies else ""
    yield f"```sparql\n{lets}{applies}{passes}{texts.judge.strip()}\n```\n"
    for name, limit in texts.limits.items():
        yield f"- limit `{name}`: {limit.text} ({texts.cite_source(limit.source)})"
    told = [
        ("reads", [f"`{'/'.join(rule.paths[name])}`" for name in rule.needs]),
        ("principles", texts.principles),
    ]
    yield from (f"- {name}: {', '.join(values)}" for name, values in told if values)
    if texts.sources:
        yield f"- sources: {'; '.join(map(texts.cite_source, texts.sources))}"
    yield ""


def _swept(rule: CompiledRule) -> Iterator[str]:
    yield "## How it is checked\n\nFor every number that a design states; docs/numbers.md lists the data.\n"
    texts = rule.texts
    for name, limit in texts.limits.items():
        yield f"- limit `{name}`: {limit.text} ({texts.cite_source(limit.source)})"
    if texts.principles:
        yield f"- principles: {', '.join(texts.principles)}"
    yield ""


def _example(one: Example) -> Iterator[str]:
    yield f"{one.why[:1].upper()}{one.why[1:]}:\n\n```yaml\n{one.design.rstrip()}\n```\n"
    said = one.stated.get("says")
    yield from (f"> {line}\n" for line in ([said] if isinstance(said, str) else said or []))
    if one.stated.get("missing"):
        yield f"Waits for {', '.join(f'`{fact}`' for fact in one.stated['missing'])}.\n"
    for path, value in (one.stated.get("fixed") or {}).items():
        yield f"Fix: `{path}: {value}`\n" if value else f"Fix: without `{path}`\n"


def index(rules: Mapping[str, CompiledRule]) -> str:
    """All rules by topic, each with its severity and title."""
    lines = ["# Rules\n", f"{len(rules)} rules. `designlint explain RULE` prints the same pages.\n"]
    for topic, group in groupby(
        sorted(rules.values(), key=lambda rule: rule.id), lambda rule: rule.id.partition("/")[0]
    ):
        rows = ((f"[{rule.id}]({rule.id}.md)", rule.severity, rule.texts.title) for rule in group)
        lines += [f"## {topic}\n", *tables.markdown(("rule", "severity", "finds"), rows), ""]
    return "\n".join(lines)
