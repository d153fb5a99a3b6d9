"""What is known of tools: the lists of their keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from designlint.importers.defaults import FOLDERS
from designlint.language import resources

if TYPE_CHECKING:
    from pathlib import Path

FILES = sorted(file for folder in FOLDERS for file in resources.ontology(folder).glob("*.yaml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_key_is_listed_once(file: Path) -> None:
    """YAML makes truth values of `on` and `no`; a name beside its own beginning is never looked at."""
    for names in (value for value in yaml.safe_load(file.read_text()).values() if isinstance(value, list)):
        assert [one for one in names if not isinstance(one, str)] == []
        assert len(names) == len(set(names))
        beginnings = [one[:-1] for one in names if one.endswith("*")]
        assert [one for one in names for start in beginnings if one != f"{start}*" and one.startswith(start)] == []
