"""Expands words as the shell does: quotes, variables, defaults, arrays, arithmetic; all else is unknown, with the reason."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct, field

from designlint.importers.base import How
from designlint.importers.shell import arithmetic
from designlint.importers.shell.pieces import Piece, Text, TooLong, fields, flat, mark_pieces, partition_text, reason
from designlint.importers.shell.strings import closing, matching, substitute

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from designlint.importers.base import Source

VARIABLE = re.compile(r"\$([A-Za-z_]\w*|[0-9@*#?$!-])")
BRACED = re.compile(r"(!?)([A-Za-z_]\w*|[0-9]+|[@*#])(?:\[([^\]]*)\])?(.*)\Z", re.DOTALL)
DEFAULT = re.compile(r":?([-=+?])(.*)\Z", re.DOTALL)
#: A sum or product of whole numbers as older scripts compute it.
EXPR = re.compile(r"\s*expr\s+([\w\s${}+\-*/%\\'\"]{1,200})\Z")
SELF = re.compile(
    r"""dirname\s+(?:--\s+)?["']?\$(?:0|\{0\}|\{BASH_SOURCE(?:\[0\])?\}|BASH_SOURCE)["']?\s*\Z|pwd\s*\Z"""
)
#: Why an array of the names of a job's servers is not known.
HOSTS = re.compile(r"\$\(scontrol show hostnames?(?:\)| \"?\$\{?SLURM_(?:JOB_)?NODE)")
#: The servers of a job, counted.
SERVERS = re.compile(
    r"scontrol\s+show\s+hostnames?(?:\s+\"?\$\{?SLURM_(?:JOB_)?NODELIST\}?\"?)?\s*\|\s*wc\s+-[lw]\s*\Z"
)
DEEPEST = 40
#: Characters that are not themselves.
SPECIAL = re.compile(r"""[\\'"$`]""")


class Scope(Struct):
    """Variables and arrays as they stand at one point of a script."""

    variables: dict[str, Text] = field(default_factory=dict)
    arrays: dict[str, list[Text]] = field(default_factory=dict)
    given: Mapping[str, str] = field(default_factory=dict)

    def copy(self) -> Scope:
        """The same, to be changed apart."""
        return Scope(dict(self.variables), dict(self.arrays), self.given)


class Expander:
    """Expands text of one file in a scope; `run` answers command substitutions that it knows."""

    def __init__(self, source: Source, scope: Scope, run: Callable[[str, int], Text | None]) -> None:
        self.source, self.scope, self.run = source, scope, run
        self.depth = 0

    def words(self, text: str, start: int) -> list[Text]:
        """The words that a text of the file becomes."""
        return list(_join_pieces(self.expand(text, start)))

    def text(self, text: str, start: int, *, quoted: bool = False) -> Text:
        """The text as one, nothing split."""
        return tuple(SPACE if one is BREAK else one for one in self.expand(text, start, quoted=quoted))

    def expand(self, text: str, start: int, *, quoted: bool = False) -> list[Piece]:
        """The pieces of a text; BREAK stands between the elements of an array."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.depth -= 1
            return [self._unknown(start, start + len(text), "expansions are nested too deep")]
        pieces: list[Piece] = []
        at, literal = 0, 0

        def flush(end: int) -> None:
            if end > literal:
                pieces.append(Piece(text[literal:end], self.source, start + literal, start + end, quoted=quoted))

        while (special := SPECIAL.search(text, at)) is not None:
            at = special.start()
            flush(at)
            found, at = self._special(text, at, start, quoted)
            pieces += found
            literal = at
        flush(len(text))
        self.depth -= 1
        if len(pieces) > 200_000:
            raise TooLong
        return pieces

    def _special(self, text: str, at: int, start: int, quoted: bool) -> tuple[list[Piece], int]:
        letter = text[at]
        if letter == "\\":
            kept = "" if text[at + 1 : at + 2] == "\n" else text[at + 1 : at + 2]
            if quoted and kept and kept not in '$`"\\':
                kept = "\\" + kept
            return ([self._piece(kept, start + at, start + at + 2, True)] if kept else []), at + 2
        if letter == "'" and not quoted:
            end = text.find("'", at + 1)
            end = len(text) if end < 0 else end
            return [self._piece(text[at + 1 : end], start + at + 1, start + end, True)], end + 1
        if letter == '"' and not quoted:
            end = closing(text, at + 1, '"')
            inner = self.expand(text[at + 1 : end], start + at + 1, quoted=True)
            return inner or [self._piece("", start + at + 1, start + at + 1, True)], end + 1
        if letter == "`":
            end = text.find("`", at + 1)
            end = len(text) if end < 0 else end
            return self._command(text[at + 1 : end], start + at + 1, quoted), end + 1
        if letter == "$":
            return self._dollar(text, at, start, quoted)
        return [self._piece(letter, start + at, start + at + 1, quoted)], at + 1

    def _dollar(self, text: str, at: int, start: int, quoted: bool) -> tuple[list[Piece], int]:
        if text.startswith("$((", at):
            end = matching(text, at + 1, "(", ")")
            if text[end - 1 : end] == ")" or end >= len(text):  # else a subshell inside `$( )`
                inner = text[at + 3 : end].removesuffix(")")
                return [self._number(inner, start + at + 3, quoted)], end + 1
        if text.startswith("$(", at):
            end = matching(text, at + 1, "(", ")")
            return self._command(text[at + 2 : end], start + at + 2, quoted), end + 1
        if text.startswith("${", at):
            end = matching(text, at + 1, "{", "}")
            return self._expand_braces(text[at + 2 : end], start + at + 2, quoted), end + 1
        found = VARIABLE.match(text, at)
        if found is None:
            return [self._piece("$", start + at, start + at + 1, quoted)], at + 1
        return self.variable(found[1], start + at, start + found.end(), quoted), found.end()

    def _piece(self, text: str, start: int, end: int, quoted: bool) -> Piece:
        return Piece(text, self.source, start, end, quoted=quoted)

    def _unknown(self, start: int, end: int, why: str) -> Piece:
        return Piece("", self.source, start, end, unknown=why)

    def look_up(self, name: str) -> str | None:
        """The value of a variable as characters; None where it is not known."""
        text = self.scope.variables.get(name)
        if text is None:
            return self.scope.given.get(name)
        return None if reason(text) else flat(text)

    def _number(self, text: str, start: int, quoted: bool) -> Piece:
        if "$(" in text or "`" in text or "${" in text:
            inner = self.text(text, start, quoted=True)
            if why := reason(inner):
                return self._unknown(start, start + len(text), why)
            text = flat(inner)
        result = arithmetic.evaluate(text, self.look_up)
        if result is None:
            names = sorted(
                {one for pair in arithmetic.NAME.findall(text) for one in pair if one and self.look_up(one) is None}
            )
            why = (
                f"{', '.join('$' + one for one in names[:3])} is not known"
                if names
                else "the arithmetic is not followed"
            )
            return self._unknown(start, start + len(text), why)
        return Piece(
            str(result), self.source, start, start + len(text), How.DERIVED, " ".join(text.split()), quoted=quoted
        )

    def _command(self, text: str, start: int, quoted: bool) -> list[Piece]:
        if SELF.match(text.strip()):
            return [
                Piece(".", self.source, start, start + len(text), How.DERIVED, "folder of the script", quoted=quoted)
            ]
        if SERVERS.match(text.strip()):
            return self.variable("SLURM_JOB_NUM_NODES", start, start + len(text), quoted)
        if (computed := EXPR.match(text)) is not None:
            bare = re.sub(r"[\\'\"]", lambda _: " ", computed[1])
            return [self._number(bare, start, quoted)]
        found = self.run(text, start)
        if found is not None:
            return mark_pieces(found, quoted=quoted)
        return [self._unknown(start, start + len(text), f"$({' '.join(text.split())[:40]}) runs a command")]

    def variable(self, name: str, start: int, end: int, quoted: bool) -> list[Piece]:
        """The pieces of a variable, or why it is not known."""
        if name in ("@", "*"):
            return self._array("@", start, end, quoted)
        text = self.scope.variables.get(name)
        if text is None and name in self.scope.arrays:
            text = self.scope.arrays[name][0] if self.scope.arrays[name] else ()
        if text is None and name in self.scope.given:
            return [Piece(self.scope.given[name], self.source, start, end, How.STATED, f"--set {name}", quoted=quoted)]
        if text is None:
            return [self._unknown(start, end, f"${name} is not set in the file")]
        return mark_pieces(text, quoted=quoted)

    def _array(self, name: str, start: int, end: int, quoted: bool) -> list[Piece]:
        items = self.scope.arrays.get(name)
        if items is None and name == "@":
            return [self._unknown(start, end, "$@ comes from the command line")]
        if items is None:
            return self.variable(name, start, end, quoted)
        pieces: list[Piece] = []
        for number, item in enumerate(items):
            pieces += [BREAK] if number else []
            pieces += mark_pieces(item, quoted=quoted) or [self._piece("", start, end, quoted)]
        return pieces

    def _expand_braces(self, inside: str, start: int, quoted: bool) -> list[Piece]:
        end = start + len(inside)
        if inside.startswith("#"):
            return self._size(inside, start, end, quoted)
        found = BRACED.match(inside)
        if found is None or found[1]:
            return [self._unknown(start, end, f"${{{inside[:40]}}} is not followed")]
        name, index, rest = found[2], found[3], found[4]
        if index in ("@", "*") and not rest:
            return self._array(name, start, end, quoted)
        if index is not None and index not in ("@", "*"):
            if (item := self._element(name, index, start)) is None:
                return [self._unknown(start, end, f"${{{name}[{index[:20]}]}} is not known")]
            element = mark_pieces(item, quoted=quoted)
            return self._change_pieces(element, rest, start, end, quoted) if rest and rest[0] not in ":-=+" else element
        if default := DEFAULT.match(rest):
            return self._default(name, default[1], default[2], start + len(inside) - len(default[2]), end, quoted)
        pieces = self.variable(name, start, end, quoted)
        return self._change_pieces(pieces, rest, start, end, quoted) if rest else pieces

    def _size(self, inside: str, start: int, end: int, quoted: bool) -> list[Piece]:
        """The number of letters or elements; of the job's servers, whose names Slurm lists, it is known without them."""
        name = inside[1:].partition("[")[0]
        known, items = self.look_up(name), self.scope.arrays.get(name)
        why = [found for item in items or () if (found := reason(item))]
        if len(why) == 1 and items is not None and len(items) == 1 and HOSTS.match(why[0]):
            return self.variable("SLURM_JOB_NUM_NODES", start, end, quoted)
        size = len(items) if items is not None and not why else len(known) if known is not None else None
        if size is None:
            return [self._unknown(start, end, why[0] if why else f"${{{inside}}} is not known")]
        return [self._piece(str(size), start, end, quoted)]

    def _element(self, name: str, index: str, start: int) -> Text | None:
        """An element of an array: by its number, or by its name where the array is written with names."""
        items = self.scope.arrays.get(name)
        text = self.text(index.strip("\"'"), start) if items is not None else ()
        if items is None or reason(text):
            return None
        parts = [partition_text(item, "]=") for item in items]
        named = {before[1:].strip("\"'"): given for before, given in parts if before[:1] == "[" and given is not None}
        if named:
            return named.get(flat(text)) if len(named) == len(items) else None
        number = arithmetic.evaluate(flat(text), self.look_up)
        return items[number] if number is not None and 0 <= number < len(items) else None

    def _default(self, name: str, kind: str, text: str, start: int, end: int, quoted: bool) -> list[Piece]:
        """`${X:-d}` and its like: d is a default, since whoever starts the script may set X."""
        known = self.scope.variables.get(name)
        there = known is not None and bool(reason(known) or flat(known))
        if name in self.scope.arrays:
            return self._array(name, start, end, quoted) if kind != "+" else self.expand(text, start, quoted=quoted)
        there = there or name in self.scope.given
        if kind == "+":
            return self.expand(text, start, quoted=quoted) if there else []
        if there or kind == "?":
            return self.variable(name, start, end, quoted)
        pieces = [
            piece._replace(how=How.DEFAULT, note=f"the script's own, unless {name} is set")
            if piece.how is How.STATED
            else piece
            for piece in self.expand(text, start, quoted=quoted)
        ]
        if kind == "=":
            self.scope.variables[name] = tuple(pieces)
        return pieces

    def _change_pieces(self, pieces: list[Piece], rest: str, start: int, end: int, quoted: bool) -> list[Piece]:
        """Replacements, cuts and changes of case of what is known."""
        if reason(tuple(pieces)):
            return pieces
        text = flat(tuple(pieces))
        changed = substitute(text, rest)
        if changed is None:
            return [self._unknown(start, end, f"${{…{rest[:20]}}} is not followed")]
        first = next((piece for piece in pieces if piece.text), pieces[0] if pieces else None)
        how, note = (first.how, first.note) if first is not None else (How.STATED, "")
        place = (first.source, first.start, first.end) if first is not None else (self.source, start, end)
        return [Piece(changed, *place, how, note, quoted=quoted)]


#: Stands between the elements of an array: words end here even within quotes.
BREAK = Piece("", None, -1, -1)  # type: ignore[arg-type]
#: The same in a text that is not split here.
SPACE = Piece(" ", None, -1, -1)  # type: ignore[arg-type]


def _join_pieces(pieces: list[Piece]) -> list[Text]:
    words: list[Text] = []
    part: list[Piece] = []
    for piece in pieces:
        if piece is BREAK:
            words += fields(part)
            part = []
        else:
            part.append(piece)
    return words + list(fields(part))
