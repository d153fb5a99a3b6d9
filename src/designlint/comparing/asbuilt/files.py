"""From a design and the files of a discovery to the comparison of both."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

from designlint import importers
from designlint.comparing.asbuilt import models, pools
from designlint.comparing.asbuilt.comparison import AsBuiltComparison, compare_built
from designlint.comparing.asbuilt.joining import NameMatches
from designlint.language.sentences import many
from designlint.reading.errors import UsageError
from designlint.wiring.designed import of_design
from designlint.wiring.graph import Wiring
from designlint.wiring.known import fabrics as designed
from designlint.wiring.measured import of_import

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.design.design import Design
    from designlint.importers import Imported

#: What importers note that matters to who compares.
TELLING = ("link below its rate", "switches seen from their neighbours only")
#: Notes of one kind that are listed.
MOST = 10


def against(design: Design, files: Sequence[Path | str], *, fabric: str = "", names: str = "") -> AsBuiltComparison:
    """
    A fabric of the design, and its pools of servers, against what these files show of them.

    Args:
        names: a file with a line `name in the design,name in the dump` for each name that differs.

    Raises:
        UsageError: a file that cannot be read, or files that show neither a fabric nor servers of the design.
    """
    known = design.engine.vocabulary
    found = importers.import_files(files, catalogued=known.catalogue_name)
    if found.refused:
        refused = found.refused[0]
        raise UsageError(f"{refused.file}:{refused.line}: not read: {refused.why}. {refused.remedy}".rstrip())
    fabrics = of_import(found, known.units)
    asked = {one.value.text for one in found.facts if one.name == importers.ASKED}
    for one in fabrics:
        one.asked = asked or None
    names_of = read_map(names) if names else {}
    servers = pools.compare_pools(design, found, names_of)
    seen = bool(fabrics and fabrics[0].switches)
    if seen and (designed(design) or fabric or not servers.pairs):
        comparison = compare_built(of_design(design, fabric), fabrics[0], names_of, design.engine)
        comparison = comparison.beside([*models.differences(comparison, design, fabric)], {}, [], design.engine)
        notes = [note for name in TELLING for note in _importer_notes(found, name)]
        notes += [f"{one.fabric}, another fabric of the files, is not compared" for one in fabrics[1:]]
    elif servers.pairs:
        nothing = Wiring("")
        comparison = AsBuiltComparison(nothing, nothing, NameMatches(), [], {}, (0, 0), [])
        why = "the design states none" if seen else "the files describe no switch"
        notes = [f"no fabric is compared: {why}"]
    else:
        told = "; ".join(["no switch is described, nor servers of a pool of the design", *servers.notes])
        raise UsageError(f"{', '.join(map(str, files))}: {told}")
    notes += servers.notes
    unclear = sum(len(one.unclear) for one in found.accounts())
    if unclear:
        notes.append(f"{many(unclear, 'line')} of the dump {'is' if unclear == 1 else 'are'} not understood")
    return comparison.beside(servers.differences, servers.counts, notes, design.engine)


def _importer_notes(found: Imported, name: str) -> list[str]:
    """What importers note under a name, with its place: the first few, and how many more there are."""
    texts = [f"{name}: {one.value.text} ({one.value.place})" for one in found.facts if one.name == name]
    return [*texts[:MOST], *([f"{name}: {len(texts) - MOST} more"] if len(texts) > MOST else [])]


def read_map(file: str) -> dict[str, str]:
    """The names of a map. Raises: UsageError."""
    found: dict[str, str] = {}
    try:
        text = Path(file).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: {error}") from None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        cells = [one.strip() for one in next(csv.reader([line]), [])]
        if len(cells) != 2 or not all(cells):
            raise UsageError(f"{file}:{number}: `{line.strip()[:60]}` is not NAME IN THE DESIGN,NAME IN THE DUMP")
        if cells[0] in found:
            raise UsageError(f"{file}:{number}: `{cells[0]}` is mapped twice")
        found[cells[0]] = cells[1]
    return found
