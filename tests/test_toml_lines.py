"""The line of every value of a TOML file, held against what `tomllib` reads."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from designlint.reading import toml

if TYPE_CHECKING:
    from collections.abc import Iterator

KEYS = st.sampled_from(["a", "b-c", '"quo.ted"', "'li#teral'", '"e\\u0073c"', "a . d", "7"])
SCALARS = st.sampled_from(
    [
        "1",
        "true",
        '"x # y"',
        "'[z]'",
        '"a\\"b"',
        '"""one\n# two\n\\""" = [\n"""',
        "'''\n[t]\nx = 1'''",
        "1979-05-27 07:32:00",
    ]
)
GAPS = st.sampled_from(["", " ", "\n", " # note ] }\n\n", "\t"])
ARRAYS = st.builds(
    lambda items, gaps: f"[{gaps}" + f",{gaps}".join(items) + f"{gaps}]",
    st.lists(st.one_of(SCALARS, st.just("[[1], []]"), st.just("{ k = [1, 2], m.n = 'x' }")), max_size=3),
    GAPS,
)
LINES = st.one_of(
    st.builds("{} = {}".format, KEYS, st.one_of(SCALARS, ARRAYS, st.just("{}"))),
    st.builds("[{}]".format, KEYS),
    st.builds("[[{}]] # note".format, KEYS),
    st.sampled_from(["", "# key = 1", "   "]),
)


def paths(value: Any, way: toml.Path = ()) -> Iterator[toml.Path]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in items:
        yield (*way, key)
        yield from paths(one, (*way, key))


@given(st.lists(LINES, max_size=12).map("\n".join))
def test_every_value_has_its_line(text: str) -> None:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    found = toml.lines(text)
    assert set(paths(data)) <= set(found)
    rows = text.split("\n")
    for path, line in found.items():
        if path and isinstance(path[-1], str) and '"' not in rows[line - 1] and "'" not in rows[line - 1]:
            assert path[-1] in rows[line - 1]


def test_lines_are_those_that_a_person_would_point_at() -> None:
    text = 'a = 1\n[t]\n"x/y" = {level = "e", reason = "r"}\nl = [\n  "one", # ]\n  "two",\n]\n[[o]]\np = 1\n[[o]]\np = 2\n'
    found = toml.lines(text)
    wanted = {("a",): 1, ("t", "x/y", "reason"): 3, ("t", "l", 1): 6, ("o", 0, "p"): 9, ("o", 1): 10, ("o", 1, "p"): 11}
    assert {path: found[path] for path in wanted} == wanted
