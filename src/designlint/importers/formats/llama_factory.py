"""LLaMA-Factory's YAML."""

from designlint.importers.frameworks import finetuning

TITLE = "LLaMA-Factory configuration"
JOBS = True
sure, design = finetuning.importer(finetuning.LLAMA_FACTORY)
