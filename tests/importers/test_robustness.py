"""Foreign files are untrusted: whatever they hold, an import ends, in a fragment or in one sentence."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from designlint.importers import import_files, names, registry, servers, writing
from designlint.importers.base import Fragment
from designlint.importers.notations.structured import Table, root
from designlint.reading import read_bytes
from tests.importers.helpers import plain
from tests.importers.helpers import read as read_files

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from designlint.importers.base import Context, Source

LONG = 300_000
HOSTILE = {
    "topology.conf": "SwitchName=s0 Nodes=" + "\\\n".join(["n[1-9],"] * 20_000) + "m\n",
    "slurm.conf": "NodeName=n[1-100000],m[1-100000],k[1-100000] Gres=gpu:" + "9" * 5000 + "\n",
    "ib.out": 'Switch 40 "S-00aa" # "a"\n[1] "H-00bb"[1] #' + " " * LONG + '"\nCA:' + " a" * LONG + "\n",
    "links.out": 'CA: a\n 0x1 1 1[ ] ==( 4X 1.2.3 Gbps Active/ LinkUp)==> 1 1[ ] "x" ( )\n' + "[ ] ==(" * 20_000,
    "ds.json": '{"zero_optimization": {"stage": 1e400}, "train_batch_size": ' + "9" * 4000 + ', "bf16": ' + "[" * 5000,
    "config.json": '{"num_hidden_layers": 99999999999999999999, "hidden_size": 1e30, "multiple_of": 1, '
    '"ffn_dim_multiplier": 1e300}',
    "job.toml": "[model]\n[training]\n[parallelism]\nx = " + "[" * 3000 + "]" * 3000 + "\n",
    "mpt.yaml": "global_train_batch_size: 1\n"
    "max_duration: 1e999ba\n"
    "model: {name: mpt_causal_lm, d_model: ${a.${b}}}\n"
    "fsdp_config: {}\n",
    "anchors.yaml": "apiVersion: v1\n"
    "kind: Job\n"
    "metadata: &a [*a, *a]\n"
    "x: &b {y: *a}\n"
    "spec: {parallelism: ${" + "${" * 5000 + "}\n",
    "topo.xml": '<!DOCTYPE system [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><system><cpu numaid="&c;"/></system>',
    "deep.xml": '<system><cpu numaid="0">' + "<pci>" * 5000,
    "nccl.xml": '<system><cpu numaid="0"><pci class="0x0302" link_speed="1..2 GT/s" link_width="x">'
    '<gpu><nvlink count="many"/></gpu></pci></cpu></system>',
    "nccl.txt": "# busbw algbw redop\n"
    + "9" * 5000
    + " 1 float sum -1 1 2 3 0\n"
    + "1 1 float sum "
    + "1 " * LONG
    + "\n",
    "infra.yaml": "devices: []\n"
    "instances: [{name: a, count: 9}]\n"
    "links: []\n"
    "edges:\n"
    "- {ep1: {instance: 'a[0:99999999]', component: 'p[0:99999999]'}, "
    "ep2: {instance: a, component: p}, scheme: many2many, link: x}\n",
    "x.tfvars": "slurm_a = <<A\n" * 3000,
    "config_db.json": '{"PORT": {"a": {"speed": "1e999", "mtu": "x"}}, "PORT_QOS_MAP": {"a": {"pfc_enable": ",,,"}}}',
    "train.sbatch": "#!/bin/bash\n#SBATCH --nodes=" + "9" * 5000 + "\nX=$(cat <<A\n" + "\n" * 20_000 + ")\nY=${Z[²]}\n",
    "template.yaml": "a: '{{ x }}'\n" + "{#" * LONG,
    "nothing": "",
    "binary": "\x00\x01\x02",
    "bad\u2028lines.conf": "NodeName=a\u2028b Gres=gpu:8\x0cNodeName=c\x85\nFavourite=1\n",
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_a_hostile_file_ends(tmp_path: Path, name: str) -> None:
    if name in ("train.sbatch",):
        pytest.importorskip("tree_sitter_bash", reason="shell scripts need designlint[jobs]")
    found = read_files(tmp_path, {name: HOSTILE[name]})
    text = writing.text(found, "1")
    assert read_bytes(text.encode(), "imported.yaml").complete
    assert found.sources or found.refused[0].why
    for account in found.accounts():
        assert all(number <= account.lines for number in account.unclear)


@pytest.mark.parametrize("name", [*names(), None])
def test_a_format_that_is_forced_on_a_file_reads_or_refuses_it(tmp_path: Path, name: str | None) -> None:
    pytest.importorskip("tree_sitter_bash", reason="shell scripts need designlint[jobs]")
    for at, text in enumerate(("NodeName=n1\n", '{"a": [1, {"b": null}]}', "<a/>", "- x\n- y: 1\n", "a = 1\n")):
        path = tmp_path / f"file{at}"
        path.write_text(text)
        found = import_files([path], format=name, within=tmp_path)
        assert found.sources or found.refused


def test_templates_are_refused_with_the_line_and_the_way_to_render_them(tmp_path: Path) -> None:
    texts = {
        "jinja.conf": "ClusterName=a\nSlurmctldHost={{ head }}\n",
        "helm.yaml": "apiVersion: v1\nkind: Job\nmetadata: {name: {{ .Values.name }}}\n",
        "terraform.tftpl": "kind: Job\n%{ if gpu }\nx: 1\n%{ endif }\n",
    }
    languages = {"jinja.conf": "Jinja", "helm.yaml": "Helm", "terraform.tftpl": "Terraform"}
    for name, text in texts.items():
        (refused,) = read_files(tmp_path, {name: text}).refused
        assert languages[name] in refused.why
        assert f"line {refused.line}" in refused.why
        assert "render" in refused.remedy


def test_line_ends_of_windows_change_nothing(tmp_path: Path) -> None:
    flavour = (
        "apiVersion: kueue.x-k8s.io/v1beta1\nkind: ResourceFlavor\nmetadata: {name: %s}\nspec: {nodeLabels: {a: b}}\n"
    )
    text = f"{flavour % 'x'}---\n{flavour % 'y'}--- # last\n{flavour % 'z'}"
    told = []
    for name, ends in (("unix.yaml", "\n"), ("dos.yaml", "\r\n")):
        (tmp_path / name).write_bytes(text.replace("\n", ends).encode())
        told.append([(one.name, one.value.text, one.value.line) for one in import_files([tmp_path / name]).facts])
    assert told[0] == told[1]
    assert [line for _, _, line in told[0]] == [4, 9, 14]


def test_utf_16_is_named(tmp_path: Path) -> None:
    (tmp_path / "nodes.conf").write_bytes("NodeName=a\n".encode("utf-16"))
    (refused,) = import_files([tmp_path / "nodes.conf"]).refused
    assert ("UTF-16" in refused.why, "iconv" in refused.remedy) == (True, True)


def test_values_of_a_chart_are_refused_with_the_way_to_render_them(tmp_path: Path) -> None:
    values = "# defaults\nreplicaCount: 4\nresources: {limits: {nvidia.com/gpu: 8}}\n"
    (refused,) = read_files(tmp_path, {"values.yaml": values}).refused
    assert (refused.line, "Helm" in refused.why, "helm template" in refused.remedy) == (2, True, True)
    bare = {"+chart/Chart.yaml": "name: a\n", "chart/values-prod.yaml": "gpus: 8\n"}
    assert "Helm" in read_files(tmp_path, bare).refused[0].why
    assert "not recognised" in read_files(tmp_path, {"other.yaml": "gpus: 8\n"}).refused[0].why
    [design] = read_files(tmp_path, {"design.yaml": "designlint: 1\nnodes: []\n"}).refused
    assert "it is a design" in design.why
    assert "--built" in design.remedy


def test_a_playbook_inside_a_blueprint_is_no_template_of_it(tmp_path: Path) -> None:
    playbook = '      content: |\n        - hosts: localhost\n\n          name: "{{ item }}"\n'
    text = "blueprint_name: a3\nvars: {zone: a}\ndeployment_groups:\n- group: one\n  modules:\n  - id: image\n    settings:\n"
    text += f"{playbook}  - id: nodes\n    source: compute/schedmd-slurm-gcp-v6-nodeset\n    settings: {{machine_type: %s}}\n"
    assert not read_files(tmp_path, {"a.yaml": text % "a3-highgpu-8g"}).refused
    assert [one.line for one in read_files(tmp_path, {"b.yaml": text % '"{{ machine }}"'}).refused] == [14]


def test_the_template_of_a_chat_is_no_template_of_its_file(tmp_path: Path) -> None:
    text = "base_config: base.yml\nmodel_name: llama2-7b\nsteps: 9\n"
    inline = f'{text}chat_template: "{{% for message in messages %}}{{{{ message }}}}{{% endfor %}}"\n'
    block = f"{text}chat_template: |\n  {{% for message in messages %}}\n  {{{{ message }}}}\n"
    for file in (inline, block):
        found = read_files(tmp_path, {"sft.yml": file})
        assert not found.refused
        assert plain(found.words)["workloads"][0]["targets"]["steps"] == "9"
    assert read_files(tmp_path, {"sft.yml": f"{inline}steps: {{{{ steps }}}}\n"}).refused[0].line == 5


def test_braces_of_other_languages_are_no_template(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_bash", reason="shell scripts need designlint[jobs]")
    text = "#!/bin/bash\n#SBATCH --nodes=2\ndocker ps --format '{{.ID}}'\nN=${#ARRAY[@]}\n# see {{ this }}\n"
    text += (
        "PROMPT_TEMPLATE=${PROMPT_TEMPLATE:-'{{ instruction }}'}\nsrun python a.py --prompt-template '{{ question }}'\n"
    )
    text += "kubectl get pods -o go-template='{{range .items}}\n{{.name}}{{end}}'\ngo list -f \"{{.Dir}}\" m\n"
    assert read_files(tmp_path, {"train.sbatch": text}).refused == []
    assert read_files(tmp_path, {"open.sbatch": text + "#SBATCH -p '{{ partition }}'\nsrun '{{ command }}'\n"}).refused


def test_two_files_of_one_fact_that_disagree_are_one_finding_and_what_was_measured_counts(tmp_path: Path) -> None:
    switch = '{"PORT": {"E0": {"speed": "400000", "mtu": "%s"}}, "DEVICE_METADATA": {"localhost": {"hostname": "%s"}}}'
    found = read_files(tmp_path, {"a.json": switch % (9100, "a"), "b.json": switch % (1500, "b")})
    (clash,) = found.clashes
    assert (clash.rule, clash.values["one"], clash.values["other"], clash.values["where"]) == (
        "import/conflict",
        "9100",
        "1500",
        "b.json:1",
    )
    assert plain(found.words["fabrics"])[0]["mtu"] == "9100"


def test_importing_what_was_written_changes_nothing(tmp_path: Path) -> None:
    from designlint.importers import differences

    found = read_files(
        tmp_path,
        {"slurm.conf": "NodeName=n[1-4] Gres=gpu:8 RealMemory=1000\nPartitionName=p Nodes=n[1-4] MaxTime=60\n"},
    )
    text = writing.text(found, "1")
    assert differences.between(text, text) == []
    changed = text.replace("gpus: 8", "gpus: 4").replace("count: 4", "count: 4\n    spares: 1")
    assert differences.between(changed, text) == ["~ nodes/n/gpus: 4 -> 8", "- nodes/n/spares: 1"]


#: A small file of each of several kinds of syntax; what is changed in it at random must neither end an import nor hold it.
SMALL = {
    "slurm.conf": "ClusterName=a\nNodeName=n[1-8] Gres=gpu:h100:8 RealMemory=1000\nPartitionName=p Nodes=n[1-8] MaxTime=2-0\n",
    "train.sbatch": "#!/bin/bash\n#SBATCH --nodes=2\nA=(--num-layers 8 # c\n --bf16)\nif [ $X = 1 ]; then A+=(--fp16); fi\n"
    'srun torchrun --nnodes ${N:-2} pretrain_gpt.py "${A[@]}" --seq-length $((2 * 1024))\n',
    "job.yaml": "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  parallelism: 2\n  template:\n    spec:\n"
    "      containers:\n      - {name: m, image: 'a:1', command: [torchrun, t.py], resources: {limits: {nvidia.com/gpu: 8}}}\n",
    "ds.json": '{"train_batch_size": 8, "bf16": {"enabled": true}, "zero_optimization": {"stage": 3}}',
    "titan.toml": "[model]\nname = 'llama3'\n[training]\nseq_len = 8192\n[parallelism]\ntensor_parallel_degree = 8\n",
    "ib.out": 'Switch 40 "S-00aa" # "leaf"\n[1] "H-00bb"[1] # "n1 mlx5_0" lid 1 4xNDR\n\nCa 1 "H-00bb" # "n1 mlx5_0"\n'
    '[1] "S-00aa"[1] # lid 1 lmc 0 "leaf" lid 2 4xNDR\n',
    "topo.xml": '<system><cpu numaid="0"><pci class="0x0302" link_speed="32.0 GT/s" link_width="16"><gpu dev="0" sm="90">'
    '<nvlink count="18" tclass="0x068000"/></gpu></pci></cpu></system>',
    "x.tfvars": 'slurm_nodeset_workers = [{\n  name = "main"\n  size = 16\n}]\n',
}
PIECES = (
    "{" * 400,
    "[",
    "${",
    "$((",
    "'",
    '"',
    "`",
    "<",
    "\\",
    "\t",
    "\r",
    "- ",
    ": ",
    "#",
    "9" * 400,
    "-1",
    "1e999",
    "\u2028",
    "\x00",
    "é",
)


@pytest.mark.parametrize("name", sorted(SMALL))
def test_a_file_that_is_changed_at_random_is_read_or_refused(tmp_path: Path, name: str) -> None:
    pytest.importorskip("tree_sitter_bash", reason="shell scripts need designlint[jobs]")
    chance = Random(name)
    for _ in range(60):
        text = SMALL[name]
        for _ in range(chance.randrange(1, 4)):
            first, last = sorted(chance.randrange(len(text) + 1) for _ in range(2))
            piece = chance.choice((*PIECES, "", text[first:last] * 9))
            text = text[:first] + piece + text[chance.choice((first, last)) :]
        found = read_files(tmp_path, {name: text})
        assert found.sources or found.refused[0].why
        assert read_bytes(writing.text(found, "1").encode("utf-8", "replace"), "imported.yaml").complete
        for account in found.accounts():
            assert account.lines == account.understood + account.immaterial + len(account.unclear)


class OwnFormat:
    """A format whose author reads one key and accounts for no other."""

    TITLE = "a format of one key"

    @staticmethod
    def sure(source: Source) -> int:
        return 9

    @staticmethod
    def design(models: Sequence[Source], context: Context) -> Fragment:
        found = Fragment()
        for source in models:
            found.add(
                servers.pool(source, {"gpus": Table(source, root(source)).get("accelerators") or source.value(0, 0, 0)})
            )
        return found


def test_keys_that_a_format_does_not_ask_for_are_not_understood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "load_format", lambda name: OwnFormat)
    (tmp_path / "own.yaml").write_text("accelerators: 8\ncooling: air\n")
    (account,) = import_files([tmp_path / "own.yaml"], format="own").accounts()
    assert (account.understood, account.unclear) == (1, (2,))
