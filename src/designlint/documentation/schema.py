"""The JSON Schema (2020-12) of designs, with what editors need to complete and explain; and that of the JSON report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.documentation import quantity
from designlint.documentation.imports import FROM, required_or_imported
from designlint.findings.model import Severity, Verdict
from designlint.language.values import THOUSANDS
from designlint.language.vocabulary import HOME

if TYPE_CHECKING:
    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word

#: A value outside a set that is not complete.
NAMED_OTHERWISE = {
    "type": "object",
    "properties": {"other": {"type": "string"}},
    "required": ["other"],
    "additionalProperties": False,
}
#: A number that may be a multiple of 1000 or of 1024.
AMBIGUOUS = {"type": "string", "pattern": THOUSANDS.pattern.replace(r"\Z", "$")}
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def of_design(vocabulary: Vocabulary) -> dict[str, Any]:
    """
    The schema of a design.

    It says what an editor can use: words, nesting, value sets, examples. Units, references and names are judged by
    `designlint check`, whose rules say more than a schema can.
    """
    return {
        "$schema": DIALECT,
        "$id": f"{HOME}/design.schema.json",
        "title": "designlint design",
        "$ref": "#/$defs/Design",
        "$defs": {name: _class(vocabulary, name) for name in sorted(vocabulary.classes)},
    }


def _class(vocabulary: Vocabulary, name: str) -> dict[str, Any]:
    words = [word for word in vocabulary.classes[name].values() if word.written]
    required = [word.name for word in words if word.required]
    return {
        "description": vocabulary.comments[name],
        "type": "object",
        "properties": FROM | {word.name: _word(vocabulary, word) for word in words},
        **required_or_imported(name, required),
        "additionalProperties": False,
    }


def _word(vocabulary: Vocabulary, word: Word) -> dict[str, Any]:
    schema = {"description": word.comment, **_value(vocabulary, word)}
    if word.example and word.form != "part":
        schema.setdefault("examples", [_example(word)])  # a catalogue, or usual values, say more
    if word.default is not None:
        schema["default"] = word.default
    return schema


def _example(word: Word) -> Any:
    if word.kind == "Flag":
        return word.example == "true"
    one = int(word.example) if word.kind in ("Count", "Ratio") and word.example.isdigit() else word.example
    return [one] if word.form in ("values", "names") else one


def _value(vocabulary: Vocabulary, word: Word) -> dict[str, Any]:
    """What a word may hold; null stands for a word that is left out."""
    if word.form == "part":
        mapping = {"$ref": f"#/$defs/{word.kind}"}
        named = vocabulary.classes[word.kind].get("model")
        names = sorted(vocabulary.catalog.get(word.kind, ())) if named is not None and named.form == "catalog" else []
        return {"anyOf": [*([{"type": "string", "examples": names}] if names else []), mapping, {"type": "null"}]}
    if word.form == "parts":
        part: dict[str, Any] = {"$ref": f"#/$defs/{word.kind}"}
        return {"type": ["array", "null"], "items": {"anyOf": [{"type": "string"}, part]} if word.bare else part}
    one = _scalar(vocabulary, word)
    if word.form in ("values", "names"):
        return {"anyOf": [{"type": "array", "items": one}, one, {"type": "null"}]}
    return one


def _scalar(vocabulary: Vocabulary, word: Word) -> dict[str, Any]:
    if word.form == "catalog":
        return {"type": ["string", "null"], "examples": sorted(vocabulary.catalog.get(word.kind, ()))}
    if word.allowed is not None:
        choice = {"enum": [*word.allowed, None]}
        return {"anyOf": [choice, NAMED_OTHERWISE]} if word.open else choice
    if word.kind == "Flag":
        return {"type": ["boolean", "null"]}
    if word.kind == "Date":
        return {"type": ["string", "null"], "pattern": r"^\d{4}-\d{2}-\d{2}$"}
    if word.kind in ("Text", "Principle"):
        return {"type": ["string", "number", "boolean", "null"]}
    bare = [] if vocabulary.units.symbol(word.kind) else ["number"]
    return {"type": ["string", *bare, "null"]} | ({"not": AMBIGUOUS} if word.digits else {})


def of_report() -> dict[str, Any]:
    """The schema of `designlint check --format json`."""
    not_judged = _object({"rule": _text(), "file": _text(), "subject": _text(), "missing": _texts()})
    avoid = _object({"rule": _text(), "file": _text(), "subject": _text(), "statement": _text()})
    top = _object(
        {
            "designlint": _text("The version that wrote the report."), "summary": _summary(),
            "findings": _list(_ref("finding")), "not_judged": _list(not_judged),
            "settings": _list(_adjustment(), "Changes by configurations and options."),
            "avoid": _list(avoid), "files": _texts(),
        },
        {
            "error": _text("Verdict of a rule that rejects the whole design."),
            "accepted": _list(_ref("finding"), "Findings that do not count: waived, or in the baseline."),
            "fixed": _list(_fixed_part(), "What `--fix` did before the check."),
            "unjudged": _list(_object({"file": _text(), "reason": _text()}), "Unchecked files that look like designs."),
            "margins": _list(_judgement_schema(), "Checks that compare numbers, tightest first; with `--margins`."),
        },
    )  # fmt: skip
    return {
        "$schema": DIALECT,
        "$id": f"{HOME}/report.schema.json",
        "title": "designlint report",
        **top,
        "$defs": {
            "location": _location(),
            "quantity": _object(quantity.NEEDED, quantity.OPTIONAL),
            "fix": _fix(),
            "margin": _margin(),
            "acceptance": _acceptance(),
            "finding": _finding(),
        },
    }


def _adjustment() -> dict[str, Any]:
    kinds = ["ignored", "not selected", "replaced", "severity", "limit", "fail_on", "changed"]
    return _object(
        {
            "what": {"enum": kinds}, "rules": _texts(), "text": _text("The word that ignores them, or what is changed."),
            "reason": _text(), "origin": _text("File and line, or the option."), "files": _texts(),
        }
    )  # fmt: skip


def _location() -> dict[str, Any]:
    """1-based; columns count characters, the end is exclusive."""
    return _object({"file": _text(), **{name: _whole(1) for name in ("line", "column", "end_line", "end_column")}})


def _changes() -> dict[str, Any]:
    return _list(_object({"path": _text(), "value": {"type": ["string", "null"], "description": "Null removes it."}}))


def _fixed_part() -> dict[str, Any]:
    return _object(
        {
            **{name: _text() for name in ("file", "rule", "severity", "subject", "title", "safety")},
            "changes": _changes(),
        }
    )


def _fix() -> dict[str, Any]:
    replacement = _object({"location": _ref("location"), "text": _text()})
    safety = {"enum": ["safe", "unsafe", "display"]}
    return _object(
        {"title": _text(), "safety": safety, "because": _text(), "proven": {"type": "boolean"}, "changes": _changes()},
        {
            "resolves": _whole(0, "Findings that it resolves, its own included."),
            "causes": _whole(0, "Findings that it causes, all of lower severity."),
            "reveals": _whole(1, "Findings that come to light because a misspelt word is read."),
            "replacements": _list(replacement, "The changes as text edits: ranges and their new text."),
        },
    )  # fmt: skip


def _finding() -> dict[str, Any]:
    named = {"type": "object", "additionalProperties": _ref("quantity")}
    return _object(
        {
            "rule": _text(), "severity": {"enum": [str(one) for one in Severity]}, "message": _text(),
            "location": _ref("location"), "subject": _text("Path of the checked part; empty for the design itself."),
            "values": named, "limits": named, "principles": _texts(), "remedy": _text(), "fixes": _list(_ref("fix")),
        },
        {
            "constraint": _text("The part of the subject at fault, as a path below it."),
            "design": _text("The file that was checked, if the location is in a file that it extends."),
            "margin": _ref("margin"), "accepted": _ref("acceptance"),
            "caused_by": _object({"rule": _text(), "subject": _text()}, {}),
        },
    )  # fmt: skip


def _summary() -> dict[str, Any]:
    unlocking = _object({"file": _text(), "fact": _text(), "rules": _whole(1)})
    return _object(
        {
            "files": _whole(0), "errors": _whole(0), "warnings": _whole(0), "infos": _whole(0),
            "judgements": _object({one.replace(" ", "_"): _whole(0) for one in Verdict}),
            "unlocking": _list(unlocking, "Missing facts to state next, the most decisive first."),
        },
        {
            "accepted": _whole(0, "Findings that do not count."),
            "fixes_not_tried": _whole(1, "Findings whose fix was not tried, because the budget of the run was spent."),
            "rules_left_out": _whole(0, "Rules that a setting disables for some or all designs."),
        },
    )  # fmt: skip


def of_changes() -> dict[str, Any]:
    """The schema of `designlint diff --format json`."""
    margin = {"anyOf": [_ref("margin"), {"type": "null"}]}
    margins = {"margin_before": margin, "margin": margin}
    place = {name: _text() for name in ("subject", "word", "before", "after")}
    turn = _object(
        {
            "how": {"enum": ["introduced", "worse", "fixed", "better"]}, "rule": _text(),
            "severity": {"enum": [str(one) for one in Severity]}, "subject": _text(), "constraint": _text(),
            "message": _text(), "remedy": _text(), **margins,
        },
        {"file": _text(), "line": _whole(1), "column": _whole(1)},
    )  # fmt: skip
    verdict = {"enum": [str(one) for one in Verdict]}
    answers = _list(_object({"rule": _text(), "subject": _text(), "before": verdict, "after": verdict}))
    counted = ("introduced", "worse", "fixed", "better", "kept", "designs")
    design = _object(
        {
            "file": _text(), "whole": {"enum": ["", "added", "removed"]}, "statements": _list(_object(place)),
            "consequences": _list(_object({**place, "rule": _text(), **margins})), "findings": _list(turn),
            "answered": answers, "unanswered": answers, "kept": _whole(0),
        }
    )  # fmt: skip
    return {
        "$schema": DIALECT,
        "$id": f"{HOME}/changes.schema.json",
        "title": "designlint changes",
        **_object({"summary": _object({name: _whole(0) for name in counted}), "designs": _list(design)}),
        "$defs": {"margin": _margin()},
    }


def _margin() -> dict[str, Any]:
    number = {"type": "number"}
    return _object(
        {
            "name": _text(), "against": _text(), "comparison": {"enum": ["<=", "<", ">=", ">"]}, "value": number,
            "limit": number, "unit": _text(), "room": number, "text": _text(), "limit_text": _text(), "words": _text(),
        }
    )  # fmt: skip


def _acceptance() -> dict[str, Any]:
    told = {
        "owner": _text(),
        "until": _text("The last day on which a waiver holds, YYYY-MM-DD."),
        "ticket": _text(),
        "location": _ref("location"),
    }
    return _object({"how": {"enum": ["waiver", "baseline", "revision"]}}, {"reason": _text(), **told})


def _judgement_schema() -> dict[str, Any]:
    named = {name: _text() for name in ("rule", "file", "subject")}
    told = {name: _ref(name) for name in ("margin", "location")}
    return _object({**named, "verdict": {"enum": [Verdict.PASS, Verdict.FAIL]}, **told})


def _object(needed: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    properties = needed | (optional or {})
    return {"type": "object", "properties": properties, "required": list(needed), "additionalProperties": False}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def _text(meaning: str = "") -> dict[str, Any]:
    return _describe({"type": "string"}, meaning)


def _texts() -> dict[str, Any]:
    return _list(_text())


def _list(items: dict[str, Any], meaning: str = "") -> dict[str, Any]:
    return _describe({"type": "array", "items": items}, meaning)


def _whole(least: int, meaning: str = "") -> dict[str, Any]:
    return _describe({"type": "integer", "minimum": least}, meaning)


def _describe(schema: dict[str, Any], meaning: str) -> dict[str, Any]:
    return schema | {"description": meaning} if meaning else schema
