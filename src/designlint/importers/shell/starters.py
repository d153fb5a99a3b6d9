"""Names of commands that start processes, and of those that start none."""

from __future__ import annotations

import re

LAUNCHERS = re.compile(r"(?:.*/)?(torchrun|deepspeed|mpirun|mpiexec|srun|accelerate|horovodrun|composer|colossalai)\Z")
PYTHON = re.compile(r"(?:.*/)?(?:python(?:[23][\d.]*)?|pytorch)\Z")
#: Programs that start others: what follows are their options, not those of the launcher before.
STARTERS = re.compile(
    r"(?:.*/)?(?:(?:ba|da|z|k)?sh|env|numactl|taskset|nsys|singularity|apptainer|docker|podman|enroot|nice|time|timeout|sudo)\Z"
)
#: A script or another program by its path, and options that take a name and a value.
PROGRAM, MCA = re.compile(r"(?:\.{0,2}/\S+|\S+\.sh)\Z"), frozenset(("--mca", "-mca", "--gmca", "-gmca", "--prtemca"))
#: Options of srun, and of torchrun, without a value.
SWITCHES = re.compile(
    r"--(?:exclusive|overlap|unbuffered|label|kill-on-bad-exit|exact|pty|overcommit|no-kill|contiguous|verbose|quiet"
    r"|container-remap-root|no-container-mount-home|container-writable|standalone)\Z|-[ulKOkvQ]\Z"
)
MODULES = re.compile(r"(?:torch\.distributed\.(?:run|launch)|(accelerate)\.commands\.(?:launch|accelerate_cli))\Z")
#: A command that sbatch runs as a script of its own.
WRAPPED = re.compile(r"--wrap(?:=|\Z)")
BENCHMARK = re.compile(
    r"(?:.*/)?((?:all_reduce|all_gather|reduce_scatter|alltoall|broadcast|sendrecv|reduce|gather|scatter|hypercube)_perf)(?:_mpi)?\Z"
)
#: Commands that train or serve by themselves, and the orders by which they do.
TRAINER = re.compile(r"(?:.*/)?(llamafactory-cli|axolotl|swift|megatron|vllm|sglang)\Z")
ORDERS = frozenset(("train", "sft", "pt", "rlhf", "serve"))
#: Those whose first word is the model that they serve.
SERVERS = ("vllm",)
#: axolotl's option that names its launcher, and what stands before this one's own options.
STARTED_BY, PASSED = "--launcher", "--"
#: torchtune's own launcher takes torchrun's options, then the name of a recipe.
TUNE = re.compile(r"(?:.*/)?tune\Z")
SCRIPT = re.compile(r"\S*\.py\Z")
#: Recipes of torchtune, by which `tune run` knows what to start.
RECIPE = re.compile(r"(?:[\w.-]+/)*[a-z]\w*_(?:distributed|single_device)\Z")
#: Options of srun that give a step sizes of its own.
SIZED = re.compile(r"(?:-[NnG]\d*|--(?:nodes|ntasks\S*|gpus\S*|cpus-per-task))(?:=|\Z)")
ATTACHED = re.compile(r"-[NnGcpt]\S")
ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\Z")
#: What hands a command to a cluster of Ray, with the variables of its processes in a text.
RAY = "ray"
QUIET = frozenset(
    (
        "echo",
        "printf",
        "cat",
        "grep",
        "sed",
        "awk",
        "mkdir",
        "cp",
        "mv",
        "rm",
        "ls",
        "cd",
        "tar",
        "git",
        "pip",
        "test",
        "which",
        "module",
    )
)
#: What a text holds that may be a command which starts processes.
MARKS = (
    "python",
    "torchrun",
    "deepspeed",
    "mpirun",
    "_perf",
    "srun",
    ".py",
    "llamafactory-cli",
    "axolotl ",
    "swift ",
    "megatron ",
    "tune run ",
    "vllm ",
    "sglang",
)
