"""Runs SHACL shapes over a design with pySHACL, and turns its results into located findings."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING, Any

from designlint.compiler import shapes as authored
from designlint.compiler.turtle import local
from designlint.findings.model import Finding, Outcome, Quantity, Severity, Verdict
from designlint.judging import findings
from designlint.language.values import is_number
from designlint.language.vocabulary import NAMESPACE
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    import rdflib

    from designlint.design.design import Design
    from designlint.graph.subjects import Subject
    from designlint.rules.rule import CompiledRule

#: What a constraint says, by its component, where the shape has no message of its own; {limit} is its parameter.
WORDS = {
    "MinCount": ("minCount", "{focus} has fewer than {limit} of `{word}`", "State `{word}`."),
    "MaxCount": ("maxCount", "{focus} has more than {limit} of `{word}`", "Keep {limit} of `{word}`."),
    "MinInclusive": ("minInclusive", "{word} of {focus} is {value}, at least {limit} is required", ""),
    "MinExclusive": ("minExclusive", "{word} of {focus} is {value}, more than {limit} is required", ""),
    "MaxInclusive": ("maxInclusive", "{word} of {focus} is {value}, at most {limit} is allowed", ""),
    "MaxExclusive": ("maxExclusive", "{word} of {focus} is {value}, less than {limit} is required", ""),
    "HasValue": ("hasValue", "{word} of {focus} is not {limit}", "Set `{word}` to {limit}."),
    "In": ("", "{word} of {focus} is {value}, which is not among the allowed values", ""),
    "Pattern": ("pattern", "{word} of {focus} is {value}, which does not match {limit}", ""),
    "Class": ("class", "{word} of {focus} is no {limit}", ""),
    "Datatype": ("datatype", "{word} of {focus} is {value}, which is no {limit}", ""),
}
OTHER = ("", "{focus} does not conform to the shape {shape}", "")
REMEDY = "Change `{word}`, or what it follows from, so that the shape {shape} holds."
FIELD = re.compile(r"\{[?$](\w+)\}")


def judge_shapes(design: Design) -> tuple[list[Finding], list[Outcome]]:
    """
    What the shapes of the settings say about a design.

    Raises:
        UsageError: pySHACL is not installed.
        AuthoringError: a file of shapes that cannot be used.
    """
    found: list[Finding] = []
    outcomes: list[Outcome] = []
    for path in design.engine.settings.shapes:
        run = _ShapesRun(design, path)
        found += run.findings()
        outcomes += run.outcomes()
    return found, outcomes


class _ShapesRun:
    """One file of shapes over one design."""

    def __init__(self, design: Design, path: Path) -> None:
        import rdflib
        from rdflib import Namespace

        self.design, self.path, self.sh = design, path, Namespace(authored.SH)
        self.shapes = rdflib.Graph()
        store, _ = authored.read_shapes(path)
        from oxrdflib import OxigraphStore
        from rdflib.graph import DATASET_DEFAULT_GRAPH_ID

        for triple in rdflib.Graph(store=OxigraphStore(store=store), identifier=DATASET_DEFAULT_GRAPH_ID):
            self.shapes.add(triple)
        names = authored.compile_file(path)
        self.rules = {name: design.engine.rules[name] for name in names if name in design.engine.rules}
        self.iris = {
            str(one): authored.name_of(str(one))
            for one in set(self.shapes.subjects())
            if authored.name_of(str(one)) in self.rules
        }
        self.data = design.rdflib()
        self.failed: dict[tuple[str, str], None] = {}

    def findings(self) -> list[Finding]:
        """The results as findings."""
        if not self.rules:
            return []
        graph = _validate(self.data, self.shapes, sorted(self.iris), self.path)
        found = []
        for result in graph.subjects(None, self.sh.ValidationResult):
            if next(graph.subjects(self.sh.detail, result), None) is None:
                found += self._finding(graph, result)
        return sorted(found, key=findings.order)

    def outcomes(self) -> list[Outcome]:
        """A pass or a fail for each node that a shape is about."""
        file = self.design.document.file
        return [
            Outcome(name, file, path, Verdict.FAIL if (name, path) in self.failed else Verdict.PASS)
            for iri, name in sorted(self.iris.items())
            for path in self._targets(iri)
        ]

    def _targets(self, iri: str) -> list[str]:
        """The paths of the nodes that a shape is about."""
        import rdflib

        shape, rdf_type = rdflib.URIRef(iri), rdflib.RDF.type
        nodes = set(self.shapes.objects(shape, self.sh.targetNode))
        classes = {*self.shapes.objects(shape, self.sh.targetClass), shape}
        nodes |= {one for cls in classes for one in self.data.subjects(rdf_type, cls)}
        nodes |= {
            one for word in self.shapes.objects(shape, self.sh.targetSubjectsOf) for one in self.data.subjects(word)
        }
        nodes |= {
            one for word in self.shapes.objects(shape, self.sh.targetObjectsOf) for one in self.data.objects(None, word)
        }
        subjects = self.design.store.subjects
        order = self.design.store.order
        return sorted({subjects[str(one)].path for one in nodes if str(one) in subjects}, key=order.__getitem__)

    def _finding(self, graph: rdflib.Graph, result: Any) -> list[Finding]:
        sh = self.sh
        focus = self.design.store.subjects.get(str(graph.value(result, sh.focusNode)))
        source = graph.value(result, sh.sourceShape)
        name = self._rule(source, "" if focus is None else focus.path)
        if name is None:
            return []
        rule = self.rules[name]
        subject = focus or self.design.graph.root
        self.failed[name, subject.path] = None
        path = str(graph.value(result, sh.resultPath) or "")
        word = path.removeprefix(NAMESPACE) if path.startswith(NAMESPACE) else ""
        values = self._evidence(subject, word, graph.value(result, sh.value))
        message, remedy, limits = self._words(graph, result, source, rule, subject, word, values)
        severity = self._severity(rule, graph.value(result, sh.resultSeverity))
        return [
            Finding(
                rule=name,
                severity=severity,
                message=message,
                location=findings.spot(subject, word),
                subject=subject.path,
                remedy=remedy,
                values=values,
                limits=limits,
                constraint=word,
            )
        ]

    def _severity(self, rule: CompiledRule, stated: Any) -> Severity:
        """The result's own, unless a configuration changed that of the rule."""
        changed = any(one.what == "severity" and rule.id in one.rules for one in self.design.engine.adjustments)
        return rule.severity if changed else Severity(authored.SEVERITIES.get(local(str(stated)), "info"))

    def _rule(self, shape: Any, focus: str) -> str | None:
        """The rule that a shape belongs to: itself, else the nearest one that holds it and is about the node."""
        seen, waiting, known = set(), [shape], []
        while waiting:
            one = waiting.pop(0)
            if one in seen:
                continue
            seen.add(one)
            if str(one) in self.iris:
                known.append(str(one))
            waiting += sorted(self.shapes.subjects(None, one), key=str)
        about = [iri for iri in known if focus in self._targets(iri)]
        return self.iris[(about or known)[0]] if known else None

    def _evidence(self, subject: Subject, word: str, value: Any) -> dict[str, Quantity]:
        if not word:
            return {}
        units = self.design.engine.vocabulary.units
        found = self.design.engine.vocabulary.classes[subject.cls].get(word)
        kind = found.kind if found is not None else ""
        plain = value.toPython() if hasattr(value, "toPython") else value
        if plain is None:
            return {}
        fact: Any = plain if isinstance(plain, bool | int | float) else str(plain).removeprefix("design:")
        node = subject.keys.get(word)
        shown = units.format(fact, kind) if isinstance(fact, int | float) and kind in units else str(fact)
        where = None if node is None else findings.spot(subject, word)
        origin = subject.origins.get(word)
        how = "stated" if node is not None else origin.how if origin is not None else ""
        return {word: Quantity(fact, units.symbol(kind), shown, how, where)}

    def _words(
        self,
        graph: Any,
        result: Any,
        source: Any,
        rule: CompiledRule,
        subject: Subject,
        word: str,
        values: dict[str, Quantity],
    ) -> tuple[str, str, dict[str, Quantity]]:
        sh, units = self.sh, self.design.engine.vocabulary.units
        component = local(str(graph.value(result, sh.sourceConstraintComponent))).removesuffix("ConstraintComponent")
        parameter, says, advice = WORDS.get(component, OTHER) if word else OTHER
        limit = self.shapes.value(source, sh[parameter]) if parameter else None
        found = self.design.engine.vocabulary.classes[subject.cls].get(word)
        kind = found.kind if found is not None and "Count" not in component else ""
        plain: Any = limit.toPython() if limit is not None and hasattr(limit, "toPython") else limit
        text = units.format(float(plain), kind) if is_number(plain) and kind in units else local(str(plain))
        told = {
            "focus": subject.name,
            "word": word,
            "value": values[word].text if word in values else "missing",
            "limit": text,
            "shape": local(rule.id),
        }
        own = self.shapes.value(source, sh.message)
        spoken = str(graph.value(result, sh.resultMessage)) if own is not None else says.format_map(told)
        message = FIELD.sub(
            lambda one: told["focus" if one[1] == "this" else one[1]] if one[1] in (*told, "this") else "", spoken
        )
        described = self.shapes.value(source, sh.description) or str(rule.texts.remedy)
        remedy = str(described) if described else (advice or REMEDY).format_map(told)
        shown = Quantity(plain if is_number(plain) else text, units.symbol(kind), text, str(self.path))
        return message, remedy, {parameter: shown} if limit is not None else {}


def _validate(data: rdflib.Graph, shapes: rdflib.Graph, names: list[str], path: Path) -> rdflib.Graph:
    """The report of pySHACL, which neither reads other files nor runs code."""
    try:
        import pyshacl
    except ImportError:
        raise UsageError(f"{path}: shapes are checked by pySHACL: pip install designlint[shacl]") from None
    from designlint.reading.errors import AuthoringError

    _shut()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            _, graph, _ = pyshacl.validate(
                data, shacl_graph=shapes, inference="none", inplace=True, advanced=False, js=False,
                do_owl_imports=False, meta_shacl=False, use_shapes=names,
            )  # fmt: skip
        except Exception as fault:  # whatever the validator cannot make sense of is a fault of the shapes
            raise AuthoringError(f"the shapes cannot be run: {fault or type(fault).__name__}", file=str(path)) from None
    found: rdflib.Graph = graph
    return found


def _shut() -> None:
    """Keep rdflib's SPARQL from the network and from files, also where a query hides that it reaches for them."""
    from rdflib.plugins import sparql

    def refuse(_: Any, part: Any) -> Any:
        if part.name == "ServiceGraphPattern":
            raise ValueError("SERVICE would reach over the network")
        raise NotImplementedError

    sparql.CUSTOM_EVALS["designlint"] = refuse
    sparql.SPARQL_LOAD_GRAPHS = False
