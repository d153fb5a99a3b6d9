"""Libraries that every run imports: what waits in them does what it would have done."""

from __future__ import annotations

import re
import subprocess
import sys
from types import ModuleType

from designlint.cli.shared.imported import LATE, LateModule, LatePattern, libraries


def test_an_expression_that_waits_matches_as_one_that_does_not() -> None:
    assert LatePattern(r"\d+").sub("n", "a12b3") == "anbn"
    assert LatePattern("a", re.IGNORECASE).fullmatch("A") is not None
    assert LatePattern("a").fullmatch("A") is None


def test_importing_leaves_python_as_it_was() -> None:
    kept = re.compile, [sys.modules.get(name) for name in ("typing_extensions", *LATE)]
    libraries()
    assert (re.compile, [sys.modules.get(name) for name in ("typing_extensions", *LATE)]) == kept


def test_a_module_that_waits_gives_functions_at_first_and_then_what_the_module_has() -> None:
    late = LateModule("fractions")
    made = late.Fraction
    assert made(1, denominator=2) == 0.5
    late.importing = False
    assert made is not late.Fraction is sys.modules["fractions"].Fraction
    assert not hasattr(late, "__path__")
    assert isinstance(late, ModuleType)


def test_what_waits_in_the_libraries_works_when_it_is_asked() -> None:
    code = (
        "import sys; sys.modules.pop('pathlib', None); from designlint.cli.shared.imported import LATE, libraries\n"
        "libraries(); assert not sys.modules.keys() & set(LATE)\n"
        "import msgspec; from pathlib import Path; import urllib.parse\n"
        "print(Path('/a b').as_uri(), urllib.parse.quote('c d'), msgspec.json.schema(int))\n"
        "print(isinstance(msgspec.inspect.type_info(int), msgspec.inspect.IntType))\n"
        "import msgspec.inspect; print(msgspec.inspect is sys.modules['msgspec.inspect'])\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert ran.stdout == "file:///a%20b c%20d {'type': 'integer'}\nTrue\nTrue\n"
