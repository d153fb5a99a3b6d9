"""
Reads what people already have: scheduler configuration, discovery dumps, launch scripts, manifests, framework configurations.

In come foreign files, out comes a part of a design as a tree whose every node stands in the file that it comes from, with what
stays unknown, what the files contradict, and the account of every line. Nothing is run, no address is asked, no file outside the
repository is read. This package knows no rule and no graph.
"""

from __future__ import annotations

from designlint.importers.base import Account, Clash, Fact, Fate, How, ImportRefusal, Source, UnknownWord, Value
from designlint.importers.defaults import chip_rate
from designlint.importers.reader import Imported, Refused, import_files, read_text
from designlint.importers.registry import names
from designlint.importers.servers import LARGEST_GROUP, NARROWEST, SLOWEST, WITHOUT_LINKS
from designlint.importers.tiers import ASKED

__all__ = [
    "ASKED",
    "LARGEST_GROUP",
    "NARROWEST",
    "SLOWEST",
    "WITHOUT_LINKS",
    "Account",
    "Clash",
    "Fact",
    "Fate",
    "How",
    "ImportRefusal",
    "Imported",
    "Refused",
    "Source",
    "UnknownWord",
    "Value",
    "chip_rate",
    "import_files",
    "names",
    "read_text",
]
