"""axolotl's YAML."""

from designlint.importers.frameworks import finetuning

TITLE = "axolotl configuration"
JOBS = True
TOOLS = ("finetuning",)
sure, workload = finetuning.importer(finetuning.AXOLOTL)
