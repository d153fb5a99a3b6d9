"""TRL's YAML of supervised training."""

from designlint.importers.frameworks import finetuning

TITLE = "TRL configuration"
JOBS = True
sure, design = finetuning.importer(finetuning.TRL)
