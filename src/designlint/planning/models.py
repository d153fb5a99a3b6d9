"""The model of a brief: one of the catalogue, a configuration file, or a shape around what the brief states of it."""

from __future__ import annotations

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


def with_model(brief: Brief) -> Brief:
    """The brief with a whole model: what it does not state of its shape is chosen after published models."""
    model = brief.job.get("model")
    if isinstance(model, str):
        model = _of_file(model, brief) if model.endswith(".json") else {"model": model}
    if not isinstance(model, dict):
        return brief
    if isinstance(model.get("from"), str):
        model = {**_of_file(model["from"], brief), **{name: one for name, one in model.items() if name != "from"}}
    if "sequence" not in model and "sequence" not in _figures(brief, model.get("model")):
        model = {**model, "sequence": _sequence(brief, model.get("model"))}
    if "model" not in model and ("parameters" in model or "hidden" in model):
        model = _Shape(brief, model).fill_model()
    return _with(brief, model)


def _sequence(brief: Brief, name: object) -> Chosen:
    """Tokens of a sequence: as in published runs of the model, else as in those of most models."""
    known = choices()["sequences"].get(brief.vocabulary.catalogue_name("Model", str(name)))
    if known is not None:
        return Chosen(str(known["sequence"]), f"as in published runs of this model ({known['source']})")
    return Chosen(choices()["shape"]["sequence"], "as most published models are trained")


class _Shape:
    """A model of which a part is stated: the rest after the proportions of published ones."""

    def __init__(self, brief: Brief, model: dict[str, Any]) -> None:
        self.brief, self.model, given = brief, model, choices()["shape"]
        self.ratio, self.wide = float(given["layers_per_width"]), float(given["feed_forward_per_width"])
        self.head, self.kv_heads, self.source = int(given["head"]), int(given["group"]), given["source"]
        self.vocabulary = self._stated_count("vocabulary") or int(given["vocabulary"])
        self.experts = self._stated_count("experts") or 1

    def _stated_count(self, word: str) -> int:
        """A count that the brief states; 0 where it does not."""
        value = self.model.get(word)
        return 0 if value is None else int(self.brief.number(value, "Count"))

    def _feed_forward(self, hidden: int) -> int:
        word = "expert_feed_forward" if self.experts > 1 else "feed_forward"
        return self._stated_count(word) or round(hidden * self.wide)

    def parameters(self, layers: int, hidden: int) -> float:
        """Parameters of a shape."""
        attention = 2 * hidden**2 + 2 * hidden * self.kv_heads * self.head
        return (
            layers * (attention + 3 * hidden * self._feed_forward(hidden) * self.experts) + 2 * self.vocabulary * hidden
        )

    def _sizes(self) -> tuple[int, int]:
        """Layers and width that come nearest to the stated parameters, or to the proportions of published models."""
        layers, hidden, wanted = (
            self._stated_count("layers"),
            self._stated_count("hidden"),
            self._stated_count("parameters"),
        )
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
        return shape | {name: value for name, value in self.model.items() if name != "parameters"}

    def _layer(self, hidden: int) -> dict[str, Chosen]:
        """The feed-forward part: one of them, or experts."""
        width = str(self._feed_forward(hidden))
        if self.experts < 2:
            return {"feed_forward": Chosen(width)}
        given = choices()["shape"]
        return {
            "expert_feed_forward": Chosen(width),
            "experts_per_token": Chosen(given["experts_per_token"], f"as in {given['experts_source']}"),
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
