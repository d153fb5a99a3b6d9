"""axolotl's YAML."""

from designlint.importers.frameworks import finetuning

TITLE = "axolotl configuration"
JOBS = True
sure, design = finetuning.importer(finetuning.AXOLOTL)
