"""The names of pods in the cluster's DNS: NAME.SUBDOMAIN, where the job or the pod states a subdomain."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from designlint.importers.base import Words, put, whole
from designlint.importers.workloads import count, get, is_on

if TYPE_CHECKING:
    from collections.abc import Iterable

    from designlint.importers.base import Value
    from designlint.importers.notations.structured import Table

INDEXED = "Indexed"
#: How names of pods end, and the third part of a service's name: SERVICE.NAMESPACE.svc.
NUMBERED, SERVICE = re.compile(r"-\d+\Z"), "svc"
#: Plug-ins of Volcano that tell pods where they meet, and the one that gives them names.
TELLING, NAMING = ("pytorch", "mpi", "tensorflow"), "svc"

#: Pods whose numbers are told apart; of more, any number is taken for one.
MOST = 4096


class Hosts(NamedTuple):
    """
    Names of the pods of one group.

    Attributes:
        subdomain: empty where the cluster's DNS does not know the pods.
        others: names in the same form, with their subdomain, that pods of a job of any name have.
    """

    names: re.Pattern[str]
    subdomain: str
    others: re.Pattern[str] | None = None


def of_job(top: Table) -> Hosts | None:
    """Pods of an indexed job: JOB-INDEX, below the subdomain of their template."""
    name, mode = top.get("metadata/name"), top.get("spec/completionMode")
    subdomain = top.get("spec/template/spec/subdomain")
    if name is None or mode is None or mode.text != INDEXED or top.get("spec/template/spec/hostname") is not None:
        return None
    number = _below(top.get("spec/completions"))
    return Hosts(re.compile(rf"{re.escape(name.text)}-{number}\Z"), subdomain.text if subdomain is not None else "")


def of_stateful_set(top: Table) -> Hosts | None:
    """Pods of a StatefulSet: SET-INDEX, below the service that it names."""
    name, service = top.get("metadata/name"), top.get("spec/serviceName")
    if name is None:
        return None
    number = _below(top.get("spec/replicas"))
    return Hosts(re.compile(rf"{re.escape(name.text)}-{number}\Z"), service.text if service is not None else "")


def of_job_set(top: Table, job: Table, group: str) -> Hosts | None:
    """Pods of a JobSet: JOBSET-GROUP-JOB-INDEX, below the set's own name unless it states a subdomain."""
    name, named = top.get("metadata/name"), top.get("spec/network/enableDNSHostnames")
    if name is None:
        return None
    subdomain = top.get("spec/network/subdomain") or name
    known, number = named is None or is_on(named), rf"-{re.escape(group)}-\d+-\d+"
    inside = f"-{re.escape(group)}-{_below(job.get('replicas'))}-{_below(job.get('template/spec/completions'))}"
    others = re.compile(rf"(.+){number}\.\1\Z")
    return Hosts(re.compile(rf"{re.escape(name.text)}{inside}\Z"), subdomain.text if known else "", others)


def of_task(top: Table, task: str, replicas: Value | None) -> Hosts | None:
    """Pods of a task of Volcano: JOB-TASK-INDEX, below the job's name where the job has the plug-in for services."""
    name, plugins = top.get("metadata/name"), set(top.table("spec/plugins").names())
    if name is None or not plugins.isdisjoint(TELLING) or NAMING not in plugins:
        return None
    start, others = f"-{re.escape(task)}-", re.compile(rf"(.+)-{re.escape(task)}-\d+\.\1\Z")
    return Hosts(re.compile(rf"{re.escape(name.text)}{start}{_below(replicas)}\Z"), name.text, others)


def _below(number: Value | None) -> str:
    """The numbers of so many pods, from 0; any where it is not known how many there are, or there are very many."""
    known = whole(count(number))
    return rf"(?:{'|'.join(map(str, range(known)))})" if known and known <= MOST else r"\d+"


def resolves(result: Words, groups: Iterable[Hosts | None]) -> None:
    """Adds whether the name at which pods meet is one of theirs, where it has the form NAME.SUBDOMAIN of one."""
    address, known = get(result, "job/rendezvous"), [one for one in groups if one is not None]
    labels = address.text.split(".") if address is not None else []
    if address is None or labels[2:3] == [SERVICE] or not NUMBERED.search(labels[0]):
        return
    if len(labels) == 1 and any(one.names.match(labels[0]) for one in known):
        put(result, "job/rendezvous_resolves", address.but(False, "a pod's name without its subdomain"))
    if len(labels) < 2:
        return
    same = [(bool(one.names.match(labels[0])), one.subdomain == labels[1]) for one in known]
    kin = any(one.others is not None and one.others.match(".".join(labels[:2])) for one in known)
    if kin or any(map(any, same)):
        put(result, "job/rendezvous_resolves", address.but(any(map(all, same))))
