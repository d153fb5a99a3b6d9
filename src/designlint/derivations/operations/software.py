"""What the software of the servers follows from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Bytes, Count, DataRate, Duration

#: How the generations of AMD's GPUs for computing begin.
AMD = "cdna"


@derivation(of="Software")
def amd_gpus_only(gpu_generations: tuple[Text, ...]) -> Flag:
    """
    Whether all GPUs of the design are AMD's.

    Assumes that pools whose generation is not known have none of another maker.
    """
    return all(one.startswith(AMD) for one in gpu_generations)


@derivation(of="Software", sources=("ironic-deploy",), kind=lower)
def least_reinstall_time(
    provisioned_servers: tuple[Count, ...], image_size: Bytes, image_servers: Count, image_rate: DataRate
) -> Duration:
    """
    Time in which the image servers send every server its copy of the system image. [s]

    A lower bound: image servers send at their full rate without a pause; writing to disk, restarts and retries come on top.
    """
    return sum(provisioned_servers) * image_size * 8 / (image_servers * image_rate)
