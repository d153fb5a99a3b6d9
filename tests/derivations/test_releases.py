"""What a release of a framework does not have yet; first releases are those of Megatron Core's changelog."""

from __future__ import annotations

from typing import Any

import pytest

from designlint.derivations.workload.releases import Uses, release_is_newer, release_series, unreleased_features

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
    assert feature in Uses(**NOTHING | words).features()
    for name in words:
        assert feature not in Uses(**NOTHING | words | {name: None}).features()


@pytest.mark.parametrize(
    ("version", "series", "newer"),
    [("0.9.0", "0.9", False), ("core_v0.14.0rc2", "0.14", False), ("0.17", "0.17", True), ("1.0.0", "1.0", True)],
)
def test_a_release_belongs_to_a_series(version: str, series: str, newer: bool) -> None:
    assert release_series(version) == series
    assert release_is_newer(series, "0.9, 0.14, 0.16") is newer


def test_a_commit_belongs_to_no_series() -> None:
    assert release_series("d98e8a64dd") is None
