"""Proof that edits did what they say and nothing else: the new text is read again and compared."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import yaml

from designlint.reading import composer
from designlint.reading.listing import expected_list
from designlint.reading.splices import spell
from designlint.reading.tree import same_place, tree_paths
from designlint.reading.values import EditRefused, parse_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.reading.edit import Edit
    from designlint.reading.splices import Splice
    from designlint.reading.tree import Document, Node, Path

LINE_BREAKS = re.compile(r"\r\n|\r|\n")
MARKS = (yaml.AnchorToken, yaml.AliasToken, yaml.TagToken)
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
    found = difference(expected_tree(old.root, edits), plain(new.root), ())
    if found is not None:
        raise EditRefused(f"the file would read differently at {spell(found)}")
    if not _comments_kept(old, new, splices):
        raise EditRefused("a comment would be lost or moved")
    if _marks(old, sorted((splice.start, splice.end) for splice in splices)) != _marks(new, []):
        raise EditRefused("an anchor, alias or tag would be lost")
    if _tail(old) != _tail(new):
        raise EditRefused("a later document of the file would change")
    if not _line_ends_kept(old.text, new.text):
        raise EditRefused("line endings would change")


def _comments_kept(old: Document, new: Document, splices: list[Splice]) -> bool:
    """
    Whether the comments are those from before, but for those that go with what is removed; the trees are as they must be.

    Where no `#` came or went, each stands where it stood, before the same text: were one part of a value now, or no longer,
    the trees would differ.
    """
    if not any("#" in splice.text or "#" in old.text[splice.start : splice.end] for splice in splices):
        return True
    removed = sorted(splice.comments for splice in splices if splice.comments[0] < splice.comments[1])
    kept = [text for at, text in comments(old) if not within(at, removed)]
    return kept == [text for _, text in comments(new)]


def plain(node: Node) -> Data:
    """The tree as plain data, aliases followed; the reader's limits bound depth and size."""
    if node.kind == "map":
        return {key: plain(child) for key, child in node.entries.items()}
    if node.kind == "list":
        return [plain(child) for child in node.items]
    return type(node.scalar()).__name__, node.text


def expected_tree(root: Node, edits: list[Edit]) -> Data:
    """What the tree must be after the edits; removals of items come last and from the back."""
    data = plain(root)
    for edit in edits:
        for target in places(root, edit):
            _change(data, edit, target)
    return data


def _change(data: Data, edit: Edit, target: Path) -> None:
    holder = _at(data, target[:-1])
    if edit.op == "remove":
        del holder[target[-1]]
        return
    if edit.op == "rename":
        was = holder.pop(target[-1])
        holder[edit.key] = was if edit.value is None else plain(parse_value(edit.value))
        return
    if edit.op == "list":
        name = None if edit.value is None else plain(parse_value(edit.value))
        holder[target[-1]] = expected_list(_get(holder, target[-1]), edit.key, name)
        return
    value = plain(parse_value(edit.value or ""))
    if edit.op != "append":
        holder[target[-1]] = value
    elif target and isinstance(_get(holder, target[-1]), list):
        holder[target[-1]].append(value)
    elif target:
        holder[target[-1]] = [value]
    else:
        data.append(value)


def places(root: Node, edit: Edit) -> list[Path]:
    """The paths that an edit changes: its own and, of a shared value, those to which aliases and merge keys bring it."""
    if not edit.shared:
        return [edit.target]
    nodes = dict(tree_paths(root))
    value = nodes.get(edit.target)
    if value is None:
        return [edit.target]
    return [path for path, one in nodes.items() if same_place(one, value)]


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


def within(at: int, stretches: Sequence[tuple[int, int]]) -> bool:
    """Whether a place lies in one of these stretches, which are sorted and do not overlap but for empty ones."""
    number = bisect_right(stretches, (at, at))
    return any(start <= at < end for start, end in stretches[max(number - 2, 0) : number + 2])


def _marks(document: Document, replaced: list[tuple[int, int]]) -> Counter[str]:
    """The anchors, aliases and tags of the file, less those in stretches that are replaced."""
    if not any(sign in document.text for sign in "&*!"):
        return Counter()
    found: Counter[str] = Counter()
    try:
        for token in yaml.scan(document.text, composer.LOADER):
            at = token.start_mark.index
            if isinstance(token, MARKS) and not within(at, replaced):
                found[document.text[at : token.end_mark.index].rstrip()] += 1
    except yaml.YAMLError:  # in a later document, whose text is compared as a whole
        return found
    return found


def comments(document: Document) -> Sequence[tuple[int, str]]:
    """Offset and text of every comment of the first document, by what the scanner left between tokens."""
    return _comments(document.text) if "#" in document.text else ()


@lru_cache(maxsize=4)  # many edits of one file are tried one after another
def _comments(text: str) -> Sequence[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    last = documents = 0
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
