"""Rails, GPUs and NUMA nodes of the adapters of one server."""

from __future__ import annotations

from designlint.derivations.network import adapters, interfaces


def test_rails_are_shared_or_left_out() -> None:
    assert adapters.shared_rails((0, 1, 2, 3)) == "none"
    assert adapters.shared_rails((0, 1, 1, None, 0)) == "0, 1"
    assert adapters.shared_rails((None, None)) is None
    assert adapters.shared_interfaces(("ib0", None, "ib1", "ib0")) == "ib0"
    assert adapters.rail_span((1, 2, 3, 4)) == 4
    assert adapters.rail_span((0, 8)) == 9


def test_gpus_of_adapters() -> None:
    assert adapters.missing_gpus(8, (0, 7, 8)) == "8"
    assert adapters.gpus_without_adapter(4, (0, 1, 1, 3)) == "2"
    assert adapters.gpus_without_adapter(4, (0, 1, None, 3)) is None
    assert adapters.gpus_without_adapter(8, (0, 4)) is None


def test_adapters_on_another_numa_node() -> None:
    two = adapters.Adapters(("mlx5_0", "mlx5_1"), (0, 1), (1, 1))
    assert adapters.distant_adapters((0, 1), two) == "mlx5_0"
    assert adapters.distant_adapters((1, 1), two) == "none"
    assert adapters.distant_adapters((), two) is None


def test_names_of_nccl_that_no_server_has() -> None:
    pools = ("mlx5_0 mlx5_1", "rocep1s0")
    assert interfaces.nccl_adapters_unmatched("mlx5_0,mlx5_99", pools) == "mlx5_99"
    assert interfaces.nccl_adapters_unmatched("=mlx5_0:1,rocep1s0,mlx5", pools) == "mlx5"
    assert interfaces.nccl_adapters_unmatched("mlx4,mlx5_1", pools) == "none"
    assert interfaces.nccl_adapters_unmatched("^mlx5_7", pools) == "none"
