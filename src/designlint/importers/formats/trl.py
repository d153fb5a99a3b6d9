"""TRL's YAML of supervised training."""

from designlint.importers.frameworks import finetuning

TITLE = "TRL configuration"
JOBS = True
TOOLS = ("finetuning",)
sure, workload = finetuning.importer(finetuning.TRL)
