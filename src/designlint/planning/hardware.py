"""The GPU and the server of a brief: named in the catalogue, the usual one for its GPU, or put together from stated figures."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from designlint.language.sentences import many
from designlint.planning import naming
from designlint.planning.choices import choices, number
from designlint.planning.document import Chosen, text_of
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from designlint.language.units import Units
    from designlint.language.vocabulary import Vocabulary

#: Ways of cooling the hall that need servers for liquid.
LIQUID = ("direct-liquid", "hybrid")
#: Ways of cooling a server in which liquid takes the heat of the GPUs away.
COLD_PLATES = ("liquid", "hybrid")
#: Words of a server and of a GPU that a plan counts with, and what they are.
SERVER = {"gpus": "Count", "scale_up_domain": "Count", "power": "Power"}
GPU = {
    "memory": "Bytes", "power": "Power", "scale_up_limit": "Count", "scale_up_bandwidth": "Bandwidth", "peak_bf16": "ComputeRate",
    "peak_fp16": "ComputeRate",
}  # fmt: skip
#: Name of a GPU that is not in the catalogue and has no name in the brief.
UNNAMED = "stated GPU"
#: Words of a server of no maker that `ontology/planning.yaml` states as they stand in a design.
FURTHER = ("sockets", "pcie_generation", "pcie_lanes_per_gpu")


class Hardware(Struct, frozen=True):
    """
    The GPU and the server of a brief.

    Attributes:
        gpu: the catalogue's name of the GPU, or what the brief calls it.
        gpu_figures: what the catalogue and the brief say of the GPU, in canonical units.
        server: the catalogue's name of the server; empty where the server is put together from figures.
        figures: what the catalogue and the brief say of the server, or what is chosen for it.
        network: adapters, switches and software for the GPU, as `ontology/planning.yaml` states them.
        words: what the design states of a server without a name, with the reasons.
    """

    gpu: str
    gpu_figures: Mapping[str, Any]
    server: str
    figures: Mapping[str, Any]
    network: Mapping[str, Any]
    words: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """What the server is of those for its GPU."""
        cooled = "liquid-cooled " if self.figures.get("cooling") == "liquid" else ""
        return f"a published {cooled}server" if cooled else "the reference server"

    @property
    def name(self) -> str:
        """What the server is called."""
        return self.server or many(int(self.figures["gpus"]), "GPU")

    @property
    def cooled_by_liquid(self) -> bool:
        """Whether liquid takes the heat of the GPUs away."""
        return str(self.figures.get("cooling") or text_of(self.words.get("cooling", ""))) in COLD_PLATES

    @property
    def domain(self) -> int:
        """GPUs that the scale-up network connects."""
        return int(self.figures.get("scale_up_domain", self.figures["gpus"]))


def hardware(pool: Mapping[str, Any], method: str, vocabulary: Vocabulary) -> Hardware:
    """
    What a brief states and what is chosen for it. Raises UsageError where it names no GPU, or one without servers.

    Args:
        pool: the servers as the brief states them.
        method: how the hall is cooled; empty where the brief leaves it open.
    """
    named = naming.entry(vocabulary, "Server", str(pool["model"])) if "model" in pool else ""
    stated = pool.get("gpu")
    if stated is None and named:
        stated = vocabulary.catalog["Server"][named]["figures"].get("gpu")
    gpu, gpu_figures = _gpu(stated, vocabulary)
    network = _network(gpu, pool, gpu_figures, vocabulary)
    if "power" in network:
        gpu_figures = {**_figures(network, {"power": "Power"}, vocabulary), **gpu_figures}
    usual = str(network.get("liquid_server" if method in LIQUID and "liquid_server" in network else "server", ""))
    own = _figures(pool, SERVER, vocabulary)
    known = vocabulary.catalog["Server"][vocabulary.aliases["Server"][usual]]["figures"] if usual else {}
    fits = method != LIQUID[0] or known.get("cooling") != "air"
    if (
        not named
        and usual
        and fits
        and all(known.get(word) == own[word] for word in ("gpus", "scale_up_domain") if word in own)
    ):
        named = usual
    if named:
        found = vocabulary.catalog["Server"][named]["figures"]
        return Hardware(gpu, gpu_figures, named, {**found, **own}, network, {})
    gpus = int(own.get("gpus") or network.get("gpus") or known.get("gpus") or choices()["own_server"]["gpus"])
    if gpus > int(choices()["own_server"]["most"]):
        raise UsageError(naming.oversized_server(gpus, int(known.get("gpus") or choices()["own_server"]["gpus"])))
    limit = int(network.get("scale_up_domain") or known.get("scale_up_domain") or 0)
    domain = int(own.get("scale_up_domain") or _domain(gpus, limit, gpu_figures))
    words = _words(gpus, domain, method, network, gpu_figures, vocabulary.units)
    if "power" in known and known.get("gpus") == gpus and "power" not in own:
        own["power"] = float(known["power"])
        words["power"] = Chosen(vocabulary.units.format(own["power"], "Power"), f"as {usual}; confirm with the vendor")
    return Hardware(
        gpu,
        gpu_figures,
        "",
        {**own, "gpus": gpus, "scale_up_domain": domain},
        _scale_adapters(network, known, gpus),
        words,
    )


def _gpu(stated: object, vocabulary: Vocabulary) -> tuple[str, dict[str, Any]]:
    """The name of a GPU, and its figures."""
    own = stated if isinstance(stated, dict) else {"model": stated}
    name = vocabulary.catalogue_name("Gpu", str(own.get("model")))
    if name is None and ("model" in own or not own):
        raise UsageError(naming.unknown_gpu(own.get("model"), vocabulary))
    known = vocabulary.catalog["Gpu"][name]["figures"] if name is not None else {}
    return str(name or own.get("name", UNNAMED)), {**known, **_figures(own, GPU, vocabulary)}


def nearest_power(found: Hardware, vocabulary: Vocabulary) -> tuple[str, float]:
    """
    A server of known power, and what it draws as a multiple of its GPUs' power.

    It is the one most like a server whose GPUs have a known power: with the same GPU, else one of its generation, cooled alike,
    and of those the nearest in GPUs and in their power.
    """
    each, number, liquid = float(found.gpu_figures["power"]), int(found.figures["gpus"]), found.cooled_by_liquid
    generation = found.gpu_figures.get("generation")
    known = []
    for name, entry in vocabulary.catalog["Server"].items():
        figures = entry["figures"]
        gpu = str(figures["gpu"]["model"])
        its = vocabulary.catalog["Gpu"][gpu]["figures"]
        if "power" in figures and "power" in its:
            other = (its.get("generation") != generation, (figures.get("cooling") in COLD_PLATES) != liquid)
            far = abs(log(its["power"] / each)) + abs(log(figures["gpus"] / number))
            known.append((gpu != found.gpu, *other, far, name, figures["power"] / its["power"] / figures["gpus"]))
    *_, name, share = min(known)
    return name, share


def _figures(stated: Mapping[str, Any], words: Mapping[str, str], vocabulary: Vocabulary) -> dict[str, float]:
    """What is stated, in canonical units. Raises UsageError where it is no such quantity."""
    found = {}
    for word, kind in words.items():
        if word in stated:
            try:
                found[word] = (
                    stated[word] if isinstance(stated[word], float) else number(stated[word], kind, vocabulary.units)
                )
            except ValueError as error:
                raise UsageError(f"the brief: {error}") from None
    return found


def _network(gpu: str, pool: Mapping[str, Any], figures: Mapping[str, Any], vocabulary: Vocabulary) -> dict[str, Any]:
    """
    Adapters, switches and software for a GPU; for one that has none, those that its slots can feed.

    Raises UsageError for an accelerator of the catalogue that has neither a server nor adapters, where none are stated.
    """
    found = choices()["hardware"].get(gpu)
    if found is not None:
        return dict(found)
    ports = [one for one in pool.get("networks") or [] if "ports" in one and "speed" in one]
    if gpu in vocabulary.catalog["Gpu"] and not (ports and ("gpus" in pool or "model" in pool)):
        raise UsageError(naming.unserved_gpu(gpu))
    given = choices()["own_server"]
    generations = given["networks"]
    slots = dict(generations.get(str(pool.get("pcie_generation")), generations[given["pcie_generation"]]))
    if "scale_up_bandwidth" not in figures:
        slots["ports"] = str(int(slots["ports"]) // int(given["gpus_per_adapter"]))
    only_fp16 = "peak_bf16" not in figures and "peak_fp16" in figures
    return {**slots, **({"precision": "fp16"} if only_fp16 else {})}


def _domain(gpus: int, limit: int, figures: Mapping[str, Any]) -> int:
    """GPUs of a server that a scale-up network connects: all where they have one, as far as it reaches."""
    most = int(figures.get("scale_up_limit") or gpus)
    return max(1, min(gpus, most, limit or gpus)) if limit or "scale_up_bandwidth" in figures else 1


def _scale_adapters(network: Mapping[str, Any], known: Mapping[str, Any], gpus: int) -> dict[str, Any]:
    """The adapters for a server with another number of GPUs than the usual one: as many for each GPU."""
    usual = int(network.get("gpus") or known.get("gpus") or choices()["own_server"]["gpus"])
    return {**network, "ports": max(1, int(network["ports"]) * gpus // usual)}


def _words(
    gpus: int, domain: int, method: str, network: Mapping[str, Any], gpu: Mapping[str, Any], units: Units
) -> dict[str, Any]:
    """What a design states of a server that is put together from figures."""
    given, racks = choices()["own_server"], domain > gpus
    source = network.get("source", given["source"])
    joined = "connected by NVLink bridges; order these too" if domain < gpus else ""
    why = "GPUs are connected only by PCIe" if domain == 1 and gpus > 1 else joined
    least = number(given["memory_per_gpu"], "Bytes", units)
    memory = units.format_planned(gpus * max(least, float(gpu.get("memory", 0))), "Bytes", "up")
    return {
        "gpus": Chosen(str(gpus), f"as in {source}; ask vendors for such a server"),
        "scale_up_domain": Chosen(str(domain), why),
        "host_memory": Chosen(memory, f"as much as the GPUs have, but at least {given['memory_per_gpu']} per GPU"),
        "cooling": Chosen("liquid", "its rack is one scale-up domain")
        if racks
        else "liquid"
        if method in LIQUID
        else "air",
        **{word: network[word] for word in FURTHER if word in network},
    }
