"""Names of GPUs as drivers, schedulers, clouds and people write them."""

from __future__ import annotations

import pytest

from designlint.configuration import engine
from designlint.importers.gpus import spellings


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("NVIDIA H200-SXM5-141GB", "h200-sxm"),
        ("NVIDIA Blackwell GPU (GB200)", "gb200"),
        ("NVIDIA Blackwell Ultra GPU (B300-SXM-270GB)", "b300-sxm"),
        ("AMD Instinct MI325X 256GB HBM3E DLC", "mi325x"),
        ("AMD Instinct MI250X (GCD)", "mi250x-gcd"),
        ("NVIDIA A100 - PCIe - 80 GB", "a100-pcie-80gb"),
        ("nvidia_h100_80gb_hbm3", "h100-sxm-80gb"),
        ("nvidia_a100_80gb_pcie", "a100-pcie-80gb"),
        ("tesla_v100-sxm2-32gb", "v100-sxm2-32gb"),
        ("nvidia-h100-mega-80gb", "h100-sxm-80gb"),
        ("NVIDIA H100-SXM5-96GB", None),
        ("a100", None),
        ("NVIDIA A10G", None),
        ("H100 NVL Tensor Core GPU (PCIe)", "h100-nvl-94gb"),
        ("AMD Instinct MI300X-NPS1-SPX-192GB-750W", "mi300x"),
        ("AMD Instinct MI300X-NPS4-CPX-192GB", None),  # a slice of one
        ("NVIDIA GH200 Grace Hopper Superchip 144GB", "gh200-144gb"),
    ],
)
def test_a_name_means_one_entry_or_none(text: str, entry: str | None) -> None:
    catalogued = engine.shipped_engine().vocabulary.catalogue_name
    assert next((one for name in spellings(text) if (one := catalogued("Gpu", name))), None) == entry
