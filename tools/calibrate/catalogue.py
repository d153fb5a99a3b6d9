"""Writes the fitted numbers into the catalogue, and the predictions beside the measured steps."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.calibrate.spread import architecture

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tools.calibrate.cases import Case
    from tools.calibrate.parameters import Model, Values

ROOT = Path(__file__).resolve().parent.parent.parent
CATALOGUE = ROOT / "ontology" / "catalog" / "step-time.ttl"
PREDICTIONS = ROOT / "tests" / "corpus" / "step_time_predictions.csv"
#: Units of the figures that have one; the rest are plain numbers.
UNITS = {
    "half_speed_message": "B",
    "exchange_bucket": "B",
    "owned_parameter_traffic": "B",
    "held_parameter_traffic": "B",
    "collective_latency": "s",
    "layer_launch_time": "s",
    "expert_launch_time": "s",
    "step_overhead": "s",
    "wave_time": "s",
}
DIGITS = 4
HEAD = """\
# Constants that predict the time of a step: `make calibrate` writes this file.
@prefix : <https://w3id.org/designlint/ns#> .
@prefix cat: <https://w3id.org/designlint/catalog#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix src: <https://w3id.org/designlint/source#> .
"""


def write_catalogue(model: Model, values: Values, spreads: Mapping[str, float], about: str) -> None:
    """The catalogue file: the constants, the generations of GPUs, the software profiles."""
    generations = {name: spreads.get(architecture(name), model.spread(name)) for name in model.stated["generations"]}
    widths = {name: spread for name, spread in spreads.items() if name not in generations}
    constants = {name: values[name] for name in model.stated["constants"]} | model.stated["fixed"] | widths
    name = model.stated["name"]
    read = model.stated["read"]
    entries = [_entry(name, "StepTimeModel", "Fit on public step times", constants, comment=about, read=read)]
    for generation in model.stated["generations"]:
        figures = model.generation(generation, values)
        figures["generation_spread"] = generations[generation]
        named, kernels = f"Generation {generation}", model.stated["generations"][generation].get("read", [])
        entries.append(
            _entry(f"generation-{generation}", "GpuGeneration", named, figures, spelling=[generation], read=kernels)
        )
    for profile in model.stated["profiles"]:
        stated = model.profile(profile, values)
        spelling = model.stated["profiles"][profile].get("spelling", [])
        entries.append(_entry(profile, "SoftwareProfile", stated.pop("label"), stated, spelling=spelling))
    CATALOGUE.write_text("\n".join([HEAD, *entries]), "utf-8")


def _entry(
    name: str,
    cls: str,
    label: str,
    figures: Mapping[str, Any],
    *,
    comment: str = "",
    spelling: Sequence[str] = (),
    read: Sequence[Mapping[str, Any]] = (),
) -> str:
    """
    One entry of the catalogue.

    Args:
        figures: those of the fit.
        read: further ones, each group with the `source` in which it was read.
    """
    names = " , ".join(f'"{one}"' for one in spelling)
    head = f'cat:{name} a :{cls} ; rdfs:label "{label}" ;' + (f" skos:altLabel {names} ;" if names else "")
    note = f'    rdfs:comment "{comment}" ;\n' if comment else ""
    groups = [{"source": "step-time-corpus", **figures}, *read]
    return f"{head}\n{note}    :figures " + " , ".join(map(_figures, groups)) + " .\n"


def _figures(group: Mapping[str, Any]) -> str:
    """Figures that stand in the same source."""
    stated = (
        f":{word} {_write(word, value)}"
        for word, value in group.items()
        if value is not None and word not in ("source", "confidence")
    )
    read = group.get("confidence", "verified")
    return f'[ dcterms:source src:{group["source"]} ; :confidence "{read}" ; {" ; ".join(stated)} ]'


def _write(word: str, value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) and word not in UNITS:
        return str(value)
    if isinstance(value, str):
        return f'"{value}"'
    return f'"{float(value):.{DIGITS}g} {UNITS.get(word, "")}"'.replace(' "', '"')


def write_predictions(cases: Sequence[Case], columns: Mapping[str, Mapping[str, float]]) -> None:
    """What each fit predicts for each measured step, in seconds."""
    with PREDICTIONS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["id", *columns])
        for case in cases:
            name = case.row["id"]
            writer.writerow([name, *(f"{column[name]:.5g}" for column in columns.values())])
