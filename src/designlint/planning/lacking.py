"""Why what a plan asks of a layout is unknown: what the brief must state, or which of its words no formula goes with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from designlint.layouts.jobs import fact
from designlint.planning.brief import AIMS
from designlint.planning.skeleton import ONE, derive_facts, skeleton

if TYPE_CHECKING:
    from designlint.graph.subjects import Subject
    from designlint.planning.brief import Brief
    from designlint.rules.engine import Engine

#: Layers beside attention, and the words of the model without which the time of such a layer is unknown.
MIXERS = {
    "mamba_layers": ("Mamba", ("mamba_heads", "mamba_head_dimension", "mamba_state", "mamba_groups", "convolution")),
    "linear_layers": (
        "linear-attention",
        ("linear_key_heads", "linear_value_heads", "linear_key_dimension", "linear_value_dimension", "convolution"),
    ),
}
#: Words that a reason names at most.
MOST_NAMED = 4
#: The part of a job whose words the search chooses.
LAYOUT = "parallelism"
#: Any layout, in every word that what it keeps depends on.
ANY = ONE | {
    "zero_stage": "1", "recompute": "none", "expert_tensor": "1", "sequence_parallel": "true", "virtual_stages": "1",
}  # fmt: skip


def explain_lack(brief: Brief, servers: int, engine: Engine, wanted: tuple[str, ...]) -> str:
    """What must be stated for facts of the job to be known, or which words of its layout leave them unknown."""
    job = _derive_job(brief, servers, engine)
    if job.facts.get("peak_compute") is None:
        form = job.facts.get("matmul", "bf16")
        return f"the dense {form} peak of {brief.gpu} is unknown; state the GPU's `peak_{form}`"
    model = job.facts["model"]
    if fact(model, "mamba_inner") and not fact(model, "mamba_heads"):
        return "Mamba-1 layers have no known formulas"
    for word, (name, widths) in MIXERS.items():
        if fact(model, word) and (unstated := [one for one in widths if not fact(model, one)]):
            return f"state the widths of its {name} layers: {', '.join(unstated)}"
    if fact(model, "linear_layers") and job.facts.get("linear_projection_time") is None:
        return f"{fact(model, 'linear_attention')} attention has no known formulas"
    fixed = stated_words(brief)
    if all(fact(job, one) is not None for one in wanted) or _is_known(brief, servers, engine, {}, wanted):
        blamed = next((one for one in _alone(fixed) if not _is_known(brief, servers, engine, one, wanted)), fixed)
        told = ", ".join(f"{name} {value}" for name, value in blamed.items())
        return f"no formula gives it for this model{f' with {told}' if told else ''}"
    lacking = engine.plan.lacking_facts(job, [(word,) for word in wanted], {})
    names = [one for one in lacking if f"{LAYOUT}/" not in one]
    return f"state {', '.join(names[:MOST_NAMED])}" if names else "no formula gives it for this model"


def stated_words(brief: Brief) -> dict[str, Any]:
    """The words of the layout that a brief states."""
    stated = brief.job.get("parallelism") or {}
    return {name: value_of(value) for name, value in stated.items() if name != "offload"}


def _alone(words: dict[str, Any]) -> list[dict[str, Any]]:
    """Each word by itself."""
    return [{name: value} for name, value in words.items()]


def _is_known(brief: Brief, servers: int, engine: Engine, words: dict[str, Any], wanted: tuple[str, ...]) -> bool:
    """Whether facts of the job are known with some words of its layout alone."""
    free = brief.only(*(one for one in AIMS if one != "layout"))
    stated = {name: str(value).lower() for name, value in words.items()}
    job = _derive_job(free.with_job({"parallelism": stated}), servers, engine)
    return all(job.facts.get(one) is not None for one in wanted)


def _derive_job(brief: Brief, servers: int, engine: Engine) -> Subject:
    """The job with what a brief states of its layout, and simple words for the rest."""
    return derive_facts(skeleton(brief, servers, dict(ANY)), engine).graph.by_class["Workload"][0]


def value_of(text: object) -> Any:
    spelled = str(text)
    if spelled in ("true", "false"):
        return spelled == "true"
    return int(spelled) if spelled.isdigit() else spelled


def explain_unplanned(job: Subject) -> str:
    """Why neither memory nor steps of a job of this kind are computed; empty where they may be."""
    if job.facts.get("kind") == "reinforcement-learning":
        return (
            "reinforcement learning also generates text, whose time is not predicted; plan its updates alone as "
            "`kind: fine-tuning`"
        )
    if job.facts.get("kind") == "inference":
        return "inference has no training steps to plan"
    if job.facts.get("trains_all_parameters") is False:
        return (
            "the time of steps that train only adapters is not predicted; `kind: fine-tuning` plans the training of all "
            "parameters"
        )
    return ""
