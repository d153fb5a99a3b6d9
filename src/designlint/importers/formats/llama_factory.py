"""LLaMA-Factory's YAML."""

from designlint.importers.frameworks import finetuning

TITLE = "LLaMA-Factory configuration"
JOBS = True
TOOLS = ("finetuning",)
sure, workload = finetuning.importer(finetuning.LLAMA_FACTORY)
