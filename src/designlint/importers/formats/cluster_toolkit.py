"""Google's cluster toolkit: blueprints and deployment files; `$(vars.x)` leads into the file itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from designlint.importers.base import Fragment, Source, Value, Words, put
from designlint.importers.clouds import placeholder, put_capacity
from designlint.importers.notations import structured
from designlint.importers.notations.structured import Table, scalars
from designlint.importers.slurm import times
from designlint.importers.toolkit import find_reference, pool, resolve
from designlint.importers.workloads import count, flag

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from designlint.importers.base import Context
    from designlint.reading import Node

TITLE = "cluster toolkit blueprint"
POOLS = (
    "gke-node-pool",
    "schedmd-slurm-gcp-v6-nodeset",
    "schedmd-slurm-gcp-v5-node-group",
    "vm-instance",
    "gke-nodeset",
)
#: Modules of file systems: what kind each is, and the key of its size in GiB.
STORAGE = {
    "managed-lustre": ("lustre", "size_gib"),
    "DDN-EXAScaler": ("lustre", ""),
    "parallelstore": ("daos", "size_gb"),
    "filestore": ("nfs", "size_gb"),
    "nfs-server": ("nfs", ""),
    "cloud-storage-bucket": ("object", ""),
    "netapp-volume": ("nfs", "capacity_gib"),
    "pre-existing-network-storage": ("", ""),
}
#: Kinds of a file system that exists already, by its `fs_type`; NFS where none is stated.
EXISTING = {"nfs": "nfs", "lustre": "lustre", "daos": "daos", "gcsfuse": "object"}
#: Keys without meaning for a design; of `vars` those that a setting refers to are read with it.
IMMATERIAL = frozenset(
    (
        "blueprint_name", "vars", "terraform_backend_defaults", "project_id", "region", "zone", "deployment_name",
        "bucket", "type", "id", "source", "use", "outputs", "group", "validators", "toolkit_modules_url",
        "toolkit_modules_version", "ghpc_version", "name", "name_prefix", "kind", "random_suffix",
        "enable_hierarchical_namespace", "force_destroy", "mount_options", "local_mount", "remote_mount",
        "filestore_tier", "deletion_protection", "reserved_ip_range", "kms_key", "network_*", "subnetwork*",
        "secondary_ranges_list", "firewall_rules", "ips_per_nat", "enable_internal_traffic", "enable_ipv6_ula",
        "enable_public_ips", "global_ip_address_range", "additional_networks", "zones", "reservation_*",
        "instance_image*", "disk_*", "additional_disks", "enable_oslogin", "dws_flex", "startup_script", "metadata",
        "labels", "allow_automatic_updates", "auto_upgrade", "on_host_maintenance", "bandwidth_tier",
        "install_gpu_direct_manifests", "run_workload_script", "guest_accelerator", "enable_dranet", "service_account*",
        "partition_conf", "cluster_id", "slurm_*", "image", "node_pool_names", "nodeset*", "filestore_*",
        "instance_template*", "tags", "can_ip_forward", "advanced_machine_features", "resource_manager_tags",
        "min_cpu_platform", "zone_target_shape", "access_config", "future_reservation", "maintenance_interval",
        "instance_properties", "enable_maintenance_reservation", "enable_opportunistic_maintenance", "placement_*",
        "confidential_instance_type", "machine_configs", "boot_disk_*", "create_*", "provisioned_*", "auto_delete_*",
        "scopes", "local_mounts", "internal_ghpc_module_id", "enable_gcfs", "enable_secure_boot", "image_type",
        "is_reservation_active", "auto_repair", "compact_placement", "taints", "kubernetes_labels", "timeout_*",
        "host_maintenance_interval", "gke_version", "max_pods_per_node", "upgrade_settings",
        "enable_queued_provisioning", "enable_flex_start", "max_run_duration", "enable_private_nodes", "num_slices",
        "enable_numa_aware_scheduling", "linux_node_config", "accelerator_topology_mode", "dranet_*",
        "local_ssd_interface", "additional_persistent_disks", "add_deployment_name_before_prefix", "automatic_restart",
        "allocate_ip", "use_deployment_name_in_bucket_name", "viewers", "uniform_bucket_level_access", "storage_class",
        "autoclass", "public_access_prevention", "soft_delete_retention_duration", "enable_versioning",
        "lifecycle_rules", "retention_policy_period", "enable_object_retention", "anywhere_cache*", "connect_mode",
        "nfs_export_options", "protocol*", "description", "private_vpc_connection_peering", "gke_support_enabled",
        "import_*", "netapp_storage_pool_id", "volume_name", "large_capacity", "unix_permissions", "tiering_policy",
        "export_policy_rules", "daos_agent_config", "dfuse_environment", "file_stripe", "directory_stripe", "server_ip",
        "parallelstore_options", "managed_lustre_options", "shared_vpc_host", "delete_default_internet_gateway_routes",
        "firewall_log_config", "nic_type", "enable_iap_*", "extra_iap_ports", "allowed_ssh_ip_ranges", "enable_cloud_*",
        "default_primary_*", "internal_ipv6_range", "primary_subnetwork", "additional_subnetworks", "secondary_ranges",
        "resume_timeout", "suspend_time*", "enable_confidential_vm", "enable_shielded_vm", "shielded_instance_config",
        "spot_instance_config", "disable_public_ips", "provisioning_model",
    )
)  # fmt: skip
#: Modules whose settings are read.
#: Modules of slurmctld: in the cloud, or on premises with servers in the cloud.
CONTROLLER = re.compile(r"controller|hybrid$")
READ = (*POOLS, *STORAGE, "vpc", "gpu-rdma-vpc", "multivpc")


def sure(source: Source) -> int:
    """8 for a blueprint, 7 for a deployment file."""
    if not any(one in source.text for one in ("deployment_groups", "terraform_backend_defaults", "blueprint_name")):
        return 0
    keys = structured.keys(source)
    if "deployment_groups" in keys:
        return 8
    return 7 if "vars" in keys and ("terraform_backend_defaults" in keys or "blueprint_name" in keys) else 0


def design(models: Sequence[Source], context: Context) -> Fragment:
    """Pools, the scheduler, frames of networks. A deployment file gives variables to the blueprint beside it."""
    found = Fragment()
    given: dict[str, Value] = {}
    tables = [Table(source, structured.root(source)) for source in models]
    for table in sorted(tables, key=lambda one: one.at("deployment_groups") is None):
        variables = table.table("vars")
        for name in variables.names():
            node = variables.at(name)
            if node is None or node.kind != "scalar" or node.scalar() is None:
                continue
            value = Value(node.text, table.source, node.start, node.end)
            if not placeholder(value):
                given[name] = value
    for table in tables:
        if table.at("deployment_groups") is None:
            _deployment(table, found)
        else:
            _blueprint(table, given, found)
        structured.close(table.source, IMMATERIAL, elsewhere=list(_others(table)))
    return found


def _kind(module: Table) -> str:
    """The last part of the path of a module's source."""
    source = module.get("source")
    return source.text.rpartition("/")[2].partition("?")[0] if source is not None else ""


def _others(table: Table) -> Iterator[Node]:
    """Settings of modules that make images, accounts, log-in nodes, monitoring."""
    for group in table.tables("deployment_groups"):
        for module in group.tables("modules"):
            kind, node = _kind(module), module.at("settings")
            if node is not None and kind not in READ and not kind.endswith("-partition"):
                yield node


def _deployment(table: Table, found: Fragment) -> None:
    """A file of variables alone: what is left open in it is unknown."""
    variables = table.table("vars")
    for name in variables.names():
        node = variables.at(name)
        if node is None or node.kind != "scalar" or not re.search(r"node_count|cluster_size", name):
            continue
        value = table.source.value(node.text, node.start, max(node.end, node.start + 1))
        if count(value) is None:
            why = f"{name} is left open" if not node.text else f"{name} is `{node.text[:40]}`"
            found.unknown("nodes/count", why, "the values that the deployment is started with", value)
        else:
            found.fact(name.replace("_", " "), value)


def _blueprint(table: Table, given: dict[str, Value], found: Fragment) -> None:
    """Its modules, by the kinds that their sources name; partitions last, since they name pools."""
    modules = [one for group in table.tables("deployment_groups") for one in group.tables("modules")]
    pools: list[Words] = []
    tiers: list[Words] = []
    for module in modules:
        title, kind, settings = module.get("id"), _kind(module), module.table("settings")
        if title is None:
            continue
        if kind in POOLS:
            pools.append(pool(title, settings, given, found))
        elif kind in STORAGE:
            tiers += _tier(title, kind, settings, given)
        elif kind in ("vpc", "gpu-rdma-vpc", "multivpc"):
            _network(title, kind, settings, given, found)
        elif kind == "gke-cluster" or ("slurm" in kind and CONTROLLER.search(kind)):
            scheduler = "kubernetes" if kind == "gke-cluster" else "slurm"
            put(found.words, "scheduler/kind", title.but(scheduler, f"module {kind}").as_text())
    partitions = [
        one
        for module in modules
        if _kind(module).endswith("-partition") and (one := _partition(module, given, pools, found))
    ]
    if partitions:
        put(found.words, "scheduler/partitions", partitions)
    for section, parts in (("nodes", pools), ("storage", tiers)):
        if parts:
            found.words[section] = parts
    found.fact("accelerator type", find_reference(given.get("accelerator_type")))


def _tier(title: Value, kind: str, settings: Table, given: dict[str, Value]) -> Iterator[Words]:
    """A file system by its module; none of one that exists and is of a kind without a word."""
    name, size = STORAGE[kind]
    stated = resolve(settings.get("fs_type"), given) if not name else None
    if not name:
        name = EXISTING.get(stated.text if stated is not None else "nfs", "")
    if not name:
        return
    at = stated or title
    words: Words = {
        "name": title.as_text(),
        "kind": at.but(name, stated.text if stated else f"module {kind}").as_text(),
    }
    rate = resolve(settings.get("per_unit_storage_throughput"), given)
    put_capacity(words, resolve(settings.get(size), given) if size else None, rate)
    yield words


def _partition(module: Table, given: dict[str, Value], pools: Sequence[Words], found: Fragment) -> Words:
    """A partition of Slurm with the pools that it uses; nothing where its name is left open."""
    settings = module.table("settings")
    name = resolve(settings.get("partition_name"), given)
    if name is None or placeholder(name):
        return {}
    words: Words = {"name": name.as_text()}
    known = {one["name"].text for one in pools if isinstance(one["name"], Value)}
    used = [one.as_text() for one in scalars(module.source, module.at("use")) if one.text in known]
    if used:
        words["nodes"] = list(used)
    put(words, "default", flag(settings.get("is_default")))
    found.fact(f"enable placement of {name.text}", resolve(settings.get("enable_placement"), given))
    own = settings.table("partition_conf")  # parameters of Slurm, over what the module makes of its own
    shared, limit = own.get("OverSubscribe"), own.get("MaxTime")
    put(words, "exclusive", flag(settings.get("exclusive")))
    put(words, "exclusive", shared and shared.but(shared.text.lower() == "exclusive", "partition_conf OverSubscribe"))
    if limit is not None and (seconds := times.seconds(limit.text)) is not None:
        put(words, "walltime_limit", limit.but(times.duration(seconds), "", limit.how))
    return words


def _network(title: Value, kind: str, settings: Table, given: dict[str, Value], found: Fragment) -> None:
    frame = count(resolve(settings.get("mtu", "network_mtu"), given))
    found.fact(f"frames of {title.text}", frame)
    many = count(resolve(settings.get("network_count"), given))
    if kind == "multivpc" and many is not None:
        found.fact("GPU networks", many)
    elif kind == "gpu-rdma-vpc":
        template = settings.get("subnetworks_template/count")
        found.fact("GPU networks", count(template))
