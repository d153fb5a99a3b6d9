"""InfiniBand discovery: ibnetdiscover, `ibnetdiscover -p` and iblinkinfo."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.infiniband import dumps, words
from designlint.importers.infiniband.fabric import Fabric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context, Fragment, Source

TITLE = "InfiniBand discovery"
FULL = re.compile(r'^[ \t]*(?:Switch|Ca|Hca|Rt)\s+\d+\s+"[SHR]-[0-9a-f]+"', re.MULTILINE)
FLAT = re.compile(r"^[ \t]*(?:CA|SW|RT)\s+\d+\s+\d+\s+0x[0-9a-f]+\s+\d+x\s", re.MULTILINE)
LINKS = re.compile(r"\[[ \d]*\] ==\(.{0,200}\)==>")


def sure(source: Source) -> int:
    """9 where a line is one that only these tools print."""
    head = source.text[:100_000]
    return 9 if FULL.search(head) or FLAT.search(head) or LINKS.search(head) else 0


def read(source: Source, context: Context) -> tuple[Source, str]:
    """The file, and which of the tools printed it."""
    head = source.text[:100_000]
    return source, "full" if FULL.search(head) else "flat" if FLAT.search(head) else "links"


def design(models: Sequence[tuple[Source, str]], context: Context) -> Fragment:
    """All dumps together are one fabric: a node is known by its GUID."""
    fabric = Fabric()
    for source, kind in models:
        {"full": dumps.full, "flat": dumps.flat, "links": dumps.links}[kind](source, fabric)
    return words.fragment(fabric, "infiniband")
