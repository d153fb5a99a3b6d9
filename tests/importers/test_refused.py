"""What launchers, trainers and Kubernetes refuse, and what a trainer counts otherwise than the job that starts it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.importers.helpers import plain, read
from tests.importers.test_kubernetes import MPI

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("tree_sitter_bash", reason="commands need designlint[jobs]")

BATCH = "#!/bin/bash\n#SBATCH --nodes=4\n#SBATCH --gpus-per-node=8\n"
GPT = f"{BATCH}srun python pretrain_gpt.py --num-layers 8 "
TRAINER = f"{BATCH}srun python train.py --per_device_train_batch_size 2 "


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        (f"{GPT} --bf16 --fp16", [("--bf16", "--fp16")]),
        (f"{GPT} --train-iters 10 --train-samples 80", [("--train-iters", "--train-samples")]),
        (f"{GPT} --train-samples 80 --lr-warmup-samples 8 --bf16", []),
        (f"{GPT} --train-iters 10 --lr-warmup-samples 0", []),
        (f"{TRAINER} --bf16 True --fp16 False", []),
        (f"{TRAINER} --bf16 True --fp16", [("--bf16", "--fp16")]),
        (f"{BATCH}srun python own.py --bf16 --fp16", []),
    ],
)
def test_arguments_that_exclude_each_other(text: str, pairs: list[tuple[str, str]], tmp_path: Path) -> None:
    found = [one for one in read(tmp_path, {"a.sbatch": f"{text}\n"}).clashes if "exclude" in one.rule]
    assert [(one.values["name"], one.values["other"]) for one in found] == pairs


VERL = "python -m verl.trainer.main_ppo actor_rollout_ref.rollout.tensor_model_parallel_size=2"


@pytest.mark.parametrize(
    ("sizes", "conflicts"),
    [
        ("trainer.nnodes=4 trainer.n_gpus_per_node=8", []),
        ("trainer.nnodes=8 trainer.n_gpus_per_node=4", []),
        ("trainer.nnodes=1 trainer.n_gpus_per_node=8", [("gpus", "8", "32")]),
        ("trainer.nnodes=1 trainer.n_gpus_per_node=8 actor_rollout_ref.rollout.nnodes=3", []),
        ("trainer.nnodes=4", []),
    ],
)
def test_gpus_of_verl_are_those_of_the_job(sizes: str, conflicts: list[tuple[str, str, str]], tmp_path: Path) -> None:
    found = read(tmp_path, {"a.sbatch": f"{BATCH}{VERL} {sizes}\n"})
    assert [(one.values["word"], one.values["one"], one.values["other"]) for one in found.clashes] == conflicts
    stated = plain(found.words["workloads"])[0]["reinforcement"]
    together = "n_gpus_per_node" in sizes and "rollout.nnodes" not in sizes
    assert stated["rollout_tensor"] == "2"
    assert ("rollout_gpus" in stated) is together


def test_torchtune_counts_as_torchrun_does(tmp_path: Path) -> None:
    start = "srun tune run --nnodes 2 --nproc_per_node 4 --rdzv_id 7 lora_finetune_distributed --config a.yaml epochs=1"
    found = read(tmp_path, {"a.sbatch": f"{BATCH}{start}\n"})
    assert [(one.values["word"], one.values["other"]) for one in found.clashes] == [
        ("gpus_per_server", "4"),
    ]


@pytest.mark.parametrize(
    ("start", "refused"),
    [
        ("--nproc_per_node 2 lora_finetune_single_device", ["--nproc_per_node"]),
        ("--nnodes=1 full_finetune_single_device", ["--nnodes"]),
        ("--standalone lora_dpo_single_device", ["--standalone"]),
        ("lora_finetune_single_device", []),
        ("--nproc_per_node 2 lora_finetune_distributed", []),
        ("--nproc_per_node 2 our_own_single_device", []),
        ("--nproc_per_node 2 recipes/lora_finetune_single_device.py", []),
    ],
)
def test_torchtune_starts_recipes_of_a_single_device_without_torchrun(
    start: str, refused: list[str], tmp_path: Path
) -> None:
    text = f"#!/bin/bash\n#SBATCH --nodes=1\ntune run {start} --config llama2/7B_lora_single_device batch_size=2\n"
    found = read(tmp_path, {"a.sbatch": text}).clashes
    shown = [one for one in found if one.rule == "import/arguments-exclude-each-other"]
    assert [one.values["other"] for one in shown] == refused


@pytest.mark.parametrize(
    ("lines", "gpus"),
    [
        ("export CUDA_VISIBLE_DEVICES=0,1,2,3\ntorchrun --nproc_per_node 8 train.py", ["4"]),
        ("export CUDA_VISIBLE_DEVICES=0\nexport CUDA_VISIBLE_DEVICES=0,1\ntorchrun --nproc_per_node=4 train.py", ["2"]),
        ("CUDA_VISIBLE_DEVICES=0,1 torchrun --nproc_per_node 4 train.py", ["2"]),
        ("export CUDA_VISIBLE_DEVICES=0\nCUDA_VISIBLE_DEVICES=0,1,2,3 torchrun --nproc_per_node 4 train.py", []),
        ("export CUDA_VISIBLE_DEVICES=0,1,2,3\ntorchrun --nproc_per_node 4 train.py", []),
        ("export CUDA_VISIBLE_DEVICES=0,1\ntorchrun --nproc_per_node gpu train.py", []),
        ("export CUDA_VISIBLE_DEVICES=0,1\nsrun torchrun --nproc_per_node 4 train.py", []),  # Slurm sets it
        ("export CUDA_VISIBLE_DEVICES=0\ntorchrun --nproc_per_node 4 train.py --backend gloo", []),
        ("export CUDA_VISIBLE_DEVICES=\ntorchrun --nproc_per_node 4 train.py", []),
        ("export CUDA_VISIBLE_DEVICES=$1\ntorchrun --nproc_per_node 4 train.py", []),
        ("if [ -f a ]; then export CUDA_VISIBLE_DEVICES=0; fi\ntorchrun --nproc_per_node 4 train.py", []),
        ("export CUDA_VISIBLE_DEVICES=0\nunset CUDA_VISIBLE_DEVICES\ntorchrun --nproc_per_node 4 train.py", []),
        ("torchrun --nproc_per_node 4 train.py\nexport CUDA_VISIBLE_DEVICES=0\npython plot.py", []),
    ],
)
def test_torchrun_starts_no_more_processes_than_cuda_shows_gpus(lines: str, gpus: list[str], tmp_path: Path) -> None:
    found = read(tmp_path, {"a.sh": f"#!/bin/bash\n#SBATCH --nodes=1\n{lines}\n"}).clashes
    assert [one.values["two"] for one in found if one.rule == "import/arguments-do-not-fit"] == gpus


@pytest.mark.parametrize(
    ("resource", "proposals"),
    [
        ("nvidia.com/gpus", ["nvidia.com/gpu"]),
        ("nvidia.com/GPU", ["nvidia.com/gpu"]),
        ("cpus", ["cpu"]),
        ("nvidia.com/gpu", []),
        ("nvidia.com/mig-1g.5gb", []),
        ("nvidia.com/gpu-h100", []),
        ("rdma/hca", []),
        ("example.com/gpus", []),
    ],
)
def test_resources_that_nothing_offers(resource: str, proposals: list[str], tmp_path: Path) -> None:
    text = (
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: train}\nspec: {template: {spec: {containers: "
        f"[{{name: a, resources: {{limits: {{{resource}: 8}}, requests: {{{resource}: 8}}}}}}]}}}}}}\n"
    )
    found = read(tmp_path, {"job.yaml": text})
    assert [one.values["proposal"] for one in found.clashes] == proposals


@pytest.mark.parametrize(
    ("slots", "options", "conflicts"),
    [
        (4, '-np, "72"', []),
        (4, '-np, "69"', []),
        (4, '-np, "68"', [("tasks", "72")]),
        (4, '-np, "18", -map-by, node', []),
        (4, '-np, "144", -N, "4"', [("tasks", "72")]),
        (4, '-np, "144", --host, a', []),
        (2, '-np, "36"', [("gpus_per_worker", "2")]),
        (1, '-np, "72"', [("tasks", "18")]),
    ],
)
def test_ranks_that_mpi_has_room_for(
    slots: int, options: str, conflicts: list[tuple[str, str]], tmp_path: Path
) -> None:
    given = '[mpirun, -np, "72", -x, NCCL_DEBUG=INFO, /opt/all_reduce_perf, -b, 8G]'
    text = MPI.replace(given, f"[mpirun, {options}, /opt/all_reduce_perf, -b, 8G]")
    found = read(tmp_path, {"job.yaml": text.replace("spec:\n", f"spec:\n  slotsPerWorker: {slots}\n", 1)})
    told = [(one.values["word"], str(one.values["other"]).partition(" ")[0]) for one in found.clashes]
    assert told == conflicts


POD = """\
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: train}
spec:
  replicatedJobs:
    - name: workers
      replicas: 1
      template:
        spec:
          parallelism: 4
          completions: 4
          template:
            spec:
              affinity: AFFINITY
              containers:
                - name: a
                  command: [torchrun, --nnodes=4, --rdzv_backend=c10d, "--rdzv_endpoint=HOST:29500", train.py]
                  resources: {limits: {nvidia.com/gpu: 8}}
                  volumeMounts: [{name: shm, mountPath: /dev/shm}]
              volumes: [{name: data, emptyDir: {sizeLimit: 1Gi}}, {name: shm, emptyDir: {medium: Memory, sizeLimit: 64Mi}}]
"""
KIND = "{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [TERM]}]}}}"


@pytest.mark.parametrize(
    ("affinity", "placed"),
    [
        (KIND.replace("TERM", "{key: nvidia.com/gpu.product, operator: In, values: [H100]}"), "false"),
        (KIND.replace("TERM", "{key: example.com/rack, operator: In, values: [r7]}"), "true"),
        ("{podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: host}]}}", "true"),
    ],
)
def test_affinity_to_a_kind_of_server_is_no_placement(affinity: str, placed: str, tmp_path: Path) -> None:
    (words,) = plain(read(tmp_path, {"job.yaml": POD.replace("AFFINITY", affinity)}).words["workloads"])
    assert words["job"]["states_placement"] == placed
    assert words["job"]["shared_memory"] == "64 MiB"


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("train-workers-0-3.train", "true"),
        ("train-workers-0-4.train", "false"),
        ("train-workers-1-0.train", "false"),
        ("train-workers-0-0", "false"),
        ("another-host", None),
    ],
)
def test_names_of_pods_end_with_numbers_that_there_are(host: str, known: str | None, tmp_path: Path) -> None:
    text = POD.replace("AFFINITY", "{}").replace("HOST", host)
    assert plain(read(tmp_path, {"job.yaml": text}).words["workloads"])[0]["job"].get("rendezvous_resolves") == known


@pytest.mark.parametrize(
    ("command", "alone"),
    [
        ("python train.py", True),
        ("srun python train.py", False),
        ("torchrun --nnodes 4 train.py", False),
        ("source start.sh\npython train.py", False),
    ],
)
def test_a_program_without_a_launcher_runs_on_the_first_server(command: str, alone: bool, tmp_path: Path) -> None:
    text = f"{BATCH}export MASTER_ADDR=$(hostname)\n{command}\n"
    found = plain(read(tmp_path, {"a.sbatch": text}).words["workloads"])[0]["job"]
    assert ((found.get("launcher_servers"), found.get("launched_on_all")) == ("1", "false")) is alone


@pytest.mark.parametrize(
    ("command", "ranks"),
    [
        ("srun python train.py --deepspeed --deepspeed_config ds.json", "true"),
        ("srun python pretrain_gpt.py --num-layers 8", "true"),
        ("srun torchrun train.py --deepspeed_config ds.json", None),
        ("srun python train.py", None),
    ],
)
def test_tasks_whose_program_starts_no_others_are_ranks(command: str, ranks: str | None, tmp_path: Path) -> None:
    found = plain(read(tmp_path, {"a.sbatch": f"{BATCH}{command}\n"}).words["workloads"])[0]["job"]
    assert found.get("tasks_are_ranks") == ranks


@pytest.mark.parametrize(
    ("flags", "conflicts"), [("--nodes 8 --gpus 8", 1), ("--nodes 4 --gpus 8", 0), ("--nodes 8", 0)]
)
def test_a_script_counts_servers_and_gpus_as_its_job_does(flags: str, conflicts: int, tmp_path: Path) -> None:
    assert len(read(tmp_path, {"a.sbatch": f"{BATCH}srun python train.py {flags}\n"}).clashes) == conflicts


def test_two_letters_of_an_option_are_swapped(tmp_path: Path) -> None:
    (found,) = read(tmp_path, {"a.sbatch": f"{BATCH}#SBATCH --tmie=1:00:00\nsrun python train.py\n"}).clashes
    assert found.values["proposal"] == "--time"


WRAPPED = """\
apiVersion: workload.codeflare.dev/v1beta2
kind: AppWrapper
metadata: {name: outer, labels: {kueue.x-k8s.io/queue-name: team-a}}
spec:
  components:
    - template:
        apiVersion: kubeflow.org/v1
        kind: PyTorchJob
        metadata: {name: inner}
        spec:
          nprocPerNode: "RANKS"
          pytorchReplicaSpecs:
            Worker:
              replicas: 4
              template:
                spec:
                  containers:
                    - name: pytorch
                      command: [bash, -c, "export NCCL_NET=Socket; torchrun train.py"]
                      resources: {limits: {nvidia.com/gpu: 8}}
"""


@pytest.mark.parametrize(("ranks", "conflicts"), [("8", []), ("auto", []), ("4", ["4"])])
def test_jobs_inside_an_app_wrapper(ranks: str, conflicts: list[str], tmp_path: Path) -> None:
    found = read(tmp_path, {"job.yaml": WRAPPED.replace("RANKS", ranks)})
    (words,) = plain(found.words["workloads"])
    assert (words["name"], words["job"]["queue"], words["job"]["workers"]) == ("inner", "team-a", "4")
    assert words["environment"]["nccl_net"] == "Socket"
    assert [one.values["other"] for one in found.clashes] == conflicts


@pytest.mark.parametrize(
    ("lines", "environment"),
    [
        ("export NCCL_DEBUG=ERROR NCCL_P2P_DISABLE=1\nsrun python train.py", {"nccl_p2p_disable": "1"}),
        ("export NCCL_DEBUG=Info NCCL_P2P_DISABLE=1\nsrun all_reduce_perf -g 1", {"nccl_debug": "info"}),
    ],
)
def test_what_nccl_ignores_and_what_a_benchmark_means(lines: str, environment: dict[str, str], tmp_path: Path) -> None:
    text = f"{BATCH}#SBATCH --tasks-per-node=8\n{lines}\n"
    found = read(tmp_path, {"a.sbatch": text})
    (words,) = plain(found.words["workloads"])
    assert words["environment"] == environment
    assert words["job"]["tasks_per_server"] == "8"
    assert not found.clashes
