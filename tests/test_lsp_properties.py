"""Whatever is being written, wherever the cursor is: the parts of the language server answer and do not fail."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types
from pygls.workspace import PositionCodec

from designlint.configuration import engine
from designlint.editor.actions import same
from designlint.editor.analysis import Analysis, analysis
from designlint.editor.completion import proposals
from designlint.editor.hover import told_at
from designlint.editor.positions import Positions
from designlint.editor.spots import spot_at
from designlint.reading import read_bytes, tree_paths
from tests.running import ROOT

HAWK = (ROOT / "examples/hawk-4096/design.yaml").read_text("utf-8")
SIGNS = st.text(st.sampled_from("{}[]:,-#'\"|>&*!%@ \n\r\t\\a1é𝟙\u2028"), max_size=6)


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, int]:
    """A design with a stretch replaced by signs that mean something, and the offset behind them."""
    start = draw(st.integers(0, len(HAWK)))
    end = min(len(HAWK), start + draw(st.integers(0, 40)))
    signs = draw(SIGNS)
    text = HAWK[:start] + signs + HAWK[end:]
    return (text if draw(st.booleans()) else text[: start + len(signs)]), start + len(signs)


@given(edited())
@settings(max_examples=150, deadline=None)
def test_completion_survives_any_text(given: tuple[str, int]) -> None:
    text, offset = given
    for one in proposals(text, offset, engine.shipped_engine(), None):
        assert one.start <= offset <= one.end
        assert not set("\n\r") & set(text[one.start : one.end])


@cache
def hawk() -> Analysis:
    known = analysis(HAWK, "hawk.yaml", 1, {})
    assert known is not None
    return known


@given(st.integers(0, len(HAWK)))
@settings(max_examples=200, deadline=None)
def test_hover_answers_at_every_offset(offset: int) -> None:
    told = told_at(hawk(), offset)
    if told is not None:
        assert told.start <= offset <= told.end
        assert told.text.count("```") % 2 == 0


@given(edited())
@settings(max_examples=40, deadline=None)
def test_a_broken_design_is_judged_and_explained(given: tuple[str, int]) -> None:
    text, offset = given
    known = analysis(text, "hawk.yaml", 1, {})
    if known is not None:
        told_at(known, min(offset, len(known.document.text)))


@given(
    st.text(st.sampled_from("a𝟙é\u2028\x85 \n\r"), max_size=30),
    st.sampled_from(
        [types.PositionEncodingKind.Utf8, types.PositionEncodingKind.Utf16, types.PositionEncodingKind.Utf32]
    ),
    st.data(),
)
def test_a_place_comes_back_from_the_editor(
    text: str, encoding: types.PositionEncodingKind, data: st.DataObject
) -> None:
    document, positions = read_bytes(text.encode(), "a"), Positions(text, PositionCodec(encoding))
    offset = data.draw(st.integers(0, len(text)))
    if text[offset - 1 : offset + 1] == "\r\n":
        return  # no place: the line ends before it or behind it
    assert positions.offset(document, positions.span(document, offset, offset).start) == offset


def test_a_comment_changes_nothing_but_a_text_would() -> None:
    document = read_bytes(b"designlint: 1\ndescription: |\n  two\n  lines\n", "a")
    assert same(document, document.text + "# a comment\n")
    assert not same(document, document.text.replace("two", "two  # no comment"))


def test_what_stands_in_a_design_would_have_been_proposed_there() -> None:
    text = (ROOT / "ontology/starter.yaml").read_text("utf-8")
    document, loaded = read_bytes(text.encode(), "a"), engine.shipped_engine()
    assert document.root is not None
    missed = []
    for path, node in tree_paths(document.root):
        if node.key_start >= 0 and len(path) > 1:
            name = text[node.key_start : node.key_end]
            rest = text[: node.key_start] + name[:1] + text[node.key_end :]
            if name not in [one.label for one in proposals(rest, node.key_start + 1, loaded, None)]:
                missed.append(path)
        spot = spot_at(document.root, node.start, loaded.vocabulary)
        if node.kind != "scalar" or spot is None or spot.word is None or spot.on_key:
            continue
        named, closed = spot.word.form in ("name", "names"), spot.word.allowed and not spot.word.open
        if named or closed or spot.word.form == "catalog":
            # before the rest of the file, or at the end of what is written, where names below do not exist yet
            for more in (text[node.end :], "\n")[: 1 if named else 2]:
                found = proposals(text[: node.start] + node.text[:1] + more, node.start + 1, loaded, None)
                if node.text not in [one.label for one in found]:
                    missed.append(path)
    assert missed == []
