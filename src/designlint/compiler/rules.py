"""Rules as plain data: each checked, its judgement and its texts parsed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from designlint.compiler import certain, conditions, queries, repairs, rule_files, sources
from designlint.expressions import templates
from designlint.expressions.parser import template
from designlint.expressions.tokens import ExpressionError
from designlint.expressions.tree import Limit
from designlint.findings.model import Severity
from designlint.graph.rdf import reaches
from designlint.language.quantities import BadQuantity
from designlint.reading.errors import AuthoringError
from designlint.rules.rule import BUILT_IN, SWEEPS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from designlint.compiler.rule_files import RuleSource
    from designlint.expressions.templates import Template
    from designlint.language.vocabulary import Vocabulary
    from designlint.reading.tree import Node

#: Keys that are not one plain text.
FORMS = {"let": "map", "limits": "map", "fix": "", "examples": "map", "principles": "list", "sources": "list"}
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*")
KEYS = (
    "title", "severity", "since", "about", "let", "when", "judge", "at", "each", "message", "problem", "remedy", "limits",
    "principles", "sources", "waivable", "certain", "certain_when", "sure", "claim", "refusal", "avoid", "fix", "examples",
)  # fmt: skip
NEEDED = ("title", "severity", "since", "about", "judge", "message", "problem", "remedy", "examples")
#: Keys that are taken over as they are.
PLAIN = ("title", "severity", "since", "about", "at", "each", "refusal", "judge", "when", "claim")
#: Letters of an expression that an error quotes.
SHOWN = 60
#: Keys of texts in which values are filled in.
TOLD = ("message", "remedy", "avoid")


def compile_folder(folder: Path, vocabulary: Vocabulary) -> dict[str, dict[str, Any]]:
    """All rules below a folder, by id. Raises AuthoringError with file and line; UsageError where there is no folder."""
    rules: dict[str, dict[str, Any]] = {}
    for source in rule_files.in_folder(folder):
        if source.id in rules:
            raise source.error(f"{source.id} is also a rule of {rules[source.id]['file']}")
        rules[source.id] = _Reader(source, vocabulary).rule()
    return dict(sorted(rules.items()))


class _Reader:
    def __init__(self, source: RuleSource, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.source, self.id, self.keys = source, source.id, source.keys
        self._check_keys()
        self.text = {key: node.text for key, node in self.keys.items() if node.kind == "scalar"}

    def error(self, message: str, node: Node | None = None) -> AuthoringError:
        return self.source.error(message, node)

    def _check_keys(self) -> None:
        for key, node in self.keys.items():
            if key not in KEYS:
                raise self.error(f"unknown key `{key}`; a rule has {', '.join(KEYS)}", node)
        missing = [key for key in NEEDED if key not in self.keys and not (key == "examples" and self.source.row)]
        if missing:
            raise self.error(f"the rule lacks {', '.join(missing)}")
        if not ID.fullmatch(self.id):
            raise self.error("a rule is called <topic>/<fault>, lower case with hyphens")

    def _checked_forms(self) -> None:
        """Raise where a key has another form than it must, or a text holds braces that no value fills."""
        for key, node in self.keys.items():
            wanted = FORMS.get(key, "scalar")
            if wanted and node.kind != wanted:
                raise self.error(f"`{key}` is a {node.kind}, expected a {wanted}", node)
        for fix in self._fixes():
            if fault := repairs.fault(fix, self.text.get("about", ""), built_in=self.text.get("judge") == BUILT_IN):
                raise self.error(fault, fix)
        for name, one in (self.keys["let"].entries if "let" in self.keys else {}).items():
            if one.kind == "map" and set(one.entries) != {"is", "kind"}:
                raise self.error(f"`{name}` is an expression, or has `is` and `kind`", one)

    def _fixes(self) -> list[Node]:
        """The ways to mend a finding: one mapping, or a list of them, the best first."""
        node = self.keys.get("fix")
        return [] if node is None else node.items if node.kind == "list" else [node]

    def rule(self) -> dict[str, Any]:
        self._checked_forms()
        if self.text["severity"] not in list(Severity):
            raise self.error(f"severity is one of {', '.join(Severity)}", self.keys["severity"])
        if self.text["about"] not in self.vocabulary.classes:
            raise self.error(f"about: `{self.text['about']}` is not a class of the ontology", self.keys["about"])
        limits = self._limits()
        told = {key: self._template(self.keys.get(key)) for key in TOLD}
        cited = sorted({*self._texts("sources"), *(one["source"] for one in limits.values() if one["source"])})
        rule: dict[str, Any] = {
            "id": self.id,
            "file": self.source.file,
            **{key: self.text.get(key, "") for key in PLAIN},
            **{key: templates.encode_template(one) for key, one in (told | self._problem(limits)).items()},
            "principles": self._texts("principles"),
            "sources": cited,
            "confidence": sources.confidences(cited),
            "waivable": self.text.get("waivable", "true") == "true",
            "limits": limits,
            "fixes": [repairs.data(fix, self._template) for fix in self._fixes()],
            "lets": {name: text for name, (text, _) in self._lets().items()},
            "sure": self._sure(limits),
        }
        judge = self.text["judge"]
        if judge in SWEEPS:
            names = sorted({name for one in told.values() for name in one.names})
            values = {name: one["value"] for name, one in limits.items()}
            rule |= empty_judgement() | {
                "sweep": judge,
                "words": sweeping(self.vocabulary),
                "evidence": names,
                "values": values,
            }
        else:
            rule |= empty_judgement() if judge == BUILT_IN else self._compile_judgement(limits, told)
        if rule["sure"]:
            rule["words"] = sorted(
                {*rule["words"], *(step for one in rule["sure"]["words"].values() for step in one[3:])}
            )
        return rule | ({"avoid_kinds": rule["kinds"]} if rule["avoid"] else {})

    def _sure(self, limits: dict[str, dict[str, Any]]) -> dict[str, Any] | None:
        """When a finding is certain whatever the design leaves out, as data; None where it always is."""
        if "sure" not in self.keys:
            return None
        constants = {name: Limit(name, one["kind"], one["value"]) for name, one in limits.items()}
        names = conditions.RuleNames(self.vocabulary, self.text["about"], constants, self._lets(), self._locate_fault)
        return conditions.alone(names, self.text["sure"], "sure")

    def _problem(self, limits: Mapping[str, object]) -> dict[str, Template]:
        """What is wrong, in general: of values it can name the limits only."""
        node = self.keys["problem"]
        told = self._template(node)
        for name in told.names:
            if name not in limits:
                raise self.error(f"`problem` holds for all designs: `{{{name}}}` is no limit of the rule", node)
        return {"problem": told}

    def _template(self, node: Node | None) -> Template:
        """A text of the rule in its parts; empty where there is none."""
        if node is None:
            return templates.Template(())
        try:
            return template(node.text if node.kind == "scalar" else "{")
        except ExpressionError as error:
            raise self.error(str(error), node) from None

    def _texts(self, key: str) -> list[str]:
        node = self.keys.get(key)
        return [item.text for item in node.items] if node is not None else []

    def _limits(self) -> dict[str, dict[str, Any]]:
        limits: dict[str, dict[str, Any]] = {}
        node = self.keys.get("limits")
        for name, one in (node.entries if node is not None else {}).items():
            if not {"value", "kind", "source"} <= set(one.entries):
                raise self.error(f"limit `{name}` needs value, kind and source", one)
            kind, value = one.entries["kind"].text, one.entries["value"]
            if kind not in self.vocabulary.units:
                raise self.error(f"limit `{name}` is of the unknown kind `{kind}`", one)
            parsed = self.vocabulary.units.parse(value.scalar() if value.plain else value.text, kind)
            if isinstance(parsed, BadQuantity):
                raise self.error(f"limit `{name}`: {parsed.text}", value)
            limits[name] = {"value": parsed, "text": value.text, "kind": kind, "source": one.entries["source"].text}
        return limits

    # -- the judgement

    def _compile_judgement(self, limits: dict[str, dict[str, Any]], told: dict[str, Template]) -> dict[str, Any]:
        """What decides the rule: an expression, or a SELECT of its own."""
        constants = {name: Limit(name, one["kind"], one["value"]) for name, one in limits.items()}
        fixes = [self._template(node) for fix in self._fixes() for node in repairs.texts(fix)]
        said = dict.fromkeys(name for one in told.values() for name in one.names if name != "focus")
        mends = dict.fromkeys(name for one in fixes for name in one.names if name != "focus")
        about, judge = self.text["about"], self.text["judge"]
        if judge.lstrip().upper().startswith("SELECT"):
            if reaches(judge):
                raise self.error("a judgement reads the design's own graph only", self.keys["judge"])
            if self._must_be_certain and (fault := certain.of_query(judge, self.vocabulary)):
                raise self.error(fault, self.keys["judge"])
            try:
                return queries.compile_query(
                    queries.QueryNames(self.vocabulary, about, constants, self._lets()), judge, said, mends
                )
            except ValueError as error:
                raise self.error(str(error), self.keys["judge"]) from None
        names = conditions.RuleNames(self.vocabulary, about, constants, self._lets(), self._locate_fault)
        if self._must_be_certain:
            certain.condition(names, judge)
            if not self.text.get("certain_when", "").strip():
                certain.applying(names, self.text.get("when", ""))
        try:
            return conditions.compile_condition(names, judge, self.text.get("when", ""), said, mends)
        except LookupError as error:
            raise self.error(f"a text names a value: {error.args[0]}", self.keys["message"]) from None

    @property
    def _must_be_certain(self) -> bool:
        """Whether it may only fail on what is certain: an error that gives no reason why what it fails on is."""
        return self.text["severity"] == Severity.ERROR and not self.text.get("certain", "").strip()

    def _locate_fault(self, fault: ExpressionError, key: str) -> AuthoringError:
        """A fault of an expression, with the line on which it stands."""
        node = self.keys[key.partition("/")[0]]
        if "/" in key:
            node = node.entries[key.partition("/")[2]]
            node = node.entries["is"] if node.kind == "map" else node
        source = node.document.text[node.start : node.end]
        at = max(source.find(node.text[fault.start : fault.end]), 0) + node.start
        line = self.source.document.place(at, at + 1)[0]
        shown = " ".join(node.text[fault.start : fault.end].split())[:SHOWN]
        where = f" at `{shown}`" if shown and shown not in str(fault) else ""
        return AuthoringError(f"{key.replace('/', ' ')}: {fault}{where}", file=self.source.file, line=line)

    def _lets(self) -> dict[str, tuple[str, str]]:
        node = self.keys.get("let")
        return {
            name: (one.entries["is"].text, one.entries["kind"].text) if one.kind == "map" else (one.text, "")
            for name, one in (node.entries if node is not None else {}).items()
        }


def sweeping(vocabulary: Vocabulary) -> list[str]:
    """The words that a rule about all numbers reads, and the classes that hold them."""
    found = {name for words in vocabulary.classes.values() for name, one in words.items() if one.written}
    others = (one[0] for words in vocabulary.ratios.values() for some in words.values() for one in some)
    ratios = {step for path in others for step in path.split("/")}
    twins = {step for words in vocabulary.twins.values() for path, _ in words.values() for step in path}
    return sorted({*found, *ratios, *twins, *vocabulary.classes})


def empty_judgement() -> dict[str, Any]:
    """What is left empty where the reader of files or a shape decides."""
    lists: dict[str, Any] = {name: [] for name in ("words", "needs", "evidence")}
    maps: dict[str, Any] = {name: {} for name in ("shown", "kinds")}
    return {"measured": None, **lists, **maps}
