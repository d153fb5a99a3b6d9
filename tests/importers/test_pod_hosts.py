"""Where pods meet: the address of their launch command, and whether the cluster's DNS knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.importers.helpers import plain, read

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("tree_sitter_bash", reason="commands of containers need designlint[jobs]")

CONTAINER = "{containers: [{name: t, env: [%s], %s, resources: {limits: {nvidia.com/gpu: 8}}}]%s}"
SHELL = 'command: [bash, -c, "torchrun --nnodes=4 %s train.py"]'
ADDRESS = "--node-rank=$JOB_COMPLETION_INDEX --master-addr="
LOCAL = {"rendezvous": "127.0.0.1"}


PYTORCH = (
    "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: a}\n"
    f"spec: {{pytorchReplicaSpecs: {{Worker: {{replicas: 4, template: {{spec: {CONTAINER % ('', SHELL % '', '')}}}}}}}}}\n"
)


def job(command: str, env: str = "", more: str = ", subdomain: svc", mode: str = "Indexed") -> str:
    pod = CONTAINER % (env, command, more)
    return (
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: llama}\n"
        f"spec: {{completionMode: {mode}, completions: 4, parallelism: 4, template: {{spec: {pod}}}}}\n"
    )


def job_set(address: str, network: str = "{}") -> str:
    pod = CONTAINER % ("", SHELL % (ADDRESS + address), "")
    group = (
        f"{{name: w, replicas: 1, template: {{spec: {{completions: 4, parallelism: 4, template: {{spec: {pod}}}}}}}}}"
    )
    return (
        "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: llama}\n"
        f"spec: {{network: {network}, replicatedJobs: [{group}]}}\n"
    )


def volcano(address: str, plugins: str) -> str:
    task = f"{{name: w, replicas: 4, template: {{spec: {CONTAINER % ('', SHELL % (ADDRESS + address), '')}}}}}"
    return (
        "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: llama}\n"
        f"spec: {{plugins: {plugins}, tasks: [{task}]}}\n"
    )


def stateful_set(address: str, service: str = "serviceName: peers, ") -> str:
    pod = CONTAINER % ("", SHELL % (ADDRESS + address), "")
    return (
        "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: llama}\n"
        f"spec: {{{service}replicas: 4, template: {{spec: {pod}}}}}\n"
    )


def met(folder: Path, text: str) -> dict[str, Any]:
    (words,) = plain(read(folder, {"job.yaml": text}).words["workloads"])
    return {one: words["job"][one] for one in ("rendezvous", "rendezvous_resolves") if one in words["job"]}


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        (job(SHELL % ""), LOCAL),
        (job("command: [torchrun, --nnodes=4, train.py]"), LOCAL),
        (job(SHELL.replace("4", "$N") % "", "{name: N, value: '4'}"), LOCAL),
        (job(SHELL.replace("4", "1") % ""), {}),
        (job(SHELL % "--rdzv-backend=c10d"), {"rendezvous": "localhost"}),
        (job(SHELL % "", "{name: PET_MASTER_ADDR, value: llama-0.svc}"), {}),
        (job(SHELL % "", "{name: PET_MASTER_ADDR, valueFrom: {fieldRef: {fieldPath: x}}}"), {}),
        (job((SHELL % "") + ", envFrom: [{configMapRef: {name: m}}]"), {}),
        (job(SHELL % "", more=", hostNetwork: true"), {}),
        (job(SHELL % "", mode="NonIndexed"), {}),
        (stateful_set("localhost"), {"rendezvous": "localhost"}),
        (PYTORCH, {}),  # the operator tells pods of one another
    ],
)
def test_pods_without_an_address(manifest: str, expected: dict[str, str], tmp_path: Path) -> None:
    assert met(tmp_path, manifest) == expected


@pytest.mark.parametrize(
    ("manifest", "resolves"),
    [
        (job(SHELL % (ADDRESS + "llama-0.svc")), "true"),
        (job(SHELL % (ADDRESS + "llama-0.svc.team.svc.cluster.local")), "true"),
        (job(SHELL % (ADDRESS + "gpt-0.svc")), "false"),
        (job(SHELL % (ADDRESS + "llama-0.services")), "false"),
        (job(SHELL % (ADDRESS + "llama-0.svc"), more=""), "false"),
        (job(SHELL % (ADDRESS + "$HEAD"), "{name: HEAD, value: gpt-0.svc}"), "false"),
        (
            job('command: [torchrun, --nnodes=4, "--master-addr=$(HEAD)", train.py]', "{name: HEAD, value: gpt-0.svc}"),
            "false",
        ),
        (
            job(
                'command: [torchrun, --nnodes=4, "--master-addr=$(HEAD)", train.py]', "{name: HEAD, value: llama-0.svc}"
            ),
            "true",
        ),
        (job(SHELL % (ADDRESS + "head")), None),  # a service
        (job(SHELL % (ADDRESS + "head.svc")), None),  # a service of a namespace
        (job(SHELL % (ADDRESS + "gpt-0.svc.svc.cluster.local")), None),
        (job(SHELL % (ADDRESS + "10.0.0.1")), None),
        (job_set("llama-w-0-0.llama"), "true"),
        (job_set("gpt-w-0-0.gpt"), "false"),
        (job_set("llama-worker-0-0.llama"), "false"),
        (job_set("llama-w-0-0.llama", "{subdomain: net}"), "false"),
        (job_set("llama-w-0-0.net", "{subdomain: net}"), "true"),
        (job_set("llama-w-0-0.llama", "{enableDNSHostnames: false}"), "false"),
        (volcano("llama-w-0.llama", "{svc: []}"), "true"),
        (volcano("gpt-w-0.gpt", "{svc: []}"), "false"),
        (volcano("gpt-w-0.gpt", "{}"), None),
        (stateful_set("llama-0.peers"), "true"),
        (stateful_set("llama-0.peers.team.svc.cluster.local"), "true"),
        (stateful_set("llama-0.llama"), "false"),
        (stateful_set("gpt-0.peers"), "false"),
        (stateful_set("llama-0.peers", ""), "false"),
        (stateful_set("peers"), None),
    ],
)
def test_an_address_of_the_form_of_a_pods_name(manifest: str, resolves: str | None, tmp_path: Path) -> None:
    assert met(tmp_path, manifest).get("rendezvous_resolves") == resolves


@pytest.mark.parametrize(
    ("manifest", "awaited"),
    [
        (job(SHELL % ""), None),
        (job(SHELL.replace("=4", "=6") % ""), "6"),
        (job(SHELL.replace("=4", "=$N") % "", "{name: N, value: '6'}"), "6"),
        (job(SHELL.replace("=4", "=${N:-6}") % ""), None),
        (job(SHELL.replace("=4", "=2:6") % ""), None),
        (job_set("llama-w-0-0.llama").replace("nnodes=4", "nnodes=3"), "3"),
        (job_set("llama-w-0-0.llama").replace("replicas: 1", "replicas: 2"), "4"),
        (job_set("llama-w-0-0.llama").replace("{name: w,", "{name: v, replicas: 1, template: {spec: {template: {spec: "
         "{containers: [{name: v, image: a}]}}}}}, {name: w,"), None),  # a driver beside the workers
        (PYTORCH.replace("replicas: 4", "replicas: 3"), "4"),  # an option wins over the variable that the operator sets
    ],
)  # fmt: skip
def test_a_launcher_waits_for_the_pods_that_there_are(manifest: str, awaited: str | None, tmp_path: Path) -> None:
    found = read(tmp_path, {"job.yaml": manifest})
    assert plain(found.words["workloads"])[0]["job"].get("launcher_servers") == awaited
    assert [one for one in found.clashes if one.rule == "import/conflict"] == []
