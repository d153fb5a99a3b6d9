"""`check --fix` and `check --diff`: which fixes are made, asked one by one where that is wanted, shown or written."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from designlint import selection
from designlint.cli import colored, put
from designlint.errors import UsageError
from designlint.fixing import Workshop
from designlint.notices import Fixed
from designlint.recognition import BOM
from designlint.reporters.shared.differences import difference
from designlint.source.edits import EditRefused
from designlint.source.writing import write_all

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from designlint.cli.wish import Wish
    from designlint.engine import Engine
    from designlint.fixes import Key, Trial
    from designlint.model import Finding, Fix
    from designlint.source import Document

    #: The old and the new text of changed files, by name.
    Changes = Mapping[str, tuple[str, str]]

#: Stands for every rule among the decisions.
ALL = "*"
ASKED = "[y]es, [n]o, [a]ll of this rule, [s]kip this rule, [q]uit? "
COLORS = {"+": "32", "-": "31", "@": "36"}


@dataclass(slots=True)
class Chooser:
    """Decides which fixes are made; asks a person where that is wished."""

    wish: Wish
    _decided: dict[str, bool] = field(default_factory=dict)
    _declined: set[tuple[Key, str]] = field(default_factory=set)

    def wanted(self, finding: Finding, fix: Fix, trial: Trial) -> bool:
        """Whether a fix is to be made."""
        if fix.safety == "display" or (fix.safety != "safe" and not self.wish.unsafe and not self.wish.ask):
            return False
        if not any(selection.matches(one, finding.rule) for one in self.wish.rules):
            return False
        return not self.wish.ask or self._answer(finding, fix, trial)

    def _answer(self, finding: Finding, fix: Fix, trial: Trial) -> bool:
        decided = self._decided.get(finding.rule, self._decided.get(ALL))
        if decided is not None or (finding.key, fix.title) in self._declined:
            return bool(decided)
        at = finding.location
        print(
            f"\n{at.file}:{at.line}:{at.column}: {finding.severity}[{finding.rule}] {finding.message}", file=sys.stderr
        )
        print(
            f"{fix.title} [{fix.safety}, resolves {fix.resolves}, causes {fix.causes}]  {fix.because}", file=sys.stderr
        )
        for document, text in trial.changed.items():
            print(
                _shown(difference(document.file, document.text, text, context=1), color=colored(sys.stderr)),
                file=sys.stderr,
                end="",
            )
        answer = _asked()
        if answer == "q":
            self._decided[ALL] = False
        elif answer in ("a", "s"):
            self._decided[finding.rule] = answer == "a"
        elif answer == "n":
            self._declined.add((finding.key, fix.title))
        return answer in ("y", "a")


def run(
    wish: Wish, documents: Mapping[str, Document], engine: Callable[[Document], Engine], stdin: Document | None
) -> tuple[list[Fixed], dict[str, Document]]:
    """
    Make, or show, the fixes of some designs: what was fixed, and the designs as they are then.

    Args:
        stdin: the design that came by standard input; its new text goes to standard output.

    Raises:
        UsageError: a file changed while it was mended; then none is written.
    """
    workshop = Workshop(engine, list(documents.values()))
    chooser = Chooser(wish)
    made: list[Fixed] = []
    for document, done in workshop.mend(chooser.wanted):
        made += [_told(document, one.finding, one.fix) for one in done.made]
        for rule in done.undone:
            print(
                f"designlint: {document.file}: the fix of {rule} would undo an earlier one; it is left", file=sys.stderr
            )
    changed = workshop.changed()
    if wish.diff:
        _show(changed, len(made))
        return made, dict(documents)
    marked = {one.file for one in workshop.held.values() if one.bom}
    files = [
        (Path(file), new, (BOM if file in marked else b"") + old.encode())
        for file, (old, new) in changed.items()
        if stdin is None or file != stdin.file
    ]
    try:
        write_all(files)
    except EditRefused as refused:
        raise UsageError(f"{refused}; nothing was fixed") from None
    if stdin is not None:
        print(changed.get(stdin.file, ("", stdin.text))[1], end="")
    return made, {name: workshop.held.get(Path(one.file).resolve(), one) for name, one in documents.items()}


def _told(document: Document, finding: Finding, fix: Fix) -> Fixed:
    return Fixed(document.file, finding.rule, finding.severity, finding.subject, fix.title, fix.safety, fix.changes)


def _show(changed: Changes, fixes: int) -> None:
    text = "".join(_shown(difference(file, old, new), color=colored()) for file, (old, new) in changed.items())
    if text:
        put(text)
    told = f"Would make {fixes} fix{'' if fixes == 1 else 'es'}." if fixes else "Nothing to fix."
    print(told, file=sys.stderr)


def _shown(difference: str, *, color: bool) -> str:
    """A diff as the terminal shows it."""
    return "\n".join(map(_painted, difference.split("\n"))) if color else difference


def _painted(line: str) -> str:
    code = COLORS.get(line[:1])
    return f"\x1b[{code}m{line}\x1b[0m" if code else line


def _asked() -> str:
    """An answer from the terminal, or from whatever stands on standard input; its end means to stop."""
    while True:
        print(ASKED, end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline() if sys.stdin is not None else ""
        answer = line.strip().lower()[:1]
        if not line:
            return "q"
        if answer in tuple("ynasq"):
            return answer
