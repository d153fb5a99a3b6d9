"""What people install: shells complete values, the container's steps work, the version and the addresses stand in one place."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pip
import pytest

from designlint import __version__
from tests.running import BAD, ROOT, designlint, surroundings
from tests.test_ci import Runner, action

#: What is typed, and what a shell must offer for it.
TYPED = {
    "designlint expl": "explain",
    "designlint explain network/leaf-over": "network/leaf-oversubscribed",
    "designlint check --format sar": "sarif",
    "designlint check --select mem": "memory",
    "designlint check --ignore compute/deadline-mi": "compute/deadline-missed",
    "designlint catalog connectx-": "connectx-7",
    "designlint vocabulary Targ": "Targets",
    "designlint vocabulary global_b": "global_batch",
    "designlint plan --gpu h10": "h100",
    "designlint plan --model llama-3.1-4": "llama-3.1-405b",
    "designlint graph x.yaml --figure fab": "fabric",
    "designlint rules --topic opt": "optics",
    "designlint why x.yaml memory/need": "memory/need-beyond-gpu",
    "designlint export x.yaml --to topology-b": "topology-block",
    "designlint import --format megatron-": "megatron-yaml",
    "designlint coverage --profile train": "training-run",
    "designlint report --profile train": "training-run",
}
#: A command, a value and an option's value: the program answers every shell alike, so real shells are asked these.
FEW = dict(islice(TYPED.items(), 3))


def completion(shell: str) -> str:
    run = designlint("completion", shell)
    assert run.code == 0
    return run.out


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment with a `designlint` on its path."""
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "designlint"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m designlint "$@"\n', "utf-8")
    program.chmod(0o755)
    return surroundings() | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


BASH = """\
source "$1"
line="$2"
COMP_WORDS=($line); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE="$line"; COMP_POINT=${#line}
FUNCTION=$(complete -p designlint | sed "s/.*-F \\([^ ]*\\).*/\\1/")
"$FUNCTION" designlint "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize(("line", "wanted"), TYPED.items())
def test_values_are_completed(line: str, wanted: str) -> None:
    number = str(len(line.split()) - 1)
    done = designlint(_DESIGNLINT_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=number)
    assert wanted in done.out.split()


@pytest.mark.parametrize(("line", "wanted"), FEW.items())
def test_bash_completes_values(line: str, wanted: str, path: dict[str, str], tmp_path: Path) -> None:
    script = tmp_path / "completion.bash"
    script.write_text(completion("bash"), "utf-8")
    done = subprocess.run(
        ["bash", "-c", BASH, "bash", script, line], env=path, capture_output=True, text=True, check=True
    )
    assert wanted in done.stdout.split()


def test_fish_completes_values(path: dict[str, str], tmp_path: Path) -> None:
    if shutil.which("fish") is None:
        pytest.skip("completion in fish is left out: fish is not installed")
    script = tmp_path / "completion.fish"
    script.write_text(completion("fish"), "utf-8")
    asked = "; ".join(f"echo '> {line}'; complete --do-complete '{line}'" for line in FEW)
    command = ["fish", "--no-config", "-c", f"source {script}; {asked}"]
    done = subprocess.run(command, env=path | {"HOME": str(tmp_path)}, capture_output=True, text=True, check=True)
    answers = {one.partition("\n")[0]: one.split() for one in done.stdout.split("> ")[1:]}
    assert {line: wanted for line, wanted in FEW.items() if wanted not in answers[line]} == {}


#: A zsh at a terminal of its own, in which the lines are typed, each with a tab; it ends where a line is not completed.
ZSH = """\
zmodload zsh/zpty
zpty shell 'TERM=dumb zsh -f -i'
zpty -w shell "PS1='REA''DY>'; autoload -Uz compinit; compinit -u -D; source $1; LISTMAX=0; bindkey '^U' kill-whole-line"
zpty -r shell answer '*READY>*'
while read -r line wanted; do
  zpty -w -n shell "${line//\\~/ }"$'\\t'
  zpty -r shell answer "*$wanted*" && print -r -- "$wanted"
  zpty -w -n shell $'\\x15'
done
zpty -d shell
"""


def test_zsh_completes_values(path: dict[str, str], tmp_path: Path) -> None:
    if shutil.which("zsh") is None:
        pytest.skip("completion in zsh is left out: zsh is not installed")
    script = tmp_path / "_designlint"
    script.write_text(completion("zsh"), "utf-8")
    typed = "".join(f"{line.replace(' ', '~')} {wanted}\n" for line, wanted in FEW.items())
    command = ["zsh", "-f", "-c", ZSH, "zsh", str(script)]
    done = subprocess.run(
        command,
        env=path | {"HOME": str(tmp_path)},
        input=typed,
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    assert done.stdout.split() == list(FEW.values())


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert json.loads((ROOT / "editors/vscode/package.json").read_text("utf-8"))["version"] == "0.0.0"
    assert set(project["project"]["urls"]) >= {"Homepage", "Documentation"}
    for file in ("Containerfile", "mkdocs.yml", "action.yml"):
        assert __version__ not in (ROOT / file).read_text("utf-8")


def test_every_released_heading_has_a_day() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert [
        one for one in headings[1:] if not re.fullmatch(r"\d+\.\d+\.\d+ \((\d{4}-\d\d-\d\d|not tagged)\)", one)
    ] == []


#: A step of the container that would make a user of this machine.
USERS = "useradd "


#: What installs, in the environment of each stage as it is in its image.
PIP = Path(pip.__file__).parent
#: Designs that an installation must judge as the checkout does.
INSTALLED = ("hawk-4096", "impossible-1t", "ten-lines")


class Stage(NamedTuple):
    """
    A stage of the container.

    Attributes:
        home: the environment that it installs into.
        around: what its processes see.
        wheels: a folder with the wheel of designlint that was built.
    """

    home: Path
    work: Path
    around: dict[str, str]
    wheels: Path

    def run(self, *command: str | Path) -> str:
        """What a command printed that has to succeed."""
        done = subprocess.run(
            command, cwd=self.work, env=self.around, capture_output=True, text=True, check=False, input=""
        )
        assert done.returncode == 0, f"{command}: {done.stderr}"
        return done.stdout


@pytest.fixture(scope="module")
def container(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """The last stage, each made in a folder and an environment of its own: what is copied builds wheels, which are installed."""
    folder = tmp_path_factory.mktemp("container")
    wheels, wheel = folder / "wheels", folder / "wheel"
    text = (ROOT / "Containerfile").read_text("utf-8")
    for number, steps in enumerate(re.split(r"^FROM .+$", text, flags=re.MULTILINE)[1:]):
        home, work = folder / f"home{number}", folder / f"work{number}"
        venv.create(home, system_site_packages=False)
        next(home.glob("lib/python*/site-packages")).joinpath("pip").symlink_to(PIP)
        work.mkdir()
        bare = {"PATH": f"{home / 'bin'}:/usr/bin:/bin", "HOME": str(work), "PACKAGES": "", "DESIGNLINT_CACHE_DIR": ""}
        bare |= {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}
        stage = Stage(home, work, bare, wheel)
        for word, rest in re.findall(r"^(COPY|RUN) (.+)$", steps, re.MULTILINE):
            if word == "COPY" and not rest.startswith("--from"):
                *names, target = rest.split()
                for name in names:
                    place = work / target if (ROOT / name).is_dir() else work / name
                    (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, place)
            elif word == "RUN" and not rest.startswith(USERS):
                stage.run("sh", "-c", rest.replace("/wheels", str(wheels)))
        if not number:
            shutil.copytree(wheels, wheel, ignore=lambda _, names: [one for one in names if "designlint" not in one])
    assert not wheels.exists(), "the wheels stay in the image"
    return stage


def test_the_steps_of_the_container_work(container: Stage) -> None:
    text = (ROOT / "Containerfile").read_text("utf-8")
    shutil.copy(ROOT / "examples/ten-lines/design.yaml", container.work / "design.yaml")
    (entry,) = json.loads(re.findall(r"^ENTRYPOINT (.+)$", text, re.MULTILINE)[0])
    for arguments in (
        json.loads(re.findall(r"^CMD (.+)$", text, re.MULTILINE)[0]),
        ["what-if", "design.yaml", "--sweep", "nodes/train/count=2,4"],
        ["vocabulary"],
        ["report", "design.yaml", "-o", "report.html"],
        ["mcp"],
    ):
        container.run(container.home / "bin" / entry, *arguments)


def test_the_action_installs_itself_and_no_module_of_the_checkout(container: Stage, tmp_path: Path) -> None:
    """From the wheel that was built of the checkout's folder, which the action names."""
    runner = Runner(tmp_path)
    for name in ("venv", "pip", "designlint", "yaml"):
        (runner.work / f"{name}.py").write_text("raise SystemExit('a module of the checkout was run')\n", "utf-8")
    (runner.work / "design.yaml").write_bytes(BAD)
    install, check = action()["runs"]["steps"]
    assert install["env"]["SOURCE"] == "${{ github.action_path }}"
    install["env"]["SOURCE"] = str(next(container.wheels.glob("*.whl")))
    installed = runner.run(install, python=sys.executable)
    assert installed.returncode == 0, installed.stderr
    assert str(runner.temp) in runner.environment.read_text("utf-8")
    assert runner.run(check).returncode == 1


def test_what_is_installed_finds_the_same(container: Stage, tmp_path: Path) -> None:
    for name in INSTALLED:
        for folder in (container.work, tmp_path):
            shutil.copy(ROOT / "examples" / name / "design.yaml", folder / f"{name}.yaml")
        for arguments in (
            ["check", f"{name}.yaml", "--format", "json", "--fail-on", "never"],
            ["report", f"{name}.yaml", "--format", "json", "--today", "2026-11-20"],
        ):
            installed = container.run(container.home / "bin/designlint", *arguments)
            assert installed == designlint(*arguments, cwd=tmp_path).out
    explained = container.run(container.home / "bin/designlint", "explain", "memory/need-beyond-gpu")
    assert explained == designlint("explain", "memory/need-beyond-gpu").out


def test_a_built_container_checks_a_design(tmp_path: Path) -> None:
    builder = next((one for one in ("podman", "buildah", "docker") if shutil.which(one)), None)
    if builder is None or os.environ.get("DESIGNLINT_CONTAINER") != "1":
        pytest.skip(
            "the container is not built: set DESIGNLINT_CONTAINER=1 where a builder and its base image are at hand"
        )
    subprocess.run([builder, "build", "-t", "designlint-test", "-f", "Containerfile", "."], cwd=ROOT, check=True)
    shutil.copy(ROOT / "examples/ten-lines/design.yaml", tmp_path / "design.yaml")
    done = subprocess.run(
        [builder, "run", "--rm", "-v", f"{tmp_path}:/designs:ro", "designlint-test", "check", "."], check=False
    )
    assert done.returncode == 0


def test_the_editor_extension_is_built_and_tested() -> None:
    folder = ROOT / "editors/vscode"
    if shutil.which("npm") is None or not (folder / "node_modules").is_dir():
        pytest.skip("the extension is not tested: run `npm ci` in editors/vscode first")
    for script in ("test", "build"):
        done = subprocess.run(["npm", "run", script], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
