"""What bash reads otherwise than its author meant: lines that continue nothing, texts never closed, variables never set."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from designlint.importers.shell.syntax import assigned_variables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from designlint.importers.shell.syntax import ScriptTree

#: An option that stands where a command should.
OPTION = re.compile(r"--?[A-Za-z][\w.-]*")
#: A backslash and blanks at the end of a line, which continue nothing, and one that continues it.
LOOSE, CONTINUED = re.compile(r"(?<!\\)\\[ \t]+$", re.MULTILINE), re.compile(r"(?<!\\)\\$", re.MULTILINE)
NAME, NUMBER = re.compile(r"[A-Za-z_]\w*"), re.compile(r"\d+")
#: A variable that bash replaces, in braces or not, without a default.
USED = re.compile(r"(?<!\\)\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")
#: Words that close what a missing node should close, and what they close; of braces the parser is not sure.
CLOSED = {"fi": "if", "done": "do", "esac": "case"}
#: Programs that replace variables in a text themselves, or have a language of their own.
INTERPRETERS = re.compile(r"(?:bash|sh|zsh|awk|sed|perl|jq|yq|eval|envsubst|ssh|xargs|parallel)|-c")
#: What starts a job's processes.
STARTERS = re.compile(r"\b(?:srun|torchrun|mpirun|mpiexec|deepspeed|accelerate|python3?)\b")
#: What keeps a script from ending while something runs in the background.
WAITING = re.compile(
    r"(?:^|[\s;&|({])(?:wait|sleep|tail|fg|while|until|sbatch|nohup|trap|disown|setsid)\b", re.MULTILINE
)
#: Variables that others set, and letters of the shortest name that is taken for a misspelt one.
FOREIGN = re.compile(r"(?:SLURM|PBS|OMPI|PMI|NCCL|CUDA|SKYPILOT|WANDB|HF|KUBE\w*|VC|LWS)_")
SHORTEST = 6


class Misreading(NamedTuple):
    """The rule that names a slip, its place in characters, and what the rule's message names."""

    rule: str
    start: int
    end: int
    values: dict[str, Any]


def slips(tree: ScriptTree, *, batch: bool, whole: bool) -> Iterator[Misreading]:
    """
    Those of one script, in no order.

    Args:
        batch: Slurm ends what still runs when the script ends.
        whole: every file that the script sources is known, so that it shows all variables.
    """
    nodes = list(_nodes(tree.root))
    opened = list(_open_ends(tree, nodes))
    if opened:  # all below is read wrongly
        yield opened[0]
        return
    for node in nodes:
        if node.type == "command":
            yield from _commands(tree, node)
        elif node.type == "variable_assignment" and (found := OPTION.match(tree.text(node))):  # `--lr=1`, to the parser
            start, _ = tree.span(node)
            yield from _broken_line(tree, start, found[0])
        elif node.type == "string":
            yield from _loose_lines(tree, node)
        elif node.type == "heredoc_redirect":
            yield from _literal_documents(tree, node)
    if whole:
        yield from _unset_variables(tree)
    if batch:
        yield from _background_programs(tree)


def _nodes(root: Any) -> Iterator[Any]:
    waiting = [root]
    while waiting:
        here = waiting.pop()
        yield here
        waiting += reversed(here.children)


def _is_open(tree: ScriptTree, node: Any) -> bool:
    """Whether no line below ends a here-document: it is the word that begins it, behind tabs for `<<-`, or in `$( )`."""
    start, end = tree.span(node)
    word = re.escape(tree.text(node).strip("'\"\\"))
    tabs = r"\t*" if tree.source.text[:start].rstrip(" \t").endswith("<<-") else ""
    return re.compile(rf"^{tabs}{word}[)`]?\r?$", re.MULTILINE).search(tree.source.text, end) is None


def _open_ends(tree: ScriptTree, nodes: list[Any]) -> Iterator[Misreading]:
    """What is never closed, in order."""
    for node in nodes:
        if node.type == "heredoc_start" and _is_open(tree, node):
            word = tree.text(node).strip("'\"\\")
            values = {"what": f"<<{word}", "wanted": f"a line that is `{word}` and nothing else"}
            yield Misreading("import/never-closed", *tree.span(node), values)
        elif node.is_missing and node.type in CLOSED and node.parent is not None and not _has_error(node.parent):
            start, _ = tree.span(node.parent)
            values = {"what": CLOSED[node.type], "wanted": f"`{node.type}`"}
            yield Misreading("import/never-closed", start, start + len(CLOSED[node.type]), values)
        elif node.is_missing and node.type == '"':
            yield from _open_quotes(tree, nodes)


def _has_error(node: Any) -> bool:
    return any(one.type == "ERROR" for one in _nodes(node))


def _open_quotes(tree: ScriptTree, nodes: list[Any]) -> Iterator[Misreading]:
    """The first text of several lines that ends where another should begin."""
    for node in nodes:
        start, end = tree.span(node)
        text = tree.source.text
        if (
            node.type == "string"
            and "\n" in text[start:end]
            and text[end - 2 : end - 1] in "=( "
            and text[end : end + 1].strip()
        ):
            yield Misreading(
                "import/never-closed", start, text.index("\n", start), {"what": '"', "wanted": 'another `"`'}
            )
            return


def _commands(tree: ScriptTree, node: Any) -> Iterator[Misreading]:
    """Options that stand where a command should, assignments with blanks, variables in single quotes."""
    name = node.child_by_field_name("name")
    if name is None:
        return
    text, (start, end) = tree.text(name), tree.span(name)
    words = [child for child in node.children if child.is_named and child.start_byte >= name.end_byte]
    first = tree.text(words[0]) if words else ""
    if OPTION.match(text):
        if node.children[0].start_byte == name.start_byte:
            yield from _broken_line(tree, start, text)
    elif NAME.fullmatch(text) and re.match("=(?!=)", first) and (text.isupper() or f"${text}" in tree.source.text):
        yield Misreading("import/assignment-with-blank", start, tree.span(words[0])[1], {"name": text, "command": text})
    elif NUMBER.fullmatch(text) and node.children[0].type == "variable_assignment":
        given = tree.text(node.children[0])
        if given.endswith("=") and tree.source.line_of(tree.span(node)[0]) == tree.source.line_of(start):
            values = {"name": given[:-1], "command": text}
            yield Misreading("import/assignment-with-blank", tree.span(node)[0], end, values)
    else:
        yield from _literal_words(tree, text, words)


def _broken_line(tree: ScriptTree, start: int, text: str) -> Iterator[Misreading]:
    """An option at the beginning of a line, which a line before it should have continued."""
    document, before = tree.source.document, tree.source.line_of(start) - 1
    if before < 1:
        return
    while before > 1 and not document.line(before).strip():
        before -= 1
    above = document.line(before).rstrip("\n")
    if above.lstrip().startswith("#"):
        why = f"the comment in line {before} ends the command above it"
    elif LOOSE.search(above):
        why = f"a blank follows the backslash in line {before}"
    elif above.endswith("\\"):
        return
    else:
        why = f"line {before} has no backslash at its end"
    yield Misreading("import/continuation-broken", start, start + len(text), {"why": why, "option": text[:60]})


def _loose_lines(tree: ScriptTree, node: Any) -> Iterator[Misreading]:
    """A backslash and a blank at the end of a line of a text whose other lines are continued."""
    start, end = tree.span(node)
    text = tree.source.text[start:end]
    loose = LOOSE.search(text)
    if loose is None or not CONTINUED.search(text) or node.parent is None:
        return
    following = text[loose.end() :].split()
    if following and OPTION.match(following[0]):
        line = tree.source.line_of(start + loose.start())
        values = {"why": f"a blank follows the backslash in line {line}", "option": following[0][:60]}
        yield Misreading("import/continuation-broken", start + loose.start(), start + loose.end(), values)


def _literal_words(tree: ScriptTree, command: str, words: list[Any]) -> Iterator[Misreading]:
    """Variables of the script in the single quotes of an argument, which its program gets as they stand."""
    if not STARTERS.match(command) or any(INTERPRETERS.fullmatch(tree.text(one)) for one in words):
        return
    known = assigned_variables(tree.root, tree)
    for word in words:
        for node in _nodes(word):
            used = USED.search(tree.text(node)) if node.type == "raw_string" else None
            if used is not None and (used[1] or used[2]) in known:
                values = {"variable": used[0], "why": "single quotes keep bash from replacing it"}
                yield Misreading("import/variable-left-literal", *tree.span(node), values)


def _literal_documents(tree: ScriptTree, node: Any) -> Iterator[Misreading]:
    """Variables in a here-document with a quoted end that is written to a file of JSON, in which `$` means nothing."""
    parts = {child.type: child for child in node.children}
    start, body, target = (parts.get(one) for one in ("heredoc_start", "heredoc_body", "file_redirect"))
    if start is None or body is None or target is None or tree.text(start)[:1] not in "'\"\\":
        return
    if "json" not in tree.text(target).lower():
        return
    known = assigned_variables(tree.root, tree)
    for used in USED.finditer(tree.text(body)):
        if (used[1] or used[2]) in known:
            at = tree.span(body)[0] + used.start()
            why = f"the quotes of `{tree.text(start)}` keep bash from replacing it"
            values = {"variable": used[0], "why": why}
            yield Misreading("import/variable-left-literal", at, at + len(used[0]), values)
            return


def _unset_variables(tree: ScriptTree) -> Iterator[Misreading]:
    """Variables that nothing sets, and whose names are another's but for a letter; what is only tested may be set outside."""
    known = assigned_variables(tree.root, tree)
    known |= {tree.text(node.children[1]) for node in _nodes(tree.root) if node.type == "for_statement"}
    seen: set[str] = set()
    for node in _nodes(tree.root):
        used = USED.fullmatch(tree.text(node)) if node.type in ("simple_expansion", "expansion") else None
        name = (used[1] or used[2]) if used is not None else ""
        if len(name) < SHORTEST or name in known or name in seen or FOREIGN.match(name) or _is_tested(node):
            continue
        seen.add(name)
        near = sorted(one for one in known if _is_letter_off(name, one))
        if near:
            yield Misreading("import/variable-never-set", *tree.span(node), {"name": name, "near": near[0]})


def _is_tested(node: Any) -> bool:
    while node is not None and node.type != "test_command":
        node = node.parent
    return node is not None


def _is_letter_off(name: str, other: str) -> bool:
    """Whether a letter was left out or added, or two neighbours were swapped; other letters make other names."""
    short, long = sorted((name, other), key=len)
    at = next((i for i, (one, two) in enumerate(zip(short, long, strict=False)) if one != two), len(short))
    if len(short) + 1 == len(long):
        return long[at].isalpha() and short[at:] == long[at + 1 :]
    swapped = long[:at] + long[at : at + 2][::-1] + long[at + 2 :]
    return len(short) == len(long) and short != long and short == swapped and short[at].isalpha()


def _background_programs(tree: ScriptTree) -> Iterator[Misreading]:
    """The last statement of a batch script, where it starts programs in the background and nothing waits for them."""
    inside = [one for one in tree.root.children if one.type not in ("comment", "\n", ";")]
    while inside and inside[-1].is_named and tree.text(inside[-1]).lstrip().startswith("echo"):
        inside.pop()
    if len(inside) < 2 or inside[-1].type != "&":
        return
    started = inside[-2]
    if STARTERS.search(tree.text(started)) and not WAITING.search(tree.source.text):
        start, end = tree.span(started)
        first = tree.source.text[start:end].split("\n")[0]
        yield Misreading("import/nothing-waits", start, start + len(first), {"command": first.split()[0][:40]})
