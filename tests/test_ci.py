"""The GitHub action and the GitLab job: valid by the services' own schemas, their scripts run as a runner runs them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml

from tests.running import BAD, ROOT

SCHEMAS = ROOT / "tests" / "schemas"
EXPRESSION = re.compile(r"\$\{\{\s*([\w.]+)\s*\}\}")
GOOD = BAD.replace(b"16", b"8")


def action() -> Any:
    return yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))


def documented(name: str) -> Any:
    """The YAML file of this name that the page on CI shows."""
    page = (ROOT / "docs" / "ci.md").read_text("utf-8")
    return yaml.safe_load(re.search(rf"```yaml\n# {re.escape(name)}\n(.*?)```", page, re.DOTALL)[1])  # type: ignore[index]


class Runner:
    """A GitHub runner, as far as a composite action sees it."""

    def __init__(self, folder: Path) -> None:
        self.work, self.temp = folder / "work", folder / "temp"
        self.summary, self.environment = self.temp / "summary", self.temp / "environment"
        for place in (self.work, self.temp):
            place.mkdir()
        for file in (self.summary, self.environment):
            file.touch()

    def run(self, step: Any, **inputs: str) -> subprocess.CompletedProcess[str]:
        """Run a step with what it reads, its expressions filled in."""
        given = {f"inputs.{name}": inputs.get(name, one["default"]) for name, one in action()["inputs"].items()}
        given["github.action_path"] = str(ROOT)
        env = {name: EXPRESSION.sub(lambda one: given[one[1]], text) for name, text in step["env"].items()}
        kept = dict(line.split("=", 1) for line in self.environment.read_text("utf-8").splitlines())
        own = {"RUNNER_TEMP": self.temp, "GITHUB_STEP_SUMMARY": self.summary, "GITHUB_ENV": self.environment}
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.work,
            env={
                **os.environ,
                "GITHUB_ACTIONS": "true",
                **{name: str(one) for name, one in own.items()},
                **kept,
                **env,
            },
            capture_output=True,
            text=True,
            check=False,
        )


def test_the_action_is_valid_and_no_input_becomes_a_script() -> None:
    jsonschema_rs.validate(json.loads((SCHEMAS / "github-action.json").read_text("utf-8")), action())
    steps = action()["runs"]["steps"]
    assert [step["name"] for step in steps if "uses" in step or EXPRESSION.search(step["run"])] == []
    table = (ROOT / "docs" / "ci.md").read_text("utf-8")
    assert [name for name in action()["inputs"] if f"| `{name}` |" not in table] == []
    workflow = documented(".github/workflows/designs.yml")
    assert set(workflow["jobs"]["designlint"]["steps"][1]["with"]) <= set(action()["inputs"])


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """A runner on which designlint is installed."""
    made = Runner(tmp_path)
    made.environment.write_text(f"DESIGNLINT={Path(sys.executable).parent / 'designlint'}\n", "utf-8")
    return made


def test_the_action_annotates_and_fails(runner: Runner) -> None:
    check = action()["runs"]["steps"][1]
    (runner.work / "bad.yaml").write_bytes(BAD)
    (runner.work / "a good one.yaml").write_bytes(GOOD)
    (runner.work / "--fail-on=never").write_bytes(BAD)
    done = runner.run(check, sarif="out.sarif")
    assert done.returncode == 1, done.stderr
    assert "::error file=bad.yaml,line=6,endLine=6,col=27" in done.stdout
    assert "tensor-beyond-scale-up-domain" in runner.summary.read_text("utf-8")
    assert json.loads((runner.work / "out.sarif").read_text("utf-8"))["version"] == "2.1.0"
    assert runner.run(check, paths="a good one.yaml\n").returncode == 0
    assert runner.run(check, paths="a good one.yaml\n--fail-on=never").returncode == 1
    assert runner.run(check, paths="bad.yaml", arguments="--fail-on=never").returncode == 0
    harmless = runner.run(check, paths='a good one.yaml\n$(touch hit)`touch hit`"; touch hit; "')
    assert harmless.returncode == 2
    assert not (runner.work / "hit").exists()


def test_the_job_for_gitlab_is_valid_and_writes_its_reports(tmp_path: Path) -> None:
    job = documented(".gitlab-ci.yml")
    schema = json.loads((SCHEMAS / "gitlab-ci.json").read_text("utf-8"))
    jsonschema_rs.validate(schema, job)
    (tmp_path / "design.yaml").write_bytes(BAD)
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "pip").write_text("#!/bin/sh\n", "utf-8")  # designlint is installed already
    (tools / "pip").chmod(0o755)
    path = os.pathsep.join((str(tools), str(Path(sys.executable).parent), os.environ["PATH"]))
    script = "\n".join(job["designlint"]["script"])
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    for report in job["designlint"]["artifacts"]["reports"].values():
        assert "tensor-beyond-scale-up-domain" in (tmp_path / report).read_text("utf-8")


def test_hooks_and_action_install_what_reads_scripts() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    needed = set(project["project"]["optional-dependencies"]["jobs"])
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert [one["id"] for one in hooks if set(one["additional_dependencies"]) != needed] == []
    assert '"$SOURCE[jobs]"' in action()["runs"]["steps"][0]["run"]
