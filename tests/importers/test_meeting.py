"""Where the servers of a launch meet: what torchrun and accelerate say, or take without a word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import at, plain, read

pytest.importorskip("tree_sitter_bash", reason="shell scripts need designlint[jobs]")

if TYPE_CHECKING:
    from pathlib import Path

HEADER = "#!/bin/bash\n#SBATCH --nodes=4\n#SBATCH --gpus-per-node=8\n"
ACCELERATE = "srun accelerate launch --num_machines 4 --num_processes 32"
TORCH = "srun torchrun --nnodes 4 --nproc_per_node 8 train.py\n"
WORDS = ("rendezvous", "states_rendezvous", "server_ranks_differ")
LOCAL, SAME = {"rendezvous": "127.0.0.1"}, {"server_ranks_differ": "false"}


def met(folder: Path, body: str, header: str = HEADER, **files: str) -> dict[str, Any]:
    found = read(folder, {"train.sbatch": header + body, **{f"+{name}": text for name, text in files.items()}})
    (words,) = plain(found.words["workloads"])
    return {word: words["job"][word] for word in WORDS if word in words["job"]}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", LOCAL),  # neither address nor rank: one fault
        ("--master_addr $HEAD", SAME),
        ("--node_rank $SLURM_PROCID", LOCAL | SAME),
        ("--node-rank=${SLURM_NODEID} --master_addr $HEAD", SAME),
        ("--node_rank 0 --master_addr node7", {"rendezvous": "node7"} | SAME),
        ("--rdzv_backend c10d", {"rendezvous": "localhost"}),
        ("--rdzv_backend=c10d --master_addr node7", {"rendezvous": "localhost"}),
        ("--rdzv_backend etcd", {}),
        ("--rdzv_backend $BACKEND", {}),
        ("--standalone", {"rendezvous": "localhost"}),
        ("--rdzv-backend=c10d --rdzv-endpoint=localhost:29400", {"rendezvous": "localhost"}),
        ("--rdzv-backend=c10d --rdzv-endpoint=[::1]:29400", {"rendezvous": "::1"}),
        ("--rdzv-backend=c10d --rdzv-endpoint=$HEAD:29400", {}),
        ("--rdzv-backend=c10d --rdzv-endpoint=${HEAD:-localhost}:29400", {}),
        ("--rdzv_conf rdzv_endpoint=$HEAD:29400 --node_rank $R", {}),
        ("$MORE", {}),
        ("--node_rank 0 --master_addr localhost", SAME),
        ("--node_rank 1 --master_addr localhost", {"rendezvous": "localhost"} | SAME),
        ("--rdzv_backend c10d --node_rank 0 --rdzv_endpoint localhost:1", {"rendezvous": "localhost"}),
        ("--rdzv_backend c10d --rdzv_endpoint `hostname`:1", {}),
        ("--node_rank `cat rank` --master_addr node7", {"rendezvous": "node7"}),
    ],
)
def test_torchrun_on_all_servers(options: str, expected: dict[str, str], tmp_path: Path) -> None:
    assert met(tmp_path, f"srun torchrun --nnodes $SLURM_NNODES --nproc_per_node 8 {options} train.py\n") == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("export PET_MASTER_ADDR=node7\nsrun torchrun --nnodes 4 --nproc_per_node 8 train.py\n", {}),
        ("source /opt/cluster.sh\nsrun torchrun --nnodes 4 --nproc_per_node 8 train.py\n", {}),
        ("source env/bin/activate\nsrun torchrun --nnodes 4 --nproc_per_node 8 train.py\n", LOCAL),
        ("srun torchrun --nnodes ${N:-4} --nproc_per_node 8 train.py\n", {}),
        ("srun torchrun --nnodes 1 --nproc_per_node 8 train.py\n", {}),
        ("srun torchrun --nnodes 1:4 --nproc_per_node 8 train.py\n", {}),
        ("if [ $X = 1 ]; then srun torchrun --nnodes 4 --nproc_per_node 8 train.py; fi\n", {}),
        ("srun bash -c 'torchrun --nnodes 4 --node_rank $SLURM_PROCID --master_addr $HEAD train.py'\n", {}),
        ('srun bash -c "torchrun --nnodes 4 --node_rank \\$SLURM_PROCID --master_addr $HEAD train.py"\n', {}),
        ('srun bash -c "torchrun --nnodes 4 --node_rank $SLURM_PROCID --master_addr $HEAD train.py"\n', SAME),
        ("srun -N 1 -w n1 torchrun --nnodes 4 --node_rank 1 --master_addr $HEAD train.py\n", {}),
        (f"{ACCELERATE} --main_process_ip $IP --machine_rank $SLURM_PROCID --rdzv_backend static a.py\n", SAME),
        (f"{ACCELERATE} --main_process_ip $IP --machine_rank $SLURM_PROCID a.py\n", {}),
        (f"{ACCELERATE} --use_deepspeed --deepspeed_hostfile hosts a.py\n", {}),
        ('source "$(conda info --base)/etc/profile.d/conda.sh"\nsource activate torch\n' + TORCH, LOCAL),
        (f"{ACCELERATE} --main_process_ip localhost a.py\n", {"rendezvous": "localhost"}),
        (f"{ACCELERATE} a.py\n", {"states_rendezvous": "false"}),
        ("srun accelerate launch --config_file a.yaml --num_machines 4 --num_processes 32 a.py\n", {}),
    ],
)  # fmt: skip
def test_what_may_come_from_elsewhere_stays_unknown(body: str, expected: dict[str, str], tmp_path: Path) -> None:
    assert met(tmp_path, body) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("torchrun --nnodes 4 train.py", LOCAL),
        ("export PET_MASTER_ADDR=$(head -1 hosts) && torchrun --nnodes 4 train.py", {}),
        ("source /opt/site.sh; torchrun --nnodes 4 train.py", {}),
        (". env/bin/activate; torchrun --nnodes 4 train.py", LOCAL),
        ("torchrun --nnodes 4 --master_addr $(host $(echo $(head -1 hosts))) --node_rank $R train.py", {}),
        ("torchrun --nnodes 4 --master_addr `head -1 hosts` --node_rank $R train.py", {}),
        ("echo $R 2>&1; torchrun --nnodes 4 --node_rank $R --master_addr $A train.py 2>&1", {}),
        ("torchrun --nnodes 4 --node_rank $R >&2 --master_addr $A train.py", {}),
        ("torchrun --nnodes 4 --node_rank $R &> log --master_addr $A train.py", {}),
        ("torchrun --nnodes 4 --node_rank $R --master_addr $A train.py 2> >(tee log)", {}),
        ("HEAD=$1; torchrun --nnodes 4 --node_rank $R --master_addr $HEAD train.py", {}),
        ("export HEAD=$1; torchrun --nnodes 4 --node_rank $R --master_addr $HEAD train.py", {}),
        ("if x; then HEAD=$1; fi; torchrun --nnodes 4 --node_rank $R --master_addr $HEAD train.py", {}),
        ("echo HEAD=1; torchrun --nnodes 4 --node_rank $R --master_addr $HEAD train.py", {"rendezvous": "localhost"}),
    ],
)
def test_a_text_that_a_second_shell_runs(text: str, expected: dict[str, str], tmp_path: Path) -> None:
    assert met(tmp_path, f"export HEAD=localhost\nsrun bash -c '{text}'\n") == expected


IDENTIFIER = "torchrun --nnodes 4 --rdzv-backend c10d --rdzv-endpoint $H:1 --rdzv-id {} train.py"


@pytest.mark.parametrize(
    ("body", "shared"),
    [
        (f"srun bash -c '{IDENTIFIER.format('$RANDOM')}'", "false"),
        (f"srun bash -c '{IDENTIFIER.format('run-$(uuidgen)')}'", "false"),
        (f'srun bash -c "{IDENTIFIER.format("$RANDOM")}"', None),  # the batch script expands it, once
        (f"srun {IDENTIFIER.format('$RANDOM')}", None),
        (f"srun bash -c '{IDENTIFIER.format('$SLURM_JOB_ID')}'", None),
        (f"srun bash -c 'if [ $R = 0 ]; then {IDENTIFIER.format('$RANDOM')}; fi'", None),
        (f"cat > run.sh <<'EOF'\n{IDENTIFIER.format('$RANDOM')}\nEOF\nsrun bash run.sh", "false"),
        (f"cat > run.sh <<EOF\n{IDENTIFIER.format('$RANDOM')}\nEOF\nsrun bash run.sh", None),
        (f"srun {IDENTIFIER.format('17')}", "true"),
    ],
)
def test_an_id_that_each_server_draws_for_itself(body: str, shared: str | None, tmp_path: Path) -> None:
    assert _job(tmp_path, HEADER + body + "\n").get("shares_rendezvous_id") == shared


@pytest.mark.parametrize(
    ("identifier", "shared"), [("$RANDOM", "false"), ("${ID:-$RANDOM}", None), ("$ID", None), ("17", "true")]
)
def test_a_script_that_is_started_on_each_server_draws_an_id_there(
    identifier: str, shared: str | None, tmp_path: Path
) -> None:
    body = "ID=${ID:-$RANDOM}\n" + IDENTIFIER.format(identifier) + "\n"
    assert _job(tmp_path, "#!/bin/bash\n" + body).get("shares_rendezvous_id") == shared


@pytest.mark.parametrize(
    ("body", "alone"),
    [
        (IDENTIFIER.format(1), True),
        (f"H=$(srun -N 1 hostname -I)  # of srun\n{IDENTIFIER.format(1)}", True),
        (f"CMD='{IDENTIFIER.format(1)}'\n$CMD", True),
        ("accelerate launch --num_machines 4 --num_processes 32 --machine_rank 0 --main_process_ip $H train.py", True),
        ("python -m torch.distributed.run --nnodes $SLURM_NNODES --master_addr $H --node_rank $R train.py", True),
        (f"srun {IDENTIFIER.format(1)}", False),
        (f"for host in $HOSTS; do ssh $host {IDENTIFIER.format(1)} & done", False),
        (f"$START {IDENTIFIER.format(1)}", False),
        (f"source /opt/site.sh\n{IDENTIFIER.format(1)}", False),
        (f"srun bash other.sh &\n{IDENTIFIER.format(1)}", False),
        ("torchrun --nproc_per_node 8 train.py", True),
        ("accelerate launch --num_machines 4 --num_processes 32 --config_file a.yaml train.py", False),
    ],
)
def test_a_launcher_that_slurm_starts_on_the_first_server_only(body: str, alone: bool, tmp_path: Path) -> None:
    assert (_job(tmp_path, HEADER + body + "\n").get("launched_on_all") == "false") is alone
    assert "launched_on_all" not in _job(tmp_path, f"#!/bin/bash\n{body}\n")


ALONE = {"launcher_servers": "1"}
IDLE = ALONE | {"launched_on_all": "false"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("srun torchrun --nproc-per-node 8 train.py", ALONE),
        ("srun -n 4 python -m torch.distributed.run --nproc-per-node 8 train.py", ALONE),
        ("srun torchrun --standalone --nproc-per-node 8 train.py", ALONE),
        ("srun bash -c 'torchrun --nproc-per-node 8 train.py --out $SLURM_JOB_ID'", ALONE),
        ("torchrun --nproc-per-node 8 train.py", IDLE),
        ("srun torchrun --nnodes $N --nproc-per-node 8 train.py", {}),
        ("srun torchrun $MORE --nproc-per-node 8 train.py", {}),
        ("export PET_NNODES=4\nsrun torchrun --nproc-per-node 8 train.py", {}),
        ("source /opt/site.sh\nsrun torchrun --nproc-per-node 8 train.py", {}),
        ("srun -N 1 torchrun --nproc-per-node 8 train.py &\nwait", {}),
        ("srun -n 1 torchrun --nproc-per-node 8 train.py &\nwait", {}),
        ("srun -n $K torchrun --nproc-per-node 8 train.py &\nwait", {}),
        ("srun bash -c 'torchrun --nproc-per-node 8 train.py --seed $SLURM_PROCID'", {}),
        ("for h in $H; do ssh $h torchrun --nproc-per-node 8 train.py & done", {}),
        ("if [ $X = 1 ]; then srun torchrun --nproc-per-node 8 train.py; fi", {}),
        ("srun accelerate launch train.py", {}),
    ],
)
def test_torchrun_that_nothing_tells_of_other_servers(body: str, expected: dict[str, str], tmp_path: Path) -> None:
    job = _job(tmp_path, HEADER + body + "\n")
    assert {one: job[one] for one in IDLE if one in job} == expected
    assert "launcher_servers" not in _job(tmp_path, f"#!/bin/bash\n{body}\n")


C10D = "torchrun --nnodes 4 --rdzv-backend c10d --rdzv-endpoint $A:1 t.py"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("srun bash -c 'torchrun --nnodes 4 --rdzv-backend c10d --rdzv-endpoint $(hostname -s):1 t.py'", "localhost"),
        ("srun bash -c 'torchrun --nnodes 4 --rdzv-backend c10d --rdzv-endpoint=$HOSTNAME:1 t.py'", "localhost"),
        ("srun torchrun --nnodes 4 --rdzv-backend c10d --rdzv-endpoint $(hostname):1 t.py", None),
        ('srun bash -c "torchrun --nnodes 4 --rdzv-backend c10d --rdzv-endpoint $(hostname):1 t.py"', None),
        ("srun bash -c 'torchrun --nnodes 4 --rdzv-backend c10d --rdzv-endpoint $(hostname | head):1 t.py'", None),
        ("srun bash -c 'torchrun --nnodes 4 --node_rank 0 --master_addr $(hostname) t.py'", None),
        (f"srun bash -c 'A=$(hostname); {C10D}'", "localhost"),
        (f"srun bash -c 'export A=$(hostname -s) B=1 && {C10D}'", "localhost"),
        (f"srun bash -c '\nexport A=\"$HOSTNAME\"\n{C10D}\n'", "localhost"),
        (f'srun bash -c "export A=\\$(hostname); {C10D.replace("$", chr(92) + "$")}"', "localhost"),
        (f'srun bash -c "A=$(hostname); {C10D.replace("$", chr(92) + "$")}"', None),  # the batch script asks, once
        (f"export A=$(hostname)\nsrun bash -c '{C10D}'", None),
        (f"srun bash -c 'A=$(hostname) {C10D}'", None),  # set for the command, not for its words
        (f"srun bash -c 'A=$(hostname); A=$(head -1 hosts); {C10D}'", None),
        (f"srun bash -c 'A=$(hostname); if [ $R != 0 ]; then A=$B; fi; {C10D}'", None),
        (f"srun bash -c 'A=$(head -1 hosts); {C10D}'", None),
        ("srun bash -c 'A=$(hostname); torchrun --nnodes 4 --node_rank $R --master_addr $A t.py'", "localhost"),
        ("srun bash -c 'A=$(hostname); torchrun --nnodes 4 --node_rank $R --master_addr ${A}x t.py'", None),
    ],
)
def test_a_name_that_each_server_asks_for_is_its_own(body: str, expected: str | None, tmp_path: Path) -> None:
    assert _job(tmp_path, HEADER + body + "\n").get("rendezvous") == expected


RANKED = "export RANK=$SLURM_PROCID WORLD_SIZE=$SLURM_NTASKS"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"srun bash -c 'export MASTER_ADDR=$(hostname); {RANKED}; python train.py'", "localhost"),
        ("srun bash -c 'MASTER_ADDR=$(hostname) RANK=$SLURM_PROCID WORLD_SIZE=32 python train.py'", "localhost"),
        ("srun -n 32 bash -c 'MASTER_ADDR=$(hostname) RANK=$SLURM_PROCID python train.py'", "localhost"),
        ("srun -n 1 bash -c 'MASTER_ADDR=$(hostname) RANK=$SLURM_PROCID python train.py'", None),
        ("srun -N 1 bash -c 'MASTER_ADDR=$(hostname) RANK=$SLURM_PROCID python train.py'", None),
        ("srun bash -c 'MASTER_ADDR=$(hostname) RANK=$SLURM_LOCALID WORLD_SIZE=8 python train.py'", None),  # a sweep
        (f"srun bash -c 'export MASTER_ADDR=$(head -1 hosts); {RANKED}; python train.py'", None),
        (f"export MASTER_ADDR=$(hostname)\nsrun bash -c '{RANKED}; python train.py'", None),
        (f"srun bash -c '[ -n $M ] || export MASTER_ADDR=$(hostname); {RANKED}; python train.py'", None),
    ],
)
def test_ranks_without_a_launcher_meet_at_an_address_that_each_server_sets(
    body: str, expected: str | None, tmp_path: Path
) -> None:
    assert _job(tmp_path, HEADER + body + "\n").get("rendezvous") == expected


def _job(folder: Path, text: str) -> dict[str, Any]:
    (words,) = plain(read(folder, {"train.sbatch": text}).words["workloads"])
    return dict(words.get("job", {}))


def test_a_script_without_a_header_may_be_started_in_any_way(tmp_path: Path) -> None:
    run = "torchrun --nnodes 4 --nproc_per_node 8 train.py\n"
    assert met(tmp_path, run, "#!/bin/bash\n") == {"states_rendezvous": "false"}
    assert met(tmp_path, run.replace("train", "--master_addr $A train"), "#!/bin/bash\n") == {}


def test_places_and_reasons(tmp_path: Path) -> None:
    body = "srun torchrun --nnodes 4 --node_rank $SLURM_PROCID train.py\n"
    found = read(tmp_path, {"train.sbatch": HEADER + body})
    rank = at(found, "workloads/0/job/server_ranks_differ")
    assert (rank.line, rank.source.text[rank.start : rank.end]) == (4, "--node_rank")
    assert rank.note.startswith("$SLURM_PROCID is 0 in the batch script")
    address = at(found, "workloads/0/job/rendezvous")
    assert (address.how, address.note) == ("default", "torchrun 2.9")


def test_the_processes_of_one_server_are_not_those_of_all(tmp_path: Path) -> None:
    start = "srun accelerate launch --num_machines 4 --num_processes {} train.py\n"
    header = "#!/bin/bash\n#SBATCH --nodes=4\n#SBATCH --gpus-per-node=8\n"
    found = [read(tmp_path, {"train.sbatch": header + start.format(number)}).clashes for number in (8, 32)]
    assert [[(one.rule, one.values["one"], one.values["other"]) for one in clashes] for clashes in found] == [
        [("import/conflict", "8", "32")],
        [],
    ]


@pytest.mark.parametrize(
    ("exported", "met"),
    [("MASTER_ADDR=localhost WORLD_SIZE=32", "localhost"), ("MASTER_ADDR=localhost", None), ("WORLD_SIZE=32", None)],
)
def test_ranks_that_train_together_do_not_meet_at_the_local_host(
    tmp_path: Path, exported: str, met: str | None
) -> None:
    header = "#!/bin/bash\n#SBATCH --nodes=4\n#SBATCH --ntasks-per-node=8\n#SBATCH --gpus-per-node=8\n"
    found = read(tmp_path, {"train.sbatch": f"{header}export {exported}\nsrun python train.py\n"})
    assert plain(found.words["workloads"])[0]["job"].get("rendezvous") == met
