"""What the server answers where the cursor stands: meanings, completions, fixes, waivers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from lsprotocol import types

from tests.running import BAD
from tests.test_lsp import HAWK, TENSOR, applied, codes, session

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tools.session import Session


def test_hover_says_what_a_word_means_and_what_follows(tmp_path: Path) -> None:
    path, row = tmp_path / "design.yaml", HAWK[: HAWK.index("tensor: 16")].count("\n")

    async def play(editor: Session) -> None:
        await editor.open(path, HAWK)
        told = await editor.hover(path, row, 8)
        assert "**tensor** of Parallelism: Count" in told
        assert (
            "workloads/pretrain/model_parallel = 256\n   = tensor * pipeline * context   [narayanan-2021, verified]"
            in told
        )
        assert "two" not in told.split("---")[0]
        assert f"`{TENSOR}`: Tensor parallelism exchanges" in await editor.hover(path, row, 15)
        model = HAWK[: HAWK.index("model: dgx-h100")].count("\n")
        told = await editor.hover(path, model, HAWK.splitlines()[model].index("dgx-h100") + 3)
        assert "**dgx-h100**: " in told
        assert "scale_up_domain: 8 (" in told
        deadline = HAWK[: HAWK.index("deadline: 90")].count("\n")
        told = await editor.hover(path, deadline, HAWK.splitlines()[deadline].index("90 days"))
        assert "workloads/pretrain/least_training_time = 141.7 days" in told
        assert "├─ " in told
        named = HAWK[: HAWK.index("- name: pretrain")].count("\n")
        assert "workloads/pretrain/data_parallel = 16" in await editor.hover(path, named, 12)
        assert await editor.hover(path, 0, 0) == ""

    session(tmp_path, play)


def test_completion_knows_words_values_and_names_while_the_text_is_broken(tmp_path: Path) -> None:
    path = tmp_path / "design.yaml"
    head = "designlint: 1\nnodes:\n  - name: train\n    model: dgx-h100\nworkloads:\n  - name: pretrain\n"

    async def play(editor: Session) -> None:
        await editor.open(path, head)
        version = 1

        async def complete(more: str) -> dict[str, types.CompletionItem]:
            nonlocal version
            version += 1
            editor.type(path, head + more.replace("|", ""), version)
            before = (head + more.partition("|")[0]).split("\n")
            return await editor.complete(path, len(before) - 1, len(before[-1]))

        keys = await complete("    para|\n")
        assert "parallelism" in keys
        assert "name" not in keys
        edit = keys["precision"].text_edit
        assert isinstance(edit, types.TextEdit)
        assert (edit.new_text, edit.range.start.character, edit.range.end.character) == ("precision: ", 4, 8)
        assert list(await complete("    parallelism: {tensor: 8, recompute: |")) == ["none", "selective", "full"]
        assert "pipeline" in await complete("    parallelism: {tensor: 8, |")
        assert "tensor" not in await complete("    parallelism: {tensor: 8, |")
        assert list(await complete("    runs_on: {nodes: |\n    model: [")) == ["train"]
        assert "zero_stage" in await complete("    model: [\n    parallelism:\n      tensor: 8\n      z|")
        await editor.diagnostics(path, version)  # judged as broken as it is, it has lost its jobs
        assert list(await complete("    flash_attention: |")) == ["true", "false"]
        assert "h100-sxm-80gb" in await complete("nodes:\n  - name: a\n    gpu: |")
        assert TENSOR in await complete("waivers:\n  - rule: para|")
        assert {"workloads/pretrain", "nodes/train"} <= set(await complete("waivers:\n  - {rule: a/b, on: |}"))
        waiver = await complete("    # designlint: ignore[a/b, parallelism/ten|")
        edit = waiver[TENSOR].text_edit
        assert isinstance(edit, types.TextEdit)
        assert edit.range.end.character - edit.range.start.character == len("parallelism/ten")
        assert await complete("    # a comment |") == {}
        assert await complete("    description: |") == {}

    session(tmp_path, play)


def test_a_fix_is_offered_and_cures(tmp_path: Path) -> None:
    path, text = tmp_path / "design.yaml", BAD.decode().replace("  - name: pretrain", "  - name: pretrain   # 𝔫o")

    async def play(editor: Session) -> None:
        (found,) = [one for one in await editor.open(path, text) if one.code == TENSOR]
        actions = await editor.actions(path, found.range, [types.CodeActionKind.QuickFix])
        action = next(one for one in actions if one.title.startswith("Set tensor to 8"))
        assert [one.code for one in action.diagnostics or ()] == [TENSOR]
        assert action.edit is not None
        fixed = applied(text, list((action.edit.changes or {})[path.as_uri()]))
        assert fixed == text.replace("16", "8")
        assert TENSOR not in codes(await editor.change(path, fixed, 2))
        assert await editor.actions(path, types.Range(types.Position(0, 0), types.Position(0, 5))) == []

    session(tmp_path, play)


def test_all_that_is_safe_is_fixed_at_once(tmp_path: Path) -> None:
    path = tmp_path / "design.yaml"
    waived = f'{{tensor: 8}}  # designlint: ignore[{TENSOR}] reason="once"'
    text = BAD.decode().replace("{tensor: 16}", waived)

    async def play(editor: Session) -> None:
        assert "waiver/unused" in codes(await editor.open(path, text))
        whole = types.Range(types.Position(0, 0), types.Position(99, 0))
        (action,) = await editor.actions(path, whole, ["source.fixAll"])
        assert action.kind == "source.fixAll.designlint"
        assert action.edit is not None
        fixed = applied(text, list((action.edit.changes or {})[path.as_uri()]))
        assert fixed == BAD.decode().replace("16", "8")
        assert "waiver/unused" not in codes(await editor.change(path, fixed, 2))
        assert await editor.actions(path, whole, ["source.fixAll"]) == []

    session(tmp_path, play)


@pytest.mark.parametrize(
    ("line", "waived"),
    [
        ("    parallelism: {tensor: 16}", '{before}  {waiver}'),
        ("    parallelism: {tensor: 16}  # why", '{before}  {waiver}'),
        ("    parallelism: {tensor: 16}  # designlint: ignore[a/b] reason=\"c\"", '    {waiver}\n{before}'),
    ],
)  # fmt: skip
def test_a_waiver_is_offered(tmp_path: Path, line: str, waived: str) -> None:
    path, text = tmp_path / "design.yaml", BAD.decode().replace("    parallelism: {tensor: 16}", line)

    async def play(editor: Session) -> None:
        (found,) = [one for one in await editor.open(path, text) if one.code == TENSOR]
        actions = await editor.actions(path, found.range)
        (action,) = [one for one in actions if one.title == f"Waive {TENSOR} here, with a reason"]
        assert action.edit is not None
        (edits,) = (action.edit.changes or {}).values()
        waiver = f'# designlint: ignore[{TENSOR}] reason=""'
        changed = applied(text, list(edits))
        assert changed == text.replace(line, waived.format(before=line, waiver=waiver))
        assert {TENSOR, "waiver/without-reason"} <= set(codes(await editor.change(path, changed, 2)))
        reasoned = changed.replace('reason=""', 'reason="a proof of concept"')
        assert not {TENSOR, "waiver/without-reason"} & set(codes(await editor.change(path, reasoned, 3)))
        unused = await editor.change(path, reasoned.replace("16", "8"), 4)
        (tags,) = {tuple(one.tags or ()) for one in unused if one.code == "waiver/unused"}
        assert tags == (types.DiagnosticTag.Unnecessary,)

    session(tmp_path, play)


def test_a_finding_in_an_imported_file_stands_where_the_file_is_named(tmp_path: Path) -> None:
    path, model = tmp_path / "design.yaml", tmp_path / "config.json"
    keys = '{"model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096,\n "num_attention_heads": 32,\n'
    model.write_text(f'{keys} "num_key_value_heads": 6}}\n')
    text = "designlint: 1\nworkloads:\n  - name: next\n    model: {from: config.json}\n"

    async def play(editor: Session) -> None:
        marked = await editor.open(path, text)
        (one,) = [one for one in marked if one.code == "model/kv-heads-not-dividing-heads"]
        assert one.range == types.Range(types.Position(3, 18), types.Position(3, 29))
        (related, *_) = one.related_information or ()
        assert related.location == types.Location(
            model.as_uri(), types.Range(types.Position(2, 24), types.Position(2, 25))
        )

    session(tmp_path, play)


def test_a_name_leads_to_the_part_and_a_path_to_the_file(tmp_path: Path) -> None:
    path, slurm = tmp_path / "design.yaml", tmp_path / "slurm.conf"
    slurm.write_text("NodeName=gpu[1-4] CPUs=112 Gres=gpu:h100:8\n")
    text = (
        "designlint: 1\nnodes:\n  - name: train\n    networks: [{fabric: compute, ports: 8}]\n  - from: slurm.conf\n"
        "fabrics: [{name: storage}, {name: compute}]\nstorage: [{name: a}, {name: b}]\n"
        "workloads:\n  - name: pretrain\n    runs_on: {nodes: train}\n    checkpoint: {tiers: [a, b]}\n"
    )

    async def play(editor: Session) -> None:
        await editor.open(path, text)

        async def meant(line: int, word: str) -> tuple[str, int, int] | None:
            found = await editor.definition(path, line, text.splitlines()[line].index(word))
            return (
                None
                if found is None
                else (found.uri.rpartition("/")[2], found.range.start.line, found.range.start.character)
            )

        assert await meant(3, "compute") == ("design.yaml", 5, text.splitlines()[5].index("compute"))
        assert await meant(9, "train") == ("design.yaml", 2, 10)
        assert await meant(10, "b]") == ("design.yaml", 6, text.splitlines()[6].index("b}"))
        assert await meant(4, "slurm") == ("slurm.conf", 0, 0)
        assert await meant(3, "8") is None
        assert await meant(9, "nodes") is None

    session(tmp_path, play)


def test_the_outline_lists_parts_by_name_within_those_that_hold_them(tmp_path: Path) -> None:
    path = tmp_path / "design.yaml"
    text = (
        "designlint: 1\nname: é\nnodes:\n  - &one {count: 2, name: Zürich}\n  - count: 1\n    networks:\n"
        "      - fabric: ib\n  - *one\nfacility:\n  cooling: {cdus: {count: 2}}\n"
    )

    def tree(found: Sequence[types.DocumentSymbol]) -> dict[str, Any]:
        return {one.name: tree(one.children or ()) for one in found}

    def inside(found: Sequence[types.DocumentSymbol], outer: types.Range) -> None:
        for one in found:
            assert outer.start <= one.range.start <= one.selection_range.start
            assert one.selection_range.end <= one.range.end <= outer.end
            inside(one.children or (), one.range)

    async def play(editor: Session) -> None:
        await editor.open(path, text)
        found = await editor.outline(path)
        assert tree(found) == {
            "nodes": {"Zürich": {}, "2.": {"networks": {"1.": {}}}},
            "facility": {"cooling": {"cdus": {}}},
        }
        zurich = (found[0].children or ())[0]
        assert zurich.selection_range == types.Range(types.Position(3, 26), types.Position(3, 32))
        inside(found, types.Range(types.Position(0, 0), types.Position(20, 0)))

    session(tmp_path, play)
