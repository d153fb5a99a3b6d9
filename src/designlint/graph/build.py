"""From the tree of a file to the nodes of a design; whatever has no place in the vocabulary becomes a problem."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.graph import compound, fitting, naming
from designlint.graph.referring import Referring
from designlint.graph.subjects import DEFAULT, GIVEN, STATED, Graph, Origin, Subject, origin_of
from designlint.language import part_names
from designlint.language.values import OTHER, ValueFault, accept, nearest_entries

if TYPE_CHECKING:
    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word
    from designlint.reading.tree import Node

#: Least similarity of a name that may be meant, and of one that surely looks the same where figures stand beside it.
LIKE, ALMOST = 0.75, 0.85


class Builder(Referring):
    """Builds one graph, as of a day; `problems` holds what is wrong with the shape of the design."""

    def __init__(self, vocabulary: Vocabulary, today: str) -> None:
        super().__init__(vocabulary)
        self.today = today

    def build(self, root: Node) -> Graph:
        """The graph of a design whose top is a mapping."""
        self._mapping("", "Design", root, None).state("today", self.today, GIVEN)
        for subject in list(self.graph.subjects.values()):
            self._fill(subject)
        self._refer()
        if self.problems:
            self.problems = naming.suggest_names(self.problems)
        self.graph.link()
        if self._unread:
            self.graph.mark_unread(self._unread)
        return self.graph

    # -- what the file states

    def _mapping(self, path: str, cls: str, node: Node, owner: Subject | None) -> Subject:
        subject = self.graph.add(Subject(path, cls, node, owner))
        words = self.vocabulary.classes[cls]
        cut = fitting.cut_numbers(node) if node.flow else {}
        for key, child in node.entries.items():
            word = words.get(key)
            if key in cut:
                self._report_cut(subject, word, child, cut[key])
            elif word is None or not word.written:
                self._unknown(subject, key, child, word)
            elif not (child.kind == "scalar" and child.scalar() is None):
                self._state(subject, word, child)
        for word in self.vocabulary.roles(cls).required:
            stated = node.entries.get(word.name)
            if stated is None and not path:
                continue  # what lacks the key of every design is none, and the reader of files says why
            if stated is None or (stated.kind == "scalar" and stated.scalar() is None):
                self.problem("shape/missing-name", node, {"word": word.name, "path": path or "the design", "cls": cls})
        return subject

    def _report_cut(self, subject: Subject, word: Word | None, child: Node, text: str) -> None:
        """A number that a comma cuts: what stands before the comma is not its value."""
        if word is None or not text:
            return
        subject.keys[word.name] = child
        self._mark(subject.path, word.name)
        fault = accept(word, text, text, self.vocabulary.units)
        proposal = fault.values.get("proposal") if isinstance(fault, ValueFault) else ""
        wanted = proposal or f"a value such as {word.example}"
        values = {
            "word": word.name,
            "text": text,
            "wanted": f"{wanted}; in braces, a comma ends a value",
            "proposal": "",
        }
        self.problem("shape/wrong-type", child, values)

    def _unknown(self, subject: Subject, key: str, child: Node, word: Word | None) -> None:
        cls = subject.cls
        if word is not None:
            self.problem("shape/derived-word", child, naming.derived_word(word, subject.path), key=True)
            return
        if self._explains and (spelled := naming.unit_in_key(self.vocabulary, cls, key, child)):
            self._mark(subject.path)
            self.problem("shape/unit-in-key", child, spelled, key=True)
            return
        values = naming.unknown_word(self.vocabulary, subject, key, child, search=self._explains)
        nothing = not any(values.get(name) for name in ("proposal", "place", "top", "beside"))
        if self._explains and nothing and (computed := naming.computed_word(self.vocabulary, cls, key)):
            self.problem("shape/derived-word", child, naming.derived_word(computed, subject.path), key=True)
            return
        meant = values["proposal"] or values["place"]
        if meant and meant.count("/") < 2 and ", " not in meant and self._several(subject, meant, child, key):
            return
        parts = (one.rpartition("/")[0] for one in values["place"].split(", "))
        for place in (subject.path, *(f"{subject.path}/{part}".strip("/") for part in parts)):
            self._mark(place)
        if top := values["top"]:
            self._mark(top.rpartition("/")[0])
        self.problem("shape/unknown-word", child, values, key=True)

    def _state(self, subject: Subject, word: Word, child: Node) -> None:
        subject.keys[word.name] = child
        if child.kind == "list" and child.origin is None and (word.form == "names" or word.kind == "Text"):
            self._report_repetition(word, child)
        path = f"{subject.path}/{word.name}" if subject.path else word.name
        counted = child.kind == "scalar" and compound.may_hold_several(word, child.text)
        if counted and self._several(subject, word.name, child):
            return
        if word.form == "part":
            self._part(subject, word, child, path)
        elif word.form == "parts":
            self._parts(subject, word, child, path)
        elif word.form in ("name", "names"):
            listed = child.items if child.kind == "list" and word.form == "names" else [child]
            self._names.append((subject, word, listed))
        else:
            self._values(subject, word, child)

    def _report_repetition(self, word: Word, child: Node) -> None:
        """An entry that stands twice in a list was copied and not changed."""
        first: dict[str, Node] = {}
        for item in child.items:
            if item.kind == "scalar" and first.setdefault(item.text, item) is not item:
                values = {"word": word.name, "text": item.text[:80]}
                self.problem("shape/repeated-entry", item, values)

    def _part(self, subject: Subject, word: Word, child: Node, path: str) -> None:
        if child.kind == "map":
            subject.state(word.name, self._mapping(path, word.kind, child, subject), STATED)
        elif child.kind == "scalar" and "model" in self.vocabulary.classes[word.kind]:
            part = self.graph.add(Subject(path, word.kind, child, subject))
            subject.state(word.name, part, origin_of(child))
            self._state(part, self.vocabulary.classes[word.kind]["model"], child)
        else:
            self._mark(subject.path, word.name)
            self._wrong(word, child, fitting.mapping(self.vocabulary, word, child), **self._part_for(word, child))

    def _parts(self, subject: Subject, word: Word, child: Node, path: str) -> None:
        if child.kind != "list":
            self._mark(subject.path, word.name)
            self._wrong(word, child, fitting.mapping(self.vocabulary, word, child), **self._part_for(word, child))
            return
        found: list[Any] = []
        taken: dict[str, tuple[int, Node]] = {}
        for number, item in enumerate(child.items):
            if item.kind != "map" and not (word.bare and item.kind == "scalar"):
                self._mark(subject.path, word.name)
                held = compound.facts_of_part(self.vocabulary, word.kind, item.text) if item.kind == "scalar" else {}
                self._wrong(word, item, "a mapping", compound.spell(held) if held else "")
                continue
            name = self._item_name(item, word, number, taken)
            place = f"{path}/{name.replace('%', '%25').replace('/', '%2F')}"
            make = self._mapping if item.kind == "map" else self._bare
            found.append(make(place, word.kind, item, subject))
        subject.state(word.name, found, STATED)

    def _part_for(self, word: Word, child: Node) -> dict[str, str]:
        found = fitting.part_for(self.vocabulary, word, child) if self._explains else {}
        if found.get("proposal") == "" and (facts := compound.facts_in(self.vocabulary, word.owner, word, child.text)):
            return {"proposal": facts[word.name]}
        return found

    def _bare(self, path: str, cls: str, node: Node, owner: Subject) -> Subject:
        """A part of which a list has the name alone."""
        part = self.graph.add(Subject(path, cls, node, owner))
        self._state(part, self.vocabulary.classes[cls]["name"], node)
        return part

    def _values(self, subject: Subject, word: Word, child: Node) -> None:
        if (child.kind == "map" and not fitting.names_another(word, child)) or (
            child.kind == "list" and word.form != "values"
        ):
            self._mark(subject.path, word.name)
            self._wrong(word, child, fitting.plain(word, child), self._sole(word, child))
            return
        values = [self._accept(subject, word, one) for one in (child.items if child.kind == "list" else [child])]
        good = [value for value in values if value is not None]
        if len(good) < len(values):
            self._mark(subject.path, word.name)
        if word.form == "values":
            subject.state(word.name, good, origin_of(child))
        elif good:
            subject.state(word.name, good[0], origin_of(child))

    def _sole(self, word: Word, node: Node) -> str:
        """What stands alone in brackets where a value belongs, if it is one."""
        inner = fitting.sole(node) if self._explains and word.form != "catalog" else None
        units = self.vocabulary.units
        reads = inner is not None and not isinstance(accept(word, inner.scalar(), inner.text, units), ValueFault)
        return inner.text if inner is not None and reads else ""

    def _accept(self, subject: Subject, word: Word, node: Node) -> Any:
        if fitting.names_another(word, node):
            return node.entries[OTHER].text
        if node.kind != "scalar":
            self._wrong(word, node, "one value")
            return None
        value = accept(word, node.scalar(), node.text, self.vocabulary.units, explain=self._explains)
        if isinstance(value, ValueFault):
            if not value.values.get("proposal") and word.form == "value" and self._several(subject, word.name, node):
                return None
            self.problem(value.rule, node, value.values | fitting.sibling(word, node.text, value, self.vocabulary))
            return None
        if word.kind == "Principle" and value not in self.vocabulary.principles:
            values = {"name": node.text[:80], "proposal": self._proposal(str(value), list(self.vocabulary.principles))}
            self.problem("shape/unknown-principle", node, values)
            return None
        return value

    # -- what the catalogue and the language fill in; a part always exists, so that what it leaves out is unknown

    def _fill(self, subject: Subject) -> None:
        if "imported" in self.vocabulary.classes[subject.cls] and subject.imported:
            subject.state("imported", True, GIVEN)
        model = subject.facts.get("model")
        if isinstance(model, str) and self.vocabulary.classes[subject.cls]["model"].form == "catalog":
            self._from_catalog(subject, model)
        for word in self.vocabulary.roles(subject.cls).filled:
            if word.name in subject.facts:
                continue
            if word.default is not None and self._speaks_for(subject):
                shown = (value for name, value in word.shown_by.items() if name in subject.keys)
                subject.state(word.name, next(shown, word.default), DEFAULT)
            elif word.form == "part" and word.name not in subject.keys and word.stands_in in subject.facts:
                subject.state(word.name, subject.facts[word.stands_in], DEFAULT)
            elif word.form == "part" and word.name not in subject.keys and not word.optional:
                path = f"{subject.path}/{word.name}" if subject.path else word.name
                part = self.graph.add(Subject(path, word.kind, None, subject))
                subject.state(word.name, part, DEFAULT)
                self._fill(part)

    def _speaks_for(self, subject: Subject) -> bool:
        """Whether the language's defaults do: for what a design states itself, as far as all of it could be read."""
        node = subject.node
        return node is not None and node.origin is None and (subject.path or ".") not in self._unread

    def _from_catalog(self, subject: Subject, model: str) -> None:
        kind = self.vocabulary.classes[subject.cls]["model"].kind
        name = self.vocabulary.catalogue_name(kind, model)
        if name is None:
            self._not_in_catalog(subject, kind, model)
            return
        subject.state("model", name, subject.origins["model"])  # rules know an entry by one name
        entry = self.vocabulary.catalog[kind][name]
        origins = {word: Origin("catalog", name, one[0], confidence=one[1]) for word, one in entry["sources"].items()}
        self._pour(subject, self.vocabulary.figures_of(kind, name, subject.facts), origins)

    def _not_in_catalog(self, subject: Subject, kind: str, model: str) -> None:
        """A part that the catalogue lacks is known by its figures, or by a name that says them; any other is a problem."""
        own = not self.vocabulary.figures(kind).isdisjoint(subject.keys)
        spellings = sorted(self.vocabulary.aliases.get(kind, {}))
        near = nearest_entries(model, spellings, ALMOST if own else LIKE)
        near = near or (naming.entries_meant(self.vocabulary, subject, kind, model) if own and self._explains else [])
        node = subject.keys.get("model")
        if node is None or (own and not near) or part_names.says_figures(kind, model):
            return
        values = naming.describe_absent(self.vocabulary, kind, model, near)
        if len(near) > 1 and own:
            values["proposal"] = ""
        self.problem("shape/near-catalog-name" if own else "shape/not-in-catalog", node, values)

    def _pour(self, subject: Subject, figures: dict[str, Any], origins: dict[str, Origin] | Origin) -> None:
        for name, value in figures.items():
            origin = origins if isinstance(origins, Origin) else origins[name]
            word = self.vocabulary.classes[subject.cls][name]
            path = f"{subject.path}/{name}" if subject.path else name
            if word.form == "part":
                part = subject.facts.get(name)
                if not isinstance(part, Subject):
                    part = self.graph.add(Subject(path, word.kind, None, subject))
                    subject.state(name, part, origin)
                self._pour(part, value, origin)
                self._fill(part)
            elif name in subject.facts:
                continue
            elif word.form == "parts":
                subject.state(
                    name,
                    [self._pour_figures(f"{path}/{at}", word, one, subject, origin) for at, one in enumerate(value)],
                    origin,
                )
            else:
                subject.state(name, value, origin)

    def _pour_figures(self, path: str, word: Word, figures: dict[str, Any], owner: Subject, origin: Origin) -> Subject:
        part = self.graph.add(Subject(path, word.kind, None, owner))
        self._pour(part, figures, origin)
        self._fill(part)
        return part
