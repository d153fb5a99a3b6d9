"""The JSON Schema (2020-12) of designs, with what editors need to complete and explain; and that of the JSON report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.model import Severity, Verdict

if TYPE_CHECKING:
    from designlint.vocabulary import Vocabulary, Word

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def of_design(vocabulary: Vocabulary) -> dict[str, Any]:
    """
    The schema of a design.

    It says what an editor can use: words, nesting, value sets, examples. Units, references and names are judged by
    `designlint check`, whose rules say more than a schema can.
    """
    return {
        "$schema": DIALECT,
        "$id": "https://w3id.org/designlint/design.schema.json",
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
        "properties": {word.name: _word(vocabulary, word) for word in words},
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def _word(vocabulary: Vocabulary, word: Word) -> dict[str, Any]:
    schema = {"description": word.comment, **_value(vocabulary, word)}
    if word.example and word.form != "part":
        schema["examples"] = [_example(word)]
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
        return {"type": ["array", "null"], "items": {"$ref": f"#/$defs/{word.kind}"}}
    one = _scalar(vocabulary, word)
    if word.form in ("values", "names"):
        return {"anyOf": [{"type": "array", "items": one}, one, {"type": "null"}]}
    return one


def _scalar(vocabulary: Vocabulary, word: Word) -> dict[str, Any]:
    if word.form == "catalog":
        return {"type": ["string", "null"], "examples": sorted(vocabulary.catalog.get(word.kind, ()))}
    if word.allowed is not None:
        return {"examples": word.allowed} if word.open else {"enum": [*word.allowed, None]}
    if word.kind == "Flag":
        return {"type": ["boolean", "null"]}
    if word.kind == "Date":
        return {"type": ["string", "null"], "pattern": r"^\d{4}-\d{2}-\d{2}$"}
    if word.kind in ("Text", "Principle"):
        return {"type": ["string", "number", "boolean", "null"]}
    return {"type": ["string", "null"] if vocabulary.units.symbol(word.kind) else ["string", "number", "null"]}


def of_report() -> dict[str, Any]:
    """The schema of `designlint check --format json`."""
    location = _object({"file": _text(), **{name: _whole(1) for name in ("line", "column", "end_line", "end_column")}})
    quantity = _object(
        {
            "value": {"type": ["boolean", "number", "string", "null"]},
            "unit": _text(),
            "text": _text(),
            "origin": _text(),
        },
        {"location": {"$ref": "#/$defs/location"}},
    )
    change = _object({"path": _text(), "value": _text()})
    fix = _object(
        {
            "title": _text(), "safety": {"enum": ["safe", "unsafe", "display"]}, "because": _text(),
            "proven": {"type": "boolean"}, "changes": {"type": "array", "items": change},
        }
    )  # fmt: skip
    named = {"type": "object", "additionalProperties": {"$ref": "#/$defs/quantity"}}
    finding = _object(
        {
            "rule": _text(), "severity": {"enum": [str(one) for one in Severity]}, "message": _text(),
            "location": {"$ref": "#/$defs/location"}, "subject": _text(), "values": named, "limits": named,
            "principles": _texts(), "remedy": _text(), "fixes": {"type": "array", "items": {"$ref": "#/$defs/fix"}},
        },
        {"margin": {"$ref": "#/$defs/margin"}},
    )  # fmt: skip
    unlocking = _object({"file": _text(), "fact": _text(), "rules": _whole(1)})
    summary = _object(
        {
            "files": _whole(0), "errors": _whole(0), "warnings": _whole(0), "infos": _whole(0),
            "judgements": _object({one.replace(" ", "_"): _whole(0) for one in Verdict}),
            "unlocking": {"type": "array", "items": unlocking},
        }
    )  # fmt: skip
    not_judged = _object({"rule": _text(), "file": _text(), "subject": _text(), "missing": _texts()})
    avoid = _object({"rule": _text(), "file": _text(), "subject": _text(), "statement": _text()})
    top = _object(
        {
            "designlint": _text(), "summary": summary, "findings": {"type": "array", "items": finding},
            "not_judged": {"type": "array", "items": not_judged},
            "avoid": {"type": "array", "items": avoid}, "files": _texts(),
        },
        {"error": _text(), "margins": {"type": "array", "items": _judged()}},
    )  # fmt: skip
    return {
        "$schema": DIALECT,
        "$id": "https://w3id.org/designlint/report.schema.json",
        "title": "designlint report",
        **top,
        "$defs": {"location": location, "quantity": quantity, "fix": fix, "margin": _margin()},
    }


def _margin() -> dict[str, Any]:
    number = {"type": "number"}
    return _object(
        {
            "name": _text(), "against": _text(), "comparison": {"enum": ["<=", "<", ">=", ">"]}, "value": number,
            "limit": number, "unit": _text(), "room": number, "text": _text(), "limit_text": _text(),
        }
    )  # fmt: skip


def _judged() -> dict[str, Any]:
    named = {name: _text() for name in ("rule", "file", "subject")}
    told = {name: {"$ref": f"#/$defs/{name}"} for name in ("margin", "location")}
    return _object({**named, "verdict": {"enum": [Verdict.PASS, Verdict.FAIL]}, **told})


def _object(needed: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    properties = needed | (optional or {})
    return {"type": "object", "properties": properties, "required": list(needed), "additionalProperties": False}


def _text() -> dict[str, Any]:
    return {"type": "string"}


def _texts() -> dict[str, Any]:
    return {"type": "array", "items": _text()}


def _whole(least: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least}
