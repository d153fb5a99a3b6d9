"""What every format tells beside findings, taken from the report for machines, which the others are held against."""

from __future__ import annotations

from typing import Any, NamedTuple

from designlint.reporters.shared.terminal import printable, shorten


class Noted(NamedTuple):
    """What a report tells beside its findings: where it was decided, and words of it."""

    file: str
    line: int
    words: str


def noted(data: Any) -> list[Noted]:
    """What a reviewer has to know beside the findings, in the order in which it is told."""
    told = [Noted(one["file"], 0, one["reason"]) for one in data.get("unjudged", ())]
    for one in data["settings"]:
        file, _, line = one["origin"].rpartition(":")
        told.append(Noted(file, int(line), one["reason"]) if line.isdigit() else Noted("", 0, one["text"]))
    for one in data["accepted"]:
        if one["accepted"]["how"] == "waiver":
            at = one["accepted"]["location"]
            told.append(Noted(at["file"], at["line"], one["accepted"]["reason"]))
    baseline = sum(one["accepted"]["how"] == "baseline" for one in data["accepted"])
    untried = data["summary"].get("fixes_not_tried", 0)
    told += [Noted("", 0, f"{baseline} findings are accepted by the baseline")] if baseline else []
    return told + ([Noted("", 0, f"fixes of {untried} findings were not tried")] if untried else [])


def first_lines(data: Any) -> list[str]:
    """The words of what people are told beside the findings: how many more there are after the twentieth."""
    told = [shorten(printable(one.words), 500) for one in noted(data)]
    return [*told[:20], *([f"... and {len(told) - 20} more"] if len(told) > 20 else [])]
