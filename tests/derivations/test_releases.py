"""What a framework refuses together, and what a release of it does not have yet; releases are Megatron Core's."""

from __future__ import annotations

from typing import Any

import pytest

from designlint.derivations.workload.releases import (
    DEGREES,
    Uses,
    open_pairs,
    refused_pairs,
    refused_together,
    release_is_newer,
    release_series,
    unreleased_features,
)

FEATURES = "latent attention 0.10; multi-token prediction 0.12; uneven first and last stages 0.9"
NOTHING: dict[str, Any] = dict.fromkeys(Uses.__struct_fields__)


def late(version: str, **words: Any) -> str | None:
    return unreleased_features(version, FEATURES, Uses(**NOTHING | words))


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("0.9.0", "latent attention (0.10)"),  # 0.9 comes before 0.10
        ("0.10", ""),
        ("0.10.0rc1", ""),
        ("core_r0.9.0", "latent attention (0.10)"),
        ("v1.0", ""),
        ("d98e8a64dd", None),
        ("25.04-alpha", ""),
    ],
)
def test_versions_compare_by_their_numbers(version: str, expected: str | None) -> None:
    assert late(version, attention="mla") == expected


def test_only_what_the_design_uses_is_asked_for() -> None:
    assert late("0.4", attention="gqa", multi_token_prediction_layers=0) == ""
    assert late("0.11", multi_token_prediction_layers=1) == "multi-token prediction (0.12)"


def test_either_end_makes_stages_uneven_even_without_layers() -> None:
    assert late("0.9", first_stage_layers=0) == ""
    assert late("0.8", last_stage_layers=0) == "uneven first and last stages (0.9)"


def test_features_without_a_known_first_release_are_not_judged() -> None:
    assert late("0.1", expert=8, mode="asynchronous") == ""


@pytest.mark.parametrize(("router", "expected"), [("fp32", ""), ("fp64", "a number format of the router (0.12)")])
def test_the_format_that_a_router_has_by_default_asks_for_nothing(router: str, expected: str) -> None:
    features = "a number format of the router 0.12"
    assert unreleased_features("0.11", features, Uses(**NOTHING | {"router": router, "expert": 8})) == expected


@pytest.mark.parametrize(
    ("words", "feature"),
    [
        ({"matmul": "mxfp8", "mamba_layers": 28}, "Mamba layers in FP8"),
        ({"matmul": "fp8", "expert": 8}, "experts in FP8"),
        ({"capacity_factor": 1.0}, "experts with a capacity"),
        ({"expert": 8, "sharding_group": 64}, "sharding groups beside experts"),
        ({"moment_bytes": 2}, "moments of two bytes"),
        ({"matmul": "nvfp4"}, "multiplications in NVFP4"),
        ({"optimizer": "muon"}, "Muon"),
        ({"kv_heads": 4, "tensor": 8}, "fewer KV heads than tensor ranks"),
    ],
)
def test_features_come_of_several_words(words: dict[str, Any], feature: str) -> None:
    assert Uses(**NOTHING | words).features()[feature]
    for name in words:
        assert not Uses(**NOTHING | words | {name: None}).features()[feature]


@pytest.mark.parametrize(
    ("version", "series", "newer"),
    [("0.9.0", "0.9", False), ("core_v0.14.0rc2", "0.14", False), ("0.17", "0.17", True), ("1.0.0", "1.0", True)],
)
def test_a_release_belongs_to_a_series(version: str, series: str, newer: bool) -> None:
    assert release_series(version) == series
    assert release_is_newer(series, "0.9, 0.14, 0.16") is newer


def test_a_commit_belongs_to_no_series() -> None:
    assert release_series("d98e8a64dd") is None


REFUSALS = "expert parallelism + FP16: 0.4 to 0.15; Muon + FP16: from 0.16; tied embeddings + a pipeline"


@pytest.mark.parametrize(
    ("version", "refused", "left"),
    [("0.15.3", 1, 0), ("core_v0.16.0", 0, 0), ("0.3.0", 0, 0), (None, 0, 1), ("d98e8a64dd", 0, 1)],
)
def test_a_pair_is_refused_by_the_releases_that_are_known_to(version: str | None, refused: int, left: int) -> None:
    uses = Uses(**NOTHING | {"expert": 8, "matmul": "fp16", "tied_embeddings": False})
    assert (refused_pairs(refused_together(REFUSALS, version, uses)), open_pairs(REFUSALS, version, uses)) == (
        refused,
        left,
    )


def test_a_pair_that_newer_releases_refuse_is_refused_where_the_release_is_open() -> None:
    uses = Uses(**NOTHING | {"optimizer": "muon", "matmul": "fp16", "tied_embeddings": False})
    assert refused_together(REFUSALS, None, uses) == "Muon with FP16 (from 0.16)"
    assert refused_together(REFUSALS, "0.15", uses) == ""


@pytest.mark.parametrize(("tied", "pipeline", "left"), [(None, 2, 1), (None, 1, 0), (True, 2, 0), (False, 2, 0)])
def test_what_is_open_leaves_the_answer_open_only_where_it_decides(tied: bool | None, pipeline: int, left: int) -> None:
    uses = Uses(**NOTHING | {"tied_embeddings": tied, "pipeline": pipeline})
    assert open_pairs(REFUSALS, None, uses) == left
    assert bool(refused_together(REFUSALS, None, uses)) is (tied is True)


@pytest.mark.parametrize("degree", DEGREES)
def test_more_of_a_degree_never_makes_features_fewer(degree: str) -> None:
    """Whatever the design leaves out counts as 1, so that what is refused at 1 is refused whatever it may still state."""
    words = {"kv_heads": 4, "context_method": "ring", "matmul": "fp8", "router": "fp64"}
    less, more = (Uses(**NOTHING | words | {"expert": 2} | {degree: n}).features() for n in (1, 8))
    assert all(more[name] for name, asked in less.items() if asked)
    assert more != less
