"""One design: whole processes against yamllint, and how cost grows."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

from designlint.configuration import engine
from tools.bench.designs import broken, design
from tools.bench.measuring import CHECK, DESIGNLINT, LINES, ROOT, YAMLLINT, Row, installed, peak_memory, seconds

if TYPE_CHECKING:
    from pathlib import Path

ORDER = 1


def rows(folder: Path) -> list[Row]:
    """Rows on three designs, on growth, on the start and on memory."""
    texts = {
        "complete": (ROOT / "examples" / "superpod-4su" / "design.yaml").read_text("utf-8"),
        "many": design(LINES),
        "broken": broken(),
        "large": design(4 * LINES),
    }
    files = {name: folder / f"{name}.yaml" for name in texts}
    for name, text in texts.items():
        files[name].write_text(text, "utf-8")
    cfn = shutil.which("cfn-lint")
    commands = {name: [*CHECK, str(file)] for name, file in files.items()}
    program = installed(folder)
    commands |= {f"{name} installed": [program, *CHECK[1:], str(file)] for name, file in files.items()}
    commands |= {f"{name} yamllint": [*YAMLLINT, str(file)] for name, file in files.items()}
    commands |= {f"{name} kept": [DESIGNLINT, "check", str(file)] for name, file in files.items()}
    commands |= {"version": [DESIGNLINT, "--version"], "python": [sys.executable, "-c", "pass"]}
    times = seconds(commands | ({"cfn-lint": [cfn, "--version"]} if cfn else {}))
    made: list[Row] = []
    for name, what, goal in (
        ("complete", "shipped design that states nearly every section", 0.75),
        ("many", "design of some 25 pools and 25 jobs", 1.0),
        ("broken", "design of 25 pools and 25 whole jobs, each with a finding to mend", 1.0),
    ):
        lines = len(texts[name].splitlines())
        head = f"{lines}-line {what}, {len(engine.shipped_engine().rules)} rules, whole process"
        against = f"`yamllint -d relaxed` on the same file (goal at most {goal})"
        made.append((head, "", f"{times[name]:.3f} s"))
        made.append(("the same, ratio", against, f"{times[name] / times[f'{name} yamllint']:.2f}"))
        ratio = times[f"{name} installed"] / times[f"{name} yamllint"]
        made.append(
            ("the same, installed from a wheel: a checkout also looks for changed sources", against, f"{ratio:.2f}")
        )
        made.append(("the same, its report kept before", "", f"{times[f'{name} kept']:.3f} s"))
        if cfn:
            ratio = times[name] / times["cfn-lint"]
            made.append(("the same, ratio", "`cfn-lint --version` (goal at most 0.3)", f"{ratio:.2f}"))
    return [
        *made,
        ("four times the pools and jobs, ratio", "25 of each", f"{times['large'] / times['many']:.2f}"),
        (
            "`designlint --version`, ratio",
            "bare Python (goal at most 1.5)",
            f"{times['version'] / times['python']:.1f}",
        ),
        ("peak memory of checking 25 pools and 25 jobs", "", f"{peak_memory(commands['many']):.0f} MiB"),
    ]
