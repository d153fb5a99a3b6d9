"""Texts of the bundle: read one by one, the same as read all at once, and never those of another bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from designlint.compiler import bundle

if TYPE_CHECKING:
    from pathlib import Path


def test_texts_read_one_by_one_are_those_of_the_file() -> None:
    data = (bundle._home() / bundle.TEXTS).read_bytes()
    whole, found = msgspec.json.decode(data), bundle.Closed(data)
    assert list(found) == list(whole)
    assert found["rules"].keys() == whole["rules"].keys()
    assert all(found["rules"][name] == one for name, one in whole["rules"].items())
    assert {name: found[name] for name in found if name != "rules"} | {"rules": whole["rules"]} == whole


def test_a_text_that_is_not_asked_for_is_not_decoded() -> None:
    found = bundle.Closed(b'{"rules": {"one": {"title": "a"}, "two": {"title": "b"}}}')["rules"]
    assert found["one"] == {"title": "a"}
    assert found["one"] is found["one"]
    assert isinstance(found._values["two"], msgspec.Raw)
    assert found.get("three") is None


@pytest.mark.parametrize("data", [None, b"", b"{", b"[]", b'{"stamp": "of another"}', b'{"rules": {}}'])
def test_texts_of_another_bundle_are_compiled_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes | None
) -> None:
    anew: tuple[dict[str, Any], dict[str, Any]] = {}, {"stamp": "anew"}
    bundle.load()
    monkeypatch.setattr(bundle, "_home", lambda: tmp_path)
    monkeypatch.setattr(bundle, "_compile_bundle", lambda: anew)
    if data is not None:
        (tmp_path / bundle.TEXTS).write_bytes(data)
    assert bundle.texts.__wrapped__() is anew[1]
