"""Rule files are YAML that every tool reads: PyYAML without libyaml, and yamllint with the configuration of the repository."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml
from yamllint import linter
from yamllint.config import YamlLintConfig

from designlint.language import resources
from tests.running import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILES = resources.files(resources.rules(), ".yaml")
LINT = YamlLintConfig(file=str(ROOT / ".yamllint"))


def keys(data: Any) -> Iterator[object]:
    """Every key of mappings within mappings and lists."""
    if isinstance(data, dict):
        yield from data
    children = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    for child in children:
        yield from keys(child)


@pytest.mark.parametrize("topic", sorted({path.parent for path in FILES}), ids=lambda topic: topic.name)
def test_any_yaml_tool_reads_the_rules_of_a_topic(topic: Path) -> None:
    for path in (path for path in FILES if path.parent == topic):
        text = path.read_text("utf-8")
        data = yaml.load(text, Loader=yaml.SafeLoader)
        assert data == yaml.load(text, Loader=yaml.CSafeLoader)
        assert [key for key in keys(data) if not isinstance(key, str)] == [], path
        assert [f"{path.name}:{one}" for one in linter.run(text, LINT, str(path.relative_to(ROOT)))] == []
