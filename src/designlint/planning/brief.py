"""A brief: a design with gaps and aims, from a file or from options, and what it fixes."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from designlint.language.purposes import TRAINING
from designlint.planning.attached import attach_network
from designlint.planning.choices import choices, number, shell
from designlint.planning.document import Chosen, at, in_words, leaves, overlay, plain, text_of, value_at, without
from designlint.planning.hardware import hardware
from designlint.planning.soundness import sound
from designlint.reading.discovery import open_document
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.language.vocabulary import Vocabulary
    from designlint.planning.hardware import Hardware
    from designlint.rules.engine import Engine

#: Names of the pool and the job where a brief has none.
POOL, JOB = "train", "pretrain"
#: The name of the compute network where a brief has none, and those of the networks beside it.
COMPUTE = "compute"
STORAGE = "storage"
OTHERS = (STORAGE, "in-band", "out-of-band")
#: Kinds of storage that are no parallel file system.
APART = ("local-nvme", "object")


class Brief(Struct, frozen=True):
    """
    What a plan starts from.

    Attributes:
        design: what is fixed, as nested values.
        vocabulary: the language in which it is read.
        folder: where files lie that it names.
    """

    design: dict[str, Any]
    vocabulary: Vocabulary
    folder: str = ""

    @property
    def pool(self) -> dict[str, Any]:
        """The servers that the job runs on."""
        found: dict[str, Any] = (self.design.get("nodes") or [{}])[0]
        return found

    @property
    def job(self) -> dict[str, Any]:
        """The first job."""
        found: dict[str, Any] = (self.design.get("workloads") or [{}])[0]
        return found

    def number(self, text: object, kind: str) -> float:
        """A quantity in its canonical unit. Raises UsageError."""
        try:
            return number(text_of(text), kind, self.vocabulary.units)
        except ValueError as error:
            raise UsageError(f"the brief: {error}") from None

    @property
    def machine(self) -> Hardware:
        """The GPU and the server. Raises UsageError where the brief names none that can be planned for."""
        cooled = (self.design.get("facility") or {}).get("cooling") or {}
        return hardware(self.pool, str(cooled.get("method", "")), self.vocabulary)

    @property
    def gpu(self) -> str:
        """The name of the GPU. Raises UsageError where the brief names none that can be planned for."""
        return self.machine.gpu

    @property
    def fabric(self) -> dict[str, Any]:
        """What the brief states of the compute network."""
        for one in self.design.get("fabrics") or []:
            if one.get("purpose", "compute") in TRAINING and one.get("name") not in OTHERS:
                return dict(one)
        return {}

    @property
    def hardware(self) -> dict[str, Any]:
        """Server, adapters and switches for the GPU, with what the brief states of the compute network."""
        return attach_network(self.machine.network, self.fabric, self._ports(self.compute), self.vocabulary)

    @property
    def storage_fabric(self) -> dict[str, Any]:
        """What the brief states of the storage network."""
        stated: list[dict[str, Any]] = self.design.get("fabrics") or []
        return next((one for one in stated if STORAGE in (one.get("purpose"), one.get("name"))), {})

    @property
    def storage_network(self) -> str:
        """The name of the storage network."""
        return str(self.storage_fabric.get("name", STORAGE))

    @property
    def storage_hardware(self) -> dict[str, Any]:
        """Adapters and switches of the storage network: those of the compute network, or slower ones; the brief's own first."""
        ports, given = self._ports(self.storage_network), choices()["networks"]["storage"]
        usual = self.hardware | {"ports": given["ports"]} | given["slower"].get(self.hardware["technology"], {})
        return attach_network(usual, self.storage_fabric, ports, self.vocabulary)

    def _ports(self, network: str) -> dict[str, Any]:
        """What the brief states of the servers' ports into a network."""
        stated: list[dict[str, Any]] = self.pool.get("networks") or []
        return next((one for one in stated if one.get("fabric") == network), {})

    @property
    def file_system(self) -> dict[str, Any]:
        """What the brief states of the parallel file system."""
        stated: list[dict[str, Any]] = self.design.get("storage") or []
        return next((one for one in stated if one.get("kind", "object") not in APART), {})

    @property
    def tiers(self) -> tuple[str, str]:
        """Names of the storage of the plan: the drives of the servers, and the file system that they share."""
        local, shared = (str(one["name"]) for one in shell()["storage"])
        return local, str(self.file_system.get("name", shared))

    @property
    def practices(self) -> dict[str, Any]:
        """The practices of every plan, as a design; the file system has the name that the brief gives it."""
        local, shared = (one | {"name": name} for one, name in zip(shell()["storage"], self.tiers, strict=True))
        shared["fabric"] = self.storage_network
        if self.storage_hardware["technology"] == "ethernet":
            shared["gpu_direct_storage"] = Chosen("false", "plain Ethernet carries no RDMA")
        return shell() | {"storage": [local, shared]}

    @property
    def compute(self) -> str:
        """The name of the compute network."""
        return str(self.fabric.get("name", COMPUTE))

    @property
    def gpus_per_server(self) -> int:
        """GPUs of one server."""
        return int(self.machine.figures["gpus"])

    @property
    def gpus(self) -> int | None:
        """GPUs of the job; None where the plan is to find them."""
        stated = (self.job.get("runs_on") or {}).get("gpus")
        if stated is not None:
            return int(self.number(stated, "Count"))
        count = self.pool.get("count")
        return None if count is None else int(self.number(count, "Count")) * self.gpus_per_server

    @property
    def servers(self) -> int | None:
        """Servers in service: as many as stated, else those of its GPUs; None where neither is. Raises UsageError."""
        gpus, count = self.gpus, self.pool.get("count")
        if gpus is None:
            return None
        needed = ceil(gpus / self.gpus_per_server)
        stated = needed if count is None else int(self.number(count, "Count"))
        if stated < needed:
            have = stated * self.gpus_per_server
            raise UsageError(f"the brief's job needs {gpus} GPUs; its {stated} servers have {have}")
        return stated

    @property
    def deadline(self) -> float | None:
        """Seconds until the run must have ended."""
        stated = (self.job.get("targets") or {}).get("deadline")
        return None if stated is None else self.number(stated, "Duration")

    @property
    def tokens(self) -> float | None:
        """Tokens to train on."""
        stated = (self.job.get("data") or {}).get("tokens")
        return None if stated is None else self.number(stated, "Count")

    @property
    def budget(self) -> float | None:
        """Seconds that all GPUs may work, added up."""
        stated = (self.job.get("targets") or {}).get("gpu_time_budget")
        return None if stated is None else self.number(stated, "Duration")

    @property
    def goodput(self) -> float | None:
        """Minimum share of time that is training progress."""
        stated = (self.job.get("targets") or {}).get("goodput")
        return None if stated is None else self.number(stated, "Ratio")

    @property
    def power(self) -> float | None:
        """What the utility commits at most. [W]"""
        stated = (self.design.get("facility") or {}).get("utility_power")
        return None if stated is None else self.number(stated, "Power")

    def states(self, aim: str) -> bool:
        """Whether the brief states an aim."""
        return any(value_at(self.design, path) is not None for path in AIMS[aim])

    def with_job(self, words: dict[str, Any]) -> Brief:
        """The same brief with further words of its job."""
        first, *others = self.design.get("workloads") or [{}]
        return Brief(self.design | {"workloads": [overlay(first, words), *others]}, self.vocabulary, self.folder)

    def only(self, *aims: str) -> Brief:
        """The same brief without the aims that are not named."""
        design = self.design
        for aim, paths in AIMS.items():
            if aim not in aims:
                for path in paths:
                    design = without(design, path)
        return Brief(design, self.vocabulary, self.folder)


#: Where a brief states each of its aims.
AIMS: dict[str, tuple[tuple[str | int, ...], ...]] = {
    "layout": (("workloads", 0, "parallelism"),),
    "power": (("facility", "utility_power"),),
    "budget": (("workloads", 0, "targets", "gpu_time_budget"),),
    "goodput": (("workloads", 0, "targets", "goodput"),),
    "gpus": (("workloads", 0, "runs_on", "gpus"), ("nodes", 0, "count")),
    "deadline": (("workloads", 0, "targets", "deadline"),),
}


def places(path: str, given: Mapping[str, str]) -> dict[str, str]:
    """
    Where each aim and each value is stated: `brief.yaml:7`, or the option that states it.

    Args:
        path: the brief's file; empty where there is none.
        given: options, as `of_options` takes them.
    """
    options = {"gpus": "gpus", "deadline": "deadline", "power": "power", "budget": "budget-gpu-hours"}
    found = {aim: f"--{name}" for aim, name in options.items() if given.get(aim)}
    if not path or (document := open_document(path)).root is None:
        return found
    stated, aims = plain(document.root), AIMS | {"precision": (("workloads", 0, "precision"),)}
    named = [(aim, way) for aim, ways in aims.items() for way in ways]
    for aim, way in [*named, *((in_words(stated, leaf), leaf) for leaf in leaves(stated))]:
        if (node := at(document.root, way)) is not None:
            found.setdefault(aim, f"{path}:{document.place(node.start, node.end)[0]}")
    return found


def of_file(path: str, engine: Engine) -> dict[str, Any]:
    """A brief that a file holds. Raises UsageError where it is no design, or states what no design can, OSError."""
    document = open_document(path)
    if document.root is None or document.root.kind != "map":
        raise UsageError(f"{path}: a brief is a design: a mapping that begins with `designlint: 1`")
    sound(document, engine, path, (COMPUTE, *OTHERS))
    found: dict[str, Any] = plain(document.root)
    return found


def join_options(file: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """A brief from a file with options laid over it; the first pool and the first job of both are the same."""
    if not file:
        return options
    for section in ("nodes", "workloads"):
        name = next((one["name"] for one in file.get(section) or [] if "name" in one), None)
        for one in options.get(section, []):
            one["name"] = name or one["name"]
    return dict(overlay(file, options))


def of_options(**given: str) -> dict[str, Any]:
    """
    A brief from the options of the command line.

    Args:
        given: `model` (a catalogue name, or a number of parameters), `tokens`, `gpu`, `gpus`, `deadline`, `power`,
            `budget_gpu_hours`; empty where not given.
    """
    model: Any = given["model"]
    if model and model[0].isdigit() and not model.endswith(".json"):
        model = {"parameters": model[:-1] + model[-1].upper() if model[-1] in "kmbt" else model}
    job: dict[str, Any] = {"name": JOB}
    if model:
        job["model"] = model
    for path, name in (
        ("data/tokens", "tokens"),
        ("targets/deadline", "deadline"),
        ("runs_on/gpus", "gpus"),
        ("targets/gpu_time_budget", "budget"),
    ):
        part, _, word = path.partition("/")
        if given[name]:
            job.setdefault(part, {})[word] = given[name]
    pool: dict[str, Any] = {"name": POOL}
    if given["gpu"]:
        pool["gpu"] = given["gpu"]
    design: dict[str, Any] = {"designlint": "1", "nodes": [pool], "workloads": [job]}
    if given["power"]:
        design["facility"] = {"utility_power": given["power"]}
    return design
