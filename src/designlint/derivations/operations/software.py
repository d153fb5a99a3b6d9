"""What the software of the servers follows from."""

from __future__ import annotations

from designlint.derivations.base import Flag, Text, derivation

#: How the generations of AMD's GPUs for computing begin.
AMD = "cdna"


@derivation(of="Software")
def amd_gpus_only(gpu_generations: tuple[Text, ...]) -> Flag:
    """
    Whether all GPUs of the design are AMD's.

    Assumes that pools whose generation is not known have none of another maker.
    """
    return all(one.startswith(AMD) for one in gpu_generations)
