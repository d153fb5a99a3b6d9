"""The order in which facts are derived: every calculation and every look-up after what it reads."""

from __future__ import annotations

import importlib
import pkgutil
import re
from typing import TYPE_CHECKING, Any

from designlint import derivations
from designlint.compiler import formulas, slopes, sources
from designlint.compiler.equations import register_equations
from designlint.compiler.ontology import COMPUTED
from designlint.derivations.base import REGISTRY, Derivation
from designlint.language import resources
from designlint.reading.errors import AuthoringError

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.language.vocabulary import Vocabulary
    from designlint.language.words import Word

Key = tuple[str, str]


def register(vocabulary: Vocabulary) -> None:
    """Import every calculation and read every equation, so that all of them are in the registry."""
    for module in pkgutil.walk_packages(derivations.__path__, f"{derivations.__name__}."):
        importlib.import_module(module.name)
    register_equations(vocabulary)


def compile_plan(vocabulary: Vocabulary) -> list[dict[str, Any]]:
    """
    The steps in order, as JSON-able data.

    Raises:
        AuthoringError: a calculation without a word, a word without a calculation, an unknown parameter, a circle.
    """
    register(vocabulary)
    steps = {(of, word): _calculation(REGISTRY[of, word], word, vocabulary) for of, word in sorted(REGISTRY)}
    _each_compared(vocabulary)
    for of, calculated in sorted(REGISTRY):
        if (twin := COMPUTED + calculated) in vocabulary.classes[of]:
            steps[of, twin] = {**steps[of, calculated], "word": twin, "calculation": calculated}
    for owner, words in vocabulary.classes.items():
        for name, word in words.items():
            if word.owner == owner and word.form == "followed":
                steps[owner, name] = {"of": owner, "word": name, "path": list(word.path), "many": word.many}
            if word.owner == owner and word.form == "looked-up":
                steps[owner, name] = {
                    "of": owner,
                    "word": name,
                    "path": list(word.path),
                    "table": _table(word, vocabulary),
                }
            if word.owner == owner and word.form == "derived" and (owner, name) not in steps:
                raise AuthoringError(
                    f"`{name}` of {owner} is derived, but it states no `:equals`, and no function has its name",
                    file="ontology/vocabulary",
                )
    return _order_steps(steps, vocabulary)


def _each_compared(vocabulary: Vocabulary) -> None:
    """See that each word that a design may state although it follows is compared, or says why not."""
    for of, name in sorted(REGISTRY):
        word = vocabulary.classes[of][name]
        answers = [name in vocabulary.twins.get(of, ()), bool(word.compared_by), bool(word.uncompared)]
        if word.written and sum(answers) != 1:
            raise AuthoringError(
                f"`{name}` of {of} can be stated and is calculated; it needs exactly one of `:tolerance`, "
                "`:compared_by` (a rule) and `:uncompared` (why nothing compares them)",
                file="ontology/vocabulary",
            )


def _table(word: Word, vocabulary: Vocabulary) -> dict[str, tuple[Any, str, str, str]]:
    """A figure of each entry that has it, with the entry, the source and its confidence, by every spelling of the name."""
    cls, figure = word.figure
    entries, spelled = vocabulary.catalog.get(cls, {}), _spell_entries(cls, vocabulary)
    if figure == "model":
        return {spelling: (name, name, "", "") for spelling, name in spelled.items()}
    return {
        spelling: (_name_figure(entries[name]["figures"][figure]), name, *entries[name]["sources"][figure])
        for spelling, name in spelled.items()
        if figure in entries[name]["figures"] and _name_figure(entries[name]["figures"][figure]) is not None
    }


def _spell_entries(cls: str, vocabulary: Vocabulary) -> dict[str, str]:
    """The entry of every spelling, and of every title that only one entry has, such as `NVIDIA DGX H100`."""
    titles: dict[str, list[str]] = {}
    for name, entry in vocabulary.catalog.get(cls, {}).items():
        title = re.split(r" ?[,(]", entry["label"])[0].lower()
        titles.setdefault("-".join(title.split()), []).append(name)
    own = {title: names[0] for title, names in titles.items() if len(names) == 1}
    return {**own, **vocabulary.aliases.get(cls, {})}


def _name_figure(figure: Any) -> Any:
    """A figure of an entry; of a part of its own, the entry that it is."""
    return figure.get("model") if isinstance(figure, dict) else figure


def _calculation(one: Derivation, name: str, vocabulary: Vocabulary) -> dict[str, Any]:
    function = one.function
    place = resources.display_path(_file(function)), function.__code__.co_firstlineno
    if one.of not in vocabulary.classes or name not in vocabulary.classes[one.of]:
        raise AuthoringError(f"{one.of} has no word `{name}` in the ontology", file=place[0], line=place[1])
    returned = str(function.__annotations__["return"]).removesuffix(" | None")
    if returned != vocabulary.classes[one.of][name].kind:
        raise AuthoringError(
            f"`{name}` returns {returned}, the ontology says {vocabulary.classes[one.of][name].kind}",
            file=place[0],
            line=place[1],
        )
    params = [_parameter(one.of, word, kind, vocabulary, place) for word, kind in one.words]
    along, dividing = slopes.of(one)
    return {
        "of": one.of,
        "word": name,
        **({"equals": one.text} if one.text else {"module": function.__module__}),
        "params": params,
        "sources": list(one.sources),
        "confidence": sources.confidences(one.sources),
        "formula": formulas.of(one),
        "slopes": along,
        "dividing": dividing,
        "fills": vocabulary.classes[one.of][name].written and not vocabulary.classes[one.of][name].optional,
    }


def _parameter(owner: str, name: str, kind: str, vocabulary: Vocabulary, place: tuple[str, int]) -> list[Any]:
    many = kind.startswith("tuple[")
    mode = (
        ("each" if kind.endswith("| None, ...]") else "all")
        if many
        else "optional"
        if kind.endswith("| None")
        else "one"
    )
    bare = kind.removeprefix("tuple[").removesuffix(", ...]").removesuffix(" | None")
    try:
        path = vocabulary.path(owner, name)
    except LookupError as error:
        raise AuthoringError(str(error), file=place[0], line=place[1]) from None
    if path is None:
        raise AuthoringError(f"{owner} has no word `{name}`, nor has a part of it", file=place[0], line=place[1])
    end = vocabulary.word(owner, path)
    if bare != end.kind or end.many != many:
        wanted = f"tuple[{end.kind}, ...]" if end.many else end.kind
        raise AuthoringError(f"parameter `{name}` is {kind}, the ontology says {wanted}", file=place[0], line=place[1])
    if mode != "each":
        return [list(path), mode]
    through = _through(owner, path, vocabulary)
    return [through, mode, _gaps(owner, through, vocabulary)]


def _through(owner: str, path: tuple[str, ...], vocabulary: Vocabulary) -> list[str]:
    """A path to where the values stand, past words that merely follow one: those exist only where all of them are known."""
    end = vocabulary.word(owner, path)
    if end.form != "followed":
        return list(path)
    return _through(owner, (*path[:-1], *end.path), vocabulary)


def _gaps(owner: str, path: list[str], vocabulary: Vocabulary) -> list[int]:
    """The steps of a path, after one that leads to many, that lead to one part each: a missing part is an unknown value."""
    many = [step[0] == "^" or vocabulary.word(owner, tuple(path[: at + 1])).many for at, step in enumerate(path[:-1])]
    return [at for at, one in enumerate(many) if not one and any(many[:at])]


def _file(function: Any) -> Path:
    from pathlib import Path

    return Path(function.__code__.co_filename)


def _order_steps(steps: dict[Key, dict[str, Any]], vocabulary: Vocabulary) -> list[dict[str, Any]]:
    import networkx

    graph: networkx.DiGraph[Key] = networkx.DiGraph()
    for key in sorted(steps):
        graph.add_node(key)
        paths = [step[0] for step in steps[key].get("params", ())] or [steps[key].get("path", ())]
        for path in filter(None, paths):
            word = vocabulary.word(key[0], tuple(path))
            graph.add_edge((word.owner, word.name), key)
    try:
        order = list(networkx.lexicographical_topological_sort(graph))
    except networkx.NetworkXUnfeasible:
        circle = " -> ".join(f"{owner}.{word}" for (owner, word), _ in networkx.find_cycle(graph))
        raise AuthoringError(f"facts wait for one another: {circle}", file="src/designlint/derivations") from None
    return [steps[key] for key in order if key in steps]
