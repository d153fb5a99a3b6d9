"""What a job asks the scheduler for: servers, GPUs, time, memory, and the rest of a batch header."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, Value, Words, put, whole
from designlint.importers.jobs import host_memory, hostfile, remarks, sizes
from designlint.importers.joining import PLACEHOLDER
from designlint.importers.slurm import times
from designlint.importers.workloads import count, get, took

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from designlint.importers.base import Source

#: The parts of an option that name GPUs.
SEVERAL = re.compile(r"(?:\A|,)\s*(?:gres/)?gpu\b")
#: `gpu`, `gpu:2`, `gpu:a100:4` and `gpu:2080ti:4` of `--gres`; `8` and `h100:8` of `--gpus-per-node`.
GPUS = re.compile(
    r"(?:.*\b)?(?:gpu|gpus)(?::([\w.-]+(?=:\d)|[\w.-]*[A-Za-z][\w.-]*))?(?::(\d+))?(?:,.*)?\Z"
    r"|(?:([\w.-]+):)?(\d+)\Z"
)
SIGNAL = re.compile(r"(?:[BR]+:)?(?:SIG)?(\w+)(?:@(\d+))?\Z")
#: A signal for the batch shell alone, and what catches one.
BATCH_ONLY, TRAP = re.compile(r"R?BR?:"), re.compile(r"(?:^|[;&|\s])(?:trap|source|\.|exec)\s", re.MULTILINE)
CUDA = re.compile(r"(?:/cuda:|[-_:.]cuda-?)(\d{1,2}\.\d{1,2})(?![\d])")
COUNTS = {
    "job/servers": "nodes",
    "job/tasks": "ntasks",
    "job/tasks_per_server": "ntasks-per-node",
    "job/cpus_per_task": "cpus-per-task",
    "job/segment": "segment",
}
TEXTS = {
    "job/partition": "partition",
    "job/constraint": "constraint",
    "job/excluded_servers": "exclude",
    "job/queue": "qos",
    "job/reservation": "reservation",
    "job/account": "account",
    "job/named_servers": "nodelist",
}
#: Variables that Slurm sets in every job, to what nobody knows before.
IDENTITY = frozenset(("SLURM_JOB_ID", "SLURM_JOBID", "SLURM_JOB_NODELIST", "SLURM_NODELIST", "SLURM_SUBMIT_DIR"))
#: Words that `--set` may give, and the option of the header that they stand for.
SETTINGS = {
    "nodes": "nodes",
    "servers": "nodes",
    "gpus_per_node": "gpus-per-node",
    "ntasks_per_node": "ntasks-per-node",
    "time": "time",
    "walltime": "time",
    "partition": "partition",
    "gpus": "gpus",
    "ntasks": "ntasks",
    "cpus_per_task": "cpus-per-task",
    "mem": "mem",
}


#: Options that each component of a heterogeneous job states for itself.
SIZES = frozenset(
    (
        "nodes",
        "ntasks",
        "ntasks-per-node",
        "gpus",
        "gpus-per-node",
        "gpus-per-task",
        "gpus-per-socket",
        "gres",
        "cpus-per-task",
        "mem",
        "mem-per-cpu",
        "mem-per-gpu",
        "tmp",
        "segment",
        "switches",
        "constraint",
        "exclusive",
    )
)


def together(parts: Sequence[Mapping[str, Value]]) -> tuple[dict[str, Value], Value | None]:
    """What holds for all components of a job, and the servers that they get together where these are of one kind."""
    first = dict(parts[0])
    if len(parts) == 1:
        return first, None
    kinds = {tuple(one[name].text if name in one else "" for name in ("partition", "constraint")) for one in parts}
    numbers = [whole(count(one.get("nodes"))) for one in parts]
    total = None
    if len(kinds) == 1 and None not in numbers:
        total = first["nodes"].but(sum(one or 0 for one in numbers), f"{len(parts)} components together")
    alike = len({part for part, _ in kinds}) == 1
    return {name: one for name, one in first.items() if name not in SIZES and (alike or name != "partition")}, total


def words(given: Mapping[str, Value], fragment: Fragment) -> Words:
    """The words of a header's options, by their long names."""
    found: Words = {}
    for path, name in COUNTS.items():
        put(found, path, count(given.get(name)))
    for path, name in TEXTS.items():
        value = given.get(name)
        put(found, path, value.as_text() if value is not None else None)
    switches = given.get("switches")  # such as 2@30:00: how long the job waits for them is no word of the language
    put(found, "job/leaf_switches", count(switches and switches.but(switches.text.partition("@")[0], "", switches.how)))
    put(found, "job/excluded_count", hostfile.count_hosts(given.get("exclude")))
    _gpus(given, found, fragment)
    sizes.put_tasks_of_gpus(given, found)
    _walltime(given, found, fragment)
    host_memory.fill(given, found)
    exclusive = given.get("exclusive")
    put(found, "job/exclusive", exclusive and exclusive.but(exclusive.text in ("true", ""), "", exclusive.how))
    for name, answer in (("requeue", True), ("no-requeue", False)):
        value = given.get(name)
        put(found, "job/requeue", value and value.but(answer, "", value.how))
    signal = given.get("signal")
    if signal is not None and (before := SIGNAL.match(signal.text)):
        put(found, "job/signal_before_end", signal.but(f"{before[2]} s", "", signal.how) if before[2] else None)
    put_image(found, given.get("container-image") or given.get("image"))  # of Pyxis, of Shifter
    return found


def put_image(found: Words, image: Value | None) -> None:
    """A container image, and the CUDA release that its name states, as `cuda:12.4.1-devel` and `pytorch:2.3.0-cuda11.8` do."""
    if image is None or not image.text or get(found, "job/image") is not None:
        return
    put(found, "job/image", image.as_text())
    release = CUDA.search(image.text)
    put(found, "job/cuda", image.but(release[1], "the name of the image", image.how).as_text() if release else None)


def _gpus(given: Mapping[str, Value], found: Words, fragment: Fragment) -> None:
    """GPUs of a server by whichever option says so; those of a task times the tasks of a server."""
    for name in ("gpus-per-node", "gres"):
        value = given.get(name)
        parts = of_gpus(name, value)
        if value is None or parts is None or PLACEHOLDER.search(value.text):
            continue
        if len(SEVERAL.findall(value.text)) > 1:  # of several types
            return
        put(found, "job/gpus_per_server", value.but(parts[2] or parts[4] or 1, "", value.how))
        kind = parts[1] or parts[3]
        if kind:
            put(found, "job/gpu", value.but(kind, "", value.how).as_text())
        fragment.fact("requested type of GPU", value.but(kind, "", value.how) if kind else None)
        return
    each, tasks = _number(given.get("gpus-per-task")), took(found, "job/tasks_per_server")
    total, servers = _number(given.get("gpus")), took(found, "job/servers")
    if each is not None:
        put(found, "job/gpus_per_task", each)
        ranks = took(found, "job/tasks")
        if tasks is None and servers and ranks and ranks % servers == 0:
            tasks = ranks // servers
        if tasks:
            put(
                found,
                "job/gpus_per_server",
                each.but((whole(each) or 0) * tasks, f"{each.text} for each of {tasks} tasks"),
            )
    if total is not None and servers == 1:
        put(found, "job/gpus_per_server", total)
    put(found, "runs_on/gpus", total)
    put(found, "job/total_gpus", total)
    for value in (given.get("gpus"), given.get("gpus-per-task")):
        parts = of_gpus("", value)
        if value is not None and parts is not None and (parts[1] or parts[3]):
            put(found, "job/gpu", value.but(parts[1] or parts[3], "", value.how).as_text())


def explain_undivided(given: Mapping[str, Value]) -> str:
    """Why GPUs that are requested are not known for each server; nothing where none are."""
    for option, what in (
        ("gpus", "all servers together"),
        ("gpus-per-task", "each task"),
        ("gpus-per-socket", "each socket"),
    ):
        value = given.get(option)
        if value is not None and _asks(value):
            return f"--{option}={value.text[:20]} counts the GPUs of {what}"
    return ""


def _asks(value: Value) -> bool:
    """Whether an option asks for any: `--gpus=0` and `--gres=gpu:0` do not."""
    return re.search(r"(?:\A|:)0\Z", value.text) is None


def of_gpus(option: str, value: Value | None) -> re.Match[str] | None:
    """The type and count of GPUs, where `--gres` names GPUs and not `nvme:1` or `shard:4`."""
    if value is None or (option == "gres" and "gpu" not in value.text):
        return None
    found = GPUS.match(value.text)
    return None if found is not None and (found[2] or found[4]) == "0" else found


def _number(value: Value | None) -> Value | None:
    parts = of_gpus("", value)
    return value.but(parts[2] or parts[4] or 1, "", value.how) if value is not None and parts is not None else None


def _walltime(given: Mapping[str, Value], found: Words, fragment: Fragment) -> None:
    limit = given.get("time")
    if limit is None or limit.text.lower() in times.UNLIMITED:
        return
    seconds = times.seconds(limit.text)
    if seconds is None and PLACEHOLDER.search(limit.text):
        put(found, "job/walltime", limit)  # unknown, as all that is filled in later
        return
    if seconds is None:
        fragment.clash("import/not-a-value", limit, text=limit.text[:40], wanted="a time limit such as 2-00:00:00")
        return
    put(found, "job/walltime", limit.but(times.duration(seconds), "", limit.how))


#: Options that ask for GPUs.
ASKING = ("gpus-per-node", "gpus", "gpus-per-task", "gpus-per-socket", "gres", "tres-per-node", "tres-per-task")
#: What a comment behind the number of servers says of GPUs: `24 p4d(e) = 192 A100 GPUs`.
REMARK = re.compile(r"#[^\n]*?=\s*(\d{1,6})\s+(?:[\w.-]+\s+)?GPUs?\b")


def manners(
    given: Mapping[str, Value],
    found: Words,
    source: Source,
    fragment: Fragment,
    *,
    uses_gpus: bool,
    start: Value | None,
) -> None:
    """
    What the header of a batch script does not ask for, which Slurm then does not give; what its comments say instead.

    Args:
        start: an option of the sbatch command, where there is one.
    """
    first = source.text.find("#SBATCH")
    if first < 0 and start is None:
        return
    at = Value("", source, first, first + len("#SBATCH")) if start is None else start
    put(found, "job/submitted_to", at.but("slurm", "its header is Slurm's"))
    put(found, "job/states_walltime", given["time"].but(True) if "time" in given else at.but(False, "no --time"))
    known = get(found, "job/walltime") is not None
    leaving, signal = get(found, "job/exit_after"), given.get("signal")
    unheard = signal is not None and BATCH_ONLY.match(signal.text) and not TRAP.search(source.text)
    leaving = leaving or (None if unheard else signal)
    if known and leaving is None and signal is not None:
        put(
            found,
            "job/leaves_in_time",
            signal.but(False, "the signal reaches the batch shell, which has no trap for it"),
        )
    elif known:
        put(found, "job/leaves_in_time", leaving.but(True) if leaving is not None else at.but(False, "no --signal"))
    asking = next((given[one] for one in ASKING if one in given and _asks(given[one])), None)
    if uses_gpus:
        put(found, "job/requests_gpus", asking.but(True) if asking is not None else at.but(False, "no --gpus"))
    stated = given.get("nodes")
    remark = REMARK.search(source.document.line(stated.line)) if stated is not None and stated.end else None
    if stated is not None and remark is not None:
        place = source.document.offset(stated.line, 1) + remark.start(1)
        put(found, "job/remarked_gpus", Value(remark[1], source, place, place + len(remark[1])))
    remarks.report_switched_off(given, source, fragment, gpus=asking is None and uses_gpus)


def variables(given: Mapping[str, Value]) -> dict[str, Value]:
    """Slurm's own variables, as far as the header determines them."""
    found: dict[str, Value] = {}
    nodes, tasks, each = count(given.get("nodes")), count(given.get("ntasks")), count(given.get("ntasks-per-node"))
    found |= {name: nodes for name in ("SLURM_NNODES", "SLURM_JOB_NUM_NODES") if nodes is not None}
    found |= {"SLURM_NTASKS_PER_NODE": each} if each is not None else {}
    ranks = tasks or (
        nodes.but((whole(nodes) or 0) * (whole(each) or 0), "nodes x tasks of each") if nodes and each else None
    )
    found |= {name: ranks for name in ("SLURM_NTASKS", "SLURM_NPROCS") if ranks is not None}
    cpus = count(given.get("cpus-per-task"))
    found |= {"SLURM_CPUS_PER_TASK": cpus} if cpus is not None else {}
    for option in ("gpus-per-node", "gres"):
        value = given.get(option)
        parts = of_gpus(option, value)
        if value is not None and parts is not None and (parts[2] or parts[4]):
            if option == "gpus-per-node":
                found["SLURM_GPUS_PER_NODE"] = value
            found.setdefault("SLURM_GPUS_ON_NODE", value.but(parts[2] or parts[4], "", value.how))
    for name, option in (("SLURM_JOB_NAME", "job-name"), ("SLURM_JOB_PARTITION", "partition")):
        value = given.get(option)
        found |= {name: value} if value is not None else {}
    return found
