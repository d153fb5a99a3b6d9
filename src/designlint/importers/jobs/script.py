"""A batch or launch script as a workload: what it asks for, what it starts, and what nobody but the submit line decides."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers import defaults, environment
from designlint.importers.base import Fate, Fragment, How, Value, Words, put, whole
from designlint.importers.jobs import (
    accelerated,
    dialects,
    hostfile,
    launcher_values,
    meeting,
    pbs,
    programs,
    remarks,
    requests,
    rivals,
    roles,
    serving,
    settings,
    sizes,
    submission,
    task_ranks,
    visible,
)
from designlint.importers.megatron import names
from designlint.importers.shell import header
from designlint.importers.shell.conditions import LATER
from designlint.importers.shell.evaluator import Evaluator
from designlint.importers.shell.launches import Launch, launches
from designlint.importers.shell.pieces import Piece, flat, value
from designlint.importers.shell.rewriting import guard
from designlint.importers.shell.slips import slips
from designlint.importers.shell.syntax import parse_script
from designlint.importers.workloads import drop, get, name_workload, totals

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.importers.base import Context, Source
    from designlint.importers.shell.options import Argument
    from designlint.importers.shell.record import Script

#: How a default of the script is noted, with the variable that replaces it.
SETTABLE = re.compile(r"unless (?:an option sets )?(\w+)(?: is set)?\Z")
#: What a benchmark switches off on purpose, to measure the network from one server.
PEERS = "NCCL_P2P_DISABLE"
#: Options of srun that count what runs, which is not the whole job where it runs on some of the servers.
SIZES = frozenset(("nodes", "ntasks", "ntasks-per-node", "gpus"))
#: Options that count tasks: those of the header are the job's, whatever one of its steps starts.
TASKS = frozenset(("ntasks", "ntasks-per-node"))


def workload(source: Source, context: Context) -> Fragment:
    """The workload of one script."""
    found = Fragment()
    options, total = submission.options(source, context, found)
    evaluator = _evaluator(source, options, context)
    script = evaluator.run(source)
    context = guard(script, context)
    if "#SBATCH" in source.text and header.components(source) == [{}]:
        written, total = submission.submitted_options(script, found)
        options = written | options
    options |= (submitted := header.submit_options(source, script))
    everything = list(launches(script))
    main = _main(everything)
    words = requests.words(_scheduled_options(options, main), found)
    put(words, "job/component_servers", total)
    asked = pbs.read_options(source)
    name = name_workload(source, options.get("job-name") or pbs.last(asked, "N"))
    path = f"workloads/{name.text}"
    pbs.fill(words, asked, source, found, path)
    if main is not None:
        batch = "#SBATCH" in source.text
        _fill(words, main, script, context, found, path, part=_of_part(main, options), batch=batch)
        remarks.put_size(words, source)
    else:
        settings.fill(words, evaluator.scope.variables, found)
        settings.loose(words, evaluator.scope)
    _environment(words, script, main, everything, found)
    _image(words, script)
    uses_gpus = main is not None and bool(
        main.benchmark or {"torchrun", "deepspeed"} & {*main.launchers} or "model" in words
    )
    start = next(iter(submitted.values()), None)
    requests.manners(_scheduled_options(options, main), words, source, found, uses_gpus=uses_gpus, start=start)
    _placeholder(words, found, path)
    _sizes(words, source, options, found, path, whole_job=main is None or not _of_part(main, options))
    if main is not None and serving.is_server(main):
        serving.put_used_gpus(words, everything)
    _report_remaining(script, source, words, found, path)
    submission.report_header(source, found)
    found.words["workloads"] = [{"name": name, **words}]
    return found


def _evaluator(source: Source, options: Mapping[str, Value], context: Context) -> Evaluator:
    """What follows the script, with the variables that Slurm sets."""
    found = Evaluator(context.opened, context.settings)
    found.script.scheduled |= (scheduled := submission.variables(options))
    found.scope.variables |= scheduled
    ahead = (requests.IDENTITY if "#SBATCH" in source.text else frozenset()) | (
        pbs.IDENTITY if pbs.MARK in source.text else frozenset()
    )
    for variable in ahead - context.settings.keys():
        found.scope.variables[variable] = (Piece("", source, 0, 0, unknown=f"${variable}{LATER}"),)
    return found


def _fill(
    words: Words, main: Launch, script: Script, context: Context, found: Fragment, path: str, *, part: bool, batch: bool
) -> None:
    """What the launch says: sizes as launchers and programs count them, arguments, files."""
    dialects.start_torchrun(main, script.exports)
    sizes.put_started_size(words, main, found, part=part)
    if not part:
        dialects.put_trainer_size(words, main, found)
    programs.fill(words, main, script, context, found, path)
    visible.report(main, script, found)
    launcher_values.report(main, script.exports, found)
    accelerated.fill(words, main, context, found, path, whole_job=not part)
    if not part:
        hostfile.fill(words, main, context, found)
        if not batch:
            sizes.put_single_server(words, main, script.exports)
        if not batch and pbs.MARK not in main.command.source.text and main.script in programs.OWN:
            sizes.put_gpus_of_ranks(words, main)
    meeting.fill(words, main, script, found, batch=batch, whole_job=not part)
    task_ranks.fill(words, main, script, found)
    serving.serve(words, main, context, found)
    _open_questions(main, found, path)
    _account(main)


def _report_remaining(script: Script, source: Source, words: Words, found: Fragment, path: str) -> None:
    """What no branch covers, what was not followed, and of what stays unknown only that which nothing else states."""
    found.unknowns = [one for one in found.unknowns if get(words, one.word.removeprefix(f"{path}/")) is None]
    for at, gap in script.gaps:
        place = Value("", at, gap.start, gap.end)
        values = {"variable": gap.variable, "gap": gap.numbers, "names": ", ".join(gap.names)}
        found.clash("import/branch-leaves-unset", place, **values)
    for one in slips(parse_script(source), batch="#SBATCH" in source.text, whole=not script.unfollowed):
        found.clash(one.rule, Value("", source, one.start, one.end), **one.values)
    for at, start, end, why in script.unfollowed:
        at.mark(start, start, Fate.UNCLEAR)
        found.unknown(path, why, "designlint import --set NAME=VALUE", Value("", at, start, min(end, start + 80)))


def _main(everything: list[Launch]) -> Launch | None:
    """The launch with most arguments that are understood; one that surely runs goes first."""
    known = names.understood()

    def weight(one: Launch) -> tuple[bool, bool, int, bool, int]:
        return (
            bool(one.script or one.benchmark),
            bool(one.launchers or one.benchmark),
            len(known & one.arguments.keys()),
            one.command.sure,
            len(one.arguments) + len(one.runner),
        )

    told = [one for one in everything if one.script or one.benchmark or one.launchers]
    main = max(told, key=weight, default=None)
    if main is not None:
        rivals.open_differences(main, told)
        roles.choose(main)
        dialects.adapt(main)
    return main


def _scheduled_options(options: dict[str, Value], main: Launch | None) -> dict[str, Value]:
    """Options of the header, and those of srun that the header does not give."""
    short = {"N": "nodes", "n": "ntasks", "c": "cpus-per-task", "p": "partition", "t": "time", "G": "gpus"}
    given = dict(options)
    kept = SIZES if main is not None and _of_part(main, options) else TASKS if TASKS & options.keys() else frozenset()
    if not given.keys().isdisjoint(("gpus-per-node", "gres")):  # a step may take fewer
        kept |= frozenset(requests.ASKING)
    for key, argument in main.scheduler.items() if main is not None else ():
        name = header.current(short.get(key, key.replace("_", "-")))
        if argument.value is not None and name not in given and name not in kept:
            given[name] = argument.value
    return given


def _of_part(main: Launch, options: dict[str, Value]) -> bool:
    """Whether srun starts the program on some of the job's servers: on those that it names, or on another number."""
    if any(name in main.scheduler for name in ("nodelist", "w", "relative", "r")):
        return True
    stated = main.scheduler.get("nodes") or main.scheduler.get("N")
    known = options.get("nodes")
    return stated is not None and known is not None and (stated.value is None or stated.value.text != known.text)


def _environment(words: Words, script: Script, main: Launch | None, everything: list[Launch], found: Fragment) -> None:
    """Variables that are exported, or set for the launch alone; those of launches that may not run are facts."""
    variables: dict[str, Value] = {}
    own = main.variables if main is not None and main.command.sure else {}
    for name, text in {**script.exports, **own}.items():
        if (one := value(text)) is not None and not (name == PEERS and main is not None and main.benchmark):
            variables[name] = one
    environment.fill(words, variables, found)
    for launch in everything:
        if launch.command.sure:
            continue
        line = launch.command.source.line_of(launch.command.start)
        for name, text in launch.variables.items():
            one = value(text)
            if one is not None and environment.tells(name):
                found.fact(f"{name}, if the command in line {line} runs", one)


def _image(words: Words, script: Script) -> None:
    """The image behind a file, where the script imports one image with enroot."""
    given = get(words, "job/image")
    imports = [one.words for one in script.commands if [flat(word) for word in one.words[:2]] == ["enroot", "import"]]
    if given is None or not given.text.startswith(("/", ".")) or len(imports) != 1:
        return
    behind = [image for word in imports[0] if (image := value(word)) is not None and image.text.startswith("docker://")]
    if behind:
        put(words, "job/image", behind[0].but(behind[0].text.removeprefix("docker://"), "imported by enroot").as_text())


def _open_questions(main: Launch, found: Fragment, path: str) -> None:
    """Arguments that have no value in the file."""
    wanted = names.understood()
    for name, argument in (main.runner | main.arguments).items():
        if argument.value is None and (name in wanted or name in sizes.RUNNER):
            variable = re.match(r"\$(\w+)", argument.why)
            command = f"designlint import --set {variable[1]}=VALUE" if variable else "the submit line"
            found.unknown(
                f"{path}/{names.word_of(name)}", f"{name.replace('_', '-')}: {argument.why}", command, _place(argument)
            )


def _place(argument: Argument) -> Value:
    return Value("", argument.at.source, argument.at.start, argument.at.end)


def _account(main: Launch) -> None:
    """Arguments that are neither understood nor known not to matter."""
    if not main.script:
        return
    wanted = names.understood() | programs.understood(main)
    for name, argument in main.arguments.items():
        last = name.rpartition(".")[2]
        read = name in wanted or last in wanted or name in main.told or last in defaults.immaterial("megatron-lm")
        if not read and len(name) > 1 and argument.at.start >= 0:
            argument.at.source.mark(argument.at.start, argument.at.start, Fate.UNCLEAR)


def _placeholder(words: Words, found: Fragment, path: str) -> None:
    """One server unless a variable says otherwise, `${NNODES:-1}`: whoever starts the script sets the number."""
    servers = get(words, "job/servers")
    settable = SETTABLE.search(servers.note) if servers is not None and servers.how is How.DEFAULT else None
    if servers is None or settable is None or whole(servers) != 1:
        return
    drop(words, "job/servers")
    why = f"{settable[1]} is 1 unless whoever starts the script sets it"
    found.unknown(f"{path}/job/servers", why, f"designlint import --set {settable[1]}=N", servers)


def _sizes(
    words: Words, source: Source, options: dict[str, Value], found: Fragment, path: str, *, whole_job: bool
) -> None:
    """All GPUs of a job that its program takes whole, and the sizes that a script leaves open."""
    if whole_job:
        totals(words, found)
    at = Value("", source, 0, 0)
    if not options and "#SBATCH" not in source.text:
        return
    if get(words, "job/servers") is None and not any(one.word == f"{path}/job/servers" for one in found.unknowns):
        stated = options.get("nodes")
        why = "the script has no --nodes: the submit line decides"
        if stated is not None:
            why = f"--nodes={stated.text[:20]} is not a single number"
        elif header.SEPARATOR.search(source.text):
            why = "the job has several components: its steps decide which of their servers they use"
        found.unknown(f"{path}/job/servers", why, "designlint import --set nodes=N", stated or at)
    if get(words, "job/walltime") is None:
        found.unknown(
            f"{path}/job/walltime",
            "the script has no --time: the partition's default applies",
            "scontrol show partition",
            at,
        )
    if get(words, "job/gpus_per_server") is None:
        why = requests.explain_undivided(options) or "nothing requests or counts GPUs"
        found.unknown(f"{path}/job/gpus_per_server", why, "designlint import --set gpus_per_node=N", at)
