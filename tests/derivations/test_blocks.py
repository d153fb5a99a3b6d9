"""Lists of placement blocks."""

from __future__ import annotations

from designlint.derivations.operations import blocks, partitions


def test_a_server_in_two_blocks_is_named() -> None:
    assert blocks.shared_server(("n[1-3]", "n[4-6]")) == "none"
    assert blocks.shared_server(("n[1-3]", "n[3-6]")) == "n3"
    assert blocks.shared_server(("n1,n1",)) == "none"
    assert blocks.shared_server(()) is None
    assert blocks.shared_server(("n[1-3]", "n[4-")) is None


def test_names_of_a_block_are_counted_once() -> None:
    assert blocks.block_list(("n[1-3]", "n7")) == "n[1-3],n7"
    assert blocks.block_names("n[1-3],n7,n2") == 4
    assert blocks.block_list(()) is None
    assert blocks.block_names("n[1-") is None


def test_a_block_of_servers_that_no_pool_has() -> None:
    assert blocks.block_stranger(partitions.Listed(("n[3-5]",), ("n[1-4]",), (4,), (4,))) == "n5"
    assert blocks.block_stranger(partitions.Listed(("n[3-4]",), ("n[1-4]",), (4,), (4,))) == "none"
    assert blocks.block_stranger(partitions.Listed(("n[3-5]",), ("n[1-4]",), (4, None), (4, 1))) is None
    assert blocks.block_stranger(partitions.Listed((), ("n[1-4]",), (4,), (4,))) is None


def test_pools_whose_domains_span_servers_need_blocks_for_all_of_them() -> None:
    """36 trays of four GPUs in domains of 72, and 64 servers that are domains of their own."""
    assert blocks.servers_of_domains((36, 64), (4, 8), (72, 8)) == 36
    assert blocks.servers_of_domains((36, 64), (4, 8), (None, 8)) == 0
    assert blocks.blocked_servers((18, 12)) == 30
