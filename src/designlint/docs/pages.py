"""Every generated file of the repository and its text; `make docs` writes them, a test compares them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from designlint import engine
from designlint.compliance.schema import of_compliance
from designlint.docs import config_schema, rdf, reference, rules, schema

if TYPE_CHECKING:
    from pathlib import Path


def pages() -> dict[str, str]:
    """Text by path from the root of the repository."""
    loaded = engine.shipped()
    vocabulary = loaded.vocabulary
    return {
        "ontology/generated/design.schema.json": _json(schema.of_design(vocabulary)),
        "ontology/generated/report.schema.json": _json(schema.of_report()),
        "ontology/generated/changes.schema.json": _json(schema.of_changes()),
        "ontology/generated/config.schema.json": _json(config_schema.of_config()),
        "ontology/generated/compliance.schema.json": _json(of_compliance()),
        "ontology/generated/context.jsonld": _json(rdf.context(vocabulary)),
        "ontology/generated/shapes.ttl": rdf.shapes(vocabulary),
        "docs/reference/vocabulary.md": reference.vocabulary_page(vocabulary),
        "docs/reference/catalog.md": reference.catalog_page(vocabulary),
        "docs/rules/README.md": rules.index(loaded.rules),
        **{f"docs/rules/{rule.id}.md": rules.page(rule) for rule in loaded.rules.values()},
    }


def _json(data: Any) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def stale(root: Path) -> list[str]:
    """Generated files that differ from what would be generated now, or that should be gone."""
    made = pages()
    differing = [
        name for name, text in made.items() if not (root / name).is_file() or (root / name).read_text("utf-8") != text
    ]
    left = [path.relative_to(root).as_posix() for path in (root / "docs" / "rules").rglob("*.md")]
    return sorted([*differing, *(name for name in left if name not in made)])


def write(root: Path) -> list[str]:
    """Bring every generated file up to date; the paths that changed."""
    made, changed = pages(), stale(root)
    for name in changed:
        path = root / name
        if name in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(made[name], "utf-8")
        else:
            path.unlink()
    return changed
