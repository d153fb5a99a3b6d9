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


@derivation(of="Workload")
def work_queues(
    cuda_device_max_connections: Count | None, cluster_work_queues: tuple[Count | None, ...]
) -> Count | None:
    """
    Hardware work queues per GPU. [1]

    What the job itself starts with counts instead of what all jobs of the cluster do.
    """
    return next((one for one in (cuda_device_max_connections, *cluster_work_queues) if one is not None), None)


@derivation(of="Workload")
def allocator_settings(
    pytorch_cuda_alloc_conf: Text | None, cluster_allocator_settings: tuple[Text | None, ...]
) -> Text | None:
    """
    Settings of PyTorch's allocator. [1]

    What the job itself starts with counts instead of what all jobs of the cluster do.
    """
    return next((one for one in (pytorch_cuda_alloc_conf, *cluster_allocator_settings) if one is not None), None)
