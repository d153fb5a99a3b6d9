"""Turns rows of published runs and fabrics into designs that state what was published, and nothing else."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Row: TypeAlias = "Mapping[str, str]"
Outcome: TypeAlias = Literal["ran", "did_not_fit", "ran_row_suspect"]

FOLDER = Path(__file__).parent
RUNS = ("runs", "bridge", "foundry", "suspects")

MODEL = (
    "parameters active_parameters layers hidden heads kv_heads head_dimension attention"
    " query_rank kv_rank rope_dimension value_dimension feed_forward gated vocabulary tied_embeddings norm"
    " sequence windowed_layers window experts experts_per_token expert_feed_forward shared_expert_feed_forward dense_layers"
)
PARALLELISM = (
    "tensor pipeline context data expert expert_tensor virtual_stages uneven_stages first_stage_layers last_stage_layers"
    " micro_batch global_batch zero_stage sharding_group local_steps sequence_parallel recompute recompute_modules"
)
JOB = "kind precision framework flash_attention dropout compiled fused_loss"
MEASURED = "measured_step_time measured_tokens_per_second measured_flops measured_mfu measured_hfu measured_memory"
SERVER = "gpu gpus scale_up_domain count spares"
FABRIC = "purpose technology speed adaptive_routing load_balancing in_network_reduction pfc congestion_control"
TOPOLOGY = (
    "kind tiers planes rail_optimized leaves spines cores host_ports_per_leaf uplinks_per_leaf"
    " host_port_speed uplink_speed spine_oversubscription"
)


@dataclass(frozen=True, slots=True)
class Case:
    """A published row as a design, and what became of it."""

    id: str
    outcome: Outcome
    yaml: str
    source: str


def designs() -> Iterator[Case]:
    """Every published run, then what was misprinted or too large, then every fabric."""
    sources = {row["source"]: row["citation"] for row in rows("sources")}
    families = {row["family"]: row for row in rows("families")}
    for name in RUNS:
        for row in rows(name):
            text = run_design({**families.get(row.get("family", ""), {}), **row})
            yield Case(row["id"], cast("Outcome", row["outcome"]), text, cited(sources[row["source"]], row))
    for row in rows("fabrics"):
        yield Case(row["id"], "ran", fabric_design(row), cited(row["source"], row))


def rows(name: str) -> list[Row]:
    """The rows of one table, without the cells that are empty because nothing was published."""
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return [{key: cell for key, cell in row.items() if cell} for row in csv.DictReader(file)]


def run_design(row: Row) -> str:
    """The design of a run."""
    facts = published(row)
    parts = [
        block("runs_on", "gpus", placement(facts)),
        block("model", MODEL, facts),
        block("data", "tokens", facts),
        block("targets", "mfu", facts),
        block("parallelism", PARALLELISM, facts),
    ]
    job = item(f"{JOB} {MEASURED}", facts | measured(facts), name="job") + [
        line for part in parts for line in indented(part)
    ]
    return document(row["id"], {"nodes": item(SERVER, server(facts), name="train"), "workloads": job})


def fabric_design(row: Row) -> str:
    """The design of a fabric and of the servers on it."""
    pool = renamed(row, gpus="gpus_per_node", count="nodes")
    nodes = item(SERVER, pool, name="train") if "gpus" in pool else []
    ports = {"fabric": "compute", **renamed(row, ports="nic_ports_per_node"), **speeds(row, speed="nic_gbps")}
    if nodes and "ports" in ports:
        nodes += ["    networks:", *indented(listed(pairs("fabric ports speed", ports)), by=6)]
    fabric = item(FABRIC, {**row, **speeds(row, speed="nic_gbps")}, name="compute")
    return document(row["id"], {"nodes": nodes, "fabrics": fabric + indented(topology(row))})


def topology(row: Row) -> list[str]:
    """The topology section of a fabric, with its switch as figures."""
    figures = renamed(row, kind="topology") | speeds(row, host_port_speed="host_port_gbps", uplink_speed="uplink_gbps")
    lines = block("topology", TOPOLOGY, figures)
    of_each = (
        {"switch": "switch"}
        if "spine_switch_ports" not in row
        else {"leaf_switch": "switch", "spine_switch": "spine_switch"}
    )
    for word, columns in of_each.items():
        if f"{columns}_ports" in row:
            switch = renamed(row, ports=f"{columns}_ports") | speeds(row, port_speed=f"{columns}_port_gbps")
            lines = (lines or ["topology:"]) + indented(block(word, "ports port_speed", switch), by=2)
    return lines


def published(row: Row) -> dict[str, str]:
    """The row without what is assumed and without a data-parallel degree that merely follows."""
    left_out = {*row.get("assumed", "").split(), *({"data"} & {*row.get("derived", "").split()})}
    return {key: cell for key, cell in row.items() if key not in left_out}


def measured(facts: Row) -> dict[str, str]:
    """What a run reached, with units."""
    found = renamed(facts, measured_mfu="mfu", measured_hfu="hfu")
    if "step_seconds" in facts:
        found["measured_step_time"] = f"{facts['step_seconds']} s"
    if "tokens_per_s_per_gpu" in facts and "gpu_count" in facts:
        rate = float(facts["tokens_per_s_per_gpu"]) * int(facts["gpu_count"])
        found["measured_tokens_per_second"] = f"{rate:.6g} per s"
    if "memory_gib" in facts:
        found["measured_memory"] = f"{facts['memory_gib']} GiB"
    if "tflops" in facts:
        found["measured_flops"] = f"{facts['tflops']} TFLOP/s"
    return found


def server(facts: Row) -> dict[str, str]:
    """The server pool of a run, its number of servers only where the GPUs fill whole servers."""
    pool = renamed(facts, gpus="gpus_per_node")
    if whole_servers(facts):
        pool["count"] = str(int(facts["gpu_count"]) // int(facts["gpus_per_node"]))
    return pool


def placement(facts: Row) -> dict[str, str]:
    """The GPUs of a run where its servers do not show them, or where its source prints how many copies share them."""
    known = "gpu_count" in facts and ("data" in facts or not whole_servers(facts))
    return {"gpus": facts["gpu_count"]} if known else {}


def whole_servers(facts: Row) -> bool:
    """Whether the GPUs of a run fill whole servers."""
    known = "gpu_count" in facts and "gpus_per_node" in facts
    return known and int(facts["gpu_count"]) % int(facts["gpus_per_node"]) == 0


def cited(source: str, row: Row) -> str:
    """The source with the place in it."""
    return f"{source}; {row['locator']}" if "locator" in row else source


def renamed(row: Row, **columns: str) -> dict[str, str]:
    """The row with words of the design language filled from columns of another name."""
    rest = {key: cell for key, cell in row.items() if key not in columns}
    return rest | {word: row[column] for word, column in columns.items() if column in row}


def speeds(row: Row, **columns: str) -> dict[str, str]:
    """Line rates with their unit, from columns in Gbit/s."""
    return {word: f"{row[column]} Gbit/s" for word, column in columns.items() if column in row}


def document(name: str, sections: Mapping[str, list[str]]) -> str:
    """A whole design."""
    body = [line for key, lines in sections.items() if lines for line in (f"{key}:", *lines)]
    return "\n".join(["designlint: 1", f"name: {name}", *body, ""])


def item(words: str, facts: Row, *, name: str) -> list[str]:
    """One named item of a list, with the words that the facts fill."""
    return indented(listed([f"name: {name}", *pairs(words, facts)]), by=2)


def block(key: str, words: str, facts: Row) -> list[str]:
    """A nested mapping with the words that the facts fill; nothing when there are none."""
    lines = pairs(words, facts)
    return [f"{key}:", *indented(lines, by=2)] if lines else []


def pairs(words: str, facts: Row) -> list[str]:
    """The words that the facts fill, one line each."""
    return [f"{word}: {facts[word]}" for word in words.split() if word in facts]


def listed(lines: list[str]) -> list[str]:
    """The lines as one item of a YAML list."""
    return [("- " if number == 0 else "  ") + line for number, line in enumerate(lines)]


def indented(lines: list[str], by: int = 4) -> list[str]:
    """The lines moved to the right."""
    return [" " * by + line for line in lines]
