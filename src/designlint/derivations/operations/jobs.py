"""What jobs ask of the scheduler, and what servers and blocks have to give."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.derivations.base import derivation, lower, upper

if TYPE_CHECKING:
    from designlint.derivations.base import Flag, Text
    from designlint.language.units import Count, Duration

#: Levels of a topology that are single servers.
HOSTS = ("kubernetes.io/hostname", "gce-topology-host")
#: The label of servers whose GPUs share a scale-up domain, or a part of one.
CLIQUE = "nvidia.com/gpu.clique"
#: A size such as `70b` in the name of a job; the active part of `a22b` and the factors of `8x7b` are none.
SIZE = r"(?<![a-z0-9.])(\d{1,4}(?:\.\d{1,3})?)(b|t)(?![a-z0-9])"
#: A size whose decimal point may have become a dash: `2-8b` is Pythia's 2.8b, and the end of `llama-3-8b`; `a2-7b` are active.
DASHED = r"(?<![a-z0-9.])a?\d{1,3}-\d[bt](?![a-z0-9])"
#: Letters and numbers of the name of a GPU.
PARTS = r"[a-z]+\d+[a-z]*"


@derivation(of="Job")
def requested_gpus(
    servers: Count | None,
    gpus_per_server: Count | None,
    workers: Count | None,
    gpus_per_worker: Count | None,
    tasks: Count | None,
    gpus_per_task: Count | None,
) -> Count | None:
    """
    GPUs that a job asks for. [1]

    Those of a server times servers, of a pod times pods, or of a task times tasks, whichever is stated.
    """
    for number, each in ((servers, gpus_per_server), (workers, gpus_per_worker), (tasks, gpus_per_task)):
        if number is not None and each:
            return number * each
    return None


@derivation(of="Job")
def trained_on_gpus(
    requested_gpus: Count,
    run_kind: tuple[Text | None, ...],
    run_local_steps: tuple[Count | None, ...],
    run_gpus: tuple[Count | None, ...],
    servers: Count | None,
    workers: Count | None,
    maximum_workers: Count | None,
    submitted_to: Text | None,
) -> Count | None:
    """
    GPUs that a job requests, if its run uses all of them. [1]

    Absent for reinforcement learning, whose job may include the rollout GPUs; for copies that synchronise rarely, which may
    have one job per site; and for elastic jobs, which grow. If the design does not state whether a run is one of these, it
    counts as one if it is a whole number of such jobs, or if its workers could grow.
    """
    whole = requested_gpus > 0 and any(
        one is not None and not one % requested_gpus and one > requested_gpus for one in run_gpus
    )
    rarely = any(whole if steps is None else steps > 1 for steps in run_local_steps or (None,))
    surely = servers is not None or submitted_to is not None or workers is None
    elastic = not surely if maximum_workers is None else maximum_workers > (workers or 0)
    return None if "reinforcement-learning" in run_kind or rarely or elastic else requested_gpus


@derivation(of="Job")
def wanted_gpus(requested_gpus: Count | None, run_gpus: tuple[Count | None, ...]) -> Count | None:
    """
    GPUs that a job needs from its queue. [1]

    Those that it asks for, else those of its run.
    """
    return next(iter(run_gpus), None) if requested_gpus is None else requested_gpus


@derivation(of="Job")
def task_places(servers: Count | None, workers: Count | None, tasks_per_server: Count) -> Count | None:
    """
    Maximum number of tasks that the job's servers may run. [1]

    Slurm takes the tasks of a server for the most of each where the job states all its tasks, too.
    """
    places = workers if servers is None else servers
    return None if places is None else places * tasks_per_server


@derivation(of="Job")
def topology_level_known(topology_level: Text, topology_levels: tuple[Text, ...]) -> Flag:
    """Whether the levels that a cluster places jobs by have the one that a job names. [1]"""
    return topology_level in topology_levels


@derivation(of="Job")
def gpu_fits(gpu: Text, gpu_model: tuple[Text, ...]) -> Flag | None:
    """
    Whether the type of GPU that a job asks for is that of its pool. [1]

    Compares model numbers such as `h100`; absent where one of the names has none, or where only one states the variant:
    clusters name the MI250X `mi250`, but L40 and L40S differ.
    """
    asked, there = set(re.findall(PARTS, gpu.lower())), set(re.findall(PARTS, " ".join(gpu_model).lower()))
    if not asked or not there:
        return None
    bare = re.compile(r"[a-z]+\Z")
    kin = any(bare.sub("", one) in there or one in {bare.sub("", two) for two in there} for one in asked)
    return True if asked & there else None if kin else False


@derivation(of="Job")
def largest_block(cluster_block_sizes: tuple[Count, ...]) -> Count | None:
    """Servers of the largest placement unit of a cluster. [1]"""
    return max(cluster_block_sizes, default=None)


@derivation(of="Job", kind=upper)
def switch_servers(leaf_switches: Count, leaf_gpus: tuple[Count, ...], server_gpus: tuple[Count, ...]) -> Count | None:
    """
    Servers below as many leaf switches as a job may spread over. [1]

    Leaves that share the rails of their servers count as one, as in the topology that Slurm is given. An upper bound: where the
    design does not say how leaves are wired, the wiring counts that joins more.
    """
    return leaf_switches * (max(leaf_gpus) // min(server_gpus)) if min(server_gpus) else None


@derivation(of="Scheduler")
def largest_planned(block_sizes: tuple[Count, ...]) -> Count | None:
    """Servers in the largest placement unit. [1]"""
    return max(block_sizes, default=None)


@derivation(of="Scheduler")
def smallest_planned(block_sizes: tuple[Count, ...]) -> Count | None:
    """Servers in the smallest placement unit. [1]"""
    return min(block_sizes, default=None)


@derivation(of="Scheduler", sources=("slurm-topology",))
def block_sizes_double(block_sizes: tuple[Count, ...]) -> Flag | None:
    """Whether each placement unit is the smallest one times a power of two. Absent if there is only one size."""
    sizes = sorted(set(block_sizes))
    if len(sizes) <= 1:
        return None
    ratios = [size // sizes[0] for size in sizes]
    return all(size % sizes[0] == 0 for size in sizes) and all(one.bit_count() == 1 for one in ratios)


@derivation(of="Scheduler")
def stated_block_sizes(block_sizes: tuple[Count, ...]) -> Text:
    """The placement units, as the design lists them."""
    return ", ".join(str(int(one)) for one in block_sizes)


@derivation(of="Scheduler", kind=lower)
def all_quotas(queue_quotas: tuple[Count | None, ...]) -> Count | None:
    """Sum of the GPU quotas of all queues; a queue without a stated quota adds nothing. [1]"""
    return sum(one or 0 for one in queue_quotas) or None


@derivation(of="Scheduler")
def smallest_block(block_counts: tuple[Count, ...]) -> Count | None:
    """Servers in the smallest block. [1]"""
    return min(block_counts, default=None)


@derivation(of="Job")
def gang_is_whole(
    workers: Count,
    minimum_workers: Count,
    maximum_workers: Count | None,
    gpus_per_worker: Count | None,
    tasks: Count | None,
) -> Flag | None:
    """
    Whether a job starts with all of its workers. [1]

    One that states how far it grows is meant to change size. Absent where neither GPUs nor ranks show that the workers compute
    together, as those of a service do not.
    """
    if minimum_workers >= workers or maximum_workers is not None:
        return True
    return None if gpus_per_worker is None and tasks is None else False


@derivation(of="Job")
def minimum_gpus(
    minimum_workers: Count, gpus_per_worker: Count | None, server_gpus: tuple[Count | None, ...]
) -> Count | None:
    """
    GPUs without which it does not start or go on. [1]

    Where the job does not say how many each worker has: all those of a server, of its pools the one with most.
    """
    if gpus_per_worker is not None:
        return minimum_workers * gpus_per_worker
    known = [one for one in server_gpus if one is not None]
    return minimum_workers * max(known) if known and len(known) == len(server_gpus) else None


@derivation(of="Job")
def gpus_together(
    topology_level: Text, topology_required: Flag, workers: Count, gpus_per_worker: Count, slice: Count | None
) -> Count | None:
    """
    GPUs that have to be in one domain of the topology level, because the job requires its workers, or a slice, to share it. [1]

    Absent where the level is only preferred, or its size is not known: a server and a scale-up domain are.
    """
    if not topology_required or not topology_level.endswith((*HOSTS, CLIQUE)):
        return None
    return (workers if slice is None else slice) * gpus_per_worker


@derivation(of="Job", sources=("topograph-dra",))
def level_gpus(
    topology_level: Text, server_gpus: tuple[Count | None, ...], pool_domains: tuple[Count | None, ...]
) -> Count | None:
    """
    Maximum number of GPUs in one domain of the job's topology level: a server, or a scale-up domain. [1]

    A scale-up domain may be split into several cliques, which are smaller.
    """
    sizes = server_gpus if topology_level.endswith(HOSTS) else pool_domains if topology_level.endswith(CLIQUE) else ()
    known = [one for one in sizes if one is not None]
    return max(known) if known and len(known) == len(sizes) else None


@derivation(of="Workload")
def named_parameters(name: Text) -> Count | None:
    """
    Parameters that the name of a job speaks of. [1]

    The one size in it, such as `70b` in `llama3-70b`; absent where it has none or several, or where it may be read in two
    ways: `2-8b` as 2.8 or 8, `05b` as 0.5 or 5.
    """
    found = _size(name)
    return round(float(found[0]) * found[1]) if found else None


@derivation(of="Workload")
def named_rounding(name: Text) -> Count | None:
    """
    Parameters that the size in a name of a job may leave out: half of its last digit. [1]

    `1b` stands for a model of half a billion to one and a half.
    """
    found = _size(name)
    return round(0.5 * found[1] / 10 ** len(found[0].partition(".")[2])) if found else None


def _size(name: str) -> tuple[str, float] | None:
    """The number of the one size in a name, and its unit."""
    text = name.lower().replace("_", "-")
    found = re.findall(SIZE, text)
    # `05b` is half a billion, or five
    if len(found) != 1 or re.search(DASHED, text) or re.match(r"0\d", found[0][0]):
        return None
    return found[0][0], 1e9 if found[0][1] == "b" else 1e12


@derivation(of="Workload")
def run_steps(
    steps: Count | None, samples: Count | None, global_batch: Count | None, steps_of_tokens: Count | None
) -> Count | None:
    """
    Optimizer steps of the run. [1]

    As stated, else its sequences over those of a step, else those that its tokens make.
    """
    if steps is not None:
        return steps
    return samples // global_batch if samples is not None and global_batch else steps_of_tokens


@derivation(of="Workload", kind=lower)
def least_first_checkpoint(
    interval: Duration | None,
    interval_steps: Count | None,
    measured_step_time: Duration | None,
    least_step_time: Duration | None,
    least_layers_time: Duration | None,
) -> Duration | None:
    """
    Minimum time until the first checkpoint. [s]

    The interval, where it is stated as a time. Steps take as long as measured, or as little as the hardware allows; where the
    vocabulary is unknown, that of the layers alone.
    """
    least = least_layers_time if least_step_time is None else least_step_time
    step_time = least if measured_step_time is None else measured_step_time
    return interval if interval_steps is None or step_time is None else interval_steps * step_time
