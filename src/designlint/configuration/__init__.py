"""
Which settings a design is judged by: the nearest configuration file above it, and under it the command line.

In: configuration files and options. Out: the engine that judges a design.
It knows no design and no finding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from designlint.configuration import discovery
from designlint.rules.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.rules.engine import Engine


class Policy(Struct, frozen=True):
    """
    How the designs of a run find their settings.

    Args:
        given: what the command line says; it beats every file.
        config: the configuration of all designs; where it is empty each has the nearest one above it.
        isolated: no configuration is read.
    """

    given: Settings = field(default_factory=Settings)
    config: str = ""
    isolated: bool = False

    def file(self, design: str) -> Path | None:
        """The configuration file of a design. Raises AuthoringError, UsageError."""
        if self.isolated:
            return None
        return discovery.named_configuration(self.config) if self.config else discovery.nearest(design)

    def files(self, design: str) -> list[Path]:
        """The configuration file of a design, and those that it extends. Raises AuthoringError, UsageError."""
        from designlint.configuration import layers

        file = self.file(design)
        return [] if file is None else [one.file for one in layers.chain(file)]

    def settings(self, design: str) -> Settings:
        """
        The settings of a design, every word of them checked.

        Raises:
            AuthoringError: a configuration file that says something wrong.
            UsageError: an option that does.
        """
        file = self.file(design)
        if file is None and self.given == _plain(self.given):
            return self.given
        from designlint.configuration import layers

        return layers.effective(file, design, self.given)

    def engine(self, design: str) -> Engine:
        """What judges a design. Raises AuthoringError, UsageError."""
        from designlint.configuration import engine as engines

        return engines.configure_engine(self.settings(design))


def _plain(settings: Settings) -> Settings:
    """The settings without what names rules and could be misspelt."""
    return replace(settings, select=(), ignore=())
