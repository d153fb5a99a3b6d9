"""Proof that edits did what they say and nothing else: the new text is read again and compared."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import yaml

from designlint.source import composer
from designlint.source.splices import spell
from designlint.source.values import EditRefused, parse_value

if TYPE_CHECKING:
    from designlint.source.document import Document
    from designlint.source.edits import Edit
    from designlint.source.splices import Splice
    from designlint.source.tree import Node, Path

LINE_BREAKS = re.compile(r"\r\n|\r|\n")
COMMENT = re.compile(r"#[^\r\n]*")
SECOND_DOCUMENT = "syntax/several-documents"

# A tree as plain data: a map, a list, or the type and text of a scalar.
Data = Any


def check(old: Document, new: Document, edits: list[Edit], splices: list[Splice]) -> None:
    """Compares before and after. Raises: EditRefused with the first harm found."""
    if old.root is None or new.root is None or not new.complete:
        words = [str(problem.values.get("what", problem.rule)) for problem in new.problems]
        raise EditRefused(f"the file would no longer be YAML: {'; '.join(words)}")
    if worse := _problems(new) - _problems(old):
        raise EditRefused(f"the file would have a new fault: {', '.join(sorted(worse))}")
    found = difference(expected(old.root, edits), plain(new.root), ())
    if found is not None:
        raise EditRefused(f"the file would read differently at {spell(found)}")
    removed = [splice.comments for splice in splices]
    kept = [text for at, text in comments(old) if not any(start <= at < end for start, end in removed)]
    if kept != [text for _, text in comments(new)]:
        raise EditRefused("a comment would be lost or moved")
    if _tail(old) != _tail(new):
        raise EditRefused("a later document of the file would change")
    if not _line_ends_kept(old.text, new.text):
        raise EditRefused("line ends would change")


def plain(node: Node) -> Data:
    """The tree as plain data, aliases followed; the reader's limits bound depth and size."""
    if node.kind == "map":
        return {key: plain(child) for key, child in node.entries.items()}
    if node.kind == "list":
        return [plain(child) for child in node.items]
    return type(node.scalar()).__name__, node.text


def expected(root: Node, edits: list[Edit]) -> Data:
    """What the tree must be after the edits; removals of items come last and from the back."""
    data = plain(root)
    for edit in edits:
        if edit.op == "remove":
            del _at(data, edit.path[:-1])[edit.path[-1]]
            continue
        value = plain(parse_value(edit.value or ""))
        target = edit.target
        holder = _at(data, target[:-1])
        if edit.op != "append":
            holder[target[-1]] = value
        elif target and isinstance(_get(holder, target[-1]), list):
            holder[target[-1]].append(value)
        elif target:
            holder[target[-1]] = [value]
        else:
            data.append(value)
    return data


def difference(left: Data, right: Data, path: Path) -> Path | None:
    """The first path where two trees differ."""
    if isinstance(left, dict) and isinstance(right, dict):
        steps: list[Any] = sorted(left.keys() | right.keys())
        if left.keys() != right.keys():
            return (*path, min(left.keys() ^ right.keys()))
    elif isinstance(left, list) and isinstance(right, list):
        steps = list(range(len(left)))
        if len(left) != len(right):
            return (*path, min(len(left), len(right)))
    else:
        return None if left == right else path
    found = (difference(left[step], right[step], (*path, step)) for step in steps if left[step] != right[step])
    return next(found, None)


def comments(document: Document) -> list[tuple[int, str]]:
    """Offset and text of every comment of the first document, by what the scanner left between tokens."""
    text, found, last, documents = document.text, [], 0, 0
    try:
        for token in yaml.scan(text, composer.LOADER):
            start, end = token.start_mark.index, token.end_mark.index
            found += [(match.start(), match[0].rstrip()) for match in COMMENT.finditer(text, last, start)]
            documents += isinstance(token, yaml.DocumentStartToken)
            if isinstance(token, yaml.DocumentEndToken) or documents > 1:
                break
            last = max(last, end)
            if isinstance(token, yaml.ScalarToken) and token.style in ("|", ">"):
                header = LINE_BREAKS.search(text, start, end)
                match = COMMENT.search(text, start, header.start() if header else end)
                found += [(match.start(), match[0].rstrip())] if match else []
    except yaml.YAMLError:  # in a later document, whose text is compared as a whole
        return found
    return found


def _at(data: Data, path: Path) -> Data:
    """The holder at the path; maps that are missing or still empty on the way are made."""
    for step in path:
        if isinstance(data, dict) and not isinstance(data.get(step), dict | list):
            data[step] = {}
        data = data[step]
    return data


def _get(holder: Data, step: str | int) -> Data:
    return holder.get(step) if isinstance(holder, dict) else holder[step]


def _problems(document: Document) -> Counter[str]:
    return Counter(f"{problem.rule} {problem.values.get('key', '')}".rstrip() for problem in document.problems)


def _tail(document: Document) -> str:
    starts = [problem.start for problem in document.problems if problem.rule == SECOND_DOCUMENT]
    return document.text[starts[0] :] if starts else ""


def _line_ends_kept(old: str, new: str) -> bool:
    before, after = set(LINE_BREAKS.findall(old)), set(LINE_BREAKS.findall(new))
    return (after <= before or not before) and old.endswith(("\n", "\r")) == new.endswith(("\n", "\r"))
