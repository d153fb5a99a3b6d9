"""Templates: files that are not what they will say. They are refused whole, with the way to render them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from designlint.importers.base import ImportRefusal

if TYPE_CHECKING:
    from designlint.importers.base import Source


class Language(NamedTuple):
    """A template language: what betrays it, and what renders it."""

    name: str
    marks: re.Pattern[str]
    render: str


#: The order matters: what only one language writes stands first.
LANGUAGES = (
    Language(
        "Go template (Helm)",
        re.compile(r"\{\{-?\s*(?:\.(?:Values|Release|Chart|Files|Capabilities)\b|(?:include|template|define|range|toYaml|with|end|if|else)\b(?![^}\n]{0,200}%\}))"),
        "render it with `helm template` and import the output",
    ),
    Language(
        "Terraform template",
        re.compile(r"%\{\s*(?:if|for|else|endif|endfor)\b[^}]{0,500}\}"),
        "render it with `templatefile()` in `terraform console` and import the output",
    ),
    Language(
        "Jinja",
        re.compile(r"\{%-?\s*\w+|\{\{[^{}\n]{0,500}\}\}|\{#[^\n]{0,200}?#\}"),
        "render it (Ansible: `ansible-playbook --check --diff`; else `jinja2`) and import the output",
    ),
)  # fmt: skip

#: Brackets of other languages that look like a template: shell's `${#array}`, awk's and Python's braces, GitHub's `${{ }}`,
#: CloudFormation's `{{resolve:...}}`.
HARMLESS = re.compile(r"\$\{\{|\$\{#|.?\{\{resolve:")

#: Characters of a quoted format before its braces.
LONGEST_FORMAT = 400
#: A format in quotes that a command is given, such as `docker ps --format '{{.ID}}'` or `kubectl get -o go-template='...'`.
FORMATTED = re.compile(r"""(?:--format|--(?:\w+[-_])*template|go-template|jsonpath|(?<!\w)-f)[ =]*['"][^'"]*\Z""")

#: A value that another program reads as its template, such as `chat_template` of a tokenizer.
TEMPLATE_KEY = re.compile(r"""\s*(?:- |export )?["']?\w*template["']?\s*[:=]""", re.IGNORECASE)

#: The text of another file, or another program's template, inside a YAML file: its braces are its own.
CONTENT = re.compile(
    r"^([ ]*)(?:- )?(?:content|\w*template):[ ]*[|>][-+0-9]*[ ]*(?:#[^\n]*)?\r?\n((?:(?:\1[ ]+[^\n]*|[ \r]*)(?:\n|\Z))*)",
    re.MULTILINE,
)


def refuse_templates(source: Source) -> None:
    """Raises Refusal where the file is a template, at the first line that shows it."""
    if "{{" not in source.text and "{%" not in source.text and "%{" not in source.text:
        return
    others = [found.span(2) for found in CONTENT.finditer(source.text)]
    for language in LANGUAGES:
        for found in language.marks.finditer(source.text):
            inside = any(start <= found.start() < end for start, end in others)
            if not inside and not _harmless(source.text, found):
                _refuse(source, language, found)


def _refuse(source: Source, language: Language, found: re.Match[str]) -> None:
    line = source.line_of(found.start())
    text = " ".join(found[0].split())[:40]
    raise ImportRefusal(
        f"it is a template ({language.name}): line {line} holds `{text}`", line, f"Instead, {language.render}."
    )


def _harmless(text: str, found: re.Match[str]) -> bool:
    """Whether the brackets belong to the shell, to a comment, or to a quoted format such as `docker --format '{{.ID}}'`."""
    start = found.start()
    if HARMLESS.match(text, max(0, start - 1)):
        return True
    line = text[text.rfind("\n", 0, start) + 1 : start]
    quoted = text[max(0, start - LONGEST_FORMAT) : start]
    if TEMPLATE_KEY.match(line):
        return True
    return line.lstrip().startswith("#") or "--format" in line or FORMATTED.search(quoted) is not None


#: Keys that the values of a chart have at the top, by the habit of `helm create`.
VALUES = re.compile(r"^(?:replicaCount:|image:[ ]*\n[ ]+repository:|image:[ ]*\{[ ]*repository:)", re.MULTILINE)


#: How a block of a Terraform module begins.
MODULE = re.compile(
    r'^(?:resource|module|variable|provider|terraform|data|locals|output)(?:[ ]+"[^"\n]*"){0,2}[ ]*\{', re.MULTILINE
)


#: What every object of Kubernetes states.
KIND, API = (
    re.compile(r"^kind:[ \t]*([A-Z]\w+)[ \t]*$", re.MULTILINE),
    re.compile(r"^apiVersion:[ \t]*\S", re.MULTILINE),
)


def refuse_modules(source: Source) -> None:
    """Raises Refusal where a file of no known format is a Terraform module: what it makes depends on its variables."""
    found = MODULE.search(source.text[:200_000])
    if found is not None:
        line = source.line_of(found.start())
        why = f"it is a Terraform module: line {line} holds `{found[0].rstrip(' {')[:40]}`"
        raise ImportRefusal(why, line, "Import its variables (`*.tfvars`), or the configuration that Terraform writes.")


def refuse_values(source: Source) -> None:
    """Raises Refusal where a file of no known format is what a Helm chart is filled with."""
    if not source.file.endswith((".yaml", ".yml")):
        return
    beside = source.path.name.startswith("values") and (source.path.parent / "Chart.yaml").is_file()
    found = VALUES.search(source.text[:200_000])
    if beside or found is not None:
        line = source.line_of(found.start()) if found is not None else 1
        remedy = f"Render the chart with `helm template CHART -f {source.path.name}` and import the output."
        raise ImportRefusal(
            "it holds the values of a Helm chart, not the manifests that the chart makes of them", line, remedy
        )


def refuse_services(source: Source) -> None:
    """Raises Refusal where a file of no known format is a manifest of Kubernetes none of whose objects is a job."""
    found = KIND.search(source.text[:200_000])
    if found is not None and API.search(source.text[:200_000]):
        why = f"it is a manifest of Kubernetes, but its {found[1]} is neither a job that trains nor one of Kueue's objects"
        raise ImportRefusal(why, source.line_of(found.start()), "Import the manifests of jobs and queues.")
