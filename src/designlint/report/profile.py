"""Which principles a document is about: chosen by source and topic, tailored one by one with a reason."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from designlint.language import resources
from designlint.language.values import instead
from designlint.reading import read_file
from designlint.reading.errors import AuthoringError, UsageError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from designlint.compiler.principles import Principle
    from designlint.reading import Document, Node

KEYS = ("title", "about", "documents", "topics", "tailoring", "matrices", "targets", "aims")
USUAL = "all-principles"


class LeftOut(Struct, frozen=True):
    """Principles by a pattern that do not apply, and why."""

    pattern: str
    reason: str


class PrincipleGroup(Struct, frozen=True):
    """A row of a matrix: principles by patterns."""

    title: str
    patterns: Sequence[str]

    def of(self, name: str) -> bool:
        """Whether a principle belongs to it."""
        return any(fnmatchcase(name, pattern) for pattern in self.patterns)


class Profile(Struct, frozen=True):
    """
    What a document judges.

    Attributes:
        documents: keys of sources, all where it is empty; so are `topics`.
        targets: rules, by pattern, that decide whether a workload reaches what it is for.
        aims: values, by pattern of their paths, that say what the design is for: a way out should keep them.
    """

    name: str
    file: str
    title: str
    about: str
    documents: Sequence[str]
    topics: Sequence[str]
    tailoring: Sequence[LeftOut]
    matrices: Sequence[tuple[str, Sequence[PrincipleGroup]]]
    targets: Sequence[str]
    aims: Sequence[str]

    def applies(self, one: Principle) -> bool:
        """Whether the document is about a principle, tailored or not."""
        chosen = not self.documents or one.document in self.documents
        return chosen and (not self.topics or one.topic in self.topics)

    def exclusion(self, name: str) -> LeftOut | None:
        """Why a principle does not apply; None where it does."""
        return next((one for one in self.tailoring if fnmatchcase(name, one.pattern)), None)

    def decides(self, rule: str) -> bool:
        """Whether a rule decides if a target is reached."""
        return any(fnmatchcase(rule, pattern) for pattern in self.targets)

    def aim(self, path: str) -> bool:
        """Whether a value is what the design is for, and not a means to it."""
        return any(fnmatchcase(path, pattern) for pattern in self.aims)


def shipped_profiles() -> list[str]:
    """The names of the profiles that come along."""
    return [path.stem for path in resources.files(resources.ontology("profiles"), ".yaml")]


def load(name: str, principles: Mapping[str, Principle]) -> Profile:
    """A shipped profile by its name, or one in a file. Raises UsageError, AuthoringError."""
    path = resources.ontology("profiles", f"{name}.yaml") if name in shipped_profiles() else Path(name)
    if not path.is_file():
        hint = instead(name, shipped_profiles(), f"; there are {', '.join(shipped_profiles())}, or a file of your own")
        raise UsageError(f"--profile: there is no profile `{name}`{hint}")
    usual = None if path.stem == USUAL and name == USUAL else load(USUAL, principles)
    return _Reader(path, principles).profile(usual)


class _Reader:
    def __init__(self, path: Path, principles: Mapping[str, Principle]) -> None:
        self.name, self.file, self.principles = path.stem, resources.display_path(path), principles
        self.document: Document = read_file(path)
        for problem in self.document.problems:
            line = self.document.place(problem.start, problem.end)[0]
            raise AuthoringError(f"{problem.rule}: {problem.values}", file=self.file, line=line)
        top = self.document.root
        if top is None or top.kind != "map":
            raise AuthoringError("a profile is a mapping", file=self.file, line=1)
        self.top = self._check_keys(top, KEYS)

    def error(self, message: str, node: Node) -> AuthoringError:
        line = self.document.place(max(node.key_start, 0) or node.start, node.end)[0]
        return AuthoringError(message, file=self.file, line=line)

    def profile(self, usual: Profile | None) -> Profile:
        """What the file says; what it leaves out is as in the usual profile."""
        has = self.top.entries
        if "title" not in has:
            raise AuthoringError("the profile lacks a title", file=self.file, line=1)
        return Profile(
            name=self.name,
            file=self.file,
            title=self._text(has["title"]),
            about=self._text(has["about"]) if "about" in has else "",
            documents=self._chosen("documents", {one.document for one in self.principles.values()}),
            topics=self._chosen("topics", {one.topic for one in self.principles.values()}),
            tailoring=[self._read_exclusion(one) for one in self._list("tailoring")],
            matrices=list(self._matrices()) if "matrices" in has or usual is None else usual.matrices,
            targets=self._texts("targets") if "targets" in has or usual is None else usual.targets,
            aims=self._texts("aims") if "aims" in has or usual is None else usual.aims,
        )

    def _check_keys(self, node: Node, keys: Sequence[str]) -> Node:
        if node.kind != "map":
            raise self.error(f"expected a mapping with {', '.join(keys)}", node)
        for key, value in node.entries.items():
            if key not in keys:
                raise self.error(f"unknown key `{key}`; there are {', '.join(keys)}", value)
        return node

    def _text(self, node: Node) -> str:
        if node.kind != "scalar" or not node.text.strip():
            raise self.error("wanted a text", node)
        return node.text.strip()

    def _texts(self, key: str) -> list[str]:
        return [self._text(one) for one in self._list(key)]

    def _list(self, key: str) -> Sequence[Node]:
        node = self.top.entries.get(key)
        if node is not None and node.kind != "list":
            raise self.error(f"`{key}` is a list", node)
        return node.items if node is not None else ()

    def _chosen(self, key: str, known: Collection[str]) -> list[str]:
        for node in self._list(key):
            if self._text(node) not in known:
                hint = instead(node.text, sorted(known), f"; there are {', '.join(sorted(known))}")
                raise self.error(f"`{node.text}` is none of the {key}{hint}", node)
        return [self._text(node) for node in self._list(key)]

    def _patterns(self, node: Node) -> list[str]:
        listed = node.items if node.kind == "list" else [node]
        for one in listed:
            if not any(fnmatchcase(name, self._text(one)) for name in self.principles):
                raise self.error(f"no principle is named `{one.text}`", one)
        return [self._text(one) for one in listed]

    def _read_exclusion(self, node: Node) -> LeftOut:
        has = self._check_keys(node, ("principle", "reason")).entries
        if "principle" not in has or "reason" not in has:
            raise self.error("tailoring names a principle and a reason", node)
        return LeftOut(self._patterns(has["principle"])[0], self._text(has["reason"]))

    def _matrices(self) -> Iterator[tuple[str, list[PrincipleGroup]]]:
        for node in self._list("matrices"):
            has = self._check_keys(node, ("title", "rows")).entries
            if "title" not in has or "rows" not in has or has["rows"].kind != "list":
                raise self.error("a matrix has a title and a list of rows", node)
            yield self._text(has["title"]), [self._group(one) for one in has["rows"].items]

    def _group(self, node: Node) -> PrincipleGroup:
        has = self._check_keys(node, ("title", "principles")).entries
        if "title" not in has or "principles" not in has:
            raise self.error("a row has a title and principles", node)
        return PrincipleGroup(self._text(has["title"]), self._patterns(has["principles"]))
