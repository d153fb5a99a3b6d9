"""The vocabulary files as plain data: classes, their words, what each word may hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.compiler.turtle import Turtle
from designlint.language import resources

if TYPE_CHECKING:
    from collections.abc import Iterable

BASIC = ("Text", "Flag", "Date", "Principle")

#: Predicate that says what a word holds -> its form for plain values, its form for classes.
FORMS = {
    "holds": ("value", "part"),
    "lists": ("values", "parts"),
    "names": ("name", "name"),
    "lists_names": ("names", "names"),
    "from_catalog": ("catalog", "catalog"),
    "derives": ("derived", "derived"),
    "follows": ("followed", "followed"),
    "looks_up": ("looked-up", "looked-up"),
    "given": ("given", "given"),
}

#: Further predicates of a word and the attribute of `vocabulary.Word` that each becomes.
OPTIONS = {
    "in": "allowed",
    "open": "open",
    "digits": "digits",
    "minInclusive": "least",
    "maxInclusive": "most",
    "defaultValue": "default",
    "defines": "defines",
    "idle_without": "idle_without",
    "settled_by": "settled_by",
    "shown_by": "shown_by",
    "optional": "optional",
    "only_trained": "only_trained",
    "sole": "sole",
    "stands_in": "stands_in",
    "bare": "bare",
    "remaining": "remaining",
    "required": "required",
    "comment": "comment",
    "example": "example",
    "agrees_with": "agrees_with",
    "tolerance": "tolerance",
    "compared_by": "compared_by",
    "uncompared": "uncompared",
    "equals": "equals",
    "bound": "bound",
    "latitude": "latitude",
    "requirement": "requirement",
    "counted_by": "counted_by",
    "void_beside": "void_beside",
    "splits": "splits",
    "each": "each",
    "total": "total",
}

#: How the word begins that holds what the design makes of a word which it states.
COMPUTED = "computed_"


def compile_vocabulary(kinds: Iterable[str]) -> dict[str, Any]:
    """
    Classes, comments and ancestry as JSON-able data.

    Raises:
        AuthoringError: a word that holds nothing known, or one that stands twice in a class.
    """
    files = [Turtle(path) for path in resources.files(resources.ontology("vocabulary"), ".ttl")]
    _each_once(files)
    found = {subject.rsplit("#", 1)[-1]: (file, facts) for file in files for subject, facts in file.of_type("Class")}
    values = {*kinds, *BASIC}
    own = {name: _words(name, file, facts, values, set(found)) for name, (file, facts) in found.items()}
    for words in own.values():
        _with_twins(words)
    parents = {name: [name, *_ancestors(name, found)] for name in found}
    classes = {
        name: {word: entry for above in reversed(parents[name]) for word, entry in own[above].items()} for name in found
    }
    for name, (file, _) in found.items():
        for word, entry in own[name].items():
            if entry["form"] == "looked-up":
                entry |= _figure(name, word, entry["kind"], classes, file)
    for name, (file, _) in found.items():  # words that follow may follow what others look up
        for word, entry in own[name].items():
            if entry["form"] == "followed":
                entry |= _end(name, tuple(entry["path"]), classes, file, word)
    return {
        "classes": classes,
        "comments": {name: file.values(facts["comment"])[0] for name, (file, facts) in found.items()},
        "parents": parents,
    }


def _each_once(files: list[Turtle]) -> None:
    seen: dict[str, Turtle] = {}
    for file in files:
        for subject, _ in file.of_type("Class"):
            if seen.setdefault(subject, file) is not file:
                raise file.error(f"{subject.rsplit('#', 1)[-1]} is a class of another file already", "a owl:Class")


def _ancestors(name: str, found: dict[str, tuple[Turtle, dict[str, list[Any]]]]) -> list[str]:
    file, facts = found[name]
    above: list[str] = file.values(facts.get("subClassOf", []))
    return [one for parent in above for one in (parent, *_ancestors(parent, found))]


def _words(
    owner: str, file: Turtle, facts: dict[str, list[Any]], values: set[str], classes: set[str]
) -> dict[str, Any]:
    words: dict[str, Any] = {}
    for shape in facts.get("property", []):
        stated = {key: file.values(objects) for key, objects in file.facts(shape).items()}
        name = stated["path"][0]
        if name in words:
            raise file.error(f"`{name}` stands twice in {owner}", f"sh:path :{name} ")
        words[name] = _entry(owner, name, stated, file, values, classes)
    return words


def _with_twins(words: dict[str, Any]) -> None:
    """Give each word that a design may state although it follows, with a tolerance, a twin that holds what follows."""
    for name, entry in list(words.items()):
        if "tolerance" in entry and "agrees_with" not in entry:
            twin = entry["agrees_with"] = COMPUTED + name
            comment = f"`{name}` as it follows from the rest of the design."
            words[twin] = {"form": "derived", "kind": entry["kind"], "owner": entry["owner"], "comment": comment}


def _entry(
    owner: str, name: str, stated: dict[str, list[Any]], file: Turtle, values: set[str], classes: set[str]
) -> dict[str, Any]:
    forms = [form for form in FORMS if form in stated]
    if len(forms) != 1 or "comment" not in stated:
        raise file.error(
            f"`{name}` of {owner} needs rdfs:comment and exactly one of {', '.join(FORMS)}", f"sh:path :{name} "
        )
    kind = stated[forms[0]][0]
    entry: dict[str, Any] = {"form": FORMS[forms[0]][kind in classes], "kind": kind, "owner": owner}
    if forms[0] == "follows":
        entry |= {"path": kind.split("/"), "kind": ""}
    elif kind not in values | classes and forms[0] != "looks_up":
        raise file.error(f"`{name}` of {owner} holds the unknown kind `{kind}`", f"sh:path :{name} ")
    for key, attribute in OPTIONS.items():
        if key in stated:
            entry[attribute] = stated[key] if attribute == "allowed" else stated[key][0]
    return entry


def _figure(owner: str, name: str, way: str, classes: dict[str, dict[str, Any]], file: Turtle) -> dict[str, Any]:
    """The word that names a catalogue entry, the entry's class and figure, the kind of that, and whether it is a list."""
    by, _, figure = way.partition("/")
    cls, _, word = figure.partition("/")
    if by not in classes[owner] or word not in classes.get(cls, {}):
        raise file.error(f"`{name}` of {owner} looks up {way}, which is no word/Class/figure", f"sh:path :{name} ")
    kind, many = classes[cls][word]["kind"], classes[cls][word]["form"] == "values"
    return {"kind": "Text" if kind in classes else kind, "path": [by], "figure": [cls, word], "many": many}


def _end(
    owner: str, path: tuple[str, ...], classes: dict[str, dict[str, Any]], file: Turtle, word: str
) -> dict[str, Any]:
    """Kind of the value at the end of a path, and whether there may be several."""
    many = False
    for step in path:
        if step[0] == "^":
            owner, many = step[1:].partition(".")[0], True
            continue
        entry = classes.get(owner, {}).get(step)
        if entry is None:
            raise file.error(f"`{word}` follows {'/'.join(path)}, but {owner} has no `{step}`", f"sh:path :{word} ")
        if entry["form"] == "followed":
            entry = entry | _end(owner, tuple(entry["path"]), classes, file, step)
        many = many or entry["form"] in ("parts", "names", "values") or entry.get("many", False)
        owner = "Text" if entry["form"] == "catalog" else entry["kind"]
    return {"kind": owner, "many": many}
