"""What the servers of a queue's flavours have in common: labels that say their type, taints; and what pods tolerate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.base import Value, put
from designlint.importers.kubernetes import selecting
from designlint.importers.notations.structured import open_ended

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from designlint.importers.base import Words
    from designlint.importers.notations.structured import Table

#: Effects of taints that keep pods away; Kueue passes over the third.
EFFECTS = ("NoSchedule", "NoExecute")


def put_shared(queue: Words, flavours: Mapping[str, Table]) -> None:
    """Adds the labels of a queue's flavours, where each has one of a type, and the taints that all of them have."""
    used = queue.get("flavours")
    named = [one.text for one in used if isinstance(one, Value)] if isinstance(used, list) else []
    tables = [flavours[one] for one in dict.fromkeys(named) if one in flavours]
    if not tables or len(tables) < len(set(named)):
        return
    labels = [_labels(one) for one in tables]
    if all(labels):
        queue["labels"] = [one for several in labels for one in several]
    taints = [_taints(one) for one in tables]
    shared = [one for one in taints[0] if all(one.text in {two.text for two in several} for several in taints[1:])]
    if shared:
        queue["taints"] = list(shared)


def _labels(flavour: Table) -> list[Value]:
    """The values of labels that say what a server is; none where a template fills one in."""
    labels = flavour.table("spec/nodeLabels")
    found = [
        value
        for key in labels.names()
        if selecting.TYPE.match(key) and (value := selecting.scalar(labels, key)) is not None
    ]
    return [] if any(open_ended(one) for one in found) else [one.as_text() for one in found]


def _taints(flavour: Table) -> list[Value]:
    """Taints that keep pods away, as `key=value:effect`; none where the flavour tolerates some itself."""
    found: list[Value] = []
    for one in flavour.tables("spec/nodeTaints") if flavour.at("spec/tolerations") is None else ():
        key, value, effect = one.get("key"), one.get("value"), one.get("effect")
        if key is not None and effect is not None and effect.text in EFFECTS:
            named = f"{key.text}={value.text}" if value is not None else key.text
            found.append(key.but(f"{named}:{effect.text}", "a taint").as_text())
    return found


def put_requests(pods: Sequence[tuple[Table, list[Table]]], words: Words) -> None:
    """What a queue admits pods by: the names of resources that their containers request, the taints that they tolerate."""
    places = ("resources/requests", "resources/limits")
    tables = [one.table(place) for _, containers in pods for one in containers for place in places]
    named = {
        key: value
        for one in tables
        for key in one.names()
        if (value := selecting.scalar(one, key)) is not None and value.text != "0"
    }
    put(words, "job/resources", [value.but(key, "").as_text() for key, value in named.items()] or None)
    if all(containers for _, containers in pods):
        put(words, "job/tolerations", _tolerations([pod for pod, _ in pods]))


def _tolerations(pods: Sequence[Table]) -> Value | None:
    """What all pods tolerate, as one text; None where a template fills something in, or pods differ."""
    texts = [_read_tolerations(one) for one in pods]
    first = texts[0] if texts else None
    return (
        first
        if first is not None and {one.text if one is not None else None for one in texts} == {first.text}
        else None
    )


def _read_tolerations(pod: Table) -> Value | None:
    node = pod.at("tolerations")
    parts: list[str] = []
    for one in pod.tables("tolerations"):
        key, operator, value, effect = (one.get(name) for name in ("key", "operator", "value", "effect"))
        if any(part is not None and open_ended(part) for part in (key, operator, value, effect)):
            return None
        whole = operator is not None and operator.text == "Exists"
        name = "*" if key is None else key.text if whole else f"{key.text}={value.text if value is not None else ''}"
        parts.append(f"{name.rstrip('=')}:{effect.text}" if effect is not None and effect.text else name.rstrip("="))
    place = node or pod.node
    if place is None:
        return None
    start = place.start if node is None else node.key_start
    return Value(",".join(parts) or "none", pod.source, start, start + 1).as_text()
