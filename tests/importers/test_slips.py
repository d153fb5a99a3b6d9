"""What bash and sbatch read otherwise than the author of a script meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read

pytest.importorskip("tree_sitter_bash", reason="shell scripts need designlint[jobs]")

if TYPE_CHECKING:
    from pathlib import Path

HEADER = "#!/bin/bash\n#SBATCH --nodes=4\n#SBATCH --gpus-per-node=8\n#SBATCH --time=1:00:00\n"
LAUNCH = "srun torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 12"


def slips(tmp_path: Path, body: str, header: str = HEADER) -> list[tuple[str, int]]:
    """Rules and lines of what is found, lines counted from the first below the header."""
    found = read(tmp_path, {"train.sbatch": header + body})
    return [(one.rule.removeprefix("import/"), one.at.line - header.count("\n")) for one in found.clashes]


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (f"{LAUNCH} \\\n  --lr 1e-4 \\ \n  --bf16\n", 3),
        (f"{LAUNCH} \\\n  # --lr 1e-4 \\\n  --bf16\n", 3),
        (f"{LAUNCH}\n\n  --bf16\n", 3),
        (f"{LAUNCH} \\\n  #--lr=1e-4 \\\n  --clip-grad=1.0 \\\n  --bf16\n", 3),
        (f"{LAUNCH}\n  --clip-grad=1.0\n", 2),
        (f'ARGS=" \\\n  --lr 1e-4 \\ \n  --bf16 \\\n  "\n{LAUNCH} $ARGS\n', 2),
    ],
)
def test_a_line_that_continues_nothing_is_found_where_the_rest_begins(tmp_path: Path, body: str, line: int) -> None:
    assert slips(tmp_path, body) == [("continuation-broken", line)]


@pytest.mark.parametrize(
    "body",
    [
        f"{LAUNCH} \\\n  --lr 1e-4 \\\n  --bf16\n",
        f"ARGS=(\n  --lr 1e-4 # fast\n  # --bf16\n  --clip-grad 1.0\n)\n{LAUNCH} ${{ARGS[@]}}\n",
        f'ARGS="\n  --lr 1e-4\n  --bf16"\n{LAUNCH} $ARGS\n',
        f"cat <<EOF\n  --lr 1e-4 \\ \n  --bf16\nEOF\n{LAUNCH}\n",
        f'echo "a \\ \n b"\n{LAUNCH}\n',
    ],
)
def test_lines_of_arrays_texts_and_documents_need_no_backslash(tmp_path: Path, body: str) -> None:
    assert slips(tmp_path, body) == []


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (f"LR = 1e-4\n{LAUNCH}\n", "assignment-with-blank"),
        (f"STEPS= 100\n{LAUNCH}\n", "assignment-with-blank"),
        (f"GPUS_PER_NODE=8\n{LAUNCH} --tag $GPUS_PER_NOED\n", "variable-never-set"),
        (f"DATA=/data\n{LAUNCH} --data-path '${{DATA}}/text'\n", "variable-left-literal"),
        (f"BATCH=8\ncat <<'E' > c.json\n{{\"train_batch_size\": $BATCH}}\nE\n{LAUNCH}\n", "variable-left-literal"),
        (f"{LAUNCH} &\n", "nothing-waits"),
        (f"{LAUNCH} &\necho started\n", "nothing-waits"),
        (f"for i in 1 2; do\n  echo $i\n{LAUNCH}\n", "never-closed"),
        (f"cat <<EOF > notes.txt\nnotes\nEOF \n{LAUNCH}\n", "never-closed"),
        (f'NAME="a\nexport OTHER="b"\n{LAUNCH}\n', "never-closed"),
    ],
)
def test_what_bash_reads_otherwise_is_found(tmp_path: Path, body: str, what: str) -> None:
    assert [rule for rule, _ in slips(tmp_path, body)] == [what]


@pytest.mark.parametrize(
    "body",
    [
        f"LD_PRELOAD= {LAUNCH}\n",
        f"[[ $A == b ]] && echo =\n{LAUNCH}\n",
        f"GPUS_PER_NODE=${{GPU_PER_NODE:-8}}\n{LAUNCH}\n",
        f"DATA_PATH1=a\n{LAUNCH} --data $DATA_PATH2\n",
        f"source site.sh\nGPUS_PER_NODE=8\n{LAUNCH} --tag $GPU_PER_NODE\n",
        f"DATA=/data\nsrun bash -c 'echo $DATA'\n{LAUNCH}\n",
        f"srun --nodes=1 python watch.py &\n{LAUNCH}\n",
        f"{LAUNCH} &\nPID=$!\nwait $PID\n",
        f"cat <<'E' > run.sh\necho $BATCH\nE\n{LAUNCH}\n",
        f"NAME=$(cat <<EOF\na\nEOF\n)\n{LAUNCH}\n",
    ],
)
def test_what_only_looks_like_a_slip_is_none(tmp_path: Path, body: str) -> None:
    assert slips(tmp_path, body) == []


@pytest.mark.parametrize(
    ("option", "what"),
    [
        ("--output=logs/$SLURM_JOB_ID.out", "variable-left-literal"),
        ("--mem = 64G", "not-a-value"),
        ("--gres=gpu=8", "not-a-value"),
        ("--dependency=afterko:12", "not-a-value"),
        ("--nodes=2", "key-twice"),
    ],
)
def test_what_sbatch_reads_otherwise_is_found(tmp_path: Path, option: str, what: str) -> None:
    assert what in [rule for rule, _ in slips(tmp_path, f"{LAUNCH}\n", f"{HEADER}#SBATCH {option}\n")]


@pytest.mark.parametrize(
    "option",
    [
        "--output=logs/%x-%j.out",
        "--gres=gpu:h100:8(S:0-1),lustre:1",
        "--dependency=afterok:12?afterany:13,singleton",
        "--nodes=4",
        "--export=ALL,HOME=$HOME",
        "--account=$ACCOUNT",
    ],
)
def test_what_sbatch_takes_is_no_slip(tmp_path: Path, option: str) -> None:
    assert slips(tmp_path, f"{LAUNCH}\n", f"{HEADER}#SBATCH {option}\n") == []


def test_a_batch_script_begins_with_its_interpreter(tmp_path: Path) -> None:
    assert ("no-interpreter", 1) in slips(tmp_path, HEADER.removeprefix("#!/bin/bash\n") + LAUNCH, "")
    assert slips(tmp_path, LAUNCH, HEADER) == []


@pytest.mark.parametrize(("value", "refused"), [("8M", True), ("8388608", False), ("0x800000", False), ("INFO", False)])
def test_digits_before_a_unit_are_all_that_nccl_reads(tmp_path: Path, value: str, refused: bool) -> None:
    found = slips(tmp_path, f"export NCCL_BUFFSIZE={value}\n{LAUNCH}\n")
    assert found == ([("not-a-value", 1)] if refused else [])


MANIFEST = """apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {{name: train}}
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: 2
      template:
        spec:
          containers:
            - name: pytorch
              image: train:1
              command: [bash, -c]
              args:
                - |
                  torchrun --nnodes 2 --nproc_per_node 8 train.py \\
                    {line}
                    --bf16
              resources: {{limits: {{nvidia.com/gpu: 8}}}}
"""


@pytest.mark.parametrize(("line", "expected"), [("--lr 1e-4", [18]), ("# --lr 1e-4 \\", [18]), ("--lr 1e-4 \\", [])])
def test_a_script_in_a_manifest_is_read_alike(tmp_path: Path, line: str, expected: list[int]) -> None:
    found = read(tmp_path, {"job.yaml": MANIFEST.format(line=line)})
    assert [one.at.line for one in found.clashes if one.rule == "import/continuation-broken"] == expected


def test_a_file_that_is_not_read_sets_none_of_slurms_variables(tmp_path: Path) -> None:
    launch = "srun accelerate launch --num_machines $SLURM_NNODES --main_process_ip 127.0.0.1 train.py"
    found = read(tmp_path, {"train.sbatch": f"{HEADER}source site.sh\n{launch}\n"})
    (words,) = plain(found.words["workloads"])
    assert words["job"]["rendezvous"] == "127.0.0.1"


TRAIN_JOB = """apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {{name: train}}
spec:
  runtimeRef: {{name: torch-distributed}}
  trainer:
    numNodes: 2
    command: [torchrun]
    args: ["--nnodes={nodes}", "--nproc-per-node=8", train.py]
    resourcesPerNode: {{limits: {{nvidia.com/gpu: 8}}}}
"""


@pytest.mark.parametrize(("nodes", "awaited"), [("4", "4"), ("2", None)])
def test_a_trainer_waits_for_its_own_nodes(tmp_path: Path, nodes: str, awaited: str | None) -> None:
    (words,) = plain(read(tmp_path, {"job.yaml": TRAIN_JOB.format(nodes=nodes)}).words["workloads"])
    assert words["job"].get("launcher_servers") == awaited


@pytest.mark.parametrize(
    ("path", "folder"), [("/tmp/run", "/tmp/run"), ("/scratch/run", "/scratch/run"), ("runs/7", None)]
)
def test_the_folder_of_checkpoints_is_known_where_its_path_is_whole(
    tmp_path: Path, path: str, folder: str | None
) -> None:
    found = read(tmp_path, {"train.sbatch": f"{HEADER}{LAUNCH} --save {path} --save-interval 100\n"})
    (words,) = plain(found.words["workloads"])
    assert words["checkpoint"].get("folder") == folder


def config(micro: int, batch: int) -> str:
    """A launch of Megatron-LM whose DeepSpeed configuration states batches of its own."""
    inside = f'{{"train_micro_batch_size_per_gpu": {micro}, "train_batch_size": {batch}, "zero_optimization": {{"stage": 1}}}}'
    flags = "--micro-batch-size 1 --global-batch-size 64 --train-iters 100 --deepspeed --deepspeed_config $CONFIG"
    return f"CONFIG=ds.$SLURM_JOB_ID.json\ncat <<E > $CONFIG\n{inside}\nE\n{LAUNCH} {flags}\n"


@pytest.mark.parametrize(
    ("micro", "batch", "words"), [(1, 64, []), (2, 64, ["micro_batch"]), (1, 128, ["global_batch"])]
)
def test_batches_of_both_configurations_agree(tmp_path: Path, micro: int, batch: int, words: list[str]) -> None:
    found = read(tmp_path, {"train.sbatch": HEADER + config(micro, batch)})
    assert [one.values["word"] for one in found.clashes if one.rule == "import/conflict"] == words


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("# SBATCH --nodes=4", ["servers"]),
        ("# SBATCH --nodes=4\n#SBATCH --ntasks=32", []),
        ("# SBATCH --nodes=4\n#SBATCH --nodes=2", []),
        ("## SBATCH --nodes=4", []),
    ],
)
def test_servers_behind_a_blank_are_not_requested(tmp_path: Path, line: str, expected: list[str]) -> None:
    header = HEADER.replace("#SBATCH --nodes=4", line)
    found = read(tmp_path, {"train.sbatch": f"{header}{LAUNCH}\n"})
    assert [one.values["what"] for one in found.clashes if one.rule == "import/request-commented-out"] == expected
