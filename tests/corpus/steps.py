"""Turns rows of measured training steps into designs."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from tests.corpus import convert

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLE = Path(__file__).with_name("step_times.csv")
#: A GPU that the catalogue lacks, by its own figures: TorchTitan's H100 of 96 GB HBM2e and 500 W. Its rates are those of
#: the 700 W part times the square root of the power, as clocks go under a power limit.
OWN_GPUS = {
    "h100-500w": {
        "model": "h100-sxm-80gb",
        "memory": "96 GB",
        "memory_bandwidth": "2.4 TB/s",
        "peak_bf16": "836 TFLOP/s",
        "peak_fp8": "1672 TFLOP/s",
        "power": "500 W",
    }
}
PARALLELISM = (
    "tensor pipeline virtual_stages context expert expert_tensor sharding_group zero_stage micro_batch global_batch"
    " recompute recompute_layers recompute_modules sequence_parallel uneven_stages overlap"
)
JOB = "kind software_profile precision compiled"
#: What the architecture of a model leaves to the row.
OF_ROW = ("sequence", "layers", "vocabulary", "multi_token_prediction_layers")


@cache
def models() -> dict[str, dict[str, str]]:
    """The architectures, by name."""
    return {row["model"]: dict(row) for row in convert.rows("step_time_models")}


def rows(table: Path = TABLE) -> Iterator[convert.Row]:
    """Every measured step of a table, without its empty cells."""
    with table.open(encoding="utf-8", newline="") as file:
        yield from ({key: cell for key, cell in row.items() if cell} for row in csv.DictReader(file))


def model_of(gpu: str) -> str:
    """The catalogue entry of a row's GPU."""
    return OWN_GPUS.get(gpu, {}).get("model", gpu)


def design(row: convert.Row) -> dict[str, Any]:
    """The design of a row: its layout, its servers, one network port of the printed rate for each GPU."""
    model = {key: cell for key, cell in models()[row["model"]].items() if key != "model"}
    model |= {key: row[key] for key in OF_ROW if key in row}
    pool = {
        "name": "train",
        "gpu": OWN_GPUS.get(row["gpu"], row["gpu"]),
        **_cells(row, gpus="gpus_per_node", scale_up_domain="scale_up_domain"),
        "networks": [{"fabric": "compute", "ports": int(row["gpus_per_node"]), "speed": f"{row['nic_gbps']} Gbit/s"}],
    }
    job = {"name": "job", **_named(JOB, row), "model": _read(model), "parallelism": _named(PARALLELISM, row)}
    servers, rest = divmod(int(row["gpu_count"]), int(row["gpus_per_node"]))
    if rest:
        job["runs_on"] = {"gpus": int(row["gpu_count"])}
    pool["count"] = servers + bool(rest)
    fabrics = [{"name": "compute", "purpose": "compute"}]
    return {"designlint": 1, "name": row["id"], "nodes": [pool], "fabrics": fabrics, "workloads": [job]}


def _named(words: str, row: convert.Row) -> dict[str, Any]:
    return _cells(row, **{word: word for word in words.split()})


def _cells(row: convert.Row, **columns: str) -> dict[str, Any]:
    return _read({word: row[column] for word, column in columns.items() if column in row})


def _read(cells: dict[str, str]) -> dict[str, Any]:
    return {word: yaml.safe_load(cell) for word, cell in cells.items()}
