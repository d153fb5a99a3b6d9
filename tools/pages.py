"""
Everything that is generated: the files of the repository, which `make docs` writes and a test compares, and the pages of
the site, which no file holds.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from designlint.compiler import examples, rule_files
from designlint.configuration import engine
from designlint.documentation import config_schema, language, rdf, rules, schema
from designlint.language import resources
from designlint.planning import data
from designlint.report.schema import of_compliance
from tools import sections

if TYPE_CHECKING:
    from pathlib import Path

    from designlint.compiler.rule_files import RuleSource
    from designlint.rules.engine import Engine


def pages() -> dict[str, str]:
    """Text by path from the root of the repository."""
    vocabulary = engine.shipped_engine().vocabulary
    return {
        "ontology/generated/design.schema.json": _json(schema.of_design(vocabulary)),
        "ontology/generated/report.schema.json": _json(schema.of_report()),
        "ontology/generated/changes.schema.json": _json(schema.of_changes()),
        "ontology/generated/config.schema.json": _json(config_schema.of_config()),
        "ontology/generated/compliance.schema.json": _json(of_compliance()),
        "ontology/generated/plan.schema.json": _json(data.schema()),
        "ontology/generated/context.jsonld": _json(rdf.context(vocabulary)),
        "ontology/generated/shapes.ttl": rdf.shapes(vocabulary),
    }


def site() -> dict[str, str]:
    """The generated pages of the site, in Markdown, by path: the rules, the design language, the catalogue."""
    loaded = engine.shipped_engine()
    return {
        "reference/vocabulary.md": language.vocabulary_page(loaded.vocabulary),
        **{
            f"reference/{word.name}.md": language.section_page(
                loaded.vocabulary, word, sections.example(word, loaded.vocabulary)
            )
            for word in language.sections(loaded.vocabulary)
        },
        "reference/catalog.md": language.catalog_page(loaded.vocabulary),
        "rules/index.md": rules.index(loaded.rules),
        **{f"rules/{source.id}.md": _page(source, loaded) for source in rule_files.in_folder(resources.rules())},
    }


def _page(source: RuleSource, loaded: Engine) -> str:
    rule = loaded.rules[source.id]
    return rules.page(rule, examples.of_source(source, rule, loaded.vocabulary))


def _json(data: Any) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def stale(root: Path) -> list[str]:
    """Generated files that differ from what would be generated now."""
    return sorted(
        name
        for name, text in pages().items()
        if not (root / name).is_file() or (root / name).read_text("utf-8") != text
    )


def write(root: Path) -> list[str]:
    """Bring every generated file up to date; the paths that changed."""
    made, changed = pages(), stale(root)
    for name in changed:
        (root / name).write_text(made[name], "utf-8")
    return changed
