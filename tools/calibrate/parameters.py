"""The fitted numbers: bounds, priors, and where each stands among the facts of a measured step."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tools.calibrate.cases import Case

#: Fitted numbers, by name: `wave_time`, `hopper/matrix_share_8`, `yearly`.
Values: TypeAlias = dict[str, float]
FIGURES = ("matrix_share_16", "matrix_share_8", "matrix_share_4", "matrix_energy", "portable_attention_share")
STACK, EXPERTS = "software_profile/stack_factor", "software_profile/expert_factor"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A fitted number: its prior in the logarithm, and its bounds."""

    name: str
    start: float
    low: float
    high: float
    sigma: float


class Model:
    """What is fitted and what is not, as `model.yaml` says."""

    def __init__(self) -> None:
        self.stated: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("model.yaml").read_text("utf-8"))
        self.parameters = list(self._parameters())

    def _parameters(self) -> Iterator[Parameter]:
        for name, one in self.stated["constants"].items():
            yield Parameter(name, **one)
        for generation, figures in self.stated["generations"].items():
            for figure, one in figures.items():
                if isinstance(one, dict):
                    yield Parameter(f"{generation}/{figure}", **one)
        for name, one in self.stated["shared"].items():
            yield Parameter(name, **one)

    @property
    def words(self) -> list[str]:
        """The words of a job that the fit changes."""
        return [*self.stated["constants"], *FIGURES, STACK, EXPERTS]

    def starts(self) -> Values:
        """The centres of the priors."""
        return {one.name: one.start for one in self.parameters}

    def generation(self, name: str, values: Values) -> dict[str, float | None]:
        """The figures of a generation of GPUs."""
        figures = self.stated["generations"].get(name, {})
        return {figure: self._resolved(f"{name}/{figure}", figures.get(figure), values) for figure in FIGURES}

    def spread(self, generation: str) -> float:
        """The further spread that is stated for a generation of GPUs."""
        return float(self.stated["generations"][generation].get("generation_spread", 0.0))

    def profile(self, name: str, values: Values) -> dict[str, Any]:
        """The figures of a software profile."""
        stated = dict(self.stated["profiles"][name])
        label, year, kind = stated.pop("label"), stated.pop("year"), stated.pop("kind", "")
        stated.pop("spelling", None)
        factor = values.get(kind, 1.0) * values["yearly"] ** (year - self.stated["reference_year"])
        if "expert_factor" in stated:
            stated["expert_factor"] = values[stated["expert_factor"]]
        return {"label": label, "stack_factor": factor, **self.stated["defaults"], **stated}

    def arguments(self, values: Values) -> Callable[[Case], tuple[float | None, ...]]:
        """What gives the fitted words of a case, in their order."""
        constants = [values[name] for name in self.stated["constants"]]
        generations = {name: self.generation(name, values) for name in self.stated["generations"]}
        profiles = {name: self.profile(name, values) for name in self.stated["profiles"]}

        def of(case: Case) -> tuple[float | None, ...]:
            profile = profiles[case.row["software_profile"]]
            figures = generations[case.generation].values()
            return *constants, *figures, profile["stack_factor"], profile.get("expert_factor")

        return of

    @staticmethod
    def _resolved(name: str, stated: Any, values: Mapping[str, float]) -> float | None:
        if stated is None or isinstance(stated, int | float):
            return stated
        return values[stated] if isinstance(stated, str) else values[name]


def logs(values: Values, parameters: list[Parameter]) -> list[float]:
    """The logarithms, in the order of the parameters."""
    return [math.log(values[one.name]) for one in parameters]
