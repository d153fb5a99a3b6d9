"""The model of a brief: one of the catalogue, a configuration file, or a shape around what the brief states of it."""

from __future__ import annotations

from itertools import product
from math import inf, log
from pathlib import Path
from typing import TYPE_CHECKING, Any

from designlint import importers
from designlint.planning import naming
from designlint.planning.brief import Brief
from designlint.planning.choices import choices
from designlint.planning.document import Chosen, plain
from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Layers come in steps of so many, so that pipelines divide them; of twice as many where there are many.
STEP, MANY = 4, 64
#: Widths come in steps of so many, so that tensor parallelism divides their heads.
WIDTH = 1024
#: Widths of a feed-forward part that is fitted to the parameters come in steps of so many.
UNIT = 256
#: Widths of one of many small experts likewise.
EXPERT_UNIT = 64
#: Experts that a token visits at most where their number is fitted, and widths of such models at most, in steps.
MOST_VISITED, MOST_WIDTHS = 16, 32
#: The most that parameters of a fitted shape may be off, and what e times the usual width of active experts counts of that.
MOST_OFF, UNUSUAL = 0.05, 0.04
#: Beyond this ratio, no shape is like the stated parameters.
FAR = 2


def with_model(brief: Brief) -> Brief:
    """The brief with a whole model: what it does not state of its shape is chosen after published models."""
    model = brief.job.get("model")
    if isinstance(model, str):
        model = _of_file(model, brief) if model.endswith(".json") else {"model": model}
    if not isinstance(model, dict):
        return brief
    if isinstance(model.get("from"), str):
        model = _lengthen(
            brief, _of_file(model["from"], brief), {name: one for name, one in model.items() if name != "from"}
        )
    if "sequence" not in model and "sequence" not in _figures(brief, model.get("model")):
        model = {**model, "sequence": _sequence(brief, model)}
    if "model" not in model and ("parameters" in model or "hidden" in model):
        model = _Shape(brief, model).fill_model()
    return _with(brief, model)


def _sequence(brief: Brief, model: dict[str, Any]) -> Chosen:
    """Tokens of a sequence: as in published runs of the model, else as in those of most models, within its positions."""
    known = choices()["sequences"].get(brief.vocabulary.catalogue_name("Model", str(model.get("model"))))
    if known is not None:
        return Chosen(str(known["sequence"]), f"as in published runs of this model ({known['source']})")
    usual = choices()["shape"]["sequence"]
    positions = model.get("positions", _figures(brief, model.get("model")).get("positions"))
    most = inf if positions is None else brief.number(positions, "Count")
    if most < float(usual):
        return Chosen(f"{most:.0f}", "all positions of the model")
    return Chosen(usual, "as most published models are trained")


class _Shape:
    """A model of which a part is stated: the rest after the proportions of published ones."""

    def __init__(self, brief: Brief, model: dict[str, Any]) -> None:
        self.brief, self.model, given = brief, model, choices()["shape"]
        self.ratio, self.wide = float(given["layers_per_width"]), float(given["feed_forward_per_width"])
        self.head, self.kv_heads, self.source = int(given["head"]), int(given["group"]), given["source"]
        self.vocabulary = self._stated_count("vocabulary") or int(given["vocabulary"])
        self.experts = self._stated_count("experts") or 1
        self.visited = self._stated_count("experts_per_token") or int(given["experts_per_token"])
        self.why_visited = f"as in {given['experts_source']}"
        self.active = self._stated_count("active_parameters")

    def _stated_count(self, word: str) -> int:
        """A count that the brief states; 0 where it does not."""
        value = self.model.get(word)
        return 0 if value is None else int(self.brief.number(value, "Count"))

    def _feed_forward(self, hidden: int) -> int:
        word = "expert_feed_forward" if self.experts > 1 else "feed_forward"
        return self._stated_count(word) or round(hidden * self.wide)

    def parameters(self, layers: int, hidden: int) -> float:
        """Parameters of a shape."""
        return self._around(layers, hidden) + layers * 3 * hidden * self._feed_forward(hidden) * self.experts

    def _around(self, layers: int, hidden: int) -> float:
        """Parameters of a shape beside its feed-forward parts."""
        return layers * (2 * hidden**2 + 2 * hidden * self.kv_heads * self.head) + 2 * self.vocabulary * hidden

    def _fit_experts(self, wanted: int) -> tuple[int, int]:
        """
        Layers and width of a mixture of so many parameters, of which those stated are active.

        Sets the width of an expert and the number that a token visits: of those that come near to both numbers, the
        ones whose experts are together about as wide as the feed-forward part of a dense model. Raises UsageError.
        """
        chosen = self._stated_count("experts_per_token")
        visits = [chosen] if chosen else range(1, min(self.experts, MOST_VISITED + 1))
        widths = [self._stated_count("hidden")] if "hidden" in self.model else range(WIDTH, MOST_WIDTHS * WIDTH, WIDTH)
        found = []
        for visited, hidden in product(visits, widths):
            layers = self._stated_count("layers") or self._round_width(hidden * self.ratio)
            around, each = self._around(layers, hidden), 3 * layers * hidden
            width = max(1, round((wanted - around) / each / self.experts / EXPERT_UNIT)) * EXPERT_UNIT
            ratios = (around + each * width * self.experts) / wanted, (around + each * width * visited) / self.active
            off, unusual = max(abs(one - 1) for one in ratios), abs(log(visited * width / hidden / self.wide))
            found.append((off + UNUSUAL * unusual, off, layers, hidden, width, visited))
        _, off, layers, hidden, width, self.visited = min(found)
        if off > MOST_OFF:
            raise UsageError(
                f"the brief: no shape was found for {wanted:.4g} parameters with {self.experts} experts of which "
                f"{self.active:.4g} are active; state layers, hidden and expert_feed_forward"
            )
        self.wide, self.why_visited = width / hidden, "with this width, as many parameters are active as stated"
        return layers, hidden

    def _sizes(self) -> tuple[int, int]:
        """Layers and width that come nearest to the stated parameters, or to the proportions of published models."""
        layers, hidden, wanted = (
            self._stated_count("layers"),
            self._stated_count("hidden"),
            self._stated_count("parameters"),
        )
        if self.experts > 1 and self.active and wanted and "expert_feed_forward" not in self.model:
            return self._fit_experts(wanted)
        if layers and hidden:
            return layers, hidden
        if not wanted:
            return layers or self._round_width(hidden * self.ratio), hidden
        if layers:
            widths = (*range(self.head, WIDTH, self.head), *range(WIDTH, 64 * WIDTH, WIDTH))
            hidden = min(widths, key=lambda one: (abs(self.parameters(layers, one) - wanted), one))
            each = (wanted - self.parameters(layers, hidden)) / (3 * layers * hidden * self.experts)
            self.wide = max(self.wide + round(each / UNIT) * UNIT / hidden, UNIT / hidden)
            return layers, hidden
        width = (wanted / self.ratio / (2 + 3 * self.wide * self.experts)) ** (1 / 3)
        hidden = hidden or round(width / WIDTH) * WIDTH or WIDTH // 2
        each = self.parameters(1, hidden) - self.parameters(0, hidden)
        return self._round_width((wanted - self.parameters(0, hidden)) / each), hidden

    @staticmethod
    def _round_width(layers: float) -> int:
        step = STEP if layers <= MANY else 2 * STEP
        return max(STEP, round(layers / step) * step)

    def fill_model(self) -> dict[str, Any]:
        """The whole model: what is stated, and the rest with the reason for it."""
        layers, hidden = self._sizes()
        if "parameters" in self.model:
            self._refuse_far(layers, hidden)
        heads = self._stated_count("heads") or max(1, hidden // (self._stated_count("head_dimension") or self.head))
        why = f"shape chosen after published models ({self.source})"
        shape: dict[str, Any] = {
            "layers": Chosen(str(layers), why),
            "hidden": Chosen(str(hidden), why),
            "heads": Chosen(str(heads)),
            "kv_heads": Chosen(str(self.kv_heads if heads % self.kv_heads == 0 else heads)),
            "attention": Chosen("gqa" if heads % self.kv_heads == 0 and heads > self.kv_heads else "mha"),
            **self._layer(hidden),
            "gated": Chosen("true"),
            "norm": Chosen("rmsnorm"),
            "vocabulary": Chosen(str(self.vocabulary)),
            "tied_embeddings": Chosen("false"),
        }
        if self.model.get("attention") == "mla":
            shape = {name: one for name, one in shape.items() if name not in ("kv_heads", "attention")}
        fitted = ("parameters", "active_parameters" if self.experts > 1 else "")
        return shape | {name: value for name, value in self.model.items() if name not in fitted}

    def _refuse_far(self, layers: int, hidden: int) -> None:
        """Raises UsageError where the stated parameters are not even half or twice those of the nearest shape."""
        wanted, found = self._stated_count("parameters"), self.parameters(layers, hidden)
        if not wanted or found > FAR * wanted or wanted > FAR * found:
            raise UsageError(
                f"the brief: no usual shape has {wanted:.4g} parameters: write 70 billion as 70e9 or 70B, or state the "
                "model's layers, hidden, heads and vocabulary"
            )

    def _layer(self, hidden: int) -> dict[str, Chosen]:
        """The feed-forward part: one of them, or experts."""
        width = str(self._feed_forward(hidden))
        if self.experts < 2:
            return {"feed_forward": Chosen(width)}
        return {
            "expert_feed_forward": Chosen(width),
            "experts_per_token": Chosen(str(self.visited), self.why_visited),
        }


def _of_file(file: str, brief: Brief) -> dict[str, Any]:
    """What a `config.json` says of a model. Raises UsageError where it is not read."""
    path = Path(brief.folder, file)
    found = importers.import_files([str(path)], catalogued=brief.vocabulary.catalogue_name)
    root = found.root()
    if root is None:
        why = "; ".join(one.why for one in found.refused) or "it says nothing of a model"
        raise UsageError(f"{path}: {why}")
    jobs = plain(root).get("workloads") or [{}]
    model: dict[str, Any] = jobs[0].get("model") or {}
    if not model:
        raise UsageError(f"{path}: it says nothing of a model")
    return model


def _lengthen(brief: Brief, read: dict[str, Any], stated: dict[str, Any]) -> dict[str, Any]:
    """A model as its file has it and the brief states it: with positions for the brief's sequences."""
    if "sequence" in stated and "positions" in read and "positions" not in stated:
        longest = brief.number(stated["sequence"], "Count")
        if longest > brief.number(read["positions"], "Count"):
            why = f"for the sequence that the brief states; the file has {read['positions']}"
            read = {**read, "positions": Chosen(f"{longest:.0f}", why)}
    return {**read, **stated}


def _figures(brief: Brief, model: object) -> Mapping[str, Any]:
    """What the catalogue says of a model. Raises UsageError where it has none of that name."""
    if model is None:
        return {}
    name = naming.entry(brief.vocabulary, "Model", str(model))
    found: Mapping[str, Any] = brief.vocabulary.catalog["Model"][name]["figures"]
    return found


def _with(brief: Brief, model: dict[str, Any]) -> Brief:
    jobs = [{**brief.job, "model": model}, *(brief.design.get("workloads") or [])[1:]]
    return Brief({**brief.design, "workloads": jobs}, brief.vocabulary, brief.folder)
