"""Files that a script changes before it uses them, arguments of functions, and servers that a launcher includes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.importers import Imported

HEAD = "#!/bin/bash\n#SBATCH --nodes=4\n#SBATCH --gpus-per-node=8\n"
STAGE = '{"zero_optimization": {"stage": 1}}'
MEGATRON = "srun torchrun --nnodes 4 --nproc_per_node 8 pretrain_gpt.py --num-layers 8"


@pytest.fixture(autouse=True)
def _shell() -> None:
    pytest.importorskip("tree_sitter_bash", reason="scripts need designlint[jobs]")


def job(tmp_path: Path, text: str, **beside: str) -> tuple[dict[str, Any], Imported]:
    found = read(tmp_path, {"job.sh": text, **{f"+{name}.json": one for name, one in beside.items()}})
    return dict(plain(found.words["workloads"])[0]), found


@pytest.mark.parametrize(
    ("change", "stage"),
    [
        ("ls ds.json", "1"),
        ("sed -n 1p ds.json", "1"),
        ("cp ds.json $OUT", "1"),
        ("sed -i s/1/3/ ds.json", None),
        ("sed -i.bak s/1/3/ ./ds.json", None),
        ("yq -i .a=1 ds.json", None),
        ("jq .a other.json > ds.json", None),
        ("envsubst < t.json | tee ds.json", None),
        ("cp other.json ds.json", None),
        ("jq . a.json > tmp && mv tmp ds.json", None),
    ],
)
def test_a_file_that_the_script_changes_is_not_read(tmp_path: Path, change: str, stage: str | None) -> None:
    words, found = job(tmp_path, f"{HEAD}{change}\n{MEGATRON} --deepspeed --deepspeed_config ds.json\n", ds=STAGE)
    assert words["parallelism"].get("zero_stage") == stage
    assert any("line 4 changes it first" in one.why for one in found.unknowns) is (stage is None)


def test_what_a_script_writes_and_then_edits_is_not_known(tmp_path: Path) -> None:
    text = f"{HEAD}cat > ds.json <<'EOF'\n{STAGE}\nEOF\n%s\n{MEGATRON} --deepspeed --deepspeed_config ds.json\n"
    assert job(tmp_path / "a", text % "cat ds.json")[0]["parallelism"]["zero_stage"] == "1"
    assert "zero_stage" not in job(tmp_path / "b", text % "sed -i s/1/3/ ds.json")[0].get("parallelism", {})


@pytest.mark.parametrize(
    ("text", "tensor", "batch"),
    [
        ("run() { local tp=$1; shift; %s --tensor-model-parallel-size $tp \"$@\"; }\nrun 4 --micro-batch-size 3", "4", "3"),
        ("run() { shift 2; %s \"$@\"; }\nrun a b --micro-batch-size 3 --tensor-model-parallel-size 8", "8", "3"),
        ("set -- 8 2\n%s --tensor-model-parallel-size $1 --micro-batch-size $2", "8", "2"),
        ("run() { %s --tensor-model-parallel-size ${1:-2} --micro-batch-size ${2:-5}; }\nrun 4", "4", "5"),
    ],
)  # fmt: skip
def test_arguments_of_functions_shift(tmp_path: Path, text: str, tensor: str, batch: str) -> None:
    split = job(tmp_path, f"{HEAD}{text % MEGATRON}\n")[0]["parallelism"]
    assert (split["tensor"], split["micro_batch"]) == (tensor, batch)


@pytest.mark.parametrize(
    ("option", "servers", "gpus"),
    [
        ("--include localhost:0,1,2,3", "1", "4"),
        ("--include=a:0,1@b:2,3", "2", "2"),
        ("--include a:0,1@b:2", None, None),
        ("--include a@b", None, None),
    ],
)
def test_servers_and_gpus_that_deepspeed_includes(
    tmp_path: Path, option: str, servers: str | None, gpus: str | None
) -> None:
    words = job(tmp_path, f"#!/bin/bash\ndeepspeed {option} train.py --deepspeed\n")[0].get("job", {})
    assert (words.get("servers"), words.get("gpus_per_server")) == (servers, gpus)


def test_all_processes_are_on_the_only_server(tmp_path: Path) -> None:
    (tmp_path / "acc.yaml").write_text("distributed_type: FSDP\nnum_machines: 1\nnum_processes: 8\n", "utf-8")
    text = "#!/bin/bash\naccelerate launch --config_file acc.yaml --num_processes 4 train.py\n"
    words = job(tmp_path, text)[0]
    assert (words["job"]["servers"], words["job"]["gpus_per_server"], words["runs_on"]["gpus"]) == ("1", "4", "4")


@pytest.mark.parametrize(("first", "stage"), [(">", "2"), (">>", None)])
def test_a_here_document_adds_to_what_the_script_wrote(tmp_path: Path, first: str, stage: str | None) -> None:
    parts = [(first, '{"zero_optimization":'), (">>", '{"stage": 2}}')]
    text = HEAD + "".join(f"cat {sign} ds.json <<'EOF'\n{part}\nEOF\n" for sign, part in parts)
    words, _ = job(tmp_path, f"{text}{MEGATRON} --deepspeed --deepspeed_config ds.json\n", ds=STAGE)
    assert words["parallelism"].get("zero_stage") == stage


@pytest.mark.parametrize(
    ("array", "element", "tensor"),
    [
        ("declare -A T=([7b]=1 ['70b']=8)\nM=70b", "T[$M]", "8"),
        ("declare -A T=([7b]=1 [70b]=8)\nM=9b", "T[$M]", None),
        ("declare -A T=([7b]=1 [70b]=8)\nT[70b]=4\nM=70b", "T[$M]", None),
        ("T=(1 2 4)\nI=1", "T[I+1]", "4"),
        ("T=(1.5 2.0)", "T[1]%.*", "2"),
        ("T=(1 2)", "T[$SLURM_ARRAY_TASK_ID]", None),
        ("T=([1]=2 4)", "T[2]", None),
    ],
)
def test_elements_of_arrays(tmp_path: Path, array: str, element: str, tensor: str | None) -> None:
    text = f"{HEAD}{array}\n{MEGATRON} --tensor-model-parallel-size ${{{element}}}\n"
    assert job(tmp_path, text)[0]["parallelism"].get("tensor") == tensor
