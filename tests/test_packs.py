"""An organisation's own rules: started, tested, run beside the shipped ones, and refused where wrong or hostile."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.running import BAD, RULE, Run, designlint, surroundings

if TYPE_CHECKING:
    from pathlib import Path


def test_a_new_rule_passes_its_own_examples_and_runs_beside_the_shipped_ones(tmp_path: Path) -> None:
    assert designlint("new", "rule", "house/too-many-tensor-ranks", cwd=tmp_path).code == 0
    assert designlint("new", "rule", "house/too-many-tensor-ranks", cwd=tmp_path).code == 2
    assert designlint("new", "rule", "../escape", cwd=tmp_path).code == 2
    tested = designlint("test", "rules", cwd=tmp_path)
    assert tested.code == 0, tested.out
    assert "3 examples passed, 0 faults" in tested.out
    (tmp_path / "design.yaml").write_bytes(BAD)
    run = designlint("check", "design.yaml", "--rules", "rules", "--format", "json", cwd=tmp_path)
    assert "house/too-many-tensor-ranks" in [one["rule"] for one in run.data["findings"]]


def test_test_finds_an_example_that_lies(tmp_path: Path) -> None:
    designlint("new", "rule", "house/too-many-tensor-ranks", cwd=tmp_path)
    file = tmp_path / "rules/house/too-many-tensor-ranks.yaml"
    file.write_text(file.read_text("utf-8").replace("parallelism: {tensor: 8}", "parallelism: {tensor: 9}"), "utf-8")
    run = designlint("test", "rules", cwd=tmp_path)
    assert run.code == 1
    assert "good example (at the limit): is found at fault" in run.out


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("judge: ?tensor", "judge: ?tensr"), "has no word `tensr`"),
        (("severity: warning", "severity: fatal"), "severity is one of"),
        (("about: Workload", "about: Workloads"), "not a class of the ontology"),
        (("title:", "titel:"), "unknown key `titel`"),
        (("kind: Count", "kind: Number"), "unknown kind"),
        (("?tensor <= ?most", "?tensor <= = ?most"), "judge: `=` where a value is expected"),
        (("?tensor <= ?most", "EXISTS { ?a ?b ?c }"), "a pattern such as EXISTS needs a whole SELECT"),
        (("?tensor <= ?most", "SELECT ?focus WHERE { SERVICE <http://localhost/> { ?a ?b ?c } }"), "own graph only"),
        (("?tensor <= ?most", "SELECT ?focus { ?a ?b 1SERVICE <http://localhost/> { ?a ?b ?c } }"), "own graph only"),
        (("?tensor <= ?most", "SELECT ?focus WHERE { ?focus ?a ?b }"), "the judgement must select ?focus and ?ok"),
        (("?tensor <= ?most", "SELECT ?focus WHERE {"), "the judgement is not valid SPARQL"),
        (("problem: >-\n", "problem: >-\n  With {tensor} ranks. "), "`{tensor}` is no limit of the rule"),
        (
            (
                "judge: ?tensor <= ?most",
                "let: {high: '?high'}\njudge: 'SELECT ?focus (true AS ?ok) { ?focus a :Workload }'",
            ),
            "`let` states `high`, which the query does not select",
        ),
        (("message: ", 'let: {low: "?high", high: "?low"}\nmessage: '), "is computed from itself"),
    ],
)
def test_a_faulty_rule_file_is_named_with_its_line(change: tuple[str, str], words: str, tmp_path: Path) -> None:
    designlint("new", "rule", "house/rule", cwd=tmp_path)
    file = tmp_path / "rules/house/rule.yaml"
    file.write_text(file.read_text("utf-8").replace(*change, 1), "utf-8")
    run = designlint("check", "-", "--rules", "rules", stdin=BAD, cwd=tmp_path)
    assert run.code == 2
    assert words in run.err
    assert "rules/house/rule.yaml:" in run.err


def test_a_folder_of_rules_that_is_not_there_is_no_silent_pass(tmp_path: Path) -> None:
    for arguments in (["check", "-", "--rules", "nowhere"], ["test", "nowhere"]):
        run = designlint(*arguments, stdin=BAD, cwd=tmp_path)
        assert (run.code, run.out) == (2, "")
        assert "nowhere: no such folder of rules" in run.err


@pytest.mark.parametrize(
    "change",
    [
        ('message: "{focus}', 'message: "{focus.__class__}'),
        ('message: "{focus}', 'message: "{focus:>9999999999}'),
        ('message: "{focus}', 'message: "{'),
        ("severity: warning", "severity: [warning]"),
        ("remedy: >-", "fix: {title: x}\nremedy: >-"),
        ("judge: ?tensor <= ?most", "judge: " + "(" * 200 + "?tensor <= ?most" + ")" * 200),
        ("judge: ?tensor <= ?most", "judge: 'SELECT ?focus (3 AS ?ok) WHERE { ?focus a :Workload }'"),
        *(
            ("judge: ?tensor <= ?most", f"judge: 'SELECT ?focus ({one} AS ?ok) WHERE {{ ?focus a :Workload }}'")
            for one in ("RAND() < 2", "strlen(str(now())) > 1", "isIRI(UUID #\n())")
        ),
        ("remedy: >-", "fix: {title: x, remove: [/]}\nremedy: >-"),
        ("remedy: >-", 'fix: {title: x, set: {"topology//spines": "1"}}\nremedy: >-'),
        ("judge: ?tensor <= ?most", "judge: 'SELECT (:x AS ?focus) (true AS ?ok) WHERE { ?w a :Workload }'"),
    ],
)
def test_a_rule_pack_that_is_wrong_or_hostile_is_named(change: tuple[str, str], tmp_path: Path) -> None:
    designlint("new", "rule", "house/rule", cwd=tmp_path)
    file = tmp_path / "rules/house/rule.yaml"
    file.write_text(file.read_text("utf-8").replace(*change, 1), "utf-8")
    run = designlint("check", "-", "--rules", "rules", stdin=BAD, cwd=tmp_path)
    assert run.code == 2, run.out + run.err
    assert "rules/house/rule.yaml" in run.err


def test_what_a_pack_answers_steers_no_terminal(tmp_path: Path) -> None:
    designlint("new", "rule", "house/too-many-tensor-ranks", cwd=tmp_path)
    file = tmp_path / "rules/house/too-many-tensor-ranks.yaml"
    file.write_text(file.read_text("utf-8") + 'refusal: "no \\e[31m more"\n', "utf-8")
    run = designlint("check", "-", "--rules", "rules", stdin=BAD, cwd=tmp_path)
    assert run.out.endswith("no \\u001b[31m more\n")


def test_a_rule_file_beyond_all_bounds_is_never_read_whole(tmp_path: Path) -> None:
    (tmp_path / "rules/house").mkdir(parents=True)
    with (tmp_path / "rules/house/rule.yaml").open("wb") as stream:
        stream.truncate(1 << 40)
    run = designlint("check", "-", "--rules", "rules", stdin=BAD, cwd=tmp_path)
    assert (run.code, "rule.yaml:1: syntax/too-large" in run.err) == (2, True)


#: The command line with other bounds: seconds, MiB.
BOUNDED = """
import sys
from designlint.configuration import foreign
foreign.HANGS, foreign.MEMORY = int(sys.argv[1]), int(sys.argv[2]) << 20
sys.argv = ["designlint", *sys.argv[3:]]
from designlint.cli.main import main
main()
"""
CROSSED = """judge: 'SELECT ?focus
  (COUNT(DISTINCT CONCAT(STR(?a), STR(?b), STR(?c), STR(?d), STR(?e), STR(?f))) > 3 AS ?ok) WHERE {
  ?focus a :Workload . ?a ?p1 ?b . ?c ?p2 ?d . ?e ?p3 ?f . ?g ?p4 ?h } GROUP BY ?focus'
"""
#: A text that doubles with every step.
DOUBLED = "".join(f"BIND(CONCAT(?a{at}, ?a{at}) AS ?a{at + 1}) " for at in range(30))
DOUBLED = f"""judge: 'SELECT ?focus (STRLEN(?a30) > 3 AS ?ok) WHERE {{
  ?focus a :Workload . BIND(STR(?focus) AS ?a0) {DOUBLED} }}'
"""
PATTERN = """
@prefix : <https://w3id.org/designlint/ns#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
<urn:our:A> a sh:NodeShape ; sh:targetClass :NodePool ; sh:property [ sh:path :name ; sh:pattern "^(a+)+$" ] .
"""


def bounded(folder: Path, seconds: int, memory: int, *arguments: str) -> Run:
    (folder / "design.yaml").write_bytes(BAD.replace(b"name: train", b"name: " + b"a" * 40 + b"b"))
    command = [sys.executable, "-c", BOUNDED, str(seconds), str(memory), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=surroundings(), check=False)
    return Run(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder with a design, a pack whose query never ends, and a shape whose pattern never ends."""
    (tmp_path / "pack/house").mkdir(parents=True)
    head, _, rest = RULE.partition("judge: ")
    text = head.replace("NodePool", "Workload") + CROSSED + rest.partition("\n")[2].replace("{count}", "few")
    (tmp_path / "pack/house/rule.yaml").write_text(text, "utf-8")
    (tmp_path / "own.ttl").write_text(PATTERN, "utf-8")
    return tmp_path


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system cannot fork: the process ends itself there")
@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "design.yaml", "--rules", "pack", "--no-cache"),
        ("check", "design.yaml", "--shapes", "own.ttl", "--no-cache"),
        ("report", "design.yaml", "--rules", "pack"),
        ("baseline", "create", "design.yaml", "--rules", "pack"),
        ("diff", "design.yaml", "other.yaml", "--rules", "pack"),
    ],
)
def test_foreign_rules_that_hang_are_ended(arguments: tuple[str, ...], hostile: Path) -> None:
    (hostile / "other.yaml").write_bytes(BAD)
    run = bounded(hostile, 1, 8192, *arguments)
    named = "own.ttl" if "own.ttl" in arguments else "pack"
    assert (run.code, run.out) == (2, "")
    assert f"the rules in {named} take more than 1 seconds" in run.err


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not bound all memory")
def test_foreign_rules_that_fill_the_memory_are_ended(hostile: Path) -> None:
    file = hostile / "pack/house/rule.yaml"
    file.write_text(file.read_text("utf-8").replace(CROSSED, DOUBLED), "utf-8")
    run = bounded(hostile, 60, 400, "check", "design.yaml", "--rules", "pack", "--no-cache")
    assert (run.code, run.out) == (2, "")
    assert "the rules in pack were ended by SIGABRT, perhaps for lack of memory" in run.err
    text = file.read_text("utf-8")
    file.write_text(text.replace("STR(?focus)", '"ab"'), "utf-8")
    run = bounded(hostile, 60, 400, "check", "design.yaml", "--rules", "pack", "--no-cache")
    assert (run.code, run.out, "Traceback" in run.err) == (2, "", False)
    assert "not enough memory" in run.err


def test_runs_without_foreign_rules_stay_in_one_process(tmp_path: Path) -> None:
    forked = BOUNDED.replace("main()\n", "import os\nos.fork = None\nmain()\n")
    (tmp_path / "design.yaml").write_bytes(BAD)
    command = [sys.executable, "-c", forked, "1", "400", "check", "design.yaml", "--no-cache"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, env=surroundings(), check=False).returncode == 1
