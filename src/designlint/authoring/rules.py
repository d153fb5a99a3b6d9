"""Rule files as plain data: each file read with its places, checked, and its judgement turned into one SPARQL query."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from designlint import resources
from designlint.authoring import expressions, margins, repairs
from designlint.authoring.queries import VARIABLE, Expression, Whole, used
from designlint.errors import AuthoringError, UsageError
from designlint.graph.store import bounded, reaches
from designlint.model import Severity
from designlint.source import read_file
from designlint.units import BadQuantity

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.source.tree import Node
    from designlint.vocabulary import Vocabulary, Word

#: What can be true or false although everything it reads is unbound.
DECIDES_UNBOUND = re.compile(r"\b(BOUND|COALESCE|IF|EXISTS)\b", re.IGNORECASE)
#: What can be decided by one side alone.
CONNECTIVE = re.compile(r"\|\||&&|\bIN\b", re.IGNORECASE)
#: Keys that are not one plain text.
FORMS = {"let": "map", "limits": "map", "fix": "", "examples": "map", "principles": "list", "sources": "list"}
#: A value in a text, and a brace that belongs to none.
PLACE = re.compile(r"\{\w+(:(,?(\.[0-9])?[fg%d]|up|down|near))?\}")
LOOSE = re.compile(r"[{}]")
#: A word of the vocabulary in a query.
NAMED = re.compile(r"(?<![\w<]):(\w+)")
FIELD = re.compile(r"\{(\w+)[^}]*\}")
ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*")
KEYS = (
    "title", "severity", "since", "about", "let", "when", "judge", "at", "each", "message", "problem", "remedy", "limits",
    "principles", "sources", "waivable", "refusal", "avoid", "fix", "examples",
)  # fmt: skip
NEEDED = ("title", "severity", "since", "about", "judge", "message", "problem", "remedy", "examples")
#: Keys that are taken over as they are.
PLAIN = ("title", "severity", "since", "about", "message", "problem", "remedy", "at", "each", "refusal", "avoid")
BUILT_IN = "built-in"


def compile_folder(folder: Path, vocabulary: Vocabulary) -> dict[str, dict[str, Any]]:
    """All rules below a folder, by id. Raises AuthoringError with file and line; UsageError where there is no folder."""
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder of rules")
    return {
        rule["id"]: rule
        for rule in (compile_file(path, folder, vocabulary) for path in resources.files(folder, ".yaml"))
    }


def compile_file(path: Path, folder: Path, vocabulary: Vocabulary) -> dict[str, Any]:
    """One rule as JSON-able data; `query` is its SPARQL, empty where the judgement is built in."""
    return _Reader(path, folder, vocabulary).rule()


class _Reader:
    def __init__(self, path: Path, folder: Path, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.file = resources.shown(path)
        self.id = path.relative_to(folder).with_suffix("").as_posix()
        self.document = read_file(path)
        self.top = self._checked_top()
        self.text = {key: node.text for key, node in self.top.entries.items() if node.kind == "scalar"}

    def error(self, message: str, node: Node | None = None) -> AuthoringError:
        line = None if node is None else self.document.place(max(node.key_start, 0) or node.start, node.end)[0]
        return AuthoringError(message, file=self.file, line=line)

    def _checked_top(self) -> Node:
        for problem in self.document.problems:
            line = self.document.place(problem.start, problem.end)[0]
            raise AuthoringError(f"{problem.rule}: {problem.values}", file=self.file, line=line)
        top = self.document.root
        if top is None or top.kind != "map":
            raise AuthoringError("a rule is a mapping", file=self.file, line=1)
        for key, node in top.entries.items():
            if key not in KEYS:
                raise self.error(f"unknown key `{key}`; a rule has {', '.join(KEYS)}", node)
        missing = [key for key in NEEDED if key not in top.entries]
        if missing:
            raise AuthoringError(f"the rule lacks {', '.join(missing)}", file=self.file, line=1)
        if not ID.fullmatch(self.id):
            raise AuthoringError("a rule stands at <topic>/<fault>.yaml, lower case with hyphens", file=self.file)
        return top

    def _checked_forms(self) -> None:
        """Raise where a key has another form than it must, or a text holds braces that no value fills."""
        for key, node in self.top.entries.items():
            wanted = FORMS.get(key, "scalar")
            if wanted and node.kind != wanted:
                raise self.error(f"`{key}` is a {node.kind}, wanted a {wanted}", node)
        told = [self.top.entries[key] for key in ("message", "remedy", "avoid") if key in self.top.entries]
        for fix in self._fixes():
            if fault := repairs.fault(fix, built_in=self.text.get("judge") == BUILT_IN):
                raise self.error(fault, fix)
            told += repairs.texts(fix)
        for node in told:
            if node.kind != "scalar" or LOOSE.search(PLACE.sub("", node.text)):
                raise self.error("a text names its values as {name}, {name:.2f} or {name:up}", node)
        for name, one in (self.top.entries["let"].entries if "let" in self.top.entries else {}).items():
            if one.kind == "map" and set(one.entries) != {"is", "kind"}:
                raise self.error(f"`{name}` is an expression, or has `is` and `kind`", one)

    def _fixes(self) -> list[Node]:
        """The ways to mend a finding: one mapping, or a list of them, the best first."""
        node = self.top.entries.get("fix")
        return [] if node is None else node.items if node.kind == "list" else [node]

    def rule(self) -> dict[str, Any]:
        self._checked_forms()
        if self.text["severity"] not in list(Severity):
            raise self.error(f"severity is one of {', '.join(Severity)}", self.top.entries["severity"])
        if self.text["about"] not in self.vocabulary.classes:
            raise self.error(f"about: `{self.text['about']}` is no class of the ontology", self.top.entries["about"])
        limits = self._limits()
        rule: dict[str, Any] = {
            "id": self.id,
            "file": self.file,
            **{key: self.text.get(key, "") for key in PLAIN},
            "principles": self._texts("principles"),
            "sources": sorted({*self._texts("sources"), *(one["source"] for one in limits.values() if one["source"])}),
            "waivable": self.text.get("waivable", "true") == "true",
            "limits": limits,
            "fix": [self._plain(fix) for fix in self._fixes()],
        }
        return rule | (self._built_in() if self.text["judge"] == BUILT_IN else self._judged(limits))

    @staticmethod
    def _built_in() -> dict[str, Any]:
        lists: dict[str, Any] = {name: [] for name in ("words", "gates", "needs", "plain")}
        maps: dict[str, Any] = {name: {} for name in ("paths", "shown", "kinds")}
        return {
            "query": "",
            "telling": "",
            "short": False,
            "margin": None,
            "judge": BUILT_IN,
            "when": "",
            **lists,
            **maps,
        }

    def _texts(self, key: str) -> list[str]:
        node = self.top.entries.get(key)
        return [item.text for item in node.items] if node is not None else []

    def _plain(self, node: Node | None) -> Any:
        if node is None:
            return None
        if node.kind == "map":
            return {key: self._plain(child) for key, child in node.entries.items()}
        return [self._plain(item) for item in node.items] if node.kind == "list" else node.text

    def _limits(self) -> dict[str, dict[str, Any]]:
        limits: dict[str, dict[str, Any]] = {}
        node = self.top.entries.get("limits")
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

    def _judged(self, limits: dict[str, dict[str, Any]]) -> dict[str, Any]:
        lets = self._lets()
        own = {"focus", "ok", "when", *limits, *lets}
        judge, when = self.text["judge"], self.text.get("when", "true")
        computed = " ".join((judge, when, *(one["is"] for one in lets.values())))
        if reaches(computed):
            raise self.error("a judgement reads the design's own graph only", self.top.entries["judge"])
        own_query = judge.lstrip().upper().startswith("SELECT")
        texts = (self.text["message"], self.text.get("avoid", ""), str([self._plain(one) for one in self._fixes()]))
        told = FIELD.findall(" ".join(texts))
        decides = used(f"{judge} {when}", lets)
        decided = " ".join((judge, when, *(one["is"] for name, one in lets.items() if name in decides)))
        named = [name for name in dict.fromkeys([*VARIABLE.findall(computed), *told]) if name not in own]
        asked = [name for name in named if name in decides]
        paths = {name: path for name in named if (path := self._path(name, must=not own_query)) is not None}
        kinds = {name: self._end(path).kind for name, path in paths.items()}
        kinds |= {name: one["kind"] for name, one in (limits | lets).items() if one["kind"]}
        about = self.text["about"]
        asking = Whole(judge, limits) if own_query else Expression(about, judge, when, paths, limits, lets)
        self._try(asking.telling())
        measured = {name: kind for name, kind in kinds.items() if kind in self.vocabulary.units or kind == "Date"}
        margin = _margin(asking, margins.Kinds(limits, measured, lets))
        query, telling = asking.deciding(), asking.telling(margins.columns(margin))
        ends = {name: (path, kinds[name]) for name, path in paths.items()}
        return {
            "query": query,
            "short": not own_query,
            "plain": None if own_query else expressions.plain((when, judge), limits, lets, ends),
            "telling": telling if telling != query else "",
            "margin": margin,
            "words": sorted(set(NAMED.findall(telling))),
            "gates": [] if own_query or DECIDES_UNBOUND.search(decided) else self._gates(judge, when, lets, paths),
            "paths": {name: paths[name] for name in asked if name in paths},
            "shown": paths,
            "kinds": kinds,
            "needs": [name for name in asked if name in paths],
            "evidence": sorted(self._evidence(lets)),
            "judge": judge,
            "when": self.text.get("when", ""),
        }

    def _evidence(self, lets: dict[str, dict[str, str]]) -> set[str]:
        """The values that a finding shows: what decides, and what its words name; not what only a fix computes."""
        words = " ".join(self.text.get(key, "") for key in ("message", "remedy", "avoid"))
        told = used(" ".join(f"?{name}" for name in FIELD.findall(words)), lets)
        decides = used(f"{self.text['judge']} {self.text.get('when', '')}", lets)
        whole = self.text["judge"].lstrip().upper().startswith("SELECT")
        mending = FIELD.findall(str([self._plain(one) for one in self._fixes()])) if whole else ()
        return (decides - set(mending)) | told

    def _try(self, query: str) -> None:
        """Run the query over nothing, which finds what is not SPARQL."""
        try:
            found = ox.Store().query(bounded(query))
        except (SyntaxError, ValueError) as error:
            raise self.error(f"the judgement is no SPARQL: {error}", self.top.entries["judge"]) from None
        told = [one.value for one in found.variables] if isinstance(found, ox.QuerySolutions) else []
        if not {"focus", "ok"} <= set(told):
            raise self.error("the judgement must select ?focus and ?ok", self.top.entries["judge"])

    def _lets(self) -> dict[str, dict[str, str]]:
        node = self.top.entries.get("let")
        lets = self._plain(node) or {}
        return {name: one if isinstance(one, dict) else {"is": one, "kind": ""} for name, one in lets.items()}

    def _path(self, name: str, *, must: bool) -> list[str] | None:
        try:
            path = self.vocabulary.path(self.text["about"], name)
        except LookupError as error:
            raise self.error(str(error), self.top.entries["judge"]) from None
        if path is None and must:
            raise self.error(
                f"{self.text['about']} has no word `{name}`, nor has a part of it", self.top.entries["judge"]
            )
        return list(path) if path else None

    def _gates(
        self, judge: str, when: str, lets: dict[str, dict[str, str]], paths: dict[str, list[str]]
    ) -> list[list[list[str]]]:
        """
        Sets of facts, any of which being wholly unknown makes the rule unknown without a query.

        What a condition reads is one set; so is what a judgement without condition reads, and if it is a plain
        comparison, each fact by itself.
        """

        def read(text: str) -> list[list[str]]:
            names = VARIABLE.findall(text)
            inner = [one for name in names if name in lets for one in read(lets[name]["is"])]
            return inner + [self._end_of(paths[name]) for name in names if name in paths]

        deciding = lets.keys() & used(judge, lets)
        if when != "true":
            return [read(when)] if read(when) else []
        ends = read(judge)
        return (
            [[one] for one in ends] if ends and not CONNECTIVE.search(judge) and not deciding else [ends] * bool(ends)
        )

    def _end_of(self, path: list[str]) -> list[str]:
        """The class and the word at the end of a path."""
        owner = self.text["about"]
        for step in path[:-1]:
            owner = self.vocabulary.classes[owner][step].kind
        return [owner, path[-1]]

    def _end(self, path: list[str]) -> Word:
        return self.vocabulary.word(self.text["about"], tuple(path))


def _margin(asking: Expression | Whole, kinds: margins.Kinds) -> dict[str, Any] | None:
    """How a judgement's margin is measured; None where it compares no numbers, or the query would grow too large."""
    margin = margins.apart(asking.answer, kinds)
    try:
        ox.Store().query(bounded(asking.telling(margins.columns(margin))))
    except (SyntaxError, ValueError):
        return None
    return margin
