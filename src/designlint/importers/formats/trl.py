"""TRL's YAML of supervised training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.importers.frameworks import finetuning

if TYPE_CHECKING:
    from collections.abc import Sequence

    from designlint.importers.base import Context, Fragment, Source

TITLE = "TRL configuration"
JOBS = True


def sure(source: Source) -> int:
    """8 where the top names a model beside the batch of a GPU as TRL does."""
    return 8 if finetuning.recognised(source) is finetuning.TRL else 0


def design(models: Sequence[Source], context: Context) -> Fragment:
    """A workload for each file."""
    return finetuning.design(models, finetuning.TRL, context)
