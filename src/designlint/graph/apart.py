"""What in a graph may differ where some parts at the top of a design are others: classes, words, calculations."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from designlint.graph.derive import paths_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from designlint.graph.derive import Plan
    from designlint.language.vocabulary import Vocabulary

TOP = "Design"
#: Forms of words that name other subjects.
NAMING = ("name", "names")


class Differences(NamedTuple):
    """
    What may differ: too much where that cannot be told, never too little.

    Attributes:
        classes: of those parts and all below them, with the classes above.
        words: the words that may lead elsewhere or have another value, each with every class whose subjects may have it.
        steps: the calculations that may give something else, by number.
    """

    classes: frozenset[str]
    words: frozenset[tuple[str, str]]
    steps: frozenset[int]


def apart(parts: Iterable[str], vocabulary: Vocabulary, plan: Plan) -> Differences:
    """What may differ where these words of a design hold something else."""
    tops = {(TOP, part) for part in parts}
    classes = {one for top, part in tops for one in vocabulary.reachable(vocabulary.classes[top][part].kind)}
    theirs = {name for one in classes for name, word in vocabulary.classes[one].items() if word.form in NAMING}
    stated = tops | {
        (cls, name)
        for cls, known in vocabulary.classes.items()
        for name, word in known.items()
        if word.form in NAMING and (word.kind in classes or (word.remaining and name in theirs))
    }
    steps: set[int] = set()
    while True:
        words = _family(stated | {(plan.steps[one]["of"], plan.steps[one]["word"]) for one in steps}, vocabulary)
        found = {
            number
            for number, step in enumerate(plan.steps)
            if step["of"] in classes
            or (step["of"], step["word"]) in words  # what writes a word may be kept from it by what writes it before
            or any(_leads(step["of"], path, vocabulary, classes, words) for path in paths_of(step))
        }
        if found == steps:
            return Differences(frozenset(classes), frozenset(words), frozenset(steps))
        steps = found


def _family(words: Iterable[tuple[str, str]], vocabulary: Vocabulary) -> set[tuple[str, str]]:
    """The words, those of the classes above and below included."""
    below: dict[str, set[str]] = {}
    for cls in vocabulary.classes:
        for above in vocabulary.is_a(cls):
            below.setdefault(above, set()).add(cls)
    return {(one, word) for cls, word in words for one in (*vocabulary.is_a(cls), *below.get(cls, ()))}


def _leads(
    at: str, path: Sequence[str], vocabulary: Vocabulary, classes: Collection[str], words: Collection[tuple[str, str]]
) -> bool:
    """Whether a path leads through something that differs; a way that cannot be told may."""
    for word in path:
        if word[0] == "^":
            at, _, names = word[1:].partition(".")
            if at in classes or any((at, name) in words for name in names.split("|")):
                return True
            continue
        known = vocabulary.classes.get(at, {}).get(word)
        if known is None or (at, word) in words or known.kind in classes:
            return True
        at = known.kind
    return False
