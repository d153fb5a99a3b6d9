"""Files that only set variables for a launcher elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from designlint.configuration.engine import shipped_engine
from designlint.importers import environment
from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path


def test_arguments_in_variables_join_what_well_known_variables_say(tmp_path: Path) -> None:
    text = """\
#!/bin/bash
TP=${TP:-2}
BATCH=${BATCH:-1024}
RUN="--global-batch-size $BATCH --micro-batch-size 1 --data $PLACE "
MODEL="--num-layers 28 --hidden-size 3584 --seq-length 8192"
"""
    [job] = plain(read(tmp_path, {"model.sh": text}).words["workloads"])
    assert job["parallelism"] == {"tensor": "2", "micro_batch": "1", "global_batch": "1024"}
    assert job["model"]["layers"] == "28"


def test_a_log_that_shows_a_command_is_no_script(tmp_path: Path) -> None:
    command = "export NCCL_DEBUG=info\nsrun python train.py --num-layers 2\n"
    log = command + "".join(f"node{number}: step {number} took 1 s\n" for number in range(9))
    assert [one.why for one in read(tmp_path, {"log.txt": log}).refused] == ["its format is not recognised"]
    assert list(read(tmp_path, {"command": command}).formats.values()) == ["launcher"]


def test_what_is_set_for_the_launch_counts_before_what_is_exported(tmp_path: Path) -> None:
    names = [f"NCCL_X{number}" for number in range(9)]
    exports = "".join(f"export {name}=1\n" for name in names) + "export NCCL_IB_TC=41 NCCL_IB_SL=1\n"
    text = f"#!/bin/bash\n{exports}NCCL_IB_TC=106 NCCL_IB_SL=3 torchrun --nproc_per_node 8 train.py --num-layers 2\n"
    found = read(tmp_path, {"run.sh": text})
    [job] = plain(found.words["workloads"])
    assert job["environment"]["nccl_ib_tc"] == "106"
    facts = [(one.name, one.value.text) for one in found.facts]
    assert ("NCCL_IB_SL", "3") in facts
    assert [name for name, _ in facts if name in names] == names


def test_the_variables_that_become_words_are_those_that_the_language_has() -> None:
    words = shipped_engine().vocabulary.classes["Environment"].values()
    kinds = {one.name.upper(): one.kind for one in words if one.written}
    assert kinds.keys() == environment.known_variables()
    assert {name for name, kind in kinds.items() if kind == "Count"} == environment.counts()
    assert all(environment.tells(name) for name in kinds)
