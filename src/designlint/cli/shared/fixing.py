"""`check --fix` and `check --diff`: which fixes are made, asked one by one where that is wanted, shown or written."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from designlint.applying.session import FixSession
from designlint.cli.shared.terminal import complain, fault, harmless, is_colored, print_text, write
from designlint.findings.notices import Fixed
from designlint.reading.edits import EditRefused
from designlint.reading.errors import UsageError
from designlint.reading.recognition import BOM
from designlint.reading.writing import write_all
from designlint.reporters.shared.differences import difference
from designlint.rules import selection
from designlint.running import jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from designlint.cli.shared.fix_options import FixOptions
    from designlint.findings.model import Finding, Fix
    from designlint.fixes.proof import Trial
    from designlint.fixes.weighing import Key
    from designlint.reading import Document
    from designlint.rules.engine import Engine
    from designlint.rules.settings import Settings

    #: The old and the new text of changed files, by name.
    Changes = Mapping[str, tuple[str, str]]

#: Stands for every rule among the decisions.
ALL = "*"
ASKED = "[y]es, [n]o, [a]ll of this rule, [s]kip this rule, [q]uit? "
COLORS = {"+": "32", "-": "31", "@": "36"}


class Chooser(Struct):
    """Decides which fixes are made; asks a person where that is wished."""

    wish: FixOptions
    _decided: dict[str, bool] = field(default_factory=dict)
    _declined: set[tuple[Key, str]] = field(default_factory=set)

    def is_wanted(self, finding: Finding, fix: Fix, trial: Trial) -> bool:
        """Whether a fix is to be made."""
        return self.chosen(finding, fix, trial.changed)

    def chosen(self, finding: Finding, fix: Fix, changed: Mapping[Document, str]) -> bool:
        """The same, by the files that it would change."""
        if fix.safety == "display" or (fix.safety != "safe" and not self.wish.unsafe and not self.wish.ask):
            return False
        if not any(selection.matches(one, finding.rule) for one in self.wish.rules):
            return False
        return not self.wish.ask or self._answer(finding, fix, changed)

    def _answer(self, finding: Finding, fix: Fix, changed: Mapping[Document, str]) -> bool:
        decided = self._decided.get(finding.rule, self._decided.get(ALL))
        if decided is not None or (finding.key, fix.title) in self._declined:
            return bool(decided)
        at = finding.location
        complain(f"\n{at.file}:{at.line}:{at.column}: {finding.severity}[{finding.rule}] {finding.message}")
        complain(f"{fix.title} [{fix.safety}, {fix.weight}]  {fix.because}")
        for document, text in changed.items():
            shown = difference(document.file, document.text, text, context=1)
            complain(_format_difference(shown, color=is_colored(sys.stderr)), end="", styled=is_colored(sys.stderr))
        answer = _reply()
        if answer == "q":
            self._decided[ALL] = False
        elif answer in ("a", "s"):
            self._decided[finding.rule] = answer == "a"
        elif answer == "n":
            self._declined.add((finding.key, fix.title))
        return answer in ("y", "a")


def run(
    wish: FixOptions,
    documents: Mapping[str, Document],
    engine: Callable[[Document], Engine],
    stdin: Document | None,
    tasks: Sequence[tuple[jobs.Task, Settings]] = (),
) -> tuple[list[Fixed], dict[str, Document]]:
    """
    Make, or show, the fixes of some designs: what was fixed, and the designs as they are then.

    Args:
        stdin: the design that came by standard input; its new text goes to standard output.
        tasks: files of jobs that are fixed, too, each against its cluster as it is on disk.

    Raises:
        UsageError: a file changed while it was mended; then none is written.
    """
    workshop = FixSession(engine, list(documents.values()))
    chooser = Chooser(wish)
    made: list[Fixed] = []
    for document, done in workshop.mend(chooser.is_wanted):
        made += [_report_fix(document.file, one.finding, one.fix) for one in done.made]
        for rule in done.undone:
            fault(f"{document.file}: the fix of {rule} would undo an earlier one; it is skipped")
    changed = workshop.changed_files()
    marked = {one.file for one in workshop.held.values() if one.bom}
    for mended in (jobs.apply_job_fixes(task, settings, chooser.chosen) for task, settings in tasks):
        if mended.made:
            changed[mended.file] = mended.old, mended.new
            made += [_report_fix(mended.file, finding, fix) for finding, fix in mended.made]
            marked |= {mended.file} if Path(mended.file).read_bytes().startswith(BOM) else set()
    if wish.diff:
        _show(changed, len(made))
        return made, dict(documents)
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
        write(changed.get(stdin.file, ("", stdin.text))[1])
    return made, {name: workshop.held.get(Path(one.file).resolve(), one) for name, one in documents.items()}


def _report_fix(file: str, finding: Finding, fix: Fix) -> Fixed:
    return Fixed(file, finding.rule, finding.severity, finding.subject, fix.title, fix.safety, fix.changes)


def _show(changed: Changes, fixes: int) -> None:
    text = "".join(
        _format_difference(difference(file, old, new), color=is_colored()) for file, (old, new) in changed.items()
    )
    if text:
        print_text(text, styled=is_colored()) if sys.stdout is not None and sys.stdout.isatty() else write(
            text
        )  # a patch has to fit
    told = f"Would make {fixes} fix{'' if fixes == 1 else 'es'}." if fixes else "Nothing to fix."
    complain(told)


def _format_difference(difference: str, *, color: bool) -> str:
    """A diff as the terminal shows it."""
    return "\n".join(_paint(harmless(line)) for line in difference.split("\n")) if color else difference


def _paint(line: str) -> str:
    code = COLORS.get(line[:1])
    return f"\x1b[{code}m{line}\x1b[0m" if code else line


def _reply() -> str:
    """An answer from the terminal, or from whatever stands on standard input; its end means to stop."""
    while True:
        complain(ASKED, end="")
        line = sys.stdin.readline() if sys.stdin is not None else ""
        answer = line.strip().lower()[:1]
        if not line:
            return "q"
        if answer in tuple("ynasq"):
            return answer
